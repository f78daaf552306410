"""All bytes that a phone gets of dominoes: the same, whatever the bones are that it cannot know."""

from random import Random

import pytest

from rig.games import dealing
from rig.games.dominoes.bones import SET
from rig.games.dominoes.table import dominoes_play
from tests.support.http_evening import Evening

PRESET = "goat-online/one"
"""All bones are dealt to four, and none is drawn."""


class Heard(Evening):
    """An evening of which every byte is kept that the phone of s1 gets."""

    def begin(self):
        cookie = self.phones["s1"]
        chosen = self.way.command(cookie, "set_options", options={"preset": PRESET})
        assert chosen.json["ok"]
        self.heard = []
        self.stream = self.way.listen(cookie=cookie)
        super().begin()
        self.shuffle()
        self.hear()

    def hear(self):
        """Keep the state that the phone asks for, and the event that has the same version."""
        state = self.way.get("/api/state", cookie=self.phones["s1"])
        told = f"id: {state.json['v']}\n".encode()
        events = (self.stream.chunk() for _ in range(1000))
        event = next(event for event in events if event.startswith(told))
        self.heard.append((state.body, event))

    def close(self):
        self.stream.close()
        super().close()


@pytest.mark.parametrize(("seed", "moves"), [(1, 4), (2, 9), (3, 13)])
def test_two_deals_that_differ_in_what_a_phone_cannot_know_give_it_the_same_bytes(
    seed, moves, tmp_path, monkeypatch
):
    one, chance, laid = Heard(tmp_path / "one.sqlite3", dominoes_play.PLAY), Random(seed), []
    one.begin()
    for _ in range(moves):
        laid.append(one.move(chance))
        one.hear()
    game = one.session.table.game
    assert game.round == 1 and game.phase == "TURN"
    other = one.session.play.rules.imagine(game, "s1", chance.randrange)
    assert other.hands["s1"] == game.hands["s1"] and other.hands["s2"] != game.hands["s2"]
    hands = {seat: list(other.hands[seat]) for seat in game.seats}
    for seat, kind, fields in laid:
        if kind == "place":
            hands[seat].append(fields["tile"])
    dealt = one.session.table.dealing.order
    own = len(hands["s1"])
    order = (*dealt[:own], *(SET.index(b) for seat in game.seats[1:] for b in hands[seat]))
    assert sorted(order) == sorted(dealt) and order != dealt
    monkeypatch.setattr(dealing, "order_of", lambda *_: order)
    two = Heard(tmp_path / "two.sqlite3", dominoes_play.PLAY)
    two.begin()
    for move in laid:
        two.give(*move)
        two.hear()
    assert two.session.table.game.hands["s2"] == other.hands["s2"]
    assert two.heard == one.heard
    for each in (one, two):
        assert each.way.command(each.phones["s3"], "leave").json["ok"]
        each.hear()
    assert two.heard[-1] != one.heard[-1], "with the end of the round the deck lies open"
    one.close()
    two.close()
