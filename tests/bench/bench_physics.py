"""Figures of the prediction over files of reference rows: how good it is, and how fast.

    python -m tests.bench.bench_physics [ROWS...] [--hold-out 310 --seed 2026] [--jobs 2] [--pace]

With --hold-out only those rows of each file are scored that a fit left out: the first so many of
a permutation by the seed. Times are CPU time of one core, medians of several rounds in which the
things measured take turns.
"""

import tests.bench.one_core  # noqa: F401  # isort: skip
import argparse
import statistics
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from scipy.optimize import minimize

from physics.errors import PhysicsError
from physics.fall.simulate import STEP_S, simulate
from physics.fall.trials import disturb, let_fall
from physics.learn.fit import Reference, read_references
from physics.learn.scores import score
from physics.predict.predict import RUNS, SURE, Prediction, predict
from physics.row.spread import Spread
from physics.rows.row_file import read_objects
from tests.bench.bench_front import published, speed_m_s

SMALL = Path(__file__).parents[1] / "data" / "rows-60.jsonl"
STILL = Spread(0.0, 0.0, 0.0, 0.0)
GAPS_MM = (6, 10, 15, 20, 30)
FINE_S = 0.0005
ROUNDS = 5


@dataclass(frozen=True, slots=True)
class Answer:
    """What is told of a row: with its spread, without any, and in how much CPU time."""

    told: Prediction
    sharp: Prediction
    spent_s: float


def answer(reference: Reference) -> Answer:
    """Predict a row."""
    s = reference.scenario
    begun = time.process_time()
    told = predict(s.chain, s.push, s.friction, s.spread, rng=np.random.default_rng(0))
    spent = time.process_time() - begun
    sharp = predict(s.chain, s.push, s.friction, STILL, rng=np.random.default_rng(0), runs=1)
    return Answer(told, sharp, spent)


def fell(reference: Reference) -> bool:
    """Say whether the row fell as it is written."""
    return min(reference.fell) > 0.5


def calibration(told: np.ndarray, seen: np.ndarray) -> tuple[float, float]:
    """Slope and intercept of what was seen over what was told, both in log-odds (Cox, 1958).

    The most likely ones for the shares seen; 1 and 0 for a prediction that is calibrated. What is
    told counts as at least 0.001 and at most 0.999, as in the interval of a prediction.
    """
    sure = np.clip(told, 0.001, 0.999)
    odds = np.log(sure / (1.0 - sure))

    def loss(line: np.ndarray) -> float:
        chance = np.clip(1.0 / (1.0 + np.exp(-(line[0] * odds + line[1]))), 1e-9, 1 - 1e-9)
        return float(-np.mean(seen * np.log(chance) + (1.0 - seen) * np.log(1.0 - chance)))

    slope, intercept = minimize(loss, (1.0, 0.0)).x
    return float(slope), float(intercept)


def quality(references: Sequence[Reference], answers: Sequence[Answer]) -> None:
    """Print how good the predictions are."""
    told = np.array([a.told.p_fall for a in answers])
    seen = np.array([r.p_fall for r in references])
    for name, value in score(told, seen).items():
        print(f"  {name:18} {value:g}")
    slope, intercept = calibration(told, seen)
    print(f"  {'slope':18} {slope:.3f}\n  {'intercept':18} {intercept:+.3f}")
    right = [fell(r) == (a.sharp.p_fall > 0.5) for r, a in zip(references, answers, strict=True)]
    print(f"  {'nominal label':18} {np.mean(right):.4f}")
    half = np.array([0.5 / r.k for r in references])
    low, high = (np.array([getattr(a.told, end) for a in answers]) for end in ("low", "high"))
    inside = (low - half <= seen) & (seen <= high + half)
    print(f"  {'in the interval':18} {np.mean(inside):.4f}")
    print(f"  {'runs a row':18} {np.mean([a.told.runs for a in answers]):.2f}")
    print(f"  {'CPU ms a row':18} {1e3 * np.mean([a.spent_s for a in answers]):.1f}")
    print("\n| told | seen | rows |\n|---|---|---|")
    for i in range(10):
        chosen = np.minimum((told * 10).astype(int), 9) == i
        if chosen.any():
            print(f"| {told[chosen].mean():.3f} | {seen[chosen].mean():.3f} | {chosen.sum()} |")


def by_group(
    what: str, names: Iterable[str], references: Sequence[Reference], answers: Sequence[Answer]
) -> None:
    """Print the figures of each group: Brier score, and which way nominal labels are wrong."""
    groups: dict[str, list[tuple[float, bool, bool]]] = defaultdict(list)
    for name, r, a in zip(names, references, answers, strict=True):
        square = (a.told.p_fall - r.p_fall) ** 2
        groups[name].append((square, a.sharp.p_fall > 0.5, fell(r)))
    print(f"\n| {what} | rows | Brier | label right | false falls | false stands |")
    print("|---|---|---|---|---|---|")
    everything = [line for lines in groups.values() for line in lines]
    for name, lines in [*sorted(groups.items()), ("all", everything)]:
        squares = [square for square, _, _ in lines]
        error = np.std(squares) / np.sqrt(len(squares))
        said, true = (np.array([line[i] for line in lines]) for i in (1, 2))
        print(
            f"| {name} | {len(lines)} | {np.mean(squares):.3f} ± {error:.3f} "
            f"| {np.mean(said == true):.3f} | {np.sum(said & ~true)} | {np.sum(~said & true)} |"
        )


def size_of(reference: Reference) -> str:
    """Return the size of a row's tiles."""
    spec = reference.scenario.chain.tiles[0].spec
    return f"{spec.length_mm:g} x {spec.width_mm:g} x {spec.thickness_mm:g}"


def pace(references: Sequence[Reference]) -> None:
    """Print how fast rows of 11 tiles are, and labels and speeds that a finer step changes."""
    every = [r.scenario for r in references if len(r.fell) == 11]
    if not every:
        print("  no row of 11 tiles to time")
        return
    rng = np.random.default_rng(0)
    still = [disturb(s.chain, s.push, s.friction, STILL, 1, rng) for s in every]
    quick = [bool(let_fall(trials).fallen[0].all()) for trials in still]
    fine = [simulate(s.chain, s.push, s.friction, step_s=FINE_S).outcome.all_fell for s in every]
    flips = sum(a != b for a, b in zip(quick, fine, strict=True))
    rows, still, few = every[:100], still[:100], every[:30]

    def fall() -> None:
        for trials in still:
            let_fall(trials)

    def copies() -> None:
        for s in few:
            let_fall(disturb(s.chain, s.push, s.friction, s.spread, RUNS, rng))

    def whole(error: float) -> None:
        for s in few:
            predict(s.chain, s.push, s.friction, s.spread, rng=rng, error=error)

    tasks: dict[str, tuple[Callable[[], None], int]] = {
        "fall": (fall, len(rows)),
        "copies": (copies, len(few)),
        "twelve": (lambda: whole(0.0), len(few)),
        "needed": (lambda: whole(SURE), len(few)),
    }
    spent: dict[str, list[float]] = defaultdict(list)
    for _ in range(ROUNDS):
        for name, (task, times) in tasks.items():
            begun = time.process_time()
            task()
            spent[name].append((time.process_time() - begun) / times)
    rate = [1 / s for s in spent["fall"]]
    errors = [
        100 * (found / known - 1)
        for gap in GAPS_MM
        if (found := speed_m_s(gap, step_s=STEP_S)) and (known := published(gap))
    ]
    print("\n| pace | median | least to most |\n|---|---|---|")
    _line(f"falls of 11 tiles a CPU second, {1e3 * STEP_S:g} ms", rate, "", 0)
    for name, words in (
        ("copies", f"{RUNS} copies let fall"),
        ("twelve", f"a prediction with {RUNS} copies"),
        ("needed", "a prediction with as many copies as it needs"),
    ):
        _line(words, [1e3 * s for s in spent[name]], " ms", 1)
    print(f"| labels that {1e3 * FINE_S:g} ms changes | {flips} of {len(every)} | |")
    print(
        f"| front at {1e3 * STEP_S:g} ms beside the leaning train, gaps 6 to 30 mm "
        f"| {statistics.median(errors):+.1f} % | {min(errors):+.1f} to {max(errors):+.1f} % |"
    )


def _line(words: str, values: Sequence[float], unit: str, places: int) -> None:
    middle, least, most = statistics.median(values), min(values), max(values)
    print(f"| {words} | {middle:.{places}f}{unit} | {least:.{places}f} to {most:.{places}f} |")


def main() -> None:
    """Run what is asked for."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("rows", nargs="*", default=[str(SMALL)])
    parser.add_argument("--hold-out", type=int, help="score only so many rows drawn by the seed")
    parser.add_argument("--seed", type=int, default=2026)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--pace", action="store_true", help="how fast it is as well")
    parser.add_argument("--only-pace", action="store_true", help="nothing but how fast it is")
    args = parser.parse_args()
    for path in args.rows:
        try:
            references = read_references([path])
            styles = [
                str(row.get("scenario", row).get("style", "?")) for _, row in read_objects(path)
            ]
        except PhysicsError as error:
            parser.error(str(error))
        if args.hold_out:
            order = np.random.default_rng(args.seed).permutation(len(references))
            chosen = sorted(order[: args.hold_out].tolist())
            references, styles = [references[i] for i in chosen], [styles[i] for i in chosen]
        print(path)
        if not args.only_pace:
            with ProcessPoolExecutor(args.jobs) as pool:
                answers = list(pool.map(answer, references, chunksize=20))
            quality(references, answers)
            by_group("style", styles, references, answers)
            by_group("tiles, mm", map(size_of, references), references, answers)
        if args.pace or args.only_pace:
            pace(references)


if __name__ == "__main__":
    main()
