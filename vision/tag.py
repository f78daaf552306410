"""The pusher's printed tag: its geometry, and where the pusher's tip is from it.

The tag lies level on top of the pusher, its upper edge towards the row::

             push
              ^  forward_mm
              |
              o  tip at rest          left_mm  <--+--> negative
              |
        +-----------+
        |  upper    |
        |   edge    |     the tag, seen from above;
        |     +     |     its centre is the origin
        |           |
        +-----------+
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Tag:
    """A square marker on the pusher.

    Attributes:
        dictionary: OpenCV's name of the marker dictionary; the mat has another one.
        marker: id in it; the calibration board, of the same dictionary, does not use it.
        side_mm: side of the black square.
        paper_mm: side of the white paper, the tag in its middle.
        height_mm: height of the tag above the table.
        tip_forward_mm: from the tag's centre to the foremost point of the tip at rest, along the
            push.
        tip_left_mm: the same, to the left of the push.
    """

    dictionary: str = "DICT_5X5_100"
    marker: int = 90
    side_mm: float = 35.0
    paper_mm: float = 45.0
    height_mm: float = 70.0
    tip_forward_mm: float = 40.0
    tip_left_mm: float = 0.0


TAG = Tag()
