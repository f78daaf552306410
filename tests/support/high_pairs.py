"""High Pairs, a game for tests alone: High Card counter-clockwise, for two teams.

Partners sit opposite each other, and each sees at once which card the other has given away.
"""

from dataclasses import field, make_dataclass
from types import MappingProxyType

from rig.games.interface import PlayOrder, alternating, known_to
from rig.session.playing import Play
from tests.support.high_card import CardGiven, HighCard

CARD = field(metadata=known_to("seat", until="GameEnded", team=True))


class HighPairs(HighCard):
    name, most = "high_pairs", 6
    given = make_dataclass("CardGiven", [("card", int, CARD)], bases=(CardGiven,), frozen=True)
    events = MappingProxyType({**HighCard.events, "CardGiven": given})

    def play_order(self, game):
        return PlayOrder.COUNTER_CLOCKWISE

    def teams(self, game, seats):
        return alternating(seats, 2) if len(seats) % 2 == 0 else ()


PLAY = Play(HighPairs())
