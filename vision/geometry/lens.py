"""What the lens does: the intrinsics of a camera, read from its file."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from vision.arrays import Floats
from vision.errors import VisionError
from vision.files import numbers, read_json
from vision.tuning.geometry import LENS, LensTuning

DIST = ("k1", "k2", "p1", "p2", "k3")
"""Distortion as OpenCV orders it; files may leave out the last."""


class BadCamera(VisionError):
    """A camera file cannot be used; nothing was read from it."""

    expected = "a camera file, which domino-rig calibrate lens makes"


@dataclass(frozen=True, slots=True, eq=False)
class Intrinsics:
    """What the lens does, for one image size.

    Attributes:
        matrix: focal lengths and principal point in px (pixel centres at integers), shape (3, 3).
        dist: distortion k1, k2, p1, p2, k3 of OpenCV's model, shape (5,).
        width: image width in px.
        height: image height in px.
    """

    matrix: Floats
    dist: Floats
    width: int
    height: int

    def at_size(self, width: int, height: int) -> "Intrinsics":
        """Return the same lens for an image shrunk or enlarged to another size.

        Raises:
            BadCamera: the other size has another shape, so it was cropped, not scaled.
        """
        if (width, height) == (self.width, self.height):
            return self
        across, down = width / self.width, height / self.height
        if abs(across / down - 1) > 0.01:
            raise BadCamera(
                f"the camera file is for {self.width} x {self.height} images, this one has "
                f"{width} x {height}; use a camera file of this mode"
            )
        matrix = self.matrix.copy()
        matrix[0, :2] *= across
        matrix[1, :2] *= down
        matrix[0, 2] = (self.matrix[0, 2] + 0.5) * across - 0.5
        matrix[1, 2] = (self.matrix[1, 2] + 0.5) * down - 0.5
        return Intrinsics(matrix, self.dist, width, height)


def centred(focal_px: float, size: tuple[int, int]) -> Intrinsics:
    """The lens of a focal length in px, centred and free of distortion.

    Args:
        focal_px: the same across and down.
        size: width and height of the image in px.
    """
    width, height = size
    matrix = np.array(
        [[focal_px, 0.0, (width - 1) / 2], [0.0, focal_px, (height - 1) / 2], [0.0, 0.0, 1.0]]
    )
    return Intrinsics(matrix, np.zeros(5), width, height)


def load_intrinsics(path: Path, size: tuple[int, int] = (1920, 1080)) -> Intrinsics:
    """Read a camera file.

    Args:
        path: JSON with `K` (3 x 3) and `dist` at the top or under `camera`; `width` and `height`
            of its images beside them where known.
        size: width and height in px of the images if the file does not say.

    Raises:
        BadCamera: the file cannot be read or a field is not what it should be.
    """
    data = read_json(path, BadCamera)
    data = data.get("camera", data)
    if not isinstance(data, dict):
        raise BadCamera(f"{path}: field camera must be an object with K and dist")
    matrix = numbers(data, "K", path, shape=(3, 3), error=BadCamera)
    count = len(data["dist"]) if isinstance(data.get("dist"), list) else len(DIST)
    if not len(DIST) - 1 <= count <= len(DIST):
        raise BadCamera(f"{path}: field dist must hold 4 or 5 numbers, k1 k2 p1 p2 k3")
    dist = numbers(data, "dist", path, (count,), BadCamera)
    if matrix[0, 0] <= 0 or matrix[1, 1] <= 0 or tuple(matrix[2]) != (0, 0, 1):
        raise BadCamera(f"{path}: field K must be fx 0 cx / 0 fy cy / 0 0 1 with fx, fy above 0")
    width, height = data.get("width", size[0]), data.get("height", size[1])
    if not all(isinstance(side, int) and 0 < side <= LENS.most_px for side in (width, height)):
        raise BadCamera(f"{path}: fields width and height must be whole numbers of pixels")
    lens = Intrinsics(matrix, np.pad(dist, (0, len(DIST) - count)), width, height)
    if not _could_be(lens, tuning=LENS):
        raise BadCamera(
            f"{path}: no lens has this K and dist in images of {width} x {height}; calibrate the "
            "lens again"
        )
    return lens


def _could_be(lens: Intrinsics, tuning: LensTuning) -> bool:
    """Whether there can be such a lens."""
    matrix = lens.matrix / max(lens.width, lens.height)
    low, high = tuning.focal_share
    focal, skew = np.diag(matrix)[:2], (matrix[0, 1], matrix[1, 0])
    return bool(
        np.all((low <= focal) & (focal <= high))
        and np.all(np.abs([*skew, *matrix[:2, 2]]) <= tuning.off_centre_share)
        and np.all(np.abs(lens.dist) <= tuning.most_dist)
    )
