"""Players without a phone, or away from it: the host acts for them, and nobody else does."""

import json

import pytest


@pytest.fixture
def table(seats):
    """Ana is host; bo has a phone that is here; oma has none."""
    seats.sit("ana", "bo")
    seats.do("ana", "add_player", name="Oma", mark="star")
    for device in ("ana", "bo"):
        seats.session.connected(device, True)
    seats.do("ana", "start")
    seats.see_row()
    return seats


def place_for(table, value, position):
    table.propose(value, position)
    table.do("ana", "confirm", **{"for": "s3"})


def to_ballot(table):
    table.place("ana", 3, 0)
    table.place("bo", 9, 2)
    table.do("ana", "call", **{"for": "s3"})


def test_a_player_without_a_phone_sits_ready_and_is_told_as_that(seats):
    seats.sit("ana")
    seats.do("ana", "add_player", name="Oma", mark="star")
    oma = seats.session.view("ana")["seats"][1]
    assert (oma["name"], oma["phone"], oma["ready"], oma["bot"]) == ("Oma", False, True, False)
    assert seats.session.view("ana")["may"]["start"]
    assert seats.session.table.host == "s1"


def test_only_the_host_adds_players_and_only_in_the_lobby(table):
    reply = table.send("bo", "add_player", name="Opa", mark="cross")
    assert reply["reason"] == "not_allowed"
    assert table.send("ana", "add_player", name="Opa", mark="cross")["reason"] == "running"


def test_a_player_without_a_phone_never_becomes_host_alone(seats):
    seats.session.make_host("console")
    seats.do("console", "add_player", name="Oma", mark="star")
    assert seats.session.table.host is None
    seats.sit("ana")
    assert seats.session.table.host == "s2"
    seats.do("ana", "leave")
    assert seats.session.table.host is None


def test_the_host_places_calls_and_votes_for_a_seat_without_a_phone(table):
    table.place("ana", 3, 0)
    table.place("bo", 9, 2)
    place_for(table, 1, 0)
    assert table.session.game.placer == "s3"
    table.do("bo", "call")
    table.do("bo", "vote", side="failure")
    table.do("ana", "vote", side="success")
    assert table.session.game.phase == "COUNTDOWN"
    assert dict(table.session.game.ballots)["s3"] == "success"


def test_the_journal_tells_whose_hand_it_was(table):
    to_ballot(table)
    called = [r for r in table.session.journal.events() if r.type == "DominoCalled"]
    assert called[-1].actor == "s1 for s3"
    assert called[-1].public["caller"] == "s3"


@pytest.mark.parametrize(
    ("device", "seat", "reason"),
    [
        ("bo", "s3", "not_allowed"),
        ("ana", "s2", "has_phone"),
        ("ana", "s9", "no_seat"),
        ("ana", 3, "no_seat"),
    ],
)
def test_nobody_acts_for_whoever_is_here_and_nobody_but_the_host_at_all(
    table, device, seat, reason
):
    to_ballot(table)
    reply = table.send(device, "vote", side="failure", **{"for": seat})
    assert (reply["ok"], reply["reason"]) == (False, reason)


def mine(table, device):
    return table.session.view(device)["ballot"]["mine"]


def to_ballot_of_bo(table):
    """Ana has stood a tile, the host has called for oma, and bo's ballot is missing as oma's is."""
    table.place("ana", 3, 0)
    table.do("ana", "call", **{"for": "s3"})


def test_the_host_changes_no_ballot_that_a_phone_has_cast_before_it_dozed(table):
    to_ballot_of_bo(table)
    table.do("bo", "vote", side="failure")
    table.session.connected("bo", False)
    assert "vote" not in table.session.view("ana")["for"]["s2"]["may"]
    for side in ("success", "failure"):
        assert table.send("ana", "vote", side=side, **{"for": "s2"})["reason"] == "has_phone"
    assert mine(table, "bo") == "failure"
    table.do("bo", "vote", side="success")
    assert mine(table, "bo") == "success"


def test_a_ballot_that_the_host_gave_is_the_host_s_to_change_until_the_phone_has_cast_its_own(
    table,
):
    to_ballot_of_bo(table)
    table.session.connected("bo", False)
    for side in ("success", "failure"):
        assert "vote" in table.session.view("ana")["for"]["s2"]["may"]
        table.do("ana", "vote", side=side, **{"for": "s2"})
    assert mine(table, "bo") == "failure"
    table.do("bo", "vote", side="success")
    assert table.send("ana", "vote", side="failure", **{"for": "s2"})["reason"] == "has_phone"
    assert mine(table, "bo") == "success"


def test_a_ballot_that_the_host_closed_for_somebody_away_can_be_given_by_the_host(table):
    to_ballot_of_bo(table)
    table.session.connected("bo", False)
    table.do("ana", "skip", seat="s2")
    table.do("ana", "vote", side="failure", **{"for": "s2"})
    assert mine(table, "bo") == "failure"


def test_who_gave_a_ballot_is_remembered_through_an_accident_that_was_none(table):
    to_ballot_of_bo(table)
    table.session.connected("bo", False)
    table.do("ana", "vote", side="success", **{"for": "s2"})
    table.do("ana", "accident")
    table.do("ana", "accident_withdraw")
    table.do("ana", "vote", side="failure", **{"for": "s2"})
    assert mine(table, "bo") == "failure"


def test_who_gave_a_ballot_counts_for_that_vote_alone(table):
    to_ballot_of_bo(table)
    table.session.connected("bo", False)
    for seat in ("s2", "s3"):
        table.do("ana", "vote", side="success", **{"for": seat})
    table.later(2.4)
    table.later(8.0)
    assert table.session.table.phase == "TURN"
    table.session.connected("bo", True)
    table.place("bo", 9, 2)
    table.do("ana", "call")
    assert table.session.live.given == frozenset()


def test_a_restart_remembers_who_gave_a_ballot(table, open_session):
    to_ballot_of_bo(table)
    table.session.connected("bo", False)
    table.do("ana", "vote", side="success", **{"for": "s2"})
    again = open_session()
    again.do("ana", "vote", side="failure", **{"for": "s2"})
    again.do("bo", "vote", side="success")
    again = open_session()
    assert again.send("ana", "vote", side="failure", **{"for": "s2"})["reason"] == "has_phone"
    assert mine(again, "bo") == "success"


def test_a_bot_is_not_acted_for(seats):
    seats.sit("ana", "bo")
    seats.do("ana", "add_bot")
    seats.do("ana", "start")
    assert seats.send("ana", "call", **{"for": "s3"})["reason"] == "has_phone"


@pytest.mark.parametrize("kind", ["leave", "sit", "rename", "pause", "give_host", "stop"])
def test_only_the_part_of_a_player_in_the_game_is_done_for_another(table, kind):
    reply = table.send("ana", kind, seat="s2", on=True, name="X", **{"for": "s3"})
    assert reply["reason"] == "bad_command"


def test_a_phone_that_went_away_is_acted_for_until_it_comes_back(table):
    table.session.connected("bo", False)
    table.place("ana", 3, 0)
    table.propose(9, 2)
    table.do("ana", "confirm", **{"for": "s2"})
    table.session.connected("bo", True)
    assert "s2" not in table.session.view("ana")["for"]
    assert table.send("ana", "call", **{"for": "s2"})["reason"] == "has_phone"


def test_the_host_is_told_what_each_absent_seat_may_do_and_nobody_else_is(table):
    to_ballot(table)
    powers = table.session.view("ana")["for"]
    assert set(powers) == {"s3"}
    assert "vote" in powers["s3"]["may"]
    assert powers["s3"]["in"] is False
    assert "for" not in table.session.view("bo")
    assert "for" not in table.session.view(None, "table")


def test_nobody_is_told_the_side_that_was_chosen_for_an_absent_seat(open_session):
    told = []
    for side in ("success", "failure"):
        seats = open_session()
        if not seats.session.table.players:
            seats.sit("ana", "bo")
            seats.do("ana", "add_player", name="Oma", mark="star")
            seats.do("ana", "start")
            seats.see_row()
            seats.place("ana", 3, 0)
            seats.do("bo", "call")
        seats.do("ana", "vote", side=side, **{"for": "s3"})
        views = [seats.session.view(who) for who in ("ana", "bo", "stranger")]
        views.append(seats.session.view(None, "table"))
        assert views[0]["for"]["s3"]["in"] is True
        for view in views:
            for name in ("v", "now_ms", "phase_id", "timer"):
                view.pop(name)
        told.append(json.dumps(views))
        for record in seats.session.journal.events():
            assert side not in json.dumps(record.public) or record.type == "DominoCalled"
    assert told[0] == told[1]


def test_the_host_pushes_for_the_toppler_who_has_no_phone(table):
    table.place("ana", 3, 0)
    table.place("bo", 9, 2)
    place_for(table, 1, 0)
    table.do("bo", "call")
    table.do("bo", "vote", side="failure")
    table.do("ana", "vote", side="success")
    table.later(2.4)
    table.later(8.0)
    assert table.session.game.toppler == "s3"
    table.session.update(clear=True)
    assert table.send("ana", "switch", on=True)["reason"] == "not_toppler"
    table.do("ana", "switch", on=True, **{"for": "s3"})
    nonce = table.do("ana", "hold", **{"for": "s3"})["nonce"]
    table.session.clock.advance(1.5)
    assert table.send("ana", "push", nonce=nonce)["reason"] == "not_toppler"
    table.do("ana", "push", nonce=nonce, **{"for": "s3"})
    assert table.session.table.attempt.number == 1


def test_the_host_does_not_push_for_a_toppler_whose_phone_is_here(table):
    table.place("ana", 3, 0)
    table.place("bo", 9, 2)
    table.do("ana", "call")
    for name in ("ana", "oma"):
        extra = {"for": "s3"} if name == "oma" else {}
        table.do("ana", "vote", side="failure", **extra)
    table.later(2.4)
    table.later(8.0)
    table.session.update(clear=True)
    assert table.send("ana", "hold", **{"for": "s2"})["reason"] == "has_phone"


def test_a_host_without_a_seat_can_stop(seats):
    seats.start("ana", "bo")
    seats.session.make_host("console")
    stops = seats.session.machine.stops
    seats.do("console", "stop")
    assert seats.session.machine.stops == stops + 1
    assert seats.session.table.stopped_by == "host"


def test_a_turn_passes_over_whoever_is_away(table):
    table.place("ana", 3, 0)
    assert table.send("ana", "skip", seat="s2")["reason"] == "has_phone"
    assert table.send("ana", "skip", seat="s3")["reason"] == "not_waiting"
    table.session.connected("bo", False)
    phase_id = table.session.table.phase_id
    table.do("ana", "skip", seat="s2")
    view = table.session.view("ana")
    assert (view["active"], view["placer"]) == ("s3", "s1")
    assert view["phase_id"] != phase_id
    assert view["ruling"] == {"kind": "turn", "by": "s1", "why": "", "seat": "s2"}


def test_a_ballot_that_does_not_come_is_success(table):
    to_ballot(table)
    table.do("ana", "vote", side="failure")
    table.do("ana", "skip", seat="s3")
    assert table.session.game.phase == "COUNTDOWN"
    assert dict(table.session.game.ballots)["s3"] == "success"


def test_nobody_but_the_host_passes_anybody_over(table):
    table.session.connected("ana", False)
    assert table.send("bo", "skip", seat="s1")["reason"] == "not_allowed"
