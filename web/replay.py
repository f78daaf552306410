"""Past games: a page to look at them again, and files of them for whoever wants to take one home.

Nothing of a file that somebody brings is kept: it is read, shown and forgotten.
"""

from collections.abc import Sequence
from typing import Any

from flask import Blueprint, Response, current_app, g, make_response, redirect
from flask import request as asked

from rig.gamefile import BadGameFile, GameFile, dumped, games, loaded, made
from rig.journal import Record
from rig.replay import listed, moments
from rig.verify import verified
from web import roles
from web.auth import Asked
from web.entry import page
from web.errors import Denied
from web.pages import here
from web.parts import Parts, parts
from web.view import encode

pages = Blueprint("replay", __name__)

IMPORT = "/api/replay"
_MOST_PICTURES = 40


def room(web: Parts, asked: Asked) -> int:
    """How many bytes a request may bring: a game file from the host is larger than a command."""
    limits = web.limits
    if asked.method != "POST" or asked.path != IMPORT:
        return limits.body_bytes
    try:
        viewer = web.auth.authorise(asked)
    except Denied:
        return limits.body_bytes  # refused in its place, with its words
    if viewer.device is None or not web.session.view(viewer.device, "phone")["you"]["host"]:
        return limits.body_bytes
    return limits.file_bytes


@pages.get("/replay")
def replay() -> Response:
    """The page on which past games are looked at again."""
    if g.viewer.device is None and not g.viewer.local:
        return make_response(redirect(here("/"), 303))
    return make_response(page("replay.html"))


@pages.get("/api/games")
def past_games() -> Response:
    """The games of this table, oldest first."""
    you = _allowed(roles.player)
    return _json({"games": listed(_records()), "host": you["host"]})


@pages.get("/api/games/<int:number>")
def one_game(number: int) -> Response:
    """Every moment of a game, and the proof of it."""
    _allowed(roles.player)
    records = _records()
    web = parts(current_app)
    return _told(made(records, _span(records, number), picture=web.session.picture), web.base)


@pages.get("/api/games/<int:number>/file")
def game_file(number: int) -> Response:
    """A game as one file; 0 is the whole table, `?names=0` leaves the names out."""
    _allowed(roles.host)
    records = _records()
    span = _span(records, number) if number else None
    names = asked.args.get("names") != "0"
    picture = parts(current_app).session.picture
    file = made(records, span, names=names, picture=picture, most=_MOST_PICTURES)
    response = Response(dumped(file), mimetype="application/json")
    name = f"domino-{'table' if number == 0 else f'game-{number}'}.json"
    response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


@pages.post(IMPORT)
def brought() -> Response:
    """Every moment of a game that somebody brings, and the proof of it; nothing is kept."""
    _allowed(roles.host)
    asked.max_content_length = parts(current_app).limits.file_bytes
    return _told(loaded(asked.get_data(cache=False)), "")


@pages.errorhandler(BadGameFile)
def bad_file(error: BadGameFile) -> Response:
    """Say in a sentence why a file cannot be shown."""
    message = str(error)
    sentence = f"{message[:1].upper()}{message[1:]}."
    reply = {"ok": False, "reason": "bad_file", "message": sentence}
    return Response(encode(reply), 400, mimetype="application/json")


def _allowed(role: Any) -> dict[str, Any]:
    parts(current_app).auth.spend(g.viewer)
    return dict(role(current_app))


def _records() -> list[Record]:
    return list(parts(current_app).session.journal.events())


def _span(records: Sequence[Record], number: int) -> tuple[int, int]:
    played = games(records)
    if not 1 <= number <= len(played):
        raise Denied(404, "not_found", "This table has no such game.")
    return played[number - 1]


def _told(file: GameFile, base: str) -> Response:
    """The moments of a file; `base` is where its pictures lie."""
    told = moments(file)
    proof = verified(file)
    for moment in told:
        for name in ("push", "verdict"):
            shown = moment["changes"].get(name)
            for when in ("picture", "before"):
                if shown and shown.get(when):
                    shown[when] = base + shown[when]
    return _json(
        {
            "moments": told,
            "names": file.names,
            "proof": {
                "good": proof.good,
                "over": proof.over,
                "events": len(file.events),
                "ballots": proof.ballots,
                "unsealed": proof.unsealed,
                "rounds": proof.rounds,
                "chips": proof.chips,
                "fingerprint": proof.fingerprint,
                "older": proof.older,
                "findings": [
                    {"v": f.v, "kind": f.kind, "of": dict(f.of)} for f in proof.findings[:20]
                ],
            },
        }
    )


def _json(value: Any) -> Response:
    return Response(encode(value), mimetype="application/json")
