"""The one stroke: looked at once more, armed, filmed, judged, and written down whatever happens.

Nothing here asks for a stroke by itself. A request that was stopped, paused, voided or kept waiting
in the meantime is withdrawn, and nothing moves.
"""

import logging
import math
import threading
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from physics.chain import Chain
from physics.push import Push
from rig.errors import RigError
from rig.games.estimation import commands as rules
from rig.games.estimation.words import CAMERA, REFEREE, Phase, Refused, Result
from rig.pusher import PortLost, PushRefused, Stroke, StrokeUnknown
from rig.reading import what_was_seen
from rig.table import Event, OutcomeSeen, PushEnded, PushStep, WorldChanged
from vision.camera import Frame, NoFrame
from vision.clip import Clip
from vision.errors import VisionError
from vision.film import LOST_S
from vision.observe import Observation, Watch
from vision.track import Sight

if TYPE_CHECKING:
    from rig.machine import Machine

log = logging.getLogger(__name__)

FILM_S = 0.03
NEWER_S = 0.008
"""A real camera is asked so often whether it has a newer frame."""
REST_S = 8.0
VIRTUAL_REST_S = 80.0
"""A row that still trembles so long after the stroke is judged by people."""
LATE_S = 10.0
"""A push that waited so long for this thread is not made: hands may be back on the table."""


class Withdrawn(RigError):
    """A push was asked for, and before it began the table had changed its mind."""


class Striker:
    """Makes the strokes of a machine, each asked for once, by people."""

    def __init__(self, machine: "Machine") -> None:
        self._machine = machine
        self._unwritten: Callable[[], None] | None = None

    def push(self, number: int) -> None:
        """Make the one stroke that was asked for, watch the row, and write down what happened."""
        session = self._machine.session
        try:
            if session.clock.monotonic_s() - session.live.push_due_s > LATE_S:
                raise Withdrawn("The push came too late; hold the button again.")
            before = self._look_until_still()
            chain = self._machine.pushed_chain(before) if before else None
            if chain is None:
                raise Withdrawn("The row is not as the game knows it, or a hand is in the way.")
            # The virtual camera draws its frames, and a clock in a hurry does not wait for it.
            virtual = self._machine.rig.virtual is not None
            lens = self._machine.rig.eye.intrinsics
            watch = Watch(chain, lens, math.inf if virtual else LOST_S)
            clip = Clip() if session.config.camera.clip else None
        except (Withdrawn, VisionError) as error:
            self._ended(number, PushStep.REFUSED, str(error))
            return
        result: list[Stroke | RigError] = []
        args = (number, self._machine.stroke_for(chain), result)
        hand = threading.Thread(target=self._swing, args=args, name="stroke")
        session.live.push_due = None
        hand.start()
        try:
            self._film(watch, hand, clip)
            with self._machine.timed("observe"):
                seen = watch.outcome(self._machine.see)
        except Exception as error:
            self.disarm()
            hand.join()
            step = PushStep.REFUSED if _moved_nothing(result) else PushStep.UNKNOWN
            self._ended(number, step, f"Nobody saw the push: {error}")
            raise
        finally:
            self._machine.set_switch(False)  # as at a real table: the hand that armed it disarms it
        end = result[0] if result else None
        if isinstance(end, PushRefused | Withdrawn):
            self._ended(number, PushStep.REFUSED, str(end))
            return
        if not any(seen.outcome.fallen) and not (isinstance(end, Stroke) and end.complete):
            lost = isinstance(end, StrokeUnknown | PortLost)
            step = PushStep.UNKNOWN if lost else PushStep.STOPPED
            self._ended(number, step, str(end) if lost else "stopped before the tile was touched")
            return
        if seen.doubts:
            log.info("push %d: people judge (%s)", number, ", ".join(seen.doubts))
        self._judge(number, chain, seen)
        self._keep(clip)

    def _film(self, watch: Watch, hand: threading.Thread, clip: Clip | None) -> None:
        """Film the row until the stroke is over and nothing moves any more.

        A camera that gives no frames for a while may come back; the film then has a gap. One that
        does not has not seen the row come to rest.
        """
        clock, virtual = self._machine.session.clock, self._machine.rig.virtual is not None
        rest_s = VIRTUAL_REST_S if virtual else REST_S
        done_s: float | None = None
        last: Frame | None = None
        while True:
            try:
                frame = self._machine.frame()
            except NoFrame:
                if last is None:
                    raise
            else:
                if virtual:  # it keeps its last frame while nothing changes; that is seen anew
                    watch.add(replace(frame, time_s=clock.monotonic_s()))
                elif frame is not last:
                    watch.add(frame)
                if clip is not None:
                    clip.add(frame)
                last = frame
            now_s = clock.monotonic_s()
            if done_s is None and not hand.is_alive():
                done_s = now_s
            if done_s is not None and (watch.at_rest or now_s - done_s > rest_s):
                return
            clock.sleep(FILM_S if virtual else NEWER_S)

    def _keep(self, clip: Clip | None) -> None:
        """Keep the film beside the journal; a game goes on without it."""
        if clip is None:
            return
        journal = self._machine.session.journal.path
        try:
            clip.save(journal.with_name(f"{journal.stem}-clips"))
        except VisionError as error:
            log.warning("%s", error)

    def _swing(self, number: int, push: Push, result: list[Stroke | RigError]) -> None:
        """Arm and push, on a thread of its own so that the camera can watch."""
        pusher, clock = self._machine.rig.pusher, self._machine.session.clock
        try:
            with self._machine.timed("push"):
                # Nothing can be written between this last look at the table and the arming; a STOP
                # does not wait for the lock, and after it the pusher refuses by itself.
                with self._machine.session.lock:
                    self._require_wanted(number)
                    armed = pusher.arm()
                clock.sleep(armed.settled_s - clock.monotonic_s() + 0.005)
                result.append(pusher.push(armed.token, push))
        except RigError as error:
            result.append(error)

    def _require_wanted(self, number: int) -> None:
        """Look once more whether the stroke that was asked for is still wanted."""
        table = self._machine.session.table
        if table.attempt is None or table.attempt.number != number:
            raise Withdrawn("The round is another one.")
        if table.phase is not Phase.TOPPLE or table.attempt.step is not PushStep.REQUESTED:
            raise Withdrawn("The game has moved on; nothing was pushed.")
        if table.stopped_by is not None:
            raise Withdrawn("Somebody pressed STOP; nothing was pushed.")
        if table.paused_by is not None:
            raise Withdrawn("The game is paused; nothing was pushed.")

    def disarm(self) -> None:
        """Take an arming back; an arm on its way goes home."""
        try:
            self._machine.rig.pusher.disarm()
        except PortLost:
            log.warning("the pusher does not answer; its own watchdog switches it off")

    def write_again(self) -> None:
        """Try once more to write what the disk did not take."""
        if self._unwritten is not None:
            self._write_down(self._unwritten)

    def _write_down(self, write: Callable[[], None]) -> None:
        """Write what has happened; what the disk does not take is tried again until it does."""
        self._unwritten = write
        write()
        self._unwritten = None

    def _judge(self, number: int, chain: Chain, observed: Observation) -> None:
        """Write down what the camera saw, and let it say so first where it is sure."""
        session = self._machine.session
        picture = session.table.pictures + 1
        seen = what_was_seen(chain, observed, picture)
        ms = {stage: round(value, 1) for stage, value in session.live.ms.items()}
        session.live.ms = {}

        def write() -> None:
            with session.lock:
                if self._is_over(number):
                    return
                told: tuple[Event, ...] = ()
                shown = seen
                if seen.sure:
                    try:
                        told = session.decide(CAMERA, rules.Report(Result(seen.outcome)))
                    except Refused:
                        shown = replace(seen, sure=False)  # it is people who say it here
                events: list[Event] = [PushEnded(number, PushStep.DONE), OutcomeSeen(shown, ms)]
                if self._machine.rig.virtual is not None:
                    events.append(WorldChanged(self._machine.rig.virtual.state()))
                events.extend(told)
                session.commit(events, CAMERA, pictures={picture: observed.picture})
                session.live.forecast = None

        self._write_down(write)

    def _ended(self, number: int, step: PushStep, why: str) -> None:
        self._machine.session.live.push_due = None

        def write() -> None:
            with self._machine.session.lock:
                if not self._is_over(number):
                    self._machine.session.commit([PushEnded(number, step, why)], REFEREE)

        self._write_down(write)

    def _is_over(self, number: int) -> bool:
        """Whether a push belongs to a round that is void, or its end is known already."""
        attempt = self._machine.session.table.attempt
        return attempt is None or attempt.number != number or attempt.step is not PushStep.REQUESTED

    def _look_until_still(self) -> Sight | None:
        """Look until nothing moves; None if a hand stays in view."""
        for _ in range(10):
            frame = self._machine.frame()
            if not self._machine.is_old(frame):
                sight = self._machine.rig.tracker.see(self._machine.see(frame), frame.time_s)
                if sight.still and not sight.hand_in_view and not sight.held:
                    return sight
            self._machine.session.clock.sleep(0.05)
        return None


def _moved_nothing(result: Sequence[Stroke | RigError]) -> bool:
    return bool(result) and isinstance(result[0], PushRefused | Withdrawn)
