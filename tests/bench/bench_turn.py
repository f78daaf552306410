"""Milliseconds of one thread for the looks of whole turns, filmed at 15 frames a second.

    python -m tests.bench.bench_turn [--tables 5] [--seed 3]

Every film shows a row of marked tiles of the project's own renderer, every frame with noise of its
own: the table at rest, a hand that comes in, stands one tile more and goes, the table at rest. The
eye sees the empty table first, then the film from its beginning; each look is timed three times
over, and the quickest counts.
"""

import tests.bench.one_core  # noqa: F401  # isort: skip
import argparse
import math
import time
from collections import defaultdict
from dataclasses import replace

import cv2
import numpy as np

from physics.row.pose import Pose
from physics.row.tile import Orientation, Tile
from vision.capture.camera import Frame
from vision.geometry.camera_pose import CameraPose
from vision.geometry.lens import Intrinsics
from vision.geometry.mat import load_mat
from vision.look.eye import Eye
from vision.render.render import Sensor, render, view_from
from vision.render.scene import TABLES, Scene, Solid

FPS = 15
REST, REACH, STAY = 15, 8, 4
"""Frames at rest before and after, on the way in and out, and over the row."""
ROUNDS = 3
NOISE = 2.2
"""One sigma, in grey levels."""


def film(rng: np.random.Generator, table: str) -> list[tuple[str, Scene]]:
    """Draw up the frames of one turn, each with its kind."""
    count = int(rng.integers(4, 9))
    bend = rng.uniform(-0.04, 0.04)
    solids, x, y, heading = [], 120.0, float(rng.uniform(150, 270)), 0.0
    for value in rng.permutation(np.arange(1, 12))[: count + 1]:
        how = Orientation.VERTICAL if rng.random() < 0.7 else Orientation.HORIZONTAL
        solids.append(Solid(Tile(int(value), Pose(x, y, heading), how), color="ivory"))
        step = float(rng.uniform(20, 30))
        heading += bend
        x, y = x + step * math.cos(heading), y + step * math.sin(heading)
    row, last = tuple(solids[:-1]), solids[-1].tile.pose
    ways = [(REACH - n) / REACH for n in range(REACH)]
    hands = [(last.x_mm + 60 * way, last.y_mm - 230 * way) for way in ways]
    over = [(last.x_mm, last.y_mm)] * STAY
    scenes = [("at rest", row, None)] * REST
    scenes += [("hand", row, spot) for spot in hands + over]
    scenes += [("hand", tuple(solids), spot) for spot in hands[::-1]]
    scenes += [("new tile", tuple(solids), None)] + [("at rest", tuple(solids), None)] * REST
    seed = int(rng.integers(1 << 30))
    return [(kind, Scene(tiles, table=table, hand=spot, seed=seed)) for kind, tiles, spot in scenes]


def shoot(
    rng: np.random.Generator, scene: Scene, lens: Intrinsics, pose: CameraPose, time_s: float
) -> Frame:
    """Draw a frame with the noise of its own moment."""
    clean = render(scene, lens, pose, Sensor(noise=0.0))
    noisy = clean + rng.normal(0.0, NOISE, clean.shape)
    return Frame(np.clip(np.rint(noisy), 0, 255).astype(np.uint8), time_s)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=5)
    parser.add_argument("--seed", type=int, default=3)
    args = parser.parse_args()
    cv2.setNumThreads(1)
    rng = np.random.default_rng(args.seed)
    spent: dict[str, list[float]] = defaultdict(list)
    right = 0
    for n in range(args.tables):
        lens, pose = view_from(math.radians(rng.uniform(5, 15)), rng.uniform(-2.0, 2.0))
        scenes = film(rng, TABLES[n % len(TABLES)])
        bare = replace(scenes[0][1], solids=())
        empty, *frames = (
            shoot(rng, scene, lens, pose, m / FPS)
            for m, scene in enumerate((bare, *(scene for _, scene in scenes)))
        )
        rounds = []
        for _ in range(ROUNDS):
            eye, taken = Eye(lens, load_mat()), []
            eye.look(empty)
            for frame in frames:
                since = time.process_time()
                look = eye.look(frame)
                taken.append(1000 * (time.process_time() - since))
            rounds.append(taken)
        right += len(look.tiles) == len(scenes[-1][1].solids)
        for (kind, _), *quickest in zip(scenes[1:], np.min(rounds, axis=0)[1:], strict=True):
            spent[kind] += quickest
    told = {"all": [ms for each in spent.values() for ms in each], **spent}
    print(f"{args.tables} turns, {right} read rightly at the end; ms a look, median / p95")
    for kind, each in told.items():
        median, p95 = np.percentile(each, (50, 95))
        print(f"  {kind:10} {len(each):4} looks {median:6.1f} / {p95:.1f}")


if __name__ == "__main__":
    main()
