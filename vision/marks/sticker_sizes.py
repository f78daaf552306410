"""The marks of tiles of any size: what the printed geometry of the standard tile is made by."""

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from physics.row.tile import STANDARD, TileSpec
from vision.marks.sticker import CELLS, BadMarks, MarkSet, Sticker, load_marks


@dataclass(frozen=True, slots=True)
class StickerRule:
    """How the shipped marks for the standard tile are made, and those for any other.

    These are the lengths of the shipped marks; not studied for other sizes.
    """

    ends_mm: float = 0.4
    """Left free at either end of an edge, mm, for the bevel and for hands that are not exact."""
    sides_mm: float = 0.35
    """Left free at either side of it, mm."""
    rim_ends_mm: float = 0.9
    """White between the ends of the paper and the black body, mm; keeps touching tiles apart."""
    rim_sides_mm: float = 0.8
    """White between its sides and the body, mm."""
    end_wall_mm: float = 1.7
    """Black at either end of the row of cells, mm."""
    wall_mm: float = 1.4
    """Black above and below a window, mm; a thinner one is not closed in a blurred picture."""
    least_mm: float = 1.5
    """Least side of a cell, mm: three pixels of a 1080p camera that has the whole mat in view."""


RULE = StickerRule()
STANDARD_MARKS = "standard"
"""What settings and options call the marks of the standard tile, on tiles of another size."""


def marks_for(spec: TileSpec, rule: StickerRule = RULE) -> MarkSet:
    """Give the marks that a tile has room for.

    Args:
        spec: the tile's size.
        rule: see `StickerRule`.

    Raises:
        BadMarks: its edges are too small for marks that a camera could read.

    >>> marks_for(TileSpec()).short.body_mm
    (21.4, 5.2)
    """
    return MarkSet(
        load_marks().words,
        _sticker(spec.width_mm, spec, rule),
        _sticker(spec.length_mm, spec, rule),
    )


@lru_cache(maxsize=8)
def marks_on(spec: TileSpec, setting: str = "") -> MarkSet:
    """Give the marks that tiles carry.

    Args:
        spec: the tiles' size.
        setting: "" for the marks that are printed for this size, `standard` for those of the
            standard tile whatever the size, or a file of marks. Tiles without room for marks carry
            none; then it does not matter which are looked for.

    Raises:
        BadMarks: the file cannot be used.
    """
    if setting not in ("", STANDARD_MARKS):
        return load_marks(Path(setting))
    if setting == STANDARD_MARKS or spec == STANDARD:
        return load_marks()
    try:
        return marks_for(spec)
    except BadMarks:
        return load_marks()


def _sticker(edge_mm: float, spec: TileSpec, rule: StickerRule) -> Sticker:
    length, width = edge_mm - 2 * rule.ends_mm, spec.thickness_mm - 2 * rule.sides_mm
    body = length - 2 * rule.rim_ends_mm, width - 2 * rule.rim_sides_mm
    cell, window = (body[0] - 2 * rule.end_wall_mm) / CELLS, body[1] - 2 * rule.wall_mm
    if min(cell, window) < rule.least_mm:
        edge = rule.least_mm * CELLS + 2 * (rule.end_wall_mm + rule.rim_ends_mm + rule.ends_mm)
        thick = rule.least_mm + 2 * (rule.wall_mm + rule.rim_sides_mm + rule.sides_mm)
        raise BadMarks(
            f"tiles of {spec.length_mm:g} x {spec.width_mm:g} x {spec.thickness_mm:g} mm have no "
            f"room for marks that a camera can read: edges must be at least {edge:g} mm long and "
            f"{thick:g} mm thick; play them without marks"
        )
    return Sticker(
        edge_mm,
        (_micron(length), _micron(width)),
        (_micron(body[0]), _micron(body[1])),
        rule.end_wall_mm,
        cell,
        _micron(window),
    )


def _micron(length_mm: float) -> float:
    """Without the dust of floating point, so that sizes are told as they are meant."""
    return round(length_mm, 3)
