"""What is drawn over camera pictures: the part that is cut out, lines, plaques and badges."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from physics.row.pose import Point
from physics.row.tile import Tile
from vision.arrays import Floats, Image
from vision.geometry.camera_pose import CameraPose, project
from vision.geometry.lens import Intrinsics

Colour = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class PictureStyle:
    """How pictures for people look; set by eye."""

    size_px: tuple[int, int] = (1120, 666)
    """Width and height, px."""
    letter_share: float = 0.58
    """Width that a letter may take, as a share of the height of its line: fonts differ from version
    to version of OpenCV."""
    least_wide_px: int = 560
    """Width of the part that is cut out, at least, px: a short row is not blown up to a blur."""
    lamp_bgr: Colour = (95, 199, 255)
    cream_bgr: Colour = (216, 240, 253)
    walnut_bgr: Colour = (18, 29, 42)
    rim_bgr: Colour = (10, 23, 42)
    badge_px: int = 32
    """Half the room that a badge takes, px."""
    badge_wide_px: int = 44
    """Width of an upright badge, px."""
    badge_high_px: int = 58
    """Its height, px."""
    round_px: int = 9
    """Radius of round corners, px."""
    leader_px: int = 84
    """How far from its tile a badge is put at first, px."""
    clear_px: int = 64
    """How far badges keep from the middle of every tile, px."""
    fine_bits: int = 4
    """Fractional bits of the places that are drawn, count."""
    edge_px: int = 18
    """How far the inset and the scale keep from the edge of the picture, px."""
    inset_share: float = 0.27
    """Size of the row before the push, as a share of the picture's."""
    scale_mm: float = 50.0
    """Length of the scale, mm."""
    evidence_bytes: int = 150_000
    """A picture of a fall is no larger, bytes."""
    dash_px: float = 12.0
    """Length of a dash, px."""
    arrow_px: float = 14.0
    """Length of the head of an arrow, px."""
    near_px: float = 10.0
    """A tile that has moved by less on the picture needs no arrow, px."""
    pointing_bytes: int = 100_000
    """A picture that points at tiles is no larger, bytes."""


STYLE = PictureStyle()


class Cut:
    """The part of a frame that is shown, and how table places lie in it.

    Args:
        image: the frame.
        tiles: what has to be in it, standing or fallen down the row.
        pose: where the camera is.
        intrinsics: its lens, at the size of the frame.
    """

    def __init__(
        self, image: Image, tiles: Sequence[Tile], pose: CameraPose, intrinsics: Intrinsics
    ) -> None:
        self._image, self._pose, self._intrinsics = image, pose, intrinsics
        reach = [
            (x, y, z)
            for tile in tiles
            for (x, y), z in (
                *((corner, tile.height_mm) for corner in tile.footprint.corners),
                (tile.pose.to_table(tile.height_mm, 0.0), 0.0),
            )
        ]
        seen = project(np.array(reach), pose, intrinsics)
        low, high = seen.min(axis=0), seen.max(axis=0)
        rows, columns = image.shape[:2]
        aspect = STYLE.size_px[0] / STYLE.size_px[1]
        wide = max(STYLE.least_wide_px, 1.25 * (high[0] - low[0]) + 110)
        wide = max(wide, aspect * (1.25 * (high[1] - low[1]) + 110))
        wide = min(wide, columns, rows * aspect)
        size = np.array([wide, wide / aspect])
        room = np.array([columns, rows]) - size
        self._left_top = np.clip((low + high) / 2 - size / 2, 0, np.maximum(room, 0))
        self._scale = STYLE.size_px[0] / wide

    def image(self) -> Image:
        """The part, at the size of the picture."""
        return self.of(self._image)

    def of(self, image: Image) -> Image:
        """The same part of another frame."""
        scale = self._scale
        shift = -self._left_top * scale + (scale - 1) / 2
        move = np.array([[scale, 0, shift[0]], [0, scale, shift[1]]])
        cut = cv2.warpAffine(image, move, STYLE.size_px, flags=cv2.INTER_CUBIC)
        return np.asarray(cut, np.uint8)

    def spots(self, points_mm: Floats) -> Floats:
        """Where table places lie in the picture, px, shape (n, 2)."""
        seen = project(points_mm, self._pose, self._intrinsics)
        return np.asarray((seen - self._left_top + 0.5) * self._scale - 0.5)

    def spot(self, point_mm: tuple[float, float, float]) -> Point:
        """The same for one place."""
        x, y = self.spots(np.array([point_mm]))[0]
        return (float(x), float(y))


def lit(image: Image) -> Image:
    """Let the lamp shine on the middle."""
    x = (np.arange(STYLE.size_px[0], dtype=np.float32) / STYLE.size_px[0] - 0.48) ** 2
    y = (np.arange(STYLE.size_px[1], dtype=np.float32) / STYLE.size_px[1] - 0.46) ** 2
    gain = np.clip(1.08 - 0.62 * (x[None, :] + y[:, None]), 0, 2)
    return np.asarray(np.clip(image * gain[..., None], 0, 255), np.uint8)


def line(image: Image, spots: Floats, colour: Colour, width: int) -> None:
    """Draw a line with a dark rim through places of the picture, shape (n, 2)."""
    path = [np.round(spots * (1 << STYLE.fine_bits)).astype(np.int32)]
    cv2.polylines(image, path, False, STYLE.rim_bgr, width + 4, cv2.LINE_AA, STYLE.fine_bits)
    cv2.polylines(image, path, False, colour, width, cv2.LINE_AA, STYLE.fine_bits)


def plaque(image: Image, text: str, middle: Point) -> None:
    """Write a few words on walnut, wholly inside the picture."""
    wide = 15 * len(text) + 26
    x = min(max(middle[0], wide / 2 + 8), STYLE.size_px[0] - wide / 2 - 8)
    y = min(max(middle[1], 26.0), STYLE.size_px[1] - 26.0)
    ends = np.array([(x - wide / 2 + 20, y), (x + wide / 2 - 20, y)])
    path = [np.round(ends * (1 << STYLE.fine_bits)).astype(np.int32)]
    cv2.polylines(image, path, False, STYLE.lamp_bgr, 42, cv2.LINE_AA, STYLE.fine_bits)
    cv2.polylines(image, path, False, STYLE.walnut_bgr, 38, cv2.LINE_AA, STYLE.fine_bits)
    write(image, text, (x, y), STYLE.cream_bgr, 26)


def badge_places(anchors: Sequence[Point]) -> list[Point]:
    """Places for the badges beside the row, apart from each other and within the picture."""
    spots = np.array(anchors)
    side = outside(spots)
    places = spots + STYLE.leader_px * side
    edge = STYLE.badge_px + 10
    for _ in range(80):
        push = _apart(places, places, 2 * STYLE.badge_px + 7, side) / 2
        push += _apart(places, spots, STYLE.clear_px, side) / 2
        places = np.clip(places + push, edge, np.array(STYLE.size_px) - edge)
        if np.abs(push).max() < 0.5:
            break
    return [(float(x), float(y)) for x, y in places]


def outside(spots: Floats) -> Floats:
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


def badge(image: Image, value: int | None, anchor: Point, middle: Point, stands: bool) -> None:
    """A little tile with the value, upright or lying, and a line to where its tile is."""
    stroke(image, [anchor, middle], STYLE.rim_bgr, 5)
    stroke(image, [anchor, middle], STYLE.cream_bgr, 2)
    dot(image, anchor, 6, STYLE.rim_bgr)
    dot(image, anchor, 4, STYLE.lamp_bgr if stands else STYLE.cream_bgr)
    wide, high = (
        (STYLE.badge_wide_px, STYLE.badge_high_px)
        if stands
        else (STYLE.badge_high_px, STYLE.badge_wide_px)
    )
    box(image, middle, wide + 6, high + 6, STYLE.rim_bgr)
    box(image, middle, wide, high, STYLE.lamp_bgr if stands else STYLE.cream_bgr)
    x, y = middle
    text = "?" if value is None else str(value)
    tailed = value in (6, 9)
    write(image, text, (x, y - 3) if tailed else middle, STYLE.walnut_bgr, 32)
    if tailed:
        stroke(image, [(x - 7, y + 15), (x + 7, y + 15)], STYLE.walnut_bgr, 3)


def stroke(image: Image, path: Sequence[Point], colour: Colour, width: int) -> None:
    """Draw a line through places of the picture."""
    fine = [np.round(np.array(path) * (1 << STYLE.fine_bits)).astype(np.int32)]
    cv2.polylines(image, fine, False, colour, width, cv2.LINE_AA, STYLE.fine_bits)


def dot(image: Image, middle: Point, radius: int, colour: Colour) -> None:
    """Draw a filled disc."""
    centre = (round(middle[0] * (1 << STYLE.fine_bits)), round(middle[1] * (1 << STYLE.fine_bits)))
    cv2.circle(image, centre, radius << STYLE.fine_bits, colour, -1, cv2.LINE_AA, STYLE.fine_bits)


def box(image: Image, middle: Point, wide: float, high: float, colour: Colour) -> None:
    """A filled box with round corners."""
    x, y, r = wide / 2 - STYLE.round_px, high / 2 - STYLE.round_px, STYLE.round_px
    turns = np.linspace(0, math.tau, 33)[:-1]
    ring = np.column_stack([r * np.cos(turns), r * np.sin(turns)])
    ring += np.sign(np.round(ring, 6)) * (x, y) + middle
    cv2.fillConvexPoly(
        image,
        np.round(ring * (1 << STYLE.fine_bits)).astype(np.int32),
        colour,
        cv2.LINE_AA,
        STYLE.fine_bits,
    )


def write(image: Image, text: str, middle: Point, colour: Colour, size_px: int) -> None:
    """Write a word round its middle."""
    font, weight = cv2.FONT_HERSHEY_SIMPLEX, round(size_px / 11)
    full = cv2.getTextSize(text, font, 1.0, weight)[0][0]
    scale = min(size_px / 30, STYLE.letter_share * size_px * len(text) / full)
    width = scale * full
    start = (round(middle[0] - width / 2), round(middle[1] + 0.36 * size_px))
    cv2.putText(image, text, start, font, scale, colour, weight, cv2.LINE_AA)


def jpeg(image: Image, most_bytes: int) -> bytes:
    """Encode a picture, as well as that many bytes allow."""
    for quality in (88, 80, 70, 55, 40, 25):
        data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, quality])[1].tobytes()
        if len(data) <= most_bytes:
            break
    return data
