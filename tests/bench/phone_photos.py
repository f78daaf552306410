"""Photos of tables as a hand takes them with a phone: what the eye makes of each by itself.

    python -m tests.bench.phone_photos [--seed 1] [--tables 60] [--exif] [--keep FOLDER]

Every photo has a lens of its own that nobody knows, leans by 10 to 45 degrees, is upright or
sideways, and often cuts a part of the mat off. `--exif` gives each the focal length that a phone
writes into its photos, three per cent off.
"""

import argparse
import math
import sys
from dataclasses import dataclass
from pathlib import Path
from random import Random
from time import process_time

import cv2
import numpy as np

from tests.bench.draw_tables import row_of
from tests.support.photos import held, lens_of
from vision.calibrate.photo_lens import NoPhotoLens, lens_of_photo
from vision.capture.camera import Frame
from vision.errors import VisionError
from vision.geometry.camera_pose import CameraPose
from vision.geometry.lens import Intrinsics
from vision.geometry.mat import load_mat
from vision.look.eye import Eye
from vision.render.render import Sensor, render
from vision.render.scene import COLORS, TABLES, Scene

SHAPE = 4 / 3


@dataclass(frozen=True)
class Photo:
    scene: Scene
    lens: Intrinsics
    pose: CameraPose
    tilt_deg: float
    cropped: float
    sensor: Sensor


def draw(seed: int, number: int, rows: int) -> Photo:
    rng = Random(f"phone {seed} {number}")
    long, short = round(rows * SHAPE), rows
    width, height = (long, short) if rng.random() < 0.5 else (short, long)
    focal = long * (rng.uniform(0.62, 0.95) if rng.random() < 0.9 else 1.4)
    k1 = rng.gauss(0, 0.03)
    dist = (k1, -k1 * rng.uniform(0, 0.8), rng.gauss(0, 3e-4), rng.gauss(0, 3e-4), 0.0)
    off = (rng.gauss(0, 0.004) * long, rng.gauss(0, 0.004) * long)
    lens = lens_of(focal, (width, height), off, dist)
    tilt = math.radians(rng.uniform(10, 45))
    side, roll = rng.uniform(-math.pi, math.pi), rng.gauss(0, 0.12)
    aim = (300 + rng.gauss(0, 25), 210 + rng.gauss(0, 25))
    fill = rng.uniform(0.85, 1.08)
    pose = held(lens, tilt, side, fill, roll, aim)
    marked = 1.0 if rng.random() < 0.7 else 0.6
    tiles = row_of(rng, rng.randint(4, 9), marked, rng.choice(COLORS))
    scene = Scene(tuple(tiles), table=TABLES[number % len(TABLES)], seed=rng.randrange(1000))
    grain = rows / 1080
    sensor = Sensor(rng.uniform(0.5, 0.8) * (1 + grain) / 2, rng.uniform(1.5, 4.0))
    return Photo(scene, lens, pose, math.degrees(tilt), fill, sensor)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--tables", type=int, default=60)
    parser.add_argument("--rows", type=int, default=3024, help="of a photo held sideways")
    parser.add_argument("--exif", action="store_true")
    parser.add_argument("--keep", type=Path)
    args = parser.parse_args()
    mat = load_mat()
    refused = wrong = marked = found = misread = invented = 0
    misses, turns, focals, cpu = [], [], [], []
    for number in range(args.tables):
        photo = draw(args.seed, number, args.rows)
        image = render(photo.scene, photo.lens, photo.pose, photo.sensor)
        code = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, 90])[1]
        if args.keep:
            args.keep.mkdir(parents=True, exist_ok=True)
            (args.keep / f"photo{number:02d}.jpg").write_bytes(code.tobytes())
        image = np.asarray(cv2.imdecode(code, cv2.IMREAD_COLOR), np.uint8)
        hint = None
        if args.exif:
            off = Random(f"exif {args.seed} {number}").gauss(0, 0.03)
            hint = float(photo.lens.matrix[0, 0]) * (1 + off)
        start = process_time()
        told = f"{number:2d} tilt {photo.tilt_deg:4.1f} fill {photo.cropped:.2f}"
        try:
            lens = lens_of_photo(image, mat, hint)
            look = Eye(lens.intrinsics, mat).look(Frame(image, 0.0))
        except NoPhotoLens as error:
            refused += 1
            print(f"{told}: refused: {error}")
            continue
        except VisionError as error:
            wrong += 1
            print(f"{told}: no pose: {error}")
            continue
        cpu.append(process_time() - start)
        focals.append(lens.intrinsics.matrix[0, 0] / photo.lens.matrix[0, 0] - 1)
        seen = {tile.value: tile for tile in look.tiles if tile.value is not None}
        here = []
        for solid in photo.scene.solids:
            value = solid.tile.value
            if value is None:
                continue
            marked += 1
            tile = seen.pop(value, None)
            if tile is None:
                continue
            found += 1
            miss = math.dist(
                (tile.pose.x_mm, tile.pose.y_mm), (solid.tile.pose.x_mm, solid.tile.pose.y_mm)
            )
            here.append(miss)
            turn = tile.pose.heading_rad - solid.tile.pose.heading_rad
            turns.append(abs(math.degrees((turn + math.pi / 2) % math.pi - math.pi / 2)))
        misread += len(seen)
        invented += len(look.tiles) - len(photo.scene.solids)
        misses += here
        print(
            f"{told}: focal {100 * focals[-1]:+5.1f} % (said {100 * lens.focal_sigma_share:.1f}), "
            f"top {lens.top_sigma_mm:.2f} mm, {len(here)} marked, "
            f"worst {max(here, default=0):.2f} mm"
            f"{', hand' if look.hand_in_view else ''}{', crowded' if look.crowded else ''}"
        )
        sys.stdout.flush()
    print(f"photos {args.tables}, refused {refused}, no pose {wrong}")
    print(f"marked {found}/{marked}, misread {misread}, tiles too many {invented}")
    print(
        f"marked, mm: median {np.median(misses):.2f}, p95 {np.percentile(misses, 95):.2f}, "
        f"worst {max(misses):.2f}"
    )
    print(f"heading of marked, deg: p95 {np.percentile(turns, 95):.2f}")
    print(f"focal: p95 {100 * np.percentile(np.abs(focals), 95):.1f} %")
    print(f"CPU a photo: {np.mean(cpu):.2f} s")


if __name__ == "__main__":
    main()
