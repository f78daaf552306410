"""The camera's side of a machine: frames looked at, followed over time, and told to the session."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from physics.row.chain import Chain
from physics.row.push import Push
from physics.row.tile import State, TileSet, TileSpec
from rig.errors import NotPossible
from rig.games.interface import CAMERA, REFEREE, RulesRefused
from rig.machine.camera_health import DRY, Lookout
from rig.machine.device_watch import DeviceWatch, Rig
from rig.machine.forecaster import Thinker, forecast
from rig.machine.live_picture import LivePicture
from rig.machine.pusher_guide import Guider, somewhere_off, stroke_for
from rig.row.interpret import differing, has_slid, is_carried, read, seen_from_end
from rig.row.physical import Duty, Stage
from rig.row.row_live import Guide, Lesson, Reading
from rig.row.row_session import RowSession
from rig.row.row_table import RowRead, RowTable, WorldChanged
from rig.row.written_row import (
    chain_of,
    entered_by_hand,
    from_end,
    row_from_end,
    row_of,
    standing,
)
from vision.capture.camera import Frame, NoFrame
from vision.errors import VisionError
from vision.geometry.mat import Mat, load_mat
from vision.look.collected import as_jpeg, fields_of
from vision.look.eye import Eye, Look
from vision.look.photo_look import BadPhoto, fall_on_photo, look_at_photo
from vision.look.track import Sight
from vision.marks.sticker import MarkSet, marks_on

STAYS_S = 15.0
"""A hand in a picture that has not changed for so long is none."""

AS_IT_SHOULD = ("waiting", "proposal", "hand")
"""What is read of a table on which nothing is odd."""

ODD_S = 2.0
"""So long what is odd may stand before it is looked for once more."""

NOTHING_NEW = "nothing_new"
"""The notice that a hand reached in, and a fresh look at the whole table finds no new tile."""

LESSON_FRAMES = 10
"""Pictures from which the empty table is learned: at fifteen a second, less than a second."""

WRITTEN_S = 0.1
"""So long a look waits while a command is being written; the next one comes after."""


class Observer:
    """Looks at the table for a machine.

    It belongs to the machine's thread. Commands leave word for its next look on threads of their
    own (`dealt`, `row_again`, `rejected`, `confirmed`) and ask for the picture; the stroke's thread
    says how long the push took.

    Args:
        session: what is seen is told to it.
        rig: whose camera, eye and tracker.
        watch: is told whether the camera gives pictures.

    Attributes:
        lookout: what keeps the camera from seeing.
        thinker: predicts the row while its placer looks at the proposal.
        dealt: a round has begun since the last look, so that all was taken off the table.
        row_again: the row that counts after a placement was taken back, to go on from.
        rejected: the row that stood when people said that there was no accident.
        unsettled: the last look has shown something new, and no hand.
        anew: the camera is back, and the row was never read by it as it stands in the journal.
        unseen: nobody has watched the row since the program was started, or since the camera saw
            nothing: what has become of it meanwhile is for people to say, and no accident is
            claimed.
    """

    def __init__(self, session: RowSession, rig: Rig, watch: DeviceWatch) -> None:
        self._session = session
        self._rig = rig
        self._device_watch = watch
        self._picture = LivePicture()
        self._last: tuple[Frame, Look] | None = None
        self._confirmed = False
        self._hand: tuple[Look, float] | None = None
        self._odd_s: float | None = None
        self._reached = self._in_vain = False
        self._guider: Guider | None = None
        self._guided = ""
        self._ms: dict[str, float] = {}
        self._lesson: list[Frame] | None = None
        self._shown: tuple[Frame, Look] | None = None
        self._due: list[tuple[int, str, tuple[Frame, Look]]] = []
        self.lookout = Lookout(session.clock.monotonic_s)
        self.dealt = False
        self.row_again: Chain | None = None
        self.rejected: tuple[int, ...] = ()
        self.anew = entered_by_hand(session.table.row)
        self.unseen = True
        self.unsettled = False
        self.thinker = Thinker()
        rig.tracker.reset(chain_of(session.table.row, session.config.tiles))

    @property
    def eye(self) -> Eye:
        """The eye behind the camera: asked for only where there is one."""
        assert self._rig.eye is not None
        return self._rig.eye

    @property
    def virtual(self) -> bool:
        """Whether the camera draws its frames: it gives a new one only when something changes."""
        return self._rig.virtual is not None

    @property
    def learning(self) -> bool:
        """Whether it is being shown the empty table."""
        return self._lesson is not None

    @property
    def last_frame(self) -> Frame | None:
        """The frame that was looked at last; None before the first."""
        last = self._last
        return last[0] if last is not None else None

    def begin_anew(self) -> None:
        """Go on after the camera was away: what stands there has to be read before it counts."""
        self._last, self._confirmed, self.dealt = None, False, False
        self.anew = self.unseen = True
        self.row_again = self.row_of(self._session.duty)

    def row_of(self, duty: Duty) -> Chain:
        """The row that counts, of tiles as the settings have them."""
        return row_of(duty, self._session.config.tiles)

    def row_from_end(self) -> Chain | None:
        """The row that counts, from the end that is pushed; None while nobody has chosen one."""
        return row_from_end(self._session.duty, self._session.config.tiles)

    def stroke_for(self, chain: Chain) -> Push:
        """How a row is pushed now."""
        session = self._session
        return stroke_for(chain, session.table.devices, session.config.pusher)

    def confirmed(self) -> None:
        """Hear that the row as read is the row."""
        self._confirmed = True
        self.keep_later("placed", self._shown)

    @property
    def last(self) -> tuple[Frame, Look] | None:
        """What was looked at last, and what it showed; None before the first look."""
        return self._last

    def keep_later(self, kind: str, seen: tuple[Frame, Look] | None) -> None:
        """Leave word that a frame shows the table as the journal has it now; from any thread."""
        if self._rig.kept is not None and seen is not None:
            self._due.append((self._session.journal.version, kind, seen))

    def keep_frames(self) -> None:
        """Keep the frames that word was left of; on the machine's own thread."""
        while self._due and self._rig.kept is not None:
            v, kind, (frame, look) = self._due.pop(0)
            data = fields_of(look, self.eye.intrinsics, self._session.config.tiles)
            self._rig.kept.keep(v, kind, as_jpeg(frame.image), data)

    @contextmanager
    def timed(self, stage: str) -> Iterator[None]:
        """Add the time that something takes to the round's."""
        start_s = time.perf_counter()
        yield
        self._ms[stage] = self._ms.get(stage, 0.0) + (time.perf_counter() - start_s) * 1000

    def take_ms(self) -> dict[str, float]:
        """How long each stage of this round took; from here on the next round is counted."""
        ms, self._ms = self._ms, {}
        return {stage: round(value, 1) for stage, value in ms.items()}

    def picture(self) -> bytes | None:
        """The last picture with what is wrong drawn into it, as JPEG; None before the first."""
        last = self._last
        if last is None:
            return None
        row = self.row_of(self._session.duty).tiles
        return self._picture.of(last, self._session.live.reading, row, self.eye.intrinsics)

    def frame(self) -> Frame:
        """The newest frame; whether there is one is what tells that the camera is there."""
        try:
            with self.timed("camera"):
                frame = self._rig.camera.read()
        except NoFrame as error:
            self._device_watch.heard(CAMERA, answers=False, why=str(error))
            raise
        self._device_watch.heard(CAMERA, answers=True)
        return frame

    def follow(self, frame: Frame) -> Sight:
        """Look at a frame, and say what that means after those before it."""
        look = self.see(frame)
        return self._rig.tracker.see(look, frame.time_s)

    def see(self, frame: Frame) -> Look:
        """Look at a frame; an unchanged one costs nothing, unless the camera has to settle."""
        last = self._last
        if last is None or last[0] is not frame or not last[1].steady:
            with self.timed("see"):
                last = self._last = (frame, self.eye.look(frame))
        return last[1]

    def begin_lesson(self) -> None:
        """Hear that nothing lies on the table but what belongs there."""
        self._session.taught(Lesson("looking"))
        self._lesson = []

    def learn(self) -> None:
        """Take one more picture of the empty table, and learn from all once there are enough."""
        frames, frame = self._lesson, self.frame()
        assert frames is not None
        same = bool(frames) and frames[-1] is frame
        if not same:
            frames.append(frame)
        if len(frames) < LESSON_FRAMES and not (same and self.virtual):
            return
        self._lesson = self._last = self._hand = None
        shown = self.eye.learn_empty(frames)
        looks = [shown, *map(self.eye.look, frames[:-1])]
        values = sorted({t.value for look in looks for t in look.tiles if t.value is not None})
        if values:
            lesson = Lesson("tiles", tuple(values))
        elif any(look.hand_in_view or not look.steady for look in looks):
            lesson = Lesson("moved")
        else:
            lesson = Lesson("learned")
        if lesson.state != "learned":
            self.eye.forget()
        else:
            self.keep_later("empty", (frames[-1], shown))
        self._session.taught(lesson)

    def is_old(self, frame: Frame) -> bool:
        """Whether a real camera has no newer frame: looking twice makes nothing more certain."""
        return not self.virtual and self._last is not None and self._last[0] is frame

    def blinded(self, error: VisionError) -> None:
        """Say what is in the way; what was read before may not be so any more."""
        session = self._session
        if self._lesson is not None:
            self._lesson = None
            session.taught(Lesson("blind"))
        seeing = self.lookout.failed(error)
        self.unseen = self.unseen or seeing.blind
        session.blinded(seeing)
        if session.duty.stage is Stage.PLACING:
            session.read(Reading("looking"))

    def look(self) -> None:
        """Look once, and tell the session what has changed."""
        session, tracker = self._session, self._rig.tracker
        table = session.table
        duty = session.physical.duty(table)
        placing, pushing = duty.stage is Stage.PLACING, duty.stage is Stage.PUSHING
        if self.dealt:
            self.dealt = self.anew = self.unseen = False
            tracker.reset()
            self._rig.known.dealt(table.games)
        if self.row_again is not None:
            row, self.row_again = self.row_again, None
            tracker.reset(row)
        if self._confirmed:
            self._confirmed = False
            tracker.settle()
        frame = self.frame()
        if self.is_old(frame):
            if self._rig.bench is not None and self._rig.bench.dry:
                session.looks_away(DRY)
            return
        look = self.see(frame)
        self._doubt_what_stays(frame, look)
        with self.timed("track"):
            sight = tracker.see(look, frame.time_s)
        self.unsettled = not sight.still and not sight.hand_in_view
        if pushing and (session.live.forecast is None or table.row == ()):
            self._forecast(sight, table, duty)
        guide = self._guide(frame, look, sight, table, duty) if pushing else None
        seeing = self.lookout.looked(frame, look, has_slid(sight, table.row))
        clear = not sight.hand_in_view and not seeing.blind and look.steady
        if not session.looked(table, seeing, guide, clear):
            return
        if not session.lock.acquire(timeout=WRITTEN_S):
            return  # a command waits for the disk; what is read now is read again after it
        try:
            if session.table is not table:
                return
            if seeing.blind:
                if look.steady:  # it is the picture that is spoiled: nothing is learned from it
                    self._last = None
                    self.eye.forget()
                if placing:
                    session.read(Reading("looking"))
                return
            if self.anew and self._read_anew(sight, table, duty):
                return
            watched = not self.unseen or len(duty.values) == 1
            if watched and self._notice_accident(sight, table, duty):
                return
            if placing:
                self._read(sight, duty)
                self._think_ahead()
            else:
                self._watch(sight, table, duty)
            self._doubt_what_is_odd(sight)
        finally:
            session.lock.release()

    def _guide(
        self, frame: Frame, look: Look, sight: Sight, table: RowTable, duty: Duty
    ) -> Guide | None:
        """Say where the pusher has to go; None where it has no tag, or nothing to stand behind."""
        session, rig = self._session, self._rig
        eye, tag, virtual = rig.eye, rig.tag, rig.virtual
        chain = seen_from_end(sight, duty) or row_from_end(duty, session.config.tiles)
        if eye is None or tag is None or chain is None or not session.table.devices.pushes:
            return None
        if self._guider is None:
            self._guider = Guider(tag, eye.intrinsics)
        if self._guided != table.phase_id:
            self._guided = table.phase_id
            self._guider.forget()
        push = self.stroke_for(chain)
        if virtual is not None and virtual.pusher is None:
            virtual.stand_pusher(somewhere_off(chain, push, tag))
        with self.timed("guide"):
            now_s = session.clock.monotonic_s()
            return self._guider.look(frame, look, chain, push, now_s)

    def _doubt_what_stays(self, frame: Frame, look: Look) -> None:
        """No hand keeps so still: what seems one was not there when the empty table was learned.

        Where it seems to be there from the start, as a phone that lies on the table, it belongs to
        the table from now on.
        """
        now_s = self._session.clock.monotonic_s()
        if not look.hand_in_view:
            self._hand = None
        elif self._hand is None or self._hand[0] is not look:  # another picture than before
            self._hand = (look, now_s)
        elif now_s - self._hand[1] > STAYS_S:
            self._hand = self._last = None
            if self.eye.knows_table:
                self.eye.forget()
            else:
                self.eye.learn_empty([frame])

    def _doubt_what_is_odd(self, sight: Sight) -> None:
        """Where what is seen is not what should be, it is looked for everywhere once in a while.

        A look goes on from the one before, and a mark that one has missed would stay so. A hand
        that reached in and left no new tile is odd, too, but is looked into only once.
        """
        now_s = self._session.clock.monotonic_s()
        state = self._session.live.reading.state
        came_to_nothing = state == "waiting" and self._reached
        if (state in AS_IT_SHOULD and not came_to_nothing) or not sight.still:
            self._odd_s = None
        elif self._odd_s is None:
            self._odd_s = now_s
        elif now_s - self._odd_s > ODD_S:
            self._odd_s, self._last = None, None
            self._reached, self._in_vain = False, came_to_nothing
            self.eye.doubt()

    def _read_anew(self, sight: Sight, table: RowTable, duty: Duty) -> bool:
        """Take the places of a row that was entered by hand, or last read before a break.

        Where nothing but a finger has said where the tiles stand, only their order is believed.
        Whatever else the table shows is for people.
        """
        session, chain = self._session, sight.chain
        if not sight.still or sight.hand_in_view or sight.held or chain is None:
            return False
        if not table.row or chain.values != duty.values:
            return False
        measured = not entered_by_hand(table.row)
        if measured and differing(sight, duty, session.live.reading, whole=True) is not None:
            return False
        self.anew = self.unseen = False
        tiles = tuple(standing(t, t.value or 0) for t in chain.tiles)
        session.commit([RowRead(tiles, table.latest)], CAMERA)
        self._rig.tracker.settle()
        return True

    def _read(self, sight: Sight, duty: Duty) -> None:
        """Tell the session what stands there, and what of it is new."""
        session = self._session
        if sight.still and not sight.hand_in_view:
            named = [t for t in sight.chain.tiles if t.value is not None] if sight.chain else []
            if not duty.tiles and tuple(t.value for t in named) == duty.values:
                tiles = tuple(standing(t, t.value or 0) for t in named)
                session.commit([RowRead(tiles)], CAMERA)
                self._rig.tracker.settle(Chain(tuple(named)))
                if self.last_frame is not None:
                    self.eye.all_taken_off(self.last_frame)
                return
        reading = self._reached_in_vain(read(sight, duty, session.live.reading, self.unseen), duty)
        if reading.state in ("waiting", "proposal", "wrong", "unsure") and not sight.held:
            self.unseen = False
        if reading.tile is not None and sight.still and not sight.hand_in_view:
            self._shown = self._last
        session.read(reading)

    def _reached_in_vain(self, reading: Reading, duty: Duty) -> Reading:
        """Remember that a hand reached in, and say so if it left no new tile; see `NOTHING_NEW`."""
        match reading.state:
            case "hand":
                self._reached, self._in_vain = not self.virtual and not duty.from_row, False
            case "waiting" if self._in_vain:
                return replace(reading, notices=(*reading.notices, (NOTHING_NEW, ())))
            case "waiting" | "looking":
                pass
            case _:
                self._reached = self._in_vain = False
        return reading

    def _watch(self, sight: Sight, table: RowTable, duty: Duty) -> None:
        """Say whether the row that was called about is the one that stands there."""
        attempt, session = table.attempt, self._session
        if attempt is not None and not attempt.again:
            return  # it has been pushed
        if not sight.still or sight.hand_in_view or sight.held:
            return
        otherwise = differing(sight, duty, session.live.reading, whole=True)
        self.unseen = self.unseen and otherwise is not None
        session.read(otherwise or Reading("waiting"))

    def _notice_accident(self, sight: Sight, table: RowTable, duty: Duty) -> bool:
        """Look whether standing tiles are down; people decide whether that was an accident."""
        row, attempt, virtual = duty.values, table.attempt, self._rig.virtual
        if not sight.still or not sight.accident:
            return False
        if attempt is not None and not attempt.again:
            return False  # that was the push
        if len(row) == 1:
            if virtual is None or duty.stage is not Stage.PLACING:
                return False  # somebody stands the lone tile up again
            draft = virtual.draft()
            draft.stand_up()
            if draft.state() == virtual.state():
                return False  # it does not lie there: it is gone, and people are told
            self._session.when_written(lambda: virtual.become(draft))
            self._session.commit([WorldChanged(draft.state())], REFEREE)
            return True
        if row == self.rejected or is_carried(sight, duty):
            return False
        return self._claim_accident(tuple(tile.value for tile in sight.accident))

    def _claim_accident(self, values: tuple[int | None, ...]) -> bool:
        """Propose an accident."""
        session = self._session
        said = session.physical.accident(session.table)
        try:
            events = session.decide(said.actor, said.command)
        except RulesRefused:
            return False
        session.commit(events, CAMERA)
        self.keep_later("claimed", self._last)
        session.fell(values)
        return True

    def _think_ahead(self) -> None:
        """Think about the row with its new tile while the placer looks at the proposal."""
        session = self._session
        reading = session.live.reading
        values = tuple(tile.value or 0 for tile in reading.row)
        proposed = reading.state == "proposal" and values
        end = session.physical.likely_end(values) if proposed else None
        if end is not None:
            chain = from_end(Chain(reading.row), end)
            self.thinker.about(chain, self.stroke_for(chain), self._rig.known.table)

    def _forecast(self, sight: Sight, table: RowTable, duty: Duty) -> None:
        """Know what the model thinks of the row, before it is pushed; nobody waits for it."""
        session = self._session
        chain = seen_from_end(sight, duty)
        if chain is None:
            return
        thought = self.thinker.of(chain)
        if thought is not None:
            self._ms["predict"] = self.thinker.took_ms
        else:
            with self.timed("predict"):
                thought = forecast(chain, self.stroke_for(chain), self._rig.known.table)
        now = session.table
        if (now.phase_id, now.row) == (table.phase_id, table.row):
            session.predicted(now, thought)


def read_photo(mat_file: str, marks: str, spec: TileSpec, data: bytes) -> dict[str, Any]:
    """Tell which tiles stand on a photo by hand; takes about a second, in any process.

    Args:
        mat_file: of the mat on the table; empty for the mat as printed.
        marks: which marks the tiles carry, as `[camera] marks` has it.
        spec: size of the tiles.
        data: the photo's file.

    Returns:
        `tiles`: the fields of `Standing` for each standing tile; `value` is None where it cannot
        be read.

    Raises:
        NotPossible: the photo does not tell, with a reason of its own for each cause.
    """
    with _refusing():
        look = look_at_photo(data, *_known(mat_file, marks, spec))
    tiles = [
        {**asdict(standing(tile, 0)), "value": tile.value}
        for tile in look.tiles
        if tile.state is State.STANDING
    ]
    return {"tiles": tiles}


def read_fall(row: Chain, mat_file: str, marks: str, spec: TileSpec, data: bytes) -> dict[str, Any]:
    """Tell what a photo by hand shows of a row after its push; in any process, like `read_photo`.

    Args:
        row: as it stood, from the pushed end.
        mat_file: of the mat on the table; empty for the mat as printed.
        marks: which marks the tiles carry, as `[camera] marks` has it.
        spec: size of the tiles.
        data: the photo's file.

    Returns:
        The fields of `PhotoFall`, and the `row` that it is about.

    Raises:
        NotPossible: the photo does not tell, or shows that nothing has fallen.
    """
    with _refusing():
        fall = fall_on_photo(data, row.tiles, *_known(mat_file, marks, spec))
    if len(fall.up) == len(row.tiles):
        raise NotPossible("photo_stands", "On the photo the whole row stands: push it first.")
    return {**asdict(fall), "row": row.values}


def _known(mat_file: str, marks: str, spec: TileSpec) -> tuple[Mat, TileSet, MarkSet]:
    """What lies on the table, from its settings."""
    mat = load_mat(Path(mat_file) if mat_file else None)
    return mat, TileSet(spec), marks_on(spec, marks)


@contextmanager
def _refusing() -> Iterator[None]:
    """Tell in the words of the table why a photo tells nothing."""
    try:
        yield
    except BadPhoto as error:
        raise NotPossible(f"photo_{error.kind}", f"{error}.") from error
