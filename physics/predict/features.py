"""Features for the fitted hazard: dimensionless numbers of a joint, its neighbours and its fall.

Even numbers are the same for a row and its mirror image, odd ones change sign; the odd ones stand
last in every line, `ODD` of them.
"""

from typing import Final

import numpy as np

from physics.fall.impact import blow_numbers
from physics.fall.joint import Copies, Joints, Reals
from physics.fall.side_view import GRAVITY_MM_S2
from physics.fall.trials import Marks, Trials
from physics.row.push import PEAK, smooth, smooth_speed

_LOOK_AROUND: Final = 1
_PUSH_JOINTS: Final = 3
ODD: Final = 27
_TIME: Final = np.linspace(0.0, 1.0, 129)
_WAY: Final = np.array([smooth(x) for x in _TIME.tolist()])
_SPEED: Final = np.array([smooth_speed(x) for x in _TIME.tolist()])


def tables(trials: Trials, marks: Marks) -> tuple[Reals, Reals]:
    """Describe the push and every joint of every copy.

    The line of a joint describes the joint and one on either side, its place in the row, frictions
    and push (again, fading along the row), and what happened there in the side view.

    Returns:
        Numbers of the push, shape (copies, numbers), and of the joints, shape (copies, tiles - 1,
        numbers).
    """
    even, odd = _joints(trials, marks)
    push = _drive(trials)
    return _push_table(trials, marks, push, even, odd), _joint_table(marks, push, even, odd)


def _joint_table(marks: Marks, push: Reals, even: Reals, odd: Reals) -> Reals:
    copies, count = even.shape[:2]
    place = np.broadcast_to(np.arange(count), (copies, count))[..., None]
    drive = np.broadcast_to(push[:, None], (copies, count, push.shape[1]))
    parts = [
        _around(even),
        1.0 / (1.0 + place),
        np.clip(count - 1.0 - place, 0.0, 10.0) / 5.0,
        drive,
        drive * np.exp(-place / 1.5),
        _fall(marks),
        _around(odd),
    ]
    return np.concatenate(parts, -1)


def _push_table(trials: Trials, marks: Marks, push: Reals, even: Reals, odd: Reals) -> Reals:
    copies = trials.copies
    t, h = copies.thickness_mm[..., 0], copies.height_mm[..., 0]
    own = np.broadcast_arrays(
        t / h * 4,
        copies.face_mm[..., 0] / h,
        np.clip(trials.stroke_mm / t - 0.85, -1.0, 2.0),
        trials.stroke_mm * trials.height_frac / t,
        marks.fallen[:, 0],
        marks.peak[:, 0],
        marks.crossing[:, 0],
    )
    parts = [push, np.stack(own, -1), _first(even), _first(odd)]
    return np.concatenate(parts, -1)


def _drive(trials: Trials) -> Reals:
    """Describe frictions and push.

    The tile balances when the tip has moved by its thickness times the height of the push. The
    tip's speed there and at first touch, and its time beyond, describe both kinds of path.
    """
    copies = trials.copies
    t, h = copies.thickness_mm[..., 0], copies.height_mm[..., 0]
    root = np.sqrt(GRAVITY_MM_S2 * h)
    whole = trials.standoff_mm + trials.stroke_mm
    balance = np.minimum(trials.height_frac * t, trials.stroke_mm)
    touch_x, balance_x = (
        np.interp((trials.standoff_mm + past) / whole, _WAY, _TIME) for past in (0.0, balance)
    )
    touch, there = (np.interp(x, _TIME, _SPEED) for x in (touch_x, balance_x))
    beyond_s = np.where(
        trials.smooth,
        2.0 * (1.0 - balance_x) * PEAK * whole / trials.speed_mm_s + trials.hold_s,
        2.0 * (trials.stroke_mm - balance) / trials.speed_mm_s,
    )
    speed = trials.speed_mm_s / root * 10
    return np.stack(
        [
            trials.tile_tile * 4,
            trials.tile_table * 2,
            trials.height_frac * 2,
            speed,
            trials.stroke_mm / t / 2,
            trials.tip_radius_mm / t,
            trials.smooth,
            np.where(trials.smooth, touch, 1.0) * speed,
            np.where(trials.smooth, there, trials.stroke_mm > balance) * speed,
            np.log1p(beyond_s * root / h),
            np.log1p(np.where(trials.smooth, trials.hold_s, 0.0) * root / h),
            np.where(trials.smooth, trials.standoff_mm / t, 0.0),
        ],
        -1,
    )


def _joints(trials: Trials, marks: Marks) -> tuple[Reals, Reals]:
    """Return the even and the odd numbers of every joint by itself."""
    copies, near, far = trials.copies, trials.near, trials.far
    shape = near.gap_mm.shape
    h, w, t = (
        np.broadcast_to(a, copies.x_mm.shape)
        for a in (copies.height_mm, copies.face_mm, copies.thickness_mm)
    )
    h_a, h_b, w_a, w_b = h[:, :-1], h[:, 1:], w[:, :-1], w[:, 1:]
    t_a, t_b = t[:, :-1], t[:, 1:]
    gap = np.where(near.missed, 2 * h_a, near.gap_mm)
    reach = np.clip(gap / h_a, 0.0, 1.0)
    tip = 3 * h_a**2 / (h_a**2 + t_a**2)
    beyond_gap, beyond_overlap = _beyond(copies, far, shape)
    blow_even, blow_odd = blow_numbers(trials, marks)
    even = [
        np.clip(gap / h_a, -0.3, 1.3),
        np.sqrt(np.clip(gap / h_a, 0.0, 1.3)),
        np.clip(gap / h_b, -0.3, 2.5),
        near.missed,
        near.overlap_mm / np.minimum(w_a, w_b),
        near.overlap_mm / w_b,
        np.cos(near.turn_rad),
        np.abs(np.sin(near.turn_rad)),
        near.by_corner & ~near.missed,
        np.log(h_b / h_a),
        t_a / h_a * 4,
        t_b / h_b * 4,
        w_a / h_a,
        w_b / h_b,
        np.minimum(12 * near.struck_mm**2 / (w_b**2 + t_b**2) / tip, 3.0),
        np.minimum(12 * near.struck_middle_mm**2 / (w_b**2 + t_b**2) / tip, 3.0),
        np.minimum(np.sqrt(1.0 - reach**2) * h_a / h_b, 2.5),
        np.arcsin(reach) / np.arctan2(t_a, h_a) / 3,
        np.clip(near.ahead_mm / h_a, -1.0, 2.0),
        np.abs(near.touch_mm) / w_a * 2,
        np.abs(near.struck_mm) / w_b * 2,
        np.abs(near.struck_middle_mm) / w_b * 2,
        np.abs(near.middle_mm) / w_a * 2,
        np.clip(np.abs(near.offset_mm) / w_a, 0.0, 2.0),
        beyond_gap,
        beyond_overlap,
        np.ones(shape),
        *blow_even,
    ]
    odd = [
        np.sin(near.turn_rad),
        near.touch_mm / w_a * 2,
        near.middle_mm / w_a * 2,
        near.struck_mm / w_b * 2,
        near.struck_middle_mm / w_b * 2,
        np.clip(near.offset_mm / w_a, -2.0, 2.0),
        *blow_odd,
    ]
    return np.stack(even, -1).astype(np.float64), np.stack(odd, -1)


def _beyond(copies: Copies, far: Joints, shape: tuple[int, ...]) -> tuple[Reals, Reals]:
    """Return gap and overlap with the tile after the next; void for the last joint."""
    gap, overlap = np.full(shape, 1.5), np.zeros(shape)
    if shape[1] > 1:
        h = np.broadcast_to(copies.height_mm, copies.x_mm.shape)[:, :-2]
        w = np.broadcast_to(copies.face_mm, copies.x_mm.shape)
        gap[:, :-1] = np.clip(np.where(far.missed, 2 * h, far.gap_mm) / h, -0.3, 1.5)
        overlap[:, :-1] = far.overlap_mm / np.minimum(w[:, :-2], w[:, 2:])
    return gap, overlap


def _fall(marks: Marks) -> Reals:
    """Return what happened at every joint in the side view; all even."""
    here, there = marks.fallen[:, :-1], marks.fallen[:, 1:]
    stalled = here - there
    speed, peak = marks.crossing, marks.peak
    before = np.concatenate([np.zeros_like(speed[:, :1]), speed[:, :-2]], axis=1)
    after = np.concatenate([marks.fallen[:, 2:], marks.fallen[:, -1:]], axis=1)
    return np.stack(
        [
            here,
            there,
            stalled,
            peak[:, 1:] * here,
            peak[:, :-1],
            speed[:, :-1],
            speed[:, 1:],
            before[:, : here.shape[1]],
            after[:, : here.shape[1]],
            stalled * speed[:, :-1],
            stalled * np.clip(peak[:, 1:], 0.0, 1.5),
        ],
        -1,
    )


def _around(lines: Reals) -> Reals:
    """Append to every joint's numbers those of the joints around it, 0 beyond the ends."""
    count = lines.shape[1]
    padded = np.pad(lines, ((0, 0), (_LOOK_AROUND, _LOOK_AROUND), (0, 0)))
    return np.concatenate([padded[:, i : i + count] for i in range(2 * _LOOK_AROUND + 1)], -1)


def _first(lines: Reals) -> Reals:
    """Put the numbers of the first joints into one line, 0 where there are none."""
    padded = np.pad(lines, ((0, 0), (0, _PUSH_JOINTS), (0, 0)))[:, :_PUSH_JOINTS]
    return padded.reshape(len(lines), -1)
