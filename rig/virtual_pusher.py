"""A pusher without hardware, which keeps to the firmware's table of states.

It has no thread of its own. What happens by itself (a token runs out, the arm arrives, the link is
missed) has a time, and every call first lets all that happen whose time has come.
"""

import threading
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from physics.push import Push, smooth_share
from rig.clock import Clock
from rig.pusher import (
    LATCHED,
    MOVING,
    TOKEN_S,
    Armed,
    Fault,
    PortLost,
    Pusher,
    PusherState,
    PusherStatus,
    PushRefused,
    Refusal,
    ServoArm,
    Stroke,
    StrokeUnknown,
)

SETTLE_S = 0.6
"""How long the arm takes to settle once it has power."""

LINK_S = 0.5
"""How long it goes on without hearing from the computer."""

REST_S = 0.2
"""How long it keeps its power after it has come back."""


@dataclass(eq=False)
class _Move:
    """A stroke on its way; its moments on the clock's `monotonic_s`.

    Attributes:
        push: as asked.
        number: of the stroke.
        touch_s: when the tip meets the tile, None if the path ends before it.
        out_s: when the arm is out.
        hold_s: when it goes back.
        return_s: how long that takes.
        rest_s: when it is back and at rest, once that is known.
        touched: the tip has met the tile.
        complete: the arm went all the way out.
        fault: the state after it is FAULT, for this reason.
        lost: the computer will not hear of its end.
        ended: the state it ended in.
    """

    push: Push
    number: int
    touch_s: float | None
    out_s: float
    hold_s: float
    return_s: float
    rest_s: float = 0.0
    touched: bool = False
    complete: bool = True
    fault: Fault = Fault.NONE
    lost: bool = False
    ended: PusherState | None = None


class VirtualPusher(Pusher):
    """A pusher for tests, demos and tables without one.

    The hands round it: `set_switch` turns the arm switch, `set_estop` presses the red button,
    `unplug` and `plug` handle the cable, `restart` interrupts its power. Inputs are believed at
    once, without the few milliseconds that a real pusher takes to be sure of them.

    Args:
        clock: its time.
        rng: where its tokens come from.
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
        self._clock = clock
        self._rng = rng
        self._on_stroke = on_stroke
        self._servo = servo or ServoArm()
        self._lock = threading.Lock()
        self._nudge = threading.Event()
        self._state = PusherState.SAFE
        self._fault = Fault.NONE
        self._switch_on = False
        self._seen_off = True
        self._estop_open = False
        self._strokes = 0
        self._armed = Armed(0, 0.0, 0.0)
        self._move: _Move | None = None
        self._silent_s: float | None = None

    def status(self) -> PusherStatus:
        with self._lock:
            self._hear()
            return PusherStatus(
                state=self._state,
                fault=self._fault,
                switch_on=self._switch_on,
                switch_cycled=self._seen_off,
                estop_closed=not self._estop_open,
                strokes=self._strokes,
            )

    def arm(self) -> Armed:
        with self._lock:
            now_s = self._hear()
            self._expect(self._state is PusherState.SAFE, Refusal.STATE)
            self._expect(not self._estop_open, Refusal.ESTOP)
            self._expect(self._switch_on and self._seen_off, Refusal.SWITCH)
            token = self._armed.token
            while token == self._armed.token:
                token = int(self._rng.integers(0x10000))
            self._armed = Armed(token, now_s + SETTLE_S, now_s + TOKEN_S)
            self._state, self._fault, self._seen_off = PusherState.ARMED, Fault.NONE, False
            return self._armed

    def push(self, token: int, push: Push) -> Stroke:
        with self._lock:
            move = self._begin(token, push)
        told = False
        while True:
            with self._lock:
                now_s = self._tick()
                touched, ended = move.touched, move.ended
                due = self._due()
            if touched and not told:
                told = True
                self._on_stroke(push)
            elif ended is not None:
                break
            else:
                self._clock.wait(self._nudge, due[0] - now_s if due else None)
                self._nudge.clear()
        if move.lost:
            raise StrokeUnknown(move.number)
        return Stroke(move.number, move.complete, ended)

    def stop(self) -> None:
        with self._lock:
            self._hear()
            self._latch(PusherState.ESTOP)

    def disarm(self) -> None:
        with self._lock:
            self._retreat(self._hear())

    def clear(self) -> None:
        with self._lock:
            self._hear()
            self._expect(self._state in LATCHED, Refusal.STATE)
            self._expect(not self._estop_open, Refusal.ESTOP)
            self._expect(not self._switch_on, Refusal.SWITCH_ON)
            self._state, self._fault = PusherState.SAFE, Fault.NONE

    def set_switch(self, on: bool) -> None:
        """Turn the arm switch by hand."""
        with self._lock:
            self._tick()
            self._switch_on = on
            if on:
                return
            self._seen_off = True
            if self._state is PusherState.ARMED:
                self._state = PusherState.SAFE
            elif self._state in MOVING:
                self._latch(PusherState.FAULT, Fault.SWITCH)

    def set_estop(self, pressed: bool) -> None:
        """Press the red button, or pull it out again."""
        with self._lock:
            self._tick()
            self._estop_open = pressed
            if pressed:
                self._latch(PusherState.ESTOP)

    def unplug(self) -> None:
        """Pull the cable to the computer; the pusher keeps its power."""
        with self._lock:
            now_s = self._tick()
            if self._silent_s is None:
                self._silent_s = now_s
            if self._move is not None:
                self._move.lost = True
            self._nudge.set()

    def plug(self) -> None:
        """Put the cable back; the new session disarms, or sends a moving arm back."""
        with self._lock:
            now_s = self._tick()
            self._silent_s = None
            self._retreat(now_s)

    def restart(self) -> None:
        """Interrupt its power for a moment."""
        with self._lock:
            self._tick()
            if self._move is not None:
                self._move.lost = True
                self._latch(PusherState.FAULT, Fault.MIDPUSH)
            else:
                self._latch(PusherState.SAFE)
            self._strokes = 0

    def _begin(self, token: int, push: Push) -> _Move:
        now_s = self._hear()
        self._expect(self._state is PusherState.ARMED, Refusal.STATE)
        self._expect(now_s >= self._armed.settled_s, Refusal.BUSY)
        self._expect(token == self._armed.token, Refusal.TOKEN)
        stroke = self._servo.stroke(push)
        if stroke is None:
            raise PushRefused(Refusal.LIMIT, self._state)
        out_s = stroke.t_out_ms / 1000
        free = push.standoff_mm / (push.standoff_mm + push.stroke_mm)
        self._strokes += 1
        self._move = _Move(
            push=push,
            number=self._strokes,
            touch_s=now_s + out_s * smooth_share(free) if free <= 1.0 else None,
            out_s=now_s + out_s,
            hold_s=now_s + out_s + stroke.t_hold_ms / 1000,
            return_s=stroke.t_back_ms / 1000,
        )
        self._state = PusherState.OUT
        return self._move

    def _hear(self) -> float:
        """Let happen what is due, and answer; PortLost without a cable."""
        now_s = self._tick()
        if self._silent_s is not None:
            raise PortLost
        return now_s

    def _expect(self, condition: bool, refusal: Refusal) -> None:
        if not condition:
            raise PushRefused(refusal, self._state)

    def _tick(self) -> float:
        """Let everything happen whose time has come; give the present time."""
        now_s = self._clock.monotonic_s()
        while (due := self._due()) is not None and due[0] <= now_s:
            due[1](due[0])
        return now_s

    def _due(self) -> tuple[float, Callable[[float], None]] | None:
        """What will happen next by itself, and when."""
        coming: list[tuple[float, Callable[[float], None]]] = []
        move = self._move
        if self._state is PusherState.ARMED:
            coming.append((self._armed.expires_s, self._expire))
        if move is not None and self._state is PusherState.OUT:
            if move.touch_s is not None and not move.touched:
                coming.append((move.touch_s, self._touch))
            coming.append((move.out_s, self._hold))
        if move is not None and self._state is PusherState.HOLD:
            coming.append((move.hold_s, self._go_back))
        if move is not None and self._state is PusherState.BACK:
            coming.append((move.rest_s, self._rest))
        if self._silent_s is not None and self._state in _WATCHED:
            coming.append((self._silent_s + LINK_S, self._miss_link))
        return min(coming, key=lambda one: one[0], default=None)

    def _expire(self, at_s: float) -> None:
        self._state = PusherState.SAFE

    def _touch(self, at_s: float) -> None:
        if self._move is not None:
            self._move.touched = True

    def _hold(self, at_s: float) -> None:
        self._state = PusherState.HOLD

    def _go_back(self, at_s: float) -> None:
        if self._move is not None:
            self._move.rest_s = at_s + self._move.return_s + REST_S
        self._state = PusherState.BACK

    def _rest(self, at_s: float) -> None:
        if self._move is not None and self._move.fault is not Fault.NONE:
            self._latch(PusherState.FAULT, self._move.fault)
        else:
            self._end(PusherState.SAFE)

    def _miss_link(self, at_s: float) -> None:
        if self._move is None:
            self._state, self._fault = PusherState.SAFE, Fault.LINK
        else:
            self._move.fault = Fault.LINK
            self._retreat(at_s)

    def _retreat(self, at_s: float) -> None:
        """Go back smoothly, or give up the power; in BACK, SAFE and latched change nothing."""
        if self._state is PusherState.ARMED:
            self._state = PusherState.SAFE
        elif self._move is not None and self._state is not PusherState.BACK:
            self._cut_short()
            self._go_back(at_s)
            self._nudge.set()

    def _latch(self, state: PusherState, fault: Fault = Fault.NONE) -> None:
        """Cut the power now; the switch has to be seen off anew."""
        self._cut_short()
        self._seen_off = not self._switch_on
        self._end(state, fault)

    def _cut_short(self) -> None:
        if self._move is not None and self._state is PusherState.OUT:
            self._move.complete = False

    def _end(self, state: PusherState, fault: Fault = Fault.NONE) -> None:
        """Come to rest, and forget the stroke."""
        self._state, self._fault = state, fault
        if self._move is not None:
            self._move.ended = state
            self._move = None
        self._nudge.set()


_WATCHED = (PusherState.ARMED, PusherState.OUT, PusherState.HOLD)
