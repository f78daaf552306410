"""Random sequences of looks, noisy and full of gaps, against what truly stood on the table."""

import math
import random
from dataclasses import dataclass, field, replace

import numpy as np
import pytest

from physics.row.pose import Pose
from physics.row.tile import Orientation, State, Tile
from vision.geometry.camera_pose import CameraPose
from vision.look.eye import Look
from vision.look.track import Change, Tracker

CAMERA = CameraPose(np.eye(3), np.zeros(3))
SIGMA_MM, SIGMA_RAD = 0.2, math.radians(0.35)
VALUES = range(1, 12)
SETTLED = 12
"""After so many looks without a hand everything that has happened must have been said."""


@dataclass
class Camera:
    """Shows tiles as a camera would: at sigma, and now and then not at all, or read wrongly.

    The shares are those of single tiles in single looks; they are several times what is measured.
    """

    rng: random.Random
    unseen: float = 0.03
    unread: float = 0.03
    misread: float = 0.01
    ghost: float = 0.01

    def look(self, tiles):
        shown = []
        for tile in tiles:
            if self.rng.random() < self.unseen:
                continue
            lying = tile.state is State.FALLEN
            value = None if lying or self.rng.random() < self.unread else tile.value
            if value is not None and self.rng.random() < self.misread:
                value = self.rng.choice(VALUES)
            sigma_mm = 1.5 if lying or value is None else SIGMA_MM
            shown.append(self.trembling(replace(tile, value=value), sigma_mm))
        if self.rng.random() < self.ghost:
            x, y = self.rng.uniform(50, 550), self.rng.uniform(50, 370)
            shown.append(Tile(None, Pose(x, y, 0.0), Orientation.VERTICAL, sigma_mm=1.5))
        self.rng.shuffle(shown)
        return Look(CAMERA, tuple(shown), hand_in_view=False)

    def trembling(self, tile, sigma_mm):
        pose = Pose(
            tile.pose.x_mm + self.rng.gauss(0, sigma_mm),
            tile.pose.y_mm + self.rng.gauss(0, sigma_mm),
            tile.pose.heading_rad + self.rng.gauss(0, SIGMA_RAD) + self.rng.choice((0, math.pi)),
        )
        return replace(tile, pose=pose, sigma_mm=sigma_mm, sigma_rad=SIGMA_RAD)


@dataclass
class Table:
    """A table with its tracker; `watch` counts looks until something is said."""

    seed: int
    tracker: Tracker = field(default_factory=Tracker)
    time_s: float = 0.0

    def __post_init__(self):
        self.rng = random.Random(self.seed)
        self.camera = Camera(self.rng)
        self.row = standing_row(self.rng)
        self.watch(self.row, lambda sight: sight.still and sight.chain.values == values(self.row))
        self.tracker.settle()

    def see(self, tiles):
        self.time_s += 0.15
        return self.tracker.see(self.camera.look(tiles), self.time_s)

    def hand(self, tiles):
        for _ in range(self.rng.randint(1, 6)):
            self.time_s += 0.15
            look = replace(self.camera.look(tiles), hand_in_view=True)
            sight = self.tracker.see(look, self.time_s)
            assert not sight.still

    def watch(self, tiles, wanted):
        """How many looks it takes until that is said; fails if it is not said at all."""
        for looks in range(1, 41):
            if wanted(self.see(tiles)):
                return looks
        raise AssertionError(f"never said, seed {self.seed}")

    def sights(self, tiles, looks):
        return [self.see(tiles) for _ in range(looks)]


def standing_row(rng):
    """A slightly bent row of 2 to 9 tiles, and how each is turned."""
    x, y, way = rng.uniform(80, 140), rng.uniform(170, 250), rng.uniform(-0.2, 0.2)
    tiles = []
    for value in rng.sample(VALUES, rng.randint(2, 9)):
        how = Orientation.HORIZONTAL if rng.random() < 0.3 else Orientation.VERTICAL
        tiles.append(Tile(value, Pose(x, y, way), how))
        pitch = rng.uniform(20, 38)
        way += rng.uniform(-0.15, 0.15)
        x, y = x + pitch * math.cos(way), y + pitch * math.sin(way)
    return tiles


def values(tiles):
    return tuple(tile.value for tile in tiles)


def beyond(row, rng):
    """A tile that is not in the row yet, behind its last one."""
    value = rng.choice([v for v in VALUES if v not in values(row)])
    x, y = row[-1].pose.to_table(rng.uniform(20, 38), rng.uniform(-3, 3))
    return Tile(value, Pose(x, y, row[-1].pose.heading_rad), Orientation.VERTICAL)


def fallen(tile, rng):
    x, y = tile.pose.to_table(rng.uniform(20, 30), rng.uniform(-3, 3))
    edge = tile.pose.heading_rad + (0 if tile.orientation is Orientation.VERTICAL else math.pi / 2)
    return replace(tile, pose=Pose(x, y, edge), orientation=None, state=State.FALLEN)


@pytest.mark.parametrize("seed", range(2))
def test_a_row_that_nobody_touches_is_never_said_to_have_changed(seed):
    false = dict.fromkeys(Change, 0)
    for round_ in range(10):
        table = Table(1000 * seed + round_)
        for sight in table.sights(table.row, 60):
            false[sight.change] += 1
            assert sight.chain is None or len(sight.chain.tiles) >= len(table.row) - 1
    looks = sum(false.values())
    assert false[Change.MOVED] == false[Change.DOWN] == false[Change.EXCHANGED] == 0
    assert false[Change.NEW] + false[Change.SEVERAL] == 0
    assert false[Change.GONE] <= looks / 500


@pytest.mark.parametrize("seed", range(2))
def test_one_new_tile_is_said_soon_and_as_it_is(seed):
    delays = []
    for round_ in range(30):
        table = Table(5000 + 1000 * seed + round_)
        new = beyond(table.row, table.rng)
        grown = [*table.row, new]
        table.hand(grown)
        delays.append(table.watch(grown, lambda s: s.still and s.change is Change.NEW))
        said = table.tracker.see(table.camera.look(grown), table.time_s + 0.1).new_tile
        if said is not None:
            assert said.value == new.value
            off = math.dist((said.pose.x_mm, said.pose.y_mm), (new.pose.x_mm, new.pose.y_mm))
            assert off <= 5 * said.sigma_mm
        after = table.sights(grown, SETTLED)
        wrong = [s for s in after if s.still and s.change not in (Change.NEW, Change.GONE)]
        assert not wrong
    assert sorted(delays)[len(delays) // 2] == 2
    assert max(delays) <= SETTLED


@pytest.mark.parametrize("seed", range(2))
def test_a_tile_shifted_while_another_is_placed_is_told_beside_the_new_one(seed):
    for round_ in range(20):
        table = Table(9000 + 1000 * seed + round_)
        at = table.rng.randrange(len(table.row))
        by_mm = table.rng.choice((-1, 1)) * table.rng.uniform(3.5, 6.0)
        x, y = table.row[at].pose.to_table(0.0, by_mm)
        shifted = replace(table.row[at], pose=Pose(x, y, table.row[at].pose.heading_rad))
        now = [*table.row[:at], shifted, *table.row[at + 1 :], beyond(table.row, table.rng)]
        table.hand(now)

        def told(sight, value=shifted.value):
            moved = [tile.value for tile in sight.moved]
            return sight.still and sight.new_tile is not None and moved == [value]

        assert table.watch(now, told) <= SETTLED


@pytest.mark.parametrize("seed", range(2))
def test_an_accident_is_noticed_soon_and_names_only_tiles_that_are_down(seed):
    for round_ in range(20):
        table = Table(13000 + 1000 * seed + round_)
        count = table.rng.randint(1, len(table.row))
        down = table.row[len(table.row) - count :]
        now = [*table.row[:-count], *(fallen(tile, table.rng) for tile in down)]
        if table.rng.random() < 0.5:
            table.hand(now)
        assert table.watch(now, lambda s: s.still and bool(s.accident)) <= SETTLED
        table.sights(now, SETTLED)
        (last,) = table.sights(now, 1)
        assert {tile.value for tile in last.accident} <= set(values(down))


@pytest.mark.parametrize("seed", range(2))
def test_what_came_and_went_in_any_order_is_told_in_the_end(seed):
    """Several hands in a row: tiles come and go; what is said at rest is what is there."""
    for round_ in range(15):
        table = Table(17000 + 1000 * seed + round_)
        now = list(table.row)
        for _ in range(3):
            if table.rng.random() < 0.6 and len(now) < len(VALUES) - 1:
                now.append(beyond(now, table.rng))
            elif len(now) > 2:
                now.pop()
            table.hand(now)
        added = set(values(now)) - set(values(table.row))
        gone = set(values(table.row)) - set(values(now))
        want = Change.MOVED if set(now) - set(table.row) else Change.NOTHING
        if gone:
            want = Change.EXCHANGED if added else Change.GONE
        elif added:
            want = Change.NEW if len(added) == 1 else Change.SEVERAL
        sights = table.sights(now, SETTLED)
        assert any(s.still and s.change is want for s in sights)
        last = sights[-1].chain
        assert last is not None
        assert {v for v in last.values if v is not None} <= set(values(now))
