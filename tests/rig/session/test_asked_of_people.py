"""A bot at a table of real tiles has no hands: it asks, and a person stands its tile."""

import numpy as np
import pytest

from rig.games.estimation.story.bot import Bot
from rig.games.estimation.story.character import ENGINEER
from rig.row.row_live import Reading
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


ASKED = {"value": 3, "x_mm": 276.0, "y_mm": 210.0, "heading_deg": 0.0, "orientation": "vertical"}


@pytest.fixture
def watched(seats):
    """Real tiles under a camera: ana and bo play with a bot, whose turn it is."""
    seats.session.machine.virtual = False
    seats.sit("ana", "bo")
    seats.do("ana", "add_bot")
    seats.do("ana", "start", first="s3")
    seats.see_row()
    seats.session.read(Reading("waiting"))
    return seats


def test_under_a_camera_everybody_sees_which_tile_a_bot_asks_for_and_where(watched):
    watched.do("bot:s3", "stand", **ASKED)
    for viewer in ("ana", "bo", "watcher"):
        wanted = watched.session.view(viewer)["wanted"]
        assert (wanted["tile"]["value"], wanted["place"], wanted["position"]) == (3, "left", 0)
    assert watched.session.game.row == (6,), "asked for is not stood"


def test_the_camera_s_reading_of_the_tile_asked_for_is_the_bot_s(watched):
    watched.do("bot:s3", "stand", **ASKED)
    watched.propose(3, 0)
    watched.do("bot:s3", "confirm")
    assert (watched.session.game.row, watched.session.game.placer) == ((3, 6), "s3")
    assert watched.session.view("ana")["wanted"] is None


def test_another_tile_that_people_stand_for_a_bot_counts_as_any_reading_does(watched):
    watched.do("bot:s3", "stand", **ASKED)
    watched.propose(9, 1)
    watched.later(8.1)
    assert (watched.session.game.row, watched.session.game.placer) == ((6, 9), "s3")


def test_with_no_hurry_a_person_s_word_is_enough_for_another_tile(watched):
    watched.do("ana", "set_timers", no_hurry=True)
    watched.do("bot:s3", "stand", **ASKED)
    watched.propose(9, 1)
    watched.later(1000)
    assert watched.session.game.row == (6,)
    watched.do("bo", "stood")
    assert watched.session.game.row == (6, 9)


def test_no_person_asks_by_a_phone_for_what_their_own_hand_can_stand(watched):
    watched.do("bot:s3", "stand", **ASKED)
    watched.propose(3, 0)
    watched.do("bot:s3", "confirm")
    assert not watched.session.view("ana")["may"]["stand"]
    assert watched.send("ana", "stand", **{**ASKED, "value": 2})["reason"] == "not_virtual"


def test_nobody_is_asked_to_stand_a_tile_onto_another(watched):
    on_the_six = {**ASKED, "x_mm": 301.0}
    assert watched.send("bot:s3", "stand", **on_the_six)["reason"] == "no_such_position"
    assert watched.session.view("ana")["wanted"] is None


@pytest.mark.parametrize("asked_s", [1.0, 60.0, 600.0])
def test_a_bot_asks_once_however_long_people_take(watched, asked_s):
    bot = Bot("s3", np.random.default_rng(5), ENGINEER)
    view = watched.session.view
    command = bot.next_command(view("bot:s3"))
    assert command["type"] == "stand"
    bot.answer(command, watched.do("bot:s3", **_typed(command)))
    watched.session.clock.advance(asked_s)
    assert bot.next_command(view("bot:s3")) is None
    wanted = view("ana")["wanted"]
    assert wanted["tile"]["value"] == command["value"]
    watched.propose(command["value"], wanted["position"])
    assert bot.next_command(view("bot:s3"))["type"] == "confirm"


def test_a_bot_does_not_call_another_tile_its_own(watched):
    bot = Bot("s3", np.random.default_rng(5), ENGINEER)
    command = bot.next_command(watched.session.view("bot:s3"))
    bot.answer(command, watched.do("bot:s3", **_typed(command)))
    other = 9 if command["value"] != 9 else 8
    watched.propose(other, 1)
    assert bot.next_command(watched.session.view("bot:s3")) is None


def test_where_the_camera_is_lost_a_bot_asks_as_at_a_table_without_one(watched):
    bot = Bot("s3", np.random.default_rng(5), ENGINEER)
    command = bot.next_command(watched.session.view("bot:s3"))
    bot.answer(command, watched.do("bot:s3", **_typed(command)))
    watched.session.machine.virtual = True  # what a machine without a camera says
    watched.session.devices_changed(BY_HAND)
    watched.session.read(Reading("waiting"))
    assert watched.session.view("ana")["wanted"] is None
    assert bot.next_command(watched.session.view("bot:s3"))["type"] == "stand"


def _typed(command):
    return {"kind": command["type"], **{k: v for k, v in command.items() if k != "type"}}
