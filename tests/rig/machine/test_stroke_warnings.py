"""What the settings ask of the stroke is looked at before the evening begins."""

from dataclasses import replace

import pytest

from physics.row.tile import STANDARD, TileSpec
from rig.cli.speech import noted, speech
from rig.config import load_config
from rig.machine.preflight import notes, stroke_warnings
from rig.pusher.servo import ServoArm
from tests.support.whole_rig import WholeRig

CONFIG = load_config().pusher


def told(config, spec=STANDARD, lang="en"):
    """What is said of a stroke."""
    return [noted(note, speech(lang)) for note in stroke_warnings(config, spec)]


def test_the_shipped_stroke_is_one_that_arm_and_prediction_know():
    assert stroke_warnings(CONFIG, STANDARD) == ()


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"speed_mm_s": 400.0}, "to 118 mm/s"),
        ({"speed_mm_s": 2.0}, "it does 5 to"),
        ({"stroke_mm": 60.0}, "it reaches 31 mm at most"),
    ],
)
def test_a_stroke_that_the_arm_cannot_make_is_said_with_what_it_can(changes, words):
    first, *_ = told(replace(CONFIG, **changes))
    assert "the arm cannot make this stroke" in first
    assert words in first


def test_the_limits_that_are_told_are_those_of_the_arm():
    """What is said to be just possible is, and a little more is not."""
    for speed, able in ((117.0, True), (119.0, False), (6.0, True), (5.0, False)):
        config = replace(CONFIG, speed_mm_s=speed)
        assert any("cannot make" in one for one in told(config)) is not able
    assert ServoArm().amp_max_us == 400


def test_a_tip_too_high_for_a_low_tile_is_said():
    (one,) = told(replace(CONFIG, tip_height_mm=30.0))
    assert "a low tile is 24 mm high" in one


def test_a_setting_is_told_as_it_stands_in_its_file_and_a_measure_as_the_language_writes_it():
    tile = TileSpec(48.0, 24.5, 7.5, 8.0)
    (one,) = (w for w in told(replace(CONFIG, tip_height_mm=30.5), tile, "de") if "tip" in w)
    assert "tip_height_mm = 30.5:" in one and "24,5 mm hoch" in one


@pytest.mark.parametrize("standing", ["upright", "low"])
def test_a_stroke_outside_of_what_the_prediction_was_fitted_on_is_said_with_its_range(standing):
    (one,) = (words for words in told(replace(CONFIG, stroke_mm=3.0)) if standing in words)
    assert "length of the push, divided by the tile’s thickness: 0.4 (fitted on" in one


def test_tiles_of_a_shape_that_nobody_has_fitted_are_said():
    assert any("thickness" in one for one in told(CONFIG, TileSpec(48, 24, 20, 30)))
    assert stroke_warnings(CONFIG, TileSpec(56.0, 28.0, 9.0, 16.0)) == ()


@pytest.mark.parametrize(("kind", "said"), [("virtual", True), ("hand", False)])
def test_it_is_said_when_the_table_opens_where_there_is_an_arm(open_session, kind, said):
    slow = {"kind": kind, "speed_mm_s": 2.0}
    table = WholeRig(open_session, pusher=slow, camera={"kind": "none"})
    assert any(note.key.startswith("note.stroke.") for note in notes(table.machine, 0.0)) is said
