"""What follows while tiles are placed: start, place, move, correct, call."""

from rig.games.estimation import commands as cmd
from rig.games.estimation import events as ev
from rig.games.estimation.ballots import locked_when_complete
from rig.games.estimation.evolve import evolve
from rig.games.estimation.game import Game, Placement
from rig.games.estimation.terms import Side


def start(game: Game, actor: str, command: cmd.Start) -> tuple[ev.Event, ...]:
    """Seat the players and deal the first round."""
    seats, first = command.seats, command.first
    if first is None:
        assert command.draw is not None
        first = seats[command.draw % len(seats)]
    return ev.GameStarted(seats, game.options, command.id), ev.RoundDealt(1, first, seats)


def place(game: Game, actor: str, command: cmd.Place) -> tuple[ev.Event, ...]:
    """Stand a tile of the supply at an end or between two neighbours."""
    return (ev.TilePlaced(actor, command.value, command.position, command.at_s),)


def move(game: Game, actor: str, command: cmd.Move) -> tuple[ev.Event, ...]:
    """Take a middle tile to an end: the turn when the supply is empty."""
    value = game.row[command.index]
    return (ev.TileMoved(actor, value, command.index, command.end, command.at_s),)


def take_back(game: Game, actor: str, command: cmd.TakeBack) -> tuple[ev.Event, ...]:
    """Undo an illegal placement (ruling A22); a call made on it is void."""
    assert game.placement is not None
    row, supply = _before(game, game.placement)
    return (ev.PlacementTakenBack(actor, row, supply),)


def fix_row(game: Game, actor: str, command: cmd.FixRow) -> tuple[ev.Event, ...]:
    """Ask to correct the recorded order (ruling A21)."""
    return (ev.RowFixProposed(actor, command.order),)


def consent_row(game: Game, actor: str, command: cmd.ConsentRow) -> tuple[ev.Event, ...]:
    """Agree to the correction."""
    assert game.row_fix is not None
    return (ev.RowFixed(actor, game.row_fix.order),)


def decline_row(game: Game, actor: str, command: cmd.DeclineRow) -> tuple[ev.Event, ...]:
    """Leave the recorded order as it is."""
    return (ev.RowFixDeclined(actor),)


def lone_tile_fell(game: Game, actor: str, command: cmd.LoneTileFell) -> tuple[ev.Event, ...]:
    """Stand the only tile up again (ruling A16): no row, no accident."""
    return (ev.LoneTileStoodUp(actor),)


def call(game: Game, actor: str, command: cmd.Call) -> tuple[ev.Event, ...]:
    """Open an estimation."""
    assert game.placer is not None
    forced = {game.placer: Side.SUCCESS}
    if game.options.caller == "failure_only":
        forced[actor] = Side.FAILURE
    salts = {seat: command.salts[seat] for seat in game.playing if seat in command.salts}
    called = ev.DominoCalled(actor, forced, command.at_s, salts)
    return (called, *locked_when_complete(evolve(game, called)))


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
