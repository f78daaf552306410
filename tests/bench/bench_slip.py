"""Strips of the mat that slip during a game: which are noticed, and how far the table goes along.

    python -m tests.bench.bench_slip [--seed 4] [--askew] [--slips 0.5 0.8 1.2 1.5 2 3]

Each of the six strips by itself and each pair of them slips by so many mm in a direction by
chance, alike, while a camera of the project's own renderer hangs still over a row. The mat is
surveyed; with `--askew` it is not, and its strips lie 1 mm and 0.5 degrees off from the beginning.
For each slip: how far the tops of standing tiles seem to have moved by the new pose, in mm, with *
where just the strips that slipped are named, ! where others are, and nothing where none is.
"""

import tests.bench.one_core  # noqa: F401  # isort: skip
import argparse
import copy
import itertools
import math
from dataclasses import replace

import cv2
import numpy as np

from physics.row.pose import Pose
from physics.row.tile import Orientation, Tile
from vision.calibrate.mat_survey import moved
from vision.calibrate.strip_slip import strip_name
from vision.capture.camera import Frame
from vision.errors import VisionError
from vision.geometry.camera_pose import project, to_plane
from vision.geometry.mat import Mat, load_mat
from vision.look.eye import Eye
from vision.render.render import Sensor, render, view_from
from vision.render.scene import TABLES, Scene, Solid
from vision.tuning.tuning import TUNING

NOISE = 2.2
"""One sigma, in grey levels."""
ROW = [
    Tile(v, Pose(120.0 + 70 * n, 200.0, 0.05), Orientation.VERTICAL)
    for n, v in enumerate((3, 7, 1, 9, 5))
]
TOPS = np.array([(tile.pose.x_mm, tile.pose.y_mm, 48.0) for tile in ROW])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=4)
    parser.add_argument("--askew", action="store_true")
    parser.add_argument("--slips", type=float, nargs="+", default=[0.5, 0.8, 1.2, 1.5, 2.0, 3.0])
    args = parser.parse_args()
    cv2.setNumThreads(1)
    rng = np.random.default_rng(args.seed)
    known = replace(load_mat(), surveyed=not args.askew)
    lens, pose = view_from(math.radians(rng.uniform(3, 16)), rng.uniform(-3, 3))
    scene = Scene(tuple(Solid(tile) for tile in ROW), table=str(rng.choice(TABLES)), seed=args.seed)
    lying = askew(rng, known) if args.askew else known
    tops = project(TOPS, pose, lens)

    def shoot(shown: Scene, mat: Mat) -> Frame:
        clean = render(shown, lens, pose, Sensor(noise=0.0), mat=mat)
        noisy = clean + rng.normal(0.0, NOISE, clean.shape)
        return Frame(np.clip(np.rint(noisy), 0, 255).astype(np.uint8), 0.0)

    eye = Eye(lens, known, hanging=True)
    before = eye.look(shoot(replace(scene, solids=()), lying))
    for n in range(TUNING.strip_slip.learn_looks):
        before = eye.look(shoot(replace(scene, light=1.0 + 0.05 * (n % 2)), lying))
    then = to_plane(tops, 48.0, before.camera, lens)
    counts = [0, 0, 0]
    strips = range(len(known.strips))
    print("slip, mm".ljust(24) + "".join(f"{mm:9g}" for mm in args.slips))
    for case in [(n,) for n in strips] + list(itertools.combinations(strips, 2)):
        told = []
        for mm in args.slips:
            way, moves = rng.uniform(0, math.tau), np.zeros((len(known.strips), 3))
            moves[list(case), :2] = mm * math.cos(way), mm * math.sin(way)
            try:
                look = copy.deepcopy(eye).look(shoot(scene, moved(lying, moves)))
            except VisionError:
                told.append("refused")
                continue
            now = to_plane(tops, 48.0, look.camera, lens)
            named = tuple(slip.strip for slip in look.slips)
            kind = 0 if named == case else 1 if named else 2
            counts[kind] += 1
            told.append(f"{np.linalg.norm(now - then, axis=1).max():.2f}{'*! '[kind]}")
        names = " and ".join(strip_name(known, n) for n in case)
        print(names.ljust(24) + "".join(one.rjust(9) for one in told), flush=True)
    print("named {}, others named {}, not noticed {}".format(*counts))


def askew(rng: np.random.Generator, mat: Mat) -> Mat:
    way = rng.uniform(0, math.tau, len(mat.strips))
    turn = math.radians(0.5) * rng.choice([-1.0, 1.0], len(way))
    return moved(mat, np.column_stack([np.cos(way), np.sin(way), turn]))


if __name__ == "__main__":
    main()
