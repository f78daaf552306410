"""Past games: a page to look at them again, and game files to take home or bring back.

An uploaded file is read, shown and forgotten.
"""

from typing import Any

from flask import Blueprint, Response, current_app, g, make_response, redirect
from flask import request as asked

from rig.backroom import WorkEnded
from rig.history import account
from rig.history.gamefile import BadGameFile, dumped
from rig.search import looking_back
from rig.search.looking_back import NothingToSay
from web.access.auth import AccessRequest
from web.base.errors import Denied
from web.content.page import page
from web.live import roles
from web.live.parts import Parts, parts
from web.live.past import Archive
from web.routes.pages import as_json, here

pages = Blueprint("replay", __name__)

IMPORT = "/api/replay"
_MOST_PICTURES = 40


def room(web: Parts, asked: AccessRequest) -> int:
    """Most bytes of a request's body: a game file from the host is larger than a command."""
    limits = web.limits
    try:
        viewer = web.auth.authorise(asked)
    except Denied:
        return limits.body_bytes  # refused in its place, with its words
    if viewer.device is None or not web.session.you(viewer.device)["host"]:
        return limits.body_bytes
    return limits.file_bytes


@pages.get("/replay")
def replay() -> Response:
    """The page of past games."""
    if g.viewer.device is None and not g.viewer.local:
        return make_response(redirect(here("/"), 303))
    return make_response(page("replay.html"))


@pages.get("/api/games")
def past_games() -> Response:
    """The games of this table, oldest first."""
    you = _allowed(roles.player)
    games = _past().games.listed()
    return as_json({"games": games, "host": you["host"], "whole": not _past().games.changes})


@pages.get("/api/games/<int:number>")
def one_game(number: int) -> Response:
    """Every moment of a game, and the proof of it."""
    _allowed(roles.player)
    past, base = _past(), parts(current_app).base
    room = parts(current_app).tables.backroom
    answer = past.answer(
        _span(number), lambda: room.do(account.of_game, past.games.taken(number), base)
    )
    return Response(answer, mimetype="application/json")


@pages.get("/api/games/<int:number>/rounds/<int:of>")
def one_round(number: int, of: int) -> Response:
    """A round that is over in hindsight: what a strong bot would have done, and why."""
    _allowed(roles.player)
    past = _past()
    low, _ = _span(number)
    room = parts(current_app).tables.backroom
    answer = past.answer(
        (low, 0, of), lambda: room.do(looking_back.of_game, past.games.taken(number), of)
    )
    return Response(answer, mimetype="application/json")


@pages.get("/api/games/<int:number>/file")
def game_file(number: int) -> Response:
    """A game as one file; 0 is the whole table, `?names=0` leaves the names out."""
    _allowed(roles.host)
    if number:
        _span(number)
    names = asked.args.get("names") != "0"
    file = _past().games.file(number, names=names, most=_MOST_PICTURES)
    response = Response(dumped(file), mimetype="application/json")
    name = f"domino-{'table' if number == 0 else f'game-{number}'}.json"
    response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


@pages.post(IMPORT)
def brought() -> Response:
    """Every moment of an uploaded game and its proof, or `?round=N` in hindsight; not stored."""
    _allowed(roles.host)
    asked.max_content_length = parts(current_app).limits.file_bytes
    room, number = parts(current_app).tables.backroom, asked.args.get("round", type=int)
    data = asked.get_data(cache=False)
    try:
        if number is None:
            told = room.do_apart(account.of_file, data)
        else:
            told = room.do_apart(looking_back.of_file, data, number)
    except WorkEnded as error:
        raise BadGameFile("the file takes longer to read than any game does") from error
    return Response(told, mimetype="application/json")


@pages.errorhandler(NothingToSay)
def hidden(error: NothingToSay) -> Response:
    """Say that there is no such round, or that it goes on."""
    reply = {"ok": False, "reason": "not_found", "message": f"{error}.".capitalize()}
    return as_json(reply, 404)


@pages.errorhandler(BadGameFile)
def bad_file(error: BadGameFile) -> Response:
    """Say in a sentence why a file cannot be shown."""
    message = str(error)
    sentence = f"{message[:1].upper()}{message[1:]}."
    reply = {"ok": False, "reason": "bad_file", "message": sentence}
    return as_json(reply, 400)


def _allowed(role: Any) -> dict[str, Any]:
    parts(current_app).auth.spend(g.viewer, "past")
    return dict(role(current_app))


def _past() -> Archive:
    return parts(current_app).past


def _span(number: int) -> tuple[int, int]:
    span = _past().games.span(number)
    if span is None:
        raise Denied(404, "not_found", "This table has no such game.")
    return span
