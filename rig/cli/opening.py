"""Opens tables: journals, sessions, the rig and the web server, and closes them again in order."""

import logging
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TypeAlias

import numpy as np

from rig.clock import Clock
from rig.config import Config
from rig.errors import RigError
from rig.games.interface import REFEREE, Data
from rig.games.registry import ESTIMATION, play_of
from rig.journal import Journal
from rig.machine.build import open_by_hand, open_rig
from rig.machine.loop import Machine
from rig.machine.ticker import Ticker
from rig.row.row_session import RowSession
from rig.session.events import OptionsChosen, TableOpened
from rig.session.seats import add_bot
from rig.session.session import Session
from rig.setup.desk import Desk
from rig.setup.lending import TableDevices, opened, without_camera
from rig.setup.store import Shelf
from rig.setup.workshop import Workshop, usual
from rig.snapshots import game_of
from rig.storage import require_safe
from web.base.rate_limits import Limits
from web.factory import create_app
from web.live.parts import Tables
from web.server.listening import listen
from web.server.mdns import Announced
from web.server.server import Server

log = logging.getLogger(__name__)

AnySession: TypeAlias = Session[Any, Any, Any]


class OtherGame(RigError):
    """A journal is of another game, or of another way of playing it, than was asked for."""


class Opened:
    """Tables that are being served, as a context.

    Attributes:
        session: the first table.
        others: the others, which have no devices.
        server: serves them all to phones.
        machine: the devices of the first table; None in a game that is played without.
        evening: the workshop behind `/setup`; None for a table without it.
        trouble: why the camera of the settings cannot be used; "" if it can.
    """

    def __init__(
        self,
        session: AnySession,
        machine: Machine | None,
        others: Sequence[AnySession],
        server: Server,
        ticker: Ticker,
        name: Announced | None = None,
        evening: Workshop | None = None,
        trouble: str = "",
    ) -> None:
        self.evening = evening
        self.session = session
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
    game: str = "",
    options: Mapping[str, object] | None = None,
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
        game: what is played, "" for whatever the journal is of; a new one is of Estimation Domino.
        options: how it is played, beside what the settings say of Estimation Domino.

    Raises:
        RigError: a journal or an option of the rules cannot be used.
        OtherGame: a journal is of another game than `game`, or has other options than `options`.
        WebError: the port cannot be opened.
    """
    # What can be wrong is looked at before anything is written.
    play_of().rules.new(config.rules)
    for n in range(1, more + 2):
        require_safe(journal_of(journal, n))
        _require_game(journal_of(journal, n), game)
    listen(bind, config.network.port).close()
    tables = Tables(limits or Limits())
    ticker = Ticker(clock)
    sessions: list[AnySession] = []
    server: Server | None = None
    lending: TableDevices | None = None
    evening: Workshop | None = None
    try:
        for n in range(1, more + 2):
            session = _session(journal_of(journal, n), clock, config, game, options or {})
            sessions.append(session)
            row = session if isinstance(session, RowSession) else None
            if n == 1 and shelf is not None and session.damage is None and row is not None:
                lending = TableDevices(row, partial(_machine, row, clock, seeds), config)
                evening = Workshop(shelf, lending, clock, usual(clock), config)
            if session.damage is None:
                _name(session, tables, config.table.bots if n == 1 else 0, options or {})
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
        trouble, machine = None, None
        if not isinstance(first, RowSession):
            ticker.add(first)
        elif first.damage is not None:
            machine = open_by_hand(first)  # nothing is played on, so nothing has to move or see
        elif lending is None or evening is None:
            machine = open_rig(first, config, clock, seeds)
        else:
            machine, trouble = opened(config, lending.open)
            if trouble is not None:
                evening.tell(without_camera(trouble))
        for session in others:
            if isinstance(session, RowSession):
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
    if first.damage is None and machine is not None:
        machine.start()
    if evening is not None:
        evening.start()
    return Opened(first, machine, others, server, ticker, name, evening, str(trouble or ""))


def _require_game(journal: Path, game: str) -> None:
    """Look whether a journal that is there is of the game that is asked for.

    Raises:
        OtherGame: it is of another one.
    """
    if not game or not journal.exists():
        return
    kept = Journal(journal)
    try:
        is_of = (game_of(kept) or ESTIMATION) if kept.version else game
    finally:
        kept.close()
    if is_of != game:
        raise OtherGame(
            f"{journal}: is a table of {is_of}, not of {game}; name another file with --journal, "
            "or begin a new table with --new"
        )


def _session(
    path: Path, clock: Clock, config: Config, game: str, options: Mapping[str, object]
) -> AnySession:
    """Open a journal as a table of its game; only a game with devices has those of the settings."""
    journal = Journal(path)
    play = play_of(game_of(journal) or ("" if journal.version else game))
    usual = config.rules if play.name == ESTIMATION else {}
    config = replace(config, rules={**usual, **options})
    kind = Session if play.physical is None else RowSession
    session: AnySession = kind(journal, clock, config, secrets.token_hex, play)
    if options and session.table.code:
        _require_options(session, path)
    return session


def _require_options(session: AnySession, path: Path) -> None:
    """Look whether a table that goes on is played as the settings say.

    Raises:
        OtherGame: it is not.
    """
    rules, game = session.play.rules, session.game
    wanted, now = rules.options(rules.new(session.config.rules)), rules.options(game)
    if other := [name for name in {**wanted, **now} if wanted.get(name) != now.get(name)]:
        session.close()
        raise OtherGame(
            f"{path}: is played with {other[0]}={now.get(other[0])}, not {wanted.get(other[0])}; "
            "the host changes options in the lobby, or begin a new table with --new"
        )


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


def _name(session: AnySession, tables: Tables, bots: int, options: Mapping[str, object]) -> None:
    """Give a new table its code, secret, options and bots; an old one a code of its own."""
    new = not session.table.code
    if new or tables.by_code(session.table.code):
        secret = session.table.host_secret or secrets.token_urlsafe(9)
        opening: list[Data] = [TableOpened(tables.new_code(), secret)]
        if new and options:
            opening.append(OptionsChosen(session.play.rules.options(session.game)))
        session.commit(opening, REFEREE)
    for _ in range(bots if new else 0):
        session.commit(add_bot(session.table, session.play.rules), REFEREE)
