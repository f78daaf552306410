"""Statistics per player over all games of this machine; players are told apart by name.

They are computed from the journals of one folder. Two small files lie beside these:
`statistics.json`, which keeps people's choices (switched off, erased until when), and
`statistics-cache.json`, which saves reading an old journal twice and may be deleted at any time.
"""

import json
import logging
import sqlite3
import threading
import time
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from rig import private
from rig.errors import RigError
from rig.history.past_games import PastGames, played
from rig.history.votes import Played, VoteRecord
from rig.journal import Record
from rig.journal_tables import keys_of
from rig.private import WrongKey
from rig.serialise import from_plain, to_plain

log = logging.getLogger(__name__)

BANDS = 5
EVERYBODY = "*"
WISHES = "statistics.json"
CACHE = "statistics-cache.json"
_UNREADABLE = (OSError, sqlite3.Error, ValueError, TypeError, KeyError, RigError, WrongKey)


class StatisticsTrouble(RigError):
    """A choice about the statistics could not be stored."""


@dataclass(frozen=True, slots=True)
class Band:
    """Pushes to which the model gave about the same chance.

    Attributes:
        n: how many the player voted on.
        p: the model's chance on average.
        said: how many of them the player said would fall.
        fell: how many of them fell.
    """

    n: int = 0
    p: float = 0.0
    said: int = 0
    fell: int = 0


@dataclass(frozen=True, slots=True)
class Figures:
    """The figures of one player.

    Attributes:
        games: games played to their end.
        wins: how many of them the player won.
        chips: chips at the end of those games.
        calls: calls after which the ballots were shown.
        pushed: how many of these calls led to a push.
        right_calls: how many of those pushes won the caller chips.
        doubted: pushes on the player's own tile, which somebody said would not fall.
        held: how many of those rows fell anyway.
        votes: free votes on rows that were pushed.
        right: how many of those votes were right.
        brier: mean squared distance of vote (0 or 1) and outcome, on pushes with a prediction.
        model_brier: the same for the model's chances on the same pushes.
        compared: how many pushes these two scores are made of.
        bands: pushes by the model's chance, from none to certain.
    """

    name: str
    games: int = 0
    wins: int = 0
    chips: int = 0
    calls: int = 0
    pushed: int = 0
    right_calls: int = 0
    doubted: int = 0
    held: int = 0
    votes: int = 0
    right: int = 0
    brier: float | None = None
    model_brier: float | None = None
    compared: int = 0
    bands: tuple[Band, ...] = ()


def identity(name: str) -> str:
    """The key of a player's name: case, spaces and the encoding of letters do not count.

    >>> identity(" OLENA ") == identity("Olena")
    True
    """
    return " ".join(unicodedata.normalize("NFKC", name).casefold().split())


def figures(games: Sequence[Played], erased: dict[str, float] | None = None) -> list[Figures]:
    """The figures of every player, by name.

    Args:
        games: all games, in the order they were played.
        erased: time up to which games of a player, or of `EVERYBODY`, do not count.
    """
    names: dict[str, str] = {}
    for game in games:
        for name in (*game.chips, *game.calls, *(look.name for look in game.looks)):
            if not _gone(erased, identity(name), game):
                names[identity(name)] = name
    return sorted(
        (_figures(key, name, games, erased) for key, name in names.items()),
        key=lambda each: each.name.casefold(),
    )


def _gone(erased: dict[str, float] | None, key: str, game: Played) -> bool:
    until_s = max((erased or {}).get(key, 0.0), (erased or {}).get(EVERYBODY, 0.0))
    return game.at_s <= until_s


def _figures(
    key: str, name: str, games: Sequence[Played], erased: dict[str, float] | None
) -> Figures:
    mine = [game for game in games if not _gone(erased, key, game)]
    over = [game for game in mine if game.over and key in map(identity, game.chips)]
    looks = [look for game in mine for look in game.looks if identity(look.name) == key]
    calls = sum(n for game in mine for who, n in game.calls.items() if identity(who) == key)
    called = [look for look in looks if look.caller]
    placed = [look for look in looks if look.placer]
    free = [look for look in looks if look.free]
    return replace(
        _compared(name, free),
        games=len(over),
        wins=sum(key in map(identity, game.winners) for game in over),
        chips=sum(n for game in over for who, n in game.chips.items() if identity(who) == key),
        calls=calls,
        pushed=len(called),
        right_calls=sum(look.right for look in called),
        doubted=len(placed),
        held=sum(look.fell for look in placed),
        votes=len(free),
        right=sum(look.right for look in free),
    )


def _compared(name: str, free: Iterable[VoteRecord]) -> Figures:
    """Compare a player's votes with the model's chances, on the pushes that both have judged."""
    pairs = [(look, look.p_fall) for look in free if look.p_fall is not None]
    if not pairs:
        return Figures(name, bands=(Band(),) * BANDS)
    bands = []
    for i in range(BANDS):
        inside = [(look, p) for look, p in pairs if min(int(p * BANDS), BANDS - 1) == i]
        n = len(inside)
        bands.append(
            Band(
                n=n,
                p=round(sum(p for _, p in inside) / n, 4) if n else 0.0,
                said=sum(look.success for look, _ in inside),
                fell=sum(look.fell for look, _ in inside),
            )
        )
    n = len(pairs)
    return Figures(
        name,
        brier=round(sum((look.success - look.fell) ** 2 for look, _ in pairs) / n, 4),
        model_brier=round(sum((p - look.fell) ** 2 for look, p in pairs) / n, 4),
        compared=n,
        bands=tuple(bands),
    )


class Statistics:
    """The figures of one folder of journals, and people's choices about them.

    Args:
        folder: where the journals are.
        open_: gives the games of the journals that are open now in this process.
        now_s: seconds since 1970.
    """

    def __init__(
        self,
        folder: Path,
        open_: Callable[[], Sequence[PastGames]],
        now_s: Callable[[], float] = time.time,
    ) -> None:
        self._folder = folder
        self._open = open_
        self._now_s = now_s
        self._lock = threading.Lock()
        self._told: tuple[tuple[list[Played], dict[str, float]], list[Figures]] | None = None

    @property
    def on(self) -> bool:
        """Whether statistics are kept."""
        return self._wishes()["on"] is True

    def switch(self, on: bool) -> None:
        """Switch statistics on or off; the games stay as they are."""
        with self._lock:
            self._write(WISHES, {**self._wishes(), "on": on})
            if not on:
                (self._folder / CACHE).unlink(missing_ok=True)

    def erase(self, name: str | None) -> None:
        """Ignore all games until now for a player, or for everybody if None."""
        with self._lock:
            wishes = self._wishes()
            key = EVERYBODY if name is None else identity(name)
            erased = {} if name is None else dict(wishes["erased"])
            self._write(WISHES, {**wishes, "erased": {**erased, key: self._now_s()}})

    def figures(self) -> list[Figures]:
        """The figures of every player; none while they are switched off."""
        with self._lock:
            wishes = self._wishes()
            if wishes["on"] is not True:
                return []
            asked = sorted(self._games(), key=lambda game: game.at_s), wishes["erased"]
            if self._told is None or self._told[0] != asked:
                self._told = asked, figures(*asked)
            return list(self._told[1])

    def _games(self) -> Iterator[Played]:
        opened = {past.path.resolve(): past for past in self._open()}
        for past in opened.values():
            yield from past.played()
        yield from self._closed(set(opened))

    def _closed(self, open_: set[Path]) -> Iterator[Played]:
        """The games of journals that nobody has open; unchanged ones come from the cache."""
        cache = self._read(CACHE)
        kept: dict[str, Any] = {}
        for path in sorted(self._folder.glob("*.sqlite3")):
            if path.resolve() in open_:
                continue
            try:
                stat = path.stat()
                mark = [stat.st_size, stat.st_mtime_ns]
                known = cache.get(path.name)
                if isinstance(known, dict) and known.get("mark") == mark:
                    games = from_plain(tuple[Played, ...], known["games"])
                else:
                    games = tuple(played(_records(path)))
            except _UNREADABLE as error:
                log.info("no statistics out of %s: %s", path, error)
                continue
            kept[path.name] = {"mark": mark, "games": [to_plain(game) for game in games]}
            yield from games
        if kept != cache:
            try:
                self._write(CACHE, kept)
            except StatisticsTrouble as error:
                log.info("%s", error)

    def _wishes(self) -> dict[str, Any]:
        given = self._read(WISHES)
        erased = given.get("erased")
        erased = erased if isinstance(erased, dict) else {}
        numbers = {k: float(v) for k, v in erased.items() if isinstance(v, int | float)}
        return {"on": given.get("on", True) is True, "erased": numbers}

    def _read(self, name: str) -> dict[str, Any]:
        try:
            given = json.loads((self._folder / name).read_text(encoding="utf-8"))
        except (OSError, ValueError, RecursionError):
            return {}
        return given if isinstance(given, dict) else {}

    def _write(self, name: str, value: dict[str, Any]) -> None:
        """Write the whole file, or leave the old one."""
        path = self._folder / name
        try:
            private.write(path, json.dumps(value, ensure_ascii=False).encode())
        except OSError as error:
            raise StatisticsTrouble(
                f"{path} cannot be written ({error.strerror}): make room on the disk, try again"
            ) from None


def _records(path: Path) -> Iterator[Record]:
    """The events of a journal that is not open, without changing it."""
    db = sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True, timeout=0.1)
    try:
        rows = db.execute(
            "SELECT v, at, actor, type, public_json, secret_json FROM event ORDER BY v"
        ).fetchall()
        keys = keys_of(db) if private.has_cipher() else {}
    finally:
        db.close()
    for v, at, actor, kind, public, secret in rows:
        if name := private.key_name(secret):
            if name not in keys:
                return  # the round that its phones have the key of
            secret = keys[name].opened(v, kind, secret)
        hidden = json.loads(secret) if secret else None
        yield Record(at, actor, kind, json.loads(public), hidden, None, v)
