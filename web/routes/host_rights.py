"""Gives the host's rights to a browser that shows the secret printed on the console."""

from typing import cast

from flask import Blueprint, Response, current_app, g, redirect
from flask import request as asked

from web.base.errors import Denied
from web.base.json import encode
from web.live.parts import parts
from web.routes.pages import here, seat_cookie
from web.routes.phones import read_json

pages = Blueprint("host", __name__)


@pages.get("/host/<secret>")
def by_address(secret: str) -> Response:
    """The address on the console: makes this browser the host's; `?as=table` opens the screen."""
    web = parts(current_app)
    web.auth.check_host_secret(secret, g.viewer)
    target = "/table" if asked.args.get("as") == "table" else "/play"
    response, device = seat_cookie(cast(Response, redirect(here(target), 303)), g.viewer)
    web.session.make_host(device)
    return response


@pages.post("/api/host")
def by_secret() -> Response:
    """The secret typed on a phone that is at the table already."""
    web = parts(current_app)
    device = g.viewer.at_table()
    given = read_json()
    secret = given.get("secret") if isinstance(given, dict) else None
    if not isinstance(secret, str):
        raise Denied(400, "bad_command", 'Send the host\'s secret as {"secret": "..."}.')
    web.auth.check_host_secret(secret, g.viewer)
    web.session.make_host(device)
    return Response(encode({"ok": True}), mimetype="application/json")
