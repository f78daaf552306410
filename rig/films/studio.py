"""Has films made of the pushes of a table, one after the other, in a process of their own.

A film is begun once its round is settled: nothing in it is secret by then. Nobody waits for one,
and it waits for everybody: while phones hear of a change, the process stands still.
What goes wrong is one sentence in the log, and that film is left out until the next start.
"""

import hashlib
import logging
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Protocol

from physics.errors import PhysicsError
from physics.pictures import movie
from rig.backroom import Backroom
from rig.films.film_folder import FilmFolder, frames_in
from rig.films.film_script import USUAL, Films, FilmScript, KnownFilm, best_three
from rig.serialise import to_plain
from rig.session.live import Live

log = logging.getLogger(__name__)

NEWEST = 20
"""So many of the newest films are kept, besides the best three of every game that is over."""
NICE = 19
"""Niceness of the process: it takes what nobody else wants."""
QUIET_S = 0.01
"""A film goes on once nothing has happened for so long: of ten phones all have a change by then
(`tests/bench/bench_film.py`)."""
_WAIT_S = 2.0


class FilmedSession(Protocol):
    """What is told of films, and says which language the table speaks."""

    @property
    def live(self) -> Live:
        """What the table knows for the moment."""

    def filmed(self, films: Films) -> None:
        """These films there are, or will be."""

    def subscribe(self, callback: Callable[[], None]) -> Callable[[], None]:
        """Call back when something has happened at the table."""


class Studio:
    """Follows a table and keeps its films.

    Args:
        session: the table.
        read: gives what films of all settled rounds would tell, oldest first.
        folder: where they are kept.
        words: of every language, by the keys of `reel.WORDS`.
        room: the process that makes them.
        wanted: whether films are wanted now; otherwise nothing is kept of what the camera saw.
    """

    def __init__(
        self,
        session: FilmedSession,
        read: Callable[[], Sequence[FilmScript]],
        folder: FilmFolder,
        words: Mapping[str, Mapping[str, str]],
        room: Backroom,
        wanted: Callable[[], bool] = lambda: True,
    ) -> None:
        self._session, self._read, self._folder = session, read, folder
        self._words, self._room, self._wanted = words, room, wanted
        self._failed: set[str] = set()
        self._done: Sequence[FilmScript] | None = None
        self._closing = self._is_tidy = self._is_making = False
        self._wake, self._stirred = threading.Event(), threading.Event()
        self._thread = threading.Thread(target=self._run, name="films", daemon=True)
        self._manners = threading.Thread(target=self._give_way, name="film pauses", daemon=True)
        self._leave: Callable[[], None] = lambda: None

    def start(self) -> None:
        """Begin to look for what there is to film."""
        self._leave = self._session.subscribe(self._hear)
        self._wake.set()
        self._thread.start()
        self._manners.start()

    def close(self) -> None:
        """Stop; a film that is not done is made again at the next start."""
        self._closing = True
        self._leave()
        self._wake.set()
        self._stirred.set()
        self._room.kill()
        for thread in (self._thread, self._manners):
            if thread.is_alive():
                thread.join(_WAIT_S)

    def _hear(self) -> None:
        self._wake.set()
        if self._is_making:
            self._room.pause()
            self._stirred.set()

    def _give_way(self) -> None:
        """Let the film go on whenever the table has been quiet for a moment."""
        while not self._closing:
            self._stirred.wait()
            while self._stirred.is_set():
                self._stirred.clear()
                self._stirred.wait(QUIET_S)
            self._room.resume()

    def _run(self) -> None:
        while not self._closing:
            self._wake.wait()
            self._wake.clear()
            try:
                while not self._closing and self.look():
                    pass
            except Exception as error:  # as a disk that is busy: what is due is found anew
                log.warning("films wait until the table goes on: %s", error)

    def look(self) -> bool:
        """Make the newest film that is missing, tidy up; say whether there was one to make."""
        if not self._wanted():
            self._folder.keep_clips(0)
        scripts = self._read()
        if scripts is self._done:
            return False
        newest = scripts[-1].game if scripts else ""
        names = {name_of(script): script for script in scripts}
        kept = _kept(scripts)
        there = self._folder.names()
        if there - kept or not self._is_tidy:
            self._folder.tidy(kept)
        if not self._is_tidy:
            self._folder.remove_orphans()
            self._is_tidy = True
        due = [
            name
            for name, script in names.items()
            if script.game == newest and name in kept - there - self._failed
        ]
        self._tell(names, newest, there, due)
        if not due:
            self._done = scripts
            return False
        self._make(due[-1], names[due[-1]])
        there = self._folder.names()
        self._tell(names, newest, there, [name for name in due if name not in self._failed])
        return True

    def _tell(
        self,
        names: Mapping[str, FilmScript],
        game: str,
        there: frozenset[str],
        due: Sequence[str],
    ) -> None:
        of_game = {name: script for name, script in names.items() if script.game == game}
        best = {each.id: kind for kind, each in best_three(of_game.values())}
        known = (
            KnownFilm.of(name, script, best.get(script.id, ""), name in there)
            for name, script in of_game.items()
            if name in there or name in due
        )
        self._session.filmed(Films(True, tuple(self._words), tuple(known)))

    def _make(self, name: str, script: FilmScript) -> None:
        clip = self._folder.clip(script.number)
        spoken = script.language or self._session.live.language
        spoken = spoken if spoken in self._words else USUAL
        told, words = replace(script, language=spoken), dict(self._words[spoken])
        self._is_making = True
        try:
            film, still = self._room.do_apart(film_of, told, words, clip)
            if name_of(script) in {name_of(each) for each in self._read()}:
                self._folder.put(name, film, still, script.names)
        except Exception as error:  # as the SVG renderer's ValueError: only this film is lost
            self._failed.add(name)
            if not self._closing:
                log.warning("the film of round %d is left out: %s", script.round, error)
        finally:
            self._is_making = False


def film_of(script: FilmScript, words: Mapping[str, str], clip: Path) -> tuple[bytes, bytes]:
    """Make a film and its still; see `reel.make`."""
    from rig.films import reel  # only the process that draws waits for it

    return reel.make(script, words, frames_in(clip))


def name_of(script: FilmScript) -> str:
    """A film's name in the folder: another one once anything in it is otherwise."""
    return f"{script.id}-{hashlib.sha256(repr(to_plain(script)).encode()).hexdigest()[:6]}"


def can_film() -> bool:
    """Whether the extra `film` is installed."""
    try:
        movie.require()
    except PhysicsError:
        return False
    return True


def _kept(scripts: Sequence[FilmScript]) -> frozenset[str]:
    """The films that stay: the newest, and the best three of every game."""
    games: dict[str, list[FilmScript]] = {}
    for script in scripts:
        games.setdefault(script.game, []).append(script)
    best = (each for falls in games.values() for _, each in best_three(falls))
    return frozenset(map(name_of, (*scripts[-NEWEST:], *best)))
