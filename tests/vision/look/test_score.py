from dataclasses import replace
from math import radians

import numpy as np
import pytest

from physics.row.pose import Pose
from physics.row.tile import Orientation, State, Tile
from vision.geometry.camera_pose import CameraPose
from vision.look.eye import Look
from vision.look.score import BadTruth, Score, Truth, read_truth

CAMERA = CameraPose(np.eye(3), np.zeros(3))


def tile(value, x, state=State.STANDING, sigma=0.15):
    how = Orientation.VERTICAL if state is State.STANDING else None
    return Tile(value, Pose(x, 200.0, 0.0), how, state, sigma_mm=sigma)


def scored(true, seen, hand=False, told_hand=False, new=None):
    score = Score()
    score.add(Truth("t", "before", tuple(true), hand, new), Look(CAMERA, tuple(seen), told_hand))
    return score


def test_a_file_nested_without_end_is_no_truth(tmp_path):
    path = tmp_path / "deep.json"
    path.write_text("[" * 100_000)
    with pytest.raises(BadTruth, match=r"deep\.json"):
        read_truth(path)


def test_a_tile_within_reach_is_found_and_measured():
    score = scored([tile(3, 100.0)], [tile(3, 100.3)])
    assert score.marked == [True] and score.read == [True] and score.wrong == 0
    assert round(score.marked_mm[0], 3) == 0.3
    assert score.exact == [True]


def test_a_wrong_value_counts_wherever_it_is():
    assert scored([tile(3, 100.0)], [tile(4, 100.3)]).wrong == 1
    assert scored([tile(3, 100.0)], [tile(3, 100.3), tile(4, 300.0)]).wrong == 1
    assert scored([], [tile(4, 300.0)], hand=True).wrong == 1


def test_an_unread_tile_is_found_but_not_read():
    score = scored([tile(3, 100.0)], [tile(None, 100.3)])
    assert score.marked == [True] and score.read == [False] and score.wrong == 0
    assert score.marked_mm == []


def test_a_marked_neighbour_is_not_taken_for_an_unmarked_tile():
    score = scored([tile(None, 100.0), tile(3, 109.0)], [tile(3, 104.0)])
    assert score.marked == [True] and score.unmarked == [False]


def test_a_lying_tile_must_be_seen_lying():
    fallen = tile(3, 100.0, State.FALLEN)
    assert scored([fallen], [tile(None, 100.0)]).fallen == [False]
    score = scored([fallen], [tile(None, 110.0, State.FALLEN)])
    assert score.fallen == [True] and score.alarm == [True]


def test_what_is_not_there_costs_precision():
    score = scored([], [tile(None, 100.0)])
    assert (score.reported, score.false, score.exact) == (1, 1, [False])
    assert figure(score, "precision without hand").text == "0/1 = 0.000"


def test_a_new_tile_is_right_if_it_is_told_where_it_stands():
    new = tile(5, 100.0)
    truth = Truth("t", "after", (new,), False, new)
    score = Score()
    score.add_new(truth, replace(new, pose=Pose(101.0, 200.0, radians(4))))
    score.add_new(truth, None)
    score.add_new(truth, replace(new, pose=Pose(180.0, 200.0, 0.0)))
    score.add_new(replace(truth, new_tile=None), new)
    assert score.new == [True, False, False]
    assert score.new_elsewhere == [False, False, True]
    assert [text.split(": ")[1] for text in score.complaints] == [
        "the new tile was not told",
        "the new tile was told where it is not",
    ]


def test_a_fallen_tile_with_a_mark_is_named_if_its_value_is_told():
    fallen = tile(3, 100.0, State.FALLEN)
    assert scored([fallen], [fallen]).named == [True]
    assert scored([fallen], [tile(None, 100.0, State.FALLEN)]).named == [False]
    assert scored([fallen], [tile(4, 100.0, State.FALLEN)]).wrong == 1
    assert scored([tile(None, 100.0, State.FALLEN)], []).named == []


def figure(score, name, small=False):
    (found,) = [f for f in score.figures(small) if f.name == name]
    return found


def test_figures_without_a_case_say_none_and_meet_nothing():
    shares = [f for f in Score().figures() if f.name != "wrong value"]
    assert {f.text for f in shares} == {"none"}
    assert {f.met for f in shares} == {None}


def test_a_figure_is_met_only_if_all_its_values_are_good_enough():
    name = "position of marked, median / p95 mm"
    assert figure(Score(marked_mm=[0.1, 0.2, 0.3]), name).met is True
    assert figure(Score(marked_mm=[0.1, 0.2, 0.9]), name).met is False
    assert figure(Score(marked_mm=[0.3, 0.3, 0.3]), name).met is False
    assert figure(Score(wrong=1), "wrong value").met is False


def test_less_is_asked_of_marks_in_small_frames():
    score = Score(marked=[True] * 98 + [False] * 2)
    assert figure(score, "marked standing tiles found").met is False
    assert figure(score, "marked standing tiles found", small=True).met is True


def test_a_figure_tells_its_values_and_what_they_must_be():
    score = Score(marked_deg=[0.1, 0.3], hand=[True, False], wrong=2)
    told = figure(score, "heading of marked, median / p95 deg")
    assert (told.text, told.must) == ("0.20 / 0.29", "<= any / 0.7")
    assert (figure(score, "frame with a hand: found").text, told.cases) == ("1/2 = 0.500", 2)
    assert figure(score, "wrong value").text == "2"
