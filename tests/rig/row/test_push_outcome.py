"""What came of a push, and what must not come near one: pure, without a camera."""

from dataclasses import replace

import pytest

from physics.row.chain import Chain
from physics.row.outcome import Outcome
from physics.row.pose import Pose
from physics.row.tile import Orientation, State, Tile
from rig.machine.push_film import Area
from rig.pusher.port import Reach
from rig.row.push_events import ARM, FINGER, Cause, PushStep
from rig.row.push_outcome import came_of
from vision.calibrate.pose_average import Stillness
from vision.look.eye import Look
from vision.look.observe import Doubt, Observation
from vision.render.render import default_view

_, POSE = default_view()
ROW = Chain(
    tuple(
        Tile(v, Pose(200.0 + 25 * i, 210.0, 0.0), Orientation.VERTICAL)
        for i, v in enumerate((3, 9, 6))
    )
)


def seen(fallen, begun_s=None, doubts=(), touched=True, sure=0.95, open_s=0.01):
    begun = begun_s or tuple(10.0 + 0.2 * i if down else None for i, down in enumerate(fallen))
    return Observation(
        Outcome(fallen, confidence=0.4 if doubts else sure),
        (sure,) * len(fallen),
        b"",
        doubts,
        tuple(open_s if down else None for down in fallen),
        begun_s=begun,
        touched=touched,
    )


ALL, NONE = (True, True, True), (False, False, False)


@pytest.mark.parametrize("kind", [ARM, FINGER])
@pytest.mark.parametrize("fallen", [ALL, (True, True, False), (True, False, False)])
def test_a_wave_from_the_pushed_end_is_judged_as_it_was_seen(fallen, kind):
    end = came_of(seen(fallen), kind, Reach.FULL)
    assert (end.step, end.cause, end.seen.sure) == (PushStep.DONE, Cause.NONE, True)


@pytest.mark.parametrize(
    "begun_s", [(10.5, 10.3, 10.0), (10.5, None, 10.0)], ids=["every tile", "both ends"]
)
def test_a_wave_from_the_far_end_is_a_push_at_the_wrong_end(begun_s):
    end = came_of(seen(ALL, begun_s), ARM, Reach.FULL)
    assert (end.step, end.cause, end.seen.sure) == (PushStep.DONE, Cause.WRONG_END, False)


def test_the_far_end_down_and_the_pushed_end_up_is_the_wrong_end_whatever_the_times():
    end = came_of(seen((False, True, True), (None, None, None)), ARM, Reach.FULL)
    assert end.cause is Cause.WRONG_END


@pytest.mark.parametrize("open_s", [0.3, None])
def test_where_the_film_leaves_open_which_end_was_first_nobody_is_accused(open_s):
    end = came_of(seen(ALL, (10.2, 10.1, 10.0), open_s=open_s or 0.3), ARM, Reach.FULL)
    assert end.cause is Cause.NONE
    unknown = came_of(seen(ALL, (None, 10.1, 10.0)), ARM, Reach.FULL)
    assert unknown.cause is Cause.NONE


def test_a_tile_in_the_middle_alone_was_no_push_of_the_end_and_people_judge():
    end = came_of(seen((False, True, False)), ARM, Reach.FULL)
    assert (end.step, end.cause, end.seen.sure) == (PushStep.DONE, Cause.NONE, False)


def test_a_whole_stroke_that_moved_no_tile_has_passed_it():
    end = came_of(seen(NONE, touched=False), ARM, Reach.FULL)
    assert (end.step, end.cause) == (PushStep.MISSED, Cause.PASSED)


def test_a_tile_that_was_moved_and_stands_again_has_stood():
    end = came_of(seen(NONE, touched=True), ARM, Reach.FULL)
    assert (end.step, end.seen.sure) == (PushStep.DONE, True)


def test_where_something_was_in_the_way_nobody_says_that_it_passed():
    end = came_of(seen(NONE, doubts=(Doubt.HIDDEN,), touched=False), ARM, Reach.FULL)
    assert (end.step, end.seen.sure) == (PushStep.DONE, False)


def test_a_stroke_that_did_not_go_all_the_way_was_stopped():
    assert came_of(seen(NONE, touched=False), ARM, Reach.PART).step is PushStep.STOPPED


@pytest.mark.parametrize("touched", [True, False])
def test_a_stroke_of_which_nobody_knows_how_far_it_went_was_not_stopped_on_its_way(touched):
    end = came_of(seen(NONE, touched=touched), ARM, Reach.UNKNOWN)
    assert (end.step, end.cause) == (PushStep.UNKNOWN, Cause.UNHEARD)
    assert "not known how far" in end.why


def test_tiles_that_fell_have_fallen_however_far_the_arm_is_known_to_have_gone():
    assert came_of(seen(ALL), ARM, Reach.UNKNOWN).step is PushStep.DONE


def test_a_hand_beside_the_row_is_a_doubt_of_an_arm_and_none_of_a_finger():
    film = seen(ALL, doubts=(Doubt.HAND,))
    assert not came_of(film, ARM, Reach.FULL).seen.sure
    finger = came_of(film, FINGER, Reach.FULL).seen
    assert (finger.sure, finger.doubts) == (True, ())
    assert not came_of(seen(ALL, doubts=(Doubt.HAND, Doubt.HIDDEN)), FINGER, Reach.FULL).seen.sure


def test_a_finger_that_did_not_let_the_wave_run_leaves_it_to_people():
    out_of_order = seen(ALL, (10.0, 10.6, 10.2))
    assert not came_of(out_of_order, FINGER, Reach.FULL).seen.sure
    assert came_of(out_of_order, ARM, Reach.FULL).seen.sure


def test_without_a_finger_nothing_is_judged():
    end = came_of(seen(NONE, doubts=(Doubt.HAND,), touched=True), FINGER, Reach.FULL)
    assert (end.step, end.cause) == (PushStep.MISSED, Cause.NOBODY)
    hidden = came_of(seen(NONE, doubts=(Doubt.HIDDEN,)), FINGER, Reach.FULL)
    assert (hidden.step, hidden.seen.sure) == (PushStep.DONE, False)


def look(tiles=ROW.tiles, hand=False, stillness=Stillness.STILL):
    return Look(POSE, tuple(tiles), hand, stillness)


@pytest.fixture
def area():
    return Area(ROW, ROW.tiles)


def test_a_hand_is_believed_at_once(area):
    assert area.looked(look(hand=True)) is Cause.HAND


def test_a_table_as_it_was_is_clear(area):
    assert (area.looked(look()), area.doubt) == (Cause.NONE, Cause.NONE)


@pytest.mark.parametrize(
    ("tiles", "cause"),
    [
        (ROW.tiles[:2], Cause.FELL),
        ((*ROW.tiles[:2], replace(ROW.tiles[2], state=State.FALLEN)), Cause.FELL),
        ((*ROW.tiles, Tile(None, Pose(300.0, 100.0, 0.0), None)), Cause.HAND),
    ],
    ids=["gone", "lies", "something came"],
)
def test_what_one_look_shows_otherwise_has_to_be_seen_twice(area, tiles, cause):
    assert area.looked(look(tiles)) is Cause.NONE
    assert area.doubt is cause
    assert area.looked(look(tiles)) is cause


def test_a_mark_that_one_look_missed_is_forgotten(area):
    area.looked(look(ROW.tiles[:2]))
    assert area.looked(look()) is Cause.NONE
    assert area.looked(look(ROW.tiles[:2])) is Cause.NONE


def test_a_camera_that_trembles_is_waited_for(area):
    for _ in range(3):
        assert area.looked(look(stillness=Stillness.MOVING)) is Cause.NONE
        assert area.doubt is Cause.BLIND


def test_what_lay_about_before_is_in_nobodys_way():
    lying = Tile(11, Pose(420.0, 90.0, 0.3), Orientation.VERTICAL, State.FALLEN)
    area = Area(ROW, (*ROW.tiles, lying))
    assert area.looked(look((*ROW.tiles, lying))) is Cause.NONE
    assert area.doubt is Cause.NONE
