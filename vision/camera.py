"""Frames and where they come from: the camera port, recorded files, the pretend table."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]


@dataclass(frozen=True, eq=False)
class Frame:
    """One picture.

    Attributes:
        image: BGR, shape (height, width, 3), uint8.
        time_s: when it was taken, on the clock of its camera.
        name: file name, or what the camera calls it.
    """

    image: Image
    time_s: float
    name: str = ""
