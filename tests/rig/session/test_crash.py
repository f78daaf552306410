"""A power cut at any moment: what was answered is kept, what is sealed stays so, nothing moves."""

import hashlib
import json
import random
import subprocess
import sys
import time
from functools import reduce
from pathlib import Path

import numpy as np
import pytest

from rig.clock import ManualClock
from rig.games.estimation.game import Game, Options
from rig.games.estimation.table.estimation_play import apply, from_record
from rig.games.estimation.table.estimation_table import EstimationTable
from rig.machine.loop import Machine, Rig
from rig.pusher.virtual import VirtualPusher
from rig.row.push_events import PushRequested, PushStep
from rig.row.row_live import Reading
from rig.row.row_table import RowRead
from rig.row.written_row import standing
from rig.serialise import to_plain
from rig.virtual.table import VirtualTable
from rig.virtual.world import PymunkWorld
from tests.support.sessions import session_on
from vision.look.track import Tracker

DEVICES = ("ana", "bo", "cy")


class NoCamera:
    """A camera that nobody looks through: the script says what is read."""

    def close(self):
        pass


def open_all(path):
    """Open a journal with the pretend table and pusher behind it; the machine's thread rests."""
    clock, rng = ManualClock(), np.random.default_rng(3)
    numbers = random.Random(str(path))
    session = session_on(path, clock, nonce=lambda: f"{numbers.getrandbits(128):032x}")
    virtual = VirtualTable(PymunkWorld(rng), clock, rng)
    rig = Rig(NoCamera(), None, Tracker(), VirtualPusher(clock, rng), virtual)
    return session, Machine(session, rig)


def fingerprint(table):
    text = json.dumps(to_plain(table), sort_keys=True, default=sorted)
    return hashlib.sha256(text.encode()).hexdigest()


def rounded(world):
    """The same to a millionth: degrees in the journal are radians on the table."""
    return json.loads(json.dumps(world), parse_float=lambda text: round(float(text), 6))


class Script:
    """Plays rounds up to a push that is asked for, again and again; tells every answer."""

    def __init__(self, path, seed):
        self.session, self.machine = open_all(path)
        self.chance = random.Random(seed)
        self.number = 0

    def do(self, device, kind, **fields):
        self.number += 1
        command = {"id": f"c{self.number}", "type": kind, **fields}
        reply = self.session.submit(device, {"phase_id": self.session.table.phase_id, **command})
        assert reply["ok"], reply
        told = {"device": device, "command": command, "v": reply["v"]}
        told["table"] = fingerprint(self.session.table)
        told["world"] = self.machine.rig.virtual.state()
        print(json.dumps(told), flush=True)
        return reply

    def later(self, seconds):
        self.session.clock.advance(seconds)
        while self.session.tick() == 0.0:
            pass

    def play(self):
        marks = ("circle", "square", "star")
        for device, mark in zip(DEVICES, marks, strict=True):
            self.do(device, "sit", name=device, mark=mark)
            self.do(device, "ready", on=True)
        self.do("ana", "start", first="s1")
        while True:
            self.round()

    def round(self):
        session, virtual = self.session, self.machine.rig.virtual
        session.commit([RowRead(tuple(standing(t, t.value) for t in virtual.truth()))], "camera")
        for n in range(self.chance.randint(1, 4)):
            seat = session.game.active
            device = session.table.player(seat).device
            value = self.chance.choice(session.game.supply)
            place = {"y_mm": 210.0, "heading_deg": 0.0, "orientation": "vertical"}
            self.do(device, "stand", value=value, x_mm=270.0 - 30.0 * n, **place)
            tiles = virtual.truth()
            at = [t.value for t in tiles].index(value)
            session.read(Reading("proposal", tiles[at], at, tiles))
            self.do(device, "confirm")
        placer = session.table.player(session.game.placer).device
        others = [device for device in DEVICES if device != placer]
        self.do(self.chance.choice(others), "call")
        for device in others:
            self.do(device, "vote", side="failure" if device == others[0] else "success")
        self.later(2.5)
        self.later(8.1)
        session.update(clear=True)
        self.do(placer, "switch", on=True)
        nonce = self.do(placer, "hold")["nonce"]
        session.clock.advance(1.5)
        self.do(placer, "push", nonce=nonce)
        self.do(placer, "switch", on=False)
        session.update(push_due=None)
        self.do("ana", "void", reason="again")


def killed(path, seed, kind, count, more_s):
    """Have a process play, and kill it so long after an answer; give the answers that it gave."""
    child = subprocess.Popen(
        [sys.executable, "-m", "tests.rig.session.test_crash", str(path), str(seed)],
        cwd=Path(__file__).parents[3],
        stdout=subprocess.PIPE,
        text=True,
    )
    with child:
        told = []
        while count:
            told.append(child.stdout.readline())
            count -= json.loads(told[-1])["command"]["type"] == kind
        until_s = time.perf_counter() + more_s
        while time.perf_counter() < until_s:
            pass
        child.kill()
        told += child.stdout.read().splitlines(keepends=True)
    assert child.returncode == -9
    return [json.loads(line) for line in told if line.endswith("\n")]


@pytest.mark.parametrize(
    ("seed", "kind", "count", "more_s"),
    [
        (0, "ready", 2, 0.0),
        (1, "stand", 3, 0.001),
        (2, "vote", 3, 0.0),
        (3, "push", 1, 0.0),
        (4, "push", 3, 0.0),
        (5, "void", 5, 0.003),
    ],
)
def test_after_a_kill_the_table_goes_on_where_it_was(tmp_path, seed, kind, count, more_s):
    path = tmp_path / "table.sqlite3"
    answers = killed(path, seed, kind, count, more_s)
    session, machine = open_all(path)
    events = [from_record(record) for record in session.journal.events()]
    empty = EstimationTable(game=Game(options=Options.parse(session.config.rules)))

    last = answers[-1]
    at_last_answer = reduce(apply, events[: last["v"]], empty)
    assert fingerprint(at_last_answer) == last["table"]
    assert at_last_answer.world is None or at_last_answer.world == last["world"]
    assert session.table == reduce(apply, events, empty)
    if session.table.world is not None:
        assert rounded(machine.rig.virtual.state()) == rounded(session.table.world)

    version = session.journal.version
    for answer in answers:
        reply = session.submit(answer["device"], answer["command"])
        assert (reply["ok"], reply["dup"], reply["v"]) == (True, True, answer["v"])
    assert session.journal.version == version

    attempt = session.table.attempt
    asked = [event.number for event in events if isinstance(event, PushRequested)]
    assert asked == list(range(1, len(asked) + 1))
    assert attempt is None or attempt.step is PushStep.UNKNOWN
    assert session.live.push_due is None
    machine._guarded_step()
    assert machine.rig.pusher.status().strokes == 0

    if session.table.phase in ("BALLOT", "COUNTDOWN"):
        placer = session.game.placer
        for device in (*DEVICES, "stranger"):
            view = session.view(device)
            ballot = view.pop("ballot")
            assert view["reveal"] is None
            assert '"failure"' not in json.dumps(view)
            assert ballot["mine"] in (session.game.ballots.get(view["you"]["seat"]), None)
            assert ballot["mine"] == "success" or view["you"]["seat"] != placer
    session.close()


if __name__ == "__main__":
    Script(Path(sys.argv[1]), int(sys.argv[2])).play()
