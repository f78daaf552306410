"""The thread that looks, pushes and watches, so that no request ever waits for the machine.

It owns the camera, the eye behind it and the pusher, or does without one of them or both: then
people take their place. What it sees goes to the session as a `Reading`; what it did goes to the
journal. It moves nothing but the one stroke that a fresh `PushRequested` of this very process asks
for.
"""

import logging
import threading
from collections.abc import Sequence
from contextlib import AbstractContextManager, suppress
from functools import partial
from itertools import pairwise

from physics.row.pose import Pose
from physics.row.push import Push
from physics.row.tile import Orientation, Tile
from rig.errors import RigError
from rig.games.interface import Data
from rig.machine.device_watch import DeviceWatch, Rig, Switch
from rig.machine.observer import Observer, read_fall, read_photo
from rig.machine.push_runner import PushRunner
from rig.machine.pusher_guide import behind
from rig.pusher.port import (
    MOVING,
    Heartbeat,
    PortLost,
    PusherState,
    PushRefused,
    Refusal,
    StopAnswer,
)
from rig.pusher.protocol import PusherConfused
from rig.row import manual_row
from rig.row.physical import WATCHED, Stage
from rig.row.row_live import Reading
from rig.row.row_session import RowSession
from rig.row.row_table import RowTable, WorldChanged
from rig.row.written_row import row_from_end
from rig.session.devices import Devices, opening
from rig.session.live import PhotoReader
from rig.virtual.bench_camera import bench_of
from rig.virtual.hands import kept_in_step, on_table, unconfirmed
from rig.virtual.table import NotPlaced, VirtualTable
from vision.errors import VisionError

log = logging.getLogger(__name__)

LOOK_S = 0.15
AGAIN_S = 0.08
"""So soon after something new was seen another look may agree that it is so."""
IDLE_S = 0.5


class Machine:
    """Runs a rig for a session; `MachinePort` says what the session asks of it.

    Its parts are given the session and the devices and know nothing of the machine; of each other
    they know those below: the push runner the observer, the observer the device watch. Who owns
    what:

    *The machine's thread* (`_run`) owns the camera, the eye, the tracker and what the parts keep in
    mind. It alone arms, and it holds the session's lock while it does, so that nothing is written
    between the last look at the table and the arming.

    *The stroke's thread* lives for one push and does nothing but `pusher.push`, so that the camera
    can film meanwhile.

    *Whoever holds the session's lock*, a request's thread or this one, disarms, frees a stopped
    pusher, and tries on a draft what becomes of the virtual table. Once that is written the table
    becomes so and word is left for the next look (`before_commit`, `stand`, `take_back`,
    `stand_up`).

    *Threads of requests* ask without a lock how the pusher is and what the camera sees.

    *Any thread* may call `stop` and `halt`, which wait for no lock of the session and no disk: the
    pusher's line carries a stop past whatever else is being said.

    Attributes:
        session: the table.
        rig: its devices.
        observer: looks at it.
    """

    def __init__(self, session: RowSession, rig: Rig) -> None:
        self.session = session
        self.rig = rig
        self._wake = threading.Event()
        self.virtual = rig.virtual is not None
        self.pretend = rig.pusher.pretend()
        self.bench = bench_of(rig.bench, self.pretend, self.wake)
        self._closing = False
        self._watch = DeviceWatch(session, rig)
        self.observer = Observer(session, rig, self._watch)
        self._runner = PushRunner(session, rig, self.observer)
        # What there was to see and to push with since the last step, as known then and after.
        self._been: list[Devices] = [session.table.devices]
        self._thread = threading.Thread(target=self._run, name="machine", daemon=True)
        if rig.virtual is not None and session.table.world is not None:
            rig.virtual.load(session.table.world)
        session.machine = self
        with session.lock:
            table = session.table
            begun = opening(table.devices, rig.camera_kind, rig.pusher_kind)
            first = not begun.sees and session.duty.stage is Stage.PLACING and not table.row
            if session.damage is None and (begun != table.devices or first):
                session.devices_changed(begun)
            self._switch = Switch(stale=not begun.pushes)

    @property
    def devices(self) -> Devices:
        """What the table has to see and to push with now."""
        return self.session.table.devices

    def start(self) -> None:
        """Begin to look."""
        self._thread.start()

    def close(self) -> None:
        self._closing = True
        self._wake.set()
        if self._thread.is_alive():
            self._thread.join(10.0)
        self.observer.thinker.wait()
        self.rig.known.close()
        self._runner.disarm()
        self.rig.pusher.close()
        self.rig.camera.close()

    def wake(self) -> None:
        self._wake.set()

    def stop(self) -> StopAnswer:
        stopped = self.rig.pusher.stop()
        if stopped is not StopAnswer.ACKNOWLEDGED:
            log.error("STOP: the pusher does not answer (%s); press its red button", stopped)
        return stopped

    def halt(self) -> None:
        if self._closing:
            return
        self._closing = True  # before anything is asked: no push begins from here on
        live, status = self.session.live, self.pusher_status()
        if status is None:
            moves = self.devices.pushes  # no status: the arm may move, unless lost long ago
        else:
            moves = status.state in (PusherState.ARMED, *MOVING)
        if moves or live.going or live.push_due is not None:
            self.stop()

    def pusher_status(self) -> Heartbeat | None:
        try:
            return self._switch.seen(self.rig.pusher.heartbeat(), self.devices.pushes)
        except (PortLost, PusherConfused):
            return None

    def _follow_pusher(self) -> None:
        """Tell how the pusher is: its switch is turned at the pusher itself.

        Raises:
            PusherConfused: it speaks in words that have no place, and the table counts on it.
        """
        status = self.pusher_status()
        self.session.pusher_said(status)
        if status is None and self.devices.pushes:
            with suppress(PortLost):
                self.rig.pusher.heartbeat()

    def set_switch(self, on: bool) -> None:
        self.rig.set_switch(on)

    def aim(self) -> None:
        virtual, tag, chain = self.rig.virtual, self.rig.tag, self.observer.row_from_end()
        if virtual is not None and tag is not None and chain is not None:
            virtual.stand_pusher(behind(chain, self.observer.stroke_for(chain), tag))
            self._wake.set()

    def touch(self) -> None:
        self.rig.touch(Push())

    def clear_stop(self) -> None:
        self.set_switch(False)
        try:
            self.rig.pusher.clear()
        except PortLost:
            if self.devices.pushes:
                raise
        except PushRefused as refused:
            if refused.refusal is not Refusal.STATE:
                raise
            if (status := self.pusher_status()) is not None and status.stopped:
                raise PushRefused(Refusal.ESTOP, refused.state) from None

    def homed(self) -> None:
        self.set_switch(False)
        self.rig.pusher.homed()
        self._wake.set()

    def learn_table(self) -> None:
        self.observer.begin_lesson()
        self._wake.set()

    def before_commit(self, before: RowTable, after: RowTable) -> Sequence[Data]:
        """Keep the virtual tiles in step: a deal takes all back, the end of a turn the unconfirmed.

        A push that is no longer wanted, as its round is void or an accident is claimed, ends. A
        round that no camera will read begins with its first tile drawn in the middle.
        """
        physical = self.session.physical
        was, duty = physical.duty(before), physical.duty(after)
        change = physical.change(before, after)
        if was.stage is Stage.PUSHING and duty.stage is not Stage.PUSHING:
            self._runner.disarm()
        observer, virtual = self.observer, self.rig.virtual
        dealt, taken = change.dealt, change.taken

        def written() -> None:
            if before.devices != after.devices:
                self._been.append(after.devices)
            if dealt or taken:
                observer.dealt = observer.dealt or dealt
                observer.row_again = observer.row_of(duty) if taken else None
            if change.stands_up and not dealt:
                observer.rejected = duty.values

        self.session.when_written(written)
        if dealt or taken:
            self.session.after_commit(self._wake.set)
        extra: list[Data] = []
        draft = None if virtual is None else kept_in_step(virtual, change, duty)
        if draft is not None:
            extra.append(self._becoming(draft))
        if not after.devices.sees and duty.stage is Stage.PLACING and not after.row:
            extra.append(manual_row.first_row(duty.values))
        return extra

    def _becoming(self, draft: VirtualTable) -> WorldChanged:
        """What is to be written of the virtual table, which becomes so as soon as it is."""
        virtual = self.rig.virtual
        assert virtual is not None
        self.session.when_written(lambda: virtual.become(draft))
        return WorldChanged(draft.state())

    def stand(
        self, value: int, x_mm: float, y_mm: float, heading_rad: float, orientation: str
    ) -> Sequence[Data]:
        virtual, how, events = self.rig.virtual, Orientation(orientation), list[Data]()
        if virtual is not None:
            draft = virtual.draft()
            with self._unseen():
                if unconfirmed(draft) not in (0, value):
                    draft.take_back(unconfirmed(draft))
                    self.session.after_commit(self._forget_what_was_read)
                if value in on_table(draft):
                    draft.move(value, x_mm, y_mm, heading_rad, how)
                else:
                    draft.stand(value, x_mm, y_mm, heading_rad, how)
            events.append(self._becoming(draft))
        reading = Reading("hand")
        if not self.devices.sees:
            spec = self.session.config.tiles
            tile = Tile(value, Pose(x_mm, y_mm, heading_rad), how, spec=spec)
            reading = manual_row.entered(self.session.duty, tile)
        self.session.after_commit(lambda: self._deliver(reading))
        return events

    def photo_reader(self) -> PhotoReader | None:
        if self.rig.virtual is not None or self.devices.sees:
            return None
        duty, config = self.session.duty, self.session.config
        row = row_from_end(duty, config.tiles)
        camera = config.camera
        match duty.stage:
            case Stage.PLACING:
                return partial(read_photo, camera.mat, camera.marks, config.tiles)
            case Stage.PUSHING if row is not None:
                return partial(read_fall, row, camera.mat, camera.marks, config.tiles)
            case _:
                return None

    def read_by_photo(self, tiles: Sequence[Tile]) -> None:
        session = self.session
        rules = session.physical.row_rules(session.table, session.config.tiles)
        reading = manual_row.photographed(session.duty, tiles, rules)
        session.after_commit(lambda: self._deliver(reading))

    def take_back(self, value: int) -> Sequence[Data]:
        virtual, events = self.rig.virtual, list[Data]()
        if virtual is not None:
            draft = virtual.draft()
            with self._unseen():
                draft.take_back(value)
            events.append(self._becoming(draft))
        reading = Reading("hand" if self.devices.sees else "waiting")
        self.session.after_commit(self._forget_what_was_read)
        self.session.after_commit(lambda: self._deliver(reading))
        return events

    def stand_up(self) -> Sequence[Data]:
        virtual = self.rig.virtual
        if virtual is None:
            return ()
        draft = virtual.draft()
        draft.stand_up()
        self.session.after_commit(self._wake.set)
        return (self._becoming(draft),)

    def _unseen(self) -> AbstractContextManager[None]:
        """What hands miss at a virtual table that nobody sees stops no game."""
        return suppress(*() if self.devices.sees else (NotPlaced,))

    def _deliver(self, reading: Reading) -> None:
        self.session.read(reading)
        self._wake.set()

    def picture_now(self) -> bytes | None:
        if not self.devices.sees or self.session.live.seeing.blind:
            return None
        return self.observer.picture()

    def _forget_what_was_read(self) -> None:
        """Begin at the row that counts: a tile that is taken off is no longer followed."""
        self.observer.row_again = self.observer.row_of(self.session.duty)

    def accepted(self) -> None:
        self.observer.keep_later("accepted", self.observer.last)
        self._forget_what_was_read()
        self.session.read(Reading("looking"))
        self._wake.set()

    def confirmed(self) -> None:
        self.observer.confirmed()
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
            self.observer.blinded(error)
            return IDLE_S if self.devices == self._been[0] else 0.0
        except RigError as error:
            self.session.failed(str(error))
            return 2.0
        except Exception:
            if not self._closing:
                log.exception("the machine's thread met something it does not know")
                self.session.failed("The rig has a problem; see the log.")
            return 2.0

    def _step(self) -> float:
        session = self.session
        self._runner.write_again()
        self.observer.keep_frames()
        due = session.live.push_due
        if due is not None and not self._closing:
            self._runner.push(due)
            return 0.0
        learning = self.observer.learning
        looking = session.duty.stage in WATCHED and session.table.paused_by is None
        # The virtual camera would draw for nothing.
        self._watch.call(idle=not looking and not learning and self.rig.virtual is None)
        self._follow_devices()
        self._follow_pusher()
        sees = self.devices.sees
        if not sees:
            session.unwatched()
        elif learning:
            self.observer.learn()
        elif looking:
            self.observer.look()
        else:
            session.looks_away(self.observer.lookout.rest())
        left_s = session.tick()
        session.works()
        look_s = AGAIN_S if self.observer.unsettled else LOOK_S
        wait_s = look_s if (looking or learning) and sees else IDLE_S
        return wait_s if left_s is None else min(wait_s, max(left_s, 0.0))

    def _follow_devices(self) -> None:
        """Do what a change of devices asks for: what is found again counts once it is known.

        A long push may have seen one go and come back: that counts as much.
        """
        session = self.session
        been = self._been[:1]
        while len(self._been) > 1:  # what is about to be written is added meanwhile
            been.append(self._been.pop(1))
        been.append(self.devices)
        self._been[0] = been[-1]
        for before, now in pairwise(been):
            self._switch.turned(before, now)
            if before.pushes != now.pushes:
                session.let_go()
            if before.sees == now.sees:
                continue
            if now.sees:
                self.observer.begin_anew()
                session.camera_found()
            if session.duty.stage in WATCHED:
                session.read(Reading("looking" if now.sees else "waiting"))
