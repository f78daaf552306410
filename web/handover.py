"""A seat goes to another phone: a QR code that is good once, for a minute or two."""

import secrets
import threading
from collections.abc import Callable
from typing import cast

from flask import Blueprint, Response, current_app, g, make_response, redirect
from flask import request as asked

from web import qr
from web.address import split_host
from web.entry import page
from web.errors import Denied
from web.pages import here, seat_cookie
from web.parts import parts
from web.phones import read_json
from web.ports import Json
from web.view import encode

pages = Blueprint("handover", __name__)

LIFE_S = 120.0
"""Long enough to find the other phone and scan; a new one is drawn at every press."""


class Tickets:
    """The rights to seats that wait to be scanned: one for each seat, each good once.

    Forgotten when the process ends: then a new code is drawn.
    """

    def __init__(self, monotonic_s: Callable[[], float]) -> None:
        self._monotonic_s = monotonic_s
        self._lock = threading.Lock()
        self._seats: dict[str, tuple[str, float]] = {}

    def draw(self, seat: str) -> str:
        """Give a new ticket of 128 bits for a seat; one drawn before is good no longer."""
        token = secrets.token_urlsafe(16)
        until_s = self._monotonic_s() + LIFE_S
        with self._lock:
            self._seats = {t: kept for t, kept in self._seats.items() if kept[0] != seat}
            self._seats[token] = (seat, until_s)
        return token

    def seat_of(self, token: str) -> str | None:
        """The seat that a ticket is for, while it is good."""
        with self._lock:
            seat, until_s = self._seats.get(token, ("", 0.0))
        return seat if seat and self._monotonic_s() < until_s else None

    def take(self, token: str, hand_over: Callable[[str], Json]) -> Json | None:
        """Hand over the seat of a ticket; once that is done the ticket is torn up.

        Returns:
            What `hand_over` answered, or None where the ticket is good for nothing.
        """
        with (
            self._lock
        ):  # gone while it is handed over, which may wait for the disk: it is good once
            seat, until_s = kept = self._seats.pop(token, ("", 0.0))
        if not seat or self._monotonic_s() >= until_s:
            return None
        reply: Json = {"ok": False}
        try:
            reply = hand_over(seat)
        finally:
            if not reply["ok"]:
                with self._lock:
                    self._seats.setdefault(token, kept)
        return reply


@pages.post("/api/handover")
def draw() -> Response:
    """Draw the code for one's own seat, or as the host for anybody's."""
    web = parts(current_app)
    device = g.viewer.at_table()
    web.auth.spend(g.viewer)
    given = read_json()
    view = web.session.view(device, "phone")
    seat = given.get("seat") if isinstance(given, dict) else None
    seat = seat or view["you"]["seat"]
    taken = {each["seat"] for each in view["seats"] if not each["bot"]}
    if not isinstance(seat, str) or seat not in taken:
        raise Denied(409, "no_seat", "Nobody sits there.")
    if seat != view["you"]["seat"] and not view["you"]["host"]:
        raise Denied(403, "not_allowed", "Only the host can do this.")
    token = web.tickets.draw(seat)
    told = {
        "ok": True,
        "seat": seat,
        "url": _address(token),
        "qr": f"handover.svg?t={token}",
        "life_ms": round(LIFE_S * 1000),
    }
    return Response(encode(told), mimetype="application/json")


@pages.get("/handover.svg")
def picture() -> Response:
    """The code as a picture, for the phone that drew it."""
    token = asked.args.get("t", "")
    if parts(current_app).tickets.seat_of(token) is None:
        raise Denied(404, "ticket", "This code is no longer good; draw a new one.")
    return Response(qr.svg(_address(token)), mimetype="image/svg+xml")


@pages.get("/h/<token>")
def offer(token: str) -> Response:
    """Where the code leads: asks whether to sit here; looking at it uses nothing up."""
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
    """Sit down on this phone; the phone before is out with that."""
    web = parts(current_app)
    device = g.viewer.device
    if device is None:
        raise Denied(401, "join", "This browser keeps no cookies, so the seat would be lost.")
    web.auth.spend(g.viewer)
    given = read_json()
    token = given.get("token") if isinstance(given, dict) else None
    if not isinstance(token, str):
        raise Denied(400, "bad_command", 'Send the ticket as {"token": "..."}.')
    _good(token)
    reply = web.tickets.take(token, lambda seat: web.session.hand_over(seat, device))
    if reply is None:
        raise Denied(404, "ticket", "This code is no longer good; draw a new one.")
    if not reply["ok"]:
        raise Denied(409, reply["reason"], reply["message"])
    web.hub.poke()
    return Response(encode({"ok": True}), mimetype="application/json")


def _good(token: str) -> str:
    """The seat of a ticket that is good; whoever tries made-up ones has to wait longer and longer.

    Raises:
        Denied: 404, or 429 after too many.
    """
    web = parts(current_app)
    web.auth.may_guess("ticket", g.viewer)
    seat = web.tickets.seat_of(token)
    if seat is None:
        web.tables.guesses.missed(("ticket", g.viewer.peer))
        raise Denied(404, "ticket", "This code is no longer good; draw a new one.")
    return seat


def _address(token: str) -> str:
    """The address in the code, by the adapter that the phone showing it came in by."""
    web = parts(current_app)
    own = split_host(asked.headers.get("host", ""))
    return web.net.url(
        f"{web.base}/h/{token}", own if own in web.net.addresses() else web.net.addresses()[0]
    )
