"""The shuffle is the one that was agreed, is even, and says what is wrong with a false one."""

from dataclasses import replace

import pytest

from rig.games.shuffle import committed, faults, order_of, share_hash
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
FORGED = [
    ({"secret": other(FOUR.secret)}, ["secret", "deck"], "secret of round 3 is not the one"),
    (
        {"shares": {**FOUR.shares, "s2": other(FOUR.shares["s2"])}},
        ["share", "deck"],
        "share of seat s2 in round 3 does not fit the hash",
    ),
    ({"order": swapped(FOUR.order)}, ["deck"], "deck of round 3 was not dealt in the order"),
    (
        {"shares": without(FOUR.shares, "s4")},
        ["withheld", "deck"],
        "share of seat s4 in round 3 was withheld",
    ),
    ({"late": frozenset({"s1"})}, ["late"], "seat s1 published no hash in round 3 before"),
    ({"hashes": without(FOUR.hashes, "s1")}, ["late"], "seat s1 published no hash in round 3"),
    ({"shares": {**FOUR.shares, "s3": SHORT}}, ["length"], "64 digits 0-9 and a-f, and has 62"),
    ({"game": other(FOUR.game)}, ["secret", *["share"] * 4, "deck"], "not the one it published"),
    ({"order": FOUR.order[:-1]}, ["deck"], "deck of round 3 was not dealt in the order"),
    ({"round": 4}, ["secret", *["share"] * 4, "deck"], "not the one it published"),
]


@pytest.mark.parametrize(("change", "kinds", "sentence"), FORGED, ids=lambda value: str(value)[:20])
def test_a_false_shuffle_is_told_in_a_sentence(change, kinds, sentence):
    found = faults(replace(FOUR, **change))
    assert [wrong.fault for wrong in found] == kinds
    assert sentence in found[0].message
    assert all("\n" not in wrong.message for wrong in found)


def test_a_share_of_another_seat_of_the_same_table_does_not_count_as_ones_own():
    shares = {**FOUR.shares, "s1": FOUR.shares["s2"], "s2": FOUR.shares["s1"]}
    order = order_of(FOUR.game, FOUR.round, 56, FOUR.secret, FOUR.seats, shares)
    found = faults(replace(FOUR, shares=shares, order=order))
    assert [(wrong.fault, wrong.seat) for wrong in found] == [("share", "s1"), ("share", "s2")]


def test_seats_count_in_their_order_round_the_table():
    turned = (*FOUR.seats[1:], FOUR.seats[0])
    assert order_of(FOUR.game, 3, 56, FOUR.secret, turned, FOUR.shares) != FOUR.order
