"""The core on this computer, its module and the flashed image: the same words and pulses."""

import pytest

from tests.support.scripts import ChipWorld, CoreWorld, ModuleWorld, play, script, tick_us

FEW = 8
"""All 200 are played by tests/bench/bench_pusher.py."""


@pytest.fixture(scope="module")
def first_tick_us(built):
    return tick_us(built)


def told_and_done(ops, world):
    try:
        return play(ops, world)
    finally:
        world.close()


def test_scripts_get_as_far_as_whole_strokes(core_library):
    words = b"".join(told_and_done(script(seed), CoreWorld(core_library))[0] for seed in range(FEW))
    for state in (
        "ARMED",
        "OUT",
        "HOLD",
        "BACK NONE",
        "BACK LINK",
        "ESTOP",
        "AWAY SWITCH",
        "AWAY NONE",
    ):
        assert f"ST {state}".encode() in words


@pytest.mark.parametrize("seed", range(FEW))
def test_all_three_say_and_do_the_same(seed, core_library, built, first_tick_us):
    ops = script(seed)
    said, pulses = told_and_done(ops, CoreWorld(core_library))

    assert told_and_done(ops, ModuleWorld()) == (said, pulses)
    assert told_and_done(ops, ChipWorld(built, first_tick_us)) == (said, pulses)
