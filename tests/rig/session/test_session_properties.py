"""Whatever phones send and the camera reads, the session answers, keeps its secrets and its log."""

import json
import os
import tempfile
from functools import reduce
from itertools import count
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from physics.row.pose import Pose
from physics.row.tile import Orientation, Tile
from rig.games.estimation.game import Game, Options
from rig.games.estimation.table.estimation_play import PLAY, apply, from_record
from rig.games.estimation.table.estimation_table import EstimationTable
from rig.journal import Journal
from rig.row.push_events import PushRequested, Standing
from rig.row.row_live import Reading
from rig.row.row_table import RowRead
from rig.session.commands import all_commands
from tests.support.sessions import session_on

EXAMPLES = int(os.environ.get("DOMINO_EXAMPLES", "30"))
"""How many scripts are played; more of them find more, some hundred a minute."""
DEVICES = ("ana", "bo", "cy", "stranger")
VIEWERS = (
    ("ana", "phone"),
    ("bo", "phone"),
    ("cy", "phone"),
    ("stranger", "phone"),
    (None, "table"),
)

wild = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.just(10**400),
    st.floats(),
    st.text(max_size=8),
    st.sampled_from(["\ud800", "\u202e", "s1", "s9", "", "\x00", "fell", "failure", "left"]),
    st.lists(st.integers(-3, 12), max_size=4),
    st.just({"a": [None]}),
)
FIELDS = ("name", "mark", "on", "seat", "to", "first", "value", "x_mm", "y_mm", "heading_deg")
FIELDS += (
    "orientation",
    "position",
    "side",
    "nonce",
    "outcome",
    "culprit",
    "reason",
    "order",
    "end",
    "for",
    "options",
    "ballot",
    "turn",
    "ballot_s",
    "no_hurry",
)
nonsense = st.fixed_dictionaries(
    {"type": st.one_of(st.sampled_from(sorted(all_commands(PLAY.commands))), wild)},
    optional=dict.fromkeys(FIELDS, wild) | {"id": wild, "phase_id": wild},
)
sensible = st.sampled_from(
    [
        {"type": "call"},
        {"type": "vote", "side": "failure"},
        {"type": "vote", "side": "success"},
        {"type": "confirm"},
        {"type": "switch", "on": True},
        {"type": "hold"},
        {"type": "push"},
        {"type": "stop"},
        {"type": "clear_stop"},
        {"type": "pause", "on": True},
        {"type": "pause", "on": False},
        {"type": "accident", "culprit": "s2"},
        {"type": "accident_confirm"},
        {"type": "accident_reject"},
        {"type": "void", "reason": "x"},
        {"type": "undo", "reason": "x"},
        {"type": "correct_verdict", "reason": "x"},
        {"type": "skip", "seat": "s2"},
        {"type": "vote", "side": "success", "for": "s3"},
        {"type": "confirm", "for": "s2"},
        {"type": "set_timers", "ballot": "hard", "turn": "soft"},
        {"type": "longer"},
        {"type": "phones_sound", "on": True},
        {"type": "report", "outcome": "fell"},
        {"type": "agree"},
        {"type": "object"},
        {"type": "next"},
        {"type": "leave"},
        {"type": "start"},
        {"type": "rematch"},
        {"type": "call", "phase_id": "0.0.TURN"},
    ]
)
sent = st.tuples(st.just("send"), st.sampled_from(DEVICES), st.one_of(sensible, nonsense))
again = st.tuples(st.just("again"), st.integers(0, 5), st.none())
read = st.tuples(st.just("read"), st.integers(-1, 12), st.integers(0, 12))
later = st.tuples(st.just("later"), st.sampled_from([0.1, 1.5, 3.0, 9.0]), st.none())
# A turn that gets as far as the push, with whatever else comes between its commands.
TURN = [
    ("read", 3, 0),
    ("send", "ana", {"type": "confirm"}),
    ("send", "bo", {"type": "call"}),
    ("send", "bo", {"type": "vote", "side": "failure"}),
    ("send", "cy", {"type": "vote", "side": "success"}),
    ("later", 3.0, None),
    ("later", 3.0, None),
    ("send", "ana", {"type": "switch", "on": True}),
    ("send", "ana", {"type": "hold"}),
    ("later", 1.5, None),
    ("send", "ana", {"type": "push"}),
    ("send", "ana", {"type": "push"}),
]
between = st.lists(st.one_of(sent, again, read, later), max_size=3)
script = st.tuples(
    st.lists(between, min_size=len(TURN), max_size=len(TURN)),
    st.lists(st.one_of(sent, again, read, later), max_size=10),
).map(
    lambda pair: (
        [step for s, more in zip(TURN, pair[0], strict=True) for step in (*more, s)] + pair[1]
    )
)


class Player:
    """Plays a script against a session and checks it at every step."""

    def __init__(self, session, machine):
        self.session, self.machine = session, machine
        self.ids = count()
        self.past = []
        self.nonce = ""
        self.looked = None

    def play(self, step):
        kind, first, second = step
        if kind == "send":
            self.send(first, second)
        elif kind == "again" and self.past:
            device, command, reply = self.past[-1 - first % len(self.past)]
            answer = self.session.submit(device, command)
            assert answer == {**reply, "dup": True} if reply["ok"] else "ok" in answer
        elif kind == "read":
            self.read(first, second)
        elif kind == "later":
            self.session.clock.advance(first)
            while self.session.tick() == 0.0:
                pass

    def send(self, device, fields):
        session = self.session
        command = {"id": f"c{next(self.ids)}", "phase_id": session.table.phase_id, **fields}
        if fields["type"] == "push":
            command.setdefault("nonce", self.nonce)
        version, table = session.journal.version, session.table
        reply = session.submit(device, command)
        assert json.loads(json.dumps(reply)) == reply
        if reply["ok"]:
            self.past.append((device, command, reply))
            self.nonce = reply.get("nonce", self.nonce)
        else:
            assert (session.journal.version, session.table) == (version, table)
            assert reply["message"]
        if fields["type"] == "stop" and table.by_device(device) and _is_id(command["id"]):
            assert self.machine.pusher.status().state == "ESTOP"

    def read(self, value, position):
        row = list(self.session.game.row)
        if not row:
            return
        if not self.session.table.row:
            self.see_row(row)
        row.insert(min(position, len(row)), value)
        tiles = tuple(
            Tile(v, Pose(200.0 + 20 * i, 210.0, 0.0), Orientation.VERTICAL)
            for i, v in enumerate(row)
        )
        at = min(position, len(row) - 1)
        self.session.read(Reading("proposal", tiles[at], at, tiles))
        self.session.update(clear=True)

    def see_row(self, row):
        tiles = tuple(
            Standing(v, "vertical", 200.0 + 20 * i, 210.0, 0.0) for i, v in enumerate(row)
        )
        self.session.commit([RowRead(tiles)], "camera")

    def check(self):
        """Look at what everybody sees, where anything has come about since the last look."""
        session = self.session
        now = (session.journal.version, repr(session.live), session.clock.now_s())
        if now == self.looked:
            return
        self.looked = now
        for device, role in VIEWERS:
            view = session.view(device, role)
            text = json.dumps(view, allow_nan=False, ensure_ascii=False)
            text.encode()
            self.check_secrets(view, device)
        if session.table.phase != "TOPPLE":
            assert not session.view("ana")["may"]["hold"]

    def check_secrets(self, view, device):
        game = self.session.game
        if game.phase not in ("BALLOT", "COUNTDOWN"):
            return
        assert view["reveal"] is None
        ballot = view["ballot"]
        player = self.session.table.speaker(device)
        seat = player.seat if player else None
        if seat is None and ballot is not None:
            assert ballot["mine"] is None
        others = json.dumps({k: v for k, v in view.items() if k != "ballot"})
        assert '"success"' not in others
        assert '"failure"' not in others


@settings(max_examples=EXAMPLES, suppress_health_check=list(HealthCheck))
@given(script)
def test_the_session_stands_whatever_is_sent(quiet_machine, steps):
    with tempfile.TemporaryDirectory() as folder:
        journal = Journal(Path(folder) / "t.sqlite3")
        session = session_on(journal)
        player = Player(session, quiet_machine(session))
        for device, mark in (("ana", "circle"), ("bo", "square"), ("cy", "star")):
            player.send(device, {"type": "sit", "name": device, "mark": mark})
            player.send(device, {"type": "ready", "on": True})
        player.send("ana", {"type": "start"})
        player.see_row([6])
        for step in steps:
            player.play(step)
            player.check()
        records = list(journal.events())
        events = [from_record(record) for record in records]
        empty = EstimationTable(game=Game(options=Options.parse(session.config.rules)))
        assert reduce(apply, events, empty) == session.table
        pushes = [event.number for event in events if isinstance(event, PushRequested)]
        assert len(pushes) == len(set(pushes)) <= holds(player)
        journal.close()


def _is_id(text):
    return isinstance(text, str) and 1 <= len(text) <= 64


def holds(player):
    """How often a button was held: no stroke is asked for without a hold of its own."""
    return sum(1 for _, command, _ in player.past if command["type"] == "hold")
