"""Checks one measured tile: impossible sizes are refused, unusual ones get a warning."""

import math
from decimal import Decimal

from rig.errors import RigError
from rig.setup.plan.facts import Mark, Point

LIMITS: dict[str, tuple[float, float]] = {
    "length": (20.0, 100.0),
    "width": (10.0, 60.0),
    "thickness": (3.0, 30.0),
    "weight": (0.5, 200.0),
}
"""What can be set up and read at all: millimetres, and grams."""
LIGHT, HEAVY = 0.35, 3.0
"""Densities in g/cm3 between which woods, plastics and stones of dominoes lie."""
THIN = 0.06
THICK = 0.75
"""Limits of thickness over length: a thinner tile hardly stands, a thicker one hardly falls."""
STANDARD = (48.0, 24.0, 7.5, 8.0)


class NoTile(RigError):
    """No tile can have these measures; nothing was stored."""

    def __init__(self, point: Point, message: str) -> None:
        super().__init__(message)
        self.point = point


def density(tile: tuple[float, float, float, float]) -> float:
    """Its density, in g/cm³.

    >>> round(density(STANDARD), 2)
    0.93
    """
    length, width, thickness, weight = tile
    return weight / (length * width * thickness / 1000)


def checked(tile: tuple[float, float, float, float]) -> tuple[Point, ...]:
    """Say what is odd about a measured tile.

    Args:
        tile: length, width, thickness in mm and weight in g.

    Raises:
        NoTile: no tile can have these measures; the point says which one to take again.
    """
    for (name, (low, high)), value in zip(LIMITS.items(), tile, strict=True):
        if not math.isfinite(value) or not low <= value <= high:
            limits = {"low": Decimal(f"{low:g}"), "high": Decimal(f"{high:g}")}
            point = Point(Mark.FAILED, f"tiles.range.{name}", limits)
            raise NoTile(point, f"{name} = {value:g}: expected {low:g} to {high:g}")
    length, width, thickness, _ = tile
    if not length > width > thickness:
        message = "length, width and thickness: the longest comes first and the shortest last"
        raise NoTile(Point(Mark.FAILED, "tiles.order"), message)
    said = [Point(Mark.FINE, "tiles.measured", _as_words(tile))]
    if not LIGHT <= (heavy := density(tile)) <= HEAVY:
        which = "light" if heavy < LIGHT else "heavy"
        said.append(Point(Mark.TODO, f"tiles.{which}", {"density": Decimal(f"{heavy:.2f}")}))
    share = thickness / length
    if not THIN <= share <= THICK:
        which = "thin" if share < THIN else "thick"
        said.append(Point(Mark.TODO, f"tiles.{which}", {}))
    if not 1.5 <= length / width <= 2.6:
        said.append(Point(Mark.TODO, "tiles.shape", {"ratio": Decimal(f"{length / width:.1f}")}))
    return tuple(said)


def _as_words(tile: tuple[float, float, float, float]) -> dict[str, Decimal]:
    length, width, thickness, weight = (Decimal(f"{value:g}") for value in tile)
    return {"length": length, "width": width, "thickness": thickness, "weight": weight}
