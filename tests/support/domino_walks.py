"""Matches of dominoes played by chance, the engine and the recount side by side."""

from collections import Counter
from dataclasses import replace

from rig.games.dominoes import commands as cmd
from rig.games.dominoes import events as ev
from rig.games.dominoes.bones import HALVES, SET
from rig.games.dominoes.game import Phase
from rig.games.dominoes.rules import Dominoes
from rig.games.dominoes.terms import Refused
from rig.games.interface import HOST, REFEREE
from tests.support.domino_recount import PRESETS, NotAllowed, Recount, possible

RULES = Dominoes()
NAMES = {(a, b): f"{a}-{b}" for a in range(7) for b in range(7)}
LONGEST_ROUND = 300
"""28 tiles laid, 28 drawn, and at most four knocks around each of them."""
PHASES = {
    Phase.DEAL: "deal",
    Phase.LEAD: "lead",
    Phase.TURN: "turn",
    Phase.GAME_OVER: "over",
}
CONFIGURATIONS = [
    (preset, seats, options)
    for preset, column in PRESETS.items()
    for seats in column["hands"]
    for options in (
        [{}, {"pairs": True}]
        if seats == 4 and preset in ("bg-standard", "goat-yard", "goat-125")
        else [{}]
    )
]
"""Every preset with every number of players, single and in pairs."""


class Differs(AssertionError):
    """The engine and the recount say two different things of the same match."""


class Walk:
    """One match in both; every step is compared.

    Args:
        preset, seats, options: what is played.
        chance: a `random.Random`.
    """

    def __init__(self, preset, seats, options, chance):
        self.chance = chance
        self.about = (preset, seats, dict(options))
        self.recount = Recount(preset, seats, options)
        self.game = RULES.new({"preset": preset, **options})
        names = tuple(f"s{n + 1}" for n in range(seats))
        self._engine(HOST, cmd.Start(names))
        self.history = []
        self.steps = self.rounds = 0
        self.met = Counter()

    def _engine(self, actor, command):
        """Put a command to the engine; its events, None where it is refused."""
        try:
            events = RULES.decide(self.game, actor, command)
        except Refused:
            return None
        for event in events:
            self.game = RULES.evolve(self.game, event)
        return events

    def do(self, actor, command):
        """One command in both; they must agree that it is allowed and on what follows."""
        before = self.recount.account[:]
        mine = True
        try:
            self.recount.do(actor, command)
        except NotAllowed:
            mine = False
        was = self.game
        events = self._engine(self._name(actor), self._words(command))
        self.same("allowed", mine, events is not None)
        if events is None:
            self.same("unchanged", was, self.game)
            self.met["refused"] += 1
            return
        self.steps += 1
        self.met[command[0]] += 1
        self.history.append((actor, command))
        ended = next((e for e in events if isinstance(e, ev.RoundEnded)), None)
        self.same("a round ended", self.recount.last is not None, ended is not None)
        if ended is not None:
            self.rounds += 1
            self._compare_round(ended)
            self._meet(ended.result)
            if self.recount.rules["who_scores"] == "winner":
                for score, now in zip(before, self.recount.account, strict=True):
                    assert (score or 0) <= (now or 0), self.told()
        if self.game.phase is Phase.ROUND_END:
            self._engine(REFEREE, cmd.NextRound())
        self.compare()

    def _name(self, actor):
        return REFEREE if actor is None else self.game.seats[actor]

    def _words(self, command):
        kind, *given = command
        match kind:
            case "deal":
                return cmd.Deal(tuple(given[0]))
            case "timeout":
                return cmd.Timeout(self.game.seats[given[0]])
            case "place":
                return cmd.Place(text(given[0]), given[1])
            case "place2":
                return cmd.PlaceTwo(tuple(map(text, given[0])), tuple(given[1]))
        return {"draw": cmd.DrawBone, "pass": cmd.Pass, "stake": cmd.Stake}[kind]()

    def _compare_round(self, ended):
        last, result = self.recount.last, ended.result
        self.same("how", last["how"], result.how.value)
        self.same("seat", last["seat"], self._number(result.seat))
        self.same("pips", last["pips"], [result.pips[seat] for seat in self.game.seats])
        self.same("credited", list(last["credited"]), list(result.credited))
        self.same("account then", self.recount.account, list(ended.account))
        self.same("memory then", self.recount.memory, list(ended.memory))
        self.same("carry then", self.recount.carry, ended.carry)

    def _meet(self, result):
        """Count what this walk has come through, so that a campaign can say what it has tried."""
        mine = self.recount
        ends, held = mine.last_ends, [t for hand in result.hands.values() for t in hand]
        dead = not any(int(t[0]) in ends or int(t[2]) in ends for t in held)
        kind = result.how.value
        if kind == "fish":
            kind += ", nobody wins" if mine.last["void"] else ""
            self.met["six-out with a tile that fits"] += not dead
        self.met[kind] += 1
        self.met["carry waits"] += mine.carry > 0
        self.met[f"stake {mine.last['stake']}"] += mine.last["stake"] is not None
        self.met["bald goat"] += mine.last["bald"]

    def _number(self, seat):
        return None if seat is None else self.game.seats.index(seat)

    def compare(self):
        """All that is known of the match, and section 11's invariants."""
        mine, game = self.recount, self.game
        self.same("phase", mine.phase, PHASES[game.phase])
        self.same("round", mine.round, game.round)
        for name in ("account", "memory", "winners", "losers"):
            self.same(name, getattr(mine, name), list(getattr(game, name)))
        self.same("carry", mine.carry, game.carry)
        self.same("opener", mine.opener, game.opener)
        self.same("active", mine.active, self._number(game.active))
        if mine.phase == "over":
            self.same("rating", mine.rating, list(game.rating))
        if mine.phase not in ("lead", "turn"):
            return
        hands = [sorted(map(text, hand)) for hand in mine.hands]
        self.same("hands", hands, [sorted(game.hands[seat]) for seat in game.seats])
        self.same("boneyard", list(map(text, mine.boneyard)), list(game.boneyard))
        self.same("line", list(map(text, mine.line)), list(game.line))
        self.same("ends", tuple(mine.ends), tuple(game.ends))
        self.same("forced", mine.forced and text(mine.forced), game.forced)
        self.same("staker", mine.staker, self._number(game.staker))
        everything = [t for hand in game.hands.values() for t in hand]
        everything += [*game.boneyard, *(t if t in HALVES else t[::-1] for t in game.line)]
        self.same("every tile once", sorted(everything), sorted(SET))
        for one, other in zip(game.line, game.line[1:], strict=False):
            self.same("touching halves", one[2], other[0])

    def compare_legal(self):
        """Both list the same commands for every seat."""
        for seat, name in enumerate(self.game.seats):
            said = list(RULES.legal(self.game, name))
            expected = {repr(self._words(command)) for command in self.recount.legal(seat)}
            self.same(f"legal of {seat}", sorted(expected), sorted(map(repr, said)))

    def refuse(self, count):
        """Try some commands that are not allowed, from any seat."""
        for actor, command in self.chance.sample(possible(self.recount.seats), count):
            if command not in self.recount.legal(actor):
                self.do(actor, command)

    def moves(self):
        """What may be done now, by anybody."""
        return [(s, c) for s in range(self.recount.seats) for c in sorted_(self.recount.legal(s))]

    def step(self):
        """A deal, an allowed command of some seat, or where a clock runs now and then a timeout."""
        if self.recount.phase == "deal":
            order = list(range(28))
            self.chance.shuffle(order)
            self.do(None, ("deal", tuple(order)))
            self.met["dealt anew"] += self.recount.phase == "deal"
        elif self.recount.rules["move_clock"] and self.chance.random() < 1 / 200:
            self.do(None, ("timeout", self.chance.randrange(self.recount.seats)))
        else:
            self.do(*self.chance.choice(self.moves()))

    def over(self):
        """Whether the match is over."""
        return self.recount.phase == "over"

    def play(self, most_rounds, each=None):
        """Play on to the end, or for so many rounds; every round must end."""
        for _ in range(most_rounds):
            before, begun = self.rounds, self.steps
            while self.rounds == before and not self.over():
                if each is not None:
                    each(self)
                self.step()
                if self.recount.phase != "deal" and self.steps - begun > LONGEST_ROUND:
                    raise Differs(f"this round does not end: {self.told()}")
            if self.over():
                return

    def stand(self):
        """Begin with accounts as they might be in the middle of a match."""
        mine, chance, open_at = self.recount, self.chance, self.recount.rules["open_at"]
        limit = mine.rules["limit"]
        for side in range(len(mine.sides)):
            shut = open_at and chance.random() < 0.5
            mine.account[side] = (
                None if shut else chance.randrange(open_at, max(limit, open_at + 1))
            )
            if shut and mine.rules["below_open"] == "remembered":
                mine.memory[side] = chance.randrange(30)
        opened = [side for side, score in enumerate(mine.account) if score is not None]
        mine.opener = chance.choice(opened) if opened and open_at else None
        if mine.rules["fish_tie"] == "carry" or mine.rules["fish_score"] in ("one", "eggs"):
            mine.carry = chance.choice((0, 0, chance.randrange(60)))
        self._stand_engine()

    def _stand_engine(self):
        mine = self.recount
        self.game = replace(
            self.game,
            account=tuple(mine.account),
            memory=tuple(mine.memory),
            carry=mine.carry,
            opener=mine.opener,
        )

    def same(self, what, mine, theirs):
        if mine != theirs:
            raise Differs(f"{what}: recount {mine}, engine {theirs}\n{self.told()}")

    def told(self):
        """The match so far, for whoever looks for the reason."""
        last = self.history[-40:]
        return f"{self.about} after {self.steps} steps, the last of them:\n{last}\n{self.game}"


def text(tile):
    """The engine's name of a tile."""
    return NAMES[tile]


def sorted_(commands):
    """Commands in an order that does not hang on hashes."""
    return sorted(commands, key=repr)


VALUES = {
    "pairs": (False, True),
    "hand": (1, 2, 3, 4, 5, 6, 7, 9, 14),
    "redeal": ("none", "doubles", "doubles_or_six"),
    "lead_first": ("down", "up", "up0last"),
    "no_double": ("highest", "lowest", "redeal"),
    "lead_next": ("search", "winner"),
    "draw": ("until", "one", "none"),
    "boneyard_floor": (0, 1, 2, 7, 28),
    "multi_double": (False, True),
    "fish_test": ("no_moves", "six_out"),
    "dead_ends": ("draw", "immediate"),
    "who_scores": ("winner", "losers"),
    "double_weight": (1, 2),
    "blank_value": (0, 10, 25),
    "blank_when": ("any", "alone"),
    "six_value": (0, 12, 50),
    "six_when": ("any", "alone"),
    "blank_six_pair": (0, 75),
    "fish_score": ("lowest", "sum_of_differences", "all", "one", "eggs", "difference"),
    "fish_tie": ("void", "carry"),
    "pair_fish": ("lowest", "sums"),
    "open_at": (0, 13, 25),
    "below_open": ("burnt", "remembered"),
    "limit": (1, 50, 100, 101, 125, 200),
    "limit_means": ("win", "lose"),
    "rating": (False, True),
    "move_clock": (0, 30),
    "bald": ("game", "round"),
}
"""The "Words of the options", with some numbers where any number will do."""
_FISH = {"winner": VALUES["fish_score"][:2], "losers": VALUES["fish_score"][2:]}


def with_options(chance, fixed, more=4):
    """Some options set apart, besides fixed ones; who scores and how a fish go together."""
    options = {name: chance.choice(VALUES[name]) for name in chance.sample(list(VALUES), more)}
    options |= fixed
    if options.keys() & {"who_scores", "fish_score", "fish_tie"}:
        if "fish_score" in fixed:
            options["who_scores"] = next(who for who in _FISH if fixed["fish_score"] in _FISH[who])
        options.setdefault("who_scores", chance.choice(list(_FISH)))
        options["fish_score"] = fixed.get("fish_score", chance.choice(_FISH[options["who_scores"]]))
    return options


def can_be_played(preset, seats, options):
    """Have the engine say that so many can play by these options; raises `BadOption`."""
    RULES.new({"preset": preset, **options}).options.for_players(seats)
