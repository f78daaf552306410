"""Tables behind one kind of web server, as a process of its own that the benchmarks measure.

    python -m tests.bench.web_stacks ours|socketio [--tables N] [--journal FILE]

It prints one line of JSON with its port. Then every line it reads is answered by one: "play" stands
a row on the first table, "marks" tells at what nanosecond each version of each table came to be,
"films" has one film after the other made for that table, as `play` has, and "rest" ends that and
tells how much of the time the films' process worked. It ends with its input. With `--journal` it
prints a line for every change: its version, and the hash of the whole table after it.
"""

import tests.bench.one_core  # noqa: F401  # isort: skip
import argparse
import hashlib
import json
import logging
import os
import resource
import secrets
import sys
import tempfile
import threading
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from flask import Flask
from werkzeug.serving import make_server

from rig.backroom import Backroom
from rig.clock import SystemClock
from rig.config import Config, load_config
from rig.films.film_folder import FilmFolder
from rig.films.film_script import FilmScript
from rig.films.studio import NICE, Studio
from rig.games.estimation.commands import Place
from rig.games.estimation.table.estimation_table import EstimationTable
from rig.journal import Journal
from rig.machine.build import open_by_hand
from rig.machine.ticker import Ticker
from rig.row.row_session import RowSession
from rig.serialise import to_plain
from tests.support.film_scripts import longest
from web.base.rate_limits import Limits, Rate
from web.content.words import film_words
from web.factory import create_app
from web.live.parts import Tables
from web.server.server import Server, raise_file_limit, settle

PLENTY = Rate(1e6, 1e6)
GENEROUS = replace(Limits(), device=PLENTY, address=PLENTY, unknown=PLENTY, shout=PLENTY)
STACKS = ("ours", "socketio")
CODE, SECRET = "PINE", "the-secret-of-the-host"
TILES = 9


def settings() -> Config:
    """Return settings under which nothing waits longer than it must."""
    hurry = {"countdown_step": 0.0, "reveal": 0.0, "verdict": 5.0, "round_end": 600.0}
    return load_config(timing=hurry)


def fingerprint(table: EstimationTable) -> str:
    """Return what tells one state of a table from every other."""
    text = json.dumps(to_plain(table), sort_keys=True, default=sorted)
    return hashlib.sha256(text.encode()).hexdigest()


def stand_a_row(session: RowSession) -> int:
    """Place tiles by turns, as snapshots with a row are the long ones; return the version."""
    for value in range(1, TILES + 1):
        if value in session.game.supply:
            seat = session.game.active
            assert seat is not None
            session.commit(session.decide(seat, Place(value, len(session.game.row))), seat)
    return session.journal.version


def serve_socketio(tables: Tables) -> int:
    """Serve the application, and its snapshots by Flask-SocketIO instead of by its streams.

    Everybody gets a watcher's snapshot in one broadcast: less work than what it is compared with.
    """
    import flask_socketio

    session = tables.parts[0].session
    sockets = flask_socketio.SocketIO(
        tables.apps[0], async_mode="threading", cors_allowed_origins="*"
    )
    news = threading.Event()
    session.subscribe(news.set)

    def broadcast() -> None:
        while news.wait():
            news.clear()
            sockets.emit("view", session.view("nobody", "phone"))

    threading.Thread(target=broadcast, daemon=True).start()
    server = make_server("127.0.0.1", 0, tables.apps[0], threaded=True)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return int(server.server_port)


def serve_ours(tables: Tables) -> int:
    """Serve as `domino-rig play` does."""
    server = Server(tables.apps[0], bind="0.0.0.0", port=0)
    server.start()
    return server.port


SERVE = {"ours": serve_ours, "socketio": serve_socketio}


class Opened:
    """The tables of this process."""

    def __init__(self, folder: Path, count: int, limits: Limits, told: bool) -> None:
        self.tables = Tables(limits)
        self.marks: dict[str, dict[int, int]] = {}
        self.sessions: list[RowSession] = []
        self._told = told
        clock, config = SystemClock(), settings()
        self.ticker = Ticker(clock)
        for n in range(1, count + 1):
            name = "" if n == 1 else str(n)
            path = folder / f"table{name}.sqlite3" if folder.is_dir() else folder
            session = RowSession(Journal(path), clock, config, secrets.token_hex)
            open_by_hand(session)
            self.sessions.append(session)
            self._watch(name, session)
            self.ticker.add(session)
            code = CODE if n == 1 else self.tables.new_code()
            app: Flask = create_app(
                session,
                code=code,
                host_secret=SECRET,
                limits=limits,
                name=name,
                tables=self.tables,
            )
            assert app
        self.ticker.start()

    def _watch(self, name: str, session: RowSession) -> None:
        marks = self.marks.setdefault(name, {})
        commit = session.commit

        def commit_and_tell(*args: Any, **named: Any) -> int:
            with session.lock:
                v = commit(*args, **named)
                os.write(1, f"{v} {fingerprint(session.table)}\n".encode())
                return v

        if self._told:
            session.commit = commit_and_tell  # type: ignore[method-assign]
        session.subscribe(
            lambda: marks.setdefault(session.journal.version, time.monotonic_ns()) and None
        )


class Filming:
    """Films of the longest kind, one after the other, by the studio of `play`."""

    def __init__(self, session: RowSession) -> None:
        self._folder = tempfile.TemporaryDirectory()
        self._made = 0
        folder, room = Path(self._folder.name) / "table-films", Backroom(NICE)
        room.open()
        self._studio = Studio(session, self._scripts, FilmFolder(folder), film_words(), room)
        self._since_s, self._spent_s = time.monotonic(), children_s()
        self._studio.start()

    def _scripts(self) -> Sequence[FilmScript]:
        """Another push each time."""
        self._made += 1
        return (replace(longest(), id=f"ab12-{self._made}", round=self._made),)

    def end(self) -> float:
        """End it; tell what part of a core the process had."""
        self._studio.close()
        self._folder.cleanup()
        return (children_s() - self._spent_s) / (time.monotonic() - self._since_s)


def children_s() -> float:
    """CPU seconds of all processes that this one has started and that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def main() -> None:
    """Serve until the input ends."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("stack", choices=STACKS)
    parser.add_argument("--tables", type=int, default=1)
    parser.add_argument("--journal", type=Path)
    parser.add_argument("--strict", action="store_true", help="the limits of a real table")
    args = parser.parse_args()
    logging.getLogger("werkzeug").setLevel(logging.CRITICAL)
    raise_file_limit()
    limits = Limits() if args.strict else GENEROUS
    with tempfile.TemporaryDirectory() as folder:
        opened = Opened(args.journal or Path(folder), args.tables, limits, bool(args.journal))
        codes = [each.auth.code for each in opened.tables.parts]
        port = SERVE[args.stack](opened.tables)
        settle()
        tell({"port": port, "codes": codes})
        for line in sys.stdin:
            match line.strip():
                case "play":
                    tell({"v": stand_a_row(opened.sessions[0])})
                case "marks":
                    tell(opened.marks)
                case "films":
                    filming = Filming(opened.sessions[0])
                    tell({})
                case "rest":
                    tell({"part": filming.end()})


def tell(value: Any) -> None:
    """Answer in one line."""
    os.write(1, (json.dumps(value) + "\n").encode())


if __name__ == "__main__":
    main()
