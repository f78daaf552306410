"""What is looked at waits for no disk: a command that hangs there holds up commands alone."""

import ast
import threading
from pathlib import Path

import pytest

import rig
from rig.games.estimation.table.estimation_play import PLAY
from rig.pusher.port import Fault, Heartbeat, PusherState
from rig.row.row_live import CLEAR, Reading
from rig.session.commands import all_commands


@pytest.fixture
def hung(seats):
    """Two players, and a command of Ana's that hangs at the disk; gives what lets it go."""
    seats.sit("ana", "bo")
    session, reached, free = seats.session, threading.Event(), threading.Event()
    append = session.journal.append

    def hang(*given, **named):
        reached.set()
        assert free.wait(120)
        return append(*given, **named)

    session.journal.append = hang
    command = threading.Thread(target=seats.send, args=("ana", "rename"), kwargs={"name": "Anna"})
    command.start()
    assert reached.wait(120)
    yield free
    free.set()
    command.join(20)


def within(seconds, ask):
    """Ask on a thread of its own, as whatever waits for the disk would never come back."""
    told = []
    thread = threading.Thread(target=lambda: told.append(ask()), daemon=True)
    thread.start()
    thread.join(seconds)
    assert told, "it waits for the disk"
    return told[0]


@pytest.mark.parametrize(
    "look",
    [
        lambda s: s.view("bo"),
        lambda s: s.view_of(s.audience("bo")),
        lambda s: s.audience(None, "table"),
        lambda s: s.table.is_host("ana"),
        lambda s: s.table.speaker("bo"),
        lambda s: s.now_ms(),
        lambda s: s.limit(),
        lambda s: s.subscribe(lambda: None)(),
        lambda s: s.notify(),
        lambda s: s.connected("bo", True),
        lambda s: s.failed("the cat"),
        lambda s: s.read(Reading("hand")),
        lambda s: s.tick(),
        lambda s: s.picture_now(),
    ],
)
def test_looking_and_live_news_do_not_wait_for_the_disk(seats, hung, look):
    within(20, lambda: (look(seats.session), True))


def test_what_is_about_to_be_written_is_not_shown_before_it_is(seats, hung):
    now = seats.session.moment
    assert now.table.players[0].name != "Anna"
    assert seats.session.view("bo")["v"] == now.version


def test_live_news_that_come_while_a_command_is_written_are_kept(seats, hung):
    seats.session.failed("the cat")
    hung.set()
    seats.do("bo", "rename", name="Boris")
    assert seats.session.view("bo")["fault"] == "the cat"


def test_what_was_seen_of_a_table_that_has_changed_is_not_taken(seats):
    seats.sit("ana", "bo")
    before = seats.session.table
    assert seats.session.looked(before, CLEAR, None, clear=True)
    seats.do("ana", "rename", name="Anna")
    assert not seats.session.looked(before, CLEAR, None, clear=False)
    assert seats.session.live.clear


def test_a_moment_stays_as_it_was(seats):
    seats.sit("ana", "bo")
    then = seats.session.moment
    seats.do("ana", "rename", name="Anna")
    seats.session.failed("the cat")
    assert (then.table.players[0].name, then.live.fault) != ("Anna", "the cat")
    assert then.version < seats.session.moment.version
    with pytest.raises(AttributeError):
        then.live.fault = "the dog"


def test_phones_that_come_and_go_without_a_place_leave_nothing_behind(seats):
    seats.sit("ana", "bo")
    seats.session.connected("ana", True)
    for n in range(500):
        seats.session.connected(f"watcher{n}", True)
        seats.session.connected(f"watcher{n}", False)
    seats.session.connected("ana", False)
    live = seats.session.live
    assert set(live.connected) | set(live.left_s) == {"ana"}
    assert live.connected["ana"] is False


def test_the_newest_pictures_wait_for_no_disk(seats, monkeypatch):
    for n in range(1, 12):
        seats.session.commit([], "s1", pictures={n: b"\xff\xd8%d" % n})
    monkeypatch.setattr(seats.session.journal, "picture", lambda n: None)
    assert seats.session.picture(11) == b"\xff\xd811"
    assert seats.session.picture(1) is None


@pytest.mark.parametrize("kind", sorted(all_commands(PLAY.commands)))
def test_watchers_write_nothing(seats, kind):
    seats.sit("ana", "bo")
    before = seats.session.moment
    # Whoever has no seat may take one, ask for the one they had, and start a table of bots anew.
    # A key may still be on the phone that had one.
    heard = kind in ("sit", "claim_seat", "start", "rematch", "unlock")
    assert (seats.session.refused("watcher", kind) is None) is heard
    if kind == "claim_seat":
        assert seats.send("watcher", kind, seat="s1")["ok"]
        now = seats.session.moment
        assert (now.table, now.version) == (before.table, before.version)
        assert set(now.live.claims) == {"s1"}
    elif kind != "sit":
        reply = seats.send("watcher", kind, on=True, seat="s1", name="Zoe")
        assert reply["reason"] in ("no_seat", "not_allowed")
        now = seats.session.moment
        assert (now.table, now.live, now.version) == (before.table, before.live, before.version)


def test_what_was_prepared_takes_place_before_anybody_knows_and_not_if_it_is_not_written(seats):
    session, machine, told = seats.session, seats.session.machine, []
    before_commit = machine.before_commit

    def broken(before, after):
        session.when_written(lambda: told.append("lost"))
        raise RuntimeError

    machine.before_commit = broken
    with pytest.raises(RuntimeError):
        session.make_host("cy")
    machine.before_commit = before_commit
    session.after_commit(lambda: told.append(("after", session.table.is_host("cy"))))
    session.when_written(lambda: told.append(("as it is written", session.table.is_host("cy"))))
    session.make_host("cy")
    assert told == [("as it is written", False), ("after", True)]


def test_only_the_session_changes_what_is_live():
    root = Path(rig.__file__).parent
    hearing = root / "row" / "row_live.py"
    others = [
        file for file in root.rglob("*.py") if file.parent != root / "session" and file != hearing
    ]
    writes = [
        f"{file.relative_to(root)}:{call.lineno}"
        for file in others
        for call in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(call, ast.Call)
        and isinstance(call.func, ast.Attribute)
        and (
            call.func.attr == "update_at"
            or (call.func.attr == "update" and ast.unparse(call.func.value).endswith("session"))
        )
    ]
    assert len(others) > 50 and writes == []


def test_an_arm_that_is_out_has_one_name_until_it_is_home(seats):
    session = seats.session
    out = Heartbeat(PusherState.AWAY, Fault.NONE, False, False, True, away=True)
    session.pusher_said(out)
    first = session.live.away
    session.pusher_said(None)  # its cable is pulled; the arm is where it was
    session.pusher_said(out)
    assert first and session.live.away == first
    session.arm_home()
    session.pusher_said(out)
    assert session.live.away not in ("", first), "that is another time that it is out"


def test_after_a_pause_the_step_has_its_whole_time_again(seats):
    session = seats.session
    session.clock.advance(30.0)
    session.resumed()
    assert session.live.since_s == session.clock.monotonic_s()
    assert session.live.since_epoch_s == session.clock.now_s()
