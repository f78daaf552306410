"""The events of a game file as the table knows them, with words put in for what is not told.

What was never shown, or not yet, stands as something that nobody sees: views show it only after the
event that brings it. A phone is its number in the file; a file of
version 1 has none, and every seat there has a phone of its own.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields
from typing import Any, get_origin, get_type_hints

from rig.games.interface import Data, secret, shown_by
from rig.games.registry import play_of
from rig.history.fold import FoldStep, steps
from rig.history.gamefile import is_phone
from rig.journal import Record
from rig.serialise import NotPlain
from rig.session.fingerprint import OLDER, WITHHELD, AnyPlay, GameFile, games, linked, pictures_of
from rig.session.state import Player, Table, TableAtStart


def revived(record: Record, play: AnyPlay) -> Data | None:
    """The event of one record of a file; None if it is withheld.

    Raises:
        NotPlain: there is no such event, or it has another shape.
        BadOption: an option has a value it cannot have.
    """
    if record.type == WITHHELD:
        if record.public:
            raise NotPlain("an event that is withheld says nothing")
        return None
    kind = play.kinds.get(record.type)
    if kind is None:
        raise NotPlain(f"event type {record.type[:40]!r} is not known")
    hidden = secret(kind)
    shown = hidden & {name for name, value in record.public.items() if not _is_number(name, value)}
    told = shown - shown_by(kind).keys()
    if told:
        raise NotPlain(f"{record.type} tells what is secret: {', '.join(sorted(told))}")
    names = [f.name for f in fields(kind) if f.name in hidden and f.name not in record.public]
    words = {name: _word(name, record.public, kind, play) for name in names}
    return play.read(Record(record.at, record.actor, record.type, record.public, words))


def withheld(record: Record, play: AnyPlay) -> frozenset[str]:
    """The fields of an event that its file may tell later, and does not tell now."""
    kind = play.kinds.get(record.type)
    return frozenset() if kind is None else frozenset(shown_by(kind).keys() - record.public.keys())


def hides(record: Record, play: AnyPlay) -> bool:
    """Whether more of what happened in the game is hidden: its round goes on or was broken off."""
    return record.type in play.rules.events and bool(withheld(record, play))


def kept_too_long(
    file: GameFile, play: AnyPlay, hidden: Sequence[frozenset[str]]
) -> Iterator[tuple[int, str]]:
    """What is withheld though the event that shows it has happened: the place and the field.

    Args:
        file: the file.
        play: its game.
        hidden: what `withheld` says of each of its events.
    """
    records = [each.record for each in file.events]
    last = {record.type: at for at, record in enumerate(records)}
    for at, (record, names) in enumerate(zip(records, hidden, strict=True)):
        for name in sorted(names):
            if last.get(shown_by(play.kinds[record.type])[name], -1) > at:
                yield at, name


def _is_number(name: str, value: Any) -> bool:
    """Whether this is a phone, or none, by its number."""
    return name == "device" and (value is None or is_phone(value))


def _word(name: str, public: Mapping[str, Any], kind: type, play: AnyPlay) -> Any:
    put_in = play.put_in
    if name in put_in:
        return put_in[name]
    if name == "device":
        return None if public.get("bot") else _phone_of(public.get("seat", "somebody"))
    return _nothing(get_type_hints(kind)[name])


def _nothing(kind: Any) -> Any:
    """What stands for a word of this type that nobody may know."""
    plain = get_origin(kind) or kind
    if plain in (int, float, bool):
        return plain()
    if plain in (tuple, frozenset):
        return []
    return {} if isinstance(plain, type) and issubclass(plain, Mapping) else ""


def _phone_of(seat: str) -> str:
    return f"phone of {seat}"


def opening(file: GameFile) -> Table:
    """The table before the first event of a file.

    Who had the host's rights does not stand in a file of version 1: anybody may have had them.
    """
    if file.version != OLDER:
        return _begun(file, TableAtStart(file.players, file.host, file.hosts))
    players = tuple(
        Player(p.seat, p.name, p.mark, None if p.bot else _phone_of(p.seat), p.bot, ready=True)
        for p in file.players
    )
    host = next((p.seat for p in players if p.device is not None), None)
    seats = {linked.record.public.get("seat") for linked in file.events} | {p.seat for p in players}
    hosts = (*(_phone_of(seat) for seat in sorted(map(str, seats))), _phone_of("nobody"))
    return _begun(file, TableAtStart(players, host, hosts))


def _begun(file: GameFile, start: TableAtStart) -> Table:
    table: Table = play_of(file.game).opened(start)
    return table


def steps_of(file: GameFile) -> Iterator[FoldStep]:
    """The events of a file, each with the table before and after it.

    Raises:
        NotPlain: an event is none.
    """
    play = play_of(file.game)
    records = (each.record for each in file.events)
    return steps(records, play, opening(file), lambda record: revived(record, play))


def games_in(file: GameFile) -> Iterator[GameFile]:
    """Every game of a file as a file of its own, as it would have been made of the journal.

    Raises:
        NotPlain: an event is none.
    """
    records = [each.record for each in file.events]
    play = play_of(file.game)
    spans = dict(games(records, play))
    for i, (record, _, table, *_) in enumerate(steps_of(file)):
        if record.v in spans:
            chosen = records[i : i + 1 + spans[record.v] - record.v]
            hashes = {n: file.hashes[n] for n in pictures_of(chosen, play) if n in file.hashes}
            yield linked(
                table.start, chosen, file.names, hashes, play, lambda one: revived(one, play)
            )
