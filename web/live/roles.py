"""Who may look back: players, the host and this machine at past games, only the host at files.

`auth.authorise` has already let the request in; this only checks which of the people at the table
it comes from.
"""

from typing import Any

from flask import Flask, g

from web.base.errors import Denied
from web.live.parts import parts


def player(app: Flask) -> dict[str, Any]:
    """Let in players, the host and the machine that runs the table; give who they are.

    Raises:
        Denied: 403 for watchers.
    """
    who = you(app)
    if who["seat"] is None and not who["host"] and not g.viewer.local:
        raise Denied(403, "not_allowed", "Only players at this table can see its past games.")
    return who


def host(app: Flask) -> dict[str, Any]:
    """Let in the host; give who they are.

    Raises:
        Denied: 403 for everybody else.
    """
    who = you(app)
    if not who["host"]:
        raise Denied(403, "not_allowed", "Only the host can do this.")
    return who


def you(app: Flask) -> dict[str, Any]:
    """Who asks: a guest unless the browser has a device of this table."""
    device = g.viewer.device
    if device is None:
        return {"role": "guest", "seat": None, "host": False}
    return parts(app).session.you(device)
