"""What a film of one push tells, and which three falls of a game are the best. Pure."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from physics.row.tile import STANDARD, TileSpec
from rig.row.fall_shown import Tip
from rig.row.push_events import FELL, Standing

USUAL = "en"
"""The language of the words where nobody has said one."""
STALL = "stall"
"""The wave died inside the row."""
CLEAN = "clean"
"""Every tile went down."""
CLOSEST = "closest"
"""It was nearest to the other outcome."""


@dataclass(frozen=True, slots=True)
class Voter:
    """One ballot, as it lay open.

    Attributes:
        name: of whoever cast it, "" where the film is without names.
        mark: shape and colour of the seat.
        side: `success` or `failure`.
        placer: who stood the last tile.
        caller: who called.
    """

    name: str
    mark: str
    side: str
    placer: bool = False
    caller: bool = False


@dataclass(frozen=True, slots=True)
class FilmScript:
    """All that a film of one push shows; everybody at the table knows it by then.

    Attributes:
        id: names the push in all files: the game, a dash, its number at the table.
        round: of the game.
        row: the tiles from the pushed end, as they stood.
        tips: when each fallen tile tips, in the order of the wave.
        voters: all ballots, in seat order.
        outcome: `fell` or `stood`.
        up: values that still stand, from the pushed end.
        between: where the wave died, None if it did not or nobody can say it.
        gap_mm: the clear distance there.
        short_mm: how much longer the last tile that fell had to be, None where that was not it.
        near: how near it was to the other outcome, least first; None where nobody can say it.
        language: of its words, "" for that of the table as it is made.
        tile: the size of its tiles.
        arm: whether the pusher's arm made the push.
        at_s: when the ballots lay open, in seconds since 1970.
    """

    id: str
    round: int
    row: tuple[Standing, ...]
    tips: tuple[Tip, ...]
    voters: tuple[Voter, ...]
    outcome: str
    up: tuple[int, ...] = ()
    between: tuple[int, int] | None = None
    gap_mm: float | None = None
    short_mm: float | None = None
    near: tuple[int, float] | None = None
    language: str = ""
    tile: TileSpec = field(default=STANDARD)
    arm: bool = True
    at_s: float = 0.0

    @property
    def game(self) -> str:
        """Names the game it is of."""
        return self.id.rpartition("-")[0]

    @property
    def number(self) -> int:
        """The number of the push at its table."""
        return int(self.id.rpartition("-")[2])

    @property
    def names(self) -> tuple[str, ...]:
        """Whoever is called by name in it."""
        return tuple(voter.name for voter in self.voters if voter.name)


@dataclass(frozen=True, slots=True)
class KnownFilm:
    """A film of the game that goes on, or is over and still on the screens.

    Attributes:
        name: of its files.
        game: that it is of.
        round: of the game.
        best: what its fall is best at, "" if it is not one of the best three.
        outcome: `fell` or `stood`.
        tiles: how many stood in the row.
        up: values that still stood after it.
        between: where the wave died.
        short_mm: how much longer the last tile that fell had to be.
        ready: it can be had; otherwise it is being made.
    """

    name: str
    game: str
    round: int
    best: str
    outcome: str
    tiles: int
    up: tuple[int, ...]
    between: tuple[int, int] | None
    short_mm: float | None
    ready: bool

    @staticmethod
    def of(name: str, script: FilmScript, best: str, ready: bool) -> "KnownFilm":
        """What is to be known of the film of a script."""
        return KnownFilm(
            name,
            script.game,
            script.round,
            best,
            script.outcome,
            len(script.row),
            script.up,
            script.between,
            script.short_mm,
            ready,
        )


@dataclass(frozen=True, slots=True)
class Films:
    """What is known of the films of a game.

    Attributes:
        able: they can be made here; otherwise the extra is missing.
        languages: the codes of those that their words are there in.
        known: those that there are or will be, in the order of the rounds.
    """

    able: bool
    languages: tuple[str, ...] = ()
    known: tuple[KnownFilm, ...] = ()


def best_three(falls: Iterable[FilmScript]) -> tuple[tuple[str, FilmScript], ...]:
    """Choose the falls of a game that are shown at its end, each for what it was best at.

    The stall is the one that went farthest before the wave died, counted in fallen tiles. The clean
    fall is the longest row that went down whole. The closest is the one of those left that was
    nearest to the other outcome, as the award of the closest call has it. Of equals the later is
    taken. One that no fall fits is left out.

    Returns:
        What each was best at with the fall itself, in the order of the rounds.
    """
    left = list(falls)
    chosen: list[tuple[str, FilmScript]] = []
    for kind, fits, rank in (
        (STALL, lambda f: f.outcome != FELL and f.tips, lambda f: (len(f.tips), f.number)),
        (CLEAN, lambda f: f.outcome == FELL, lambda f: (len(f.row), f.number)),
        (CLOSEST, lambda f: f.near is not None, _nearness),
    ):
        able = [fall for fall in left if fits(fall)]
        if able:
            best = max(able, key=rank)
            left.remove(best)
            chosen.append((kind, best))
    return tuple(sorted(chosen, key=lambda each: each[1].number))


def _nearness(fall: FilmScript) -> tuple[int, float, int]:
    measured, distance = fall.near or (0, 0.0)
    return -measured, -distance, fall.number
