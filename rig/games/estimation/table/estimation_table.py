"""The table of Estimation Domino: beside the game and its row, calls that wait. Pure."""

import hashlib
from dataclasses import dataclass, field, replace
from typing import Protocol, TypeAlias

from rig.games.estimation.game import Game
from rig.games.estimation.table.awards import JudgedPush
from rig.games.estimation.terms import HOST, Phase
from rig.row import row_table
from rig.row.row_live import RowHearing, RowLive, RowMachine
from rig.row.row_table import RowTable
from rig.session.playing import Context
from rig.session.request import Present


@dataclass(frozen=True, slots=True)
class PhotoFinishSet:
    """The table hears calls for so many seconds before one counts; 0 = the first that arrives."""

    window_s: float


@dataclass(frozen=True, slots=True)
class Shouted:
    """A call was heard and waits for those that may have been pressed before it.

    Attributes:
        seat: who called.
        at_s: when it arrived, in seconds since 1970.
        pressed_s: when the phone says that it was pressed, never outside the moment it waits.
        step: the step of the table it belongs to.
    """

    seat: str
    at_s: float
    pressed_s: float
    step: int


@dataclass(frozen=True, slots=True)
class ShoutsForgotten:
    """None of the calls that were heard could count any more."""


FinishEvent = PhotoFinishSet | Shouted | ShoutsForgotten


@dataclass(frozen=True, slots=True)
class EstimationTable(RowTable):
    """A table of Estimation Domino.

    Attributes:
        shouts: calls that wait to be told apart.
        photo_finish_s: how long calls are heard, None where the settings say it.
        skips: turns that were skipped one after the other.
        judged: the pushes of this game that were settled, one for each round of its history.
    """

    game: Game = field(default_factory=Game)
    shouts: tuple[Shouted, ...] = ()
    photo_finish_s: float | None = None
    skips: int = 0
    judged: tuple[JudgedPush, ...] = ()


def fold_finish(table: EstimationTable, event: FinishEvent) -> EstimationTable:
    """Give the table after a word about calls."""
    match event:
        case PhotoFinishSet(window_s):
            return replace(table, photo_finish_s=window_s)
        case Shouted():
            return replace(table, shouts=(*table.shouts, event))
        case ShoutsForgotten():
            return replace(table, shouts=())


def cleared(table: EstimationTable) -> EstimationTable:
    """Forget the row, its push and the calls about it: a new round has its own."""
    return replace(row_table.cleared(table), shouts=())


def game_key(table: EstimationTable) -> str:
    """A name of the game that says nothing of who plays, and is the same in every export."""
    return hashlib.sha256(f"{table.game.id} {table.games}".encode()).hexdigest()[:10]


def by_hand(table: EstimationTable) -> bool:
    """Whether real tiles stand there and no camera sees them: people show where they do."""
    return table.world is None and not table.devices.sees


def asks_people(table: EstimationTable) -> bool:
    """Whether somebody has to stand the tile of the seat whose turn it is: a bot has no hands."""
    people = any(not each.bot for each in table.players)
    return table.world is None and people and is_of_bot(table)


def is_of_bot(table: EstimationTable) -> bool:
    """Whether it is a bot's turn."""
    player = table.player(table.game.active) if table.game.active else None
    return player is not None and player.bot


def waits_for_word(table: EstimationTable) -> bool:
    """Whether the tile that a bot has asked for stands only once a person says so."""
    return asks_people(table) and by_hand(table)


def hand_at_an_arm(table: EstimationTable) -> str:
    """Whose hand starts a real arm: the toppler's; for a bot the next person's, clockwise.

    Where nobody but bots plays, it is the host's.
    """
    toppler, seats = table.game.toppler, table.game.seats
    bots = {each.seat for each in table.players if each.bot}
    if toppler is None or toppler not in bots:
        return toppler or HOST
    at = seats.index(toppler)
    people = (s for s in seats[at:] + seats[:at] if s in table.game.chips and s not in bots)
    return next(people, HOST)


def could_be_empty(table: EstimationTable) -> bool:
    """Whether all tiles may be off the table: between rounds, and before a row's first tile."""
    phase = table.game.phase
    return phase in (Phase.LOBBY, Phase.ROUND_END, Phase.GAME_OVER) or (
        phase is Phase.TURN and not table.row
    )


RowPresent: TypeAlias = Present[EstimationTable, RowLive, RowMachine]


def pushing_hand(session: RowPresent) -> str | None:
    """Whose phone has the button of this push: a bot has no hand that may start a real arm."""
    table, machine = session.table, session.machine
    real = table.devices.pushes and (machine is None or machine.pretend is None)
    return hand_at_an_arm(table) if real else table.game.toppler


def cast_itself(session: RowPresent, seat: str) -> bool:
    """Whether a seat's ballot is its own phone's, which nobody else may change."""
    game = session.table.game
    return seat in game.ballots and seat not in game.forced | session.live.given


class RowContext(Context[EstimationTable, RowLive, RowMachine], RowHearing, Protocol):
    """What whoever carries out a command of this game has of the session."""
