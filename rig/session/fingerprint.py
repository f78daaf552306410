"""The record of a game that everybody may have, and its fingerprint: a chain of links over it.

Its events are those of the journal with nothing secret in them: no field that somebody may not know
yet, no device, no code. Where nothing is left of an event, its number alone stays, so that a gap is
always a sign of something taken out. Phones have numbers, in the order in which they appear. Every
event carries a link: the SHA-256 of the link before it and of its own text. The last link is the
fingerprint; two records that have the same one are the same. `rig/history/gamefile.py` writes and
reads them as files.
"""

import hashlib
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from rig.games.interface import ENDED, REOPENED, STARTED, Data, shown_by
from rig.journal import Record
from rig.links import canonical, following
from rig.serialise import to_plain
from rig.session.events import Past
from rig.session.playing import Play, played_after
from rig.session.state import Player, Table, TableAtStart

FORMAT = "domino-rig-game"
VERSION = 2
OLDER = 1
WITHHELD = "Withheld"
_CREDENTIALS = frozenset({"TableOpened"})
"""Events whose public part lets somebody in: the code of the table."""
_FREE_TEXT = frozenset({"why", "reason"})
PHONE = "phone "
"""What a phone is called, with its number behind."""
SHORT = 16
"""So many digits of a fingerprint are shown, and at least so many are asked for: 64 bits, more than
anybody can try out for the sake of a game."""

AnyPlay = Play[Any, Any, Any]


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
        version: the version of the format.
        host: the seat that was the host's before the first event; not in version 1.
        hosts: the phones that had the host's rights by the secret; not in version 1.
        count: how many events the file has; not in version 1.
        last: the last link, as its head says; not in version 1.
        game: what was played, "" for Estimation Domino.
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
    game: str = ""

    @property
    def fingerprint(self) -> str:
        """The last link: it stands for everything in the file."""
        return self.events[-1].link if self.events else first_link(self)


def short(fingerprint: str) -> str:
    """A fingerprint as people are shown it: its first digits, in fours.

    >>> short("3f9a12bc77de0a41" + 48 * "0")
    '3f9a 12bc 77de 0a41'
    """
    return " ".join(fingerprint[i : i + 4] for i in range(0, min(SHORT, len(fingerprint)), 4))


def games(records: Iterable[Record], play: AnyPlay) -> list[tuple[int, int]]:
    """The versions of the first and the last event of every game of a journal.

    What happens after its end belongs to no game, unless the rules let it change the game.
    """
    spans = Spans(play)
    for record in records:
        spans.take(record)
    return spans.found


class Spans:
    """Where the games of a journal begin and end, event by event.

    Attributes:
        found: what `games` gives, of the events so far.
    """

    def __init__(self, play: AnyPlay) -> None:
        self._play = play
        self.found: list[tuple[int, int]] = []
        self._running = self._over = False

    def take(self, record: Record) -> None:
        """Read the next event."""
        self._play = played_after(record, self._play)
        if record.type == STARTED:
            self.found.append((record.v, record.v))
            self._running, self._over = True, False
        elif record.type == REOPENED:
            self._running = False
        elif self._running and (not self._over or record.type in self._play.rules.events):
            self.found[-1] = (self.found[-1][0], record.v)
            self._over = record.type == ENDED


def pictures_of(records: Iterable[Record], play: AnyPlay) -> set[int]:
    """The numbers of the evidence pictures that these records speak of."""
    return {n for record in records for n in play.pictures_in(record)}


def linked(
    start: TableAtStart,
    chosen: Sequence[Record],
    names: bool,
    hashes: Mapping[int, str],
    play: AnyPlay,
    event_of: Callable[[Record], Data | None] | None = None,
) -> GameFile:
    """A file of these records, which follow one another; without pictures.

    Args:
        start: the table before them.
        chosen: the records.
        names: whether people are called by their names.
        hashes: the SHA-256 of their pictures, by number.
        play: the game.
        event_of: reads a record, and gives None for one that is withheld; `play.read` if None.
    """
    version, phones = VERSION if _keeps_promises(chosen, play) else OLDER, _Phones()
    players = tuple(
        Player(p.seat, p.name if names else letter(p.seat), p.mark, phones(p.device), p.bot, True)
        for p in start.players
    )
    hosts = tuple(phones(device) or "" for device in start.host_devices)
    file = GameFile(
        names, players, (), hashes, {}, version, start.host, hosts, game=play.written_as
    )
    if version == OLDER:
        players = tuple(replace(p, device=None) for p in players)
        file = replace(file, players=players, host=None, hosts=())
    link, events, table = first_link(file), [], play.opened(start)
    later = _shown_later(chosen, play)
    for record in chosen:
        retold = _retold(record, table, start.pasts)
        public = later(retold)
        shown = _shown(public, names, phones if version != OLDER else None, play)
        event = (event_of or play.read)(record)
        table = table if event is None else play.apply(table, event)
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
        return self._known.setdefault(device, f"{PHONE}{len(self._known) + 1}")


def _keeps_promises(records: Sequence[Record], play: AnyPlay) -> bool:
    """Whether every secret shown had its seal, and no time of a game is before another."""
    last_s, playing = -math.inf, True
    for record in records:
        if playing and record.at < last_s:
            return False
        if record.type in (STARTED, REOPENED):
            playing = record.type == STARTED
        last_s = record.at if playing else -math.inf
        if not play.was_sealed(record):
            return False
    return True


class Newest:
    """The fingerprint that the file of a table's newest game has, kept until that game has another.

    Args:
        play: the game.
    """

    def __init__(self, play: AnyPlay) -> None:
        self._play = play
        self._known = ((0, 0), "")

    def fingerprint(
        self,
        start: TableAtStart,
        records: Sequence[Record],
        picture: Callable[[int], bytes | None],
    ) -> str:
        """The fingerprint of a game that is over; "" where none has begun.

        Args:
            start: the table before it.
            records: what the journal has of it, from its `GameStarted` on.
            picture: gives an evidence picture by its number, None where there is none.
        """
        spans = games(records, self._play)
        if not spans:
            return ""
        low, high = spans[-1]
        if self._known[0] != (low, high):
            chosen = [record for record in records if low <= record.v <= high]
            jpegs = {n: picture(n) for n in sorted(pictures_of(chosen, self._play))}
            hashes = {n: hashlib.sha256(jpeg).hexdigest() for n, jpeg in jpegs.items() if jpeg}
            file = linked(start, chosen, True, hashes, self._play)
            self._known = ((low, high), file.fingerprint)
        return self._known[1]


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


def _shown_later(records: Sequence[Record], play: AnyPlay) -> Callable[[Record], Record]:
    """Gives a record with the secrets of its own that everybody could know at the end of these."""
    last = {record.type: n for n, record in enumerate(records)}
    place = {record.v: n for n, record in enumerate(records)}

    def shown(record: Record) -> Record:
        kind, secret = play.kinds.get(record.type), record.secret or {}
        if kind is None or not secret:
            return record
        over = {
            name: secret[name]
            for name, until in shown_by(kind).items()
            if name in secret and last.get(until, -1) > place[record.v]
        }
        return replace(record, public={**record.public, **over}) if over else record

    return shown


def _shown(record: Record, names: bool, phones: _Phones | None, play: AnyPlay) -> Record:
    """An event as everybody may see it."""
    kind, public = record.type, dict(record.public)
    device = {**public, **(record.secret or {})}.get("device", PHONE)
    if phones is not None and device != PHONE:
        public["device"] = phones(device)
    if kind in _CREDENTIALS or (record.secret and not public):
        kind, public = WITHHELD, {}
    if not names:
        if "name" in public:
            public["name"] = letter(str(public.get("seat", "")))
        if kind not in play.machine_words:  # its reason is the machine's, not a person's
            public.update(dict.fromkeys(_FREE_TEXT & public.keys(), ""))
    return Record(at=record.at, actor=record.actor, type=kind, public=public, v=record.v)


def first_link(file: GameFile) -> str:
    """The link that the first event hangs on: the SHA-256 of the head without its end."""
    return following("", canonical(head_data(file)))


def head_data(file: GameFile) -> dict[str, Any]:
    """The head of a file without its end."""
    head = {
        "format": FORMAT,
        "version": file.version,
        "names": file.names,
        "players": [_player(p, file.version) for p in file.players],
        "hashes": {str(n): text for n, text in sorted(file.hashes.items())},
    }
    if file.version != OLDER:
        head |= {"host": file.host, "hosts": list(file.hosts)}
    return {**head, "game": file.game} if file.game else head


def next_link(before: str, record: Record) -> str:
    """The link of an event: the SHA-256 of the link before it and its own text."""
    return following(before, canonical(event_data(record)))


def event_data(record: Record) -> dict[str, Any]:
    """An event as it stands in a file, without its link."""
    return {
        "v": record.v,
        "at": record.at,
        "actor": record.actor,
        "type": record.type,
        "data": dict(record.public),
    }


def _player(player: Player, version: int) -> dict[str, Any]:
    written = ("seat", "name", "mark", "bot", *(() if version == OLDER else ("device",)))
    return {k: v for k, v in to_plain(player).items() if k in written}
