"""A table at which four phones play a card game for tests, with a journal and a clock by hand."""

from random import Random

from rig.clock import ManualClock
from rig.serialise import to_plain
from rig.session.session import Session
from tests.support.sessions import session_on
from tests.support.shares import shuffled

SEATS = ("s1", "s2", "s3", "s4")


class Table:
    """Four phones at a table of High Card, or of a game made of it.

    Args:
        path: of its journal.
        play: the game.
    """

    def __init__(self, path, play):
        self.path, self.clock, self.number = path, ManualClock(), 0
        self.play = play
        self.session = self.opened(play)

    def opened(self, play=None):
        self.number += 1000
        drawn = iter(range(self.number, 1 << 60))
        return session_on(
            self.path, self.clock, nonce=lambda: f"{next(drawn):064x}", play=play, of=Session
        )

    def restart(self):
        """Kill the table and open it again; the first phone gives back the key that it has."""
        key = self.session.view("phone0").get("round_key")
        self.session.close()
        self.session = self.opened()
        if key is not None:
            assert self.send("phone3", "unlock", key=key["value"])["ok"]

    def send(self, who, kind, **data):
        self.number += 1
        view = self.session.view(who)
        named = {"phase_id": view["phase_id"], "trick_id": view["trick_id"]}
        return self.session.submit(who, {"id": f"c{self.number}", "type": kind, **named, **data})

    def sit(self):
        for n, (name, mark) in enumerate(
            zip(("Ana", "Bo", "Cy", "Di"), ("circle", "square", "star", "cross"), strict=True)
        ):
            assert self.send(f"phone{n}", "sit", name=name, mark=mark)["ok"]
            assert self.send(f"phone{n}", "ready")["ok"]
        return self

    def begin(self):
        assert self.sit().send("phone0", "start")["ok"]
        return self.shuffle()

    def shuffle(self, awake=SEATS):
        """The phones of these seats send what they owe until the deal."""
        shuffled(self.session, [self.phone(seat) for seat in awake], self.send)
        return self

    @property
    def game(self):
        return self.session.table.game

    def phone(self, seat):
        return f"phone{SEATS.index(seat)}"

    def play_on(self, chance):
        """Whoever is waited for does something that is allowed."""
        for asked in self.session.play.rules.asked(self.game):
            command = chance.choice(list(self.play.rules.legal(self.game, asked.seat)))
            commands = self.session.play.rules.commands
            kind = next(n for n, s in commands.items() if s.make is type(command))
            assert self.send(self.phone(asked.seat), kind, **to_plain(command))["ok"]
            return
        raise AssertionError("nobody is waited for")

    def play_out(self, seed=1):
        chance = Random(seed)
        while not self.session.table.is_over:
            self.shuffle().play_on(chance)
        return self
