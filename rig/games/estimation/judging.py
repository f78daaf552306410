"""What follows from a push: what it did, who confirms it, and what comes after the round."""

from dataclasses import replace

from rig.games.estimation import commands as cmd
from rig.games.estimation import events as ev
from rig.games.estimation.evolve import evolve
from rig.games.estimation.game import (
    Claim,
    Game,
    after,
    leaders,
    playing_or_after,
    ranking,
    round_pay,
)
from rig.games.estimation.terms import (
    EXTRA_ROUND,
    FEWEST_PLAYERS,
    SCORED_ROUNDS,
    Result,
    Step,
)


def report(game: Game, actor: str, command: cmd.Report) -> tuple[ev.Event, ...]:
    """Claim an outcome; what the host claims as the judge is settled (ruling A9)."""
    claimed = ev.OutcomeClaimed(actor, command.outcome)
    if game.options.judge == "host":
        return claimed, settled(game, command.outcome)
    return (claimed,)


def confirm(game: Game, actor: str, command: cmd.Confirm) -> tuple[ev.Event, ...]:
    """Agree: one of each side settles what is shown, one of the other side what a seat claims."""
    if game.step is Step.SHOWN:
        agreed = ev.OutcomeAgreed(actor)
        return (agreed, *settled_when_due(evolve(game, agreed)))
    return (settled(game, _claim(game).outcome),)


def object_(game: Game, actor: str, command: cmd.Object) -> tuple[ev.Event, ...]:
    """Put the opposite of what is shown to a player of the other side."""
    return (ev.OutcomeObjected(actor),)


def stand(game: Game, actor: str, command: cmd.Stand) -> tuple[ev.Event, ...]:
    """Settle what is shown: nobody objected in time."""
    return (settled(game, _claim(game).outcome),)


def dispute(game: Game, actor: str, command: cmd.Dispute) -> tuple[ev.Event, ...]:
    """Deny a seat's claim, so that the whole table votes."""
    return (ev.OutcomeDisputed(actor),)


def table_vote(game: Game, actor: str, command: cmd.TableVote) -> tuple[ev.Event, ...]:
    """Vote on the outcome; it is settled as soon as no vote could change it."""
    cast = ev.TableVoteCast(actor, command.outcome)
    return (cast, *settled_when_due(evolve(game, cast)))


def next_round(game: Game, actor: str, command: cmd.NextRound) -> tuple[ev.Event, ...]:
    """Deal the next round, the extra round if the top is shared, or end the game."""
    playing = game.present
    if game.round >= SCORED_ROUNDS:
        tied = leaders(game)
        if game.round == EXTRA_ROUND or len(tied) == 1:
            return (ended(game),)
        if game.options.extra_round == "tied_only":
            playing = tied
    assert game.toppler is not None
    after_push = replace(game, playing=playing)
    if game.options.next_first == "left_of_toppler":
        first = after(after_push, game.toppler)
    else:
        first = playing_or_after(after_push, game.toppler)
    return (ev.RoundDealt(game.round + 1, first, playing),)


def correct_verdict(game: Game, actor: str, command: cmd.CorrectVerdict) -> tuple[ev.Event, ...]:
    """Pay the last push as the opposite of what was settled.

    An extra round that nobody needs any more ends the game, and one among others begins anew; a
    game that was over goes back to the end of its last round, where it is decided once more
    whether an extra round is due.
    """
    last = game.history[-1]
    won, returned = (
        {seat: n for seat, n in chips.items() if seat in game.chips}
        for chips in (last.otherwise, last.won)
    )
    corrected = ev.VerdictCorrected(last.outcome.other, won, returned, command.why)
    after_it = evolve(game, corrected)
    extra = after_it.round == EXTRA_ROUND and last.round < EXTRA_ROUND
    tied = leaders(after_it)
    if len(after_it.playing) < FEWEST_PLAYERS or (extra and len(tied) == 1):
        return corrected, ended(after_it)
    if extra and game.options.extra_round == "tied_only" and tied != game.playing:
        assert game.first is not None
        first = playing_or_after(replace(after_it, playing=tied), game.first)
        return corrected, ev.RoundDealt(EXTRA_ROUND, first, tied)
    return (corrected,)


def rematch(game: Game, actor: str, command: cmd.Rematch) -> tuple[ev.Event, ...]:
    """Clear the game away."""
    return (ev.LobbyReopened(),)


def ended(game: Game) -> ev.GameEnded:
    """The game is over: all with the most chips have won."""
    return ev.GameEnded(ranking(game), leaders(game))


def settled(game: Game, outcome: Result) -> ev.OutcomeJudged:
    """The outcome with what it pays."""
    return ev.OutcomeJudged(outcome, round_pay(game, outcome))


def settled_when_due(game: Game) -> tuple[ev.Event, ...]:
    """Settle if enough have agreed with what is shown, or if the vote is decided."""
    if game.step is Step.SHOWN:
        sides = {game.ballots[seat] for seat in game.agreed}
        if len(sides) == 2 or len(game.agreed) == len(game.playing):
            return (settled(game, _claim(game).outcome),)
    if game.step is Step.VOTE:
        votes = list(game.votes.values())
        if votes.count(Result.FELL) * 2 > len(game.playing):
            return (settled(game, Result.FELL),)
        if votes.count(Result.STOOD) * 2 >= len(game.playing):
            return (settled(game, Result.STOOD),)
    return ()


def _claim(game: Game) -> Claim:
    assert game.claim is not None
    return game.claim
