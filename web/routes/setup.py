"""The first evening: its page, what it shows, what it asks for, and the sheets to print."""

import time
from typing import Any

from flask import Blueprint, Response, current_app, g, make_response, redirect
from flask import request as asked

from web.base.errors import Denied
from web.base.session_port import Setup
from web.content.page import page
from web.content.words import SOURCE, fill, languages, speaker, words
from web.live.parts import Parts, parts
from web.routes.doctor import Facts, findings, look, may_see
from web.routes.pages import as_json, here, read_json

pages = Blueprint("setup", __name__)

_FRESH_S = 4.0
"""Seconds for which a look at the network is good."""
_NOTHING = ("not_found", "There is nothing to set up at this table.")


@pages.get("/setup")
def setup() -> Response:
    """The page, for the host and for this machine."""
    web = parts(current_app)
    if g.viewer.device is None and not g.viewer.local:
        return make_response(redirect(here("/"), 303))
    _desk(web)
    return make_response(page("setup.html"))


@pages.get("/api/setup")
def state() -> Response:
    """How every step stands; `?lang=` chooses the words of the network."""
    web = parts(current_app)
    desk = _asked(web)
    facts = _network(web)
    found = findings(facts)
    view = desk.view(found, facts.visitor or "")
    said = words(_language(), "entry")
    at = web.net.addresses()[0]
    view["network"] = {
        "url": web.net.url(f"{web.base}/j/{web.auth.code}", at),
        "qr": f"{web.base}/qr.svg?c={web.auth.code}&at={at}",
        "code": web.auth.code,
        "finds": [_find(said, name, web.net.port) for name in found if name != "through"],
        "others": [f"{a.address}:{web.net.port}" for a in facts.adapters[1:] if a.kind == "home"],
    }
    view["local"] = g.viewer.local
    return as_json(view)


@pages.post("/api/setup")
def wish() -> Response:
    """Something that the page asks for; slow things are queued."""
    desk = _asked(parts(current_app))
    asks = read_json()
    if not isinstance(asks, dict):
        raise Denied(400, "bad_command", "A wish is an object with what to do.")
    reply = desk.do(asks)
    return as_json(reply, 200 if reply["ok"] else 409)


@pages.get("/api/setup/camera.jpg")
def camera() -> Response:
    """What the camera sees, with the mat's outline drawn in."""
    return _picture(_asked(parts(current_app)).picture())


@pages.get("/api/setup/preview/<int:number>.jpg")
def preview(number: int) -> Response:
    """What one of the cameras sees."""
    return _picture(_asked(parts(current_app)).preview(number))


@pages.get("/api/setup/row.jpg")
def row() -> Response:
    """The picture behind the verdict on the test row."""
    return _picture(_asked(parts(current_app)).evidence())


@pages.get("/api/setup/<what>-<paper>.pdf")
def sheet(what: str, paper: str) -> Response:
    """A sheet to print, exact to the millimetre; `?lang=` chooses its words."""
    data = _asked(parts(current_app)).sheet(what, paper, speaker(_language(), "sheets"))
    if data is None:
        raise Denied(404, "not_found", "There is no such sheet to print.")
    response = Response(data, mimetype="application/pdf")
    name = f"domino-{what}-{paper}.pdf"
    response.headers["Content-Disposition"] = f'inline; filename="{name}"'
    return response


def _language() -> str:
    """The language that the page asks in."""
    lang = asked.args.get("lang", "")
    return lang if lang in languages() else SOURCE


def _desk(web: Parts) -> Setup:
    """Set-up at this table, if the viewer may see it.

    Raises:
        Denied: 403, or 404 if this table has no set-up.
    """
    may_see(web)
    if web.setup is None:
        raise Denied(404, *_NOTHING)
    return web.setup


def _asked(web: Parts) -> Setup:
    web.auth.spend(g.viewer)
    return _desk(web)


def _network(web: Parts) -> Facts:
    """What can be seen of the network; looked up only every few seconds."""
    kept: dict[str, Any] = current_app.extensions.setdefault("domino_setup", {"at_s": -_FRESH_S})
    visitor, now_s = web.net.visitor, time.monotonic()
    if now_s - kept["at_s"] >= _FRESH_S or kept["facts"].visitor != visitor:
        kept.update(at_s=now_s, facts=look(web.net.bind, web.net.port, visitor))
    facts: Facts = kept["facts"]
    return facts


def _find(said: dict[str, str], name: str, port: int) -> dict[str, str]:
    what = fill(said[f"doctor_find.{name}.do"], {"port": port})
    return {"name": name, "title": said[f"doctor_find.{name}"], "what": what}


def _picture(jpeg: bytes | None) -> Response:
    if jpeg is None:
        # No fault of who asks: between the news of a picture and the wish for it another camera
        # may have been chosen.
        return Response(status=204)
    return Response(jpeg, mimetype="image/jpeg")
