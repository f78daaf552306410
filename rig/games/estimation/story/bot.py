"""Seats without people: they look at the same snapshot as a phone and send the same commands.

A bot places by chance and judges rows by the prediction, which it trusts more or less according to
its character. It calls the rows that it doubts; one that bluffs also calls some that it believes
in. Who knocked what over is for people to say. What it decides depends on its own seed and on what
it decides about, never on when or how often it is asked: the same table and the same seed give the
same game.
"""

import hashlib
import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import numpy as np

from physics.errors import ChainError
from physics.predict.predict import predict
from physics.row.chain import Chain, order
from physics.row.pose import Pose
from physics.row.push import Friction
from physics.row.spread import Spread
from physics.row.tile import Orientation, Tile, TileSpec
from rig.config import load_config
from rig.games.estimation.story.bot_placing import choose_place, with_tile
from rig.games.estimation.story.character import ENGINEER, Character, character_of
from rig.games.estimation.terms import TILE_COUNT
from rig.pusher.servo import stroke

Snapshot = Mapping[str, Any]
Command = dict[str, Any]

RUNS = 10
"""Copies of the row that a bot lets fall in its head."""

GIVE_UP = 6
"""So many refusals of one kind in one phase, and it asks no more for a while."""

OVERRULE = 4
"""So many places in one turn that the camera finds wrong, and it says that the tile is right."""

_PAUSE_MS = 5_000
_RECKLESS = 0.2
_LOST_MS = 20_000
_NONCE_MS = 4_000


@dataclass(frozen=True, slots=True)
class _Stood:
    """The tile that it has stood or asked for in this turn.

    Attributes:
        phase_id: which turn.
        value: of the tile.
        waiting_ms: since when nobody seems to have seen it.
        sees: whether a camera looked then.
    """

    phase_id: str
    value: int
    waiting_ms: int
    sees: bool


class Bot:
    """One seat without a person.

    Args:
        seat: which.
        rng: where its own seed comes from.
        character: how it plays.
        hold_ms: how long it holds the push button.
    """

    def __init__(
        self,
        seat: str,
        rng: np.random.Generator,
        character: Character = ENGINEER,
        hold_ms: int = 1500,
    ) -> None:
        self.seat = seat
        self.character = character
        self._seed = int(rng.integers(2**62))
        self._hold_ms = hold_ms
        self._refused = ("", "", 0, 0)
        self._opinion: tuple[Any, float, bool] | None = None
        self._tries = ("", 0)
        self._stood: _Stood | None = None
        self._held: tuple[str, int] | None = None
        self._now_ms = 0
        self._sees = True
        self._differs_ms: int | None = None

    def next_command(self, snapshot: Snapshot) -> Command | None:
        """Say what to send now, without its `id`; None for nothing."""
        self._now_ms = snapshot["now_ms"]
        self._sees = snapshot.get("devices", {}).get("sees", True)
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
        command = self._mend(snapshot) or (decide(snapshot) if decide else None)
        if command is None:
            return None
        *kind, times, last_ms = self._refused
        tired = kind == [snapshot["phase_id"], command["type"]] and times >= GIVE_UP
        if tired and self._now_ms - last_ms < _PAUSE_MS:
            return None
        return {**command, "phase_id": snapshot["phase_id"]}

    def answer(self, command: Command, reply: Mapping[str, Any]) -> None:
        """Hear what became of a command."""
        kind, phase_id, done = command["type"], command["phase_id"], bool(reply["ok"])
        if not done:
            times = self._refused[2] if self._refused[:2] == (phase_id, kind) else 0
            self._refused = (phase_id, kind, times + 1, self._now_ms)
        if kind == "stand":
            self._tries = (phase_id, self._tries_in(phase_id) + 1)
            stood = _Stood(phase_id, command["value"], self._now_ms, self._sees)
            self._stood = stood if done else None
        elif kind == "take_back":
            self._stood = None
        elif kind == "hold":
            self._held = (reply["nonce"], self._now_ms) if done else None
        elif kind == "push":
            self._held = None

    def _lobby(self, snapshot: Snapshot) -> Command | None:
        mine = next((seat for seat in snapshot["seats"] if seat["seat"] == self.seat), None)
        ready = mine is None or mine["ready"]
        return None if ready else {"type": "ready", "on": True}

    def _mend(self, snapshot: Snapshot) -> Command | None:
        """Take a row that somebody touched as it stands; a bot has no hands to put it back.

        What cannot stay so, and nobody has put back for long, was an accident of nobody's.
        """
        differs = snapshot.get("differs")
        if differs is None:
            self._differs_ms = None
            return None
        if snapshot["may"].get("row_is_right"):
            return {"type": "row_is_right", "right": True}
        if self._differs_ms is None:
            self._differs_ms = self._now_ms
        late = self._now_ms - self._differs_ms > _LOST_MS
        if late and differs["keeper"] == self.seat and snapshot["may"].get("accident"):
            return None if differs["stays"] else {"type": "accident", "culprit": None}
        return None

    def _turn(self, snapshot: Snapshot) -> Command | None:
        may = snapshot["may"]
        if may.get("consent_row"):
            return {"type": "consent_row"}
        if may.get("call") and self._think(snapshot)[1]:
            return {"type": "call"}
        if not may.get("stand"):
            return None
        reading = snapshot["reading"] or {"state": "waiting", "tile": None}
        waiting, stood = reading["state"] == "waiting", self._stood
        if stood is None or stood.phase_id != snapshot["phase_id"]:
            if waiting:
                return self._stand(snapshot)
            before = (reading["tile"] or {}).get("value")
            return None if before is None else self._check(before, snapshot)
        if not waiting:
            self._stood = replace(stood, waiting_ms=self._now_ms)
        elif stood.sees is not self._sees or self._seems_lost(snapshot, stood):
            return self._stand(snapshot)
        return self._check(stood.value, snapshot) if reading["tile"] else None

    def _seems_lost(self, snapshot: Snapshot, stood: _Stood) -> bool:
        """Whether nobody seems to see its tile; what people were asked for takes its time."""
        asked = snapshot.get("wanted") is not None
        return not asked and self._now_ms - stood.waiting_ms > _LOST_MS

    def _check(self, value: int, snapshot: Snapshot) -> Command | None:
        """Say whether the camera has read the tile rightly."""
        reading, may = snapshot["reading"], snapshot["may"]
        state, position = reading["state"], reading["position"]
        if state == "proposal" and may.get("confirm") and reading["tile"]["value"] == value:
            return {"type": "confirm"}
        # What people stand for it instead of the tile it asked for is theirs to choose.
        believed = state == "unsure" or (state == "proposal" and snapshot.get("wanted") is None)
        if state == "wrong":
            kinds = {violation["kind"] for violation in reading["violations"]}
            left_behind = not snapshot["supply"] and kinds <= {"apart", "too_far"}
            believed = left_behind or self._tries_in(snapshot["phase_id"]) >= OVERRULE
        if believed and may.get("correct") and position is not None:
            return {"type": "correct", "value": value, "position": position}
        if state in ("unsure", "wrong") and may.get("take_back"):
            return {"type": "take_back"}
        return None

    def _stand(self, snapshot: Snapshot) -> Command | None:
        """Stand a tile: of a few places the first that leaves the row hope enough.

        The longer the row, the bolder: a row that nobody could doubt would never be pushed.
        """
        row = row_of(snapshot)
        values = snapshot["supply"]
        moving = not values
        if moving:
            values = [tile.value for tile in row.tiles[1:-1]]
        phase_id = snapshot["phase_id"]
        rng = self._chance("stand", phase_id, self._tries_in(phase_id))
        area = (snapshot["area"]["x"][1], snapshot["area"]["y"][1])
        courage, grown = self.character.courage, len(row.tiles) / TILE_COUNT
        reckless = rng.random() < _RECKLESS + 0.3 * grown
        hope = 0.0 if reckless else (0.5 - 0.4 * courage) * (1 - grown)
        best: tuple[float, Tile] | None = None
        for risk in (min(1.0, 0.3 + 0.4 * (courage + grown)), 0.15, 0.0):
            tile = choose_place(row, values, rng, risk, moving, area)
            if tile is None:
                break
            p = chance_to_fall(from_lower_end(with_tile(row, tile)))
            if best is None or p > best[0]:
                best = (p, tile)
            if p >= hope:
                break
        return None if best is None else _stand_command(best[1])

    def _tries_in(self, phase_id: str) -> int:
        return self._tries[1] if self._tries[0] == phase_id else 0

    def _ballot(self, snapshot: Snapshot) -> Command | None:
        ballot = snapshot["ballot"]
        if not snapshot["may"].get("vote") or ballot["forced"] or ballot["mine"] is not None:
            return None
        sure = self._think(snapshot)[0] > self.character.sure
        return {"type": "vote", "side": "success" if sure else "failure"}

    def _think(self, snapshot: Snapshot) -> tuple[float, bool]:
        """What it believes of this row, and whether it would call: made up once for each row."""
        row, character = from_lower_end(row_of(snapshot)), self.character
        key = (snapshot["round"], row.tiles)
        if self._opinion is None or self._opinion[0] != key:
            rng = self._chance("think", snapshot["round"], row.values, row.tiles[0].pose)
            p = min(0.98, max(0.02, chance_to_fall(row)))
            lean = math.log(p / (1 - p)) + 1.2 * (character.courage - 0.5)
            p = 1 / (1 + math.exp(-lean - character.doubt * float(rng.standard_normal())))
            eager = _eagerness(p, character, len(row.tiles), len(snapshot["seats"]))
            self._opinion = (key, p, bool(rng.random() < eager))
        return self._opinion[1:]

    def _topple(self, snapshot: Snapshot) -> Command | None:
        push, may = snapshot["push"], snapshot["may"]
        if push is None or push["toppler"] != self.seat:
            return None
        if may.get("choose_end"):
            return {"type": "choose_end", "end": "left"}
        alone = not self._is_guest(snapshot)  # where people play, they say it
        if push["state"] == "report" and push.get("picture") and may.get("report") and alone:
            fell = all(tile["state"] == "fallen" for tile in snapshot["row"])
            return {"type": "report", "outcome": "fell" if fell else "stood"}
        if self._held and push["held"]:
            nonce, since_ms = self._held
            if self._now_ms - since_ms < self._hold_ms:
                return None
            if self._now_ms - since_ms < self._hold_ms + _NONCE_MS:
                return {"type": "push", "nonce": nonce}
        now_ms, guide = push.get("now_ms"), push.get("guide")
        if may.get("touch") and now_ms is not None and self._now_ms >= now_ms:
            return {"type": "touch"}
        if guide and guide["seen"] and not guide["right"] and may.get("aim"):
            return {"type": "aim"}
        if may.get("hold"):
            return {"type": "hold", "by_eye": bool(guide and not guide["seen"])}
        if push["state"] == "switch" and may.get("switch"):
            return {"type": "switch", "on": not push["switch"]}
        return None

    def _judge(self, snapshot: Snapshot) -> Command | None:
        verdict, may = snapshot["verdict"], snapshot["may"]
        if verdict is None:
            return None
        if verdict["step"] == "shown" and self._is_guest(snapshot):
            return None
        if may.get("agree") and self.seat not in (verdict.get("agreed") or ()):
            return {"type": "agree"}
        if may.get("table_vote") and self.seat not in (verdict.get("votes") or {}):
            seen = bool(verdict.get("up") or verdict.get("fallen"))
            fell = not verdict.get("up") if seen else verdict["outcome"] == "fell"
            return {"type": "table_vote", "outcome": "fell" if fell else "stood"}
        return None

    def _round_end(self, snapshot: Snapshot) -> Command | None:
        waits = self._is_guest(snapshot) or not snapshot["may"].get("next")
        return None if waits else {"type": "next"}

    def _accident(self, snapshot: Snapshot) -> Command | None:
        """Be nobody's witness: among people it says that it was not itself, and no more.

        Where no people sit, it owns up to what the camera saw.
        """
        culprit, may = snapshot["accident"]["culprit"], snapshot["may"]
        if self._is_guest(snapshot):
            denies = culprit == self.seat and may.get("accident_reject")
            return {"type": "accident_reject"} if denies else None
        own = culprit in (None, self.seat)
        return {"type": "accident_confirm"} if own and may.get("accident_confirm") else None

    def _is_guest(self, snapshot: Snapshot) -> bool:
        """Whether it fills a seat among people, who want to look before things go on."""
        seats = {seat["seat"]: seat["bot"] for seat in snapshot["seats"]}
        return bool(seats.get(self.seat)) and not all(seats.values())

    def _chance(self, *about: Any) -> np.random.Generator:
        """Chance for one decision, the same whenever it is taken."""
        return np.random.default_rng((self._seed, _number(about)))


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


def from_lower_end(row: Chain) -> Chain:
    """The row from the end that would be pushed: the one with the lower value."""
    first, last = row.tiles[0].value or 0, row.tiles[-1].value or 0
    return row if first <= last else row.reversed()


@lru_cache(maxsize=64)
def chance_to_fall(row: Chain) -> float:
    """The predicted chance that a row falls, pushed at its first tile; the same for all bots.

    What is no row to the model, no bot trusts.
    """
    rng = np.random.default_rng(_number([(t.value, t.pose, t.orientation) for t in row.tiles]))
    push = stroke(load_config().pusher, row)
    try:
        return predict(row, push, Friction(), Spread(), rng=rng, runs=RUNS).p_fall
    except ChainError:
        return 0.0


def _eagerness(p: float, character: Character, tiles: int, seats: int) -> float:
    """How likely a bot calls: a row that it doubts, or one that others might, if it bluffs.

    The fewer they are, the more it is up to each.
    """
    grown = min(1.0, (tiles - 1) / 5)
    one_of_three = grown * (0.6 if p <= character.sure else character.bluff)
    return float(1.0 - (1.0 - one_of_three) ** (3.0 / max(1, seats - 1)))


def _stand_command(tile: Tile) -> Command:
    orientation = tile.orientation or Orientation.VERTICAL
    return {
        "type": "stand",
        "value": tile.value,
        "x_mm": round(tile.pose.x_mm, 1),
        "y_mm": round(tile.pose.y_mm, 1),
        "heading_deg": round(math.degrees(tile.pose.heading_rad), 1),
        "orientation": orientation.value,
    }


def _number(about: Any) -> int:
    """A number for anything that can be written down, the same in every process."""
    return int.from_bytes(hashlib.sha256(repr(about).encode()).digest()[:8], "big")


def seated(seat: str, rng: np.random.Generator, hold_s: float) -> Bot:
    """The bot of a seat, with the seat's character; it holds the button for `hold_s`."""
    return Bot(seat, rng.spawn(1)[0], character_of(seat), round(hold_s * 1000))
