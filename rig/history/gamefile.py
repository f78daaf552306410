"""A game as one file: what everybody at the table may know, in a form that can be checked.

The file is JSON (`rig/FORMATS.md`). It has the journal's events without their secrets: no side and
no salt of a ballot before the reveal, no device, no code, no state of the virtual table. An event
with nothing else in it keeps its number, so that a gap always means that something was removed.
Phones are numbered in order of appearance. Every event has a link: the SHA-256 of the link before
it and of its own text. The last link is the fingerprint of the file; copies with the same
fingerprint are the same. The head says how many events there are and what the last link is, so that
the end cannot be cut off.

Version 1 was written by older programs: without phones, host and end. It can still be read, and is
written for a game that cannot keep the promises of version 2: that every ballot had a seal, and
that time never ran backwards.

A file is only ever read. Nothing from it reaches a journal or a machine.
"""

import base64
import binascii
import hashlib
import json
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from typing import Any

from rig.errors import RigError
from rig.games.estimation.events import KINDS
from rig.games.estimation.terms import Phase
from rig.journal import Record
from rig.links import canonical, following
from rig.serialise import to_plain
from rig.session.events import Past
from rig.session.state import MARKS, Event, Player, Start, Table, apply, from_record

FORMAT = "domino-rig-game"
VERSION = 2
OLDER = 1
WITHHELD = "Withheld"
LARGEST_BYTES = 64 << 20
_CREDENTIALS = frozenset({"TableOpened"})
"""Events whose public part would let somebody in: it has the table's code."""
_FREE_TEXT = frozenset({"why", "reason"})
_PHONE = "phone "
SHORT = 16
"""Digits of a fingerprint that are shown, and the fewest that are accepted: 64 bits, more than
anybody would try out for a game."""


class BadGameFile(RigError):
    """This is not a game file, or it cannot be read; nothing was done with it."""


@dataclass(frozen=True, slots=True)
class Linked:
    """One event of a file, with its link to the one before."""

    record: Record
    link: str


@dataclass(frozen=True, slots=True)
class GameFile:
    """A game, or a whole table, as it is exported.

    Attributes:
        names: whether people appear by name; by letters if not.
        players: who sat at the table before the first event.
        events: what happened; `record.secret` is never set.
        hashes: the SHA-256 of every evidence picture, by number.
        pictures: those pictures as JPEG, as far as they are included.
        version: the version of the format. The following are not in version 1:
        host: the seat that was the host's before the first event.
        hosts: the phones that had the host's rights through the secret.
        count: how many events the file has, according to its head.
        last: the last link, according to its head.
    """

    names: bool
    players: tuple[Player, ...]
    events: tuple[Linked, ...]
    hashes: Mapping[int, str]
    pictures: Mapping[int, bytes]
    version: int = VERSION
    host: str | None = None
    hosts: tuple[str, ...] = ()
    count: int = 0
    last: str = ""

    @property
    def fingerprint(self) -> str:
        """The last link, which depends on everything in the file."""
        return self.events[-1].link if self.events else first_link(self)


class BadFingerprint(RigError):
    """The text to compare with is not a fingerprint."""


def short(fingerprint: str) -> str:
    """A fingerprint as it is shown to people: its first digits, in groups of four.

    >>> short("3f9a12bc77de0a41" + 48 * "0")
    '3f9a 12bc 77de 0a41'
    """
    return " ".join(fingerprint[i : i + 4] for i in range(0, min(SHORT, len(fingerprint)), 4))


def digits(text: str) -> str:
    """The digits of a fingerprint that somebody typed; spaces and capitals do not matter.

    Raises:
        BadFingerprint: it has other characters, too few digits or too many.

    >>> digits("3F9A 12bc-77DE:0a41")
    '3f9a12bc77de0a41'
    """
    given = "".join(text.split()).replace("-", "").replace(":", "").lower()
    if not given or set(given) - set("0123456789abcdef"):
        raise BadFingerprint("a fingerprint is made of the digits 0-9 and a-f; copy it as shown")
    if not SHORT <= len(given) <= 64:
        raise BadFingerprint(
            f"a fingerprint has {SHORT} digits as it is shown and 64 in full, and this has "
            f"{len(given)}"
        )
    return given


def games(records: Iterable[Record]) -> list[tuple[int, int]]:
    """The versions of the first and the last event of every game of a journal.

    Events after the end of a game belong to no game, unless the rules let them change it.
    """
    spans = Spans()
    for record in records:
        spans.take(record)
    return spans.found


class Spans:
    """Where the games of a journal begin and end, event by event.

    Attributes:
        found: what `games` gives, of the events so far.
    """

    def __init__(self) -> None:
        self.found: list[tuple[int, int]] = []
        self._running = self._over = False

    def take(self, record: Record) -> None:
        """Read the next event."""
        if record.type == "GameStarted":
            self.found.append((record.v, record.v))
            self._running, self._over = True, False
        elif record.type == "LobbyReopened":
            self._running = False
        elif self._running and (not self._over or record.type in KINDS):
            self.found[-1] = (self.found[-1][0], record.v)
            self._over = record.type == "GameEnded"


def made(
    records: Sequence[Record],
    span: tuple[int, int] | None = None,
    *,
    names: bool = True,
    picture: Callable[[int], bytes | None] = lambda n: None,
    most: int = 0,
    before: Table | None = None,
) -> GameFile:
    """Make a file of a journal's events.

    Args:
        records: all events of the journal, from the first.
        span: versions of the first and last event, as `games()` gives them; None for all.
        names: whether people are called by their names.
        picture: gives an evidence picture by its number, None where there is none.
        most: how many of them go along, the newest; of the others the file has hashes alone.
        before: the table before the first of them, where they are not all events of the journal.

    Raises:
        BadGameFile: the journal has no events in this span.
    """
    low, high = span or (1, math.inf)
    chosen = [record for record in records if low <= record.v <= high]
    if not chosen:
        raise BadGameFile("there is no game to export yet: play one first")
    before = _before(records, low) if before is None else before
    hashes: dict[int, str] = {}
    along: dict[int, bytes] = {}
    for n in sorted(pictures_of(chosen), reverse=True):
        jpeg = picture(n)
        if jpeg is not None:
            hashes[n] = hashlib.sha256(jpeg).hexdigest()
            along |= {n: jpeg} if len(along) < most else {}
    return replace(linked(Start.of(before), chosen, names, hashes), pictures=along)


def pictures_of(records: Iterable[Record]) -> set[int]:
    """The numbers of the evidence pictures that these records speak of."""
    told = [r.public for r in records if r.type == "PushBegun"]
    told += [r.public["seen"] for r in records if r.type == "OutcomeSeen"]
    return {n for each in told if (n := each.get("picture")) is not None}


def linked(
    start: Start,
    chosen: Sequence[Record],
    names: bool,
    hashes: Mapping[int, str],
    event_of: Callable[[Record], Event | None] = from_record,
) -> GameFile:
    """A file of these records, which follow one another; without pictures.

    Args:
        start: the table before them.
        chosen: the records.
        names: whether people are called by their names.
        hashes: the SHA-256 of their pictures, by number.
        event_of: reads a record; None for one that is withheld.
    """
    version, phones = VERSION if _keeps_promises(chosen) else OLDER, _Phones()
    players = tuple(
        Player(p.seat, p.name if names else letter(p.seat), p.mark, phones(p.device), p.bot, True)
        for p in start.players
    )
    hosts = tuple(phones(device) or "" for device in start.host_devices)
    file = GameFile(names, players, (), hashes, {}, version, start.host, hosts)
    if version == OLDER:
        players = tuple(replace(p, device=None) for p in players)
        file = replace(file, players=players, host=None, hosts=())
    link, events, table = first_link(file), [], start.table
    for record in chosen:
        retold = _retold(record, table, start.pasts)
        shown = _shown(retold, names, phones if version != OLDER else None)
        event = event_of(record)
        table = table if event is None else apply(table, event)
        link = next_link(link, shown)
        events.append(Linked(shown, link))
    if version == OLDER:
        return replace(file, events=tuple(events))
    return replace(file, events=tuple(events), count=len(events), last=link)


class _Phones:
    """Gives every phone a number, and nothing else of it."""

    def __init__(self) -> None:
        self._known: dict[str, str] = {}

    def __call__(self, device: str | None) -> str | None:
        if device is None:
            return None
        return self._known.setdefault(device, f"{_PHONE}{len(self._known) + 1}")


def _keeps_promises(records: Sequence[Record]) -> bool:
    """Whether every ballot shown had its seal, and no time of a game is before another."""
    last_s, playing = -math.inf, True
    for record in records:
        if playing and record.at < last_s:
            return False
        if record.type in ("GameStarted", "LobbyReopened"):
            playing = record.type == "GameStarted"
        last_s = record.at if playing else -math.inf
        public = record.public
        if record.type == "BallotsRevealed" and public["ballots"].keys() != (
            public.get("salts", {}).keys()
        ):
            return False
    return True


class Newest:
    """The newest game of a table, and its fingerprint: that of the file that is made of it.

    Args:
        records: what the journal has of it already, from its `GameStarted` on.
    """

    def __init__(self, records: Iterable[Record] = ()) -> None:
        self._records: list[Record] = []
        self._hashes: dict[int, str] = {}
        self._known = (0, "")
        for record in records:
            self.hear(record)

    @property
    def last_s(self) -> float:
        """When the last event was."""
        return self._records[-1].at if self._records else -math.inf

    def hear(self, record: Record, pictures: Mapping[int, bytes] | None = None) -> None:
        """Hear of the next event, and of the pictures that were written with it."""
        if record.type == "GameStarted":
            self._records, self._hashes, self._known = [], {}, (0, "")
        self._records.append(record)
        for n, jpeg in (pictures or {}).items():
            self._hashes[n] = hashlib.sha256(jpeg).hexdigest()

    def fingerprint(self, table: Table, picture: Callable[[int], bytes | None]) -> str:
        """The fingerprint of the game that is over; "" while none is.

        Args:
            table: the table as it stands.
            picture: gives an evidence picture that was written before the program was started.
        """
        start, spans = table.started, games(self._records)
        if table.phase is not Phase.GAME_OVER or start is None or not spans:
            return ""
        low, high = spans[-1]
        if self._known[0] != high:
            chosen = [record for record in self._records if low <= record.v <= high]
            hashes = {}
            for n in sorted(pictures_of(chosen)):
                if n not in self._hashes and (jpeg := picture(n)) is not None:
                    self._hashes[n] = hashlib.sha256(jpeg).hexdigest()
                if n in self._hashes:
                    hashes[n] = self._hashes[n]
            self._known = (high, linked(start, chosen, True, hashes).fingerprint)
        return self._known[1]


def _before(records: Sequence[Record], v: float) -> Table:
    """The table before the event of this version."""
    earlier = (from_record(record) for record in records if record.v < v)
    return reduce(apply, earlier, Table())


def _retold(record: Record, table: Table, pasts: Sequence[Past]) -> Record:
    """The same event, in words of its own where it undoes what is not in the file."""
    past = table.pasts[-1] if record.type == "Undone" and table.pasts else None
    if past is None or past not in pasts:
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


def _shown(record: Record, names: bool, phones: _Phones | None) -> Record:
    """An event as everybody may see it."""
    kind, public = record.type, dict(record.public)
    device = {**public, **(record.secret or {})}.get("device", _PHONE)
    if phones is not None and device != _PHONE:
        public["device"] = phones(device)
    if kind in _CREDENTIALS or (record.secret and not public):
        kind, public = WITHHELD, {}
    if not names:
        if "name" in public:
            public["name"] = letter(str(public.get("seat", "")))
        if kind != "PushEnded":  # its reason is the machine's, not a person's
            public.update(dict.fromkeys(_FREE_TEXT & public.keys(), ""))
    return Record(at=record.at, actor=record.actor, type=kind, public=public, v=record.v)


def first_link(file: GameFile) -> str:
    """The link that the first event hangs on: the SHA-256 of the head without its end."""
    return following("", canonical(_head(file)))


def _head(file: GameFile) -> dict[str, Any]:
    head = {
        "format": FORMAT,
        "version": file.version,
        "names": file.names,
        "players": [_player(p, file.version) for p in file.players],
        "hashes": {str(n): text for n, text in sorted(file.hashes.items())},
    }
    if file.version != OLDER:
        head |= {"host": file.host, "hosts": list(file.hosts)}
    return head


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


def _player(player: Player, version: int) -> dict[str, Any]:
    out = ("device", "ready") if version == OLDER else ("ready",)
    return {k: v for k, v in to_plain(player).items() if k not in out}


def dumped(file: GameFile) -> bytes:
    """The bytes of the file: JSON, one event a line."""
    head = _head(file)
    if file.version != OLDER:
        head |= {"count": file.count, "last": file.last}
    lines = [_line({**_event(e.record), "link": e.link}) for e in file.events]
    pictures = {str(n): base64.b64encode(j).decode() for n, j in sorted(file.pictures.items())}
    text = (
        _line(head)[:-1]
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
    if given.get("version") not in (OLDER, VERSION) or type(given["version"]) is not int:
        raise BadGameFile(
            f"the file has version {str(given.get('version'))[:20]}, and this domino-rig reads "
            f"versions {OLDER} and {VERSION}; use the domino-rig that wrote it"
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
    hashes, pictures, version = given["hashes"], given.get("pictures", {}), given["version"]
    players = _of(list, given["players"], "players")
    file = GameFile(
        names=_of(bool, given["names"], "names"),
        players=tuple(_read_player(p, version) for p in players),
        events=tuple(_read_event(e) for e in _of(list, given["events"], "events")),
        hashes={
            int(n): _of(str, text, "a hash") for n, text in _of(dict, hashes, "hashes").items()
        },
        pictures={int(n): _jpeg(n, text) for n, text in _of(dict, pictures, "pictures").items()},
        version=version,
    )
    if version == OLDER:
        return file
    host, hosts = given["host"], _of(list, given["hosts"], "hosts")
    return replace(
        file,
        host=None if host is None else _of(str, host, "host"),
        hosts=tuple(_phone(each) for each in hosts),
        count=_of(int, given["count"], "count"),
        last=_of(str, given["last"], "last"),
    )


def is_phone(text: Any) -> bool:
    """Whether this is what a phone is called in a file: its number and no more.

    >>> is_phone("phone 3"), is_phone("9f86d081884c")
    (True, False)
    """
    number = text.removeprefix(_PHONE) if isinstance(text, str) else ""
    return text == f"{_PHONE}{number}" and number.isdecimal() and len(number) < 4


def _phone(given: Any) -> str:
    if not is_phone(given):
        raise ValueError(f"a phone has a number, not {str(given)[:20]!r}")
    return str(given)


def _jpeg(number: str, text: Any) -> bytes:
    try:
        jpeg = base64.b64decode(_of(str, text, "a picture"), validate=True)
    except binascii.Error:
        raise ValueError(f"picture {number[:10]} cannot be read") from None
    if not jpeg.startswith(b"\xff\xd8"):
        raise ValueError(f"picture {number[:10]} is no JPEG")
    return jpeg


def _read_player(given: Any, version: int) -> Player:
    player = _of(dict, given, "a player")
    mark = _of(str, player["mark"], "mark")
    if mark not in MARKS:
        raise ValueError(f"there is no mark {mark[:20]!r}")
    name, seat = _of(str, player["name"], "name"), _of(str, player["seat"], "seat")
    device = None if version == OLDER or player["device"] is None else _phone(player["device"])
    return Player(seat, name, mark, device, _of(bool, player["bot"], "bot"), ready=True)


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
