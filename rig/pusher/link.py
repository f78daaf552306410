"""Keeps the line to a pusher alive: opens it, greets, listens, opens it again.

`Dialogue` knows what to say; the link gives it bytes, times and a thread of its own, so that the
heartbeat waits for nothing else.
"""

import logging
import threading
from collections.abc import Callable, Iterator
from typing import Any, Final, Protocol

from rig.clock import Clock
from rig.errors import RigError
from rig.pusher.dialogue import NOISE, SILENCE, SLOWEST_S, Dialogue
from rig.pusher.port import PortLost, PusherState, StopAnswer
from rig.pusher.protocol import Beat, Device, News, Reply, StateNews
from rig.pusher.wire import STOP_BYTE

log = logging.getLogger(__name__)

PATIENCE_S: Final = 2.5
"""Seconds that a question waits for its reply, all tries together."""

STOP_S: Final = 0.25
"""Seconds that a stop waits to be acknowledged: one try of a command through a USB adapter."""

_STOP_TRIES: Final = 5
_REOPEN_S: Final = 1.0


class LineLost(RigError, ConnectionError):
    """The line could not be opened, or no longer works; the text says why.

    Attributes:
        kind: the same as one word, for whoever says it in another language; "" where it has none.
    """

    reason = "no_pusher"

    def __init__(self, message: str, kind: str = "", **of: Any) -> None:
        super().__init__(message)
        self.kind = kind
        self.key, self.of = f"pusher.{kind}" if kind else "", of


class Line(Protocol):
    """Bytes to and from a device.

    Attributes:
        name: of its port; "" where it has none.
    """

    name: str = ""

    def read(self) -> bytes:
        """Return the bytes that have come, or wait a moment for some; LineLost if it is gone."""

    def write(self, data: bytes) -> None:
        """Send bytes; LineLost if the line is gone."""

    def close(self) -> None:
        """Give the line back."""


class Link:
    """Talks to one pusher, from any thread.

    Something has to call `pump` again and again: the link's own thread after `start`, or a test.

    Args:
        opener: opens the line; LineLost, with the reason in words, if that cannot be done now.
        clock: its time.
        nonces: a fresh number for every session.
        listener: called with the device's own events, on the pumping thread.
        patience_s: how long one try of a command waits for its reply.
        wait: waits for an event for at most a given time, and says whether it is set; it has to
            call `pump` if nothing else does.
        now_s: the time for retries and heartbeats; the clock's unless given.
    """

    def __init__(
        self,
        opener: Callable[[], Line],
        clock: Clock,
        nonces: Iterator[int],
        listener: Callable[[News], None] = lambda news: None,
        *,
        patience_s: float = 0.25,
        wait: Callable[[threading.Event, float], bool] | None = None,
        now_s: Callable[[], float] | None = None,
    ) -> None:
        self.wait = wait or clock.wait
        self._opener = opener
        self._clock = clock
        self._now_s = now_s or clock.monotonic_s
        self._listener = listener
        self._dialogue = Dialogue(nonces, patience_s)
        self._lock = threading.Lock()
        self._over = threading.Event()
        self._line: Line | None = None
        self._again_s = 0.0
        self._refusals = 0
        self._thread: threading.Thread | None = None
        self._lost = LineLost("the pusher has not been looked for yet")
        self._stops_lock = threading.Lock()
        self._stops: list[threading.Event] = []
        self._stop_said = False

    @property
    def device(self) -> Device | None:
        """The device at the other end; None while there is none."""
        with self._lock:
            return self._dialogue.device

    @property
    def heartbeat(self) -> Beat | None:
        """The last heartbeat; None while no device is there, or before its first.

        Raises:
            PusherConfused: the device has since said something that is not in the protocol.
        """
        with self._lock:
            if self._dialogue.confused is not None:
                raise self._dialogue.confused
            return self._dialogue.heartbeat

    @property
    def sessions(self) -> int:
        """How many sessions have been begun."""
        return self._dialogue.sessions

    @property
    def lost(self) -> LineLost | None:
        """Why no device is there; None if one is."""
        with self._lock:
            if self._dialogue.device is not None:
                return None
            if self._line is None:
                return self._lost
            return LineLost("the pusher is being greeted", "silence", port=self._line.name)

    @property
    def trouble(self) -> str:
        """The same in words; empty if there is none."""
        return str(self.lost or "")

    @property
    def kind(self) -> str:
        """The same as one word; empty if there is none, or no word for it."""
        lost = self.lost
        return "" if lost is None else lost.kind

    @property
    def given_up(self) -> bool:
        """Whether opening the line has been tried and has failed."""
        with self._lock:
            return self._line is None and self._again_s > 0.0

    def start(self) -> None:
        """Keep the line alive on a thread of its own, until `close`."""
        self._thread = threading.Thread(target=self._keep, name="pusher", daemon=True)
        self._thread.start()

    def pump(self) -> bool:
        """Read what has come and send what is due; open the line if it is closed.

        Returns:
            Whether anything came.
        """
        line = self._line or self._opened()
        if line is None:
            return False
        try:
            data = line.read()
            with self._lock:
                now_s = self._now_s()
                self._dialogue.feed(data, now_s)
                self._dialogue.tick(now_s)
                news = self._dialogue.take_news()
                self._flush(line)
                wrong, kind = self._dialogue.wrong, self._dialogue.kind
                if self._dialogue.device is not None:
                    self._refusals = 0
            if wrong:
                self._refusals += wrong not in (SILENCE, NOISE)
                raise LineLost(wrong, kind, port=line.name)
        except LineLost as error:
            self._lose(error)
            return False
        for one in news:
            if isinstance(one, StateNews) and one.state == PusherState.ESTOP and not one.late:
                self._tell_stopped()
            self._tell(one)
        return bool(data)

    def gather(self, on: bool) -> None:
        """Ask for events that are missed from now on, or stop asking."""
        with self._lock:
            self._dialogue.gathering = on

    def ask(self, text: str, *, urgent: bool = False, behind: bool = False) -> Reply | None:
        """Say something and wait for the reply.

        Args:
            text: the command and its arguments.
            urgent: goes before everything that waits.
            behind: goes after everything that waits, and after every missed event.

        Returns:
            The reply; None if none came, so that it is not known whether the command was heard.

        Raises:
            PortLost: no session is open, or the queue was too long; the command was not sent, and
                will not be.
        """
        replied = threading.Event()
        told: list[Reply | None] = []

        def answered(reply: Reply | None) -> None:
            told.append(reply)
            replied.set()

        with self._lock:
            line = self._line
            if line is None or self._dialogue.device is None:
                raise PortLost
            self._dialogue.ask(text, answered, self._now_s(), urgent=urgent, behind=behind)
            try:
                self._flush(line)
            except LineLost:
                return None
        self.wait(replied, PATIENCE_S)
        with self._lock:
            if not told and self._dialogue.withdraw(answered):
                raise PortLost
            return told[0] if told else None

    def stop(self) -> StopAnswer:
        """Send the byte that stops everything, before anything else and without waiting.

        It is repeated every 50 ms, because a line may lose it, until the device says that it has
        stopped. The caller gets what is known after a quarter of a second at most.
        """
        heard = threading.Event()
        with self._stops_lock:
            self._stops.append(heard)
        try:
            return self._stopped(heard)
        finally:
            with self._stops_lock:
                self._stops.remove(heard)

    def _stopped(self, heard: threading.Event) -> StopAnswer:
        known = StopAnswer.NOT_SENT
        for _ in range(_STOP_TRIES):
            line = self._line
            if line is None:
                break
            try:
                line.write(STOP_BYTE)
                known = StopAnswer.SENT
                self._ask_to_stop(line)
            except LineLost:
                break
            if self.wait(heard, STOP_S / _STOP_TRIES):
                return StopAnswer.ACKNOWLEDGED
        return known

    def _ask_to_stop(self, line: Line) -> None:
        """Send STOP before everything that waits, unless it has been sent or the link is busy."""
        if not self._lock.acquire(timeout=STOP_S / _STOP_TRIES):
            return
        try:
            if line is self._line and self._dialogue.device is not None and not self._stop_said:
                self._stop_said = True
                self._dialogue.ask("STOP", self._stop_answered, self._now_s(), urgent=True)
                self._flush(line)
        finally:
            self._lock.release()

    def _stop_answered(self, reply: Reply | None) -> None:
        self._stop_said = False
        if reply is not None and not reply.refused:
            self._tell_stopped()

    def _tell_stopped(self) -> None:
        """Tell every caller of `stop` that the device has stopped."""
        with self._stops_lock:
            for heard in self._stops:
                heard.set()

    def look_again(self) -> None:
        """Open the line as soon as possible, even if it was lost just now."""
        self._again_s, self._refusals = 0.0, 0

    def close(self) -> None:
        """End the thread and close the line."""
        self._over.set()
        if self._thread is not None:
            self._thread.join(timeout=5.0)
        if self._line is not None:
            self._lose(LineLost("the line has been closed"))

    def _keep(self) -> None:
        while not self._over.is_set():
            self.pump()
            if self._line is None:
                self._clock.wait(self._over, 0.05)

    def _opened(self) -> Line | None:
        now_s = self._now_s()
        if now_s < self._again_s:
            return None
        try:
            line = self._opener()
        except LineLost as error:
            self._again_s, self._lost = now_s + _REOPEN_S, error
            return None
        with self._lock:
            self._line = line
            self._dialogue.begin(now_s)
        return line

    def _tell(self, news: News) -> None:
        try:
            self._listener(news)
        except Exception:  # whoever listens: the heartbeat goes on
            log.exception("what the pusher told was not taken: %s", news)

    def _flush(self, line: Line) -> None:
        data = self._dialogue.take_bytes()
        if data:
            line.write(data)

    def _lose(self, why: LineLost) -> None:
        with self._lock:
            line, self._line = self._line, None
            self._lost = why
            # Whoever is there and will have nothing of this side is asked ever more slowly.
            wait_s = _REOPEN_S * 2.0 ** max(self._refusals - 1, 0)
            self._again_s = self._now_s() + min(wait_s, SLOWEST_S)
            self._dialogue.end()
        if line is not None:
            line.close()
