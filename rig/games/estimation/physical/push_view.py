"""What everybody may see of a push: how far it is, why it was not made, and what came of it."""

from typing import Any

from rig.games.estimation.physical import dispute
from rig.games.estimation.physical.fall_view import evidence_s, falls_of, tips_view
from rig.games.estimation.table.estimation_table import EstimationTable, RowPresent, pushing_hand
from rig.games.estimation.terms import Phase
from rig.pusher.port import MOVING, Heartbeat, PusherState
from rig.row.push_events import PushStep
from rig.serialise import to_plain


def push_view(session: RowPresent, status: Heartbeat | None) -> dict[str, Any]:
    """The push that is to be made, or is under way."""
    table, live = session.table, session.live
    game, attempt = table.game, table.attempt
    end = game.end.value if game.end else None
    pretend = session.machine.pretend if session.machine else None
    hands = None if pretend is None else pretend.hands()
    again = attempt is not None and attempt.again
    return {
        "end": end,
        "value": None if end is None else game.row[0 if end == "left" else -1],
        "toppler": game.toppler,
        "hand": pushing_hand(session),
        "state": _state(session, status),
        "kind": _kind(table),
        "now_ms": live.now_ms,
        "guide": None if live.guide is None else to_plain(live.guide),
        "switch": status is not None and status.switch_on,
        "hands": None if hands is None else {"estop": hands.estop, "beams": list(hands.beams)},
        "clear": live.clear,
        "machine": table.devices.pushes,
        "away": live.away,
        "held": live.hold is not None,
        "hold_ms": round(session.config.timing.hold * 1000),
        "picture": picture(table),
        "before": before(table),
        "photo": photo_view(table),
        "doubts": list(table.seen.doubts) if table.seen else [],
        "why": attempt.why if attempt and again else "",
        "cause": attempt.cause.value if attempt and (again or _unknown(table)) else "",
    }


def photo_view(table: EstimationTable) -> dict[str, Any] | None:
    """What somebody's photo shows of the row after its push; None while there is none."""
    seen = table.seen
    if seen is None or table.devices.sees:
        return None
    told = (*seen.up, *seen.fallen)
    return {
        "outcome": seen.outcome,
        "up": list(seen.up),
        "unclear": [value for value in table.game.row if value not in told],
    }


def _unknown(table: EstimationTable) -> bool:
    return table.attempt is not None and table.attempt.step is PushStep.UNKNOWN


def _kind(table: EstimationTable) -> str:
    """Who pushes: the arm, a finger that is filmed, or one that people alone look at."""
    if table.devices.pushes:
        return "arm"
    return "finger" if table.devices.sees else "hand"


def _state(session: RowPresent, status: Heartbeat | None) -> str:
    table, live = session.table, session.live
    step = table.attempt.step if table.attempt else None
    if step is PushStep.UNKNOWN:
        return "unknown"
    if table.stopped_by is not None or (status and status.stopped):
        return "stopped"
    if table.devices.pushes and live.away and status and status.state is PusherState.AWAY:
        return "away"
    if step is PushStep.REQUESTED:
        if live.now_ms is not None:
            return "finger"
        moving = status is not None and status.state in MOVING
        return "moving" if moving or live.going or live.push_due is not None else "looking"
    if step is PushStep.DONE:
        unseen = not table.devices.sees if table.seen is None else not table.seen.sure
        return "report" if unseen else "looking"
    if live.fault or live.seeing.blind:
        return "fault"
    if table.devices.pushes and (status is None or status.state is PusherState.FAULT):
        return "fault"
    if live.hold is not None:
        return "armed"
    return "ready" if status is None or status.ready or _kind(table) != "arm" else "switch"


def may_push(session: RowPresent, who: str | None, status: Heartbeat | None) -> dict[str, bool]:
    """What a viewer may do about the push: a seat, the host without one, or None for a watcher."""
    table, live, machine = session.table, session.live, session.machine
    now = table.game.phase is Phase.TOPPLE and table.paused_by is None
    mine = now and who is not None and pushing_hand(session) == who
    waiting = table.attempt is None or table.attempt.again
    free = mine and waiting and table.stopped_by is None
    ready = status is not None and status.ready if table.devices.pushes else table.devices.sees
    by_tap = free and machine is not None and machine.pretend is not None
    virtual = machine is not None and machine.virtual
    placed = live.guide is None or live.guide.right or not live.guide.seen
    return {
        "switch": by_tap and status is not None and table.devices.pushes,
        "touch": mine and live.now_ms is not None and table.devices.sees and virtual,
        "aim": by_tap and live.guide is not None,
        "hold": free and ready and live.clear and placed and not dispute.differs(session),
    }


def verdict_view(session: RowPresent, rules: dict[str, Any]) -> dict[str, Any] | None:
    """What is claimed or settled about the push, and what the camera saw of it."""
    told = rules.get("verdict")
    if told is None:
        return None
    table, live = session.table, session.live
    seen, forecast = table.seen, table.forecast
    shown = table.game.phase is Phase.JUDGE and told["step"] == "shown"
    runs_out = session.limit() if shown else None
    stands_s = live.since_epoch_s + runs_out.after_s if runs_out else None
    ruling, up_s = table.ruling, evidence_s(live)
    return {
        **told,
        "up": list(seen.up) if seen else [],
        "fallen": list(seen.fallen) if seen else [],
        "between": list(seen.between) if seen and seen.between else None,
        "gap_mm": seen.gap_mm if seen else None,
        "order": [list(pair) for pair in seen.order] if seen else [],
        "tips": tips_view(falls_of(table, told["outcome"])),
        "evidence_ms": None
        if up_s is None
        else round((live.since_epoch_s + up_s - live.since_s) * 1000),
        "sure": seen.sure if seen else False,
        "confidence": seen.confidence if seen else None,
        "doubts": list(seen.doubts) if seen else [],
        "picture": picture(table),
        "before": before(table),
        "stands_ms": round(stands_s * 1000) if stands_s is not None else None,
        "ruled": bool(ruling and ruling.kind == "verdict" and ruling.step == table.step),
        "prediction": None
        if forecast is None
        else {
            "p_fall": round(forecast.p_fall, 3),
            "low": round(forecast.low, 3),
            "high": round(forecast.high, 3),
            "weakest": list(forecast.weakest) if forecast.weakest else None,
        },
    }


def picture(table: EstimationTable) -> str | None:
    """Where the picture of this round's push is."""
    seen = table.seen
    return f"/picture/{seen.picture}.jpg" if seen and seen.picture else None


def before(table: EstimationTable) -> str | None:
    """Where the picture of the row before it is, once there is one of the row after it."""
    attempt = table.attempt
    if attempt is None or attempt.before is None or picture(table) is None:
        return None
    return f"/picture/{attempt.before}.jpg"
