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
    you = _you(app)
    if you["seat"] is None and not you["host"] and not g.viewer.local:
        raise Denied(403, "not_allowed", "Only players at this table can see its past games.")
    return you


def host(app: Flask) -> dict[str, Any]:
    """Let in the host; give who they are.

    Raises:
        Denied: 403 for everybody else.
    """
    you = _you(app)
    if not you["host"]:
        raise Denied(403, "not_allowed", "Only the host can do this.")
    return you


def _you(app: Flask) -> dict[str, Any]:
    device = g.viewer.device
    if device is None:
        return {"role": "guest", "seat": None, "host": False}
    return parts(app).session.you(device)
