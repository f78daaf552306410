"""STOP, on its own way from the edge of the server to the machine.

It needs no request thread, no lock of the session and no disk: the phone's cookie is checked in
memory, the byte is sent by a thread that does nothing else, and the journal is written afterwards.
"""

import logging
from concurrent.futures import Future

from flask import Blueprint, Response, current_app, g

from web.base.errors import Denied
from web.base.json import encode
from web.live.parts import Parts, parts

log = logging.getLogger(__name__)

pages = Blueprint("stop", __name__)

STOP = "/api/stop"


def press(web: Parts, device: str) -> "Future[str]":
    """Send STOP for a device; never waits.

    Raises:
        Denied: 403 if the device has neither a seat nor the host's rights.
    """
    if not web.session.may_stop(device):
        raise Denied(403, "no_seat", "Take a seat first: watchers only watch.")
    return web.stops.press(again=web.auth.may_send_stop(device))


def note(web: Parts, device: str) -> None:
    """Record who pressed, if `begin_note` said so; may wait for the disk."""
    try:
        web.session.note_stop(device)
    except Exception:  # the machine has stopped all the same
        log.exception("a stop could not be written down")
    finally:
        web.stops.end_note()


def reply(told: str) -> bytes:
    """The answer to the phone."""
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
