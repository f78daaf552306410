"""The same rows in several engines, in one run: how many falls a second, and how many labels move.

    python -m tests.bench.bench_engines [ROWS.jsonl] [--rows 60 --seed 1 --rounds 3]

CPU time of one core, rows as written, each row through all engines in turn so that a busy machine
slows all of them alike. "Labels moved" counts rows that come out otherwise than at the finest step
of the same engine; "as in 3D" those that agree with the label in the file.

Three engines: this model (the unfolded side view, in pymunk), MuJoCo (three dimensions, the extra
`reference`) and, as one more, Box2D (the extra `bench`). Box2D and PyBullet, both under the zlib
licence, are the engines that people would try first. PyBullet is a second one in three dimensions,
where MuJoCo already stands for what that costs; Box2D is the other well-known engine in two, takes
the very same boxes, and so answers whether this model owes its labels or its pace to pymunk. Its
Python binding is quiet (2.3.10, wheels for current Pythons, engine of 2013) but installs and runs;
a benchmark needs no more. An engine that is not installed is left out, and the run says so.
"""

import tests.bench.one_core  # noqa: F401  # isort: skip
import argparse
import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np

from physics.errors import PhysicsError
from physics.fall.simulate import STEP_S, simulate
from physics.fall.trials import Trials, disturb, let_fall
from physics.learn.fit import Reference, read_references
from physics.learn.reference import engine as mujoco_engine
from physics.learn.reference import simulate_3d
from physics.row.spread import Spread
from physics.rows.scenario import Scenario

ROWS = Path(__file__).parents[1] / "data" / "rows-60.jsonl"
TILES = 11
STILL = Spread(0.0, 0.0, 0.0, 0.0)


@dataclass(frozen=True, slots=True)
class Sample:
    """A row, and what a prediction has at hand of it before the first fall."""

    scenario: Scenario
    trials: Trials


@dataclass(frozen=True, slots=True)
class Contestant:
    """One engine at one step; `falls` says whether all tiles fell."""

    engine: str
    step_ms: float
    falls: Callable[[Sample], bool]


def trial(sample: Sample) -> bool:
    """Fall as a prediction lets a copy fall."""
    return bool(let_fall(sample.trials).fallen[0].all())


def to_rest(sample: Sample, step_s: float) -> bool:
    """Fall until all is at rest."""
    s = sample.scenario
    return simulate(s.chain, s.push, s.friction, step_s=step_s).outcome.all_fell


def in_mujoco(sample: Sample, step_s: float) -> bool:
    """Fall in three dimensions."""
    s = sample.scenario
    fall = simulate_3d(s.chain, s.push, s.friction, step_s=step_s, to_rest=False)
    return fall.outcome.all_fell


def contestants() -> list[Contestant]:
    """Return all engines that are installed, each from its finest step on; tell which are not."""
    found = [
        Contestant("this model, to rest", 1e3 * step_s, partial(to_rest, step_s=step_s))
        for step_s in (0.00025, 0.0005, 0.001)
    ]
    found.append(Contestant("this model, trials", 1e3 * STEP_S, trial))
    try:
        from tests.bench.box2d_row import in_box2d
    except ImportError:
        print("Box2D is not installed and left out: pip install -e .[bench]\n")
    else:
        found += [
            Contestant("Box2D, side view", 1e3 * step_s, partial(in_box2d, step_s=step_s))
            for step_s in (0.00025, 0.0005, 0.001, 0.002, 0.003)
        ]
    try:
        mujoco_engine()
    except PhysicsError:
        print("MuJoCo is not installed and left out: pip install -e .[reference]\n")
    else:
        found += [
            Contestant("MuJoCo, 3D", 1e3 * step_s, partial(in_mujoco, step_s=step_s))
            for step_s in (0.00025, 0.0005, 0.001, 0.002)
        ]
    return found


def sample_of(references: Sequence[Reference], count: int, seed: int) -> list[Reference]:
    """Draw rows of eleven tiles."""
    full = [r for r in references if len(r.fell) == TILES]
    order = np.random.default_rng(seed).permutation(len(full))
    return [full[i] for i in sorted(order[:count].tolist())]


def compare(references: Sequence[Reference], rounds: int) -> None:
    """Let all rows fall everywhere; print the table."""
    rng = np.random.default_rng(0)
    samples = [
        Sample(s, disturb(s.chain, s.push, s.friction, STILL, 1, rng))
        for s in (r.scenario for r in references)
    ]
    runners = contestants()
    spent = np.zeros((rounds, len(runners)))
    labels = np.zeros((len(runners), len(samples)), dtype=bool)
    for runner in runners:
        runner.falls(samples[0])
    for turn in range(rounds):
        for row, sample in enumerate(samples):
            for k, runner in enumerate(runners):
                begun = time.process_time()
                labels[k, row] = runner.falls(sample)
                spent[turn, k] += time.process_time() - begun
    truth = np.array([min(r.fell) > 0.5 for r in references])
    finest: dict[str, int] = {}
    print("| engine | step, ms | falls a CPU second | ms a fall | labels moved | as in 3D |")
    print("|---|---|---|---|---|---|")
    for k, runner in enumerate(runners):
        first = finest.setdefault(runner.engine.partition(",")[0], k)
        each = sorted(float(s) / len(samples) for s in spent[:, k])
        moved = "-" if first == k else str(np.sum(labels[k] != labels[first]))
        print(
            f"| {runner.engine} | {runner.step_ms:g} | {1 / statistics.median(each):.0f} "
            f"| {1e3 * statistics.median(each):.1f} ({1e3 * each[0]:.1f}-{1e3 * each[-1]:.1f}) "
            f"| {moved} | {np.mean(labels[k] == truth):.2f} |"
        )
    print(f"\n{len(samples)} rows of {TILES} tiles, median of {rounds} rounds (least-most).")


def main() -> None:
    """Run what is asked for."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("file", nargs="?", type=Path, default=ROWS, help="reference rows")
    parser.add_argument("--rows", type=int, default=60, help="how many of its rows, at most")
    parser.add_argument("--seed", type=int, default=1, help="which of them")
    parser.add_argument("--rounds", type=int, default=3)
    args = parser.parse_args()
    try:
        references = sample_of(read_references([args.file]), args.rows, args.seed)
    except PhysicsError as error:
        parser.error(str(error))
    if not references:
        parser.error(f"{args.file} has no row of {TILES} tiles; give a file that has some")
    compare(references, args.rounds)


if __name__ == "__main__":
    main()
