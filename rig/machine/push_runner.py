"""The one push: looked at once more, made by the arm or by a finger, judged, and written down.

Nothing here asks for a stroke by itself. A request that was stopped, paused, voided or kept waiting
in the meantime is withdrawn, and so is one after which anything came into the picture; then nothing
moves.
"""

import logging
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from physics.row.chain import Chain
from physics.row.push import Push
from rig import private
from rig.errors import RigError
from rig.films.film_folder import LEAD_S, FilmFolder, films_of
from rig.games.interface import CAMERA, REFEREE, Data, RulesRefused
from rig.journal import DiskTrouble
from rig.machine.device_watch import Rig
from rig.machine.observer import Observer
from rig.machine.push_film import PushFilm, Withdrawn, calm_sight
from rig.pusher.port import Armed, PortLost, PushRefused, Reach, Stroke, StrokeUnknown
from rig.pusher.protocol import PusherConfused
from rig.row.interpret import differing, seen_from_end, what_was_seen
from rig.row.physical import Stage
from rig.row.push_events import (
    ARM,
    FINGER,
    Attempt,
    Cause,
    OutcomeSeen,
    PushBegun,
    PushEnded,
    PushStep,
)
from rig.row.push_outcome import UNHEARD, CameOf, came_of
from rig.row.row_session import RowSession
from rig.row.row_table import WorldChanged
from rig.row.written_row import from_end, standing
from rig.session.playing import countdown_step_s
from vision.capture.clip import Clip
from vision.errors import VisionError
from vision.look.evidence import before_push
from vision.look.track import Sight

log = logging.getLogger(__name__)

LATE_S = 10.0
"""A push that waits longer for the disk or this thread is not made: hands may be back."""
FINGER_S = 20.0
"""A finger has so long, from "now" on."""

Swing = list[Stroke | RigError]
"""How a stroke went, once it is over."""


class PushRunner:
    """Makes the pushes of a machine, each asked for once, by people.

    All of it is done on the machine's thread, but for the stroke itself, which has a thread of its
    own while the camera films, and `disarm`, which may be called from any.

    Args:
        session: the table.
        rig: whose pusher, and whose pretend table.
        observer: looks at the row before the push, and films it.
    """

    def __init__(self, session: RowSession, rig: Rig, observer: Observer) -> None:
        self._session = session
        self._rig = rig
        self._observer = observer
        self._unwritten: Callable[[], None] | None = None

    def push(self, number: int) -> None:
        """Make the one push that was asked for, watch the row, and write down what happened."""
        session = self._session
        attempt = session.table.attempt
        session.push_began()
        try:
            if attempt is None or attempt.number != number:
                raise Withdrawn(Cause.CHANGED, "The round is another one.")
            self._require_soon()
            if not session.table.devices.sees:
                self._unseen(attempt)
            elif attempt.kind == FINGER:
                self._finger(attempt)
            else:
                self._arm(attempt)
        except Withdrawn as error:
            self._ended(number, PushStep.REFUSED, str(error), error.cause)
        except (PushRefused, PusherConfused) as error:
            self._ended(number, PushStep.REFUSED, str(error), Cause.PUSHER)
        finally:
            session.push_over()
            self._rig.set_switch(False)  # as at a real table: the hand that armed it disarms it

    def _arm(self, attempt: Attempt) -> None:
        """Let the arm push before the camera."""
        sight, chain = self._ready()
        clip = self._clip()
        filming = PushFilm(self._observer, self._session.clock, sight, chain, clip)
        push = self._observer.stroke_for(chain)
        armed = self._armed(attempt, chain, push, self._picture(chain))
        try:
            filming.keep_clear(armed.settled_s + 0.005, lambda: self._require_wanted(attempt))
        except BaseException:
            self.disarm()
            raise
        result: Swing = []
        over = threading.Event()

        def stroke() -> None:
            try:
                self._swing(armed, push, result)
            finally:
                over.set()

        def moving() -> bool:
            self._session.arm_going(not over.is_set())
            return not over.is_set()

        threading.Thread(target=stroke, name="stroke").start()

        try:
            seen = filming.until_rest(moving)
        except Exception as error:
            self.disarm()
            self._session.clock.wait(over)
            step = PushStep.REFUSED if _moved_nothing(result) else PushStep.UNKNOWN
            self._ended(attempt.number, step, f"Nobody saw the push: {error}", Cause.BLIND)
            raise
        end = result[0] if result else None
        if isinstance(end, PushRefused | PusherConfused):
            raise end
        if not any(seen.outcome.fallen) and isinstance(end, StrokeUnknown | PortLost):
            self._ended(attempt.number, PushStep.UNKNOWN, str(end), Cause.UNHEARD)
            return
        came = came_of(seen, ARM, end.reach if isinstance(end, Stroke) else Reach.UNKNOWN)
        if came.step is PushStep.UNKNOWN:
            self._ended(attempt.number, came.step, came.why, came.cause)
            return
        self._judge(attempt, chain, came)
        self._observer.keep_later("after", self._observer.last)
        self._keep(clip)
        self._keep_for_film(clip, attempt.number, filming.stirred_s)

    def _finger(self, attempt: Attempt) -> None:
        """Film a finger that pushes after the count, and time it by the film itself."""
        session = self._session
        sight, chain = self._ready()
        clip = self._clip()
        filming = PushFilm(self._observer, self._session.clock, sight, chain, clip)
        count_s = 3 * countdown_step_s(session)
        picture = self._picture(chain)
        with session.lock:
            self._require_wanted(attempt)
            self._begun(attempt, chain, self._observer.stroke_for(chain), picture)
        session.finger_may_push(round((session.clock.now_s() + count_s) * 1000))
        until_s = session.clock.monotonic_s() + count_s + FINGER_S
        try:
            seen = filming.until_pushed(until_s, lambda: self._require_wanted(attempt))
        except Withdrawn as error:
            self._ended(attempt.number, PushStep.STOPPED, str(error), error.cause)
            return
        except VisionError as error:
            why = f"Nobody saw the push: {error}"
            self._ended(attempt.number, PushStep.UNKNOWN, why, Cause.BLIND)
            raise
        self._judge(attempt, chain, came_of(seen, FINGER, Reach.FULL))
        self._observer.keep_later("after", self._observer.last)
        self._keep(clip)
        self._keep_for_film(clip, attempt.number, filming.stirred_s)

    def _unseen(self, attempt: Attempt) -> None:
        """Make the stroke where no camera films it; the players say what became of the row."""
        session, clock = self._session, self._session.clock
        chain = from_end(self._observer.row_of(session.duty), session.duty.end)
        push = self._observer.stroke_for(chain)
        armed = self._armed(attempt, chain, push)
        clock.sleep(armed.settled_s - clock.monotonic_s() + 0.005)
        try:
            self._require_wanted(attempt)  # a pause by itself does not disarm
            self._require_soon()
        except Withdrawn:
            self.disarm()
            raise
        result: Swing = []
        self._swing(armed, push, result)
        end = result[0] if result else None
        if isinstance(end, PushRefused | PusherConfused):
            raise end
        reach = end.reach if isinstance(end, Stroke) else Reach.UNKNOWN
        if reach is Reach.FULL:
            self._ended(attempt.number, PushStep.DONE, "")
        elif reach is Reach.PART:  # whether the tip has touched the tile only people can say
            self._ended(attempt.number, PushStep.UNKNOWN, "stopped on its way")
        else:
            why = str(end) if isinstance(end, RigError) else UNHEARD
            self._ended(attempt.number, PushStep.UNKNOWN, why, Cause.UNHEARD)

    def _ready(self) -> tuple[Sight, Chain]:
        """The table at rest, and the row on it from the pushed end."""
        try:
            sight = calm_sight(self._observer, self._session.clock)
        except VisionError as error:
            raise Withdrawn(Cause.BLIND, str(error)) from error
        chain = seen_from_end(sight, self._session.duty)
        if chain is None:
            raise Withdrawn(Cause.FELL if sight.knocked or sight.accident else Cause.ROW)
        if differing(sight, self._session.duty, None, whole=True) is not None:
            raise Withdrawn(Cause.ROW)
        return sight, chain

    def _picture(self, chain: Chain) -> bytes | None:
        """The row before the push, for people; the push does not fail for the want of it."""
        observer, frame = self._observer, self._observer.last_frame
        if frame is None:
            return None
        return before_push(frame, chain, observer.see(frame).camera, observer.eye.intrinsics)

    def _armed(
        self, attempt: Attempt, chain: Chain, push: Push, picture: bytes | None = None
    ) -> Armed:
        """Write down what is about to be pushed, and arm."""
        # Nothing can be written between this last look at the table and the arming; a STOP does not
        # wait for the lock, and after it the pusher refuses by itself.
        with self._session.lock:
            self._require_wanted(attempt)
            self._begun(attempt, chain, push, picture)
            try:
                return self._rig.pusher.arm()
            except PortLost as error:
                raise Withdrawn(Cause.PUSHER, str(error)) from error
            except PusherConfused as error:  # it may have armed, whatever it says
                self.disarm()
                raise Withdrawn(Cause.PUSHER, str(error)) from error

    def _begun(
        self, attempt: Attempt, chain: Chain, push: Push, picture: bytes | None = None
    ) -> None:
        """Write down the row and the stroke that it is about to meet; `session.lock` is held."""
        session = self._session
        n = session.table.pictures + 1
        event = PushBegun(
            attempt.number,
            tuple(standing(tile, tile.value or 0) for tile in chain.tiles),
            push,
            None if picture is None else n,
            session.config.tiles,
        )
        pictures = {} if picture is None else {n: picture}
        try:
            session.commit([event], REFEREE, pictures=pictures)
        except DiskTrouble as error:
            raise Withdrawn(Cause.DISK, str(error)) from error
        if picture is not None:
            self._observer.keep_later("before", self._observer.last)

    def _swing(self, armed: Armed, push: Push, result: Swing) -> None:
        """Push, and keep what came of it."""
        try:
            with self._observer.timed("push"):
                result.append(self._rig.pusher.push(armed.token, push))
        except RigError as error:
            result.append(error)

    def _require_wanted(self, attempt: Attempt) -> None:
        """Look once more whether the push that was asked for is still wanted."""
        table = self._session.table
        if table.attempt is None or table.attempt.number != attempt.number:
            raise Withdrawn(Cause.CHANGED, "The round is another one.")
        pushing = self._session.physical.duty(table).stage is Stage.PUSHING
        if not pushing or table.attempt.step is not PushStep.REQUESTED:
            raise Withdrawn(Cause.CHANGED, "The game has moved on; nothing was pushed.")
        if table.stopped_by is not None:
            raise Withdrawn(Cause.CHANGED, "Somebody pressed STOP; nothing was pushed.")
        if table.paused_by is not None:
            raise Withdrawn(Cause.CHANGED, "The game is paused; nothing was pushed.")

    def _require_soon(self) -> None:
        """Withdraw a push that has waited too long; a camera would see hands that are back."""
        if self._session.clock.monotonic_s() - self._session.live.push_due_s > LATE_S:
            raise Withdrawn(Cause.LATE, "The push came too late; hold the button again.")

    def disarm(self) -> None:
        """Take an arming back; an arm on its way goes home."""
        try:
            self._rig.pusher.disarm()
        except (PortLost, PusherConfused):
            if self._session.table.devices.pushes:
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

    def _judge(self, attempt: Attempt, chain: Chain, end: CameOf) -> None:
        """Write down what the camera saw, and let it say so first where it is sure."""
        session, number = self._session, attempt.number
        if end.seen.doubts:
            log.info("push %d: people judge (%s)", number, ", ".join(end.seen.doubts))
        picture = session.table.pictures + 1
        seen = replace(
            what_was_seen(chain, end.seen, picture),
            confidence=round(end.seen.outcome.confidence, 3),
            doubts=tuple(doubt.value for doubt in end.seen.doubts),
        )
        ms = self._observer.take_ms()

        def write() -> None:
            with session.lock:
                if self._is_over(number):
                    return
                told = self._reported(end, seen.outcome, seen.sure)
                shown = seen if told and end.cause is Cause.NONE else replace(seen, sure=False)
                events: list[Data] = [PushEnded(number, end.step, end.why, end.cause)]
                events.append(OutcomeSeen(shown, ms))
                if self._rig.virtual is not None:
                    events.append(WorldChanged(self._rig.virtual.state()))
                session.commit([*events, *told], CAMERA, pictures={picture: end.seen.picture})
                if end.cause is Cause.WRONG_END and told:
                    session.fell(seen.fallen)
                if end.step is PushStep.DONE:
                    session.pushed()

        self._write_down(write)

    def _reported(self, end: CameOf, outcome: str, sure: bool) -> Sequence[Data]:
        """What the camera is the first to say: an outcome, or that it was the wrong end."""
        session = self._session
        if end.cause is Cause.WRONG_END:
            said = session.physical.wrong_end(session.table)
        elif end.step is PushStep.DONE and sure:
            said = session.physical.outcome(session.table, outcome)
        else:
            return ()
        try:
            return session.decide(said.actor, said.command)
        except RulesRefused:
            return ()  # it is people who say it here

    def _ended(self, number: int, step: PushStep, why: str, cause: Cause = Cause.NONE) -> None:
        session = self._session

        def write() -> None:
            with session.lock:
                if not self._is_over(number):
                    session.commit([PushEnded(number, step, why, cause)], REFEREE)

        self._write_down(write)

    def _is_over(self, number: int) -> bool:
        """Whether a push belongs to a round that is void, or its end is known already."""
        attempt = self._session.table.attempt
        return attempt is None or attempt.number != number or attempt.step is not PushStep.REQUESTED

    def _clip(self) -> Clip | None:
        wanted = self._session.config.camera.clip or self._filmed
        return Clip() if wanted else None

    @property
    def _filmed(self) -> bool:
        """Whether a film is made of what a camera sees; a pretend table is drawn instead."""
        session = self._session
        films, wishes = session.live.films, session.table.film_wishes(session.config.film)
        able = films is not None and films.able
        return able and wishes.on and not self._observer.virtual

    def _keep(self, clip: Clip | None) -> None:
        """Keep the film beside the journal; a game goes on without it."""
        if clip is not None and self._session.config.camera.clip:
            journal = self._session.journal.path
            _save(clip, journal.with_name(f"{journal.stem}-clips"))

    def _keep_for_film(self, clip: Clip | None, number: int, stirred_s: float | None) -> None:
        """Keep the fall until people have settled what came of it, and its film is made."""
        if clip is not None and self._filmed and stirred_s is not None:
            clip.begin_at(stirred_s - LEAD_S)
            _save(clip, FilmFolder(films_of(self._session.journal.path)).new_clip(number))


def _save(clip: Clip, folder: Path) -> None:
    with suppress(OSError):
        private.make_folder(folder)
    try:
        clip.save(folder)
    except VisionError as error:
        log.warning("%s", error)


def _moved_nothing(result: Sequence[Stroke | RigError]) -> bool:
    return bool(result) and isinstance(result[0], PushRefused | PusherConfused)
