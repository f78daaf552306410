"""The calibration board and the pusher's tag on paper."""

import numpy as np

from vision.geometry.charuco import BOARD, CharucoBoard
from vision.print.outline import draw_marker
from vision.print.paper import (
    HEAD_MM,
    MARGIN_MM,
    SOFT,
    BadSheet,
    Ink,
    Paper,
    Point,
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
WORDS_MM = 14.0


def board_sheets(paper: Paper, board: CharucoBoard = BOARD) -> tuple[Sheet, ...]:
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
    top = paper.height_mm - MARGIN_MM - HEAD_MM - (room_y - high) / 2

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
    hint = f"Glue it flat on glass or foam board. Every square must be {square:g} mm wide."
    return (framed(paper, "domino-rig: calibration board", hint, (1, 1), shapes),)


def tag_sheets(paper: Paper, tag: Tag = TAG) -> tuple[Sheet, ...]:
    """Draw the pusher's tag, and one to spare.

    Raises:
        BadSheet: the paper is too small.
    """
    room_x, room_y = paper.room_mm
    needed = (COPIES * (tag.paper_mm + 20.0), tag.paper_mm + 2 * WORDS_MM)
    if needed[0] > room_x or needed[1] > room_y:
        raise BadSheet(
            f"{paper.name} paper is too small: {COPIES} tags need {needed[0]:.0f} x "
            f"{needed[1]:.0f} mm, the sheet has room for {room_x:.0f} x {room_y:.0f} mm; choose "
            "larger paper"
        )
    shapes: list[Shape] = []
    for n in range(COPIES):
        middle = paper.width_mm / 2 + (n - (COPIES - 1) / 2) * (tag.paper_mm + 20.0)
        height = paper.height_mm - MARGIN_MM - HEAD_MM - WORDS_MM - tag.paper_mm / 2
        shapes += _tag(tag, middle, height)
        words = "the tag" if n == 0 else "to spare"
        below = height - tag.paper_mm / 2
        shapes.append(Text((middle, below - 5.0), words, 3.6, "middle", True))
        shapes.append(
            Text(
                (middle, below - 9.4), f"cut {tag.paper_mm:g} x {tag.paper_mm:g} mm", 2.9, "middle"
            )
        )
    hint = f"Stick it level on the pusher, {tag.height_mm:g} mm above the table, arrow to the row."
    return (framed(paper, "domino-rig: pusher tag", hint, (1, 1), shapes),)


def _tag(tag: Tag, x: float, y: float) -> list[Shape]:
    half, rim = tag.side_mm / 2, tag.paper_mm / 2
    corners = [
        (x - half, y + half),
        (x + half, y + half),
        (x + half, y - half),
        (x - half, y - half),
    ]
    tip = y + rim + 7.0
    return [
        draw_marker(tag.dictionary, tag.marker, corners),
        *frame_of(box(x - rim, y - rim, tag.paper_mm, tag.paper_mm)),
        Ink((((x, tip), (x - 2.5, tip - 4.0), (x + 2.5, tip - 4.0)),)),
        Text((x + 5.0, tip - 3.2), "push", 3.2, grey=SOFT),
        # Small and grey, as the white round the tag is a part of it.
        Ink((((x, y + rim - 0.4), (x - 1.2, y + rim - 1.8), (x + 1.2, y + rim - 1.8)),), 0.55),
    ]
