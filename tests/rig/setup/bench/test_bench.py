"""The devices on the bench: real ones and pretend ones keep the same promises."""

import threading

import cv2
import pytest

from rig.clock import SystemClock
from rig.config import load_config
from rig.pusher.find_port import SerialPort
from rig.pusher.link import LineLost
from rig.pusher.port import PushRefused, Stroke
from rig.setup.bench.arms import InTheAir, NotNow, RealArms, VirtualArms, arm_of
from rig.setup.bench.eyes import GOOD, LOW, RealEyes, VirtualEyes
from rig.setup.errors import NotThere
from tests.support.fake_device import Webcam
from tests.support.stroke_clock import CommonClock
from tests.support.terminal_board import TerminalBoard
from vision.capture.camera import NoFrame
from vision.capture.settings import Source

PATIENCE_S = 20.0
MOST_TRIES = 20


class RealCamera:
    """An OpenCV device made of Python, behind the real side of the bench."""

    ids = ("fake",)

    def __init__(self):
        self.webcam = Webcam()
        sources = [(Source("/dev/fake", cv2.CAP_V4L2), "Fake cam")]
        self.eyes = RealEyes(load_config().camera, lambda: sources, self.webcam.open, 3)


class PretendCamera:
    ids = (LOW, GOOD)

    def __init__(self):
        self.eyes = VirtualEyes(SystemClock())


@pytest.fixture(params=[RealCamera, PretendCamera])
def camera(request):
    made = request.param()
    yield made
    made.eyes.close()


def first_frame(eyes):
    """Wait for it: a real camera has to find its exposure first."""
    again = threading.Event()
    for _ in range(int(PATIENCE_S / 0.01)):
        try:
            return eyes.frame()
        except NoFrame:
            again.wait(0.01)
    raise AssertionError("no picture came")


def test_cameras_are_listed_with_a_picture_of_what_each_sees(camera):
    found = camera.eyes.found()
    assert tuple(each.id for each in found) == camera.ids
    assert all(each.preview.startswith(b"\xff\xd8") and not each.trouble for each in found)


def test_a_camera_that_was_opened_gives_pictures_of_the_size_that_was_said(camera):
    camera.eyes.found()
    size = camera.eyes.open(camera.ids[0])
    assert size == (1920, 1080)
    assert first_frame(camera.eyes).image.size


def test_a_camera_that_is_closed_says_in_words_that_none_is_open(camera):
    camera.eyes.open(camera.ids[0])
    camera.eyes.close()
    with pytest.raises(NoFrame, match="choose one"):
        camera.eyes.frame()


def test_looking_for_cameras_lets_go_of_the_open_one_first():
    made = RealCamera()
    made.eyes.open("fake")
    first_frame(made.eyes)
    made.eyes.found()
    assert made.webcam.opened == made.webcam.released
    made.eyes.close()


def test_a_pretend_camera_is_held_in_other_ways_and_hung_back():
    eyes = VirtualEyes(SystemClock())
    eyes.open(GOOD)
    hanging = eyes.frame().image
    eyes.tilt()
    assert (eyes.frame().image != hanging).any()
    eyes.hang()
    assert (eyes.frame().image == hanging).all()
    with pytest.raises(NotThere, match="choose one"):
        eyes.open("periscope")


class RealPusher:
    """The program of the pusher behind a pseudo-terminal, real pyserial and real time."""

    def __init__(self):
        self.board = TerminalBoard()
        ports = [SerialPort(self.board.name, "CH340", True)]
        self.arms = RealArms(SystemClock(), lambda: ports)
        self.turn_switch = self.board.turn_switch
        self.close = self.board.close


class PretendPusher:
    def __init__(self):
        self.arms = VirtualArms(CommonClock("stroke in the air"))
        self.opened = None

    def turn_switch(self, on):
        self.opened.set_switch(on)

    def close(self):
        pass


@pytest.fixture(params=[RealPusher, PretendPusher])
def bench(request):
    made = request.param()
    made.air = made.opened = None
    yield made
    if made.air is not None:
        made.air.close()
    made.close()


def find(bench):
    bench.opened, where = bench.arms.open("")
    assert where == bench.arms.found()[0].name
    bench.air = InTheAir(bench.opened, bench.arms.clock)
    return bench.air


def until(air, wanted, nonce=""):
    """Tend it until something holds, the thumb staying where it is."""
    for _ in range(int(PATIENCE_S / 0.02)):
        air.still(nonce)
        told = air.tend()
        if wanted(told):
            return told
        air.clock.sleep(0.02)
    raise AssertionError("it never came to that")


def strokes(bench):
    return bench.opened.status().strokes


def ready(bench):
    air = find(bench)
    bench.turn_switch(True)
    until(air, lambda _: arm_of(bench.opened).ready)
    return air


def holds(bench):
    """Turn the switch and press the button, again and again; give air and the thumb's token.

    A board that lives in real time may refuse on a busy day, or be home again before anybody
    looked: people turn the switch and try once more.
    """
    air = ready(bench)
    for _ in range(MOST_TRIES):
        yield air, air.hold()
        bench.turn_switch(False)
        until(air, lambda _: arm_of(bench.opened).state in ("SAFE", "AWAY"))
        if arm_of(bench.opened).state == "AWAY":
            bench.opened.homed()
        bench.turn_switch(True)
        until(air, lambda _: arm_of(bench.opened).ready)
    raise AssertionError("it never came to that")


def until_out(bench):
    """Hold the button until the arm is seen swinging."""
    for air, nonce in holds(bench):
        told = until(air, lambda told: told or arm_of(bench.opened).state == "OUT", nonce)
        if told is None:
            return air


def test_a_pusher_is_found_and_says_who_it_is_and_nothing_moves(bench):
    air = find(bench)
    arm = arm_of(bench.opened)
    assert (arm.found, arm.firmware, arm.state, arm.ready) == (True, "1.1", "SAFE", False)
    assert len(bench.arms.found()) == 1
    for _ in range(5):
        assert air.tend() is None
    assert strokes(bench) == 0


def test_nothing_is_armed_before_a_hand_has_turned_the_switch(bench):
    air = find(bench)
    with pytest.raises(NotNow) as refused:
        air.hold()
    assert refused.value.key == "air.switch"
    assert strokes(bench) == 0


def test_a_thumb_that_stays_swings_the_arm_out_and_home_once(bench):
    before = 0
    for air, nonce in holds(bench):
        told = until(air, lambda told: told is not None, nonce)
        if isinstance(told, Stroke) and told.complete:
            break
        if isinstance(told, (PushRefused, NotNow)):
            assert strokes(bench) == before, "refused, and yet it moved"
        before = strokes(bench)
    assert told.number == before + 1
    for _ in range(5):
        assert air.tend() is None
    assert strokes(bench) == before + 1
    with pytest.raises(NotNow, match="off, and then on"):
        air.hold()


def test_a_thumb_that_goes_early_moves_nothing(bench):
    air = ready(bench)
    nonce = air.hold()
    air.still(nonce)
    air.release()
    until(air, lambda _: air.held_s == 0.0)
    assert strokes(bench) == 0 and not air.moving


def test_a_thumb_that_is_not_heard_of_any_more_has_gone(bench):
    air = ready(bench)
    air.hold()
    until(air, lambda _: air.held_s == 0.0)
    assert strokes(bench) == 0


def test_letting_go_in_the_middle_brings_the_arm_home(bench):
    air = until_out(bench)
    air.release()
    stroke = until(air, lambda told: told is not None)
    assert not stroke.complete
    assert arm_of(bench.opened).state == "SAFE"


def test_stop_takes_the_power_in_the_middle_of_a_stroke_and_stays(bench):
    air = until_out(bench)
    air.stop()
    until(air, lambda told: told is not None)
    assert arm_of(bench.opened).state == "ESTOP"
    with pytest.raises(NotNow) as refused:
        air.hold()
    assert refused.value.key == "air.latched"


def test_a_button_that_was_pressed_before_the_start_counts_as_a_stop():
    pusher, _ = VirtualArms(CommonClock()).open("")
    pusher.set_estop(True)
    pusher.restart()
    assert (pusher.status().state, arm_of(pusher).state) == ("SAFE", "ESTOP")
    pusher.set_estop(False)
    assert arm_of(pusher).state == "SAFE"
    pusher.close()


def test_a_port_on_which_nobody_answers_says_what_to_do():
    arms = RealArms(SystemClock(), list)
    with pytest.raises(NotThere, match="USB cable"):
        arms.open("")
    with pytest.raises(NotThere, match="is not there"):
        arms.open("/dev/ttyNOBODY")
    with pytest.raises(NotThere, match="choose the one of the list"):
        VirtualArms(SystemClock()).open("/dev/ttyUSB0")


def test_several_ports_that_fail_each_say_why_and_only_the_unforeseen_in_the_programs_words():
    troubles = {
        "COM1": LineLost("in use", "busy"),
        "COM2": LineLost("not there", "missing"),
        "COM3": LineLost("the moon is full"),
    }

    def line(name):
        raise troubles[name]

    listed = [SerialPort(name, "CH340", True) for name in troubles]
    with pytest.raises(NotThere) as refused:
        RealArms(SystemClock(), lambda: listed, line, greet_s=0.2).open("")
    assert refused.value.of["each"] == [
        {"key": "pusher.busy", "of": {"port": "COM1"}},
        {"key": "pusher.missing", "of": {"port": "COM2"}},
        {"key": "pusher.trouble", "of": {"port": "COM3"}},
    ]
    assert refused.value.detail == "COM3: the moon is full"
