"""Who may look back: players, the host and this machine at past games, the host alone at files.

`auth.authorise` has let the request in; here it is only asked which of the people at the table
it comes from.
"""

from typing import Any

from flask import Flask, g

from web.base.errors import Denied
from web.live.parts import parts


def player(app: Flask) -> dict[str, Any]:
    """Let in whoever plays or hosts, and the machine that runs the table; gives who they are.

    Raises:
        Denied: 403 for those who only watch.
    """
    you = _you(app)
    if you["seat"] is None and not you["host"] and not g.viewer.local:
        raise Denied(403, "not_allowed", "Only players at this table can see its past games.")
    return you


def host(app: Flask) -> dict[str, Any]:
    """Let in the host; gives who they are.

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
