"""The row as the table screen draws it: boxes of wood under one lamp, seen by a pinhole camera.

The numbers are those of `web/static/games/estimation/table/row/`: lengths on the table in mm, x to
the right, y away from the viewer, z up; places on a stage of 1920 x 1080 px, y down.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from physics.pictures.svg import element
from physics.row.pose import Point
from physics.row.tile import Orientation, TileSpec
from rig.films.objects import numeral
from rig.films.stage import RAIL_TOP, WIDE
from rig.row.fall_shown import Tip
from rig.row.push_events import Standing

Solid = tuple[float, float, float]

_LAMP: Final = (130.0, -30.0, 560.0)
_LOOK_AT: Final = (300.0, 205.0)
_DISTANCE: Final = 760.0
_ELEVATION: Final = math.radians(44.0)
_MOST_TILE_PX: Final = 300.0
_BOX: Final = (250.0, 380.0, 1670.0, 800.0)
"""Left, top, right and bottom of the place that a row fills on the stage."""
_FACES: Final = ((4, 5, 6, 7), (3, 2, 1, 0), (0, 1, 5, 4), (2, 3, 7, 6), (1, 2, 6, 5), (3, 0, 4, 7))
"""Corners of the six faces of a box, each counter-clockwise from outside."""
_COIN_PX: Final = 40.0
_FALLEN: Final = 0.82
_COINS_APART_PX: Final = 10.0
_ROUNDS: Final = 60
_ROOM_PX: Final = 70.0
"""Room round a row, for coins and shadows."""
_INK: Final = "#3a2210"
_ARM_MM: Final = 150.0
_HEAD_PX: Final = 32.0


@dataclass(frozen=True, slots=True)
class Pinhole:
    """A view that is fitted to a row: focal length and shift, in px of the stage."""

    f: float = 1.0
    x0: float = 0.0
    y0: float = 0.0

    def project(self, point: Solid) -> tuple[float, float, float]:
        """Stage place and depth of a point on the table."""
        dx, dy, z = point[0] - _LOOK_AT[0], point[1] - _LOOK_AT[1], point[2]
        sin, cos = math.sin(_ELEVATION), math.cos(_ELEVATION)
        depth = _DISTANCE + dy * cos - z * sin
        k = self.f / depth
        return self.x0 + dx * k, self.y0 - (dy * sin + z * cos) * k, depth


class RowScene:
    """A row that falls, with a view that has room for all of it.

    Args:
        row: the tiles from the pushed end.
        spec: their size.
        tips: how they fall.
    """

    def __init__(self, row: Sequence[Standing], spec: TileSpec, tips: Sequence[Tip]) -> None:
        self._row, self._spec = tuple(row), spec
        self._tips = {tip.value: tip for tip in tips}
        self._ways = [self._way(i) for i in range(len(self._row))]
        flat = [1.0 if tile.value in self._tips else 0.0 for tile in self._row]
        boxes = [self._corners(i, 90.0 * down) for i, down in enumerate(flat)]
        boxes += [self._corners(i, 0.0) for i in range(len(self._row))]
        self._view = _fitted(boxes)
        places = [self._view.project(corner) for box in boxes for corner in box]
        self._bounds = (
            min(x for x, _, _ in places) - _ROOM_PX,
            min(y for _, y, _ in places) - 2 * _ROOM_PX,
            max(x for x, _, _ in places) + 2 * _ROOM_PX,
            max(y for _, y, _ in places) + _ROOM_PX,
        )

    @property
    def bounds(self) -> tuple[float, float, float, float]:
        """Left, top, right and bottom of the row's place, with room for coins and shadows."""
        return self._bounds

    def tilts(self, at_ms: float) -> dict[int, float]:
        """By how many degrees every falling tile has tipped, so long after the wave began."""
        return {
            value: tip.rest_deg * fall_ease((at_ms - tip.start_ms) / tip.length_ms)
            for value, tip in self._tips.items()
        }

    def drawn(
        self, tilts: Mapping[int, float], up: Iterable[int] = (), arm_mm: float | None = None
    ) -> str:
        """Draw the row as SVG: shadows, boxes from far to near, then value coins.

        Args:
            tilts: degrees by value; a value that is not in it stands.
            up: values whose coins are lit.
            arm_mm: how far the pusher's tip is from the first tile; None where no arm is drawn.
        """
        boxes = [self._corners(i, tilts.get(t.value, 0.0)) for i, t in enumerate(self._row)]
        shadows = "".join(_path(self._shadow(box)) for box in boxes)
        feet = "L".join(_at(self._view.project((t.x_mm, t.y_mm, 0.0))) for t in self._row)
        line: dict[str, Any] = {"stroke_width": 3, "fill": "none"}
        parts = [
            element("path", d=f"M{feet}", stroke="#fdf0d8", stroke_opacity=0.2, **line),
            # Two shadows instead of a blur, which would take longer than all the rest.
            element(
                "path",
                d=shadows,
                fill="#04120c",
                fill_opacity=".3",
                stroke="#04120c",
                stroke_opacity=".22",
                stroke_width=9,
                stroke_linejoin="round",
            ),
        ]
        depth = [sum(self._view.project((x, y, 0.0))[2] for x, y, _ in box) for box in boxes]
        if arm_mm is not None:
            parts.append(self.arm(arm_mm))
        for i in sorted(range(len(boxes)), key=lambda i: -depth[i]):
            parts += self._faces(boxes[i])
        return element("g", "".join(parts + self._coins(boxes, tilts, set(up))))

    def joint(self, between: tuple[int, int]) -> tuple[str, Point]:
        """The dashed ring round a joint, and the place below it for its measure."""
        a, b = (next(t for t in self._row if t.value == value) for value in between)
        x, y, depth = self._view.project(((a.x_mm + b.x_mm) / 2, (a.y_mm + b.y_mm) / 2, 0.0))
        reach = math.hypot(a.x_mm - b.x_mm, a.y_mm - b.y_mm) / 2 + 8.0
        rx = reach * self._view.f / depth
        ry = rx * math.sin(_ELEVATION)
        ring = element(
            "ellipse",
            cx=x,
            cy=y,
            rx=rx,
            ry=ry,
            fill="none",
            stroke="#ffffff",
            stroke_width=5,
            stroke_dasharray="16 9",
        )
        return ring, (x, y + ry + 44.0)

    def _way(self, i: int) -> float:
        """+1 where the wave goes along a tile's heading, by its neighbours; -1 against it."""
        before, after = self._row[max(i - 1, 0)], self._row[min(i + 1, len(self._row) - 1)]
        turn = math.radians(self._row[i].heading_deg)
        along = math.cos(turn) * (after.x_mm - before.x_mm)
        along += math.sin(turn) * (after.y_mm - before.y_mm)
        return -1.0 if along < 0 else 1.0

    def _size(self, tile: Standing) -> tuple[float, float, float]:
        """Along the heading, across it, and up."""
        spec, how = self._spec, Orientation(tile.orientation)
        return spec.thickness_mm, spec.face_mm(how), spec.height_mm(how)

    def _corners(self, i: int, tilt_deg: float) -> list[Solid]:
        """Corners of a tile tipped about its front lower edge: the bottom four, then the top."""
        tile, way = self._row[i], self._ways[i]
        turn, tilt = math.radians(tile.heading_deg), math.radians(tilt_deg)
        n = (math.cos(turn), math.sin(turn))
        thick, wide, high = self._size(tile)
        t, w = thick / 2, wide / 2
        found = []
        for z in (0.0, high):
            for along, across in ((t, -w), (t, w), (-t, w), (-t, -w)):
                behind = along * way - t
                forth = way * (t + behind * math.cos(tilt) + z * math.sin(tilt))
                up = z * math.cos(tilt) - behind * math.sin(tilt)
                x = tile.x_mm + forth * n[0] - across * n[1]
                found.append((x, tile.y_mm + forth * n[1] + across * n[0], up))
        return found

    def _shadow(self, box: Sequence[Solid]) -> list[Point]:
        fallen = []
        for x, y, z in box:
            far = _LAMP[2] / (_LAMP[2] - z)
            place = (_LAMP[0] + (x - _LAMP[0]) * far, _LAMP[1] + (y - _LAMP[1]) * far, 0.0)
            fallen.append(self._view.project(place)[:2])
        return _hull(fallen)

    def _faces(self, box: Sequence[Solid]) -> list[str]:
        seen = [self._view.project(corner)[:2] for corner in box]
        highest = max(sum(box[i][2] for i in face) for face in _FACES)
        drawn = []
        for face in _FACES:
            points = [seen[i] for i in face]
            if _area(points) >= 0:
                continue
            corners = [box[i] for i in face]
            middle = tuple(sum(c[k] for c in corners) / 4 for k in range(3))
            normal = _unit(_cross(_sub(corners[1], corners[0]), _sub(corners[3], corners[0])))
            light = _unit(_sub(_LAMP, middle))
            fill = _wood(sum(a * b for a, b in zip(normal, light, strict=True)))
            edge = _mixed(fill, "#5b3714", 0.45)
            top = sum(c[2] for c in corners) > highest - 0.04
            how = {"stroke": "#fff6dd", "stroke_opacity": ".75"} if top else {"stroke": edge}
            drawn.append(
                element(
                    "path",
                    d=_path(points),
                    fill=fill,
                    stroke_width=2,
                    stroke_linejoin="round",
                    **how,
                )
            )
        return drawn

    def arm(self, back_mm: float) -> str:
        """Draw the pusher's arm, its tip so far from the first tile."""
        tile, way = self._row[0], self._ways[0]
        turn = math.radians(tile.heading_deg)
        away = (-way * math.cos(turn), -way * math.sin(turn))
        thick, _, high = self._size(tile)
        scale = self._view.f / self._view.project((tile.x_mm, tile.y_mm, 0.0))[2]
        start = thick / 2 + _HEAD_PX / scale + back_mm
        ends = [
            self._view.project((tile.x_mm + away[0] * mm, tile.y_mm + away[1] * mm, high * 0.68))
            for mm in (start, start + _ARM_MM)
        ]
        way_px = f"M{_at(ends[0])}L{_at(ends[1])}"
        round_ = {"fill": "none", "stroke_linecap": "round"}
        edge = element("clipPath", element("rect", width=WIDE, height=RAIL_TOP), id="felt")
        arm = (
            element("path", d=way_px, stroke="#2a170a", stroke_width=36, **round_)
            + element("path", d=way_px, stroke="#8a5a30", stroke_width=28, **round_)
            + element(
                "circle",
                cx=ends[0][0],
                cy=ends[0][1],
                r=_HEAD_PX,
                fill="#e5ddcf",
                stroke="#2a170a",
                stroke_width=4,
            )
        )
        return element("defs", edge) + element("g", arm, clip_path="url(#felt)")

    def _coins(
        self, boxes: Sequence[Sequence[Solid]], tilts: Mapping[int, float], up: set[int]
    ) -> list[str]:
        coins = []
        for tile, box in zip(self._row, boxes, strict=True):
            high = max(z for _, _, z in box)
            upper = [c for c in box if c[2] > high - 0.6 * self._spec.thickness_mm - 0.01]
            middle = tuple(sum(c[k] for c in upper) / len(upper) for k in range(3))
            stem = self._view.project((middle[0], middle[1], middle[2]))
            top = min(self._view.project(c)[1] for c in box)
            fallen = tilts.get(tile.value, 0.0) > 60
            r = _COIN_PX * (_FALLEN if fallen else 1.0)
            low = tile.orientation == "horizontal"
            rx, ry = (r * 1.36, r * 0.86) if low else (r, r)
            y = min(stem[1], top + 30) - 1.75 * r
            coins.append(_Coin(tile.value, stem[0], y, rx, ry, r, stem[:2], fallen))
        for _ in range(_ROUNDS):
            pairs = [(a, b) for i, a in enumerate(coins) for b in coins[i + 1 :]]
            if not sum(_part(a, b) for a, b in pairs):
                break
        stems = [
            element(
                "path",
                d=f"M{_at(c.stem)}L{_at((c.x, c.y))}",
                stroke="#fff6dd",
                stroke_width=3,
                stroke_opacity=".8",
            )
            for c in coins
        ]
        return stems + [c.drawn(c.value in up) for c in coins]


@dataclass(slots=True)
class _Coin:
    value: int
    x: float
    y: float
    rx: float
    ry: float
    r: float
    stem: Point
    fallen: bool

    def drawn(self, hot: bool) -> str:
        fill = "#ffcf70" if hot else "#a9a088" if self.fallen else "#fff3da"

        def disc(dy: float, **how: Any) -> str:
            place: dict[str, Any] = {
                "x": self.x - self.rx,
                "y": self.y - self.ry + dy,
                "rx": self.ry,
            }
            return element("rect", width=2 * self.rx, height=2 * self.ry, **place, **how)

        return (
            disc(5.0, fill="#000000", fill_opacity=".4")
            + disc(0.0, fill=fill, stroke=_INK, stroke_width=5 if hot else 3)
            + numeral(self.value, (self.x, self.y), 1.08 * self.r, _INK)
        )


def _part(a: _Coin, b: _Coin) -> bool:
    """Move two coins apart until their gap lies between their edges; say whether it did not."""
    wide, high = a.rx + b.rx + _COINS_APART_PX, a.ry + b.ry + _COINS_APART_PX
    dx, dy = (b.x - a.x) / wide, (b.y - a.y) / high
    far = math.hypot(dx, dy)
    if far >= 0.995:
        return False
    ux, uy = (dx / far, dy / far) if far > 0.01 else (1.0, 0.0)
    push = (1 - far) / 2
    a.x, a.y, b.x, b.y = (
        a.x - ux * push * wide,
        a.y - uy * push * high,
        b.x + ux * push * wide,
        b.y + uy * push * high,
    )
    return True


def fall_ease(t: float) -> float:
    """Progress of cubic-bezier(.55, .05, .9, .45), by bisection on its x.

    >>> fall_ease(0.0), fall_ease(1.0), fall_ease(0.5) < 0.5
    (0.0, 1.0, True)
    """
    if not 0 < t < 1:
        return float(t >= 1)

    def at(a: float, b: float, s: float) -> float:
        return 3 * a * s * (1 - s) ** 2 + 3 * b * s**2 * (1 - s) + s**3

    low, high = 0.0, 1.0
    for _ in range(20):
        mid = (low + high) / 2
        low, high = (mid, high) if at(0.55, 0.9, mid) < t else (low, mid)
    return at(0.05, 0.45, (low + high) / 2)


def _fitted(boxes: Sequence[Sequence[Solid]]) -> Pinhole:
    flat = [[Pinhole().project(corner) for corner in box] for box in boxes]
    xs, ys = zip(*((x, y) for box in flat for x, y, _ in box), strict=True)
    left, top, right, bottom = min(xs), min(ys), max(xs), max(ys)
    tallest = max(max(y for _, y, _ in box) - min(y for _, y, _ in box) for box in flat)
    x1, y1, x2, y2 = _BOX
    f = min((x2 - x1) / (right - left), (y2 - y1) / (bottom - top), _MOST_TILE_PX / tallest)
    return Pinhole(
        f, (x1 + x2) / 2 - f * (left + right) / 2, (y1 + y2) / 2 - f * (top + bottom) / 2
    )


def _hull(points: Iterable[Point]) -> list[Point]:
    """Convex hull, counter-clockwise (Andrew's monotone chain)."""
    ordered = sorted(points)

    def half(way: Sequence[Point]) -> list[Point]:
        out: list[Point] = []
        for p in way:
            while len(out) > 1 and _area([out[-2], out[-1], p]) <= 0:
                out.pop()
            out.append(p)
        return out[:-1]

    return half(ordered) + half(ordered[::-1])


def _area(points: Sequence[Point]) -> float:
    """Twice the signed area of a polygon; negative is counter-clockwise as the viewer sees it."""
    turned = (*points[1:], points[0])
    return sum(x * v - u * y for (x, y), (u, v) in zip(points, turned, strict=True))


def _sub(a: Sequence[float], b: Sequence[float]) -> Solid:
    return a[0] - b[0], a[1] - b[1], a[2] - b[2]


def _cross(a: Solid, b: Solid) -> Solid:
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def _unit(a: Solid) -> Solid:
    long = math.hypot(*a)
    return a[0] / long, a[1] / long, a[2] / long


def _mixed(one: str, other: str, share: float) -> str:
    """A colour between two.

    >>> _mixed("#000000", "#ffffff", 0.5)
    '#808080'
    """
    pairs = ((int(one[i : i + 2], 16), int(other[i : i + 2], 16)) for i in (1, 3, 5))
    return "#" + "".join(f"{round(a + (b - a) * share + 1e-9):02x}" for a, b in pairs)


def _wood(lit: float) -> str:
    """Colour of a face that turns so far toward the lamp, 0 to 1."""
    return _mixed("#8a5a28", "#ffe3ad", 0.1 + 0.86 * max(0.0, lit))


def _at(place: Sequence[float]) -> str:
    return f"{place[0]:.1f} {place[1]:.1f}"


def _path(points: Iterable[Point]) -> str:
    return f"M{'L'.join(map(_at, points))}Z"
