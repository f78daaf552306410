"""The very image that is flashed, under simavr: what its pins and its line do, in microseconds."""

import ctypes
import subprocess
from itertools import pairwise
from pathlib import Path

import pytest

import rig
from rig.wire import Frame, Kind, Receiver, after, encode

FIRMWARE = Path(__file__).parents[2] / "firmware"
BEAMS, SWITCH, ESTOP, MHZ = 0x0C, 0x10, 0x20, 16


@pytest.fixture(scope="session")
def sim_library(tmp_path_factory):
    build = tmp_path_factory.mktemp("image")
    make = ["make", "-s", "-C", str(FIRMWARE), f"BUILD={build}", "CC=cc"]
    subprocess.run([*make, "hex", "sim", "size"], check=True)
    library = ctypes.CDLL(str(build / "libsim.so"))
    library.sim_open.restype = ctypes.c_void_p
    library.sim_cycle.restype = library.sim_power_changed.restype = ctypes.c_uint64
    library.sim_pulse_cycle.restype = ctypes.c_uint64
    return library, str(build / "pusher.elf").encode()


def test_the_image_in_the_package_is_built_from_this_source(sim_library):
    _, elf = sim_library
    built = Path(elf.decode()).with_name("pusher.hex").read_bytes()
    kept = (Path(rig.__file__).parent / "pusher.hex").read_bytes()
    assert built == kept, "make -C firmware hex, then copy build/pusher.hex into rig/"


class Image:
    """A chip with hands at its pins; low is on for the switch, closed for the stop button."""

    def __init__(self, library, elf):
        self.library = library
        self.sim = ctypes.c_void_p(library.sim_open(elf))
        self.receiver = Receiver()
        self.events = []
        self.answers = []
        self.sequence = 0
        self.levels = BEAMS | SWITCH
        self.pins(ESTOP, on=True)

    def pins(self, mask, on):
        self.levels = self.levels & ~mask if on else self.levels | mask
        self.library.sim_pins(self.sim, BEAMS | SWITCH | ESTOP, self.levels)

    def run(self, us):
        self.library.sim_run(self.sim, int(us))
        room = ctypes.create_string_buffer(8192)
        length = self.library.sim_get(self.sim, room)
        for one in self.receiver.feed(room.raw[:length]):
            (self.events if one.kind is Kind.EVENT else self.answers).append(one)

    def put(self, data):
        self.library.sim_put(self.sim, data, len(data))

    def ask(self, text, session=1, number=None):
        self.sequence = after(self.sequence) if number is None else number
        self.put(encode(Frame(Kind.COMMAND, session, self.sequence, text)))
        self.answers.clear()
        for _ in range(40):
            self.run(500)
            if self.answers:
                return self.answers[0].text
        raise AssertionError(f"no answer to {text}")

    def hello(self, session=1):
        return self.ask(f"HELLO 1 0000000{session}", session, 0)

    def live(self, ms):
        for _ in range(ms // 100):
            self.ask("HB")
            self.run(100_000)

    def push(self, stroke="300 800 150 600"):
        self.run(50_000)
        self.hello()
        self.pins(SWITCH, on=True)
        self.run(6000)
        token = self.ask("ARM").split()[2]
        self.live(700)
        assert self.ask(f"PUSH {token} {stroke}").startswith("OK PUSH")

    @property
    def power(self):
        return bool(self.library.sim_power(self.sim))

    @property
    def cycle(self):
        return self.library.sim_cycle(self.sim)

    def off_after_us(self, since):
        assert not self.power
        return (self.library.sim_power_changed(self.sim) - since) / MHZ

    def pulses_us(self):
        count = self.library.sim_pulse_count(self.sim)
        return [self.library.sim_pulse(self.sim, i) / 2 for i in range(count)]


@pytest.fixture
def image(sim_library):
    one = Image(*sim_library)
    yield one
    one.library.sim_close(one.sim)


def test_three_seconds_of_power_on_are_silent_at_the_servo(image):
    image.run(3_000_000)

    assert not image.power
    assert image.pulses_us() == []
    assert [event.text.split()[0] for event in image.events] == ["BOOT"]


def test_a_stroke_follows_the_formula_and_ends_without_power(image):
    image.push()
    start = len(image.pulses_us())
    image.live(1900)

    pulses = image.pulses_us()
    top = pulses.index(max(pulses))
    assert set(pulses[: start - 1]) == {1200.0}
    assert pulses[top] == 1500.0
    assert pulses[: top + 1] == sorted(pulses[: top + 1])
    assert pulses[top:] == sorted(pulses[top:], reverse=True)
    cycles = [image.library.sim_pulse_cycle(image.sim, i) for i in range(len(pulses))]
    assert {b - a for a, b in pairwise(cycles)} <= set(range(319_990, 320_011))
    assert not image.power
    states = [event.text.split()[1] for event in image.events if event.text.startswith("ST")]
    assert states == ["ARMED", "OUT", "HOLD", "BACK", "SAFE"]


def test_the_stop_byte_takes_the_power_within_150_us(image):
    image.push()
    image.live(300)
    since = image.cycle
    image.put(b"!")
    image.run(10_000)

    assert image.off_after_us(since) <= 150
    assert image.events[-1].text.startswith("ST ESTOP")


def test_the_stop_byte_behind_a_flood_costs_little_more_than_the_wire(image):
    image.push()
    image.live(300)
    since = image.cycle
    image.put(b"$C1" * 100 + b"!")
    image.run(60_000)

    assert image.off_after_us(since) <= 301 * 10 / 117_647 * 1e6 + 3000


def test_the_stop_button_takes_the_power_within_four_milliseconds(image):
    image.push()
    image.live(300)
    since = image.cycle
    image.pins(ESTOP, on=False)
    image.run(10_000)

    assert image.off_after_us(since) <= 4000


def test_a_reset_in_a_stroke_moves_nothing_and_is_told_until_a_hand_clears_it(image):
    image.push()
    image.live(300)
    before = len(image.pulses_us())
    for _ in range(2):
        image.library.sim_reset(image.sim)
        image.events.clear()
        image.run(500_000)
        assert image.events[0].text.split()[2] == "1"

    assert len(image.pulses_us()) == before
    assert image.hello(2).endswith("FAULT")
    assert image.ask("CLEAR", 2) == "ER CLEAR 7 FAULT"
    image.pins(SWITCH, on=False)
    image.run(10_000)
    assert image.ask("CLEAR", 2) == "OK CLEAR SAFE"


def test_a_beam_edge_is_timed_to_a_few_microseconds(image):
    image.run(50_000)
    image.pins(4, on=True)
    image.run(25_000)
    image.pins(4, on=False)
    image.run(25_000)

    broken, clear = [e.text.split() for e in image.events if e.text.startswith("BEAM")]
    assert broken[:3] == ["BEAM", "0", "1"]
    assert clear[:3] == ["BEAM", "0", "0"]
    assert abs(int(clear[3], 16) - int(broken[3], 16) - 25_000) <= 5


def test_a_stroke_under_a_flood_leaves_half_a_kilobyte_of_stack(image):
    image.push()
    image.live(300)
    image.put(b"$C1\x00" * 100)
    for text in ("LIM", "CNT", "EV 00", "FOO", "DISARM"):
        image.pins(4, on=True)
        image.pins(4, on=False)
        image.put(encode(Frame(Kind.COMMAND, 1, 200, text)))
        image.run(60_000)

    assert image.library.sim_stack_left(image.sim) >= 512
