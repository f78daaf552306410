"""The mat on paper: its strips, split where the paper is too short, and how they are laid."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path

import numpy as np

from vision.files import numbers, read_json
from vision.geometry.mat import SHIPPED_MAT, BadMat, Mat, load_mat
from vision.print.outline import draw_marker, marker_cells
from vision.print.paper import (
    SHEET,
    BadSheet,
    Ink,
    PageLine,
    Paper,
    Point,
    Say,
    Shape,
    Sheet,
    Text,
    box,
    frame_of,
    framed,
    width_mm,
)


@dataclass(frozen=True, slots=True)
class MatSheetStyle:
    """How the strips of the mat and the plan of it are laid out; set by eye on printed ones.

    Places are mm, up from a line or right from a side where nothing else is said.
    """

    space_mm: float = 6.0
    """Between two strips on a sheet, mm."""
    flap_mm: float = 8.0
    """Width of the flap of a piece, to be stuck under the next one, mm."""
    short_mm: float = 0.5
    """Paper may be so much shorter than a strip that runs over all of it, mm; printers are no
    better."""
    lay_words_mm: tuple[float, float] = (6.4, 6.0)
    """Where "lay on the flap" begins on the piece that is laid there ..."""
    lay_type_mm: float = 2.2
    """... and its type size, mm."""
    flap_words_mm: float = 5.8
    """Where the base line of "flap" is, right from where the flap begins."""
    join_line_mm: float = 0.15
    """Width of the line there, mm ..."""
    diamond_mm: float = 3.0
    """... and half the side to side of the diamond on it, mm."""
    triangle_off_mm: float = 0.6
    """How far the triangle keeps from the side where the work area is, mm ..."""
    triangle_mm: tuple[float, float] = (2.6, 2.0)
    """... its height, and half its width, mm ..."""
    side_words_mm: tuple[float, float] = (-3.4, 1.4)
    """... and where the base line of its words is, up from its foot: below it, above it."""
    name_type_mm: float = 4.2
    """Type size of the name of a strip, mm ..."""
    name_up_mm: float = 1.0
    """... where it is, from the middle of the strip ..."""
    number_up_mm: float = -3.4
    """... where its number is ..."""
    markers_up_mm: tuple[float, float] = (-6.6, 6.2)
    """... and where its markers are listed: if the triangle is above, if it is below."""
    plan_room_mm: tuple[float, float] = (20.0, 12.0)
    """What the plan leaves free in width and height, mm ..."""
    plan_top_mm: float = 18.0
    """... and above it, mm."""
    plan_name_mm: float = 3.4
    """How far beside a strip its name is written there, mm ..."""
    plan_drop_mm: float = 1.1
    """... by so much lower where it stands over or under it, mm ..."""
    plan_type_mm: float = 3.2
    """... and its type size, mm."""
    measure_letter_mm: float = 1.75
    """Room for a letter of what can be measured, mm ..."""
    measure_room_mm: float = 6.0
    """... and round the words, mm."""
    measure_lines_mm: tuple[float, float] = (9.0, 7.0)
    """Where the first line of it is, up from the middle, and how far lines are apart, mm."""
    measure_drop_mm: float = 2.0
    """How far a line's white ground reaches below its base line, mm."""


MAT_SHEET = MatSheetStyle()


LEAST_TYPE = 0.5
"""A name that is too long is set in smaller type, down to this share of the usual."""


@dataclass(frozen=True, slots=True)
class Strip:
    """One strip of the mat, as it lies on the table.

    Attributes:
        number: from 1, clockwise from the far left.
        name: where it lies.
        ids: its markers.
        left_mm: table x of its left side.
        bottom_mm: table y of its near side.
        width_mm: along table x.
        height_mm: along table y.
        inwards: which way the work area is: "up", "down", "left" or "right", away being up.
    """

    number: int
    name: str
    ids: tuple[int, ...]
    left_mm: float
    bottom_mm: float
    width_mm: float
    height_mm: float
    inwards: str

    @property
    def upright(self) -> bool:
        """Whether it is longer along table y, and so turned clockwise on paper."""
        return self.height_mm > self.width_mm

    @property
    def length_mm(self) -> float:
        """The longer side."""
        return max(self.width_mm, self.height_mm)

    @property
    def depth_mm(self) -> float:
        """The shorter side."""
        return min(self.width_mm, self.height_mm)

    def on_paper(self, place: Point) -> Point:
        """Give a table place as mm along and up from the lower left corner of the strip laid flat.

        A strip that runs away from the player is turned clockwise: away becomes right.
        """
        x, y = place[0] - self.left_mm, place[1] - self.bottom_mm
        return (y, self.width_mm - x) if self.upright else (x, y)

    @property
    def area_above(self) -> bool:
        """Whether the work area is at the strip's upper side on paper."""
        return self.inwards in ("up", "left")


@dataclass(frozen=True, slots=True)
class Piece:
    """What of a strip fits on one sheet.

    Attributes:
        strip: which.
        ids: its markers on this piece.
        start_mm: where the piece begins along the strip.
        end_mm: where it ends, without a flap.
    """

    strip: Strip
    ids: tuple[int, ...]
    start_mm: float
    end_mm: float

    @property
    def flap_mm(self) -> float:
        """What hangs over for the next piece."""
        return MAT_SHEET.flap_mm if self.end_mm < self.strip.length_mm else 0.0

    @property
    def length_mm(self) -> float:
        """All that is cut out."""
        return self.end_mm - self.start_mm + self.flap_mm


def mat_sheets(paper: Paper, say: Say, path: Path | None = None) -> tuple[Sheet, ...]:
    """Draw the mat.

    Args:
        paper: as it stands.
        say: the words.
        path: a mat file; None for the shipped one.

    Raises:
        BadMat: the file cannot be used.
        BadSheet: the paper is too small.
    """
    mat = load_mat(path)
    strips = strips_of(mat, path or SHIPPED_MAT)
    lying = paper.lying
    pieces = [piece for strip in strips for piece in split_strip(strip, mat, lying)]
    depth = max(strip.depth_mm for strip in strips)
    rows = math.floor((lying.room_mm[1] + MAT_SHEET.space_mm) / (depth + MAT_SHEET.space_mm))
    if rows < 1:
        raise BadSheet(
            f"{paper.name} paper is too small: a strip is {depth:g} mm deep, the sheet has room "
            f"for {lying.room_mm[1]:.0f} mm; choose larger paper"
        )
    count = math.ceil(len(pieces) / rows)
    rows = math.ceil(len(pieces) / count)
    sheets = []
    for n in range(count):
        shapes: list[Shape] = []
        for row, piece in enumerate(pieces[n * rows : (n + 1) * rows]):
            top = lying.top_mm - row * (depth + MAT_SHEET.space_mm)
            shapes += _draw_piece(piece, mat, lying, top - piece.strip.depth_mm, say)
        hint = say("mat.hint")
        if pieces[0].length_mm > lying.room_mm[0]:
            hint = say("mat.hint_whole")
        part = (n + 1, count + 1)
        sheets.append(framed(lying, say("mat.title"), hint, part, shapes, say))
    sheets.append(_plan(lying, mat, strips, count + 1, say))
    return tuple(sheets)


def strips_of(mat: Mat, path: Path) -> tuple[Strip, ...]:
    """Give the strips of a mat.

    Args:
        mat: as it was read.
        path: its file, which tells where the edges of the strips lie.

    Raises:
        BadMat: the file does not say, or not so that they hold their markers.
    """
    entries = read_json(path, BadMat).get("sheets")
    if not isinstance(entries, list) or not entries:
        raise BadMat(f"{path}: field sheets is missing; it tells which markers share a strip")
    for ids in mat.strips:
        unknown = [i for i in ids if i not in mat.corners_mm]
        if unknown or not ids:
            fault = f"marker {unknown[0]}, which markers does not have" if unknown else "no markers"
            raise BadMat(f"{path}: an entry of sheets has {fault}; list the ids that are on it")
    sides = [mat.side(ids[0]) for ids in mat.strips]
    strips = []
    for n, (entry, ids, side) in enumerate(zip(entries, mat.strips, sides, strict=True)):
        (left, right), (bottom, top) = (numbers(entry, f, path, (2,), BadMat) for f in "xy")
        corners = np.concatenate([mat.corners_mm[i] for i in ids])
        inside = ((left, bottom) < corners.min(axis=0)) & ((right, top) > corners.max(axis=0))
        if not inside.all():
            raise BadMat(
                f"{path}: the entry of sheets with marker {ids[0]} has markers outside its x and "
                "y; give the edges of the strip in mm, the smaller first"
            )
        strips.append(
            Strip(
                n + 1,
                _name(n, sides, mat),
                ids,
                float(left),
                float(bottom),
                float(right - left),
                float(top - bottom),
                {"far": "down", "near": "up", "left": "right", "right": "left"}[side],
            )
        )
    return tuple(strips)


def _name(n: int, sides: Sequence[str], mat: Mat) -> str:
    """Say where a strip lies, so that no two are called the same."""
    side = sides[n]
    if sides.count(side) == 1:
        return side
    along = 1 if side in ("left", "right") else 0
    middles = [float(mat.corners_mm[i][:, along].mean()) for i in mat.strips[n]]
    middle = sum(middles) / len(middles)
    area = mat.area_y_mm if along else mat.area_x_mm
    first, second = ("near", "far") if along else ("left", "right")
    return f"{side} {first if middle < sum(area) / 2 else second}"


def split_strip(strip: Strip, mat: Mat, paper: Paper) -> list[Piece]:
    """Cut a strip half-way between markers until every piece fits on the paper.

    Args:
        strip: which.
        mat: with its markers.
        paper: as it is laid; a strip exactly as long may run over all of it.

    Raises:
        BadSheet: not even single markers fit.
    """
    spans = sorted(
        (min(along), max(along), marker)
        for marker in strip.ids
        for along in [[strip.on_paper((x, y))[0] for x, y in mat.corners_mm[marker]]]
    )
    blank = min(spans[0][0], strip.length_mm - spans[-1][1])
    ids = tuple(marker for *_, marker in spans)
    if strip.length_mm <= paper.width_mm + MAT_SHEET.short_mm and (
        blank >= SHEET.margin_mm or strip.length_mm <= paper.room_mm[0]
    ):
        return [Piece(strip, ids, 0.0, strip.length_mm)]
    for count in range(2, len(spans) + 1):
        # The first pieces get one marker more where they cannot all have the same.
        ends = [math.ceil(len(spans) * (n + 1) / count) for n in range(count)]
        joins = [(spans[end - 1][1] + spans[end][0]) / 2 for end in ends[:-1]]
        edges = [0.0, *joins, strip.length_mm]
        firsts = [0, *ends[:-1]]
        pieces = [
            Piece(strip, ids[firsts[n] : ends[n]], edges[n], edges[n + 1]) for n in range(count)
        ]
        if max(piece.length_mm for piece in pieces) <= paper.room_mm[0]:
            return pieces
    raise BadSheet(
        f"{paper.name} paper is too small for strip {strip.number} ({strip.name}): its shortest "
        f"piece has no room in {paper.room_mm[0]:.0f} mm; choose larger paper"
    )


def _draw_piece(piece: Piece, mat: Mat, paper: Paper, bottom: float, say: Say) -> list[Shape]:
    strip = piece.strip
    whole = piece.length_mm > paper.room_mm[0]
    left = (paper.width_mm - piece.length_mm) / 2 if whole else SHEET.margin_mm
    depth = strip.depth_mm
    shapes: list[Shape] = []
    places: dict[int, list[Point]] = {}
    for marker in piece.ids:
        corners = [strip.on_paper((float(x), float(y))) for x, y in mat.corners_mm[marker]]
        places[marker] = [(left + x - piece.start_mm, bottom + y) for x, y in corners]
        shapes.append(draw_marker(mat.dictionary, marker, places[marker]))
    outline = box(left, bottom, piece.length_mm, depth)
    lines = frame_of(outline)
    # A strip as long as the paper ends where the paper ends.
    shapes += [lines[0], lines[2]] if whole else list(lines)
    shapes += _words(piece, left, bottom, places, mat.dictionary, say)
    if piece.flap_mm:
        shapes += _flap(left + piece.end_mm - piece.start_mm, bottom, depth, say)
    if piece.start_mm > 0:
        shapes += _half(left, bottom + depth / 2, 1.0)
        right, up = MAT_SHEET.lay_words_mm
        place, size = (left + right, bottom + up), MAT_SHEET.lay_type_mm
        shapes.append(Text(place, say("mat.lay"), size, grey=SHEET.soft, upwards=True))
    return shapes


def _words(
    piece: Piece,
    left: float,
    bottom: float,
    places: dict[int, list[Point]],
    dictionary: str,
    say: Say,
) -> list[Shape]:
    """Write which strip it is into the widest white place of a piece, and where it lies."""
    strip = piece.strip
    spans = sorted((min(x for x, _ in c), max(x for x, _ in c)) for c in places.values())
    starts = [left, *(end for _, end in spans)]
    ends = [*(start for start, _ in spans), left + piece.length_mm - piece.flap_mm]
    inner = list(zip(starts, ends, strict=True))[1:-1] or list(zip(starts, ends, strict=True))
    start, end = max(inner, key=lambda pair: pair[1] - pair[0])
    middle, depth = (start + end) / 2, strip.depth_mm
    up = strip.area_above
    edge = bottom + (depth if up else 0.0)
    off, (high, half) = MAT_SHEET.triangle_off_mm, MAT_SHEET.triangle_mm
    tip = edge - off if up else edge + off
    foot = tip - high if up else tip + high
    below, above = MAT_SHEET.side_words_mm
    centre, small = bottom + depth / 2, SHEET.small_mm
    markers_up = MAT_SHEET.markers_up_mm[0 if up else 1]
    first, last = piece.ids[0], piece.ids[-1]
    markers = say("mat.marker" if first == last else "mat.markers", first=first, last=last)
    side = (middle, foot + (below if up else above))
    name = (middle, centre + MAT_SHEET.name_up_mm)
    number = (middle, centre + MAT_SHEET.number_up_mm)
    # A marker needs a white rim as wide as one of its cells.
    side_mm = max(x for x, _ in places[first]) - min(x for x, _ in places[first])
    room = end - start - 2 * side_mm / len(marker_cells(dictionary, first))
    called, size = _called(strip, say), MAT_SHEET.name_type_mm
    size *= min(1.0, max(LEAST_TYPE, room / width_mm(called, size, bold=True)))
    return [
        Ink((((middle, tip), (middle - half, foot), (middle + half, foot)),)),
        Text(side, say("mat.area_side"), small, "middle", grey=SHEET.soft),
        Text(name, called, size, "middle", True),
        Text(number, say("mat.strip", number=strip.number), small, "middle"),
        Text((middle, centre + markers_up), markers, small, "middle", grey=SHEET.soft),
    ]


def _flap(x: float, bottom: float, depth: float, say: Say) -> list[Shape]:
    """Draw the part that goes under the next piece, and the line where that begins."""
    top = bottom + depth
    shapes: list[Shape] = [PageLine((x, bottom), (x, top), MAT_SHEET.join_line_mm, 0.0, True)]
    shapes += _half(x, bottom + depth / 2, -1.0)
    shapes += _half(x, bottom + depth / 2, 1.0)
    place = (x + MAT_SHEET.flap_words_mm, bottom + depth / 2)
    shapes.append(
        Text(place, say("mat.flap"), SHEET.small_mm, "middle", grey=SHEET.soft, upwards=True)
    )
    end = x + MAT_SHEET.flap_mm
    shapes.append(PageLine((end, bottom), (end, top), SHEET.cut_wide_mm, SHEET.faint))
    return shapes


def _half(x: float, middle: float, way: float) -> list[Shape]:
    """Half a diamond on a join; both halves make a whole one when the pieces meet."""
    half = MAT_SHEET.diamond_mm
    return [Ink((((x, middle - half), (x + way * half, middle), (x, middle + half)),))]


def _plan(paper: Paper, mat: Mat, strips: Sequence[Strip], number: int, say: Say) -> Sheet:
    """Draw small how the strips lie, with what can be measured on the table."""
    xs = [edge for s in strips for edge in (s.left_mm, s.left_mm + s.width_mm)]
    ys = [edge for s in strips for edge in (s.bottom_mm, s.bottom_mm + s.height_mm)]
    wide, high = max(xs) - min(xs), max(ys) - min(ys)
    room_x, room_y = paper.room_mm
    free_x, free_y = MAT_SHEET.plan_room_mm
    scale = min((room_x - free_x) / wide, (room_y - free_y) / high)
    left = (paper.width_mm - scale * wide) / 2 - scale * min(xs)
    top = paper.height_mm - SHEET.margin_mm - MAT_SHEET.plan_top_mm
    bottom = top - scale * high - scale * min(ys)

    def at(x: float, y: float) -> Point:
        return left + scale * x, bottom + scale * y

    shapes: list[Shape] = []
    for strip in strips:
        x, y = at(strip.left_mm, strip.bottom_mm)
        shapes += frame_of(box(x, y, scale * strip.width_mm, scale * strip.height_mm), 0.0)
        for marker in strip.ids:
            corners = tuple(at(float(u), float(v)) for u, v in mat.corners_mm[marker])
            shapes.append(Ink((corners,), SHEET.mid))
        away = {"down": (0, -1), "up": (0, 1), "left": (-1, 0), "right": (1, 0)}[strip.inwards]
        across, along = x + scale * strip.width_mm / 2, y + scale * strip.height_mm / 2
        reach = scale * strip.depth_mm / 2 + MAT_SHEET.plan_name_mm
        drop = 0 if strip.upright else MAT_SHEET.plan_drop_mm
        place = across + away[0] * reach, along + away[1] * reach - drop
        words, size = f"{strip.number}: {_called(strip, say)}", MAT_SHEET.plan_type_mm
        shapes.append(Text(place, words, size, "middle", True, upwards=strip.upright))
    (x0, x1), (y0, y1) = mat.area_x_mm, mat.area_y_mm
    area = (at(x0, y0), at(x1, y0), at(x1, y1), at(x0, y1))
    shapes += frame_of(area, 0.0)
    shapes += [PageLine(area[n], area[n + 2], SHEET.cut_wide_mm, SHEET.faint, True) for n in (0, 1)]
    middle = at((x0 + x1) / 2, (y0 + y1) / 2)
    for n, words in enumerate(_measures(mat, strips, say)):
        width = MAT_SHEET.measure_letter_mm * len(words) + MAT_SHEET.measure_room_mm
        up, apart = MAT_SHEET.measure_lines_mm
        y = middle[1] + up - apart * n
        ground = box(middle[0] - width / 2, y - MAT_SHEET.measure_drop_mm, width, apart)
        shapes.append(Ink((ground,), 1.0))
        shapes.append(Text((middle[0], y), words, SHEET.name_mm, "middle", n == 0))
    return framed(paper, say("plan.title"), say("plan.hint"), (number, number), shapes, say)


def _called(strip: Strip, say: Say) -> str:
    """Where it lies, in words: its name is made of sides alone."""
    return say(f"mat.side.{strip.name.replace(' ', '_')}")


def _measures(mat: Mat, strips: Sequence[Strip], say: Say) -> list[str]:
    """Say what can be measured on the table with a rule."""
    (x0, x1), (y0, y1) = mat.area_x_mm, mat.area_y_mm
    words = [
        say("plan.area", width=Decimal(f"{x1 - x0:g}"), height=Decimal(f"{y1 - y0:g}")),
        say("plan.diagonals", length=Decimal(f"{math.hypot(x1 - x0, y1 - y0):.1f}")),
    ]
    across = [strip.left_mm - x0 for strip in strips if not strip.upright]
    along = [strip.bottom_mm - y0 for strip in strips if strip.upright]
    if across and along:
        words.append(
            say("plan.begin", across=Decimal(f"{min(across):g}"), along=Decimal(f"{min(along):g}"))
        )
    return [*words, say("plan.player")]
