"""A film of one fall: the unrolled row from the side, and the row from above."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from io import BytesIO
from itertools import pairwise
from typing import Final

from PIL import Image

from physics.fall.engine import place_mm, turned_rad
from physics.fall.joint import copies_of, joints_of
from physics.fall.side_view import side_view
from physics.fall.simulate import Fall, Run
from physics.pictures.row_picture import STYLE, headline, push_arrow
from physics.pictures.svg import Above, above, bitmap, element, polygon, scale_bar, text
from physics.predict.predict import Prediction
from physics.predict.wording import row_name, tile_name
from physics.row.pose import Point
from physics.row.tile import Tile
from physics.rows.scenario import Scenario

WIDE_PX: Final = 1280
HIGH_PX: Final = 720
FRAMES_S: Final = 30
_SLOWED: Final = 4.0
"""How much slower than real time: a tile of 48 mm then takes about a second."""
_MOST_S: Final = 30.0
"""Of the fall in a film; what takes longer is slowed less, or shown faster."""
_STILL_S: Final = (1.0, 3.0)
"""How long the first picture and the verdict stand."""
_INSTANT_S: Final = 1.0 / (_SLOWED * FRAMES_S)
_FINE_STEP_S: Final = 0.001
_SIDE: Final = (60.0, 172.0, 1160.0, 190.0)
_ABOVE: Final = (60.0, 440.0, 1160.0, 200.0)
"""Left, top, width and height of the two views, in pixels; the push needs room round the second."""
_MOST_PX_PER_MM: Final = 4.0
_VALUE_PX: Final = 24.0
"""Room that a value needs."""
_SHADES: Final = ("#f6dfb4", "#d5a865")
"""Of a tile's faces from above: turned up, and turned to the side."""


@dataclass(frozen=True, slots=True)
class Instant:
    """One moment of a fall in the side view; lengths in mm, first touch at 0 s.

    Attributes:
        time_s: since first touch.
        tip: middle of the pusher's tip.
        boxes: middle and turn (counter-clockwise, radians) of every tile.
    """

    time_s: float
    tip: Point
    boxes: tuple[tuple[float, float, float], ...]


class _Watched(Run):
    """A run that keeps what it looks like."""

    instants: list[Instant]

    def go(self) -> None:
        self.instants = [self._instant()]
        super().go()

    def _look(self, look_s: float) -> bool:
        moving = super()._look(look_s)
        if (self.time_s * math.sqrt(self.scale)) - self.instants[-1].time_s > _INSTANT_S / 2:
            self.instants.append(self._instant())
        return moving

    def _instant(self) -> Instant:
        scale = self.scale
        tip, *boxes = (place_mm(body) for body in (self.tip, *self._live.values()))
        turns = map(turned_rad, self._live.values())
        return Instant(
            self.time_s * math.sqrt(scale),
            (tip[0] * scale, tip[1] * scale),
            tuple((x * scale, y * scale, turn) for (x, y), turn in zip(boxes, turns, strict=True)),
        )


def watched(row: Scenario) -> tuple[list[Instant], Fall]:
    """Let a row fall once, exactly as it is written, and keep what it looks like."""
    copies = copies_of(row.chain)
    view = side_view(copies, joints_of(copies), joints_of(copies, skip=2))
    run = _Watched(view, 0, row.push, row.friction, step_s=_FINE_STEP_S, to_rest=True)
    run.go()
    return run.instants, run.result()


def verdict(row: Scenario, fall: Fall) -> str:
    """Say how a fall ended."""
    names = [tile_name(tile.value) for tile in row.chain.tiles]
    if fall.stalled is None:
        return f"All {len(names)} tiles fall."
    if fall.stalled < 0:
        return f"Tile {names[0]} still stands: {fall.why}."
    between = f"between {names[fall.stalled]} and {names[fall.stalled + 1]}"
    return f"The fall stops {between}: {fall.why}."


def frames(row: Scenario, answer: Prediction) -> Iterator[Image.Image]:
    """Draw a film of one fall, `FRAMES_S` pictures a second.

    Raises:
        PhysicsError: the extra `film` is missing, or this machine has no font.
    """
    instants, fall = watched(row)
    end_s = instants[-1].time_s
    pace = max(end_s / _MOST_S, 1.0 / _SLOWED)
    scene = _Scene(row, instants)
    back = _image(scene.page(answer, pace))
    first, last = (_over(back, scene.tiles(instant)) for instant in (instants[0], instants[-1]))
    yield from [first] * round(_STILL_S[0] * FRAMES_S)
    at = 0
    for number in range(math.floor(end_s / pace * FRAMES_S)):
        while instants[at].time_s < number * pace / FRAMES_S:
            at += 1
        yield _over(back, scene.tiles(instants[at]))
    end = _over(last, scene.ending(instants[-1], fall))
    yield from [end] * round(_STILL_S[1] * FRAMES_S)


def _image(svg: str) -> Image.Image:
    return Image.open(BytesIO(bitmap(svg))).convert("RGBA")


def _over(back: Image.Image, svg: str) -> Image.Image:
    return Image.alpha_composite(back, _image(svg))


class _Scene:
    """Where everything lies in the pictures of a row."""

    def __init__(self, row: Scenario, instants: list[Instant]) -> None:
        self.row, self.tiles_mm = row, row.chain.tiles
        self.start_mm = [x for x, _, _ in instants[0].boxes]
        high = max(tile.height_mm for tile in self.tiles_mm)
        left = min(instant.tip[0] for instant in instants) - 2 * row.push.tip_radius_mm
        ends = zip(self.tiles_mm, instants[-1].boxes, strict=True)
        right = max(x for tile, box in ends for x, _ in self._box(tile, box))
        self.side = above([(left, 0.0), (right, 1.05 * high)], _SIDE, _MOST_PX_PER_MM)
        lying = [
            corner
            for i, tile in enumerate(self.tiles_mm)
            for instant in (instants[0], instants[-1])
            for _, face in self._faces(tile, instant, i)
            for corner in face
        ]
        self.above = above(lying, _ABOVE, self.side.px_per_mm)

    def page(self, answer: Prediction, pace: float) -> str:
        """Draw what does not move."""
        slowed = f"{1 / pace:.2g} times slower" if pace <= 1 else f"{pace:.2g} times faster"
        name = row_name(self.row.id)[:60]
        floor = self.side.to_px((0.0, 0.0))[1]
        caption = {"class_": "quiet", "font_size": 18}
        return _svg(
            element("style", STYLE),
            element("rect", class_="page", width=WIDE_PX, height=HIGH_PX),
            text(name, (60.0, 52.0), class_="ink", font_size=34, font_weight=700),
            text(
                f"{headline(answer)[0].upper()}{headline(answer)[1:]}. Here is one fall of the "
                f"row as it is written, {slowed}.",
                (60.0, 82.0),
                class_="quiet",
                font_size=20,
            ),
            text("from the side, unrolled", (60.0, 158.0), **caption),
            element("path", d=f"M60,{floor:.1f}H1220", class_="rule", stroke_width=2),
            text("from above", (60.0, 420.0), **caption),
            push_arrow(self.above, self.tiles_mm[0]),
            *self._values(floor + 22.0),
            scale_bar(self.above, (60.0, 700.0), 160.0),
        )

    def tiles(self, instant: Instant) -> str:
        """Draw the tiles and the push at one moment."""
        x, y = self.side.to_px(instant.tip)
        radius = self.row.push.tip_radius_mm * self.side.px_per_mm
        arm = element("path", d=f"M0,{y:.1f}H{x:.1f}", class_="push", stroke_width=radius * 0.8)
        parts = [arm, element("circle", cx=x, cy=y, r=radius, class_="push")]
        parts += [
            polygon(map(self.side.to_px, self._box(tile, box)), class_="tile", stroke_width=1.2)
            for tile, box in zip(self.tiles_mm, instant.boxes, strict=True)
        ]
        # A tile lies on the one after it.
        for i in reversed(range(len(self.tiles_mm))):
            parts += [
                polygon(map(self.above.to_px, face), class_="tile", style=f"fill: {shade}")
                for shade, face in self._faces(self.tiles_mm[i], instant, i)
            ]
        return _svg(element("style", STYLE), *parts)

    def ending(self, instant: Instant, fall: Fall) -> str:
        """Draw the verdict, and a ring round what stopped the fall."""
        parts = [
            text(
                verdict(self.row, fall),
                (60.0, 124.0),
                class_="ink",
                font_size=28,
                font_weight=700,
            )
        ]
        if fall.stalled is not None:
            at = max(fall.stalled, 0)
            near = [at, at + 1] if fall.stalled >= 0 else [0]
            boxes = [self._box(self.tiles_mm[i], instant.boxes[i]) for i in near]
            faces = [f for i in near for _, f in self._faces(self.tiles_mm[i], instant, i)]
            parts += [_ring(self.side, boxes), _ring(self.above, faces)]
        return _svg(element("style", STYLE), *parts)

    def _values(self, y_px: float) -> list[str]:
        """Write each tile's value under it, where there is room for all."""
        places = [self.side.to_px((x, 0.0))[0] for x in self.start_mm]
        if min((b - a for a, b in pairwise(places)), default=_VALUE_PX) < _VALUE_PX:
            return []
        how = {"class_": "quiet", "font_size": 18, "text_anchor": "middle"}
        return [
            text(tile_name(tile.value), (x, y_px), **how)
            for tile, x in zip(self.tiles_mm, places, strict=True)
        ]

    def _box(self, tile: Tile, box: tuple[float, float, float]) -> list[Point]:
        """Give a tile's corners in the side view, counter-clockwise from the lower left."""
        x, y, angle = box
        c, s = math.cos(angle), math.sin(angle)
        t, h = tile.spec.thickness_mm / 2, tile.height_mm / 2
        return [
            (x + a * c - b * s, y + a * s + b * c) for a, b in ((-t, -h), (t, -h), (t, h), (-t, h))
        ]

    def _faces(self, tile: Tile, instant: Instant, at: int) -> list[tuple[str, list[Point]]]:
        """Give the faces of a tile that are seen from above, with their shades."""
        start, half = self.start_mm[at], tile.footprint.width_mm / 2
        corners = self._box(tile, instant.boxes[at])
        seen = []
        for (x1, y1), (x2, y2) in zip(corners, corners[1:] + corners[:1], strict=True):
            up = (x1 - x2) / math.hypot(x2 - x1, y2 - y1)
            if up > 0.02:
                ends = ((x1, -half), (x1, half), (x2, half), (x2, -half))
                face = [tile.pose.to_table(x - start, across) for x, across in ends]
                seen.append((up, face))
        return [
            (_SHADES[0] if up > math.sqrt(0.5) else _SHADES[1], face) for up, face in sorted(seen)
        ]


def _ring(seen: Above, outlines: list[list[Point]]) -> str:
    xs, ys = zip(*(seen.to_px(p) for outline in outlines for p in outline), strict=True)
    return element(
        "rect",
        x=min(xs) - 8.0,
        y=min(ys) - 8.0,
        width=max(xs) - min(xs) + 16.0,
        height=max(ys) - min(ys) + 16.0,
        rx=14,
        class_="mark",
        fill="none",
        stroke_width=3,
        stroke_dasharray="10 6",
    )


def _svg(*parts: str) -> str:
    return element(
        "svg",
        "".join(parts),
        xmlns="http://www.w3.org/2000/svg",
        class_="picture",
        width=WIDE_PX,
        height=HIGH_PX,
    )
