"""A line that spoils what it carries, and evenings of pushing over it."""

import itertools
from dataclasses import dataclass

import numpy as np

from physics.row.push import Push
from rig.clock import ManualClock
from rig.pusher.link import PortLost
from rig.pusher.port import PushRefused, Reach, StrokeUnknown
from rig.pusher.serial import SerialPusher
from rig.pusher.servo import ServoArm
from rig.pusher.wasm_board import Board, BoardLine

RATES = (0.0, 0.0005, 0.002, 0.005, 0.01, 0.02)
PUSH = Push(speed_mm_s=45.0, stroke_mm=12.0, standoff_mm=2.0)
AMP_US = ServoArm().stroke(PUSH).amp_us
STEP_MS = 5


class Channel:
    """A line that drops, doubles, flips, cuts and delays bytes, each at a rate per byte."""

    def __init__(self, rng, rate):
        self.rng = rng
        self.rate = rate
        self.late = b""
        self.cut = False

    def carry(self, data):
        if self.cut:
            return b""
        if not self.rate or not data:
            return data
        late, self.late = self.late, b""
        out = bytearray()
        for byte in data:
            fault = self.rng.random() / self.rate
            if fault < 1:
                continue
            out.append(byte ^ (1 << self.rng.integers(8)) if fault < 2 else byte)
            if 2 <= fault < 3:
                out.append(byte)
        if self.rng.random() < self.rate * len(data):
            cut = int(self.rng.integers(len(out) + 1))
            out, self.late = out[:cut], bytes(out[cut:])
        if self.rng.random() < self.rate * len(data):
            out += data
        return late + bytes(out) if self.rng.random() < 0.5 else bytes(out) + late


class NoisyLine(BoardLine):
    """The cable to a pretend board, beside something that sparks."""

    def __init__(self, board, rng, rate):
        super().__init__(board)
        self.there = Channel(rng, rate)
        self.back = Channel(rng, rate)

    def read(self):
        return self.back.carry(super().read())

    def write(self, data):
        super().write(self.there.carry(data))


@dataclass
class Try:
    """What became of one arming.

    Attributes:
        said: what the pusher's user was told: done, short, unknown or not.
        strokes: how many the board began with its token.
        reach_us: how far the arm got.
    """

    said: str
    strokes: int
    reach_us: float


class Evening:
    """A pusher on a bad line, and a hand at its switch."""

    def __init__(self, seed, rate):
        rng = np.random.default_rng(seed)
        self.clock = ManualClock()
        self.board = Board(int(n) for n in iter(lambda: rng.integers(1, 1 << 16), None))
        self.line = NoisyLine(self.board, rng, rate)
        self.pusher = SerialPusher(
            lambda: self.line,
            self.clock,
            (int(n) for n in iter(lambda: rng.integers(1 << 32), None)),
        )
        self.reach_us = 0.0
        self._live()

    def _live(self):
        self.reach_us = max(self.reach_us, self.board.run(STEP_MS))
        while self.pusher.link.pump():
            pass
        self.clock.after(STEP_MS / 1000, self._live)

    def turn(self, on):
        self.board.switch_on = on
        self.clock.sleep(0.02)

    def make_ready(self):
        """Leave what is latched, as a person would who sees it; say whether it worked."""
        self.turn(False)
        for _ in range(3):
            try:
                if self.pusher.status().state.value in ("ESTOP", "FAULT"):
                    self.pusher.clear()
                if self.pusher.status().away:
                    self.pusher.homed()
                self.turn(True)
                return True
            except (PushRefused, PortLost):
                self.clock.sleep(1.0)
        return False

    def attempt(self):
        """One arming and one push; None if it came to no arming."""
        before = self.board.strokes
        if not self.make_ready():
            return None
        try:
            token = self.pusher.arm().token
        except (PushRefused, PortLost):
            return None
        self.clock.sleep(0.65)
        self.reach_us = 0.0
        try:
            stroke = self.pusher.push(token, PUSH)
            said = {Reach.FULL: "done", Reach.PART: "short"}.get(stroke.reach, "unknown")
        except StrokeUnknown:
            said = "unknown"
        except (PushRefused, PortLost):
            said = "not"
        self.clock.sleep(2.5)
        return Try(said, self.board.strokes - before, self.reach_us)


def evening(seed, rate, tries=3):
    """Try a few pushes over a line of that rate of faults."""
    pushing = Evening(seed, rate)
    return [one for one in (pushing.attempt() for _ in range(tries)) if one is not None]


def wrong(one):
    """Say what is wrong with what the user was told, or nothing."""
    if one.strokes > 1:
        return "two strokes for one token"
    if one.said == "done" and (one.strokes != 1 or one.reach_us < AMP_US):
        return "confirmed and never made"
    if one.said == "not" and one.strokes:
        return "made and said not to be"
    if one.said == "short" and (one.strokes != 1 or one.reach_us >= AMP_US):
        return "begun and never was, or made and said to be cut short"
    return ""


def spread(runs, first_seed=0):
    """So many evenings, their rates in turn: (rate, its tries) each."""
    for seed in itertools.islice(itertools.count(first_seed), runs):
        rate = RATES[seed % len(RATES)]
        yield rate, evening(seed, rate)
