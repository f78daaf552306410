"""What really happens when a row on the virtual table is pushed.

A world draws what nobody can know beforehand, friction, speed and the last fraction of a
millimetre, from chance of its own, and lets one fall happen. The prediction never sees the draw.
"""

import math
from abc import abstractmethod
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Protocol

import numpy as np

from physics.errors import PhysicsError
from physics.fall.simulate import Fall, simulate
from physics.learn.reference import engine, simulate_3d
from physics.row.chain import Chain
from physics.row.push import Friction, Push
from physics.row.tile import Tile
from rig.config import ConfigError


class World(Protocol):
    """Lets rows fall, each push with a chance of its own."""

    def fall(self, chain: Chain, push: Push) -> Fall:
        """Push the first tile of a row, and say how everything came to rest."""


@dataclass(frozen=True, slots=True)
class HiddenDraw:
    """How far one push may be from the usual; one standard deviation each.

    Attributes:
        xy_mm: of the place of each tile, on top of what its placer did.
        heading_rad: of its heading.
        friction: of each coefficient, as a share.
        push_speed: of the speed of the push, as a share.
    """

    xy_mm: float = 0.3
    heading_rad: float = math.radians(0.4)
    friction: float = 0.15
    push_speed: float = 0.20


class DrawnWorld(World):
    """Draws what nobody can know, anew for every push; its kinds say how a row falls then.

    Args:
        rng: the hidden chance.
        friction: what it varies about.
        hidden: how far it varies.
    """

    def __init__(
        self,
        rng: np.random.Generator,
        friction: Friction | None = None,
        hidden: HiddenDraw | None = None,
    ) -> None:
        self._rng = rng
        self._friction = friction or Friction()
        self._hidden = hidden or HiddenDraw()

    @abstractmethod
    def let_fall(self, chain: Chain, push: Push, friction: Friction) -> Fall:
        """Let a row fall exactly as it is given, to rest."""

    def fall(self, chain: Chain, push: Push) -> Fall:
        friction = Friction(
            self._friction.tile_tile * self._share(self._hidden.friction),
            self._friction.tile_table * self._share(self._hidden.friction),
        )
        speed_mm_s = push.speed_mm_s * self._share(self._hidden.push_speed)
        return self.let_fall(self._disturbed(chain), replace(push, speed_mm_s=speed_mm_s), friction)

    def _share(self, sigma: float) -> float:
        return max(0.3, 1.0 + sigma * float(self._rng.standard_normal()))

    def _disturbed(self, chain: Chain) -> Chain:
        """The row as it stands at this moment: nudged, but never into each other."""
        for scale in (1.0, 0.5, 0.25):
            tiles = tuple(self._nudged(tile, scale) for tile in chain.tiles)
            if not any(a.footprint.overlaps(b.footprint) for a, b in combinations(tiles, 2)):
                return Chain(tiles)
        return chain

    def _nudged(self, tile: Tile, scale: float) -> Tile:
        dx, dy, turn = scale * self._rng.standard_normal(3)
        pose = replace(
            tile.pose,
            x_mm=tile.pose.x_mm + self._hidden.xy_mm * float(dx),
            y_mm=tile.pose.y_mm + self._hidden.xy_mm * float(dy),
            heading_rad=tile.pose.heading_rad + self._hidden.heading_rad * float(turn),
        )
        return replace(tile, pose=pose)


class PymunkWorld(DrawnWorld):
    """The plane model lets the row fall: the very one behind the prediction."""

    def let_fall(self, chain: Chain, push: Push, friction: Friction) -> Fall:
        return simulate(chain, push, friction)


class MujocoWorld(DrawnWorld):
    """The row falls in three dimensions, by an engine that the prediction knows nothing of.

    One fall takes some tenths of a second of CPU time.

    Args:
        rng: the hidden chance.
        friction: what it varies about.
        hidden: how far it varies.

    Raises:
        PhysicsError: MuJoCo is not installed.
    """

    def __init__(
        self,
        rng: np.random.Generator,
        friction: Friction | None = None,
        hidden: HiddenDraw | None = None,
    ) -> None:
        super().__init__(rng, friction, hidden)
        engine()

    def let_fall(self, chain: Chain, push: Push, friction: Friction) -> Fall:
        return simulate_3d(chain, push, friction)


def open_world(kind: str, rng: np.random.Generator) -> World:
    """Make the world that the settings ask for.

    Args:
        kind: "pymunk", "mujoco", or "auto": in three dimensions where that is installed.
        rng: the hidden chance.

    Raises:
        ConfigError: MuJoCo is asked for and not installed.
    """
    if kind == "pymunk":
        return PymunkWorld(rng)
    try:
        return MujocoWorld(rng)
    except PhysicsError:
        if kind == "auto":
            return PymunkWorld(rng)
        raise ConfigError(
            '[virtual] world = "mujoco": MuJoCo is not installed; '
            "'domino-rig doctor' prints the command that installs its extra reference, or set "
            'world = "auto"'
        ) from None
