"""Kept films of pushes, read again as they were written."""

import re

from vision.capture.camera import load_frame

NAME = re.compile(r"\d{4}_(\d+)ms\.jpg")


def load_clip(folder):
    """Read the frames of a kept clip, each with the time that its name tells."""
    return [
        load_frame(path, int(match[1]) / 1000)
        for path in sorted(folder.iterdir())
        if (match := NAME.fullmatch(path.name))
    ]
