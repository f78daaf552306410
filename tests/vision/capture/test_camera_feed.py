"""What the camera's thread does, step by step and without the thread."""

import cv2
import pytest

from rig.cli.camera import in_words
from rig.cli.speech import speech
from tests.support.fake_device import Clock, Webcam
from vision.capture.camera import CameraClosed, CameraGone, CameraHangs, NoFrame
from vision.capture.live_camera import CameraState, Feed
from vision.capture.settings import MJPG, CameraSettings, Setting, Source
from vision.tuning.capture import LIVE_CAMERA

HERE = Source("/dev/v4l/by-id/usb-Fake_Cam-index0", cv2.CAP_V4L2)
SETTLE = 6


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def webcam():
    return Webcam()


def feed_of(webcam, clock, settle=SETTLE, source=HERE, **settings):
    return Feed(
        source,
        CameraSettings(**settings),
        opener=webcam.open,
        power_line=lambda source, hz: Setting("power line", hz, True, "power_line"),
        now_s=clock,
        settle_frames=settle,
    )


def live(feed):
    """Step until there is a frame."""
    for _ in range(100):
        feed.step()
        if feed.state is CameraState.LIVE:
            return feed
    raise AssertionError("never live")


def said(feed):
    return {setting.name: in_words(setting, speech("en")) for setting in feed.report}


def test_compression_is_asked_for_before_the_size(webcam, clock):
    live(feed_of(webcam, clock))
    asked = [prop for prop, _ in webcam.asked]
    order = [cv2.CAP_PROP_FOURCC, cv2.CAP_PROP_FRAME_WIDTH, cv2.CAP_PROP_FRAME_HEIGHT]
    assert sorted(order, key=asked.index) == order
    assert webcam.last.get(cv2.CAP_PROP_FOURCC) == MJPG
    assert webcam.last.get(cv2.CAP_PROP_FPS) == 30.0
    assert webcam.last.get(cv2.CAP_PROP_BUFFERSIZE) == 2.0


def test_what_another_program_has_held_is_found_anew(webcam, clock):
    webcam.left = {cv2.CAP_PROP_AUTO_EXPOSURE: 1.0, cv2.CAP_PROP_AUTO_WB: 0.0}
    feed = feed_of(webcam, clock, held={"white balance": 5000.0})
    for _ in range(SETTLE):
        feed.step()
    assert webcam.last.get(cv2.CAP_PROP_AUTO_EXPOSURE) == 3.0
    assert webcam.last.get(cv2.CAP_PROP_AUTO_WB) == 0.0
    live(feed)
    assert webcam.last.get(cv2.CAP_PROP_AUTO_EXPOSURE) == 1.0
    assert webcam.last.get(cv2.CAP_PROP_WB_TEMPERATURE) == 5000.0


def test_settings_are_held_once_the_camera_has_found_them(webcam, clock):
    feed = feed_of(webcam, clock)
    for _ in range(SETTLE):
        feed.step()
        assert webcam.last.get(cv2.CAP_PROP_AUTO_EXPOSURE) == 3.0
    webcam.last.props[cv2.CAP_PROP_EXPOSURE] = 211.0
    live(feed)
    for auto, off in (
        (cv2.CAP_PROP_AUTO_EXPOSURE, 1.0),
        (cv2.CAP_PROP_AUTO_WB, 0.0),
        (cv2.CAP_PROP_AUTOFOCUS, 0.0),
    ):
        assert webcam.last.get(auto) == off
    assert said(feed)["exposure"] == "exposure held at 211"
    assert said(feed)["focus"] == "focus held at 30"
    assert all(setting.took for setting in feed.report)


def test_no_frame_is_given_from_before_the_settings_were_held(webcam, clock):
    feed = live(feed_of(webcam, clock))
    number = int(feed.newest().image[0, 0, 0])
    held_at = SETTLE
    assert number > held_at + LIVE_CAMERA.stale_frames


def test_a_value_of_ones_own_is_held_instead(webcam, clock):
    live(feed_of(webcam, clock, held={"exposure": 80.0}))
    assert webcam.last.get(cv2.CAP_PROP_EXPOSURE) == 80.0


def test_what_the_camera_refuses_is_told(webcam, clock):
    webcam.deaf = {cv2.CAP_PROP_AUTO_EXPOSURE}
    webcam.missing = {cv2.CAP_PROP_FOCUS, cv2.CAP_PROP_AUTOFOCUS, cv2.CAP_PROP_WB_TEMPERATURE}
    feed = live(feed_of(webcam, clock))
    assert said(feed)["exposure"] == "exposure: stays automatic, the camera refuses to hold it"
    assert said(feed)["focus"] == "focus: this camera has none"
    took = {setting.name: setting.took for setting in feed.report}
    # A camera without focus cannot lose it; one whose white balance is its own business may drift.
    assert (took["exposure"], took["focus"], took["white balance"]) == (False, True, False)


def test_a_value_that_did_not_take_is_told_with_what_it_is(webcam, clock):
    webcam.deaf = {cv2.CAP_PROP_GAIN}
    feed = live(feed_of(webcam, clock, held={"gain": 55.0}))
    assert said(feed)["gain"] == "gain 20 instead of 55"


def test_another_size_than_asked_for_is_told(clock):
    feed = live(feed_of(Webcam(sizes=((1280, 720),)), clock))
    assert said(feed)["size"] == "1280 x 720 px instead of 1920 x 1080"


def test_a_picture_that_turns_dark_when_it_is_held_is_told(webcam, clock):
    feed = feed_of(webcam, clock)
    for _ in range(SETTLE + 1):
        feed.step()
    webcam.brightness = 45
    live(feed)
    assert "became 50% darker" in said(feed)["brightness"]


def test_a_steady_picture_is_not_complained_about(webcam, clock):
    assert "brightness" not in said(live(feed_of(webcam, clock)))


def test_the_kernels_time_of_a_picture_is_believed_when_it_can_be(webcam, clock):
    feed = live(feed_of(webcam, clock))
    for now_s, stamp_s, expected_s in (
        (101.0, 100.95, 100.95),
        (101.1, 12.0, 101.1),
        (101.2, 101.7, 101.2),
        (101.3, 101.1, 101.2),
        (101.4, 101.35, 101.35),
    ):
        clock.s, webcam.stamp_s = now_s, stamp_s
        feed.step()
        assert feed.newest().time_s == pytest.approx(expected_s)


def test_other_backends_give_the_time_of_arrival(webcam, clock):
    feed = live(feed_of(webcam, clock, source=Source(0, cv2.CAP_DSHOW)))
    clock.s, webcam.stamp_s = 101.0, 100.95
    feed.step()
    assert feed.newest().time_s == 101.0


def test_one_spoiled_picture_is_passed_over(webcam, clock):
    feed = live(feed_of(webcam, clock))
    before = feed.newest()
    webcam.spoiled = LIVE_CAMERA.failures - 1
    for _ in range(LIVE_CAMERA.failures - 1):
        feed.step()
        assert feed.newest() is before
    feed.step()
    assert feed.newest() is not before
    assert webcam.opened == 1


def test_an_unplugged_camera_is_named_and_let_go(webcam, clock):
    feed = live(feed_of(webcam, clock))
    webcam.plugged = False
    for _ in range(LIVE_CAMERA.failures):
        feed.step()
    assert feed.state is CameraState.GONE
    with pytest.raises(CameraGone, match="usb-Fake_Cam-index0: sends no pictures any more"):
        feed.newest()
    assert webcam.released == 1


def test_a_camera_that_is_back_sends_pictures_with_the_very_same_settings(webcam, clock):
    feed = feed_of(webcam, clock)
    for _ in range(3):
        feed.step()
    webcam.last.props[cv2.CAP_PROP_EXPOSURE] = 211.0
    before = live(feed).newest()
    webcam.plugged = False
    for _ in range(LIVE_CAMERA.failures + 2):
        feed.step()
    assert feed.state is CameraState.GONE
    webcam.plugged = True
    live(feed)
    assert feed.newest() is not before
    assert webcam.opened == 2
    assert webcam.last.get(cv2.CAP_PROP_EXPOSURE) == 211.0
    assert webcam.last.get(cv2.CAP_PROP_AUTO_EXPOSURE) == 1.0


def test_a_lost_camera_is_tried_less_and_less_often_but_for_ever(webcam, clock):
    webcam.plugged = False
    feed = feed_of(webcam, clock)
    assert [feed.step() for _ in range(7)] == [0.5, 1.0, 2.0, 4.0, 5.0, 5.0, 5.0]
    webcam.plugged = True
    live(feed)
    webcam.plugged = False
    assert [feed.step() for _ in range(LIVE_CAMERA.failures)][-1] == 0.5


def test_a_lost_camera_stays_lost_while_it_is_tried_again(webcam, clock):
    states = []

    def opener(source):
        states.append(feed.state)
        return webcam.open(source)

    webcam.plugged = False
    feed = feed_of(webcam, clock)
    feed.opener = opener
    feed.step()
    feed.step()
    assert states == [CameraState.OPENING, CameraState.GONE]


def test_a_camera_that_opens_but_never_sends_is_not_tried_in_a_rush(webcam, clock):
    webcam.spoiled = 10**9
    feed = feed_of(webcam, clock)
    pauses = [feed.step() for _ in range(4 * (LIVE_CAMERA.failures + 1))]
    assert [s for s in pauses if s >= 0.5] == [0.5, 1.0, 2.0, 4.0]
    with pytest.raises(CameraGone, match="opens but sends no pictures; close other programs"):
        feed.newest()


def test_before_the_first_picture_it_is_getting_ready(webcam, clock):
    feed = feed_of(webcam, clock)
    feed.step()
    assert feed.state is CameraState.OPENING
    with pytest.raises(NoFrame, match="getting ready"):
        feed.newest()


def test_a_camera_that_falls_silent_hangs_and_an_old_frame_is_not_given(webcam, clock):
    feed = live(feed_of(webcam, clock))
    clock.s += 1.9
    assert feed.newest() is feed.newest()
    clock.s += 0.2
    assert feed.state is CameraState.HANGS
    with pytest.raises(CameraHangs, match="has not answered for 2 s; unplug it"):
        feed.newest()
    feed.step()
    assert feed.state is CameraState.LIVE


def test_a_driver_that_fails_is_said_in_one_line(webcam, clock):
    feed = live(feed_of(webcam, clock))

    def broken():
        raise cv2.error("many lines\nof OpenCV's own")

    webcam.last.grab = broken
    feed.step()
    with pytest.raises(CameraGone, match="its driver failed") as told:
        feed.newest()
    assert "\n" not in str(told.value)
    assert live(feed).newest()


def test_a_closed_feed_gives_nothing_even_if_a_picture_still_comes(webcam, clock):
    feed = live(feed_of(webcam, clock))
    feed.close()
    feed.step()
    assert feed.state is CameraState.CLOSED
    with pytest.raises(CameraClosed):
        feed.newest()
