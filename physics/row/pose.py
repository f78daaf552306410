"""Places on the table: poses and the rectangles that tiles stand on."""

import math
from dataclasses import dataclass

Point = tuple[float, float]


def half_turn(angle_rad: float) -> float:
    """Reduce an axis direction to -pi/2 < angle <= pi/2.

    >>> round(math.degrees(half_turn(math.radians(170))))
    -10
    >>> round(math.degrees(half_turn(math.radians(90))))
    90
    """
    reduced = math.remainder(angle_rad, math.pi)
    return math.pi / 2 if reduced <= -math.pi / 2 else reduced


def full_turn(angle_rad: float) -> float:
    """Reduce a direction to -pi < angle <= pi.

    >>> round(math.degrees(full_turn(math.radians(190))))
    -170
    """
    reduced = math.remainder(angle_rad, math.tau)
    return math.pi if reduced <= -math.pi else reduced


@dataclass(frozen=True, slots=True)
class Pose:
    """Where something stands, in table coordinates.

    Attributes:
        x_mm: to the right.
        y_mm: away from the player.
        heading_rad: direction of the broad face's normal, counter-clockwise from table x.
    """

    x_mm: float
    y_mm: float
    heading_rad: float

    @property
    def normal(self) -> Point:
        """Unit vector along the heading."""
        return (math.cos(self.heading_rad), math.sin(self.heading_rad))

    def to_table(self, along_mm: float, across_mm: float) -> Point:
        """Give the table point that lies so far along and to the left of the heading.

        >>> Pose(10.0, 20.0, math.pi / 2).to_table(1.0, 2.0)
        (8.0, 21.0)
        """
        c, s = self.normal
        return (self.x_mm + along_mm * c - across_mm * s, self.y_mm + along_mm * s + across_mm * c)

    def to_local(self, point: Point) -> Point:
        """Give a table point as (along, across) of this pose, in mm.

        >>> Pose(10.0, 20.0, 0.0).to_local((12.0, 25.0))
        (2.0, 5.0)
        """
        c, s = self.normal
        dx, dy = point[0] - self.x_mm, point[1] - self.y_mm
        return (dx * c + dy * s, dy * c - dx * s)

    def turned(self) -> "Pose":
        """Return the same place with the heading half a turn further: the same standing tile."""
        return Pose(self.x_mm, self.y_mm, full_turn(self.heading_rad + math.pi))


@dataclass(frozen=True, slots=True)
class Footprint:
    """The rectangle under a standing tile.

    Attributes:
        pose: its centre, heading across the thin side.
        depth_mm: extent along the heading (the tile's thickness).
        width_mm: extent across it.
    """

    pose: Pose
    depth_mm: float
    width_mm: float

    @property
    def corners(self) -> tuple[Point, Point, Point, Point]:
        """The four corners in table mm, counter-clockwise from front right."""
        d, w = self.depth_mm / 2, self.width_mm / 2
        x, y, (c, s) = self.pose.x_mm, self.pose.y_mm, self.pose.normal
        dc, ds, wc, ws = d * c, d * s, w * c, w * s
        return (
            (x + dc + ws, y + ds - wc),
            (x + dc - ws, y + ds + wc),
            (x - dc - ws, y - ds + wc),
            (x - dc + ws, y - ds - wc),
        )

    def local_corners(self, other: "Footprint") -> list[Point]:
        """The corners of another footprint, along and across this one's pose, in mm."""
        x, y, (c, s) = self.pose.x_mm, self.pose.y_mm, self.pose.normal
        away = [(px - x, py - y) for px, py in other.corners]
        return [(dx * c + dy * s, dy * c - dx * s) for dx, dy in away]

    @property
    def reach_mm(self) -> float:
        """How far its corners are from its centre."""
        return math.hypot(self.depth_mm, self.width_mm) / 2

    def overlaps(self, other: "Footprint") -> bool:
        """Say whether the two rectangles share area (touching edges do not count)."""
        apart_mm = math.hypot(self.pose.x_mm - other.pose.x_mm, self.pose.y_mm - other.pose.y_mm)
        if apart_mm >= self.reach_mm + other.reach_mm:
            return False
        for one, two in ((self, other), (other, self)):
            local = one.local_corners(two)
            for axis, half in ((0, one.depth_mm / 2), (1, one.width_mm / 2)):
                values = [p[axis] for p in local]
                if min(values) >= half - 1e-9 or max(values) <= -half + 1e-9:
                    return False
        return True

    def distance_mm(self, other: "Footprint") -> float:
        """Clear distance between the two rectangles; 0 where they overlap.

        >>> a = Footprint(Pose(0, 0, 0), 7.5, 24)
        >>> a.distance_mm(Footprint(Pose(20, 0, 0), 7.5, 24))
        12.5
        """
        if self.overlaps(other):
            return 0.0
        return min(
            math.hypot(
                max(0.0, abs(along) - one.depth_mm / 2),
                max(0.0, abs(across) - one.width_mm / 2),
            )
            for one, two in ((self, other), (other, self))
            for along, across in one.local_corners(two)
        )
