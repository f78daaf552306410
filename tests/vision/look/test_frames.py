"""Frames that no part of this project drew, with the figures reached on them."""

import math
from pathlib import Path

import pytest

from physics.row.tile import State
from vision.capture.camera import load_frame
from vision.geometry.lens import load_intrinsics
from vision.geometry.mat import load_mat
from vision.look.eye import Eye
from vision.look.score import BadTruth, Score, examine, read_truth

FRAMES = Path(__file__).parents[2] / "data" / "frames"
TABLES = (
    ("practice_s01_f0", "practice_s01_f2", "practice_s01_f3"),
    ("public_s02_f0", "public_s02_f2"),
    ("public_s00_f3",),
)


@pytest.fixture(scope="module")
def score():
    total = Score()
    for names in TABLES:
        eye = Eye(load_intrinsics(FRAMES / f"{names[0]}.json"), load_mat())
        for name in names:
            look = eye.look(load_frame(FRAMES / f"{name}.jpg"))
            total.add(read_truth(FRAMES / f"{name}.json"), look)
    return total


def middle(values):
    return sorted(values)[len(values) // 2]


def test_every_standing_mark_is_found_and_none_is_misread(score):
    assert score.marked.count(True) == len(score.marked) == 13
    assert score.read.count(False) == 0
    assert score.wrong == 0


def test_marked_tiles_are_where_they_are(score):
    assert middle(score.marked_mm) < 0.25
    assert max(score.marked_mm) < 0.55
    assert middle(score.marked_deg) < 0.35


def test_unmarked_and_fallen_tiles_are_found(score):
    assert score.unmarked == [True]
    assert score.fallen == [True] * 7
    assert max(score.unmarked_mm + score.fallen_mm) < 2.5


def test_orientations_hands_and_falls_are_told_right(score):
    assert all(score.upright)
    assert score.hand == [True] and not any(score.false_hand)
    assert score.alarm == [True] and not any(score.false_alarm)


def test_nothing_is_seen_that_is_not_there(score):
    assert score.false == 0
    assert all(score.exact)


def test_truth_turns_the_long_edge_into_the_face_normal():
    truth = read_truth(FRAMES / "practice_s01_f2.json")
    standing = truth.tiles[0]
    assert standing.state is State.STANDING
    fallen = read_truth(FRAMES / "practice_s01_f3.json").tiles[0]
    assert fallen.state is State.FALLEN
    import json

    raw = json.loads((FRAMES / "practice_s01_f2.json").read_text())["tiles"][0]
    turned = math.degrees(standing.pose.heading_rad) - raw["heading_deg"] - 90
    assert math.remainder(turned, 180) == pytest.approx(0, abs=1e-9)
    raw = json.loads((FRAMES / "practice_s01_f3.json").read_text())["tiles"][0]
    along = math.degrees(fallen.pose.heading_rad) - raw["heading_deg"]
    assert math.remainder(along, 180) == pytest.approx(0, abs=1e-9)


@pytest.mark.parametrize("text", ["{", "{}", '{"name": "a", "kind": "b", "tiles": [{}]}'])
def test_a_bad_truth_file_is_named(tmp_path, text):
    path = tmp_path / "truth.json"
    path.write_text(text)
    with pytest.raises(BadTruth, match=r"truth\.json"):
        read_truth(path)


def test_shadows_of_a_hard_lamp_near_by_are_no_tiles():
    """On planks with knots."""
    score, _ = examine(FRAMES.parent / "hard", learn_empty=True)
    assert score.marked.count(True) == len(score.marked)
    assert (score.wrong, score.false) == (0, 0)


def test_a_shaken_picture_and_a_hand_like_soft_light_are_read_on_tables_that_blender_drew():
    """Marble under a shaken camera; a dark hand over a plain floor, the knuckles softly shaded."""
    score, _ = examine(FRAMES.parent / "traced", learn_empty=True)
    assert all(score.marked) and all(score.unmarked)
    assert (len(score.marked), len(score.unmarked)) == (7, 2)
    assert (score.wrong, score.false) == (0, 0)
    assert score.hand == [True] and not any(score.false_hand)
