"""A whole round as a camera sees it: tiles placed one by one, then pushed."""

import math
import random
from dataclasses import replace

import pytest

from physics.row.chain import place
from physics.row.pose import Pose, half_turn
from physics.row.tile import Orientation, Tile
from vision.geometry.mat import load_mat
from vision.look.eye import Eye
from vision.look.observe import Watch, observe
from vision.look.track import Tracker
from vision.render.render import view_from
from vision.render.scene import Scene, Solid
from vision.render.virtual_camera import VirtualCamera

UP, LONG = Orientation.VERTICAL, Orientation.HORIZONTAL
FLAT = math.radians(72)


class Rig:
    """A rendered table with the eye and the tracker that look at it."""

    def __init__(self, table, tilt_deg, seed):
        self.random = random.Random(seed)
        side, roll = self.random.uniform(-3, 3), self.random.uniform(-0.1, 0.1)
        self.intrinsics, self.pose = view_from(math.radians(tilt_deg), side, roll_rad=roll)
        self.scene = Scene(table=table, seed=seed)
        self.time_s = 0.0
        self.camera = VirtualCamera(
            lambda: self.scene, self.intrinsics, self.pose, lambda: self.time_s
        )
        self.eye = Eye(self.intrinsics, load_mat())
        self.tracker = Tracker()
        self.eye.look(self.camera.read())

    def see(self, looks=2):
        look = self.eye.look(self.camera.read())
        for _ in range(looks):
            self.time_s += 0.15
            sight = self.tracker.see(look, self.time_s)
        return sight

    def place(self, tile):
        """Place a tile with a hand; what is seen while it reaches in, and after it is gone."""
        before = self.scene
        at = (tile.pose.x_mm + 4.0, tile.pose.y_mm)
        self.scene = replace(before, solids=(*before.solids, Solid(tile)), hand=at)
        during = self.see(looks=1)
        self.scene = replace(self.scene, hand=None)
        return during, self.see()

    def tip(self, row, tilts_rad):
        """Tip the tiles of a row down the row."""
        solids = []
        for solid in self.scene.solids:
            at = row.values.index(solid.tile.value)
            away = solid.tile.pose.heading_rad - row.tiles[at].pose.heading_rad
            solids.append(replace(solid, tilt_rad=math.copysign(tilts_rad[at], math.cos(away))))
        self.scene = replace(self.scene, solids=tuple(solids))


def placements(rng):
    """A row that grows: (tile, index in the row) in the order of placing."""
    bend = rng.uniform(-0.15, 0.15)
    way, x, y = rng.uniform(-0.4, 0.4), 190.0, 205.0
    spots = []
    for _ in range(6):
        turned = math.pi if rng.random() < 0.5 else 0.0
        spots.append(Pose(x, y, way + rng.uniform(-0.08, 0.08) + turned))
        way += bend
        pitch = rng.uniform(24, 34)
        x, y = x + pitch * math.cos(way), y + pitch * math.sin(way)
    values = [6, *rng.sample([1, 2, 3, 4, 5, 7, 8, 9, 10, 11], 5)]
    line = [2, 3, 5, 4, 1, 0]
    order = [0, 1, 2, 2, 0, 0]
    return [
        (Tile(value, spots[at], LONG if n in (2, 4) else UP), index)
        for n, (value, at, index) in enumerate(zip(values, line, order, strict=True))
    ]


@pytest.mark.parametrize(("table", "tilt_deg"), [("dark", 18), ("white", 9), ("felt", 6)])
def test_a_row_is_read_while_it_grows_and_judged_when_it_fell(table, tilt_deg):
    rig = Rig(table, tilt_deg, seed=tilt_deg)
    built = []
    for tile, index in placements(rig.random):
        during, after = rig.place(tile)
        assert during.hand_in_view or not built
        assert after.still
        new = after.new_tile
        assert (new.value, new.orientation) == (tile.value, tile.orientation)
        assert math.dist((new.pose.x_mm, new.pose.y_mm), (tile.pose.x_mm, tile.pose.y_mm)) < 0.3
        assert abs(half_turn(new.pose.heading_rad - tile.pose.heading_rad)) < math.radians(1)
        built.insert(index, tile.value)
        assert after.chain.values == tuple(built)
        assert place(after.chain, new).index == index
        assert after.violations == ()
        rig.tracker.settle()
    row = rig.see().chain
    untouched = rig.camera.read()

    watch = Watch(row, rig.intrinsics)
    for step in range(9):
        watch.add(replace(rig.camera.read(), time_s=rig.time_s))
        rig.time_s += 0.1
        rig.tip(row, wave(step, falls=4))
    for _ in range(10):
        watch.add(replace(rig.camera.read(), time_s=rig.time_s))
        rig.time_s += 0.1
    assert watch.at_rest
    seen = watch.outcome(rig.eye.look)
    assert seen.outcome.fallen == (True,) * 4 + (False,) * 2
    assert seen.outcome.first_standing == 4
    assert seen.sure
    arrivals = seen.outcome.arrival_s
    assert arrivals[:4] == pytest.approx((0.0, 0.1, 0.2, 0.3), abs=0.11)
    assert list(arrivals[:4]) == sorted(arrivals[:4])
    assert arrivals[4:] == (None, None)
    assert seen.picture[:2] == b"\xff\xd8"
    assert len(seen.picture) <= 150_000

    rig.tip(row, wave(8, falls=6))
    pair = [untouched, rig.camera.read()]
    final = observe(row, pair, rig.eye.look, rig.intrinsics)
    assert final.outcome.all_fell
    assert final.sure


def wave(step, falls):
    """Tilts of a wave that reaches one more tile at each step and lays it down in three."""
    shares = [min(1.0, max(0.0, (step + 1 - i) / 3)) if i < falls else 0.0 for i in range(6)]
    return [share * FLAT for share in shares]


def test_an_accident_is_seen_as_tiles_knocked():
    rig = Rig("wood", 8, seed=5)
    for tile, _ in placements(rig.random)[:4]:
        _, sight = rig.place(tile)
        rig.tracker.settle()
    row = sight.chain
    rig.tip(row, [0.0, 0.0, FLAT, FLAT])
    sight = rig.see()
    assert {t.value for t in (*sight.knocked, *sight.gone)} == set(row.values[2:])
    assert sight.knocked
    assert sight.chain.values == row.values[:2]
    assert sight.new_tile is None
