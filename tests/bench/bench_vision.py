"""Milliseconds of one thread for a look at a frame, whole and by stages.

    python tests/bench/bench_vision.py [FOLDER] [--only 'practice_s0[0-7]*'] [--width 1280]

The folder holds frames with truth files, tables in time order, the first frame of each empty;
without one the small tables of the tests are taken. A full look is one by an eye that has seen
the empty table and nothing else; a following look comes after the frame before. What is found, and
how exactly, says `domino-rig see --score FOLDER`.
"""

import argparse
import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

os.environ["OPENBLAS_NUM_THREADS"] = "1"

import cv2
import numpy as np

from vision import sight
from vision.background import Background
from vision.calibration import load_intrinsics, load_mat
from vision.exam import read_frame, tables
from vision.sight import Eye

SHIPPED = Path(__file__).parent.parent / "data" / "frames"
STAGES = {
    "find_pose": "camera searched",
    "follow": "camera followed",
    "detect": "outlines",
    "locate": "marks",
    "find_unmarked": "unmarked and fallen tiles",
    "name_fallen": "names of fallen tiles",
}


class Clock:
    """Adds up the time that functions take."""

    def __init__(self) -> None:
        self.spent: dict[str, float] = {}

    def timed(self, name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        def call(*args: Any, **more: Any) -> Any:
            since = time.process_time()
            try:
                return function(*args, **more)
            finally:
                taken = 1000 * (time.process_time() - since)
                self.spent[name] = self.spent.get(name, 0.0) + taken

        return call

    def look(self, eye: Eye, frame: Any) -> dict[str, float]:
        """Look once; milliseconds by stage, and of all together."""
        self.spent = {}
        since = time.process_time()
        eye.look(frame)
        return {"all": 1000 * (time.process_time() - since), **self.spent}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, nargs="?", default=SHIPPED)
    parser.add_argument("--only", default="*", help="pattern of frame names")
    parser.add_argument("--width", type=int, help="shrink the frames to this width first")
    args = parser.parse_args()
    cv2.setNumThreads(1)
    clock = Clock()
    for name, words in STAGES.items():
        setattr(sight, name, clock.timed(words, getattr(sight, name)))
    for name in ("compare", "update"):
        words = "difference to the empty table"
        setattr(Background, name, clock.timed(words, getattr(Background, name)))
    looks: dict[str, list[dict[str, float]]] = {"full look": [], "following look": [], "same": []}
    mat = load_mat()
    for paths in tables(args.folder, args.only):
        lens = load_intrinsics(paths[0].with_suffix(".json"))
        empty, *frames = [read_frame(path, args.width) for path in paths]
        follower = Eye(lens, mat)
        follower.look(empty)
        for n, frame in enumerate(frames):
            eye = Eye(lens, mat)
            eye.look(empty)
            looks["full look"].append(clock.look(eye, frame))
            taken = clock.look(follower, frame)
            if n:
                looks["following look"].append(taken)
            looks["same"].append(clock.look(follower, frame))
    for kind, taken_by_look in looks.items():
        if taken_by_look:
            tell(kind, taken_by_look)


def tell(kind: str, looks: list[dict[str, float]]) -> None:
    print(f"{kind}, {len(looks)} frames: median / p95 ms")
    for stage in ("all", *STAGES.values(), "difference to the empty table"):
        spent = [look.get(stage, 0.0) for look in looks]
        if any(spent):
            print(f"  {stage:32} {np.median(spent):4.0f} / {np.percentile(spent, 95):.0f}")


if __name__ == "__main__":
    main()
