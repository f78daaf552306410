"""Kept films of pushes, played again as a camera plays them."""

import re

from vision.capture.camera import FolderCamera
from vision.errors import VisionError

NAME = re.compile(r"\d{4}_(\d+)ms\.jpg")


def load_clip(folder):
    """Play a kept clip again, with the times at which its frames were taken.

    Raises:
        VisionError: the folder holds no clip.
    """
    found = sorted(p for p in folder.glob("*.jpg") if NAME.fullmatch(p.name))
    if not found:
        raise VisionError(f"{folder}: holds no clip; expected files like 0001_000000ms.jpg")
    times = [int(m[1]) / 1000 for p in found if (m := NAME.fullmatch(p.name))]
    return FolderCamera(found, times_s=times)
