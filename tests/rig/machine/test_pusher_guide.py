"""The pusher is guided behind the row by its tag, from the picture to the phone."""

import math
from dataclasses import replace

import pytest

from physics.row.chain import Chain
from physics.row.pose import Pose
from physics.row.push import Push
from physics.row.tile import Orientation, Tile
from rig.machine.pusher_guide import Guider, behind
from tests.support.whole_rig import WholeRig
from vision.capture.camera import Frame
from vision.look.eye import Look
from vision.pusher_tag.tag import TAG
from vision.render.render import default_view, render
from vision.render.scene import Scene, Solid

LENS, POSE = default_view()
PUSH = Push(standoff_mm=10.0)


def row(sigma_mm=0.2):
    tiles = (
        Tile(value, Pose(260.0 + 25 * i, 210.0, 0.0), Orientation.VERTICAL, sigma_mm=sigma_mm)
        for i, value in enumerate((3, 6))
    )
    return Chain(tuple(tiles))


class Shown:
    """A guider before rendered pictures; `shown(...)` is the pusher's place off the right one."""

    def __init__(self, sigma_mm=0.2, push=PUSH):
        self.chain, self.push = row(sigma_mm), push
        self.guider = Guider(TAG, LENS)
        self.now_s = 0.0

    def __call__(self, back_mm=0.0, right_mm=0.0, turned_deg=0.0, there=True, after_s=2.0):
        self.now_s += after_s
        right = behind(self.chain, self.push, TAG)
        # About the tip, so that a turn does not move it.
        tip = right.to_table(TAG.tip_forward_mm - back_mm, -right_mm)
        heading = right.heading_rad + math.radians(turned_deg)
        x_mm, y_mm = Pose(*tip, heading).to_table(-TAG.tip_forward_mm, 0.0)
        place = Pose(x_mm, y_mm, heading) if there else None
        solids = tuple(Solid(tile) for tile in self.chain.tiles)
        frame = Frame(render(Scene(solids, pusher=place), LENS, POSE), self.now_s)
        look = Look(POSE, self.chain.tiles, False)
        for _ in range(3):
            told = self.guider.look(frame, look, self.chain, self.push, self.now_s)
        return told


@pytest.fixture
def shown():
    return Shown()


def test_a_pusher_right_behind_the_row_is_right(shown):
    told = shown()
    assert (told.seen, told.right) == (True, True)


def test_it_is_told_how_far_and_which_way(shown):
    told = shown(back_mm=12.0, right_mm=-4.0, turned_deg=6.0)
    assert (told.right, told.forward_mm, told.left_mm, told.turn_deg) == (False, 12.0, -4.0, -6.0)


@pytest.mark.parametrize("off", [{"back_mm": 3.0}, {"right_mm": 3.0}, {"turned_deg": 6.0}])
def test_each_way_of_being_off_counts_by_itself(shown, off):
    assert not shown(**off).right


def test_a_pusher_that_was_right_is_not_wrong_by_a_trembling_of_the_picture(shown):
    assert not shown(back_mm=2.2).right
    assert shown().right
    assert shown(back_mm=2.2).right
    assert not shown(back_mm=3.2).right
    assert not shown(back_mm=2.2).right


def test_where_the_tile_itself_is_known_badly_nearly_is_not_enough():
    assert Shown(sigma_mm=0.1)(right_mm=1.7).right
    assert not Shown(sigma_mm=0.6)(right_mm=1.7).right


def test_a_pusher_that_points_the_other_way_has_to_be_turned_round(shown):
    assert shown(turned_deg=175.0).round


def test_a_tip_that_touches_the_tile_is_never_right():
    shown = Shown(push=Push(standoff_mm=2.0))
    assert shown(back_mm=-1.0).right
    told = shown(back_mm=-1.6)
    assert (told.touching, told.right) == (True, False)


def test_a_tag_under_a_hand_is_not_gone_at_once(shown):
    before = shown(back_mm=12.0)
    assert shown(there=False, after_s=0.5) == before
    assert not shown(there=False, after_s=2.0).seen
    assert shown().right


@pytest.fixture
def table(open_session):
    return WholeRig(open_session, virtual={"tag": True})


def guide(table):
    return table.session.view("bo")["push"]["guide"]


def test_a_pusher_that_stands_wrong_does_not_push_until_it_is_put_right(table):
    table.to_push()
    table.until(lambda: guide(table) and guide(table)["seen"])
    told = guide(table)
    assert not told["right"]
    assert (told["forward_mm"], told["left_mm"]) == pytest.approx((23, 42), abs=2)  # of the tip
    assert told["turn_deg"] == pytest.approx(11, abs=2)
    table.do("ana", "switch", on=True)
    view = table.session.view("ana")
    assert (view["may"]["hold"], view["may"]["aim"]) == (False, True)
    assert table.seats.send("ana", "hold")["reason"] == "not_behind"
    assert table.seats.send("bo", "aim")["reason"] == "not_toppler"
    table.do("ana", "aim")
    table.until(lambda: guide(table)["right"] and table.session.live.clear)
    table.push()
    table.until(lambda: table.session.table.phase == "JUDGE")
    verdict = table.session.view("bo")["verdict"]
    assert (verdict["outcome"], verdict["sure"]) == ("fell", True)


def test_where_the_camera_sees_no_tag_the_toppler_has_looked(table):
    table.to_push()
    scene = table.machine.rig.virtual.scene
    table.machine.rig.camera.camera.scene = lambda: replace(scene(), pusher=None)
    table.until(lambda: guide(table) and not guide(table)["seen"])
    table.until(lambda: table.session.live.clear)
    table.do("ana", "switch", on=True)
    assert table.session.view("ana")["may"]["hold"]
    assert table.seats.send("ana", "hold")["reason"] == "no_tag"
    nonce = table.do("ana", "hold", by_eye=True)["nonce"]
    table.clock.sleep(1.5)
    table.do("ana", "push", nonce=nonce)
    table.until(lambda: table.session.table.phase == "JUDGE")


def test_a_pusher_without_a_tag_is_not_asked_for_one(open_session):
    table = WholeRig(open_session)
    table.to_push()
    assert guide(table) is None
    table.push()
    assert table.seats.send("ana", "aim")["reason"] != "bad_command"
