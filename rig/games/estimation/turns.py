"""Deciding what happens while tiles are placed: start, place, move, correct, call."""

from rig.games.estimation import commands as cmd
from rig.games.estimation import events as ev
from rig.games.estimation.ballots import locked_when_complete
from rig.games.estimation.evolve import evolve
from rig.games.estimation.game import Game, Placement
from rig.games.estimation.terms import (
    CAMERA,
    FEWEST_PLAYERS,
    HOST,
    MOST_PLAYERS,
    REFEREE,
    Phase,
    PlacementFault,
    Reason,
    Refused,
    Side,
)


def start(game: Game, actor: str, command: cmd.Start) -> tuple[ev.Event, ...]:
    """Seat the players and deal the first round."""
    seats = command.seats
    if not FEWEST_PLAYERS <= len(seats) <= MOST_PLAYERS:
        raise Refused(Reason.PLAYER_COUNT)
    if len({*seats, HOST, REFEREE, CAMERA, ""}) != len(seats) + 4:
        raise Refused(Reason.SEAT_NAMES)
    first = command.first
    if first is None:
        if command.draw is None:
            raise Refused(Reason.NO_FIRST)
        first = seats[command.draw % len(seats)]
    elif game.options.first_player == "random":
        raise Refused(Reason.FIRST_BY_CHANCE)
    elif first not in seats:
        raise Refused(Reason.NO_FIRST)
    return ev.GameStarted(seats, game.options, command.id), ev.RoundDealt(1, first, seats)


def place(game: Game, actor: str, command: cmd.Place) -> tuple[ev.Event, ...]:
    """Stand a tile of the supply at an end or between two neighbours."""
    if actor != game.active:
        raise Refused(Reason.NOT_YOUR_TURN)
    if not game.supply:
        raise Refused(Reason.SUPPLY_EMPTY)
    if command.value not in game.supply:
        raise Refused(Reason.NO_SUCH_TILE)
    if not 0 <= command.position <= len(game.row):
        raise Refused(Reason.NO_SUCH_POSITION)
    _let_others_call(game, command.at_s)
    return (ev.TilePlaced(actor, command.value, command.position, command.at_s),)


def move(game: Game, actor: str, command: cmd.Move) -> tuple[ev.Event, ...]:
    """Take a middle tile to an end: the turn when the supply is empty."""
    if actor != game.active:
        raise Refused(Reason.NOT_YOUR_TURN)
    if game.supply:
        raise Refused(Reason.SUPPLY_LEFT)
    if not 0 <= command.index < len(game.row):
        raise Refused(Reason.NO_SUCH_POSITION)
    if command.index in (0, len(game.row) - 1):
        raise Refused(Reason.END_TILE)
    _let_others_call(game, command.at_s)
    value = game.row[command.index]
    return (ev.TileMoved(actor, value, command.index, command.end, command.at_s),)


def take_back(game: Game, actor: str, command: cmd.TakeBack) -> tuple[ev.Event, ...]:
    """Undo an illegal placement (ruling A22); a call made on it is void."""
    if game.options.illegal == "stands":
        raise Refused(Reason.ROW_STANDS)
    if game.placement is None:
        raise Refused(Reason.NOTHING_TO_TAKE_BACK)
    if actor != game.placer:
        raise Refused(Reason.NOT_PLACER)
    if command.fault is PlacementFault.GAP and game.options.max_gap == "free":
        raise Refused(Reason.GAP_IS_FREE)
    row, supply = _before(game, game.placement)
    return (ev.PlacementTakenBack(actor, row, supply),)


def fix_row(game: Game, actor: str, command: cmd.FixRow) -> tuple[ev.Event, ...]:
    """Ask to correct the recorded order (ruling A21): the placer's to ask.

    Where the placer has left before the push, the toppler's.
    """
    if actor != (game.placer or game.toppler):
        raise Refused(Reason.NOT_PLACER)
    if sorted(command.order) != sorted(game.row):
        raise Refused(Reason.BAD_ORDER)
    return (ev.RowFixProposed(actor, command.order),)


def consent_row(game: Game, actor: str, command: cmd.ConsentRow) -> tuple[ev.Event, ...]:
    """Agree to the correction: any player but the one who asks."""
    if game.row_fix is None:
        raise Refused(Reason.NO_ROW_FIX)
    if actor == game.row_fix.seat:
        raise Refused(Reason.NOT_FOR_YOU)
    return (ev.RowFixed(actor, game.row_fix.order),)


def decline_row(game: Game, actor: str, command: cmd.DeclineRow) -> tuple[ev.Event, ...]:
    """Leave the recorded order as it is."""
    if game.row_fix is None:
        raise Refused(Reason.NO_ROW_FIX)
    return (ev.RowFixDeclined(actor),)


def lone_tile_fell(game: Game, actor: str, command: cmd.LoneTileFell) -> tuple[ev.Event, ...]:
    """Stand the only tile up again (ruling A16): no row, no accident."""
    if len(game.row) > 1:
        raise Refused(Reason.NOT_LONE)
    return (ev.LoneTileStoodUp(actor),)


def call(game: Game, actor: str, command: cmd.Call) -> tuple[ev.Event, ...]:
    """Open an estimation; a call that comes after the first is absorbed (ruling A6)."""
    if actor == game.placer:
        raise Refused(Reason.PLACER)
    if game.phase is not Phase.TURN:
        return ()
    if game.placer is None:
        raise Refused(Reason.NO_PLACER)
    if game.estimated:
        raise Refused(Reason.ESTIMATED)
    forced = {game.placer: Side.SUCCESS}
    if game.options.caller == "failure_only":
        forced[actor] = Side.FAILURE
    salts = {seat: command.salts[seat] for seat in game.playing if seat in command.salts}
    called = ev.DominoCalled(actor, forced, command.at_s, salts)
    return (called, *locked_when_complete(evolve(game, called)))


def _let_others_call(game: Game, at_s: float) -> None:
    """Refuse a placement while the window for calls is open (ruling A5)."""
    if game.placed_at_s is not None and 0 <= at_s - game.placed_at_s < game.options.call_window:
        raise Refused(Reason.CALL_WINDOW)


def _before(game: Game, placement: Placement) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Row and supply without the last placement, wherever a correction has put its tile."""
    at = placement.position
    if game.row[at] != placement.value:
        at = game.row.index(placement.value)
    row = game.row[:at] + game.row[at + 1 :]
    if placement.came_from is not None:
        back = placement.came_from
        return (*row[:back], placement.value, *row[back:]), game.supply
    supply = sorted((*game.supply, placement.value), key=game.options.tile_values.index)
    return row, tuple(supply)
