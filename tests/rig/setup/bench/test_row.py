"""The test row: an ordinary machine at a table of its own, up to the push and no further."""

from pathlib import Path

import pytest

from rig.clock import ManualClock
from rig.config import ConfigError, load_config
from rig.setup.bench.row import NoRow, TestRow
from tests.support.stroke_clock import CommonClock

MOST_STEPS = 3000


@pytest.fixture
def opened():
    """Open test rows; all are closed at the end."""
    rows = []

    def open_row(pusher):
        clock = CommonClock("machine", "stroke", "thinking")
        config = load_config(
            pusher={"kind": pusher}, virtual={"world": "pymunk"}, camera={"table": "grey"}
        )
        rows.append(TestRow(config, clock))
        return rows[-1], clock

    yield open_row
    for row in rows:
        row.close()


def until(row, clock, *states):
    """Tend it, standing tiles as they are wanted, until it says one of these."""
    for _ in range(MOST_STEPS):
        row.tend()
        told = row.view()
        if told["state"] in states:
            return told
        wanted = told["state"] == "stand" and told["reading"] == "waiting"
        if wanted and 0 < told["standing"] < told["of"] and row.session.live.reading.tile is None:
            row.stand()
        clock.sleep(0.1)
    raise AssertionError(f"never {states}: {row.view()}")


def held(row, clock):
    nonce = row.hold()
    clock.sleep(1.6)
    return nonce


def test_three_tiles_are_read_predicted_pushed_and_judged(opened):
    row, clock = opened("virtual")
    with pytest.raises(NoRow, match="wait until"):
        row.stand()
    told = until(row, clock, "switch")
    assert told["standing"] == 3 and not row.moving
    with pytest.raises(NoRow) as refused:
        row.hold()
    assert refused.value.reason in ("switch", "not_clear")
    row.switch(True)
    until(row, clock, "hold")
    for _ in range(20):
        row.tend()
    assert not row.moving, "nothing is pushed by itself"
    until(row, clock, "hold")
    row.push(held(row, clock))
    told = until(row, clock, "done", "unknown")
    assert told["outcome"] in ("fell", "stood") and 0.0 <= told["p_fall"] <= 1.0
    assert row.picture().startswith(b"\xff\xd8")


def test_a_finger_pushes_where_there_is_no_pusher(opened):
    row, clock = opened("hand")
    until(row, clock, "hold")
    row.push(held(row, clock))
    until(row, clock, "finger")
    row.touch()
    assert until(row, clock, "done")["outcome"] in ("fell", "stood")


def test_its_journal_is_thrown_away(opened):
    row, _ = opened("virtual")
    folder = Path(row._folder.name)
    assert (folder / "row.sqlite3").exists()
    row.close()
    assert not folder.exists()


def test_devices_that_do_not_open_leave_nothing_behind():
    def opener(*_):
        raise ConfigError("[camera] id is empty")

    with pytest.raises(ConfigError):
        TestRow(load_config(), ManualClock(), opener)


def test_a_program_that_ends_stops_its_push(opened):
    row, clock = opened("virtual")
    until(row, clock, "switch")
    row.switch(True)
    until(row, clock, "hold")
    row.push(held(row, clock))
    row.halt()
    assert row.session.machine.rig.pusher.status().state == "ESTOP"
