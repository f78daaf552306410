"""Seats without people: they look at the same snapshot as a phone and send the same commands.

A bot places by chance and judges rows by the prediction, which it trusts more or less according to
its courage. Its decisions depend on the snapshot and its own chance alone: the same table and the
same `rng` give the same game.
"""

import hashlib
import math
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import numpy as np

from physics.chain import Chain, order
from physics.pose import Pose
from physics.predict import predict
from physics.push import Friction, Push
from physics.scenario import Spread
from physics.tile import Orientation, Tile, TileSpec
from rig.placing import choose_place

Snapshot = Mapping[str, Any]
Command = dict[str, Any]

RUNS = 10
"""Copies of the row that a bot lets fall in its head."""

GIVE_UP = 6
"""So many refusals of one kind in one phase, and it leaves the rest to people."""

_DOUBT = 0.9
_LOST_MS = 10_000
_NONCE_MS = 4_000


class Bot:
    """One seat without a person.

    Args:
        seat: which.
        rng: its chance.
        courage: 0 believes little and places tamely, 1 believes much and places boldly.
        hold_ms: how long it holds the push button.
    """

    def __init__(
        self, seat: str, rng: np.random.Generator, courage: float = 0.5, hold_ms: int = 1500
    ) -> None:
        self.seat = seat
        self.courage = courage
        self._rng = rng
        self._hold_ms = hold_ms
        self._refused: dict[tuple[str, str], int] = {}
        self._opinion: tuple[Any, float, bool] | None = None
        self._stood: tuple[str, int, int] | None = None
        self._held: tuple[str, int] | None = None
        self._now_ms = 0

    def next_command(self, snapshot: Snapshot) -> Command | None:
        """Say what to send now, without its `id`; None for nothing."""
        self._now_ms = snapshot["now_ms"]
        if snapshot.get("paused_by") is not None:
            return None
        decide = {
            "LOBBY": self._lobby,
            "TURN": self._turn,
            "BALLOT": self._ballot,
            "TOPPLE": self._topple,
            "JUDGE": self._judge,
            "ROUND_END": self._round_end,
            "ACCIDENT": self._accident,
        }.get(snapshot["phase"])
        command = decide(snapshot) if decide else None
        if command is None:
            return None
        if self._refused.get((snapshot["phase_id"], command["type"]), 0) >= GIVE_UP:
            return None
        return {**command, "phase_id": snapshot["phase_id"]}

    def answer(self, command: Command, reply: Mapping[str, Any]) -> None:
        """Hear what became of a command."""
        kind, phase_id = command["type"], command["phase_id"]
        if not reply["ok"]:
            key = (phase_id, kind)
            self._refused = {key: self._refused.get(key, 0) + 1}
        if kind == "stand" and reply["ok"]:
            self._stood = (phase_id, command["value"], self._now_ms)
        elif kind == "take_back":
            self._stood = None
        elif kind == "hold" and reply["ok"]:
            self._held = (reply["nonce"], self._now_ms)
        elif kind == "push":
            self._held = None

    def _lobby(self, snapshot: Snapshot) -> Command | None:
        mine = next((seat for seat in snapshot["seats"] if seat["seat"] == self.seat), None)
        ready = mine is None or mine["ready"]
        return None if ready else {"type": "ready", "on": True}

    def _turn(self, snapshot: Snapshot) -> Command | None:
        may = snapshot["may"]
        if may.get("consent_row"):
            return {"type": "consent_row"}
        if may.get("call") and self._wants_to_call(snapshot):
            return {"type": "call"}
        reading = snapshot["reading"] or {"state": "waiting", "tile": None}
        stood = self._stood if self._stood and self._stood[0] == snapshot["phase_id"] else None
        if stood and reading["tile"] is not None:
            return self._read(stood[1], reading, may)
        lost = stood is not None and self._now_ms - stood[2] > _LOST_MS
        if may.get("stand") and reading["state"] == "waiting" and (stood is None or lost):
            return self._stand(snapshot)
        return None

    def _read(
        self, value: int, reading: Mapping[str, Any], may: Mapping[str, bool]
    ) -> Command | None:
        """Say whether the camera has read the tile rightly."""
        state, position = reading["state"], reading.get("position")
        if state == "proposal" and may.get("confirm") and reading["tile"]["value"] == value:
            return {"type": "confirm"}
        if state in ("proposal", "unsure") and may.get("correct") and position is not None:
            return {"type": "correct", "value": value, "position": position}
        if state in ("unsure", "wrong") and may.get("take_back"):
            return {"type": "take_back"}
        return None

    def _stand(self, snapshot: Snapshot) -> Command | None:
        row = row_of(snapshot)
        values = snapshot["supply"]
        moving = not values
        if moving:
            values = [tile.value for tile in row.tiles[1:-1]]
        risk = 0.12 + 0.3 * self.courage
        tile = choose_place(row, values, self._rng, risk, moving)
        if tile is None or tile.orientation is None:
            return None
        return {
            "type": "stand",
            "value": tile.value,
            "x_mm": round(tile.pose.x_mm, 1),
            "y_mm": round(tile.pose.y_mm, 1),
            "heading_deg": round(math.degrees(tile.pose.heading_rad), 1),
            "orientation": tile.orientation.value,
        }

    def _wants_to_call(self, snapshot: Snapshot) -> bool:
        return self._think(snapshot)[1]

    def _ballot(self, snapshot: Snapshot) -> Command | None:
        ballot = snapshot["ballot"]
        if not snapshot["may"].get("vote") or ballot["forced"] or ballot["mine"] is not None:
            return None
        falls = self._think(snapshot)[0] > 0.5
        return {"type": "vote", "side": "success" if falls else "failure"}

    def _think(self, snapshot: Snapshot) -> tuple[float, bool]:
        """What it believes of this row, and whether it would call: made up once for each row."""
        row = row_of(snapshot)
        if snapshot["end"] == "right":
            row = row.reversed()
        key = (snapshot["round"], row.tiles)
        if self._opinion is None or self._opinion[0] != key:
            p = min(0.98, max(0.02, chance_to_fall(row)))
            lean = math.log(p / (1 - p)) + 1.2 * (self.courage - 0.5)
            p = 1 / (1 + math.exp(-lean - _DOUBT * float(self._rng.standard_normal())))
            eager = 0.75 if p < 0.5 else 0.04 + 0.02 * len(row.tiles) * (1.2 - p)
            self._opinion = (key, p, bool(self._rng.random() < eager))
        return self._opinion[1:]

    def _topple(self, snapshot: Snapshot) -> Command | None:
        push, may = snapshot["push"], snapshot["may"]
        if push is None or push["toppler"] != self.seat:
            return None
        if may.get("choose_end"):
            return {"type": "choose_end", "end": "left"}
        if self._held and push["held"]:
            nonce, since_ms = self._held
            if self._now_ms - since_ms < self._hold_ms:
                return None
            if self._now_ms - since_ms < self._hold_ms + _NONCE_MS:
                return {"type": "push", "nonce": nonce}
        if may.get("hold"):
            return {"type": "hold"}
        if push["state"] == "switch" and may.get("switch"):
            return {"type": "switch", "on": not push["switch"]}
        return None

    def _judge(self, snapshot: Snapshot) -> Command | None:
        verdict, may = snapshot["verdict"], snapshot["may"]
        if verdict is None:
            return None
        if may.get("agree") and self.seat not in (verdict.get("agreed") or ()):
            return {"type": "agree"}
        if may.get("table_vote") and self.seat not in (verdict.get("votes") or {}):
            return {"type": "table_vote", "outcome": verdict["outcome"]}
        return None

    def _round_end(self, snapshot: Snapshot) -> Command | None:
        return {"type": "next"} if snapshot["may"].get("next") else None

    def _accident(self, snapshot: Snapshot) -> Command | None:
        return {"type": "accident_confirm"} if snapshot["may"].get("accident_confirm") else None


def row_of(snapshot: Snapshot) -> Chain:
    """Read the row of a snapshot, left to right, headings down the row."""
    size = snapshot["tile"]
    spec = TileSpec(size["length_mm"], size["width_mm"], size["thickness_mm"])
    tiles = tuple(
        Tile(
            value=one["value"],
            pose=Pose(one["x_mm"], one["y_mm"], math.radians(one["heading_deg"])),
            orientation=Orientation(one["orientation"]),
            spec=spec,
        )
        for one in snapshot["row"]
    )
    return order(tiles, Chain(tiles))


@lru_cache(maxsize=64)
def chance_to_fall(row: Chain) -> float:
    """The predicted chance that a row falls, pushed at its first tile; the same for all bots."""
    text = repr([(t.value, t.pose, t.orientation) for t in row.tiles])
    seed = int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big")
    rng = np.random.default_rng(seed)
    return predict(row, Push(), Friction(), Spread(), rng=rng, runs=RUNS).p_fall
