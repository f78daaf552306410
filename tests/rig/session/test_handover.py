"""Seats and the host's rights move from one phone to another, and phones are put out."""

import pytest

from rig.games.interface import REFEREE
from rig.journal import DiskTrouble
from rig.session.host import SeatTicket
from rig.session.seats import add_bot


@pytest.fixture
def table(seats):
    seats.start("ana", "bo", "cy")
    for device in ("ana", "bo", "cy"):
        seats.session.connected(device, True)
    return seats


def test_a_seat_goes_to_another_phone_with_its_secrets_and_the_old_one_is_out(table):
    table.place("ana", 3, 0)
    table.do("bo", "call")
    table.do("cy", "vote", side="failure")
    assert table.session.hand_over("s3", "new")["ok"]
    assert table.session.view("new")["ballot"]["mine"] == "failure"
    assert table.session.view("cy")["you"] == {"role": "watcher", "seat": None, "host": False}
    assert table.session.view("cy")["ballot"]["mine"] is None
    assert table.send("cy", "vote", side="success")["reason"] == "no_seat"
    table.do("new", "vote", side="success")


def test_a_seat_stays_on_its_new_phone_after_a_restart(open_session):
    seats = open_session()
    seats.sit("ana", "bo")
    seats.session.hand_over("s2", "new")
    again = open_session()
    assert again.session.view("new")["you"]["seat"] == "s2"
    assert again.session.view("bo")["you"]["seat"] is None


def test_a_thumb_that_was_down_on_the_old_phone_pushes_nothing(table):
    table.place("ana", 3, 0)
    table.do("bo", "call")
    for name in ("bo", "cy"):
        table.do(name, "vote", side="failure")
    table.later(2.4)
    table.later(8.0)
    table.session.update(clear=True)
    table.do("ana", "switch", on=True)
    nonce = table.do("ana", "hold")["nonce"]
    table.session.clock.advance(1.5)
    table.session.hand_over("s1", "new")
    assert table.send("ana", "push", nonce=nonce)["reason"] == "no_seat"
    assert table.send("new", "push", nonce=nonce)["reason"] == "no_hold"


@pytest.mark.parametrize(
    ("seat", "device", "reason"), [("s9", "new", "no_seat"), ("s2", "ana", "seated")]
)
def test_no_seat_goes_where_it_cannot(table, seat, device, reason):
    version = table.session.journal.version
    assert table.session.hand_over(seat, device)["reason"] == reason
    assert table.session.journal.version == version


def drawn(table, seat, by):
    """The ticket for a seat that this phone draws now."""
    return SeatTicket(seat, table.session.phone_at(seat), by)


def taken(table, ticket):
    """What a new phone hears that takes a seat with a ticket; "" if it sits there now."""
    return table.session.hand_over(ticket.seat, "new", ticket).get("reason", "")


@pytest.mark.parametrize("by", ["bo", "ana"])
def test_a_ticket_gives_the_seat_of_whoever_sat_there(table, by):
    assert taken(table, drawn(table, "s2", by)) == ""
    assert table.session.phone_at("s2") == "new"


def test_a_ticket_is_not_good_for_the_next_who_sits_there(seats):
    seats.sit("ana", "mallory")
    own, hosts = drawn(seats, "s2", "mallory"), drawn(seats, "s2", "ana")
    seats.do("mallory", "leave")
    assert (taken(seats, own), taken(seats, hosts)) == ("ticket", "ticket"), "nobody sits there"
    seats.do("bo", "sit", name="bo", mark="star")
    version = seats.session.journal.version
    assert (taken(seats, own), taken(seats, hosts)) == ("ticket", "ticket")
    assert seats.session.phone_at("s2") == "bo"
    assert seats.session.journal.version == version


def test_a_ticket_drawn_while_another_sat_down_is_not_good(seats):
    seats.sit("ana", "bo")
    assert taken(seats, SeatTicket("s2", "bo", "mallory")) == "ticket"


def test_a_host_who_hands_the_drawer_over_keeps_the_own_ticket_alone(table):
    own, of_another = drawn(table, "s1", "ana"), drawn(table, "s3", "ana")
    table.do("ana", "give_host", seat="s2")
    assert taken(table, of_another) == "ticket"
    assert taken(table, own) == ""


@pytest.mark.parametrize("kind", ["take_phone", "remove_seat"])
def test_a_phone_that_is_put_out_leaves_no_ticket_behind(table, kind):
    own = drawn(table, "s2", "bo")
    table.do("ana", kind, seat="s2")
    assert taken(table, own) == "ticket"


def test_a_seat_without_a_phone_goes_by_the_hosts_ticket(table):
    table.do("ana", "take_phone", seat="s2")
    assert taken(table, drawn(table, "s2", "ana")) == ""


def test_the_hash_of_a_phone_is_kept_apart_in_the_journal(table):
    table.session.hand_over("s2", "new")
    (record,) = (r for r in table.session.journal.events() if r.type == "SeatHanded")
    assert record.public == {"seat": "s2"}
    assert record.secret == {"device": "new"}


def test_a_phone_is_taken_off_and_its_seat_stays_for_the_host_or_another(table):
    table.do("ana", "take_phone", seat="s2")
    assert table.session.view("bo")["you"]["seat"] is None
    (bo,) = (s for s in table.session.view("ana")["seats"] if s["seat"] == "s2")
    assert (bo["phone"], bo["connected"], bo["name"]) == (False, False, "bo")
    assert "s2" in table.session.view("ana")["for"]
    assert table.session.hand_over("s2", "bo again")["ok"]


@pytest.mark.parametrize(
    ("seat", "reason"), [("s1", "own_phone"), ("s9", "no_seat"), (None, "bad_command")]
)
def test_no_phone_is_taken_off_where_there_is_none_to_take(table, seat, reason):
    assert table.send("ana", "take_phone", seat=seat)["reason"] == reason


def test_the_host_hands_the_drawer_over_and_keeps_no_key(table):
    table.session.make_host("ana")
    table.do("ana", "give_host", seat="s2")
    assert table.session.view("bo")["you"]["host"]
    assert not table.session.view("ana")["you"]["host"]
    assert table.send("ana", "pause", on=True)["reason"] == "not_allowed"
    table.do("bo", "pause", on=True)


def test_the_drawer_goes_to_nobody_without_a_phone(table):
    table.do("ana", "take_phone", seat="s2")
    assert table.send("ana", "give_host", seat="s2")["reason"] == "no_phone"
    assert table.send("bo", "give_host", seat="s2")["reason"] == "not_allowed"


def test_whoever_is_put_out_has_no_rights_by_the_secret_either(table):
    table.session.make_host("bo")
    table.do("ana", "remove_seat", seat="s2")
    assert not table.session.view("bo")["you"]["host"]


def test_another_takes_the_drawer_of_a_host_who_is_long_gone(table):
    assert table.send("bo", "take_host")["reason"] == "host_here"
    table.session.connected("ana", False)
    table.session.clock.advance(59.0)
    assert not table.session.view("bo")["may"]["take_host"]
    table.session.clock.advance(2.0)
    assert table.session.view("bo")["may"]["take_host"]
    assert not table.session.view("stranger")["may"]["take_host"]
    table.do("bo", "take_host")
    assert table.session.table.host == "s2"


def test_everybody_hears_that_the_drawer_may_be_taken_without_anything_else_happening(table):
    table.session.connected("ana", False)
    table.session.clock.advance(61.0)
    heard = []
    table.session.subscribe(lambda: heard.append(table.session.view("bo")["may"]["take_host"]))
    table.session.tick()
    table.session.tick()
    assert heard == [True]


def test_nobody_takes_the_drawer_while_a_console_is_open(table):
    table.session.make_host("console")
    table.session.connected("console", True)
    table.session.connected("ana", False)
    table.session.clock.advance(100.0)
    assert table.send("bo", "take_host")["reason"] == "host_here"


def test_the_host_renames_anybody_and_others_themselves(table):
    table.do("ana", "rename", seat="s2", name="Boris")
    table.do("cy", "rename", seat="s3", name="Cyril")
    assert table.send("bo", "rename", seat="s3", name="X")["reason"] == "not_allowed"
    assert [p.name for p in table.session.table.players] == ["ana", "Boris", "Cyril"]


def over(table):
    for name in ("bo", "cy"):
        table.do(name, "leave")
    assert table.session.table.phase == "GAME_OVER"


def test_whoever_watched_sits_down_as_soon_as_the_game_is_over(table):
    assert table.send("dora", "sit", name="dora", mark="star")["reason"] == "running"
    over(table)
    view = table.session.view("dora")
    assert view["may"]["sit"]
    table.do("dora", "sit", name="dora", mark="star")
    assert table.session.view("dora")["you"]["seat"] == "s4", "s2 and s3 were in the game"
    table.do("ana", "rematch")
    for name in ("ana", "dora"):
        table.do(name, "ready", on=True)
    table.do("ana", "start")
    assert table.session.game.seats == ("s1", "s4")


def test_a_table_whose_last_person_leaves_takes_others_in(table):
    for name in ("bo", "cy", "ana"):
        table.do(name, "leave")
    view = table.session.view("dora")
    assert (view["phase"], view["may"]["sit"]) == ("LOBBY", True)
    table.do("dora", "sit", name="dora", mark="star")
    assert table.session.view("dora")["you"]["host"]


def test_bots_do_not_play_on_alone(seats):
    seats.sit("ana")
    for _ in range(3):
        seats.do("ana", "add_bot")
    seats.do("ana", "start")
    seats.do("ana", "leave")
    assert seats.session.table.phase == "LOBBY"
    assert len(seats.session.table.players) == 3


def test_a_console_that_is_open_keeps_the_game_of_those_without_phones(seats):
    seats.session.make_host("console")
    seats.session.connected("console", True)
    seats.sit("ana")
    seats.do("console", "add_player", name="Oma", mark="star")
    seats.do("console", "add_player", name="Opa", mark="cross")
    seats.do("console", "start")
    seats.do("ana", "leave")
    assert seats.session.table.phase == "TURN"


def test_a_full_table_takes_nobody_and_a_seat_that_empties_takes_one(seats):
    seats.sit("ana", "bo", "cy", "dora", "emil")
    assert seats.send("finn", "sit", name="finn", mark="cross")["reason"] == "full"
    seats.do("bo", "leave")
    seats.do("finn", "sit", name="finn", mark="cross")
    assert seats.session.view("finn")["you"]["seat"] == "s2"


def test_a_seat_whose_phone_was_taken_off_in_the_lobby_keeps_nobody_waiting(seats):
    seats.sit("ana", "bo")
    seats.do("bo", "ready", on=False)
    seats.do("ana", "take_phone", seat="s2")
    assert seats.session.view("ana")["may"]["start"]


@pytest.mark.parametrize("kind", ["remove_seat", "take_phone"])
def test_a_phone_is_put_out_and_the_code_changed_in_one_writing(table, monkeypatch, kind):
    written = []
    append = table.session.journal.append

    def watched(records, *more):
        written.append([record.type for record in records])
        return append(records, *more)

    monkeypatch.setattr(table.session.journal, "append", watched)
    order = {"id": "out", "type": kind, "seat": "s2"}
    assert table.session.submit("ana", order, "MINT")["put_out"]
    assert len(written) == 1
    assert "TableOpened" in written[0]
    assert table.session.table.code == "MINT"
    assert table.session.table.by_device("bo") is None


def test_a_disk_that_is_full_puts_nobody_out_makes_no_host_and_keeps_the_code(table, monkeypatch):
    def full(*_):
        raise DiskTrouble("the disk is full")

    before = table.session.table
    monkeypatch.setattr(table.session.journal, "append", full)
    order = {"id": "out", "type": "remove_seat", "seat": "s2"}
    assert table.session.submit("ana", order, "MINT")["reason"] == "disk"
    assert table.session.make_host("console")["reason"] == "disk"
    assert table.session.table is before


def test_nobody_is_put_out_with_a_bot_or_by_whoever_may_not(seats):
    seats.sit("ana", "bo")
    before = seats.session.table.code
    seats.do("ana", "add_bot")
    order = {"id": "bot", "type": "remove_seat", "seat": "s3"}
    assert "put_out" not in seats.session.submit("ana", order, "MINT")
    order = {"id": "no", "type": "remove_seat", "seat": "s1"}
    assert not seats.session.submit("bo", order, "MINT")["ok"]
    assert seats.session.table.code == before


def claims(table, device):
    return table.session.view(device)["claims"]


def test_whoever_comes_with_another_phone_says_whose_it_was_and_the_host_says_yes(table):
    table.session.connected("cy", False)
    table.do("new", "claim_seat", seat="s3")
    assert claims(table, "bo") == [{"seat": "s3", "claim": None}]
    [claim] = claims(table, "ana")
    assert table.send("bo", "grant_seat", **claim, on=True)["reason"] == "not_allowed"
    table.do("ana", "grant_seat", **claim, on=True)
    assert table.session.view("new")["you"]["seat"] == "s3"
    assert claims(table, "ana") == []


def test_the_host_says_no_to_a_phone_that_asks_for_anothers_seat(table):
    table.session.connected("cy", False)
    table.do("new", "claim_seat", seat="s3")
    [claim] = claims(table, "ana")
    table.do("ana", "grant_seat", **claim, on=False)
    assert (claims(table, "ana"), table.session.view("new")["you"]["seat"]) == ([], None)


def test_a_yes_is_for_the_phone_that_the_host_was_told_of(table):
    table.session.connected("cy", False)
    table.do("new", "claim_seat", seat="s3")
    [claim] = claims(table, "ana")
    table.do("thief", "claim_seat", seat="s3")
    assert table.send("ana", "grant_seat", **claim, on=True)["reason"] == "stale"
    assert table.session.view("thief")["you"]["seat"] is None


def test_a_second_phone_asks_for_a_seat_once_the_first_has_its_answer(table):
    table.session.connected("cy", False)
    for phone in ("new", "other"):
        table.session.connected(phone, True)
    table.do("new", "claim_seat", seat="s3")
    [claim] = claims(table, "ana")
    assert table.send("other", "claim_seat", seat="s3")["reason"] == "claimed"
    table.do("new", "claim_seat", seat="s3")
    [claim] = claims(table, "ana")
    table.do("ana", "grant_seat", **claim, on=False)
    table.do("other", "claim_seat", seat="s3")


def test_a_phone_that_has_gone_again_asks_for_nothing(table):
    table.session.connected("cy", False)
    table.session.connected("new", True)
    table.do("new", "claim_seat", seat="s3")
    table.session.connected("new", False)
    table.do("other", "claim_seat", seat="s3")
    assert len(claims(table, "ana")) == 1


def test_nobody_asks_for_a_seat_that_is_played_from(table):
    assert table.send("new", "claim_seat", seat="s2")["reason"] == "not_away"
    assert table.send("bo", "claim_seat", seat="s3")["reason"] == "seated"
    table.session.connected("cy", False)
    table.do("new", "claim_seat", seat="s3")
    table.session.connected("cy", True)
    assert claims(table, "ana") == []


def test_a_table_of_bots_is_started_by_whoever_comes_to_watch(open_session):
    seats = open_session()
    for _ in range(2):
        seats.session.commit(add_bot(seats.session.table, seats.session.play.rules), REFEREE)
    assert seats.session.view("eve")["may"]["start"]
    seats.do("eve", "start")
    assert seats.session.table.phase == "TURN"


def test_after_a_game_of_bots_whoever_comes_may_have_the_next(open_session):
    seats = open_session()
    for _ in range(2):
        seats.session.commit(add_bot(seats.session.table, seats.session.play.rules), REFEREE)
    seats.do("eve", "start")
    session = seats.session
    session.commit(session.play.leave(session.game, REFEREE, "s1"), REFEREE)
    assert session.table.is_over
    assert seats.session.view("eve")["may"]["rematch"]
    seats.do("eve", "rematch")
    assert seats.session.table.in_lobby


def test_after_a_game_of_people_only_they_have_a_rematch(table):
    for device in ("ana", "bo"):
        table.do(device, "leave")
    assert table.session.table.is_over
    assert not table.session.view("eve")["may"]["rematch"]
    assert table.send("eve", "rematch")["reason"] == "no_seat"


def test_whoever_only_watches_starts_no_game_of_people(seats):
    seats.sit("ana", "bo")
    assert not seats.session.view("eve")["may"]["start"]
    assert seats.send("eve", "start")["reason"] == "not_allowed"
