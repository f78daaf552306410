"""Milliseconds of one thread for each stage of a look, over a folder of frames with truth files.

    python tests/bench/bench_vision.py FOLDER [--only 'practice_s0[0-7]*'] [--width 1280]

What is found in them, and how exactly, says `domino-rig see --score FOLDER`.
"""

import one_core  # noqa: F401  # isort: skip
import argparse
import time
from pathlib import Path

import cv2
import numpy as np

from physics.tile import TileSet
from vision.background import Background, hand_in, shrink
from vision.calibration import find_pose, load_intrinsics, load_mat
from vision.detect import detect
from vision.exam import read_frame, tables
from vision.fit import View
from vision.locate import locate, region
from vision.marks import load_marks
from vision.sight import Eye
from vision.silhouette import find_unmarked


def milliseconds(folder: Path, only: str, width: int | None) -> dict[str, list[float]]:
    cv2.setNumThreads(1)
    mat, marks, tile_set = load_mat(), load_marks(), TileSet()
    spent: dict[str, list[float]] = {}

    def clock(stage: str, since: float) -> float:
        spent.setdefault(stage, []).append(1000 * (time.process_time() - since))
        return time.process_time()

    for paths in tables(folder, only):
        lens = load_intrinsics(paths[0].with_suffix(".json"))
        background = Background(shrink(read_frame(paths[0], width).image))
        eye = Eye(lens, mat)
        for path in paths:
            frame = read_frame(path, width)
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
    args = parser.parse_args()
    for stage, spent in milliseconds(args.folder, args.only, args.width).items():
        print(f"ms, {stage:41} {np.median(spent):.0f} / {np.percentile(spent, 95):.0f}")


if __name__ == "__main__":
    main()
