"""What every world of the virtual table promises, and how one is chosen."""

import math
from dataclasses import replace
from importlib.util import find_spec

import numpy as np
import pytest

from physics.learn import reference
from physics.row.chain import Chain
from physics.row.pose import Pose
from physics.row.push import Push
from physics.row.tile import Orientation, Tile
from rig.config import ConfigError, load_config
from rig.virtual import world as worlds
from rig.virtual.world import MujocoWorld, PymunkWorld, open_world

INSTALLED = [PymunkWorld, *([MujocoWorld] if find_spec("mujoco") else [])]
each_world = pytest.mark.parametrize("world", INSTALLED)


def chance(seed=1):
    return np.random.default_rng(seed)


def row(*xs):
    poses = [Pose(x, 210.0, 0.0) for x in xs]
    return Chain(tuple(Tile(i, p, Orientation.VERTICAL) for i, p in enumerate(poses, start=1)))


@pytest.fixture
def no_mujoco(monkeypatch):
    def missing(name):
        raise ImportError(name)

    monkeypatch.setattr(reference, "import_module", missing)


@each_world
def test_an_easy_row_falls_and_comes_to_rest_leaning(world):
    fall = world(chance()).fall(row(200, 225, 250, 275), Push())
    assert fall.outcome.all_fell
    assert fall.stalled is None
    assert fall.tilt_rad[-1] == pytest.approx(math.pi / 2, abs=0.05)
    assert all(1.0 < tilt < 1.5 for tilt in fall.tilt_rad[:-1])
    arrival = fall.outcome.arrival_s
    assert list(arrival) == sorted(arrival)


@each_world
def test_no_fall_gets_across_a_gap_wider_than_a_tile_is_high(world):
    fall = world(chance()).fall(row(200, 225, 250, 320), Push())
    assert fall.outcome.fallen == (True, True, True, False)
    assert fall.stalled == 2
    assert fall.tilt_rad[3] == pytest.approx(0.0, abs=0.01)
    assert fall.outcome.arrival_s[3] is None


@each_world
def test_a_push_that_only_touches_fells_nothing(world):
    gentle = replace(Push(), stroke_mm=1.0, height_frac=0.9)
    assert not any(world(chance()).fall(row(200, 225), gentle).outcome.fallen)


@each_world
def test_a_row_falls_the_way_its_first_tile_is_pushed(world):
    backward = Chain(
        tuple(
            replace(t, pose=replace(t.pose, heading_rad=math.pi)) for t in row(250, 225, 200).tiles
        )
    )
    fall = world(chance()).fall(backward, Push())
    assert fall.outcome.all_fell
    assert min(fall.tilt_rad) > 1.0


@each_world
def test_the_same_chance_gives_the_same_fall_and_the_next_push_another(world):
    one, two = world(chance(3)), world(chance(3))
    falls = [w.fall(row(200, 230, 260), Push()) for w in (one, two, two)]
    assert falls[0] == falls[1] != falls[2]


def test_where_mujoco_is_missing_auto_falls_in_the_plane(no_mujoco):
    assert isinstance(open_world("auto", chance()), PymunkWorld)


def test_asking_for_mujoco_without_it_says_what_to_install(no_mujoco):
    with pytest.raises(ConfigError, match=r"is not installed; .* extra reference"):
        open_world("mujoco", chance())


def test_where_mujoco_is_installed_auto_falls_in_three_dimensions(monkeypatch):
    monkeypatch.setattr(worlds, "engine", lambda: None)
    for kind in ("auto", "mujoco"):
        assert isinstance(open_world(kind, chance()), MujocoWorld)
    assert isinstance(open_world("pymunk", chance()), PymunkWorld)


def test_the_world_in_three_dimensions_falls_with_the_hidden_draw(monkeypatch):
    seen = []
    monkeypatch.setattr(worlds, "engine", lambda: None)
    monkeypatch.setattr(worlds, "simulate_3d", lambda *given: seen.append(given))
    world = MujocoWorld(chance())
    asked = row(200, 225), Push()
    world.fall(*asked)
    world.fall(*asked)
    (chain, push, friction), (chain_2, push_2, friction_2) = seen
    assert chain not in (asked[0], chain_2)
    assert push != push_2
    assert friction != friction_2
    assert replace(push, speed_mm_s=0.0) == replace(asked[1], speed_mm_s=0.0)


def test_the_setting_names_the_worlds_there_are(tmp_path):
    assert load_config().virtual.world == "auto"
    path = tmp_path / "mine.toml"
    path.write_text('[virtual]\nworld = "bullet"\n')
    with pytest.raises(ConfigError, match="expected one of auto, pymunk, mujoco"):
        load_config(path)
