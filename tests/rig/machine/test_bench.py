"""The test bench: a loss is tried by hand at devices that nobody can touch."""

import pytest

from rig.machine.build import open_by_hand
from tests.support.whole_rig import WholeRig


@pytest.fixture
def table(open_session):
    return WholeRig(open_session, timing={"lost": 1.0})


def bench(table, what, on):
    table.do("ana", "bench", what=what, on=on)


def until(table, wanted):
    """Let time pass as the machine's thread does, which outlives a camera that is gone."""
    for _ in range(60):
        table.machine._guarded_step()
        if wanted():
            return
        table.clock.sleep(0.15)
    raise AssertionError(table.session.live)


def test_a_cable_that_is_pulled_is_a_loss_and_put_back_it_is_found(table):
    table.start("ana", "bo")
    bench(table, "camera", False)
    assert table.session.view("ana")["bench"]["camera"] is False
    until(table, lambda: (table.session.view("ana")["sight"] or {}).get("kind") == "gone")
    until(table, lambda: table.session.table.devices.lost == ("camera",))
    bench(table, "camera", True)
    until(table, lambda: table.session.table.devices.lost == ())


def test_the_pusher_is_lost_and_found_by_its_cable(table):
    table.start("ana", "bo")
    bench(table, "pusher", False)
    until(table, lambda: table.session.table.devices.lost == ("pusher",))
    assert table.session.view("ana")["bench"]["hands"]["plugged"] is False
    bench(table, "pusher", True)
    until(table, lambda: table.session.table.devices.lost == ())


def test_the_bench_is_the_hosts_alone_and_has_only_what_is_pretended(table):
    table.start("ana", "bo")
    assert "bench" not in table.session.view("bo")
    assert table.seats.send("bo", "bench", what="camera", on=False)["reason"] == "not_allowed"
    assert table.seats.send("ana", "bench", what="folder", on=False)["reason"] == "real_device"


def test_where_nothing_is_pretended_there_is_no_bench(seats):
    open_by_hand(seats.session)
    seats.start("ana", "bo")
    assert seats.session.view("ana")["bench"] is None
    assert seats.send("ana", "bench", what="pusher", on=False)["reason"] == "real_device"
    assert seats.send("ana", "estop", pressed=True)["reason"] == "real_pusher"


def test_a_host_without_a_seat_has_the_red_button_too(table):
    table.session.make_host("stranger")
    table.start("ana", "bo")
    table.do("stranger", "estop", pressed=True)
    assert table.session.view("stranger")["bench"]["hands"]["estop"] is True
