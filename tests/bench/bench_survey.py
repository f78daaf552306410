"""Figures of the calibration on rendered pictures: lens, survey of the mat, tiles, camera, tag.

    python -m tests.bench.bench_survey [--draws 20] [--seed 1000] [--only survey] [--frames FOLDER]

Every draw has its own lens, table, cameras, blur, bloom and noise, every picture its own lamp, and
the pictures are JPEG. With a folder of frames with truth, mats that lie as printed are surveyed
from its empty tables as well.
"""

import argparse
import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path

import cv2
import numpy as np

from physics.row.pose import Pose, full_turn
from physics.row.tile import Orientation, Tile, apart_mm, turned_rad
from tests.support.faulty_camera import Sensor, render
from vision.calibrate.lens_fit import find_lens, see_board, see_mat
from vision.calibrate.mat_survey import moved, settled, survey
from vision.calibrate.pose_average import SteadyCamera, Stillness
from vision.capture.camera import Frame
from vision.geometry.camera_pose import CameraPose, find_pose, project
from vision.geometry.charuco import BOARD
from vision.geometry.lens import Intrinsics, load_intrinsics
from vision.geometry.mat import find_markers, load_mat
from vision.look.eye import Eye
from vision.pusher_tag.tag import find_tag
from vision.render.render import view_from
from vision.render.scene import TABLES, Lamp, Scene, Solid

NOMINAL = load_mat()
STRIP_MM, STRIP_DEG = 1.0, 0.5
BOARD_PICTURES = 8


@dataclass
class Rig:
    """A camera by chance: its lens, its sensor, the table under it."""

    rng: np.random.Generator

    def __post_init__(self) -> None:
        rng = self.rng
        self.focal_px = rng.uniform(1300, 1700)
        self.dist = (
            rng.uniform(-0.08, 0.05),
            rng.uniform(-0.03, 0.03),
            *rng.uniform(-5e-4, 5e-4, 2),
            0.0,
        )
        self.table = str(rng.choice(TABLES))
        self.sensor = Sensor(rng.uniform(0.4, 0.8), rng.uniform(2, 4), bloom_px=rng.uniform(0, 1))

    def view(self, tilt_deg: float, side: float, scale: float) -> tuple[Intrinsics, CameraPose]:
        roll = self.rng.uniform(-0.1, 0.1)
        return view_from(math.radians(tilt_deg), side, self.focal_px, scale, roll, self.dist)

    def gray(self, lens: Intrinsics, pose: CameraPose, scene: Scene | None = None, **more):
        scene = scene or Scene(
            table=self.table, seed=int(self.rng.integers(1 << 30)), lamp=self.lamp()
        )
        return cv2.cvtColor(self.picture(lens, pose, scene, **more), cv2.COLOR_BGR2GRAY)

    def picture(self, lens: Intrinsics, pose: CameraPose, scene: Scene, **more):
        image = render(scene, lens, pose, self.sensor, **more)
        packed = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, 90])[1]
        return cv2.imdecode(packed, cv2.IMREAD_COLOR)

    def lamp(self) -> Lamp:
        rng = self.rng
        at = rng.uniform(-100, 700), rng.uniform(-200, 700), rng.uniform(700, 1100)
        return Lamp(*at, power=rng.uniform(0.7, 1.4))


def board_pose(rng: np.random.Generator, lens: Intrinsics, tilt: float, side: float) -> CameraPose:
    axis = np.array([math.cos(side), math.sin(side), 0.0]) * tilt
    turn = cv2.Rodrigues(axis)[0] @ cv2.Rodrigues(np.array([0, 0, rng.uniform(-0.3, 0.3)]))[0]
    depth = lens.matrix[0, 0] / rng.uniform(3.2, 4.5)
    pixel = np.array([rng.uniform(0.3, 0.7) * lens.width, rng.uniform(0.38, 0.62) * lens.height])
    middle = np.append((pixel - lens.matrix[:2, 2]) / np.diag(lens.matrix)[:2] * depth, depth)
    width, height = BOARD.size_mm
    return CameraPose(turn, middle - turn @ np.array([width / 2, height / 2, 0.0]))


def board_lens(rig: Rig):
    lens, pose = rig.view(9.0, 1.0, 2.0)
    pictures = []
    for n in range(BOARD_PICTURES):
        tilt, side = math.radians(rig.rng.uniform(15, 35)), n * 2.4 + rig.rng.uniform(-0.3, 0.3)
        held = board_pose(rig.rng, lens, tilt, side)
        pictures.append(see_board(rig.gray(lens, pose, board=held), BOARD, f"picture {n}"))
    return find_lens(pictures)


def askew(rng: np.random.Generator):
    moves = np.zeros((len(NOMINAL.strips), 3))
    way = rng.uniform(0, math.tau, len(moves))
    moves[:, 0], moves[:, 1] = STRIP_MM * np.cos(way), STRIP_MM * np.sin(way)
    moves[:, 2] = math.radians(STRIP_DEG) * rng.choice([-1.0, 1.0], len(moves))
    return moved(NOMINAL, moves)


def strip_errors(found, true) -> list[float]:
    """How far the worst corner of each strip is from where it really lies."""
    true = settled(true, NOMINAL)
    return [
        max(
            float(np.linalg.norm(found.corners_mm[i] - true.corners_mm[i], axis=1).max())
            for i in strip
        )
        for strip in NOMINAL.strips
    ]


def show(name: str, values: Sequence[float], unit: str) -> None:
    low, p95, top = np.percentile(values, (50, 95, 100))
    print(f"  {name:<48} {low:8.3f} {p95:8.3f} {top:8.3f} {unit}  ({len(values)})", flush=True)


def run_survey(draws: int, seed: int) -> None:
    """Lens and strips; each draw has four pictures of the mat and eight of the board."""
    known, by_board, by_mat, sigmas, focal, focal_mat, held, seconds = ([] for _ in range(8))
    before = []
    for draw in range(draws):
        rig = Rig(np.random.default_rng([seed, draw]))
        true = askew(rig.rng)
        views, lenses, pictures = [], [], []
        for n in range(4):
            side = n * math.pi / 2 + rig.rng.uniform(-0.4, 0.4)
            lens, pose = rig.view(rig.rng.uniform(10, 25), side, 1.75)
            gray = rig.gray(lens, pose, mat=true)
            views.append(find_markers(gray, NOMINAL))
            pictures.append(see_mat(gray, NOMINAL, f"picture {n}"))
            lenses.append(lens)
        start = time.process_time()
        result = survey(views, lenses, NOMINAL)
        seconds.append(time.process_time() - start)
        known += strip_errors(result.mat, true)
        before += strip_errors(NOMINAL, true)
        sigmas += [strip.sigma_mm for strip in result.strips]
        fit = board_lens(rig)
        focal.append(100 * abs(fit.intrinsics.matrix[0, 0] / rig.focal_px - 1))
        held.append(fit.held_out_px)
        by_board += strip_errors(survey(views, [fit.intrinsics] * 4, NOMINAL).mat, true)
        own = find_lens(pictures, NOMINAL)
        focal_mat.append(100 * abs(own.intrinsics.matrix[0, 0] / rig.focal_px - 1))
        by_mat += strip_errors(survey(views, [own.intrinsics] * 4, NOMINAL).mat, true)
    print(f"survey, {draws} draws, strips {STRIP_MM} mm and {STRIP_DEG} degrees off, 4 pictures")
    show("worst corner of a strip, before", before, "mm")
    show("worst corner of a strip, lens known", known, "mm")
    show("the same, lens from 8 pictures of the board", by_board, "mm")
    show("the same, lens from the same 4 pictures", by_mat, "mm")
    show("what the survey says of it, one sigma", sigmas, "mm")
    show("focal length by 8 pictures of the board, off by", focal, "%")
    show("focal length by 4 pictures of the mat, off by", focal_mat, "%")
    show("pictures left out of the lens, miss", held, "px")
    show("time of a survey, processor", seconds, "s")


def run_tiles(draws: int, seed: int) -> None:
    """A marked row on a mat laid askew: what the eye says of it before and after the survey."""
    errors: dict[str, list[list[float]]] = {"not surveyed": [[], [], []], "surveyed": [[], [], []]}
    for draw in range(draws):
        rig = Rig(np.random.default_rng([seed, 5, draw]))
        true = settled(askew(rig.rng), NOMINAL)
        views, lenses = [], []
        for n in range(4):
            side = n * math.pi / 2 + rig.rng.uniform(-0.4, 0.4)
            lens, pose = rig.view(rig.rng.uniform(10, 25), side, 1.75)
            views.append(find_markers(rig.gray(lens, pose, mat=true), NOMINAL))
            lenses.append(lens)
        found = survey(views, lenses, NOMINAL).mat
        row = any_row(rig.rng)
        lens, pose = rig.view(rig.rng.uniform(2, 18), rig.rng.uniform(0, math.tau), 1.9)
        empty = Scene(table=rig.table, seed=draw, lamp=rig.lamp())
        scenes = empty, replace(empty, solids=tuple(Solid(tile) for tile in row))
        frames = [Frame(rig.picture(lens, pose, scene, mat=true), 0.0) for scene in scenes]
        for (place, gaps, angle), mat in zip(errors.values(), (NOMINAL, found), strict=True):
            eye = Eye(lens, mat)
            for frame in frames:
                look = eye.look(frame)
            by_value = {tile.value: tile for tile in look.tiles}
            seen = [by_value[tile.value] for tile in row]
            for one, other in zip(row, seen, strict=True):
                place.append(apart_mm(one, other))
                angle.append(math.degrees(turned_rad(one, other)))
            for (a, b), (c, d) in zip(pairwise(row), pairwise(seen), strict=True):
                gap_mm = a.footprint.distance_mm(b.footprint)
                gaps.append(abs(c.footprint.distance_mm(d.footprint) - gap_mm))
    print("marked tiles on such a mat, stickers exact")
    for name, (place, gaps, angle) in errors.items():
        show(f"place of a tile, mat {name}", place, "mm")
        show(f"gap between neighbours, mat {name}", gaps, "mm")
        show(f"heading of a tile, mat {name}", angle, "degrees")


def any_row(rng: np.random.Generator) -> list[Tile]:
    x, y, way = rng.uniform(60, 250), rng.uniform(100, 250), rng.uniform(-0.3, 0.5)
    tiles = []
    for value in rng.choice(np.arange(1, 12), 8, replace=False):
        tiles.append(Tile(int(value), Pose(x, y, way), Orientation.VERTICAL))
        pitch = rng.uniform(22, 34)
        x, y = x + pitch * math.cos(way), y + pitch * math.sin(way)
        way += rng.uniform(-0.1, 0.05)
    return tiles


def run_tag(draws: int, seed: int) -> None:
    """The pusher anywhere in the work area, the camera found from the mat."""
    place, angle = [], []
    for draw in range(2 * draws):
        rig = Rig(np.random.default_rng([seed, 7, draw]))
        rng = rig.rng
        true = Pose(rng.uniform(60, 540), rng.uniform(60, 360), rng.uniform(-math.pi, math.pi))
        lens, pose = rig.view(rng.uniform(0, 20), rng.uniform(0, math.tau), 1.9)
        scene = Scene(table=rig.table, seed=draw, pusher=true)
        gray = rig.gray(lens, pose, scene)
        seen = find_tag(gray, find_pose(gray, lens, NOMINAL), lens).pose
        place.append(math.hypot(seen.x_mm - true.x_mm, seen.y_mm - true.y_mm))
        angle.append(abs(math.degrees(full_turn(seen.heading_rad - true.heading_rad))))
    print("pusher's tag, 1080p")
    show("place", place, "mm")
    show("angle", angle, "degrees")


def run_steady(draws: int, seed: int) -> None:
    """One camera that hangs still, then is nudged, then sinks."""
    rng = np.random.default_rng([seed, 9])
    lens, pose = view_from(math.radians(12), 0.4)
    frames = 25 * draws

    def bare(camera: CameraPose, name: str = "wood"):
        return cv2.cvtColor(
            render(Scene(table=name), lens, camera, Sensor(noise=0.0)), cv2.COLOR_BGR2GRAY
        )

    def grainy(image):
        noise = cv2.resize(rng.standard_normal(image.shape, np.float32), image.shape[::-1])
        return np.clip(image + 3.0 * noise, 0, 255).astype(np.uint8)

    points = np.array([(x, y, 48.0) for x in (0, 300, 600) for y in (0, 210, 420)])
    true = project(points, pose, lens)

    def off(found: CameraPose) -> float:
        return float(np.linalg.norm(project(points, found, lens) - true, axis=1).max())

    image, steady = bare(pose), SteadyCamera(lens, NOMINAL)
    single, averaged, alarms = [], [], 0
    for n in range(frames):
        seen = find_pose(grainy(image), lens, NOMINAL)
        held = steady.see(seen)
        alarms += held.stillness not in (Stillness.STARTING, Stillness.STILL)
        if n >= 10:
            single.append(off(seen))
            averaged.append(off(held.pose))
    print(f"steady camera, {frames} frames of a camera that hangs still")
    show("a tile's top off, single frame", single, "px")
    show("a tile's top off, averaged", averaged, "px")
    print(f"  false alarms {alarms} of {frames}")
    for nudge_px in (1.0, 2.0, 4.0, 16.0):
        steady, told = SteadyCamera(lens, NOMINAL), None
        turned = turn(pose, nudge_px / lens.matrix[0, 0])
        pictures = (image, bare(turned))
        for n in range(30):
            held = steady.see(find_pose(grainy(pictures[n >= 15]), lens, NOMINAL))
            if told is None and held.stillness in (Stillness.MOVED, Stillness.CREPT):
                told = n - 14
        print(
            f"  nudged by {nudge_px:g} px: " + (f"told after {told} frames" if told else "not told")
        )
    steady, told = SteadyCamera(lens, NOMINAL), None
    for n in range(90):
        sunk = max(0, n - 15) * 0.05
        image = bare(turn(pose, sunk / lens.matrix[0, 0]))
        held = steady.see(find_pose(grainy(image), lens, NOMINAL))
        if told is None and held.stillness is Stillness.CREPT:
            told = sunk
    print(f"  sinks by 0.05 px a frame: told at {told} px")


def run_frames(folder: Path, draws: int, seed: int) -> None:
    """Frames of a foreign renderer; each table has another camera, all have the nominal mat."""
    paths = sorted(folder.glob("*_f0.jpg"))
    rng = np.random.default_rng([seed, 11])
    views = [find_markers(cv2.imread(str(p), cv2.IMREAD_GRAYSCALE), NOMINAL) for p in paths]
    lenses = [load_intrinsics(p.with_suffix(".json")) for p in paths]
    print(f"survey of {len(paths)} tables that were not drawn by this project")
    for count in (4, 8):
        errors = []
        for _ in range(draws):
            some = rng.choice(len(paths), count, replace=False)
            found = survey([views[i] for i in some], [lenses[i] for i in some], NOMINAL)
            errors += strip_errors(found.mat, NOMINAL)
        show(f"worst corner of a strip, {count} pictures", errors, "mm")


def turn(pose: CameraPose, angle: float) -> CameraPose:
    by = cv2.Rodrigues(np.array([angle, 0.0, 0.0]))[0]
    return CameraPose(by @ pose.rotation, by @ pose.translation_mm)


PARTS: dict[str, Callable[[int, int], None]] = {
    "survey": run_survey,
    "tiles": run_tiles,
    "tag": run_tag,
    "steady": run_steady,
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--draws", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1000)
    parser.add_argument("--only", choices=[*sorted(PARTS), "frames"])
    parser.add_argument("--frames", type=Path, metavar="FOLDER")
    args = parser.parse_args()
    print(f"  {'':<48} {'median':>8} {'p95':>8} {'max':>8}")
    for name, part in PARTS.items():
        if args.only in (None, name):
            part(args.draws, args.seed)
    if args.frames is not None:
        run_frames(args.frames, args.draws, args.seed)


if __name__ == "__main__":
    main()
