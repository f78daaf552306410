"""What the referee makes of what has changed on the table: one tile placed, or something else."""

import math
from dataclasses import replace

import numpy as np
import pytest

from physics.row.outcome import Outcome
from physics.row.pose import Pose
from physics.row.tile import Orientation, State, Tile
from rig.games.estimation.game import Options
from rig.games.estimation.table.estimation_play import PLAY, apply
from rig.games.estimation.table.estimation_table import EstimationTable
from rig.games.estimation.terms import Phase
from rig.row.interpret import differing, has_slid, read, what_was_seen
from rig.row.push_events import OutcomeSeen, Standing
from rig.row.written_row import chain_of, marks, may_stay
from vision.geometry.camera_pose import CameraPose
from vision.look.eye import Look
from vision.look.observe import Observation
from vision.look.track import Tracker

CAMERA = CameraPose(np.eye(3), np.zeros(3))
SUPPLY = (1, 2, 4, 5, 7, 9, 10, 11)


class Play:
    """A game with the row 3 8 6, seen by a tracker; `sees` shows it tiles until they are agreed."""

    def __init__(self, supply=SUPPLY, max_gap="free", row=(3, 8, 6)):
        table = EstimationTable()
        options = Options(max_gap=max_gap)
        self.table = replace(
            table,
            game=replace(table.game, phase=Phase.TURN, row=row, supply=supply, options=options),
            row=tuple(
                Standing(
                    value, "vertical", 200.0 + 30 * n, 200.0, 0.0, sigma_mm=0.05, sigma_deg=0.1
                )
                for n, value in enumerate(row)
            ),
        )
        self.row = chain_of(self.table.row).tiles
        self.tracker = Tracker(PLAY.physical.row_rules(self.table, self.row[0].spec))
        self.sees(*self.row)
        self.tracker.settle()

    def sees(self, *tiles):
        for n in range(12):
            self.sight = self.tracker.see(Look(CAMERA, tiles, False), float(n))
        return read(self.sight, self.duty)

    @property
    def duty(self):
        return PLAY.physical.duty(self.table)


def tile(value, x_mm, y_mm=200.0, state=State.STANDING):
    how = Orientation.VERTICAL if state is State.STANDING else None
    return Tile(value, Pose(x_mm, y_mm, 0.0), how, state, sigma_mm=0.2)


def shifted(tile, dx_mm=0.0, dy_mm=0.0):
    pose = Pose(tile.pose.x_mm + dx_mm, tile.pose.y_mm + dy_mm, tile.pose.heading_rad)
    return replace(tile, pose=pose)


@pytest.fixture
def play():
    return Play()


def test_one_new_tile_is_proposed(play):
    told = play.sees(*play.row, tile(4, 290.0))
    assert (told.state, told.tile.value, told.position, told.notices) == ("proposal", 4, 3, ())


def test_two_new_tiles_are_named_and_neither_is_proposed(play):
    told = play.sees(*play.row, tile(9, 170.0), tile(4, 290.0))
    assert (told.state, sorted(told.came), told.tile) == ("several", [4, 9], None)


def test_new_tiles_that_cannot_be_read_are_counted(play):
    told = play.sees(*play.row, tile(None, 290.0), tile(None, 320.0))
    assert (told.state, told.came) == ("several", (None, None))


def test_a_tile_that_took_the_place_of_another_is_an_exchange(play):
    told = play.sees(play.row[0], play.row[1], tile(4, 262.0))
    assert (told.state, told.came, told.gone) == ("exchanged", (4,), (6,))


def test_a_tile_that_is_gone_is_named(play):
    play.tracker.see(Look(CAMERA, play.row, False), 9.0)
    states = []
    for n in range(12):
        sight = play.tracker.see(Look(CAMERA, play.row[:2], False), 10.0 + n)
        states.append(read(sight, play.duty))
    gone = [told for told in states if told.state == "gone"]
    assert gone and gone[0].gone == (6,)
    # Gone for good it counts as down, and people are asked.
    assert (states[-1].state, states[-1].gone) == ("down", (6,))


def test_a_tile_that_lies_is_down(play):
    told = play.sees(*play.row[:2], tile(None, 285.0, state=State.FALLEN))
    assert (told.state, told.gone) == ("down", (6,))


def test_a_tile_shifted_in_passing_is_told_and_the_placed_one_still_proposed(play):
    told = play.sees(play.row[0], shifted(play.row[1], 2.5), play.row[2], tile(4, 290.0))
    assert (told.state, told.tile.value) == ("proposal", 4)
    assert told.notices == (("shifted", (8,)),)


def test_a_tile_shifted_alone_is_told_while_the_turn_goes_on(play):
    told = play.sees(play.row[0], shifted(play.row[1], 2.5), play.row[2])
    assert (told.state, told.notices) == ("waiting", (("shifted", (8,)),))


def test_a_tile_that_tipped_over_while_it_was_placed_is_told_and_is_no_accident(play):
    told = play.sees(*play.row, tile(4, 300.0, state=State.FALLEN))
    assert (told.state, told.notices) == ("waiting", (("lying", (4,)),))
    assert play.sight.accident == ()


def test_a_row_that_moves_as_a_whole_lies_on_a_mat_that_has_slid(play):
    turn = math.radians(3.0)
    slid = [
        replace(t, pose=Pose(t.pose.x_mm + 6.0, t.pose.y_mm + t.pose.x_mm * 0.05, turn))
        for t in play.row
    ]
    told = play.sees(*slid)
    assert has_slid(play.sight, play.table.row)
    assert (told.state, told.notices) == ("waiting", ())


def test_tiles_that_move_each_by_itself_have_not_slid(play):
    play.sees(*(shifted(t, 2.0 + 2.0 * n) for n, t in enumerate(play.row)))
    assert len(play.sight.moved) == 3
    assert not has_slid(play.sight, play.table.row)


LAST = {"supply": (), "row": (3, 8, 5, 6)}


def test_without_supply_the_tile_that_was_taken_to_an_end_is_proposed_not_the_one_touched():
    play = Play(**LAST)
    three, eight, _, six = play.row
    told = play.sees(three, shifted(eight, 2.0), tile(5, 320.0), six)
    assert (told.state, told.tile.value, told.position) == ("proposal", 5, 3)
    assert told.notices == (("shifted", (8,)),)


def test_without_supply_a_middle_tile_that_is_only_touched_is_not_proposed():
    play = Play(**LAST)
    three, eight, five, six = play.row
    told = play.sees(three, shifted(eight, 2.0), five, six)
    assert (told.state, told.tile, told.notices) == ("waiting", None, (("shifted", (8,)),))


def test_without_supply_a_tile_taken_to_another_middle_place_is_wrong():
    play = Play(**LAST)
    three, _, five, six = play.row
    told = play.sees(three, five, tile(8, 276.0), six)
    assert told.state == "wrong"
    assert ("middle", (8,)) in told.violations


def test_without_supply_one_middle_tile_in_a_hand_is_waited_for():
    play = Play(**LAST)
    three, _, five, six = play.row
    assert play.sees(three, five, six).state == "waiting"


@pytest.mark.parametrize(("max_gap", "state"), [("free", "proposal"), ("tile_height", "wrong")])
def test_a_gap_wider_than_a_tile_is_tall_is_wrong_only_where_the_rules_say_so(max_gap, state):
    play = Play(max_gap=max_gap)
    told = play.sees(*play.row, tile(4, 260.0 + 7.5 + 60.0))
    assert told.state == state
    assert [kind for kind, _ in told.violations] == (["too_far"] if state == "wrong" else [])


def test_fallen_tiles_are_kept_where_they_lie_and_others_where_they_stood(play):
    lying = replace(tile(8, 251.0, 207.0, State.FALLEN), pose=Pose(251.0, 207.0, 0.5))
    chain = chain_of(play.table.row)
    outcome = Outcome((True, True, False))
    seen = what_was_seen(chain, Observation(outcome, (1.0,) * 3, b"", lying=(None, lying, None)), 1)
    row = apply(play.table, OutcomeSeen(seen, {})).row
    assert [t.state for t in row] == ["fallen", "fallen", "standing"]
    assert (row[1].x_mm, row[1].y_mm) == (251.0, 207.0)
    assert row[1].heading_deg == pytest.approx(math.degrees(0.5), abs=0.01)
    assert [(t.x_mm, t.y_mm) for t in (row[0], row[2])] == [(200.0, 200.0), (260.0, 200.0)]


def test_a_low_tile_nobody_has_made_out_lies_across_the_way_it_fell(play):
    low = replace(play.table.row[1], orientation="horizontal", heading_deg=10.0)
    table = replace(play.table, row=(play.table.row[0], low, play.table.row[2]))
    seen = what_was_seen(
        chain_of(table.row), Observation(Outcome((True, True, True)), (1.0,) * 3, b""), 1
    )
    row = apply(table, OutcomeSeen(seen, {})).row
    assert [t.heading_deg for t in row] == [0.0, 100.0, 0.0]


def turned(tile, degrees):
    heading_rad = tile.pose.heading_rad + math.radians(degrees)
    return replace(tile, pose=replace(tile.pose, heading_rad=heading_rad))


def differences(reading):
    return [(one.kind.value, one.value) for one in reading.differs]


def test_a_tile_of_the_row_that_stands_elsewhere_is_a_row_that_differs(play):
    told = play.sees(play.row[0], shifted(play.row[1], 0.0, 12.0), play.row[2])
    assert (told.state, differences(told)) == ("differs", [("shifted", 8)])
    assert round(told.differs[0].by_mm) == 12
    assert [tile.value for tile in told.row] == [3, 8, 6]
    assert may_stay(told, play.table.game.row)


def test_a_turned_tile_and_one_on_its_other_edge_differ_too(play):
    low = replace(play.row[2], orientation=Orientation.HORIZONTAL)
    told = play.sees(play.row[0], turned(play.row[1], 25.0), low)
    assert differences(told) == [("turned", 8), ("edge", 6)]


def test_while_the_row_differs_the_tile_placed_meanwhile_is_not_proposed(play):
    told = play.sees(play.row[0], shifted(play.row[1], 0.0, 12.0), play.row[2], tile(4, 290.0))
    assert (told.state, told.tile, differences(told)) == ("differs", None, [("shifted", 8)])
    assert [tile.value for tile in told.row] == [3, 8, 6]
    told = play.sees(*play.row, tile(4, 290.0))
    assert (told.state, told.tile.value) == ("proposal", 4)


def test_tiles_changed_over_cannot_stay_for_the_rules_know_the_order(play):
    three, eight, six = play.row
    told = play.sees(three, replace(six, pose=eight.pose), replace(eight, pose=six.pose))
    assert (told.state, differences(told)) == ("differs", [("order", 8), ("order", 6)])
    assert not may_stay(told, play.table.game.row)


def test_it_differs_until_it_is_seen_to_be_right_whatever_hands_do_meanwhile(play):
    away = (play.row[0], shifted(play.row[1], 0.0, 12.0), play.row[2])
    told = play.sees(*away)
    play.sight = play.tracker.see(Look(CAMERA, away, True), 13.0)
    assert read(play.sight, play.duty, told) is told
    play.sight = play.tracker.see(Look(CAMERA, play.row, False), 14.0)
    assert (play.sight.still, read(play.sight, play.duty, told)) == (False, told)
    back = play.sees(*play.row)
    assert (back.state, back.differs) == ("waiting", ())


def test_a_measurement_that_trembles_says_the_same_as_before(play):
    away = shifted(play.row[1], 0.0, 12.0)
    told = play.sees(play.row[0], away, play.row[2])
    play.sees(play.row[0], shifted(away, 0.0, 0.4), play.row[2])
    assert read(play.sight, play.duty, told) is told
    play.sees(play.row[0], shifted(away, 0.0, 6.0), play.row[2])
    again = read(play.sight, play.duty, told)
    assert round(again.differs[0].by_mm) == 18


def test_without_supply_a_tile_shoved_within_its_place_was_touched_and_not_taken():
    play = Play(**LAST)
    three, eight, five, six = play.row
    told = play.sees(three, shifted(eight, 0.0, 12.0), five, six)
    assert (told.state, differences(told)) == ("differs", [("shifted", 8)])


def test_without_supply_the_tile_taken_to_an_end_is_proposed_once_the_others_are_right():
    play = Play(**LAST)
    three, eight, _, six = play.row
    told = play.sees(three, shifted(eight, 0.0, 12.0), tile(5, 320.0), six)
    assert (told.state, differences(told)) == ("differs", [("shifted", 8)])
    told = play.sees(three, eight, tile(5, 320.0), six)
    assert (told.state, told.tile.value) == ("proposal", 5)


def test_what_went_while_nobody_watched_is_a_difference_and_no_accident(play):
    play.sees(*play.row[:2])
    told = read(play.sight, play.duty, None, unseen=True)
    assert (told.state, differences(told)) == ("differs", [("gone", 6)])
    assert told.differs[0].was.pose.x_mm == 260.0
    assert not may_stay(told, play.table.game.row)


def test_what_fell_while_nobody_watched_is_drawn_where_it_lies(play):
    play.sees(*play.row[:2], tile(None, 285.0, state=State.FALLEN))
    told = read(play.sight, play.duty, None, unseen=True)
    assert (told.state, differences(told)) == ("differs", [("down", 6)])
    assert told.differs[0].now.pose.x_mm == 285.0


@pytest.mark.parametrize("phase", [Phase.BALLOT, Phase.TOPPLE])
def test_after_a_call_a_tile_too_many_is_a_difference(play, phase):
    table = replace(play.table, game=replace(play.table.game, phase=phase))
    play.sees(*play.row, tile(4, 290.0))
    told = differing(play.sight, PLAY.physical.duty(table), None, whole=True)
    assert differences(told) == [("extra", 4)]
    play.sees(*play.row)
    assert differing(play.sight, PLAY.physical.duty(table), told, whole=True) is None


def pointed(reading):
    return [
        (one.kind.value, one.value, one.now is not None, one.was is not None)
        for one in marks(reading)
    ]


def test_a_picture_points_at_the_tile_that_breaks_a_rule_and_at_those_it_breaks_it_with():
    play = Play(max_gap="tile_height")
    told = play.sees(*play.row, tile(4, 260.0 + 7.5 + 60.0))
    assert told.violations == (("too_far", (6, 4)),)
    assert pointed(told) == [("broken", 4, True, False), ("broken", 6, True, False)]


def test_a_picture_points_at_tiles_that_came_and_at_the_places_of_those_that_went(play):
    told = play.sees(*play.row, tile(9, 170.0), tile(4, 290.0))
    assert sorted(pointed(told)) == [("extra", 4, True, False), ("extra", 9, True, False)]
    told = play.sees(play.row[0], play.row[1], tile(4, 262.0))
    assert pointed(told) == [("gone", 6, False, True), ("extra", 4, True, False)]
    told = play.sees(*play.row[:2], tile(None, 285.0, state=State.FALLEN))
    assert pointed(told) == [("down", 6, True, True)]


def test_a_picture_of_a_row_that_is_right_points_at_nothing(play):
    assert pointed(play.sees(*play.row)) == []
    assert pointed(play.sees(*play.row, tile(4, 290.0))) == []
