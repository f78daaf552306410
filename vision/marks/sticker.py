"""The printed marks on a tile's narrow edges: their words, geometry for any size, and drawing.

A mark is a white sticker with a black body; white windows in the body are the ones of a nine-bit
word. Every value has its own word, far enough from all others, from their reverses and from its
own reverse that a misread cell never turns one value, or one reading direction, into another.
The words are the same on tiles of any size; the geometry of the standard tile is in the shipped
file, and that of others follows from the rule it was made by.
"""

import itertools
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from physics.row.tile import STANDARD, Orientation, TileSpec
from vision.arrays import Floats, Gray
from vision.errors import VisionError
from vision.files import read_json

CELLS = 9
LEAST_DISTANCE = 3
LEAST_REVERSE_DISTANCE = 4
SHIPPED = Path(__file__).with_name("sticker.json")


class BadMarks(VisionError):
    """A file of marks cannot be used; nothing was read from it."""

    expected = "a file of marks with the fields codewords and marks, like vision/marks/sticker.json"


def distance(one: str, two: str) -> int:
    """Count the cells in which two words differ.

    >>> distance("000011110", "000111011")
    3
    """
    return sum(a != b for a, b in zip(one, two, strict=True))


@dataclass(frozen=True, slots=True)
class Sticker:
    """One size of mark, for one edge of the tile; all lengths along (first) and across (second).

    Attributes:
        edge_mm: length of the edge it is made for.
        sticker_mm: the white paper.
        body_mm: the black body, centred on the paper.
        end_wall_mm: black before the first and after the last cell.
        cell_mm: length of a cell.
        window_mm: height of a white window, centred.
    """

    edge_mm: float
    sticker_mm: tuple[float, float]
    body_mm: tuple[float, float]
    end_wall_mm: float
    cell_mm: float
    window_mm: float

    @property
    def cell_centres_mm(self) -> tuple[float, ...]:
        """Place of each cell's centre along the sticker, from its middle."""
        return tuple((i - (CELLS - 1) / 2) * self.cell_mm for i in range(CELLS))

    def paint(self, word: str, along_mm: Floats, across_mm: Floats) -> Floats:
        """Say how white the mark is at points of its plane: 1 paper, 0 ink.

        Args:
            word: the cells, first at the negative end.
            along_mm: places along the sticker from its centre, any shape.
            across_mm: places across it, same shape.
        """
        length, width = self.body_mm
        cell = np.floor(along_mm / self.cell_mm + CELLS / 2).astype(np.int64)
        bits = np.array([c == "1" for c in word])
        window = (np.abs(across_mm) < self.window_mm / 2) & (cell >= 0) & (cell < CELLS)
        window &= bits[np.clip(cell, 0, CELLS - 1)]
        body = (np.abs(along_mm) < length / 2) & (np.abs(across_mm) < width / 2)
        return np.where(body & ~window, 0.0, 1.0)


@dataclass(frozen=True, slots=True)
class CellReading:
    """What nine samples say.

    Attributes:
        value: the best value.
        backwards: whether the samples run from cell 8 to cell 0.
        score: correlation with the best word, -1..1.
        margin: how far the second best reading lies behind.
    """

    value: int
    backwards: bool
    score: float
    margin: float


@dataclass(frozen=True)
class MarkSet:
    """The marks of one set of tiles.

    Attributes:
        words: the word of each value, cell 0 first.
        short: the mark on the short edges: on top of a tile that stands vertical.
        long: the mark on the long edges: on top of a tile that stands horizontal.
    """

    words: Mapping[int, str]
    short: Sticker
    long: Sticker

    def sticker(self, orientation: Orientation) -> Sticker:
        """Return the mark that looks up when a tile stands so."""
        return self.short if orientation is Orientation.VERTICAL else self.long

    @cached_property
    def windows(self) -> tuple[tuple[int, float], ...]:
        """All windows that marks have: how many cells wide, and how far from the mark's middle.

        Both in cells, and either way round.
        """
        found = set()
        for word in self.words.values():
            first = 0
            for bit, run in itertools.groupby(word):
                wide = len(list(run))
                off = first + (wide - CELLS) / 2
                first += wide
                found |= {(wide, off), (wide, -off)} if bit == "1" else set()
        return tuple(sorted(found))

    @cached_property
    def _sharp(self) -> Floats:
        bits = np.array([[float(bit) for bit in word] for word in self.words.values()])
        return _both_ways(bits)

    def likeness(self, samples: Floats, shown: Floats | None = None) -> Floats:
        """Compare nine brightness samples of the cells with all words.

        Args:
            samples: brightness of each cell in any unit, shape (marks, 9).
            shown: how bright the cells of every word look, in the order of `words`, shape
                (words, 9); None where the picture is sharp.

        Returns:
            Correlations with each word as it is and from cell 8 to cell 0, one after the other,
            shape (marks, 2 * words).
        """
        words = self._sharp if shown is None else _both_ways(shown)
        rest = samples - samples.mean(axis=1, keepdims=True)
        size = np.linalg.norm(rest, axis=1, keepdims=True)
        scores: Floats = rest @ words.T / np.where(size > 0, size, 1.0)
        return scores

    def read(self, samples: Floats, shown: Floats | None = None) -> list[CellReading]:
        """Find the word that the cells of each mark resemble most.

        Args:
            samples: see `likeness`.
            shown: see there.

        >>> load_marks().read(np.array([[9, 9, 9, 9, 60, 62, 61, 60, 8.0]]))[0].value
        1
        """
        scores = self.likeness(samples, shown)
        values = tuple(self.words)
        best, second = np.argsort(-scores, axis=1)[:, :2].T
        rows = np.arange(len(scores))
        highest, next_to = scores[rows, best], scores[rows, second]
        return [
            CellReading(values[n // 2], bool(n % 2), score, score - other)
            for n, score, other in zip(
                best.tolist(), highest.tolist(), next_to.tolist(), strict=True
            )
        ]

    def draw(self, value: int, orientation: Orientation, px_per_mm: float = 10.0) -> Gray:
        """Draw the sticker of a value, cell 0 at the left.

        Args:
            value: the number on the tile.
            orientation: which edge: VERTICAL for the short, HORIZONTAL for the long mark.
            px_per_mm: resolution; the image covers the white paper exactly.

        Returns:
            Image of 0 (ink) and 255 (paper), shape (across, along).
        """
        sticker = self.sticker(orientation)
        columns, rows = (round(side * px_per_mm) for side in sticker.sticker_mm)
        along = ((np.arange(columns) + 0.5) / columns - 0.5) * sticker.sticker_mm[0]
        across = ((np.arange(rows) + 0.5) / rows - 0.5) * sticker.sticker_mm[1]
        grid = np.meshgrid(along, across)
        return (255 * sticker.paint(self.words[value], grid[0], grid[1])).astype(np.uint8)


def _both_ways(words: Floats) -> Floats:
    """Words, each as it is and turned round, of mean 0 and length 1: shape (2 * words, 9)."""
    both: Floats = np.stack([words, words[:, ::-1]], axis=1).reshape(-1, CELLS)
    both -= both.mean(axis=1, keepdims=True)
    both /= np.linalg.norm(both, axis=1, keepdims=True)
    return both


def load_marks(path: Path | None = None) -> MarkSet:
    """Read the words and geometry of the marks.

    Args:
        path: a file like the shipped `sticker.json`; None for that one.

    Raises:
        BadMarks: the file cannot be read, or its words are too alike to be told apart.
    """
    path = path or SHIPPED
    data = read_json(path, BadMarks)
    try:
        words = {int(value): str(word) for value, word in data["codewords"].items()}
        stickers = [_from_file(data["marks"][name]) for name in ("short", "long")]
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise BadMarks(
            f"{path}: not a file of marks ({_fault(error)}); expected the fields codewords and "
            f"marks as in {SHIPPED.name}"
        ) from error
    _check(words, path)
    return MarkSet(words, *stickers)


@dataclass(frozen=True, slots=True)
class StickerRule:
    """How the shipped marks for the standard tile are made, and those for any other.

    These are the lengths of the shipped marks; not studied for other sizes.
    """

    ends_mm: float = 0.4
    """Left free at either end of an edge, mm, for the bevel and for hands that are not exact."""
    sides_mm: float = 0.35
    """Left free at either side of it, mm."""
    rim_ends_mm: float = 0.9
    """White between the ends of the paper and the black body, mm; keeps touching tiles apart."""
    rim_sides_mm: float = 0.8
    """White between its sides and the body, mm."""
    end_wall_mm: float = 1.7
    """Black at either end of the row of cells, mm."""
    wall_mm: float = 1.4
    """Black above and below a window, mm; a thinner one is not closed in a blurred picture."""
    least_mm: float = 1.5
    """Least side of a cell, mm: three pixels of a 1080p camera that has the whole mat in view."""


RULE = StickerRule()
STANDARD_MARKS = "standard"
"""What settings and options call the marks of the standard tile, on tiles of another size."""


def marks_for(spec: TileSpec) -> MarkSet:
    """Give the marks that a tile has room for.

    Raises:
        BadMarks: its edges are too small for marks that a camera could read.

    >>> marks_for(TileSpec()).short.body_mm
    (21.4, 5.2)
    """
    sides = (_by_rule(edge_mm, spec) for edge_mm in (spec.width_mm, spec.length_mm))
    return MarkSet(load_marks().words, *sides)


@lru_cache(maxsize=8)
def marks_on(spec: TileSpec, setting: str = "") -> MarkSet:
    """Give the marks that tiles carry.

    Args:
        spec: the tiles' size.
        setting: "" for the marks that are printed for this size, `standard` for those of the
            standard tile whatever the size, or a file of marks. Tiles without room for marks carry
            none; then it does not matter which are looked for.

    Raises:
        BadMarks: the file cannot be used.
    """
    if setting not in ("", STANDARD_MARKS):
        return load_marks(Path(setting))
    if setting == STANDARD_MARKS or spec == STANDARD:
        return load_marks()
    try:
        return marks_for(spec)
    except BadMarks:
        return load_marks()


def _from_file(data: Mapping[str, Any]) -> Sticker:
    (length, width), (body_length, body_width) = data["sticker"], data["body"]
    return Sticker(
        float(data["edge"]),
        (float(length), float(width)),
        (float(body_length), float(body_width)),
        float(data["end_wall"]),
        float(data["cell"]),
        float(data["window_h"]),
    )


def _check(words: Mapping[int, str], path: Path) -> None:
    if not words:
        raise BadMarks(f"{path}: field codewords has no word")
    for value, word in words.items():
        if len(word) != CELLS or set(word) != {"0", "1"}:
            raise BadMarks(f"{path}: the word of {value} must be {CELLS} cells of 0 and 1")
    for value, word in words.items():
        if distance(word, word[::-1]) < LEAST_REVERSE_DISTANCE:
            raise BadMarks(f"{path}: the word of {value} is too like its own reverse")
        for other, word_2 in words.items():
            near = min(distance(word, word_2), distance(word, word_2[::-1]))
            if other != value and near < LEAST_DISTANCE:
                raise BadMarks(f"{path}: the words of {value} and {other} are too alike")


def _fault(error: Exception) -> str:
    if isinstance(error, KeyError):
        return f"field {error.args[0]} is missing"
    return str(error)


def _by_rule(edge_mm: float, spec: TileSpec) -> Sticker:
    length, width = edge_mm - 2 * RULE.ends_mm, spec.thickness_mm - 2 * RULE.sides_mm
    body = length - 2 * RULE.rim_ends_mm, width - 2 * RULE.rim_sides_mm
    cell, window = (body[0] - 2 * RULE.end_wall_mm) / CELLS, body[1] - 2 * RULE.wall_mm
    if min(cell, window) < RULE.least_mm:
        edge = RULE.least_mm * CELLS + 2 * (RULE.end_wall_mm + RULE.rim_ends_mm + RULE.ends_mm)
        thick = RULE.least_mm + 2 * (RULE.wall_mm + RULE.rim_sides_mm + RULE.sides_mm)
        raise BadMarks(
            f"tiles of {spec.length_mm:g} x {spec.width_mm:g} x {spec.thickness_mm:g} mm have no "
            f"room for marks that a camera can read: edges must be at least {edge:g} mm long and "
            f"{thick:g} mm thick; play them without marks"
        )
    return Sticker(
        edge_mm,
        (_micron(length), _micron(width)),
        (_micron(body[0]), _micron(body[1])),
        RULE.end_wall_mm,
        cell,
        _micron(window),
    )


def _micron(length_mm: float) -> float:
    """Without the dust of floating point, so that sizes are told as they are meant."""
    return round(length_mm, 3)
