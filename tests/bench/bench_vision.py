"""Milliseconds of one thread for a look at a frame, whole and by stages.

    python -m tests.bench.bench_vision [FOLDER] [--only 'practice_s0[0-7]*'] [--width 1280]
        [--rounds 3]

The folder holds frames with truth files, tables in time order, the first frame of each empty;
without one the small tables of the tests are taken. A full look is one by an eye that has seen
the empty table and nothing else; a following look comes after the frame before. Every table is gone
through so many rounds, and of each look the quickest counts: what else a machine does can only add
to it. What is found, and how exactly, says `domino-rig see --score FOLDER`.
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

from vision.background.background import Background
from vision.background.changed_area import Recent
from vision.capture.camera import Frame
from vision.geometry.lens import Intrinsics, load_intrinsics
from vision.geometry.mat import Mat, load_mat
from vision.look import eye as sight
from vision.look.eye import Eye
from vision.look.score import read_frame, tables

SHIPPED = Path(__file__).parent.parent / "data" / "frames"
STAGES = {
    "shrink": "half size",
    "as_gray": "grey",
    "find_pose": "camera searched",
    "follow": "camera followed",
    "obstructions": "what is in the way",
    "detect": "outlines",
    "locate": "marks",
    "find_unmarked": "unmarked and fallen tiles",
    "name_fallen": "names of fallen tiles",
}
DIFFERENCE = "difference to the empty table"
NEWS = "difference to the look before"
LEFT = "all else"
Looks = dict[str, list[dict[str, float]]]


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
        whole = 1000 * (time.process_time() - since)
        return {"all": whole, LEFT: whole - sum(self.spent.values()), **self.spent}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, nargs="?", default=SHIPPED)
    parser.add_argument("--only", default="*", help="pattern of frame names")
    parser.add_argument("--width", type=int, help="shrink the frames to this width first")
    parser.add_argument("--rounds", type=int, default=3, help="how often to go through each table")
    args = parser.parse_args()
    cv2.setNumThreads(1)
    clock = Clock()
    for name, words in STAGES.items():
        setattr(sight, name, clock.timed(words, getattr(sight, name)))
    for name in ("compare", "update"):
        setattr(Background, name, clock.timed(DIFFERENCE, getattr(Background, name)))
    Recent.news = clock.timed(NEWS, Recent.news)  # type: ignore[method-assign]
    looks: Looks = {"full look": [], "following look": [], "same": []}
    mat = load_mat()
    for paths in tables(args.folder, args.only):
        lens = load_intrinsics(paths[0].with_suffix(".json"))
        frames = [read_frame(path, args.width) for path in paths]
        rounds = [go_through(frames, lens, mat, clock) for _ in range(args.rounds)]
        for kind, told in looks.items():
            each = zip(*(one[kind] for one in rounds), strict=True)
            told += [min(look, key=lambda spent: spent["all"]) for look in each]
    for kind, taken_by_look in looks.items():
        if taken_by_look:
            tell(kind, taken_by_look)


def go_through(frames: list[Frame], lens: Intrinsics, mat: Mat, clock: Clock) -> Looks:
    """Look at a table, the first frame of which is empty, in all ways."""
    looks: Looks = {"full look": [], "following look": [], "same": []}
    follower = Eye(lens, mat)
    follower.look(frames[0])
    for n, frame in enumerate(frames[1:]):
        eye = Eye(lens, mat)
        eye.look(frames[0])
        looks["full look"].append(clock.look(eye, frame))
        taken = clock.look(follower, frame)
        if n:
            looks["following look"].append(taken)
        looks["same"].append(clock.look(follower, frame))
    return looks


def tell(kind: str, looks: list[dict[str, float]]) -> None:
    print(f"{kind}, {len(looks)} frames: median / p95 ms")
    for stage in ("all", *STAGES.values(), DIFFERENCE, NEWS, LEFT):
        spent = [look.get(stage, 0.0) for look in looks]
        if any(spent):
            print(f"  {stage:32} {np.median(spent):5.1f} / {np.percentile(spent, 95):.1f}")


if __name__ == "__main__":
    main()
