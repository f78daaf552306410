"""The virtual rig of a soak, with everything that can be done to it from outside.

The product's own devices stand behind their ports, and what spoils them stands before: a camera
that wraps another, wires that wrap a board, a disk that wraps a database, a clock that is set.
"""

import math
import os
import signal
import sqlite3
from dataclasses import replace

import numpy as np

from physics.row.push import Push
from rig.config import load_config
from rig.journal import Journal
from rig.machine.build import open_rig
from rig.row.row_session import RowSession
from rig.session.events import TableOpened
from tests.support.noise import Channel
from tests.support.stroke_clock import StrokeClock
from vision.capture.camera import CameraGone, CameraHangs, NoFrame
from vision.render.scene import USUAL_LAMP

WALL_S = 1_700_000_000.0


def kill() -> None:
    """End this process as a power cut does."""
    os.kill(os.getpid(), signal.SIGKILL)


class SoakClock(StrokeClock):
    """Stands still but for strokes and waits; its wall time can be set wrong."""

    def __init__(self, wall_s=WALL_S):
        super().__init__()
        self.wall_s = wall_s

    def now_s(self):
        return self.wall_s + self.monotonic_s()


class JostledCamera:
    """The camera of the rig, and what happens to it.

    Attributes:
        gone: its cable is out.
        dropped: the share of frames that never arrive.
        hand: where a hand is held over the table.
        light: brightness of everything, `lamp` where the lamp hangs.
        before_read: called before every reading.
    """

    def __init__(self, camera, rng):
        self._camera = camera
        self._scene, camera.scene = camera.scene, self._seen
        self._rng = rng
        self._last = None
        self.gone = False
        self.dropped = 0.0
        self.hand = None
        self.light = 1.0
        self.lamp = USUAL_LAMP
        self.before_read = lambda: None

    def read(self):
        self.before_read()
        if self.gone:
            raise CameraGone("the camera is unplugged; plug it in again")
        if self._rng.random() < self.dropped:
            if self._last is None:
                raise NoFrame("the camera gave no picture")
            if self._rng.random() < 0.2:
                raise CameraHangs("the camera sends no pictures")
            return self._last
        self._last = self._camera.read()
        return self._last

    def is_opening(self):
        return False

    def close(self):
        self._camera.close()

    def push_mat(self, x_mm, y_mm, turn_rad):
        """Push the mat with all that stands on it: the camera hangs elsewhere over it then."""
        c, s = math.cos(turn_rad), math.sin(turn_rad)
        middle = np.array([300.0, 210.0, 0.0])
        turn = np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
        way = middle - turn @ middle + np.array([x_mm, y_mm, 0.0])
        pose = self._camera.pose
        self._camera.pose = replace(
            pose,
            rotation=pose.rotation @ turn,
            translation_mm=pose.rotation @ way + pose.translation_mm,
        )
        self._camera._seen = None

    def _seen(self):
        scene = self._scene()
        return replace(scene, hand=self.hand or scene.hand, light=self.light, lamp=self.lamp)


class Wires:
    """What lies between the pusher's program and the computer, and an eye on the arm itself.

    Args:
        board: that of the virtual pusher.
        rng: chance of the noise.
        on_stroke: called at the first millisecond of every stroke.
    """

    def __init__(self, board, rng, on_stroke):
        self._there, self._back = Channel(rng, 0.0), Channel(rng, 0.0)
        self._take, self._give, self._run = board.take, board.give, board.run
        self._board = board
        self._on_stroke = on_stroke
        self._strokes = board.strokes
        board.take = lambda data: self._take(self._there.carry(data))
        board.give = lambda: self._back.carry(self._give())
        board.run = self.run

    def spark(self, rate):
        """Spoil so many of the bytes from now on."""
        self._there.rate = self._back.rate = rate

    def run(self, ms):
        way_us = self._run(ms)
        strokes = self._board.strokes
        for _ in range(strokes - self._strokes):
            self._on_stroke()
        self._strokes = strokes
        return way_us


class Disk:
    """The journal's database, on a disk that can be full, or lose its power at a statement."""

    def __init__(self, db):
        self._db = db
        self.full = False
        self.kill_after = None

    def execute(self, sql, *args):
        if self.full and sql.startswith("INSERT"):
            raise sqlite3.OperationalError("database or disk is full")
        done = self._db.execute(sql, *args)
        if self.kill_after is not None and sql.startswith(("BEGIN", "INSERT", "COMMIT")):
            self.kill_after -= 1
            if self.kill_after < 0:
                kill()
        return done

    @property
    def in_transaction(self):
        return self._db.in_transaction

    def close(self):
        self._db.close()


class SoakRig:
    """One table with its machine, opened on a journal as `domino-rig play` does.

    Args:
        path: the journal.
        seed: the chance of everything at the table.
        log: hears what happens to the world: called with its words as keywords.
        wall_s: what the wall clock says.
        table: what the table is made of.
    """

    def __init__(self, path, seed, log, wall_s=WALL_S, table="wood"):
        self.clock = SoakClock(wall_s)
        self.log = log
        seeds = np.random.SeedSequence(seed)
        of_rig, of_faults, of_nonces = seeds.spawn(3)
        rng = np.random.default_rng(of_faults)
        words = np.random.default_rng(of_nonces)
        config = load_config(camera={"table": table}, timing={"countdown_step": 0.1})
        journal = Journal(path)
        self.disk = journal._db = Disk(journal._db)
        self.session = RowSession(journal, self.clock, config, lambda: words.bytes(16).hex())
        if not self.session.table.code:
            self.session.commit([TableOpened("PINE", f"host-{words.bytes(8).hex()}")], "referee")
        self.machine = open_rig(self.session, config, self.clock, of_rig)
        self.clock.run_in_strokes_of(self.machine)
        devices = self.machine.rig
        self.world, self.pusher = devices.virtual, devices.pusher
        self.camera = devices.camera = JostledCamera(devices.camera.camera, rng)
        self.wires = Wires(self.pusher.board, rng, self._stroke)
        self._fall, self.world.fall = self.world.fall, self.fall

    def fall(self, push, first):
        """The tip touches a tile; what has fallen then has fallen, whatever becomes of the rest."""
        row = set(self.session.game.row)
        fallen = self._fall(push, first)
        truth = "fell" if row <= set(self.down) else "stood"
        self.log(world=self.world.state(), v=self.session.journal.version, truth=truth)
        return fallen

    def step(self):
        """Let the machine do what is due, and time pass until it looks again."""
        wait_s = self.machine._guarded_step()
        self.clock.sleep(max(wait_s, 0.005))

    @property
    def down(self):
        """The tiles that lie on the table, as anybody there can see."""
        return [one["value"] for one in self.world.state()["lying"]]

    def poke(self, value):
        """Push a tile with a finger, from the end that it stands at."""
        if value in [tile.value for tile in self.world.truth()]:
            self.fall(Push(), value)

    def knock(self, value):
        """Hit a standing tile."""
        self.world.knock(value)
        self.log(world=self.world.state(), v=self.session.journal.version)

    def slide(self, x_mm, y_mm):
        """Pull the mat away under the row, which stays where it stands."""
        state = self.world.state()
        for one in (*state["row"], *state["lying"], *([state["from"]] if state["from"] else [])):
            one["x_mm"] += x_mm
            one["y_mm"] += y_mm
        self.world.load(state)
        self.log(world=self.world.state(), v=self.session.journal.version)

    def close(self):
        self.session.close()

    def _stroke(self):
        attempt = self.session.table.attempt
        self.log(stroke=attempt.number if attempt else 0, v=self.session.journal.version)
