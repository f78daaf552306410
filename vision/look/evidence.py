"""The picture that shows people what the camera saw of a fall."""

import math
from collections.abc import Sequence

import cv2
import numpy as np

from physics.row.chain import Chain, whole_mm
from physics.row.outcome import Outcome
from physics.row.pose import Point
from physics.row.tile import Orientation, Tile
from vision.arrays import Floats, Image
from vision.capture.camera import Frame
from vision.geometry.camera_pose import CameraPose
from vision.geometry.lens import Intrinsics
from vision.look import overlay
from vision.look.overlay import STYLE, Cut


def evidence(
    frame: Frame,
    chain: Chain,
    outcome: Outcome,
    pose: CameraPose | None,
    intrinsics: Intrinsics,
    before: Frame | None = None,
) -> bytes:
    """Cut the row out of a frame and draw over it what was seen.

    Standing tiles have a bright upright badge, fallen ones a pale lying one; the first that stands
    has a ring, and beside the gap before it lies a bar of its length, with its width. Another bar
    gives the scale. In the corner that is farthest from the row is the row before it was pushed.

    Args:
        frame: the row at rest.
        chain: the row as it stood, from the pushed end.
        outcome: what fell, in the same order.
        pose: where the camera is; None leaves the frame whole and bare.
        intrinsics: its lens.
        before: the row before the push, seen from the same place; None leaves that corner free.

    Returns:
        A JPEG of at most 150 kB.
    """
    if pose is None or not chain.tiles:
        return overlay.whole(frame.image, STYLE.evidence_bytes)
    cut = Cut(frame.image, chain.tiles, pose, intrinsics)
    image = overlay.lit(cut.image())
    stall = outcome.first_standing
    anchors = []
    for tile, down in zip(chain.tiles, outcome.fallen, strict=True):
        anchors.append(cut.spot(_fallen_middle(tile) if down else _upper_middle(tile)))
    if stall is not None:
        overlay.line(image, cut.spots(_ring(chain.tiles[stall])), STYLE.lamp_bgr, STYLE.line_px)
    badges = overlay.badge_places(anchors)
    taken = [*anchors, *badges, *(cut.spot(_upper_middle(tile)) for tile in chain.tiles)]
    if stall:
        taken.append(_measure(image, cut, chain, stall, overlay.outside(np.array(anchors))))
    corners = _by_room(taken)
    if before is not None:
        _inset(image, overlay.lit(cut.of(before.image)), chain, cut, corners.pop(0))
    _scale(image, cut, chain, next(corner for corner in corners if corner[1] == 1))
    for tile, down, anchor, badge in zip(chain.tiles, outcome.fallen, anchors, badges, strict=True):
        overlay.badge(image, tile.value, anchor, badge, stands=not down)
    return overlay.jpeg(image, STYLE.evidence_bytes)


def before_push(frame: Frame, chain: Chain, pose: CameraPose, intrinsics: Intrinsics) -> bytes:
    """Cut the standing row out of a frame, just as `evidence` does for what becomes of it.

    Args:
        frame: the row before it is pushed.
        chain: the row.
        pose: where the camera is.
        intrinsics: its lens.

    Returns:
        A JPEG of at most 150 kB that shows the same part of the table.
    """
    return photographed(frame, [(tile, True) for tile in chain.tiles], pose, intrinsics)


def photographed(
    frame: Frame, told: Sequence[tuple[Tile, bool]], pose: CameraPose, intrinsics: Intrinsics
) -> bytes:
    """Cut the row out of a photo by hand and draw over it what the photo tells.

    Args:
        frame: the photo.
        told: the tiles of which it tells, as they stood, and whether they still stand; without any
            the whole photo is shown.
        pose: where it was taken.
        intrinsics: its lens.

    Returns:
        A JPEG of at most 150 kB.
    """
    if not told:
        rows, columns = frame.image.shape[:2]
        share = min(1.0, min(STYLE.size_px) / max(rows, columns))
        whole = cv2.resize(frame.image, None, fx=share, fy=share, interpolation=cv2.INTER_AREA)
        return overlay.jpeg(np.asarray(whole, np.uint8), STYLE.evidence_bytes)
    cut = Cut(frame.image, [tile for tile, _ in told], pose, intrinsics)
    image = overlay.lit(cut.image())
    anchors = [cut.spot(_upper_middle(t) if up else _fallen_middle(t)) for t, up in told]
    for (tile, up), anchor, place in zip(told, anchors, overlay.badge_places(anchors), strict=True):
        overlay.badge(image, tile.value, anchor, place, stands=up)
    return overlay.jpeg(image, STYLE.evidence_bytes)


def _upper_middle(tile: Tile) -> tuple[float, float, float]:
    return (tile.pose.x_mm, tile.pose.y_mm, tile.height_mm)


def _fallen_middle(tile: Tile) -> tuple[float, float, float]:
    """About where the middle of a tile lies that fell down the row."""
    x, y = tile.pose.to_table(tile.height_mm / 2, 0.0)
    return (x, y, tile.spec.thickness_mm)


def _ring_mm(tile: Tile) -> float:
    """Radius of the ring round a tile."""
    return tile.spec.face_mm(tile.orientation or Orientation.VERTICAL) / 2 + STYLE.ring_mm


def _ring(tile: Tile) -> Floats:
    radius = _ring_mm(tile)
    turns = np.linspace(0, math.tau, STYLE.ring_points + 1)
    x = tile.pose.x_mm + radius * np.cos(turns)
    y = tile.pose.y_mm + radius * np.sin(turns)
    return np.column_stack([x, y, np.full(len(turns), tile.height_mm)])


def _measure(image: Image, cut: Cut, chain: Chain, stall: int, outside: Floats) -> Point:
    """Measure the gap that the wave did not get across, and tell where that is written.

    The bar lies along the row from face to face, clear of the ring and of the tile that lies there.
    """
    before, after = chain.tiles[stall - 1], chain.tiles[stall]
    ends = np.array([(tile.pose.x_mm, tile.pose.y_mm) for tile in (before, after)])
    middle, way = ends.mean(axis=0), ends[1] - ends[0]
    along = way / (float(np.linalg.norm(way)) or 1.0)
    side = np.array([-along[1], along[0]])
    clear_mm = _ring_mm(after) + STYLE.gap_clear_mm
    half = along * chain.gaps_mm[stall - 1] / 2

    def spots(away: float) -> Floats:
        across = middle + away * side
        return cut.spots(np.array([(*(across - half), 0.0), (*(across + half), 0.0)]))

    bar = min((spots(away) for away in (-clear_mm, clear_mm)), key=lambda b: float(b[0] @ outside))
    out = bar.mean(axis=0) - spots(0.0).mean(axis=0)
    out /= float(np.linalg.norm(out)) or 1.0
    tick = STYLE.gap_tick_px * out
    ticks = [np.array([end - tick, end + tick]) for end in bar]
    wide = STYLE.gap_wide_px
    for wide_px, colour in ((wide + STYLE.line_rim_px, STYLE.rim_bgr), (wide, STYLE.white_bgr)):
        for path in (bar, *ticks):
            overlay.stroke(image, path, colour, wide_px)
    words = f"{whole_mm(chain.gaps_mm[stall - 1])} mm"
    far = STYLE.gap_tick_px + STYLE.gap_words_px + float(np.abs(out) @ overlay.half_plaque(words))
    x, y = bar.mean(axis=0) + far * out
    overlay.plaque(image, words, (float(x), float(y)))
    return (float(x), float(y))


def _by_room(spots: Sequence[Point]) -> list[tuple[int, int]]:
    """The corners of the picture, as 0 or 1 across and down, the one with most room first."""
    size = np.array(STYLE.size_px) * STYLE.inset_share
    places = np.array(spots)

    def room(corner: tuple[int, int]) -> float:
        middle = np.where(np.array(corner) == 0, size / 2, np.array(STYLE.size_px) - size / 2)
        return float((np.abs(places - middle) / size).max(axis=1).min())

    return sorted([(0, 0), (1, 0), (0, 1), (1, 1)], key=room, reverse=True)


def _inset(image: Image, whole: Image, chain: Chain, cut: Cut, corner: tuple[int, int]) -> None:
    """Lay the row as it was before, small, into a corner: all tiles upright, with their values."""
    for tile in chain.tiles:
        x, y = cut.spot(_upper_middle(tile))
        overlay.dot(whole, (x, y), STYLE.inset_dot_px[0], STYLE.rim_bgr)
        overlay.dot(whole, (x, y), STYLE.inset_dot_px[1], STYLE.cream_bgr)
        text = "?" if tile.value is None else str(tile.value)
        overlay.write(whole, text, (x, y), STYLE.walnut_bgr, STYLE.inset_text_px)
    wide, high = (round(side * STYLE.inset_share) for side in STYLE.size_px)
    small = cv2.resize(whole, (wide, high), interpolation=cv2.INTER_AREA)
    left = STYLE.edge_px if corner[0] == 0 else STYLE.size_px[0] - wide - STYLE.edge_px
    top = STYLE.edge_px if corner[1] == 0 else STYLE.size_px[1] - high - STYLE.edge_px
    middle = (left + wide / 2, top + high / 2)
    for rim, colour in zip(STYLE.inset_rims_px, (STYLE.rim_bgr, STYLE.cream_bgr), strict=True):
        overlay.box(image, middle, wide + rim, high + rim, colour)
    image[top : top + high, left : left + wide] = small


def _scale(image: Image, cut: Cut, chain: Chain, corner: tuple[int, int]) -> None:
    """A bar of 50 mm, as long as at the middle of the row."""
    middle = chain.tiles[len(chain.tiles) // 2].pose
    half = STYLE.scale_mm / 2
    ends = cut.spots(np.array([(middle.x_mm + e, middle.y_mm, 0.0) for e in (-half, half)]))
    long = float(np.linalg.norm(ends[1] - ends[0]))
    beside, above = (STYLE.edge_px + more for more in STYLE.scale_clear_px)
    left = beside if corner[0] == 0 else STYLE.size_px[0] - beside - long
    y = STYLE.size_px[1] - above
    tick = STYLE.scale_tick_px
    ticks = [[(x, y - tick), (x, y + tick)] for x in (left, left + long)]
    colours = (STYLE.rim_bgr, STYLE.cream_bgr)
    for wide_px, colour in zip(STYLE.scale_wide_px, colours, strict=True):
        for path in ([(left, y), (left + long, y)], *ticks):
            overlay.stroke(image, path, colour, wide_px)
    words = (left + long / 2, y - STYLE.scale_words_px)
    overlay.plaque(image, f"{STYLE.scale_mm:.0f} mm", words)
