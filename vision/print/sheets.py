"""What can be printed: the mat, the marks, the calibration board, the pusher's tag."""

from collections.abc import Sequence
from pathlib import Path

from physics.row.tile import TileSpec
from vision.marks.sticker import load_marks, marks_for
from vision.print.paper import PAPERS, BadSheet, Paper, Say, Sheet, write_pdf
from vision.print.sheets_board import board_sheets, tag_sheets
from vision.print.sheets_marks import marks_sheets
from vision.print.sheets_mat import mat_sheets

WHAT = {
    "mat": "the strips of markers round the work area, and how they lie",
    "marks": "the stickers on the tiles' narrow edges",
    "charuco": "the board that a lens is calibrated with",
    "pusher-tag": "the tag on top of the pusher",
}


def paper_of(name: str) -> Paper:
    """Give the paper of a name, in large or small letters.

    Raises:
        BadSheet: there is none of that name.

    >>> paper_of("a4").width_mm
    210.0
    """
    found = next((p for known, p in PAPERS.items() if known.lower() == name.lower()), None)
    if found is None:
        raise BadSheet(f"no paper is called {name}; choose one of {', '.join(PAPERS)}")
    return found


def draw(
    what: str,
    paper: Paper,
    say: Say,
    mat: Path | None = None,
    marks: Path | None = None,
    tile: TileSpec | None = None,
) -> tuple[Sheet, ...]:
    """Draw everything that is printed for one purpose.

    Args:
        what: one of `WHAT`.
        paper: as it stands.
        say: the words on it.
        mat: a mat file, None for the shipped one.
        marks: a file of marks, None for the shipped one.
        tile: size of tiles for which the marks are made, instead of a file.

    Raises:
        VisionError: a file cannot be used, or the paper is too small.
    """
    match what:
        case "mat":
            return mat_sheets(paper, say, mat)
        case "marks":
            return marks_sheets(paper, marks_for(tile) if tile else load_marks(marks), say)
        case "charuco":
            return board_sheets(paper, say)
        case _:
            return tag_sheets(paper, say)


def save(path: Path, what: str, sheets: Sequence[Sheet]) -> None:
    """Write them to a PDF file.

    Raises:
        BadSheet: it cannot be written; then there is none.
    """
    write_pdf(path, sheets, f"domino-rig: {what}")
