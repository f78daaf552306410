"""What a browser is given by an address: the host's rights, or a seat that moves to it.

The host's secret stands on the console; the code that moves a seat is good once, for two minutes.
"""

from typing import cast

from flask import Blueprint, Response, current_app, g, make_response, redirect
from flask import request as asked

from rig.session.host import SeatTicket
from web.access.address import split_host
from web.access.tickets import LIFE_S
from web.base.errors import Denied
from web.base.session_port import Json
from web.content import qr
from web.content.page import page
from web.live.parts import parts
from web.routes.pages import as_json, here, read_object, seat_cookie

pages = Blueprint("rights", __name__)


@pages.get("/host/<secret>")
def host_by_address(secret: str) -> Response:
    """The address on the console: makes this browser the host's; `?as=table` opens the screen."""
    web = parts(current_app)
    web.auth.check_host_secret(secret, g.viewer)
    target = "/table" if asked.args.get("as") == "table" else "/play"
    response, device = seat_cookie(cast(Response, redirect(here(target), 303)), g.viewer)
    _accepted(web.session.make_host(device))
    return response


@pages.post("/api/host")
def host_by_secret() -> Response:
    """The secret typed on a phone that is at the table already."""
    web = parts(current_app)
    device = g.viewer.at_table()
    secret = read_object().get("secret")
    if not isinstance(secret, str):
        raise Denied(400, "bad_command", 'Send the host\'s secret as {"secret": "..."}.')
    web.auth.check_host_secret(secret, g.viewer)
    _accepted(web.session.make_host(device))
    return as_json({"ok": True})


def _accepted(reply: Json) -> None:
    """Refuse the request if the session has refused it."""
    if not reply["ok"]:
        raise Denied(409, reply["reason"], reply["message"])


@pages.post("/api/handover")
def draw() -> Response:
    """Make the code for one's own seat or, as the host, for anybody's."""
    web = parts(current_app)
    device = g.viewer.at_table()
    web.auth.spend(g.viewer)
    view = web.session.view(device, "phone")
    seat = read_object().get("seat") or view["you"]["seat"]
    taken = {each["seat"] for each in view["seats"] if not each["bot"]}
    if not isinstance(seat, str) or seat not in taken:
        raise Denied(409, "no_seat", "Nobody sits there.")
    if seat != view["you"]["seat"] and not view["you"]["host"]:
        raise Denied(403, "not_allowed", "Only the host can do this.")
    token = web.tickets.draw(SeatTicket(seat, web.session.phone_at(seat), device))
    told = {
        "ok": True,
        "seat": seat,
        "url": _address(token),
        "qr": f"handover.svg?t={token}",
        "life_ms": round(LIFE_S * 1000),
    }
    return as_json(told)


@pages.get("/handover.svg")
def picture() -> Response:
    """The code as a picture, for the phone that drew it."""
    token = asked.args.get("t", "")
    if parts(current_app).tickets.of(token) is None:
        raise Denied(404, "ticket", "This code is no longer good; make a new one.")
    return Response(qr.svg(_address(token)), mimetype="image/svg+xml")


@pages.get("/h/<token>")
def offer(token: str) -> Response:
    """The page behind the code: asks whether to sit here; opening it does not use the ticket up."""
    web = parts(current_app)
    seat = _good(token)
    view = web.session.view(None, "phone")
    name = next((each["name"] for each in view["seats"] if each["seat"] == seat), "")
    if g.viewer.device is not None:
        mine = web.session.you(g.viewer.device)["seat"]
        if mine == seat:
            return cast(Response, redirect(here("/play"), 303))
    body = page("handover.html", name=name, token=token)
    response, _ = seat_cookie(make_response(body), g.viewer)
    return response


@pages.post("/api/take")
def take() -> Response:
    """Sit down on this phone; the old phone is out."""
    web = parts(current_app)
    device = g.viewer.device
    if device is None:
        raise Denied(401, "join", "This browser keeps no cookies, so the seat would be lost.")
    web.auth.spend(g.viewer)
    token = read_object().get("token")
    if not isinstance(token, str):
        raise Denied(400, "bad_command", 'Send the ticket as {"token": "..."}.')
    _good(token)
    reply = web.tickets.take(token, lambda t: web.session.hand_over(t.seat, device, t))
    if reply is None or reply.get("reason") == "ticket":
        raise Denied(404, "ticket", "This code is no longer good; make a new one.")
    _accepted(reply)
    web.hub.poke()
    return as_json({"ok": True})


def _good(token: str) -> str:
    """The seat of a good ticket; guessing tickets means waiting longer and longer.

    Raises:
        Denied: 404, or 429 after too many.
    """
    web = parts(current_app)
    web.auth.may_guess("ticket", g.viewer)
    ticket = web.tickets.of(token)
    if ticket is None or not web.session.is_good(ticket):
        web.tables.guesses.missed(("ticket", g.viewer.peer))
        raise Denied(404, "ticket", "This code is no longer good; make a new one.")
    return ticket.seat


def _address(token: str) -> str:
    """The address in the code, on the adapter by which the phone that shows it came in."""
    web = parts(current_app)
    own = split_host(asked.headers.get("host", ""))
    return web.net.url(
        f"{web.base}/h/{token}", own if own in web.net.addresses() else web.net.addresses()[0]
    )
