"""One look at the table: a frame in, the camera, the tiles and a hand out."""

from dataclasses import dataclass

import cv2
import numpy as np

from physics.tile import Tile, TileSet
from vision.calibration import CameraPose, Intrinsics, Mat, find_pose
from vision.camera import Frame
from vision.detect import detect
from vision.fit import View
from vision.locate import locate, region
from vision.marks import Marks, load_marks


@dataclass(frozen=True, slots=True)
class Look:
    """What one frame shows.

    Attributes:
        camera: where the camera is.
        tiles: standing and fallen tiles, as far as they can be told.
        hand_in_view: whether something larger than a tile is over the table.
    """

    camera: CameraPose
    tiles: tuple[Tile, ...]
    hand_in_view: bool


class Eye:
    """Looks at one table with one camera; keeps what the empty table looks like."""

    def __init__(
        self,
        intrinsics: Intrinsics,
        mat: Mat,
        tile_set: TileSet | None = None,
        marks: Marks | None = None,
    ) -> None:
        self.intrinsics = intrinsics
        self.mat = mat
        self.tile_set = tile_set or TileSet()
        self.marks = marks or load_marks()

    def look(self, frame: Frame) -> Look:
        """Find the camera, the tiles and a hand in a frame.

        Raises:
            NoMat: the mat cannot be seen well enough to say where anything is.
            BadCamera: the frame has another shape than the camera file says.
        """
        rows, columns = frame.image.shape[:2]
        intrinsics = self.intrinsics.at_size(columns, rows)
        gray = np.asarray(cv2.cvtColor(frame.image, cv2.COLOR_BGR2GRAY), dtype=np.uint8)
        view = View(find_pose(gray, intrinsics, self.mat), intrinsics)
        detections = detect(gray, region(view, self.mat, self.marks, self.tile_set))
        tiles = locate(detections, view, self.mat, self.marks, self.tile_set)
        return Look(view.pose, tiles, hand_in_view=False)
