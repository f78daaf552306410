"""STOP: from the edge of the server to the machine by a way of its own.

No request thread, no lock of the session and no disk lie on it: the phone's cookie is known from
memory, the byte goes out on a thread that waits for nothing else, and what the table writes about
it comes after.
"""

import logging
import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor

from flask import Blueprint, Response, current_app, g

from web.errors import Denied
from web.parts import Parts, parts
from web.view import encode

log = logging.getLogger(__name__)

pages = Blueprint("stop", __name__)

STOP = "/api/stop"

_AT_ONCE = 3
"""A pusher that does not answer holds a thread for some seconds; pressing again sends it again."""


class Stops:
    """Every press of STOP at one table.

    Args:
        stop: sends it, and waits for the pusher's answer: see `Session.stop`.
    """

    def __init__(self, stop: Callable[[], str]) -> None:
        self._stop = stop
        self._threads = ThreadPoolExecutor(_AT_ONCE, thread_name_prefix="web-stop")
        self._lock = threading.Lock()
        self._sent: list[Future[str]] = []
        self._noting = False

    def make_ready(self) -> None:
        """Start the thread that the first press will find there."""
        self._threads.submit(int)

    def press(self, *, again: bool = True) -> "Future[str]":
        """Send STOP now; never waits, and never stands in line behind another.

        Args:
            again: send it even if the last one was sent a moment ago.

        Returns:
            What will be known of it: `acknowledged`, `sent` or `not_sent`.
        """
        with self._lock:
            under_way = [one for one in self._sent if not one.done()]
            if len(under_way) < _AT_ONCE and (again or not self._sent):
                self._sent = [*under_way, self._threads.submit(self._stop)]
            return self._sent[-1]

    def begin_note(self) -> bool:
        """Whether it has to be written down, as nobody is about to do so already."""
        with self._lock:
            begun, self._noting = not self._noting, True
            return begun

    def end_note(self) -> None:
        """Say that it is written down, or cannot be."""
        with self._lock:
            self._noting = False

    def close(self) -> None:
        """Let the threads go."""
        self._threads.shutdown(wait=False)


def press(web: Parts, device: str) -> "Future[str]":
    """Send STOP for a device; never waits.

    Raises:
        Denied: 403 for whoever has neither a seat nor the host's rights.
    """
    if not web.session.may_stop(device):
        raise Denied(403, "no_seat", "Take a seat first: watchers only watch.")
    return web.stops.press(again=web.auth.may_send_stop(device))


def note(web: Parts, device: str) -> None:
    """Write down who pressed, once `begin_note` has said so; may wait on the disk."""
    try:
        web.session.note_stop(device)
    except Exception:  # the machine has stopped all the same
        log.exception("a stop could not be written down")
    finally:
        web.stops.end_note()


def reply(told: str) -> bytes:
    """What the phone is answered."""
    return encode({"ok": True, "stopped": told})


@pages.post(STOP)
def stop() -> Response:
    """The same for servers that are not ASGI."""
    web = parts(current_app)
    device = g.viewer.at_table()
    told = press(web, device).result()
    if web.stops.begin_note():
        note(web, device)
    return Response(reply(told), mimetype="application/json")
