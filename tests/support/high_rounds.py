"""High Rounds, a game for tests alone: High Card in two rounds, each with a deck of its own."""

from dataclasses import dataclass, fields, replace
from types import MappingProxyType

from rig.session.playing import Play
from tests.support.high_card import Game, GameEnded, HighCard, Phase, word

RoundEnded = word("RoundEnded", taken=dict[str, int])


@dataclass(frozen=True)
class RoundsGame(Game):
    rounds: int = 0


class HighRounds(HighCard):
    name = "high_rounds"
    events = MappingProxyType({**HighCard.events, "RoundEnded": RoundEnded})

    def new(self, options):
        return RoundsGame()

    def moment(self, game, guard):
        return f"{game.rounds} {super().moment(game, guard)}"

    def _ended(self, game, seat, card, snatched=False):
        *events, last = super()._ended(game, seat, card, snatched)
        first = isinstance(last, GameEnded) and not game.rounds
        return (*events, RoundEnded(last.taken) if first else last)

    def evolve(self, game, event):
        if isinstance(event, RoundEnded):
            taken = dict.fromkeys(game.seats, 0)
            empty = {"hands": {}, "given": {}, "trick": {}, "active": None}
            return replace(game, phase=Phase.DEAL, taken=taken, rounds=1, **empty)
        after = super().evolve(game, event)
        if isinstance(after, RoundsGame):
            return after
        return RoundsGame(**{f.name: getattr(after, f.name) for f in fields(after)})


PLAY = Play(HighRounds())
