"""The marks of tiles of any size: what the printed geometry of the standard tile is made by."""

from physics.row.tile import TileSpec
from vision.marks.sticker import CELLS, BadMarks, MarkSet, Sticker, load_marks

ENDS_MM = 0.4
"""Left free at either end of an edge, for the bevel and for hands that are not exact."""
SIDES_MM = 0.35
RIM_ENDS_MM = 0.9
"""White between the ends of the paper and the black body; keeps touching tiles apart."""
RIM_SIDES_MM = 0.8
END_WALL_MM = 1.7
WALL_MM = 1.4
"""Black above and below a window; a thinner one is not closed in a blurred picture."""
LEAST_MM = 1.5
"""Three pixels of a 1080p camera that has the whole mat in view."""


def marks_for(spec: TileSpec) -> MarkSet:
    """Give the marks that a tile has room for.

    Args:
        spec: the tile's size.

    Raises:
        BadMarks: its edges are too small for marks that a camera could read.

    >>> marks_for(TileSpec()).short.body_mm
    (21.4, 5.2)
    """
    return MarkSet(
        load_marks().words, _sticker(spec.width_mm, spec), _sticker(spec.length_mm, spec)
    )


def _sticker(edge_mm: float, spec: TileSpec) -> Sticker:
    length, width = edge_mm - 2 * ENDS_MM, spec.thickness_mm - 2 * SIDES_MM
    body = length - 2 * RIM_ENDS_MM, width - 2 * RIM_SIDES_MM
    cell, window = (body[0] - 2 * END_WALL_MM) / CELLS, body[1] - 2 * WALL_MM
    if min(cell, window) < LEAST_MM:
        edge = LEAST_MM * CELLS + 2 * (END_WALL_MM + RIM_ENDS_MM + ENDS_MM)
        thick = LEAST_MM + 2 * (WALL_MM + RIM_SIDES_MM + SIDES_MM)
        raise BadMarks(
            f"tiles of {spec.length_mm:g} x {spec.width_mm:g} x {spec.thickness_mm:g} mm have no "
            f"room for marks that a camera can read: edges must be at least {edge:g} mm long and "
            f"{thick:g} mm thick; play them without marks"
        )
    return Sticker(
        edge_mm,
        (_micron(length), _micron(width)),
        (_micron(body[0]), _micron(body[1])),
        END_WALL_MM,
        cell,
        _micron(window),
    )


def _micron(length_mm: float) -> float:
    """Without the dust of floating point, so that sizes are told as they are meant."""
    return round(length_mm, 3)
