"""The calibration board and the pusher's tag on paper."""

from dataclasses import dataclass
from decimal import Decimal

import numpy as np

from vision.geometry.charuco import BOARD, CharucoBoard
from vision.print.outline import draw_marker
from vision.print.paper import (
    SHEET,
    BadSheet,
    Ink,
    Paper,
    Point,
    Say,
    Shape,
    Sheet,
    Text,
    box,
    frame_of,
    framed,
)
from vision.pusher_tag.tag import TAG, Tag

COPIES = 2
"""Of the tag: one to use, one to spare."""


@dataclass(frozen=True, slots=True)
class TagSheetStyle:
    """How the sheet with the pusher's tags is laid out; set by eye on printed ones.

    Places are mm, up from a line or right from a side where nothing else is said.
    """

    words_mm: float = 14.0
    """Room for words above and below a tag, mm."""
    apart_mm: float = 20.0
    """Between two tags, mm."""
    name_up_mm: float = -5.0
    """Where the name of a tag is, from its lower side ..."""
    size_up_mm: float = -9.4
    """... and its size."""
    tip_up_mm: float = 7.0
    """Where the tip of the arrow is, from the upper side ..."""
    arrow_mm: tuple[float, float] = (4.0, 2.5)
    """... the arrow's height, and half its width, mm ..."""
    push_mm: tuple[float, float] = (5.0, -3.2)
    """... and where "push" begins, from its tip."""
    rim_arrow_off_mm: float = 0.4
    """How far the small arrow on the tag's rim keeps from its side, mm ..."""
    rim_arrow_mm: tuple[float, float] = (1.8, 1.2)
    """... how far its foot does, and half its width, mm."""


TAG_SHEET = TagSheetStyle()


def board_sheets(paper: Paper, say: Say, board: CharucoBoard = BOARD) -> tuple[Sheet, ...]:
    """Draw the calibration board, turned clockwise where it only fits so.

    Raises:
        BadSheet: the paper is too small.
    """
    width, height = board.size_mm
    room_x, room_y = paper.room_mm
    turned = width > room_x
    wide, high = (height, width) if turned else (width, height)
    if wide > room_x or high > room_y:
        raise BadSheet(
            f"{paper.name} paper is too small: the board is {width:g} x {height:g} mm, the sheet "
            f"has room for {room_x:.0f} x {room_y:.0f} mm; choose larger paper"
        )
    left = (paper.width_mm - wide) / 2
    top = paper.top_mm - (room_y - high) / 2

    def at(x: float, y: float) -> Point:
        """From mm right and down on the board to the sheet."""
        return (left + height - y, top - x) if turned else (left + x, top - y)

    known = board.opencv()
    markers = [np.asarray(corners, float) for corners in known.getObjPoints()]
    square = board.square_mm
    white = {(int(c[:, 0].mean() // square), int(c[:, 1].mean() // square)) for c in markers}
    shapes: list[Shape] = []
    for row in range(board.rows):
        for column in range(board.columns):
            if (column, row) not in white:
                corners = box(column * square, row * square, square, square)
                shapes.append(Ink((tuple(at(x, y) for x, y in corners),)))
    for marker, places in zip(np.asarray(known.getIds()).ravel(), markers, strict=True):
        corners = tuple(at(float(x), float(y)) for x, y, _ in places)
        shapes.append(draw_marker(board.dictionary, int(marker), corners))
    hint = say("board.hint", square=Decimal(f"{square:g}"))
    return (framed(paper, say("board.title"), hint, (1, 1), shapes, say),)


def tag_sheets(paper: Paper, say: Say, tag: Tag = TAG) -> tuple[Sheet, ...]:
    """Draw the pusher's tag, and one to spare.

    Raises:
        BadSheet: the paper is too small.
    """
    room_x, room_y = paper.room_mm
    needed = (COPIES * (tag.paper_mm + TAG_SHEET.apart_mm), tag.paper_mm + 2 * TAG_SHEET.words_mm)
    if needed[0] > room_x or needed[1] > room_y:
        raise BadSheet(
            f"{paper.name} paper is too small: {COPIES} tags need {needed[0]:.0f} x "
            f"{needed[1]:.0f} mm, the sheet has room for {room_x:.0f} x {room_y:.0f} mm; choose "
            "larger paper"
        )
    shapes: list[Shape] = []
    for n in range(COPIES):
        middle = paper.width_mm / 2 + (n - (COPIES - 1) / 2) * (tag.paper_mm + TAG_SHEET.apart_mm)
        height = paper.top_mm - TAG_SHEET.words_mm - tag.paper_mm / 2
        shapes += _tag(tag, middle, height)
        words = say("tag.first" if n == 0 else "tag.spare")
        below = height - tag.paper_mm / 2
        name, size = ((middle, below + up) for up in (TAG_SHEET.name_up_mm, TAG_SHEET.size_up_mm))
        cut = say("tag.cut", side=Decimal(f"{tag.paper_mm:g}"))
        shapes.append(Text(name, words, SHEET.name_mm, "middle", True))
        shapes.append(Text(size, cut, SHEET.note_mm, "middle"))
    hint = say("tag.hint", height=Decimal(f"{tag.height_mm:g}"))
    return (framed(paper, say("tag.title"), hint, (1, 1), shapes, say),)


def _tag(tag: Tag, x: float, y: float) -> list[Shape]:
    half, rim = tag.side_mm / 2, tag.paper_mm / 2
    corners = [
        (x - half, y + half),
        (x + half, y + half),
        (x + half, y - half),
        (x - half, y - half),
    ]
    tip = y + rim + TAG_SHEET.tip_up_mm
    high, wide = TAG_SHEET.arrow_mm
    push = (x + TAG_SHEET.push_mm[0], tip + TAG_SHEET.push_mm[1])
    small_tip = y + rim - TAG_SHEET.rim_arrow_off_mm
    deep, small = TAG_SHEET.rim_arrow_mm
    small_foot = y + rim - deep
    return [
        draw_marker(tag.dictionary, tag.marker, corners),
        *frame_of(box(x - rim, y - rim, tag.paper_mm, tag.paper_mm)),
        Ink((((x, tip), (x - wide, tip - high), (x + wide, tip - high)),)),
        Text(push, "push", SHEET.part_type_mm, grey=SHEET.soft),
        # Small and grey, as the white round the tag is a part of it.
        Ink((((x, small_tip), (x - small, small_foot), (x + small, small_foot)),), SHEET.mid),
    ]
