"""What everybody at the table has seen of hidden hands, kept apart from the engine.

Every tile that a seat ever had came with the deal or with one of its draws. Hands agree with what
was seen if their tiles, and those laid since, can be given to these so that nobody held a tile that
fitted when they drew or knocked, and nobody was dealt one that would have led.
"""

from itertools import count

from tests.support.domino_recount import SIXES


class Seen:
    """A round as a stranger watches it.

    Args:
        walk: the match, whose deal has just been given; only what is public is taken from it.
    """

    def __init__(self, walk):
        mine = walk.recount
        self._ticks = count(1)
        self._seats = range(mine.seats)
        self._recount = mine
        self._searched = mine.forced is not None
        self._leads = mine.active
        self._staker = None
        self._forced = None
        dealt = len(mine.hands[0])
        self._got = {seat: [(0, None)] * dealt for seat in self._seats}
        self._left = {seat: {} for seat in self._seats}
        self._lacked = {seat: [] for seat in self._seats}
        self._drawn = 0

    def saw(self, actor, command):
        """A command that is about to be carried out."""
        kind, *given = command
        now, ends = next(self._ticks), set(self._recount.ends)
        if kind == "stake":
            self._staker, self._searched = actor, False
        elif kind in ("place", "place2"):
            tiles = given[0] if kind == "place2" else [given[0]]
            if not ends and self._searched:
                self._forced = tiles[0]
            if not ends:
                self._staker = None
            self._left[actor] |= dict.fromkeys(tiles, now)
        elif kind in ("draw", "pass"):
            self._lacked[actor].append((now, ends))
            if kind == "draw":
                self._got[actor].append((now, self._drawn))
                self._drawn += 1

    def shares(self, seat, hand):
        """Which tile came how: (0, None) with the deal, (time, number) drawn; None: impossible."""
        tiles = [*self._left[seat], *hand]
        got = self._got[seat]
        owner = matched(tiles, got, lambda tile, how: self._could(seat, tile, *how))
        return owner and [(drawn, owner[n]) for n, (_, drawn) in enumerate(got)]

    def _could(self, seat, tile, since, drawn):
        until = self._left[seat].get(tile, float("inf"))
        if since >= until or any(
            since < at < until and ends & set(tile) for at, ends in self._lacked[seat]
        ):
            return False
        return drawn is not None or self._forced is None or not self._before(tile)

    def _before(self, tile):
        """Whether somebody with this tile would have led with it."""
        if tile == self._forced:
            return False
        return self._recount._lead_of([[tile], [self._forced]])[0] == 0

    def agrees(self, hands):
        """Whether these can be the hands."""
        if self._staker is not None and SIXES not in hands[self._staker]:
            return False
        if self._searched and self._forced is None and not self._recount.line:
            lead = self._recount._lead_of(hands)
            return lead is not None and lead[0] == self._leads
        return all(self.shares(seat, hands[seat]) is not None for seat in self._seats)


def claims_hold(game):
    """Whether what the engine says of hidden hands (`held`, `absent`) is true of those it has."""
    for seat, hand in game.hands.items():
        rooms = [known for known in game.held[seat] for _ in range(known.count)]
        if matched(hand, rooms, lambda tile, known: _may_be(game, tile, known)) is None:
            return False
    return True


def _may_be(game, tile, known):
    lacking = any(str(value) in tile for value in known.lacks)
    return not lacking and not (known.dealt and tile in game.absent)


def matched(tiles, rooms, may):
    """A tile for each room, by its number, so that all tiles have one; None: there is no way."""
    owner = {}

    def settle(tile, tried):
        for n, room in enumerate(rooms):
            if n in tried or not may(tile, room):
                continue
            tried.add(n)
            if n not in owner or settle(owner[n], tried):
                owner[n] = tile
                return True
        return False

    if len(tiles) != len(rooms) or not all(settle(tile, set()) for tile in tiles):
        return None
    return owner
