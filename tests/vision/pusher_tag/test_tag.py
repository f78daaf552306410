import math

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from physics.row.chain import Chain
from physics.row.pose import Pose, full_turn
from physics.row.push import Push
from physics.row.tile import Orientation, Tile
from tests.support.faulty_camera import Sensor, render
from vision.geometry.camera_pose import find_pose
from vision.geometry.mat import load_mat
from vision.pusher_tag.guidance import guidance
from vision.pusher_tag.tag import TAG, NoTag, Tag, find_tag, glimpse_tag
from vision.render.render import view_from
from vision.render.scene import Scene, Solid

MAT = load_mat()
PUSH = Push()


def gray_of(scene, lens, camera, sensor=None):
    return cv2.cvtColor(render(scene, lens, camera, sensor), cv2.COLOR_BGR2GRAY)


def row(heading_rad=0.0, x_mm=200.0, y_mm=200.0, count=3):
    first = Pose(x_mm, y_mm, heading_rad)
    places = [first.to_table(20.0 * n, 0.0) for n in range(count)]
    return Chain(
        tuple(
            Tile(n + 1, Pose(*place, heading_rad), Orientation.VERTICAL)
            for n, place in enumerate(places)
        )
    )


def behind(chain, forward_mm=0.0, left_mm=0.0, turn_rad=0.0):
    """Where the tag is if the tip must go so far to its place; the turn is about the tip."""
    first = chain.tiles[0].pose
    back = first.to_table(
        -(chain.tiles[0].spec.thickness_mm / 2 + PUSH.standoff_mm + forward_mm), -left_mm
    )
    heading = first.heading_rad - turn_rad
    return Pose(*Pose(*back, heading).to_table(-TAG.tip_forward_mm, -TAG.tip_left_mm), heading)


@pytest.mark.parametrize(
    ("pose", "tilt_deg", "side"),
    [
        (Pose(120.0, 200.0, 0.0), 5.0, 0.3),
        (Pose(300.0, 350.0, -1.5), 12.0, 2.0),
        (Pose(520.0, 90.0, 2.7), 20.0, 4.0),
        (Pose(80.0, 60.0, 0.8), 16.0, 5.5),
    ],
)
def test_the_tag_is_found_wherever_the_pusher_stands(pose, tilt_deg, side):
    lens, camera = view_from(math.radians(tilt_deg), side)
    gray = gray_of(Scene(table="wood", pusher=pose), lens, camera, Sensor(bloom_px=0.5))
    seen = find_tag(gray, find_pose(gray, lens, MAT), lens)
    assert math.hypot(seen.pose.x_mm - pose.x_mm, seen.pose.y_mm - pose.y_mm) < 0.15
    assert abs(full_turn(seen.pose.heading_rad - pose.heading_rad)) < math.radians(0.2)
    assert seen.miss_mm < 0.2


def test_the_tag_is_found_at_720p_too():
    lens, camera = view_from(math.radians(10), 1.0)
    pose = Pose(140.0, 210.0, 0.2)
    large = gray_of(Scene(pusher=pose), lens, camera)
    small = cv2.resize(large, (1280, 720), interpolation=cv2.INTER_AREA)
    lens = lens.at_size(1280, 720)
    seen = find_tag(small, find_pose(small, lens, MAT), lens)
    assert math.hypot(seen.pose.x_mm - pose.x_mm, seen.pose.y_mm - pose.y_mm) < 0.3


def test_without_the_tag_it_is_said_what_to_do():
    lens, camera = view_from(math.radians(10), 1.0)
    with pytest.raises(NoTag, match="not in view: put the pusher beside the row"):
        find_tag(gray_of(Scene(), lens, camera), camera, lens)
    with pytest.raises(NoTag, match="not in view: the picture is almost black"):
        find_tag(np.zeros((1080, 1920), np.uint8), camera, lens)


def test_the_mats_markers_are_never_taken_for_the_tag():
    lens, camera = view_from(math.radians(10), 1.0)
    gray = gray_of(Scene(), lens, camera)
    for marker in MAT.corners_mm:
        assert glimpse_tag(gray, camera, lens, Tag(marker=marker)) is None
    with pytest.raises(NoTag):
        find_tag(gray, camera, lens, Tag(marker=0))


@pytest.mark.parametrize("tag", [Tag(side_mm=40.0), Tag(height_mm=160.0)])
def test_a_tag_of_another_size_or_height_is_refused(tag):
    lens, camera = view_from(math.radians(10), 1.0)
    gray = gray_of(Scene(pusher=Pose(140.0, 210.0, 0.2)), lens, camera)
    with pytest.raises(NoTag, match=r"looks \d+\.\d mm wide instead of"):
        find_tag(gray, camera, lens, tag)


def test_a_pusher_in_its_place_may_begin():
    for heading in (0.0, 1.0, -2.5, 3.1):
        chain = row(heading)
        told = guidance(behind(chain), chain, PUSH)
        assert told.in_place
        assert told.words == "The pusher is in place."
        assert told.clearance_mm == pytest.approx(PUSH.standoff_mm)


@pytest.mark.parametrize(
    ("off", "words"),
    [
        ((12.0, 0.0, 0.0), "Move the pusher 12 mm towards the row."),
        ((0.0, 5.0, 0.0), "Move the pusher 5 mm to the left."),
        ((0.0, -5.0, 0.0), "Move the pusher 5 mm to the right."),
        ((0.0, 0.0, 6.0), "Turn the pusher 6 degrees to the left."),
        ((0.0, 0.0, -6.0), "Turn the pusher 6 degrees to the right."),
        (
            (12.0, -4.0, 5.0),
            "Move the pusher 12 mm towards the row and 4 mm to the right, turn it 5 degrees to "
            "the left.",
        ),
        ((0.0, 0.0, 175.0), "Turn the pusher round: it points away from the row."),
        ((-1.8, 0.0, 0.0), "Move the pusher 2 mm back from the row."),
    ],
)
def test_words_say_what_to_do_as_seen_from_behind_the_pusher(off, words):
    forward, left, turn_deg = off
    chain = row(heading_rad=0.7)
    pusher = behind(chain, forward, left, math.radians(turn_deg))
    assert guidance(pusher, chain, PUSH).words == words


def test_a_pusher_that_touches_the_tile_is_sent_back_though_it_is_near():
    chain = row()
    told = guidance(behind(chain, forward_mm=-1.7), chain, PUSH)
    assert not told.in_place
    assert "back from the row" in told.words


def test_in_place_is_two_millimetres_and_four_degrees():
    chain = row()
    for off, there in (
        ((1.9, 1.9, 3.9), True),
        ((2.1, 0.0, 0.0), False),
        ((0.0, -2.1, 0.0), False),
        ((0.0, 0.0, -4.1), False),
    ):
        pusher = behind(chain, off[0], off[1], math.radians(off[2]))
        assert guidance(pusher, chain, PUSH).in_place is there


poses = st.tuples(st.floats(0, 600), st.floats(0, 420), st.floats(-math.pi, math.pi))


@given(poses, poses)
def test_doing_what_is_said_brings_the_pusher_to_its_place(start, end):
    chain = row(end[2], end[0], end[1], count=1)
    pusher = Pose(*start)
    told = guidance(pusher, chain, PUSH)
    tip = pusher.to_table(TAG.tip_forward_mm, TAG.tip_left_mm)
    along = Pose(*tip, chain.tiles[0].pose.heading_rad)
    tip = along.to_table(told.forward_mm, told.left_mm)
    turned = Pose(*tip, pusher.heading_rad + told.turn_rad)
    now = Pose(*turned.to_table(-TAG.tip_forward_mm, -TAG.tip_left_mm), turned.heading_rad)
    after = guidance(now, chain, PUSH)
    assert after.in_place
    assert abs(after.forward_mm) < 1e-6 and abs(after.left_mm) < 1e-6


def test_every_word_of_guidance_helps_until_it_is_in_place():
    for forward in (-9.0, -1.6, 0.0, 2.4, 30.0):
        for left in (-8.0, 0.0, 2.4):
            for turn in (-7.0, 0.0, 4.4):
                chain = row()
                told = guidance(behind(chain, forward, left, math.radians(turn)), chain, PUSH)
                assert told.in_place or len(told.words) > len("Move the pusher")


def test_from_the_other_end_the_pusher_has_to_turn_round():
    chain = row()
    pusher = behind(chain)
    assert "round" in guidance(pusher, chain.reversed(), PUSH).words


def test_a_row_without_tiles_has_no_end():
    with pytest.raises(ValueError, match="no end to stand behind"):
        guidance(Pose(0, 0, 0), Chain(()), PUSH)


def test_the_way_is_right_from_a_picture_of_row_and_pusher():
    chain = row(heading_rad=0.3)
    pusher = behind(chain, 11.0, -4.0, math.radians(6.0))
    lens, camera = view_from(math.radians(11), 1.4)
    scene = Scene(solids=tuple(Solid(tile) for tile in chain.tiles), pusher=pusher)
    gray = gray_of(scene, lens, camera)
    told = guidance(find_tag(gray, find_pose(gray, lens, MAT), lens).pose, chain, PUSH)
    assert told.forward_mm == pytest.approx(11.0, abs=0.3)
    assert told.left_mm == pytest.approx(-4.0, abs=0.3)
    assert math.degrees(told.turn_rad) == pytest.approx(6.0, abs=0.3)
