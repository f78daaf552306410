"""What each viewer may see, as one JSON-ready snapshot: the rules' own view, the people, the rig.

The rules' `view` is the only way out for anything secret; what is added here, everybody may know.
"""

import math
from typing import TYPE_CHECKING, Any

from rig import seats
from rig.games.estimation.view import view as game_view
from rig.games.estimation.words import Phase
from rig.live import Reading
from rig.pusher import LATCHED, MOVING, PusherState, PusherStatus
from rig.table import PushStep, Standing, Table

if TYPE_CHECKING:
    from rig.session import Session

PROTO = 1
WORK_AREA_MM = {"x": [0, 600], "y": [0, 420]}


def snapshot(session: "Session", device: str | None, role: str) -> dict[str, Any]:
    """Give the snapshot of one device; `role` is "phone" or "table"."""
    table, live = session.table, session.live
    player = None if role == "table" else session.player(device)
    seat = player.seat if player else None
    host = session.is_host(device)
    rules = game_view(table.game, seat)
    machine = session.machine
    status = machine.pusher_status() if machine else None
    gone = rules.pop("in")
    chips = rules.pop("chips")
    shot: dict[str, Any] = {
        **rules,
        "proto": PROTO,
        "v": session.journal.version,
        "now_ms": round(session.clock.now_s() * 1000),
        "you": {"role": _role(role, seat, device), "seat": seat, "host": host},
        "phase_id": table.phase_id,
        "paused_by": table.paused_by,
        "seats": [
            {
                "seat": p.seat,
                "name": p.name,
                "mark": p.mark,
                "chips": chips.get(p.seat, 0),
                "ready": p.ready,
                "connected": p.bot or live.connected.get(p.device or "", False),
                "bot": p.bot,
                "host": p.seat == table.host,
                "in": p.seat in gone,
            }
            for p in table.players
        ],
        "marks_free": seats.free_marks(table),
        "row": _row(table),
        "last": table.latest if table.game.placer else None,
        "virtual": machine is not None and machine.virtual,
        "tile": {"length_mm": 48.0, "width_mm": 24.0, "thickness_mm": 7.5},
        "area": WORK_AREA_MM,
        "shout": None,
        "countdown": None,
        "reading": None,
        "push": None,
        "verdict": None,
        "fault": live.fault,
    }
    if table.game.caller is not None:
        late = [{"seat": s, "ms": ms} for s, ms in live.shouts]
        shot["shout"] = {"caller": table.game.caller, "late": late}
    if table.phase is Phase.COUNTDOWN:
        shot["countdown"] = {
            "from_ms": round(live.since_epoch_s * 1000),
            "step_ms": round(session.config.timing.countdown_step * 1000),
            "steps": 3,
        }
    if table.phase is Phase.TURN and machine is not None:
        shot["reading"] = _reading(live.reading, table)
    if table.phase is Phase.TOPPLE:
        shot["push"] = _push(session, status)
    if table.phase in (Phase.JUDGE, Phase.ROUND_END, Phase.GAME_OVER):
        shot["verdict"] = _verdict(session, rules)
    shot["may"] = {**rules["may"], **_may(session, seat, host, status)}
    return shot


def _role(role: str, seat: str | None, device: str | None) -> str:
    if role == "table":
        return "table"
    if seat is not None:
        return "seat"
    return "guest" if device is None else "watcher"


def _row(table: Table) -> list[dict[str, Any]]:
    """The row in the rules' order, at the places the camera measured."""
    seen = {tile.value: tile for tile in table.row}
    tiles = []
    for i, value in enumerate(table.game.row):
        tile = seen.get(value) or Standing(value, "vertical", 300.0 + 30.0 * i, 210.0, 0.0)
        tiles.append(
            {
                "value": value,
                "orientation": tile.orientation,
                "x_mm": tile.x_mm,
                "y_mm": tile.y_mm,
                "heading_deg": tile.heading_deg,
                "state": tile.state,
                "sigma_mm": tile.sigma_mm,
                "sigma_deg": tile.sigma_deg,
            }
        )
    return tiles


def _reading(reading: Reading, table: Table) -> dict[str, Any]:
    tile, position = reading.tile, reading.position
    row = [t.value for t in reading.row]
    place, between = None, None
    if tile is not None and position is not None and row:
        place = "left" if position == 0 else "right" if position == len(row) - 1 else "between"
        if place == "between":
            between = [row[position - 1], row[position + 1]]
    return {
        "state": reading.state,
        "tile": None
        if tile is None
        else {
            "value": tile.value,
            "orientation": tile.orientation.value if tile.orientation else None,
            "x_mm": round(tile.pose.x_mm, 2),
            "y_mm": round(tile.pose.y_mm, 2),
            "heading_deg": round(math.degrees(tile.pose.heading_rad), 2),
        },
        "position": position,
        "place": place,
        "between": between,
        "violations": [{"kind": kind, "values": list(vs)} for kind, vs in reading.violations],
        "ready": bool(table.row),
    }


def _push(session: "Session", status: PusherStatus | None) -> dict[str, Any]:
    table, live = session.table, session.live
    game, attempt = table.game, table.attempt
    end = game.end.value if game.end else None
    hands = session.machine.hands() if session.machine else None
    return {
        "end": end,
        "value": None if end is None else game.row[0 if end == "left" else -1],
        "toppler": game.toppler,
        "state": _push_state(session, status),
        "switch": status is not None and status.switch_on,
        "hands": None if hands is None else {"estop": hands.estop, "beams": list(hands.beams)},
        "clear": live.clear,
        "machine": session.machine is not None,
        "stopped_by": table.stopped_by,
        "held": live.hold is not None,
        "picture": _picture(table),
        "why": attempt.why if attempt and attempt.step is PushStep.REFUSED else "",
    }


def _push_state(session: "Session", status: PusherStatus | None) -> str:
    table, live = session.table, session.live
    step = table.attempt.step if table.attempt else None
    if step is PushStep.UNKNOWN:
        return "unknown"
    if table.stopped_by is not None or (status and status.state is PusherState.ESTOP):
        return "stopped"
    if step is PushStep.REQUESTED:
        moving = status is not None and status.state in MOVING
        return "moving" if moving or live.push_due is not None else "looking"
    if step is PushStep.DONE:
        return "report" if table.seen is not None and not table.seen.sure else "looking"
    if status is None or live.fault or status.state is PusherState.FAULT:
        return "fault"
    if live.hold is not None:
        return "armed"
    return "ready" if status.ready else "switch"


def _verdict(session: "Session", rules: dict[str, Any]) -> dict[str, Any] | None:
    told = rules.get("verdict")
    if told is None:
        return None
    table, live = session.table, session.live
    seen, forecast = table.seen, table.forecast
    shown = table.phase is Phase.JUDGE and told["step"] == "shown"
    stands_s = live.since_epoch_s + session.config.timing.verdict
    return {
        **told,
        "up": list(seen.up) if seen else [],
        "fallen": list(seen.fallen) if seen else [],
        "between": list(seen.between) if seen and seen.between else None,
        "gap_mm": seen.gap_mm if seen else None,
        "order": [list(pair) for pair in seen.order] if seen else [],
        "sure": seen.sure if seen else False,
        "picture": _picture(table),
        "stands_ms": round(stands_s * 1000) if shown else None,
        "prediction": None
        if forecast is None
        else {
            "p_fall": round(forecast.p_fall, 3),
            "low": round(forecast.low, 3),
            "high": round(forecast.high, 3),
            "weakest": list(forecast.weakest) if forecast.weakest else None,
        },
    }


def _picture(table: Table) -> str | None:
    """Where the picture of this round's push is."""
    seen = table.seen
    return f"/picture/{seen.picture}.jpg" if seen and seen.picture else None


def _may(
    session: "Session", seat: str | None, host: bool, status: PusherStatus | None
) -> dict[str, bool]:
    """What this viewer may do beyond the rules' own commands."""
    table, live, game = session.table, session.live, session.game
    lobby = table.phase is Phase.LOBBY
    mine = seat is not None and game.active == seat and table.phase is Phase.TURN
    topple = table.phase is Phase.TOPPLE and table.paused_by is None
    toppler = topple and seat is not None and game.toppler == seat
    waiting = table.attempt is None or table.attempt.step not in (
        PushStep.REQUESTED,
        PushStep.UNKNOWN,
        PushStep.DONE,
    )
    free = toppler and waiting and table.stopped_by is None and status is not None
    virtual = session.machine is not None and session.machine.virtual
    enough = len(table.players) >= 2
    return {
        "sit": lobby and seat is None and len(table.players) < seats.MOST_SEATS,
        "ready": lobby and seat is not None,
        "start": lobby and host and enough and all(p.ready for p in table.players),
        "add_bot": lobby and host and len(table.players) < seats.MOST_SEATS,
        "remove_seat": host,
        "move_seat": lobby and host,
        "pause": host,
        "void": host and not lobby and table.phase is not Phase.GAME_OVER,
        "stand": mine and virtual and bool(table.row),
        "take_back": mine and virtual and live.reading.tile is not None,
        "confirm": mine and live.reading.state == "proposal",
        "correct": mine and live.reading.tile is not None,
        "look": mine,
        "switch": free and virtual,
        "hold": free and status is not None and status.ready and live.clear,
        "stop": seat is not None and not lobby and table.phase is not Phase.GAME_OVER,
        "clear_stop": host
        and (table.stopped_by is not None or (status is not None and status.state in LATCHED)),
        "resolve": host
        and table.attempt is not None
        and table.attempt.step is PushStep.UNKNOWN
        and table.phase is Phase.TOPPLE,
        "rematch": seat is not None and table.phase is Phase.GAME_OVER,
    }
