"""Opens tables: journals, sessions, the rig and the web server, and closes them again in order.

The host may go on with another game: the table is then laid anew on the same journal.
"""

import logging
import secrets
import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TypeAlias

import numpy as np

from rig.backroom import Backroom
from rig.cli.speech import GAME, game_name
from rig.clock import Clock
from rig.config import Config
from rig.errors import KeyedError, RigError
from rig.films.film_folder import FilmFolder, films_of
from rig.films.film_script import Films
from rig.films.studio import NICE, Studio, can_film
from rig.games.estimation.story.film_reader import FilmReader
from rig.games.estimation.story.push_export import PushMemory
from rig.games.interface import REFEREE, Data
from rig.games.phrase import Phrase
from rig.games.registry import ESTIMATION, play_of
from rig.history.statistics import erased_in
from rig.journal import Journal
from rig.machine.build import open_by_hand, open_rig
from rig.machine.loop import Machine
from rig.machine.ticker import Ticker
from rig.players.bot_runner import BotSeats
from rig.private import has_cipher
from rig.row.row_session import RowSession
from rig.session.events import EveningBegan, OptionsChosen, TableOpened
from rig.session.seats import add_bot
from rig.session.session import Session
from rig.setup.desk import Desk
from rig.setup.lending import TableDevices, opened, without_camera
from rig.setup.store import Shelf
from rig.setup.workshop import Workshop, usual
from rig.snapshots import game_of
from rig.storage import require_safe
from vision.errors import VisionError
from web.base.rate_limits import Limits
from web.content.words import film_words
from web.factory import create_app
from web.live.parts import Tables
from web.server.listening import listen
from web.server.mdns import Announced
from web.server.server import Server

log = logging.getLogger(__name__)

AnySession: TypeAlias = Session[Any, Any, Any]

_EVENING_S = 6 * 3600.0
"""Seconds after which people who are back have another evening: longer than a pause for supper."""


class OtherGame(KeyedError):
    """A journal is of another game, or of another way of playing it, than was asked for."""


@dataclass(frozen=True, slots=True)
class Shared:
    """What all tables of a process have in common.

    Attributes:
        config: the settings they are opened with.
        clock: their time.
        seeds: the hidden chance of the virtual rig.
        tables: their pages.
        ticker: lets time pass at those without a machine.
        bind: the address they are served on.
        development: show `/dev/gallery`.
        limits: bounds on requests and streams.
        shelf: where the first one's set-up keeps its results; None for a table without `/setup`.
        game: what a new one plays, "" for Estimation Domino.
        options: how it is played, beside what the settings say of Estimation Domino.
        games: what the host can choose in the lobby; nothing where it is one game alone.
        bots: makes the players of seats without a person; None where others look after those.
        learns: whether the first one learns from its pushes, where the settings say so.
        films: whether the first one has its pushes filmed, where the settings say so.
        tell: takes what is to be known of a game that has just been changed to.
    """

    config: Config
    clock: Clock
    seeds: np.random.SeedSequence
    tables: Tables
    ticker: Ticker
    bind: str
    development: bool
    limits: Limits | None
    shelf: Shelf | None
    game: str
    options: Mapping[str, object]
    games: Sequence[str]
    bots: Callable[[AnySession], BotSeats] | None
    learns: bool
    films: bool
    tell: Callable[[Phrase], None]


class OpenTable:
    """One table that is being served: its journal, and all that goes with the game played there.

    When the host chooses another game, session, devices, bots and pages are made anew on the same
    journal, for the same people.

    Args:
        number: which table of the process, from 1; only the first has devices.
        path: its journal's file.
        shared: what it has in common with the others.

    Attributes:
        session: the table itself.
        evening: the workshop behind `/setup`; None for a table without it.
        trouble: why the camera of the settings cannot be used; None if it can.
    """

    def __init__(self, number: int, path: Path, shared: Shared) -> None:
        self._number, self._shared = number, shared
        self._config = shared.config
        self._journal = Journal(path)
        self._lock = threading.Lock()
        self._is_closed = False
        self.evening: Workshop | None = None
        self.trouble: RigError | VisionError | None = None
        self._bots: BotSeats | None = None
        self._studio: Studio | None = None
        try:
            self.session = self._new_session(shared.options)
            self._refuse_other_options(path)
        except BaseException:
            self._journal.close()
            raise

    @property
    def machine(self) -> Machine | None:
        """Its devices; None in a game that is played without."""
        machine: Machine | None = self.session.machine
        return machine

    def lay(self, changed: bool = False) -> None:
        """Make the pages, the devices and the bots of the game; nothing runs yet.

        Args:
            changed: whether the table has had another game's until now.
        """
        session, shared, tables = self.session, self._shared, self._shared.tables
        row = session if isinstance(session, RowSession) else None
        lending: TableDevices | None = None
        if row and self._number == 1 and shared.shelf is not None and session.damage is None:
            open_devices = partial(_machine, row, shared)
            lending = TableDevices(row, open_devices, self._config)
            kinds = usual(shared.clock)
            self.evening = Workshop(shared.shelf, lending, shared.clock, kinds, self._config)
        if session.damage is None:
            self._prepare(changed)
        if row is not None:
            self._open_devices(row, lending)
        if shared.games and session.damage is None:
            session.games, session.on_change = shared.games, self._change_soon
        create_app(
            session,
            code=session.table.code or tables.new_code(),
            host_secret=session.table.host_secret or secrets.token_urlsafe(9),
            bind=shared.bind,
            port=tables.net.port if changed else shared.config.network.port,
            public=shared.config.network.public,
            development=shared.development,
            limits=shared.limits,
            name=str(self._number) if self._number > 1 else "",
            tables=tables,
            setup=None if self.evening is None else Desk(self.evening),
            changed=changed,
        )
        if row is None or self._number > 1:
            shared.ticker.add(session)
        if shared.bots is not None and session.damage is None:
            self._bots = shared.bots(session)
        if shared.films and row is not None and self._number == 1 and session.damage is None:
            self._studio = _studio(row, self._config)

    def start(self) -> None:
        """Let devices, set-up and bots begin."""
        if self.machine is not None and self._number == 1 and self.session.damage is None:
            self.machine.start()
        if self.evening is not None:
            self.evening.start()
        if self._bots is not None:
            self._bots.start()
        if self._studio is not None:
            self._studio.start()

    def halt(self) -> None:
        """Stop what may be moving; waits for nothing else and never raises."""
        for mover in (self.machine, self.evening):
            try:
                if mover is not None:
                    mover.halt()
            except Exception:
                log.exception("the pusher could not be stopped; press its red button")

    def close(self) -> None:
        """End it; waits for a game that is being changed."""
        with self._lock:
            self._is_closed = True
            self._clear()
            self._journal.close()

    def _clear(self) -> None:
        """End all that goes with the game; the journal stays open."""
        if self._bots is not None:
            self._bots.close()
        if self._studio is not None:
            self._studio.close()
        if self.evening is not None:
            self.evening.close()
        self._shared.ticker.leave(self.session)
        if self.machine is not None:
            self.machine.close()
        self._bots = self.evening = self._studio = None

    def _change_soon(self) -> None:
        threading.Thread(target=self._change, name="another-game", daemon=True).start()

    def _change(self) -> None:
        """Go on with the game that the journal names now."""
        with self._lock:
            if self._is_closed:
                return
            self._clear()
            if isinstance(self.session, RowSession):
                self._config = self.session.config  # set-up may have changed its devices
            try:
                self.session = self._new_session({})
                self.lay(changed=True)
                self.start()
                for note in about_keys((self.session,)):
                    self._shared.tell(note)
            except Exception:
                log.exception(
                    "the other game could not be opened; stop this program and start it again"
                )

    def _new_session(self, options: Mapping[str, object]) -> AnySession:
        """The table of the journal's game; only a game with devices has those of the settings."""
        journal, shared = self._journal, self._shared
        play = play_of(game_of(journal) or ("" if journal.version else shared.game))
        own = shared.config.rules if play.name == ESTIMATION else {}
        config = replace(self._config, rules={**own, **options})
        kind = Session if play.physical is None else RowSession
        session: AnySession = kind(journal, shared.clock, config, secrets.token_hex, play)
        return session

    def _refuse_other_options(self, path: Path) -> None:
        """Look whether a table that goes on is played as the settings say.

        Raises:
            OtherGame: it is not.
        """
        rules, game = self.session.play.rules, self.session.game
        if not self._shared.options or not self.session.table.code:
            return
        wanted, now = rules.options(rules.new(self.session.config.rules)), rules.options(game)
        if other := [name for name in {**wanted, **now} if wanted.get(name) != now.get(name)]:
            name = other[0]
            raise OtherGame(
                f"{path} is played with {name}={now.get(name)}, not {wanted.get(name)}; let the "
                "host change options in the lobby, or begin a new table with --new",
                "game.options",
                file=path,
                now=f"{name}={now.get(name)}",
                wanted=f"{name}={wanted.get(name)}",
            )

    def _prepare(self, changed: bool) -> None:
        """Give a new table its code, secret, options and bots; an old one a code of its own."""
        session, shared = self.session, self._shared
        rules, table = session.play.rules, session.table
        new, events = not table.code, list[Data]()
        if new or (not changed and shared.tables.by_code(table.code)):
            secret = table.host_secret or secrets.token_urlsafe(9)
            events.append(TableOpened(shared.tables.new_code(), secret))
        options = session.config.rules if changed else shared.options
        if options and (new or changed):
            events.append(OptionsChosen(rules.options(rules.new(session.config.rules))))
        if self._is_another_evening():
            events.append(EveningBegan())
        if events:
            session.commit(events, REFEREE)
        for _ in range(shared.config.table.bots if new and self._number == 1 else 0):
            session.commit(add_bot(session.table, rules), REFEREE)

    def _is_another_evening(self) -> bool:
        """Whether so much time has gone by that games are counted anew."""
        session, table = self.session, self.session.table
        counted = any(player.played for player in table.players)
        if not counted or not (table.in_lobby or table.is_over):
            return False
        last = next(self._journal.events(self._journal.version - 1), None)
        return last is not None and session.clock.now_s() - last.at > _EVENING_S

    def _open_devices(self, row: RowSession, lending: TableDevices | None) -> None:
        shared = self._shared
        if self._number > 1 or row.damage is not None:
            open_by_hand(row)  # there are none, or nothing is played on
        elif lending is None or self.evening is None:
            _machine(row, shared, self._config)
        else:
            _, self.trouble = opened(self._config, lending.open)
            if self.trouble is not None:
                self.evening.tell(without_camera(self.trouble))


class Opened:
    """Tables that are being served, as a context.

    Attributes:
        server: serves them all to phones.
    """

    def __init__(
        self,
        tables: Sequence[OpenTable],
        server: Server,
        closing: ExitStack,
    ) -> None:
        self.server = server
        self._tables = tuple(tables)
        self._closing = closing

    @property
    def session(self) -> AnySession:
        """The first table, as it is played now."""
        return self._tables[0].session

    @property
    def others(self) -> tuple[AnySession, ...]:
        """The others, which have no devices."""
        return tuple(table.session for table in self._tables[1:])

    @property
    def machine(self) -> Machine | None:
        """The devices of the first table; None in a game that is played without."""
        return self._tables[0].machine

    @property
    def evening(self) -> Workshop | None:
        """The workshop behind `/setup`; None for a table without it."""
        return self._tables[0].evening

    @property
    def trouble(self) -> RigError | VisionError | None:
        """Why the camera of the settings cannot be used; None if it can."""
        return self._tables[0].trouble

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._closing.close()


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
    games: Sequence[str] = (),
    bots: Callable[[AnySession], BotSeats] | None = None,
    learns: bool = False,
    films: bool = False,
    tell: Callable[[Phrase], None] = lambda note: None,
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
        games: what the host can choose in the lobby; nothing where it is one game alone.
        bots: makes the players of seats without a person; None where others look after those.
        learns: whether the first one learns from its pushes, where the settings say so.
        films: whether the first one has its pushes filmed, where the settings say so.
        tell: takes what is to be known of a game that has just been changed to.

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
    pages = Tables(limits or Limits())
    ticker = Ticker(clock)
    shared = Shared(
        config,
        clock,
        seeds,
        pages,
        ticker,
        bind,
        development,
        limits,
        shelf,
        game,
        options or {},
        games,
        bots,
        learns,
        films,
        tell,
    )
    tables: list[OpenTable] = []
    with ExitStack() as closing:  # whatever is open when something goes wrong is closed again
        for n in range(1, more + 2):
            tables.append(OpenTable(n, journal_of(journal, n), shared))
            closing.callback(tables[-1].close)
            tables[-1].lay()
        closing.callback(ticker.close)
        server = Server(pages.apps[0], bind=bind, port=config.network.port, https=https)
        closing.callback(server.stop)
        server.start()
        if mdns:
            closing.callback(_announce(pages, server).close)
        ticker.start()
        for table in tables:
            closing.callback(table.halt)  # comes first: phones can press STOP until nothing moves
            table.start()
        return Opened(tables, server, closing.pop_all())


def about_keys(tables: Sequence[AnySession]) -> tuple[Phrase, ...]:
    """What has to be said where hands are dealt and nothing is there to keep them under a key."""
    if has_cipher() or all(session.play.physical is not None for session in tables):
        return ()
    return (Phrase("note.open_hands"),)


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
            f"{journal} is a table of {game_name(is_of)}, not of {game_name(game)}; name another "
            "file with --journal, or begin a new table with --new",
            "game.other",
            file=journal,
            now=Phrase(f"{GAME}{is_of}"),
            wanted=Phrase(f"{GAME}{game}"),
        )


def _machine(session: RowSession, shared: Shared, config: Config) -> Machine:
    pushes = PushMemory(session.journal).lines if shared.learns else None
    return open_rig(session, config, shared.clock, shared.seeds, pushes)


def _studio(session: RowSession, config: Config) -> Studio | None:
    """Who has its pushes filmed; None where the extra is missing, which the host then reads."""
    able = can_film()
    session.filmed(Films(able, tuple(film_words())))
    if not able:
        return None
    journal = session.journal
    reader = FilmReader(journal, config.film, partial(erased_in, journal.path.parent))
    folder, room = FilmFolder(films_of(journal.path)), Backroom(NICE)
    room.open()

    def wanted() -> bool:
        return session.table.film_wishes(config.film).on

    return Studio(session, reader.scripts, folder, film_words(), room, wanted)


def _announce(tables: Tables, server: Server) -> Announced:
    return Announced(tables.net.addresses, server.port, tables.net.announce)


def journal_of(journal: Path, n: int) -> Path:
    """The journal file of the n-th table, counted from 1.

    >>> journal_of(Path("table.sqlite3"), 1).name, journal_of(Path("table.sqlite3"), 2).name
    ('table.sqlite3', 'table.2.sqlite3')
    """
    return journal if n == 1 else journal.with_name(f"{journal.stem}.{n}{journal.suffix}")
