"""The commands by which tiles come into the row: stand one, confirm what the camera read."""

import math
from collections.abc import Sequence
from dataclasses import replace

from physics.row.outcome import SURE
from physics.row.pose import Pose
from physics.row.tile import Orientation, Tile, TileSpec
from rig.errors import NotPossible
from rig.games.estimation import commands as cmd
from rig.games.estimation.game import Game
from rig.games.estimation.table.estimation_table import (
    RowContext,
    asks_people,
    by_hand,
    could_be_empty,
    is_of_bot,
)
from rig.games.estimation.terms import End, Phase, Reason, Refused
from rig.games.interface import Data
from rig.row import manual_row
from rig.row.push_events import FELL, STOOD, FallPhotographed, Seen
from rig.row.row_table import RowRead
from rig.row.written_row import standing
from rig.session.request import Ask, Told, machine_of

MOST_SHOWN = 40
"""A photo shows no more tiles than this: there are eleven, and some things are taken for tiles."""
LEAST_SIGMA_MM = 0.01
"""No photo measures better than this, mm; a tile whose sigma is 0 was shown by a finger."""


def stand(session: RowContext, ask: Ask) -> Sequence[Data]:
    """Stand a tile on the virtual table; the referee only knows of it what the camera sees.

    At a table of real tiles only a bot gives this command: it asks people to stand the tile.
    """
    machine, game = machine_of(session), session.table.game
    drags = session.table.devices.drags(machine)
    if not drags and not is_of_bot(session.table):
        raise NotPossible("not_virtual", "Stand the tile on the table with your hand.")
    _require_turn(game, ask)
    value = ask.whole("value")
    if value not in game.choosable:
        raise Refused(Reason.NO_SUCH_TILE if game.supply else Reason.END_TILE)
    if not session.table.row:
        raise NotPossible("looking", "One moment: the camera is looking at the row.")
    orientation = ask.one_of("orientation", Orientation)
    pose = Pose(ask.number("x_mm"), ask.number("y_mm"), math.radians(ask.number("heading_deg")))
    if drags:
        return machine.stand(value, pose.x_mm, pose.y_mm, pose.heading_rad, orientation)
    tile = Tile(value, pose, orientation, spec=session.config.tiles)
    wanted = manual_row.entered(session.play.physical.duty(session.table), tile)
    if wanted.state != "proposal":
        raise Refused(Reason.NO_SUCH_POSITION)
    session.after_commit(lambda: session.asked_for(wanted))
    return ()


def _require_turn(game: Game, ask: Ask) -> None:
    """Look whether it is the turn of whoever asks.

    Raises:
        Refused: it is not.
    """
    if game.phase is not Phase.TURN:
        raise Refused(Reason.WRONG_PHASE)
    if game.active != ask.seat:
        raise Refused(Reason.NOT_YOUR_TURN)


def photographed(session: RowContext, ask: Ask) -> Sequence[Data]:
    """Take a photo's word for where the row and the placer's new tile stand."""
    machine, game = machine_of(session), session.table.game
    if not by_hand(session.table):
        raise NotPossible("photo_unwanted", "The camera over the table reads the row.")
    _require_turn(game, ask)
    told = ask.data.get("tiles")
    if not isinstance(told, list) or len(told) > MOST_SHOWN:
        raise NotPossible("bad_command", f"tiles has to be a list of at most {MOST_SHOWN} tiles.")
    machine.read_by_photo([_shown(ask, each, session.config.tiles) for each in told])
    return ()


def _shown(ask: Ask, told: object, spec: TileSpec) -> Tile:
    """A tile of a photo, from the words of a command."""
    if not isinstance(told, dict):
        raise NotPossible("bad_command", "every one of tiles has to be an object.")
    one = replace(ask, data=told)
    return Tile(
        None if told.get("value") is None else one.whole("value"),
        Pose(one.number("x_mm"), one.number("y_mm"), math.radians(one.number("heading_deg"))),
        one.one_of("orientation", Orientation),
        sigma_mm=max(LEAST_SIGMA_MM, one.number("sigma_mm")),
        sigma_rad=math.radians(max(0.0, one.number("sigma_deg"))),
        spec=spec,
    )


def fall_photographed(session: RowContext, ask: Ask) -> Told:
    """Keep what a photo shows of the pushed row, for people to judge by.

    A picture comes only from the server's own reading of a photo, as bytes: no phone's command has
    any.
    """
    table, told, jpeg = session.table, ask.data, ask.data.get("picture")
    if not isinstance(jpeg, bytes):
        raise NotPossible("bad_command", "A photo is sent as a file.")
    due = table.game.phase is Phase.TOPPLE and by_hand(table) and table.paused_by is None
    if not due or sorted(told["row"]) != sorted(table.game.row):
        raise NotPossible("photo_unwanted", "No photo is wanted now.")
    number, sure = table.pictures + 1, told["confidence"] >= SURE
    outcome = (STOOD if told["up"] else FELL) if sure else ""
    seen = Seen(
        outcome,
        fallen=tuple(told["down"]),
        up=tuple(told["up"]),
        sure=False,
        picture=number,
        confidence=round(told["confidence"], 3),
    )
    return Told((FallPhotographed(seen),), {}, pictures={number: jpeg})


def take_back(session: RowContext, ask: Ask) -> Sequence[Data]:
    """Take back the tile just stood on the virtual table."""
    game, tile = session.table.game, session.live.reading.tile
    if game.phase is Phase.TURN and game.active == ask.seat and tile is not None:
        return machine_of(session).take_back(tile.value or 0)
    raise Refused(Reason.NOTHING_TO_TAKE_BACK)


def confirm(session: RowContext, ask: Ask) -> Sequence[Data]:
    """The placer says that the row is as it was read."""
    reading = session.live.reading
    if reading.state != "proposal" or reading.tile is None or reading.position is None:
        raise NotPossible("no_proposal", "The camera has not read your tile yet.")
    return _placed(session, ask.seat, reading.tile.value or 0, reading.position)


def stood(session: RowContext, ask: Ask) -> Told:
    """A person says that the tile of a bot stands, as it was asked for or as it was read."""
    if not asks_people(session.table):
        raise NotPossible("not_asked", "Nobody has asked for a tile to be stood.")
    if ask.player is None or ask.player.bot:
        raise NotPossible("no_seat", "Take a seat first: watchers only watch.")
    return Told(as_read(session), {}, f"{ask.seat} for {session.table.game.active}")


def correct(session: RowContext, ask: Ask) -> Sequence[Data]:
    """The placer puts right which tile it is, or where it stands."""
    if session.live.reading.tile is None:
        raise NotPossible("no_proposal", "The camera has not seen your tile yet.")
    return _placed(session, ask.seat, ask.whole("value"), ask.whole("position"))


def as_read(session: RowContext) -> Sequence[Data]:
    """The placement of the active seat as the camera has read it; nothing where it has not."""
    reading, seat = session.live.reading, session.table.game.active
    if reading.state != "proposal" or reading.tile is None or reading.position is None:
        return ()
    try:
        return _placed(session, seat or "", reading.tile.value or 0, reading.position)
    except Refused:
        return ()


def _placed(session: RowContext, seat: str, value: int, position: int) -> Sequence[Data]:
    game, reading = session.table.game, session.live.reading
    at_s = session.clock.now_s()
    command: cmd.Place | cmd.Move
    if game.supply:
        command = cmd.Place(value, position, at_s)
    else:
        if value not in game.row:
            raise Refused(Reason.NO_SUCH_TILE)
        end = End.LEFT if position == 0 else End.RIGHT
        command = cmd.Move(game.row.index(value), end, at_s)
    events = session.decide(seat, command)
    row = [(tile, value if tile is reading.tile else tile.value or 0) for tile in reading.row]
    if reading.position is not None and position != reading.position:
        row.insert(position, row.pop(reading.position))
    tiles = tuple(standing(tile, name) for tile, name in row)
    session.after_commit(machine_of(session).confirmed)
    return (*events, RowRead(tiles, value))


def lone_tile_fell(session: RowContext, ask: Ask) -> Sequence[Data]:
    """Somebody stands the only tile up again."""
    events = session.decide(ask.seat, cmd.LoneTileFell())
    return (*events, *machine_of(session).stand_up())


def look(session: RowContext, ask: Ask) -> Sequence[Data]:
    """Have the camera look again."""
    machine_of(session).wake()
    return ()


def learn_table(session: RowContext, ask: Ask) -> Sequence[Data]:
    """The table is as empty as it will be: the camera learns what belongs to it."""
    if not session.table.devices.sees:
        raise NotPossible("no_camera", "There is no camera at this table that could look.")
    if not could_be_empty(session.table):
        raise NotPossible("tiles_stand", "A row stands there: wait until its round is over.")
    machine_of(session).learn_table()
    return ()
