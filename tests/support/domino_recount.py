"""A match of dominoes reckoned a second time, from the text of the rules alone.

Nothing here asks the engine. Seats and sides are numbers, a tile is its two values, the smaller one
first; a command is a tuple that begins with its name: ("place", (3, 5), "left"), ("draw",).
"""

from functools import cache
from itertools import combinations, combinations_with_replacement

TILES = list(combinations_with_replacement(range(7), 2))
BLANK, SIXES = (0, 0), (6, 6)

DEFAULTS = {
    "pairs": None,
    "redeal": "none",
    "lead_first": "down",
    "no_double": "highest",
    "lead_next": "search",
    "draw": "until",
    "boneyard_floor": 0,
    "multi_double": False,
    "fish_test": "no_moves",
    "dead_ends": "draw",
    "who_scores": "winner",
    "double_weight": 1,
    "blank_value": 0,
    "blank_when": "any",
    "six_value": 12,
    "six_when": "any",
    "blank_six_pair": 0,
    "fish_score": "lowest",
    "fish_tie": "void",
    "pair_fish": "lowest",
    "open_at": 0,
    "below_open": "burnt",
    "limit": 100,
    "limit_means": "win",
    "rating": False,
    "move_clock": 0,
    "bald": "game",
}
_TWO = {
    "hands": {2: 7},
    "who_scores": "losers",
    "blank_value": 25,
    "blank_when": "alone",
    "six_value": 50,
    "fish_score": "difference",
    "limit": 101,
    "limit_means": "lose",
}
_ONLINE = {
    "hands": {2: 7, 3: 7, 4: 7},
    "redeal": "doubles_or_six",
    "lead_first": "up",
    "lead_next": "winner",
    "fish_test": "six_out",
    "who_scores": "losers",
    "blank_value": 10,
    "blank_when": "alone",
    "fish_score": "all",
    "open_at": 13,
    "below_open": "remembered",
    "limit": 101,
    "limit_means": "lose",
    "rating": True,
}
PRESETS = {
    "bg-standard": {"hands": {2: 7, 3: 6, 4: 5}, "double_weight": 2},
    "ru-classic": {"hands": {2: 7, 3: 5, 4: 5}, "blank_value": 25},
    "doubles-2p": {**_TWO, "draw": "one"},
    "goat-yard": {
        "hands": {2: 7, 3: 7, 4: 7},
        "redeal": "doubles",
        "lead_first": "up",
        "lead_next": "winner",
        "who_scores": "losers",
        "fish_score": "all",
        "open_at": 13,
        "limit": 101,
        "limit_means": "lose",
    },
    "goat-online": _ONLINE,
    "goat-online/all": _ONLINE,
    "goat-online/one": {**_ONLINE, "fish_score": "one"},
    "goat-125": {
        "hands": {2: 7, 3: 5, 4: 5},
        "lead_next": "winner",
        "boneyard_floor": 1,
        "who_scores": "losers",
        "blank_value": 25,
        "fish_score": "eggs",
        "open_at": 25,
        "limit": 125,
        "limit_means": "lose",
    },
    "goat-2p": {**_TWO, "lead_first": "up", "no_double": "lowest"},
    "sea-goat": {
        "hands": {2: 7, 4: 7},
        "lead_first": "up",
        "lead_next": "winner",
        "multi_double": True,
        "blank_value": 25,
        "blank_when": "alone",
        "six_value": 50,
        "six_when": "alone",
        "blank_six_pair": 75,
        "fish_tie": "carry",
        "open_at": 25,
        "limit": 125,
    },
}
"""The columns of section 3."""


class NotAllowed(Exception):
    """The rules do not allow a command."""


class Recount:
    """One match, step by step.

    Args:
        preset: a column of section 3.
        seats: how many play.
        options: what is set apart from it.
    """

    def __init__(self, preset, seats, options=None):
        self.preset, self.seats = preset, seats
        self.rules = {**DEFAULTS, **PRESETS[preset], **(options or {})}
        sea_goat = preset == "sea-goat"
        pairs = self.rules["pairs"]
        self.in_pairs = (sea_goat and seats == 4) if pairs is None else pairs
        self.sides = [(0, 2), (1, 3)] if self.in_pairs else [(seat,) for seat in range(seats)]
        self.special = sea_goat
        self.account = [None if self.rules["open_at"] else 0 for _ in self.sides]
        self.memory = [0] * len(self.sides)
        self.carry, self.round, self.opener, self.leader = 0, 1, None, None
        self.winners, self.losers, self.rating = [], [], []
        self.last = None
        self._cleared()

    def _cleared(self):
        self.phase = "deal"
        self.hands = [[] for _ in range(self.seats)]
        self.boneyard, self.line = [], []
        self.active = self.forced = self.placer = self.staker = None
        self.drawn = 0

    def side(self, seat):
        """Which side a seat plays for."""
        return seat % 2 if self.in_pairs else seat

    @property
    def ends(self):
        """The value at the left end and the one at the right."""
        return (self.line[0][0], self.line[-1][1]) if self.line else ()

    # ---- what is allowed

    def legal(self, seat):
        """Every command that a seat may give now."""
        if self.phase == "lead":
            allowed = set()
            if self._may_stake(seat):
                allowed.add(("stake",))
            if seat == self.active:
                tiles = self.hands[seat] if self.forced is None else [self.forced]
                allowed |= {("place", tile, None) for tile in tiles}
            return allowed
        if self.phase != "turn" or seat != self.active:
            return set()
        ends = dict(zip(("left", "right"), self.ends, strict=True))
        allowed = {
            ("place", tile, end) for tile in self.hands[seat] for end in ends if ends[end] in tile
        }
        if not allowed:
            stopped = self.rules["draw"] == "one" and self.drawn > 0
            return {("draw",)} if self._something_to_draw() and not stopped else {("pass",)}
        if self.rules["multi_double"]:
            left, right = (ends["left"],) * 2, (ends["right"],) * 2
            if left != right and left in self.hands[seat] and right in self.hands[seat]:
                allowed.add(("place2", (left, right), ("left", "right")))
                allowed.add(("place2", (right, left), ("right", "left")))
        return allowed

    def _may_stake(self, seat):
        mine = self.opener is not None and self.opener == self.side(seat)
        return self.special and mine and self.staker is None and SIXES in self.hands[seat]

    def _something_to_draw(self):
        return self.rules["draw"] != "none" and len(self.boneyard) > self.rules["boneyard_floor"]

    # ---- the state machine

    def do(self, actor, command):
        """Go one step on; `actor` is a seat, or None for the referee.

        Raises:
            NotAllowed: it may not be done now.
        """
        kind, *given = command
        if kind in ("deal", "timeout"):
            if actor is not None:
                raise NotAllowed(kind)
            return self._deal(*given) if kind == "deal" else self._timeout(*given)
        if command not in self.legal(actor):
            raise NotAllowed(kind)
        self.last = None
        match kind:
            case "stake":
                self.staker = self.active = actor
                self.forced = SIXES
            case "draw":
                self.hands[actor].append(self.boneyard.pop(0))
                self.drawn += 1
            case "pass":
                self._next(actor)
            case "place":
                self._lay(actor, *given)
                self._next(actor, given[0])
            case "place2":
                for tile, end in zip(*given, strict=True):
                    self._lay(actor, tile, end)
                self._next(actor, given[0][1])
        return None

    def _deal(self, order):
        if self.phase != "deal" or sorted(order) != list(range(28)):
            raise NotAllowed("deal")
        self.last = None
        tiles = [TILES[number] for number in order]
        size = self.rules.get("hand") or self.rules["hands"][self.seats]
        self._cleared()
        hands = [tiles[seat * size : (seat + 1) * size] for seat in range(self.seats)]
        searched = self.round == 1 or self.rules["lead_next"] == "search"
        lead = self._lead_of(hands) if searched else (self.leader, None)
        if any(map(self._is_redealt, hands)) or lead is None:
            return
        self.phase, self.hands, self.boneyard = "lead", hands, tiles[self.seats * size :]
        self.active, self.forced = lead

    def _is_redealt(self, hand):
        doubles = sum(a == b for a, b in hand)
        most = max(sum(value in tile for tile in hand) for value in range(7))
        return {
            "none": False,
            "doubles": doubles >= 5,
            "doubles_or_six": doubles >= 5 or most >= 6,
        }[self.rules["redeal"]]

    def _lead_of(self, hands):
        """Who leads a searched round, and with what; None where it is dealt again."""
        down = self.rules["lead_first"] == "down"
        for value in (6, 5, 4, 3, 2, 1, 0) if down else (1, 2, 3, 4, 5, 6, 0):
            for seat, hand in enumerate(hands):
                if (value, value) in hand:
                    return seat, (value, value)
        if self.rules["no_double"] == "redeal":
            return None
        every = [(a + b, b, seat, (a, b)) for seat, hand in enumerate(hands) for a, b in hand]
        return (max if self.rules["no_double"] == "highest" else min)(every)[2:]

    def _lay(self, seat, tile, end):
        self.hands[seat].remove(tile)
        a, b = tile
        if not self.line:
            self.line = [tile]
        elif end == "left":
            self.line.insert(0, (a, b) if b == self.line[0][0] else (b, a))
        else:
            self.line.append((a, b) if a == self.line[-1][1] else (b, a))
        self.placer = seat

    def _next(self, mover, last_tile=None):
        if not self.hands[mover]:
            self._scored("out", mover, last_tile)
        elif self._is_fish():
            self._scored("fish", self.placer)
        else:
            self.phase, self.active = "turn", (mover + 1) % self.seats
            self.forced, self.drawn = None, 0

    def _is_fish(self):
        left, right = self.ends
        if self.rules["fish_test"] == "six_out" and left == right:
            lying = {tuple(sorted(tile)) for tile in self.line}
            if all(tuple(sorted((left, v))) in lying for v in range(7) if v != left):
                return True

        def fits(tiles):
            return any(left in tile or right in tile for tile in tiles)

        if any(map(fits, self.hands)):
            return False
        if not self._something_to_draw():
            return True
        return self.rules["dead_ends"] == "immediate" and not fits(self.boneyard)

    # ---- section 7

    def count(self, hand):
        """What a hand counts."""
        rules = self.rules
        if rules["blank_six_pair"] and sorted(hand) == [BLANK, SIXES]:
            return rules["blank_six_pair"]
        total = 0
        for a, b in hand:
            worth = (a + b) * (rules["double_weight"] if a == b else 1)
            for tile, name, face in ((BLANK, "blank", 0), (SIXES, "six", 12)):
                special = rules[f"{name}_value"] != face
                if (a, b) == tile and special and rules[f"{name}_when"] in ("any", _alone(hand)):
                    worth = rules[f"{name}_value"]
            total += worth
        return total

    def _scored(self, how, seat, last_tile=None):
        pips = [self.count(hand) for hand in self.hands]
        opened = [score is not None for score in self.account]
        self._credited = [0] * len(self.sides)
        collects = self.rules["who_scores"] == "winner"
        won = (self._collected if collects else self._kept)(how, seat, pips)
        new = [side for side, score in enumerate(self.account) if score is not None]
        new = [side for side in new if not opened[side]]
        if self.opener is None and not any(opened) and new:
            self.opener = new[0]
        self.last = {"how": how, "seat": seat, "pips": pips, "credited": self._credited}
        self.last["void"] = won is None
        self._match_goes_on(how, seat, won, pips, last_tile)

    def _collected(self, how, seat, pips):
        """7.1; the side that has won, None if nobody."""
        by_side = [sum(pips[each] for each in side) for side in self.sides]
        own = by_side
        if how == "out":
            won, own = self.side(seat), [0] * len(self.sides)
        else:
            if self.in_pairs and self.rules["pair_fish"] == "lowest":
                own = [min(pips[each] for each in side) for side in self.sides]
            lowest = min(own)
            if own.count(lowest) > 1:
                if self.rules["fish_tie"] == "carry":
                    self.carry += sum(pips)
                return None
            won = own.index(lowest)
        others = [points for side, points in enumerate(by_side) if side != won]
        if self.rules["fish_score"] == "sum_of_differences":
            amount = sum(points - own[won] for points in others)
        else:
            amount = sum(others) - own[won]
        self._write(won, amount + self.carry)
        self.carry = 0
        return won

    def _kept(self, how, seat, pips):
        """7.2 to 7.5; the side that has won, None if nobody."""
        x = [sum(pips[each] for each in side) for side in self.sides]
        out = self.side(seat) if how == "out" else None
        at_stake = [side for side in range(len(x)) if side != out]
        top = max(x[side] for side in at_stake)
        greatest = [side for side in at_stake if x[side] == top]
        lowest = [side for side in at_stake if x[side] == min(x)]
        if how == "out":
            self.memory[out] = 0
            for side in at_stake:
                self._write(side, x[side] + self._carried(greatest, side))
            return out
        won = lowest[0] if len(lowest) == 1 else None
        match self.rules["fish_score"]:
            case "all" if self.in_pairs:
                if won is not None:
                    self._write(1 - won, x[1 - won])
            case "eggs" if self.in_pairs:
                if won is None:
                    self.carry += sum(x)
                else:
                    self._write(1 - won, x[1 - won] + self._carried(greatest, 1 - won))
            case "all":
                for side in at_stake:
                    self._write(side, x[side])
            case "difference":
                if won is not None:
                    self._write(1 - won, x[1 - won] - x[won])
            case "one":
                if len(greatest) > 1:
                    self.carry += sum(x)
                else:
                    for side in at_stake:
                        if side not in greatest:
                            self.memory[side] = 0
                    self._write(greatest[0], sum(x) + self._carried(greatest, greatest[0]))
            case "eggs":
                for side in at_stake:
                    if len(greatest) == 1 or side not in greatest:
                        self._write(side, x[side] + self._carried(greatest, side))
                if len(greatest) > 1:
                    self.carry += top * len(greatest)
        return won

    def _carried(self, greatest, side):
        """What waits for the one with the greatest amount, taken by it."""
        if greatest != [side]:
            return 0
        waiting, self.carry = self.carry, 0
        return waiting

    def _write(self, side, amount):
        self._credited[side] = amount
        if self.account[side] is not None:
            self.account[side] += amount
        elif amount >= self.rules["open_at"]:
            self.account[side] = self.memory[side] + amount
            self.memory[side] = 0
        elif self.rules["below_open"] == "remembered":
            self.memory[side] += amount

    # ---- the end

    def _match_goes_on(self, how, seat, won, pips, last_tile):
        sides = set(range(len(self.sides)))
        staked = self._staked(won, pips)
        bald = self._bald(how, seat, pips, last_tile)
        self.last |= {"stake": None, "bald": bald is not None}
        if self.staker is not None:
            mine = self.side(self.staker)
            result = "tied" if won is None else "lost below 25"
            self.last["stake"] = result if staked is None else ("lost", "won")[mine in staked[0]]
        self.last_ends = self.ends
        decided = staked or bald
        if decided is None:
            limit = self.rules["limit"]
            there = {side for side in sides if (self.account[side] or 0) >= limit}
            if there:
                decided = (there, sides - there)
                if self.rules["limit_means"] == "lose":
                    decided = decided[::-1]
        if decided is None:
            self.round += 1
            self.leader = seat
            self._cleared()
            return
        self._over(*decided)
        if self.rules["rating"]:
            self.rating = [
                None if self.side(each) in self.losers else _rated(100 - self._score(each))
                for each in range(self.seats)
            ]

    def _staked(self, won, pips):
        if self.staker is None or won is None:
            return None
        mine = {self.side(self.staker)}
        others = set(range(len(self.sides))) - mine
        if {won} == mine:
            return mine, others
        return (others, mine) if pips[self.staker] >= 25 else None

    def _bald(self, how, seat, pips, last_tile):
        if not self.special or self.rules["bald"] == "round" or how != "out":
            return None
        mine = {self.side(seat)}
        others = set(range(len(self.sides))) - mine
        losers = [pips[each] for each in range(self.seats) if self.side(each) not in mine]
        if last_tile == BLANK or (last_tile == SIXES and max(losers) > 25):
            return mine, others
        return None

    def _timeout(self, seat):
        clock = self.rules["rating"] and self.rules["move_clock"]
        if self.phase not in ("lead", "turn") or seat != self.active or not clock:
            raise NotAllowed("timeout")
        self.last = None
        late = self.side(seat)
        self._over(set(range(len(self.sides))) - {late}, {late})
        self.rating = [
            0 if each == seat else _rated(self._score(seat) - self._score(each))
            for each in range(self.seats)
        ]

    def _score(self, seat):
        return self.account[self.side(seat)] or 0

    def _over(self, winners, losers):
        self.phase, self.active = "over", None
        self.winners, self.losers = sorted(winners), sorted(losers)
        self.rating = [None] * self.seats


def _alone(hand):
    return "alone" if len(hand) == 1 else ""


def _rated(tenfold):
    return max(1, (tenfold + 5) // 10)


@cache
def possible(seats):
    """Every command with tiles and ends that exist, for whoever wants to try them all."""
    ends = (None, "left", "right")
    commands = [("place", tile, end) for tile in TILES for end in ends]
    doubles = [tile for tile in TILES if tile[0] == tile[1]]
    for one, other in combinations(doubles, 2):
        commands += [
            ("place2", pair, way)
            for pair in ((one, other), (other, one))
            for way in (("left", "right"), ("right", "left"))
        ]
    commands += [("draw",), ("pass",), ("stake",)]
    return [(seat, command) for seat in range(seats) for command in commands]
