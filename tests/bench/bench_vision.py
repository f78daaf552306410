"""Figures of the vision over a folder of frames with truth files: what it finds, and how fast.

    python tests/bench/bench_vision.py FOLDER [--only practice_s0[0-7]] [--width 1280] [--alone]

Frames whose names differ only in what follows the last `_` are one table in time order.
"""

import argparse
import fnmatch
import itertools
import time
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np

from physics.tile import TileSet
from vision.background import Background, hand_in, shrink
from vision.calibration import find_pose, load_intrinsics, load_mat
from vision.camera import Frame
from vision.detect import detect
from vision.fit import View
from vision.locate import locate, region
from vision.marks import load_marks
from vision.score import Score, read_truth
from vision.sight import Eye
from vision.silhouette import find_unmarked
from vision.track import Tracker


def tables(folder: Path, only: str) -> Iterator[list[Path]]:
    names = [p for p in sorted(folder.glob("*.jpg")) if fnmatch.fnmatch(p.stem, only)]
    for _, group in itertools.groupby(names, key=lambda p: p.stem.rpartition("_")[0]):
        yield list(group)


def read(path: Path, width: int | None) -> Frame:
    image = cv2.imread(str(path))
    if width is not None:
        size = (width, round(image.shape[0] * width / image.shape[1]))
        image = cv2.resize(image, size, interpolation=cv2.INTER_AREA)
    return Frame(np.asarray(image, dtype=np.uint8), 0.0, path.name)


def score(folder: Path, only: str, width: int | None, alone: bool) -> Score:
    total = Score()
    for paths in tables(folder, only):
        eye, tracker = None, Tracker(looks=1)
        for n, path in enumerate(paths):
            truth = read_truth(path.with_suffix(".json"))
            if eye is None or alone:
                eye = Eye(load_intrinsics(path.with_suffix(".json")), load_mat())
            look = eye.look(read(path, width))
            total.add(truth, look)
            sight = tracker.see(look, float(n))
            if not alone:
                total.add_new(truth, sight.new_tile)
            tracker.settle()
    return total


def milliseconds(folder: Path, only: str, width: int | None) -> dict[str, list[float]]:
    cv2.setNumThreads(1)
    mat, marks, tile_set = load_mat(), load_marks(), TileSet()
    spent: dict[str, list[float]] = {}

    def clock(stage: str, since: float) -> float:
        spent.setdefault(stage, []).append(1000 * (time.process_time() - since))
        return time.process_time()

    for paths in tables(folder, only):
        lens = load_intrinsics(paths[0].with_suffix(".json"))
        background = Background(shrink(read(paths[0], width).image))
        eye = Eye(lens, mat)
        for path in paths:
            frame = read(path, width)
            rows, columns = frame.image.shape[:2]
            intrinsics = lens.at_size(columns, rows)
            now = time.process_time()
            gray = cv2.cvtColor(frame.image, cv2.COLOR_BGR2GRAY)
            view = View(find_pose(gray, intrinsics, mat), intrinsics)
            now = clock("pose", now)
            found = detect(gray, region(view, mat, marks, tile_set))
            now = clock("outlines", now)
            known = locate(found, view, mat, marks, tile_set)
            now = clock("marks", now)
            foreground = background.compare(frame.image)
            hand = hand_in(foreground, view, mat)
            now = clock("background", now)
            if not hand:
                find_unmarked(frame.image, foreground, view, mat, tile_set, known)
                clock("leftovers", now)
            now = time.process_time()
            eye.look(frame)
            now = clock("first look", now)
            eye.look(frame)
            clock("same again", now)
    return spent


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--only", default="*", help="pattern of frame names")
    parser.add_argument("--width", type=int, help="shrink the frames to this width first")
    parser.add_argument("--alone", action="store_true", help="every frame by itself")
    parser.add_argument("--ms", action="store_true", help="only the time per stage")
    args = parser.parse_args()
    if not args.ms:
        result = score(args.folder, args.only, args.width, args.alone)
        for complaint in result.complaints:
            print("  ", complaint)
        for name, figure in result.rows():
            print(f"{name:45} {figure}")
    for stage, spent in milliseconds(args.folder, args.only, args.width).items():
        print(f"ms, {stage:41} {np.median(spent):.0f} / {np.percentile(spent, 95):.0f}")


if __name__ == "__main__":
    main()
