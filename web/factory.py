"""The factory: puts the pages of one table together."""

import time
from collections.abc import Callable, Iterable

from flask import Flask

from web.access.auth import Auth
from web.access.tickets import Tickets
from web.base.rate_limits import Limits
from web.base.session_port import SessionPort, Setup
from web.content.static_files import files
from web.live.hub import Hub
from web.live.parts import Parts, Tables, base_of
from web.live.past import Archive
from web.live.puzzle import PuzzleBox
from web.live.sent_views import Views
from web.live.stops import Stops
from web.routes import (
    bench_page,
    doctor,
    pages,
    phones,
    replay,
    rights,
    statistics_page,
    stop,
    table_screen,
    trust,
)
from web.routes import setup as evening
from web.routes import tables as listing


def create_app(
    session: SessionPort,
    *,
    code: str | None = None,
    host_secret: str | None = None,
    bind: str = "0.0.0.0",
    port: int = 8000,
    names: Iterable[str] = (),
    public: bool = False,
    development: bool = False,
    limits: Limits | None = None,
    monotonic_s: Callable[[], float] | None = None,
    name: str = "",
    tables: Tables | None = None,
    setup: Setup | None = None,
    changed: bool = False,
) -> Flask:
    """Put the pages of one table together.

    Args:
        session: the table itself.
        code: the join code; drawn if None.
        host_secret: what makes a browser the host's and signs the cookies: random, and the same
            after a restart; drawn if None.
        bind: the address it is served on; "0.0.0.0" is all of this machine's.
        port: the port it is served on; `Server` overrides both.
        names: further host names and addresses it answers to, say that of a forwarding router.
        public: also answer peers outside the home network.
        development: show `/dev/gallery`.
        limits: bounds on requests and streams.
        monotonic_s: a clock in seconds, for tests.
        name: what tells this table from the others of the process; the first has none.
        tables: the others, if there are any.
        setup: what is set up at this table, None where it has no devices.
        changed: it takes the place of the pages that the table has had so far.

    Returns:
        A Flask application; `web.server.Server` serves it with its streams.
    """
    limits = limits or Limits()
    clock = monotonic_s or time.monotonic
    app = Flask(__name__, static_folder=None)
    app.config["MAX_CONTENT_LENGTH"] = limits.body_bytes
    app.config["PROVIDE_AUTOMATIC_OPTIONS"] = False
    tables = tables or Tables(limits, clock, names)
    net, base = tables.net, base_of(name)
    net.bind, net.port = bind, port
    auth = Auth(
        session,
        net,
        tables.buckets,
        tables.guesses,
        limits,
        code=code or tables.new_code(),
        host_secret=host_secret,
        allow_public=public,
        name=name,
    )
    puzzle = PuzzleBox()
    views = Views(session, auth, net, base, puzzle)
    hub = Hub(session, auth, views, limits, tables.postman, clock)
    app.extensions["domino"] = Parts(
        base,
        tables,
        session,
        net,
        auth,
        views,
        hub,
        limits,
        Tickets(clock),
        Stops(session.stop),
        Archive(session.journal, lambda: session.told_v),
        puzzle,
        development,
        setup,
    )
    pages.install(app)
    files(development)  # read before anybody asks
    for module in (
        pages,
        doctor,
        phones,
        stop,
        rights,
        table_screen,
        listing,
        trust,
        replay,
        statistics_page,
        bench_page,
        evening,
    ):
        app.register_blueprint(module.pages)
    if changed:
        tables.change(name, app)
    else:
        tables.add(name, app)
    return app
