"""Tiles: their sizes, how they stand, and their values."""

import math
from dataclasses import dataclass
from enum import StrEnum

from physics.row.pose import Footprint, Pose, half_turn


class Orientation(StrEnum):
    """On which edge a tile stands."""

    VERTICAL = "vertical"
    """On its short edge: as high as it is long."""
    HORIZONTAL = "horizontal"
    """On its long edge: as high as it is wide."""


class State(StrEnum):
    """Whether a tile is up."""

    STANDING = "standing"
    FALLEN = "fallen"


@dataclass(frozen=True, slots=True)
class TileSpec:
    """The size of every tile of a set; the defaults are the standard tile."""

    length_mm: float = 48.0
    width_mm: float = 24.0
    thickness_mm: float = 7.5
    mass_g: float = 8.0

    def height_mm(self, orientation: Orientation) -> float:
        """How high the tile stands."""
        return self.length_mm if orientation is Orientation.VERTICAL else self.width_mm

    def face_mm(self, orientation: Orientation) -> float:
        """How wide its footprint is, across the heading."""
        return self.width_mm if orientation is Orientation.VERTICAL else self.length_mm

    def balance_rad(self, orientation: Orientation) -> float:
        """The tilt at which the tile balances on its edge."""
        return math.atan2(self.thickness_mm, self.height_mm(orientation))


STANDARD = TileSpec()


@dataclass(frozen=True, slots=True)
class Tile:
    """One physical tile as a camera, a file or a person describes it.

    Attributes:
        value: the number on it, or None if nobody could read it.
        pose: centre of the part that touches the table. For a fallen tile that is the centre of
            its broad face, and the heading is the direction of its long edge.
        orientation: how it stands; for a fallen tile how it stood, None if that is not known.
        state: standing or fallen.
        sigma_mm: standard deviation of x and of y.
        sigma_rad: standard deviation of the heading.
        spec: its size.
    """

    value: int | None
    pose: Pose
    orientation: Orientation | None
    state: State = State.STANDING
    sigma_mm: float = 0.0
    sigma_rad: float = 0.0
    spec: TileSpec = STANDARD

    @property
    def height_mm(self) -> float:
        """How high it reaches: its standing height, or its thickness if it lies."""
        if self.state is State.FALLEN or self.orientation is None:
            return self.spec.thickness_mm
        return self.spec.height_mm(self.orientation)

    @property
    def footprint(self) -> Footprint:
        """The rectangle it covers on the table."""
        if self.state is State.FALLEN or self.orientation is None:
            return Footprint(self.pose, self.spec.length_mm, self.spec.width_mm)
        return Footprint(self.pose, self.spec.thickness_mm, self.spec.face_mm(self.orientation))


@dataclass(frozen=True, slots=True)
class TileSet:
    """All tiles of one game: one size, one value each."""

    spec: TileSpec = STANDARD
    values: tuple[int, ...] = tuple(range(1, 12))


def apart_mm(one: Tile, other: Tile) -> float:
    """How far the middles of two tiles are apart."""
    return math.hypot(one.pose.x_mm - other.pose.x_mm, one.pose.y_mm - other.pose.y_mm)


def turned_rad(one: Tile, other: Tile) -> float:
    """The angle between two tiles' headings, up to a quarter turn."""
    return abs(half_turn(one.pose.heading_rad - other.pose.heading_rad))
