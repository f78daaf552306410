"""The camera's picture of now, with what is wrong drawn into it: for whoever asks, kept nowhere."""

import threading
from collections.abc import Sequence

from physics.row.tile import Tile
from rig.row.row_live import Reading
from rig.row.written_row import marks
from vision.capture.camera import Frame
from vision.geometry.lens import Intrinsics
from vision.look.eye import Look
from vision.look.pointing import PointedTile, pointed


class LivePicture:
    """Draws a picture once, however many ask for it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._drawn: tuple[Frame, Reading, bytes] | None = None

    def of(
        self, seen: tuple[Frame, Look], reading: Reading, row: Sequence[Tile], lens: Intrinsics
    ) -> bytes:
        """Point at what the reading finds wrong.

        Args:
            seen: the newest frame that was looked at, and what it shows.
            reading: what the referee makes of it.
            row: the row as it was written down, which is in the picture whatever is wrong.
            lens: of the camera.

        Returns:
            A JPEG.
        """
        frame, look = seen
        with self._lock:  # the second who asks waits for the picture of the first
            drawn = self._drawn
            if drawn is None or drawn[0] is not frame or drawn[1] is not reading:
                points = [PointedTile(one.value, one.now, one.was) for one in marks(reading)]
                jpeg = pointed(frame, row, points, look.camera, lens)
                drawn = self._drawn = (frame, reading, jpeg)
            return drawn[2]
