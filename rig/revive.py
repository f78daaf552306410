"""The events of a game file as the table knows them, with words put in for what is not told.

A side that was never shown, or not yet, stands as Success, which nobody sees: views show a side
only after `BallotsRevealed`, and that brings its own. A phone has a name that is no phone's.
"""

import typing
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields
from typing import Any

from rig.attempt import PushBegun
from rig.gamefile import WITHHELD, GameFile
from rig.games.estimation import codec
from rig.games.estimation import events as ev
from rig.games.estimation.words import Side
from rig.games.plain import NotPlain
from rig.journal import Record
from rig.table import Event, Player, Table, from_record

_KINDS: dict[str, type] = {kind.__name__: kind for kind in typing.get_args(Event)}
_PUT_IN: dict[str, Any] = {"side": Side.SUCCESS.value, "salts": {}}


def revived(record: Record) -> Event | None:
    """The event of one record of a file; None if it is withheld.

    Raises:
        NotPlain: there is no such event, or it has another shape.
        BadOption: an option has a value it cannot have.
    """
    if record.type == WITHHELD:
        if record.public:
            raise NotPlain("an event that is withheld says nothing")
        return None
    kind = _KINDS.get(record.type)
    if kind is None:
        raise NotPlain(f"event type {record.type[:40]!r} is not known")
    hidden = codec.secret(kind)
    told = hidden & record.public.keys()
    if told:
        raise NotPlain(f"{record.type} tells what is secret: {', '.join(sorted(told))}")
    secret = {f.name: _word(f.name, record.public) for f in fields(kind) if f.name in hidden}
    return from_record(Record(record.at, record.actor, record.type, record.public, secret))


def _word(name: str, public: Mapping[str, Any]) -> Any:
    if name in _PUT_IN:
        return _PUT_IN[name]
    return f"phone of {public.get('seat', 'somebody')}" if name == "device" else ""


def opening(file: GameFile) -> Table:
    """The table before the first event of a file."""
    players = tuple(
        Player(p.seat, p.name, p.mark, None if p.bot else f"phone of {p.seat}", p.bot, ready=True)
        for p in file.players
    )
    host = next((p.seat for p in players if p.device is not None), None)
    return Table(players=players, host=host)


def with_ballots(events: Sequence[Event | None]) -> list[Event | None]:
    """The same events with the sides and salts put in that were shown later.

    Only the last choice of a seat is ever shown; what it was changed from stays unknown, and stands
    as the same.
    """
    told: list[Event | None] = []
    shown: ev.BallotsRevealed | None = None
    for event in reversed(events):
        match event:
            case ev.BallotsRevealed():
                shown = event
            case ev.BallotCast(seat) if shown is not None:
                event = ev.BallotCast(seat, shown.ballots.get(seat, Side.SUCCESS))
            case ev.DominoCalled(caller, forced, at_s):
                if shown is not None:
                    event = ev.DominoCalled(caller, forced, at_s, shown.salts)
                shown = None
            case _:
                pass
        told.append(event)
    return told[::-1]


def pictures_named(events: Sequence[Event | None]) -> Iterator[int]:
    """The numbers of the evidence pictures that these events speak of."""
    for event in events:
        seen = getattr(event, "seen", None)
        if seen is not None and seen.picture is not None:
            yield seen.picture
        if isinstance(event, PushBegun) and event.picture is not None:
            yield event.picture
