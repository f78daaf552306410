"""The events of a game file as the table knows them, with words put in for what is not told.

A side that was never shown, or not yet, stands as Success, which nobody sees: views show a side
only after `BallotsRevealed`, and that brings its own. A phone is its number in the file; a file of
version 1 has none, and every seat there has a phone of its own.
"""

import typing
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields
from typing import Any

from rig.games.estimation import events as codec
from rig.games.estimation import events as ev
from rig.games.estimation.terms import Side
from rig.history.gamefile import OLDER, WITHHELD, GameFile, games, is_phone, linked, pictures_of
from rig.journal import Record
from rig.serialise import NotPlain
from rig.session.state import Event, Player, Start, Table, apply, from_record

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
    told = hidden & {name for name, value in record.public.items() if not _is_number(name, value)}
    if told:
        raise NotPlain(f"{record.type} tells what is secret: {', '.join(sorted(told))}")
    names = [f.name for f in fields(kind) if f.name in hidden and f.name not in record.public]
    secret = {name: _word(name, record.public) for name in names}
    return from_record(Record(record.at, record.actor, record.type, record.public, secret))


def _is_number(name: str, value: Any) -> bool:
    """Whether this is a phone, or none, by its number."""
    return name == "device" and (value is None or is_phone(value))


def _word(name: str, public: Mapping[str, Any]) -> Any:
    if name in _PUT_IN:
        return _PUT_IN[name]
    if name == "device":
        return None if public.get("bot") else _phone_of(public.get("seat", "somebody"))
    return ""


def _phone_of(seat: str) -> str:
    return f"phone of {seat}"


def opening(file: GameFile) -> Table:
    """The table before the first event of a file.

    Who had the host's rights does not stand in a file of version 1: anybody may have had them.
    """
    if file.version != OLDER:
        return Table(players=file.players, host=file.host, host_devices=file.hosts)
    players = tuple(
        Player(p.seat, p.name, p.mark, None if p.bot else _phone_of(p.seat), p.bot, ready=True)
        for p in file.players
    )
    host = next((p.seat for p in players if p.device is not None), None)
    seats = {linked.record.public.get("seat") for linked in file.events} | {p.seat for p in players}
    hosts = (*(_phone_of(seat) for seat in sorted(map(str, seats))), _phone_of("nobody"))
    return Table(players=players, host=host, host_devices=hosts)


def games_in(file: GameFile) -> Iterator[GameFile]:
    """Every game of a file as a file of its own, as it would have been made of the journal.

    Raises:
        NotPlain: an event is none.
    """
    records = [each.record for each in file.events]
    table, spans = opening(file), dict(games(records))
    for i, record in enumerate(records):
        if record.v in spans:
            chosen = records[i : i + 1 + spans[record.v] - record.v]
            hashes = {n: file.hashes[n] for n in pictures_of(chosen) if n in file.hashes}
            yield linked(Start.of(table), chosen, file.names, hashes, revived)
        event = revived(record)
        table = table if event is None else apply(table, event)


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
