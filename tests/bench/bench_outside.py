"""Rows that no fit has seen the like of: long ones, and tiles of other widths.

    python -m tests.bench.bench_outside long|wide FILE [ROWS...] [--rows 300 --seed 183 --runs 4]

FILE keeps the rows with their falls in 3D (extra: reference) and is gone on with where it ends.
Half of the long rows, 15 to 28 tiles, have a shape, the others and the wide ones, 0.34 to 0.70 as
wide as long, have the joints of ROWS. Shares of few runs scatter: what that adds to the Brier score
is taken off in the second figure.
"""

import tests.bench.one_core  # noqa: F401  # isort: skip
import argparse
import json
import math
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from random import Random

import numpy as np

from physics.errors import ChainError, PhysicsError
from physics.fall.limits import require_push
from physics.fall.trials import disturb, let_fall
from physics.learn.draw_rows import (
    TILES,
    WIDTHS,
    Offset,
    _some_friction,
    _some_push,
    _some_spec,
    as_row,
    draw,
    steps_of,
)
from physics.learn.fit import Reference, read_references
from physics.learn.reference import reference_row
from physics.predict.hazard import usual
from physics.predict.predict import RUNS
from physics.row.tile import STANDARD, Orientation
from physics.rows.generators import Shape, Wanted, generated
from physics.rows.scenario import Scenario

LONG = (15, 28)
WIDE = (0.34, 0.70)
TURN_DEG = {"line": 0, "arc": 14, "spiral": 20, "zigzag": 25, "wave": 30, "player": 12}
BANDS = ((0.34, 0.42), (0.42, 0.58), (0.58, 0.70))
LENGTHS = ((15, 20), (20, 25), (25, 29))

Pieces = Sequence[Sequence[Offset]]


def shaped(rng: np.random.Generator, name: str) -> Scenario:
    """Draw a long row of a shape."""
    while True:
        spec = STANDARD if rng.random() < 0.5 else _some_spec(rng, WIDTHS)
        scale = spec.length_mm / STANDARD.length_mm
        shape = list(Shape)[int(rng.integers(len(Shape)))]
        lies = rng.random() < 0.25
        gap_mm = float(rng.uniform(2, 16) if lies else rng.uniform(3, 32)) * scale
        turn = math.radians(rng.uniform(0, TURN_DEG[shape.value]))
        how = Orientation.HORIZONTAL if lies else Orientation.VERTICAL
        count = int(rng.integers(LONG[0], LONG[1] + 1))
        wanted = Wanted(shape, count, gap_mm, turn, how, spec)
        with suppress(ChainError):
            chain = generated(wanted, Random(int(rng.integers(2**31))), name).chain
            row = Scenario(name, chain, _some_push(chain.tiles[0], rng), _some_friction(rng))
            require_push(row.chain, row.push, row.friction, row.spread)
            return row


def long_row(pieces: Pieces, rng: np.random.Generator, name: str) -> Scenario:
    """Draw a row of a shape, or of known joints."""
    if rng.random() < 0.5:
        return draw(pieces, rng, name, 0.5, LONG)
    return shaped(rng, name)


def wide_row(pieces: Pieces, rng: np.random.Generator, name: str) -> Scenario:
    """Draw a row whose tiles are narrower or wider than all that was fitted."""
    rng.random()
    while True:
        row = draw(pieces, rng, name, 0.0, (4, TILES[1]), WIDE)
        if not WIDTHS[0] <= width(row) <= WIDTHS[1]:
            return row


def width(row: Scenario) -> float:
    """Return the width of a row's tiles by their length."""
    spec = row.chain.tiles[0].spec
    return spec.width_mm / spec.length_mm


def make(args: argparse.Namespace) -> None:
    """Let the rows fall that the file does not have yet."""
    known = read_references(args.known)
    easy = args.kind == "long"
    pieces = [
        steps
        for r in known
        if (steps := steps_of(r.scenario.chain)) and (r.p_fall > 0.5 or not easy)
    ]
    one, word = (long_row, "report") if easy else (wide_row, "widereport")
    done = len(args.file.read_text().splitlines()) if args.file.exists() else 0
    with args.file.open("a") as file:
        for i in range(done, args.rows):
            rng = np.random.default_rng([args.seed, i])
            row = one(pieces, rng, f"{word}{args.seed}-{i}")
            fell = reference_row(row, args.runs, quick=True)
            file.write(json.dumps({"scenario": as_row(row), **fell}) + "\n")
            file.flush()


def told_of(references: Sequence[Reference]) -> np.ndarray:
    """Predict every row without and with what its width adds."""
    hazards = (replace(usual(), widths=((0.5,), (0.0,))), usual())
    told = np.zeros((2, len(references)))
    for i, r in enumerate(references):
        s = r.scenario
        rng = np.random.default_rng([9, i])
        trials = disturb(s.chain, s.push, s.friction, s.spread, RUNS, rng)
        marks = let_fall(trials)
        told[:, i] = [h.chances(trials, marks).prod(axis=1).mean() for h in hazards]
    return told


def table(references: Sequence[Reference], kind: str) -> None:
    """Print bias and Brier scores, by number of tiles or by width."""
    told = told_of(references)
    seen, runs = np.array([r.p_fall for r in references]), np.array([r.k for r in references])
    scatter = seen * (1.0 - seen) / np.maximum(runs - 1, 1)
    by = np.array([float(len(r.fell)) if kind == "long" else width(r.scenario) for r in references])
    print("| rows | bias | Brier | less scatter | without widths: bias | Brier | less scatter |")
    print("|---|---|---|---|---|---|---|")
    for low, high in (*(LENGTHS if kind == "long" else BANDS), (0.0, 99.0)):
        chosen = (low <= by) & (by < high)
        if not chosen.any():
            continue
        name = f"{low:g} to {high:g}: {chosen.sum()}" if high < 99 else f"all {chosen.sum()}"
        cells = []
        for one in told[::-1]:
            off = (one - seen)[chosen]
            cells += [
                f"{off.mean():+.3f} ± {off.std() / math.sqrt(len(off)):.3f}",
                f"{(off**2).mean():.3f}",
                f"{(off**2 - scatter[chosen]).mean():.3f}",
            ]
        print("|", " | ".join([name, *cells]), "|")


def main() -> None:
    """Draw, let fall, score."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("kind", choices=("long", "wide"))
    parser.add_argument("file", type=Path)
    parser.add_argument("known", nargs="*", help="rows whose joints are used")
    parser.add_argument("--rows", type=int, default=300)
    parser.add_argument("--seed", type=int, default=183)
    parser.add_argument("--runs", type=int, default=4)
    args = parser.parse_args()
    try:
        if args.known:
            make(args)
        rows = read_references([args.file])
    except PhysicsError as error:
        parser.error(str(error))
    table(rows, args.kind)


if __name__ == "__main__":
    main()
