"""The printed calibration board: a chessboard with a marker in every white square."""

from dataclasses import dataclass

import cv2


@dataclass(frozen=True, slots=True)
class CharucoBoard:
    """A ChArUco board as it is printed; it fits on A4 and on Letter, both lying on their long side.

    Attributes:
        dictionary: OpenCV's name of the marker dictionary; not the mat's, so that both may be in
            view together.
        columns: squares from left to right.
        rows: squares from top to bottom; odd, so that every version of OpenCV draws the same board.
        square_mm: side of a square.
        marker_mm: side of a marker, centred in its white square.
    """

    dictionary: str = "DICT_5X5_100"
    columns: int = 9
    rows: int = 7
    square_mm: float = 25.0
    marker_mm: float = 17.5

    @property
    def size_mm(self) -> tuple[float, float]:
        """Width and height of all squares together.

        >>> CharucoBoard().size_mm
        (225.0, 175.0)
        """
        return self.columns * self.square_mm, self.rows * self.square_mm

    @property
    def corner_count(self) -> int:
        """How many inner corners the board has, where four squares meet."""
        return (self.columns - 1) * (self.rows - 1)

    def opencv(self) -> cv2.aruco.CharucoBoard:
        """Return OpenCV's own description of the board: mm, x right, y down from the top left."""
        words = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, self.dictionary))
        size = (self.columns, self.rows)
        return cv2.aruco.CharucoBoard(size, self.square_mm, self.marker_mm, words)


BOARD = CharucoBoard()
