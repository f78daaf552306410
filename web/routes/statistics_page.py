"""Statistics of the people at the table: the page, and switching, erasing and reading them."""

from pathlib import Path

from flask import Blueprint, Response, current_app, g, make_response, redirect

from rig.history.statistics import Statistics, StatisticsTrouble
from rig.history.votes import identity
from rig.learned.table_file import table_file, trust
from rig.serialise import to_plain
from web.base.errors import Denied
from web.content.page import page
from web.live import roles
from web.live.parts import parts
from web.routes.pages import as_json, here, read_object

pages = Blueprint("statistics", __name__)

_KEPT = "domino_statistics"


@pages.get("/statistics")
def statistics() -> Response:
    """The page of a player's statistics."""
    if g.viewer.device is None and not g.viewer.local:
        return make_response(redirect(here("/"), 303))
    return make_response(page("statistics.html"))


@pages.get("/api/statistics")
def figures() -> Response:
    """The figures of players with proven names; the host and this machine see everybody's."""
    web = parts(current_app)
    web.auth.spend(g.viewer, "past")
    you = roles.player(current_app)
    names = _proven_names()
    here_now = {identity(name) for name in names.values()}
    own = names.get(you["seat"])
    kept = _kept()
    told = [
        to_plain(each)
        for each in kept.figures()
        if you["host"] or g.viewer.local or identity(each.name) in here_now
    ]
    mine = next((t["name"] for t in told if own and identity(t["name"]) == identity(own)), None)
    reply = {"on": kept.on, "players": told, "mine": mine, "you": own, "host": you["host"]}
    first = web.tables.parts[0].session
    reply["table"] = trust(table_file(first.config.physics.table, Path(first.journal.path)))
    return as_json(reply)


@pages.get("/api/badges")
def badges() -> Response:
    """The seats whose players have earned the eye against the model, for the end of a game."""
    web = parts(current_app)
    web.auth.spend(g.viewer, "past")
    earned = {identity(each.name) for each in _kept().figures() if each.badge}
    found = [seat for seat, name in _proven_names().items() if identity(name) in earned]
    return as_json({"seats": found})


@pages.post("/api/statistics")
def wish() -> Response:
    """Switch them on or off (`on`), or erase a player's (`erase`: a name, or null for all).

    Players may erase those of their proven name, the host anybody's; only the host may
    switch them.
    """
    web = parts(current_app)
    web.auth.spend(g.viewer)
    order = read_object()
    on, name = order.get("on"), order.get("erase")
    if isinstance(on, bool):
        roles.host(current_app)
        _kept().switch(on)
    elif "erase" in order and (name is None or isinstance(name, str)):
        _may_erase(name)
        _kept().erase(name)
        parts(current_app).tables.parts[0].session.notify()  # its films have become fewer
    else:
        raise Denied(400, "bad_command", 'Send {"on": true or false}, or {"erase": a name}.')
    return as_json({"ok": True})


@pages.errorhandler(StatisticsTrouble)
def trouble(error: StatisticsTrouble) -> Response:
    """Say that it could not be written to the disk."""
    reply = {"ok": False, "reason": "disk", "message": f"{error}."}
    return as_json(reply, 503)


def _may_erase(name: str | None) -> None:
    own = _proven_names().get(roles.player(current_app)["seat"])
    if name is None or own is None or identity(own) != identity(name):
        roles.host(current_app)


def _proven_names() -> dict[str, str]:
    """The names of players by seat, if a game started here with them under the same name.

    The name alone proves nothing: anybody may take that of somebody who is not here. That a game
    starts is seen by all.
    """
    web = parts(current_app)
    began = web.past.games.played_as()
    seats = web.session.view(None, "table")["seats"]
    named = {seat["seat"]: seat["name"] for seat in seats}
    return {s: n for s, n in named.items() if identity(n) == identity(began.get(s, ""))}


def _kept() -> Statistics:
    """The statistics of all tables of the process, whose journals are in one folder."""
    tables = parts(current_app).tables
    first = tables.apps[0].extensions
    if _KEPT not in first:
        folder = Path(tables.parts[0].session.journal.path).parent
        first[_KEPT] = Statistics(
            folder,
            lambda: [each.past.games for each in tables.parts],
            lambda: tables.parts[0].session.now_ms() / 1000,
        )
    kept: Statistics = first[_KEPT]
    return kept
