"""The games of an open journal, read incrementally: a finished game never changes.

New events are read in pages, so that a writer never waits for long. When somebody asks for a game,
only its own events are read.
"""

import threading
from collections.abc import Callable, Iterable
from hashlib import sha256
from pathlib import Path
from typing import Any

from rig.games.interface import STARTED
from rig.games.registry import play_of
from rig.history.account import Taken
from rig.history.fold import FoldStep, steps
from rig.history.gamefile import BadGameFile, made
from rig.history.replay import Listing
from rig.history.story import story_of
from rig.history.votes import GameFigures, Played
from rig.journal import Journal, Record
from rig.session.events import GameChosen, SeatEmptied
from rig.session.fingerprint import AnyPlay, GameFile, Spans, pictures_of
from rig.session.state import Table

_PAGE = 256
"""Events read at once: a few milliseconds in which nobody can write."""


class PastGames:
    """The games of a journal; safe from any thread.

    Args:
        journal: where they are.
        told_v: how many of its events may be told by now; None for all of them.
    """

    def __init__(self, journal: Journal, told_v: Callable[[], int] | None = None) -> None:
        self._journal = journal
        self._told_v = told_v or (lambda: journal.version)
        self._lock = threading.Lock()
        self._v = self._open = 0
        self._befores: list[FoldStep] = []
        self._listing = Listing()
        self._tallies: dict[str, GameFigures] = {}
        self._played_as: dict[str, str] = {}
        self._changes = False
        self._play: AnyPlay = play_of()
        self._table: Table = self._play.table()
        self._spans = Spans(self._play)

    @property
    def changes(self) -> bool:
        """Whether more than one kind of game is in it, so that no file has all of it."""
        with self._lock:
            self._read_on()
            return self._changes

    @property
    def path(self) -> Path:
        """The journal's file."""
        return self._journal.path

    def listed(self) -> list[dict[str, Any]]:
        """List the games, oldest first, to choose from."""
        with self._lock:
            self._read_on()
            return [dict(each) for each in self._listing.games]

    def played(self) -> list[Played]:
        """Every game in which a person took part, for the statistics."""
        with self._lock:
            self._read_on()
            return [game for tally in self._tallies.values() for game in tally.played()]

    def played_as(self) -> dict[str, str]:
        """The name under which whoever has a seat now began their newest game, by seat."""
        with self._lock:
            self._read_on()
            return dict(self._played_as)

    def span(self, number: int) -> tuple[int, int] | None:
        """The versions of the first and the last event of a game, from 1; None if there is none.

        While a vote is open the last one is that before the vote; what was not shown is left out.
        """
        with self._lock:
            self._read_on()
            return self._span(number) if 1 <= number <= len(self._spans.found) else None

    def file(self, number: int, *, names: bool = True, most: int = 0) -> GameFile:
        """A game as one file, up to a vote that is still open; 0 is the whole table.

        Args:
            number: a game that is there.
            names: whether people are called by their names.
            most: how many pictures go along, the newest.

        Raises:
            BadGameFile: nothing has been played, or not one game alone.
        """
        with self._lock:
            self._read_on()
            low, high = self._span(number)
            play = self._befores[number - 1].play if number else self._play
            before = self._befores[number - 1].before if number else play.table()
        if number == 0 and self._changes:
            raise BadGameFile("several games were played at this table: export one of them")
        records = list(self._journal.events(low - 1, high - low + 1))
        picture = self._journal.picture
        return made(records, play=play, names=names, picture=picture, most=most, before=before)

    def taken(self, number: int) -> Taken:
        """A game that is there, as it stands in the journal, up to a vote that is still open."""
        with self._lock:
            self._read_on()
            low, high = self._span(number)
            begun = self._befores[number - 1]
        records = tuple(self._journal.events(low - 1, high - low + 1))
        pictures = {n: self._journal.picture(n) for n in pictures_of(records, begun.play)}
        hashes = {n: sha256(jpeg).hexdigest() for n, jpeg in pictures.items() if jpeg is not None}
        return Taken(begun.before.start, records, hashes, begun.play.written_as)

    def _span(self, number: int) -> tuple[int, int]:
        """The versions between which a game may be looked back at; 0 is the whole table."""
        low, high = self._spans.found[number - 1] if number else (1, self._v)
        return low, min(high, self._open)

    def _read_on(self) -> None:
        """Read what was added since the last time."""
        before, told_v = -1, self._told_v()
        while before < self._v < told_v:  # a locked journal ends before its version
            before = self._v
            page = self._journal.events(self._v, min(_PAGE, told_v - self._v))
            for step in steps(page, self._play, self._table):
                record, self._table = step.record, step.after
                if record.type == STARTED:
                    self._befores.append(step)
                    people = (p for p in self._table.players if not p.bot)
                    self._played_as.update({p.seat: p.name for p in people})
                elif isinstance(step.event, SeatEmptied):
                    self._played_as.pop(step.event.seat, None)
                self._spans.take(record)
                self._listing.take(step)
                _count(self._tallies, step)
                self._changes |= step.play is not self._play and record.v > 1
                self._play, self._v = step.play, record.v
                if step.play.may_look_back(step.after):
                    self._open = record.v


def played(records: Iterable[Record]) -> list[Played]:
    """Every game of a journal in which somebody took part who is no bot."""
    tallies: dict[str, GameFigures] = {}
    for step in steps(records, play_of()):
        _count(tallies, step)
    return [game for tally in tallies.values() for game in tally.played()]


def _count(tallies: dict[str, GameFigures], step: FoldStep) -> None:
    """Have an event counted by whoever counts the figures of its game."""
    if step.record.type != GameChosen.__name__:
        tally = tallies.setdefault(step.play.name, story_of(step.play).tally())
        tally.take(step.record.at, step.event, step.before, step.after)
