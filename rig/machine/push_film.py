"""The camera's part in a push: a calm look before it, a watch until the tip goes, and the film."""

import math
from collections.abc import Callable, Sequence
from dataclasses import replace

from physics.row.chain import Chain
from physics.row.tile import State, Tile, apart_mm
from rig.clock import Clock
from rig.errors import RigError
from rig.machine.observer import Observer
from rig.row.push_events import Cause
from vision.capture.camera import Frame, NoFrame
from vision.capture.clip import Clip
from vision.errors import VisionError
from vision.look.eye import Look
from vision.look.film import LOST_S
from vision.look.observe import Doubt, Observation, Watch
from vision.look.track import Sight

FILM_S = 0.03
NEWER_S = 0.008
"""A real camera is asked so often whether it has a newer frame."""
FRESH_S = 0.25
"""The last look before the tip goes is at a frame no older than this."""
LOOKS_S = 6.0
"""So long after the arm has settled a clear look is waited for."""
CALM_S = 1.5
"""So long a table may take to come to rest before a push: a row that falls is down by then."""
CALM_PAUSE_S = 0.05
"""Between two looks while the table comes to rest."""
STILL_S = 0.3
"""A row is at rest when it has stood still for so long after the end of the stroke."""
REST_S = 8.0
VIRTUAL_REST_S = 80.0
"""A row that still trembles so long after the stroke is judged by people."""

WORDS = {
    Cause.HAND: "A hand came in; nothing was pushed.",
    Cause.FELL: "The row fell before the push; nothing was pushed.",
    Cause.ROW: "The row is not as the game knows it, or does not stand still; nothing was pushed.",
    Cause.BLIND: "The camera could not see the row; nothing was pushed.",
}


class Withdrawn(RigError):
    """A push was asked for, and before it began there was a reason not to make it."""

    def __init__(self, cause: Cause, why: str = "") -> None:
        super().__init__(why or WORDS[cause])
        self.cause = cause


class PushFilm:
    """Films one push of a machine.

    Args:
        observer: whose camera films.
        clock: its time.
        sight: the last calm sight of the table.
        chain: the row from the pushed end.
        clip: collects the frames for people, None where nobody wants them.
    """

    def __init__(
        self, observer: Observer, clock: Clock, sight: Sight, chain: Chain, clip: Clip | None
    ) -> None:
        self._observer = observer
        self._clock = clock
        # The virtual camera draws its frames, and a clock in a hurry does not wait for it.
        self._virtual = observer.virtual
        lens = observer.eye.intrinsics
        self._watch = Watch(chain, lens, math.inf if self._virtual else LOST_S)
        self._area = Area(chain, sight.tiles)
        self._clip = clip
        self._last: Frame | None = None
        self._look: Look | None = None

    @property
    def stirred_s(self) -> float | None:
        """When the first tile stirred, on the frames' clock; None while none has."""
        return self._watch.stirred_s

    def keep_clear(self, until_s: float, wanted: Callable[[], None]) -> None:
        """Watch the table until the tip may go.

        Args:
            until_s: when the arm has settled.
            wanted: raises Withdrawn if the push is not wanted any more.

        Raises:
            Withdrawn: something came in, something fell, or the camera does not see it.
        """
        while True:
            wanted()
            asked_s = self._clock.monotonic_s()
            try:
                frame = self._take()
                cause = self._looked(self._observer.see(frame))
            except VisionError as error:
                raise Withdrawn(Cause.BLIND, f"{WORDS[Cause.BLIND]} ({error})") from error
            if cause is not Cause.NONE:
                raise Withdrawn(cause)
            now_s = self._clock.monotonic_s()
            fresh = now_s - (asked_s if self._virtual else frame.time_s) <= FRESH_S
            if now_s >= until_s and fresh and self._area.doubt is Cause.NONE:
                return
            if now_s >= until_s + LOOKS_S:
                raise Withdrawn(self._area.doubt or Cause.BLIND)
            self._pause()

    def until_rest(self, moving: Callable[[], bool]) -> Observation:
        """Film until the stroke is over and nothing moves any more, and tell what fell.

        A camera that gives no frames for a while may come back; the film then has a gap. One that
        does not has not seen the row come to rest.

        Args:
            moving: whether the stroke is still on its way.
        """
        rest_s = VIRTUAL_REST_S if self._virtual else REST_S
        done_s: float | None = None
        while True:
            if done_s is None and not moving():
                done_s = self._clock.monotonic_s()
            self._take_if_there()
            if done_s is not None:
                since_s = self._clock.monotonic_s() - done_s
                # What was still before the end of the stroke says nothing of what the tip touched.
                if (since_s >= STILL_S and self._watch.at_rest) or since_s > rest_s:
                    return self._outcome()
            self._pause()

    def until_pushed(self, until_s: float, wanted: Callable[[], None]) -> Observation:
        """Film until a finger has pushed and all is at rest, or until nobody has in time.

        Args:
            until_s: when the time is over.
            wanted: raises Withdrawn if the push is not wanted any more; what has fallen by then
                counts all the same.
        """
        rest_s = VIRTUAL_REST_S if self._virtual else REST_S
        judged_s: float | None = None
        while True:
            self._take_if_there()
            late_s = self._clock.monotonic_s() - until_s
            over = late_s >= (0.0 if self._watch.at_rest else rest_s)
            try:
                wanted()
            except Withdrawn:
                seen = self._outcome()
                if any(seen.outcome.fallen):
                    return seen
                raise
            stirred_s = self._watch.stirred_s
            if over or (self._watch.at_rest and stirred_s not in (None, judged_s)):
                judged_s = stirred_s
                seen = self._outcome()
                if over or (any(seen.outcome.fallen) and Doubt.HIDDEN not in seen.doubts):
                    return seen
            self._pause()

    def _looked(self, look: Look) -> Cause:
        """What a look says against the push; one that shows nothing new says nothing new."""
        if look is self._look:
            return Cause.NONE
        self._look = look
        return self._area.looked(look)

    def _outcome(self) -> Observation:
        with self._observer.timed("observe"):
            return self._watch.outcome(self._observer.see)

    def _take_if_there(self) -> None:
        try:
            self._take()
        except NoFrame:
            if self._last is None:
                raise

    def _take(self) -> Frame:
        """Take one more frame into the film."""
        frame = self._observer.frame()
        if self._virtual:  # it keeps its last frame while nothing changes; that is seen anew
            self._watch.add(replace(frame, time_s=self._clock.monotonic_s()))
        elif frame is not self._last:
            self._watch.add(frame)
        if self._clip is not None:
            self._clip.add(frame)
        self._last = frame
        return frame

    def _pause(self) -> None:
        self._clock.sleep(FILM_S if self._virtual else NEWER_S)


def calm_sight(observer: Observer, clock: Clock) -> Sight:
    """Look until nothing moves.

    Raises:
        Withdrawn: a hand stays in view, tiles are down, or something does not come to rest.
    """
    cause = Cause.ROW
    until_s = clock.monotonic_s() + CALM_S
    while clock.monotonic_s() < until_s:
        frame = observer.frame()
        if not observer.is_old(frame):
            sight = observer.follow(frame)
            if sight.still and not sight.hand_in_view and not sight.held:
                return sight
            cause = Cause.HAND if sight.hand_in_view else Cause.ROW
        clock.sleep(CALM_PAUSE_S)
    raise Withdrawn(cause)


SAME_MM = 10.0
"""A tile no farther than this from where one was is taken for that one."""


class Area:
    """Keeps an eye on the table from the last calm look until the tip goes.

    A hand is believed at once. What has come, or is down, has to be seen twice: a single look may
    miss a mark. A camera that trembles with the arm is waited for.

    Args:
        chain: the row that is to be pushed.
        tiles: all that lay and stood there in the last calm look.
    """

    def __init__(self, chain: Chain, tiles: Sequence[Tile]) -> None:
        self._chain = chain
        self._tiles = tuple(tiles)
        self.doubt = Cause.NONE
        """Why the push could not be made by the last look, if it could not."""

    def looked(self, look: Look) -> Cause:
        """Hear of a new look; say why the push must not be made at all, if it must not."""
        before, self.doubt = self.doubt, self._changed(look)
        sure = look.hand_in_view or (self.doubt is before and self.doubt is not Cause.BLIND)
        return self.doubt if sure else Cause.NONE

    def _changed(self, look: Look) -> Cause:
        if look.hand_in_view:
            return Cause.HAND
        if not look.steady:
            return Cause.BLIND
        if not all(self._stands(tile, look) for tile in self._chain.tiles):
            return Cause.FELL
        return Cause.HAND if self._came(look) else Cause.NONE

    def _stands(self, tile: Tile, look: Look) -> bool:
        return any(
            other.state is State.STANDING
            and other.value in (tile.value, None)
            and apart_mm(other, tile) <= SAME_MM
            for other in look.tiles
        )

    def _came(self, look: Look) -> bool:
        """Whether a tile, or something like one, is where nothing was."""
        return any(
            all(apart_mm(tile, other) > SAME_MM for other in self._tiles) for tile in look.tiles
        )
