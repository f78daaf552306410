"""Figures of the prediction over files of reference rows: how good it is, and how fast.

    python tests/bench/bench_physics.py ROWS... [--hold-out 310 --seed 2026] [--jobs 2]

With --hold-out only those rows of each file are scored that a fit left out: the first so many of
a permutation by the seed. Times are CPU time of one core.
"""

import argparse
import time
from collections import defaultdict
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor

import numpy as np

from physics.fall import STEP_S, simulate
from physics.joint import Reals
from physics.learn import Reference, read_references
from physics.predict import RUNS, Prediction, predict
from physics.scenario import Spread
from physics.scores import score
from physics.trial import disturb, let_fall

STILL = Spread(0.0, 0.0, 0.0, 0.0)


def answer(reference: Reference) -> tuple[Prediction, Prediction, float]:
    """Predict a row, with its spread and without; also return the CPU seconds of the first."""
    s = reference.scenario
    begun = time.process_time()
    told = predict(s.chain, s.push, s.friction, s.spread, rng=np.random.default_rng(0))
    spent = time.process_time() - begun
    sharp = predict(s.chain, s.push, s.friction, STILL, rng=np.random.default_rng(0), runs=1)
    return told, sharp, spent


def quality(references: Sequence[Reference], jobs: int) -> Reals:
    """Print how good predictions of rows are; return the chances told."""
    with ProcessPoolExecutor(jobs) as pool:
        answers = list(pool.map(answer, references, chunksize=20))
    told = np.array([a.p_fall for a, _, _ in answers])
    seen = np.array([r.p_fall for r in references])
    for name, value in score(told, seen).items():
        print(f"  {name:18} {value:g}")
    fell = np.array([min(r.fell) > 0.5 for r in references])
    said = np.array([b.p_fall > 0.5 for _, b, _ in answers])
    print(f"  {'nominal label':18} {np.mean(fell == said):.4f}", end="")
    print(f"  (false falls {np.sum(said & ~fell)}, false stands {np.sum(fell & ~said)})")
    half = np.array([0.5 / r.k for r in references])
    low, high = (np.array([getattr(a, end) for a, _, _ in answers]) for end in ("low", "high"))
    inside = (low - half <= seen) & (seen <= high + half)
    print(f"  {'in the interval':18} {np.mean(inside):.4f}")
    print(f"  {'runs a row':18} {np.mean([a.runs for a, _, _ in answers]):.2f}")
    print(f"  {'CPU ms a row':18} {1e3 * np.mean([t for _, _, t in answers]):.1f}")
    print("  calibration: told, seen, rows")
    for i in range(10):
        chosen = np.minimum((told * 10).astype(int), 9) == i
        if chosen.any():
            print(f"    {told[chosen].mean():.3f} {seen[chosen].mean():.3f} {chosen.sum()}")
    return told


def by_size(references: Sequence[Reference], told: Reals) -> None:
    """Print the Brier score of each tile set."""
    groups: dict[str, list[float]] = defaultdict(list)
    for r, p in zip(references, told, strict=True):
        spec = r.scenario.chain.tiles[0].spec
        name = f"{spec.length_mm:g} x {spec.width_mm:g} x {spec.thickness_mm:g}"
        groups[name].append((p - r.p_fall) ** 2)
    for name, squares in groups.items():
        error = np.std(squares) / np.sqrt(len(squares))
        print(f"  {name:18} {np.mean(squares):.4f} +- {error:.4f} ({len(squares)} rows)")


def pace(references: Sequence[Reference]) -> None:
    """Print falls a CPU second on rows of 11 tiles, and labels that a finer step changes."""
    rows = [r.scenario for r in references if len(r.fell) == 11][:100]
    rng = np.random.default_rng(0)
    all_trials = [disturb(s.chain, s.push, s.friction, STILL, 1, rng) for s in rows]
    begun = time.process_time()
    quick = [bool(let_fall(trials).fallen[0].all()) for trials in all_trials]
    spent = time.process_time() - begun
    fine = [simulate(s.chain, s.push, s.friction, step_s=0.0005).outcome.all_fell for s in rows]
    flips = sum(a != b for a, b in zip(quick, fine, strict=True))
    print(f"  falls of 11 tiles a CPU second {len(rows) / spent:.0f}, step {1e3 * STEP_S:g} ms")
    print(f"  labels changed by a step of 0.5 ms {flips} of {len(rows)}")
    begun = time.process_time()
    for s in rows[:30]:
        told = disturb(s.chain, s.push, s.friction, s.spread, RUNS, rng)
        let_fall(told)
    print(f"  {RUNS} copies of 11 tiles, CPU ms {1e3 * (time.process_time() - begun) / 30:.1f}")


def main() -> None:
    """Run what is asked for."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("rows", nargs="*")
    parser.add_argument("--hold-out", type=int, help="score only so many rows drawn by the seed")
    parser.add_argument("--seed", type=int, default=2026)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--pace", action="store_true", help="falls a second as well")
    args = parser.parse_args()
    for path in args.rows:
        references = read_references([path])
        if args.hold_out:
            order = np.random.default_rng(args.seed).permutation(len(references))
            references = [references[i] for i in sorted(order[: args.hold_out].tolist())]
        print(path)
        by_size(references, quality(references, args.jobs))
        if args.pace:
            pace(references)


if __name__ == "__main__":
    main()
