"""The pretend table: what hands can do, what falls, and what a camera sees of it."""

import json
import math
import threading
from dataclasses import replace

import numpy as np
import pytest

from physics.fall.simulate import Fall
from physics.row.chain import Chain
from physics.row.outcome import Outcome
from physics.row.pose import Pose
from physics.row.push import Push
from physics.row.tile import Orientation, State, Tile
from rig.clock import ManualClock
from rig.pusher.virtual import VirtualPusher
from rig.virtual.table import NotPlaced, Placing, VirtualTable
from rig.virtual.world import HiddenDraw, PymunkWorld

VERTICAL, HORIZONTAL = Orientation.VERTICAL, Orientation.HORIZONTAL


class AllFall:
    """A world in which everything falls onto the next tile, 100 ms after the one before."""

    def __init__(self, up=()):
        self.up = up
        self.chains = []

    def fall(self, chain, push):
        self.chains.append(chain)
        stops = [i for i, tile in enumerate(chain.tiles) if tile.value in self.up]
        reach = min(stops, default=len(chain.tiles))
        fallen = tuple(i < reach for i in range(len(chain.tiles)))
        arrival_s = tuple(0.2 + 0.1 * i if down else None for i, down in enumerate(fallen))
        tilt = tuple(1.4 if down else 0.0 for down in fallen)
        return Fall(Outcome(fallen, arrival_s), tilt, None if all(fallen) else reach - 1, "")


def open_table(seed=1, world=None, **options):
    clock = ManualClock()
    table = VirtualTable(world or AllFall(), clock, np.random.default_rng(seed), **options)
    return table, clock


@pytest.fixture
def table():
    return open_table()[0]


def tilts(table):
    return {solid.tile.value: solid.tilt_rad for solid in table.scene().solids}


def three(table):
    """Row 2 - 6 - 9, standing well apart."""
    table.stand(2, 270.0, 210.0, 0.0, VERTICAL)
    table.stand(9, 330.0, 210.0, 0.0, VERTICAL)
    table.settle()


def test_a_round_begins_with_the_six_in_the_middle_facing_along_the_table(table):
    [six] = table.truth()
    assert (six.value, six.orientation) == (6, VERTICAL)
    assert math.hypot(six.pose.x_mm - 300.0, six.pose.y_mm - 210.0) < 2.0
    assert abs(six.pose.heading_rad) < math.radians(3.0)


def test_a_tile_stands_about_where_it_was_put():
    misses = []
    for seed in range(200):
        table, _ = open_table(seed)
        assert table.stand(9, 340.0, 220.0, 0.2, HORIZONTAL) == ()
        nine = table.truth()[-1]
        misses.append((nine.pose.x_mm - 340.0, nine.pose.y_mm - 220.0, nine.pose.heading_rad - 0.2))
    spread = np.std(misses, axis=0)
    assert spread == pytest.approx([0.4, 0.4, math.radians(0.6)], rel=0.25)
    assert np.abs(np.mean(misses, axis=0)) == pytest.approx([0.0, 0.0, 0.0], abs=0.1)


def test_the_same_chance_gives_the_same_table():
    tables = [open_table(seed)[0] for seed in (5, 5, 6)]
    for table in tables:
        three(table)
    assert tables[0].state() == tables[1].state() != tables[2].state()


@pytest.mark.parametrize(
    ("x_mm", "y_mm"),
    [(-5.0, 200.0), (3.0, 200.0), (597.0, 200.0), (300.0, 5.0), (300.0, 415.0), (1e9, 0.0)],
)
def test_a_tile_outside_the_work_area_is_refused_with_a_sentence(table, x_mm, y_mm):
    before = table.state()
    with pytest.raises(NotPlaced, match=r"Tile 9 .* outside the work area of 600 x 420 mm"):
        table.stand(9, x_mm, y_mm, 0.0, VERTICAL)
    assert table.state() == before


def test_a_place_that_is_no_number_is_refused(table):
    with pytest.raises(NotPlaced, match="in millimetres"):
        table.stand(9, math.nan, 210.0, 0.0, VERTICAL)


def test_a_tile_can_stand_once_and_only_if_there_is_one(table):
    with pytest.raises(NotPlaced, match="already on the table"):
        table.stand(6, 340.0, 210.0, 0.0, VERTICAL)
    with pytest.raises(NotPlaced, match="no tile 12"):
        table.stand(12, 340.0, 210.0, 0.0, VERTICAL)
    with pytest.raises(NotPlaced, match="not on the table"):
        table.move(3, 340.0, 210.0, 0.0, VERTICAL)
    with pytest.raises(NotPlaced, match="not on the table"):
        table.take_back(3)


def test_a_moved_tile_stands_elsewhere(table):
    three(table)
    table.move(6, 360.0, 215.0, 0.3, HORIZONTAL)
    assert [tile.value for tile in table.truth()] == [2, 9, 6]
    assert table.truth()[-1].orientation is HORIZONTAL


def test_a_move_that_is_refused_leaves_the_tile_where_it_stood(table):
    three(table)
    before = table.state()
    with pytest.raises(NotPlaced):
        table.move(6, 700.0, 210.0, 0.0, VERTICAL)
    assert table.state() == before


def test_taking_back_a_new_tile_takes_it_off_the_table(table):
    table.stand(9, 330.0, 210.0, 0.0, VERTICAL)
    table.move(9, 340.0, 210.0, 0.1, VERTICAL)
    assert table.held == 9
    table.take_back(9)
    assert [tile.value for tile in table.truth()] == [6]
    assert table.held is None


def test_taking_back_a_moved_tile_puts_it_where_it_stood(table):
    three(table)
    before = table.state()
    table.move(6, 365.0, 210.0, 0.0, VERTICAL)
    table.move(6, 370.0, 215.0, 0.1, VERTICAL)
    table.take_back(6)
    assert table.state() == before


def test_what_is_settled_is_not_undone_by_the_next_move(table):
    table.stand(2, 270.0, 210.0, 0.0, VERTICAL)
    table.settle()
    assert table.held is None
    table.move(2, 260.0, 210.0, 0.0, VERTICAL)
    table.take_back(2)
    assert sorted(tile.value for tile in table.truth()) == [2, 6]


@pytest.mark.parametrize("gap_mm", [-3.0, 0.0, 0.2])
def test_a_tile_put_onto_another_or_within_a_hair_knocks_it_over(gap_mm):
    table, clock = open_table(placing=Placing(0.0, 0.0))
    three(table)
    knocked = table.stand(4, 330.0 + 7.5 + gap_mm, 210.0, 0.0, VERTICAL)
    assert knocked == (9, 6, 2)
    assert table.truth() == ()
    assert 4 not in tilts(table)
    clock.advance(3.0)
    assert all(tilt > 1.0 for tilt in tilts(table).values())


def test_the_touched_tile_falls_away_from_the_hand():
    world = AllFall()
    table, _ = open_table(world=world, placing=Placing(0.0, 0.0))
    three(table)
    assert table.stand(4, 298.0, 210.0, 0.0, VERTICAL) == (6, 9)
    assert [chain.values for chain in world.chains] == [(6, 9)]
    assert [tile.value for tile in table.truth()] == [2]


def test_a_tile_squeezed_between_two_knocks_both_ways():
    table, _ = open_table(placing=Placing(0.0, 0.0))
    table.stand(9, 314.9, 210.0, 0.0, VERTICAL)
    assert sorted(table.stand(4, 307.45, 210.0, 0.0, VERTICAL)) == [6, 9]
    assert table.truth() == ()


def test_a_hairs_breadth_more_is_no_accident():
    table, _ = open_table(placing=Placing(0.0, 0.0))
    assert table.stand(4, 307.9, 210.0, 0.0, VERTICAL) == ()


def test_while_something_lies_there_nothing_more_is_placed():
    table, _ = open_table()
    three(table)
    table.knock(9)
    with pytest.raises(NotPlaced, match="lies on the table"):
        table.stand(4, 400.0, 210.0, 0.0, VERTICAL)
    lying = next(body["value"] for body in table.state()["lying"])
    with pytest.raises(NotPlaced, match="stand it up first"):
        table.move(lying, 400.0, 210.0, 0.0, VERTICAL)


def test_the_tile_stood_last_is_taken_up_again_though_it_has_fallen_over():
    table, _ = open_table(world=AllFall(up=(6,)), placing=Placing(0.0, 0.0))
    table.stand(4, 400.0, 210.0, 0.0, VERTICAL)
    assert table.knock(4) == (4,)
    table.move(4, 420.0, 210.0, 0.0, VERTICAL)
    assert [tile.value for tile in table.truth()] == [6, 4]
    table.knock(4)
    table.take_back(4)
    assert [body["value"] for body in table.state()["row"]] == [6]
    assert table.state()["lying"] == []


def test_after_an_accident_everything_can_be_stood_up_again():
    table, clock = open_table(placing=Placing(0.0, 0.0))
    three(table)
    before = {tile.value: (tile.pose.x_mm, tile.pose.y_mm) for tile in table.truth()}
    assert table.move(2, 333.0, 210.0, 0.0, VERTICAL)
    clock.advance(3.0)
    table.stand_up()
    after = {tile.value: (tile.pose.x_mm, tile.pose.y_mm) for tile in table.truth()}
    assert after == before
    assert set(tilts(table).values()) == {0.0}


def test_a_knock_goes_either_way():
    ways = set()
    for seed in range(20):
        table, _ = open_table(seed)
        three(table)
        ways.add(table.knock(6))
    assert ways == {(6, 2), (6, 9)}


def test_a_hand_is_in_view_for_two_looks_after_each_act(table):
    assert table.scene().hand is None
    table.stand(9, 340.0, 220.0, 0.0, VERTICAL)
    assert [table.scene().hand for _ in range(3)] == [(340.0, 220.0), (340.0, 220.0), None]
    table.take_back(9)
    assert [table.scene().hand is None for _ in range(3)] == [False, False, True]


def test_an_idle_table_is_the_same_scene_again(table):
    three(table)
    for _ in range(2):
        table.scene()
    assert table.scene() == table.scene()


def test_the_table_is_made_of_what_was_asked_for():
    assert open_table(table="felt")[0].scene().table == "felt"


def test_a_row_is_pushed_at_the_end_that_is_named():
    for first, values in ((2, (2, 6, 9)), (9, (9, 6, 2))):
        world = AllFall()
        table, _ = open_table(world=world)
        three(table)
        assert table.fall(Push(), first) == values
        [chain] = world.chains
        assert chain.values == values
        ahead = chain.tiles[1].pose.x_mm - chain.tiles[0].pose.x_mm
        assert all(tile.pose.normal[0] * ahead > 0 for tile in chain.tiles)


@pytest.mark.parametrize(("x_mm", "values"), [(360.0, (6, 9, 4)), (240.0, (6, 2, 4))])
def test_a_tile_pushed_inside_the_row_falls_to_the_longer_side(table, x_mm, values):
    three(table)
    table.stand(4, x_mm, 210.0, 0.0, VERTICAL)
    assert table.fall(Push(), 6) == values


def test_only_a_standing_tile_can_be_pushed(table):
    three(table)
    with pytest.raises(NotPlaced, match="not on the table"):
        table.fall(Push(), 11)
    table.fall(Push(), 2)
    with pytest.raises(NotPlaced, match="lies on the table"):
        table.fall(Push(), 2)


def test_tiles_fall_one_after_the_other_and_stay_where_they_fell():
    table, clock = open_table()
    three(table)
    table.fall(Push(), 2)
    seen = []
    for _ in range(100):
        seen.append(tilts(table))
        clock.advance(0.01)
    for value in (2, 6, 9):
        course = [tilt[value] for tilt in seen]
        assert course[0] == 0.0
        assert course == sorted(course)
        assert course[-1] == 1.4
    at_5_deg = [
        next(i for i, tilt in enumerate(seen) if tilt[value] > math.radians(5.0)) * 10
        for value in (2, 6, 9)
    ]
    begin_ms = 200 - 2.0 / 45.0 * 1000
    assert at_5_deg == pytest.approx([begin_ms, begin_ms + 100, begin_ms + 200], abs=11)
    assert table.at_rest()
    assert table.scene() == table.scene()


def test_it_is_not_at_rest_while_something_falls():
    table, clock = open_table()
    three(table)
    assert table.at_rest()
    table.fall(Push(), 2)
    clock.advance(0.3)
    assert not table.at_rest()
    clock.advance(1.0)
    assert table.at_rest()


def test_tiles_fall_down_the_row_whatever_way_they_were_put():
    table, clock = open_table(placing=Placing(0.0, 0.0))
    table.stand(2, 270.0, 210.0, math.pi, VERTICAL)
    table.fall(Push(), 2)
    clock.advance(2.0)
    for solid in table.scene().solids:
        assert solid.tilt_rad > 0
        assert solid.tile.state is State.STANDING
        assert solid.tile.pose.normal[0] == pytest.approx(1.0)


def test_a_tile_that_tips_back_falls_the_other_way():
    class Backwards:
        def fall(self, chain, push):
            return Fall(Outcome((True,), (0.1,)), (-1.5,), None, "")

    table, clock = open_table(world=Backwards(), placing=Placing(0.0, 0.0))
    table.fall(Push(), 6)
    clock.advance(2.0)
    [solid] = table.scene().solids
    assert solid.tilt_rad == 1.5
    assert solid.tile.pose.normal[0] == pytest.approx(-1.0)


def test_a_row_that_stalls_leaves_the_rest_standing():
    table, clock = open_table(world=AllFall(up=(6,)))
    three(table)
    assert table.fall(Push(), 2) == (2,)
    clock.advance(2.0)
    assert tilts(table) == {2: 1.4, 6: 0.0, 9: 0.0}
    assert [tile.value for tile in table.truth()] == [6, 9]


def test_what_is_tried_on_a_draft_leaves_the_table_as_it_is_until_it_becomes_so():
    table, clock = open_table()
    three(table)
    table.scene(), table.scene()  # the hand leaves
    before, draft = table.state(), table.draft()
    draft.stand(4, 250.0, 210.0, 0.0, VERTICAL)
    draft.knock(9)
    assert table.state() == before and table.scene().hand is None
    table.become(draft)
    assert table.state() == draft.state() != before
    assert table.scene().hand is not None and not table.at_rest()
    clock.advance(5.0)
    draft.clear()
    assert 4 in tilts(table), "what is done with the draft later is no business of the table"


def test_clearing_begins_anew():
    table, clock = open_table()
    three(table)
    table.fall(Push(), 2)
    clock.advance(1.0)
    table.clear()
    assert tilts(table) == {6: 0.0}
    assert table.scene().hand is None
    assert table.stand(2, 270.0, 210.0, 0.0, VERTICAL) == ()


def test_the_state_survives_json_and_another_process():
    table, clock = open_table(world=AllFall(up=(9,)))
    three(table)
    table.stand(4, 360.0, 230.0, 0.5, HORIZONTAL)
    standing = json.loads(json.dumps(table.state()))
    table.take_back(4)
    table.fall(Push(), 2)
    clock.advance(2.0)
    fallen = json.loads(json.dumps(table.state()))

    other, _ = open_table(seed=99)
    other.load(fallen)
    assert other.state() == fallen
    assert tilts(other) == tilts(table)
    other.load(standing)
    assert other.state() == standing
    assert [tile.value for tile in other.truth()] == [2, 6, 9, 4]
    other.take_back(4)
    assert [tile.value for tile in other.truth()] == [2, 6, 9]
    assert other.fall(Push(), 9) == (9, 6, 2)


def test_a_move_under_way_survives_another_process():
    table, _ = open_table()
    three(table)
    before = table.state()
    table.move(6, 365.0, 210.0, 0.0, VERTICAL)
    other, _ = open_table(seed=99)
    other.load(json.loads(json.dumps(table.state())))
    assert other.held == 6
    other.take_back(6)
    assert other.state() == before


def test_many_hands_at_once_do_no_harm():
    table = open_table()[0]
    errors = []

    def busy(value):
        try:
            for i in range(40):
                table.stand(value, 40.0 * value, 100.0 + 2 * i, 0.0, VERTICAL)
                table.scene()
                table.take_back(value)
        except Exception as error:
            errors.append(error)

    threads = [threading.Thread(target=busy, args=(value,)) for value in (1, 3, 10, 11)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30.0)
    assert errors == []
    assert [tile.value for tile in table.truth()] == [6]


def stroke_at(table, clock, stop_s=None):
    """Push the row at tile 2 with the virtual pusher, and stop it on the way if asked."""
    pusher = VirtualPusher(clock, np.random.default_rng(1), lambda push: table.fall(push, 2))
    pusher.set_switch(True)
    token = pusher.arm().token
    clock.sleep(0.6)
    if stop_s is not None:
        clock.after(stop_s, pusher.stop)
    pusher.push(token, Push())
    clock.advance(3.0)


def test_the_virtual_pusher_topples_the_row():
    table, clock = open_table()
    three(table)
    stroke_at(table, clock)
    assert table.truth() == ()


@pytest.mark.parametrize(("stop_s", "standing"), [(0.1, 3), (0.25, 0)])
def test_a_stop_saves_the_row_only_before_the_touch(stop_s, standing):
    table, clock = open_table()
    three(table)
    stroke_at(table, clock, stop_s)
    assert len(table.truth()) == standing


def row(*xs, heading=0.0):
    return Chain(tuple(Tile(i + 1, Pose(x, 210.0, heading), VERTICAL) for i, x in enumerate(xs)))


def test_in_the_plane_world_an_easy_row_falls_and_one_with_a_wide_gap_does_not():
    world = PymunkWorld(np.random.default_rng(1))
    for _ in range(5):
        assert world.fall(row(200, 225, 250, 275), Push()).outcome.all_fell
        gone = world.fall(row(200, 225, 250, 320), Push())
        assert gone.outcome.fallen == (True, True, True, False)
        assert len(gone.tilt_rad) == 4


def test_fallen_tiles_lean_on_each_other_and_the_last_lies_flat():
    fall = PymunkWorld(np.random.default_rng(1)).fall(row(200, 225, 250, 275), Push())
    assert fall.tilt_rad[-1] == pytest.approx(math.pi / 2, abs=0.05)
    assert all(1.0 < tilt < 1.5 for tilt in fall.tilt_rad[:-1])


def test_nobody_knows_how_a_doubtful_row_ends():
    doubtful = row(200, 254.0, 308.0)
    ends = [PymunkWorld(np.random.default_rng(s)).fall(doubtful, Push()) for s in range(30)]
    assert {end.outcome.all_fell for end in ends} == {True, False}


def test_the_same_hidden_chance_gives_the_same_fall():
    falls = [
        PymunkWorld(np.random.default_rng(3)).fall(row(200, 230, 260), Push()) for _ in range(2)
    ]
    assert falls[0] == falls[1]


def test_the_hidden_draw_never_puts_tiles_into_each_other():
    wild = HiddenDraw(xy_mm=3.0, heading_rad=0.2)
    close = row(200, 208.5, 217.0)
    for seed in range(10):
        fall = PymunkWorld(np.random.default_rng(seed), hidden=wild).fall(close, Push())
        assert len(fall.outcome.fallen) == 3


def test_the_push_that_is_asked_for_decides_too():
    world = PymunkWorld(np.random.default_rng(1))
    gentle = replace(Push(), stroke_mm=1.0, height_frac=0.9)
    assert not any(world.fall(row(200, 225), gentle).outcome.fallen)
