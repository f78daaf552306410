"""The row bench: a page where a row is moved about and the model says how likely it is to fall."""

from pathlib import Path
from typing import Any

from flask import Blueprint, Response, current_app, g, make_response, redirect
from flask import request as asked

from physics.errors import PhysicsError
from physics.predict.predict import RUNS
from physics.rows import notation
from rig.learned.table_file import table_file
from rig.virtual import row_bench
from web.base.errors import Denied
from web.content import qr
from web.content.page import page
from web.live import roles
from web.live.parts import Parts, parts
from web.live.puzzle import BETWEEN, Guess, Puzzle
from web.routes.pages import as_json, here, read_object, refuse

pages = Blueprint("bench", __name__)

BENCH = "/api/bench"
"""What the addresses of its questions begin with; they have a thread and a process of their own."""
_MOST_SEED = 2**31


@pages.get("/bench")
def bench() -> Response:
    """The page."""
    if g.viewer.device is None and not g.viewer.local:
        return make_response(redirect(here("/"), 303))
    spec = parts(current_app).session.config.tiles
    return make_response(
        page("bench.html", joined=g.viewer.device is not None, tiles=notation.of_tile(spec))
    )


@pages.post(f"{BENCH}/chance")
def chance() -> Response:
    """The chance of `row`, in row notation, and of its joints, from at most `runs` copies."""
    given = _given()
    runs = given.get("runs")
    known = isinstance(runs, int) and not isinstance(runs, bool)
    return _answer(row_bench.judged, given, runs=runs if known else RUNS)


@pages.post(f"{BENCH}/push")
def push() -> Response:
    """Some falls of `row`, drawn with `seed`."""
    given = _given()
    seed = given.get("seed")
    known = isinstance(seed, int) and 0 <= seed < _MOST_SEED
    return _answer(row_bench.pushed, given, seed=seed if known else 0)


@pages.get(f"{BENCH}/qr.svg")
def code() -> Response:
    """The address of the bench with `?row=` on it, as a QR code."""
    web = parts(current_app)
    web.auth.spend(g.viewer, "bench")
    address = f"{web.net.url(f'{web.base}/bench')}#{row_bench.tidied(asked.args.get('row', ''))}"
    try:
        return Response(qr.svg(address), mimetype="image/svg+xml")
    except ValueError as error:  # more than a code holds
        raise Denied(400, "no_row", f"{error}.") from None


@pages.get(f"{BENCH}/puzzle")
def puzzle() -> Response:
    """The row that was given to the table, with one's own guess; null where there is none."""
    web = parts(current_app)
    web.auth.spend(g.viewer, "bench")
    return _shown(web)


@pages.post(f"{BENCH}/puzzle")
def give() -> Response:
    """Give `row` to the table, or take the present one back with null."""
    given, web = _given(), parts(current_app)
    row = given.get("row")
    if row is None:
        _require_owner(web)
        web.puzzle.take_back()
    else:
        device, seat = _seated()
        web.puzzle.give(row_bench.checked(row if isinstance(row, str) else ""), device, seat)
    web.session.notify()
    return _shown(web)


@pages.post(f"{BENCH}/guess")
def guess() -> Response:
    """Guess whether it `falls`; when all others than its giver have, the model speaks."""
    given, web = _given(), parts(current_app)
    device, seat = _seated()
    falls = given.get("falls")
    if not isinstance(falls, bool):
        raise Denied(400, "bad_command", 'Send {"falls": true or false}.')
    web.puzzle.guess(device, Guess(seat, falls))
    now = _now(web)
    if now is not None:
        seats = web.session.view(None, "table")["seats"]
        if _guessing(web, now, seats) <= {one.seat for one in now.guesses.values()}:
            _tell(web, now)
    web.session.notify()
    return _shown(web)


@pages.post(f"{BENCH}/open")
def tell() -> Response:
    """Let the model speak before all have guessed; for who gave the row, and for the host."""
    _given()
    web = parts(current_app)
    _tell(web, _require_owner(web))
    web.session.notify()
    return _shown(web)


@pages.errorhandler(PhysicsError)
def no_row(error: PhysicsError) -> Response:
    """Say why nothing can fall there."""
    return refuse(Denied(400, "no_row", f"{error}."))


def _tell(web: Parts, now: Puzzle) -> None:
    web.puzzle.tell(now, web.tables.benchroom.do(row_bench.judged, now.row, table=_table(web)))


def _now(web: Parts) -> Puzzle | None:
    """The puzzle, without the guesses of who has left."""
    return web.puzzle.sift(lambda device: web.session.you(device)["seat"])


def _guessing(web: Parts, now: Puzzle, seats: list[dict[str, Any]]) -> set[str]:
    """The seats of those who guess: all people but the giver."""
    people = {each["seat"] for each in seats if not each["bot"]}
    return people - {web.session.you(now.giver)["seat"]}


def _seated() -> tuple[str, str]:
    """The device that asks, and its seat."""
    you = roles.you(current_app)
    if you["seat"] is None:
        raise Denied(403, "not_allowed", "Only those who sit at the table can guess; take a seat.")
    return g.viewer.at_table(), str(you["seat"])


def _require_owner(web: Parts) -> Puzzle:
    """Let in who gave the row, and the host, who need not sit at the table."""
    now = _now(web)
    if now is None:
        raise Denied(409, "no_puzzle", "There is no row to guess at.")
    if now.giver != g.viewer.device:
        roles.host(current_app)
    return now


def _shown(web: Parts) -> Response:
    now = _now(web)
    told: dict[str, Any] = {"ok": True, "you": roles.you(current_app), "puzzle": None}
    if now is not None:
        seats = web.session.view(None, "table")["seats"]
        told |= {
            "puzzle": now.shown(g.viewer.device),
            "names": {each["seat"]: each["name"] for each in seats},
            "of": len(_guessing(web, now, seats)),
        }
    return as_json(told)


def _given() -> dict[str, Any]:
    web = parts(current_app)
    web.auth.spend(g.viewer, "bench")
    if not _is_open(web):
        raise Denied(
            409,
            "round",
            "The bench is shut while a game is played here "
            "or while another table plays with a row.",
        )
    return read_object()


def _is_open(web: Parts) -> bool:
    """Whether no round is played here, nor one at another table that has a row to ask about."""
    own, *others = (each.session.view(None, "table") for each in (web, *web.tables.parts))
    return own.get("phase") in BETWEEN and all(
        view.get("phase") in BETWEEN for view in others if "row" in view
    )


def _answer(work: Any, given: dict[str, Any], **more: Any) -> Response:
    row, web = given.get("row"), parts(current_app)
    if web.puzzle.now is not None and web.puzzle.now.told is None:
        raise Denied(409, "puzzle", "The model is silent until everybody has guessed.")
    line = row if isinstance(row, str) else ""
    told = web.tables.benchroom.do(work, line, table=_table(web), **more)
    return as_json({"ok": True, **told})


def _table(web: Parts) -> str | None:
    """The file of what the table's pushes have shown, which need not be there yet."""
    session = web.session
    file = table_file(session.config.physics.table, Path(session.journal.path))
    return None if file is None else str(file)
