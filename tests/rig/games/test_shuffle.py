"""The shuffle is the one that was agreed, is even, and says what is wrong with a false one."""

from dataclasses import replace

import pytest

from rig.games.shuffle import Wrong, committed, faults, order_of, share_hash
from tests.support.shuffles import VECTORS, evenness

FOUR = VECTORS[1]
"""Four seats and 56 items."""


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: str(len(vector.order)))
def test_hashes_and_order_are_those_of_the_vectors(vector):
    game, number, count = vector.game, vector.round, vector.count
    shares = vector.shares
    assert committed(game, number, vector.secret) == vector.commitment
    assert {s: share_hash(game, number, s, shares[s]) for s in shares} == vector.hashes
    assert order_of(game, number, count, vector.secret, vector.seats, shares) == vector.order
    assert faults(vector) == ()


def test_every_place_gets_every_item_as_often():
    chi_square, degrees, p = evenness(28, 2_000)
    assert degrees == 729 and 0.001 < p < 0.999, chi_square


def other(value):
    """Another value of the same length."""
    return f"{(int(value, 16) + 1) % (1 << 256):064x}"


def swapped(order):
    return (order[1], order[0], *order[2:])


def without(mapping, seat):
    return {each: value for each, value in mapping.items() if each != seat}


SHORT = FOUR.shares["s3"][:-2]
ALL = [Wrong("secret"), *(Wrong("share", f"s{n}") for n in range(1, 5)), Wrong("deck")]
FORGED = [
    ({"secret": other(FOUR.secret)}, [Wrong("secret"), Wrong("deck")]),
    (
        {"shares": {**FOUR.shares, "s2": other(FOUR.shares["s2"])}},
        [Wrong("share", "s2"), Wrong("deck")],
    ),
    ({"order": swapped(FOUR.order)}, [Wrong("deck")]),
    ({"shares": without(FOUR.shares, "s4")}, [Wrong("withheld", "s4"), Wrong("deck")]),
    ({"late": frozenset({"s1"})}, [Wrong("late", "s1")]),
    ({"hashes": without(FOUR.hashes, "s1")}, [Wrong("late", "s1")]),
    ({"shares": {**FOUR.shares, "s3": SHORT}}, [Wrong("length", "s3", 62)]),
    ({"game": other(FOUR.game)}, ALL),
    ({"order": FOUR.order[:-1]}, [Wrong("deck")]),
    ({"round": 4}, ALL),
]


@pytest.mark.parametrize(("change", "wrong"), FORGED, ids=lambda value: str(value)[:20])
def test_what_is_wrong_with_a_false_shuffle_is_found_with_whose_it_is(change, wrong):
    assert list(faults(replace(FOUR, **change))) == wrong


def test_a_share_of_another_seat_of_the_same_table_does_not_count_as_ones_own():
    shares = {**FOUR.shares, "s1": FOUR.shares["s2"], "s2": FOUR.shares["s1"]}
    order = order_of(FOUR.game, FOUR.round, 56, FOUR.secret, FOUR.seats, shares)
    found = faults(replace(FOUR, shares=shares, order=order))
    assert [(wrong.fault, wrong.seat) for wrong in found] == [("share", "s1"), ("share", "s2")]


def test_seats_count_in_their_order_round_the_table():
    turned = (*FOUR.seats[1:], FOUR.seats[0])
    assert order_of(FOUR.game, 3, 56, FOUR.secret, turned, FOUR.shares) != FOUR.order
