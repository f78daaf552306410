"""What happened, event by event: which sentence tells it, and with which facts."""

from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from rig.games.estimation import events as ev
from rig.games.estimation.table.estimation_table import EstimationTable
from rig.games.estimation.terms import CAMERA, HOST, REFEREE
from rig.games.interface import Data
from rig.games.phrase import NOTHING, Fact, Phrase, listed
from rig.row.push_events import FallPhotographed, OutcomeSeen, PushEnded, PushRequested
from rig.row.row_table import RowRead
from rig.session.devices import DevicesChanged
from rig.session.events import Paused, Readied, Ruled, Stopped, Undone

_BEGUN_BY = (ev.OutcomeClaimed, ev.AccidentClaimed, Ruled)
"""Whose sentences begin with whoever did it."""


def sentence(table: EstimationTable, event: Data) -> Phrase:
    """Tell an event.

    Args:
        table: the table before it.
        event: what happened.

    Returns:
        The sentence; those that no player would speak of have no text in the catalogues.
    """
    how = _how(table, event)
    if how is None:
        return NOTHING
    key = f"told.{type(event).__name__}"
    return Phrase(f"{key}.{how}" if how else key, _facts(table, event))


def _how(table: EstimationTable, event: Data) -> str | None:
    """Which of several sentences tells it; "" if it has one alone, None if nobody speaks of it."""
    match event:
        case ev.TilePlaced(position=position):
            last = len(table.game.row)
            return "left" if position <= 0 else "right" if position >= last else "between"
        case ev.TileMoved() | ev.PushOrdered() | ev.EndChosen() | PushRequested():
            return event.end or ""
        case ev.AccidentClaimed(culprit=culprit, kind=kind):
            return kind if culprit else "nobody"
        case ev.AccidentTakenBack() | ev.RoundVoided() | PushEnded() | Ruled():
            return "why" if event.why else ""
        case OutcomeSeen(seen) | FallPhotographed(seen):
            return ("up" if seen.up else "") if seen.outcome else "unclear"
        case RowRead(by=by):
            return "" if by else None
        case Readied(on=on):
            return "" if on else "not"
        case Paused(None) | Stopped(None):
            return "over"
        case DevicesChanged(devices):
            eyes = "camera" if devices.sees else "hands"
            return f"{eyes}.{'pusher' if devices.pushes else 'finger'}"
    return ""


def _facts(table: EstimationTable, event: Data) -> dict[str, Fact]:
    """The fields of an event, with names in place of seats."""
    names = {player.seat: player.name for player in table.players}
    of: dict[str, Fact] = {}
    for field in fields(event):
        told = _fact(event, field.name, getattr(event, field.name), names)
        if told is not None:
            of[field.name] = told
    match event:
        case ev.TilePlaced(position=position) if 0 < position < len(table.game.row):
            of |= {"one": table.game.row[position - 1], "other": table.game.row[position]}
        case ev.GameEnded(winners=winners):
            of["count"] = len(winners)
        case OutcomeSeen(seen) | FallPhotographed(seen):
            up = listed([*map(str, seen.up)])
            of |= {"outcome": outcome_phrase(seen.outcome), "up": up, "count": len(seen.up)}
    return of


def _fact(event: Data, name: str, value: Any, names: Mapping[str, str]) -> Fact | None:
    match name:
        case "seat" | "first" | "caller" | "toppler" | "by" | "nod" | "culprit":
            return _who(value, names, isinstance(event, _BEGUN_BY))
        case "seats" | "winners":
            return listed([names.get(seat, seat) for seat in value])
        case "order":
            return " ".join(map(str, value))
        case "ballots":
            return [
                Phrase(f"told.ballot.{side}", {"name": names.get(seat, seat)})
                for seat, side in value.items()
            ]
        case "won" | "returned":
            chips = [f"{names.get(seat, seat)} {n}" for seat, n in value.items() if n]
            return Phrase(f"told.{name}", {"chips": chips}) if chips else Phrase("told.won.none")
        case "outcome":
            return outcome_phrase(value)
        case "step":
            return Phrase(f"told.step.{value}", otherwise=value)
        case "what" if isinstance(event, Undone):
            return Phrase(f"told.undone.{value}", otherwise=value)
        case "kind" if isinstance(event, Ruled):
            return Phrase(f"told.ruling.{value}", otherwise=value)
        case "why" if isinstance(event, PushEnded):
            return Phrase(f"told.cause.{event.cause}", otherwise=value, logged=True)
        case "why":
            return Phrase(f"table.reason.{value}", otherwise=value, logged=True)
    return value if isinstance(value, str | int) else None


def outcome_phrase(outcome: str) -> Phrase:
    """What became of a row."""
    return Phrase(f"told.outcome.{outcome}", otherwise=outcome)


def _who(seat: str | None, names: Mapping[str, str], begins: bool) -> Fact:
    """Who sits there, with a capital where a sentence begins."""
    if not seat or seat in (CAMERA, HOST, REFEREE):
        return Phrase(f"told.{'by_first' if begins else 'by'}.{seat or 'nobody'}")
    name = names.get(seat, seat)
    return name[:1].upper() + name[1:] if begins else name
