"""Whether events follow from the rules: somebody could have asked for them, and for no others."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from rig.games.estimation import commands as cmd
from rig.games.estimation import events as ev
from rig.games.estimation.decide import decide
from rig.games.estimation.game import Game
from rig.games.estimation.words import CAMERA, HOST, REFEREE, Mishap, Refused

Move = tuple[str, cmd.Command]


def explained(game: Game, events: Sequence[ev.Event]) -> int:
    """How many of the events at the head of `events` one command brings about in this game.

    Args:
        game: the game before them.
        events: what happened, the ballots' sides and salts filled in where they are known.

    Returns:
        Their number, 0 if no command of anybody does.
    """
    if isinstance(events[0], ev.GameStarted):
        game = replace(game, options=events[0].options)
    for actor, command in _moves(game, events):
        try:
            follow = decide(game, actor, command)
        except Refused:
            continue
        if follow and len(follow) <= len(events) and all(map(_same, follow, events)):
            return len(follow)
    return 0


def _same(due: ev.Event, event: ev.Event) -> bool:
    """Whether this is the event that is due; seals are looked at where their salts are shown."""
    if isinstance(due, ev.BallotsLocked) and isinstance(event, ev.BallotsLocked):
        return True
    return due == event


def _moves(game: Game, events: Sequence[ev.Event]) -> Iterator[Move]:
    """The commands that might lead to these events; what decides is which of them does."""
    everybody = (*game.seats, HOST, REFEREE, CAMERA)
    match events[0]:
        case ev.GameStarted(seats, _, name):
            for first in seats:
                yield HOST, cmd.Start(seats, first, None, name)
                yield HOST, cmd.Start(seats, None, seats.index(first), name)
        case ev.TilePlaced(seat, value, position, at_s):
            yield seat, cmd.Place(value, position, at_s)
        case ev.TileMoved(seat, _, index, end, at_s):
            yield seat, cmd.Move(index, end, at_s)
        case ev.PlacementTakenBack(seat):
            yield seat, cmd.TakeBack()
        case ev.RowFixProposed(seat, order):
            yield seat, cmd.FixRow(order)
        case ev.RowFixDeclined(seat):
            yield seat, cmd.DeclineRow()
        case ev.RowFixed(seat):
            yield seat, cmd.ConsentRow()
        case ev.TurnSkipped():
            yield HOST, cmd.SkipTurn()
        case ev.DominoCalled(caller, _, at_s, salts):
            yield caller, cmd.Call(at_s, salts)
        case ev.BallotCast(seat, side):
            yield seat, cmd.Vote(side)
        case ev.BallotLocked(seat):
            yield seat, cmd.LockBallot()
        case ev.BallotTimedOut(seat):
            yield HOST, cmd.SkipBallot(seat)
            late_s = (game.called_at_s or 0.0) + game.options.ballot_timeout
            yield REFEREE, cmd.Timeout(late_s + 1.0)
        case ev.BallotsRevealed():
            yield REFEREE, cmd.Reveal()
        case ev.EstimationPassed() | ev.PushOrdered():
            yield REFEREE, cmd.Continue()
        case ev.EndChosen(end):
            yield game.toppler or "", cmd.ChooseEnd(end)
        case _:
            yield from _after_the_push(events[0], everybody)


def _after_the_push(event: ev.Event, everybody: Sequence[str]) -> Iterator[Move]:
    match event:
        case ev.OutcomeClaimed(by, outcome):
            yield by, cmd.Report(outcome)
        case ev.OutcomeAgreed(seat):
            yield seat, cmd.Confirm()
        case ev.OutcomeObjected(seat):
            yield seat, cmd.Object()
        case ev.OutcomeDisputed(seat):
            yield seat, cmd.Dispute()
        case ev.TableVoteCast(seat, outcome):
            yield seat, cmd.TableVote(outcome)
        case ev.OutcomeJudged():
            yield REFEREE, cmd.Stand()
            for actor in everybody:
                yield actor, cmd.Confirm()
                yield actor, cmd.ConfirmAccident()
        case ev.VerdictCorrected(_, _, _, why):
            yield HOST, cmd.CorrectVerdict(why)
        case ev.RoundDealt() | ev.GameEnded():
            yield REFEREE, cmd.NextRound()
        case ev.AccidentClaimed(by, culprit, kind):
            yield by, cmd.WrongEnd() if kind is Mishap.WRONG_END else cmd.ClaimAccident(culprit)
        case ev.AccidentDenied(seat):
            yield seat, cmd.RejectAccident()
        case ev.AccidentRejected():
            yield HOST, cmd.RejectAccident()
        case ev.AccidentConfirmed():
            for actor in everybody:
                yield actor, cmd.ConfirmAccident()
        case ev.LoneTileStoodUp(by):
            yield by, cmd.LoneTileFell()
        case ev.RoundVoided(why):
            yield HOST, cmd.VoidRound(why)
        case ev.SeatLeft(seat):
            yield seat, cmd.Leave(seat)
        case ev.LobbyReopened():
            yield HOST, cmd.Rematch()
