"""The picture that shows people what the camera saw of a fall."""

import math
from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from physics.chain import Chain
from physics.outcome import Outcome
from physics.pose import Point
from physics.tile import Orientation, Tile
from vision.calibration import CameraPose, Intrinsics, project
from vision.camera import Frame

Floats = NDArray[np.float64]
Image = NDArray[np.uint8]
Colour = tuple[int, int, int]

SIZE = (1120, 666)
MOST_BYTES = 150_000
LEAST_WIDE_PX = 560
"""The cut-out of a short row is no narrower than this, lest it be blown up into a blur."""

LAMP = (95, 199, 255)
CREAM = (216, 240, 253)
WALNUT = (18, 29, 42)
RIM = (10, 23, 42)
BADGE_PX = 32
BADGE_WIDE_PX = 44
BADGE_HIGH_PX = 58
ROUND_PX = 9
EDGE_PX = 18
INSET = 0.27
"""The row before the push is shown at this share of the picture's size."""
SCALE_MM = 50.0
LEADER_PX = 84
CLEAR_PX = 64
"""Badges keep this far from the middle of every tile."""
FINE = 4
"""Drawing places have so many fractional bits."""


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
    has a ring, and a broken line marks the gap before it, with its width. A bar gives the scale,
    and in the corner that is farthest from the row is the row before it was pushed.

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
        whole = cv2.resize(frame.image, SIZE, interpolation=cv2.INTER_AREA)
        return _jpeg(np.asarray(whole, np.uint8))
    at_size = intrinsics.at_size(frame.image.shape[1], frame.image.shape[0])
    cut = _Cut(frame.image, chain, pose, at_size)
    image = _lit(cut.image())
    stall = outcome.first_standing
    anchors = []
    for tile, down in zip(chain.tiles, outcome.fallen, strict=True):
        anchors.append(cut.spot(_fallen_middle(tile) if down else _upper_middle(tile)))
    if stall is not None:
        _line(image, cut.spots(_ring(chain.tiles[stall])), LAMP, 4)
    if stall:
        _break(image, cut, chain, stall, _outside(np.array(anchors)))
    badges = _badges(anchors)
    corners = _by_room([*anchors, *badges, *(cut.spot(_upper_middle(t)) for t in chain.tiles)])
    if before is not None:
        _inset(image, _lit(cut.of(before.image)), chain, cut, corners.pop(0))
    _scale(image, cut, chain, next(corner for corner in corners if corner[1] == 1))
    for tile, down, anchor, badge in zip(chain.tiles, outcome.fallen, anchors, badges, strict=True):
        _badge(image, tile.value, anchor, badge, stands=not down)
    return _jpeg(image)


class _Cut:
    """The part of a frame that is shown, and how table places lie in it."""

    def __init__(
        self, image: Image, chain: Chain, pose: CameraPose, intrinsics: Intrinsics
    ) -> None:
        self._image, self._pose, self._intrinsics = image, pose, intrinsics
        reach = [
            (x, y, z)
            for tile in chain.tiles
            for (x, y), z in (
                *((corner, tile.height_mm) for corner in tile.footprint.corners),
                (tile.pose.to_table(tile.height_mm, 0.0), 0.0),
            )
        ]
        seen = project(np.array(reach), pose, intrinsics)
        low, high = seen.min(axis=0), seen.max(axis=0)
        rows, columns = image.shape[:2]
        aspect = SIZE[0] / SIZE[1]
        wide = max(LEAST_WIDE_PX, 1.25 * (high[0] - low[0]) + 110)
        wide = max(wide, aspect * (1.25 * (high[1] - low[1]) + 110))
        wide = min(wide, columns, rows * aspect)
        size = np.array([wide, wide / aspect])
        room = np.array([columns, rows]) - size
        self._left_top = np.clip((low + high) / 2 - size / 2, 0, np.maximum(room, 0))
        self._scale = SIZE[0] / wide

    def image(self) -> Image:
        """The part, at the size of the picture."""
        return self.of(self._image)

    def of(self, image: Image) -> Image:
        """The same part of another frame."""
        scale = self._scale
        shift = -self._left_top * scale + (scale - 1) / 2
        move = np.array([[scale, 0, shift[0]], [0, scale, shift[1]]])
        cut = cv2.warpAffine(image, move, SIZE, flags=cv2.INTER_CUBIC)
        return np.asarray(cut, np.uint8)

    def spots(self, points_mm: Floats) -> Floats:
        """Where table places lie in the picture, px, shape (n, 2)."""
        seen = project(points_mm, self._pose, self._intrinsics)
        return np.asarray((seen - self._left_top + 0.5) * self._scale - 0.5)

    def spot(self, point_mm: tuple[float, float, float]) -> Point:
        """The same for one place."""
        x, y = self.spots(np.array([point_mm]))[0]
        return (float(x), float(y))


def _lit(image: Image) -> Image:
    """Let the lamp shine on the middle."""
    x = (np.arange(SIZE[0], dtype=np.float32) / SIZE[0] - 0.48) ** 2
    y = (np.arange(SIZE[1], dtype=np.float32) / SIZE[1] - 0.46) ** 2
    gain = np.clip(1.08 - 0.62 * (x[None, :] + y[:, None]), 0, 2)
    return np.asarray(np.clip(image * gain[..., None], 0, 255), np.uint8)


def _upper_middle(tile: Tile) -> tuple[float, float, float]:
    return (tile.pose.x_mm, tile.pose.y_mm, tile.height_mm)


def _fallen_middle(tile: Tile) -> tuple[float, float, float]:
    """About where the middle of a tile lies that fell down the row."""
    x, y = tile.pose.to_table(tile.height_mm / 2, 0.0)
    return (x, y, tile.spec.thickness_mm)


def _ring(tile: Tile) -> Floats:
    how = tile.orientation or Orientation.VERTICAL
    radius = tile.spec.face_mm(how) / 2 + 9.0
    turns = np.linspace(0, math.tau, 73)
    x = tile.pose.x_mm + radius * np.cos(turns)
    y = tile.pose.y_mm + radius * np.sin(turns)
    return np.column_stack([x, y, np.full(73, tile.height_mm)])


def _break(image: Image, cut: _Cut, chain: Chain, stall: int, outside: Floats) -> None:
    """Mark the gap that the wave did not get across."""
    before, after = chain.tiles[stall - 1], chain.tiles[stall]
    x = (before.pose.x_mm + after.pose.x_mm) / 2
    y = (before.pose.y_mm + after.pose.y_mm) / 2
    dx, dy = after.pose.x_mm - before.pose.x_mm, after.pose.y_mm - before.pose.y_mm
    length = math.hypot(dx, dy) or 1.0
    side = (-dy / length, dx / length)
    for share in np.linspace(-1, 1, 8)[:-1]:
        reach = [34.0 * share, 34.0 * (share + 0.17)]
        dash = np.array([(x + side[0] * e, y + side[1] * e, 0.0) for e in reach])
        _line(image, cut.spots(dash), (255, 255, 255), 4)
    gap_mm = before.footprint.distance_mm(after.footprint)
    ends = cut.spots(np.array([(x + side[0] * e, y + side[1] * e, 0.0) for e in (-46.0, 46.0)]))
    x_px, y_px = min(ends, key=lambda spot: float(spot @ outside))
    _plaque(image, f"{gap_mm:.0f} mm", (float(x_px), float(y_px)))


def _line(image: Image, spots: Floats, colour: tuple[int, int, int], width: int) -> None:
    path = [np.round(spots * (1 << FINE)).astype(np.int32)]
    cv2.polylines(image, path, False, RIM, width + 4, cv2.LINE_AA, FINE)
    cv2.polylines(image, path, False, colour, width, cv2.LINE_AA, FINE)


def _plaque(image: Image, text: str, middle: Point) -> None:
    wide = 15 * len(text) + 26
    x = min(max(middle[0], wide / 2 + 8), SIZE[0] - wide / 2 - 8)
    y = min(max(middle[1], 26.0), SIZE[1] - 26.0)
    ends = np.array([(x - wide / 2 + 20, y), (x + wide / 2 - 20, y)])
    path = [np.round(ends * (1 << FINE)).astype(np.int32)]
    cv2.polylines(image, path, False, LAMP, 42, cv2.LINE_AA, FINE)
    cv2.polylines(image, path, False, WALNUT, 38, cv2.LINE_AA, FINE)
    _write(image, text, (x, y), CREAM, 26)


def _badges(anchors: Sequence[Point]) -> list[Point]:
    """Places for the badges beside the row, apart from each other and within the picture."""
    spots = np.array(anchors)
    side = _outside(spots)
    places = spots + LEADER_PX * side
    edge = BADGE_PX + 10
    for _ in range(80):
        push = _apart(places, places, 2 * BADGE_PX + 7, side) / 2
        push += _apart(places, spots, CLEAR_PX, side) / 2
        places = np.clip(places + push, edge, np.array(SIZE) - edge)
        if np.abs(push).max() < 0.5:
            break
    return [(float(x), float(y)) for x, y in places]


def _outside(spots: Floats) -> Floats:
    """The side of the row to which it bulges; the upper one of a straight row."""
    way = spots[-1] - spots[0]
    length = float(np.linalg.norm(way))
    if length < 1.0:
        return np.array([0.0, -1.0])
    side = np.array([way[1], -way[0]]) / length
    bulge = float(((spots - spots[0]) @ side).mean())
    if abs(bulge) > 8.0:
        return side * math.copysign(1.0, bulge)
    return -side if side[1] > 0.2 or (side[1] > -0.2 and side[0] < 0) else side


def _apart(places: Floats, others: Floats, least_px: float, side: Floats) -> Floats:
    """How to move places so that they keep a least distance from others, shape (n, 2)."""
    away = places[:, None] - others[None]
    far = np.linalg.norm(away, axis=2, keepdims=True)
    if places is others:
        far[np.arange(len(places)), np.arange(len(places))] = np.inf
    unit = np.where(far > 1e-6, away / np.maximum(far, 1e-6), side)
    return np.asarray((unit * np.clip(least_px - far, 0.0, None)).sum(axis=1))


def _badge(image: Image, value: int | None, anchor: Point, middle: Point, stands: bool) -> None:
    """A little tile with the value, upright or lying, and a line to where its tile is."""
    _stroke(image, [anchor, middle], RIM, 5)
    _stroke(image, [anchor, middle], CREAM, 2)
    _dot(image, anchor, 6, RIM)
    _dot(image, anchor, 4, LAMP if stands else CREAM)
    wide, high = (BADGE_WIDE_PX, BADGE_HIGH_PX) if stands else (BADGE_HIGH_PX, BADGE_WIDE_PX)
    _box(image, middle, wide + 6, high + 6, RIM)
    _box(image, middle, wide, high, LAMP if stands else CREAM)
    x, y = middle
    text = "?" if value is None else str(value)
    tailed = value in (6, 9)
    _write(image, text, (x, y - 3) if tailed else middle, WALNUT, 32)
    if tailed:
        _stroke(image, [(x - 7, y + 15), (x + 7, y + 15)], WALNUT, 3)


def _by_room(spots: Sequence[Point]) -> list[tuple[int, int]]:
    """The corners of the picture, as 0 or 1 across and down, the one with most room first."""
    size = np.array(SIZE) * INSET
    places = np.array(spots)

    def room(corner: tuple[int, int]) -> float:
        middle = np.where(np.array(corner) == 0, size / 2, np.array(SIZE) - size / 2)
        return float((np.abs(places - middle) / size).max(axis=1).min())

    return sorted([(0, 0), (1, 0), (0, 1), (1, 1)], key=room, reverse=True)


def _inset(image: Image, whole: Image, chain: Chain, cut: _Cut, corner: tuple[int, int]) -> None:
    """Lay the row as it was before, small, into a corner: all tiles upright, with their values."""
    for tile in chain.tiles:
        x, y = cut.spot(_upper_middle(tile))
        _dot(whole, (x, y), 30, RIM)
        _dot(whole, (x, y), 26, CREAM)
        _write(whole, "?" if tile.value is None else str(tile.value), (x, y), WALNUT, 36)
    wide, high = round(SIZE[0] * INSET), round(SIZE[1] * INSET)
    small = cv2.resize(whole, (wide, high), interpolation=cv2.INTER_AREA)
    left = EDGE_PX if corner[0] == 0 else SIZE[0] - wide - EDGE_PX
    top = EDGE_PX if corner[1] == 0 else SIZE[1] - high - EDGE_PX
    middle = (left + wide / 2, top + high / 2)
    _box(image, middle, wide + 12, high + 12, RIM)
    _box(image, middle, wide + 6, high + 6, CREAM)
    image[top : top + high, left : left + wide] = small


def _scale(image: Image, cut: _Cut, chain: Chain, corner: tuple[int, int]) -> None:
    """A bar of 50 mm, as long as at the middle of the row."""
    middle = chain.tiles[len(chain.tiles) // 2].pose
    ends = cut.spots(
        np.array([(middle.x_mm + e, middle.y_mm, 0.0) for e in (-SCALE_MM / 2, SCALE_MM / 2)])
    )
    long = float(np.linalg.norm(ends[1] - ends[0]))
    left = EDGE_PX + 20 if corner[0] == 0 else SIZE[0] - EDGE_PX - 20 - long
    y = SIZE[1] - EDGE_PX - 16.0
    ticks = [[(x, y - 9), (x, y + 9)] for x in (left, left + long)]
    for path in ([(left, y), (left + long, y)], *ticks):
        _stroke(image, path, RIM, 7)
    for path in ([(left, y), (left + long, y)], *ticks):
        _stroke(image, path, CREAM, 3)
    _plaque(image, f"{SCALE_MM:.0f} mm", (left + long / 2, y - 36))


def _stroke(image: Image, path: Sequence[Point], colour: Colour, width: int) -> None:
    fine = [np.round(np.array(path) * (1 << FINE)).astype(np.int32)]
    cv2.polylines(image, fine, False, colour, width, cv2.LINE_AA, FINE)


def _dot(image: Image, middle: Point, radius: int, colour: Colour) -> None:
    centre = (round(middle[0] * (1 << FINE)), round(middle[1] * (1 << FINE)))
    cv2.circle(image, centre, radius << FINE, colour, -1, cv2.LINE_AA, FINE)


def _box(image: Image, middle: Point, wide: float, high: float, colour: Colour) -> None:
    """A filled box with round corners."""
    x, y, r = wide / 2 - ROUND_PX, high / 2 - ROUND_PX, ROUND_PX
    turns = np.linspace(0, math.tau, 33)[:-1]
    ring = np.column_stack([r * np.cos(turns), r * np.sin(turns)])
    ring += np.sign(np.round(ring, 6)) * (x, y) + middle
    cv2.fillConvexPoly(
        image, np.round(ring * (1 << FINE)).astype(np.int32), colour, cv2.LINE_AA, FINE
    )


def _write(
    image: Image, text: str, middle: Point, colour: tuple[int, int, int], size_px: int
) -> None:
    font = cv2.FontFace("sans")
    width = cv2.getTextSize(SIZE, text, (0, 0), font, size_px, 700)[2]
    start = (round(middle[0] - width / 2), round(middle[1] + 0.36 * size_px))
    cv2.putText(image, text, start, colour, font, size_px, 700)


def _jpeg(image: Image) -> bytes:
    for quality in (88, 80, 70, 55, 40, 25):
        data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, quality])[1].tobytes()
        if len(data) <= MOST_BYTES:
            break
    return data
