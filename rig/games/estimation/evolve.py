"""evolve(): the state after an event; it decides nothing and refuses nothing."""

from collections.abc import Mapping
from dataclasses import replace
from typing import TypeVar, assert_never

from rig.games.estimation import events as ev
from rig.games.estimation.game import (
    Accident,
    AccidentPaid,
    Claim,
    Game,
    Placement,
    RowFix,
    Scored,
    added,
    after,
    fresh_supply,
    lower_end,
    round_pay,
)
from rig.games.estimation.terms import CAMERA, FIRST_TILE, HOST, End, Phase, Side, Step

T = TypeVar("T")


def evolve(game: Game, event: ev.Event) -> Game:
    """The game after this event.

    >>> evolve(Game(), ev.GameStarted(("ana", "bo"), Game().options)).chips
    {'ana': 0, 'bo': 0}
    """
    match event:
        case ev.GameStarted(seats, options, name):
            none = dict.fromkeys(seats, 0)
            start = Game(options, name, seats=seats, chips=none, accident_chips=none)
            return replace(start, turn=game.turn)
        case ev.RoundDealt(number, first, playing):
            return _dealt(game, number, first, playing)
        case ev.TilePlaced(seat, value, position, at_s):
            placed = Placement(value, position, None, game.placer, game.estimated)
            supply = _without_index(game.supply, game.supply.index(value))
            row = (*game.row[:position], value, *game.row[position:])
            return _placed(replace(game, supply=supply), seat, row, placed, at_s)
        case ev.TileMoved(seat, value, index, end, at_s):
            rest = _without_index(game.row, index)
            row = (value, *rest) if end is End.LEFT else (*rest, value)
            position = 0 if end is End.LEFT else len(rest)
            placed = Placement(value, position, index, game.placer, game.estimated)
            return _placed(game, seat, row, placed, at_s)
        case ev.PlacementTakenBack(seat, row, supply):
            return _taken_back(game, seat, row, supply)
        case ev.RowFixProposed(seat, order):
            return replace(game, row_fix=RowFix(seat, order))
        case ev.RowFixDeclined():
            return replace(game, row_fix=None)
        case ev.RowFixed(_, order):
            end = lower_end(order) if game.phase is Phase.TOPPLE else game.end
            return replace(game, row=order, row_fix=None, end=end)
        case ev.DominoCalled(caller, forced, at_s, salts):
            return replace(
                game,
                phase=Phase.BALLOT,
                caller=caller,
                called_at_s=at_s,
                ballots=dict(forced),
                forced=frozenset(forced),
                locked=frozenset(forced),
                salts=dict(salts),
                row_fix=None,
            )
        case ev.BallotCast(seat, side):
            return replace(game, ballots={**game.ballots, seat: side})
        case ev.BallotLocked(seat):
            return replace(game, locked=game.locked | {seat})
        case ev.BallotTimedOut(seat):
            return replace(game, ballots={**game.ballots, seat: Side.SUCCESS})
        case ev.BallotsLocked(seals):
            locked = frozenset(game.ballots)
            return replace(_to(game, Phase.COUNTDOWN), locked=locked, seals=dict(seals))
        case ev.BallotsRevealed(ballots, salts):
            shown = replace(game, ballots=dict(ballots), salts=dict(salts), revealed=True)
            return replace(shown, phase=Phase.REVEAL)
        case ev.EstimationPassed():
            estimated = game.options.recall == "once"
            return replace(_no_estimation(game), estimated=estimated, turn=game.turn + 1)
        case ev.EstimationCancelled():
            return replace(_no_estimation(game), turn=game.turn + 1)
        case ev.PushOrdered(toppler, end):
            return replace(game, phase=Phase.TOPPLE, toppler=toppler, end=end)
        case ev.TopplerReplaced(toppler):
            return replace(game, toppler=toppler)
        case ev.EndChosen(end):
            return replace(game, end=end)
        case ev.OutcomeClaimed(by, outcome):
            step = Step.SHOWN if by in (CAMERA, HOST) else Step.CONFIRM
            claim = Claim(outcome, by)
            return replace(game, phase=Phase.JUDGE, claim=claim, step=step, row_fix=None)
        case ev.OutcomeAgreed(seat):
            return replace(game, agreed=(*game.agreed, seat))
        case ev.OutcomeObjected(seat):
            assert game.claim is not None
            claim = Claim(game.claim.outcome.other, seat)
            return replace(game, claim=claim, step=Step.CONFIRM, agreed=())
        case ev.OutcomeDisputed():
            return replace(game, step=Step.VOTE)
        case ev.TableVoteCast(seat, outcome):
            return replace(game, votes={**game.votes, seat: outcome})
        case ev.OutcomeJudged():
            return _judged(game, event)
        case ev.AccidentClaimed(by, culprit, kind):
            accident = Accident(by, culprit, kind, before=game.phase)
            return replace(game, phase=Phase.ACCIDENT, accident=accident)
        case ev.AccidentDenied():
            assert game.accident is not None
            return replace(game, accident=replace(game.accident, denied=True))
        case ev.AccidentRejected():
            return replace(game, phase=game.stage, accident=None)
        case ev.AccidentWithdrawn():
            return replace(game, phase=game.stage, accident=None)
        case ev.AccidentConfirmed(culprit, won):
            paid = added(game.accident_chips, won)
            game = replace(game, chips=added(game.chips, won), accident_chips=paid)
            if culprit is None or game.first is None:
                return game
            return replace(game, accident_paid=AccidentPaid(culprit, dict(won), game.first))
        case ev.AccidentTakenBack(_, returned):
            kept = added(game.accident_chips, returned, -1)
            chips = added(game.chips, returned, -1)
            return replace(game, chips=chips, accident_chips=kept, accident_paid=None)
        case ev.LoneTileStoodUp():
            return game
        case ev.RoundVoided(_, returned):
            scored = game.phase is Phase.ROUND_END
            history = game.history[:-1] if scored else game.history
            return replace(game, chips=added(game.chips, returned, -1), history=history)
        case ev.TurnSkipped(seat):
            return replace(
                game,
                active=after(game, seat),
                turn=game.turn + 1,
                row_fix=None,
            )
        case ev.VerdictCorrected():
            return _corrected(game, event)
        case ev.SeatLeft(seat):
            return _left(game, seat)
        case ev.GameEnded(ranking, winners):
            return replace(
                _no_estimation(game) if not game.revealed else game,
                phase=Phase.GAME_OVER,
                accident=None,
                ranking=ranking,
                winners=winners,
            )
        case ev.LobbyReopened():
            return Game(game.options, turn=game.turn)
        case _:
            assert_never(event)


def _to(game: Game, phase: Phase) -> Game:
    """Go to a phase; behind an accident it is the waiting phase that changes."""
    if game.accident is None:
        return replace(game, phase=phase)
    return replace(game, accident=replace(game.accident, before=phase))


def _dealt(game: Game, number: int, first: str, playing: tuple[str, ...]) -> Game:
    """All tiles back, the 6 alone: only seats, chips and history are carried over."""
    return Game(
        game.options,
        game.id,
        phase=Phase.TURN,
        seats=game.seats,
        playing=playing,
        chips=game.chips,
        accident_chips=game.accident_chips,
        round=number,
        turn=game.turn + 1,
        first=first,
        active=first,
        row=(FIRST_TILE,),
        supply=fresh_supply(game.options),
        history=game.history,
        accident_paid=game.accident_paid if number == game.round else None,
    )


def _placed(game: Game, seat: str, row: tuple[int, ...], placement: Placement, at_s: float) -> Game:
    """The row has changed: its maker is the placer, and the next seat's turn begins."""
    return replace(
        game,
        row=row,
        placer=seat,
        placed_at_s=at_s,
        placement=placement,
        row_fix=None,
        estimated=False,
        active=after(game, seat),
        turn=game.turn + 1,
    )


def _taken_back(game: Game, seat: str, row: tuple[int, ...], supply: tuple[int, ...]) -> Game:
    """The game as it was before the last placement; a call made since is void."""
    assert game.placement is not None
    before = game.placement
    return replace(
        _no_estimation(game),
        row=row,
        supply=supply,
        placer=before.placer if before.placer in game.playing else None,
        placed_at_s=None,
        placement=None,
        row_fix=None,
        estimated=before.estimated,
        active=seat,
        turn=game.turn + 1,
    )


def _no_estimation(game: Game) -> Game:
    """Back to the turn, without caller and ballots."""
    return replace(
        _to(game, Phase.TURN),
        caller=None,
        called_at_s=None,
        ballots={},
        forced=frozenset(),
        locked=frozenset(),
        salts={},
        seals={},
        revealed=False,
    )


def _judged(game: Game, event: ev.OutcomeJudged) -> Game:
    """Pay the chips and close the round."""
    by = game.claim.by if game.claim is not None else ""
    if game.accident is not None:
        by = game.accident.by
    return replace(
        game,
        phase=Phase.ROUND_END,
        accident=None,
        claim=Claim(event.outcome, by),
        step=Step.SETTLED,
        chips=added(game.chips, event.won),
        history=(
            *game.history,
            Scored(game.round, event.outcome, event.won, round_pay(game, event.outcome.other)),
        ),
    )


def _corrected(game: Game, event: ev.VerdictCorrected) -> Game:
    """The last push counts as the other outcome; a game that was over is open once more."""
    *before, last = game.history
    now = Scored(last.round, event.outcome, event.won, last.won)
    over = game.phase is Phase.GAME_OVER
    shown = over or game.phase is Phase.ROUND_END
    claim = game.claim
    return replace(
        game,
        phase=Phase.ROUND_END if over else game.phase,
        claim=replace(claim, outcome=event.outcome) if shown and claim is not None else claim,
        chips=added(added(game.chips, event.returned, -1), event.won),
        history=(*before, now),
        ranking=(),
        winners=(),
    )


def _left(game: Game, seat: str) -> Game:
    """Take a seat out; a ballot already revealed stays on the table."""
    playing = tuple(s for s in game.playing if s != seat)
    game = replace(
        game,
        playing=playing,
        chips=_without_key(game.chips, seat),
        accident_chips=_without_key(game.accident_chips, seat),
        ballots=game.ballots if game.revealed else _without_key(game.ballots, seat),
        locked=game.locked - {seat},
        votes=_without_key(game.votes, seat),
        agreed=tuple(s for s in game.agreed if s != seat),
        caller=None if game.caller == seat else game.caller,
        row_fix=None if game.row_fix is not None and game.row_fix.seat == seat else game.row_fix,
    )
    if game.placer == seat:
        game = replace(game, placer=None, placement=None)
    if game.active == seat:
        game = replace(game, active=after(game, seat))
    return game


def _without_index(values: tuple[int, ...], index: int) -> tuple[int, ...]:
    return values[:index] + values[index + 1 :]


def _without_key(mapping: Mapping[str, T], key: str) -> dict[str, T]:
    return {k: v for k, v in mapping.items() if k != key}
