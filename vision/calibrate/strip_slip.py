"""Find strips of the mat that have slipped.

The camera's pose follows from all strips together, so two strips that slip alike move it, and every
tile with it. But a camera that moves shifts all strips at once, in a way that a few numbers
explain. If they do not explain all strips, but do once one or two are left out, those have slipped.
A surveyed mat is compared with its survey. Of any other mat the first looks tell how its strips
lie.
"""

import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from vision.arrays import Bools, Floats, Gray
from vision.calibrate.mat_survey import moved, strip_middles
from vision.calibrate.pose_follow import Sides, edges_beside, in_view
from vision.geometry.camera_pose import View, project
from vision.geometry.mat import Mat
from vision.tuning.calibration import StripSlipTuning
from vision.tuning.tuning import TUNING, Tuning

STIFF, HOLD = 1e-9 * np.eye(7), 1e-6 * np.eye(4)


@dataclass(frozen=True, slots=True)
class Slip:
    """A strip that no longer lies where it lay.

    Attributes:
        strip: which of the mat's strips.
        name: where it lies: a side, and which strip on it.
        off: how far it has come along x and y in mm, and how far it has turned in rad.
    """

    strip: int
    name: str
    off: tuple[float, float, float]

    @property
    def mm(self) -> float:
        """How far it has come."""
        return math.hypot(self.off[0], self.off[1])

    def near(self, off: Sequence[float], tuning: StripSlipTuning = TUNING.strip_slip) -> bool:
        """Say whether it lies there still."""
        apart = math.hypot(self.off[0] - off[0], self.off[1] - off[1])
        return apart < tuning.stay_mm and abs(self.off[2] - off[2]) < tuning.stay_rad


@dataclass(frozen=True, slots=True, eq=False)
class _Strip:
    """What one picture says of one strip: the normal equations of all its points.

    Attributes:
        square: of the camera's six numbers, the markers' bloom, and the strip's own three: x and y
            in mm, and its turn in rad about its middle; shape (10, 10).
        pull: shape (10,).
    """

    square: Floats
    pull: Floats

    def off(self, camera: Floats) -> Floats:
        """Say where the strip lies, in mm and rad, if the camera and the bloom are these."""
        rest = self.pull[7:] - self.square[7:, :7] @ camera
        return np.asarray(np.linalg.solve(self.square[7:, 7:], rest))

    def lying(self, at: Floats) -> "_Strip":
        """Return the same, told from another place of the strip."""
        return replace(self, pull=self.pull - self.square[:, 7:] @ at)


class StripWatch:
    """Watches the strips of one mat from look to look.

    Args:
        mat: where they should lie.
        tuning: see `Tuning`.

    Attributes:
        slips: the strips that lie elsewhere.
        mat: the mat with these where they lie now.
    """

    def __init__(self, mat: Mat, tuning: Tuning = TUNING) -> None:
        self._tuning = tuning
        self._mat = mat
        self._learnt: list[dict[int, Floats]] = []
        self._places: dict[int, Floats] | None = None
        self.slips: tuple[Slip, ...] = ()
        self.mat = mat
        if mat.surveyed:
            self._places = {n: np.zeros(3) for n in range(len(mat.strips))}

    def forget(self) -> None:
        """Learn anew how the strips lie, unless they were surveyed: the camera hangs elsewhere."""
        if not self._mat.surveyed:
            self._learnt, self._places, self.slips, self.mat = [], None, (), self._mat

    def see(self, gray: Gray, view: View) -> None:
        """Find which strips have slipped, and keep those in mind of which it cannot be told now.

        Args:
            gray: the frame.
            view: about where the camera is; strips that slipped may have pulled it along.
        """
        strips = _strips(gray, view, self._mat, self._tuning)
        if self._places is None:
            self._learn(strips)
            return
        places = self._places
        known = {n: strip.lying(places[n]) for n, strip in strips.items() if n in places}
        told = _slipped(known, self._tuning.strip_slip)
        if told is None:
            return
        before = {slip.strip: slip for slip in self.slips}
        now = {n: slip for n, slip in before.items() if n not in known}
        for n, off in told.items():
            same = n in before and before[n].near(off, tuning=self._tuning.strip_slip)
            now[n] = before[n] if same else Slip(n, strip_name(self._mat, n), off)
        self.take(tuple(now[n] for n in sorted(now)))

    def take(self, slips: tuple[Slip, ...]) -> None:
        """Believe that these strips have slipped, and no others."""
        if slips == self.slips:
            return
        self.slips = slips
        moves = np.zeros((len(self._mat.strips), 3))
        for slip in slips:
            moves[slip.strip] = slip.off
        self.mat = moved(self._mat, moves)

    def _learn(self, strips: Mapping[int, _Strip]) -> None:
        """Take in where the strips lie, once they are seen so often."""
        if len(strips) < self._tuning.strip_slip.least_left + 1:
            return
        camera = _camera(list(strips.values()))
        now = {n: strip.off(camera) for n, strip in strips.items()}
        if self._learnt and self._learnt[-1].keys() != now.keys():
            self._learnt = []
        self._learnt.append(now)
        if len(self._learnt) >= self._tuning.strip_slip.learn_looks:
            self._places = {n: np.mean([one[n] for one in self._learnt], axis=0) for n in now}


def words_for(slips: Sequence[Slip]) -> str:
    """Say in words what has slipped and what to do.

    >>> words_for([Slip(2, "right", (1.0, 0.7, 0.0)), Slip(5, "left", (0.8, 0.0, 0.0))])
    'the right and left strips of the mat have slipped by 1.2 mm: push them back or survey it again'
    """
    names = " and ".join(slip.name for slip in slips)
    mm = max(slip.mm for slip in slips)
    one = len(slips) == 1
    return (
        f"the {names} strip{'' if one else 's'} of the mat {'has' if one else 'have'} slipped by "
        f"{mm:.1f} mm: push {'it' if one else 'them'} back or survey it again"
    )


def strip_name(mat: Mat, strip: int) -> str:
    """Name a strip by its side, and where there are several, by which of them it is.

    >>> from vision.geometry.mat import load_mat
    >>> [strip_name(load_mat(), n) for n in range(6)]
    ['far left', 'far right', 'right', 'near right', 'near left', 'left']
    """
    side = mat.side(mat.strips[strip][0])
    beside = [n for n, ids in enumerate(mat.strips) if mat.side(ids[0]) == side]
    if len(beside) < 2:
        return side
    axis, ends = (0, ("left", "right")) if side in ("far", "near") else (1, ("near", "far"))
    at = {
        n: float(np.mean([mat.corners_mm[i] for i in mat.strips[n]], axis=(0, 1))[axis])
        for n in beside
    }
    return f"{side} {ends[at[strip] > sum(at.values()) / len(at)]}"


def _slipped(
    strips: Mapping[int, _Strip], tuning: StripSlipTuning
) -> dict[int, tuple[float, float, float]] | None:
    """Say which strips lie elsewhere, and how far off: as few as let the others agree.

    Returns:
        None where too few strips are seen, or too many contradict each other.
    """
    told: list[tuple[float, dict[int, tuple[float, float, float]]]] = []
    for count in range(min(tuning.most_slipped, len(strips) - tuning.least_left) + 1):
        for out in itertools.combinations(strips, count):
            left = [strip for n, strip in strips.items() if n not in out]
            camera = _camera(left)
            worst = max(_far(strip.off(camera), tuning) for strip in left)
            off = {n: strips[n].off(camera) for n in out}
            # Beyond reach lie the sides of other markers.
            if worst <= 1.0 and all(
                _far(at, tuning) > 1.0 and math.hypot(at[0], at[1]) < tuning.reach_mm
                for at in off.values()
            ):
                by = {n: (float(at[0]), float(at[1]), float(at[2])) for n, at in off.items()}
                told.append((worst + tuning.each_share * count, by))
        if told and told[0][0] <= tuning.each_share:
            break
    return min(told, key=lambda one: one[0])[1] if told else None


def _far(off: Floats, tuning: StripSlipTuning) -> float:
    """How far off a strip lies; 1 is as much as need not mean anything."""
    return float(max(np.hypot(off[0], off[1]) / tuning.agree_mm, abs(off[2]) / tuning.agree_rad))


def _camera(strips: Sequence[_Strip]) -> Floats:
    """Find how the camera stands against the view, and the bloom, by some strips together."""
    square = np.sum([strip.square[:7, :7] for strip in strips], axis=0)
    pull = np.sum([strip.pull[:7] for strip in strips], axis=0)
    size = np.sqrt(np.diag(square)) + 1e-12
    found = np.linalg.solve(square / np.outer(size, size) + STIFF, pull / size) / size
    return np.asarray(found)


def _strips(gray: Gray, view: View, mat: Mat, tuning: Tuning) -> dict[int, _Strip]:
    """Measure the sides of the markers, strip by strip, without strips that are hidden."""
    numbers = tuning.strip_slip
    sides = Sides.of(mat, view, tuning=tuning.pose_follow)
    if not sides.ids:
        return {}
    lens, pose = view.intrinsics, view.pose
    table = np.ascontiguousarray(sides.points_mm[:, :: numbers.thin]).reshape(-1, 3)
    outwards = sides.outwards[:, :: numbers.thin].reshape(-1, 3)
    pixels, out, by_camera = in_view(table, outwards, view)
    right, up = (project(table + way, pose, lens) - pixels for way in np.eye(3)[:2])
    reach_px = numbers.reach_mm * view.scale_px_mm()
    offsets, steep = edges_beside(gray, pixels, out, reach_px, tuning=tuning.pose_follow)
    usual = numbers.least_steep_share * float(np.median(steep))
    good = steep > max(usual, numbers.least_slope_levels_px)
    by_x, by_y = (right * out).sum(axis=1), (up * out).sum(axis=1)
    strip_of = {marker: n for n, ids in enumerate(mat.strips) for marker in ids}
    each = [strip_of.get(marker, -1) for marker in sides.ids]
    of = np.repeat(np.array(each), len(table) // len(each))
    found, middles = {}, strip_middles(mat)
    for n in range(len(mat.strips)):
        here = of == n
        whole = int(np.count_nonzero(here))
        if not whole or np.count_nonzero(good & here) < numbers.least_share * whole:
            continue
        about = table[here, :2] - middles[n]
        turned = by_y[here] * about[:, 0] - by_x[here] * about[:, 1]
        own = np.column_stack([np.ones(whole), by_x[here], by_y[here], turned])
        kept = _together(own, offsets[here], good[here], tuning=numbers)
        if np.count_nonzero(kept) >= numbers.least_share * whole:
            design = np.column_stack([by_camera[here], own])[kept]
            found[n] = _Strip(design.T @ design, design.T @ offsets[here][kept])
    return found


def _together(design: Floats, offsets: Floats, good: Bools, tuning: StripSlipTuning) -> Bools:
    """Say which points of a strip have moved as one piece of paper does."""
    kept = good
    for _ in range(tuning.rounds):
        if np.count_nonzero(kept) <= design.shape[1]:
            return np.zeros_like(kept)
        some = design[kept]
        answer = np.linalg.solve(some.T @ some + HOLD, some.T @ offsets[kept])
        miss = np.abs(offsets - design @ answer)
        usual = tuning.outlier_factor * float(np.median(miss[kept]))
        kept = good & (miss < max(usual, tuning.outlier_floor_px))
    return kept
