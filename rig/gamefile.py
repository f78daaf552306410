"""A game as one file: what everybody at the table may know, in an order that can be checked.

The file is JSON. Its events are those of the journal with nothing secret in them: no side of a
ballot and no salt before their reveal, no device, no code, no state of the virtual table. Where
nothing is left of an event, its number alone stays, so that a gap is always a sign of something
taken out. Every event carries a link: the SHA-256 of the link before it and of its own text. The
last link is the fingerprint of the file; two copies that have the same one are the same.

A file is only ever read. Nothing of it reaches a journal or a machine.
"""

import base64
import binascii
import hashlib
import json
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from typing import Any

from rig.changes import Past
from rig.errors import RigError
from rig.games.estimation.codec import KINDS
from rig.games.plain import to_plain
from rig.journal import Record
from rig.links import canonical, following
from rig.table import MARKS, Player, Table, apply, from_record

FORMAT = "domino-rig-game"
VERSION = 1
WITHHELD = "Withheld"
LARGEST_BYTES = 64 << 20
_CREDENTIALS = frozenset({"TableOpened"})
"""Events whose public part lets somebody in: the code of the table."""
_FREE_TEXT = frozenset({"why", "reason"})


class BadGameFile(RigError):
    """This is no game file, or one that cannot be read; nothing was done with it."""


@dataclass(frozen=True, slots=True)
class Linked:
    """One event of a file, with its link to the one before."""

    record: Record
    link: str


@dataclass(frozen=True, slots=True)
class GameFile:
    """A game, or a whole table, as it is handed on.

    Attributes:
        names: whether people stand in it by their names; by letters if not.
        players: who sat at the table before the first event.
        events: what happened; `record.secret` is never set.
        hashes: the SHA-256 of every evidence picture, by number.
        pictures: those pictures as JPEG, as many as came along.
    """

    names: bool
    players: tuple[Player, ...]
    events: tuple[Linked, ...]
    hashes: Mapping[int, str]
    pictures: Mapping[int, bytes]

    @property
    def fingerprint(self) -> str:
        """The last link: it stands for everything in the file."""
        return self.events[-1].link if self.events else first_link(self)


def games(records: Iterable[Record]) -> list[tuple[int, int]]:
    """The versions of the first and the last event of every game of a journal.

    What happens after its end belongs to no game, unless the rules let it change the game.
    """
    found: list[tuple[int, int]] = []
    running = over = False
    for record in records:
        if record.type == "GameStarted":
            found.append((record.v, record.v))
            running, over = True, False
        elif record.type == "LobbyReopened":
            running = False
        elif running and (not over or record.type in KINDS):
            found[-1] = (found[-1][0], record.v)
            over = record.type == "GameEnded"
    return found


def made(
    records: Sequence[Record],
    span: tuple[int, int] | None = None,
    *,
    names: bool = True,
    pictures: Mapping[int, bytes] | None = None,
) -> GameFile:
    """Make a file of a journal's events.

    Args:
        records: all events of the journal, from the first.
        span: versions of the first and last event, as `games()` gives them; None for all.
        names: whether people are called by their names.
        pictures: evidence pictures by number, as many as are to go along.

    Raises:
        BadGameFile: the journal has no events in this span.
    """
    low, high = span or (1, math.inf)
    chosen = [record for record in records if low <= record.v <= high]
    if not chosen:
        raise BadGameFile("there is no game to export yet: play one first")
    before = _before(records, low)
    players = tuple(
        Player(p.seat, p.name if names else letter(p.seat), p.mark, None, p.bot, p.ready)
        for p in before.players
    )
    jpegs = dict(pictures or {})
    hashes = {n: hashlib.sha256(jpeg).hexdigest() for n, jpeg in jpegs.items()}
    bare = GameFile(names, players, (), hashes, jpegs)
    link, events = first_link(bare), []
    table = before
    for record in chosen:
        shown = _shown(_retold(record, table, before.pasts), names)
        table = apply(table, from_record(record))
        link = next_link(link, shown)
        events.append(Linked(shown, link))
    return replace(bare, events=tuple(events))


def _before(records: Sequence[Record], v: float) -> Table:
    """The table before the event of this version."""
    earlier = (from_record(record) for record in records if record.v < v)
    return reduce(apply, earlier, Table())


def _retold(record: Record, table: Table, pasts: Sequence[Past]) -> Record:
    """The same event, in words of its own where it undoes what is not in the file."""
    past = table.pasts[-1] if record.type == "Undone" and table.pasts else None
    if past is None or not any(past is each for each in pasts):
        return record
    if past.what == "renamed":
        return replace(record, type="Renamed", public={"seat": past.seat, "name": past.name})
    return replace(record, type=WITHHELD, public={})


def letter(seat: str) -> str:
    """What a seat is called where names are left out.

    >>> letter("s2")
    'B'
    """
    number = int(seat[1:]) if seat[1:].isdigit() else 0
    return chr(ord("A") + (number - 1) % 26)


def _shown(record: Record, names: bool) -> Record:
    """An event as everybody may see it."""
    kind, public = record.type, dict(record.public)
    if kind in _CREDENTIALS or (record.secret and not public):
        kind, public = WITHHELD, {}
    if not names:
        if "name" in public:
            public["name"] = letter(str(public.get("seat", "")))
        if kind != "PushEnded":  # its reason is the machine's, not a person's
            public.update(dict.fromkeys(_FREE_TEXT & public.keys(), ""))
    return Record(at=record.at, actor=record.actor, type=kind, public=public, v=record.v)


def first_link(file: GameFile) -> str:
    """The link that the first event hangs on: the SHA-256 of all but the events."""
    return following("", canonical(_head(file)))


def _head(file: GameFile) -> dict[str, Any]:
    return {
        "format": FORMAT,
        "version": VERSION,
        "names": file.names,
        "players": [_player(p) for p in file.players],
        "hashes": {str(n): text for n, text in sorted(file.hashes.items())},
    }


def next_link(before: str, record: Record) -> str:
    """The link of an event: the SHA-256 of the link before it and its own text."""
    return following(before, canonical(_event(record)))


def _event(record: Record) -> dict[str, Any]:
    return {
        "v": record.v,
        "at": record.at,
        "actor": record.actor,
        "type": record.type,
        "data": dict(record.public),
    }


def _player(player: Player) -> dict[str, Any]:
    return {k: v for k, v in to_plain(player).items() if k not in ("device", "ready")}


def dumped(file: GameFile) -> bytes:
    """The bytes of the file: JSON, one event a line."""
    lines = [_line({**_event(e.record), "link": e.link}) for e in file.events]
    pictures = {str(n): base64.b64encode(j).decode() for n, j in sorted(file.pictures.items())}
    text = (
        _line(_head(file))[:-1]
        + ',\n"events":[\n'
        + ",\n".join(lines)
        + '\n],\n"pictures":'
        + _line(pictures)
        + "}\n"
    )
    return text.encode()


def _line(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)


def loaded(data: bytes) -> GameFile:
    """Read a file; what it says is not checked here, only that it can be read.

    Raises:
        BadGameFile: in one sentence, what it is that cannot be read.
    """
    if len(data) > LARGEST_BYTES:
        raise BadGameFile(f"the file is larger than {LARGEST_BYTES >> 20} MB; no game is")
    try:
        given = json.loads(data.decode(), parse_constant=_no_number, parse_int=_whole)
        _line(given).encode()  # no half characters, no endless numbers
    except (ValueError, RecursionError):
        raise BadGameFile("the file is damaged or cut short: it is not JSON to its end") from None
    if not isinstance(given, dict) or given.get("format") != FORMAT:
        raise BadGameFile("this is not a game file of domino-rig; export one from the host's phone")
    if given.get("version") != VERSION or type(given["version"]) is not int:
        raise BadGameFile(
            f"the file has version {str(given.get('version'))[:20]}, and this domino-rig reads "
            f"version {VERSION}; use the domino-rig that wrote it"
        )
    try:
        return _file(given)
    except (KeyError, TypeError, ValueError, OverflowError, RecursionError) as error:
        raise BadGameFile(f"the file is damaged: {_what(error)}") from None


def _no_number(text: str) -> Any:
    raise ValueError(f"{text} is no number")


def _whole(text: str) -> int:
    if len(text) > 18:
        raise ValueError("a number is too long")
    return int(text)


def _what(error: Exception) -> str:
    if isinstance(error, KeyError):
        return f"{str(error.args[0])[:40]!r} is missing"
    return str(error)[:120] or "something in it has the wrong shape"


def _file(given: dict[str, Any]) -> GameFile:
    """The parts of a file, each of the type it has to be."""
    hashes, pictures = given["hashes"], given.get("pictures", {})
    return GameFile(
        names=_of(bool, given["names"], "names"),
        players=tuple(_read_player(p) for p in _of(list, given["players"], "players")),
        events=tuple(_read_event(e) for e in _of(list, given["events"], "events")),
        hashes={
            int(n): _of(str, text, "a hash") for n, text in _of(dict, hashes, "hashes").items()
        },
        pictures={int(n): _jpeg(n, text) for n, text in _of(dict, pictures, "pictures").items()},
    )


def _jpeg(number: str, text: Any) -> bytes:
    try:
        jpeg = base64.b64decode(_of(str, text, "a picture"), validate=True)
    except binascii.Error:
        raise ValueError(f"picture {number[:10]} cannot be read") from None
    if not jpeg.startswith(b"\xff\xd8"):
        raise ValueError(f"picture {number[:10]} is no JPEG")
    return jpeg


def _read_player(given: Any) -> Player:
    player = _of(dict, given, "a player")
    mark = _of(str, player["mark"], "mark")
    if mark not in MARKS:
        raise ValueError(f"there is no mark {mark[:20]!r}")
    name, seat = _of(str, player["name"], "name"), _of(str, player["seat"], "seat")
    return Player(seat, name, mark, None, _of(bool, player["bot"], "bot"), ready=True)


def _read_event(given: Any) -> Linked:
    event = _of(dict, given, "an event")
    at = event["at"]
    if type(at) not in (int, float) or not math.isfinite(at):
        raise ValueError("the time of an event is no number")
    record = Record(
        at=at,
        actor=_of(str, event["actor"], "actor"),
        type=_of(str, event["type"], "type"),
        public=_of(dict, event["data"], "data"),
        v=_of(int, event["v"], "v"),
    )
    return Linked(record, _of(str, event["link"], "link"))


def _of(kind: type, value: Any, what: str) -> Any:
    if type(value) is not kind:
        raise TypeError(f"{what} has to be {kind.__name__}, not {type(value).__name__}")
    return value
