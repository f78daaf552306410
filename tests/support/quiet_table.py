"""A table without devices, driven the way phones do: tests say what is read."""

from collections.abc import Sequence
from itertools import count

import numpy as np

from physics.row.pose import Pose
from physics.row.tile import Orientation, Tile
from rig.games.estimation.table.estimation_table import EstimationTable
from rig.games.estimation.terms import CAMERA, End, Result
from rig.games.interface import Data
from rig.pusher.port import StopAnswer
from rig.pusher.virtual import VirtualPusher
from rig.row.push_events import (
    OutcomeSeen,
    PushEnded,
    PushRequested,
    PushStep,
    Seen,
    Standing,
)
from rig.row.row_live import Reading
from rig.row.row_session import RowSession
from rig.row.row_table import RowRead
from rig.virtual.bench_camera import bench_of


class QuietMachine:
    """Keeps the port's promises without a camera: tests say what is read."""

    virtual = True

    def __init__(self, session: RowSession) -> None:
        self.session = session
        self.pusher = VirtualPusher(session.clock, np.random.default_rng(1))
        self.pretend = self.pusher.pretend()
        self.bench = bench_of(None, self.pretend, self.wake)
        self.stops = 0
        session.machine = self

    def before_commit(self, before: EstimationTable, after: EstimationTable) -> Sequence[Data]:
        return ()

    def wake(self) -> None: ...

    def stop(self) -> StopAnswer:
        self.stops += 1
        return self.pusher.stop()

    def pusher_status(self):
        return self.pusher.status()

    def set_switch(self, on: bool) -> None:
        self.pusher.set_switch(on)

    def aim(self) -> None: ...

    def touch(self) -> None: ...

    def clear_stop(self) -> None:
        self.pusher.set_switch(False)
        self.pusher.clear()

    def homed(self) -> None:
        self.pusher.set_switch(False)
        self.pusher.homed()

    def learn_table(self) -> None: ...

    def stand(self, value, x_mm, y_mm, heading_rad, orientation) -> Sequence[Data]:
        self.session.update(reading=Reading("hand"))
        return ()

    def read_by_photo(self, tiles) -> None: ...

    def photo_reader(self): ...

    def take_back(self, value: int) -> Sequence[Data]:
        return ()

    def stand_up(self) -> Sequence[Data]:
        return ()

    def confirmed(self) -> None: ...

    def picture_now(self) -> bytes | None: ...

    def accepted(self) -> None:
        self.session.read(Reading("looking"))

    def close(self) -> None: ...


_IDS = count()


class Seats:
    """Drives a session the way phones do, with an id for every command."""

    def __init__(self, session: RowSession) -> None:
        self.session = session

    def send(self, device: str, kind: str, **fields):
        fields.setdefault("id", f"c{next(_IDS)}")
        fields.setdefault("phase_id", self.session.table.phase_id)
        return self.session.submit(device, {"type": kind, **fields})

    def do(self, device: str, kind: str, **fields):
        reply = self.send(device, kind, **fields)
        assert reply["ok"], reply
        return reply

    def sit(self, *names: str) -> None:
        marks = ("circle", "triangle", "square", "star", "diamond")
        for name, mark in zip(names, marks, strict=False):
            self.do(name, "sit", name=name, mark=mark)
            self.do(name, "ready", on=True)

    def start(self, *names: str) -> None:
        self.sit(*names)
        self.do(names[0], "start")
        self.see_row()

    def see_row(self) -> None:
        """Let the camera have read the row as the game has it."""
        tiles = tuple(
            Standing(v, "vertical", 300.0 + 20 * i, 210.0, 0.0)
            for i, v in enumerate(self.session.game.row)
        )
        self.session.commit([RowRead(tiles, None)], "camera")

    def propose(self, value: int, position: int) -> None:
        """Let the camera have read this tile at this place."""
        row = list(self.session.game.row)
        row.insert(position, value)
        tiles = tuple(
            Tile(v, Pose(200.0 + 20 * i, 210.0, 0.0), Orientation.VERTICAL)
            for i, v in enumerate(row)
        )
        self.session.read(Reading("proposal", tiles[position], position, tiles))

    def place(self, device: str, value: int, position: int) -> None:
        self.propose(value, position)
        self.do(device, "confirm")

    def push_seen(self, outcome: Result, pictures: dict[int, bytes] | None = None) -> None:
        """Let the pusher have pushed, and the camera have seen this."""
        session, game = self.session, self.session.game
        number, value = session.table.pushes + 1, game.row[0 if game.end is End.LEFT else -1]
        session.commit([PushRequested(number, game.end.value, value, None)], game.toppler)
        seen = Seen(outcome.value, picture=next(iter(pictures or {}), None))
        told = [PushEnded(number, PushStep.DONE), OutcomeSeen(seen, {})]
        session.commit(told, CAMERA, pictures=pictures)

    def later(self, seconds: float) -> None:
        """Let time pass and what is due happen."""
        self.session.clock.advance(seconds + 0.001)
        while self.session.tick() == 0.0:
            pass
