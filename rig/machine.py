"""The thread that looks, pushes and watches, so that no request ever waits for the machine.

It owns the camera, the eye behind it and the pusher. What it sees goes to the session as a
`Reading`; what it did goes to the journal. It moves nothing but the one stroke that a fresh
`PushRequested` of this very process asks for.
"""

import logging
import threading
import time
from collections.abc import Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from physics.chain import Chain
from physics.push import Push
from physics.tile import Orientation
from rig.errors import RigError
from rig.forecast import forecast
from rig.games.estimation import commands as rules
from rig.games.estimation.words import CAMERA, REFEREE, End, Extent, Phase, Refused
from rig.live import Hands, Reading
from rig.pusher import PortLost, Pusher, PusherStatus, PushRefused, Refusal
from rig.reading import chain_of, read, standing, stroke
from rig.striker import Striker
from rig.table import Event, PushStep, RowRead, Table, WorldChanged
from rig.virtual import VirtualTable
from rig.virtual_pusher import VirtualPusher
from vision.camera import Camera, Frame
from vision.errors import VisionError
from vision.sight import Eye, Look
from vision.track import Sight, Tracker

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rig.session import Session

log = logging.getLogger(__name__)

LOOK_S = 0.15
IDLE_S = 0.5
WATCHED = (Phase.TURN, Phase.BALLOT, Phase.TOPPLE)
"""While these last the camera looks at the row."""


@dataclass(slots=True)
class Rig:
    """The devices of one table.

    Attributes:
        camera: looks at the table.
        eye: finds what its frames show.
        tracker: follows it over time.
        pusher: topples the row.
        virtual: the pretend table behind camera and pusher, None where they are real.
    """

    camera: Camera
    eye: Eye
    tracker: Tracker
    pusher: Pusher
    virtual: VirtualTable | None = None


class Machine:
    """Runs a rig for a session; see `rig.live.MachinePort` for what the session asks of it."""

    def __init__(self, session: "Session", rig: Rig) -> None:
        self.session = session
        self.rig = rig
        self._wake = threading.Event()
        self._closing = False
        self._last: tuple[Frame, Look] | None = None
        self._dealt = False
        self._rejected: tuple[int, ...] = ()
        self._confirmed = False
        self._saved: tuple[dict[str, Any], bool, tuple[int, ...]] | None = None
        self._striker = Striker(self)
        rig.tracker.reset(chain_of(session.table.row))
        self._thread = threading.Thread(target=self._run, name="machine", daemon=True)
        session.machine = self
        if rig.virtual is not None and session.table.world is not None:
            rig.virtual.load(session.table.world)

    @property
    def virtual(self) -> bool:
        return self.rig.virtual is not None

    def start(self) -> None:
        """Begin to look."""
        self._thread.start()

    def close(self) -> None:
        self._closing = True
        self._wake.set()
        if self._thread.is_alive():
            self._thread.join(10.0)
        self._striker.disarm()
        self.rig.camera.close()

    def wake(self) -> None:
        self._wake.set()

    def stop(self) -> None:
        try:
            self.rig.pusher.stop()
        except PortLost:
            log.error("STOP: the pusher does not answer; press its red button")

    def pusher_status(self) -> PusherStatus | None:
        try:
            return self.rig.pusher.status()
        except PortLost:
            return None

    def set_switch(self, on: bool) -> None:
        if self.rig.virtual is not None:
            self.rig.pusher.set_switch(on)  # type: ignore[attr-defined]

    def hands(self) -> Hands | None:
        pusher = self.rig.pusher
        if not isinstance(pusher, VirtualPusher):
            return None
        return Hands(not pusher.board.estop_closed, pusher.board.beams)

    def set_estop(self, pressed: bool) -> None:
        if isinstance(self.rig.pusher, VirtualPusher):
            self.rig.pusher.set_estop(pressed)

    def set_beam(self, beam: int, broken: bool) -> None:
        if isinstance(self.rig.pusher, VirtualPusher):
            self.rig.pusher.set_beam(beam, broken)

    def clear_stop(self) -> None:
        self.set_switch(False)
        try:
            self.rig.pusher.clear()
        except PushRefused as refused:
            if refused.refusal is not Refusal.STATE:
                raise

    def before_commit(self, before: Table, after: Table) -> Sequence[Event]:
        """Keep the virtual table's tiles in step: a deal takes all back, a call the unconfirmed.

        A push that is no longer wanted, as its round is void or an accident is claimed, ends.
        """
        if before.phase is Phase.TOPPLE and after.phase is not Phase.TOPPLE:
            self._striker.disarm()
        fresh = after.phase is Phase.TURN and len(after.game.row) == 1 and not after.row
        dealt = fresh and (before.phase is not Phase.TURN or before.game.row != after.game.row)
        self._save()
        if dealt:
            self._dealt = True
            self._wake.set()
        virtual = self.rig.virtual
        if virtual is None:
            return ()
        if dealt:
            virtual.clear()
        elif before.phase is Phase.ACCIDENT and after.phase is not Phase.ACCIDENT:
            self._rejected = after.game.row
            virtual.stand_up()
        elif before.game.row != after.game.row:
            virtual.settle()
        elif after.phase is Phase.BALLOT and before.phase is Phase.TURN and _unconfirmed(virtual):
            virtual.take_back(_unconfirmed(virtual))
        else:
            return ()
        return (WorldChanged(virtual.state()),)

    def undo(self) -> None:
        if self._saved is None:
            return
        world, self._dealt, self._rejected = self._saved
        self._saved = None
        if self.rig.virtual is not None:
            self.rig.virtual.load(world)

    def _save(self) -> None:
        """Remember how the virtual table is, until what is about to change it is written."""
        if self._saved is not None:
            return
        world = self.rig.virtual.state() if self.rig.virtual is not None else {}
        self._saved = (world, self._dealt, self._rejected)
        self.session.after_commit(self._keep)

    def _keep(self) -> None:
        self._saved = None

    def stand(
        self, value: int, x_mm: float, y_mm: float, heading_rad: float, orientation: str
    ) -> Sequence[Event]:
        virtual, how = self._table(), Orientation(orientation)
        self._save()
        if _unconfirmed(virtual) not in (0, value):
            virtual.take_back(_unconfirmed(virtual))
        if value in _on_table(virtual):
            virtual.move(value, x_mm, y_mm, heading_rad, how)
        else:
            virtual.stand(value, x_mm, y_mm, heading_rad, how)
        return self._touched(virtual)

    def take_back(self, value: int) -> Sequence[Event]:
        virtual = self._table()
        self._save()
        virtual.take_back(value)
        return self._touched(virtual)

    def confirmed(self) -> None:
        self._confirmed = True
        self._wake.set()

    def _table(self) -> VirtualTable:
        assert self.rig.virtual is not None
        return self.rig.virtual

    def _touched(self, virtual: VirtualTable) -> Sequence[Event]:
        self.session.after_commit(self._reach_in)
        return (WorldChanged(virtual.state()),)

    def _reach_in(self) -> None:
        self.session.live.reading = Reading("hand")
        self._wake.set()

    def _run(self) -> None:
        while not self._closing:
            wait_s = self._guarded_step()
            self.session.clock.wait(self._wake, wait_s)
            self._wake.clear()

    def _guarded_step(self) -> float:
        """Do what is to be done now; give the seconds until the next time. Never raises."""
        try:
            return self._step()
        except VisionError as error:
            self.session.update(fault=str(error), clear=False)
            return IDLE_S
        except RigError as error:
            self.session.update(fault=str(error), clear=False)
            return 2.0
        except Exception:
            if not self._closing:
                log.exception("the machine's thread met something it does not know")
                self.session.update(fault="The rig has a problem; see the log.", clear=False)
            return 2.0

    def _step(self) -> float:
        session = self.session
        self._striker.write_again()
        due = session.live.push_due
        if due is not None:
            self._striker.push(due)
            return 0.0
        phase = session.table.phase
        looking = phase in WATCHED and session.table.paused_by is None
        if looking:
            self._look(phase)
        left_s = session.tick()
        session.update(fault="")
        wait_s = LOOK_S if looking else IDLE_S
        return wait_s if left_s is None else min(wait_s, max(left_s, 0.0))

    @contextmanager
    def timed(self, stage: str) -> "Iterator[None]":
        start_s = time.perf_counter()
        yield
        ms = self.session.live.ms
        ms[stage] = ms.get(stage, 0.0) + (time.perf_counter() - start_s) * 1000

    def see(self, frame: Frame) -> Look:
        """Look at a frame; an unchanged one costs nothing."""
        if self._last is None or self._last[0] is not frame:
            with self.timed("see"):
                self._last = (frame, self.rig.eye.look(frame))
        return self._last[1]

    def is_old(self, frame: Frame) -> bool:
        """Whether a real camera has no newer frame: looking twice makes nothing more certain.

        The virtual camera draws a new one only when something has changed.
        """
        return self.rig.virtual is None and self._last is not None and self._last[0] is frame

    def frame(self) -> Frame:
        with self.timed("camera"):
            return self.rig.camera.read()

    def _look(self, phase: Phase) -> None:
        table = self.session.table
        if self._dealt:
            self._dealt = False
            self.rig.tracker.reset()
        if self._confirmed:
            self._confirmed = False
            self.rig.tracker.settle()
        frame = self.frame()
        if self.is_old(frame):
            return
        look = self.see(frame)
        with self.timed("track"):
            sight = self.rig.tracker.see(look, frame.time_s)
        if phase is Phase.TOPPLE and (self.session.live.forecast is None or table.row == ()):
            self._forecast(sight, table)
        with self.session.lock:
            if self.session.table is not table:
                return
            self.session.update(clear=not sight.hand_in_view)
            if self._notice_accident(sight, table):
                return
            if phase is Phase.TURN:
                self._read(sight, table)

    def _read(self, sight: Sight, table: Table) -> None:
        """Tell the session what stands there, and what of it is new."""
        if sight.still and not sight.hand_in_view:
            named = [t for t in sight.chain.tiles if t.value is not None] if sight.chain else []
            if not table.row and tuple(t.value for t in named) == table.game.row:
                tiles = tuple(standing(t, t.value or 0) for t in named)
                self.session.commit([RowRead(tiles)], CAMERA)
                self.rig.tracker.settle()
                return
        self.session.read(read(sight, table))

    def _notice_accident(self, sight: Sight, table: Table) -> bool:
        """Look whether standing tiles are down; people decide whether that was an accident."""
        row, attempt = table.game.row, table.attempt
        if not sight.still or not sight.accident:
            return False
        if attempt is not None and attempt.step not in (PushStep.REFUSED, PushStep.STOPPED):
            return False  # that was the push
        if len(row) == 1:
            if self.rig.virtual is None or table.phase is not Phase.TURN:
                return False  # somebody stands the lone tile up again
            self.rig.virtual.stand_up()
            self.session.commit([WorldChanged(self.rig.virtual.state())], REFEREE)
            return True
        if row == self._rejected or _carried(sight, table):
            return False
        return self._claim_accident(table.phase)

    def _claim_accident(self, phase: Phase) -> bool:
        """Propose an accident; during a turn it is that of the player whose turn it is."""
        game = self.session.game
        actor = game.active if game.active is not None else REFEREE
        culprit = actor if phase is Phase.TURN else None
        try:
            events = self.session.decide(actor, rules.ClaimAccident(culprit, Extent.SOME))
        except Refused:
            return False
        self.session.commit(events, CAMERA)
        return True

    def _forecast(self, sight: Sight, table: Table) -> None:
        """Think about the row while people look at their ballots; nobody waits for it."""
        chain = self.pushed_chain(sight)
        if chain is None:
            return
        with self.timed("predict"):
            thought = forecast(chain, self.stroke_for(chain), self.session.journal.version)
        with self.session.lock:
            now = self.session.table
            if (now.phase_id, now.row) == (table.phase_id, table.row):
                self.session.live.forecast = thought

    def pushed_chain(self, sight: Sight) -> Chain | None:
        """The row as it stands, from the end that is pushed."""
        chain, end = sight.chain, self.session.game.end
        if chain is None or end is None or chain.values != self.session.game.row:
            return None
        return chain if end is End.LEFT else chain.reversed()

    def stroke_for(self, chain: Chain) -> Push:
        return stroke(self.session.config.pusher, chain)


def _carried(sight: Sight, table: Table) -> bool:
    """Whether the one tile that is gone may be in a hand, on its way to an end of the row."""
    middle = table.game.row[1:-1]
    gone = [tile.value for tile in sight.accident]
    return (
        table.phase is Phase.TURN
        and not table.game.supply
        and not sight.knocked
        and len(gone) == 1
        and gone[0] in middle
    )


def _unconfirmed(virtual: VirtualTable) -> int:
    """The tile that was stood and not confirmed yet; 0 if there is none on the table."""
    held = virtual.held
    return held if held is not None and held in _on_table(virtual) else 0


def _on_table(virtual: VirtualTable) -> set[int]:
    """The tiles that are on the virtual table at all."""
    state = virtual.state()
    return {one["value"] for one in (*state["row"], *state["lying"])}
