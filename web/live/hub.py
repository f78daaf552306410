"""The open streams of a table: who listens, and the newest view for each of them.

Nothing here knows of HTTP. A mailbox holds one event, the newest; a slow phone skips the middle.
The postman's thread makes the views: neither a request nor the event loop waits for them.
"""

import logging
import threading
import time
from collections import Counter
from collections.abc import Callable, Hashable

from web.access.auth import Auth, Viewer
from web.base.errors import Denied
from web.base.rate_limits import Limits
from web.base.session_port import Role, SessionPort
from web.live.postman import Postman
from web.live.sent_views import Views

log = logging.getLogger(__name__)

ELSEWHERE = b"event: elsewhere\ndata: {}\n\n"
"""Last event of a stream whose device opened another one; the page must not reconnect by itself."""
GONE = b"event: gone\ndata: {}\n\n"
"""Last event of a stream whose device lost its place; the page goes to the join page."""
CLOSED = b"event: closed\ndata: {}\n\n"
"""Last event of every stream when the table closes; the page waits until it opens again."""
BEAT = b"event: beat\ndata: {}\n\n"
_LOOK_S = 5.0
"""Every so many seconds this machine's addresses are looked at, while anybody listens: else a table
screen would show an old one until something happens."""


class Mailbox:
    """One stream's mailbox: the newest event, or the stream's last one."""

    def __init__(self, viewer: Viewer, role: Role, wake: Callable[[], None]) -> None:
        self.viewer = viewer
        self.role = role
        self._wake = wake
        self._lock = threading.Lock()
        self._event: bytes | None = None
        self._closed = False

    @property
    def closed(self) -> bool:
        """Whether nothing more will come once the box is empty."""
        return self._closed

    def put(self, event: bytes) -> None:
        """Put in the newest event; it replaces one that was not fetched."""
        with self._lock:
            if self._closed:
                return
            self._event = event
        self._wake()

    def put_back(self, event: bytes) -> None:
        """Put back an event that was not sent, unless a newer one came or the box is closed."""
        with self._lock:
            if self._event is None and not self._closed:
                self._event = event

    def take(self) -> bytes | None:
        """Fetch the event in the box, if there is one."""
        with self._lock:
            event, self._event = self._event, None
        return event

    def close(self, last: bytes | None = None) -> None:
        """Put in the last event; nothing more is accepted after it."""
        with self._lock:
            if self._closed:
                return
            self._closed = True
            self._event = last
        self._wake()


class Hub:
    """Gives every open stream the newest view of its viewer."""

    def __init__(
        self,
        session: SessionPort,
        auth: Auth,
        views: Views,
        limits: Limits,
        postman: Postman,
        monotonic_s: Callable[[], float] = time.monotonic,
    ) -> None:
        self._session = session
        self._auth = auth
        self._views = views
        self._limits = limits
        self._postman = postman
        self._monotonic_s = monotonic_s
        self._lock = threading.Lock()
        self._boxes: dict[Mailbox, None] = {}
        self._of: dict[tuple[str, Role], list[Mailbox]] = {}
        self._at: Counter[str] = Counter()
        self._fresh: set[Mailbox] = set()
        self._everybody = threading.Event()
        self._present: set[str] = set()
        self._closed: set[str] = set()
        self._leaving: dict[str, float] = {}
        self._unsubscribe: Callable[[], None] | None = None
        self._stopped = False

    def open(self, viewer: Viewer, role: Role, wake: Callable[[], None]) -> Mailbox:
        """Begin a stream; its first event comes at once.

        Args:
            viewer: who listens.
            role: which page listens.
            wake: called from another thread when the box has something.

        Raises:
            Denied: 503 if there are too many streams, or the table is closing.
        """
        box = Mailbox(viewer, role, wake)
        with self._lock:
            if self._stopped:
                raise Denied(503, "closing", "The table is closing.", 1.0)
            same = self._of.get(_key(box), [])
            replaced = same[: max(0, len(same) + 1 - self._limits.streams_of_device)]
            crowded = not viewer.local and (
                self._at[viewer.peer] - len(replaced) >= self._limits.streams_of_address
            )
            if crowded or len(self._boxes) - len(replaced) >= self._limits.streams:
                raise Denied(
                    503, "full", "Too many screens are open at this table; close one.", 5.0
                )
            for old in replaced:
                self._remove(old)
            self._boxes[box] = None
            self._of.setdefault(_key(box), []).append(box)
            self._at[viewer.peer] += 1
            self._fresh.add(box)
            if _shows_presence(box):
                self._leaving.pop(viewer.device or "", None)
            self._start()
        for old in replaced:
            old.close(ELSEWHERE)
        self._postman.call(self)
        return box

    def close(self, box: Mailbox) -> None:
        """Remove a stream, whichever side ended it."""
        with self._lock:
            if box in self._boxes:
                self._remove(box)
            self._fresh.discard(box)
            if _shows_presence(box) and _key(box) not in self._of:
                self._leaving[_key(box)[0]] = self._monotonic_s() + self._limits.leave_s
        box.close()
        self._postman.call(self)

    def poke(self) -> None:
        """Say that every view may have changed; never blocks."""
        self._everybody.set()
        self._postman.call(self)

    @property
    def streams(self) -> int:
        """How many streams are open."""
        with self._lock:
            return len(self._boxes)

    def stop(self, last: bytes | None = CLOSED) -> None:
        """End all streams now and for good; `last` is told to each."""
        with self._lock:
            self._stopped = True
            boxes, self._boxes = self._boxes, {}
            unsubscribe, self._unsubscribe = self._unsubscribe, None
        if unsubscribe is not None:
            unsubscribe()
        for box in boxes:
            box.close(last)
        self._postman.leave(self)

    def deliver(self) -> float | None:
        """Give every stream its newest event; the postman's round at this table."""
        self._report_presence()
        everybody = self._views.has_moved() or self._everybody.is_set()
        self._everybody.clear()
        with self._lock:
            due = list(self._boxes) if everybody else list(self._fresh)
            self._fresh.clear()
        made: dict[Hashable, bytes] = {}
        for box in due:
            self._deliver(box, made)
        return self._until_next_look_s()

    def _start(self) -> None:
        if self._unsubscribe is None:
            self._unsubscribe = self._session.subscribe(self.poke)
            self._postman.serve(self)

    def _deliver(self, box: Mailbox, made: dict[Hashable, bytes]) -> None:
        """Put the newest event into a box; `made` are those of this round, by audience."""
        if box.closed:
            return
        viewer = box.viewer
        try:
            audience = self._session.audience(viewer.device, box.role)
            if audience not in made:
                made[audience] = self._views.event(audience)
            # Looked up after the view was made: a view with the new code is not for them.
            if viewer.device and not viewer.local and not self._auth.knows(viewer.device):
                box.close(GONE)
                return
            box.put(made[audience])
        except Exception:  # one bad view must not end everybody's streams
            log.exception("no view for a stream; it keeps the last one")

    def _remove(self, box: Mailbox) -> None:
        """Remove a box from every index; the lock is held."""
        del self._boxes[box]
        if box.role == "table":
            self._closed.add(_key(box)[0])
        same = self._of[_key(box)]
        same.remove(box)
        if not same:
            del self._of[_key(box)]
        self._at[box.viewer.peer] -= 1
        if not self._at[box.viewer.peer]:
            del self._at[box.viewer.peer]

    def _here(self) -> set[str]:
        return {box.viewer.device or "" for box in self._boxes if _shows_presence(box)}

    def _report_presence(self) -> None:
        """Tell the session which phones are here; reloading a page does not count as leaving."""
        now_s = self._monotonic_s()
        with self._lock:
            come = self._here() - self._present
            gone = {device for device, until_s in self._leaving.items() if until_s <= now_s}
            for device in gone:
                del self._leaving[device]
            gone &= self._present
        for device in come:
            self._tell(device, True)
        for device in gone:
            self._tell(device, False)
        self._report_screens()

    def shows_table(self, viewer: Viewer) -> bool:
        """Whether a viewer has a table screen open."""
        with self._lock:
            return (viewer.device or viewer.peer, "table") in self._of

    def _report_screens(self) -> None:
        """Tell the session which table screens are closed: nobody sees them any more."""
        with self._lock:
            gone = {key for key in self._closed if (key, "table") not in self._of}
            self._closed.clear()
        for screen in gone:
            try:
                self._session.screen(screen, False)
            except Exception:
                log.exception("the session did not hear that a table screen was closed")

    def _tell(self, device: str, on: bool) -> None:
        (self._present.add if on else self._present.discard)(device)
        try:
            self._session.connected(device, on)
        except Exception:
            log.exception("the session did not hear that a phone came or went")

    def _until_next_look_s(self) -> float | None:
        now_s = self._monotonic_s()
        with self._lock:
            looks = [now_s + _LOOK_S] if self._boxes else []
            soonest_s = min([*looks, *self._leaving.values()], default=None)
        return None if soonest_s is None else max(0.0, soonest_s - now_s)


def _key(box: Mailbox) -> tuple[str, Role]:
    """The key under which streams replace each other: the same page on the same device."""
    return box.viewer.device or box.viewer.peer, box.role


def _shows_presence(box: Mailbox) -> bool:
    """Whether an open stream means that somebody is there: true of a phone, not of the screen."""
    return box.role == "phone" and box.viewer.device is not None
