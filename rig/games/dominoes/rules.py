"""Dominoes as every table needs a game: the port `rig.games.interface.Rules`."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rig.games.dominoes import commands as cmd
from rig.games.dominoes.bones import DOUBLES, HALVES, SET, Bone
from rig.games.dominoes.decide import decide
from rig.games.dominoes.events import KINDS, Event
from rig.games.dominoes.evolve import WITHHELD, evolve
from rig.games.dominoes.game import Game, Known, Phase, may_stake
from rig.games.dominoes.imagine import imagined
from rig.games.dominoes.options import CHOICES, FEWEST, MOST, OFFERED, Options
from rig.games.interface import Asked, Draw, Due, Guard, PlayOrder, Seat, Spec, alternating
from rig.serialise import to_plain


class Dominoes:
    """The rules of the domino family, behind the port."""

    name = "dominoes"
    events: Mapping[str, type[Event]] = KINDS
    presets: Mapping[str, Mapping[str, object]] = OFFERED
    choices: Mapping[str, Mapping[str, object]] = CHOICES
    fewest, most = FEWEST, MOST
    commands: Mapping[str, Spec] = {
        "place": Spec(cmd.Place),
        "place2": Spec(cmd.PlaceTwo),
        "draw": Spec(cmd.DrawBone),
        "pass": Spec(cmd.Pass),
        "stake": Spec(cmd.Stake, Guard.TRICK),
    }
    referee: Sequence[type[Any]] = (
        *(cmd.Start, cmd.Deal, cmd.Timeout, cmd.NextRound, cmd.Leave, cmd.Rematch),
    )

    def new(self, options: Mapping[str, object]) -> Game:
        """A match in the lobby."""
        return Game(Options.parse(options))

    def options(self, game: Game) -> Mapping[str, object]:
        """The options it is played by, all of them."""
        return {k: v for k, v in to_plain(game.options).items() if v is not None}

    def start(self, seats: Sequence[Seat], first: Seat | None, draw: int, name: str) -> cmd.Start:
        """The command that begins a match; who leads follows from the hands."""
        return cmd.Start(tuple(seats), name)

    def deal(self, order: Sequence[int]) -> cmd.Deal:
        """The command that brings a shuffled set."""
        return cmd.Deal(tuple(order))

    def leave(self, seat: Seat) -> cmd.Leave:
        """The command that takes a seat out of the match, which ends it."""
        return cmd.Leave(seat)

    def rematch(self) -> cmd.Rematch:
        """The command that leads back to the lobby."""
        return cmd.Rematch()

    def seats(self, game: Game) -> tuple[Seat, ...]:
        """Those who play."""
        return game.seats

    def play_order(self, game: Game) -> PlayOrder:
        """Turns go clockwise."""
        return PlayOrder.CLOCKWISE

    def teams(self, game: Game, seats: Sequence[Seat]) -> Sequence[Sequence[Seat]]:
        """The two pairs, where pairs play."""
        return alternating(seats, 2) if game.options.in_pairs(len(seats)) else ()

    def decide(self, game: Game, actor: str, command: cmd.Command) -> tuple[Event, ...]:
        """What happens if this actor does this now."""
        return decide(game, actor, command)

    def evolve(self, game: Game, event: Event) -> Game:
        """The match after an event."""
        return evolve(game, event)

    def view(self, game: Game, seat: Seat | None) -> Mapping[str, Any]:
        """All that a seat may know."""
        return view(game, seat)

    def moment(self, game: Game, guard: Guard) -> str:
        """Changes with every move; a trick is a round."""
        if guard is Guard.TRICK:
            return str(game.round)
        return f"{game.phase} {game.round} {game.moves}"

    def asked(self, game: Game) -> Sequence[Asked]:
        """Whose turn it is."""
        if game.active is None:
            return ()
        options = game.options
        if options.rating and options.move_clock:
            return (Asked(game.active, "turn", cmd.Timeout(game.active)),)
        if WITHHELD in game.hands[game.active]:  # in the file of a match that goes on
            return (Asked(game.active, "turn"),)
        return (Asked(game.active, "turn", plainest(game, game.active)),)

    def due(self, game: Game) -> Due[cmd.Command] | None:
        """The next round, once people have seen how this one ended."""
        return Due("round_end", cmd.NextRound()) if game.phase is Phase.ROUND_END else None

    def needs(self, game: Game) -> int:
        """A whole set, before every round."""
        return len(SET) if game.phase is Phase.DEAL and not game.hands else 0

    def over(self, game: Game) -> Mapping[Seat, float] | None:
        """The accounts of a match that is over, by seat."""
        if game.phase is not Phase.GAME_OVER:
            return None
        return {seat: float(game.account[game.side_of(seat)] or 0) for seat in game.seats}

    def legal(self, game: Game, seat: Seat) -> Iterator[cmd.Command]:
        """Every command that the seat could give now."""
        if game.phase not in (Phase.LEAD, Phase.TURN) or seat not in game.hands:
            return
        if may_stake(game, seat):
            yield cmd.Stake()
        if seat != game.active:
            return
        hand = game.hands[seat]
        if game.phase is Phase.LEAD:
            yield from (cmd.Place(one) for one in hand if game.forced in (None, one))
            return
        left, right = game.ends
        lefts = [one for one in hand if left in HALVES[one]]
        rights = [one for one in hand if right in HALVES[one]]
        yield from (cmd.Place(one, "left") for one in lefts)
        yield from (cmd.Place(one, "right") for one in rights)
        if game.options.multi_double:
            for one in (each for each in lefts if each in DOUBLES):
                for other in (each for each in rights if each in DOUBLES and each != one):
                    yield cmd.PlaceTwo((one, other), ("left", "right"))
                    yield cmd.PlaceTwo((other, one), ("right", "left"))  # the last can decide
        if not lefts and not rights:
            yield cmd.DrawBone() if game.may_draw else cmd.Pass()

    def imagine(self, game: Game, seat: Seat | None, draw: Draw) -> Game:
        """A match with the same view for this seat, all that it cannot know drawn anew."""
        return imagined(game, seat, draw)


def view(game: Game, seat: Seat | None) -> dict[str, Any]:
    """All that a seat may know; None is the table screen and whoever watches.

    `hand` is the seat's own; `forced` the bone that it must lead; `sides` who plays together, in
    the order of `account` and `memory`; `first` where in the line the bone is that was led;
    `known` what everybody can tell of hidden hands; `recent` what was done since the last bone
    was laid, with it.
    """
    own = seat is not None and seat == game.active
    return {
        "round": game.round,
        "active": game.active,
        "hand": list(game.hands.get(seat, ())) if seat else [],
        "forced": game.forced if own or game.staker else None,
        "sizes": {each: len(hand) for each, hand in game.hands.items()},
        "boneyard": len(game.boneyard),
        "drawable": game.drawable,
        "line": list(game.line),
        "first": game.first,
        "ends": list(game.ends),
        "drew": game.drew,
        "placer": game.placer,
        "sides": [list(side) for side in game.sides],
        "account": list(game.account),
        "memory": list(game.memory),
        "carry": game.carry,
        "opener": game.opener,
        "staker": game.staker,
        "recent": to_plain(game.recent),
        "known": {
            "hands": {each: [_certain(some) for some in held] for each, held in game.held.items()},
            "absent": list(game.absent),
        },
        "result": None if game.result is None else to_plain(game.result),
        "winners": list(game.winners),
        "losers": list(game.losers),
        "rating": list(game.rating),
    }


def _certain(some: Known) -> Mapping[str, object]:
    """What is certain of some bones of a hand; what is only likely is for whoever reckons."""
    return {"count": some.count, "lacks": list(some.lacks), "dealt": some.dealt}


def plainest(game: Game, seat: Seat) -> cmd.Command:
    """What anybody would do for a seat that is away: the heaviest bone that fits, or draw."""
    rules = Dominoes()

    def weight(command: cmd.Command) -> tuple[int, Bone, str]:
        assert isinstance(command, cmd.Place)
        return sum(HALVES[command.tile]), command.tile, command.end or ""

    possible = list(rules.legal(game, seat))
    bones = [one for one in possible if isinstance(one, cmd.Place)]
    return max(bones, key=weight) if bones else possible[0]
