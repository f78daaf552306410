"""A table with a row of dominoes, whatever is played: the row as last read, and its push. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

from rig.config import FilmWishes
from rig.row.push_events import (
    Attempt,
    FallPhotographed,
    Forecast,
    OutcomeSeen,
    PushBegun,
    PushEnded,
    PushEvent,
    PushRequested,
    Seen,
    Standing,
)
from rig.session.state import Table


@dataclass(frozen=True, slots=True)
class RowRead:
    """The row as the camera read it, left to right; `latest` is the tile that came last.

    Where it differed from what was written down, `by` has said that it is right as it stands, and
    `nod` has agreed.
    """

    tiles: tuple[Standing, ...]
    latest: int | None = None
    by: str | None = None
    nod: str | None = None


@dataclass(frozen=True, slots=True)
class WorldChanged:
    """The true state of the virtual table, which the camera alone may look at."""

    world: Mapping[str, Any] = field(metadata={"secret": True})


@dataclass(frozen=True, slots=True)
class FilmsSet:
    """The host says what is wanted of films, from the next reveal on."""

    wishes: FilmWishes


RowEvent = RowRead | WorldChanged | FilmsSet | PushEvent


@dataclass(frozen=True, slots=True)
class RowTable(Table):
    """A table with a row on it.

    Attributes:
        row: the tiles as they were last read, left to right.
        latest: the value of the tile that came last.
        attempt: the push of this round, once one was asked for.
        forecast: what the model thought of the row before it.
        seen: what the camera made of it.
        pushes: how many pushes there were.
        world: the true state of the virtual table.
        films: what the host wants of films, None where the settings say it.
    """

    row: tuple[Standing, ...] = ()
    latest: int | None = None
    attempt: Attempt | None = None
    forecast: Forecast | None = None
    seen: Seen | None = None
    pushes: int = 0
    world: Mapping[str, Any] | None = None
    films: FilmWishes | None = None

    def film_wishes(self, usual: FilmWishes) -> FilmWishes:
        """What is wanted of films: the host's word, or else that of the settings."""
        return self.films or usual


T = TypeVar("T", bound=RowTable)


def fold_row(table: T, event: RowEvent) -> T:
    """Give the table after something happened to its row."""
    match event:
        case RowRead(tiles, latest):
            return replace(table, row=tiles, latest=latest)
        case WorldChanged(world):
            return replace(table, world=world)
        case FilmsSet(wishes):
            return replace(table, films=wishes)
        case _:
            return _pushed(table, event)


def cleared(table: T) -> T:
    """Forget the row and its push: a new round has its own."""
    return replace(table, row=(), latest=None, attempt=None, forecast=None, seen=None)


def _pushed(table: T, event: PushEvent) -> T:
    attempt = table.attempt
    match event:
        case PushRequested(number, end, value, forecast, kind):
            asked = Attempt(number, end, value, kind=kind)
            return replace(table, attempt=asked, forecast=forecast, pushes=number, seen=None)
        case PushBegun(number, _, _, picture, tile):
            table = replace(table, pictures=max(table.pictures, picture or 0))
            if attempt is None or attempt.number != number:
                return table
            return replace(table, attempt=replace(attempt, before=picture, tile=tile))
        case PushEnded(number, step, why, cause):
            if attempt is None or attempt.number != number:
                return table
            return replace(table, attempt=replace(attempt, step=step, why=why, cause=cause))
        case OutcomeSeen(seen, _):
            row = tuple(_at_rest(tile, seen) for tile in table.row)
            pictures = max(table.pictures, seen.picture or 0)
            return replace(table, seen=seen, row=row, pictures=pictures)
        case FallPhotographed(seen):
            return replace(table, seen=seen, pictures=max(table.pictures, seen.picture or 0))


def _at_rest(tile: Standing, seen: Seen) -> Standing:
    """A tile of the row after the push: where it lies, or where it stood if nobody can tell."""
    if tile.value not in seen.fallen:
        return replace(tile, state="standing")
    lies = next((t for t in seen.lying if t.value == tile.value), None)
    if lies is not None:
        return replace(lies, orientation=tile.orientation)
    # A low tile falls over its long edge, and lies across the way it fell.
    turn_deg = 90.0 if tile.orientation == "horizontal" else 0.0
    return replace(tile, state="fallen", heading_deg=tile.heading_deg + turn_deg)
