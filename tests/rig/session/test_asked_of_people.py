"""A bot at a table of real tiles that no camera sees: it asks, and a person says done."""

import pytest

from rig.session.devices import BY_HAND


@pytest.fixture
def table(seats):
    """Real tiles without a camera: ana plays with a bot, whose turn it is."""
    session = seats.session
    seats.sit("ana")
    seats.do("ana", "add_bot")
    session.devices_changed(BY_HAND)
    seats.do("ana", "start", first="s2")
    seats.see_row()
    return seats


def test_a_bot_does_not_say_itself_that_its_tile_stands(table):
    table.propose(3, 0)
    view = table.session.view("bot:s2")
    assert view["reading"]["state"] == "proposal"
    assert not view["may"]["confirm"]
    table.later(3600)
    assert table.session.game.row == (6,), "nothing stands by itself where nobody looks"


def test_any_person_stands_it_for_the_bot_and_says_done(table):
    table.propose(3, 0)
    assert table.session.view("ana")["may"]["stood"]
    assert not table.session.view("bot:s2")["may"]["stood"]
    table.do("ana", "stood")
    assert table.session.game.row == (3, 6)
    assert table.session.game.placer == "s2"


def test_nobody_says_done_for_a_person(table):
    table.propose(3, 0)
    table.do("ana", "stood")
    table.propose(9, 2)
    assert table.session.game.active == "s1"
    assert table.send("ana", "stood")["reason"] == "not_asked"
    table.do("ana", "confirm")


def test_a_watcher_says_nothing(table):
    table.propose(3, 0)
    assert not table.session.view("watcher")["may"]["stood"]
    assert table.send("watcher", "stood")["ok"] is False
    assert table.session.game.row == (6,)
