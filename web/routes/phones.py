"""A player's phone: its page, its view, and everything it may ask for."""

from typing import cast

from flask import Blueprint, Response, current_app, g, make_response, redirect
from flask import request as asked

from rig.backroom import WorkEnded
from rig.errors import RigError
from web.access.auth import AccessRequest
from web.access.names import tidy
from web.base.errors import Denied
from web.base.session_port import Json
from web.content.page import page, table_game
from web.live.parts import Parts, parts
from web.live.stream import role_of
from web.routes.pages import as_json, here, read_json

pages = Blueprint("phones", __name__)

_STATUS = {"not_allowed": 403, "bad_command": 400}
_ID_LENGTH = 64
PHOTO = "/api/photo"
_PHOTOGRAPHED = "photographed"
"""The command by which a phone tells what its photo shows."""
_PUT_OUT = ("remove_seat", "take_phone")
"""Commands of the host by which a phone may lose its seat, and the table gets another code."""


@pages.get("/play")
def play() -> Response:
    """The phone's page; the snapshot says which screen it shows."""
    if g.viewer.device is not None:
        return make_response(page("phone.html", game=table_game()))
    if asked.args.get("from") == "join":
        # The join page gave a cookie a moment ago: this browser throws cookies away.
        return make_response(page("cookies.html"))
    return cast(Response, redirect(here("/"), 303))


@pages.get("/api/state")
def state() -> Response:
    """The newest snapshot, for a page that has just woken up."""
    web = parts(current_app)
    web.auth.spend(g.viewer, "state")
    snapshot = web.views.snapshot(g.viewer, role_of(asked.args.get("role")))
    return as_json(snapshot)


@pages.get("/api/clock")
def clock() -> Response:
    """The table's clock, for a phone to set its own by."""
    web = parts(current_app)
    web.auth.spend(g.viewer, "clock")
    return as_json({"now_ms": web.session.now_ms()})


@pages.post("/api/command")
def command() -> Response:
    """Pass one command to the session and its answer back."""
    web = parts(current_app)
    device = g.viewer.at_table()
    try:
        order = read_command()
    except Denied:
        web.auth.spend(g.viewer)
        raise
    web.auth.spend_command(g.viewer, order["type"])
    if "name" in order:
        order["name"] = tidy(order["name"])
    puts_out = order["type"] in _PUT_OUT
    leaving = _devices_to_put_out(order) if puts_out else []
    code = web.tables.new_code(web.auth.code) if puts_out else ""
    reply = web.session.submit(device, order, code)
    if reply["ok"] and reply.get("put_out") and not reply.get("dup"):
        web.auth.put_out(leaving, code)
        web.hub.poke()
    if reply["ok"]:
        status = 200
    else:
        status = status_of(reply)
        if reply["reason"] in ("stale", "too_slow"):  # also the clock by which a phone is too slow
            reply = {**reply, "state": web.views.snapshot(g.viewer, "phone")}
    return as_json(reply, status)


@pages.post(PHOTO)
def photo() -> Response:
    """What a photo shows of the row.

    It is read in another process. Of a row that is being built the phone hears of the tiles, which
    it sends as a command, and the photo is forgotten. After a push a part of it is kept with what
    it shows, like the picture of a camera; of its file nothing else is.
    """
    web = parts(current_app)
    device = g.viewer.at_table()
    web.auth.spend(g.viewer, "photo")
    refused = web.session.refused(device, _PHOTOGRAPHED)
    if refused is not None:
        raise Denied(status_of(refused), refused["reason"], refused["message"])
    reader = web.session.photo_reader()
    if reader is None:
        raise Denied(409, "photo_unwanted", "No photo is wanted now.")
    asked.max_content_length = web.limits.photo_bytes
    try:
        told = web.tables.backroom.do_apart(reader, asked.get_data(cache=False))
    except WorkEnded as error:
        raise Denied(409, "photo_unreadable", "The photo cannot be read.") from error
    except RigError as error:
        raise Denied(409, error.reason, str(error)) from error
    if "picture" not in told:
        return as_json({"ok": True, **told})
    reply = web.session.photographed(device, told)
    status = 200 if reply["ok"] else status_of(reply)
    return as_json(reply, status)


def room_for_photo(web: Parts, sender: AccessRequest) -> int:
    """Most bytes of a request's body: a player's photo is larger than a command.

    Raises:
        Denied: 429, photos come too fast.
    """
    try:
        viewer = web.auth.authorise(sender)
    except Denied:
        return web.limits.body_bytes  # refused in its place, with its words
    if viewer.device is None or web.session.photo_reader() is None:
        return web.limits.body_bytes
    if web.session.refused(viewer.device, _PHOTOGRAPHED) is not None:
        return web.limits.body_bytes
    web.auth.spend(viewer, "upload")  # before it is held in memory
    return web.limits.photo_bytes


def status_of(refusal: Json) -> int:
    """The HTTP status for a command that the session has refused."""
    return _STATUS.get(refusal["reason"], 409)


def read_command() -> Json:
    """The JSON object of the request, with an id and a type.

    Raises:
        Denied: 400, saying what is missing.
    """
    given = read_json()
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


def _devices_to_put_out(order: Json) -> list[str]:
    """The phones of the person whom this command of the host puts out, if it does."""
    web = parts(current_app)
    if not web.session.you(g.viewer.at_table())["host"]:
        return []
    at_seat = web.auth.devices_at(order.get("seat", ""))
    return [device for device in at_seat if device != g.viewer.device]
