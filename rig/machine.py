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
from typing import TYPE_CHECKING

from physics.chain import Chain, Fault
from physics.push import Push
from physics.tile import Orientation, Tile
from rig.commands import standing
from rig.config import PusherConfig
from rig.forecast import forecast
from rig.games.estimation import commands as rules
from rig.games.estimation.words import CAMERA, REFEREE, End, Extent, Phase, Refused, Result
from rig.live import Reading
from rig.pusher import PortLost, Pusher, PusherStatus, PushRefused, Refusal, StrokeUnknown
from rig.table import Event, OutcomeSeen, PushEnded, PushStep, RowRead, Seen, Table, WorldChanged
from rig.virtual import VirtualTable
from vision.camera import Camera, Frame
from vision.errors import VisionError
from vision.observe import Observation, Watch
from vision.sight import Eye, Look
from vision.track import Sight, Tracker

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rig.session import Session

log = logging.getLogger(__name__)

LOOK_S = 0.15
IDLE_S = 0.5
REST_S = 8.0


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
        try:
            self.rig.pusher.disarm()
        except PortLost:
            log.warning("the pusher did not answer at the end; its own watchdog switches it off")
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

    def clear_stop(self) -> None:
        self.set_switch(False)
        try:
            self.rig.pusher.clear()
        except PushRefused as refused:
            if refused.refusal is not Refusal.STATE:
                raise

    def before_commit(self, before: Table, after: Table) -> Sequence[Event]:
        """Keep the virtual table's tiles in step: a deal takes all back, a call the unconfirmed."""
        fresh = after.phase is Phase.TURN and len(after.game.row) == 1 and not after.row
        dealt = fresh and (before.phase is not Phase.TURN or before.game.row != after.game.row)
        if dealt:
            self._dealt = True
            self._wake.set()
        virtual = self.rig.virtual
        if virtual is None:
            return ()
        if dealt:
            virtual.clear()
            return (WorldChanged(virtual.state()),)
        pending = self._pending(virtual, after)
        if after.phase is Phase.BALLOT and before.phase is Phase.TURN and pending is not None:
            virtual.take_back(pending)
            return (WorldChanged(virtual.state()),)
        return ()

    def stand(
        self, value: int, x_mm: float, y_mm: float, heading_rad: float, orientation: str
    ) -> Sequence[Event]:
        virtual, table = self._table(), self.session.table
        how = Orientation(orientation)
        pending = self._pending(virtual, table)
        if pending is not None and pending != value:
            virtual.take_back(pending)
        if value in _on_table(virtual):
            virtual.move(value, x_mm, y_mm, heading_rad, how)
        else:
            virtual.stand(value, x_mm, y_mm, heading_rad, how)
        return self._touched(virtual)

    def take_back(self, value: int) -> Sequence[Event]:
        virtual = self._table()
        virtual.take_back(value)
        return self._touched(virtual)

    def confirmed(self) -> None:
        self.rig.tracker.settle()
        self._wake.set()

    def _table(self) -> VirtualTable:
        assert self.rig.virtual is not None
        return self.rig.virtual

    def _touched(self, virtual: VirtualTable) -> Sequence[Event]:
        self.session.live.reading = Reading("hand")
        self.session.after_commit(self._wake.set)
        return (WorldChanged(virtual.state()),)

    @staticmethod
    def _pending(virtual: VirtualTable, table: Table) -> int | None:
        """The tile that stands on the virtual table and in no row yet."""
        extra = _on_table(virtual) - set(table.game.row)
        return next(iter(extra), None)

    def _run(self) -> None:
        while not self._closing:
            try:
                wait_s = self._step()
            except VisionError as error:
                self.session.update(fault=str(error), clear=False)
                wait_s = IDLE_S
            except Exception:
                if self._closing:
                    return
                log.exception("the machine's thread met something it does not know")
                self.session.update(fault="The rig has a problem; see the log.", clear=False)
                wait_s = 2.0
            self._wake.wait(wait_s)
            self._wake.clear()

    def _step(self) -> float:
        session = self.session
        due = session.live.push_due
        if due is not None:
            self._push(due)
            return 0.0
        phase = session.table.phase
        looking = phase in (Phase.TURN, Phase.TOPPLE) and session.table.paused_by is None
        if looking:
            self._look(phase)
        left_s = session.tick()
        wait_s = LOOK_S if looking else IDLE_S
        return wait_s if left_s is None else min(wait_s, max(left_s, 0.0))

    @contextmanager
    def _timed(self, stage: str) -> "Iterator[None]":
        start_s = time.perf_counter()
        yield
        ms = self.session.live.ms
        ms[stage] = ms.get(stage, 0.0) + (time.perf_counter() - start_s) * 1000

    def _see(self, frame: Frame) -> Look:
        """Look at a frame; an unchanged one costs nothing."""
        if self._last is None or self._last[0] is not frame:
            with self._timed("see"):
                self._last = (frame, self.rig.eye.look(frame))
        return self._last[1]

    def _frame(self) -> Frame:
        with self._timed("camera"):
            return self.rig.camera.read()

    def _look(self, phase: Phase) -> None:
        table = self.session.table
        if self._dealt:
            self._dealt = False
            self.rig.tracker.reset()
        frame = self._frame()
        look = self._see(frame)
        with self._timed("track"):
            sight = self.rig.tracker.see(look, frame.time_s)
        self.session.update(fault="", clear=not sight.hand_in_view)
        with self.session.lock:
            if self.session.table is not table:
                return
            if phase is Phase.TURN:
                self._read(sight, table)
            elif self.session.live.forecast is None or table.row == ():
                self._forecast(sight)

    def _read(self, sight: Sight, table: Table) -> None:
        """Tell the session what stands there, and what of it is new."""
        session, row = self.session, table.game.row
        if sight.hand_in_view or not sight.still:
            session.read(Reading("hand" if sight.hand_in_view else "looking"))
            return
        if sight.knocked and len(row) >= 2:
            self._claim_accident()
            return
        chain = sight.chain
        if not table.row:
            if chain is not None and chain.values == row:
                tiles = tuple(standing(t, t.value or 0) for t in chain.tiles)
                session.commit([RowRead(tiles)], CAMERA)
                self.rig.tracker.settle()
            else:
                session.read(Reading("looking"))
            return
        tile = sight.new_tile or self._moved(sight, table)
        if tile is None:
            session.read(Reading("waiting"))
            return
        if chain is None or tile not in chain.tiles:
            session.read(Reading("unsure", tile))
            return
        position = chain.tiles.index(tile)
        faults = tuple(
            (v.kind.value, tuple(value for value in v.values if value is not None))
            for v in sight.violations
            if not v.unsure and tile in v.tiles and not self._allowed(v.kind)
        )
        others = tuple(v for v in chain.values if v != tile.value)
        if others != tuple(v for v in row if v != tile.value):
            faults += (("order", tuple(v for v in others if v is not None)),)
        allowed = table.game.supply or row[1:-1]
        state = "wrong" if faults else "proposal" if tile.value in allowed else "unsure"
        session.read(Reading(state, tile, position, chain.tiles, faults))

    def _allowed(self, fault: Fault) -> bool:
        """How far apart tiles stand is free at most tables: spacing is the bluff."""
        return fault in (Fault.TOO_FAR, Fault.APART) and self.session.game.options.max_gap == "free"

    def _moved(self, sight: Sight, table: Table) -> Tile | None:
        """The middle tile that somebody took to an end, once the supply is empty."""
        if table.game.supply:
            return None
        return next((t for t in sight.moved if t.value in table.game.row[1:-1]), None)

    def _claim_accident(self) -> None:
        """The camera noticed that standing tiles are down; people decide whether it counts."""
        game = self.session.game
        actor = game.active if game.active is not None else REFEREE
        try:
            events = self.session.decide(actor, rules.ClaimAccident(actor, Extent.SOME))
        except Refused:
            return
        self.session.commit(events, CAMERA)

    def _forecast(self, sight: Sight) -> None:
        """Think about the row while people look at their ballots."""
        chain = self._pushed_chain(sight)
        if chain is None:
            return
        with self._timed("predict"):
            self.session.live.forecast = forecast(
                chain, self._stroke(chain), self.session.journal.version
            )

    def _pushed_chain(self, sight: Sight) -> Chain | None:
        """The row as it stands, from the end that is pushed."""
        chain, end = sight.chain, self.session.game.end
        if chain is None or end is None or chain.values != self.session.game.row:
            return None
        return chain if end is End.LEFT else chain.reversed()

    def _stroke(self, chain: Chain) -> Push:
        return stroke(self.session.config.pusher, chain)

    def _push(self, number: int) -> None:
        """Make the one stroke that was asked for, watch the row, and write down what happened."""
        session = self.session
        before = self._look_until_still()
        chain = self._pushed_chain(before) if before else None
        if chain is None:
            self._ended(number, PushStep.REFUSED, "the row is not as the game knows it")
            return
        watch = Watch(chain, self.rig.eye.intrinsics)
        result: list[BaseException] = []
        push = self._stroke(chain)
        hand = threading.Thread(target=self._swing, args=(push, result), name="stroke")
        session.live.push_due = None
        hand.start()
        start_s = session.clock.monotonic_s()
        while True:
            frame = self._frame()
            watch.add(frame)
            if not hand.is_alive() and watch.at_rest:
                break
            if session.clock.monotonic_s() - start_s > REST_S:
                break
            session.clock.sleep(0.03)
        hand.join()
        error = result[0] if result else None
        if isinstance(error, PushRefused):
            self._ended(number, PushStep.REFUSED, str(error))
            return
        with self._timed("observe"):
            seen = watch.outcome(self._see)
        unknown = isinstance(error, StrokeUnknown | PortLost)
        if not any(seen.outcome.fallen) and (unknown or session.table.stopped_by is not None):
            step = PushStep.UNKNOWN if unknown else PushStep.STOPPED
            self._ended(
                number, step, str(error) if error else "stopped before the tile was touched"
            )
            return
        self._judge(number, chain, seen)

    def _swing(self, push: Push, result: list[BaseException]) -> None:
        """Arm and push, on a thread of its own so that the camera can watch."""
        pusher, clock = self.rig.pusher, self.session.clock
        try:
            with self._timed("push"):
                armed = pusher.arm()
                clock.sleep(armed.settled_s - clock.monotonic_s() + 0.005)
                pusher.push(armed.token, push)
        except (PushRefused, StrokeUnknown, PortLost) as error:
            result.append(error)

    def _judge(self, number: int, chain: Chain, observed: Observation) -> None:
        """Write down what the camera saw, and let it say so first where it is sure."""
        session = self.session
        outcome = observed.outcome
        values = [t.value or 0 for t in chain.tiles]
        stalled = outcome.first_standing
        dead = stalled is not None and stalled > 0
        between = (values[stalled - 1], values[stalled]) if dead and stalled else None
        gap = chain.gaps_mm[stalled - 1] if dead and stalled else None
        picture = session.table.pictures + 1
        seen = Seen(
            outcome=(Result.FELL if outcome.all_fell else Result.STOOD).value,
            fallen=tuple(v for v, down in zip(values, outcome.fallen, strict=True) if down),
            up=tuple(v for v, down in zip(values, outcome.fallen, strict=True) if not down),
            order=_order(values, outcome.arrival_s),
            between=between,
            gap_mm=None if gap is None else round(gap, 1),
            sure=observed.sure,
            picture=picture,
        )
        ms = {stage: round(value, 1) for stage, value in session.live.ms.items()}
        session.live.ms = {}
        with session.lock:
            events: list[Event] = [PushEnded(number, PushStep.DONE), OutcomeSeen(seen, ms)]
            if self.rig.virtual is not None:
                events.append(WorldChanged(self.rig.virtual.state()))
            if seen.sure:
                try:
                    events.extend(session.decide(CAMERA, rules.Report(Result(seen.outcome))))
                except Refused:
                    log.info("people judge at this table; the camera only shows what it saw")
            session.commit(events, CAMERA, pictures={picture: observed.picture})
        session.live.forecast = None

    def _ended(self, number: int, step: PushStep, why: str) -> None:
        with self.session.lock:
            self.session.live.push_due = None
            self.session.commit([PushEnded(number, step, why)], REFEREE)

    def _look_until_still(self) -> Sight | None:
        """Look until nothing moves; None if a hand stays in view."""
        for _ in range(10):
            frame = self._frame()
            sight = self.rig.tracker.see(self._see(frame), frame.time_s)
            if sight.still and not sight.hand_in_view:
                return sight
            self.session.clock.sleep(0.05)
        return None


def _on_table(virtual: VirtualTable) -> set[int]:
    """The tiles that are on the virtual table at all."""
    state = virtual.state()
    return {one["value"] for one in (*state["row"], *state["lying"])}


def stroke(config: PusherConfig, chain: Chain) -> Push:
    """The stroke for a row: the tip has one height, whatever tile it meets."""
    height_mm = chain.tiles[0].height_mm
    return Push(
        height_frac=min(0.95, config.tip_height_mm / height_mm),
        speed_mm_s=config.speed_mm_s,
        stroke_mm=config.stroke_mm,
        standoff_mm=config.standoff_mm,
        tip_radius_mm=config.tip_radius_mm,
    )


def _order(values: Sequence[int], arrival_s: Sequence[float | None]) -> tuple[tuple[int, int], ...]:
    """Values with milliseconds after the push, in the order in which they went down."""
    times = sorted((t, v) for v, t in zip(values, arrival_s, strict=False) if t is not None)
    return tuple((v, round(t * 1000)) for t, v in times)
