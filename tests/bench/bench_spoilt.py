"""How long a look takes, and whether it ends, at pictures that no table looks like.

    python -m tests.bench.bench_spoilt FOLDER[:PATTERN] ... [--seed 1] [--tables 100]

The frames of tables are shifted, turned, covered with rectangles, drowned in noise, or swapped with
those of other tables, one way a table. Every look must end, or say that the mat is not seen.
"""

import argparse
import time
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np

from vision.arrays import Image
from vision.geometry.camera_pose import NoMat
from vision.geometry.lens import load_intrinsics
from vision.geometry.mat import load_mat
from vision.look.eye import Eye
from vision.look.score import read_frame, tables

LIMIT_S = 1.0


def shifted(image: Image, chance: np.random.Generator) -> Image:
    """Move the picture, so that a part of the mat is out of it."""
    rows, columns = image.shape[:2]
    way = chance.uniform(-0.15, 0.15, 2) * (columns, rows)
    return cv2.warpAffine(image, np.array([[1, 0, way[0]], [0, 1, way[1]]]), (columns, rows))


def turned(image: Image, chance: np.random.Generator) -> Image:
    """Turn it about its middle, a little larger or smaller."""
    rows, columns = image.shape[:2]
    middle = (columns / 2, rows / 2)
    how = cv2.getRotationMatrix2D(middle, chance.uniform(-180, 180), chance.uniform(0.9, 1.1))
    return cv2.warpAffine(image, how, (columns, rows))


def covered(image: Image, chance: np.random.Generator) -> Image:
    """Lay some rectangles of one colour each over it."""
    rows, columns = image.shape[:2]
    image = image.copy()
    for _ in range(chance.integers(1, 6)):
        at = chance.uniform(0, 1, 2) * (columns, rows)
        to = at + chance.uniform(5, 600, 2)
        corners = np.round([at, to]).astype(int).tolist()
        cv2.rectangle(image, *corners, chance.integers(0, 256, 3).tolist(), -1)
    return image


def noisy(image: Image, chance: np.random.Generator) -> Image:
    """Cover it and make it brighter or darker, every other one with strong noise."""
    image = covered(image, chance)
    if chance.random() < 0.5:
        noise = chance.normal(0, chance.uniform(0, 60), image.shape)
        return np.clip(image * chance.uniform(0.1, 3) + noise, 0, 255).astype(np.uint8)
    return image


def main() -> None:
    """Look at spoilt frames and print how long that takes."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.bench_spoilt")
    parser.add_argument("folders", nargs="+")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--tables", type=int, default=100)
    asked = parser.parse_args()
    cv2.setNumThreads(1)
    chance = np.random.default_rng(asked.seed)
    drawn = []
    for folder in asked.folders:
        path, _, pattern = folder.partition(":")
        drawn += tables(Path(path), pattern or "*")
    spent: list[tuple[float, str]] = []
    unseen = 0
    for _ in range(asked.tables):
        paths = drawn[chance.integers(len(drawn))]
        eye = Eye(load_intrinsics(paths[0].with_suffix(".json")), load_mat())
        spoil = (shifted, turned, covered, noisy)[chance.integers(4)]
        for n, own in enumerate(paths):
            foreign = chance.random() < 0.15
            path = drawn[chance.integers(len(drawn))][n] if foreign else own
            frame = read_frame(path, None, float(n))
            frame = replace(frame, image=spoil(frame.image, chance))
            began = time.process_time()
            try:
                eye.learn_empty([frame]) if n == 0 and chance.random() < 0.5 else eye.look(frame)
            except NoMat:
                unseen += 1
            spent.append((time.process_time() - began, f"{path.stem} {spoil.__name__}"))
    spent.sort()
    seconds = np.array([one for one, _ in spent])
    middle, most = np.percentile(seconds, [50, 95])
    print(f"{len(spent)} looks, {unseen} of them at no mat, seed {asked.seed}")
    print(f"CPU of a look: median {middle:.2f} s, one in twenty over {most:.2f} s")
    print(f"over {LIMIT_S:g} s: {np.count_nonzero(seconds > LIMIT_S)}; the longest:")
    for took, what in spent[:-6:-1]:
        print(f"  {took:.1f} s  {what}")


if __name__ == "__main__":
    main()
