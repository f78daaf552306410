"""The pusher during set-up: found on its port, and tried with one stroke in the air.

Opening a pusher asks who it is and moves nothing. A stroke needs a hand that has turned the arm
switch, and a thumb that stays on the page's button. When the thumb leaves, or the page is silent,
the arm goes home.
"""

import logging
import secrets
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np

from physics.row.push import Path as PushPath
from physics.row.push import Push
from rig.clock import Clock
from rig.errors import RigError
from rig.pusher.find_port import NO_PORT, SerialLine, SerialPort, nonces, ports
from rig.pusher.link import Line
from rig.pusher.port import LATCHED, PortLost, PusherState, StopAnswer, Stroke
from rig.pusher.protocol import PusherConfused
from rig.pusher.serial import SerialPusher
from rig.pusher.virtual import VirtualPusher
from rig.setup.errors import NotSo, NotThere
from rig.setup.plan.facts import Arm

log = logging.getLogger(__name__)

VIRTUAL = "virtual"
GREET_S = 8.0
"""Seconds to wait for a board's greeting; opening its port restarts it."""
HOLD_S = 1.5
UNHEARD_S = 0.8
"""Seconds of silence from the page after which the thumb counts as gone."""
LOOK_S = 0.05
IN_THE_AIR = Push(speed_mm_s=55.0, stroke_mm=13.6, standoff_mm=10.0, path=PushPath.SMOOTH)


class NotNow(NotSo):
    """The pusher cannot do this now; nothing has moved."""


class Arms(Protocol):
    """The pusher side of the bench."""

    @property
    def virtual(self) -> bool:
        """Whether its switch is turned on the page."""

    def found(self) -> Sequence[SerialPort]:
        """List the ports where it may be, the likely ones first."""

    def open(self, port: str) -> tuple[SerialPusher, str]:
        """Open a pusher at a port, "" for the first that answers; takes seconds.

        Returns:
            The pusher, and where it is.

        Raises:
            NotThere: nobody answers; the text says what to do.
        """


@dataclass
class RealArms(Arms):
    """Pushers at serial ports.

    Attributes:
        clock: their time.
        listed: gives the ports.
        line: opens one.
        greet_s: how long one may take to answer.
    """

    clock: Clock
    listed: Callable[[], Sequence[SerialPort]] = ports
    line: Callable[[str], Line] = SerialLine
    greet_s: float = GREET_S

    @property
    def virtual(self) -> bool:
        return False

    def found(self) -> Sequence[SerialPort]:
        return self.listed()

    def open(self, port: str) -> tuple[SerialPusher, str]:
        names = [port] if port else [found.name for found in self.listed()]
        if not names:
            raise NotThere("pusher.no_port", NO_PORT)
        troubles: list[NotThere] = []
        for name in names:
            try:
                return self._opened(name), name
            except NotThere as error:
                troubles.append(error)
        if len(troubles) == 1:
            raise troubles[0]
        # Each port has a reason of its own, and the page has words for all but the unforeseen.
        each = [{"key": trouble.key or "pusher.trouble", "of": trouble.of} for trouble in troubles]
        nobody = NotThere("pusher.failed", "; ".join(map(str, troubles)), each=each)
        nobody.detail = "; ".join(str(trouble) for trouble in troubles if not trouble.key)
        raise nobody

    def _opened(self, name: str) -> SerialPusher:
        pusher = SerialPusher(lambda: self.line(name), self.clock, nonces())
        pusher.link.start()
        end_s = self.clock.monotonic_s() + self.greet_s
        while pusher.link.device is None:
            if pusher.link.given_up or self.clock.monotonic_s() > end_s:
                trouble, kind = pusher.link.trouble, pusher.link.kind
                pusher.link.close()
                words = f"{name}: {trouble}" if name not in trouble else trouble
                raise NotThere(f"pusher.{kind}" if kind else "", words, port=name)
            self.clock.sleep(LOOK_S)
        return pusher


@dataclass
class VirtualArms(Arms):
    """A pretend pusher at a pretend port.

    Attributes:
        clock: its time.
    """

    clock: Clock

    @property
    def virtual(self) -> bool:
        return True

    def found(self) -> Sequence[SerialPort]:
        return (SerialPort(VIRTUAL, VIRTUAL, True),)

    def open(self, port: str) -> tuple[SerialPusher, str]:
        if port not in ("", VIRTUAL):
            words = f"no virtual pusher is at {port!r}: choose the one of the list"
            raise NotThere("refused.unknown", words)
        return VirtualPusher(self.clock, np.random.default_rng()), VIRTUAL


def arm_of(pusher: SerialPusher) -> Arm:
    """Give the facts about an open pusher."""
    device = pusher.link.device
    try:
        status = pusher.status()
    except PusherConfused as error:
        return Arm(trouble=pusher.link.trouble or str(error), kind="version")
    except PortLost as error:
        return Arm(trouble=pusher.link.trouble or str(error), kind=pusher.link.kind)
    firmware = device.firmware if device else ""
    state = PusherState.ESTOP if status.stopped else status.state
    return Arm(True, firmware, state=state.value, ready=status.ready)


@dataclass
class InTheAir:
    """One stroke with nothing in front of the tip, for as long as a thumb holds the button.

    `tend` has to be called often; only it moves anything.

    Attributes:
        pusher: whose arm.
        clock: its time.
    """

    pusher: SerialPusher
    clock: Clock
    _lock: threading.Lock = field(default_factory=threading.Lock, init=False, repr=False)
    _nonce: str = field(default="", init=False)
    _since_s: float = field(default=0.0, init=False)
    _heard_s: float = field(default=0.0, init=False)
    _thread: threading.Thread | None = field(default=None, init=False, repr=False)
    _ended: list[Stroke | RigError] = field(default_factory=list, init=False)

    @property
    def moving(self) -> bool:
        """Whether a stroke is under way."""
        return self._thread is not None and self._thread.is_alive()

    @property
    def in_use(self) -> bool:
        """Whether a thumb is on the button, or the arm is moving."""
        return bool(self._nonce) or self._thread is not None

    @property
    def held_s(self) -> float:
        """Seconds that the thumb has been on the button; 0 if it is not."""
        return self.clock.monotonic_s() - self._since_s if self._nonce else 0.0

    def switch(self, on: bool) -> None:
        """Turn the arm switch of a pretend pusher; that of a real one is turned by hand."""
        if (pretend := self.pusher.pretend()) is not None:
            pretend.set_switch(on)

    def hold(self) -> str:
        """A thumb presses the button; give the token that the page must send from now on.

        Raises:
            NotNow: no hand has turned the switch, or a stroke is under way.
        """
        status = self.pusher.status()
        if self.moving:
            raise NotNow("air.moving", "The arm is moving; wait until it is home.")
        if status.state is PusherState.AWAY:
            raise NotNow("air.away", "The arm may be out: put it home by hand, then confirm it.")
        if status.state in LATCHED:
            raise NotNow("air.latched", "The pusher is stopped; free it first.")
        if not status.ready:
            raise NotNow("air.switch", "Turn the arm switch off, and then on.")
        with self._lock:
            self._nonce = secrets.token_hex(8)
            self._since_s = self._heard_s = self.clock.monotonic_s()
            self._ended.clear()
            return self._nonce

    def still(self, nonce: str) -> None:
        """The page says that the thumb is still there."""
        with self._lock:
            if nonce and nonce == self._nonce:
                self._heard_s = self.clock.monotonic_s()

    def release(self) -> None:
        """The thumb has left the button: bring the arm home smoothly."""
        with self._lock:
            self._nonce = ""
        if self.moving:
            self._disarm()

    def stop(self) -> StopAnswer:
        """Stop at once, until somebody frees the pusher."""
        stopped = self.pusher.stop()
        with self._lock:
            self._nonce = ""
        return stopped

    def tend(self) -> Stroke | RigError | None:
        """Do what the thumb asks for; give the result of a finished stroke once."""
        with self._lock:
            held, now_s = bool(self._nonce), self.clock.monotonic_s()
            unheard = now_s - self._heard_s > UNHEARD_S
            full = now_s - self._since_s >= HOLD_S
        if held and unheard:
            self.release()
        elif held and full and self._thread is None:
            self._thread = threading.Thread(target=self._swing, name="stroke in the air")
            self._thread.start()
        if self._thread is None or self._thread.is_alive():
            return None
        self._thread = None
        with self._lock:
            self._nonce = ""
        return self._ended.pop() if self._ended else None

    def close(self) -> None:
        """Close the pusher; a moving arm goes home first."""
        self.release()
        if self._thread is not None:
            self._thread.join(10.0)
        self.pusher.close()

    def _swing(self) -> None:
        try:
            armed = self.pusher.arm()
            self.clock.sleep(armed.settled_s - self.clock.monotonic_s() + 0.005)
            if not self._nonce:  # the thumb went while the arm settled
                self._disarm()
                raise NotNow("air.released", "The button was let go of; nothing was pushed.")
            self._ended.append(self.pusher.push(armed.token, IN_THE_AIR))
        except RigError as error:
            self._ended.append(error)

    def _disarm(self) -> None:
        try:
            self.pusher.disarm()
        except (PortLost, PusherConfused):
            log.warning("the pusher does not answer; its own watchdog switches it off")
