"""What each viewer may see, as one JSON-ready snapshot: the rules' own view, the people, the rig.

The rules' `view` is the only way out for anything secret; what is added here, everybody may know.
"""

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from physics.row.tile import TileSpec
from rig.clock import Clock
from rig.config import Config, Timers
from rig.games.estimation.game import Game
from rig.games.estimation.physical import dispute, proposal
from rig.games.estimation.physical import photo_finish as finish
from rig.games.estimation.physical.push_view import may_push, push_view, verdict_view
from rig.games.estimation.physical.written_row import marks
from rig.games.estimation.terms import HOST, Phase
from rig.games.estimation.view import view as game_view
from rig.history.gamefile import short
from rig.pusher.port import LATCHED, Heartbeat, PusherState
from rig.salvage import Damage
from rig.serialise import to_plain
from rig.session import handover, seats, timing
from rig.session import host as acting
from rig.session import host as rulings
from rig.session import host as without
from rig.session.devices import Devices
from rig.session.live import Limit, Live, MachinePort, Reading, Seeing
from rig.session.request import Present
from rig.session.state import Player, PushStep, Standing, Table

if TYPE_CHECKING:
    from rig.session.request import Present
    from rig.session.session import Session

PROTO = 1
WORK_AREA_MM = {"x": [0, 600], "y": [0, 420]}


@dataclass(frozen=True, slots=True)
class Audience:
    """All that a snapshot depends on of its viewer; nothing else of a device may get into one.

    Attributes:
        role: seat, watcher, guest or table.
        seat: whose secrets it may show, None for nobody's.
        host: whether it has the host's rights.
    """

    role: str
    seat: str | None
    host: bool


def audience(session: "Present", device: str | None, role: str) -> Audience:
    """Say who looks; `role` is "phone" or "table"."""
    player = None if role == "table" else session.player(device)
    seat = player.seat if player else None
    if role != "table":
        role = "seat" if seat else "guest" if device is None else "watcher"
    return Audience(role, seat, session.is_host(device))


def you(who: Audience) -> dict[str, Any]:
    """Who looks, for the page to go by."""
    return {"role": who.role, "seat": who.seat, "host": who.host}


def snapshot(session: "Moment", who: Audience) -> dict[str, Any]:
    """Give the snapshot of one audience."""
    table, live = session.table, session.live
    seat, is_host = who.seat, who.host
    rules = game_view(table.game, seat)
    machine = session.machine
    status = machine.pusher_status() if machine else None
    photo_finish = finish.window_s(session) > 0
    gone = rules.pop("in")
    chips = rules.pop("chips")
    shot: dict[str, Any] = {
        **rules,
        "proto": PROTO,
        "v": session.version,
        "now_ms": round(session.clock.now_s() * 1000),
        "opened_ms": round(session.opened_epoch_s * 1000),
        "you": you(who),
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
                "phone": p.device is not None,
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
        "devices": _devices(table.devices),
        "tile": _tile(session.config.tiles),
        "area": WORK_AREA_MM,
        "shout": None,
        "countdown": None,
        "reading": None,
        "push": None,
        "verdict": None,
        "fault": live.fault,
        "damaged": _damaged(session.damage),
        "photo_finish": photo_finish,
        "sight": _sight(live.seeing),
        "live": dispute.live_picture(session),
    }
    if table.game.caller is not None:
        late = [{"seat": s, "ms": ms} for s, ms in live.shouts]
        tie_ms = round(finish.TIE_S * 1000) if photo_finish else None
        shot["shout"] = {"caller": table.game.caller, "late": late, "tie_ms": tie_ms}
    if table.phase is Phase.COUNTDOWN:
        shot["countdown"] = {
            "from_ms": round(live.since_epoch_s * 1000),
            "step_ms": round(timing.countdown_step_s(session) * 1000),
            "steps": 3,
        }
    if table.phase is Phase.TURN and machine is not None:
        shot["reading"] = {**_reading(live.reading, table), **_waits(session)}
    shot["differs"] = dispute.told(session)
    if table.phase is Phase.TOPPLE:
        shot["push"] = push_view(session, status)
    if table.phase in (Phase.JUDGE, Phase.ROUND_END, Phase.GAME_OVER):
        shot["verdict"] = verdict_view(session, rules)
    if table.phase is Phase.ACCIDENT:
        shot["accident"] = {**shot["accident"], "seen": list(live.noticed)}
    if shot["final"] is not None:
        shot["final"] = {**shot["final"], "fingerprint": short(session.fingerprint)}
    shot["may"] = _all_may(session, rules, seat, is_host, status)
    shot.update(_by_word(session, is_host))
    if session.damage is not None:
        shot["may"] = dict.fromkeys(shot["may"], False)
    elif is_host:
        shot["for"] = acting.powers(
            session, lambda s, view: _all_may(session, view, s, False, status)
        )
    return shot


def _by_word(session: "Present", is_host: bool) -> dict[str, Any]:
    """What the host has settled or could, and what runs out."""
    table, live = session.table, session.live
    ruling, past, runs_out = table.ruling, rulings.undoable(table), session.limit()
    fresh = ruling is not None and ruling.step == table.step
    return {
        "timers": to_plain(session.timers),
        "timer": None
        if runs_out is None
        else {
            "kind": runs_out.kind,
            "from_ms": round(live.since_epoch_s * 1000),
            "until_ms": round((live.since_epoch_s + runs_out.after_s) * 1000),
            "hard": runs_out.hard,
        },
        "ruling": None
        if ruling is None or not fresh
        else {"kind": ruling.kind, "by": ruling.by, "why": ruling.why, "seat": ruling.seat},
        "undo": {"what": past.what, "seat": past.seat} if is_host and past else None,
    }


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
        "marks": [dispute.shown(one) for one in marks(reading)],
        "came": list(reading.came),
        "gone": list(reading.gone),
        "notices": [{"kind": kind, "values": list(vs)} for kind, vs in reading.notices],
        "ready": bool(table.row),
    }


def _waits(session: "Present") -> dict[str, Any]:
    """Since when, and until when, a proposal waits for its placer; None where it may wait on."""
    live, waits = session.live, proposal.waits(session)
    if waits is None:
        return {"from_ms": None, "until_ms": None}
    from_s = live.since_epoch_s + waits.from_s - live.since_s
    return {"from_ms": round(from_s * 1000), "until_ms": round((from_s + waits.long_s) * 1000)}


def _devices(devices: Devices) -> dict[str, Any]:
    """The mode of the table: what it sees and pushes with, and what it goes without."""
    return {
        "sees": devices.sees,
        "pushes": devices.pushes,
        "camera": devices.camera,
        "pusher": devices.pusher,
        "lost": list(devices.lost),
        "without": list(devices.without),
    }


def _tile(spec: TileSpec) -> dict[str, float]:
    return {
        "length_mm": spec.length_mm,
        "width_mm": spec.width_mm,
        "thickness_mm": spec.thickness_mm,
    }


def _damaged(damage: Damage | None) -> dict[str, int] | None:
    """How much of the journal is left, None where all of it is."""
    return None if damage is None else {"good": damage.good, "lost": damage.lost}


def _sight(seeing: Seeing) -> dict[str, Any] | None:
    """What keeps the camera from seeing, None if nothing does."""
    return {"kind": seeing.kind, "blind": seeing.blind} if seeing.kind else None


ACCIDENT_ANSWERS = ("accident_confirm", "accident_reject")
"""What the host may say as well, whoever is accused."""


def _all_may(
    session: "Present",
    rules: dict[str, Any],
    seat: str | None,
    is_host: bool,
    status: Heartbeat | None,
) -> dict[str, bool]:
    """What a viewer may do; `take_back` is of the tile in hand, `illegal` of the last placement."""
    by_rules = {**rules["may"], "illegal": rules["may"]["take_back"]}
    if is_host and session.game.accident is not None:
        settles = game_view(session.game, HOST)["may"]
        by_rules |= {name: by_rules[name] or settles[name] for name in ACCIDENT_ANSWERS}
    return {**by_rules, **_may(session, seat, is_host, status)}


def _may(
    session: "Present", seat: str | None, is_host: bool, status: Heartbeat | None
) -> dict[str, bool]:
    """What this viewer may do beyond the rules' own commands."""
    table, live, game = session.table, session.live, session.game
    lobby = table.phase is Phase.LOBBY
    between = lobby or table.phase is Phase.GAME_OVER
    mine = seat is not None and game.active == seat and table.phase is Phase.TURN
    virtual = session.machine is not None and session.machine.virtual
    enough = len(table.players) >= 2
    says = dispute.may_say(session, seat, is_host)
    return {
        "sit": between and seat is None and len(table.players) < seats.MOST_SEATS,
        "ready": lobby and seat is not None,
        "start": lobby and is_host and enough and all(p.ready for p in table.players),
        "add_bot": lobby and is_host and len(table.players) < seats.MOST_SEATS,
        "remove_seat": is_host,
        "move_seat": lobby and is_host,
        "add_player": lobby and is_host and len(table.players) < seats.MOST_SEATS,
        "set_options": lobby and is_host,
        "longer": is_host and session.limit() is not None,
        "undo": is_host and rulings.undoable(table) is not None,
        "correct_verdict": is_host and rulings.may_correct(table),
        "take_host": handover.may_take_host(session, seat),
        "pause": is_host,
        "without": is_host and without.is_possible(table),
        "void": is_host and not lobby and table.phase is not Phase.GAME_OVER,
        "stand": mine and virtual and bool(table.row),
        "take_back": mine and virtual and live.reading.tile is not None,
        "confirm": mine and live.reading.state == "proposal",
        "correct": mine and live.reading.tile is not None,
        "wait": mine and live.proposal is not None,
        "row_is_right": says.right,
        "row_is_wrong": says.wrong,
        "look": mine,
        **may_push(session, seat, status),
        "stop": (seat is not None or is_host) and not lobby and table.phase is not Phase.GAME_OVER,
        "clear_stop": is_host
        and (table.stopped_by is not None or (status is not None and status.state in LATCHED)),
        "homed": is_host
        and bool(session.live.away)
        and status is not None
        and status.state is PusherState.AWAY,
        "resolve": is_host
        and table.attempt is not None
        and table.attempt.step is PushStep.UNKNOWN
        and table.phase is Phase.TOPPLE,
        "rematch": seat is not None and table.phase is Phase.GAME_OVER,
    }


@dataclass(frozen=True, slots=True)
class Moment:
    """A session as it stood at one moment.

    Attributes:
        session: whose.
        table: what the journal told.
        live: what a restart may forget.
        version: how many events there were.
        fingerprint: that of the file of the game that is over, "" while none is.
    """

    session: "Session"
    table: Table
    live: Live
    version: int
    fingerprint: str = ""

    @property
    def config(self) -> Config:
        return self.session.config

    @property
    def clock(self) -> Clock:
        return self.session.clock

    @property
    def machine(self) -> MachinePort | None:
        return self.session.machine

    @property
    def game(self) -> Game:
        return self.table.game

    @property
    def timers(self) -> Timers:
        return self.table.timers or self.config.timers

    @property
    def damage(self) -> Damage | None:
        return self.session.damage

    @property
    def opened_epoch_s(self) -> float:
        return self.session.opened_epoch_s

    def ago_s(self, at_s: float) -> float:
        return self.session.ago_s(at_s)

    def limit(self) -> Limit | None:
        return None if self.damage is not None else timing.limit(self)

    def player(self, device: str | None) -> Player | None:
        if device is not None and device.startswith("bot:"):
            player = self.table.player(device[4:])
            return player if player and player.bot else None
        return self.table.by_device(device)

    def is_host(self, device: str | None) -> bool:
        player = self.player(device)
        return device in self.table.host_devices or (
            player is not None and player.seat == self.table.host
        )
