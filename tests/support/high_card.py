"""High Card, a game for tests alone: it shows that a table needs nothing of a game but its port.

Four to ten seats, three cards each. Everybody gives a card to the next, at once and in secret; then
the highest card takes each trick, and whoever holds the highest of all may snatch one out of turn.
"""

from dataclasses import dataclass, field, make_dataclass, replace
from enum import StrEnum
from types import MappingProxyType

from rig.games.interface import (
    Asked,
    Guard,
    PlayOrder,
    RulesRefused,
    Spec,
    known_to,
)
from rig.session.playing import Play

HAND = 3
Phase = StrEnum("Phase", {n: n for n in ("LOBBY", "DEAL", "EXCHANGE", "TRICK", "GAME_OVER")})
Reason = StrEnum("Reason", {"NO": "not_now"})
OWN = known_to("seat", until="GameEnded")


def word(name, **fields):
    """A command or an event: its fields by name, `(type, OWN)` where only its seat may know."""
    pairs = [
        (n, t[0], field(metadata=t[1])) if isinstance(t, tuple) else (n, t)
        for n, t in fields.items()
    ]
    return make_dataclass(name, pairs, frozen=True)


CARDS = tuple[int, ...]
Start, Deal = word("Start", seats=tuple[str, ...]), word("Deal", order=CARDS)
Give, PlayCard, Snatch = word("Give", card=int), word("PlayCard", card=int), word("Snatch")
Leave, Rematch = word("Leave", seat=str), word("Rematch")
GameStarted = word("GameStarted", seats=tuple[str, ...])
HandDealt = word("HandDealt", seat=str, cards=(CARDS, OWN))
CardGiven = word("CardGiven", seat=str, card=(int, OWN))
CardsExchanged, TrickTaken = word("CardsExchanged"), word("TrickTaken", seat=str)
CardPlayed = word("CardPlayed", seat=str, card=int)
GameEnded, LobbyReopened = word("GameEnded", taken=dict[str, int]), word("LobbyReopened")
EVENTS = (GameStarted, HandDealt, CardGiven, CardsExchanged, CardPlayed, TrickTaken, GameEnded)


@dataclass(frozen=True)
class Game:
    phase: Phase = Phase.LOBBY
    seats: tuple[str, ...] = ()
    hands: dict[str, CARDS] = field(default_factory=dict)
    given: dict[str, int] = field(default_factory=dict)
    trick: dict[str, int] = field(default_factory=dict)
    active: str | None = None
    taken: dict[str, int] = field(default_factory=dict)

    @property
    def top(self):
        return HAND * len(self.seats) - 1


class HighCard:
    name, fewest, most = "high_card", 4, 10
    given = CardGiven
    presets = choices = MappingProxyType({})
    events = MappingProxyType({kind.__name__: kind for kind in (*EVENTS, LobbyReopened)})
    commands = MappingProxyType(
        {"give": Spec(Give), "play": Spec(PlayCard), "snatch": Spec(Snatch, Guard.TRICK)}
    )
    referee = (Start, Deal, Leave, Rematch)

    def new(self, options):
        return Game()

    def options(self, game):
        return {}

    def start(self, seats, first, draw, name):
        return Start(tuple(seats))

    def deal(self, order):
        return Deal(tuple(order))

    def leave(self, seat):
        return Leave(seat)

    def rematch(self):
        return Rematch()

    def seats(self, game):
        return game.seats

    def needs(self, game):
        return game.top + 1 if game.phase == Phase.DEAL else 0

    def play_order(self, game):
        return PlayOrder.CLOCKWISE

    def teams(self, game, seats):
        return ()

    def due(self, game):
        return None

    def over(self, game):
        return dict(game.taken) if game.phase == Phase.GAME_OVER else None

    def moment(self, game, guard):
        trick = f"{game.phase} {sum(game.taken.values())}"
        return trick if guard is Guard.TRICK else f"{trick} {game.active} {len(game.trick)}"

    def asked(self, game):
        if game.phase == Phase.TRICK:
            return (Asked(game.active, "turn", PlayCard(min(game.hands[game.active]))),)
        missing = [s for s in game.seats if game.phase == Phase.EXCHANGE and s not in game.given]
        return tuple(Asked(seat, "exchange") for seat in missing)

    def decide(self, game, actor, command):
        hand, step = game.hands.get(actor, ()), (game.phase, type(command))
        match command:
            case Start(seats=seats) if game.phase == Phase.LOBBY:
                return (GameStarted(seats),)
            case Deal(order=order) if game.phase == Phase.DEAL:
                return tuple(
                    HandDealt(s, order[HAND * i : HAND * (i + 1)]) for i, s in enumerate(game.seats)
                )
            case Give(card=card) if step[0] == Phase.EXCHANGE and card in hand:
                if actor not in game.given:
                    all_in = len(game.given) == len(game.seats) - 1
                    return (self.given(actor, card), *((CardsExchanged(),) if all_in else ()))
            case PlayCard(card=card) if step[0] == Phase.TRICK and card in hand:
                if actor == game.active or self._acted_for(game, actor, command):
                    return self._ended(game, game.active, card)
            case PlayCard() if self._acted_for(game, actor, command):
                return self._ended(game, game.active, command.card)
            case Snatch() if (
                step[0] == Phase.TRICK and game.top in hand and actor not in game.trick
            ):
                return self._ended(game, actor, game.top, snatched=True)
            case Leave() if game.phase not in (Phase.LOBBY, Phase.GAME_OVER):
                return (GameEnded(dict(game.taken)),)
            case Rematch() if game.phase == Phase.GAME_OVER:
                return (LobbyReopened(),)
        raise RulesRefused(Reason.NO, "That cannot be done now.")

    def _next(self, game, seat):
        return self.play_order(game).next(game.seats, seat)

    def _acted_for(self, game, actor, command):
        return actor == "referee" and any(a.otherwise == command for a in self.asked(game))

    def _ended(self, game, seat, card, snatched=False):
        trick = {**game.trick, seat: card}
        events = (CardPlayed(seat, card),)
        if snatched or len(trick) == len(game.seats):
            winner = max(trick, key=lambda each: trick[each])
            taken = {**game.taken, winner: game.taken[winner] + 1}
            left = sum(len(hand) for hand in game.hands.values()) - 1
            last = left < len(game.seats) or sum(taken.values()) == HAND
            events += (TrickTaken(winner), *((GameEnded(taken),) if last else ()))
        return events

    def evolve(self, game, event):
        match event:
            case GameStarted(seats=seats):
                return Game(Phase.DEAL, seats, taken=dict.fromkeys(seats, 0))
            case HandDealt(seat=seat, cards=cards):
                hands = {**game.hands, seat: tuple(sorted(cards))}
                phase = Phase.EXCHANGE if len(hands) == len(game.seats) else Phase.DEAL
                return replace(game, hands=hands, phase=phase)
            case CardGiven(seat=seat, card=card):
                return replace(game, given={**game.given, seat: card})
            case CardsExchanged():
                hands = {s: {*game.hands[s]} - {game.given[s]} for s in game.seats}
                for seat, card in game.given.items():
                    hands[self._next(game, seat)].add(card)
                hands = {seat: tuple(sorted(hand)) for seat, hand in hands.items()}
                return replace(game, hands=hands, given={}, phase=Phase.TRICK, active=game.seats[0])
            case CardPlayed(seat=seat, card=card):
                rest = tuple(c for c in game.hands[seat] if c != card)
                trick, hands = {**game.trick, seat: card}, {**game.hands, seat: rest}
                turn = self._next(game, seat) if seat == game.active else game.active
                return replace(game, trick=trick, hands=hands, active=turn)
            case TrickTaken(seat=seat):
                taken = {**game.taken, seat: game.taken[seat] + 1}
                hands = {s: h[: HAND - sum(taken.values())] for s, h in game.hands.items()}
                return replace(game, taken=taken, trick={}, active=seat, hands=hands)
            case GameEnded():
                return replace(game, phase=Phase.GAME_OVER, active=None, hands={}, trick={})
        return Game()

    def view(self, game, seat):
        return {
            "phase": game.phase.value,
            "active": game.active,
            "hand": list(game.hands.get(seat, ())),
            "left": {s: len(hand) for s, hand in game.hands.items()},
            "gave": self._seen(game, seat),
            "in": list(game.given),
            "trick": dict(game.trick),
            "taken": dict(game.taken),
        }

    def _seen(self, game, seat):
        """The cards given away that a seat knows: its own, and its partners'."""
        team = next((t for t in self.teams(game, game.seats) if seat in t), (seat,))
        return {s: card for s, card in game.given.items() if s in team}

    def legal(self, game, seat):
        hand = game.hands.get(seat, ())
        for command in (*map(Give, hand), *map(PlayCard, hand), Snatch()):
            try:
                self.decide(game, seat, command)
            except RulesRefused:
                continue
            yield command

    def imagine(self, game, seat, draw):
        others, seen = [s for s in game.hands if s != seat], self._seen(game, seat)
        kept = {s: [seen[s]] if s in seen else [] for s in others}
        pool = [card for s in others for card in game.hands[s] if card not in kept[s]]
        hands = dict(game.hands)
        for s in others:
            free = len(game.hands[s]) - len(kept[s])
            hands[s] = tuple(sorted((*kept[s], *(pool.pop(draw(len(pool))) for _ in range(free)))))
        given = {s: seen[s] if s in seen else hands[s][draw(len(hands[s]))] for s in game.given}
        return replace(game, hands=hands, given=given)


PLAY = Play(HighCard())
