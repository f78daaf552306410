"""Which step of the first evening stands how: from facts alone."""

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from rig.setup.plan.aim import advice
from rig.setup.plan.facts import (
    STEPS,
    Arm,
    CameraFacts,
    Chosen,
    Extra,
    House,
    Mark,
    Network,
    Picture,
    Port,
    Progress,
)
from rig.setup.plan.steps import doctor, evening, untouched
from rig.setup.plan.tile_size import STANDARD, NoTile, checked

WORDS = json.loads(
    (Path(__file__).parents[4] / "web/locales/en/setup.json").read_text(encoding="utf-8")
)
REAL = Chosen("opencv", "cam", "", "serial", "/dev/ttyUSB0")
ROOM = {"near": 0.1, "far": 0.1, "left": 0.1, "right": 0.1}
GOOD = Picture(markers=30, error_px=0.4, paper=(190.0, 210.0), room=ROOM, lean_deg=9.0)
DONE = Progress(
    visitor="192.168.1.9",
    ruler_mm=100.1,
    camera="cam",
    lens_px=0.3,
    survey_mm=0.02,
    tile=True,
    port="/dev/ttyUSB0",
    firmware="1.0",
    tried=True,
    tag=True,
    row="fell",
    p_fall=0.9,
)
SEEN = CameraFacts(GOOD, lens=True)
LYING = replace(REAL, mat="mat.json")


def marks(chosen=LYING, kept=DONE, network=None, sight=SEEN, arm=None):
    steps = evening(chosen, kept, network or Network(), sight, arm or Arm())
    return {step.name: step.mark for step in steps}


def keys(step, chosen=LYING, kept=DONE, network=None, sight=SEEN, arm=None):
    steps = evening(chosen, kept, network or Network(), sight, arm or Arm())
    return [point.key for point in next(s for s in steps if s.name == step).points]


def test_a_finished_evening_is_green_in_every_step():
    assert marks() == dict.fromkeys(STEPS, Mark.FINE)


@pytest.mark.parametrize(
    ("chosen", "kept", "is_fresh"),
    [
        (Chosen(), Progress(), True),
        (Chosen(), Progress(at="camera", visitor="192.168.1.9"), True),
        (Chosen(camera="opencv"), Progress(), False),
        (Chosen(pusher="hand"), Progress(), False),
        (Chosen(), Progress(firmware="1.0"), False),
        (Chosen(), Progress(ruler_mm=100.0), False),
    ],
)
def test_a_table_is_untouched_until_something_is_chosen_or_set_up(chosen, kept, is_fresh):
    assert untouched(chosen, kept) is is_fresh


def test_nobody_is_asked_for_what_a_virtual_device_cannot_have():
    """No cable, no list to choose from, no tag to stick on, no tile to measure."""
    steps = evening(Chosen(), Progress(), Network(), CameraFacts(), Arm())
    found = [point.key for step in steps for point in step.points]
    words = " ".join(WORDS[f"setup.{key}"] + WORDS[f"setup.{key}.do"] for key in found)
    assert not re.search("cable|plug it|Choose|Stick|Measure one", words)
    assert keys("print", replace(REAL, camera="none")) == ["print.none"]


def test_a_fresh_evening_says_of_every_step_what_to_do_or_what_it_waits_for():
    fresh = marks(replace(REAL, camera_id=""), Progress(), sight=CameraFacts())
    assert set(fresh.values()) == {Mark.TODO, Mark.WAITING}
    assert fresh["network"] is Mark.WAITING and fresh["mat"] is Mark.WAITING


@pytest.mark.parametrize(
    ("kind", "off"),
    [
        ({"camera": "none"}, {"print", "camera", "mat", "row"}),
        ({"pusher": "hand"}, {"pusher"}),
        ({"camera": "none", "pusher": "hand"}, {"print", "camera", "mat", "pusher", "row"}),
    ],
)
def test_what_a_table_does_without_is_no_step_to_do(kind, off):
    found = marks(replace(LYING, **kind))
    assert {name for name, mark in found.items() if mark is Mark.OFF} == off


@pytest.mark.parametrize(
    ("change", "step", "mark"),
    [
        ({"visitor": ""}, "network", Mark.WAITING),
        ({"ruler_mm": None}, "print", Mark.TODO),
        ({"ruler_mm": 97.0}, "print", Mark.FAILED),
        ({"camera": "other"}, "camera", Mark.WAITING),
        ({"survey_mm": None}, "mat", Mark.FINE),
        ({"tile": False}, "tiles", Mark.TODO),
        ({"tried": False}, "pusher", Mark.TODO),
        ({"tag": False}, "pusher", Mark.TODO),
        ({"firmware": ""}, "pusher", Mark.TODO),
        ({"row": ""}, "row", Mark.TODO),
    ],
)
def test_each_step_is_undone_by_what_belongs_to_it_alone(change, step, mark):
    assert marks(kept=replace(DONE, **change)) == dict.fromkeys(STEPS, Mark.FINE) | {step: mark}


def test_a_lens_is_wanted_once_the_picture_is_good_enough():
    unknown = CameraFacts(GOOD)
    assert keys("camera", kept=replace(DONE, lens_px=None), sight=unknown)[-1] == "lens.todo"
    assert keys("camera", kept=replace(DONE, lens_px=None, camera=""), sight=unknown) == [
        *("aim.mat", "aim.light", "camera.agree")
    ]


def test_the_mat_waits_for_the_lens():
    kept = replace(DONE, lens_px=None, survey_mm=None)
    assert keys("mat", REAL, kept, sight=CameraFacts(GOOD)) == ["mat.lens"]
    assert keys("mat", REAL, kept, sight=SEEN) == ["mat.todo"]


@pytest.mark.parametrize("trouble", ["gone", "hangs"])
def test_a_camera_that_was_lost_has_failed(trouble):
    assert marks(sight=CameraFacts(trouble=trouble))["camera"] is Mark.FAILED


@pytest.mark.parametrize(
    ("camera", "said"), [("opencv", "hand"), ("phone", "finger"), ("none", "finger")]
)
def test_who_judges_a_finger_s_push_is_said_as_it_is(camera, said):
    assert keys("pusher", replace(REAL, camera=camera, pusher="hand")) == [f"pusher.{said}"]


def test_a_pusher_that_was_stopped_has_to_be_set_free_first():
    for state in ("ESTOP", "FAULT", "AWAY"):
        arm = Arm(True, "1.0", state=state)
        assert keys("pusher", arm=arm) == ["pusher.found", f"pusher.{state.lower()}", "pusher.tag"]


@pytest.mark.parametrize(
    ("picture", "said"),
    [
        (GOOD, ["aim.mat", "aim.light", "aim.place"]),
        (replace(GOOD, room={**ROOM, "near": 0.01}), ["aim.mat", "aim.light", "aim.lower"]),
        (replace(GOOD, room={**ROOM, "far": 0.01}), ["aim.mat", "aim.light", "aim.higher"]),
        (replace(GOOD, room={**ROOM, "left": -0.1}), ["aim.mat", "aim.light", "aim.left"]),
        (replace(GOOD, room=dict.fromkeys(ROOM, 0.0)), ["aim.mat", "aim.light", "aim.close"]),
        (replace(GOOD, mm_per_px=0.65), ["aim.mat", "aim.light", "aim.far"]),
        (replace(GOOD, lean_deg=41.0), ["aim.mat", "aim.light", "aim.lean"]),
        (replace(GOOD, markers=12), ["aim.partly", "aim.light", "aim.place"]),
        (replace(GOOD, blur_px=2.0), ["aim.soft", "aim.light", "aim.place"]),
        (replace(GOOD, glare=0.02), ["aim.mat", "aim.mirror", "aim.place"]),
        (replace(GOOD, paper=(90.0, 180.0)), ["aim.mat", "aim.uneven", "aim.place"]),
        (replace(GOOD, paper=(80.0, 95.0)), ["aim.mat", "aim.dim", "aim.place"]),
        (replace(GOOD, paper=(240.0, 255.0)), ["aim.mat", "aim.strong", "aim.place"]),
        (Picture(markers=2, trouble="dark"), ["aim.dark"]),
    ],
)
def test_at_most_three_things_are_said_of_a_picture(picture, said):
    points = advice(picture)
    assert [point.key for point in points] == said
    for point in points:
        assert f"setup.{point.key}" in WORDS
        assert WORDS[f"setup.{point.key}.do"].format_map(point.of)


@pytest.mark.parametrize(
    ("tile", "said"),
    [
        (STANDARD, []),
        ((48.0, 24.0, 7.5, 2.0), ["tiles.light"]),
        ((48.0, 24.0, 7.5, 40.0), ["tiles.heavy"]),
        ((60.0, 30.0, 3.2, 4.0), ["tiles.thin"]),
        ((30.0, 25.0, 24.0, 16.0), ["tiles.thick", "tiles.shape"]),
    ],
)
def test_what_is_odd_about_a_tile_is_said_and_it_is_taken_all_the_same(tile, said):
    assert [point.key for point in checked(tile)] == ["tiles.measured", *said]


@pytest.mark.parametrize(
    ("tile", "key"),
    [
        ((480.0, 24.0, 7.5, 8.0), "tiles.range.length"),
        ((48.0, 2.4, 7.5, 8.0), "tiles.range.width"),
        ((48.0, 24.0, 0.75, 8.0), "tiles.range.thickness"),
        ((48.0, 24.0, 7.5, float("nan")), "tiles.range.weight"),
        ((24.0, 48.0, 7.5, 8.0), "tiles.order"),
        ((48.0, 48.0, 7.5, 8.0), "tiles.order"),
    ],
)
def test_what_cannot_be_a_tile_is_refused_with_the_measure_to_take_again(tile, key):
    with pytest.raises(NoTile) as refused:
        checked(tile)
    assert refused.value.point.key == key


def test_the_doctor_asks_nothing_of_a_virtual_table():
    found = {s.name: s.mark for s in doctor(Chosen(), Progress(), Network(), None, House())}
    assert {Mark.TODO, Mark.FAILED}.isdisjoint(found.values())


@pytest.mark.parametrize(
    ("house", "name", "mark"),
    [
        (House(config="[pusher] x is no setting"), "config", Mark.FAILED),
        (House(camera="camera cam: is not plugged in"), "camera", Mark.FAILED),
        (House(lens=True), "lens", Mark.FINE),
        (House(), "lens", Mark.TODO),
        (House(mat="mat.json: is not JSON"), "matfile", Mark.FAILED),
        (House(surveyed=True), "matfile", Mark.FINE),
        (House(), "matfile", Mark.TODO),
        (House(free_mb=20), "disk", Mark.FAILED),
        (House(free_mb=200), "disk", Mark.TODO),
        (House(opencv="libGL.so.1 is missing"), "opencv", Mark.FAILED),
        (House(port=Port(trouble="taken", holder="nginx (PID 7)")), "port", Mark.FAILED),
        (House(port=Port(trouble="reserved for the system")), "port", Mark.FAILED),
        (House(port=Port(table=True)), "port", Mark.FINE),
        (House(extras={"https": Extra(False, wanted=True)}), "extras", Mark.TODO),
        (House(extras={"https": Extra(False)}), "extras", Mark.OFF),
        (House(journal="folder"), "journal", Mark.FAILED),
        (House(journal="held"), "journal", Mark.FAILED),
        (House(damage="event 7 is missing"), "journal", Mark.FAILED),
        (House(journal="held", port=Port(table=True)), "journal", Mark.FINE),
        (House(writable=False), "journal", Mark.FAILED),
        (House(remote="nfs4"), "journal", Mark.TODO),
    ],
)
def test_the_doctor_says_what_the_computer_lacks(house, name, mark):
    found = {s.name: s.mark for s in doctor(REAL, DONE, Network(), Arm(True, "1.0"), house)}
    assert found[name] is mark


def test_a_real_pusher_that_does_not_answer_fails_the_check():
    lost = Arm(trouble="no serial port is there")
    steps = {s.name: s for s in doctor(REAL, DONE, Network(), lost, House())}
    assert steps["pusher"].mark is Mark.FAILED
    assert steps["pusher"].points[0].of == {"why": "no serial port is there"}
