"""What is in the camera's way: named, shown to all who can do something, and gone by itself."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from rig.clock import ManualClock
from rig.machine.camera_health import (
    CROWDED,
    KINDS,
    NOTE_S,
    OF_CAMERA,
    PATIENCE_S,
    SLIPPED,
    THING,
    Lookout,
    trouble_of,
)
from rig.row.row_live import Seeing
from tests.support.whole_rig import WholeRig
from tests.support.words import LANGUAGES, words
from vision.background.obstructions import Thing
from vision.calibrate.pose_average import Stillness
from vision.calibrate.strip_slip import Slip
from vision.capture.camera import CameraGone, CameraHangs, Frame, NoFrame
from vision.errors import VisionError
from vision.geometry.camera_pose import CameraPose, NoMat
from vision.geometry.diagnosis import Trouble
from vision.geometry.lens import BadCamera, Intrinsics
from vision.look.eye import Look
from vision.render.virtual_camera import VirtualCamera


class Pictures:
    """A camera whose pictures a test spoils: `spoil` makes another one out of the true one."""

    def __init__(self, camera):
        self.camera = camera
        self.spoil = lambda image: image
        self.error = None
        self._count = 0

    def read(self):
        if self.error is not None:
            raise self.error
        frame = self.camera.read()
        self._count += 1
        return Frame(self.spoil(frame.image), frame.time_s, f"{self._count}")

    def is_opening(self):
        return False

    def close(self):
        self.camera.close()


@pytest.fixture
def table(open_session):
    """A game of two in its first turn, seen by a camera that a test can spoil."""

    class Table(WholeRig):
        def __init__(self):
            super().__init__(open_session)
            self.camera = Pictures(self.machine.rig.camera.camera)
            self.machine.rig.camera = self.camera
            self.start("ana", "bo")

        def until(self, wanted, steps=40):
            for _ in range(steps):
                self.machine._guarded_step()
                if wanted():
                    return
                self.clock.sleep(0.2)
            raise AssertionError(self.session.live)

        def sight(self, device="ana", role="phone"):
            return self.session.view(device, role)["sight"]

        def propose(self):
            self.stand("ana", 3, 275.0)
            self.until(lambda: self.reading().state == "proposal")

        def turned(self, px):
            """The camera as if somebody had knocked it."""
            camera = self.camera.camera
            by = cv2.Rodrigues(np.array([px / camera.intrinsics.matrix[0, 0], 0.0, 0.0]))[0]
            pose = CameraPose(by @ camera.pose.rotation, by @ camera.pose.translation_mm)
            self.camera.camera = VirtualCamera(
                camera.scene, camera.intrinsics, pose, self.clock.monotonic_s
            )

    return Table()


def blurred(image):
    return cv2.GaussianBlur(image, (0, 0), 8.0)


def half_covered(image):
    spoiled = image.copy()
    spoiled[107:] = 90
    return spoiled


def over_exposed(image):
    return np.clip(image.astype(np.float64) * 6 + 60, 0, 255).astype(np.uint8)


def of_another_mat(image):
    """Markers of the dictionary that the mat at hand has not."""
    spoiled = np.full_like(image, 120)
    words = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    for n in range(8):
        left = 67 + 147 * n
        spoiled[320:426, left - 13 : left + 93] = 255
        marker = cv2.aruco.generateImageMarker(words, 35 + n, 80)
        spoiled[333:413, left : left + 80] = marker[..., None]
    return spoiled


SPOILED = {
    "dark": lambda image: (image * 0.01).astype(np.uint8),
    "bright": over_exposed,
    "blurred": blurred,
    "covered": lambda image: np.full_like(image, 110),
    "hidden": half_covered,
    "mirrored": lambda image: np.ascontiguousarray(image[:, ::-1]),
    "unknown_markers": of_another_mat,
    "size": lambda image: image[:, :960],
}
GONE = {
    "gone": CameraGone("camera 0: is not plugged in"),
    "hangs": CameraHangs("camera 0: has sent nothing for 4 s"),
    "no_picture": NoFrame("camera 0: is getting ready"),
    "other": VisionError("something else"),
}


@pytest.mark.parametrize("kind", SPOILED)
def test_a_spoiled_picture_is_named_to_all_and_nothing_read_before_may_be_confirmed(table, kind):
    table.propose()
    assert table.session.view("ana")["may"]["confirm"]
    table.camera.spoil = SPOILED[kind]
    table.machine._guarded_step()
    assert not table.session.view("ana")["may"]["confirm"]
    table.until(lambda: table.sight() is not None)
    assert table.sight() == table.sight("bo") == table.sight(None, "table")
    assert table.sight() == {"kind": kind, "blind": True}
    table.camera.spoil = lambda image: image
    table.until(lambda: table.session.live.reading.state == "proposal")
    assert table.sight() is None
    assert table.session.live.fault == ""


@pytest.mark.parametrize("kind", GONE)
def test_a_camera_that_gives_no_picture_is_named_at_once_and_forgotten_when_it_is_back(table, kind):
    table.camera.error = GONE[kind]
    table.machine._guarded_step()
    assert table.sight() == {"kind": kind, "blind": True}
    assert table.session.live.fault == str(GONE[kind])
    table.camera.error = None
    table.until(lambda: table.session.live.reading.state == "waiting")
    assert table.sight() is None


def test_a_lens_that_is_not_this_cameras_is_named(table):
    lens = table.machine.rig.eye.intrinsics
    wrong = Intrinsics(
        lens.matrix, lens.dist + np.array((0.9, -2.2, 0.0, 0.0, 0.0)), lens.width, lens.height
    )
    table.machine.rig.eye.intrinsics = wrong
    table.machine.rig.eye._view = None
    table.camera.spoil = lambda image: np.roll(image, 40, axis=1)
    table.until(lambda: table.sight() is not None)
    assert table.sight() == {"kind": "contradiction", "blind": True}


def test_a_hand_that_hides_the_mat_for_a_moment_is_no_trouble(table):
    table.camera.spoil = half_covered
    table.machine._guarded_step()
    assert table.sight() is None
    assert not table.session.live.clear


def test_a_knocked_camera_is_told_while_it_moves_and_softly_afterwards(table):
    table.propose()
    for _ in range(8):
        table.turned(8.0)
        table.machine._guarded_step()
        assert not table.session.view("ana")["may"]["confirm"]
    assert table.sight() == {"kind": "moving", "blind": True}
    assert not table.session.view("ana")["may"]["confirm"]
    table.until(lambda: table.sight() != {"kind": "moving", "blind": True})
    assert table.sight() == {"kind": "moved", "blind": False}
    # The tiles stand where they stood, seen from the new place.
    table.until(lambda: table.session.live.reading.state == "proposal")
    assert abs(table.session.live.reading.tile.pose.x_mm - 275.0) < 2.5
    table.clock.sleep(NOTE_S)
    table.machine._guarded_step()
    assert table.sight() is None


EMPTY = Frame(np.full((90, 160, 3), 120, np.uint8), 0.0)


def test_more_on_the_table_than_can_be_told_apart_is_said_and_stops_nothing():
    lookout = Lookout(ManualClock().monotonic_s)
    told = lookout.looked(EMPTY, Look(None, (), False, crowded=True), slid=False)
    assert (told.kind, told.blind) == ("crowded", False)
    assert lookout.looked(EMPTY, Look(None, (), False), slid=False).kind == ""


def test_a_thing_on_the_mat_is_said_with_its_size_and_stops_nothing():
    lookout = Lookout(ManualClock().monotonic_s)
    book = Thing(300.0, 200.0, 210.0, 148.0, "")
    told = lookout.looked(EMPTY, Look(None, (), False, things=(book,)), slid=False)
    assert told == Seeing("thing", False, "something 210 × 148 mm lies on the mat")
    assert lookout.looked(EMPTY, Look(None, (), False), slid=False).kind == ""


def looked(lookout, stillness, slid=False):
    return lookout.looked(EMPTY, Look(None, (), False, stillness), slid)


def test_a_look_out_waits_a_little_before_it_calls_the_mat_hidden():
    clock = ManualClock()
    lookout = Lookout(clock.monotonic_s)
    hidden = NoMat("only 3 markers seen: move the lamp")
    assert lookout.failed(hidden) == Seeing()
    clock.advance(PATIENCE_S - 0.1)
    assert lookout.failed(hidden) == Seeing()
    clock.advance(0.2)
    assert lookout.failed(hidden) == Seeing("hidden", True, str(hidden))
    assert looked(lookout, Stillness.STILL) == Seeing()
    assert lookout.failed(hidden) == Seeing()


def test_an_unsure_frame_changes_nothing_of_what_is_told():
    clock = ManualClock()
    lookout = Lookout(clock.monotonic_s)
    crept = looked(lookout, Stillness.CREPT)
    assert (crept.kind, crept.blind) == ("crept", False)
    assert looked(lookout, Stillness.UNSURE) == crept


def test_a_slid_mat_is_told_as_long_as_the_row_stands_elsewhere():
    lookout = Lookout(ManualClock().monotonic_s)
    assert looked(lookout, Stillness.STILL, slid=True).kind == "slid"
    assert looked(lookout, Stillness.STILL) == Seeing()


def test_a_strip_that_has_slipped_is_named_and_the_game_goes_on():
    lookout = Lookout(ManualClock().monotonic_s)
    slips = (Slip(5, "left", (1.2, 0.0, 0.0)),)
    told = lookout.looked(EMPTY, Look(None, (), False, slips=slips), slid=True)
    assert (told.kind, told.blind) == (SLIPPED, False)
    assert "left strip" in told.words
    assert "1.2 mm" in told.words
    assert looked(lookout, Stillness.STILL) == Seeing()


def every_kind():
    of_mat = {trouble_of(NoMat("x", trouble)).kind for trouble in Trouble}
    of_rest = {kind for _, kind in KINDS} | {"other", "moved", "slid", SLIPPED, CROWDED.kind, THING}
    return of_mat | of_rest | {seeing.kind for seeing in OF_CAMERA.values()}


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_trouble_has_words_on_phones_and_on_the_table_screen(lang):
    phone, screen = words(lang), words(f"{lang}/table")
    kinds = every_kind()
    assert len(kinds) > 14
    assert {f"sight.{kind}" for kind in kinds} - set(phone) == set()
    assert {f"sight.{kind}.do" for kind in kinds} - set(phone) == set()
    assert {f"table.sight.{kind}" for kind in kinds} - set(screen) == set()


def test_the_trouble_of_an_error_keeps_its_words():
    assert trouble_of(BadCamera("made for 1920 x 1080")).words == "made for 1920 x 1080"
    assert replace(trouble_of(CameraGone("x")), words="") == Seeing("gone", True)
