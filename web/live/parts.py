"""The parts of one table's web side, as routes find them, and the tables of one process.

The first table has the plain addresses, `/play` and `/j/CODE`; every other one lies under
`/t/NAME/` with its own code, cookies, host's secret and streams. A code finds its table from
`/j/CODE` too, so that nobody has to know the name.
"""

import re
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import cast

from flask import Flask

from rig.backroom import Backroom
from web.access.address import Net
from web.access.auth import Auth
from web.access.certificates import Certificates
from web.access.tickets import Tickets
from web.base.codes import new_code
from web.base.errors import WebError
from web.base.rate_limits import Buckets, Guesses, Limits
from web.base.session_port import SessionPort, Setup
from web.live.hub import Hub
from web.live.past import Archive
from web.live.postman import Postman
from web.live.puzzle import PuzzleBox
from web.live.sent_views import Views
from web.live.stops import Stops


@dataclass(frozen=True, slots=True)
class Parts:
    """What `create_app` put together.

    Attributes:
        base: prefix of the table's addresses: empty for the first table, otherwise `/t/NAME`.
        tables: this one and the others of the process.
        puzzle: a row that somebody has given to the table.
        setup: set-up at this table; None if it has no devices.
    """

    base: str
    tables: "Tables"
    session: SessionPort
    net: Net
    auth: Auth
    views: Views
    hub: Hub
    limits: Limits
    tickets: Tickets
    stops: Stops
    past: Archive
    puzzle: PuzzleBox
    development: bool
    setup: Setup | None = None


def parts(app: Flask) -> Parts:
    """The parts behind an application."""
    return cast(Parts, app.extensions["domino"])


_SENT_S = 180.0
"""Seconds for a photo or a game file that somebody has sent. The largest photo takes a few on a
slow computer, the file of a whole evening a minute or two."""

_NAME = re.compile(r"[a-z0-9]{1,16}")

_UNDER = re.compile(r"/t/([a-z0-9]{1,16})(?=/|$)")


class Tables:
    """All tables that one server serves.

    Attributes:
        net: the addresses where they are reached.
        buckets: how much each phone asks for, at all of them together.
        guesses: wrong codes and secrets, at all of them together.
        postman: makes the views of all of them.
        backroom: looks back at past games for all of them.
        benchroom: answers for the row bench, so that a row that is dragged waits for no past game.
        certificates: those of the HTTPS side; None without HTTPS.
        https_port: the port of the HTTPS side.
    """

    def __init__(
        self,
        limits: Limits,
        monotonic_s: Callable[[], float] = time.monotonic,
        names: Iterable[str] = (),
    ) -> None:
        self.net = Net(monotonic_s, names)
        self.buckets = Buckets(monotonic_s)
        self.guesses = Guesses(limits.free_guesses, limits.longest_wait_s, monotonic_s)
        self.postman = Postman()
        self.backroom = Backroom(most_s=_SENT_S)
        self.benchroom = Backroom()
        self.certificates: Certificates | None = None
        self.https_port: int | None = None
        self._apps: dict[str, Flask] = {}

    def add(self, name: str, app: Flask) -> None:
        """Add a table.

        Raises:
            WebError: the name cannot be part of an address, or another table has it.
        """
        if name in self._apps or (name and not _NAME.fullmatch(name)):
            raise WebError(
                f"{name!r} cannot be a table's name: take 1 to 16 small letters and digits that no "
                "other table has."
            )
        self._apps[name] = app

    def change(self, name: str, app: Flask) -> None:
        """Put other pages in the place of a table's; its streams close, and come back there."""
        before = parts(self._apps[name])
        parts(app).stops.make_ready()
        self._apps[name] = app
        before.hub.stop(None)
        before.stops.close()

    @property
    def apps(self) -> tuple[Flask, ...]:
        """Every table's application, in the order they were added."""
        return tuple(self._apps.values())

    @property
    def parts(self) -> tuple[Parts, ...]:
        """Every table's parts."""
        return tuple(parts(app) for app in self._apps.values())

    def at(self, path: str) -> tuple[Flask | None, str, str]:
        """Find the table of an address: its application, its prefix, and the path within it."""
        found = _UNDER.match(path)
        if found is None or not found[1]:
            return self._apps.get(""), "", path
        return self._apps.get(found[1]), found[0], path[found.end() :] or "/"

    def by_code(self, code: str) -> Parts | None:
        """The table that has this code now."""
        return next((each for each in self.parts if each.auth.code == code), None)

    def new_code(self, old: str = "") -> str:
        """Draw a code that no table has."""
        return new_code({old, *(each.auth.code for each in self.parts)})


def base_of(name: str) -> str:
    """The prefix of a table's addresses."""
    return f"/t/{name}" if name else ""
