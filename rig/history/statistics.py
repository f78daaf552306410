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
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from rig import private
from rig.errors import RigError
from rig.films.film_folder import folders_in
from rig.history.past_games import PastGames, played
from rig.history.votes import EVERYBODY, Figures, Played, figures, identity
from rig.journal import Record
from rig.journal_tables import keys_of
from rig.private import WrongKey
from rig.serialise import from_plain, to_plain

log = logging.getLogger(__name__)

WISHES = "statistics.json"
CACHE = "statistics-cache.json"
_UNREADABLE = (OSError, sqlite3.Error, ValueError, TypeError, KeyError, RigError, WrongKey)


class StatisticsTrouble(RigError):
    """A choice about the statistics could not be stored."""


class Statistics:
    """The figures of one folder of journals, and people's choices about them.

    Args:
        folder: where the journals are.
        open_: gives the games of the journals that are open now in this process.
        now_s: seconds since 1970, by the clock of the tables that are open.
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
        """Ignore all games until now for a player, or for everybody if None.

        "Until now" includes the newest game, even if the clock was ahead when it was played.
        The films in which those players are called by name are deleted.

        Raises:
            StatisticsTrouble: it cannot be stored, or a film cannot be deleted.
        """
        with self._lock:
            wishes = self._wishes()
            key = EVERYBODY if name is None else identity(name)
            erased = {} if name is None else dict(wishes["erased"])
            until_s = max([self._now_s(), *(game.at_s for game in self._games())])
            self._write(WISHES, {**wishes, "erased": {**erased, key: until_s}})
            for films in folders_in(self._folder):
                try:
                    films.erase(lambda each: name is None or identity(each) == key)
                except OSError as error:
                    raise StatisticsTrouble(
                        f"{error.filename} cannot be deleted ({error.strerror}): try again"
                    ) from None

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
        cache = _read(self._folder / CACHE)
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
        on = _read(self._folder / WISHES).get("on", True) is True
        return {"on": on, "erased": erased_in(self._folder)}

    def _write(self, name: str, value: dict[str, Any]) -> None:
        """Write the whole file, or leave the old one."""
        path = self._folder / name
        try:
            private.write(path, json.dumps(value, ensure_ascii=False).encode())
        except OSError as error:
            raise StatisticsTrouble(
                f"{path} cannot be written ({error.strerror}): make room on the disk, try again"
            ) from None


def erased_in(folder: Path) -> dict[str, float]:
    """Who is erased from the statistics of a folder, and until when; see `is_erased`."""
    erased = _read(folder / WISHES).get("erased")
    erased = erased if isinstance(erased, dict) else {}
    return {k: float(v) for k, v in erased.items() if isinstance(v, int | float)}


def _read(path: Path) -> dict[str, Any]:
    try:
        given = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return {}
    return given if isinstance(given, dict) else {}


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
