"""Tables of every mixture of camera and pusher, with real devices that are made of Python.

What is real here is a second pretend table that the machine knows nothing of: tests stand its tiles
as hands would, a pretend webcam looks at it, and a pretend board behind a serial line pushes it.
"""

import itertools
import json
import threading
from contextlib import suppress

import cv2
import numpy as np

from physics.row.push import Push
from physics.row.tile import Orientation
from rig.clock import Clock, SystemClock
from rig.config import load_config
from rig.machine.build import Sights, open_rig
from rig.pusher.link import LineLost
from rig.pusher.wasm_board import Board, BoardLine
from rig.virtual.table import Placing, VirtualTable
from rig.virtual.world import PymunkWorld
from tests.support.small_view import small_view
from vision.capture.camera import CameraGone, Frame
from vision.geometry.mat import load_mat
from vision.render.virtual_camera import VirtualCamera

CAMERAS = ("virtual", "opencv", "folder", "none")
PUSHERS = ("virtual", "serial", "hand")
MIXTURES = tuple(itertools.product(CAMERAS, PUSHERS))
LENS, POSE = small_view()
SHOWN_S = 0.2
SHOTS = 200
TOUCH_US = 40.0
PATIENT_S = 0.02


def _stroke():
    """The thread that carries out a stroke, if there is one."""
    return next((one for one in threading.enumerate() if one.name == "stroke"), None)


class PatientClock(Clock):
    """Stands still unless somebody waits; whoever waits lets the other threads work meanwhile.

    Attributes:
        lags_s: how far something that lives by this clock on another thread is behind; time waits
            for it, and no longer once it has not come in seconds.
    """

    def __init__(self):
        self._time_s = 0.0
        self._lock = threading.Lock()
        self._never = threading.Event()
        self.lags_s = lambda: 0.0

    def now_s(self):
        return 1_700_000_000.0 + self.monotonic_s()

    def monotonic_s(self):
        with self._lock:
            return self._time_s

    def sleep(self, duration_s):
        left_s = duration_s
        while left_s > 0:
            left_s -= self._move(left_s)

    def wait(self, event, timeout_s=None):
        left_s = float("inf") if timeout_s is None else timeout_s
        while left_s > 0 and not event.wait(0.0005):
            left_s -= self._move(min(0.005, left_s))
        return event.is_set()

    def _move(self, most_s):
        step_s = min(PATIENT_S, most_s)
        with self._lock:
            self._time_s += step_s
        patience = 20_000
        while self.lags_s() >= PATIENT_S:
            self._never.wait(0.0005)
            patience -= 1
            if not patience:
                self.lags_s = lambda: 0.0
        return step_s


def real_table(clock):
    """A table with tiles on it, and hands that never miss."""
    rng = np.random.default_rng(5)
    return VirtualTable(PymunkWorld(rng), clock, rng, placing=Placing(0.0, 0.0))


class Webcam:
    """A camera over the real table; it has a cable."""

    def __init__(self, table, clock):
        self.table, self.clock = table, clock
        self.plugged = True
        self.before = lambda: None
        self.looked_s = 0.0
        self.look = VirtualCamera(table.scene, LENS, POSE, clock.monotonic_s)

    def read(self):
        self.before()
        self.looked_s = self.clock.monotonic_s()
        if not self.plugged:
            raise CameraGone("camera desk cam: is not plugged in; check its cable")
        self.table.let_touch()
        return Frame(self.look.read().image, self.clock.monotonic_s(), "desk cam")

    def is_opening(self):
        return False

    def close(self): ...


class RealTable:
    """The real table: its tiles, and the pusher's tip that may meet one."""

    def __init__(self, clock):
        self.tiles = real_table(clock)
        self.scene = self.tiles.scene
        self._touched = threading.Event()

    def stand(self, value, x_mm):
        self.tiles.stand(value, x_mm, 210.0, 0.0, Orientation.VERTICAL)

    def touch(self):
        """The tip, or a finger, meets the tile at the left end; it falls when somebody looks."""
        self._touched.set()

    def let_touch(self):
        if self._touched.is_set():
            self._touched.clear()
            self.tiles.fall(Push(), self.tiles.truth()[0].value)


class Cable(BoardLine):
    """A serial port with a board at its other end, which lives by the clock whenever it is read."""

    def __init__(self, board, clock, on_touch):
        super().__init__(board)
        self.clock, self.on_touch = clock, on_touch
        self.there = True
        self._lock = threading.Lock()
        self._open, self._since_s = False, 0.0
        self._idle = threading.Event()
        self._touched = False

    def begin(self):
        """Be opened; the board's time has stood while nobody read."""
        self._since_s = self.clock.monotonic_s() - self._board.time_s
        self._open = True

    def lags_s(self):
        """How far the board's time is behind that of the clock, while somebody reads."""
        if not self._open:
            return 0.0
        return self.clock.monotonic_s() - self._since_s - self._board.time_s

    def read(self):
        self._require_it()
        with self._lock:
            due_s = self.lags_s()
            if due_s >= 0.001:
                far = self._board.run(min(20, int(due_s * 1000))) > TOUCH_US
                if far and not self._touched:
                    self.on_touch()
                self._touched = far
            data = super().read()
        if not data and due_s < 0.001:
            self._idle.wait(0.001)
        return data

    def close(self):
        self._open = False

    def _require_it(self):
        if not self.there:
            self._open = False
            raise LineLost("the pusher is gone: plug it in again")

    def write(self, data):
        self._require_it()
        with self._lock:
            super().write(data)


def camera_file(path):
    data = {"K": LENS.matrix.tolist(), "dist": LENS.dist.tolist()}
    path.write_text(json.dumps({**data, "width": LENS.width, "height": LENS.height}))
    return path


def film(folder):
    """Picture files of a round: the 6, the 3 beside it, both down; so many pictures of each."""
    clock = SystemClock()
    table = real_table(clock)
    look = VirtualCamera(table.scene, LENS, POSE, clock.monotonic_s)
    table.scene(), table.scene()  # no hand in view any more
    for part in range(3):
        if part == 1:
            table.stand(3, 275.0, 210.0, 0.0, Orientation.VERTICAL)
            table.scene(), table.scene()
        if part == 2:
            table.fall(Push(), 3)
            state = table.state()
            table.load(state)
            for body in table._bodies.values():
                object.__setattr__(body, "begins_s", -1e9)
        picture = folder / f"{part}.bin"
        picture.write_bytes(cv2.imencode(".jpg", look.read().image)[1].tobytes())
        for shot in range(SHOTS):
            (folder / f"{part}{shot:03}.jpg").symlink_to(picture)
    return folder


class Stage:
    """A game of two at a table of some mixture; its machine is stepped by hand."""

    def __init__(self, open_session, tmp_path, monkeypatch, camera, pusher, folder, sections):
        self.clock = PatientClock()
        self._open_session = open_session
        self._sit_at(open_session(self.clock))
        self.table = RealTable(self.clock)
        self.webcam = Webcam(self.table, self.clock)
        self.webcam.before = self._finger
        self.finger = None
        self.board = Board(itertools.count(1))
        self.cable = Cable(self.board, self.clock, self.touch)
        self.clock.lags_s = self._lags_s
        self.part, self.since_s = 0, 0.0
        monkeypatch.setattr("rig.machine.build.SerialLine", lambda port: self._plugged())
        if camera == "opencv":
            sights = Sights(self.webcam, LENS, load_mat())
            monkeypatch.setattr("rig.machine.build.open_sights", lambda *_: sights)
        self.session.config = self.config = load_config(
            camera={
                "kind": camera,
                "folder": str(folder),
                "lens": str(camera_file(tmp_path / "lens.json")),
            },
            pusher={"kind": pusher, "port": "a port" if pusher == "serial" else ""},
            virtual={"world": "pymunk", "show_fall": False},
            **{"timing": {"proposal": 0.0, "last_ballot": 0.0}, **sections},
        )
        self.open()

    def open(self):
        seeds = np.random.SeedSequence(7)
        self.machine = open_rig(self.session, self.config, self.clock, seeds)
        self.rig = self.machine.rig
        if self.config.pusher.kind == "serial" and self.cable.there:
            self.greet()
        if self.config.camera.kind == "folder":
            self.rig.camera.camera.now_s = self._film_s
        if self.config.camera.kind == "virtual":
            camera = self.rig.camera.camera
            scene = camera.scene
            camera.scene = lambda: (self._finger(), scene())[1]

    def _lags_s(self):
        """How far whoever has to keep up is behind: the board, and in a stroke the camera.

        Without that, whoever films lets time pass faster than a board can live through it, and a
        stroke is over between two pictures.
        """
        if self.config.pusher.kind == "serial":
            return max(self.cable.lags_s(), self._film_lags_s())
        if self.config.pusher.kind == "hand" or not _stroke():
            return 0.0
        pusher = self.rig.pusher
        board_s = self.clock.monotonic_s() - pusher._start_s - pusher.board.time_s
        if _stroke() is not threading.current_thread():
            return board_s
        return self._film_lags_s() if board_s < PATIENT_S else 0.0  # it is the board's own thread

    def _film_lags_s(self):
        """How far a stroke on this thread is ahead of the pictures that another thread takes."""
        if self.config.camera.kind != "opencv" or _stroke() is not threading.current_thread():
            return 0.0
        return self.clock.monotonic_s() - self.webcam.looked_s - SHOWN_S

    def _sit_at(self, seats):
        self.seats, self.session = seats, seats.session
        self.do, self.send = seats.do, seats.send

    def restart(self):
        """End the program, and begin it again on the same journal."""
        self.close()
        self._sit_at(self._open_session(self.clock))
        self.session.config = self.config
        self.open()

    def greet(self):
        """Let the thread of the link find the board, however busy the computer is."""
        never = threading.Event()
        while self.rig.pusher.link.device is None:
            never.wait(0.001)

    def _plugged(self):
        if not self.cable.there:
            raise LineLost("a port is not there: plug the pusher in")
        self.cable.begin()
        return self.cable

    def _film_s(self):
        """The time of the film: that of its part, where it stays at the last picture."""
        self._finger()
        gone_s = self.clock.monotonic_s() - self.since_s
        return SHOWN_S * SHOTS * self.part + min(gone_s, SHOWN_S * (SHOTS - 1))

    def touch(self):
        """The tip of the real pusher meets the first tile."""
        self.table.touch()
        if self.config.camera.kind == "folder":
            self.roll(2)

    def _finger(self):
        """A finger touches the row, once it is its time."""
        now_ms = self.session.live.now_ms
        if self.finger and now_ms and self.clock.now_s() * 1000 > now_ms + 300:
            finger, self.finger = self.finger, None
            finger()

    def roll(self, part):
        self.part, self.since_s = part, self.clock.monotonic_s()

    @property
    def devices(self):
        return self.session.table.devices

    @property
    def phase(self):
        return self.session.table.phase

    def step(self):
        self.machine._guarded_step()
        self.clock.sleep(0.15)

    def until(self, wanted, steps=100):
        for _ in range(steps):
            self.machine._guarded_step()
            if wanted():
                return
            self.clock.sleep(0.15)
        raise AssertionError((self.session.table, self.session.live))

    def start(self):
        self.seats.sit("ana", "bo")
        self.do("ana", "start")
        self.until(lambda: self.session.table.row)

    def set_down(self, who, value, x_mm):
        """Stand a tile: with a hand on a real table, on the phone elsewhere."""
        if self.session.view(who)["virtual"]:
            place = {"y_mm": 210.0, "heading_deg": 0.0, "orientation": "vertical"}
            self.do(who, "stand", value=value, x_mm=x_mm, **place)
        if self.config.camera.kind in ("opencv", "none"):
            with suppress(Exception):
                self.table.stand(value, x_mm)
        elif self.config.camera.kind == "folder":
            self.roll(1)

    def place(self, who, value, x_mm):
        self.set_down(who, value, x_mm)
        self.until(lambda: self.session.live.reading.state == "proposal")
        self.do(who, "confirm")

    def to_push(self):
        self.start()
        self.place("ana", 3, 275.0)
        self.do("bo", "call")
        self.do("bo", "vote", side="failure")
        self.until(lambda: self.phase == "TOPPLE")

    def turn_switch(self, on):
        if self.config.pusher.kind == "serial":
            self.board.switch_on = on
        else:
            self.machine.set_switch(on)

    def hold(self):
        """A hand at the arm switch, and the thumb on the button; gives the nonce."""
        if self.devices.pushes:
            self.turn_switch(True)
        self.until(lambda: self.session.view("ana")["may"]["hold"])
        return self.do("ana", "hold", by_eye=True)["nonce"]  # its tag is not in the picture

    def push(self):
        """The whole push, by the pusher or by a finger."""
        if not self.devices.pushes:
            virtual = self.config.camera.kind == "virtual"
            self.finger = (lambda: self.rig.touch(Push())) if virtual else self.touch
        nonce = self.hold()
        self.clock.sleep(1.5)
        self.do("ana", "push", nonce=nonce)
        self.step()
        self.turn_switch(False)

    def judged(self):
        view = self.session.view("ana")
        return view["phase"] != "TOPPLE" or view["push"]["state"] == "report"

    def close(self):
        self.machine.close()
