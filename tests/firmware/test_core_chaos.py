"""Whatever comes, in whatever order: what the core never does."""

import random
from itertools import pairwise

import pytest

from rig.pusher.wire import FrameKind, SerialFrame, encode

SWITCH, ESTOP_CLOSED = 1, 2
POWERED = ("ARMED", "OUT", "HOLD", "BACK")
COMMANDS = ("HB", "ARM", "PUSH", "ABORT", "CLEAR", "CNT", "EV 03")
LIKELY = {"SAFE": "ARM", "ARMED": "PUSH", "ESTOP": "CLEAR", "FAULT": "CLEAR", "AWAY": "HOMED"}


class Chaos:
    """A host that knows the protocol well enough to get far, on a bad line, with restless hands."""

    def __init__(self, core, seed, noise):
        self.core = core
        self.random = random.Random(seed)
        self.noise = noise
        self.tokens = []
        self.hands = 0
        self.before = b""

    def spoil(self, data):
        spoilt = bytearray()
        for byte in data:
            fate = self.random.random()
            if fate < self.noise:
                continue
            spoilt.append(byte ^ 1 << self.random.randrange(8) if fate < 2 * self.noise else byte)
            if 2 * self.noise <= fate < 3 * self.noise:
                spoilt.append(byte)
        return bytes(spoilt)

    def command(self):
        likely = LIKELY.get(self.core.state, "HB")
        text = likely if self.random.random() < 0.7 else self.random.choice(COMMANDS)
        if text == "PUSH":
            token = self.random.choice(self.tokens[-2:] or [0])
            amp = self.random.choice([1, 77, 300, 400, 401])
            text = f"PUSH {token:04X} {amp} {self.random.choice([200, 500, 900])} 50 600"
        frame = self.core.frame(text)
        stale = self.before if self.random.random() < 0.1 else b""
        self.before = frame
        return stale + frame * self.random.choice([1, 1, 1, 2, 5])

    def hand(self):
        if self.core.state not in ("SAFE", "ESTOP", "FAULT") and self.random.random() < 0.9:
            return
        before = self.core.raw
        self.core.raw = self.random.choice([2, 2, 2, 3, 3, 3, 3, 1])
        self.hands += bool(self.core.raw & ~before & SWITCH)

    def listen(self, answers):
        for one in answers:
            if one.kind is FrameKind.REPLY and one.text.startswith("OK ARM"):
                self.tokens.append(int(one.text.split()[2], 16))
            lost = one.kind is FrameKind.NAK and one.text in ("SES", "SEQ")
            if lost or " 3 " in one.text or " 9 " in one.text:
                self.renew()

    def renew(self):
        session = self.core.session % 15 + 1
        self.core.session, self.core.sequence = session, 0
        nonce = self.random.getrandbits(32)
        self.core.send(encode(SerialFrame(FrameKind.COMMAND, session, 0, f"HELLO 1 {nonce:08X}")))

    def step(self):
        if self.random.random() < 0.4:
            self.hand()
        if self.random.random() < 0.9:
            data = self.spoil(self.command())
            answers = [one for one in self.core.send(data) if isinstance(one, SerialFrame)]
            self.listen(answers)
        if self.random.random() < 0.01:
            self.core.send(b"!")
        pulses = self.core.run(self.random.choice([1, 20, 150, 300, 480, 480, 600]))
        self.check(pulses)

    def check(self, pulses):
        assert bool(pulses[-1]) == (self.core.state in POWERED)
        live = [pulse for pulse in pulses if pulse]
        assert all(2400 <= pulse <= 3200 for pulse in live)
        assert all(abs(b - a) <= 64 for a, b in pairwise(pulses) if a and b)
        assert all(b == 2400 for a, b in pairwise([0, *pulses]) if b and not a) or pulses[0]
        assert self.core.strokes <= self.hands


@pytest.mark.parametrize("noise", [0.0, 0.0005, 0.002, 0.01])
def test_no_chaos_moves_it_more_often_than_a_hand_allowed(boot, noise):
    strokes = 0
    for seed in range(30):
        chaos = Chaos(boot(), seed, noise)
        chaos.core.run(10)
        chaos.renew()
        for _ in range(150):
            chaos.step()
        strokes += chaos.core.strokes
    assert strokes >= 5
