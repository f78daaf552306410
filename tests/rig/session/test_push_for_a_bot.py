"""A bot that pushes: a pretend arm obeys it, a real one only the phone of a person."""

import numpy as np
import pytest

from rig.games.estimation.story.authority import at_table
from rig.games.estimation.story.bot import Bot
from rig.games.estimation.story.character import ENGINEER
from rig.row.push_events import PushRequested


@pytest.fixture
def table(seats):
    """Ana, a bot and bo, in this order; the bot has to push, and all is ready for it."""
    seats.sit("ana")
    seats.do("ana", "add_bot")
    seats.do("bo", "sit", name="bo", mark="square")
    seats.do("bo", "ready", on=True)
    seats.do("ana", "start")
    seats.see_row()
    to_push(seats)
    return seats


def to_push(seats):
    seats.place("ana", 3, 0)
    seats.place("bot:s2", 9, 2)
    called(seats, "bo", "ana", "bo")
    assert (seats.session.table.phase, seats.session.game.toppler) == ("TOPPLE", "s2")
    seats.session.machine.pusher.set_switch(True)
    seats.session.update(clear=True)


def called(seats, caller, *voters):
    """Somebody calls, these doubt, and all have seen the open ballots."""
    seats.do(caller, "call")
    for device in voters:
        seats.do(device, "vote", side="failure")
    seats.later(60)
    seats.later(60)


def real_arm(seats):
    seats.session.machine.pretend = None


def view(seats, device):
    return seats.session.view(device)


def push(seats, device, **fields):
    nonce = seats.do(device, "hold")["nonce"]
    seats.session.clock.advance(seats.session.config.timing.hold)
    return seats.send(device, "push", nonce=nonce, **fields)


def test_a_bot_pushes_with_a_pretend_arm_itself(table):
    assert view(table, "bot:s2")["push"]["hand"] == "s2"
    assert view(table, "bot:s2")["may"]["hold"]
    assert table.send("bo", "hold")["reason"] == "not_toppler"
    assert push(table, "bot:s2")["ok"]


def test_a_real_arm_is_started_by_the_next_person_and_by_nobody_else(table):
    real_arm(table)
    for device in ("ana", "bot:s2", "watcher", "bo"):
        assert view(table, device)["push"]["hand"] == "s3"
        assert view(table, device)["may"]["hold"] == (device == "bo")
    for device, why in {
        "ana": "not_toppler",
        "bot:s2": "not_toppler",
        "watcher": "no_seat",
    }.items():
        assert table.send(device, "hold")["reason"] == why
        assert table.send(device, "push", nonce="")["reason"] == why
    assert table.session.table.attempt is None
    assert push(table, "bo")["ok"]
    assert table.session.table.attempt.number == 1


def test_a_bot_asks_a_real_arm_for_nothing(table):
    real_arm(table)
    bot = Bot("s2", np.random.default_rng(1), ENGINEER)
    assert bot.next_command(view(table, "bot:s2")) is None


def test_a_person_pushes_a_real_arm_for_themselves(seats):
    seats.start("ana", "bo")
    seats.place("ana", 3, 0)
    called(seats, "bo", "bo")
    real_arm(seats)
    assert view(seats, "bo")["push"]["hand"] == seats.session.game.toppler == "s1"


def test_the_host_acts_for_the_next_person_without_a_phone(table):
    real_arm(table)
    table.session.connected("ana", True)
    assert "hold" in view(table, "ana")["for"]["s3"]["may"]
    nonce = table.do("ana", "hold", **{"for": "s3"})["nonce"]
    table.session.clock.advance(table.session.config.timing.hold)
    table.do("ana", "push", nonce=nonce, **{"for": "s3"})
    assert table.session.table.attempt.number == 1


def test_whoever_leaves_hands_the_button_on(table):
    real_arm(table)
    table.do("bo", "hold")
    table.do("bo", "leave")
    table.session.update(clear=True)
    assert view(table, "ana")["push"]["hand"] == "s1"
    assert view(table, "ana")["push"]["held"] is False
    assert push(table, "ana")["ok"]


def test_where_only_bots_play_the_host_holds_and_no_watcher(seats):
    seats.session.make_host("console")
    for _ in range(2):
        seats.do("console", "add_bot")
    seats.do("console", "start")
    seats.see_row()
    seats.place("bot:s1", 3, 0)
    called(seats, "bot:s2", "bot:s2")
    seats.session.machine.pusher.set_switch(True)
    seats.session.update(clear=True)
    real_arm(seats)
    assert view(seats, "watcher")["push"]["hand"] == "host"
    assert [view(seats, who)["may"]["hold"] for who in ("watcher", "console")] == [False, True]
    assert seats.send("watcher", "hold")["reason"] == "no_seat"
    assert push(seats, "console")["ok"]


def test_the_proof_knows_whose_push_it_may_be(table):
    now, asked = table.session.table, PushRequested(1, "left", 3, None)
    whose = {who: at_table(now, now, who, asked, True) for who in ("s1", "s2", "s3", "host")}
    assert whose == {
        "s1": (True, False),
        "s2": (True, True),
        "s3": (True, True),
        "host": (True, False),
    }
