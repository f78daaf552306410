"""A table without a machine: what the placer shows on the phone is believed."""

import threading

import pytest

from rig.clock import ManualClock, SystemClock
from rig.machine.build import open_by_hand
from rig.machine.ticker import Ticker


@pytest.fixture
def hands(seats):
    """Two players at a table without camera and pusher."""
    open_by_hand(seats.session)
    seats.sit("ana", "bo")
    seats.do("ana", "start")
    return seats


def stand(seats, device, value, x_mm, y_mm=210.0):
    return seats.do(
        device, "stand", value=value, x_mm=x_mm, y_mm=y_mm, heading_deg=0.0, orientation="vertical"
    )


def active(seats):
    return seats.session.table.player(seats.session.game.active).device


def test_a_fresh_round_shows_its_first_tile_without_a_camera(hands):
    view = hands.session.view("ana")
    assert [tile["value"] for tile in view["row"]] == list(hands.session.game.row)
    assert view["virtual"] and view["may"]["stand"]


def test_every_turn_begins_with_a_row_that_waits_for_its_next_tile(hands):
    for value, x_mm in ((3, 270.0), (9, 330.0)):
        who = active(hands)
        stand(hands, who, value, x_mm)
        hands.do(who, "confirm")
        assert hands.session.view(who)["reading"]["state"] == "waiting"


@pytest.mark.parametrize(("x_mm", "place"), [(270.0, "left"), (330.0, "right")])
def test_a_tile_is_read_where_the_placer_shows_it(hands, x_mm, place):
    who = active(hands)
    stand(hands, who, 3, x_mm)
    reading = hands.session.view(who)["reading"]
    assert (reading["state"], reading["tile"]["value"], reading["place"]) == ("proposal", 3, place)
    hands.do(who, "confirm")
    row = [tile["value"] for tile in hands.session.view(who)["row"]]
    assert row == ([3, 6] if place == "left" else [6, 3])


def test_a_tile_between_two_others_is_read_there(hands):
    for value, x_mm in ((3, 240.0), (9, 270.0)):
        who = active(hands)
        stand(hands, who, value, x_mm)
        hands.do(who, "confirm")
    assert [tile["value"] for tile in hands.session.view("ana")["row"]] == [3, 9, 6]


def test_a_tile_shown_in_the_place_of_another_is_wrong(hands):
    stand(hands, active(hands), 3, 300.0)
    assert hands.session.view("ana")["reading"]["state"] == "wrong"
    assert hands.send(active(hands), "confirm")["reason"] == "no_proposal"


def test_the_placer_may_think_again(hands):
    who = active(hands)
    stand(hands, who, 3, 270.0)
    hands.do(who, "take_back")
    assert hands.session.view(who)["reading"]["state"] == "waiting"
    stand(hands, who, 4, 270.0)
    hands.do(who, "confirm")
    assert 4 in hands.session.game.row


def test_a_finger_pushes_and_the_players_report(hands):
    placer = active(hands)
    caller = "bo" if placer == "ana" else "ana"
    stand(hands, placer, 3, 270.0)
    hands.do(placer, "confirm")
    hands.do(caller, "call")
    hands.do(caller, "vote", side="failure")
    hands.later(2.4)
    hands.later(8.0)
    view = hands.session.view(placer)
    assert view["phase"] == "TOPPLE" and not view["push"]["machine"]
    hands.do(placer, "report", outcome="fell")
    hands.do(caller, "agree")
    assert hands.session.view(placer)["phase"] == "ROUND_END"


def test_a_table_by_hand_opens_again_as_it_was(hands, open_session):
    who = active(hands)
    stand(hands, who, 3, 270.0)
    hands.do(who, "confirm")
    before = hands.session.view("ana")["row"]
    again = open_session()
    open_by_hand(again.session)
    assert again.session.view("ana")["row"] == before


def test_what_is_due_happens_without_a_machine(hands):
    clock = hands.session.clock
    ticker = Ticker(clock)
    ticker.add(hands.session)
    assert ticker.step() is None
    placer = active(hands)
    caller = "bo" if placer == "ana" else "ana"
    stand(hands, placer, 3, 270.0)
    hands.do(placer, "confirm")
    hands.do(caller, "call")
    hands.do(caller, "vote", side="failure")
    assert hands.session.table.phase == "COUNTDOWN"
    assert ticker.step() == pytest.approx(2.4)
    clock.advance(2.41)
    ticker.step()
    assert hands.session.table.phase == "REVEAL"
    ticker.close()


class Table:
    """Something that is due again and again."""

    def __init__(self, left_s):
        self.left_s = left_s
        self.ticks = threading.Semaphore(0)
        self.told = None

    def subscribe(self, callback):
        self.told = callback
        return lambda: setattr(self, "told", None)

    def tick(self):
        self.ticks.release()
        if isinstance(self.left_s, Exception):
            raise self.left_s
        return self.left_s


def test_one_thread_lets_time_pass_at_all_tables():
    ticker = Ticker(SystemClock())
    tables = [Table(0.0), Table(None), Table(0.001)]
    for table in tables:
        ticker.add(table)
    ticker.start()
    for table in (tables[0], tables[2]):
        assert all(table.ticks.acquire(timeout=120) for _ in range(5))
    assert tables[1].ticks.acquire(timeout=120)
    tables[1].told()
    assert tables[1].ticks.acquire(timeout=120)
    ticker.close()
    assert [table.told for table in tables] == [None] * 3


def test_a_table_in_trouble_does_not_stop_the_others(caplog):
    clock = ManualClock()
    ticker = Ticker(clock)
    bad, good = Table(RuntimeError("no disk")), Table(5.0)
    ticker.add(bad)
    ticker.add(good)
    assert ticker.step() == 2.0
    assert "does not know" in caplog.text
    clock.advance(2.0)
    assert ticker.step() == 2.0
    clock.advance(3.0)
    ticker.step()
    assert [table.ticks._value for table in (bad, good)] == [3, 2]
    ticker.close()


def test_a_tile_that_was_shown_counts_by_itself_unless_it_is_taken_in_hand_again(hands):
    who = active(hands)
    stand(hands, who, 3, 270.0)
    hands.later(7.9)
    hands.do(who, "take_back")
    hands.later(60.0)
    assert hands.session.game.row == (6,)
    stand(hands, who, 3, 275.0)
    hands.later(7.9)
    assert hands.session.game.row == (6,)
    hands.later(0.2)
    assert hands.session.game.row == (3, 6)


def seen(value, x_mm, y_mm=200.0, sigma_mm=0.2):
    return {
        "value": value,
        "x_mm": x_mm,
        "y_mm": y_mm,
        "heading_deg": 0.0,
        "orientation": "vertical",
        "sigma_mm": sigma_mm,
        "sigma_deg": 0.3,
        "state": "standing",
    }


def photograph(seats, *tiles, device=None):
    return seats.do(device or active(seats), "photographed", tiles=list(tiles))


def test_a_photo_says_which_tile_came_and_measures_the_whole_row(hands):
    who = active(hands)
    (first,) = hands.session.game.row
    photograph(hands, seen(first, 251.5), seen(9, 280.25))
    reading = hands.session.view(who)["reading"]
    assert (reading["state"], reading["tile"]["value"], reading["place"]) == (
        "proposal",
        9,
        "right",
    )
    hands.do(who, "confirm")
    places = {tile.value: (tile.x_mm, tile.sigma_mm) for tile in hands.session.table.row}
    assert places == {first: (251.5, 0.2), 9: (280.25, 0.2)}


def test_the_next_tile_may_be_shown_by_a_finger_and_the_one_after_by_a_photo_again(hands):
    (first,) = hands.session.game.row
    photograph(hands, seen(first, 250.0), seen(9, 280.0))
    hands.do(active(hands), "confirm")
    stand(hands, active(hands), 3, 310.0, 200.0)
    hands.do(active(hands), "confirm")
    photograph(hands, seen(first, 240.0), seen(9, 271.0), seen(3, 304.0), seen(7, 335.0))
    hands.do(active(hands), "confirm")
    assert [tile.value for tile in hands.session.table.row] == [first, 9, 3, 7]
    assert all(tile.sigma_mm == 0.2 for tile in hands.session.table.row)


@pytest.mark.parametrize(
    ("shown", "reason"),
    [
        ([], "photo_row"),
        ([seen(9, 280.0)], "photo_row"),
        (["first"], "photo_none"),
        (["first", seen(9, 280.0), seen(3, 220.0)], "photo_several"),
        (["first", {"value": 9}], "bad_command"),
        (["first", 9], "bad_command"),
        ([seen(1, 1.0)] * 41, "bad_command"),
    ],
    ids=["nothing", "the row is hidden", "none", "two", "no place", "no object", "too many"],
)
def test_a_photo_that_does_not_show_one_tile_more_changes_nothing(hands, shown, reason):
    before = hands.session.journal.version
    who = active(hands)
    (first,) = hands.session.game.row
    tiles = [seen(first, 250.0) if each == "first" else each for each in shown]
    reply = hands.send(who, "photographed", tiles=tiles)
    assert (reply["ok"], reply["reason"]) == (False, reason)
    assert hands.session.journal.version == before
    assert hands.session.view(who)["reading"]["state"] == "waiting"


def test_a_photo_of_another_order_than_the_rows_is_refused(hands):
    (first,) = hands.session.game.row
    for value, x_mm in ((9, 330.0), (3, 360.0)):
        stand(hands, active(hands), value, x_mm)
        hands.do(active(hands), "confirm")
    reply = hands.send(
        active(hands),
        "photographed",
        tiles=[seen(9, 240.0), seen(first, 270.0), seen(3, 300.0), seen(7, 330.0)],
    )
    assert reply["reason"] == "photo_order"


def test_a_thing_without_a_number_counts_only_where_no_numbered_tile_came(hands):
    who = active(hands)
    (first,) = hands.session.game.row
    photograph(hands, seen(first, 250.0), seen(None, 400.0), seen(9, 280.0))
    assert hands.session.view(who)["reading"]["tile"]["value"] == 9
    photograph(hands, seen(first, 250.0), seen(None, 280.0))
    assert hands.session.view(who)["reading"]["state"] == "unsure"


def test_only_whose_turn_it_is_shows_a_photo(hands):
    other = {"ana": "bo", "bo": "ana"}[active(hands)]
    reply = hands.send(other, "photographed", tiles=[])
    assert reply["reason"] == "not_your_turn"


def test_a_number_that_is_put_right_after_a_photo_is_written_down(hands):
    who = active(hands)
    (first,) = hands.session.game.row
    photograph(hands, seen(first, 250.0), seen(None, 280.0))
    hands.do(who, "correct", value=9, position=1)
    assert [tile.value for tile in hands.session.table.row] == [first, 9]
    stand(hands, active(hands), 3, 310.0, 200.0)
    assert hands.session.view(active(hands))["reading"]["state"] == "proposal"
