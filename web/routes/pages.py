"""The join page, and what all Flask routes share: checks, headers, errors, JSON in and out."""

import gzip
from typing import Any, cast
from urllib.parse import quote

from flask import (
    Blueprint,
    Flask,
    Response,
    current_app,
    g,
    make_response,
    redirect,
    request,
)
from werkzeug.exceptions import HTTPException

from rig.backroom import WorkEnded
from web.access.auth import COOKIE_AGE_S, AccessRequest, Viewer, is_page
from web.base.errors import Denied
from web.base.headers import SECURITY
from web.base.json import encode
from web.base.session_port import Json
from web.content import saved
from web.content.page import page
from web.live.parts import parts

pages = Blueprint("pages", __name__)

_COUNTED = ("/api/", "/events")
"""Routes that count their own requests, each kind in its bucket."""
_MESSAGES = {
    404: ("not_found", "There is nothing at this address; go back to the table's page."),
    405: ("method", "This address cannot be used in that way."),
    413: ("too_large", "That is too much at once; a command has at most 8 kB."),
}


def guard() -> None:
    """Check permission before any route runs."""
    asked = AccessRequest(
        request.method,
        request.path,
        {name.lower(): value for name, value in request.headers.items()},
        request.remote_addr or "",
    )
    auth = parts(current_app).auth
    g.viewer = auth.authorise(asked)
    if not asked.path.startswith(_COUNTED):
        auth.spend(g.viewer, "page")


def dress(response: Response) -> Response:
    """Put the security headers on every answer, forbid storing it, and compress pages."""
    for name, value in SECURITY.items():
        response.headers[name] = value
    response.headers["Cache-Control"] = "no-store"
    if response.mimetype == "text/html":
        response.vary.add("Accept-Encoding")
        if request.accept_encodings["gzip"] > 0:
            response.set_data(gzip.compress(response.get_data(), 6, mtime=0))
            response.content_encoding = "gzip"
    return response


def as_json(value: object, status: int = 200) -> Response:
    """Answer with JSON."""
    return Response(encode(value), status, mimetype="application/json")


def read_json() -> Any:
    """The JSON of the request; None if it could not be sent back as JSON.

    Half surrogate pairs, NaN and endless nesting would otherwise break a view later.
    """
    try:
        given = request.get_json(silent=True)
        encode(given)
    except (ValueError, RecursionError):
        return None
    return given


def read_object() -> Json:
    """The JSON object of the request; an empty one if it is none."""
    given = read_json()
    return given if isinstance(given, dict) else {}


def refuse(denied: Denied) -> Response:
    """Answer a refusal: a page to people, JSON to pages."""
    if is_page(request.path) or "text/html" in request.headers.get("Accept", ""):
        response = make_response(page("message.html", reason=denied.reason, message=denied.message))
    else:
        response = as_json(denied.as_reply())
    response.status_code = denied.status
    if denied.retry_after_s is not None:
        response.headers["Retry-After"] = str(max(1, round(denied.retry_after_s)))
    return response


def closing(ended: WorkEnded) -> Response:
    """Answer whoever still waits for work that has ended with the server."""
    return refuse(Denied(503, "closing", str(ended)))


def mishap(error: HTTPException) -> Response:
    """Answer Werkzeug's own refusals in the same form."""
    if error.response is not None or (error.code or 500) < 400:
        return cast(Response, error.get_response())
    status = error.code or 500
    reason, message = _MESSAGES.get(
        status,
        ("error", "Something went wrong in the referee; try again, the game is kept.")
        if status >= 500
        else ("bad_request", "The referee did not understand this request."),
    )
    return refuse(Denied(status, reason, message))


def install(app: Flask) -> None:
    """Install the checks and headers for every route."""
    app.before_request(guard)
    app.after_request(dress)
    app.register_error_handler(Denied, refuse)
    app.register_error_handler(WorkEnded, closing)
    app.register_error_handler(HTTPException, mishap)


def here(path: str) -> str:
    """An address of this table: at the root for the first table, under `/t/` for the others."""
    return parts(current_app).base + path


def seat_cookie(response: Response, viewer: Viewer) -> tuple[Response, str]:
    """Make sure that the browser has a device; returns the device too."""
    if viewer.device is not None:
        return response, viewer.device
    web = parts(current_app)
    value, device = web.auth.admit()
    response.set_cookie(
        web.auth.cookie,
        value,
        path=web.base or "/",
        max_age=COOKIE_AGE_S,
        httponly=True,
        samesite="Lax",
        secure=request.is_secure,
    )
    return response, device


@pages.get("/")
def index() -> Response:
    """Ask for the code; a browser that has joined goes straight to the game."""
    if g.viewer.device is not None and request.args.get("as") != "table":
        return cast(Response, redirect(here("/play"), 303))
    return make_response(page("join.html", table=request.args.get("as") == "table"))


@pages.get("/join")
def join_form() -> Response:
    """Take the form of the join page."""
    code = request.args.get("code", "").strip().upper()
    wanted = "?as=table" if request.args.get("as") == "table" else ""
    target = f"/j/{quote(code[:20], safe='')}" if code else "/"
    return cast(Response, redirect(here(target + wanted), 303))


@pages.get("/j/<code>")
def join(code: str) -> Response:
    """The address in the QR code: the right code makes this browser a device of the table."""
    web = parts(current_app)
    wanted = "?as=table" if request.args.get("as") == "table" else ""
    try:
        web.auth.may_guess("code", g.viewer)
        other = web.tables.by_code(code.strip().upper())
        if other is not None and other is not web:
            there = f"{other.base}/j/{other.auth.code}{wanted}"
            return cast(Response, redirect(there, 303))
        web.auth.check_code(code, g.viewer)
    except Denied as denied:
        again = page(
            "join.html",
            reason=denied.reason,
            message=denied.message,
            code=code.upper()[:5],
            table=request.args.get("as") == "table",
        )
        response = make_response(again, denied.status)
        if denied.retry_after_s is not None:
            response.headers["Retry-After"] = str(max(1, round(denied.retry_after_s)))
        return response
    target = here("/table" if wanted else "/play?from=join")
    response, _ = seat_cookie(cast(Response, redirect(target, 303)), g.viewer)
    return response


@pages.get("/favicon.ico")
def favicon() -> Response:
    """Answer browsers that ask for it by themselves; the page names its own icon."""
    return Response(status=204)


@pages.get("/events")
def events() -> Response:
    """Refuse: streams are served by `live/stream.py`, before a request reaches Flask."""
    raise Denied(
        501,
        "no_streams",
        "This server has no streams of events; serve the table by domino-rig play.",
    )


@pages.get("/dev/gallery")
def gallery() -> Response:
    """Every screen in every state, from saved snapshots; only in development."""
    _development_only()
    return make_response(page("gallery.html"))


@pages.get("/dev/snapshots.json")
def snapshots() -> Response:
    """The saved snapshots by name, as a checkout of the project has them."""
    _development_only()
    return as_json(saved.snapshots())


def _development_only() -> None:
    if not parts(current_app).development:
        raise Denied(404, *_MESSAGES[404])
