"""What happened, one line an event, in words."""

from collections.abc import Callable, Mapping
from typing import Any

from rig.games.estimation import events as ev
from rig.games.estimation.table.estimation_table import EstimationTable
from rig.games.estimation.terms import CAMERA, HOST, Mishap, Side
from rig.games.interface import Data
from rig.row.push_events import FallPhotographed, OutcomeSeen, PushEnded, PushRequested
from rig.row.row_table import RowRead
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

_SENTENCES: Mapping[type, str | Callable[[Any], str]] = {
    ev.GameStarted: "The game begins: {seats}.",
    ev.RoundDealt: "Round {round}: the 6 stands alone, {first} begins.",
    ev.TilePlaced: "{seat} stands the {value} {position}.",
    ev.TileMoved: "{seat} moves the {value} to the {end} end.",
    ev.PlacementTakenBack: "{seat} takes the last tile back: it stood against the rules.",
    ev.RowFixProposed: "{seat} says that the row is {order}.",
    ev.RowFixDeclined: "{seat} says that the row was right.",
    ev.RowFixed: "{seat} agrees: the row is {order}.",
    ev.TurnSkipped: "{seat} is passed over.",
    ev.LoneTileStoodUp: "The lone tile fell over and stands again.",
    ev.DominoCalled: "{caller} calls “Domino!”",
    ev.BallotCast: "{seat} chooses.",
    ev.BallotLocked: "{seat} locks the ballot.",
    ev.BallotTimedOut: "{seat} did not vote in time: Success.",
    ev.BallotsLocked: "All ballots are locked.",
    ev.BallotsRevealed: "Ballots: {ballots}.",
    ev.EstimationPassed: "Nobody doubts it: nothing is pushed.",
    ev.EstimationCancelled: "The ballots are thrown away unseen.",
    ev.PushOrdered: lambda e: "{toppler} has to push" + (" at the {end} end." if e.end else "."),
    ev.TopplerReplaced: "{toppler} pushes instead.",
    ev.EndChosen: "The {end} end is chosen.",
    ev.OutcomeClaimed: "{By} says: it {outcome}.",
    ev.OutcomeAgreed: "{seat} agrees.",
    ev.OutcomeObjected: "{seat} objects.",
    ev.OutcomeDisputed: "{seat} says no: the whole table votes.",
    ev.TableVoteCast: "{seat} votes that it {outcome}.",
    ev.OutcomeJudged: "It {outcome}. {won}",
    ev.VerdictCorrected: "Put right: it {outcome}. {won}",
    ev.AccidentClaimed: lambda e: (
        "An accident? {Culprit} "
        + ("pushed the wrong end." if e.kind is Mishap.WRONG_END else "knocked the row over.")
    ),
    ev.AccidentDenied: "{seat} says no.",
    ev.AccidentRejected: "It was no accident: the game goes on.",
    ev.AccidentWithdrawn: "{seat} takes it back: the game goes on.",
    ev.AccidentTakenBack: lambda e: (
        "The accident is taken back" + (f" ({e.why})" if e.why else "") + ". {returned}"
    ),
    ev.AccidentConfirmed: "It was an accident. {won}",
    ev.RoundVoided: lambda e: "The round is void ({why})." if e.why else "The round is void.",
    ev.SeatLeft: "{seat} leaves the game.",
    ev.GameEnded: "The game is over: {winners} won.",
    ev.LobbyReopened: "Back to the lobby.",
    Seated: "{name} sits down.",
    Renamed: "{seat} is called {name} from now on.",
    Readied: lambda e: "{seat} is ready." if e.on else "{seat} is not ready.",
    SeatMoved: "{seat} changes places.",
    RowRead: lambda e: (
        "{by} says that the row is right as it stands, and {nod} agrees." if e.by else ""
    ),
    SeatEmptied: "{seat} gets up.",
    HostHanded: "{seat} is the host now.",
    Paused: lambda e: "{by} pauses the game." if e.by else "The game goes on.",
    PushRequested: "The push starts at the {value}, the {end} end.",
    PushEnded: lambda e: "The push: {step} ({why})." if e.why else "The push: {step}.",
    OutcomeSeen: "The camera sees that it {seen}.",
    FallPhotographed: lambda e: (
        "A photo shows that it {seen}." if e.seen.outcome else "A photo does not show what fell."
    ),
    DevicesChanged: lambda e: (
        ("The camera reads the row, " if e.devices.sees else "Rows are entered by hand, ")
        + ("the pusher pushes." if e.devices.pushes else "a finger pushes.")
    ),
    Stopped: lambda e: "STOP, by {by}!" if e.by else "The pusher is free again.",
    Undone: "Undone: the last step ({what}).",
    Ruled: lambda e: "{By} rules ({kind}): {why}." if e.why else "{By} rules ({kind}).",
    OptionsChosen: "The options of the rules are changed.",
}
"""A sentence for every event that a player would speak of, or what chooses between two."""

_PEOPLE = ("seat", "first", "caller", "toppler", "by", "nod", "culprit")


def sentence(table: EstimationTable, event: Data) -> str:
    """Tell an event in a sentence.

    Args:
        table: the table before it.
        event: what happened.

    Returns:
        The sentence, "" for what no player would speak of.
    """
    said = _SENTENCES.get(type(event), "")
    return (said if isinstance(said, str) else said(event)).format_map(_Words(table, event))


class _Words(dict[str, str]):
    """The fields of an event as people say them; with a capital where they begin a sentence."""

    def __init__(self, table: EstimationTable, event: Data) -> None:
        super().__init__()
        self._table, self._event = table, event
        self._names = {p.seat: p.name for p in table.players}

    def __missing__(self, field: str) -> str:
        if field[0].isupper():
            return self[field.lower()].capitalize()
        value = getattr(self._event, field)
        match field:
            case "seats" | "winners":
                return _listed([self._name(seat) for seat in value])
            case "order":
                return " ".join(map(str, value))
            case "position":
                return _where(self._table.game.row, value)
            case "ballots":
                votes = {Side.SUCCESS: "Success", Side.FAILURE: "Failure"}
                return ", ".join(
                    f"{self._name(seat)} {votes[side]}" for seat, side in value.items()
                )
            case "seen":
                up = _listed([str(tile) for tile in value.up])
                return f"{value.outcome}; up: {up}" if up else str(value.outcome)
            case "won":
                paid = ", ".join(f"{self._name(seat)} {n}" for seat, n in value.items() if n)
                return f"Chips: {paid}." if paid else "No chips."
            case "returned":
                back = ", ".join(f"{self._name(seat)} {n}" for seat, n in value.items() if n)
                return f"Chips given back: {back}." if back else "No chips."
        return self._name(value) if field in _PEOPLE else str(value)

    def _name(self, seat: str | None) -> str:
        if seat in (CAMERA, HOST):
            return f"the {seat}"
        return self._names.get(seat or "", seat or "nobody")


def _where(row: tuple[int, ...], position: int) -> str:
    if position <= 0:
        return "at the left end"
    if position >= len(row):
        return "at the right end"
    return f"between {row[position - 1]} and {row[position]}"


def _listed(words: list[str]) -> str:
    return " and ".join(filter(None, (", ".join(words[:-1]), *words[-1:])))
