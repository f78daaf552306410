"""Sheets of paper to be printed: exact shapes in millimetres, and the PDF they are written to.

Places on a sheet are mm from its lower left corner, x right, y up. Everything is drawn as outlines,
never as an image, so an edge lies where it was put whatever the printer's resolution. This is the
only file that knows ReportLab.
"""

import io
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import TypeAlias

from reportlab.pdfbase.pdfmetrics import registerFont, stringWidth
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas

from vision.errors import VisionError
from vision.files import write_whole

Point = tuple[float, float]
Outline = tuple[Point, ...]

MM = 72.0 / 25.4
"""PDF points in a millimetre."""


@dataclass(frozen=True, slots=True)
class SheetStyle:
    """How every sheet is laid out; set by eye on printed ones.

    Places are mm, up from a line or right from a side where nothing else is said.
    """

    margin_mm: float = 8.0
    """Hardly any printer leaves more than this white at the edges, mm."""
    head_mm: float = 15.0
    """Room for title and hint, mm."""
    foot_mm: float = 20.0
    """Room for the ruler, mm."""
    faint: float = 0.62
    """Grey of lines that are cut along, 0 black, 1 white: seen by people, ignored by detectors."""
    soft: float = 0.35
    """Grey of words that need not be read first, 0..1."""
    mid: float = 0.55
    """Grey of small shapes that no detector must take for a marker, 0..1."""
    cut_wide_mm: float = 0.1
    """Width of lines that are cut along, mm."""
    dash_mm: tuple[float, float] = (2.0, 1.2)
    """Length of the dashes of broken lines, and of the gaps between them, mm."""
    title_mm: float = 5.4
    """Type size of the title, mm ..."""
    title_up_mm: float = -4.6
    """... and where its base line is, from the top."""
    part_type_mm: float = 3.2
    """Type size of "sheet 1 of 2" beside it, mm."""
    hint_mm: float = 3.1
    """Type size of the hint, mm ..."""
    hint_up_mm: float = -9.6
    """... and where its base line is, from the top."""
    name_mm: float = 3.6
    """Type size of names of what is cut out, mm ..."""
    note_mm: float = 2.9
    """... of what to do with it, mm ..."""
    small_mm: float = 2.6
    """... and of what can be said on a strip, mm."""
    ruler_mm: int = 100
    """Length of the ruler, mm."""
    ruler_up_mm: float = 4.0
    """Where it is, from the margin."""
    ruler_beside_mm: float = 8.0
    """How far beside it its words begin, mm ..."""
    ruler_words_up_mm: tuple[float, float, float] = (4.2, 0.4, -3.4)
    """... and where their base lines are, from the ruler."""
    ticks_mm: tuple[tuple[int, float, float], ...] = ((10, 3.6, 0.15), (5, 2.5, 0.1), (1, 1.6, 0.1))
    """Marks on the ruler: every so many mm, how long, and how wide, mm."""
    ruler_numbers_mm: tuple[float, float] = (4.2, 2.4)
    """Where the base line of its numbers is, and their type size, mm."""


SHEET = SheetStyle()


Say: TypeAlias = Callable[..., str]
"""Says the text of a key in the language of the sheet, with the values of its places by name."""


class BadSheet(VisionError):
    """Something cannot be printed like this; nothing was written."""


@dataclass(frozen=True, slots=True)
class Paper:
    """A size of paper, as it is laid.

    Attributes:
        name: what people call it.
        width_mm: from left to right.
        height_mm: from bottom to top.
    """

    name: str
    width_mm: float
    height_mm: float

    @property
    def lying(self) -> "Paper":
        """The same paper on its long side."""
        return Paper(self.name, self.height_mm, self.width_mm)

    @property
    def top_mm(self) -> float:
        """Where the room ends below the head, from the bottom."""
        return self.height_mm - SHEET.margin_mm - SHEET.head_mm

    @property
    def room_mm(self) -> tuple[float, float]:
        """Width and height inside margins, head and foot."""
        return (
            self.width_mm - 2 * SHEET.margin_mm,
            self.height_mm - 2 * SHEET.margin_mm - SHEET.head_mm - SHEET.foot_mm,
        )


PAPERS = {
    paper.name: paper
    for paper in (
        Paper("A4", 210.0, 297.0),
        Paper("A3", 297.0, 420.0),
        Paper("letter", 215.9, 279.4),
    )
}
"""By name, all of them standing."""


@dataclass(frozen=True, slots=True)
class Ink:
    """A filled shape; where two of its outlines overlap it is left white.

    Attributes:
        outlines: closed outlines, the last point joined to the first.
        grey: 0 black, 1 white.
    """

    outlines: tuple[Outline, ...]
    grey: float = 0.0


@dataclass(frozen=True, slots=True)
class PageLine:
    """A straight line.

    Attributes:
        start: one end.
        end: the other.
        width_mm: how thick; half of it on either side.
        grey: 0 black, 1 white.
        dashed: whether it is broken.
    """

    start: Point
    end: Point
    width_mm: float = 0.15
    grey: float = 0.0
    dashed: bool = False


@dataclass(frozen=True, slots=True)
class Text:
    """One line of words.

    Attributes:
        place: left end, middle or right end of its base line.
        words: what it says.
        size_mm: height of a capital with what hangs below, the type's size.
        align: "left", "middle" or "right".
        bold: whether it is heavy.
        grey: 0 black, 1 white.
        upwards: whether it runs from bottom to top.
    """

    place: Point
    words: str
    size_mm: float = 3.0
    align: str = "left"
    bold: bool = False
    grey: float = 0.0
    upwards: bool = False


Shape = Ink | PageLine | Text


@dataclass(frozen=True, slots=True)
class Sheet:
    """One page.

    Attributes:
        paper: as it is laid.
        shapes: in the order they are drawn.
    """

    paper: Paper
    shapes: tuple[Shape, ...]


def box(x_mm: float, y_mm: float, width_mm: float, height_mm: float) -> Outline:
    """Give the outline of a rectangle.

    Args:
        x_mm: its left side.
        y_mm: its lower side.
        width_mm: from left to right.
        height_mm: from bottom to top.

    >>> box(1, 2, 10, 20)
    ((1, 2), (11, 2), (11, 22), (1, 22))
    """
    right, top = x_mm + width_mm, y_mm + height_mm
    return ((x_mm, y_mm), (right, y_mm), (right, top), (x_mm, top))


def frame_of(outline: Sequence[Point], grey: float = SHEET.faint) -> tuple[PageLine, ...]:
    """Give the thin lines round an outline, to cut along."""
    return tuple(
        PageLine(start, end, SHEET.cut_wide_mm, grey)
        for start, end in zip(outline, (*outline[1:], outline[0]), strict=True)
    )


def ruler(x_mm: float, y_mm: float) -> tuple[Shape, ...]:
    """Draw the ruler that tells whether the printer has kept the size.

    Args:
        x_mm: where its zero is.
        y_mm: its base; it is 6 mm high with its numbers.
    """
    shapes: list[Shape] = [PageLine((x_mm, y_mm), (x_mm + SHEET.ruler_mm, y_mm))]
    tens = SHEET.ticks_mm[0][0]
    up, size = SHEET.ruler_numbers_mm
    for mm in range(SHEET.ruler_mm + 1):
        long, wide = next(tick for every, *tick in SHEET.ticks_mm if mm % every == 0)
        here = x_mm + mm
        shapes.append(PageLine((here, y_mm), (here, y_mm + long), wide))
        if mm % tens == 0:
            shapes.append(Text((here, y_mm + up), str(mm), size, "middle"))
    return tuple(shapes)


def framed(
    paper: Paper, title: str, hint: str, part: tuple[int, int], shapes: Iterable[Shape], say: Say
) -> Sheet:
    """Put a head and the ruler round what is on a page.

    Args:
        paper: as it is laid.
        title: what the page is.
        hint: what to do with it, in one line.
        part: number of the page, and of how many.
        shapes: what is on it, inside the paper's room.
        say: the words of what stands on every page.
    """
    left, right = SHEET.margin_mm, paper.width_mm - SHEET.margin_mm
    top = paper.height_mm - SHEET.margin_mm
    base = SHEET.margin_mm + SHEET.ruler_up_mm
    beside = left + SHEET.ruler_mm + SHEET.ruler_beside_mm
    check = [say(f"sheet.scale.{line}", paper=paper.name) for line in ("print", "measure", "again")]
    title_base, hint_base = top + SHEET.title_up_mm, top + SHEET.hint_up_mm
    number = say("sheet.part", part=part[0], parts=part[1])
    return Sheet(
        paper,
        (
            Text((left, title_base), title, SHEET.title_mm, bold=True),
            Text((right, title_base), number, SHEET.part_type_mm, "right", grey=SHEET.soft),
            Text((left, hint_base), hint, SHEET.hint_mm, grey=SHEET.soft),
            *shapes,
            *ruler(left, base),
            *(
                Text((beside, base + up), words, SHEET.note_mm)
                for words, up in zip(check, SHEET.ruler_words_up_mm, strict=True)
            ),
        ),
    )


def write_pdf(path: Path, sheets: Sequence[Sheet], title: str) -> None:
    """Write sheets to a PDF file, whole or not at all.

    Args:
        path: the file.
        sheets: its pages.
        title: what viewers show as its name.

    Raises:
        BadSheet: the file cannot be written.
    """
    memory = io.BytesIO()
    # Without the date of today in it the same sheets give the same file.
    canvas = Canvas(memory, invariant=1, pageCompression=1)
    canvas.setTitle(title)
    canvas.setCreator("domino-rig")
    canvas.setViewerPreference("PrintScaling", "None")
    for sheet in sheets:
        canvas.setPageSize((sheet.paper.width_mm * MM, sheet.paper.height_mm * MM))
        for shape in sheet.shapes:
            _draw(canvas, shape)
        canvas.showPage()
    canvas.save()
    write_whole(path, memory.getvalue(), BadSheet)


def _draw(canvas: Canvas, shape: Shape) -> None:
    match shape:
        case Ink(outlines, grey):
            canvas.setFillGray(grey)
            path = canvas.beginPath()
            for outline in outlines:
                path.moveTo(*_points(outline[0]))
                for corner in outline[1:]:
                    path.lineTo(*_points(corner))
                path.close()
            canvas.drawPath(path, stroke=0, fill=1, fillMode=0)
        case PageLine(start, end, width_mm, grey, dashed):
            canvas.setStrokeGray(grey)
            canvas.setLineWidth(width_mm * MM)
            canvas.setDash([length * MM for length in SHEET.dash_mm] if dashed else [])
            canvas.line(*_points(start), *_points(end))
        case Text():
            _write(canvas, shape)


@cache
def font(bold: bool) -> str:
    """The name of the type, which has the letters of every language that has any of Europe's."""
    name = "Roboto-Bold" if bold else "Roboto-Regular"
    file = files("font_roboto") / "files" / f"{name}.ttf"
    registerFont(TTFont(name, str(file)))
    return name


def width_mm(words: str, size_mm: float, bold: bool = False) -> float:
    """How wide words are in a type size, mm."""
    return float(stringWidth(words, font(bold), size_mm))


def _write(canvas: Canvas, text: Text) -> None:
    canvas.saveState()
    canvas.setFillGray(text.grey)
    canvas.setFont(font(text.bold), text.size_mm * MM)
    canvas.translate(*_points(text.place))
    if text.upwards:
        canvas.rotate(90)
    put = {"left": canvas.drawString, "middle": canvas.drawCentredString}
    put.get(text.align, canvas.drawRightString)(0, 0, text.words)
    canvas.restoreState()


def _points(place: Point) -> Point:
    return place[0] * MM, place[1] * MM
