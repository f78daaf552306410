"""A player's phone: its page, its view, and everything it may ask for."""

from typing import Any, cast

from flask import Blueprint, Response, current_app, g, make_response, redirect, render_template
from flask import request as asked

from web.errors import Denied
from web.names import tidy
from web.parts import parts
from web.ports import Json
from web.stream import role_of
from web.view import encode

pages = Blueprint("phones", __name__)

_STATUS = {"not_allowed": 403, "bad_command": 400}
_ID_LENGTH = 64


@pages.get("/play")
def play() -> Response:
    """The phone's page; the snapshot says which screen it shows."""
    if g.viewer.device is not None:
        return make_response(render_template("phone.html"))
    if asked.args.get("from") == "join":
        # The join page gave a cookie a moment ago: this browser throws cookies away.
        return make_response(render_template("cookies.html"))
    return cast(Response, redirect("/", 303))


@pages.get("/api/state")
def state() -> Response:
    """The newest snapshot, for a page that just woke up."""
    web = parts(current_app)
    web.auth.spend(g.viewer, "state")
    snapshot = web.views.snapshot(g.viewer, role_of(asked.args.get("role")))
    return Response(encode(snapshot), mimetype="application/json")


@pages.post("/api/command")
def command() -> Response:
    """Pass one command to the session and its answer back."""
    web = parts(current_app)
    if g.viewer.device is None:
        raise Denied(401, "join", "This browser is not at the table yet; join with the code.")
    order = read_command()
    web.auth.spend(g.viewer, order["type"])
    if "name" in order:
        order["name"] = tidy(order["name"])
    puts_out_a_person = order["type"] == "remove_seat" and _is_person(order.get("seat"))
    reply = web.session.submit(g.viewer.device, order)
    if reply["ok"] and puts_out_a_person and not reply.get("dup"):
        web.auth.change_code()
        web.hub.poke()
    if reply["ok"]:
        status = 200
    else:
        status = _STATUS.get(reply["reason"], 409)
        if reply["reason"] == "stale":
            reply = {**reply, "state": web.views.snapshot(g.viewer, "phone")}
    return Response(encode(reply), status, mimetype="application/json")


def read_command() -> Json:
    """The JSON object of the request, with an id and a type.

    Raises:
        Denied: 400, saying what is missing.
    """
    given: Any = asked.get_json(silent=True)
    if not isinstance(given, dict):
        raise Denied(400, "bad_command", "A command is one JSON object.")
    for field in ("id", "type"):
        value = given.get(field)
        if not isinstance(value, str) or not 0 < len(value) <= _ID_LENGTH:
            raise Denied(
                400,
                "bad_command",
                f'A command needs "{field}", a text of 1 to {_ID_LENGTH} characters.',
            )
    return given


def _is_person(seat: object) -> bool:
    seats = parts(current_app).session.view(g.viewer.device, "phone").get("seats", ())
    return any(each["seat"] == seat and not each.get("bot") for each in seats)
