"""Restless evenings at the flashed image and at the core; tests/bench/soak_pusher.py has long ones.

Before their mends, seeds 1 to 4 of the image found within 230 steps an arm that was snapped back,
and seed 5 a beam that kept a heartbeat from its answer.
"""

import pytest

from tests.support.hands import CoreWorld, ImageWorld, Lost, play


@pytest.mark.parametrize("seed", range(1, 6))
def test_no_evening_makes_the_image_forget_an_arm_that_stands_out(built, seed):
    world = ImageWorld(built)
    try:
        did = play(world, seed, 250)
    finally:
        world.close()
    assert did["stroke"] >= 3


@pytest.mark.parametrize("seed", range(1, 6))
def test_no_evening_makes_the_core_forget_an_arm_that_stands_out(core_library, seed):
    world = CoreWorld(core_library)
    try:
        did = play(world, seed, 1000)
    finally:
        world.close()
    assert min(did[what] for what in ("cut", "homed", "reset", "lose_power", "stroke")) >= 5


def test_an_evening_finds_a_memory_that_is_lost_with_the_power(core_library):
    """The watcher sees what it is there for."""

    class Forgetful(CoreWorld):
        def lose_power(self):
            self.library.shim_free(self.p)
            self.p = self.library.shim_new(0, False, 1)
            self.power = False

    world = Forgetful(core_library)
    with pytest.raises(Lost, match=r"snapped|forgotten"):
        for seed in range(20):
            play(world, seed, 1000)
    world.close()
