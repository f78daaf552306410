"""Fits how far a box is believed to be a tile: the weights of `BeliefTuning`.

    python -m tests.bench.draw_tables FOLDER --seed 9001 --tables 40 --hard
    python -m tests.bench.fit_belief [--alone] FOLDER[:PATTERN[:WIDTH[:WEIGHT]]] ...

An eye looks at all frames of each folder, and every box that it weighs is compared with the truth
files. It counts as a tile if one stands within 2.5 mm or lies within 6 mm, and is turned alike; as
none if no tile is within 6 mm; others are left out. A logistic regression on these boxes gives the
weights. They decide which boxes are weighed, too, so a second run with the new weights differs.

With `--alone` each frame is looked at by a new eye, which has never seen the table empty, and only
boxes that stand count. That gives the weights of `FirstBackgroundTuning`.
"""

import math
import sys
from dataclasses import replace
from pathlib import Path
from unittest.mock import patch

import numpy as np

from physics.row.tile import State, Tile, TileSet, apart_mm, turned_rad
from vision.arrays import Floats
from vision.geometry.lens import load_intrinsics
from vision.geometry.mat import load_mat
from vision.look.eye import Eye
from vision.look.score import EMPTY, read_frame, read_truth, tables
from vision.tuning.tuning import TUNING
from vision.tuning.unmarked import Signs
from vision.unmarked import search

STANDING_MM, FALLEN_MM, NONE_MM = 2.5, 6.0, 6.0
SAME_RAD = 0.14
RIDGE = 3.0
"""How strongly weights are held at 0, for signs of spread 1."""
WIDE = replace(
    TUNING,
    background=replace(TUNING.background, deep_shadow_share=0.99, deep_px=3),
    residual=replace(TUNING.residual, crisp_share=0.0),
    search=replace(TUNING.search, worthy_share=0.15, dark_face_score=0.22, most_tries=9000),
)
"""More boxes are tried than in a game: what is no tile is learned from those."""


def label(tile: Tile, truth: tuple[Tile, ...]) -> bool | None:
    """Whether a box is one of the tiles; None if that is neither true nor false."""
    alike = [
        true
        for true in truth
        if true.state is tile.state
        and (tile.state is State.FALLEN or true.orientation is tile.orientation)
    ]
    reach = STANDING_MM if tile.state is State.STANDING else FALLEN_MM
    if any(apart_mm(true, tile) < reach and turned_rad(true, tile) < SAME_RAD for true in alike):
        return True
    return None if any(apart_mm(true, tile) < NONE_MM for true in alike) else False


def boxes(folder: Path, only: str, width: int | None, alone: bool) -> tuple[Floats, Floats]:
    """Look at the frames of a folder; give the signs of each box, and 1 where it is a tile.

    `alone` gives each frame a new eye, and leaves out boxes that lie.
    """
    weighed: list[tuple[search.BodyFit, Signs]] = []
    real = search.signs_of

    def heard(fits, *args, **options):
        signs = real(fits, *args, **options)
        weighed.extend(zip(fits, signs, strict=True))
        return signs

    rows, labels = [], []
    with patch.object(search, "signs_of", heard):
        for paths in tables(folder, only):
            side = paths[0].with_suffix(".json")
            tile_set = TileSet(read_truth(side).spec)
            lens, mat = load_intrinsics(side), load_mat()
            eye = Eye(lens, mat, tile_set, tuning=WIDE)
            for n, path in enumerate(paths):
                truth = read_truth(path.with_suffix(".json"))
                if alone and (truth.kind == EMPTY or truth.hand_in_view):
                    continue
                frame = read_frame(path, width, float(n))
                weighed.clear()
                if alone:
                    eye = Eye(lens, mat, tile_set)
                if n == 0 and truth.kind == EMPTY:
                    eye.learn_empty([frame])
                else:
                    eye.look(frame)
                for fit, signs in [] if truth.hand_in_view else weighed:
                    if alone and signs.lies:
                        continue
                    tile = search._tile(fit, eye.tile_set, tuning=TUNING.refine)
                    told = label(tile, truth.tiles)
                    if told is not None:
                        rows.append(signs)
                        labels.append(float(told))
    return np.array(rows), np.array(labels)


def fit(signs: Floats, is_tile: Floats, counts: Floats) -> tuple[float, Floats]:
    """Fit a logistic regression; give its offset and weights."""
    middle, spread = signs.mean(axis=0), signs.std(axis=0) + 1e-9
    terms = np.column_stack([np.ones(len(signs)), (signs - middle) / spread])
    held = RIDGE * np.eye(terms.shape[1])
    held[0, 0] = 0.0
    weights = np.zeros(terms.shape[1])
    step = np.full_like(weights, math.inf)
    while np.abs(step).max() > 1e-6:
        chance = 1 / (1 + np.exp(-terms @ weights))
        pull = terms.T @ (counts * (is_tile - chance)) - held @ weights
        steep = (terms * (counts * chance * (1 - chance))[:, None]).T @ terms + held
        step = np.linalg.solve(steep, pull)
        weights += step
    own = weights[1:] / spread
    return float(weights[0] - own @ middle), own


def main() -> None:
    """Fit, and print what goes into `BeliefTuning` or, with `--alone`, `FirstBackgroundTuning`."""
    alone, words = "--alone" in sys.argv, [word for word in sys.argv[1:] if word != "--alone"]
    parts = []
    for word in words:
        folder, only, width, weight = (*word.split(":"), "", "", "")[:4]
        signs, is_tile = boxes(Path(folder), only or "*", int(width) if width else None, alone)
        parts.append((signs, is_tile, np.full(len(is_tile), float(weight or 1.0))))
        print(f"{word}: {len(is_tile)} boxes, {int(is_tile.sum())} of them tiles")
    offset, weights = fit(*(np.concatenate(part) for part in zip(*parts, strict=True)))
    print(f"offset = {offset:.2f}")
    for name, weight in zip(Signs._fields, weights, strict=True):
        print(f"{name}={weight:.2f},")


if __name__ == "__main__":
    main()
