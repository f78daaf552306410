"""Power cuts at random moments under load: what was answered is kept, what is sealed stays so."""

import hashlib
import json
import random
import tempfile
import threading
import time
from functools import reduce
from pathlib import Path
from typing import Any

from rig.config import load_config
from rig.games.estimation.game import Game, Options
from rig.games.estimation.table.estimation_play import apply, from_record
from rig.games.estimation.table.estimation_table import EstimationTable
from rig.journal import Journal
from tests.bench.web_phones import Phone, seat
from tests.bench.web_process import Stack
from tests.bench.web_stacks import fingerprint

KILLS = 200
PLAYERS = 4
A_JOURNAL = 25
"""Kills that one journal sees; then another table begins."""
LONGEST_S = 0.25
"""A kill comes within this time of the restart."""


class Hand:
    """One player's thumb: does whatever the rules let it, and remembers every answer."""

    def __init__(self, phone: Phone, chance: random.Random) -> None:
        self.phone = phone
        self.chance = chance
        self.heard = threading.Semaphore(0)
        self.answered: list[tuple[str, dict[str, Any]]] = []
        self.open: tuple[str, bytes] | None = None
        self.ballot: tuple[str, str] | None = None

    def play(self, over: threading.Event) -> None:
        """Go on until the server is gone."""
        try:
            while not over.is_set():
                self.finish()
                command = self.wish(self.phone.state())
                if command is not None:
                    cmd_id = f"{self.chance.getrandbits(64):016x}"
                    self.open = (cmd_id, self.phone.request(id=cmd_id, **command))
        except (OSError, ValueError):
            self.phone.hang_up()

    def finish(self) -> None:
        """Send what has no answer yet, with the id it had."""
        if self.open is None:
            return
        cmd_id, request = self.open
        answer = self.phone.ask(request)
        reply = dict(answer.json)
        self.open = None
        if reply["ok"]:
            self.answered.append((cmd_id, reply))
            sent = json.loads(request.partition(b"\r\n\r\n")[2])
            if sent["type"] == "vote":
                self.ballot = (sent["phase_id"], sent["side"])
            self.heard.release()

    def wish(self, view: dict[str, Any]) -> dict[str, Any] | None:
        """Give a command that fits what this phone sees."""
        now = {"phase_id": view["phase_id"]}
        mine = view["active"] == self.phone.seat
        match view["phase"]:
            case "TURN" if mine and (view["reading"] or {}).get("state") == "proposal":
                return {"kind": "confirm", **now}
            case "TURN" if mine and view["supply"]:
                x_mm = min(tile["x_mm"] for tile in view["row"]) - 20.0
                where = {"x_mm": x_mm, "y_mm": 210.0, "heading_deg": 0.0}
                value = self.chance.choice(view["supply"])
                return {"kind": "stand", "value": value, "orientation": "vertical", **where, **now}
            case "TURN" if view["may"].get("call") and self.chance.random() < 0.2:
                return {"kind": "call", **now}
            case "BALLOT" if view["may"].get("vote") and self.chance.random() < 0.25:
                side = self.chance.choice(("success", "failure"))
                return {"kind": "vote", "side": side, **now}
            case "TOPPLE" if view["may"].get("report"):
                return {"kind": "report", "outcome": self.chance.choice(("fell", "stood")), **now}
            case "JUDGE" if self.phone.seat == "s1":
                return {"kind": "void", "reason": "the next one", **now}
            case "ROUND_END":
                return {"kind": "next", **now}
            case "GAME_OVER":
                return {"kind": "rematch"}
            case "LOBBY" if self.phone.seat == "s1" and view["may"].get("start"):
                return {"kind": "start", "first": "s1"}
            case "LOBBY":
                return {"kind": "ready", "on": True}
        return {"kind": "rename", "name": f"{self.phone.seat} {self.chance.randrange(10**6)}"}


class Evening:
    """One journal through many power cuts, and what came of it."""

    def __init__(self, path: Path, seed: int) -> None:
        self.path = path
        self.chance = random.Random(seed)
        self.hands: list[Hand] = []
        self.checked = 0
        self.replayed: dict[int, str] = {}
        self.table = EstimationTable(game=Game(options=Options.parse(load_config().rules)))
        self.counts = {"answered": 0, "kept": 0, "states": 0, "equal": 0, "ballots": 0, "sealed": 0}
        self.restarts_s: list[float] = []

    def cut(self, answers: int = 0) -> None:
        """Serve, play, pull the plug, and look at what is left.

        Args:
            answers: so many come first, however long this machine takes for them.
        """
        heard = threading.Semaphore(0)
        begun_s = time.monotonic()
        with Stack("ours", "--journal", str(self.path)) as stack:
            self.restarts_s.append(time.monotonic() - begun_s)
            for hand in self.hands:
                hand.phone.port = stack.port
            if not self.hands:
                phones = seat(stack.port, PLAYERS)
                self.hands = [Hand(each, random.Random(self.chance.random())) for each in phones]
            for hand in self.hands:
                hand.heard = heard
            self.look_at_ballots()
            over = threading.Event()
            threads = [threading.Thread(target=hand.play, args=(over,)) for hand in self.hands]
            for thread in threads:
                thread.start()
            time.sleep(self.chance.uniform(0.01, LONGEST_S))
            for _ in range(answers):
                assert heard.acquire(timeout=120), "nobody is answered any more"
            said = stack.kill()
            over.set()
            for thread in threads:
                thread.join()
        self.look_at_journal(said)

    def look_at_ballots(self) -> None:
        """After a restart: whoever voted has their ballot, and nobody else sees a side."""
        for hand in self.hands:
            view = hand.phone.state()
            if view["phase"] != "BALLOT" or hand.ballot is None or hand.open is not None:
                continue
            phase_id, side = hand.ballot
            if phase_id != view["phase_id"]:
                continue
            screen = json.dumps(hand.phone.state("table")["ballot"])
            hidden = "success" not in screen and "failure" not in screen
            self.counts["ballots"] += 1
            self.counts["sealed"] += hidden and view["ballot"]["mine"] == side

    def look_at_journal(self, said: list[str]) -> None:
        """Replay what is new; compare with what the server said, and with every answer."""
        journal = Journal(self.path)
        try:
            by_version: dict[int, list[Any]] = {}
            for record in journal.events(self.checked):
                by_version.setdefault(record.v, []).append(from_record(record))
            for v in sorted(by_version):
                self.table = reduce(apply, by_version[v], self.table)
                self.replayed[v] = fingerprint(self.table)
                self.checked = v
            for line in said:
                version, _, told = line.strip().partition(" ")
                if len(told) == 64:
                    self.counts["states"] += 1
                    self.counts["equal"] += self.replayed.get(int(version)) == told
            for hand in self.hands:
                token = hand.phone.cookie.partition("=")[2].partition(".")[0]
                device = hashlib.sha256(token.encode()).hexdigest()[:32]
                for cmd_id, reply in hand.answered:
                    kept = journal.reply(device, cmd_id)
                    self.counts["answered"] += 1
                    self.counts["kept"] += kept == {k: reply[k] for k in reply if k != "dup"}
                hand.answered.clear()
        finally:
            journal.close()


def measure(part: float = 1.0) -> None:
    """Print what was lost in 200 power cuts."""
    kills = max(10, round(KILLS * part))
    totals: dict[str, int] = {}
    restarts_s: list[float] = []
    for begun in range(0, kills, A_JOURNAL):
        with tempfile.TemporaryDirectory() as folder:
            evening = Evening(Path(folder) / "table.sqlite3", begun)
            for _ in range(min(A_JOURNAL, kills - begun)):
                evening.cut()
            restarts_s += evening.restarts_s
            for name, count in evening.counts.items():
                totals[name] = totals.get(name, 0) + count
    restarts_s.sort()
    print(
        f"\n{kills} kills (-9) under load: {totals['kept']} of {totals['answered']} answered "
        f"commands kept, {totals['equal']} of {totals['states']} states replayed as they were "
        f"live, {totals['sealed']} of {totals['ballots']} open ballots kept and sealed (must be "
        f"all); start p50 {restarts_s[len(restarts_s) // 2]:.2f} s"
    )
