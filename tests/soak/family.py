"""The people of a soak: sensible, with a phone each and with eyes for what lies on the table.

What they do is a command that a phone could send, but for one finger that pushes where nobody
films it. They put back what the referee asks for, free the pusher, answer what nobody saw, say
whose accident it was, and object where the camera is wrong.
"""

from itertools import count

import numpy as np

from rig.games.estimation.story.bot import row_of
from rig.games.estimation.story.bot_placing import choose_place
from rig.session.state import MARKS

LOOK_S, FREE_S, STUCK_S = 20.0, 60.0, 240.0
"""After so long without anything new they stand the tile anew, take it back, void the round."""
BLINK_S = 4.0
"""So long people wait for the camera to see what they see."""
RECKLESS = 0.5
CALLS = (0.0, 0.1, 0.2, 0.3, 0.5)
"""How likely somebody calls, by the length of the row; the last for all longer rows."""


class Person:
    """One seat.

    Args:
        seat: which.
        chance: their own, a numpy generator.
        eyes: tells which tiles are down.
        now_s: the watch on their wrist.
        finger: pushes a tile.
        calls: see `CALLS`.
    """

    def __init__(self, seat, chance, eyes, now_s, finger, calls=CALLS):
        self.seat = seat
        self._chance = chance
        self._eyes = eyes
        self._now_s = now_s
        self._finger = finger
        self._calls = calls
        self._pushed = ""
        self._down_s = None
        self._stood = ("", 0, 0.0)
        self._tries = ("", 0)
        self._called = ""
        self._held = None
        self._seen_s = (None, 0.0)

    def wish(self, view):
        """Say what to send now; None for nothing."""
        if view["paused_by"] is not None:
            return {"type": "pause", "on": False} if view["may"]["pause"] else None
        now = [view["phase_id"], *((view[of] or {}).get("state") for of in ("reading", "push"))]
        if self._seen_s[0] != now:
            self._seen_s = (now, self._now_s())
        decide = getattr(self, f"_{view['phase'].lower()}", None)
        command = self._row(view) or (decide(view) if decide else None)
        return command or self._impatient(view)

    def point(self, view):
        """Push with one finger where it is time to: on the phone if it is filmed, else by hand."""
        if view["phase"] != "TOPPLE" or view["push"]["toppler"] != self.seat:
            return None
        push = view["push"]
        filmed = push["state"] == "finger" and view["may"]["touch"]
        alone = push["kind"] == "hand" and push["state"] == "ready"
        if self._pushed == _of(view) or self._down(view):
            return None
        if filmed and push["now_ms"] <= view["now_ms"]:
            self._pushed = _of(view)
            return {"type": "touch"}
        if alone:
            self._pushed = _of(view)
            self._finger(push["value"])
        return None

    def _row(self, view):
        """What is to be said of a row that is not as it should be."""
        may, down = view["may"], self._down(view)
        if may.get("row_is_right") and not down:
            return {"type": "row_is_right", "right": True}
        mishap = view["phase"] in ("TURN", "BALLOT") and down
        if view["phase"] == "TOPPLE" and view["push"]["state"] in ("switch", "ready", "fault"):
            mishap = down and self._pushed != _of(view)
        if not mishap:
            self._down_s = None
            return None
        self._down_s = self._now_s() if self._down_s is None else self._down_s
        if self._now_s() - self._down_s < BLINK_S:
            return None
        self._down_s = self._now_s()
        if may.get("lone_tile"):
            return {"type": "lone_tile_fell"}
        others = [s["seat"] for s in view["seats"] if s["seat"] not in (self.seat, view["toppler"])]
        culprit = others[0] if others else None
        return {"type": "accident", "culprit": culprit} if may.get("accident") else None

    def _down(self, view):
        """Which tiles of the row lie on the table."""
        row = [t["value"] for t in view["row"]]
        return [value for value in self._eyes() if value in row]

    def hear(self, command, reply):
        """Learn what became of it."""
        kind, done = command["type"], bool(reply["ok"])
        if kind == "stand":
            phase_id = command["phase_id"]
            tries = self._tries[1] if self._tries[0] == phase_id else 0
            self._tries = (phase_id, tries + 1)
            if done:
                self._stood = (phase_id, command["value"], self._now_s())
        elif kind == "take_back":
            self._stood = ("", 0, 0.0)
        elif kind == "hold":
            self._held = (reply["nonce"], self._now_s()) if done else None
        elif kind == "push":
            self._held = None

    def _lobby(self, view):
        mine = next((s for s in view["seats"] if s["seat"] == self.seat), None)
        if mine and not mine["ready"]:
            return {"type": "ready", "on": True}
        return {"type": "start"} if view["may"]["start"] else None

    def _turn(self, view):
        may, phase_id = view["may"], view["phase_id"]
        if may.get("consent_row"):
            return {"type": "consent_row"}
        if may.get("call") and self._called != phase_id:
            self._called = phase_id
            if self._chance.random() < self._calls[min(len(view["row"]), len(self._calls)) - 1]:
                return {"type": "call"}
        if not may.get("stand"):
            return None
        reading = view["reading"] or {"state": "waiting", "tile": None}
        in_turn, value, since_s = self._stood
        if in_turn != phase_id:
            return self._stand(view) if reading["state"] == "waiting" else self._put_right(view)
        if reading["state"] == "waiting" and self._now_s() - since_s > LOOK_S:
            return self._stand(view)
        return self._check(value, view)

    def _check(self, value, view):
        reading, may = view["reading"], view["may"]
        state, tile, position = reading["state"], reading["tile"], reading["position"]
        if tile is None:
            return None
        if state == "proposal" and tile["value"] == value and may.get("confirm"):
            return {"type": "confirm"}
        believed = state == "unsure" or state == "proposal" or self._tries[1] >= 4
        if believed and may.get("correct") and position is not None:
            return {"type": "correct", "value": value, "position": position}
        return {"type": "take_back"} if may.get("take_back") else None

    def _put_right(self, view):
        """A tile stands there that this phone knows nothing of: it was there before a restart."""
        tile = view["reading"]["tile"]
        if tile is None or tile["value"] is None:
            return None
        return self._check(tile["value"], view)

    def _stand(self, view):
        row = row_of(view)
        moving = not view["supply"]
        values = [t.value for t in row.tiles[1:-1]] if moving else view["supply"]
        area = (view["area"]["x"][1], view["area"]["y"][1])
        tile = choose_place(row, values, self._chance, RECKLESS, moving, area)
        if tile is None:
            return None
        return {
            "type": "stand",
            "value": tile.value,
            "x_mm": round(tile.pose.x_mm, 1),
            "y_mm": round(tile.pose.y_mm, 1),
            "heading_deg": round(float(np.degrees(tile.pose.heading_rad)), 1),
            "orientation": tile.orientation.value,
        }

    def _ballot(self, view):
        ballot = view["ballot"]
        if not view["may"].get("vote") or ballot["forced"]:
            return None
        if ballot["mine"] is not None:
            return None
        return {"type": "vote", "side": str(self._chance.choice(["success", "failure", "failure"]))}

    def _topple(self, view):
        push, may, row, down = view["push"], view["may"], view["row"], self._down(view)
        if may.get("resolve"):
            outcome = "void" if not down else "fell" if len(down) == len(row) else "stood"
            return {"type": "resolve", "outcome": outcome}
        hands = push["hands"]
        if hands and hands["estop"]:
            return {"type": "estop", "pressed": False}
        if hands and any(hands["beams"]):
            return {"type": "beam", "beam": hands["beams"].index(True), "broken": False}
        if may.get("clear_stop"):
            return {"type": "clear_stop"}
        if may.get("homed"):  # a hand has put it there
            return {"type": "homed", "away": push["away"]}
        pushed = push["state"] in ("looking", "report") or self._pushed == _of(view)
        if pushed and push["state"] != "finger" and down and may.get("report"):
            return {"type": "report", "outcome": "fell" if len(down) == len(row) else "stood"}
        if push["state"] == "report" and may.get("report"):
            return {"type": "report", "outcome": "stood"}
        if push["toppler"] != self.seat:
            return None
        if may.get("choose_end"):
            return {"type": "choose_end", "end": "left"}
        if self._held and push["held"]:
            nonce, since_s = self._held
            held_s = self._now_s() - since_s
            if held_s < 1.5:
                return None
            if held_s < 5.0:
                return {"type": "push", "nonce": nonce}
        if may.get("hold"):
            return {"type": "hold"}
        if push["state"] == "switch" and may.get("switch"):
            return {"type": "switch", "on": not push["switch"]}
        return None

    def _judge(self, view):
        verdict, may, row = view["verdict"], view["may"], [t["value"] for t in view["row"]]
        fell = set(row) <= set(self._eyes())
        right = (verdict["outcome"] == "fell") == fell
        if may.get("table_vote") and self.seat not in (verdict["votes"] or {}):
            return {"type": "table_vote", "outcome": "fell" if fell else "stood"}
        if not right and may.get("object"):
            return {"type": "object"}
        if right and may.get("agree") and self.seat not in verdict["agreed"]:
            return {"type": "agree"}
        if verdict["step"] not in ("shown", "vote") and may.get("report"):
            return {"type": "report", "outcome": "fell" if fell else "stood"}
        return None

    def _round_end(self, view):
        return {"type": "next"} if view["may"].get("next") else None

    def _accident(self, view):
        row = {t["value"] for t in view["row"]}
        happened = bool(row & set(self._eyes()))
        kind = "accident_confirm" if happened else "accident_reject"
        return {"type": kind} if view["may"].get(kind) else None

    def _impatient(self, view):
        """Nothing to do, and nothing new for long: look again, and at last begin the round anew."""
        waited_s, may = self._now_s() - self._seen_s[1], view["may"]
        if waited_s > STUCK_S and may.get("void"):
            self._seen_s = (None, 0.0)
            return {"type": "void", "reason": "stuck"}
        if waited_s > FREE_S and may.get("take_back") and view["phase"] == "TURN":
            self._seen_s = (self._seen_s[0], self._now_s() - FREE_S + LOOK_S)
            return {"type": "take_back"}
        return None


def _of(view):
    """Which push a view is about."""
    return f"{view['phase_id']} {view['push']['why']}"


class Family:
    """Everybody at the table, with a phone each.

    Args:
        rig: the table.
        seed: their chance.
        players: how many.
        log: hears every command before it is sent, and its answer.
        heard: called with every view, and whose it is.
        calls: see `CALLS`.
    """

    def __init__(self, rig, seed, players, log, heard=lambda view, device: None, calls=CALLS):
        chances = [np.random.default_rng(s) for s in np.random.SeedSequence(seed).spawn(players)]
        now_s = rig.clock.monotonic_s
        self.rig, self.log, self.heard = rig, log, heard
        self.devices = [f"phone-{i + 1}" for i in range(players)]
        self.people = [
            Person(f"s{i + 1}", chance, lambda: rig.down, now_s, rig.poke, calls)
            for i, chance in enumerate(chances)
        ]
        self._numbers = count()
        self._salt = str(seed)
        self.stuck = []

    def sit_down(self):
        """Take the seats, where they are free."""
        for i, device in enumerate(self.devices):
            self.rig.session.connected(device, True)
            if self.rig.session.table.by_device(device) is None:
                self.send(device, {"type": "sit", "name": f"Player {i + 1}", "mark": MARKS[i]})

    def act(self):
        """Let everybody look at the phone once, whoever is to place last."""
        session = self.rig.session
        active = session.game.active
        pairs = sorted(
            zip(self.devices, self.people, strict=True), key=lambda pair: pair[1].seat == active
        )
        for device, person in pairs:
            view = session.view(device)
            self.heard(view, device)
            command = person.point(view) or person.wish(view)
            if command is not None:
                sent = {"phase_id": view["phase_id"], **command}
                if command["type"] == "void":
                    self.stuck.append(
                        [
                            view["phase"],
                            *((view[of] or {}).get("state") for of in ("reading", "push")),
                            view["fault"],
                        ]
                    )
                person.hear(sent, self.send(device, sent))

    def watch(self):
        """Look up while the machine films, for whoever has to push with a finger."""
        toppler = self.rig.session.game.toppler
        for device, person in zip(self.devices, self.people, strict=True):
            if person.seat != toppler:
                continue
            view = self.rig.session.view(device)
            command = person.point(view)
            if command is not None:
                self.send(device, {"phase_id": view["phase_id"], **command})

    def send(self, device, command, cmd_id=""):
        """Send a command from a phone."""
        command = {"id": cmd_id or f"{self._salt}-{next(self._numbers)}", **command}
        self.log(send=command, device=device)
        reply = self.rig.session.submit(device, command)
        if reply["ok"] or cmd_id:
            self.log(ack=command["id"], device=device, reply=reply)
        return reply
