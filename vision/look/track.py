"""What looks mean over time: what is new, what moved, what fell.

A tracker knows the accepted row. It waits until several looks in a row agree, and only then says
what differs from that row; while a hand is in view it holds what it said last. A tile that a look
or two fail to show is still there, and one that is misread for a while keeps its value.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from physics.row.chain import Chain, is_same, order
from physics.row.pose import Pose
from physics.row.row_rules import RowRules, Violation, check
from physics.row.tile import State, Tile, apart_mm, turned_rad
from vision.look.eye import Look
from vision.look.matching import (
    Reread,
    lay_down,
    match,
    misread,
    name_fallen,
    on_the_spot,
    recall,
    within_fall,
)
from vision.tuning.look import MatchingTuning
from vision.tuning.tuning import TUNING, Tuning


class Change(StrEnum):
    """What a sight says about the accepted row, the gravest first."""

    DOWN = "down"
    """Tiles of the row are down, or gone for good: perhaps an accident, for people to say."""
    EXCHANGED = "exchanged"
    """Tiles came while others went."""
    SEVERAL = "several"
    """More than one tile came."""
    NEW = "new"
    """Exactly one tile came, and none is missing."""
    GONE = "gone"
    """Tiles went, and none came."""
    MOVED = "moved"
    """All tiles are there, and some stand elsewhere."""
    NOTHING = "nothing"
    """The row stands as it was accepted."""


@dataclass(frozen=True, slots=True)
class Sight:
    """What is known of the table at a moment.

    Attributes:
        time_s: when, on the camera's clock.
        tiles: all tiles as last agreed on, fallen ones with the value they must have.
        hand_in_view: somebody reaches in; everything else is as it was before.
        crowded: more differs from the empty table than tiles explain; see `Look`. Everything else
            is as it was before.
        still: enough looks agree; what is said here may be acted on.
        held: tiles that the newest look does not show and that still count as standing there.
        added: standing tiles that are not in the accepted row.
        new_tile: the one tile of `added`, if there is just one and none is missing; where it
            stands, heading down the row.
        gone: tiles of the row that are not to be seen any more.
        moved: tiles of the row that stand elsewhere, as they stand now.
        knocked: tiles of the row that are down.
        accident: tiles of the row that are down, or gone for so long that they must be; people
            are to be asked whether that was an accident.
        chain: the standing tiles in order, None as long as nothing was agreed on.
        violations: how they break the row rules.
    """

    time_s: float
    tiles: tuple[Tile, ...] = ()
    hand_in_view: bool = False
    crowded: bool = False
    still: bool = False
    held: tuple[Tile, ...] = ()
    added: tuple[Tile, ...] = ()
    new_tile: Tile | None = None
    gone: tuple[Tile, ...] = ()
    moved: tuple[Tile, ...] = ()
    knocked: tuple[Tile, ...] = ()
    accident: tuple[Tile, ...] = ()
    chain: Chain | None = None
    violations: tuple[Violation, ...] = ()

    @property
    def change(self) -> Change:
        """What all this comes to."""
        if self.knocked or self.accident:
            return Change.DOWN
        if self.added:
            if self.gone:
                return Change.EXCHANGED
            return Change.NEW if self.new_tile else Change.SEVERAL
        if self.gone:
            return Change.GONE
        return Change.MOVED if self.moved else Change.NOTHING


class Tracker:
    """Follows the tiles of one table from look to look.

    Args:
        rules: the row rules.
        looks: how many looks must agree before anything is said. With one, every look is taken
            as it is: nothing is held on to.
        tuning: see `Tuning`.
    """

    def __init__(
        self, rules: RowRules | None = None, looks: int = 2, tuning: Tuning = TUNING
    ) -> None:
        self._tuning = tuning
        self._rules = rules or RowRules()
        self._looks = looks
        self._row = Chain(())
        self._aside: tuple[Tile, ...] = ()
        self._forget()
        self._last = Sight(0.0)

    def _forget(self) -> None:
        self._agreed: tuple[Tile, ...] | None = None
        self._doubted: tuple[Tile, ...] | None = None
        self._count = 0
        self._unseen: dict[Tile, int] = {}
        self._reread: dict[Reread, int] = {}
        self._gone: dict[tuple[int | None, Pose], int] = {}

    def reset(self, row: Chain | None = None) -> None:
        """Forget everything: a new round begins, or one goes on whose accepted row is known."""
        self._row = row or Chain(())
        self._forget()
        self._last = Sight(self._last.time_s)

    def settle(self, row: Chain | None = None) -> None:
        """Accept the row as it stands: its placer has confirmed it.

        Args:
            row: what of it counts; None for all. Unmarked tiles beside it are not asked about.
        """
        if self._last.chain is not None:
            self._row = row or self._last.chain
            self._gone = {}
            self._last = replace(
                self._last, added=(), new_tile=None, gone=(), moved=(), knocked=(), accident=()
            )
            self._aside = tuple(
                tile
                for tile in self._last.tiles
                if tile.value is None and not any(is_same(tile, t) for t in self._row.tiles)
            )

    def see(self, look: Look, time_s: float) -> Sight:
        """Take in one more look.

        Args:
            look: what the newest frame shows; a look at a frame that was seen before is no new
                one, and adds nothing to be sure of.
            time_s: when it was taken.
        """
        if look.hidden or not look.steady:
            self._doubted, self._count = None, 0
            hand = look.hand_in_view
            self._last = replace(
                self._last, time_s=time_s, hand_in_view=hand, crowded=look.crowded, still=False
            )
            return self._last
        before = self._agreed if self._agreed is not None else self._row.tiles
        believed = self._believed(look, before)
        tiles = recall(look.tiles, before, believed, tuning=self._tuning.matching)
        held = self._held(tiles, before)
        tiles = (*tiles, *held)
        if self._agrees(tiles):
            if self._agreed is None or self._doubted is not None:
                self._agreed, self._doubted = tiles, None
            self._last = self._judge(tiles, held, time_s)
        else:
            self._last = replace(
                self._last, time_s=time_s, hand_in_view=False, crowded=False, still=False
            )
        return self._last

    def _believed(self, look: Look, before: Sequence[Tile]) -> set[Reread] | None:
        """Which new readings of known tiles have lasted long enough to be right."""
        if self._looks < 2:
            return None
        now = misread(look.tiles, before, tuning=self._tuning.matching)
        self._reread = {pair: self._reread.get(pair, 0) + 1 for pair in now}
        least = self._tuning.track.believe_looks
        return {pair for pair, looks in self._reread.items() if looks >= least}

    def _held(self, tiles: tuple[Tile, ...], before: Sequence[Tile]) -> tuple[Tile, ...]:
        """Standing tiles that this look does not show, and that nothing says are gone."""
        if self._looks < 2:
            return ()
        known = _standing(before)
        places = match(known, _standing(tiles))
        unseen = [tile for i, tile in enumerate(known) if i not in places]
        self._unseen = {tile: self._unseen.get(tile, 0) + 1 for tile in unseen}
        fresh = [
            t
            for t in tiles
            if t.value is None and not any(_is_still(t, b, self._tuning.matching) for b in before)
        ]
        named = {tile.value for tile in tiles if tile.value is not None}
        return tuple(
            tile
            for tile in unseen
            if self._unseen[tile] <= self._tuning.track.hold_looks
            and tile.value not in named
            and not any(within_fall(tile, thing, tuning=self._tuning.matching) for thing in fresh)
            and not any(tile.footprint.overlaps(t.footprint) for t in _standing(tiles))
        )

    def _agrees(self, tiles: tuple[Tile, ...]) -> bool:
        """Say whether enough looks showed these tiles; one that strays is not minded.

        Looks are compared with the first that showed something else, lest what creeps seem still.
        """
        if self._agreed is not None and _alike(tiles, self._agreed, self._tuning.matching):
            self._doubted, self._count = None, self._looks
        elif self._doubted is not None and _alike(tiles, self._doubted, self._tuning.matching):
            self._count += 1
        else:
            self._doubted, self._count = tiles, 1
        return self._count >= self._looks

    def _judge(self, tiles: tuple[Tile, ...], held: tuple[Tile, ...], time_s: float) -> Sight:
        """Compare what stands and lies there with the accepted row."""
        row = self._row
        seen = {tile.value for tile in tiles if tile.state is State.STANDING}
        places = match(row.tiles, _standing(tiles))
        missing = [tile for i, tile in enumerate(row.tiles) if i not in places]
        tiles = lay_down(tiles, missing, tuning=self._tuning.matching)
        tiles, knocked = name_fallen(tiles, missing, tuning=self._tuning.matching)
        minded = _of_row(
            [tile for tile in tiles if not self._was_aside(tile)],
            row,
            self._rules.reach_mm,
            explained=bool(seen - {None, *row.values}),
        )
        standing = _standing(minded)
        places = match(row.tiles, standing)
        moved = [
            (i, n)
            for i, n in places.items()
            if _has_moved(row.tiles[i], standing[n], self._said_moved(standing[n]), self._tuning)
        ]
        chain = order(standing, row)
        down = {tile.value for tile in knocked}
        gone = tuple(tile for tile in missing if tile.value is None or tile.value not in down)
        added = [tile for n, tile in enumerate(standing) if n not in places.values()]
        added = [_in_chain(chain, tile) for tile in added]
        lying = [tile for tile in minded if tile.state is State.FALLEN]
        return Sight(
            time_s=time_s,
            tiles=tiles,
            still=True,
            held=held,
            added=tuple(added),
            new_tile=added[0] if len(added) == 1 and not missing else None,
            gone=gone,
            moved=tuple(_in_chain(chain, standing[n]) for _, n in sorted(moved)),
            knocked=knocked,
            accident=(*knocked, *self._gone_for_good(gone, standing)),
            chain=chain,
            violations=check(chain, self._rules, lying, self._last.violations),
        )

    def _gone_for_good(self, gone: Sequence[Tile], standing: Sequence[Tile]) -> tuple[Tile, ...]:
        """Count the looks for which tiles have been gone; give those gone for too long.

        A tile in whose place another one stands was taken away by somebody.
        """
        empty = [t for t in gone if not any(t.footprint.overlaps(o.footprint) for o in standing)]
        keys = [(tile.value, tile.pose) for tile in empty]
        self._gone = {key: self._gone.get(key, 0) + 1 for key in keys}
        return tuple(
            tile
            for tile, key in zip(empty, keys, strict=True)
            if self._gone[key] >= self._tuning.track.gone_looks
        )

    def _said_moved(self, tile: Tile) -> bool:
        return any(is_same(tile, other) for other in self._last.moved)

    def _was_aside(self, tile: Tile) -> bool:
        """Say whether a nameless thing was there already, outside the row, when it was settled."""
        return tile.value is None and any(
            apart_mm(tile, other) <= self._tuning.matching.rough_mm for other in self._aside
        )


def _alike(one: Sequence[Tile], other: Sequence[Tile], tuning: MatchingTuning) -> bool:
    """Say whether two looks show the same tiles at the same places."""
    left = list(other)
    for tile in one:
        same = next((t for t in left if _is_still(tile, t, tuning)), None)
        if same is None:
            return False
        left.remove(same)
    return not left


def _is_still(one: Tile, other: Tile, tuning: MatchingTuning) -> bool:
    if one.value != other.value or one.state is not other.state:
        return False
    if one.value is None or one.state is State.FALLEN:
        return apart_mm(one, other) <= tuning.rough_mm
    return on_the_spot(one, other, tuning=tuning)


def _has_moved(known: Tile, seen: Tile, said: bool, tuning: Tuning) -> bool:
    sigmas = tuning.matching.sigmas
    far_mm = tuning.track.moved_mm + sigmas * math.hypot(known.sigma_mm, seen.sigma_mm)
    far_rad = tuning.track.moved_rad + sigmas * math.hypot(known.sigma_rad, seen.sigma_rad)
    share = tuning.track.back_share if said else 1.0
    return (
        known.orientation is not seen.orientation
        or apart_mm(known, seen) > share * far_mm
        or turned_rad(known, seen) > share * far_rad
    )


def _standing(tiles: Sequence[Tile]) -> list[Tile]:
    return [tile for tile in tiles if tile.state is State.STANDING]


def _of_row(tiles: Sequence[Tile], row: Chain, reach_mm: float, explained: bool) -> Sequence[Tile]:
    """Leave out nameless things that have nothing to do with the row.

    They stand there while a newcomer with a name explains what changed, or they are far from a
    row of which every tile has a name: shadows, tiles laid aside.
    """
    if not row.tiles:
        return tiles
    named = None not in row.values

    def counts(tile: Tile) -> bool:
        if tile.value is not None or any(is_same(tile, known) for known in row.tiles):
            return True
        if explained and tile.state is State.STANDING:
            return False
        gap_mm = min(tile.footprint.distance_mm(known.footprint) for known in row.tiles)
        return not named or gap_mm <= reach_mm

    return [tile for tile in tiles if counts(tile)]


def _in_chain(chain: Chain, tile: Tile) -> Tile:
    """The same tile as the chain has it, heading down the row."""
    at = (tile.pose.x_mm, tile.pose.y_mm)
    return next(t for t in chain.tiles if (t.pose.x_mm, t.pose.y_mm) == at)
