"""What happened, one line an event, in words."""

from collections.abc import Callable, Mapping

from rig.games.estimation import events as ev
from rig.games.estimation.terms import CAMERA, HOST, End, Mishap, Side
from rig.games.interface import Data
from rig.row.push_events import OutcomeSeen, PushEnded, PushRequested
from rig.row.row_table import RowRead, RowTable
from rig.session.devices import DevicesChanged
from rig.session.events import (
    HostHanded,
    OptionsChosen,
    Paused,
    Readied,
    Renamed,
    Ruled,
    Seated,
    SeatEmptied,
    SeatMoved,
    Stopped,
    Undone,
)

_VOTES = {Side.SUCCESS: "Success", Side.FAILURE: "Failure"}


def sentence(table: RowTable, event: Data) -> str:
    """Tell an event in a sentence.

    Args:
        table: the table before it.
        event: what happened.

    Returns:
        The sentence, "" for what no player would speak of.
    """
    names = {p.seat: p.name for p in table.players}

    def name(seat: str | None) -> str:
        if seat in (CAMERA, HOST):
            return f"the {seat}"
        return names.get(seat or "", seat or "nobody")

    if isinstance(event, ev.Event):
        return _in_the_game(table, event, name) or _after_the_call(event, name)
    return _at_the_table(event, name)


def _in_the_game(table: RowTable, event: ev.Event, name: Callable[[str | None], str]) -> str:
    match event:
        case ev.GameStarted(seats):
            return f"The game begins: {_listed([name(seat) for seat in seats])}."
        case ev.RoundDealt(number, first):
            return f"Round {number}: the 6 stands alone, {name(first)} begins."
        case ev.TilePlaced(seat, value, position):
            return f"{name(seat)} stands the {value} {_where(table.game.row, position)}."
        case ev.TileMoved(seat, value, _, end):
            return f"{name(seat)} moves the {value} to the {end.value} end."
        case ev.PlacementTakenBack(seat):
            return f"{name(seat)} takes the last tile back: it stood against the rules."
        case ev.RowFixProposed(seat, order):
            return f"{name(seat)} says that the row is {_row(order)}."
        case ev.RowFixDeclined(seat):
            return f"{name(seat)} says that the row was right."
        case ev.RowFixed(seat, order):
            return f"{name(seat)} agrees: the row is {_row(order)}."
        case ev.TurnSkipped(seat):
            return f"{name(seat)} is passed over."
        case ev.LoneTileStoodUp():
            return "The lone tile fell over and stands again."
        case ev.DominoCalled(caller):
            return f"{name(caller)} calls “Domino!”"
        case ev.BallotCast(seat):
            return f"{name(seat)} chooses."
        case ev.BallotLocked(seat):
            return f"{name(seat)} locks the ballot."
        case ev.BallotTimedOut(seat):
            return f"{name(seat)} did not vote in time: Success."
        case ev.BallotsLocked():
            return "All ballots are locked."
        case ev.BallotsRevealed(ballots):
            votes = ", ".join(f"{name(seat)} {_VOTES[side]}" for seat, side in ballots.items())
            return f"Ballots: {votes}."
        case ev.EstimationPassed():
            return "Nobody doubts it: nothing is pushed."
        case ev.EstimationCancelled():
            return "The ballots are thrown away unseen."
    return ""


def _after_the_call(event: ev.Event, name: Callable[[str | None], str]) -> str:
    match event:
        case ev.PushOrdered(toppler, end):
            where = f" at the {end.value} end" if end else ""
            return f"{name(toppler)} has to push{where}."
        case ev.TopplerReplaced(toppler):
            return f"{name(toppler)} pushes instead."
        case ev.EndChosen(end):
            return f"The {'left' if end is End.LEFT else 'right'} end is chosen."
        case ev.OutcomeClaimed(by, outcome):
            return f"{name(by).capitalize()} says: it {outcome.value}."
        case ev.OutcomeAgreed(seat):
            return f"{name(seat)} agrees."
        case ev.OutcomeObjected(seat):
            return f"{name(seat)} objects."
        case ev.OutcomeDisputed(seat):
            return f"{name(seat)} says no: the whole table votes."
        case ev.TableVoteCast(seat, outcome):
            return f"{name(seat)} votes that it {outcome.value}."
        case ev.OutcomeJudged(outcome, won):
            return f"It {outcome.value}. {_paid(won, name)}"
        case ev.VerdictCorrected(outcome, won):
            return f"Put right: it {outcome.value}. {_paid(won, name)}"
        case ev.AccidentClaimed(_, culprit, kind):
            what = "pushed the wrong end" if kind is Mishap.WRONG_END else "knocked the row over"
            return f"An accident? {name(culprit).capitalize()} {what}."
        case ev.AccidentDenied(seat):
            return f"{name(seat)} says no."
        case ev.AccidentRejected():
            return "It was no accident: the game goes on."
        case ev.AccidentConfirmed(_, won):
            return f"It was an accident. {_paid(won, name)}"
        case ev.RoundVoided(why):
            return f"The round is void{f' ({why})' if why else ''}."
        case ev.SeatLeft(seat):
            return f"{name(seat)} leaves the game."
        case ev.GameEnded(_, winners):
            return f"The game is over: {_listed([name(seat) for seat in winners])} won."
        case ev.LobbyReopened():
            return "Back to the lobby."
    return ""


def _at_the_table(event: Data, name: Callable[[str | None], str]) -> str:
    match event:
        case Seated(_, who):
            return f"{who} sits down."
        case Renamed(seat, who):
            return f"{name(seat)} is called {who} from now on."
        case Readied(seat, on):
            return f"{name(seat)} is {'ready' if on else 'not ready'}."
        case SeatMoved(seat):
            return f"{name(seat)} changes places."
        case RowRead(_, _, str(by), nod):
            return f"{name(by)} says that the row is right as it stands, and {name(nod)} agrees."
        case SeatEmptied(seat):
            return f"{name(seat)} gets up."
        case HostHanded(seat):
            return f"{name(seat)} is the host now."
        case Paused(by):
            return f"{name(by)} pauses the game." if by else "The game goes on."
        case PushRequested(_, end, value):
            return f"The push starts at the {value}, the {end} end."
        case PushEnded(_, step, why):
            return f"The push: {step.value}{f' ({why})' if why else ''}."
        case OutcomeSeen(seen):
            up = f"; up: {_listed([str(v) for v in seen.up])}" if seen.up else ""
            return f"The camera sees that it {seen.outcome}{up}."
        case DevicesChanged(devices):
            sees = "The camera reads the row" if devices.sees else "Rows are entered by hand"
            pushes = "the pusher pushes" if devices.pushes else "a finger pushes"
            return f"{sees}, {pushes}."
        case Stopped(by):
            return f"STOP, by {name(by)}!" if by else "The pusher is free again."
        case Undone(what):
            return f"Undone: the last step ({what})."
        case Ruled(kind, by, why):
            return f"{name(by).capitalize()} rules ({kind}){f': {why}' if why else ''}."
        case OptionsChosen():
            return "The options of the rules are changed."
    return ""


def _where(row: tuple[int, ...], position: int) -> str:
    if position <= 0:
        return "at the left end"
    if position >= len(row):
        return "at the right end"
    return f"between {row[position - 1]} and {row[position]}"


def _paid(won: Mapping[str, int], name: Callable[[str | None], str]) -> str:
    paid = ", ".join(f"{name(seat)} {n}" for seat, n in won.items() if n)
    return f"Chips: {paid}." if paid else "No chips."


def _row(order: tuple[int, ...]) -> str:
    return " ".join(map(str, order))


def _listed(words: list[str]) -> str:
    return " and ".join(filter(None, (", ".join(words[:-1]), *words[-1:])))
