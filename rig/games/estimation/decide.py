"""decide(): what happens if this actor does this now, by one table of transitions."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

from rig.games.estimation import accidents, ballots, judging, turns
from rig.games.estimation import commands as cmd
from rig.games.estimation.events import Event
from rig.games.estimation.game import Game
from rig.games.estimation.terms import CAMERA, HOST, REFEREE, Phase, Reason, Refused

SEAT = "seat"

Decider: TypeAlias = Callable[[Game, str, Any], tuple[Event, ...]]


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
    transition = TABLE.get((game.phase, type(command)))
    if transition is None:
        raise Refused(Reason.WRONG_PHASE, game.phase)
    role = actor if actor in (HOST, REFEREE, CAMERA) else SEAT
    if role not in transition.actors:
        raise Refused(Reason.NOT_FOR_YOU)
    if role == SEAT and actor not in game.playing and not isinstance(command, cmd.Leave):
        raise Refused(Reason.NOT_PLAYING)
    return transition.decider(game, actor, command)
