"""What follows when something goes wrong: accidents, void rounds, empty seats."""

from rig.games.estimation import commands as cmd
from rig.games.estimation import events as ev
from rig.games.estimation.ballots import locked_when_complete
from rig.games.estimation.evolve import evolve
from rig.games.estimation.game import Game, accident_pay, playing_or_after, who_pushes
from rig.games.estimation.judging import ended, settled, settled_when_due
from rig.games.estimation.terms import (
    FEWEST_PLAYERS,
    HOST,
    Mishap,
    Phase,
    Result,
)


def claim_accident(game: Game, actor: str, command: cmd.ClaimAccident) -> tuple[ev.Event, ...]:
    """Claim that the row was knocked over; what was going on waits (rulings A12, A13, A15)."""
    return (ev.AccidentClaimed(actor, command.culprit, Mishap.KNOCK),)


def wrong_end(game: Game, actor: str, command: cmd.WrongEnd) -> tuple[ev.Event, ...]:
    """Claim that the toppler pushed the wrong end (ruling A14)."""
    return (ev.AccidentClaimed(actor, game.toppler, Mishap.WRONG_END),)


def confirm_accident(game: Game, actor: str, command: cmd.ConfirmAccident) -> tuple[ev.Event, ...]:
    """Confirm it, and play the round anew; where the rules say so, the row stood."""
    accident = game.accident
    assert accident is not None
    if accident.kind is Mishap.WRONG_END and game.options.wrong_end == "stood":
        return (settled(game, Result.STOOD),)
    paid = ev.AccidentConfirmed(accident.culprit, accident_pay(game, accident.culprit))
    return paid, _again(game, accident.culprit)


def reject_accident(game: Game, actor: str, command: cmd.RejectAccident) -> tuple[ev.Event, ...]:
    """Say no to it: the culprit first, then the host; without a culprit the host alone."""
    return (ev.AccidentRejected() if actor == HOST else ev.AccidentDenied(actor),)


def withdraw_accident(
    game: Game, actor: str, command: cmd.WithdrawAccident
) -> tuple[ev.Event, ...]:
    """Take one's own claim back; what was waiting goes on."""
    return (ev.AccidentWithdrawn(actor),)


def take_back_accident(
    game: Game, actor: str, command: cmd.TakeBackAccident
) -> tuple[ev.Event, ...]:
    """Give back what the last accident of this round paid.

    Its row has been cleared away and does not come back. While nothing has been stood since, the
    round begins with whoever began it before the accident.
    """
    paid = game.accident_paid
    assert paid is not None
    returned = {seat: n for seat, n in paid.won.items() if seat in game.chips}
    taken_back = ev.AccidentTakenBack(paid.culprit, returned, command.why)
    if game.phase is not Phase.TURN or game.placer is not None or game.active != game.first:
        return (taken_back,)
    first = playing_or_after(game, paid.first)
    return taken_back, ev.RoundDealt(game.round, first, game.playing)


def void_round(game: Game, actor: str, command: cmd.VoidRound) -> tuple[ev.Event, ...]:
    """Play the round anew; chips just paid for it are given back."""
    returned = {}
    if game.phase is Phase.ROUND_END:
        won = game.history[-1].won
        returned = {seat: n for seat, n in won.items() if seat in game.chips}
    return ev.RoundVoided(command.why, returned), _again(game, None)


def skip_turn(game: Game, actor: str, command: cmd.SkipTurn) -> tuple[ev.Event, ...]:
    """Pass over the active seat; what stands on the table is as before, and may still be called."""
    assert game.active is not None
    return (ev.TurnSkipped(game.active),)


def skip_ballot(game: Game, actor: str, command: cmd.SkipBallot) -> tuple[ev.Event, ...]:
    """Take a ballot that does not come as Success, which alone never forces a push (ruling A17)."""
    timed_out = ev.BallotTimedOut(command.seat)
    return timed_out, *locked_when_complete(evolve(game, timed_out))


def leave(game: Game, actor: str, command: cmd.Leave) -> tuple[ev.Event, ...]:
    """Take a seat out of the game, and do what then follows (ruling A18)."""
    seat = command.seat
    left = ev.SeatLeft(seat)
    rest = evolve(game, left)
    if len(rest.playing) < FEWEST_PLAYERS:
        return left, ended(rest)
    return left, *_after_leaving(game, rest, seat)


def _after_leaving(game: Game, rest: Game, seat: str) -> tuple[ev.Event, ...]:
    """What the empty seat brings about; `rest` is the game without it."""
    match rest.stage:
        case Phase.BALLOT | Phase.COUNTDOWN if game.placer == seat:
            return (ev.EstimationCancelled(),)
        case Phase.BALLOT:
            return locked_when_complete(rest)
        case Phase.TOPPLE if game.toppler == seat:
            return (ev.TopplerReplaced(who_pushes(rest)),)
        case Phase.JUDGE:
            return settled_when_due(rest)
    return ()


def _again(game: Game, culprit: str | None) -> ev.RoundDealt:
    """The same round once more, begun by the culprit if there is one."""
    first = culprit or game.first
    assert first is not None
    return ev.RoundDealt(game.round, playing_or_after(game, first), game.playing)
