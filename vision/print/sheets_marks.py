"""The stickers of a set of tiles on paper."""

import math
from dataclasses import dataclass

from vision.marks.sticker import CELLS, MarkSet, Sticker
from vision.print.paper import (
    SHEET,
    BadSheet,
    Ink,
    Paper,
    Say,
    Shape,
    Sheet,
    Text,
    box,
    frame_of,
    framed,
)

COPIES = 2
"""A tile has two edges of each length."""


@dataclass(frozen=True, slots=True)
class MarksSheetStyle:
    """How the sheets of marks are laid out; set by eye on printed ones."""

    label_mm: float = 12.0
    """Room for the value before its stickers, mm ..."""
    label_end_mm: float = 8.0
    """... where it ends, right from the margin, mm ..."""
    label_drop_mm: float = 1.6
    """... how far its base line is below the middle of the stickers, mm ..."""
    label_type_mm: float = 4.6
    """... and its type size, mm."""
    gap_mm: float = 5.0
    """Between two stickers, mm."""
    note_mm: float = 8.0
    """Room for the note above them, mm ..."""
    note_up_mm: float = 1.0
    """... and where its base line is, up from the head of the sheet, mm."""
    slack_mm: float = 0.05
    """By how much the cells of a mark may be longer than its body, mm: rounding in its file."""


MARKS_SHEET = MarksSheetStyle()


def marks_sheets(paper: Paper, marks: MarkSet, say: Say) -> tuple[Sheet, ...]:
    """Draw the stickers of every value: two for the long edges, two for the short ones.

    Args:
        paper: as it stands.
        marks: of the tiles that are played with.
        say: the words.

    Raises:
        BadSheet: the paper is too small, or a mark is not as large as its parts.
    """
    _check(marks)
    stickers = [marks.long] * COPIES + [marks.short] * COPIES
    room_x, room_y = paper.room_mm
    width = (
        MARKS_SHEET.label_mm
        + sum(s.sticker_mm[0] + MARKS_SHEET.gap_mm for s in stickers)
        - MARKS_SHEET.gap_mm
    )
    depth = max(s.sticker_mm[1] for s in stickers) + MARKS_SHEET.gap_mm
    rows = math.floor((room_y - MARKS_SHEET.note_mm) / depth)
    if width > room_x or rows < 1:
        raise BadSheet(
            f"{paper.name} paper is too small: the stickers of one tile need {width:.0f} x "
            f"{depth:.0f} mm in a row, the sheet has room for {room_x:.0f} x {room_y:.0f} mm; "
            "choose larger paper"
        )
    values = sorted(marks.words)
    count = math.ceil(len(values) / rows)
    sheets = []
    for n in range(count):
        shapes: list[Shape] = list(_notes(marks, paper, say))
        for row, value in enumerate(values[n * rows : (n + 1) * rows]):
            top = paper.top_mm - MARKS_SHEET.note_mm - row * depth
            shapes += _row(value, marks.words[value], stickers, top)
        part = (n + 1, count)
        sheets.append(framed(paper, say("marks.title"), say("marks.hint"), part, shapes, say))
    return tuple(sheets)


def _check(marks: MarkSet) -> None:
    for name, sticker in (("short", marks.short), ("long", marks.long)):
        (length, width), (paper_length, paper_width) = sticker.body_mm, sticker.sticker_mm
        cells = CELLS * sticker.cell_mm + 2 * sticker.end_wall_mm
        if not (0 < length <= paper_length <= sticker.edge_mm and 0 < width <= paper_width):
            raise BadSheet(
                f"the {name} mark does not fit: its body must lie in its sticker and its sticker "
                "on the edge; mend sticker, body and edge in the file of marks"
            )
        if not (0 < sticker.window_mm < width and cells <= length + MARKS_SHEET.slack_mm):
            raise BadSheet(
                f"the {name} mark's cells and end walls need {cells:g} mm, its body is {length:g} "
                "mm long; mend cell, end_wall and window_h in the file of marks"
            )


def _notes(marks: MarkSet, paper: Paper, say: Say) -> tuple[Shape, ...]:
    long, short = (f"{s.sticker_mm[0]:g} x {s.sticker_mm[1]:g}" for s in (marks.long, marks.short))
    words = say("marks.cut", long=long, short=short)
    base = paper.top_mm + MARKS_SHEET.note_up_mm
    return (Text((SHEET.margin_mm, base), words, SHEET.hint_mm, grey=SHEET.soft),)


def _row(value: int, word: str, stickers: list[Sticker], top: float) -> list[Shape]:
    deepest = max(sticker.sticker_mm[1] for sticker in stickers)
    end = SHEET.margin_mm + MARKS_SHEET.label_end_mm
    base = top - deepest / 2 - MARKS_SHEET.label_drop_mm
    shapes: list[Shape] = [Text((end, base), str(value), MARKS_SHEET.label_type_mm, "right", True)]
    left = SHEET.margin_mm + MARKS_SHEET.label_mm
    for sticker in stickers:
        shapes += draw_mark(sticker, word, left, top - sticker.sticker_mm[1])
        left += sticker.sticker_mm[0] + MARKS_SHEET.gap_mm
    return shapes


def draw_mark(sticker: Sticker, word: str, left: float, bottom: float) -> tuple[Shape, ...]:
    """Draw one sticker with the thin lines it is cut along.

    Args:
        sticker: its geometry.
        word: its cells, the first at the left.
        left: its left side on the sheet, mm.
        bottom: its lower side.
    """
    (length, width), (paper_length, paper_width) = sticker.body_mm, sticker.sticker_mm
    middle, height = left + paper_length / 2, bottom + paper_width / 2
    outlines = [box(middle - length / 2, height - width / 2, length, width)]
    for start, end in _runs(word):
        outlines.append(
            box(
                middle + (start - CELLS / 2) * sticker.cell_mm,
                height - sticker.window_mm / 2,
                (end - start) * sticker.cell_mm,
                sticker.window_mm,
            )
        )
    return (
        Ink(tuple(outlines)),
        *frame_of(box(left, bottom, paper_length, paper_width)),
    )


def _runs(word: str) -> list[tuple[int, int]]:
    """Give the first and the last but one of each row of ones.

    >>> _runs("011000101")
    [(1, 3), (6, 7), (8, 9)]
    """
    edges = [n for n in range(len(word) + 1) if f"0{word}0"[n] != f"0{word}0"[n + 1]]
    return list(zip(edges[::2], edges[1::2], strict=True))
