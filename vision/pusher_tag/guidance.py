"""How to move the pusher until it stands right behind the first tile of the row.

All directions are those of somebody who stands behind the pusher and looks along the row::

      row:   | | |   tiles, the first one nearest
             face
              .      here the tip belongs: `standoff_mm` before the face, in its middle
              ^
     forward  |      forward_mm > 0: towards the row
              |
    left <----+      left_mm > 0: to the left;  turn_rad > 0: to the left (counter-clockwise)

The way is the tip's; a turn is about the tip, so the one does not change the other.
"""

import math
from dataclasses import dataclass

from physics.row.chain import Chain
from physics.row.pose import Pose, full_turn
from physics.row.push import Push
from vision.pusher_tag.tag import TAG, Tag
from vision.tuning.pusher_tag import GUIDANCE


@dataclass(frozen=True, slots=True)
class Guidance:
    """How far the pusher is from its place.

    Attributes:
        forward_mm: how far to move it towards the row; negative away from it.
        left_mm: how far to move it to the left; negative to the right.
        turn_rad: how far to turn it to the left; negative to the right.
        clearance_mm: how far its tip is from the plane of the first tile's face.
    """

    forward_mm: float
    left_mm: float
    turn_rad: float
    clearance_mm: float

    @property
    def in_place(self) -> bool:
        """Whether the push can begin."""
        near = max(abs(self.forward_mm), abs(self.left_mm)) <= GUIDANCE.near_mm
        return (
            near
            and abs(self.turn_rad) <= GUIDANCE.near_rad
            and self.clearance_mm > GUIDANCE.touch_mm
        )

    @property
    def words(self) -> str:
        """What to do, in one sentence.

        >>> Guidance(12.2, 0.4, 0.06, 14.2).words
        'Move the pusher 12 mm towards the row, turn it 3 degrees to the left.'
        """
        if self.in_place:
            return "The pusher is in place."
        if abs(self.turn_rad) > GUIDANCE.wrong_way_rad:
            return "Turn the pusher round: it points away from the row."
        parts = []
        ways = [
            (self.forward_mm, "towards the row", "back from the row"),
            (self.left_mm, "to the left", "to the right"),
        ]
        touching = self.clearance_mm <= GUIDANCE.touch_mm
        moves = [
            f"{max(abs(mm), 1.0):.0f} mm {more if mm > 0 else less}"
            for n, (mm, more, less) in enumerate(ways)
            if abs(mm) > GUIDANCE.near_mm / 2 or (n == 0 and touching)
        ]
        if moves:
            parts.append(f"move the pusher {' and '.join(moves)}")
        if abs(self.turn_rad) > GUIDANCE.near_rad / 2:
            side = "left" if self.turn_rad > 0 else "right"
            what = "it" if parts else "the pusher"
            parts.append(
                f"turn {what} {math.degrees(abs(self.turn_rad)):.0f} degrees to the {side}"
            )
        text = ", ".join(parts)
        return f"{text[0].upper()}{text[1:]}."


def guidance(pusher: Pose, chain: Chain, push: Push, tag: Tag = TAG) -> Guidance:
    """Say how far the pusher is from standing right behind the first tile of a row.

    Args:
        pusher: the middle of its tag, heading along the push.
        chain: the row; its first tile is the one to be pushed.
        push: the stroke, for the distance at which the tip starts.
        tag: where the tip is from the tag.

    Raises:
        ValueError: the row is empty.
    """
    if not chain.tiles:
        raise ValueError("a row without tiles has no end to stand behind")
    first = chain.tiles[0]
    tip = pusher.to_table(tag.tip_forward_mm, tag.tip_left_mm)
    behind, aside = first.pose.to_local(tip)
    clearance = -behind - first.footprint.depth_mm / 2
    return Guidance(
        forward_mm=clearance - push.standoff_mm,
        left_mm=-aside,
        turn_rad=full_turn(first.pose.heading_rad - pusher.heading_rad),
        clearance_mm=clearance,
    )
