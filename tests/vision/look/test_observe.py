import math
from dataclasses import replace

import cv2
import numpy as np
import pytest

from physics.row.chain import Chain
from physics.row.outcome import Outcome
from physics.row.pose import Pose
from physics.row.tile import Orientation, Tile
from tests.support.practised_eye import copied
from vision.calibrate.pose_average import Stillness
from vision.capture.camera import Frame
from vision.errors import VisionError
from vision.geometry.camera_pose import NoMat
from vision.geometry.mat import load_mat
from vision.look import overlay
from vision.look.evidence import before_push, evidence
from vision.look.eye import Eye, Look
from vision.look.observe import Doubt, Watch, observe
from vision.look.overlay import STYLE
from vision.render.render import default_view, render
from vision.render.scene import Scene, Solid
from vision.tuning.tuning import TUNING

UP, LONG = Orientation.VERTICAL, Orientation.HORIZONTAL
INTRINSICS, POSE = default_view()
FLAT = math.radians(80)
ROW = Chain(
    tuple(
        Tile(value, Pose(220.0 + 26 * i, 205.0 + 3 * i, 0.1), LONG if i == 2 else UP)
        for i, value in enumerate((3, 9, 6, 1, 8))
    )
)


def frame(tilts_deg=(0, 0, 0, 0, 0), time_s=0.0, row=ROW, **more):
    solids = tuple(
        Solid(tile, math.radians(tilt)) for tile, tilt in zip(row.tiles, tilts_deg, strict=True)
    )
    scene = Scene(solids, **{"table": "wood", **more})
    return Frame(render(scene, INTRINSICS, POSE), time_s)


def stub(standing=(), hand=False):
    """An eye that sees these tiles in every frame."""
    return lambda _: Look(POSE, tuple(standing), hand)


@pytest.fixture(scope="module")
def before():
    return frame()


@pytest.fixture(scope="module")
def bare_eye():
    eye = Eye(INTRINSICS, load_mat())
    eye.look(Frame(render(Scene(table="wood"), INTRINSICS, POSE), -1.0))
    return eye


@pytest.fixture
def eye(bare_eye):
    return copied(bare_eye)


def test_a_row_that_nobody_touched_stands(before):
    seen = observe(ROW, [before, frame(time_s=1.0)], stub(ROW.tiles), INTRINSICS)
    assert seen.outcome.fallen == (False,) * 5
    assert seen.outcome.arrival_s == (None,) * 5
    assert seen.sure


def test_a_row_that_fell_is_down(before, eye):
    seen = observe(ROW, [before, frame((70, 68, 66, 70, 90))], eye.look, INTRINSICS)
    assert seen.outcome.all_fell
    assert seen.sure
    assert min(seen.confidence) >= 0.8


def test_the_last_tile_that_stays_up_decides(before, eye):
    seen = observe(ROW, [before, frame((66, 60, 70, 62, 0))], eye.look, INTRINSICS)
    assert seen.outcome.fallen == (True, True, True, True, False)
    assert (seen.outcome.first_standing, seen.sure) == (4, True)


def test_a_tile_that_leans_on_a_standing_one_is_down(before, eye):
    seen = observe(ROW, [before, frame((66, 22, 0, 0, 0))], eye.look, INTRINSICS)
    assert seen.outcome.fallen == (True, True, False, False, False)
    assert seen.sure


def test_without_readable_marks_the_picture_decides(before):
    seen = observe(ROW, [before, frame((66, 60, 0, 0, 0))], stub(), INTRINSICS)
    assert seen.outcome.fallen == (True, True, False, False, False)
    assert seen.sure


def test_unmarked_tiles_are_judged_by_their_outline():
    bare = Chain(tuple(replace(tile, value=None) for tile in ROW.tiles))
    frames = [frame(row=bare), frame((75, 70, 72, 0, 0), row=bare)]
    seen = observe(bare, frames, stub(), INTRINSICS)
    assert seen.outcome.fallen == (True, True, True, False, False)


def test_a_lamp_that_flickers_knocks_nothing_over(before):
    seen = observe(ROW, [before, frame(light=0.75)], stub(), INTRINSICS)
    assert seen.outcome.fallen == (False,) * 5


def test_a_tile_pushed_along_upright_is_a_case_for_people(before):
    slid = replace(ROW.tiles[0], pose=Pose(222.0, 211.0, 0.1))
    moved = Chain((slid, *ROW.tiles[1:]))
    alone = Chain(ROW.tiles[:1])
    seen = observe(alone, [before, frame(row=moved)], stub(moved.tiles), INTRINSICS)
    assert seen.outcome.fallen == (False,)
    assert not seen.sure


def test_a_hand_in_the_last_frame_leaves_it_open(before):
    last = frame((70, 68, 66, 70, 90))
    assert not observe(ROW, [before, last], stub(hand=True), INTRINSICS).sure


def test_a_camera_that_was_knocked_by_the_stroke_leaves_it_to_people(before):
    last = frame((70, 68, 66, 70, 90))

    def see(one):
        return Look(POSE, ROW.tiles, False, Stillness.STILL if one is before else Stillness.UNSURE)

    seen = observe(ROW, [before, last], see, INTRINSICS)
    assert Doubt.HIDDEN in seen.doubts
    assert not seen.sure


def test_where_the_mat_is_hidden_nothing_is_claimed(before):
    def blind(_):
        raise NoMat("only 2 markers of the mat seen")

    seen = observe(ROW, [before, frame((70, 68, 66, 70, 90))], blind, INTRINSICS)
    assert (seen.outcome.confidence, seen.sure) == (0.0, False)
    assert not any(seen.outcome.fallen)
    assert seen.picture[:2] == b"\xff\xd8"


def test_where_the_mat_is_hidden_at_the_end_nothing_is_sure(before):
    def late(asked):
        if asked is not before:
            raise NoMat("only 2 markers of the mat seen")
        return Look(POSE, ROW.tiles, False)

    seen = observe(ROW, [before, frame((70, 68, 66, 70, 90))], late, INTRINSICS)
    assert seen.outcome.all_fell
    assert not seen.sure


def test_without_frames_there_is_nothing_to_tell():
    with pytest.raises(VisionError, match="no frame"):
        observe(ROW, [], stub(), INTRINSICS)


def test_the_wave_is_timed_from_the_first_tile_that_moves(before):
    film = [
        before,
        frame(time_s=0.10),
        frame((8, 0, 0, 0, 0), time_s=0.20),
        frame((22, 0, 0, 0, 0), time_s=0.25),
        frame((34, 10, 0, 0, 0), time_s=0.35),
        frame((66, 60, 0, 0, 0), time_s=0.55),
    ]
    seen = observe(ROW, film, stub(), INTRINSICS)
    first, second = seen.outcome.arrival_s[:2]
    assert (first, second) == (0.0, pytest.approx(0.125, abs=0.05))
    assert seen.outcome.arrival_s[2:] == (None, None, None)
    assert seen.timing_s[:2] == pytest.approx((0.05, 0.05), abs=0.026)


def test_a_wave_from_the_other_end_keeps_its_times(before):
    film = [
        before,
        frame(time_s=0.10),
        frame((0, 0, 0, 0, 30), time_s=0.20),
        frame((0, 0, 0, 40, 66), time_s=0.40),
    ]
    *others, fourth, last = observe(ROW, film, stub(), INTRINSICS).begun_s
    assert others == [None, None, None]
    assert last < 0.2 < fourth < 0.4


@pytest.mark.parametrize(("tilts_deg", "touched"), [((0,) * 5, False), ((8, 0, 0, 0, 0), True)])
def test_a_tile_that_was_touched_is_known_though_it_stands_again(before, tilts_deg, touched):
    shaken = frame(tilts_deg, time_s=0.1, pusher=Pose(130.0, 195.0, 0.1))
    film = [before, shaken, frame(time_s=0.2)]
    seen = observe(ROW, film, stub(ROW.tiles), INTRINSICS)
    assert not any(seen.outcome.fallen)
    assert seen.touched is touched


def test_a_watch_knows_when_something_moved_last(before):
    watch = Watch(ROW, INTRINSICS)
    watch.add(before)
    watch.add(frame(time_s=0.1))
    assert watch.stirred_s is None
    watch.add(frame((8, 0, 0, 0, 0), time_s=0.2))
    watch.add(frame((8, 0, 0, 0, 0), time_s=0.3))
    assert watch.stirred_s == 0.2


def test_a_watch_is_at_rest_when_nothing_moves_for_a_while(before):
    watch = Watch(ROW, INTRINSICS)
    watch.add(before)
    for n in range(1, TUNING.film.rest_looks):
        watch.add(frame(time_s=0.05 * n))
        assert watch.at_rest is (n == TUNING.film.rest_looks - 1)
    watch.add(frame((12, 0, 0, 0, 0), time_s=0.6))
    assert not watch.at_rest


def test_the_evidence_is_a_small_picture_of_the_row(before):
    for fallen in ((True, True, False, False, False), (True,) * 5, (False,) * 5):
        data = evidence(before, ROW, Outcome(fallen), POSE, INTRINSICS, before)
        image = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
        assert image.shape == (STYLE.size_px[1], STYLE.size_px[0], 3)
        assert len(data) <= STYLE.evidence_bytes


def test_the_evidence_of_a_noisy_picture_is_small_too():
    noise = np.random.default_rng(1).integers(0, 256, (1080, 1920, 3), dtype=np.uint8)
    data = evidence(Frame(noise, 0.0), ROW, Outcome((True,) * 5), POSE, INTRINSICS)
    assert len(data) <= STYLE.evidence_bytes


def test_the_evidence_marks_the_first_tile_that_stands(before):
    plain, marked = (
        cv2.imdecode(
            np.frombuffer(evidence(before, ROW, Outcome(f), POSE, INTRINSICS), np.uint8),
            cv2.IMREAD_COLOR,
        ).astype(int)
        for f in ((True,) * 5, (True, True, True, True, False))
    )
    lamp = [(np.abs(each - (95, 199, 255)).max(axis=2) < 40).sum() for each in (plain, marked)]
    assert lamp[1] - lamp[0] > 1000


def test_the_evidence_tells_a_gap_as_the_screens_do(before, monkeypatch):
    told = []
    monkeypatch.setattr(overlay, "plaque", lambda image, words, place: told.append(words))
    row = Chain(tuple(Tile(n, Pose(250 + n * (7.5 + 20.47), 205, 0.0), UP) for n in (0, 1)))
    assert evidence(before, row, Outcome((True, False)), POSE, INTRINSICS)
    assert "21 mm" in told


def test_the_evidence_measures_the_gap_from_face_to_face():
    steps = (0.0, 27.5, 82.0, 109.5)  # the third is 47 mm away from the second
    row = Chain(tuple(Tile(n, Pose(250.0 + x, 205.0, 0.0), UP) for n, x in enumerate(steps, 4)))
    seen = frame((75, 90, 0, 0), row=row)
    data = evidence(seen, row, Outcome((True, True, False, False)), POSE, INTRINSICS)
    picture = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    white = (picture.min(axis=2) > 240).astype(np.uint8)
    left, _, wide, *_ = max(cv2.connectedComponentsWithStats(white)[2][1:], key=lambda a: a[2])
    faces = np.array([(250.0 + 27.5 + 3.75, 205.0, 0.0), (250.0 + 82.0 - 3.75, 205.0, 0.0)])
    at = overlay.Cut(seen.image, row.tiles, POSE, INTRINSICS).spots(faces)[:, 0]
    assert (left, left + wide) == pytest.approx(at, abs=8)


def test_evidence_of_a_row_at_the_edge_stays_within_the_frame(before):
    edge = Chain((Tile(5, Pose(8.0, 6.0, 0.3), UP), Tile(2, Pose(30.0, 10.0, 0.3), LONG)))
    assert evidence(before, edge, Outcome((True, False)), POSE, INTRINSICS)


def pixels(fallen, before=None):
    data = evidence(frame(), ROW, Outcome(fallen), POSE, INTRINSICS, before)
    return cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR).astype(int)


def boxes(picture, colour):
    """Extents (wide, high) of the larger patches of a colour."""
    near = (np.abs(picture - colour).max(axis=2) < 45).astype(np.uint8)
    stats = cv2.connectedComponentsWithStats(near)[2][1:]
    return [(w, h) for _, _, w, h, area in stats if area > 900 and w < 90]


def test_standing_and_fallen_tiles_are_told_apart_by_shape_too():
    standing = boxes(pixels((False,) * 5), (95, 199, 255))
    fallen = boxes(pixels((True,) * 5), (216, 240, 253))
    assert sum(h > w for w, h in standing) == 5
    assert sum(w > h for w, h in fallen) == 5


def test_the_row_before_the_push_is_shown_in_a_corner():
    picture = np.abs(pixels((True,) * 5, frame()) - pixels((True,) * 5)).max(axis=2)
    rows, columns = np.nonzero(picture > 60)
    near = [
        ((columns < 340) if left else (columns > 780)) & ((rows < 220) if top else (rows > 440))
        for left in (True, False)
        for top in (True, False)
    ]
    assert max(corner.mean() for corner in near) > 0.6
    assert len(rows) > 2000


def test_the_picture_before_shows_the_same_part_of_the_table(before):
    """So that one can be laid over the other: away from tiles and badges both are alike."""
    rows = [
        cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_GRAYSCALE).astype(int)
        for jpeg in (
            before_push(before, ROW, POSE, INTRINSICS),
            evidence(before, ROW, Outcome((False,) * 5), POSE, INTRINSICS),
        )
    ]
    assert np.median(np.abs(rows[0] - rows[1])) <= 2
    assert boxes_of_badges(before_push(before, ROW, POSE, INTRINSICS)) == 5


def boxes_of_badges(jpeg):
    """How many upright badges a picture has."""
    image = cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR)
    return sum(h > w for w, h in boxes(image.astype(int), (95, 199, 255)))


def waving(time_s, tilts_deg=(0, 0, 0, 0, 0), at=(140.0, 90.0)):
    return frame(tilts_deg, time_s, hand=at)


def test_a_hand_in_the_picture_during_the_fall_leaves_it_to_people(before, eye):
    film = [
        before,
        waving(0.1, (30, 0, 0, 0, 0)),
        waving(0.2, (60, 40, 10, 0, 0)),
        frame((70, 68, 66, 70, 90), 0.4),
    ]
    seen = observe(ROW, film, eye.look, INTRINSICS)
    assert seen.outcome.all_fell
    assert seen.doubts == (Doubt.HAND,)
    assert not seen.sure


def test_a_fall_without_a_hand_has_no_doubts(before, eye):
    film = [
        before,
        frame((30, 0, 0, 0, 0), 0.1),
        frame((60, 40, 10, 0, 0), 0.2, light=0.8),
        frame((70, 68, 66, 70, 90), 0.4),
    ]
    assert observe(ROW, film, eye.look, INTRINSICS).doubts == ()


def test_frames_lost_during_the_fall_are_said_and_give_no_times(before, eye):
    film = [before, *(frame(time_s=0.03 * n) for n in range(1, 6))]
    film += [frame((20, 0, 0, 0, 0), 0.2), frame((70, 68, 66, 70, 90), 2.4)]
    film += [frame((70, 68, 66, 70, 90), 2.4 + 0.03 * n) for n in range(1, 4)]
    seen = observe(ROW, film, eye.look, INTRINSICS)
    assert seen.doubts == (Doubt.LOST,)
    assert seen.outcome.arrival_s[1:] == (None,) * 4
    assert (seen.outcome.all_fell, seen.sure) == (True, False)


def test_a_row_that_never_comes_to_rest_is_a_case_for_people(before, eye):
    watch = Watch(ROW, INTRINSICS)
    watch.add(before)
    for n in range(1, 6):
        watch.add(frame((70, 66, 66, 70, 40 + 8 * (n % 2)), 0.1 * n))
    seen = watch.outcome(eye.look)
    assert seen.doubts == (Doubt.RESTLESS,)
    assert not seen.sure


def test_a_tile_that_lies_by_itself_is_told_where_it_lies(before, eye):
    seen = observe(ROW, [before, frame((0, 0, 0, 0, 90))], eye.look, INTRINSICS)
    assert seen.outcome.fallen == (False, False, False, False, True)
    assert seen.lying[:4] == (None,) * 4
    stood, lies = ROW.tiles[4].pose, seen.lying[4].pose
    along, across = stood.to_local((lies.x_mm, lies.y_mm))
    assert (along, across) == pytest.approx((27.75, 0.0), abs=2.5)
    assert seen.lying[4].value == 8
