"""Scores the vision on a folder of frames with truth files, as `see --score` does."""

import fnmatch
import itertools
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np

from vision.calibration import load_intrinsics, load_mat
from vision.camera import Frame, NoFrame, load_frame
from vision.errors import VisionError
from vision.score import Score, read_truth
from vision.sight import Eye
from vision.track import Tracker

KINDS = (".jpg", ".jpeg", ".png")


def tables(folder: Path, only: str = "*") -> Iterator[list[Path]]:
    """Sort the frames of a folder into tables, each in time order.

    Frames whose names differ only in what follows the last `_` show one table.

    Args:
        folder: with images, and beside each its truth file of the same name in JSON.
        only: pattern that a name must have, or several with commas between them.

    Raises:
        NoFrame: there is no such frame in the folder.
    """
    names = [
        path
        for path in sorted(folder.glob("*"))
        if path.suffix.lower() in KINDS
        and any(fnmatch.fnmatch(path.stem, pattern) for pattern in only.split(","))
    ]
    if not names:
        raise NoFrame(f"{folder}: no image named {only!r} is in this folder")
    for _, group in itertools.groupby(names, key=lambda path: path.stem.rpartition("_")[0]):
        yield list(group)


def read_frame(path: Path, width: int | None = None, time_s: float = 0.0) -> Frame:
    """Read a frame, shrunk to a width in px if one is given."""
    frame = load_frame(path, time_s)
    if width is None:
        return frame
    rows, columns = frame.image.shape[:2]
    size = (width, round(rows * width / columns))
    image = cv2.resize(frame.image, size, interpolation=cv2.INTER_AREA)
    return Frame(np.asarray(image, dtype=np.uint8), time_s, frame.name)


def examine(
    folder: Path, only: str = "*", width: int | None = None, alone: bool = False
) -> tuple[Score, int]:
    """Look at all frames of a folder and compare with their truth files.

    The lens of a table is the one in the truth file of its first frame.

    Args:
        folder: see `tables`.
        only: pattern that a frame's name must have.
        width: shrink the frames to this width in px first.
        alone: look at every frame by itself, not after the ones before it.

    Returns:
        The score, and how many rows of pixels the frames have.

    Raises:
        VisionError: a file cannot be used, or a frame does not show the mat.
    """
    total, rows = Score(), 0
    for paths in tables(folder, only):
        eye, tracker = None, Tracker(looks=1)
        for n, path in enumerate(paths):
            side = path.with_suffix(".json")
            truth = read_truth(side)
            frame = read_frame(path, width, float(n))
            if eye is None or alone:
                eye = Eye(load_intrinsics(side), load_mat())
            try:
                look = eye.look(frame)
            except VisionError as error:
                raise type(error)(f"{path}: {error}") from error
            total.add(truth, look)
            sight = tracker.see(look, float(n))
            if not alone:
                total.add_new(truth, sight.new_tile)
            tracker.settle()
            rows = frame.image.shape[0]
    return total, rows
