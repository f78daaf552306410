"""One whole game with something wrong in every turn and every push; it outlives its own process.

What must not be lost is written to a log that a kill leaves alone: every command before it is sent,
its answer, every stroke of the board, what has really fallen, and the state after every answer.
"""

import hashlib
import json
import os
from contextlib import suppress
from dataclasses import replace

import numpy as np

from rig.games.estimation.terms import Phase, Side
from rig.row.push_events import PushStep
from rig.serialise import to_plain
from rig.session import views
from tests.soak.family import CALLS, Family
from tests.soak.faults import LOST, PUSH_FAULTS, TURN_FAULTS, strike
from tests.soak.rig import WALL_S, SoakRig

LONGEST_S = 3600.0
"""A game that is not over after so long on its own clock will never be."""
MOMENTS = (None, "ARMED", "OUT", "HOLD", "BACK")
"""When something goes wrong with a push: in this state of the board, or whenever it is filmed."""
TABLES = ("wood", "dark", "white", "grey", "felt")


class Log:
    """Lines of JSON; each is with the system before anything else happens.

    Args:
        path: the file, or None to keep them in memory.
    """

    def __init__(self, path=None):
        self._file = None
        self.lines = []
        if path is not None:
            with suppress(FileNotFoundError):
                text = path.read_text()
                self.lines = [json.loads(line) for line in text.splitlines() if line]
            self._file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND)

    def __call__(self, **words):
        self.lines.append(words)
        if self._file is not None:
            os.write(self._file, (json.dumps(words) + "\n").encode())

    def all(self, name):
        """Give every line that has this word."""
        return [line for line in self.lines if name in line]

    def close(self):
        if self._file is not None:
            os.close(self._file)


def fingerprint(table):
    """One text for all that a table remembers."""
    text = json.dumps(to_plain(table), sort_keys=True, default=sorted)
    return hashlib.sha256(text.encode()).hexdigest()


class Game:
    """Plays one game, or plays on where a kill has left it.

    Args:
        path: the journal.
        seed: of the world, the people and the faults.
        log: see above.
        players: how many.
        turn_faults: what may go wrong in a turn; none for a quiet game.
        push_faults: the same while the arm moves.
        once: every kind goes wrong once and no more.
        calls: how likely people call; see `soak_family.CALLS`.
    """

    def __init__(
        self,
        path,
        seed,
        log,
        players=3,
        turn_faults=TURN_FAULTS,
        push_faults=PUSH_FAULTS,
        once=False,
        calls=CALLS,
    ):
        self.log = log
        lives = len(log.all("opened"))
        of_world, of_people, of_faults = ([*seed, lives, n] for n in range(3))
        wall_s = max((line["wall_s"] for line in log.all("wall_s")), default=WALL_S)
        self._told_wall_s = None
        table = TABLES[sum(seed) % len(TABLES)]
        self.rig = SoakRig(path, of_world, log, wall_s, table)
        log(opened=lives, v=self.rig.session.journal.version)
        self.family = self.rig.family = Family(self.rig, of_people, players, log, self._look, calls)
        self.chance = np.random.default_rng(of_faults)
        self.turn_faults, self.push_faults = turn_faults, push_faults
        self.once = once
        self.faults = []
        self.shown = set()
        self.struck = {line["struck"] for line in log.all("struck")}
        self.lost = self.struck & LOST
        self._turn = ""
        self._planned = None
        self._push = 0
        self._in_push = None
        self.rig.camera.before_read = self._while_filming
        if lives:
            self._after_a_kill()
        self.family.sit_down()

    def _after_a_kill(self):
        """What has fallen has fallen, whatever the journal heard of it; phones send again."""
        session, world = self.rig.session, self.rig.world
        last = next((line for line in reversed(self.log.lines) if "world" in line), None)
        if last is not None and last["v"] >= session.journal.version - 1:
            world.load(last["world"])
        for kind in self.lost:
            strike(kind, self.rig, self.chance)
        acked = {line["ack"] for line in self.log.all("ack")}
        for line in self.log.all("send"):
            if line["send"]["id"] not in acked:
                command = {k: v for k, v in line["send"].items() if k != "id"}
                self.family.send(line["device"], command, line["send"]["id"])

    def play(self, until=lambda session: session.table.phase is Phase.GAME_OVER):
        """Play on; say whether it came so far."""
        session = self.rig.session
        end_s = self.rig.clock.monotonic_s() + LONGEST_S
        while not until(session) and self.rig.clock.monotonic_s() < end_s:
            self._fate()
            self.family.act()
            self._note()
            self.rig.step()
        self._note()
        return until(session)

    def _note(self):
        """Write down what has to be so again after a kill."""
        session = self.rig.session
        now = session.moment
        v, table = now.version, now.table
        if not self.log.lines or self.log.lines[-1].get("state") != v:
            self.log(state=v, is_=fingerprint(table), wall_s=self.rig.clock.now_s())

    def _fate(self):
        """Let go wrong what is due, and end what has lasted."""
        self._lift()
        table = self.rig.session.table
        if table.phase is Phase.TURN and table.phase_id != self._turn:
            if self._planned is not None:
                self._strike(self._planned[0])
            self._turn = table.phase_id
            self._planned = None
            kind = self._drawn(self.turn_faults)
            if kind is not None:
                self._planned = (kind, int(self.chance.integers(7)))
        if self._planned is not None:
            kind, wait = self._planned
            self._planned = (kind, wait - 1) if wait else None
            if not wait:
                self._strike(kind)
        if self._in_push is not None and not self._is_asked():
            kind, self._in_push = self._in_push[0], None
            self._strike(kind)

    def _is_asked(self):
        """Whether a push was asked for whose end is not known; what goes wrong with it is drawn."""
        attempt = self.rig.session.table.attempt
        if attempt is None or attempt.step is not PushStep.REQUESTED:
            return False
        kind = self._drawn(self.push_faults)
        if attempt.number > self._push and kind is not None:
            when = MOMENTS[int(self.chance.integers(len(MOMENTS)))]
            self._in_push = (kind, when, int(self.chance.integers(3 if when else 12)))
        self._push = max(self._push, attempt.number)
        return True

    def _while_filming(self):
        """At every reading of the camera: a fault of a push may be due in the middle of it."""
        self._lift()
        if not self._is_asked():
            return
        if self._in_push is not None:
            kind, when, wait = self._in_push
            if when in (None, self.rig.pusher.board.state):
                self._in_push = (kind, when, wait - 1) if wait else None
                if not wait:
                    self._strike(kind, during=when or "push")
        if self.rig.session.live.now_ms is not None:
            self.family.watch()

    def _drawn(self, kinds):
        """Draw what goes wrong; nothing happens to what is gone for good."""
        gone = [k.partition(" ")[0] for k in self.lost]
        kinds = [k for k in kinds if not (self.once and k in self.struck)]
        kinds = [k for k in kinds if k.partition(" ")[0] not in gone]
        return kinds[int(self.chance.integers(len(kinds)))] if kinds else None

    def _strike(self, kind, during="turn"):
        self.log(struck=kind, during=during, phase=self.rig.session.table.phase.value)
        self.struck.add(kind)
        self.lost |= {kind} & LOST
        self.faults.append(strike(kind, self.rig, self.chance))

    def _lift(self):
        now_s = self.rig.clock.monotonic_s()
        over = [fault for fault in self.faults if now_s >= fault.until_s]
        self.faults = [fault for fault in self.faults if fault not in over]
        for fault in over:
            fault.lift()

    def _look(self, view, device):
        """Look for what this phone must not know, and note what it tells of trouble."""
        for of, key in (("reading", "state"), ("push", "state"), ("sight", "kind")):
            if view[of] is not None:
                self.shown.add(view[of][key])
        self.shown.update((view["phase"], *view["devices"]["lost"]))
        session = self.rig.session
        table = session.table
        text = json.dumps(view)
        others = [d for d in self.family.devices if d != device]
        if any(secret and secret in text for secret in (table.host_secret, *others)):
            self.log(leak=f"{device} sees a secret", phase=table.phase.value)
        if table.phase in (Phase.BALLOT, Phase.COUNTDOWN):
            self._look_at_ballots(view, device)

    def _look_at_ballots(self, view, device):
        """A phone must show the same, whichever side the others have chosen."""
        session, machine = self.rig.session, self.rig.machine
        mine = view["you"]["seat"]
        status = machine.pusher_status()
        machine.pusher_status = lambda: status  # over a bad line it says something else every time
        now = session.moment
        table = now.table
        turned = {
            seat: side if seat == mine or seat in table.game.forced else Side(side).other
            for seat, side in table.game.ballots.items()
        }
        other = replace(now, table=replace(table, game=replace(table.game, ballots=turned)))
        who = views.audience(now.table, device, "phone")
        before, after = views.snapshot(now, who), views.snapshot(other, who)
        del machine.pusher_status
        told = [key for key in before if key != "now_ms" and before[key] != after[key]]
        if told:
            what = f"{device} sees by {told} which side the others chose"
            self.log(leak=what, phase=table.phase.value)

    def close(self):
        self.log(stuck=self.family.stuck)
        self.rig.close()
