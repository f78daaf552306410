"""How a game is played at a table: what phones may ask for, what runs out, what viewers see.

`Play` does all of it for whatever keeps to `rig.games.interface`. A game that has a camera or a
pusher overrides what is different for it, in its own folder.
"""

import dataclasses
import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, reduce
from types import MappingProxyType
from typing import Any, Generic, Protocol, TypeVar, cast, get_args

from rig.config import Config, Timers
from rig.errors import NotPossible
from rig.games import dealing
from rig.games.interface import (
    ENDED,
    HOST,
    REFEREE,
    Asked,
    Data,
    Guard,
    Rules,
    Seat,
    Spec,
    secret,
)
from rig.games.registry import play_of
from rig.journal import Record
from rig.private import RoundKey, has_cipher
from rig.serialise import NotPlain, from_plain, to_plain
from rig.session.events import (
    ALONE,
    CommandTaken,
    GameChosen,
    OptionsChosen,
    Past,
    TableEvent,
    Undone,
)
from rig.session.live import Hearing, Limit, Live, MachinePort
from rig.session.request import Ask, Present, Told
from rig.session.state import (
    TABLE_STEPS,
    Table,
    TableAtStart,
    counted,
    everybody_unready,
    fold,
    followed,
)

T = TypeVar("T", bound=Table)
L = TypeVar("L", bound=Live)
M = TypeVar("M", bound=MachinePort)
TC = TypeVar("TC", bound=Table, covariant=True)
LC = TypeVar("LC", bound=Live, covariant=True)
MC = TypeVar("MC", bound=MachinePort, covariant=True)

_TABLE_EVENTS = get_args(TableEvent)
_MOST_LEGAL = 200
"""As many legal commands as a snapshot lists: each costs some 40 bytes on its way to a phone, and
a game that has more at once is played on screens of its own."""
_SHUFFLE_EVENTS = get_args(dealing.ShuffleEvent)
_ROUND_END = "round_end"
"""The pause in which people see how a round ended."""
_SHARE_S = 8.0
"""So long phones are waited for that owe a hash or a share: one that is awake takes a second."""
_STAYS = ("code", "host_secret", "players", "host", "host_devices", "games", "timers", "pictures")
"""What a table keeps when its people go on with another game."""
_CALM = 2.0
"""With no hurry, what lies open lies open so many times as long."""


@dataclass(frozen=True, slots=True)
class Audience:
    """All about a viewer that a snapshot may depend on; nothing else of a device enters one.

    Attributes:
        role: seat, watcher, guest or table.
        seat: whose secrets it may show, None for nobody's.
        host: whether it has the host's rights.
    """

    role: str
    seat: str | None
    host: bool


@dataclass(frozen=True, slots=True)
class Shown:
    """What a table screen says of a scene that it shows.

    Attributes:
        screen: which one.
        number: of the scene.
        what: `began` or `ended`.
    """

    screen: str
    number: int
    what: str


@dataclass(frozen=True, slots=True)
class Next:
    """What the referee does next by itself.

    Attributes:
        after_s: when, from the beginning of the step.
        act: gives what follows; nothing where it cannot be done.
        actor: whose doing that is.
    """

    after_s: float
    act: Callable[[], Sequence[Data]]
    actor: str = REFEREE


class Context(Present[TC, LC, MC], Hearing, Protocol[TC, LC, MC]):
    """What code that carries out a command may use of the session."""

    @property
    def play(self) -> "Play[Any, Any, Any]":
        """The game that is played."""

    nonce: Callable[[], str]
    """Gives a fresh unguessable text."""

    def now_ms(self) -> float:
        """The table's clock."""

    def decide(self, actor: str, command: Any) -> tuple[Data, ...]:
        """Ask the rules; nothing has happened yet."""

    def after_commit(self, action: Callable[[], None]) -> None:
        """Have something done once the command at hand is safely written."""

    games: Sequence[str]
    """The games that this table can go on with, by their names; none where it plays but one."""

    @property
    def locked(self) -> str:
        """The name of the key without which the round that runs cannot go on, "" if none is."""

    def unlock(self, key: str) -> Sequence[Data]:
        """Go on with the round whose key this is."""


AnyContext = Context[Table, Live, MachinePort]
AnyPresent = Present[Table, Live, MachinePort]
Handler = Callable[[Any, Ask], Told | Sequence[Data]]
"""Carries out a command, given the `Context` of its game's table."""


@dataclass(frozen=True, slots=True)
class Command:
    """How a command is carried out, and what is checked before.

    Attributes:
        run: carries it out.
        guard: what it must name; with any but "none" it is refused while the game is paused.
        host: only for the host.
        anybody: for watchers too.
        acted: the host may give it for a seat that has no phone here.
    """

    run: Handler
    guard: Guard = Guard.TURN
    host: bool = False
    anybody: bool = False
    acted: bool = False


class Play(Generic[T, L, M]):
    """A game at a table.

    Args:
        rules: the game.
    """

    acts_for = False
    """Whether the host's page can act for a seat without a phone: not where hands are secret."""

    def __init__(self, rules: Rules[Any, Any, Any]) -> None:
        self.rules = rules
        self.kinds: Mapping[str, type] = {
            **{kind.__name__: kind for kind in (*_TABLE_EVENTS, *_SHUFFLE_EVENTS)},
            **rules.events,
        }
        """Every event that can stand in a journal, by its name there."""

    @cached_property
    def hidden(self) -> Mapping[str, frozenset[str]]:
        """The fields of every event that not everybody may know when it happens."""
        return {name: secret(kind) for name, kind in self.kinds.items()}

    @property
    def name(self) -> str:
        """The game's name."""
        return self.rules.name

    @property
    def written_as(self) -> str:
        """The name that stands in journals and files, "" where none has to."""
        return self.name

    @property
    def commands_by_class(self) -> Mapping[str, type]:
        """Every command that the rules can be asked for, by the name of its class."""
        own = (spec.make for spec in self.rules.commands.values())
        return {kind.__name__: kind for kind in (*own, *self.rules.referee)}

    @property
    def commands(self) -> Mapping[str, Command]:
        """What phones may ask for beside what every table has."""
        own = {name: _command(name, spec) for name, spec in self.rules.commands.items()}
        return {**own, **_SHUFFLE_COMMANDS}

    def decide(self, game: Any, actor: str, command: Any) -> tuple[Data, ...]:
        """Ask the rules; what the journal keeps of the command stands before what follows."""
        events = self.rules.decide(game, actor, command)
        return (*self.kept_of(actor, command), *events)

    def kept_of(self, actor: str, command: Any) -> tuple[Data, ...]:
        """What the journal keeps of a command, so that a proof can ask the rules again."""
        return (CommandTaken(actor, type(command).__name__, to_plain(command)),)

    def trick_id(self, table: T) -> str:
        """What a command that is good for a whole trick has to name."""
        return f"{table.games}.{self.rules.moment(table.game, Guard.TRICK)}"

    def table(self, options: Mapping[str, object] | None = None) -> T:
        """A table at which nothing has happened yet; raises `BadOption`."""
        return cast(T, Table(game=self.rules.new(options or {})))

    def live(self, opened_s: float = 0.0) -> L:
        """What such a table knows for the moment."""
        return cast(L, Live.opened(opened_s))

    def read(self, record: Record) -> Data:
        """Read an event of the journal.

        Raises:
            NotPlain: the record is of no known event, or has another shape.
        """
        kind = self.kinds.get(record.type)
        if kind is None:
            raise NotPlain(f"event type {record.type!r} is not known")
        data = {**record.public, **(record.secret or {})}
        return cast(Data, from_plain(kind, data, record.type))

    def written(self, event: Data, at: float, actor: str, cmd_id: str | None = None) -> Record:
        """Write an event for the journal, its secret fields apart."""
        data, kind = to_plain(event), type(event).__name__
        hidden = self.hidden[kind]
        return Record(
            at=at,
            actor=actor,
            type=kind,
            public={k: v for k, v in data.items() if k not in hidden},
            secret={k: v for k, v in data.items() if k in hidden} or None,
            cmd_id=cmd_id,
            of_round=not isinstance(event, (*ALONE, dealing.ShuffleBegun)),
        )

    def apply(self, table: T, event: Data) -> T:
        """Give the table after an event."""
        if isinstance(event, _TABLE_EVENTS):
            return self._table_event(table, cast(TableEvent, event))
        if isinstance(event, _SHUFFLE_EVENTS):
            after = dealing.evolve(table.dealing, event)
            stepped = isinstance(event, dealing.ShuffleBegun | dealing.HashesShown)
            return replace(table, dealing=after, step=table.step + stepped)
        return self._game_event(table, event)

    def _table_event(self, table: T, event: TableEvent) -> T:
        past = table.pasts[-1] if table.pasts else None
        after = fold(table, event)
        match event:
            case OptionsChosen(options):
                return replace(after, game=self.rules.new(options))
            case Undone() if past is not None and past.what not in TABLE_STEPS:
                return self.put_back(after, past)
            case _:
                return after

    def _game_event(self, table: T, event: Data) -> T:
        moment = self.rules.moment
        before, after = table.game, self.rules.evolve(table.game, event)
        if table.in_lobby and after.phase != before.phase:
            table = replace(table, games=table.games + 1, started=table.start, dealing=None)
        if after is not before and moment(before, Guard.TURN) != moment(after, Guard.TURN):
            table = replace(table, step=table.step + 1)
        was_over, table = table.is_over, replace(table, game=after)
        if was_over and table.in_lobby:
            table = everybody_unready(self.totalled(table, before))
        return replace(table, pasts=followed(table.pasts)) if table.pasts else table

    def with_opening(self, table: T, events: Sequence[Data]) -> tuple[Sequence[Data], T]:
        """Events, with what ends a round the opening of its shuffle, and the table after them.

        A round is over when the game is, when the next shuffle is owed, or when people are given
        time to see how the round ended.
        """
        after = reduce(self.apply, events, table)
        shuffle = after.dealing
        if table.dealing is None or shuffle is None:
            return events, after
        if shuffle.stage is not dealing.ShuffleStage.DEALT:
            return events, after
        due = self.rules.due(after.game)
        looked_at = due is not None and due.pause == _ROUND_END
        if not (after.in_lobby or after.is_over or looked_at or self.rules.needs(after.game)):
            return events, after
        ends = (at for at, event in enumerate(events) if type(event).__name__ == ENDED)
        at = next(ends, len(events))
        opened = (*events[:at], dealing.ShuffleOpened(shuffle.begun.round), *events[at:])
        return opened, reduce(self.apply, opened, table)

    def winners(self, game: Any) -> tuple[Seat, ...]:
        """Who has won a game that is over; nobody while it goes on."""
        won = self.rules.over(game) or {}
        return tuple(seat for seat, n in won.items() if n == max(won.values()))

    def totalled(self, table: T, game: Any) -> T:
        """A table whose people know how often they have won, a game that is over counted in."""
        return counted(table, self.rules.seats(game), self.winners(game))

    def takes_over(self, table: Table) -> T:
        """A lobby of this game at a table where another was played, with the same people."""
        kept = {name: getattr(table, name) for name in _STAYS}
        return everybody_unready(replace(self.table(), **kept, step=table.step + 1))

    def put_back(self, table: T, past: Past) -> T:
        """Undo a step of the game; such a step never comes here unless the game remembers some."""
        raise NotImplementedError(past.what)

    def opened(self, start: TableAtStart) -> T:
        """A table as it was when one of its games began, without games before."""
        return replace(
            self.table(),
            players=start.players,
            host=start.host,
            host_devices=start.host_devices,
            pasts=start.pasts,
        )

    moves_nothing: tuple[type[Any], ...] = ()
    """Events that move nothing on the table, so that the machine need not hear of them."""

    machine_words: frozenset[str] = frozenset()
    """Events whose reasons are the program's own words, so that they name nobody."""

    step: type = object
    """What the game keeps of the table before a step that can be undone."""

    put_in: Mapping[str, Any] = MappingProxyType({})
    """What stands for a field that was never shown, by its name."""

    physical: Any = None
    """What camera and pusher are for in it (`rig.row.physical.Physical`); None: it has neither."""

    story: Any = None
    """Who tells, proves and counts its games (`rig.history.story.Story`); None: the plain way."""

    def may_look_back(self, table: T) -> bool:
        """Whether what has happened up to here may be looked back at by now."""
        return True

    def looked_back(self, table: T, shot: dict[str, Any]) -> Mapping[str, Any]:
        """What the table screen showed then, given what it would show now."""
        return shot

    def figures(self, event: Data) -> Mapping[str, Any]:
        """What a sentence about an event has to say besides its words: who won how much."""
        return {}

    def pictures_in(self, record: Record) -> tuple[int, ...]:
        """The numbers of the pictures that a record speaks of."""
        return ()

    def was_sealed(self, record: Record) -> bool:
        """Whether every secret that a record shows was sealed before."""
        return True

    def begun(self, table: T) -> Mapping[str, Any]:
        """What changes in `Live` as a new step begins, beside what every table forgets then."""
        return {}

    def brings(
        self, before: T, after: T, live: L, config: Config, now_s: float
    ) -> Mapping[str, Any]:
        """What a change of the table brings with it in `Live`."""
        return {}

    def noted(self, live: L, records: Sequence[Record]) -> Mapping[str, Any]:
        """What changes in `Live` by who did what; a restart asks it of the whole game."""
        return {}

    def seen(self, live: L, now_s: float, shown: Shown | None = None) -> Mapping[str, Any]:
        """What changes in `Live` as time passes, or a table screen says what it shows."""
        return {}

    def seen_in_s(self, live: L, now_s: float) -> float | None:
        """How long until there is more to tell by itself; None if nothing waits."""
        return None

    def as_told(self, table: T, live: L) -> T:
        """The table as people may know it by now."""
        return table

    def heard(self, live: L, word: Any, now_s: float) -> Mapping[str, Any]:
        """What changes in `Live` as the machine tells what it makes of the table."""
        raise NotImplementedError(word)

    def shows(self, before: L, after: L) -> bool:
        """Whether what the machine told is anything to look at."""
        return True

    def shows_row(self, table: T) -> bool:
        """Whether there is something on the table for a camera to show."""
        return False

    def reckoned_from(self, table: T) -> Iterator[float]:
        """Every time from which something still to come is reckoned, in seconds since 1970."""
        return iter(())

    def unfinished(self, table: T) -> tuple[Data, ...]:
        """What has to be written when a table is opened again in the middle of something."""
        return ()

    def start(self, session: Context[T, L, M], first: str | None) -> Sequence[Data]:
        """Begin a game with everybody who sits there."""
        seats = tuple(p.seat for p in session.table.players)
        draw = int(session.nonce()[:8], 16)
        return session.decide(HOST, self.rules.start(seats, first, draw, session.nonce()))

    def leave(self, game: Any, actor: str, seat: str) -> Sequence[Data]:
        """Take a seat out of a game that goes on."""
        return self.decide(game, actor, self.rules.leave(seat))

    def rematch(self, session: Context[T, L, M]) -> Sequence[Data]:
        """Go back to the lobby after a game."""
        return session.decide(HOST, self.rules.rematch())

    def skip(self, session: Context[T, L, M], seat: str) -> tuple[Sequence[Data], str]:
        """Do for a seat that is away what the game has for that; also gives what it was."""
        asked = self.waited_for(session.table, seat)
        if asked is None or asked.otherwise is None:
            raise NotPossible("not_waiting", "Nobody is waiting for them now.")
        return session.decide(REFEREE, asked.otherwise), asked.kind

    def waited_for(self, table: T, seat: str) -> Asked | None:
        """What the game waits for a seat to do, None if it does not."""
        asked = self.rules.asked(table.game)
        return next((each for each in asked if each.seat == seat), None)

    def paused(self, session: Context[T, L, M]) -> None:
        """Hear that the table is about to wait, or to go on."""

    def lost_phone(self, session: Context[T, L, M], seat: str) -> None:
        """Hear that a seat is about to lose its phone."""

    def interrupted(self, session: Present[T, L, M], kind: str) -> str:
        """Why no guarded command is taken just now, "" if one is."""
        return ""

    def forgives(self, table: T, kind: str) -> bool:
        """Whether a command that comes a blink too late is absorbed in silence."""
        return False

    def may_change_devices(self, table: T) -> bool:
        """Whether a device can be left out now."""
        return True

    def limit(self, session: Present[T, L, M]) -> Limit | None:
        """What runs out in this step of the game, if anything does."""
        timers, extra_s = session.timers, session.live.extra_s
        asked = self.rules.asked(session.table.game)
        if timers.no_hurry or not asked:
            return None
        kind = asked[0].kind
        way, after_s = (
            (timers.turn, timers.turn_s) if kind == "turn" else (timers.ballot, timers.ballot_s)
        )
        if way == "off":
            return None
        hard = way == "hard" and any(each.otherwise is not None for each in asked)
        return Limit(kind, after_s + extra_s, hard)

    def due(self, session: Context[T, L, M]) -> Next | None:
        """What the referee does next by itself, if anything."""
        game, rules = session.table.game, self.rules
        if count := rules.needs(game):
            return self._shuffle(session, count)
        if due := rules.due(game):
            command = due.command
            return Next(self._pause_s(session, due.pause), lambda: session.decide(REFEREE, command))
        runs_out = self.limit(session)
        if runs_out is None or not runs_out.hard:
            return None
        return Next(runs_out.after_s, lambda: self.otherwise(game))

    def _shuffle(self, session: Context[T, L, M], count: int) -> Next:
        """The next step of a shuffle that is owed: begun, hashes shown, dealt or void."""
        shuffle = session.table.dealing
        if shuffle is None or not shuffle.is_going_on:
            return Next(0.0, lambda: (self._shuffle_begun(session, count, shuffle),))

        def step() -> Sequence[Data]:
            match event := dealing.goes_on(shuffle):
                case dealing.ShuffleMade(order):
                    return event, *session.decide(REFEREE, self.rules.deal(order))
                case dealing.ShuffleVoid():
                    void = dealing.evolve(shuffle, event)
                    return event, self._shuffle_begun(session, count, void)
                case _:
                    return (event,)

        return Next(_SHARE_S if shuffle.missing else 0.0, step)

    def _shuffle_begun(
        self, session: Context[T, L, M], count: int, before: dealing.Dealing | None
    ) -> dealing.ShuffleBegun:
        table = session.table
        seats = self.rules.seats(table.game)
        phones = {p.seat for p in table.players if p.device is not None}
        asked = [seat for seat in seats if seat in phones]
        return dealing.begin(before, count, seats, asked, lambda: _drawn(session.nonce))

    def _pause_s(self, session: Present[T, L, M], pause: str) -> float:
        timing = session.config.timing
        usual_s = {"countdown": 3 * timing.countdown_step, _ROUND_END: timing.round_end}
        return usual_s.get(pause, timing.reveal) * calm(session.timers)

    def otherwise(self, game: Any) -> Sequence[Data]:
        """What the referee does for everybody who is waited for."""
        events: list[Data] = []
        for asked in self.rules.asked(game):
            if asked.otherwise is not None and asked in self.rules.asked(game):
                more = self.rules.decide(game, REFEREE, asked.otherwise)
                events += (*self.kept_of(REFEREE, asked.otherwise), *more)
                game = reduce(self.rules.evolve, more, game)
        return events

    def view(self, session: Any, who: Audience, base: dict[str, Any]) -> dict[str, Any]:
        """The snapshot of one audience.

        Args:
            session: the moment that is looked at.
            who: who looks.
            base: what every table shows.
        """
        table = session.table
        seats = self.rules.seats(table.game) or tuple(p.seat for p in table.players)
        seat = who.seat if who.seat in self.rules.seats(table.game) else None
        legal = list(self.rules.legal(table.game, seat)) if seat else []
        may = {n: spec.make in map(type, legal) for n, spec in self.rules.commands.items()}
        names = {spec.make: n for n, spec in self.rules.commands.items()}
        shown = dict(self.rules.view(table.game, seat))
        return {
            **base,
            **shown,
            **dealing.view(None if table.in_lobby else table.dealing),
            "rules": self.name,
            "shown": list(shown),
            "legal": [{"type": names[type(c)], "fields": to_plain(c)} for c in legal[:_MOST_LEGAL]],
            "phase": table.phase.value,
            "options": self._meant(self.rules.options(table.game)),
            **(self._offered() if who.host and table.in_lobby else {}),
            "fewest": self.rules.fewest,
            "most": self.rules.most,
            "play_order": self.rules.play_order(table.game).value,
            "teams": to_plain(self.rules.teams(table.game, seats)),
            "asked": [{"seat": a.seat, "kind": a.kind} for a in self.rules.asked(table.game)],
            "over": self.rules.over(table.game),
            "trick_id": self.trick_id(table),
            "may": {**base["may"], **may},
        }

    def _meant(self, options: Mapping[str, object]) -> dict[str, object]:
        """Options without those that mean nothing in this preset."""

        def matters(name: str) -> bool:
            presets: Any = self.rules.choices.get(name, {}).get("presets")
            return not presets or options.get("preset") in presets

        return {name: value for name, value in options.items() if matters(name)}

    def _offered(self) -> Mapping[str, Any]:
        """What the host can choose from."""
        return {"presets": list(self.rules.presets), "choices": to_plain(self.rules.choices)}


def played_after(record: Record, play: Play[Any, Any, Any]) -> Play[Any, Any, Any]:
    """What is played after a record of a journal: another game where that chooses one.

    Raises:
        UnknownGame: this program does not have it.
    """
    if record.type != GameChosen.__name__ or record.public.get("game") == play.name:
        return play
    other: Play[Any, Any, Any] = play_of(str(record.public.get("game")))
    return other


def followed_by(
    play: Play[Any, Any, Any], table: Any, record: Record, event: Data | None
) -> tuple[Play[Any, Any, Any], Any]:
    """The game and the table after a record of a journal.

    Args:
        play: the game before it.
        table: the table before it.
        record: as it stands in the journal.
        event: what it tells; None where that is withheld.
    """
    other = played_after(record, play)
    if other is not play:
        return other, other.takes_over(table)
    return play, table if event is None else play.apply(table, event)


def calm(timers: Timers) -> float:
    """How many times as long things lie open: twice with no hurry."""
    return _CALM if timers.no_hurry else 1.0


def countdown_step_s(session: Present[Table, Live, MachinePort]) -> float:
    """How long each of "three, two, one" lasts."""
    return session.config.timing.countdown_step * calm(session.timers)


def under_key(key: RoundKey | None, table: Table, nonce: Callable[[], str]) -> RoundKey | None:
    """The key of a table as it stands: that of its round, or a new one while hashes are awaited.

    Nothing is written under a key that no phone has, as nobody could give it back. Phones get it
    with the question for their hash, and the first hash is the first that is written under it:
    what the table drew before says nothing of the deal without the share behind that hash. A
    round in which no phone is asked has no key.
    """
    shuffle = None if table.is_between_rounds else table.dealing
    awaited = shuffle is not None and shuffle.stage is dealing.ShuffleStage.HASHES
    begins = shuffle is not None and awaited and shuffle.begun.asked
    return RoundKey(_drawn(nonce)) if key is None and begins and has_cipher() else key


def needs_no_key(table: Table) -> bool:
    """Whether the round is over, or no phone has sent a hash, so that none may have its key."""
    shuffle = table.dealing
    if table.is_between_rounds or shuffle is None or not shuffle.begun.asked:
        return table.is_between_rounds
    unanswered = set(shuffle.begun.asked) <= set(shuffle.left_out)
    return unanswered and shuffle.stage is dealing.ShuffleStage.SHARES


def _drawn(nonce: Callable[[], str]) -> str:
    """Fresh unguessable 64 digits: a hash of two texts of which each alone has 128 bits."""
    return hashlib.sha256(f"{nonce()} {nonce()}".encode()).hexdigest()


def _hash(session: AnyContext, ask: Ask) -> Sequence[Data]:
    return (dealing.take_hash(session.table.dealing, ask.seat, ask.data),)


def _share(session: AnyContext, ask: Ask) -> Sequence[Data]:
    return (dealing.take_share(session.table.dealing, ask.seat, ask.data),)


_SHUFFLE_COMMANDS = {
    "shuffle_hash": Command(_hash, Guard.NONE),
    "shuffle_share": Command(_share, Guard.NONE),
}
"""What a phone sends by itself, without a tap, while a shuffle goes on."""


def _command(name: str, spec: Spec) -> Command:
    def run(session: Context[Table, Live, MachinePort], ask: Ask) -> Sequence[Data]:
        given = {
            f.name: ask.data[f.name] for f in dataclasses.fields(spec.make) if f.name in ask.data
        }
        if any(f.name == "at_s" for f in dataclasses.fields(spec.make)):
            given["at_s"] = session.clock.now_s()
        try:
            command = from_plain(spec.make, given, name)
        except NotPlain as error:
            raise NotPossible("bad_command", f"{error}.") from None
        return session.decide(HOST if spec.host else ask.seat, command)

    return Command(run, spec.guard, host=spec.host, acted=not spec.host)
