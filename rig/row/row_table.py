"""The table of Estimation Domino: the row as last read, the push, calls that wait. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from rig.games.estimation.game import Game
from rig.games.estimation.terms import Phase
from rig.row.push_events import (
    Attempt,
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
class PhotoFinishSet:
    """The table hears calls for so many seconds before one counts; 0 = the first that arrives."""

    window_s: float


@dataclass(frozen=True, slots=True)
class Shouted:
    """A call was heard and waits for those that may have been pressed before it.

    Attributes:
        seat: who called.
        at_s: when it arrived, in seconds since 1970.
        pressed_s: when the phone says that it was pressed, never outside the moment it waits.
        step: the step of the table it belongs to.
    """

    seat: str
    at_s: float
    pressed_s: float
    step: int


@dataclass(frozen=True, slots=True)
class ShoutsForgotten:
    """None of the calls that were heard could count any more."""


FinishEvent = PhotoFinishSet | Shouted | ShoutsForgotten
RowEvent = RowRead | WorldChanged | PushEvent | FinishEvent


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
        shouts: calls that wait to be told apart.
        photo_finish_s: how long calls are heard, None where the settings say it.
        skips: turns that were skipped one after the other.
    """

    game: Game = field(default_factory=Game)
    row: tuple[Standing, ...] = ()
    latest: int | None = None
    attempt: Attempt | None = None
    forecast: Forecast | None = None
    seen: Seen | None = None
    pushes: int = 0
    world: Mapping[str, Any] | None = None
    shouts: tuple[Shouted, ...] = ()
    photo_finish_s: float | None = None
    skips: int = 0

    @property
    def phase(self) -> Phase:
        """The game's phase."""
        return self.game.phase


def fold_row(table: RowTable, event: RowEvent) -> RowTable:
    """Give the table after something happened to its row."""
    match event:
        case RowRead(tiles, latest):
            return replace(table, row=tiles, latest=latest)
        case WorldChanged(world):
            return replace(table, world=world)
        case PhotoFinishSet(window_s):
            return replace(table, photo_finish_s=window_s)
        case Shouted():
            return replace(table, shouts=(*table.shouts, event))
        case ShoutsForgotten():
            return replace(table, shouts=())
        case _:
            return _pushed(table, event)


def cleared(table: RowTable) -> RowTable:
    """Forget the row and its push: a new round has its own."""
    return replace(table, row=(), latest=None, attempt=None, forecast=None, seen=None, shouts=())


def _pushed(table: RowTable, event: PushEvent) -> RowTable:
    attempt = table.attempt
    match event:
        case PushRequested(number, end, value, forecast, kind):
            asked = Attempt(number, end, value, kind=kind)
            return replace(table, attempt=asked, forecast=forecast, pushes=number, seen=None)
        case PushBegun(number, _, _, picture):
            table = replace(table, pictures=max(table.pictures, picture or 0))
            if attempt is None or attempt.number != number:
                return table
            return replace(table, attempt=replace(attempt, before=picture))
        case PushEnded(number, step, why, cause):
            if attempt is None or attempt.number != number:
                return table
            return replace(table, attempt=replace(attempt, step=step, why=why, cause=cause))
        case OutcomeSeen(seen, _):
            row = tuple(_at_rest(tile, seen) for tile in table.row)
            pictures = max(table.pictures, seen.picture or 0)
            return replace(table, seen=seen, row=row, pictures=pictures)


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
