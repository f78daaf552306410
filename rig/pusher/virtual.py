"""A pusher without hardware: the real one's program on a pretend board, behind the same link.

It has no thread of its own. Before each command the board's time advances to the clock's, together
with everything on the line; because the board lives in that time, a busy computer never looks
silent to it.
"""

import threading
from collections.abc import Callable, Iterator
from math import radians
from typing import Final

import numpy as np

from physics.row.push import Push
from rig.clock import Clock
from rig.pusher.link import Line, LineLost
from rig.pusher.port import Hands, Heartbeat, LinkState, PortLost, Pretend, StopAnswer, Stroke
from rig.pusher.serial import SerialPusher
from rig.pusher.servo import ServoArm
from rig.pusher.wasm_board import STUCK, Board, BoardLine

_STEP_S: Final = 0.005
_PART_MS: Final = 20
_DEBOUNCE_MS: Final = 5
_IDLE_MS: Final = 2000
_CALM: Final = ("SAFE", "ESTOP", "FAULT", "AWAY")


class VirtualPusher(SerialPusher, Pretend):
    """A pusher for tests, demos and tables without one.

    What hands do to it: `set_switch` turns the arm switch, `set_estop` presses the red button,
    `set_beam` breaks a light beam, `unplug` and `plug` handle the cable, `restart` resets it.

    Args:
        clock: its time.
        rng: where its tokens and its sessions' numbers come from.
        on_stroke: called by the pushing thread at the moment the tip touches the tile.
        servo: the arm and its limits.
    """

    def __init__(
        self,
        clock: Clock,
        rng: np.random.Generator,
        on_stroke: Callable[[Push], None] = lambda push: None,
        servo: ServoArm | None = None,
    ) -> None:
        self.board = Board(_numbers(rng, 1, 1 << 16))
        self._servo = servo or ServoArm()
        self._on_stroke = on_stroke
        self._passing = threading.RLock()
        self._start_s = clock.monotonic_s()
        self._pushing: tuple[int, Push] | None = None
        self._touched = False
        super().__init__(
            self._line,
            clock,
            _numbers(rng, 0, 1 << 32),
            self._servo,
            wait=self._wait,
            now_s=lambda: self.board.time_s,
        )
        self._notice()

    def push(self, token: int, push: Push) -> Stroke:
        self._pass_time()
        self._pushing, self._touched = (threading.get_ident(), push), False
        try:
            return super().push(token, push)
        finally:
            self._pushing = None

    def heartbeat(self) -> Heartbeat:
        return self._beat().heartbeat  # its time passes only where it is asked

    def stop(self) -> StopAnswer:
        self._pass_time()
        return super().stop()

    def link_state(self) -> LinkState | None:
        try:
            self.heartbeat()
        except PortLost as error:
            return LinkState(False, str(error), error.key)
        return super().link_state()

    def pretend(self) -> Pretend | None:
        return self

    def hands(self) -> Hands:
        return Hands(not self.board.estop_closed, self.board.beams, self.board.plugged)

    def set_switch(self, on: bool) -> None:
        """Turn the arm switch by hand."""
        self._pass_time()
        self.board.switch_on = on
        self._notice()

    def set_estop(self, pressed: bool) -> None:
        """Press the red button, or pull it out again."""
        self._pass_time()
        self.board.estop_closed = not pressed
        self._notice()

    def set_beam(self, beam: int, broken: bool) -> None:
        """Hold something into a light beam, or take it away."""
        self._pass_time()
        self.board.set_beam(beam, broken)
        self._pass_time()

    def set_plugged(self, plugged: bool) -> None:
        """Put the cable to the computer in, or pull it."""
        if plugged != self.board.plugged:
            self.plug() if plugged else self.unplug()

    def unplug(self) -> None:
        """Pull the cable to the computer; the board keeps its power."""
        self._pass_time()
        self.board.plugged = False
        self._pass_time()

    def plug(self) -> None:
        """Put the cable back; the new session disarms the pusher, or brings a moving arm back."""
        self._pass_time()
        self.board.plugged = True
        self.link.look_again()
        self._pass_time()

    def restart(self) -> None:
        """Press its reset button."""
        self._pass_time()
        self.board.restart()
        self._pass_time()

    def _say(self, text: str, *, behind: bool = False) -> tuple[str, ...]:
        self._pass_time()
        return super()._say(text, behind=behind)

    def _line(self) -> Line:
        if not self.board.plugged:
            raise LineLost("the cable of the pusher has been pulled", "unplugged")
        if self.board.stuck:
            raise LineLost(STUCK, "silence")
        return BoardLine(self.board)

    def _notice(self) -> None:
        """Give the board the few milliseconds that debouncing an input takes."""
        with self._passing:
            self._run(_DEBOUNCE_MS)
            self._start_s -= _DEBOUNCE_MS / 1000
        self._pass_time()

    def _pass_time(self) -> None:
        """Advance the board's time to now, and talk with it meanwhile."""
        with self._passing:
            while True:
                while self.link.pump():
                    pass
                left_ms = round((self._clock.monotonic_s() - self._start_s) * 1000)
                left_ms -= round(self.board.time_s * 1000)
                if left_ms > _IDLE_MS and self.board.state in _CALM:
                    # Nothing happens by itself: an hour at rest need not be lived through.
                    self._start_s += (left_ms - _IDLE_MS) / 1000
                elif left_ms > 0:
                    self._run(min(left_ms, _PART_MS))
                else:
                    return

    def _run(self, ms: int) -> None:
        way_us = self.board.run(ms)
        if self._pushing is not None:
            per_us = radians(1.0 / self._servo.us_per_deg) * self._servo.length_mm
            self._touched |= way_us * per_us >= self._pushing[1].standoff_mm

    def _wait(self, event: threading.Event, timeout_s: float) -> bool:
        end_s = self._clock.monotonic_s() + timeout_s
        while True:
            self._pass_time()
            self._tell_touch()
            left_s = end_s - self._clock.monotonic_s()
            if event.is_set() or left_s <= 0.0:
                return event.is_set()
            self._clock.wait(event, min(left_s, _STEP_S))

    def _tell_touch(self) -> None:
        pushing = self._pushing
        if self._touched and pushing is not None and pushing[0] == threading.get_ident():
            self._pushing = None
            self._on_stroke(pushing[1])


def _numbers(rng: np.random.Generator, low: int, high: int) -> Iterator[int]:
    """Draw whole numbers from `low` up to, but not including, `high`, for ever."""
    while True:
        yield int(rng.integers(low, high))
