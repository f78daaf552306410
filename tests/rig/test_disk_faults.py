"""Writes fail, hang or are cut short, and the power goes: nothing that was promised is lost.

A few of them; `tests/soak/disk_faults.py` tries them all.
"""

import threading

import pytest

from tests.support.disk_game import chance, cut_short, played, recorded, spoiled, wrong
from tests.support.faulty_disk import faulty_disk


@pytest.fixture(scope="module")
def done(tmp_path_factory):
    """Everything that the disk does in the game."""
    return recorded(tmp_path_factory.mktemp("recorded"))


@pytest.fixture(scope="module")
def steps(done):
    return sum(step.what != "mark" for step in done)


@pytest.mark.parametrize("how", ["fail", "short"])
def test_a_step_of_the_disk_that_goes_wrong_once_costs_nothing(tmp_path, steps, how):
    for n in sorted(chance(how).sample(range(1, steps + 1), 16)):
        folder = tmp_path / f"{n}"
        folder.mkdir()
        assert spoiled(folder, n, how) == "", f"step {n} of {steps}"


def test_a_disk_that_hangs_holds_commands_up_and_nothing_else(tmp_path, steps):
    with faulty_disk() as disk:
        disk.fault = (steps * 2 // 3, "hang")
        over = []
        thread = threading.Thread(target=lambda: over.append(played(tmp_path, disk)))
        thread.start()
        assert disk.hanging.wait(120.0)
        assert thread.is_alive() and not over
        disk.go_on.set()
        thread.join()
        ((game, table),) = over
    assert game.troubles == 0
    assert wrong(tmp_path / "table.sqlite3", game, table) == ""


def test_after_a_power_cut_everything_that_was_promised_is_there(tmp_path, done):
    for n in range(40):
        folder = tmp_path / f"{n}"
        folder.mkdir()
        assert cut_short(folder, done, chance("cut", n)) == "", f"cut {n}"
