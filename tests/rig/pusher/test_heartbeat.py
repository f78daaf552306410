"""What the pusher says all the time is known to everybody, and nobody waits for it."""

import itertools

import pytest

from rig.clock import ManualClock
from rig.pusher.port import PortLost, PusherState
from rig.pusher.serial import SerialPusher
from rig.pusher.wasm_board import Board, BoardLine
from tests.support.whole_rig import WholeRig


class Cable(BoardLine):
    """A cable over which nothing may come back."""

    back = True

    def read(self):
        return super().read() if self.back else b""


class Bench:
    """A pusher on a line that lives by itself, as a real one does."""

    def __init__(self):
        self.clock = ManualClock()
        self.board = Board(itertools.count(1))
        self.cable = Cable(self.board)
        self.pusher = SerialPusher(lambda: self.cable, self.clock, itertools.count(1))
        self.live()

    def live(self):
        self.board.run(5)
        while self.pusher.link.pump():
            pass
        self.clock.after(0.005, self.live)


def test_a_switch_is_known_without_a_question():
    bench = Bench()
    bench.clock.sleep(1.0)
    assert not bench.pusher.heartbeat().switch_on
    bench.board.switch_on = True
    bench.clock.sleep(0.3)
    heard = bench.pusher.heartbeat()
    assert heard.ready and heard.state is PusherState.SAFE


def test_a_pusher_that_has_become_silent_keeps_nobody_waiting():
    bench = Bench()
    bench.clock.sleep(1.0)
    bench.cable.back = False
    before_s = bench.clock.monotonic_s()
    assert bench.pusher.heartbeat().estop_closed
    assert bench.clock.monotonic_s() == before_s
    bench.clock.sleep(3.0)
    with pytest.raises(PortLost):
        bench.pusher.heartbeat()


def test_a_switch_that_a_hand_turns_at_the_pusher_is_told_at_once(open_session):
    table = WholeRig(open_session)
    table.to_push()
    told = []
    table.session.subscribe(lambda: told.append(table.session.view("ana")["push"]["state"]))
    table.machine.rig.pusher.set_switch(True)
    table.machine._step()
    assert told == ["ready"]
