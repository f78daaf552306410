"""A whole ballot over HTTP at a real table: nobody else's bytes know what was voted."""

import json
import re
from itertools import count

from rig.clock import ManualClock
from rig.games.estimation.commands import Place
from tests.support.clients import PLENTY, AsgiWay, Clock, snapshot
from tests.support.sessions import session_on
from web.base.rate_limits import Limits
from web.factory import create_app
from web.live.parts import parts

SEAL = re.compile(rb'(?<="s2":")[0-9a-f]{64}(?=")')
"""Mira's seal has to depend on her side; without its salt nobody can tell what is under it."""

OTHER = {"success": "failure", "failure": "success"}


class Evening:
    """Three players, a watcher and the table screen; Mira votes, the others listen."""

    def __init__(self, journal, monkeypatch):
        numbers = count(1)
        monkeypatch.setattr(
            "web.access.auth.secrets.token_urlsafe", lambda _: f"{next(numbers):022d}"
        )
        self.clock = ManualClock()
        self.session = session_on(journal, self.clock)
        limits = Limits(device=PLENTY, address=PLENTY, shout=PLENTY)
        self.app = create_app(
            self.session, code="PINE", host_secret="secret", limits=limits, monotonic_s=Clock()
        )
        self.way = AsgiWay(self.app)
        self.cookies = {name: self.way.join() for name in ("ana", "mira", "cy", "watcher")}
        marks = {"ana": "circle", "mira": "star", "cy": "cross"}
        for who, mark in marks.items():
            self.do(who, "sit", name=who.title(), mark=mark)
            self.do(who, "ready", on=True)
        self.do("ana", "start")
        self.session.commit(self.session.decide("s1", Place(3, 0)), "s1")
        self.do("cy", "call")
        paths = {
            "ana": ("/events", "ana"),
            "cy": ("/events", "cy"),
            "watcher": ("/events", "watcher"),
            "screen": ("/events?role=table", "watcher"),
            "screen of mira": ("/events?role=table", "mira"),
        }
        self.streams = {
            name: self.way.listen(path, cookie=self.cookies[who])
            for name, (path, who) in paths.items()
        }
        self.heard = {name: [] for name in self.streams}
        while [seat["connected"] for seat in snapshot(self.streams["screen"])["seats"]] != [
            1,
            0,
            1,
        ]:
            pass
        self.do("ana", "rename", name="Anna")
        self.gather()
        self.heard = {name: events[-1:] for name, events in self.heard.items()}

    def do(self, who, kind, **fields):
        phase_id = self.session.table.phase_id
        reply = self.way.command(self.cookies[who], kind, phase_id=phase_id, **fields)
        assert reply.status == 200, reply.body
        return reply

    def vote(self, name, side):
        reply = self.do(name, "vote", side=side)
        self.gather()
        return reply.body

    def gather(self):
        """Read every stream up to the version of now; one line for one distinct event."""
        version = b'"v":%d,' % self.session.journal.version
        for name, stream in self.streams.items():
            event = b""
            while version not in event:
                event = stream.chunk()
                if event.startswith(b"id:") and event not in self.heard[name][-1:]:
                    self.heard[name].append(event)

    def pass_time(self, seconds):
        self.clock.advance(seconds + 0.001)
        while self.session.tick() == 0.0:
            pass

    def close(self):
        for stream in self.streams.values():
            stream.close()
        parts(self.app).hub.stop()
        self.way.close()
        self.session.close()


def play(side, folder, monkeypatch):
    evening = Evening(folder / f"{side}.sqlite3", monkeypatch)
    try:
        replies = [evening.vote("mira", choice) for choice in (side, OTHER[side], side)]
        states = [
            evening.way.get(path, cookie=evening.cookies[name]).body
            for path, name in (
                ("/api/state", "ana"),
                ("/api/state", "watcher"),
                ("/api/state?role=table", "mira"),
            )
        ]
        refused = evening.way.command(evening.cookies["ana"], "vote", side="failure", phase_id="x")
        open_ = {name: list(events) for name, events in evening.heard.items()}
        evening.vote("cy", "failure")
        locked = {name: events[len(open_[name]) :] for name, events in evening.heard.items()}
        evening.pass_time(2.4)
        evening.gather()
        shown = json.loads(evening.heard["screen"][-1].partition(b"data: ")[2])["reveal"]
        return (open_, replies, states, refused.body), locked, shown
    finally:
        evening.close()


def without_the_seal_of_mira(locked):
    return {name: [SEAL.sub(b"seal", event) for event in events] for name, events in locked.items()}


def test_until_the_reveal_all_others_receive_the_same_bytes(tmp_path, monkeypatch):
    success, locked_success, shown_success = play("success", tmp_path, monkeypatch)
    failure, locked_failure, shown_failure = play("failure", tmp_path, monkeypatch)
    assert success == failure
    assert min(len(events) for events in success[0].values()) >= 4
    assert all(SEAL.search(event) for events in locked_success.values() for event in events)
    assert without_the_seal_of_mira(locked_success) == without_the_seal_of_mira(locked_failure)
    assert shown_success["ballots"]["s2"] == "success"
    assert shown_failure["ballots"]["s2"] == "failure"
