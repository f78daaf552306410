"""The row from look to look: what is said of it neither flickers nor depends on the listing."""

import math
import random
from collections import Counter
from dataclasses import replace

import pytest

from physics.row.chain import order
from physics.row.pose import Pose, full_turn
from physics.row.row_rules import RowRules, ViolationKind, check
from physics.row.tile import Orientation, Tile

UP, LONG = Orientation.VERTICAL, Orientation.HORIZONTAL
SIGMA_MM, SIGMA_RAD = 0.2, math.radians(0.35)


def any_row(rng):
    """Rows good and bad: curled up, with wide gaps, with a tile beside them, tiles that touch."""
    count, curve = rng.randint(2, 11), rng.choice((0.2, 0.7)) * rng.uniform(-1, 1)
    x, y, way = 0.0, 0.0, rng.uniform(-math.pi, math.pi)
    tiles = []
    for i in range(count):
        heading = full_turn(way + rng.uniform(-0.2, 0.2))
        tiles.append(tile(i + 1, x, y, heading, rng.choice((UP, UP, LONG))))
        pitch = rng.uniform(14, 40) if rng.random() < 0.85 else rng.uniform(70, 95)
        way += curve + rng.uniform(-0.15, 0.15)
        x, y = x + pitch * math.cos(way), y + pitch * math.sin(way)
    if rng.random() < 0.4 and count > 3:
        at = tiles[rng.randrange(1, count - 1)].pose
        beside = at.to_table(rng.uniform(-5, 5), rng.choice((-1, 1)) * rng.uniform(18, 45))
        tiles.append(tile(count + 1, *beside, at.heading_rad + rng.uniform(-1.5, 1.5)))
    return tiles


def tile(value, x, y, heading_rad=0.0, how=UP):
    pose = Pose(x, y, heading_rad)
    return Tile(value, pose, how, sigma_mm=SIGMA_MM, sigma_rad=SIGMA_RAD)


def trembling(tiles, rng):
    seen = [
        replace(
            t,
            pose=Pose(
                t.pose.x_mm + rng.gauss(0, SIGMA_MM),
                t.pose.y_mm + rng.gauss(0, SIGMA_MM),
                t.pose.heading_rad + rng.gauss(0, SIGMA_RAD) + rng.choice((0, math.pi)),
            ),
        )
        for t in tiles
    ]
    return rng.sample(seen, len(seen))


def summary(violations):
    return {(v.kind, v.values): v.unsure for v in violations}


@pytest.mark.parametrize("first", range(0, 60, 30))
def test_what_is_said_of_a_row_at_rest_settles_and_does_not_flicker(first):
    flips = Counter()
    for seed in range(first, first + 30):
        rng = random.Random(seed)
        row = any_row(rng)
        known, said, before = order(row), (), None
        for _ in range(20):
            chain = order(trembling(row, rng), known)
            assert chain.values == known.values
            said = check(chain, before=said)
            now = summary(said)
            for key in {*now, *(before or now)}:
                flips[seed, key] += before is not None and now.get(key) != before.get(key)
            before = now
    assert max(flips.values(), default=0) <= 4
    assert sum(flips.values()) <= 10


@pytest.mark.parametrize("seed", range(40))
def test_turning_mirroring_and_listing_a_row_otherwise_changes_nothing_that_is_said(seed):
    rng = random.Random(seed)
    row = any_row(rng)
    angle, mirrored = rng.uniform(-math.pi, math.pi), rng.random() < 0.5
    sign = -1.0 if mirrored else 1.0
    c, s = math.cos(angle), math.sin(angle)
    seen = [
        replace(
            t,
            pose=Pose(
                t.pose.x_mm * c - sign * t.pose.y_mm * s + 300,
                t.pose.x_mm * s + sign * t.pose.y_mm * c + 200,
                full_turn(sign * t.pose.heading_rad + angle + rng.choice((0, math.pi))),
            ),
        )
        for t in rng.sample(row, len(row))
    ]
    one, other = order(row), order(seen)
    assert other.values in (one.values, one.values[::-1])

    def said(chain):
        return Counter((v.kind, frozenset(v.values), v.unsure) for v in check(chain))

    again = other if other.values == one.values else other.reversed()
    assert said(again) == said(one)


@pytest.mark.parametrize("seed", range(30))
def test_a_tile_put_between_two_others_stands_between_them(seed):
    rng = random.Random(seed)
    row = [t for t in any_row(rng) if t.value <= 6]
    wide, turn = [], 0.0
    for t in row:  # the same turns at a pitch of 44 mm, so that another tile fits between
        turn += rng.uniform(-0.15, 0.15)
        at = wide[-1].pose.to_table(44, 0) if wide else (0.0, 0.0)
        wide.append(tile(t.value, *at, turn))
    known = order(wide)
    i = rng.randrange(len(wide) - 1)
    a, b = known.tiles[i].pose, known.tiles[i + 1].pose
    middle = tile(9, (a.x_mm + b.x_mm) / 2, (a.y_mm + b.y_mm) / 2 + rng.uniform(-4, 4), turn / 2)
    grown = order(trembling([*wide, middle], rng), known)
    assert grown.values == (*known.values[: i + 1], 9, *known.values[i + 1 :])


@pytest.mark.parametrize(
    ("gap_mm", "said"),
    [(42.0, None), (46.0, True), (50.0, True), (54.0, False)],
)
def test_a_gap_no_wider_than_a_tile_is_tall_is_judged_by_the_same_band(gap_mm, said):
    """The table's own limit of one tile's height, 48 mm, with 5 mm of doubt on either side."""
    rules = RowRules(reach_mm=48.0)
    found = check(order([tile(1, 0, 0), tile(2, gap_mm + 7.5, 0)]), rules)
    assert [(v.kind, v.unsure) for v in found] == (
        [] if said is None else [(ViolationKind.TOO_FAR, said)]
    )


def test_a_branch_between_two_forks_keeps_the_name_it_was_given():
    row = [tile(i, 30.0 * i, 0) for i in range(1, 8)]
    known = order(row)
    said, names = (), set()
    for i in range(12):
        side = tile(9, 105 + (0.4 if i % 2 else -0.4), 48, math.pi / 2)
        said = check(order([*row, side], known), before=said)
        names |= {v.values for v in said if v.kind is ViolationKind.BRANCH}
    assert len(names) == 1
