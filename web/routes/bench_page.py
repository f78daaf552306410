"""The row bench: a page on which a row is moved about while the model says how likely it falls."""

from typing import Any

from flask import Blueprint, Response, current_app, g, make_response, redirect
from flask import request as asked

from physics.errors import PhysicsError
from rig.games.interface import GAME_OVER, LOBBY
from rig.virtual import row_bench
from web.base.errors import Denied
from web.base.json import encode
from web.content import qr
from web.content.page import page
from web.live.parts import parts
from web.routes.pages import here
from web.routes.phones import read_json

pages = Blueprint("bench", __name__)

BENCH = "/api/bench"
"""What the addresses of its questions begin with; they have a thread and a process of their own."""
_MOST_SEED = 2**31
_BETWEEN = {LOBBY, GAME_OVER}
"""When rows may be tried: nobody is to ask the model about the row that is being voted on."""


@pages.get("/bench")
def bench() -> Response:
    """The page."""
    if g.viewer.device is None and not g.viewer.local:
        return make_response(redirect(here("/"), 303))
    return make_response(page("bench.html", joined=g.viewer.device is not None))


@pages.post(f"{BENCH}/chance")
def chance() -> Response:
    """The chance of `row`, in row notation, and of its joints, from at most `runs` copies."""
    given = _given()
    runs = given.get("runs")
    known = isinstance(runs, int) and not isinstance(runs, bool)
    return _answer(row_bench.judged, given, *((runs,) if known else ()))


@pages.post(f"{BENCH}/push")
def push() -> Response:
    """Some falls of `row`, drawn with `seed`."""
    given = _given()
    seed = given.get("seed")
    known = isinstance(seed, int) and 0 <= seed < _MOST_SEED
    return _answer(row_bench.pushed, given, seed if known else 0)


@pages.get(f"{BENCH}/qr.svg")
def code() -> Response:
    """The address of the bench with `?row=` on it, as a QR code."""
    web = parts(current_app)
    web.auth.spend(g.viewer, "bench")
    row = asked.args.get("row", "")
    try:
        address = f"{web.net.url(f'{web.base}/bench')}#{row_bench.tidied(row)}"
        return Response(qr.svg(address), mimetype="image/svg+xml")
    except (PhysicsError, ValueError) as error:
        raise Denied(400, "no_row", f"{error}.") from None


def _given() -> dict[str, Any]:
    web = parts(current_app)
    web.auth.spend(g.viewer, "bench")
    if web.session.view(None, "table").get("phase") not in _BETWEEN:
        raise Denied(409, "round", "The bench is closed while a round is played.")
    given = read_json()
    return given if isinstance(given, dict) else {}


def _answer(work: Any, given: dict[str, Any], *more: Any) -> Response:
    row = given.get("row")
    try:
        told = parts(current_app).tables.benchroom.do(
            work, row if isinstance(row, str) else "", *more
        )
    except PhysicsError as error:
        raise Denied(400, "no_row", f"{error}.") from None
    return Response(encode({"ok": True, **told}), mimetype="application/json")
