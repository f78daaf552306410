"""A tiny honest table in memory: seats, secret ballots, one answer for one command id."""

import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from rig.config import load_config
from rig.errors import NotPossible
from rig.session.host import SeatTicket


class EmptyJournal:
    """A journal with nothing in it, in a folder that is not there unless a test names one."""

    version = 0
    path = Path("nowhere") / "table.sqlite3"

    def events(self, since: int = 0, most: int = -1) -> list[Any]:
        return []

    def newest(self, kind: str) -> int:
        return 0


def tiles_on(photo: bytes) -> dict[str, Any]:
    """A photo that says nothing is one from too straight above; any other shows as many bytes."""
    if not photo:
        raise NotPossible("photo_slant", "The photo looks straight down.")
    return {"tiles": [{"value": len(photo)}]}


class FakeSession:
    def __init__(self) -> None:
        self.config = load_config()
        self.journal = EmptyJournal()
        self.lock = threading.RLock()
        self.v = 1
        self.seats: dict[str, dict[str, Any]] = {}
        self.watchers: set[str] = set()
        self.hosts: set[str] = set()
        self.ballots: dict[str, str] = {}
        self.answers: dict[tuple[str, str], dict[str, Any]] = {}
        self.commands: list[tuple[str, dict[str, Any]]] = []
        self.presence: list[tuple[str, bool]] = []
        self.heard = threading.Condition()
        self.callbacks: list[Callable[[], None]] = []
        self.pictures = {0: b"\xff\xd8 now", 12: b"\xff\xd8 a picture"}
        self.phase = "BALLOT"
        self.phase_id = "1.1.BALLOT"
        self.now_ms_of_table = 0
        self.boom = False
        self.stops = 0
        self.screens: list[tuple[str, bool, int, str]] = []
        self.sounding: dict[str, bool] = {}
        self.languages: dict[str, str] = {}
        self.code = ""
        self.wants_photos = True

    @property
    def told_v(self) -> int:
        return self.journal.version

    def submit(self, device: str, command: Mapping[str, Any], code: str = "") -> dict[str, Any]:
        with self.lock:
            if self.boom:
                raise RuntimeError("the disk is full")
            key = (device, command["id"])
            if key in self.answers:
                return {**self.answers[key], "dup": True}
            reason = self._refusal(device, command)
            if reason is None:
                self.commands.append((device, dict(command)))
                bots = {seat["seat"] for seat in self.seats.values() if seat["bot"]}
                self._carry_out(device, command)
                self.v += 1
                reply: dict[str, Any] = {"ok": True, "v": self.v}
                out = command["type"] in ("remove_seat", "take_phone")
                if out and code and command["seat"] not in bots:
                    self.code = code
                    reply["put_out"] = True
            else:
                reply = {"ok": False, "reason": reason, "message": reason, "v": self.v}
            self.answers[key] = reply
        if reply["ok"]:
            self.announce()
        return reply

    def refused(self, device: str, kind: str) -> dict[str, Any] | None:
        if kind == "photographed" and device not in self.seats:
            return {"ok": False, "reason": "no_seat", "message": "Take a seat first.", "v": self.v}
        return None

    def photo_reader(self) -> Callable[[bytes], dict[str, Any]] | None:
        return tiles_on if self.wants_photos else None

    def may_stop(self, device: str) -> bool:
        return device in self.seats or device in self.hosts

    def stop(self) -> str:
        self.stops += 1
        return "acknowledged"

    def screen(self, screen: str, visible: bool, number: int = 0, what: str = "") -> None:
        with self.heard:
            self.screens.append((screen, visible, number, what))
            self.heard.notify_all()

    def sounds(self, screen: str, on: bool) -> None:
        self.sounding[screen] = on

    def speaks(self, device: str, language: str) -> None:
        self.languages[device] = language

    def note_stop(self, device: str) -> dict[str, Any]:
        return self.submit(device, {"id": f"stop {self.stops}", "type": "stop"})

    def announce(self) -> None:
        for callback in list(self.callbacks):
            callback()

    def _refusal(self, device: str, command: Mapping[str, Any]) -> str | None:
        match command["type"]:
            case "sit" | "leave" | "watch" | "stop" | "call":
                return None
            case "remove_seat" | "take_phone" | "add_bot":
                return None if device in self.hosts else "not_allowed"
            case "vote":
                if command.get("phase_id") != self.phase_id:
                    return "stale"
                if device not in self.seats:
                    return "not_allowed"
                return None if command.get("side") in ("success", "failure") else "bad_command"
        return "bad_command"

    def _carry_out(self, device: str, command: Mapping[str, Any]) -> None:
        match command["type"]:
            case "sit":
                if not self.seats:
                    self.hosts.add(device)
                seat = f"s{len(self.seats) + 1}"
                self.seats[device] = {"seat": seat, "name": command["name"], "bot": False}
            case "leave":
                del self.seats[device]
            case "watch":
                self.watchers.add(device)
            case "vote":
                self.ballots[device] = command["side"]
            case "add_bot":
                self.seats["bot"] = {"seat": "b1", "name": "Bot", "bot": True}
            case "take_phone":
                self.seats = {
                    f"none {seat['seat']}" if seat["seat"] == command["seat"] else who: seat
                    for who, seat in self.seats.items()
                }
            case "remove_seat":
                self.seats = {
                    who: seat for who, seat in self.seats.items() if seat["seat"] != command["seat"]
                }

    def notify(self) -> None:
        for callback in list(self.callbacks):
            callback()

    def view(self, device: str | None, role: str) -> dict[str, Any]:
        with self.lock:
            mine = self.seats.get(device or "") if role == "phone" else None
            if role == "table":
                who = "table"
            elif mine is not None:
                who = "seat"
            else:
                who = "watcher" if device in self.watchers else "guest"
            return {
                "proto": 1,
                "v": self.v,
                "now_ms": self.now_ms_of_table,
                "you": {
                    "role": who,
                    "seat": mine["seat"] if mine else None,
                    "host": device in self.hosts,
                },
                "phase": self.phase,
                "phase_id": self.phase_id,
                "seats": [{**seat, "in": who in self.ballots} for who, seat in self.seats.items()],
                "ballot": {"mine": self.ballots.get(device or "") if mine else None},
            }

    def you(self, device: str) -> dict[str, Any]:
        return dict(self.view(device, "phone")["you"])

    def audience(self, device: str | None, role: str) -> tuple[Any, ...]:
        return device, role

    def view_of(self, audience: tuple[Any, ...]) -> dict[str, Any]:
        return self.view(*audience)

    def now_ms(self) -> float:
        return self.now_ms_of_table

    def subscribe(self, callback: Callable[[], None]) -> Callable[[], None]:
        self.callbacks.append(callback)
        return lambda: self.callbacks.remove(callback)

    def connected(self, device: str, on: bool) -> None:
        with self.heard:
            self.presence.append((device, on))
            self.heard.notify_all()

    def picture(self, number: int) -> bytes | None:
        return self.pictures.get(number)

    def at_hand(self, number: int) -> bool:
        return number in self.pictures

    def picture_now(self) -> bytes | None:
        return self.pictures.get(0)

    def phone_at(self, seat: str) -> str | None:
        found = (who for who, mine in self.seats.items() if mine["seat"] == seat)
        return next(found, None)

    def is_good(self, ticket: SeatTicket) -> bool:
        by_host = ticket.by in self.hosts
        there = self.phone_at(ticket.seat) == ticket.phone
        return there and (by_host or ticket.by == ticket.phone)

    def hand_over(self, seat: str, device: str, ticket: SeatTicket) -> dict[str, Any]:
        with self.lock:
            if device in self.seats:
                message = "You already have a seat."
                return {"ok": False, "reason": "seated", "message": message, "v": self.v}
            (old,) = (who for who, mine in self.seats.items() if mine["seat"] == seat)
            self.seats[device] = self.seats.pop(old)
            if old in self.hosts:
                self.hosts.remove(old)
                self.hosts.add(device)
            if old in self.ballots:
                self.ballots[device] = self.ballots.pop(old)
            self.v += 1
        self.announce()
        return {"ok": True, "v": self.v}

    def make_host(self, device: str) -> dict[str, Any]:
        self.hosts.add(device)
        self.v += 1
        self.announce()
        return {"ok": True, "v": self.v}
