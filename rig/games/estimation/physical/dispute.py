"""A row that differs from the journal: one player says that it is right as it stands, another nods.

The other two ways on need no command of their own: put back, it ends by itself once the camera
sees it; and an accident is claimed as any other.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from physics.row.tile import Tile
from rig.errors import NotPossible
from rig.games.estimation.table.estimation_table import EstimationTable, RowContext, RowPresent
from rig.games.estimation.terms import HOST, Mishap, Phase
from rig.games.interface import Data
from rig.row.row_diff import Difference, Kind
from rig.row.row_live import Kept
from rig.row.row_table import RowRead
from rig.row.written_row import may_stay, standing
from rig.session.request import Ask, machine_of


@dataclass(frozen=True, slots=True)
class Says:
    """What somebody may say of a row that differs.

    Attributes:
        right: that it is right as it stands, or nod to whoever says so.
        wrong: no to that, or take the own word back.
    """

    right: bool = False
    wrong: bool = False


def keeper(table: EstimationTable) -> str | None:
    """Whose word on the row counts first: whose turn it is, after a call who placed last."""
    match table.game.phase:
        case Phase.TURN:
            return table.game.active
        case Phase.BALLOT:
            return table.game.placer
        case Phase.TOPPLE:
            return table.game.toppler
        case _:
            return None


def differs(session: RowPresent) -> bool:
    """Whether the row stands otherwise than the journal has it; as long nothing is built on it."""
    return session.live.reading.state == "differs"


def all_up(session: RowPresent) -> bool | None:
    """Whether the camera sees every tile of the row up while an accident is claimed.

    None where no camera looks, or none has since the claim.
    """
    live = session.live
    if not session.table.devices.sees or live.seeing.blind:
        return None
    match live.reading.state:
        case "waiting":
            return True
        case "differs":
            return all(one.kind not in (Kind.DOWN, Kind.GONE) for one in live.reading.differs)
        case _:
            return None


def is_noticed(session: RowPresent) -> bool:
    """Whether the accident to be settled is what the machine saw, in the name of the accused."""
    accident = session.table.game.accident
    if accident is None:
        return False
    own = accident.by == accident.culprit and accident.kind is Mishap.WRONG_END
    return bool(session.live.noticed) or own


def may_say(session: RowPresent, seat: str | None, host: bool) -> Says:
    """What a viewer may say: the keeper of the row first, then any other player or the host."""
    table, kept = session.table, session.live.kept
    if not differs(session) or table.paused_by is not None:
        return Says()
    if kept is None:
        mine = seat is not None and seat == keeper(table)
        return Says(right=mine and may_stay(session.live.reading, table.game.row))
    if seat == kept.seat:
        return Says(wrong=True)
    other = host or seat in table.game.chips
    return Says(right=other, wrong=other)


def row_is_right(session: RowContext, ask: Ask) -> Sequence[Data]:
    """Say that the row is right as it stands, or that it is not.

    Raises:
        NotPossible: the row does not differ, its order is another one, or it is for others to say.
    """
    right, live, table = ask.flag("right"), session.live, session.table
    seat = ask.player.seat if ask.player else None
    says = may_say(session, seat, ask.host)
    if not differs(session):
        raise NotPossible("row_is_right", "The row stands as it is written down.")
    if right and live.kept is None and not may_stay(live.reading, table.game.row):
        raise NotPossible("other_row", "Other tiles stand there, or in another order: put it back.")
    if not (says.right if right else says.wrong):
        raise NotPossible("not_for_you", "It is for another player to say.")
    kept = live.kept
    if not right:
        session.after_commit(lambda: session.kept_by(None))
        return ()
    if kept is None:
        assert seat is not None
        said = Kept(seat)
        session.after_commit(lambda: session.kept_by(said))
        return ()
    row = tuple(standing(tile, tile.value or 0) for tile in live.reading.row)
    session.after_commit(machine_of(session).accepted)
    nod = ask.actor if seat is not None else HOST
    return (RowRead(row, table.latest, by=kept.seat, nod=nod),)


def told(session: RowPresent) -> dict[str, Any] | None:
    """How the row differs, for the screens; None where it does not or nobody looks."""
    table, live = session.table, session.live
    if keeper(table) is None or not differs(session):
        return None
    return {
        "tiles": [shown(one) for one in live.reading.differs],
        "row": [{"value": tile.value, **_place(tile)} for tile in live.reading.row],
        "keeper": keeper(table),
        "by": live.kept.seat if live.kept else None,
        "stays": may_stay(live.reading, table.game.row),
    }


def shown(one: Difference) -> dict[str, Any]:
    """One tile that is not as it should be, for the screens to point at."""
    return {
        "kind": one.kind.value,
        "value": one.value,
        "mm": round(one.by_mm),
        "deg": round(math.degrees(one.by_rad)),
        "was": None if one.was is None else _place(one.was),
        "now": None if one.now is None else _place(one.now),
    }


def live_picture(session: RowPresent) -> str | None:
    """Where the camera's picture of now is; None while there is none."""
    sees = session.table.devices.sees and not session.live.seeing.blind
    return "/picture/now.jpg" if sees and keeper(session.table) is not None else None


def _place(tile: Tile) -> dict[str, Any]:
    return {
        "x_mm": round(tile.pose.x_mm, 1),
        "y_mm": round(tile.pose.y_mm, 1),
        "heading_deg": round(math.degrees(tile.pose.heading_rad), 1),
        "orientation": tile.orientation.value if tile.orientation else None,
        "state": tile.state.value,
    }
