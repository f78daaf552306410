"""Opens a whole table: journal, session, rig and web server, and closes them again in order."""

import logging
import secrets
from pathlib import Path
from types import TracebackType
from typing import Self

import numpy as np

from rig.clock import Clock
from rig.config import Config
from rig.games.estimation.options import Options
from rig.games.estimation.words import REFEREE
from rig.journal import Journal
from rig.rigs import open_rig
from rig.seats import add_bot
from rig.session import Session
from rig.table import TableOpened
from web import create_app
from web.limits import Limits
from web.server import Server, listen
from web.words import new_code

log = logging.getLogger(__name__)


class Opened:
    """A table that is being served, as a context.

    Attributes:
        session: the table.
        server: where phones reach it.
    """

    def __init__(self, session: Session, server: Server) -> None:
        self.session = session
        self.server = server

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.server.stop()
        self.session.close()


def open_table(
    config: Config,
    journal: Path,
    clock: Clock,
    seeds: np.random.SeedSequence,
    *,
    bind: str = "0.0.0.0",
    development: bool = False,
    limits: Limits | None = None,
) -> Opened:
    """Open the table of a journal and begin to serve it.

    Raises:
        RigError: the journal or an option of the rules cannot be used.
        WebError: the port cannot be had.
    """
    # What can be wrong is looked at before anything is written.
    Options.parse(config.rules)
    listen(bind, config.network.port).close()
    session = Session(Journal(journal), clock, config, secrets.token_hex)
    try:
        if not session.table.code:
            session.commit([TableOpened(new_code(), secrets.token_urlsafe(9))], REFEREE)
            for _ in range(config.table.bots):
                session.commit(add_bot(session.table), REFEREE)
        machine = open_rig(session, config, clock, seeds)
        app = create_app(
            session,
            code=session.table.code,
            host_secret=session.table.host_secret,
            on_code=lambda code: _keep(session, code),
            bind=bind,
            port=config.network.port,
            public=config.network.public,
            development=development,
            limits=limits,
        )
        server = Server(app, bind=bind, port=config.network.port)
        server.start()
    except BaseException:
        session.journal.close()
        raise
    machine.start()
    return Opened(session, server)


def _keep(session: Session, code: str) -> None:
    """Remember the new code: whoever was put out must not come back by the old one."""
    session.commit([TableOpened(code, session.table.host_secret)], REFEREE)
