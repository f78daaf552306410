"""Bodies on edges: how steep the image is, where a body's edges would show, and the best fit."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import Bools, Floats, Floats32, Gray, Image
from vision.background.background import SHRINK, Foreground
from vision.geometry.boxes import Bodies, Outline, Stance, behind, outline, slopes
from vision.geometry.camera_pose import View
from vision.geometry.image_sampling import MOST_ROWS
from vision.tuning.tuning import TUNING
from vision.tuning.unmarked import EdgeFitTuning

SOBEL = 8
"""What OpenCV's Sobel operator makes of one grey level per px."""
Roi = tuple[int, int, int, int]


@dataclass(frozen=True, slots=True, eq=False)
class Edges:
    """The steepest slope at each pixel of a part of the image, as a share of a full edge.

    Attributes:
        left: first column of the part.
        top: first row of the part.
        slope: to the right and downwards, shape (rows, columns, 2).
        hidden: 255 where the upper face of a known tile is.
        tuning: see `EdgeFitTuning`.
    """

    left: int
    top: int
    slope: Floats32
    hidden: Gray
    tuning: EdgeFitTuning = TUNING.edge_fit

    def without(self, hidden: Gray) -> "Edges":
        """Return the same with more upper faces known: 255 there, at the foreground's size."""
        left, top, (rows, columns) = self.left, self.top, self.hidden.shape
        small = hidden[top // SHRINK : (top + rows) // SHRINK]
        small = small[:, left // SHRINK : (left + columns) // SHRINK]
        covered = cv2.resize(small, (columns, rows), interpolation=cv2.INTER_NEAREST)
        return replace(self, hidden=np.asarray(covered, dtype=np.uint8))

    def local(self, points_px: Floats) -> Floats:
        """Take pixels of the image to the part."""
        return np.asarray(points_px - np.array([self.left, self.top]))

    def across(self, x_px: Floats, y_px: Floats, normals: Floats) -> Floats32:
        """Read slopes at pixels of the part, shape (n, m), along directions, shape (n, 2)."""
        x, y = x_px.astype(np.float32), y_px.astype(np.float32)
        read = [
            cv2.remap(
                self.slope,
                x[first : first + MOST_ROWS],
                y[first : first + MOST_ROWS],
                cv2.INTER_LINEAR,
                borderMode=cv2.BORDER_REPLICATE,
            )
            for first in range(0, len(x), MOST_ROWS)
        ]
        both = read[0] if len(read) == 1 else np.concatenate(read)
        right, down = normals.astype(np.float32).T[..., None]
        across = both[..., 0] * right
        across += both[..., 1] * down
        np.abs(across, out=across)
        return np.asarray(np.minimum(across, self.tuning.steepest, out=across))


def around(corners: Floats, view: View, image: Image, margin_px: float) -> list[Roi]:
    """Return the parts of the image that bodies are in, in whole pixels of the foreground.

    Args:
        corners: points of each body, shape (n, points, 3), mm.
        view: the camera.
        image: the frame.
        margin_px: how much more on each side.
    """
    pixels = view.project(corners)
    limits = np.array(image.shape[1::-1])
    low = np.clip(pixels.min(axis=1) - margin_px, 0, limits - 2 * SHRINK) // SHRINK * SHRINK
    high = np.clip(pixels.max(axis=1) + margin_px, low + SHRINK, limits) // SHRINK * SHRINK
    sides = np.concatenate([low, high], axis=1).astype(int).tolist()
    return [(left, top, right, bottom) for left, top, right, bottom in sides]


class Slopes:
    """The slopes of a frame that the empty table does not have, in grey levels per px.

    They are worked out block by block, each when it is first asked for: the parts of an image in
    which bodies are tried overlap.
    """

    def __init__(
        self, image: Image, foreground: Foreground, tuning: EdgeFitTuning = TUNING.edge_fit
    ) -> None:
        """Take a frame, BGR, and what the empty table looks like there."""
        self.image = image
        self._tuning = tuning
        self._table = foreground.slope
        rows, columns = image.shape[:2]
        self._slope = np.empty((rows, columns, 2), dtype=np.float32)
        side = tuning.block_px
        self._done = np.zeros((-(-rows // side), -(-columns // side)), dtype=bool)

    def part(self, roi: Roi) -> Floats32:
        """Return a part of them: to the right and downwards, shape (rows, columns, 2)."""
        left, top, right, bottom = roi
        side = self._tuning.block_px
        first, before = top // side, left // side
        done = self._done[first : -(-bottom // side), before : -(-right // side)]
        for row, column in np.argwhere(~done).tolist():
            self._work_out((first + row) * side, (before + column) * side)
        done[:] = True
        return self._slope[top:bottom, left:right]

    def _work_out(self, top: int, left: int) -> None:
        """Fill one block."""
        side, rim = self._tuning.block_px, self._tuning.rim_px
        block = self._slope[top : top + side, left : left + side]
        rows, columns = block.shape[:2]
        above, before = min(top, rim), min(left, rim)
        part = self.image[top - above : top + rows + rim, left - before :]
        part = part[:, : before + columns + rim]
        inner = np.s_[above : above + rows, before : before + columns]
        colours = cv2.split(cv2.GaussianBlur(part, (0, 0), 1.0))
        across, down = (
            [np.asarray(one, dtype=np.int16)[inner] for one in way]
            for way in zip(*(cv2.spatialGradient(colour) for colour in colours), strict=True)
        )
        x, y = across[0].copy(), down[0].copy()
        steepest = np.abs(x) + np.abs(y)
        for colour in (1, 2):
            steep = np.abs(across[colour]) + np.abs(down[colour])
            steeper = cv2.compare(steep, steepest, cv2.CMP_GT)
            cv2.copyTo(across[colour], steeper, x)
            cv2.copyTo(down[colour], steeper, y)
            steepest = np.maximum(steep, steepest)
        right, below = x.astype(np.float32), y.astype(np.float32)
        small = self._table[(top - above) // SHRINK :, (left - before) // SHRINK :]
        small = small[: -(-part.shape[0] // SHRINK), : -(-part.shape[1] // SHRINK)]
        table = cv2.resize(small, part.shape[1::-1])[inner]
        own = np.asarray(cv2.magnitude(right, below), dtype=np.float32)
        known = np.float32(SOBEL * self._tuning.table_share) * table
        keep = np.maximum(1 - known / (own + np.float32(0.01)), 0)
        keep *= np.float32(1 / SOBEL)
        block[:] = cv2.merge((right * keep, below * keep))


def find_edges(
    slopes: Slopes,
    hidden: Gray,
    rois: Sequence[Roi],
    view: View,
    tuning: EdgeFitTuning = TUNING.edge_fit,
) -> Edges:
    """Find the edges in parts of an image that the empty table does not have.

    Args:
        slopes: of the image.
        hidden: 255 where the upper faces of known tiles are, at the size of the foreground.
        rois: left, top, right and bottom of each part in full-size pixels, even numbers.
        view: the camera.
        tuning: see `EdgeFitTuning`.
    """
    share = (tuning.usual_px_mm / view.scale_px_mm()) ** tuning.full_power
    left, top = (min(roi[n] for roi in rois) for n in (0, 1))
    right, bottom = (max(roi[n] for roi in rois) for n in (2, 3))
    slope = np.zeros((bottom - top, right - left, 2), dtype=np.float32)
    for roi in rois:
        part = slope[roi[1] - top : roi[3] - top, roi[0] - left : roi[2] - left]
        full = share * _full_edge_levels_px(slopes.image, roi, tuning)
        np.multiply(slopes.part(roi), np.float32(1 / full), out=part)
    nothing = np.zeros(slope.shape[:2], dtype=np.uint8)
    return Edges(left, top, slope, nothing, tuning=tuning).without(hidden)


def in_blur(sharpness: float, view: View, tuning: EdgeFitTuning) -> EdgeFitTuning:
    """Return the tuning for a picture, with less steep edges asked for if it is blurred.

    Args:
        sharpness: of the mat's markers, see `vision.geometry.edge_profile.sharpness`; 0 if unknown.
        view: the camera, at the size of the picture of which the sharpness is.
        tuning: the tuning for a sharp picture.
    """
    share = sharpness * view.scale_px_mm() / tuning.sharp_px_mm
    if not 0 < share < 1:
        return tuning
    most, least = (
        max(share, tuning.least_sharp_share) * full for full in tuning.full_edge_levels_px
    )
    return replace(tuning, full_edge_levels_px=(most, least))


def _full_edge_levels_px(image: Image, roi: Roi, tuning: EdgeFitTuning) -> float:
    """Say how steep a full edge is in a part of an image: less in the dark."""
    left, top, right, bottom = roi
    levels = image[top:bottom:8, left:right:8].ravel()
    level = float(np.partition(levels, levels.size // 2)[levels.size // 2])
    most, least = tuning.full_edge_levels_px
    return min(max(most * level / tuning.full_level, least), most)


@dataclass(frozen=True, slots=True, eq=False)
class BodyFit:
    """A body that may be there.

    Attributes:
        stance: how it stands, lies or leans.
        place: x and y of its middle in mm, heading and lean in rad.
        corners: in table mm, shape (8, 3).
        pixels: places along its visible edges, shape (n, 2).
        edge: how well the image shows an edge at each of them, 0..1, shape (n,).
        miss_mm: root mean square distance between its edges and those of the image.
        start: which of the bodies that were fitted it was.
        rival_mm: how far from it another body would have explained nearly as much.
        quality: how likely it is a tile, 0..1; 1 where that was not judged.
    """

    stance: Stance
    place: Floats
    corners: Floats
    pixels: Floats
    edge: Floats
    miss_mm: float
    start: int = 0
    rival_mm: float = 0.0
    quality: float = 1.0

    def edge_outside(
        self, mask: Gray, shrink: int, tuning: EdgeFitTuning = TUNING.edge_fit
    ) -> float:
        """Mean edge where a mask, so many times smaller than the image, is 0; 0 if hardly there.

        The fewer points there are, the less is believed of them.
        """
        columns, rows = (self.pixels / shrink).astype(int).T
        height, width = mask.shape
        free = mask[np.clip(rows, 0, height - 1), np.clip(columns, 0, width - 1)] == 0
        count = np.count_nonzero(free)
        if count < tuning.least_own_share * len(free):
            return 0.0
        return float(self.edge[free].sum() + tuning.doubt_points * tuning.poor_edge_share) / (
            count + tuning.doubt_points
        )


@dataclass(frozen=True, slots=True, eq=False)
class _Pull:
    """How the edges of an image pull bodies; each array has one row for each body.

    Attributes:
        drawn: points along the visible edges of the bodies.
        free: which of them nothing hides, shape (n, m).
        offsets_px: where across each point an edge was looked for, shape (k,).
        read: how well the image shows one there, 0..1, shape (n, m, k).
        best: which of those places pulls each point, shape (n, m).
        weight: how strongly it does, shape (n, m).
        shifts: see `slopes`, shape (n, m, 4).
        step: where all points together pull x and y in mm, heading and lean in rad, shape (n, 4).
    """

    drawn: Outline
    free: Bools
    offsets_px: Floats
    read: Floats32
    best: NDArray[np.intp]
    weight: Floats32
    shifts: Floats
    step: Floats

    def fits(
        self, moved: Bodies, view: View, chosen: Bools, starts: NDArray[np.intp]
    ) -> list[BodyFit]:
        """Return chosen ones of the bodies, moved by the step, and which each of them was."""
        miss = self.offsets_px[self.best] - (self.shifts @ self.step[..., None])[..., 0]
        whole = self.weight.sum(axis=1) + 1e-6
        miss_mm = np.sqrt((self.weight * miss**2).sum(axis=1) / whole) / view.scale_px_mm()
        shown = self.read[:, :, np.abs(self.offsets_px) <= 1.0].max(axis=2).astype(np.float64)
        settled = moved.corners()
        return [
            BodyFit(
                moved.ways[moved.which[n]],
                moved.places[n],
                settled[n],
                self.drawn.pixels[n, self.free[n]],
                shown[n, self.free[n]],
                float(miss_mm[n]),
                int(starts[n]),
            )
            for n in np.flatnonzero(chosen)
        ]


def _pull(
    edges: Edges,
    bodies: Bodies,
    view: View,
    reach_px: float,
    points: int,
    obstacles: Sequence[Floats],
    held: Floats | None = None,
    *,
    tuning: EdgeFitTuning,
) -> _Pull:
    """Look for edges beside those of bodies, and say where these pull them.

    Args:
        edges: of the part of the image they are in.
        bodies: where they are now.
        view: the camera.
        reach_px: how far to look.
        points: how many on each edge.
        obstacles: corners of bodies that may hide parts of them, each shape (8, 3).
        held: where the bodies are likely, if they are all there at once and hide each other.
        tuning: see `EdgeFitTuning`.
    """
    corners = bodies.corners()
    drawn = outline(corners, view, points)
    hidden = hidden_points(drawn, corners, np.reshape(obstacles, (-1, 8, 3)), view, tuning=tuning)
    if held is not None:
        hidden |= hidden_points(drawn, corners, corners, view, tuning=tuning)
    free = drawn.shown & ~hidden
    fine, coarse = tuning.steps_px
    step_px = fine if reach_px < tuning.coarse_reach_px else coarse
    offsets = np.arange(-reach_px, reach_px + fine / 2, step_px)
    read = _read(edges, drawn, offsets)
    likely = (1 - tuning.likely_loss_share * (offsets / reach_px) ** 2).astype(np.float32)
    best = (read * likely).argmax(axis=2)
    read = np.minimum(read, 1.0, out=read)
    weight = np.take_along_axis(read, best[..., None], axis=2)[..., 0] * likely[best] * free
    upright = np.array([way.orientation is not None for way in bodies.ways])[bodies.which]
    weight[_on_another(drawn, offsets[best], weight * upright[:, None], points, tuning)] = 0.0
    shifts = slopes(drawn, bodies, view)
    weighted = (shifts * weight[..., None]).transpose(0, 2, 1)
    pull = (weighted @ offsets[best][..., None]) * (tuning.round_points / points)
    square = (weighted @ shifts) * (tuning.round_points / points) + np.diag(tuning.stiff)
    if held is not None:
        hold = tuning.hold * np.diag([sigma**-2 for sigma in tuning.hold_sigmas_mm_rad])
        pull -= hold @ (bodies.places - held)[..., None]
        square += hold
    step = np.linalg.solve(square, pull)
    return _Pull(drawn, free, offsets, read, best, weight, shifts, step[..., 0])


def _on_another(
    drawn: Outline, off_px: Floats, weight: Floats, points: int, tuning: EdgeFitTuning
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Say which points would be drawn to where another edge of their own body is.

    Where two faces are equally dark, the edge between them does not show. Its points find the
    outline near by, which is the edge of another face, and would turn the body.

    Args:
        drawn: points along the edges of bodies.
        off_px: how far each is drawn, across its edge, shape (bodies, n).
        weight: how strongly each is drawn, the same shape; points of weight 0 are not judged.
        points: how many on each edge.
        tuning: see `EdgeFitTuning`.

    Returns:
        Of each such point which body it belongs to, and which of its points it is.
    """
    body, point = np.nonzero((np.abs(off_px) >= tuning.other_px) & (weight > 0))
    off = off_px[body, point, None]
    spots = drawn.pixels[body, point] + off * drawn.normals[body, point]
    count, edges = len(off_px), off_px.shape[1] // points
    ends = drawn.pixels.reshape(count, edges, points, 2)[:, :, [0, -1]]
    first, along = ends[:, :, 0], ends[:, :, 1] - ends[:, :, 0]
    length2 = np.maximum((along**2).sum(axis=-1), 1e-9)
    way = spots[:, None] - first[body]
    share = np.clip((way * along[body]).sum(axis=-1) / length2[body], 0, 1)
    beside = way - share[..., None] * along[body]
    shown = np.asarray(drawn.shown.reshape(count, edges, points).any(axis=2))
    near = (np.hypot(beside[..., 0], beside[..., 1]) < tuning.other_px) & shown[body]
    near[np.arange(len(point)), point // points] = False  # the point's own edge
    found = near.any(axis=1)
    return body[found], point[found]


def fit_bodies(
    edges: Edges,
    starts: Bodies,
    view: View,
    obstacles: Sequence[Floats] = (),
    tuning: EdgeFitTuning = TUNING.edge_fit,
) -> list[BodyFit]:
    """Move bodies until their visible edges lie on those of the image, each by itself.

    Args:
        edges: of the part of the image they are in.
        starts: first guesses, good to about 3 mm and 5 degrees.
        view: the camera.
        obstacles: corners of known tiles that may hide parts of them, each shape (8, 3).
        tuning: see `EdgeFitTuning`.

    Returns:
        The fits, without those that ran away or found too few edges.
    """
    now, begun, which = starts, starts.places, np.arange(len(starts))
    last = len(tuning.reaches_px) - 1
    share = (view.scale_px_mm() / tuning.usual_px_mm) ** tuning.reach_power
    for turn, (reach, points) in enumerate(zip(tuning.reaches_px, tuning.points, strict=True)):
        if not len(now):
            return []
        # Read at whole and half pixels.
        reach_px = max(1.0, round(2 * share * reach) / 2)
        pull = _pull(edges, now, view, reach_px, points, obstacles, tuning=tuning)
        seen = pull.free.sum(axis=1)
        places = now.places + pull.step
        apart = np.hypot(*(places - begun)[:, :2].T)
        good = pull.weight.sum(axis=1) >= tuning.hopeless_share * seen
        good &= apart < tuning.run_away_mm
        good &= seen >= tuning.least_free_share * pull.drawn.shown.sum(axis=1)
        good &= np.abs(places[:, 3]) < tuning.most_lean_rad
        now = Bodies(now.ways, now.which, places)
        if turn < last:
            good &= _first_of_its_kind(now, tuning)
            now, begun, which = now.pick(good), begun[good], which[good]
    return pull.fits(now, view, good, which)


def fit_together(
    edges: Edges,
    starts: Bodies,
    view: View,
    obstacles: Sequence[Floats],
    likely: Floats,
    rounds: Sequence[tuple[float, int]],
    tuning: EdgeFitTuning = TUNING.edge_fit,
) -> tuple[Bodies, list[BodyFit]]:
    """Move bodies that are all there, and hide each other, until their edges lie on the image's.

    Args:
        edges: of the part of the image they are in.
        starts: where they begin, in some places good to about 5 mm and 8 degrees.
        view: the camera.
        obstacles: corners of known tiles that may hide parts of them, each shape (8, 3).
        likely: places where the bodies are held, as far as no edge pulls them, shape (n, 4).
        rounds: how far to look for edges, and at how many points of each, round by round.
        tuning: see `EdgeFitTuning`.

    Returns:
        Where the bodies are then, and as many fits in the same order.
    """
    now = starts
    for reach, points in rounds:
        pull = _pull(edges, now, view, reach, points, obstacles, likely, tuning=tuning)
        places = now.places + pull.step
        places[:, 3] = places[:, 3].clip(-tuning.most_lean_rad, tuning.most_lean_rad)
        now = Bodies(now.ways, now.which, places)
    return now, pull.fits(now, view, np.ones(len(now), dtype=bool), np.arange(len(now)))


def _first_of_its_kind(bodies: Bodies, tuning: EdgeFitTuning) -> Bools:
    """Say which bodies no earlier one of their way has come near to."""
    x, y, heading, _ = np.ascontiguousarray(bodies.places.T)
    alike = np.hypot(x[:, None] - x, y[:, None] - y) < tuning.same_mm
    alike &= bodies.which[:, None] == bodies.which
    later, earlier = np.nonzero(np.tril(alike, -1))
    turned = np.abs(np.sin(heading[later] - heading[earlier]))
    first = np.ones(len(bodies), dtype=bool)
    first[later[turned < tuning.same_rad]] = False
    return first


def hidden_points(
    drawn: Outline,
    corners: Floats,
    obstacles: Floats,
    view: View,
    tuning: EdgeFitTuning = TUNING.edge_fit,
) -> Bools:
    """Say which points of bodies obstacles hide.

    Args:
        drawn: points along the edges of the bodies.
        corners: of the bodies, shape (n, 8, 3).
        obstacles: corners of other bodies, shape (k, 8, 3), or the bodies themselves.
        view: the camera.
        tuning: see `EdgeFitTuning`.
    """
    hidden = np.zeros(drawn.shown.shape, dtype=bool)
    if not len(obstacles):
        return hidden
    seen = view.project(obstacles)
    # Axes first: steps along many points are much quicker than along two numbers.
    pixels = np.ascontiguousarray(drawn.pixels.transpose(2, 0, 1))
    low, high = (one.T[:, None] for one in (pixels.min(axis=2), pixels.max(axis=2)))
    meet = seen.max(axis=1) > low - tuning.round_px
    meet &= seen.min(axis=1) < high + tuning.round_px
    meet = meet.all(axis=2)
    if obstacles is corners:
        np.fill_diagonal(meet, False)
    body, other = np.nonzero(meet)
    if len(body):
        covered = behind(drawn.points_mm[body], obstacles[other], view)
        some = np.flatnonzero(meet.any(axis=1))
        hidden[some] = np.logical_or.reduceat(covered, np.searchsorted(body, some))
    return hidden


def _read(edges: Edges, drawn: Outline, offsets_px: Floats) -> Floats32:
    """Read the edge at so many pixels across each point, shape (n, m, offsets)."""
    normals = drawn.normals.reshape(-1, 2)
    x, y = edges.local(drawn.pixels.reshape(-1, 2)).T[..., None]
    right, down = normals.T[..., None]
    read = edges.across(x + offsets_px * right, y + offsets_px * down, normals)
    return read.reshape(*drawn.shown.shape, len(offsets_px))
