"""What each viewer may see, as one JSON-ready snapshot: the people and the table, then the game.

The rules' own view is the only way out for anything secret; what is added here, everybody may know.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Generic, Protocol, TypeVar

from rig.clock import Clock
from rig.config import Config, Timers
from rig.private import RoundKey
from rig.salvage import Damage
from rig.serialise import to_plain
from rig.session import host
from rig.session.devices import BOTH, Devices
from rig.session.live import Limit, Live, MachinePort
from rig.session.playing import Audience, Play
from rig.session.state import Table

PROTO = 1

T = TypeVar("T", bound=Table)
L = TypeVar("L", bound=Live)
M = TypeVar("M", bound=MachinePort)


class Holder(Protocol[T, L, M]):
    """What a moment asks its session for: all that is no part of table or live state."""

    config: Config
    clock: Clock
    machine: M | None
    opened_epoch_s: float
    games: Sequence[str]

    @property
    def play(self) -> Play[T, L, M]:
        """The game that is played."""

    @property
    def damage(self) -> Damage | None:
        """What is wrong with the journal."""

    @property
    def locked(self) -> str:
        """The name of the key that is missing."""

    @property
    def round_key(self) -> RoundKey | None:
        """The key of the round that runs."""

    def ago_s(self, at_s: float) -> float:
        """How long ago a moment was."""


@dataclass(frozen=True, slots=True)
class Moment(Generic[T, L, M]):
    """A session as it stood at one moment.

    Attributes:
        session: whose.
        table: what the journal told.
        live: what a restart may forget.
        version: how many events there were.
        fingerprint: that of the file of the game that is over, "" while none is.
    """

    session: Holder[T, L, M]
    table: T
    live: L
    version: int
    fingerprint: str = ""

    @property
    def config(self) -> Config:
        return self.session.config

    @property
    def clock(self) -> Clock:
        return self.session.clock

    @property
    def machine(self) -> M | None:
        return self.session.machine

    @property
    def game(self) -> Any:
        return self.table.game

    @property
    def play(self) -> Play[T, L, M]:
        return self.session.play

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
        return None if self.damage is not None else self.session.play.limit(self)


def audience(table: Table, device: str | None, role: str) -> Audience:
    """Say who looks; `role` is "phone" or "table"."""
    player = None if role == "table" else table.speaker(device)
    seat = player.seat if player else None
    if role != "table":
        role = "seat" if seat else "guest" if device is None else "watcher"
    return Audience(role, seat, table.is_host(device))


def you(who: Audience) -> dict[str, Any]:
    """Who looks, for the page to go by."""
    return {"role": who.role, "seat": who.seat, "host": who.host}


def snapshot(now: Moment[Any, Any, Any], who: Audience) -> dict[str, Any]:
    """Give the snapshot of one audience."""
    told = now.play.as_told(now.table, now.live)
    now = now if told is now.table else replace(now, table=told)
    shot = now.play.view(now, who, _base(now, who))
    if now.session.locked:
        shot["key_missing"] = now.session.locked
        shot["shuffle"] = None  # phones have answered it: what followed is under the key
    elif who.seat is not None and now.session.round_key is not None:
        shot["round_key"] = now.session.round_key.plain
    if now.damage is not None or now.session.locked:
        shot["may"] = dict.fromkeys(shot["may"], False)
        shot.pop("for", None)
    return shot


def _base(now: Moment[Any, Any, Any], who: Audience) -> dict[str, Any]:
    """What every table shows, whatever is played."""
    table, live = now.table, now.live
    players = now.play.totalled(table, now.game).players if table.is_over else table.players
    return {
        "proto": PROTO,
        "v": now.version,
        "now_ms": round(now.clock.now_s() * 1000),
        "opened_ms": round(now.opened_epoch_s * 1000),
        "you": you(who),
        "phase_id": table.phase_id,
        "paused_by": table.paused_by,
        "seats": [
            {
                "seat": p.seat,
                "name": p.name,
                "mark": p.mark,
                "ready": p.ready,
                "connected": p.bot or live.connected.get(p.device or "", False),
                "phone": p.device is not None,
                "bot": p.bot,
                "host": p.seat == table.host,
                "played": p.played,
                "won": p.won,
            }
            for p in players
        ],
        "marks_free": table.free_marks(now.play.rules.most),
        "devices": _devices(table.devices),
        "fault": live.fault,
        "table_screen": {
            "sound": bool(live.screens & live.sounding) if live.screens else None,
            "phones": live.phones_sound,
            "language": live.language,
        },
        "damaged": _damaged(now.damage),
        **_by_word(now, who.host),
        **_next_games(now, who.host),
        "may": table_may(now, who.seat, who.host),
    }


def _next_games(now: Moment[Any, Any, Any], is_host: bool) -> dict[str, list[str]]:
    """What the host can go on with, where a game is over or not begun and there is a choice."""
    free, games = now.table.in_lobby or now.table.is_over, list(now.session.games)
    return {"games": games} if is_host and free and len(games) > 1 else {}


def _by_word(now: Moment[Any, Any, Any], is_host: bool) -> dict[str, Any]:
    """What the host has settled or could, and what runs out."""
    table, live = now.table, now.live
    ruling, past, runs_out = table.ruling, host.undoable(table), now.limit()
    fresh = ruling is not None and ruling.step == table.step
    return {
        "timers": to_plain(now.timers),
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
        "claims": host.claims(now, is_host),
        "undo": {"what": past.what, "seat": past.seat} if is_host and past else None,
    }


def _devices(devices: Devices) -> dict[str, Any]:
    """The mode of the table: what it sees and pushes with, and what it goes without."""
    return {
        "sees": devices.sees,
        "pushes": devices.pushes,
        "photographs": devices.photographs,
        "camera": devices.camera,
        "pusher": devices.pusher,
        "lost": list(devices.lost),
        "without": list(devices.without),
    }


def _damaged(damage: Damage | None) -> dict[str, int] | None:
    """How much of the journal is left, None where all of it is."""
    return None if damage is None else {"good": damage.good, "lost": damage.lost}


_SOLO_BOTS = 2
"""How many bots play with somebody who is alone."""


def table_may(now: Moment[Any, Any, Any], seat: str | None, is_host: bool) -> dict[str, bool]:
    """What this viewer may do at any table."""
    table, rules = now.table, now.play.rules
    lobby, room = table.in_lobby, table.has_room(rules.most)
    enough = rules.fewest <= len(table.players) <= rules.most
    return {
        "sit": room and seat is None,
        "ready": lobby and seat is not None,
        "start": lobby
        and (is_host or host.only_bots(table))
        and enough
        and all(p.ready for p in table.players),
        "add_bot": lobby and is_host and room,
        "remove_seat": is_host,
        "move_seat": lobby and is_host,
        "add_player": lobby and is_host and room and now.play.acts_for,
        "set_options": lobby and is_host,
        "choose_game": lobby and is_host and len(now.session.games) > 1,
        "longer": is_host and now.limit() is not None,
        "undo": is_host and host.undoable(table) is not None,
        "take_host": host.may_take_host(now, seat),
        "solo": lobby
        and seat is None
        and not table.players
        and rules.most > _SOLO_BOTS
        and (is_host or host.drawer_is_free(now)),
        "pause": is_host,
        "without": is_host
        and any(map(table.devices.has, BOTH))
        and now.play.may_change_devices(table),
        "rematch": (seat is not None or host.only_bots(table)) and table.is_over,
    }
