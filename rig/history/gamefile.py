"""A game as one file that people can take home: JSON, whose links and end can be checked.

What stands in it is what `rig/session/fingerprint.py` lets everybody have. The head says how many
events there are and what the last link is, so that no end can be cut off.

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
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from rig.errors import KeyedError, RigError
from rig.games.registry import UnknownGame, play_of
from rig.history.fold import steps
from rig.journal import Record
from rig.session.fingerprint import (
    FORMAT,
    OLDER,
    PHONE,
    SHORT,
    VERSION,
    AnyPlay,
    GameFile,
    Linked,
    event_data,
    head_data,
    linked,
    pictures_of,
)
from rig.session.state import MARKS, Player, Table

LARGEST_BYTES = 64 << 20


class BadGameFile(KeyedError):
    """This is not a game file, or it cannot be read; nothing was done with it."""


class BadFingerprint(RigError):
    """The text to compare with is not a fingerprint."""


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


def made(
    records: Sequence[Record],
    span: tuple[int, int] | None = None,
    *,
    play: AnyPlay | None = None,
    names: bool = True,
    picture: Callable[[int], bytes | None] = lambda n: None,
    most: int = 0,
    before: Table | None = None,
) -> GameFile:
    """Make a file of a journal's events.

    Args:
        records: all events of the journal, from the first.
        span: versions of the first and last event, as `games()` gives them; None for all.
        play: the game of the first record; Estimation Domino if None.
        names: whether people are called by their names.
        picture: gives an evidence picture by its number, None where there is none.
        most: how many of them go along, the newest; of the others the file has hashes alone.
        before: the table before the first of them, where they are not all events of the journal.

    Raises:
        BadGameFile: the journal has no events in this span, or they do not follow one another.
    """
    play = play or play_of()
    low, high = span or (1, math.inf)
    chosen = [record for record in records if low <= record.v <= high]
    if not chosen:
        raise BadGameFile("there is no game to export yet: play one first", "gamefile.empty")
    if before is None:
        play, before = _before(records, low, play)
    hashes: dict[int, str] = {}
    along: dict[int, bytes] = {}
    for n in sorted(pictures_of(chosen, play), reverse=True):
        jpeg = picture(n)
        if jpeg is not None:
            hashes[n] = hashlib.sha256(jpeg).hexdigest()
            along |= {n: jpeg} if len(along) < most else {}
    try:
        file = linked(before.start, chosen, names, hashes, play)
    except RigError:
        raise
    except Exception as error:  # a game's functions are not made for what cannot be
        raise BadGameFile(
            "an event in it cannot follow what stands before it: the journal was changed"
        ) from error
    return replace(file, pictures=along)


def _before(records: Sequence[Record], v: float, play: AnyPlay) -> tuple[AnyPlay, Table]:
    """What is played before the event of this version, and the table then."""
    table: Table = play.table()
    for step in steps((record for record in records if record.v < v), play):
        play, table = step.play, step.after
    return play, table


def dumped(file: GameFile) -> bytes:
    """The bytes of the file: JSON, one event a line."""
    head = head_data(file)
    if file.version != OLDER:
        head |= {"count": file.count, "last": file.last}
    lines = [_line({**event_data(e.record), "link": e.link}) for e in file.events]
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
        mb = LARGEST_BYTES >> 20
        raise BadGameFile(f"the file is larger than {mb} MB; no game is", "gamefile.large", mb=mb)
    text = data.lstrip(b"\xef\xbb\xbf \t\r\n")
    if not text:
        raise BadGameFile(
            "the file is empty; name the file of a game or of a table", "gamefile.blank"
        )
    if not text.startswith(b"{"):
        raise _other()
    try:
        given = json.loads(data.decode(), parse_constant=_no_number, parse_int=_whole)
        _line(given).encode()  # no half characters, no endless numbers
    except (ValueError, RecursionError):
        raise BadGameFile(
            "the file is damaged or cut short: it is not JSON to its end; export it again",
            "gamefile.cut",
        ) from None
    if not isinstance(given, dict) or given.get("format") != FORMAT:
        raise _other()
    if given.get("version") not in (OLDER, VERSION) or type(given["version"]) is not int:
        version = repr(given.get("version"))[:20]
        raise BadGameFile(
            f"the file has version {version}, and this domino-rig reads versions {OLDER} and "
            f"{VERSION}; use the domino-rig that wrote it",
            "gamefile.version",
            version=version,
            older=OLDER,
            newest=VERSION,
        )
    try:
        file = _file(given)
        play_of(file.game)
        return file
    except UnknownGame as error:
        raise BadGameFile(str(error), "gamefile.unknown", game=file.game[:30]) from None
    except (KeyError, TypeError, ValueError, OverflowError, RecursionError) as error:
        raise BadGameFile(
            f"the file is damaged: {_what(error)}; export it again", "gamefile.damaged"
        ) from None


def _other() -> BadGameFile:
    return BadGameFile(
        "this is not a game file of domino-rig; export one from the host's phone",
        "gamefile.other",
    )


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
        game=_of(str, given.get("game", ""), "game"),
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
    number = text.removeprefix(PHONE) if isinstance(text, str) else ""
    return text == f"{PHONE}{number}" and number.isdecimal() and len(number) < 4


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
