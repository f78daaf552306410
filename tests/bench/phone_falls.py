"""Photos by hand of rows after their push: what each proposes, and whether that is so.

    python -m tests.bench.phone_falls [--seed 1] [--tables 20] [--marked 1.0] [--finger 0.0]

Each row was read off another photo before, taken from elsewhere, but for a share `--finger` whose
places only a finger has shown. A third of the rows falls in part, the others fall altogether, each
tile onto the next. `--marked` is the share of tiles that have marks.
"""

import argparse
import math
from collections import Counter
from dataclasses import replace
from pathlib import Path
from random import Random
from time import process_time

import cv2
import numpy as np

from physics.row.pose import Pose
from physics.row.tile import Tile
from tests.bench.draw_tables import rest_tilt, row_of
from tests.bench.phone_photos import draw
from vision.geometry.mat import load_mat
from vision.look.observe import SURE
from vision.look.photo_look import BadPhoto, fall_on_photo, look_at_photo
from vision.render.render import render
from vision.render.scene import COLORS, Solid

QUALITY = 90
ALL = 2 / 3
"""How many of the rows fall altogether."""


def taken(seed: int, number: int, rows: int, solids: tuple[Solid, ...]) -> bytes:
    """A photo of these tiles, taken from where photo `number` of this seed is."""
    photo = draw(seed, number, rows)
    image = render(replace(photo.scene, solids=solids), photo.lens, photo.pose, photo.sensor)
    return cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])[1].tobytes()


def after_push(solids: list[Solid], falls: int) -> tuple[Solid, ...]:
    """The row with its first tiles fallen, each onto the next one, be that down or not."""
    resting = list(solids)
    for n in range(falls - 1, -1, -1):
        tilt = math.pi / 2
        if n + 1 < len(solids):
            here, ahead = solids[n].tile.pose, resting[n + 1]
            pitch = math.dist((here.x_mm, here.y_mm), (ahead.tile.pose.x_mm, ahead.tile.pose.y_mm))
            tilt = rest_tilt(solids[n], ahead, pitch, ahead.tilt_rad)
        resting[n] = replace(solids[n], tilt_rad=tilt)
    return tuple(resting)


def before(rng: Random, solids: list[Solid], data: bytes, finger: float) -> list[Tile]:
    """The row as it is known: off a photo, or as a finger has shown it, some mm off."""
    read = {tile.value: tile for tile in look_at_photo(data, load_mat()).tiles}
    row = []
    for value, solid in enumerate(solids, 1):
        name = solid.tile.value or 100 + value
        seen = read.get(solid.tile.value) if solid.tile.value else None
        if seen is None or rng.random() < finger:
            at = solid.tile.pose
            shown = Pose(at.x_mm + rng.gauss(0, 15), at.y_mm + rng.gauss(0, 15), at.heading_rad)
            seen = replace(solid.tile, pose=shown, sigma_mm=0.0)
        row.append(replace(seen, value=name))
    return row


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--tables", type=int, default=20)
    parser.add_argument("--rows", type=int, default=1920, help="of a photo held sideways")
    parser.add_argument("--marked", type=float, default=1.0)
    parser.add_argument("--finger", type=float, default=0.0)
    parser.add_argument("--keep", type=Path)
    args = parser.parse_args()
    counts: Counter[str] = Counter()
    cpu = []
    for number in range(args.tables):
        rng = Random(f"fall {args.seed} {number}")
        solids = row_of(rng, rng.randint(4, 9), args.marked, rng.choice(COLORS))
        falls = len(solids) if rng.random() < ALL else rng.randint(1, len(solids) - 1)
        after = after_push(solids, falls)
        truth = "fell" if falls == len(solids) else "stood"
        told = f"{number:2d} {truth:5} {falls} of {len(solids)}"
        try:
            row = before(
                rng, solids, taken(args.seed, number, args.rows, tuple(solids)), args.finger
            )
        except BadPhoto as error:
            counts["no row"] += 1
            print(f"{told}: the row before is not read: {error}")
            continue
        data = taken(args.seed, number + 1000, args.rows, after)
        start = process_time()
        try:
            fall = fall_on_photo(data, row, load_mat())
        except BadPhoto as error:
            counts["refused"] += 1
            print(f"{told}: refused: {error}")
            continue
        cpu.append(process_time() - start)
        if args.keep:
            args.keep.mkdir(parents=True, exist_ok=True)
            (args.keep / f"fall{number:02d}.jpg").write_bytes(fall.picture)
        said = "stood" if fall.up else "fell"
        answer = "right" if said == truth else "wrong"
        answer = "cannot tell" if fall.confidence < SURE else answer
        counts[answer] += 1
        print(
            f"{told}: {answer}, {fall.confidence:.2f}, up {list(fall.up)}, "
            f"{len(fall.down)} down, unclear {list(fall.unclear)}"
        )
    print(dict(counts))
    if cpu:
        print(f"CPU a photo: {np.mean(cpu):.2f} s, longest {max(cpu):.2f} s")


if __name__ == "__main__":
    main()
