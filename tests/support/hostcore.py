"""The core, built for this computer and driven a millisecond at a time."""

import ctypes
import re
import subprocess
from contextlib import contextmanager
from pathlib import Path

from rig.pusher.wire import FrameKind, Receiver, SerialFrame, after, encode

FIRMWARE = Path(__file__).parents[2] / "firmware"
SWITCH, ESTOP_CLOSED = 1, 2
STATES = ("SAFE", "ARMED", "OUT", "HOLD", "BACK", "ESTOP", "FAULT", "AWAY")


def build_core(folder):
    """Build the core as a library in a folder of the test's own."""
    make = ["make", "-s", "-C", str(FIRMWARE), "host", f"BUILD={folder}", "CC=cc"]
    subprocess.run(make, check=True)
    library = ctypes.CDLL(str(folder / "libpusher.so"))
    library.shim_new.restype = ctypes.c_void_p
    library.shim_new.argtypes = [ctypes.c_uint8, ctypes.c_bool, ctypes.c_uint16]
    library.shim_copy.restype = ctypes.c_void_p
    library.shim_copy.argtypes = [ctypes.c_void_p]
    library.shim_free.argtypes = [ctypes.c_void_p]
    library.shim_reset.argtypes = [ctypes.c_void_p, ctypes.c_uint8]
    library.shim_receive.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_uint32]
    library.shim_send.restype = ctypes.c_uint32
    library.shim_send.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_uint32]
    library.shim_run.argtypes = [
        ctypes.c_void_p,
        ctypes.c_uint32,
        ctypes.c_uint8,
        ctypes.POINTER(ctypes.c_uint16),
    ]
    for name in ("shim_state", "shim_fault"):
        getattr(library, name).restype = ctypes.c_uint8
        getattr(library, name).argtypes = [ctypes.c_void_p]
    library.shim_strokes.restype = ctypes.c_uint16
    library.shim_strokes.argtypes = [ctypes.c_void_p]
    library.pusher_way.restype = ctypes.c_uint16
    library.pusher_way.argtypes = [ctypes.c_uint16] * 3
    library.pusher_token.restype = ctypes.c_uint16
    library.pusher_token.argtypes = [ctypes.c_uint16] * 3
    library.shim_tokens.restype = ctypes.c_uint32
    library.shim_tokens.argtypes = [ctypes.c_uint16]
    library.pusher_beam.argtypes = [
        ctypes.c_void_p,
        ctypes.c_uint8,
        ctypes.c_bool,
        ctypes.c_uint32,
    ]
    return library


class Core:
    """A pusher with hands at its switch and button, and a host at its line."""

    def __init__(self, library, away=False):
        self.library = library
        self.p = library.shim_new(0, away, 0x3F2A)
        self.raw = ESTOP_CLOSED
        self.receiver = Receiver()
        self.events = []
        self.pulses = []
        self.session = 0
        self.sequence = 0

    def close(self):
        self.library.shim_free(self.p)

    @contextmanager
    def forked(self):
        """Go on, and come back to this moment."""
        was = self.p, self.raw, len(self.pulses), len(self.events), self.session, self.sequence
        self.p = self.library.shim_copy(self.p)
        try:
            yield
        finally:
            self.library.shim_free(self.p)
            self.p, self.raw, pulses, events, self.session, self.sequence = was
            del self.pulses[pulses:], self.events[events:]

    @property
    def state(self):
        return STATES[self.library.shim_state(self.p)]

    @property
    def fault(self):
        return ("NONE", "MIDPUSH", "LINK", "SWITCH")[self.library.shim_fault(self.p)]

    @property
    def strokes(self):
        return self.library.shim_strokes(self.p)

    def reset(self):
        """As the reset pin, or a loss of power, does it."""
        self.library.shim_reset(self.p, 1)
        self.events.clear()

    def run(self, ms):
        pulses = (ctypes.c_uint16 * max(ms, 1))()
        self.library.shim_run(self.p, ms, self.raw, pulses)
        self.pulses += pulses[:ms]
        return list(pulses[:ms])

    def send(self, data):
        """Bytes in; frames other than events out."""
        self.library.shim_receive(self.p, data, len(data))
        return self.hear()

    def hear(self):
        found = self.receiver.feed(self.take(512))
        self.events += [one for one in found if one.kind is FrameKind.EVENT]
        return [one for one in found if one.kind is not FrameKind.EVENT]

    def take(self, most):
        """So many of the bytes that wait to be sent, at most."""
        room = ctypes.create_string_buffer(max(most, 1))
        length = self.library.shim_send(self.p, room, most)
        return room.raw[:length]

    def hello(self, session=1):
        self.session, self.sequence = session, 0
        (reply,) = self.send(
            encode(SerialFrame(FrameKind.COMMAND, session, 0, f"HELLO 1 {session:08X}"))
        )
        return reply.text

    def frame(self, text):
        """The next command as bytes."""
        self.sequence = after(self.sequence)
        return encode(SerialFrame(FrameKind.COMMAND, self.session, self.sequence, text))

    def ask(self, text):
        (reply,) = self.send(self.frame(text))
        assert (reply.kind, reply.session, reply.number) == ("R", self.session, self.sequence)
        return reply.text

    def live(self, ms):
        """Run with a heartbeat, as a host would."""
        for _ in range(ms // 100):
            self.ask("HB")
            self.run(100)
        self.run(ms % 100)

    def turn_switch(self):
        self.raw &= ~SWITCH
        self.run(5)
        self.raw |= SWITCH
        self.run(5)

    def arm(self):
        """A hand at the switch, ARM, and 600 ms; gives the token."""
        self.turn_switch()
        token = re.fullmatch(r"OK ARM ([0-9A-F]{4}) 10000", self.ask("ARM"))[1]
        self.live(700)
        return token

    def push(self, stroke="300 800 150 600"):
        return self.ask(f"PUSH {self.arm()} {stroke}")

    def bring(self, state):
        """To a state, the way it comes about at a table."""
        self.hello()
        self.run(10)
        match state:
            case "ARMED":
                self.arm()
            case "OUT" | "HOLD" | "BACK":
                self.push()
                self.live({"OUT": 400, "HOLD": 850, "BACK": 1200}[state])
            case "ESTOP":
                self.send(b"!")
                self.run(1)
            case "FAULT":
                self.push()
                self.run(2000)
                self.raw &= ~SWITCH
                self.run(5)
            case "AWAY":
                self.push()
                self.live(400)
                self.raw &= ~SWITCH
                self.run(5)
        assert self.state == state
