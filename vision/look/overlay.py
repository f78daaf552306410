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
    row_room: float = 1.25
    """How many times wider and higher than the row the part is that is cut out ..."""
    row_room_px: float = 110
    """... and by how much more, px."""
    lamp_at: tuple[float, float] = (0.48, 0.46)
    """Where the lamp shines: shares of the width and the height ..."""
    lamp_gain: tuple[float, float] = (1.08, 0.62)
    """... how bright it is there, and how much of that is lost by the square of the distance."""
    lamp_bgr: Colour = (95, 199, 255)
    cream_bgr: Colour = (216, 240, 253)
    walnut_bgr: Colour = (18, 29, 42)
    rim_bgr: Colour = (10, 23, 42)
    white_bgr: Colour = (255, 255, 255)
    line_px: int = 4
    """Width of lines round tiles, px ..."""
    broken_px: int = 3
    """... of broken ones round places ..."""
    line_rim_px: int = 4
    """... and of their dark rim, both sides together."""
    plaque_letter_px: int = 23
    """Width of a plaque for each letter, px ..."""
    plaque_ends_px: int = 38
    """... and for its two ends together."""
    plaque_round_px: int = 30
    """How far from its ends its round corners begin, px."""
    plaque_high_px: tuple[int, int] = (60, 56)
    """Height of a plaque, px: with its rim and without."""
    plaque_text_px: int = 40
    """Height of its words, px: a phone shows the picture at less than a third of its size."""
    plaque_clear_px: float = 8
    """How far the ends of a plaque keep from the edge of the picture, px ..."""
    plaque_middle_px: float = 36.0
    """... and its middle line."""
    badge_px: int = 32
    """Half the room that a badge takes, px."""
    badge_wide_px: int = 44
    """Width of an upright badge, px."""
    badge_high_px: int = 58
    """Its height, px."""
    badge_rim_px: int = 6
    """Its rim, both sides together, px."""
    badge_text_px: int = 32
    """Height of its number, px."""
    badge_edge_px: int = 10
    """How far badges keep from the edge of the picture, px ..."""
    badge_apart_px: int = 7
    """... and from each other."""
    badge_rounds: int = 80
    """How often badges are pushed apart at most, count."""
    tailed: tuple[int, int] = (6, 9)
    """Numbers that are another one upside down have a line below, as on dominoes ..."""
    tail_px: tuple[int, int] = (7, 15)
    """... that reaches so far to both sides of the middle, and is so far below it, px ..."""
    tail_wide_px: int = 3
    """... and so wide; they stand higher ..."""
    tailed_up_px: int = 3
    """... by so much, px."""
    leader_wide_px: tuple[int, int] = (5, 2)
    """Width of the line from a tile to its badge, px: with its rim and without."""
    anchor_px: tuple[int, int] = (6, 4)
    """Radius of the dot at its tile, px: with its rim and without."""
    straight_px: float = 8.0
    """A row that bulges by less is straight, px ..."""
    level_share: float = 0.2
    """... and upright if its upper side looks up by less than this share."""
    round_px: int = 9
    """Radius of round corners, px."""
    round_points: int = 32
    """At how many points all four of them together are drawn, count."""
    font_px: float = 30
    """Height of OpenCV's letters at scale 1, px ..."""
    font_stroke_share: float = 11
    """... a letter is so many times higher than its strokes are wide ..."""
    font_drop_share: float = 0.36
    """... and its base line lies so far below its middle, as a share of its height."""
    jpeg_qualities: tuple[int, ...] = (88, 80, 70, 55, 40, 25)
    """JPEG qualities that are tried until a picture is small enough."""
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
    inset_dot_px: tuple[int, int] = (30, 26)
    """Radius of the disc on a tile there, px of the picture: with its rim and without."""
    inset_text_px: int = 36
    """Height of the number on it, px of the same."""
    inset_rims_px: tuple[int, int] = (12, 6)
    """The dark and the pale rim round it, both sides together, px."""
    scale_mm: float = 50.0
    """Length of the scale, mm."""
    scale_clear_px: tuple[int, float] = (20, 16.0)
    """How much farther than the inset it keeps from the side of the picture and from below, px."""
    scale_wide_px: tuple[int, int] = (7, 3)
    """Width of its lines, px: with their rim and without."""
    scale_tick_px: int = 9
    """Half the height of its ends, px."""
    scale_words_px: int = 50
    """How far above it its words are, px."""
    ring_mm: float = 9.0
    """How far beyond its tile the ring reaches that is round the first that stands, mm."""
    ring_points: int = 72
    """At how many points it is drawn, count."""
    gap_clear_mm: float = 6.0
    """How far the bar beside a gap keeps from that ring, mm."""
    gap_wide_px: int = 6
    """Its width, px ..."""
    gap_tick_px: int = 15
    """... half the height of its ends, px ..."""
    gap_words_px: int = 14
    """... and how far from them its width is written, px."""
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
        intrinsics: its lens.
    """

    def __init__(
        self, image: Image, tiles: Sequence[Tile], pose: CameraPose, intrinsics: Intrinsics
    ) -> None:
        rows, columns = image.shape[:2]
        self._image, self._pose = image, pose
        self._intrinsics = intrinsics.at_size(columns, rows)
        reach = [
            (x, y, z)
            for tile in tiles
            for (x, y), z in (
                *((corner, tile.height_mm) for corner in tile.footprint.corners),
                (tile.pose.to_table(tile.height_mm, 0.0), 0.0),
            )
        ]
        seen = project(np.array(reach), pose, self._intrinsics)
        low, high = seen.min(axis=0), seen.max(axis=0)
        aspect = STYLE.size_px[0] / STYLE.size_px[1]
        room = STYLE.row_room * (high - low) + STYLE.row_room_px
        wide = max(STYLE.least_wide_px, room[0], aspect * room[1])
        wide = min(wide, columns, rows * aspect)
        size = np.array([wide, wide / aspect])
        most = np.maximum(np.array([columns, rows]) - size, 0)
        self._left_top = np.clip((low + high) / 2 - size / 2, 0, most)
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
    x, y = (
        (np.arange(size, dtype=np.float32) / size - at) ** 2
        for size, at in zip(STYLE.size_px, STYLE.lamp_at, strict=True)
    )
    gain = np.clip(STYLE.lamp_gain[0] - STYLE.lamp_gain[1] * (x[None, :] + y[:, None]), 0, 2)
    return np.asarray(np.clip(image * gain[..., None], 0, 255), np.uint8)


def line(image: Image, spots: Floats, colour: Colour, width: int) -> None:
    """Draw a line with a dark rim through places of the picture, shape (n, 2)."""
    stroke(image, spots, STYLE.rim_bgr, width + STYLE.line_rim_px)
    stroke(image, spots, colour, width)


def half_plaque(text: str) -> Floats:
    """Half the width and half the height of a plaque with these words, px."""
    wide = STYLE.plaque_letter_px * len(text) + STYLE.plaque_ends_px
    return np.array([wide, STYLE.plaque_high_px[0]]) / 2


def plaque(image: Image, text: str, middle: Point) -> None:
    """Write a few words on walnut, wholly inside the picture."""
    half = float(half_plaque(text)[0])
    least_x, least_y = half + STYLE.plaque_clear_px, STYLE.plaque_middle_px
    x = min(max(middle[0], least_x), STYLE.size_px[0] - least_x)
    y = min(max(middle[1], least_y), STYLE.size_px[1] - least_y)
    reach = half - STYLE.plaque_round_px
    with_rim, without = STYLE.plaque_high_px
    stroke(image, [(x - reach, y), (x + reach, y)], STYLE.lamp_bgr, with_rim)
    stroke(image, [(x - reach, y), (x + reach, y)], STYLE.walnut_bgr, without)
    write(image, text, (x, y), STYLE.cream_bgr, STYLE.plaque_text_px)


def badge_places(anchors: Sequence[Point]) -> list[Point]:
    """Places for the badges beside the row, apart from each other and within the picture."""
    spots = np.array(anchors)
    side = outside(spots)
    places = spots + STYLE.leader_px * side
    edge = STYLE.badge_px + STYLE.badge_edge_px
    for _ in range(STYLE.badge_rounds):
        push = _apart(places, places, 2 * STYLE.badge_px + STYLE.badge_apart_px, side) / 2
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
    if abs(bulge) > STYLE.straight_px:
        return side * math.copysign(1.0, bulge)
    down = side[1] > STYLE.level_share
    return -side if down or (side[1] > -STYLE.level_share and side[0] < 0) else side


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
    colour = STYLE.lamp_bgr if stands else STYLE.cream_bgr
    stroke(image, [anchor, middle], STYLE.rim_bgr, STYLE.leader_wide_px[0])
    stroke(image, [anchor, middle], STYLE.cream_bgr, STYLE.leader_wide_px[1])
    dot(image, anchor, STYLE.anchor_px[0], STYLE.rim_bgr)
    dot(image, anchor, STYLE.anchor_px[1], colour)
    upright = STYLE.badge_wide_px, STYLE.badge_high_px
    wide, high = upright if stands else upright[::-1]
    box(image, middle, wide + STYLE.badge_rim_px, high + STYLE.badge_rim_px, STYLE.rim_bgr)
    box(image, middle, wide, high, colour)
    x, y = middle
    text = "?" if value is None else str(value)
    tailed = value in STYLE.tailed
    at = (x, y - STYLE.tailed_up_px) if tailed else middle
    write(image, text, at, STYLE.walnut_bgr, STYLE.badge_text_px)
    if tailed:
        reach, below = STYLE.tail_px
        tail = [(x - reach, y + below), (x + reach, y + below)]
        stroke(image, tail, STYLE.walnut_bgr, STYLE.tail_wide_px)


def stroke(image: Image, path: Sequence[Point] | Floats, colour: Colour, width: int) -> None:
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
    turns = np.linspace(0, math.tau, STYLE.round_points, endpoint=False)
    ring = np.column_stack([r * np.cos(turns), r * np.sin(turns)])
    ring += np.sign(np.round(ring, 6)) * (x, y) + middle
    fine = np.round(ring * (1 << STYLE.fine_bits)).astype(np.int32)
    cv2.fillConvexPoly(image, fine, colour, cv2.LINE_AA, STYLE.fine_bits)


def write(image: Image, text: str, middle: Point, colour: Colour, size_px: int) -> None:
    """Write a word round its middle."""
    font, weight = cv2.FONT_HERSHEY_SIMPLEX, round(size_px / STYLE.font_stroke_share)
    full = cv2.getTextSize(text, font, 1.0, weight)[0][0]
    scale = min(size_px / STYLE.font_px, STYLE.letter_share * size_px * len(text) / full)
    width = scale * full
    start = (round(middle[0] - width / 2), round(middle[1] + STYLE.font_drop_share * size_px))
    cv2.putText(image, text, start, font, scale, colour, weight, cv2.LINE_AA)


def whole(image: Image, most_bytes: int) -> bytes:
    """A whole frame at the size of the picture, bare; see `jpeg`."""
    small = cv2.resize(image, STYLE.size_px, interpolation=cv2.INTER_AREA)
    return jpeg(np.asarray(small, np.uint8), most_bytes)


def jpeg(image: Image, most_bytes: int) -> bytes:
    """Encode a picture, as well as that many bytes allow."""
    for quality in STYLE.jpeg_qualities:
        data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, quality])[1].tobytes()
        if len(data) <= most_bytes:
            break
    return data
