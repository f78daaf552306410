"""Nothing that others receive may depend on a ballot before it is shown."""

import logging

from tests.support.clients import PLENTY, AsgiWay, Clock, snapshot
from tests.support.fake_session import FakeSession
from web.base.rate_limits import Limits
from web.factory import create_app
from web.live.parts import parts


def play(side, monkeypatch):
    """One ballot, cast and then changed back and forth; gives all bytes that others received."""
    made = (f"{letter:A<22}" for letter in "MNOPQR")
    monkeypatch.setattr("web.access.auth.secrets.token_urlsafe", lambda _: next(made))
    session = FakeSession()
    limits = Limits(device=PLENTY, address=PLENTY)
    app = create_app(session, code="PINE", host_secret="secret", limits=limits, monotonic_s=Clock())
    way = AsgiWay(app)
    voter, other, watcher, guest = (way.join() for _ in range(4))
    way.command(voter, "sit", name="Voter")
    way.command(other, "sit", name="Other")
    way.command(watcher, "watch")
    paths = {
        "other": ("/events", other),
        "watcher": ("/events", watcher),
        "guest": ("/events", guest),
        "table": ("/events?role=table", guest),
        "own table": ("/events?role=table", voter),
    }
    streams = {name: way.listen(path, cookie=cookie) for name, (path, cookie) in paths.items()}
    heard = dict.fromkeys(streams, b"")

    def gather():
        for name, stream in streams.items():
            last = b""
            while b'"v":%d,' % session.v not in last:
                last = stream.chunk()
                heard[name] += last

    gather()
    replies = []
    for choice in (side, "success", "failure", side):
        reply = way.command(voter, "vote", side=choice, phase_id=session.phase_id)
        replies.append((reply.status, reply.headers.get("content-length"), reply.body))
        gather()
    for name, cookie in (("other", other), ("watcher", watcher), ("guest", guest)):
        heard[name] += way.get("/api/state", cookie=cookie).body
    heard["table"] += way.get("/api/state?role=table", cookie=voter).body
    mine = way.listen(cookie=voter)
    own = snapshot(mine)
    for stream in (mine, *streams.values()):
        stream.close()
    parts(app).hub.stop()
    way.close()
    return heard, replies, own


def test_others_receive_the_same_bytes_whatever_is_voted(monkeypatch, caplog):
    caplog.set_level(logging.DEBUG)
    success, replies_success, own_success = play("success", monkeypatch)
    failure, replies_failure, own_failure = play("failure", monkeypatch)
    assert (own_success["ballot"]["mine"], own_failure["ballot"]["mine"]) == ("success", "failure")
    assert success == failure
    assert replies_success == replies_failure
    for log in (caplog.text, *map(repr, success.values())):
        assert "success" not in log and "failure" not in log


def test_a_table_screen_opened_on_a_players_phone_shows_no_ballot(flask_way, session):
    voter = flask_way.sit("Voter")
    flask_way.command(voter, "vote", side="failure", phase_id=session.phase_id)
    assert b"failure" in flask_way.get("/api/state", cookie=voter).body
    assert b"failure" not in flask_way.get("/api/state?role=table", cookie=voter).body
    assert b"failure" not in flask_way.get("/play", cookie=voter).body
