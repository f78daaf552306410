"""What the pusher on a line makes of what it hears: done, refused, not heard, unknown."""

import itertools
from dataclasses import replace

import pytest

from physics.row.push import Push
from rig.clock import ManualClock
from rig.pusher.port import (
    PortLost,
    PusherState,
    PushRefused,
    Reach,
    Refusal,
    StopAnswer,
    StrokeUnknown,
)
from rig.pusher.protocol import BeamNews, PusherConfused, StateNews
from rig.pusher.serial import SerialPusher
from rig.pusher.servo import ServoArm
from rig.pusher.wasm_board import Board, BoardLine
from rig.pusher.wire import FrameKind, Receiver, SerialFrame, encode

STEP_MS = 5
PUSH = Push(speed_mm_s=45.0, stroke_mm=12.0, standoff_mm=2.0)


class Cable(BoardLine):
    """A cable whose two ways can be cut, and whose replies can be changed."""

    def __init__(self, board):
        super().__init__(board)
        self.there = self.back = True
        self.when_said = {}
        self.replies = {}
        self.ears = Receiver()

    def write(self, data):
        for word, act in list(self.when_said.items()):
            if word in data:
                del self.when_said[word]
                act()
        if self.there:
            super().write(data)

    def read(self):
        data = super().read()
        if not self.back:
            return b""
        if not self.replies:
            return data
        return b"".join(map(self.changed, self.ears.feed(data)))

    def changed(self, frame):
        for start, text in self.replies.items():
            if frame.kind is FrameKind.REPLY and frame.text.startswith(start):
                frame = replace(frame, text=text)
        return encode(SerialFrame(frame.kind, frame.session, frame.number, frame.text))


class Bench:
    def __init__(self, arm=None, cable=Cable):
        self.clock = ManualClock()
        self.board = Board(itertools.count(1))
        self.cable = cable(self.board)
        self.reach_us = 0.0
        self.pusher = SerialPusher(lambda: self.cable, self.clock, itertools.count(1), arm)
        self.live()
        while self.pusher.link.device is None:
            self.clock.sleep(0.01)

    def live(self):
        self.reach_us = max(self.reach_us, self.board.run(STEP_MS))
        while self.pusher.link.pump():
            pass
        self.clock.after(STEP_MS / 1000, self.live)

    def armed(self):
        for on in (False, True):
            self.board.switch_on = on
            self.clock.sleep(0.02)
        token = self.pusher.arm().token
        self.clock.sleep(0.62)
        return token


@pytest.fixture
def bench():
    return Bench()


def test_a_push_whose_replies_are_lost_for_good_is_unknown_and_was_made(bench):
    token = bench.armed()

    def cut():
        bench.cable.back = False
        bench.clock.after(3.0, lambda: setattr(bench.cable, "back", True))

    bench.cable.when_said[b"PUSH"] = cut
    with pytest.raises(StrokeUnknown, match="stroke 1"):
        bench.pusher.push(token, PUSH)
    assert bench.board.strokes == 1


def test_a_push_that_never_arrives_was_not_heard_and_is_never_made(bench):
    token = bench.armed()

    def cut():
        bench.cable.there = False
        bench.clock.after(3.0, lambda: setattr(bench.cable, "there", True))

    bench.cable.when_said[b"PUSH"] = cut
    with pytest.raises(PortLost):
        bench.pusher.push(token, PUSH)
    bench.clock.sleep(10.0)
    assert bench.board.strokes == 0


def test_a_line_that_stays_dead_after_a_push_leaves_it_unknown(bench):
    token = bench.armed()
    bench.cable.when_said[b"PUSH"] = lambda: setattr(bench.cable, "back", False)
    start_s = bench.clock.monotonic_s()
    with pytest.raises(StrokeUnknown):
        bench.pusher.push(token, PUSH)
    assert bench.clock.monotonic_s() - start_s < 15.0


def test_the_limits_are_those_that_the_board_tells(bench):
    bench.cable.replies["OK LIM"] = "OK LIM 1200 150 1500 200 5000 500 10000"
    with pytest.raises(PushRefused) as caught:
        bench.pusher.push(bench.armed(), PUSH)
    assert caught.value.refusal is Refusal.LIMIT
    assert bench.board.strokes == 0


def test_the_stroke_is_that_of_the_arm(bench):
    bench.pusher.push(bench.armed(), PUSH)
    assert bench.reach_us == ServoArm().stroke(PUSH).amp_us
    longer = Bench(ServoArm(length_mm=90.0))
    longer.pusher.push(longer.armed(), PUSH)
    assert longer.reach_us == pytest.approx(bench.reach_us / 2, abs=1.0)


@pytest.mark.parametrize(
    "reply", ["OK HB SAFE", "OK HB SAFE 0 0 03 NONE 00000000 MORE", "ER HB 77 SAFE", "ER HB 4 FAST"]
)
def test_words_that_have_no_place_in_the_protocol_are_told_as_such(bench, reply):
    bench.cable.replies["OK HB"] = reply
    with pytest.raises(PusherConfused, match="domino-rig pusher flash"):
        bench.pusher.status()


OUT_OF_PLACE = {
    "status": ["OK HB FAST 0 0 03 NONE 00000000", "OK HB SAFE 0 0 03 SMOKE 00000000"],
    "heartbeat": ["OK HB SAFE 0 0 0x NONE 00000000", "OK HB SAFE +1 0 03 NONE 00000000"],
    "strokes": ["OK CNT 0 0 0 0 0 -1 3F2A", "OK CNT 0 0 0 0 0 1_0 3F2A", "OK CNT 0 0 0 0 0 0 BOOT"],
    "arm": ["OK ARM XYZW 10000", "OK ARM 5929 soon", "OK ARM 5929 99999", "OK ARM 5929"],
    "limits": ["OK LIM 1200 400 1500 200 5000 500 ten", "OK LIM 1200 400 1500 200 5000 500 010"],
    "clear": ["OK CLEAR HAPPY", "ER CLEAR 7 HAPPY", "ER CLEAR SEVEN SAFE"],
}


@pytest.mark.parametrize(
    ("what", "reply"),
    [(what, reply) for what, replies in OUT_OF_PLACE.items() for reply in replies],
)
def test_a_word_that_has_no_place_in_a_checked_line_is_named(bench, what, reply):
    """Never a bare ValueError, which nobody expects of a pusher."""
    start = " ".join(reply.split()[:2]).replace("ER", "OK")
    bench.cable.replies[start] = reply
    if reply.startswith("ER"):
        bench.pusher.stop()
        bench.clock.sleep(0.1)
    asks = {
        "status": bench.pusher.status,
        "heartbeat": bench.pusher.heartbeat,
        "strokes": bench.pusher.status,
        "arm": bench.pusher.arm,
        "limits": lambda: bench.pusher.push(1, PUSH),
        "clear": bench.pusher.clear,
    }
    if what == "arm":
        bench.board.switch_on = True
    elif what == "clear":
        bench.pusher.stop()
    bench.clock.sleep(0.3)
    with pytest.raises(PusherConfused, match="does not belong"):
        asks[what]()


LOSSES = {
    (): Reach.FULL,
    ("HOLD",): Reach.FULL,  # where it goes back from tells the same
    ("HOLD", "BACK"): Reach.UNKNOWN,
    ("OUT", "HOLD", "BACK"): Reach.UNKNOWN,
}


class Muted(Cable):
    """Loses every event of some states for good: they cannot be asked for again either."""

    lost = ()

    def changed(self, frame):
        if not {*self.lost} & {*frame.words}:
            return encode(frame)
        if "HB" in frame.words:  # none falls into the moment in which the arm is all the way out
            *before, _, pulse, inputs, fault, ms = frame.words
            return encode(replace(frame, text=" ".join([*before, "5", pulse, inputs, fault, ms])))
        if frame.kind is FrameKind.EVENT:
            return b""
        return encode(replace(frame, text="ER EV 6 SAFE") if "EV" in frame.words else frame)

    def read(self):
        return b"".join(map(self.changed, self.ears.feed(BoardLine.read(self))))


@pytest.mark.parametrize("lost", LOSSES)
def test_a_stroke_whose_reports_are_lost_is_not_said_to_have_stopped_on_its_way(lost):
    bench = Bench(ServoArm(hold_ms=0), cable=Muted)  # so that no heartbeat falls into the hold
    token = bench.armed()
    bench.cable.lost = lost
    assert bench.pusher.push(token, PUSH).reach is LOSSES[lost]


@pytest.mark.parametrize("lost", [(), ("OUT",)])
@pytest.mark.parametrize("act", ["stop", "disarm"])
def test_a_stroke_that_was_stopped_on_its_way_is_said_to_have_been(act, lost):
    bench = Bench(cable=Muted)
    token = bench.armed()
    bench.cable.lost = lost
    bench.clock.after(0.3, getattr(bench.pusher, act))
    assert bench.pusher.push(token, PUSH).reach is Reach.PART


def test_a_beam_that_chatters_loses_no_word_of_a_push(bench):
    token = bench.armed()
    broken = itertools.cycle([True, False])

    def chatter():
        bench.board.set_beam(0, next(broken))
        bench.clock.after(0.005, chatter)

    chatter()
    stroke = bench.pusher.push(token, PUSH)
    assert (stroke.reach, stroke.ended) == (Reach.FULL, PusherState.SAFE)


def test_beams_and_states_reach_whoever_listens(bench):
    news = []
    bench.pusher.listen(news.append)
    token = bench.armed()
    bench.clock.after(0.2, lambda: bench.board.set_beam(1, True))
    bench.pusher.push(token, PUSH)
    assert [n.beam for n in bench.pusher.beams()] == [1]
    assert any(isinstance(n, BeamNews) for n in news)
    states = [n.state for n in news if isinstance(n, StateNews)]
    assert [s for s, _ in itertools.groupby(states)][-4:] == ["OUT", "HOLD", "BACK", "SAFE"]


def test_beams_are_those_of_the_last_push(bench):
    bench.board.set_beam(0, True)
    bench.pusher.push(bench.armed(), PUSH)
    assert bench.pusher.beams() == ()


def test_a_stop_says_so_if_nobody_can_have_heard_it(bench):
    bench.board.plugged = False
    bench.clock.sleep(0.1)
    assert bench.pusher.stop() is StopAnswer.NOT_SENT
    assert bench.board.state == "SAFE"


def test_a_stop_is_heard_even_if_its_answer_is_not(bench):
    bench.armed()
    bench.cable.back = False
    assert bench.pusher.stop() is StopAnswer.SENT
    assert bench.board.state == PusherState.ESTOP
