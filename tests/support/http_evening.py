"""Four phones at a table over HTTP, which can be killed and opened again."""

from dataclasses import replace

from rig.session.session import Session
from tests.support.clients import PLENTY, AsgiWay
from tests.support.sessions import session_on
from tests.support.shares import Shares
from web.base.rate_limits import Limits
from web.factory import create_app

PEOPLE = {"Ana": "circle", "Bo": "square", "Cy": "star", "Di": "cross"}
LIMITS = replace(Limits(), device=PLENTY, address=PLENTY, unknown=PLENTY)


class Evening:
    """Four people who have sat down.

    Args:
        path: of the journal.
        play: the game.
    """

    def __init__(self, path, play):
        self.path, self.play, self.phones, self.commands = path, play, {}, 0
        self.open()
        for n, (name, mark) in enumerate(PEOPLE.items(), 1):
            cookie = self.way.join(f"192.168.7.{n + 1}")
            assert self.way.command(cookie, "sit", name=name, mark=mark).json["ok"]
            self.phones[f"s{n}"] = cookie

    def open(self):
        self.session = session_on(self.path, play=self.play, of=Session)
        app = create_app(self.session, code="PINE", host_secret="the-secret", limits=LIMITS)
        self.way = AsgiWay(app)
        self.way.count = self.commands  # no command has the name of one before

    def close(self):
        self.commands = self.way.count
        self.way.close()
        self.session.close()

    def begin(self):
        """Everybody is ready, and the first begins."""
        for cookie in self.phones.values():
            assert self.way.command(cookie, "ready").json["ok"]
        assert self.way.command(self.phones["s1"], "start").json["ok"]

    def state(self, seat):
        return self.way.get("/api/state", cookie=self.phones[seat]).json

    def shuffle(self):
        """Phones send what they owe until the deal."""
        while self.session.play.rules.needs(self.session.table.game):
            self.session.tick()
            for seat, cookie in self.phones.items():
                if owed := Shares(seat).owed(self.state(seat)):
                    assert self.way.command(cookie, owed[0], **owed[1]).json["ok"]

    def move(self, chance):
        """Whoever is waited for does something; gives the seat and the command."""
        seat = self.state("s1")["asked"][0]["seat"]
        legal = chance.choice(self.state(seat)["legal"])
        self.give(seat, legal["type"], legal["fields"])
        return seat, legal["type"], legal["fields"]

    def give(self, seat, kind, fields):
        """A command of a seat, meant for this moment."""
        state = self.state(seat)
        named = {name: state[name] for name in ("phase_id", "trick_id")}
        assert self.way.command(self.phones[seat], kind, **named, **fields).json["ok"]
