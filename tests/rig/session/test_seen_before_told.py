"""Nobody is told what came of a push on the virtual table before a screen has shown it."""

import json
import os

import pytest

from rig.config import load_config
from rig.games.estimation.commands import Report
from rig.games.estimation.terms import CAMERA, Result
from rig.row.push_events import OutcomeSeen, PushEnded, PushRequested, PushStep, Seen
from rig.row.row_table import WorldChanged
from rig.row.telling import LONGEST_S

PUSHES = int(os.environ.get("DOMINO_PUSHES", "24"))
STEP_S = 0.15
NAMES = {"s1": "ana", "s2": "bo", "s3": "cy"}
HOW = ("visible", "still", "hidden", "none", "silent", "sleeps")
"""A table screen that shows the fall, with motion or without; one that is hidden, none; one that
never says that it has begun, and one that never says that it is over."""


@pytest.fixture
def table(seats):
    """A table with a virtual row and three phones, at its first turn."""
    seats.start("ana", "bo", "cy")
    seats.session.commit([WorldChanged({})], CAMERA)
    return seats


def to_push(seats, names=NAMES):
    seats.see_row()
    active = seats.session.game.active
    seats.place(names[active], seats.session.game.supply[0], 0)
    caller = names[seats.session.game.active]
    seats.do(caller, "call")
    for seat in seats.session.game.playing:
        if seat not in seats.session.game.ballots:
            seats.do(names[seat], "vote", side="failure")
    while seats.session.table.phase != "TOPPLE":
        seats.later(0.5)


def pushed(seats, outcome=Result.FELL, sure=True):
    """The pusher has pushed; the camera writes down what it saw of it."""
    session, game = seats.session, seats.session.game
    number, wave = session.table.pushes + 1, game.row if game.end == "left" else game.row[::-1]
    session.commit([PushRequested(number, game.end.value, wave[0], None)], game.toppler)
    fallen = wave if outcome is Result.FELL else wave[:1]
    order = tuple((value, 120 * i) for i, value in enumerate(fallen))
    seen = Seen(outcome.value, fallen, wave[len(fallen) :], order, sure=sure)
    events = [PushEnded(number, PushStep.DONE), OutcomeSeen(seen, {})]
    session.commit([*events, *(session.decide(CAMERA, Report(outcome)) if sure else ())], CAMERA)
    return number


def knows(view):
    """Whether a phone could tell by its snapshot what came of the push."""
    told = view["verdict"] is not None or view["phase"] != "TOPPLE" or view["push"]["picture"]
    down = any(tile["state"] == "fallen" for tile in view["row"])
    return bool(
        told or down or ((view["fall"] or {}).get("on") == "table" and "tips" in view["fall"])
    )


class Screen:
    """A table screen, as far as the referee hears of it."""

    def __init__(self, session, how):
        self.session, self.how, self.began_s, self.over_s = session, how, None, None
        if how != "none":
            session.screen("screen", how != "hidden")

    def draw(self, number, now_s):
        """Draw one picture, and say what the page says."""
        fall = self.session.view("screen", "table")["fall"]
        if self.how in ("hidden", "none", "silent") or fall is None:
            return
        if self.began_s is None:
            self.began_s = now_s
            self.session.screen("screen", True, number, "began")
        elif self.over_s is None and now_s >= self.began_s + fall["once_ms"] / 1000:
            self.over_s = now_s
            if self.how != "sleeps":
                self.session.screen("screen", True, number, "ended")


def test_no_phone_is_told_a_push_before_it_was_shown(table):
    session, clock = table.session, table.session.clock
    shown = dict.fromkeys(HOW, 0)
    for n in range(PUSHES):
        how = HOW[n % len(HOW)]
        to_push(table)
        screen = Screen(session, how)
        number = pushed(table, Result.STOOD if n % 3 else Result.FELL)
        assert session.table.phase == "JUDGE", "the journal does not wait"
        from_s, phones_s = clock.monotonic_s(), None
        while not knows(view := session.view("bo")):
            now_s = clock.monotonic_s()
            assert now_s - from_s <= LONGEST_S, "nobody waits for ever"
            assert json.dumps(view).count("fallen") == 0
            if "tips" in view["fall"] and phones_s is None:
                phones_s = (view["fall"]["from_ms"] + view["fall"]["once_ms"]) / 1000
            screen.draw(number, now_s)
            clock.advance(STEP_S)
            session.tick()
        seen_on_table = screen.over_s is not None and how != "sleeps"
        assert seen_on_table or clock.now_s() >= phones_s - 0.001
        shown[how] += 1
        session.screen("screen", False)
        table.do("ana", "void", reason="the next one")
    assert sum(shown.values()) == PUSHES


def test_a_phone_that_comes_back_in_between_waits_too(table):
    to_push(table)
    table.session.screen("screen", True)
    number = pushed(table)
    table.session.connected("bo", True)
    assert not knows(table.session.view("bo"))
    table.session.screen("screen", True, number, "began")
    table.session.connected("bo", False)
    table.session.clock.advance(1.0)
    table.session.connected("bo", True)
    assert not knows(table.session.view("bo"))


@pytest.mark.parametrize("screens", [True, False])
def test_the_time_to_object_begins_when_the_evidence_is_up(table, screens):
    to_push(table)
    session, clock = table.session, table.session.clock
    session.screen("screen", screens)
    number = pushed(table)
    session.screen("screen", screens, number, "began")
    while not knows(session.view("bo")):
        clock.advance(0.05)
        session.screen("screen", screens, number, "ended")
        session.tick()
    verdict = session.view("bo")["verdict"]
    full_s = session.config.timing.verdict
    assert verdict["stands_ms"] - verdict["evidence_ms"] == pytest.approx(full_s * 1000, abs=2)
    assert verdict["evidence_ms"] / 1000 >= clock.now_s() - 0.06
    table.later((verdict["stands_ms"]) / 1000 - clock.now_s() - 0.1)
    assert session.table.phase == "JUDGE"
    table.later(0.2)
    assert session.table.phase == "ROUND_END"


def test_bots_alone_wait_for_nobody(seats):
    session = seats.session
    session.make_host("ana")
    for _ in range(3):
        seats.do("ana", "add_bot")
    seats.do("ana", "start")
    session.commit([WorldChanged({})], CAMERA)
    bots = {seat: f"bot:{seat}" for seat in ("s1", "s2", "s3")}
    to_push(seats, bots)
    pushed(seats)
    assert knows(session.view("bot:s1"))
    seats.do("ana", "void", reason="somebody looks")
    session.connected("watcher", True)
    to_push(seats, bots)
    pushed(seats)
    assert not knows(session.view("bot:s1"))


def test_a_camera_that_is_not_sure_says_so_only_after_the_fall_was_shown(table):
    to_push(table)
    pushed(table, sure=False)
    assert table.session.view("bo")["push"]["state"] == "looking"
    for _ in range(100):
        table.later(0.1)
    assert table.session.view("bo")["push"]["state"] == "report"


def test_what_the_host_does_in_between_is_not_held_back(table):
    to_push(table)
    pushed(table)
    table.do("ana", "pause", on=True)
    assert table.session.view("bo")["paused_by"] == "s1"
    assert not knows(table.session.view("bo"))
    table.do("ana", "pause", on=False)
    table.do("ana", "void", reason="the cat")
    view = table.session.view("bo")
    assert (view["phase"], view["fall"]) == ("TURN", None)


def test_with_real_tiles_the_evidence_comes_at_once(seats):
    seats.start("ana", "bo", "cy")
    to_push(seats)
    pushed(seats)
    view = seats.session.view("bo")
    assert (view["phase"], view["fall"], view["verdict"]["evidence_ms"]) == ("JUDGE", None, None)


def test_a_table_may_be_told_without_being_shown(table):
    table.session.config = load_config(virtual={"show_fall": False})
    to_push(table)
    pushed(table)
    assert knows(table.session.view("bo"))


def test_phones_know_whether_a_table_screen_speaks_and_screens_what_the_host_does(table):
    session = table.session

    def told():
        return session.view(None, "table")["table_screen"]

    assert told() == {"sound": None, "phones": False, "language": ""}
    session.screen("screen", True)
    assert told()["sound"] is False
    session.sounds("screen", True)
    assert told()["sound"] is True
    session.screen("screen", False)
    assert told()["sound"] is None
    session.screen("screen", True)
    assert told()["sound"] is False
    session.screen("screen", False)
    session.sounds("screen", True)  # said at the moment in which it closes
    session.screen("screen", False)
    session.screen("screen", True)
    assert told()["sound"] is False
    session.speaks("nobody", "uk")
    assert told()["language"] == ""
    host = session.table.player(session.table.host).device
    session.speaks(host, "uk")
    assert told()["language"] == "uk"


def test_the_host_has_phones_sound_whoever_says_that_the_table_does(seats):
    seats.start("ana", "bo")
    seats.session.screen("a prank", True)
    seats.session.sounds("a prank", True)
    assert seats.send("bo", "phones_sound", on=True)["reason"] == "not_allowed"
    for on in (True, False):
        seats.do("ana", "phones_sound", on=on)
        for phone in ("ana", "bo"):
            assert seats.session.view(phone)["table_screen"]["phones"] is on
