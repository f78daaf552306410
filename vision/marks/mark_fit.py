"""Fitting a mark's drawing to the image, to a fraction of a pixel."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np

from physics.row.pose import full_turn
from vision.arrays import Floats, Gray
from vision.geometry.camera_pose import View
from vision.geometry.image_sampling import inside, sample
from vision.marks.sticker import Sticker
from vision.tuning.marks import MarkFitTuning
from vision.tuning.tuning import TUNING

Pair = tuple[float, float]
"""One length along a mark and one across it."""


@dataclass(frozen=True, slots=True)
class MarkPose:
    """Where a mark lies on a level plane.

    Attributes:
        x_mm: table x of its centre.
        y_mm: table y of its centre.
        axis_rad: direction from cell 0 to cell 8.
        z_mm: height of the plane.
    """

    x_mm: float
    y_mm: float
    axis_rad: float
    z_mm: float

    def to_table(self, along_mm: Floats, across_mm: Floats) -> Floats:
        """Take points of the mark to the table frame, shape (n, 3)."""
        return np.asarray(on_table(as_rows([self]), along_mm, across_mm)[0])


def as_rows(places: Sequence[MarkPose]) -> Floats:
    """Return x, y, direction and height of marks, shape (places, 4)."""
    rows = [(p.x_mm, p.y_mm, p.axis_rad, p.z_mm) for p in places]
    return np.array(rows, dtype=np.float64).reshape(-1, 4)


def on_table(rows: Floats, along_mm: Floats, across_mm: Floats) -> Floats:
    """Take the same points of several marks, see `as_rows`, to the table, shape (marks, n, 3)."""
    x, y, axis, z = rows.T[..., None]
    c, s = np.cos(axis), np.sin(axis)
    points = np.empty((len(rows), along_mm.size, 3))
    points[..., 0] = x + along_mm * c - across_mm * s
    points[..., 1] = y + along_mm * s + across_mm * c
    points[..., 2] = z
    return points


@dataclass(frozen=True, slots=True)
class MarkFit:
    """A mark found in the image.

    Attributes:
        place: where it lies.
        score: how much like the drawing the image is, 0..1, all that light from beside the mark or
            a shift of it could make aside.
        stretch: length and width as the image shows them, over those printed.
        sigma_mm: standard deviation of the place from the fit alone.
        sigma_rad: that of the direction.
    """

    place: MarkPose
    score: float
    stretch: tuple[float, float]
    sigma_mm: float
    sigma_rad: float


def cells(
    gray: Gray,
    view: View,
    places: Sequence[MarkPose] | Floats,
    sticker: Sticker,
    tuning: MarkFitTuning = TUNING.mark_fit,
) -> Floats:
    """Read the brightness of the nine cells of marks, each over the middle of its window.

    Args:
        gray: the image.
        view: the camera.
        places: where the marks may lie, or the same as `as_rows` tells it.
        sticker: their geometry.
        tuning: see `MarkFitTuning`.

    Returns:
        Shape (places, 9).
    """
    if not len(places):
        return np.zeros((0, 9))
    centres = np.array(sticker.cell_centres_mm)
    offsets = np.array(tuning.cell_shares) * sticker.cell_mm
    lines = (centres[:, None] + offsets).ravel()
    along = np.repeat(lines, len(tuning.window_mm))
    across = np.tile(tuning.window_mm, lines.size)
    rows = places if isinstance(places, np.ndarray) else as_rows(places)
    points = view.project(on_table(rows, along, across))
    means: Floats = sample(gray, points).reshape(len(places), 9, -1).mean(axis=2)
    return means


def fit_mark(
    gray: Gray,
    view: View,
    start: MarkPose,
    word: str,
    sticker: Sticker,
    light: Callable[[MarkPose, Floats, Floats], Floats] | None = None,
    read: dict[MarkPose, Floats] | None = None,
    tuning: MarkFitTuning = TUNING.mark_fit,
) -> MarkFit | None:
    """Move a mark's drawing until it lies best on the image.

    Args:
        gray: the image.
        view: the camera.
        start: first guess, good to about a millimetre.
        word: the cells to draw.
        sticker: their geometry.
        light: gives, for a mark at a place, the light at points along and across it, in any unit;
            None where it is even.
        read: the brightness that was read by other fits of the same mark, by place; what is read
            for this one is added.
        tuning: see `MarkFitTuning`.

    Returns:
        The fit, or None if it ran away or left the image.
    """
    even = drawing_of(word, sticker, blurs_mm(view, start.z_mm, tuning), tuning=tuning)
    drawing, place = even, start
    read = {} if read is None else read
    for least in tuning.hopeless_scores:
        seen = read.get(place)
        if seen is None:
            points = view.project(place.to_table(drawing.along_mm, drawing.across_mm))
            if not inside(points, gray):
                return None
            seen = read[place] = sample(gray, points, cv2.INTER_CUBIC)
        if light is not None:
            drawing = lit(even, light(place, even.along_mm, even.across_mm))
        solution = drawing.solver @ seen
        gain = float(solution[0])
        rest = seen - drawing.matrix @ solution
        if gain <= 1.0 or _explained(seen, rest) < least:
            return None
        along, across, turn = (float(v) for v in -solution[1:4] / gain)
        if math.hypot(along, across) > tuning.most_step_mm or abs(turn) > tuning.most_step_rad:
            return None
        c, s = math.cos(place.axis_rad), math.sin(place.axis_rad)
        place = MarkPose(
            place.x_mm + along * c - across * s,
            place.y_mm + along * s + across * c,
            full_turn(place.axis_rad + turn),
            place.z_mm,
        )
        if math.hypot(place.x_mm - start.x_mm, place.y_mm - start.y_mm) > tuning.farthest_mm:
            return None
        if math.hypot(along, across) < tuning.settled_mm and abs(turn) < tuning.settled_rad:
            break
    left = float(rest @ rest)
    noise = math.sqrt(left / (len(rest) - drawing.matrix.shape[1]))
    # What is seen of the mark that neither light from beside it nor a shift could make.
    own = gain / float(drawing.spread[0])
    score = own / math.sqrt(own**2 + left)
    spread: list[float] = (tuning.together_factor * noise / gain * drawing.spread).tolist()
    return MarkFit(
        place,
        score,
        (1.0 + float(-solution[4] / gain), 1.0 + float(-solution[5] / gain)),
        max(spread[1], spread[2]),
        spread[3],
    )


def blurs_mm(view: View, z_mm: float, tuning: MarkFitTuning = TUNING.mark_fit) -> Pair:
    """Say how wide the picture's blur is at a height, along marks and across them; one sigma."""
    along, across = (round(blur / view.scale_px_mm(z_mm), 2) for blur in tuning.blurs_px)
    return along, across


def _explained(seen: Floats, rest: Floats) -> float:
    """How much like a drawing the image is, 0..1, of which so much is not explained."""
    mean = float(seen.sum()) / len(seen)
    whole = float(seen @ seen) - len(seen) * mean * mean
    return math.sqrt(max(0.0, 1.0 - float(rest @ rest) / (whole or 1.0)))


@lru_cache(maxsize=64)
def blurred_cells(
    words: tuple[str, ...],
    sticker: Sticker,
    blur_mm: Pair,
    tuning: MarkFitTuning = TUNING.mark_fit,
) -> Floats:
    """Say what `cells` reads of marks in a blurred picture, where light mixes between cells.

    Args:
        words: the cells of each mark.
        sticker: their geometry.
        blur_mm: one sigma of the blur along and across the marks.
        tuning: see `MarkFitTuning`.

    Returns:
        0 ink, 1 paper; shape (words, 9).
    """
    offsets = np.array(tuning.cell_shares) * sticker.cell_mm
    lines = (np.array(sticker.cell_centres_mm)[:, None] + offsets).ravel()
    across = np.array(tuning.window_mm)
    inks = [_painted(word, sticker, blur_mm, lines, across, tuning)[0] for word in words]
    return np.stack([ink.reshape(len(across), 9, -1).mean(axis=(0, 2)) for ink in inks])


@dataclass(frozen=True, slots=True, eq=False)
class Drawing:
    """A blurred mark on a grid, and the linear step that moves it towards an image.

    Attributes:
        along_mm: places along the mark from its middle, shape (n,).
        across_mm: places across it, shape (n,).
        matrix: what the image is the sum of there: the mark itself; what it changes by when moved
            along, moved across, turned, stretched both ways, and blurred diagonally as where
            the camera moves; plain light, and light that differs from side to side, as beside a
            bright wall; what bleeds in over either long side from beyond the paper, by itself and
            more at one end than at the other; shape (n, 13), or more where uneven.
        solver: brightness to the shares of these, the same turned over.
        spread: how uncertain each is, for noise of one.
    """

    along_mm: Floats
    across_mm: Floats
    matrix: Floats
    solver: Floats
    spread: Floats


@lru_cache(maxsize=64)  # a quarter of a megabyte each; a row has a dozen tiles
def drawing_of(
    word: str,
    sticker: Sticker,
    blur_mm: Pair,
    uneven: bool = False,
    tuning: MarkFitTuning = TUNING.mark_fit,
) -> Drawing:
    """Draw a mark as it looks blurred.

    Args:
        word: its cells.
        sticker: its geometry.
        blur_mm: one sigma of the blur along and across the mark.
        uneven: whether light may differ from one end to the other, and bleed in from beyond both,
            as on a wall.
        tuning: see `MarkFitTuning`.
    """
    length, width = sticker.sticker_mm
    u, v = _places(length, tuning), _places(width, tuning)
    ink, du, dv, askew = _painted(word, sticker, blur_mm, u, v, tuning)
    along, across = np.tile(u, len(v)), np.repeat(v, len(u))
    turned, flat = along * dv - across * du, np.ones(len(ink))
    columns = [ink, du, dv, turned, along * du, across * dv, askew, flat, across]
    for side in _bleed(v, width, blur_mm[1]):
        # The rim of the tile beside a sticker that is turned is no strip but a wedge.
        columns += [np.repeat(side, len(u)), np.outer(side, u / u[-1]).ravel()]
    if uneven:
        ends = _bleed(u, sticker.edge_mm, max(blur_mm[0], tuning.least_bleed_mm))
        columns += [along, *(np.tile(end, len(v)) for end in ends)]
    return _solved(along, across, np.ascontiguousarray(np.array(columns).T))


def lit(drawing: Drawing, light: Floats) -> Drawing:
    """Return a drawing as it looks in light that differs from place to place, shape (n,)."""
    shares = light / light.max()
    return _solved(drawing.along_mm, drawing.across_mm, drawing.matrix * shares[:, None])


def _solved(along_mm: Floats, across_mm: Floats, matrix: Floats) -> Drawing:
    square = np.linalg.inv(matrix.T @ matrix)
    return Drawing(along_mm, across_mm, matrix, square @ matrix.T, np.sqrt(np.diag(square)))


def _painted(
    word: str, sticker: Sticker, blur_mm: Pair, u: Floats, v: Floats, tuning: MarkFitTuning
) -> tuple[Floats, Floats, Floats, Floats]:
    """Draw a blurred mark on a grid.

    Args:
        word: its cells.
        sticker: its geometry.
        blur_mm: one sigma of the blur along and across it.
        u: the places of the grid along it, mm from its middle, shape (n,).
        v: those across it, shape (m,).
        tuning: see `MarkFitTuning`.

    Returns:
        How bright the mark is, 0 ink, 1 paper; the slope of that along the mark; its slope across;
        and how much the slope along changes across. Each of shape (m * n,).
    """
    body_length, body_width = sticker.body_mm
    starts = (np.array(sticker.cell_centres_mm) - sticker.cell_mm / 2).tolist()
    cells = zip(word, starts, strict=True)
    ones = [(at, at + sticker.cell_mm) for cell, at in cells if cell == "1"]
    body, *windows = _bars(u, [(-body_length / 2, body_length / 2), *ones], blur_mm[0])
    across = [(-side / 2, side / 2) for side in (sticker.window_mm, body_width)]
    row, wide = _bars(v, across, blur_mm[1])
    # Windows are cut into a black body; blur takes lengths and widths apart.
    open_u = np.sum(windows, axis=0) if windows else np.zeros((2, len(u)))
    light, along_u, across_v, both = (
        np.outer(row[m], open_u[n]) - np.outer(wide[m], body[n])
        for m, n in ((0, 0), (0, 1), (1, 0), (1, 1))
    )
    light = tuning.ink_share + (1 - tuning.ink_share) * (1 + light)
    black = tuning.ink_share ** (1 / tuning.gamma)
    ink = ((light ** (1 / tuning.gamma) - black) / (1 - black)).ravel()
    coded = (1 - tuning.ink_share) * light ** (1 / tuning.gamma - 1) / tuning.gamma / (1 - black)
    return ink, (coded * along_u).ravel(), (coded * across_v).ravel(), (coded * both).ravel()


def _places(side_mm: float, tuning: MarkFitTuning) -> Floats:
    """Places on paper that is so long, from its middle."""
    count = int((side_mm / 2 - tuning.clear_mm) / tuning.step_mm)
    return tuning.step_mm * np.arange(-count, count + 1, dtype=np.float64)


def _bleed(places: Floats, side_mm: float, blur_mm: float) -> list[Floats]:
    """How light from beyond either end of a side spreads over it; most is one."""
    beyond = 1 - _bars(places, [(-side_mm / 2, side_mm / 2)], blur_mm)[0, 0]
    ends = [np.where(part, beyond, 0.0) for part in (places < 0, places > 0)]
    return [end / end.max() for end in ends]


def _bars(places: Floats, ends: Sequence[Pair], blur_mm: float) -> Floats:
    """Blurred bars of height one and their slopes, at places across; shape (bars, 2, n)."""
    steps = (places - np.array(ends)[..., None]) / blur_mm
    height = np.interp(steps, SIGMAS, SHARES)
    slope = np.exp(-(steps**2) / 2) / (blur_mm * math.sqrt(2 * math.pi))
    return np.stack([height[:, 0] - height[:, 1], slope[:, 0] - slope[:, 1]], axis=1)


SIGMAS = np.linspace(-6.0, 6.0, 2401)
SHARES = np.array([0.5 + 0.5 * math.erf(sigma / math.sqrt(2)) for sigma in SIGMAS.tolist()])
"""The share of a blurred edge that lies below so many of its sigmas."""
