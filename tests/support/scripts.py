"""One random evening, three ways: the core on this computer, its module, the flashed image.

All three are told the same at the same millisecond, and must say and do the same, byte by byte and
pulse by pulse. On the chip a byte takes its time, so what is sent there starts as much earlier.
"""

import ctypes
import random
from dataclasses import dataclass
from importlib.resources import files
from itertools import count, pairwise

from wasmtime import Engine, Instance, Module, Store

from rig.pusher.wire import FrameKind, Receiver, SerialFrame, after, encode
from tests.support.chip import ESTOP, MHZ, SWITCH, Chip

SWITCH_BIT, ESTOP_BIT = 1, 2
BOOT_ID = 0x3F2A
BYTE_US = 93.5
"""A byte of simavr's serial port, eleven bits of 117647 baud."""
START_MS = 60
FRAME_MS = 20


@dataclass(frozen=True)
class Op:
    """Let time pass, then set the inputs or say something; `PUSH T` stands for the last token."""

    ms: int
    raw: int | None = None
    say: str = ""


def script(seed):
    """A host and hands that know how to get far, and that also do the rest."""
    rng = random.Random(seed)
    ops = [Op(20, say="HELLO")]
    for _ in range(rng.randint(4, 9)):
        if rng.random() < 0.75:
            ops += [Op(10, raw=ESTOP_BIT), Op(10, raw=ESTOP_BIT | SWITCH_BIT), Op(10, say="ARM")]
            ops += [Op(rng.choice([200, 310]), say="HB") for _ in range(rng.choice([1, 3]))]
            amp = rng.randint(1, 400)
            out, back = (rng.randint(max(200, amp * 5 // 4 + 1), 1500) for _ in range(2))
            hold = rng.choice([0, 7, 300])
            ops += [Op(20, say=f"PUSH T {amp} {out} {hold} {back}")]
        for _ in range(rng.randint(1, 6)):
            chance = rng.random()
            wait = rng.choice([20, 90, 300, 420])
            if chance < 0.12:
                ops.append(Op(wait, raw=rng.choice([0, 1, 2, 3])))
            elif chance < 0.2:
                ops.append(Op(wait, say=rng.choice("!?")))
            elif chance < 0.3:
                ops.append(Op(rng.choice([480, 520, 900])))
            elif chance < 0.4:
                ops.append(Op(wait, say="SPOIL"))
            else:
                words = ["HB", "HB", "HB", "CNT", "LIM", "EV 03", "ABORT", "STOP", "CLEAR", "HELLO"]
                ops.append(Op(wait, say=rng.choice([*words, "FOO", "PUSH 0000 1 200 0 200"])))
        ops += [Op(30, raw=ESTOP_BIT), Op(20, say="CLEAR"), Op(20, say="HOMED")]
    return [*ops, Op(1500)]


class Host:
    """Puts the words of a script into frames, by what was answered before."""

    def __init__(self):
        self.receiver = Receiver()
        self.heard = b""
        self.token = "0000"
        self.session = self.sequence = 0
        self.nonces = count(0x1000)

    def bytes_of(self, say):
        if say in ("!", "?", ""):
            return say.encode()
        if say == "HELLO":
            self.session, self.sequence = self.session % 15 + 1, 0
            say = f"HELLO 1 {next(self.nonces):08X}"
        else:
            self.sequence = after(self.sequence)
        text = say.replace(" T ", f" {self.token} ")
        data = encode(SerialFrame(FrameKind.COMMAND, self.session, self.sequence, text))
        if say == "SPOIL":
            self.sequence = (self.sequence - 2) % 255 + 1 if self.sequence > 1 else 0
            return data[:5] + b"\x07" + data[6:]
        return data

    def hear(self, data):
        self.heard += data
        for one in self.receiver.feed(data):
            if isinstance(one, SerialFrame) and one.text.startswith("OK ARM"):
                self.token = one.words[2]


def wire_ms(data):
    """The milliseconds that a chip needs to hear so much."""
    return int(len(data) * BYTE_US / 1000) + 1


def play(ops, world):
    """Play a script in a world; give what it said and the pulses of the servo's frames."""
    host = Host()
    world.run(START_MS)
    host.hear(world.hear())
    for op in ops:
        world.run(op.ms)
        host.hear(world.hear())
        if op.raw is not None:
            world.set_inputs(op.raw)
        if op.say:
            world.say(host.bytes_of(op.say))
    world.run(20)
    host.hear(world.hear())
    return host.heard, world.pulses()


class CoreWorld:
    """The core as a library of this computer."""

    def __init__(self, library):
        self.library = library
        self.p = library.shim_new(0, False, BOOT_ID)
        self.raw = ESTOP_BIT
        self.each_ms = []

    def run(self, ms):
        pulses = (ctypes.c_uint16 * ms)()
        self.library.shim_run(self.p, ms, self.raw, pulses)
        self.each_ms += pulses

    def say(self, data):
        self.run(wire_ms(data))
        self.take(data)
        if b"!" in data:
            self.each_ms[-1] = 0  # the chip's interrupt does not wait for the millisecond to end

    def take(self, data):
        self.library.shim_receive(self.p, data, len(data))

    def hear(self):
        room = ctypes.create_string_buffer(512)
        length = self.library.shim_send(self.p, room, len(room))
        return room.raw[:length]

    def set_inputs(self, raw):
        self.raw = raw

    def pulses(self):
        """As the servo sees them, once each frame; Timer1 turns just before a millisecond."""
        return [pulse for pulse in self.each_ms[FRAME_MS - 2 :: FRAME_MS] if pulse]

    def close(self):
        self.library.shim_free(self.p)


class ModuleWorld(CoreWorld):
    """The module behind the virtual pusher."""

    engine = Engine()
    module = Module(engine, files("rig.pusher").joinpath("pusher.wasm").read_bytes())

    def __init__(self):
        self.store = Store(self.engine)
        self.exports = Instance(self.store, self.module, []).exports(self.store)
        self.window = self.call("board_window")
        self.call("board_reset", 0, 0, BOOT_ID)
        self.raw = ESTOP_BIT
        self.each_ms = []

    def call(self, name, *args):
        return self.exports[name](self.store, *args)

    def run(self, ms):
        run, store, raw = self.exports["board_run"], self.store, self.raw
        self.each_ms += [run(store, 1, raw) & 0xFFFF for _ in range(ms)]

    def take(self, data):
        self.exports["memory"].write(self.store, data, self.window)
        self.call("board_receive", len(data))

    def hear(self):
        length = self.call("board_send")
        return bytes(self.exports["memory"].read(self.store, self.window, self.window + length))

    def close(self):
        pass


class ChipWorld(Chip):
    """The flashed image; every deed falls into the middle of one of its milliseconds."""

    def __init__(self, built, tick_us):
        eeprom = bytearray(b"\xff" * 1024)
        eeprom[0:2] = (BOOT_ID - 1).to_bytes(2, "little")
        super().__init__(built, bytes(eeprom))
        self.at_us = tick_us - 500
        self.run_us(self.at_us)

    def to_us(self, us):
        """Run up to a time since power came."""
        self.run_us(max(0, us - self.cycle / MHZ))

    def run(self, ms):
        self.at_us += 1000 * ms
        self.to_us(self.at_us)

    def say(self, data):
        self.at_us += 1000 * wire_ms(data)
        self.to_us(self.at_us - len(data) * BYTE_US)
        self.put(data)
        self.to_us(self.at_us)

    def hear(self):
        return self.get()

    def set_inputs(self, raw):
        (self.low if raw & SWITCH_BIT else self.high)(SWITCH)
        (self.low if raw & ESTOP_BIT else self.high)(ESTOP)

    def pulses(self):
        return [round(2 * width) for _, width in super().pulses]


def tick_us(built):
    """When the first millisecond of the image begins: found by asking it at many moments."""
    told = []
    for shift_us in range(0, 1000, 25):
        chip = Chip(built)
        chip.run_us(100_000 + shift_us)
        chip.put(b"?")
        chip.run_us(20_000)
        found = Receiver().feed(chip.get())
        told.append(int(found[-1].words[-1], 16))
        chip.close()
    turn = next(i for i, (a, b) in enumerate(pairwise(told)) if b > a)
    # What comes just before a tick is answered with its number.
    return 100_000 + turn * 25 + 12 + BYTE_US - 1000 * (told[turn] - 1)
