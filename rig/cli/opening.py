"""Opens tables: journals, sessions, the rig and the web server, and closes them again in order."""

import logging
import secrets
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Self

import numpy as np

from rig.clock import Clock
from rig.config import Config
from rig.games.interface import REFEREE
from rig.games.registry import play_of
from rig.journal import Journal
from rig.machine.build import open_by_hand, open_rig
from rig.machine.loop import Machine
from rig.machine.ticker import Ticker
from rig.row.row_session import RowSession
from rig.session.events import TableOpened
from rig.session.seats import add_bot
from rig.setup.desk import Desk
from rig.setup.lending import TableDevices, opened
from rig.setup.store import Shelf
from rig.setup.workshop import Workshop, usual
from rig.storage import require_safe
from web.base.rate_limits import Limits
from web.factory import create_app
from web.live.parts import Tables
from web.server.listening import listen
from web.server.mdns import Announced
from web.server.server import Server

log = logging.getLogger(__name__)


class Opened:
    """Tables that are being served, as a context.

    Attributes:
        session: the table with the machine.
        others: the tables without devices.
        server: serves them all to phones.
        machine: the devices of the first table.
        evening: the workshop behind `/setup`; None for a table without it.
        trouble: why the camera of the settings cannot be used; "" if it can.
    """

    def __init__(
        self,
        machine: Machine,
        others: Sequence[RowSession],
        server: Server,
        ticker: Ticker,
        name: Announced | None = None,
        evening: Workshop | None = None,
        trouble: str = "",
    ) -> None:
        self.evening = evening
        self.session = machine.session
        self.machine = machine
        self.trouble = trouble
        self.others = tuple(others)
        self.server = server
        self._ticker = ticker
        self._name = name

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._name is not None:
            self._name.close()
        self.server.stop()
        if self.evening is not None:
            self.evening.close()
        self._ticker.close()
        for session in (self.session, *self.others):
            session.close()


def open_table(
    config: Config,
    journal: Path,
    clock: Clock,
    seeds: np.random.SeedSequence,
    *,
    bind: str = "0.0.0.0",
    development: bool = False,
    limits: Limits | None = None,
    more: int = 0,
    https: Path | None = None,
    mdns: bool = False,
    shelf: Shelf | None = None,
) -> Opened:
    """Open the table of a journal and begin to serve it.

    Args:
        config: its settings.
        journal: its file; those of further tables lie beside it.
        clock: the time of all tables.
        seeds: the hidden chance of the virtual rig.
        bind: the address it is served on.
        development: show `/dev/gallery`.
        limits: bounds on requests and streams.
        more: how many further tables to open without devices; only the first has the machine.
        https: the folder of this machine's own authority, to serve HTTPS too.
        mdns: also announce a `.local` name.
        shelf: where the first evening stores its results; None for a table without `/setup`.

    Raises:
        RigError: a journal or an option of the rules cannot be used.
        WebError: the port cannot be opened.
    """
    # What can be wrong is looked at before anything is written.
    play_of().rules.new(config.rules)
    for n in range(1, more + 2):
        require_safe(journal_of(journal, n))
    listen(bind, config.network.port).close()
    tables = Tables(limits or Limits())
    ticker = Ticker(clock)
    sessions: list[RowSession] = []
    server: Server | None = None
    lending: TableDevices | None = None
    evening: Workshop | None = None
    try:
        for n in range(1, more + 2):
            session = RowSession(Journal(journal_of(journal, n)), clock, config, secrets.token_hex)
            sessions.append(session)
            if n == 1 and shelf is not None and session.damage is None:
                lending = TableDevices(session, partial(_machine, session, clock, seeds), config)
                evening = Workshop(shelf, lending, clock, usual(clock), config)
            if session.damage is None:
                _name(session, tables, config.table.bots if n == 1 else 0)
            create_app(
                session,
                code=session.table.code or tables.new_code(),
                host_secret=session.table.host_secret or secrets.token_urlsafe(9),
                bind=bind,
                port=config.network.port,
                public=config.network.public,
                development=development,
                limits=limits,
                name=str(n) if n > 1 else "",
                tables=tables,
                setup=Desk(evening) if n == 1 and evening is not None else None,
            )
        first, *others = sessions
        trouble = ""
        if first.damage is not None:
            machine = open_by_hand(first)  # nothing is played on, so nothing has to move or see
        elif lending is None or evening is None:
            machine = open_rig(first, config, clock, seeds)
        else:
            machine, trouble = opened(config, lending.open)
            if trouble:
                evening.tell("refused.table", trouble)
        for session in others:
            open_by_hand(session)
            ticker.add(session)
        server = Server(tables.apps[0], bind=bind, port=config.network.port, https=https)
        server.start()
        name = _announce(tables, server) if mdns else None
    except BaseException:
        if server is not None:
            server.stop()
        for session in sessions:
            session.close()  # and with it what has been opened of the devices
        raise
    ticker.start()
    if first.damage is None:
        machine.start()
    if evening is not None:
        evening.start()
    return Opened(machine, others, server, ticker, name, evening, trouble)


def _machine(
    session: RowSession, clock: Clock, seeds: np.random.SeedSequence, config: Config
) -> Machine:
    return open_rig(session, config, clock, seeds)


def _announce(tables: Tables, server: Server) -> Announced:
    announced = Announced(tables.net.addresses(), server.port)
    tables.net.announce(announced.name)
    return announced


def journal_of(journal: Path, n: int) -> Path:
    """The journal file of the n-th table, counted from 1.

    >>> journal_of(Path("table.sqlite3"), 1).name, journal_of(Path("table.sqlite3"), 2).name
    ('table.sqlite3', 'table.2.sqlite3')
    """
    return journal if n == 1 else journal.with_name(f"{journal.stem}.{n}{journal.suffix}")


def _name(session: RowSession, tables: Tables, bots: int) -> None:
    """Give a new table its code, its secret and its bots; an old one a code of its own."""
    new = not session.table.code
    if new or tables.by_code(session.table.code):
        secret = session.table.host_secret or secrets.token_urlsafe(9)
        session.commit([TableOpened(tables.new_code(), secret)], REFEREE)
    for _ in range(bots if new else 0):
        session.commit(add_bot(session.table, session.play.rules), REFEREE)
