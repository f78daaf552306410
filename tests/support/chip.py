"""The very image that is flashed, in a chip under simavr that runs when it is told to.

GPL-3 code of simavr is linked into a library that is built here, for the tests, and never shipped.
"""

import ctypes
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

FIRMWARE = Path(__file__).parents[2] / "firmware"
TOOLS = bool(shutil.which("cc") and shutil.which("avr-gcc")) and all(
    Path("/usr/include", header).exists() for header in ("simavr/sim_avr.h", "libelf.h")
)
"""Whether there is what it takes; under CI, tests/debian.sh has seen to that."""

BEAM_0, BEAM_1, SWITCH, ESTOP = 0x04, 0x08, 0x10, 0x20
"""Pins of port D, low when the beam is broken, the switch on, the stop button not pressed."""

MHZ = 16
_PINS = BEAM_0 | BEAM_1 | SWITCH | ESTOP
_ROOM = 8192
_EEPROM = 1024


@dataclass(frozen=True)
class Built:
    """The image, and the library that runs it."""

    elf: Path
    library: ctypes.CDLL


def build(folder):
    """Build both in a folder of the test's own."""
    make = ["make", "-s", "-C", str(FIRMWARE), f"BUILD={folder}", "CC=cc"]
    subprocess.run([*make, "hex", "sim", "size"], check=True, stdout=subprocess.DEVNULL)
    library = ctypes.CDLL(str(folder / "libsim.so"))
    chip = ctypes.c_void_p
    library.sim_open.restype = chip
    library.sim_open.argtypes = [ctypes.c_char_p, ctypes.POINTER(ctypes.c_uint8)]
    library.sim_run.argtypes = [chip, ctypes.c_uint32]
    library.sim_put.argtypes = [chip, ctypes.c_char_p, ctypes.c_uint32]
    library.sim_pins.argtypes = [chip, ctypes.c_uint8, ctypes.c_uint8]
    library.sim_get.argtypes = [chip, ctypes.c_char_p]
    library.sim_hang.argtypes = [chip]
    library.sim_eeprom.argtypes = [chip, ctypes.POINTER(ctypes.c_uint8)]
    for name in ("sim_close", "sim_reset", "sim_power", "sim_listen", "sim_forget_pulses"):
        getattr(library, name).argtypes = [chip]
    for name in ("sim_pulse_count", "sim_stack_left"):
        getattr(library, name).argtypes = [chip]
        getattr(library, name).restype = ctypes.c_uint32
    for name in ("sim_cycle", "sim_power_changed", "sim_deafest"):
        getattr(library, name).argtypes = [chip]
        getattr(library, name).restype = ctypes.c_uint64
    for name in ("sim_pulse", "sim_pulse_cycle"):
        getattr(library, name).argtypes = [chip, ctypes.c_uint32]
    library.sim_pulse_cycle.restype = ctypes.c_uint64
    library.sim_pulse.restype = ctypes.c_uint16
    return Built(folder / "pusher.elf", library)


class Chip:
    """A chip with hands at its pins.

    Args:
        built: the image.
        eeprom: what an earlier chip left; empty as from the factory unless given.
    """

    def __init__(self, built, eeprom=b"\xff" * _EEPROM):
        self.library = built.library
        kept = (ctypes.c_uint8 * _EEPROM)(*eeprom)
        self.sim = self.library.sim_open(str(built.elf).encode(), kept)
        assert self.sim, "simavr does not take the image"
        self._low = 0
        self.low(ESTOP)

    def close(self):
        self.library.sim_close(self.sim)

    def low(self, pins):
        self._low |= pins
        self.library.sim_pins(self.sim, _PINS, _PINS & ~self._low)

    def high(self, pins):
        self._low &= ~pins
        self.library.sim_pins(self.sim, _PINS, _PINS & ~self._low)

    def is_low(self, pins):
        return bool(self._low & pins)

    def take_hands_of(self, other):
        """Everything at its pins is as it was at another chip's."""
        self.high(_PINS)
        self.low(other._low)

    def run_us(self, us):
        self.library.sim_run(self.sim, int(us))

    def put(self, data):
        """Bytes on their way to the chip; they take their time on the wire."""
        self.library.sim_put(self.sim, data, len(data))

    def get(self):
        """Bytes that the chip has sent."""
        room = ctypes.create_string_buffer(_ROOM)
        length = self.library.sim_get(self.sim, room)
        return room.raw[:length]

    def reset(self):
        """As the reset pin does it: memory stays."""
        self.library.sim_reset(self.sim)

    def hang(self):
        """The program stands still, as after a bad instruction; the hardware goes on."""
        self.library.sim_hang(self.sim)

    @property
    def eeprom(self):
        """What outlives a loss of power."""
        kept = (ctypes.c_uint8 * _EEPROM)()
        self.library.sim_eeprom(self.sim, kept)
        return bytes(kept)

    @property
    def power(self):
        """Whether the servo has power."""
        return bool(self.library.sim_power(self.sim))

    @property
    def power_changed(self):
        """The cycle in which it got or lost it."""
        return self.library.sim_power_changed(self.sim)

    @property
    def cycle(self):
        return self.library.sim_cycle(self.sim)

    def listen(self):
        """Watch from now on how long interrupts have to wait."""
        self.library.sim_listen(self.sim)

    @property
    def deafest_us(self):
        """The longest time since in which no interrupt would have been taken."""
        return self.library.sim_deafest(self.sim) / MHZ

    @property
    def stack_left(self):
        """Bytes that no stack has ever reached."""
        return self.library.sim_stack_left(self.sim)

    def take_pulses(self):
        """The pulses since this was asked last; nothing else may ask for them."""
        pulses = self.pulses
        self.library.sim_forget_pulses(self.sim)
        return pulses

    @property
    def pulses(self):
        """Pulses on the servo's pin so far: (cycle of the rise, width in us)."""
        count = self.library.sim_pulse_count(self.sim)
        return [
            (self.library.sim_pulse_cycle(self.sim, i), self.library.sim_pulse(self.sim, i) / 2)
            for i in range(count)
        ]
