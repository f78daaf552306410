"""A row from above, to scale: its joints coloured by their chances, the weakest one marked."""

import math
from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise
from typing import Final, TypeAlias
from xml.sax.saxutils import escape

from physics.pictures.svg import FONTS, LETTER, Above, above, element, polygon, scale_bar, text
from physics.predict.predict import JointChance, Prediction
from physics.predict.wording import percent, row_name, tile_name
from physics.row.chain import Chain
from physics.row.pose import Point, full_turn
from physics.row.tile import Tile
from physics.rows.scenario import Scenario

Box: TypeAlias = tuple[float, float, float, float]
"""Left, top, right and bottom of a rectangle, in pixels."""

CLASSES: Final = (
    (0.50, "under 50 %", "#440154"),
    (0.80, "50 to 80 %", "#414487"),
    (0.90, "80 to 90 %", "#2a788e"),
    (0.95, "90 to 95 %", "#22a884"),
    (0.99, "95 to 99 %", "#7ad151"),
    (math.inf, "over 99 %", "#fde725"),
)
"""The chance below which a joint has this colour, of viridis, which grows lighter in grey and for
every kind of colour blindness. Steps are finer near 1, because the chances of a row multiply."""
STYLE: Final = f"""
.picture {{ font-family: {FONTS}; }}
.page {{ fill: #ffffff; }} .ink {{ fill: #2a1a0d; }} .quiet {{ fill: #5d4429; }}
.tile {{ fill: #f0d3a0; stroke: #5b3714; }} .value {{ fill: #2a1a0d; }}
.joint {{ stroke: #2a1a0d; }} .rule {{ stroke: #5d4429; }} .mark {{ stroke: #2a1a0d; }}
.tag {{ fill: #2a1a0d; }} .on-tag {{ fill: #fffaf0; }} .warn {{ fill: #7a4a00; }}
.push {{ fill: #34549f; stroke: #34549f; }}
"""
DARK: Final = """
.page { fill: #1b130c; } .ink { fill: #fdf0d8; } .quiet { fill: #d9c4a2; }
.tile { fill: #a9875a; stroke: #fdf0d8; } .value { fill: #150f0a; }
.joint { stroke: #fdf0d8; } .rule { stroke: #d9c4a2; } .mark { stroke: #fdf0d8; }
.tag { fill: #fdf0d8; } .on-tag { fill: #2a1a0d; } .warn { fill: #ffd27a; }
.push { fill: #b9cbff; stroke: #b9cbff; }
"""
WIDE_PX: Final = 960.0
_MARGIN_PX: Final = 36.0
_HEAD_PX: Final = 112.0
_LINE_PX: Final = 22.0
_FOOT_PX: Final = 84.0
_AIR_PX: Final = 56.0
"""Around the row, for the push and for what is said of the weakest joint."""
_ROW_PX: Final = (150.0, 520.0)
"""Least and most height of the row itself."""
_MOST_PX_PER_MM: Final = 4.5
_RIBBON: Final = 0.55
"""Width of a joint's ribbon over that of the narrower face it joins."""
_ARROW_PX: Final = 46.0
_WORD_PX: Final = 30.0
"""How far from the arrow's tail its word reaches."""
_SMALL_PX: Final = 14.0
_CLEAR_PX: Final = 6.0
"""Between the frame of the weakest joint and its tiles."""


def colour(p: float) -> str:
    """Give the colour of a chance.

    >>> colour(0.3), colour(1.0)
    ('#440154', '#fde725')
    """
    return next(shade for below, _, shade in CLASSES if p < below)


def weakest(answer: Prediction) -> int:
    """Give the place of the joint least likely to be crossed, 0 for the first."""
    return min(range(len(answer.joints)), key=lambda i: answer.joints[i].p)


def turns_rad(chain: Chain) -> tuple[float, ...]:
    """Give how far each tile's heading is turned against the one before, counter-clockwise."""
    return tuple(
        full_turn(b.pose.heading_rad - a.pose.heading_rad) for a, b in pairwise(chain.tiles)
    )


def row_picture(row: Scenario, answer: Prediction, *, alone: bool = True) -> str:
    """Draw a row and what is expected of it, as SVG.

    Args:
        row: the row.
        answer: its prediction.
        alone: whether the picture stands in a file of its own, light or dark as its viewer asks;
            otherwise the page that it is part of brings `STYLE`.
    """
    tiles = row.chain.tiles
    corners = [corner for tile in tiles for corner in tile.footprint.corners]
    wide, tall = (max(side) - min(side) for side in zip(*corners, strict=True))
    inside = WIDE_PX - 2 * (_MARGIN_PX + _AIR_PX)
    scale = min(_MOST_PX_PER_MM, inside / wide, _ROW_PX[1] / tall)
    high = max(_ROW_PX[0], scale * tall)
    top = _HEAD_PX + _LINE_PX * len(answer.extrapolated)
    seen = above(corners, (_MARGIN_PX + _AIR_PX, top + _AIR_PX, inside, high), scale)
    foot = top + high + 2 * _AIR_PX
    parts = [
        element("title", escape(f"{row_name(row.id)}: {headline(answer)}")),
        element("rect", class_="page", width=WIDE_PX, height=foot + _FOOT_PX),
        _head(row, answer),
        push_arrow(seen, tiles[0]),
        *(
            _ribbon(seen, a, b, joint)
            for (a, b), joint in zip(pairwise(tiles), answer.joints, strict=True)
        ),
        *(outline(seen, tile) for tile in tiles),
        _weakest(seen, row, answer, (_MARGIN_PX, top + 4.0, WIDE_PX - _MARGIN_PX, foot)),
        _legend(foot + 20.0),
        scale_bar(seen, (WIDE_PX - 250.0, foot + 48.0), 160.0),
    ]
    return element(
        "svg",
        (style() if alone else "") + "\n".join(parts),
        xmlns="http://www.w3.org/2000/svg",
        class_="picture",
        role="img",
        viewBox=f"0 0 {WIDE_PX:.0f} {foot + _FOOT_PX:.0f}",
        width=round(WIDE_PX),
        height=round(foot + _FOOT_PX),
    )


def style() -> str:
    """Write the colours of a picture in a file of its own."""
    return element("style", f"{STYLE}@media (prefers-color-scheme: dark) {{{DARK}}}")


def headline(answer: Prediction) -> str:
    """Say the chance with its interval.

    The ends are as sure as the chance: "over 99 %" stands for both.
    """
    return f"falls with {percent(answer.p_fall)} ({percent(answer.low)} to {percent(answer.high)})"


def weakest_said(row: Scenario, answer: Prediction) -> str:
    """Say which joint is the weakest, and how wide and how turned it is."""
    at = weakest(answer)
    joint = answer.joints[at]
    gap, turn = row.chain.gaps_mm[at], abs(math.degrees(turns_rad(row.chain)[at]))
    return (
        f"weakest joint {tile_name(joint.start)} to {tile_name(joint.end)}: "
        f"{percent(joint.p)}, gap {gap:.1f} mm, turn {turn:.0f}°"
    )


def outline(seen: Above, tile: Tile) -> str:
    """Draw what a tile covers, with its value where there is room for it."""
    mine = polygon(
        map(seen.to_px, tile.footprint.corners),
        class_="tile",
        stroke_width=1.2,
        stroke_linejoin="round",
    )
    size = min(0.72 * tile.spec.thickness_mm * seen.px_per_mm / LETTER / 2, 18.0)
    if size < 8.0:
        return mine
    x, y = seen.to_px((tile.pose.x_mm, tile.pose.y_mm))
    return mine + text(
        tile_name(tile.value),
        (x, y + size * 0.36),
        class_="value",
        font_size=round(size, 1),
        font_weight=700,
        text_anchor="middle",
    )


def _head(row: Scenario, answer: Prediction) -> str:
    name = _cut(row_name(row.id), 70)
    chance = f"Falls with {percent(answer.p_fall)}"
    between = f"95 % interval: {percent(answer.low)} to {percent(answer.high)}"
    x, push = _MARGIN_PX, percent(answer.push)
    lines = [
        text(name, (x, 34.0), class_="quiet", font_size=16),
        element(
            "text",
            element("tspan", chance, font_size=32, font_weight=700)
            + element("tspan", between, font_size=18, dx=14),
            x=x,
            y=70.0,
            class_="ink",
        ),
        text(
            f"{len(row.chain.tiles)} tiles; the push topples the first with {push}",
            (x, 98.0),
            class_="quiet",
            font_size=16,
        ),
    ]
    for at, strange in enumerate(answer.extrapolated, start=1):
        said = _cut(f"! a guess: {strange}", 100)
        lines.append(text(said, (x, 98.0 + at * _LINE_PX), class_="warn", font_size=16))
    return "".join(lines)


def push_arrow(seen: Above, first: Tile) -> str:
    """Draw the push: an arrow to the middle of the first tile's back, said at its tail."""
    at, dx = _behind(seen, first), first.pose.normal[0]
    tip = polygon((at(2, 0), at(16, 8), at(16, -8)), class_="push")
    (x1, y1), (x2, y2) = at(14, 0), at(_ARROW_PX, 0)
    tail = element("path", d=f"M{x1:.1f},{y1:.1f}L{x2:.1f},{y2:.1f}", class_="push", stroke_width=4)
    words = at(_ARROW_PX + 10, 0)
    anchor = "end" if dx > 0.5 else "start" if dx < -0.5 else "middle"
    # Where the push comes along the picture's width there is more room above its tail.
    place = (words[0] + 40 * dx, words[1] - 14) if abs(dx) > 0.5 else (words[0], words[1] + 5)
    return tail + tip + text("push", place, class_="push", stroke="none", font_size=16,
                             text_anchor=anchor)  # fmt: skip


def _behind(seen: Above, first: Tile) -> Callable[[float, float], Point]:
    """Give the places behind the first tile: by pixels away from its back, and aside."""
    x, y = seen.to_px(first.pose.to_table(-first.spec.thickness_mm / 2, 0.0))
    dx, dy = first.pose.normal[0], -first.pose.normal[1]
    return lambda along, aside: (x - along * dx - aside * dy, y - along * dy + aside * dx)


def _ribbon(seen: Above, a: Tile, b: Tile, joint: JointChance) -> str:
    """Draw a joint as a ribbon from face to face."""
    half = _RIBBON * min(a.footprint.width_mm, b.footprint.width_mm) / 2

    def side(tile: Tile, along: float, sign: float) -> Point:
        return seen.to_px(tile.pose.to_table(along * tile.spec.thickness_mm / 2, sign * half))

    name = f"{tile_name(joint.start)} to {tile_name(joint.end)}: {percent(joint.p)}"
    return polygon(
        (side(a, 1, 1), side(b, -1, 1), side(b, -1, -1), side(a, 1, -1)),
        element("title", name),
        class_="joint",
        fill=colour(joint.p),
        stroke_width=0.8,
    )


def _weakest(seen: Above, row: Scenario, answer: Prediction, room: Box) -> str:
    """Frame the weakest joint, and say its chance beside it where the row is not."""
    at = weakest(answer)
    frame = _frame(seen, *row.chain.tiles[at : at + 2])
    said = weakest_said(row, answer)
    size = (LETTER * _SMALL_PX * len(said) + 16.0, _SMALL_PX + 12.0)
    box = _free(seen, row.chain.tiles, _around(frame), size, room)
    edge = box[3] if box[3] < sum(y for _, y in frame) / 4 else box[1]
    sides = [
        ((a[0] + b[0]) / 2, (a[1] + b[1]) / 2)
        for a, b in zip(frame, frame[1:] + frame[:1], strict=True)
    ]
    ends = [(foot, (min(max(foot[0], box[0] + 8), box[2] - 8), edge)) for foot in sides]
    foot, end = min(ends, key=lambda leader: math.dist(*leader))
    return "".join(
        (
            polygon(frame, class_="mark", fill="none", stroke_width=2.5, stroke_dasharray="8 5",
                    stroke_linejoin="round"),
            element(
                "path", d=f"M{foot[0]:.1f},{foot[1]:.1f}L{end[0]:.1f},{end[1]:.1f}",
                class_="mark", stroke_width=1.5,
            ),
            element("rect", x=box[0], y=box[1], width=size[0], height=size[1], rx=5, class_="tag"),
            text(said, ((box[0] + box[2]) / 2, box[3] - 8.0), class_="on-tag",
                 font_size=round(_SMALL_PX), text_anchor="middle"),
        )
    )  # fmt: skip


def _frame(seen: Above, a: Tile, b: Tile) -> list[Point]:
    """Give the corners of a frame round two tiles, its sides along the way from one to the other.

    It keeps as close to them as it can: beside it stand the word of the push and other tiles.
    """
    (ax, ay), (bx, by) = (seen.to_px((tile.pose.x_mm, tile.pose.y_mm)) for tile in (a, b))
    apart = math.hypot(bx - ax, by - ay)
    dx, dy = (bx - ax) / apart, (by - ay) / apart
    corners = [seen.to_px(corner) for tile in (a, b) for corner in tile.footprint.corners]
    along = [x * dx + y * dy for x, y in corners]
    aside = [y * dx - x * dy for x, y in corners]
    u0, u1 = min(along) - _CLEAR_PX, max(along) + _CLEAR_PX
    v0, v1 = min(aside) - _CLEAR_PX, max(aside) + _CLEAR_PX
    turned = ((u0, v0), (u1, v0), (u1, v1), (u0, v1))
    return [(u * dx - v * dy, u * dy + v * dx) for u, v in turned]


def _free(
    seen: Above,
    tiles: Sequence[Tile],
    frame: Box,
    size: tuple[float, float],
    room: Box,
) -> Box:
    """Find a place above or below a frame, as near as may be, that covers no joint and no push."""
    joined = [(*a.footprint.corners, *b.footprint.corners) for a, b in pairwise(tiles)]
    x, y = _behind(seen, tiles[0])(_ARROW_PX, 0)
    push = (x - _WORD_PX, y - _WORD_PX, x + _WORD_PX, y + _WORD_PX)
    taken = [push, *(_around(map(seen.to_px, corners)) for corners in joined)]
    wide, high = size
    places = []
    for step in range(40):
        for y in (frame[1] - 10.0 - 8.0 * step - high, frame[3] + 10.0 + 8.0 * step):
            for shift in (0.0, -0.45, 0.45):
                left = (frame[0] + frame[2]) / 2 - wide / 2 + shift * wide
                left = min(max(left, room[0]), room[2] - wide)
                places.append((left, y, left + wide, y + high))
    inside = [p for p in places if p[1] >= room[1] and p[3] <= room[3]] or places
    return next((p for p in inside if not any(_meet(p, t) for t in taken)), inside[0])


def _around(points: Iterable[Point]) -> Box:
    xs, ys = zip(*points, strict=True)
    return (min(xs), min(ys), max(xs), max(ys))


def _meet(a: Box, b: Box) -> bool:
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]


def _legend(top: float) -> str:
    words = "chance that a fall which reaches a joint gets across it"
    parts = [text(words, (_MARGIN_PX, top), class_="quiet", font_size=14)]
    for i, (_, words, shade) in enumerate(CLASSES):
        x = _MARGIN_PX + 106.0 * i
        parts.append(
            element("rect", x=x, y=top + 12.0, width=96, height=14, fill=shade, class_="joint",
                    stroke_width=0.8)
        )  # fmt: skip
        parts.append(
            text(words, (x + 48.0, top + 44.0), class_="quiet", font_size=13, text_anchor="middle")
        )
    return "".join(parts)


def _cut(words: str, most: int) -> str:
    return words if len(words) <= most else words[: most - 1] + "…"
