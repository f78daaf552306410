"""Restless evenings: resets, losses of power, stops, hands, noise and a host, in any order.

What is watched is the arm itself. A servo holds its arm where its last pulse put it, and without
power the arm stays there until a hand moves it. So whatever the program remembers or forgets: no
pulse may ever ask for a place that is farther from the arm than one step of a stroke.
"""

import ctypes
import random
from collections import Counter
from dataclasses import dataclass, field

from rig.pusher.wire import FrameKind, Receiver, SerialFrame, after, encode
from tests.support.chip import BEAM_0, BEAM_1, ESTOP, SWITCH, Chip
from tests.support.hostcore import ESTOP_CLOSED
from tests.support.hostcore import SWITCH as SWITCH_ON

REST_US, SLEW_US, TOP_US = 1200, 32, 1600
REPLY_MS = 40
"""A line without noise answers so soon, whatever else goes on."""
AWAY_BIT = 1 << 6
STROKES = ("300 800 150 600", "400 500 0 500", "77 200 9 217", "200 300 40 300")


class Lost(AssertionError):
    """Something that must never be."""


class ImageWorld:
    """The very image that is flashed, in a chip that can lose its power."""

    def __init__(self, built):
        self.built = built
        self.chip = Chip(built)

    def close(self):
        self.chip.close()

    def run(self, us):
        """Let time pass; give the widths of the pulses in it."""
        self.chip.run_us(us)
        return [width for _, width in self.chip.take_pulses()]

    def put(self, data):
        self.chip.put(data)

    def get(self):
        return self.chip.get()

    def set_switch(self, on):
        (self.chip.low if on else self.chip.high)(SWITCH)

    def set_estop(self, closed):
        (self.chip.low if closed else self.chip.high)(ESTOP)

    def turn_beams(self):
        for beam in (BEAM_0, BEAM_1):
            (self.chip.high if self.chip.is_low(beam) else self.chip.low)(beam)

    def reset(self):
        self.chip.reset()

    def lose_power(self):
        """All that it keeps is its EEPROM."""
        old, self.chip = self.chip, Chip(self.built, self.chip.eeprom)
        self.chip.take_hands_of(old)
        old.close()

    @property
    def power(self):
        return self.chip.power


class CoreWorld:
    """The core on this computer: the same without a chip's time, its interrupts and its EEPROM."""

    def __init__(self, library):
        self.library = library
        self.p = library.shim_new(0, False, 1)
        self.raw = ESTOP_CLOSED
        self.us = 0
        self.beams = False
        self.power = False

    def close(self):
        self.library.shim_free(self.p)

    def run(self, us):
        self.us += us
        ms, self.us = divmod(self.us, 1000)
        if ms == 0:
            return []
        pulses = (ctypes.c_uint16 * ms)()
        self.library.shim_run(self.p, ms, self.raw, pulses)
        self.power = bool(pulses[-1])
        return [pulse / 2 for pulse in pulses if pulse]

    def put(self, data):
        self.library.shim_receive(self.p, data, len(data))

    def get(self):
        room = ctypes.create_string_buffer(512)
        length = self.library.shim_send(self.p, room, len(room))
        return room.raw[:length]

    def set_switch(self, on):
        self.raw = self.raw | SWITCH_ON if on else self.raw & ~SWITCH_ON

    def set_estop(self, closed):
        self.raw = self.raw | ESTOP_CLOSED if closed else self.raw & ~ESTOP_CLOSED

    def turn_beams(self):
        self.beams = not self.beams
        for which in (0, 1):
            self.library.pusher_beam(self.p, which, self.beams, self.us)

    def reset(self):
        self.library.shim_reset(self.p, 1)
        self.power = False

    def lose_power(self):
        self.library.shim_reset(self.p, 0)
        self.power = False


@dataclass
class Evening:
    """Hands and a host round one world, by a seed.

    Attributes:
        world: the pusher.
        seed: of all that is done.
        homed: the word by which people say that the arm is home; "" where there is none.
        did: how often each thing was done.
    """

    world: object
    seed: int
    homed: str = "HOMED"
    did: Counter = field(default_factory=Counter)

    def __post_init__(self):
        self.random = random.Random(self.seed)
        self.receiver = Receiver()
        self.arm_us = float(REST_US)
        self.cut = False
        self.switch = self.pressed = self.noisy = False
        self.session = self.sequence = 0
        self.state, self.fault, self.inputs, self.token = "SAFE", "NONE", 0, "0000"
        self.frame = b""
        self.replies = []
        self.may_boot = "POR"
        self.run(60)
        self.hello()

    # ---- time -----------------------------------------------------------------------------

    def run(self, ms):
        self.run_us(1000 * ms)

    def run_us(self, us):
        was = self.world.power
        for width in self.world.run(us):
            if abs(width - self.arm_us) > SLEW_US:
                raise Lost(f"the arm stands at {self.arm_us} us and is snapped to {width} us")
            if not REST_US <= width <= TOP_US:
                raise Lost(f"a pulse of {width} us")
            self.arm_us = width
        if was and not self.world.power:
            self.notice_cut()
        self.hear()

    def notice_cut(self):
        """The servo has no power any more: an arm that stands out stays out."""
        if self.arm_us > REST_US + 1:
            self.cut = True
            self.did["cut"] += 1

    def hear(self):
        for one in self.receiver.feed(self.world.get()):
            if not isinstance(one, SerialFrame):
                continue
            if one.kind is FrameKind.EVENT and one.words[0] == "BOOT":
                if one.words[1] != self.may_boot:
                    raise Lost(f"it started by itself: {one.text}")
                self.may_boot = ""
            elif one.kind is FrameKind.EVENT and one.words[0] == "ST":
                self.state, self.fault = one.words[1:3]
            elif one.kind is FrameKind.REPLY:
                self.replies.append(one)
            elif one.kind is FrameKind.NAK and one.text in ("SES", "SEQ"):
                self.session = 0

    # ---- the host -------------------------------------------------------------------------

    def say(self, text):
        """Say something and wait for its answer; give its words."""
        self.sequence = after(self.sequence)
        return self.send(SerialFrame(FrameKind.COMMAND, self.session, self.sequence, text))

    def send(self, frame):
        self.frame = encode(frame)
        self.replies.clear()
        self.world.put(self.frame)
        wait_ms = REPLY_MS + len(self.frame) // 10
        while wait_ms > 0:
            self.run(1)
            wait_ms -= 1
            for one in self.replies:
                if (one.session, one.number) == (frame.session, frame.number):
                    return one.words
        if not self.noisy and self.session:
            raise Lost(f"no answer to {frame.text}")
        self.session = 0
        return ("", "")

    def hello(self):
        """Open a session on a line that is quiet again."""
        self.noisy = True
        for _ in range(20):
            self.session = self.random.randint(1, 15)
            self.sequence = 0
            nonce = self.random.getrandbits(32)
            frame = SerialFrame(FrameKind.COMMAND, self.session, 0, f"HELLO 1 {nonce:08X}")
            if self.send(frame)[0] == "OK":
                self.noisy = False
                return
        raise Lost("nobody greets back")

    def beat(self):
        words = self.say("HB")
        if words[0] == "OK":
            self.state, self.inputs, self.fault = words[2], int(words[5], 16), words[6]
            if self.cut and not self.inputs & AWAY_BIT and self.homed:
                raise Lost("the arm stands out and the pusher has forgotten it")

    def live(self, ms):
        while ms > 0 and self.session:
            part = min(ms, 300)
            self.beat()
            self.run(part)
            ms -= part

    # ---- what may happen ------------------------------------------------------------------

    def step(self):
        """One thing happens."""
        if not self.session:
            self.hello()
            self.beat()
        if self.random.random() < 0.45:
            return self.go_on()
        names, weights = zip(*THINGS.items(), strict=True)
        name = self.random.choices(names, weights)[0]
        self.did[name] += 1
        getattr(self, name)()

    def go_on(self):
        """What people who want to push would do next."""
        self.beat()
        match self.state:
            case "SAFE":
                self.turn(False)
                self.turn(True)
                self.arm()
            case "ARMED" if self.random.random() < 0.4:
                self.push()
            case "ARMED":
                self.say("DISARM")
            case "OUT" | "HOLD" | "BACK":
                self.live(self.random.choice([5, 40, 200, 600]))
            case "ESTOP" | "FAULT":
                self.free()
            case "AWAY":
                self.put_home()

    def turn(self, on):
        self.switch = on
        self.world.set_switch(on)
        self.run(5)

    def arm(self):
        words = self.say("ARM")
        if words[0] == "OK":
            self.token = words[2]
            self.did["armed"] += 1

    def arm_often(self):
        """Hands that cannot make up their minds: many tokens, at many moments."""
        for _ in range(8):
            if self.state not in ("SAFE", "ARMED") or not self.session:
                return
            self.say("DISARM")
            self.turn(False)
            self.run(self.random.randrange(7))
            self.turn(True)
            self.arm()

    def push(self):
        self.live(620)
        if self.say(f"PUSH {self.token} {self.random.choice(STROKES)}")[0] == "OK":
            self.did["stroke"] += 1
            self.run(self.random.choice([0, 1, 3, 30, 150, 350, 450]))

    def free(self):
        """Leave a latch; before that, a hand puts home what it was told of."""
        self.press(False)
        self.turn(False)
        if self.fault == "MIDPUSH":
            self.hand_home()
        self.say("CLEAR")

    def put_home(self):
        self.press(False)
        self.turn(False)
        self.hand_home()
        self.say(self.homed)
        self.did["homed"] += 1

    def hand_home(self):
        self.arm_us, self.cut = float(REST_US), False

    def press(self, pressed):
        self.pressed = pressed
        self.world.set_estop(not pressed)
        self.run(5)

    def let_time_pass(self):
        self.run(self.random.choice([1, 7, 50, 300, 520]))

    def be_there(self):
        self.live(self.random.choice([20, 150, 400]))

    def turn_switch(self):
        self.turn(not self.switch)

    def red_button(self):
        self.press(not self.pressed)

    def stop_byte(self):
        self.world.put(b"!")
        self.run_us(self.random.choice([120, 1000, 2500]))

    def say_stop(self):
        self.say("STOP")

    def say_anything(self):
        self.say(self.random.choice(["DISARM", "ABORT", "CLEAR", "ARM", "CNT", "LIM", "EV 03"]))

    def say_it_again(self):
        self.world.put(self.frame)
        self.run(8)

    def greet_again(self):
        self.hello()

    def make_noise(self):
        data = bytearray(self.frame)
        for _ in range(self.random.randint(1, 4)):
            data[self.random.randrange(len(data))] = self.random.randrange(256)
        self.noisy = True
        self.world.put(bytes(data) * self.random.choice([1, 1, 5]))
        self.run(self.random.choice([1, 20, 60]))
        self.session = 0

    def chatter(self):
        """A light beam that trembles at 200 Hz and more, while people talk."""
        for _ in range(12):
            self.world.turn_beams()
            self.run_us(self.random.choice([300, 2500]))
            if self.random.random() < 0.2:
                self.beat()

    def reset(self):
        self.start_again(self.world.reset, "EXT")

    def lose_power(self):
        self.start_again(self.world.lose_power, "POR")

    def start_again(self, start, cause):
        self.run_us(self.random.randrange(3000))
        if self.world.power:
            self.notice_cut()
        start()
        self.receiver = Receiver()
        self.may_boot, self.session = cause, 0
        self.run_us(self.random.choice([50, 2000, 8000, 60_000]))
        if self.may_boot and self.random.random() < 0.5:
            self.run(60)


THINGS = {
    "let_time_pass": 4,
    "be_there": 4,
    "turn_switch": 4,
    "arm_often": 3,
    "red_button": 3,
    "stop_byte": 3,
    "say_stop": 2,
    "say_anything": 4,
    "say_it_again": 2,
    "greet_again": 2,
    "make_noise": 2,
    "chatter": 1,
    "reset": 3,
    "lose_power": 2,
}
"""What may happen, and how often."""


def play(world, seed, steps, homed="HOMED"):
    """Play an evening; give what was done.

    Raises:
        Lost: with the step at which it was.
    """
    evening = Evening(world, seed, homed)
    for step in range(steps):
        try:
            evening.step()
        except Lost as error:
            raise Lost(f"seed {seed}, step {step}: {error}") from None
    return evening.did
