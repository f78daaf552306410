import json
import threading

import pytest

from rig.row.push_events import PushStep


def to_ballot(seats, *names):
    """Start, let the first player place 3 left of the 6, and the second call."""
    seats.start(*names)
    seats.place(names[0], 3, 0)
    seats.do(names[1], "call")


def to_topple(seats, *names):
    to_ballot(seats, *names)
    for name in names[1:]:
        seats.do(name, "vote", side="failure")
    seats.later(2.4)
    seats.later(8.0)
    assert seats.session.table.phase == "TOPPLE"
    seats.session.update(clear=True)


def armed(seats, name):
    """Turn the arm switch on and hold the button until the ring is full."""
    seats.do(name, "switch", on=True)
    nonce = seats.do(name, "hold")["nonce"]
    seats.session.clock.advance(1.5)
    return nonce


def test_a_whole_turn_goes_from_the_seat_to_the_journal(seats):
    seats.start("ana", "bo", "cy")
    seats.place("ana", 3, 0)
    view = seats.session.view("bo")
    assert [t["value"] for t in view["row"]] == [3, 6]
    assert (view["active"], view["placer"], view["last"]) == ("s2", "s1", 3)
    assert view["may"]["call"]
    assert not seats.session.view("ana")["may"]["call"]


def test_the_first_to_sit_is_host_and_only_the_host_starts(seats):
    seats.sit("ana", "bo")
    assert seats.send("bo", "start")["reason"] == "not_allowed"
    assert seats.send("ana", "start")["ok"]


def test_nobody_starts_while_somebody_is_not_ready(seats):
    seats.sit("ana", "bo")
    seats.do("bo", "ready", on=False)
    reply = seats.send("ana", "start")
    assert (reply["ok"], reply["reason"]) == (False, "not_ready")
    assert "bo" in reply["message"]


def test_the_same_command_twice_is_answered_twice_and_done_once(seats):
    to_ballot(seats, "ana", "bo", "cy")
    first = seats.do("bo", "vote", side="failure", id="x")
    version = seats.session.journal.version
    again = seats.send("bo", "vote", side="failure", id="x")
    assert again == {**first, "dup": True}
    assert seats.session.journal.version == version


def test_a_command_for_a_phase_that_is_over_changes_nothing(seats):
    seats.start("ana", "bo")
    old = seats.session.table.phase_id
    seats.place("ana", 3, 0)
    version = seats.session.journal.version
    assert seats.send("bo", "call", phase_id=old)["reason"] == "stale"
    assert seats.session.journal.version == version


def test_what_a_phone_has_given_up_is_not_done_when_a_dead_net_brings_it(seats):
    seats.start("ana", "bo")
    seats.place("ana", 3, 0)
    until_ms = seats.session.now_ms() + 5000
    seats.session.clock.advance(5.1)
    version = seats.session.journal.version
    assert seats.send("bo", "call", until_ms=until_ms)["reason"] == "too_slow"
    assert seats.session.journal.version == version
    assert seats.send("bo", "call", until_ms=seats.session.now_ms() + 5000)["ok"]
    assert seats.session.table.phase == "BALLOT"


def test_a_refusal_of_the_rules_comes_back_with_its_reason(seats):
    seats.start("ana", "bo")
    assert seats.send("bo", "call")["reason"] == "no_placer"
    assert seats.send("bo", "confirm")["reason"] == "no_proposal"
    seats.propose(3, 0)
    assert seats.send("bo", "confirm")["reason"] == "not_your_turn"


@pytest.mark.parametrize(
    "broken",
    [
        {"type": "vote"},
        {"type": "vote", "side": 3},
        {"type": "vote", "side": "maybe"},
        {"type": "nonsense"},
    ],
)
def test_broken_commands_are_refused_in_words(seats, broken):
    to_ballot(seats, "ana", "bo")
    reply = seats.send("bo", **{"kind": broken.pop("type"), **broken})
    assert (reply["ok"], reply["reason"]) == (False, "bad_command")


@pytest.mark.parametrize("field", ["x_mm", "y_mm", "heading_deg"])
@pytest.mark.parametrize("value", ["a", None, float("nan"), True])
def test_a_tile_stands_only_at_a_place(seats, field, value):
    seats.start("ana", "bo")
    place = {"value": 3, "x_mm": 270.0, "y_mm": 210.0, "heading_deg": 0.0, field: value}
    reply = seats.send("ana", "stand", orientation="vertical", **place)
    assert reply["reason"] == "bad_command"
    assert field in reply["message"]


def test_a_late_call_is_absorbed_and_told_as_a_blink(seats):
    seats.start("ana", "bo", "cy")
    seats.place("ana", 3, 0)
    phase_id = seats.session.table.phase_id
    seats.do("bo", "call")
    seats.session.clock.advance(0.038)
    assert seats.send("cy", "call", phase_id=phase_id)["ok"]
    shout = seats.session.view(None, "table")["shout"]
    assert shout == {"caller": "s2", "late": [{"seat": "s3", "ms": 38}], "tie_ms": None}


def test_the_ballots_turn_over_after_the_count_and_not_before(seats):
    to_ballot(seats, "ana", "bo")
    seats.do("bo", "vote", side="failure")
    seats.later(2.3)
    view = seats.session.view("ana")
    assert (view["phase"], view["reveal"]) == ("COUNTDOWN", None)
    seats.later(0.1)
    view = seats.session.view("ana")
    assert view["reveal"]["ballots"] == {"s1": "success", "s2": "failure"}


@pytest.mark.parametrize("viewer", ["ana", "bo", None, "stranger"])
def test_no_view_and_no_public_record_tells_a_sealed_ballot(open_session, tmp_path, viewer):
    views = []
    for side in ("success", "failure"):
        seats = open_session()
        if not seats.session.table.players:
            to_ballot(seats, "ana", "bo", "cy")
        seats.do("cy", "vote", side=side)
        view = seats.session.view(viewer, "table" if viewer is None else "phone")
        view.pop("v")
        view.pop("now_ms")
        view.pop("phase_id")
        views.append(json.dumps(view))
        for record in seats.session.journal.events():
            if record.type == "BallotCast":
                assert "side" not in record.public
    assert views[0] == views[1]


def test_sealed_ballots_stay_sealed_and_in_after_a_restart(open_session):
    seats = open_session()
    to_ballot(seats, "ana", "bo", "cy")
    seats.do("cy", "vote", side="failure")
    before = seats.session.table
    seats = open_session()
    assert seats.session.table == before
    assert seats.session.view("cy")["ballot"]["mine"] == "failure"
    assert seats.session.view("bo")["ballot"] == {
        "mine": None,
        "closing": None,
        "forced": False,
        "count": 2,
        "of": 3,
        "until_s": None,
    }


def test_every_moment_of_a_game_is_the_same_after_a_restart(open_session):
    seats = open_session()
    to_topple(seats, "ana", "bo")
    nonce = armed(seats, "ana")
    seats.do("ana", "push", nonce=nonce)
    table = seats.session.table
    records = list(seats.session.journal.events())
    again = open_session().session
    assert list(again.journal.events())[: len(records)] == records
    assert again.table.attempt.step is PushStep.UNKNOWN
    assert again.table.game == table.game


def test_a_push_without_a_logged_result_needs_a_person_and_never_fires_again(open_session):
    seats = open_session()
    to_topple(seats, "ana", "bo")
    seats.do("ana", "push", nonce=armed(seats, "ana"))
    seats = open_session()
    live, view = seats.session.live, seats.session.view("ana")
    assert (live.push_due, view["push"]["state"]) == (None, "unknown")
    assert seats.session.machine.pusher.status().strokes == 0
    seats.session.update(clear=True)
    seats.do("ana", "switch", on=True)
    assert seats.send("ana", "hold")["reason"] == "pushed"
    assert seats.send("bo", "resolve", outcome="fell")["reason"] == "not_allowed"
    seats.do("ana", "resolve", outcome="stood")
    seats.later(5.0)
    assert seats.session.view("bo")["seats"][1]["chips"] == 1


def test_an_unknown_push_may_be_voided(open_session):
    seats = open_session()
    to_topple(seats, "ana", "bo")
    seats.do("ana", "push", nonce=armed(seats, "ana"))
    seats = open_session()
    seats.do("ana", "resolve", outcome="void")
    view = seats.session.view("ana")
    assert (view["phase"], view["round"], view["supply"].count(6)) == ("TURN", 1, 0)


def test_the_button_must_be_held_until_the_ring_is_full(seats):
    to_topple(seats, "ana", "bo")
    seats.do("ana", "switch", on=True)
    nonce = seats.do("ana", "hold")["nonce"]
    seats.session.clock.advance(0.5)
    assert seats.send("ana", "push", nonce=nonce)["reason"] == "no_hold"
    assert seats.session.live.push_due is None


def test_a_nonce_is_good_once_and_not_for_long(seats):
    to_topple(seats, "ana", "bo")
    nonce = armed(seats, "ana")
    seats.session.clock.advance(5.1)
    assert seats.send("ana", "push", nonce=nonce)["reason"] == "no_hold"
    nonce = seats.do("ana", "hold")["nonce"]
    seats.session.clock.advance(1.5)
    assert seats.send("ana", "push", nonce="0" * 32)["reason"] == "no_hold"
    assert seats.session.live.push_due is None


@pytest.mark.parametrize(
    ("spoil", "reason"),
    [
        (lambda s: s.session.update(clear=False), "not_clear"),
        (lambda s: s.do("bo", "switch", on=False), "switch"),
        (lambda s: s.do("bo", "stop"), "stopped"),
        (lambda s: s.session.machine.pusher.set_estop(True), "switch"),
    ],
)
def test_nothing_moves_unless_everything_is_right_at_the_moment_of_the_push(seats, spoil, reason):
    to_topple(seats, "ana", "bo")
    nonce = armed(seats, "ana")
    spoil(seats)
    reply = seats.send("ana", "push", nonce=nonce)
    assert reply["reason"] in (reason, "no_hold")
    assert seats.session.live.push_due is None


def test_only_the_toppler_holds_and_pushes(seats):
    to_topple(seats, "ana", "bo", "cy")
    assert seats.send("bo", "switch", on=True)["reason"] == "not_toppler"
    assert seats.send("bo", "hold")["reason"] == "not_toppler"
    nonce = armed(seats, "ana")
    assert seats.send("bo", "push", nonce=nonce)["reason"] == "not_toppler"


@pytest.mark.parametrize("moment", ["turn", "ballot", "topple", "paused"])
def test_stop_reaches_the_pusher_in_every_phase(seats, moment):
    {"turn": lambda: seats.start("ana", "bo"), "ballot": lambda: to_ballot(seats, "ana", "bo")}.get(
        moment, lambda: to_topple(seats, "ana", "bo")
    )()
    if moment == "paused":
        seats.do("ana", "pause", on=True)
    seats.do("bo", "stop", phase_id="long gone")
    assert seats.session.machine.stops == 1
    assert seats.session.machine.pusher.status().state == "ESTOP"


def test_a_watcher_cannot_stop_the_machine(seats):
    to_topple(seats, "ana", "bo")
    assert seats.send("stranger", "stop")["reason"] == "no_seat"
    assert seats.session.machine.stops == 0


def test_after_a_stop_the_host_frees_the_pusher_and_a_hand_arms_it_again(seats):
    to_topple(seats, "ana", "bo")
    seats.do("bo", "stop")
    assert seats.session.view("ana")["push"]["state"] == "stopped"
    assert seats.send("bo", "clear_stop")["reason"] == "not_allowed"
    seats.do("ana", "clear_stop")
    assert seats.session.view("ana")["push"]["state"] == "switch"
    seats.do("ana", "push", nonce=armed(seats, "ana"))
    assert seats.session.live.push_due == 1


def test_a_pause_stops_the_timers_and_the_commands(seats):
    to_ballot(seats, "ana", "bo")
    seats.do("bo", "vote", side="failure")
    seats.do("ana", "pause", on=True)
    seats.later(60.0)
    assert seats.session.table.phase == "COUNTDOWN"
    seats.do("ana", "pause", on=False)
    seats.later(2.4)
    assert seats.session.table.phase == "REVEAL"


def test_somebody_who_leaves_frees_their_seat_and_the_game_goes_on(seats):
    seats.start("ana", "bo", "cy")
    seats.do("cy", "leave")
    view = seats.session.view("ana")
    assert [s["name"] for s in view["seats"]] == ["ana", "bo"]
    assert view["phase"] == "TURN"
    assert seats.session.view("cy")["you"] == {"role": "watcher", "seat": None, "host": False}


def test_the_host_can_put_somebody_out(seats):
    seats.start("ana", "bo", "cy")
    assert seats.send("bo", "remove_seat", seat="s1")["reason"] == "not_allowed"
    seats.do("ana", "remove_seat", seat="s2")
    assert [s["name"] for s in seats.session.view("ana")["seats"]] == ["ana", "cy"]


def test_a_rematch_keeps_the_seats_and_forgets_the_chips(seats):
    seats.start("ana", "bo", "cy")
    seats.do("cy", "leave")
    seats.do("bo", "leave")
    assert seats.session.table.phase == "GAME_OVER"
    seats.do("ana", "rematch")
    view = seats.session.view("ana")
    assert (view["phase"], [s["chips"] for s in view["seats"]]) == ("LOBBY", [0])


def test_four_shouts_at_once_have_one_caller(seats):
    seats.start("ana", "bo", "cy", "di", "ed")
    seats.place("ana", 3, 0)
    phase_id = seats.session.table.phase_id
    gate = threading.Barrier(4)
    replies = {}

    def shout(name):
        gate.wait()
        replies[name] = seats.send(name, "call", id=f"shout-{name}", phase_id=phase_id)

    threads = [threading.Thread(target=shout, args=(n,)) for n in ("bo", "cy", "di", "ed")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(reply["ok"] for reply in replies.values())
    called = [r for r in seats.session.journal.events() if r.type == "DominoCalled"]
    assert len(called) == 1


def test_moving_on_tells_everybody_who_listens(seats):
    told = []
    leave = seats.session.subscribe(lambda: told.append(seats.session.journal.version))
    seats.sit("ana")
    leave()
    seats.do("ana", "ready", on=False)
    assert told[-1] == 2


def test_a_name_with_invisible_signs_is_refused(seats):
    assert seats.send("x", "sit", name="a\u202eb", mark="circle")["reason"] == "name_bad"
    assert seats.send("x", "sit", name="", mark="circle")["reason"] == "name_bad"
    seats.do("x", "sit", name="Mira", mark="circle")
    assert seats.send("y", "sit", name="MIRA", mark="star")["reason"] == "name_taken"
    assert seats.send("y", "sit", name="Bo", mark="circle")["reason"] == "mark_taken"


def test_the_sixth_finds_the_table_full(seats):
    seats.sit("a", "b", "c", "d", "e")
    assert seats.send("f", "sit", name="f", mark="cross")["reason"] == "full"


def test_the_red_button_of_the_virtual_pusher_stops_it_until_it_is_out_and_freed(seats):
    to_topple(seats, "ana", "bo")
    nonce = armed(seats, "ana")
    seats.do("bo", "estop", pressed=True)
    push = seats.session.view("ana")["push"]
    assert (push["state"], push["hands"]["estop"]) == ("stopped", True)
    assert seats.session.machine.pusher.status().state == "ESTOP"
    assert not seats.send("ana", "push", nonce=nonce)["ok"]
    assert not seats.send("ana", "clear_stop")["ok"]
    seats.do("bo", "estop", pressed=False)
    assert seats.session.view("ana")["push"]["state"] == "stopped"
    seats.do("ana", "clear_stop")
    push = seats.session.view("ana")["push"]
    assert (push["state"], push["hands"]["estop"]) == ("switch", False)
    seats.do("ana", "push", nonce=armed(seats, "ana"))
    assert seats.session.live.push_due == 1


def test_a_light_beam_is_broken_and_freed_by_any_player(seats):
    to_topple(seats, "ana", "bo")
    seats.do("bo", "beam", beam=1, broken=True)
    assert seats.session.view("ana")["push"]["hands"]["beams"] == [False, True]
    seats.do("ana", "beam", beam=1, broken=False)
    assert seats.session.view("ana")["push"]["hands"]["beams"] == [False, False]
    assert seats.send("ana", "beam", beam=2, broken=True)["reason"] == "bad_command"


@pytest.mark.parametrize(
    "act", [("estop", {"pressed": True}), ("beam", {"beam": 0, "broken": True})]
)
def test_only_players_have_hands_at_the_virtual_pusher(seats, act):
    to_topple(seats, "ana", "bo")
    kind, fields = act
    assert seats.send("stranger", kind, **fields)["reason"] == "no_seat"
    hands = seats.session.view("ana")["push"]["hands"]
    assert hands == {"estop": False, "beams": [False, False]}


def test_no_restart_and_no_repeat_says_that_the_arm_is_home(
    open_session, quiet_machine, monkeypatch
):
    said = []
    monkeypatch.setattr(quiet_machine, "homed", lambda self: said.append(self), raising=False)
    seats = open_session()
    seats.start("ana", "bo")
    seats.session.update(away="this time")
    seats.do("ana", "homed", id="once", away="this time")
    assert seats.send("ana", "homed", id="once", away="this time")["dup"]
    assert len(said) == 1
    again = open_session()
    again.session.update(away="this time")
    assert again.send("ana", "homed", id="once", away="this time")["dup"]
    assert len(said) == 1
