"""Bare pymunk with two numbers: how well the side view predicts without any network.

    python -m tests.bench.bench_bare FITTED... [--rows 440 --seed 77 --runs 8] [--report ROWS...]

The share of disturbed copies that fall is made a chance by two numbers, a line in log-odds, fitted
on these rows. Without --report one change of the side view after the other is tried on a draw of
the fitted rows, and the Brier score compared with that of the side view as it is. With --report the
numbers are fitted on the fitted rows and the rows that are reported scored.
"""

import tests.bench.one_core  # noqa: F401  # isort: skip
import argparse
from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from physics.errors import PhysicsError
from physics.fall.impact import _force
from physics.fall.side_view import USUAL, Corrections, SideView, side_view
from physics.fall.simulate import Run
from physics.fall.trials import _PUSH, Reals, Trials, disturb
from physics.learn.fit import Reference, read_references
from physics.row.push import Friction, Path, Push

Change = Callable[[SideView, Trials], SideView]


def share(
    reference: Reference,
    seed: Sequence[int],
    runs: int,
    corrections: Corrections = USUAL,
    changes: Sequence[Change] = (),
) -> float:
    """Return the share of a row's copies that fall, never quite 0 or 1."""
    s = reference.scenario
    rng = np.random.default_rng(seed)
    trials = disturb(s.chain, s.push, s.friction, s.spread, runs, rng)
    view = side_view(trials.copies, trials.near, trials.far, corrections)
    for change in changes:
        view = change(view, trials)
    fell = 0
    for k in range(runs):
        path = Path.SMOOTH if trials.smooth[k] else Path.STEADY
        push = Push(**{name: float(getattr(trials, name)[k]) for name in _PUSH}, path=path)
        friction = Friction(float(trials.tile_tile[k]), float(trials.tile_table[k]))
        run = Run(view, k, push, friction, corrections=corrections)
        run.go()
        fell += all(run.fallen)
    return (fell + 0.5) / (runs + 1)


def two_numbers(shares: Reals, seen: Reals) -> Reals:
    """Fit the line in log-odds by maximum likelihood."""
    lines = np.stack([np.ones_like(shares), np.log(shares / (1.0 - shares))], 1)
    line = np.array([0.0, 1.0])
    for _ in range(50):
        told = calibrated(line, shares)
        bend = (lines * (told * (1.0 - told))[:, None]).T @ lines
        line = line + np.linalg.solve(bend, lines.T @ (seen - told))
    return line


def calibrated(line: Reals, shares: Reals) -> Reals:
    """Make shares chances."""
    odds = line[0] + line[1] * np.log(shares / (1.0 - shares))
    chances: Reals = 1.0 / (1.0 + np.exp(-odds))
    return chances


def _sizes(trials: Trials) -> tuple[Reals, Reals, Reals]:
    copies = trials.copies
    h, w, t = (
        np.broadcast_to(a, copies.x_mm.shape)
        for a in (copies.height_mm, copies.face_mm, copies.thickness_mm)
    )
    return h, w, t


def lever_of_force(strength: float) -> Change:
    """The twist of an off-centre hit with the lever of the force, not of the point of touch."""

    def change(view: SideView, trials: Trials) -> SideView:
        h, w, t = _sizes(trials)
        _, arm = _force(trials.near, t[:, 1:])
        turning = strength * 12.0 * arm**2 / (w[:, 1:] ** 2 + t[:, 1:] ** 2)
        tipping = 3.0 * h[:, :-1] ** 2 / (h[:, :-1] ** 2 + t[:, :-1] ** 2)
        return replace(view, yaw=1.0 + np.where(trials.near.missed, 0.0, turning) / tipping)

    return change


def gives_way(view: SideView, trials: Trials) -> SideView:
    """More twist where the table's friction does not hold the foot, less where it does."""
    h, w, t = _sizes(trials)
    h_a, h_b, t_b, w_b = h[:, :-1], h[:, 1:], t[:, 1:], w[:, 1:]
    along, arm = _force(trials.near, t_b)
    gap = np.where(trials.near.missed, 0.0, np.clip(trials.near.gap_mm, 0.0, 0.99 * h_a))
    lever = np.maximum(along, 0.2) * np.minimum(np.sqrt(h_a**2 - gap**2), h_b)
    table = np.maximum(trials.tile_table[:, None], 0.01)
    margin = t_b / (2.0 * lever * table) * np.hypot(1.0, 4.0 * arm / w_b)
    return replace(view, yaw=1.0 + (view.yaw - 1.0) * np.clip(margin, 0.3, 4.0))


BEFORE = Corrections(
    gap_power=0.3,
    slant=0.0,
    gear_corner=1.8,
    yaw=3.0,
    yaw_gap=0.0,
    yaw_falling=0.0,
    yaw_shorter=1.0,
    yaw_taller=1.0,
    yaw_low=(2.0, 3.0),
    yaw_time=2.1,
)
VARIANTS: dict[str, tuple[Corrections, tuple[Change, ...]]] = {
    "as it is": (USUAL, ()),
    "a turned tile pushes from where it first touches": (replace(USUAL, slant=0.0), ()),
    "more load where a corner meets a face": (replace(USUAL, gear_corner=1.8), ()),
    "the twist the same for all gaps": (replace(USUAL, yaw=3.0, yaw_gap=0.0), ()),
    "a low hit twists as much": (replace(USUAL, yaw_low=BEFORE.yaw_low), ()),
    "no twist of the falling tile": (replace(USUAL, yaw_falling=0.0), ()),
    "as much twist for lower and higher tiles": (
        replace(USUAL, yaw_shorter=1.0, yaw_taller=1.0),
        (),
    ),
    "the twist lasts a little longer": (replace(USUAL, yaw_time=2.1), ()),
    "gap divided by more of the turn": (replace(USUAL, gap_power=0.3), ()),
    "all of these": (BEFORE, ()),
    "lever of the force": (USUAL, (lever_of_force(3.0),)),
    "foot that gives way": (USUAL, (gives_way,)),
}


def compare(references: Sequence[Reference], runs: int) -> None:
    """Print every variant beside the side view as it is."""
    seen = np.array([r.p_fall for r in references])
    usual = None
    print("| side view | Brier | change |\n|---|---|---|")
    for name, (corrections, changes) in VARIANTS.items():
        square = (told(references, runs, corrections, changes) - seen) ** 2
        usual = square if usual is None else usual
        change = square - usual
        error = change.std() / np.sqrt(len(change))
        print(f"| {name} | {square.mean():.4f} | {change.mean():+.4f} ± {error:.4f} |", flush=True)


def told(
    references: Sequence[Reference],
    runs: int,
    corrections: Corrections = USUAL,
    changes: Sequence[Change] = (),
    line: Reals | None = None,
) -> Reals:
    """Predict rows; the two numbers are fitted on them unless given."""
    shares = np.array(
        [share(r, (3, i), runs, corrections, changes) for i, r in enumerate(references)]
    )
    seen = np.array([r.p_fall for r in references])
    return calibrated(two_numbers(shares, seen) if line is None else line, shares)


def main() -> None:
    """Try changes, or report."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("fitted", nargs="+")
    parser.add_argument("--rows", type=int, default=440)
    parser.add_argument("--seed", type=int, default=77)
    parser.add_argument("--runs", type=int, default=8)
    parser.add_argument("--report", nargs="+", default=[])
    parser.add_argument("--variant", choices=VARIANTS, default="as it is")
    args = parser.parse_args()
    try:
        known = [r for path in args.fitted for r in read_references([path]) if r.k]
        files = {path: read_references([path]) for path in args.report}
    except PhysicsError as error:
        parser.error(str(error))
    order = np.random.default_rng(args.seed).permutation(len(known))
    drawn = [known[i] for i in order[: args.rows]]
    if not files:
        compare(drawn, args.runs)
        return
    how = VARIANTS[args.variant]
    shares = np.array([share(r, (3, i), args.runs, *how) for i, r in enumerate(drawn)])
    line = two_numbers(shares, np.array([r.p_fall for r in drawn]))
    print(f"{args.variant}: log-odds = {line[0]:+.3f} {line[1]:+.3f} * those of the share")
    for path, rows in files.items():
        square = (told(rows, args.runs, *how, line) - np.array([r.p_fall for r in rows])) ** 2
        error = square.std() / np.sqrt(len(square))
        print(f"{path}: {len(rows)} rows, Brier {square.mean():.4f} ± {error:.4f}")


if __name__ == "__main__":
    main()
