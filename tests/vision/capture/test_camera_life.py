"""A camera through whatever happens to it: an old or a foreign picture is never given."""

import cv2
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support.fake_device import Clock, Webcam
from vision.capture.camera import NoFrame
from vision.capture.live_camera import CameraState, Feed
from vision.capture.settings import Setting, Source
from vision.tuning.capture import LIVE_CAMERA

HAPPENS = st.lists(
    st.sampled_from(["step", "step", "step", "plug", "unplug", "busy", "free", "spoil", "wait"]),
    max_size=60,
)


@settings(max_examples=150)
@given(HAPPENS)
def test_whatever_happens_a_frame_is_new_or_the_reason_is_said(events):
    webcam, clock = Webcam(), Clock()
    feed = Feed(
        Source("/dev/fake", cv2.CAP_V4L2),
        opener=webcam.open,
        power_line=lambda source, hz: Setting("power line", hz, True, "power_line"),
        now_s=clock,
        settle_frames=2,
    )
    taken_s = {}
    for event in events:
        match event:
            case "step":
                before = webcam.pictures
                feed.step()
                if webcam.pictures > before:
                    taken_s[webcam.pictures % 256] = clock.s
            case "plug" | "unplug":
                webcam.plugged = event == "plug"
            case "busy" | "free":
                webcam.busy = event == "busy"
            case "spoil":
                webcam.spoiled = 3
            case "wait":
                clock.s += 0.7
        try:
            frame = feed.newest()
        except NoFrame as reason:
            assert "camera fake" in str(reason)
            assert feed.state is not CameraState.LIVE
        else:
            assert feed.state is CameraState.LIVE
            assert clock.s - taken_s[int(frame.image[0, 0, 0])] <= LIVE_CAMERA.silent_s
        assert 0 <= webcam.opened - webcam.released <= 1
    webcam.plugged, webcam.busy, webcam.spoiled = True, False, 0
    for _ in range(60):
        feed.step()
    assert feed.state is CameraState.LIVE
    feed.release()
    assert webcam.opened == webcam.released
