"""What is allowed: who may do what in which phase, and why not; decide() says what follows then."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

from rig.games.estimation import accidents, ballots, judging, turns
from rig.games.estimation import commands as cmd
from rig.games.estimation.events import Event
from rig.games.estimation.game import Game, judges, lower_end
from rig.games.estimation.terms import (
    CAMERA,
    FEWEST_PLAYERS,
    HOST,
    MOST_PLAYERS,
    REFEREE,
    Extent,
    Phase,
    PlacementFault,
    Reason,
    Refused,
    Side,
    Step,
)

SEAT = "seat"

Decider: TypeAlias = Callable[[Game, str, Any], tuple[Event, ...]]
Condition: TypeAlias = Callable[[Game, str, Any], Reason | None]


@dataclass(frozen=True, slots=True)
class Transition:
    """Who may give a command in a phase, what decides it, and which phases it can lead to."""

    actors: tuple[str, ...]
    decider: Decider
    to: tuple[Phase, ...]


Table: TypeAlias = dict[tuple[Phase, type[cmd.Command]], Transition]

IN_ROUND = (
    Phase.TURN,
    Phase.BALLOT,
    Phase.COUNTDOWN,
    Phase.REVEAL,
    Phase.TOPPLE,
    Phase.JUDGE,
    Phase.ROUND_END,
    Phase.ACCIDENT,
)


def _table() -> Table:
    """All that can happen, phase by phase; what is not here is refused."""
    table: Table = {}

    def on(
        phases: Phase | tuple[Phase, ...],
        command: type[cmd.Command],
        actors: str | tuple[str, ...],
        decider: Decider,
        *to: Phase,
    ) -> None:
        who = (actors,) if isinstance(actors, str) else actors
        for phase in (phases,) if isinstance(phases, Phase) else phases:
            table[phase, command] = Transition(who, decider, to or (phase,))

    p = Phase
    on(p.LOBBY, cmd.Start, HOST, turns.start, p.TURN)

    on(p.TURN, cmd.Place, SEAT, turns.place)
    on(p.TURN, cmd.Move, SEAT, turns.move)
    on((p.TURN, p.BALLOT, p.COUNTDOWN), cmd.TakeBack, SEAT, turns.take_back, p.TURN)
    on((p.TURN, p.TOPPLE), cmd.FixRow, SEAT, turns.fix_row)
    on((p.TURN, p.TOPPLE), cmd.ConsentRow, SEAT, turns.consent_row)
    on((p.TURN, p.TOPPLE), cmd.DeclineRow, SEAT, turns.decline_row)
    on(p.TURN, cmd.LoneTileFell, (SEAT, CAMERA), turns.lone_tile_fell)
    on(p.TURN, cmd.Call, SEAT, turns.call, p.BALLOT, p.COUNTDOWN)
    on((p.BALLOT, p.COUNTDOWN), cmd.Call, SEAT, turns.call)

    on(p.BALLOT, cmd.Vote, SEAT, ballots.vote, p.BALLOT, p.COUNTDOWN)
    on(p.BALLOT, cmd.LockBallot, SEAT, ballots.lock_ballot)
    on(p.BALLOT, cmd.CloseBallots, REFEREE, ballots.close, p.COUNTDOWN)
    on(p.BALLOT, cmd.Timeout, REFEREE, ballots.timeout, p.COUNTDOWN)
    on(p.COUNTDOWN, cmd.Reveal, REFEREE, ballots.reveal, p.REVEAL)
    on(p.REVEAL, cmd.Continue, REFEREE, ballots.go_on, p.TURN, p.TOPPLE)
    on(p.TOPPLE, cmd.ChooseEnd, SEAT, ballots.choose_end)

    on(p.TOPPLE, cmd.Report, (SEAT, HOST, CAMERA), judging.report, p.JUDGE, p.ROUND_END)
    on(p.JUDGE, cmd.Confirm, SEAT, judging.confirm, p.JUDGE, p.ROUND_END)
    on(p.JUDGE, cmd.Object, SEAT, judging.object_)
    on(p.JUDGE, cmd.Stand, REFEREE, judging.stand, p.ROUND_END)
    on(p.JUDGE, cmd.Dispute, SEAT, judging.dispute)
    on(p.JUDGE, cmd.TableVote, SEAT, judging.table_vote, p.JUDGE, p.ROUND_END)
    on(p.ROUND_END, cmd.NextRound, REFEREE, judging.next_round, p.TURN, p.GAME_OVER)
    on(p.GAME_OVER, cmd.Rematch, HOST, judging.rematch, p.LOBBY)

    upright = (p.TURN, p.BALLOT, p.COUNTDOWN, p.REVEAL, p.TOPPLE)
    on(upright, cmd.ClaimAccident, SEAT, accidents.claim_accident, p.ACCIDENT)
    on(p.TOPPLE, cmd.WrongEnd, SEAT, accidents.wrong_end, p.ACCIDENT)
    either = (SEAT, HOST)
    confirm, reject = accidents.confirm_accident, accidents.reject_accident
    on(p.ACCIDENT, cmd.ConfirmAccident, either, confirm, p.TURN, p.ROUND_END)
    on(p.ACCIDENT, cmd.RejectAccident, either, reject, p.ACCIDENT, *upright)
    on(p.ACCIDENT, cmd.WithdrawAccident, SEAT, accidents.withdraw_accident, *upright)
    for phase in (p.TURN, p.BALLOT, p.COUNTDOWN, p.REVEAL, p.TOPPLE, p.ROUND_END):
        on(phase, cmd.TakeBackAccident, HOST, accidents.take_back_accident, phase)
    on(IN_ROUND, cmd.VoidRound, HOST, accidents.void_round, p.TURN)
    on(p.TURN, cmd.SkipTurn, (HOST, REFEREE), accidents.skip_turn)
    on(p.BALLOT, cmd.SkipBallot, (HOST, REFEREE), accidents.skip_ballot, p.BALLOT, p.COUNTDOWN)
    correct = judging.correct_verdict
    for phase in (*upright, p.ACCIDENT):
        on(phase, cmd.CorrectVerdict, HOST, correct, phase, p.TURN, p.GAME_OVER)
    on(p.ROUND_END, cmd.CorrectVerdict, HOST, correct)
    on(p.GAME_OVER, cmd.CorrectVerdict, HOST, correct, p.ROUND_END, p.GAME_OVER)

    anyone = (SEAT, HOST, REFEREE)
    for phase in IN_ROUND:
        on(phase, cmd.Leave, anyone, accidents.leave, phase, p.GAME_OVER)
    on(p.BALLOT, cmd.Leave, anyone, accidents.leave, p.BALLOT, p.COUNTDOWN, p.TURN, p.GAME_OVER)
    on(p.COUNTDOWN, cmd.Leave, anyone, accidents.leave, p.COUNTDOWN, p.TURN, p.GAME_OVER)
    on(p.JUDGE, cmd.Leave, anyone, accidents.leave, p.JUDGE, p.ROUND_END, p.GAME_OVER)
    return table


TABLE = _table()


def decide(game: Game, actor: str, command: cmd.Command) -> tuple[Event, ...]:
    """Say what happens if this actor does this now.

    Args:
        game: the game as it stands.
        actor: a seat, or HOST, REFEREE or CAMERA.
        command: what the actor asks for.

    Returns:
        The events, in order; none where the command is absorbed.

    Raises:
        Refused: the phase, the actor or the rules do not allow it; nothing has changed.

    >>> decide(Game(), HOST, cmd.Start(("ana", "bo"), first="bo"))[1]
    RoundDealt(round=1, first='bo', playing=('ana', 'bo'))
    """
    reason = refusal(game, actor, command)
    if reason is not None:
        raise Refused(reason, game.phase if reason is Reason.WRONG_PHASE else None)
    if is_absorbed(game, command):
        return ()
    return TABLE[game.phase, type(command)].decider(game, actor, command)


def may(game: Game, actor: str, command: cmd.Command) -> bool:
    """Whether something happens if this actor does this now."""
    return refusal(game, actor, command) is None and not is_absorbed(game, command)


def is_absorbed(game: Game, command: cmd.Command) -> bool:
    """Whether a command is a call that comes after the first: nothing follows (ruling A6)."""
    return isinstance(command, cmd.Call) and game.phase is not Phase.TURN


def refusal(game: Game, actor: str, command: cmd.Command) -> Reason | None:
    """Why this actor may not do this now, None where it may."""
    transition = TABLE.get((game.phase, type(command)))
    if transition is None:
        return Reason.WRONG_PHASE
    role = actor if actor in (HOST, REFEREE, CAMERA) else SEAT
    if role not in transition.actors:
        return Reason.NOT_FOR_YOU
    if role == SEAT and actor not in game.playing and not isinstance(command, cmd.Leave):
        return Reason.NOT_PLAYING
    condition = _CONDITIONS.get(type(command))
    return None if condition is None else condition(game, actor, command)


def _start(game: Game, actor: str, command: cmd.Start) -> Reason | None:
    seats, first = command.seats, command.first
    if not FEWEST_PLAYERS <= len(seats) <= MOST_PLAYERS:
        return Reason.PLAYER_COUNT
    if len({*seats, HOST, REFEREE, CAMERA, ""}) != len(seats) + 4:
        return Reason.SEAT_NAMES
    if first is None:
        return Reason.NO_FIRST if command.draw is None else None
    if game.options.first_player == "random":
        return Reason.FIRST_BY_CHANCE
    return None if first in seats else Reason.NO_FIRST


def _place(game: Game, actor: str, command: cmd.Place) -> Reason | None:
    if actor != game.active:
        return Reason.NOT_YOUR_TURN
    if not game.supply:
        return Reason.SUPPLY_EMPTY
    if command.value not in game.supply:
        return Reason.NO_SUCH_TILE
    if not 0 <= command.position <= len(game.row):
        return Reason.NO_SUCH_POSITION
    return _call_window(game, command.at_s)


def _move(game: Game, actor: str, command: cmd.Move) -> Reason | None:
    if actor != game.active:
        return Reason.NOT_YOUR_TURN
    if game.supply:
        return Reason.SUPPLY_LEFT
    if not 0 <= command.index < len(game.row):
        return Reason.NO_SUCH_POSITION
    if command.index in (0, len(game.row) - 1):
        return Reason.END_TILE
    return _call_window(game, command.at_s)


def _call_window(game: Game, at_s: float) -> Reason | None:
    """No tile is placed while the window for calls is open (ruling A5)."""
    placed_at_s, window_s = game.placed_at_s, game.options.call_window
    is_open = placed_at_s is not None and 0 <= at_s - placed_at_s < window_s
    return Reason.CALL_WINDOW if is_open else None


def _take_back(game: Game, actor: str, command: cmd.TakeBack) -> Reason | None:
    if game.options.illegal == "stands":
        return Reason.ROW_STANDS
    if game.placement is None:
        return Reason.NOTHING_TO_TAKE_BACK
    if actor != game.placer:
        return Reason.NOT_PLACER
    gap = command.fault is PlacementFault.GAP
    return Reason.GAP_IS_FREE if gap and game.options.max_gap == "free" else None


def _fix_row(game: Game, actor: str, command: cmd.FixRow) -> Reason | None:
    """The placer's to ask; where the placer has left before the push, the toppler's."""
    if actor != (game.placer or game.toppler):
        return Reason.NOT_PLACER
    return None if sorted(command.order) == sorted(game.row) else Reason.BAD_ORDER


def _consent_row(game: Game, actor: str, command: cmd.ConsentRow) -> Reason | None:
    """Any player's but theirs who asks."""
    if game.row_fix is None:
        return Reason.NO_ROW_FIX
    return Reason.NOT_FOR_YOU if actor == game.row_fix.seat else None


def _decline_row(game: Game, actor: str, command: cmd.DeclineRow) -> Reason | None:
    return Reason.NO_ROW_FIX if game.row_fix is None else None


def _lone_tile_fell(game: Game, actor: str, command: cmd.LoneTileFell) -> Reason | None:
    return Reason.NOT_LONE if len(game.row) > 1 else None


def _call(game: Game, actor: str, command: cmd.Call) -> Reason | None:
    if actor == game.placer:
        return Reason.PLACER
    if is_absorbed(game, command):
        return None
    if game.placer is None:
        return Reason.NO_PLACER
    return Reason.ESTIMATED if game.estimated else None


def _vote(game: Game, actor: str, command: cmd.Vote) -> Reason | None:
    """A ballot may be forced to one side."""
    if actor in game.forced and game.ballots[actor] is not command.side:
        placer = game.ballots[actor] is Side.SUCCESS
        return Reason.PLACER_IS_BOUND if placer else Reason.CALLER_IS_BOUND
    return Reason.BALLOT_LOCKED if actor in game.locked else None


def _lock_ballot(game: Game, actor: str, command: cmd.LockBallot) -> Reason | None:
    if actor not in game.ballots:
        return Reason.NO_BALLOT
    return Reason.BALLOT_LOCKED if actor in game.locked else None


def _close(game: Game, actor: str, command: cmd.CloseBallots) -> Reason | None:
    return None if ballots.all_in(game) else Reason.BALLOT_TIME


def _timeout(game: Game, actor: str, command: cmd.Timeout) -> Reason | None:
    limit_s = game.options.ballot_timeout
    if not limit_s:
        return Reason.NO_TIMEOUT
    early = game.called_at_s is None or command.at_s - game.called_at_s < limit_s
    return Reason.BALLOT_TIME if early else None


def _choose_end(game: Game, actor: str, command: cmd.ChooseEnd) -> Reason | None:
    if actor != game.toppler:
        return Reason.NOT_TOPPLER
    return None if lower_end(game.row) is None else Reason.END_IS_GIVEN


def _report(game: Game, actor: str, command: cmd.Report) -> Reason | None:
    """Who may depends on who is judge at this table (ruling A9)."""
    if game.end is None:
        return Reason.END_NOT_CHOSEN
    judge = game.options.judge
    if judge == "host" and actor != HOST:
        return Reason.HOST_IS_JUDGE
    people_alone = judge == "people" and actor in (CAMERA, HOST)
    return Reason.PEOPLE_ARE_JUDGE if people_alone else None


def _confirm(game: Game, actor: str, command: cmd.Confirm) -> Reason | None:
    if game.step is Step.SHOWN:
        return Reason.ALREADY_AGREED if actor in game.agreed else None
    return _of_other_side(game, actor, command)


def _of_other_side(game: Game, actor: str, command: cmd.Command) -> Reason | None:
    """A seat's claim waits for an answer of those who voted the other way."""
    if game.step is not Step.CONFIRM or game.claim is None:
        return Reason.WRONG_STEP
    return None if actor in judges(game, game.claim.by) else Reason.NOT_OTHER_SIDE


def _at(step: Step) -> Condition:
    """The condition of a command that belongs to one step of the verdict."""
    return lambda game, actor, command: None if game.step is step else Reason.WRONG_STEP


def _correct_verdict(game: Game, actor: str, command: cmd.CorrectVerdict) -> Reason | None:
    return None if game.history else Reason.NO_VERDICT


def _claim_accident(game: Game, actor: str, command: cmd.ClaimAccident) -> Reason | None:
    if len(game.row) < 2:
        return Reason.LONE_TILE
    whole_row = game.options.accident == "whole_row"
    if command.extent in ((Extent.PLACED, Extent.SOME) if whole_row else (Extent.PLACED,)):
        return Reason.ACCIDENT_TOO_SMALL
    culprit = command.culprit
    if culprit is not None and culprit not in game.playing:
        return Reason.NOT_PLAYING
    pushing = game.phase is Phase.TOPPLE and culprit == game.toppler
    return Reason.TOPPLER_IS_PUSHING if pushing else None


def _wrong_end(game: Game, actor: str, command: cmd.WrongEnd) -> Reason | None:
    return Reason.END_NOT_CHOSEN if game.end is None else None


def _confirm_accident(game: Game, actor: str, command: cmd.ConfirmAccident) -> Reason | None:
    """The culprit's, any third player's, or the host's."""
    accident = game.accident
    assert accident is not None
    return Reason.NOT_FOR_YOU if actor == accident.by != accident.culprit else None


def _reject_accident(game: Game, actor: str, command: cmd.RejectAccident) -> Reason | None:
    """The culprit's first, then the host's; without a culprit the host's alone."""
    accident = game.accident
    assert accident is not None
    if actor == HOST:
        asked_first = accident.culprit in game.playing and not accident.denied
        return Reason.ACCIDENT_ORDER if asked_first else None
    if actor != accident.culprit:
        return Reason.NOT_CULPRIT
    return Reason.ALREADY_AGREED if accident.denied else None


def _withdraw_accident(game: Game, actor: str, command: cmd.WithdrawAccident) -> Reason | None:
    accident = game.accident
    assert accident is not None
    return None if actor == accident.by else Reason.NOT_CLAIMANT


def _take_back_accident(game: Game, actor: str, command: cmd.TakeBackAccident) -> Reason | None:
    return Reason.NO_ACCIDENT if game.accident_paid is None else None


def _skip_ballot(game: Game, actor: str, command: cmd.SkipBallot) -> Reason | None:
    if command.seat not in game.playing:
        return Reason.NOT_PLAYING
    return Reason.BALLOT_LOCKED if command.seat in game.ballots else None


def _leave(game: Game, actor: str, command: cmd.Leave) -> Reason | None:
    if actor not in (command.seat, HOST, REFEREE):
        return Reason.NOT_FOR_YOU
    return None if command.seat in game.chips else Reason.NOT_PLAYING


_CONDITIONS: dict[type[cmd.Command], Condition] = {
    cmd.Start: _start,
    cmd.Place: _place,
    cmd.Move: _move,
    cmd.TakeBack: _take_back,
    cmd.FixRow: _fix_row,
    cmd.ConsentRow: _consent_row,
    cmd.DeclineRow: _decline_row,
    cmd.LoneTileFell: _lone_tile_fell,
    cmd.Call: _call,
    cmd.Vote: _vote,
    cmd.LockBallot: _lock_ballot,
    cmd.CloseBallots: _close,
    cmd.Timeout: _timeout,
    cmd.ChooseEnd: _choose_end,
    cmd.Report: _report,
    cmd.Confirm: _confirm,
    cmd.Object: _at(Step.SHOWN),
    cmd.Stand: _at(Step.SHOWN),
    cmd.Dispute: _of_other_side,
    cmd.TableVote: _at(Step.VOTE),
    cmd.CorrectVerdict: _correct_verdict,
    cmd.ClaimAccident: _claim_accident,
    cmd.WrongEnd: _wrong_end,
    cmd.ConfirmAccident: _confirm_accident,
    cmd.RejectAccident: _reject_accident,
    cmd.WithdrawAccident: _withdraw_accident,
    cmd.TakeBackAccident: _take_back_accident,
    cmd.SkipBallot: _skip_ballot,
    cmd.Leave: _leave,
}
"""What else has to be so for a command; for those that are missing here phase and actor are all."""
