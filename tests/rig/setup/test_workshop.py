"""What the page of the first evening may ask for, and when the devices are whose."""

import socket
import threading
from types import SimpleNamespace

import cv2
import numpy as np
import pytest

from rig.clock import SystemClock
from rig.machine.build import open_rig, open_sights
from rig.pusher.find_port import SerialPort
from rig.setup.bench.arms import RealArms
from rig.setup.bench.eyes import RealEyes, VirtualEyes
from rig.setup.desk import Desk
from rig.setup.lending import TableDevices, opened
from rig.setup.plan.facts import Mark
from rig.setup.reasons import SetupReason
from rig.setup.store import Shelf
from rig.setup.wishes import WISHES, fulfil
from rig.setup.workshop import Kinds, NotSo, Workshop, usual
from tests.support.fake_device import Capture, Webcam
from tests.support.terminal_board import TerminalBoard
from vision.capture.settings import Source
from vision.render.render import default_view
from web.content.words import speaker

MOST_STEPS = 60


class Table:
    """A table whose devices are borrowed; notes what becomes of them."""

    def __init__(self):
        self.playing = self.paused = False
        self.lent = 0
        self.backs = []

    def pause(self, on):
        self.playing, self.paused = not on, on

    def frame(self):
        return None

    def lend(self):
        self.lent += 1

    def take_back(self, config):
        self.backs.append(config)
        return None


class Evening:
    """A workshop that is stepped by hand: no thread, no waiting."""

    def __init__(self, folder):
        self.shelf, self.table, self.clock = Shelf(folder), Table(), SystemClock()
        self.shop = self.begin()

    def begin(self):
        kinds = usual(self.clock)
        return Workshop(self.shelf, self.table, self.clock, kinds, self.shelf.config())

    def do(self, name, **wish):
        reply = fulfil(self.shop, {"do": name, **wish})
        self.work()
        return reply

    def work(self):
        for _ in range(MOST_STEPS):
            if self.shop.step() != 0.0 and not self.shop.busy:
                return
        raise AssertionError("the job is never done")

    def refused(self, name, **wish):
        with pytest.raises(NotSo) as refused:
            self.do(name, **wish)
        return refused.value.key

    def look(self):
        self.shop._looked_s = float("-inf")
        self.shop.step()

    def told(self):
        return Desk(self.shop).view((), "")

    def mark(self, step):
        return next(s["mark"] for s in self.told()["steps"] if s["name"] == step)


@pytest.fixture
def evening(tmp_path):
    made = Evening(tmp_path / "data")
    yield made
    made.shop.close()


def test_every_wish_has_somebody_to_do_it_and_strangers_are_refused(evening):
    assert set(WISHES) >= {"go", "ruler", "use", "camera", "take", "survey", "tile", "find", "row"}
    for wish in ({}, {"do": None}, {"do": ["go"]}, {"do": "dance"}, {"do": "__init__"}):
        with pytest.raises(NotSo) as refused:
            fulfil(evening.shop, wish)
        assert refused.value.key == "refused.unknown"


def test_the_evening_is_kept_where_it_is_left(evening):
    evening.do("go", step="tiles")
    evening.do("tile", length=50, width=25, thickness=8, weight=9)
    again = evening.begin()
    assert again.kept.at == "tiles" and again.kept.tile
    assert evening.shelf.config().tiles.length_mm == 50


@pytest.mark.parametrize(
    ("wish", "key"),
    [
        ({"do": "go", "step": "kitchen"}, "refused.unknown"),
        ({"do": "ruler", "mm": 30}, "print.range"),
        ({"do": "ruler", "mm": None}, "refused.number"),
        ({"do": "ruler", "mm": True}, "refused.number"),
        ({"do": "tile", "length": 24, "width": 48, "thickness": 7.5, "weight": 8}, "tiles.order"),
        ({"do": "tile", "length": "48"}, "refused.number"),
        ({"do": "use", "device": "camera", "kind": "periscope"}, "refused.unknown"),
        ({"do": "camera", "id": 5}, "refused.unknown"),
        ({"do": "accept"}, "refused.mat"),
        ({"do": "survey"}, "refused.lens"),
        ({"do": "hold"}, "air.lost"),
        ({"do": "clear"}, "air.lost"),
        ({"do": "find", "port": 3}, "refused.unknown"),
    ],
)
def test_what_cannot_be_done_is_refused_with_the_key_of_its_words(evening, wish, key):
    name = wish.pop("do")
    assert evening.refused(name, **wish) == key


def test_a_picture_that_adds_nothing_is_refused_and_says_like_which_it_is(evening):
    evening.do("go", step="camera")
    evening.do("camera", id="virtual")
    evening.look()
    evening.do("accept")
    evening.do("take")
    evening.do("take")
    told = evening.told()
    assert (told["said"]["key"], told["said"]["of"]) == ("views.alike", {"n": 1})
    assert told["camera"]["views"] == 1


def test_a_virtual_device_is_there_as_soon_as_its_step_is_and_nothing_of_it_is_chosen(evening):
    evening.do("go", step="camera")
    evening.look()
    told = evening.told()
    assert told["camera"]["shot"] > 0 and told["camera"]["id"] == "virtual"
    evening.do("go", step="pusher")
    assert evening.told()["pusher"]["open"]
    assert not evening.shelf.rig.exists(), "looking is not choosing"
    evening.do("use", device="pusher", kind="hand")
    evening.do("use", device="pusher", kind="virtual")
    assert evening.told()["pusher"]["open"]


def test_what_rests_on_something_else_is_undone_with_it(evening):
    shop = evening.shop
    evening.do("camera", id="virtual")
    shop.keep(camera="virtual", lens_px=0.1, survey_mm=0.02, ruler_mm=100.0, row="fell")
    evening.do("ruler", mm=100)
    assert shop.kept.survey_mm == 0.02
    evening.do("ruler", mm=99.5)
    assert shop.kept.survey_mm is None, "a mat of another size has to be measured anew"
    evening.do("camera", id="virtual-low")
    assert (shop.kept.camera, shop.kept.lens_px, shop.kept.row) == ("", None, "")
    assert evening.shelf.config().camera.mat == ""


def test_one_thing_is_done_after_the_other(evening):
    fulfil(evening.shop, {"do": "cameras"})
    with pytest.raises(NotSo) as refused:
        fulfil(evening.shop, {"do": "cameras"})
    assert refused.value.key == "refused.busy"
    fulfil(evening.shop, {"do": "go", "step": "tiles"})
    evening.work()
    assert evening.told()["busy"] == ""


def test_while_a_thumb_holds_the_arm_nothing_else_is_begun(evening):
    evening.do("find", port="")
    evening.do("switch", on=True)
    nonce = evening.do("hold")["nonce"]
    for name in ("cameras", "find", "row", "tile"):
        assert evening.refused(name) == "air.moving"
    evening.do("still", nonce=nonce)
    fulfil(evening.shop, {"do": "stop"})
    assert evening.refused("hold") == "air.latched"
    evening.do("clear")
    evening.shop.step()
    assert evening.told()["pusher"]["state"] == "SAFE"


def test_a_game_under_way_has_its_devices_and_whoever_sets_up_may_pause_it(evening):
    evening.do("go", step="camera")
    evening.do("camera", id="virtual")
    assert evening.shop.watcher.is_open
    evening.table.playing = True
    evening.shop.step()
    assert not evening.shop.watcher.is_open and evening.table.backs
    for name in ("cameras", "camera", "take", "find", "row", "hold", "switch", "tile"):
        assert evening.refused(name) == "refused.playing"
    evening.do("ruler", mm=100)
    evening.do("pause", on=True)
    evening.do("camera", id="virtual")
    assert evening.shop.watcher.is_open


def test_whoever_goes_away_gives_the_devices_back(evening, monkeypatch):
    evening.do("go", step="camera")
    evening.do("camera", id="virtual")
    evening.do("find", port="")
    assert evening.shop.air is not None
    evening.shop._asked_s -= 60
    evening.shop.step()
    assert evening.shop.air is None and not evening.shop.watcher.is_open
    assert evening.table.backs[-1].camera.id == "virtual"


def test_only_real_devices_are_borrowed_from_the_table(evening):
    evening.do("camera", id="virtual")
    assert evening.table.lent == 0
    evening.do("use", device="camera", kind="none")
    evening.do("use", device="pusher", kind="serial")
    evening.shop.kinds = Kinds(evening.shop.kinds.eyes, evening.shop.kinds.arms)
    evening.shop.choose(pusher={"port": "/dev/ttyNOBODY"})
    fulfil(evening.shop, {"do": "find", "port": "/dev/ttyNOBODY"})
    evening.work()
    assert evening.table.lent == 1
    said = evening.told()["said"]
    assert (said["key"], said["of"]) == ("pusher.missing", {"port": "/dev/ttyNOBODY"})
    assert said["detail"] == ""


def test_no_phone_has_this_machine_connect_to_others(evening):
    evening.do("use", device="camera", kind="none")
    evening.do("use", device="pusher", kind="serial")
    evening.shop.kinds = Kinds(evening.shop.kinds.eyes, evening.shop.kinds.arms)
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.setblocking(False)
        port = f"socket://127.0.0.1:{server.getsockname()[1]}"
        fulfil(evening.shop, {"do": "find", "port": port})
        evening.work()
        with pytest.raises(BlockingIOError):
            server.accept()
    assert evening.told()["said"]["key"] == "refused.unknown"


def test_no_phone_has_this_machine_open_what_is_no_port_of_the_list(evening):
    evening.do("use", device="camera", kind="none")
    evening.do("use", device="pusher", kind="serial")
    evening.shop.kinds = Kinds(evening.shop.kinds.eyes, evening.shop.kinds.arms)
    fulfil(evening.shop, {"do": "find", "port": "/dev/null"})
    evening.work()
    assert evening.told()["said"]["key"] == "refused.unknown"


@pytest.mark.parametrize("kind", ["phone", "none"])
def test_real_tiles_without_a_camera_are_pushed_by_a_finger_until_an_arm_is_chosen(evening, kind):
    evening.do("use", device="camera", kind=kind)
    assert evening.shelf.config().pusher.kind == "hand"
    evening.do("use", device="pusher", kind="serial")
    evening.do("use", device="camera", kind=kind)
    assert evening.shelf.config().pusher.kind == "serial"


def test_a_folder_that_cannot_be_written_is_said_and_stops_nothing(evening):
    evening.shelf.folder.parent.mkdir(exist_ok=True)
    evening.shelf.folder.write_text("in the way", encoding="utf-8")
    evening.do("go", step="pusher")
    told = evening.told()
    assert told["at"] == "pusher" and told["said"]["key"] == "refused.kept"
    tile = {"length": 50, "width": 25, "thickness": 8, "weight": 9}
    assert evening.refused("tile", **tile) == "refused.kept"


class Overhead(Capture):
    """What a real camera over a real mat would give, fifty times a second."""

    def grab(self):
        threading.Event().wait(0.02)
        return True

    def retrieve(self):
        return True, self.webcam.image


class RealMat(Webcam):
    """A webcam in somebody's hand over a mat that was laid askew."""

    def __init__(self):
        super().__init__()
        self.eyes = VirtualEyes(SystemClock())
        self.eyes.open("virtual")
        self.image = self.eyes.frame().image

    def lean(self):
        self.eyes.tilt()
        self.image = self.eyes.frame().image

    def open(self, source):
        self.opened += 1
        return Overhead(self)


def until(evening, holds):
    """Look on until something holds: a real camera has a thread of its own."""
    for _ in range(20_000):  # a busy machine may take minutes
        evening.look()
        if holds(evening.told()):
            return
        threading.Event().wait(0.01)
    raise AssertionError("it never came to that")


@pytest.fixture
def board():
    made = TerminalBoard()
    yield made
    made.close()


def test_a_real_camera_and_a_real_board_are_set_up_and_the_table_can_use_them(evening, board):
    webcam = RealMat()
    listed = [(Source("/dev/fake", cv2.CAP_V4L2), "Fake cam")]
    ports = [SerialPort(board.name, "CH340", True)]
    evening.shop.kinds = Kinds(
        {"opencv": lambda config: RealEyes(config.camera, lambda: listed, webcam.open, 2)},
        {"serial": lambda config: RealArms(SystemClock(), lambda: ports)},
    )
    evening.do("go", step="camera")
    evening.do("use", device="camera", kind="opencv")
    evening.do("use", device="pusher", kind="serial")
    evening.do("cameras")
    evening.do("camera", id="fake")
    until(evening, lambda told: told["steps"][2]["points"][0]["key"] == "aim.mat")
    evening.do("accept")
    for n in range(4):
        webcam.lean()
        shown = evening.told()["camera"]["shot"]
        until(evening, lambda told, shown=shown: told["camera"]["shot"] > shown + 1)
        evening.do("take")
        assert evening.told()["camera"]["views"] == n + 1, evening.told()["said"]
    evening.do("go", step="mat")
    evening.do("survey")
    assert evening.mark("camera") is evening.mark("mat") is Mark.FINE

    evening.do("find", port=board.name)
    assert evening.told()["pusher"]["firmware"] == "1.1"
    assert evening.told()["pusher"]["port"] == board.name
    evening.shop.close()

    config = evening.shelf.config()
    assert (config.camera.kind, config.camera.id, config.camera.width) == ("opencv", "fake", 1920)
    assert (config.pusher.kind, config.pusher.port) == ("serial", board.name)
    sights = open_sights(config.camera, SystemClock().monotonic_s, evening.shelf.lenses)
    sights.camera.close()
    truth, _ = default_view()
    assert sights.lens.matrix[0, 0] == pytest.approx(truth.matrix[0, 0], rel=0.002)
    assert sights.mat.surveyed
    for marker, corners in webcam.eyes.mat.corners_mm.items():
        assert sights.mat.corners_mm[marker] == pytest.approx(corners, abs=1.5)
    assert evening.table.lent > 0
    again = evening.begin()
    assert again.watcher.lying.surveyed, "the next evening draws the mat as it lies"


@pytest.fixture
def table(seats):
    """A session with its machine, and what lends its devices."""
    session, seeds = seats.session, np.random.SeedSequence(1)
    made = []

    def opener(config):
        made.append(open_rig(session, config, session.clock, seeds))
        return made[-1]

    devices = TableDevices(session, opener, session.config)
    devices.open(session.config)
    return seats, devices, made


def test_a_machine_that_lent_its_devices_is_opened_anew_with_what_is_chosen_by_then(table):
    seats, devices, made = table
    assert devices.take_back(seats.session.config) is None and len(made) == 1
    devices.lend()
    devices.lend()
    assert devices.take_back(seats.session.config) is None and len(made) == 2
    assert seats.session.machine is made[1]


def test_the_bench_sees_what_the_machine_looked_at_last_and_again_once_it_is_another(table):
    seats, devices, made = table
    assert devices.frame() is None
    seats.sit("ana", "bo")
    seats.do("ana", "start")
    made[-1]._step()
    assert devices.frame() is made[-1].observer.last_frame is not None
    devices.lend()
    devices.take_back(seats.session.config)
    made[-1]._step()
    assert devices.frame() is made[1].observer.last_frame is not None


def test_a_camera_that_cannot_be_used_yet_leaves_the_table_without_one(table, tmp_path):
    seats, devices, _ = table
    shelf = Shelf(tmp_path)
    chosen = shelf.choose(camera={"kind": "opencv", "id": "nobody"}, pusher={"kind": "hand"})
    assert devices.take_back(chosen) == SetupReason("refused.table")
    assert not seats.session.table.devices.sees
    assert devices.take_back(chosen) is None, "it is not tried again before something has changed"


def test_what_goes_wrong_with_a_virtual_table_is_an_error(table):
    _, _, made = table
    with pytest.raises(ZeroDivisionError):
        opened(made[0].session.config, lambda config: 1 / 0)


def test_a_game_is_paused_and_goes_on_by_the_one_who_sets_up(table):
    seats, devices, _ = table
    assert not devices.playing
    seats.sit("ana", "bo")
    seats.do("ana", "start")
    assert devices.playing
    devices.pause(True)
    assert devices.paused and not devices.playing
    devices.pause(False)
    assert devices.playing


def test_sheets_are_drawn_for_the_tiles_of_the_settings_and_drawn_once(evening):
    desk = Desk(evening.shop)
    english = speaker("en", "sheets")
    mat = desk.sheet("mat", "A4", english)
    assert mat.startswith(b"%PDF") and desk.sheet("mat", "A4", english) is mat
    assert desk.sheet("mat", "letter", english).startswith(b"%PDF")
    assert desk.sheet("menu", "A4", english) is None and desk.sheet("mat", "A0", english) is None
    marks = desk.sheet("marks", "A4", english)
    evening.do("tile", length=60, width=30, thickness=9, weight=14)
    assert desk.sheet("marks", "A4", english) != marks


@pytest.mark.parametrize("in_use", [True, False])
def test_a_program_that_ends_stops_an_arm_in_the_air_that_is_in_use(evening, in_use):
    stopped = []
    evening.shop.air = SimpleNamespace(
        in_use=in_use, stop=lambda: stopped.append(True), close=lambda: None
    )
    evening.shop.halt()
    assert stopped == [True] * in_use
