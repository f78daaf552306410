"""A row is thought about beforehand, on a thread of its own, and known as it stands."""

import math
import threading
from dataclasses import replace

import pytest

import rig.machine.forecaster
from physics.row.chain import Chain
from physics.row.pose import Pose
from physics.row.push import Push
from physics.row.tile import Orientation, Tile
from rig.machine.forecaster import Thinker
from rig.row.push_events import Forecast

PUSH = Push()
UNTHINKABLE = (7, 6)


def row(*values, pitch_mm=25.0):
    tiles = (
        Tile(v, Pose(200.0 + pitch_mm * i, 210.0, 0.0), Orientation.VERTICAL)
        for i, v in enumerate(values)
    )
    return Chain(tuple(tiles))


@pytest.fixture
def rows(monkeypatch):
    """The rows that the model was asked about; it waits for `rows.go`."""

    class Rows(list):
        def __init__(self):
            self.come, self.go = threading.Event(), threading.Event()

    asked = Rows()

    def forecast(chain, push, table):
        asked.append(chain)
        asked.come.set()
        assert asked.go.wait(120.0)
        if chain.values == UNTHINKABLE:
            raise ZeroDivisionError
        return Forecast(chain.values[0] / 10, 0.0, 1.0, None)

    monkeypatch.setattr(rig.machine.forecaster, "forecast", forecast)
    return asked


def test_nobody_waits_for_a_thought_and_it_is_known_once_it_is_there(rows):
    thinker = Thinker()
    thinker.about(row(3, 6), PUSH)
    assert thinker.of(row(3, 6)) is None
    rows.go.set()
    thinker.wait()
    assert thinker.of(row(3, 6)).p_fall == 0.3


def test_a_row_is_thought_about_once_however_often_it_is_read(rows):
    thinker = Thinker()
    rows.go.set()
    for shift_mm in (0.0, 0.3, -0.3):
        thinker.about(row(3, 6, pitch_mm=25.0 + shift_mm), PUSH)
        thinker.wait()
    assert len(rows) == 1


@pytest.mark.parametrize("change", ["other", "moved", "turned", "laid"])
def test_what_was_thought_of_one_row_says_nothing_of_another(rows, change):
    thinker = Thinker()
    rows.go.set()
    thinker.about(row(3, 6), PUSH)
    thinker.wait()
    first, last = row(3, 6).tiles
    pose = last.pose
    other = {
        "other": replace(last, value=9),
        "moved": replace(last, pose=replace(pose, x_mm=pose.x_mm + 4.0)),
        "turned": replace(last, pose=replace(pose, heading_rad=math.radians(12.0))),
        "laid": replace(last, orientation=Orientation.HORIZONTAL),
    }
    assert thinker.of(Chain((first, other[change]))) is None


def test_of_many_rows_only_the_newest_is_thought_about_next(rows):
    thinker = Thinker()
    for value in (3, 4, 5):
        thinker.about(row(value, 6), PUSH)
        assert rows.come.wait(120.0)
    rows.go.set()
    thinker.wait()
    assert [chain.values for chain in rows] == [(3, 6), (5, 6)]
    assert thinker.of(row(5, 6)).p_fall == 0.5


def test_a_row_that_the_model_cannot_think_about_stops_nothing(rows, caplog):
    thinker = Thinker()
    rows.go.set()
    thinker.about(row(*UNTHINKABLE), PUSH)
    thinker.wait()
    assert thinker.of(row(*UNTHINKABLE)) is None
    assert "does not know what to think" in caplog.text
    thinker.about(row(9, 6), PUSH)
    thinker.wait()
    assert thinker.of(row(9, 6)).p_fall == 0.9
