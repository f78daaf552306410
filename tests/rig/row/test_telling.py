"""Seen before told: nothing is said of a drawn fall before somebody could see it, or long after."""

import random
from itertools import pairwise

import pytest

from rig.row import telling
from rig.row.fall_shown import BEFORE_MS, LONGEST_MS, REST_MS, again_ms, once_ms, tips
from rig.row.telling import BEGAN, ENDED, LEAD_S, LONGEST_S, PHONES, SILENT_S, TABLE

FALLS = tips([3, 8, 6], {3, 8, 6}, [(3, 0), (8, 120), (6, 240)])
ONCE_S = once_ms(FALLS) / 1000
SCREEN = frozenset({"table"})


def begun(screens=SCREEN):
    return telling.begun(1, FALLS, screens, 0.0)


def said(told, what, at_s, screen="table", number=1):
    return telling.reported(told, screen, number, what, at_s)


def test_tiles_tip_as_measured_but_none_before_the_one_that_strikes_it():
    falls = tips([3, 8, 6], {3, 8, 6}, [(3, 0), (8, 120), (6, 90)])
    assert [(f.value, f.start_ms, f.rest_deg) for f in falls] == [
        (3, 0, 82),
        (8, 120, 82),
        (6, 165, 90),
    ]
    assert all(90 <= f.length_ms <= 420 for f in falls)


def test_without_measured_times_tiles_tip_at_equal_steps_up_to_the_one_that_stands():
    falls = tips([9, 6, 3, 5], {9, 6, 3}, [])
    assert [f.value for f in falls] == [9, 6, 3]
    assert {b.start_ms - a.start_ms for a, b in pairwise(falls)} == {110}
    assert [f.rest_deg for f in falls] == [82, 82, 90]


def test_whatever_was_measured_no_fall_is_shown_for_longer_than_anybody_waits():
    falls = tips([1, 2, 3], {1, 2, 3}, [(1, 0), (2, 40_000), (3, 90_000)])
    assert once_ms(falls) <= LONGEST_MS


def test_the_table_shows_it_once_then_it_is_told_and_the_evidence_follows_the_second_run():
    told = said(begun(), BEGAN, 0.2)
    assert (told.on, told.waits) == (TABLE, True)
    told = said(told, ENDED, 0.2 + ONCE_S)
    assert told.told_s == pytest.approx(0.2 + ONCE_S)
    assert told.evidence_s == pytest.approx(0.2 + ONCE_S + again_ms(FALLS) / 1000)


def test_a_screen_that_says_it_is_done_too_soon_is_not_believed():
    told = said(said(begun(), BEGAN, 0.1), ENDED, 0.11)
    assert telling.passed(told, 0.1 + ONCE_S - 0.01).waits
    assert not telling.passed(told, 0.1 + ONCE_S).waits


@pytest.mark.parametrize("what", [BEGAN, ENDED])
def test_another_screen_or_another_push_tells_nothing(what):
    told = said(begun({"table", "other"}), BEGAN, 0.1)
    assert said(told, what, 0.2, screen="other") == told
    assert said(told, what, 0.2, number=7) == told


def test_where_no_screen_is_visible_the_phones_show_it_by_the_clock():
    told = begun(screens=frozenset())
    assert (told.on, told.began_s) == (PHONES, LEAD_S)
    assert telling.passed(told, LEAD_S + ONCE_S - 0.01).waits
    told = telling.passed(told, LEAD_S + ONCE_S)
    assert told.told_s == told.evidence_s == LEAD_S + ONCE_S


def test_a_screen_that_is_silent_for_a_second_leaves_it_to_the_phones():
    assert telling.passed(begun(), SILENT_S - 0.01).on == TABLE
    assert telling.passed(begun(), SILENT_S).on == PHONES


def test_a_screen_that_begins_and_never_ends_leaves_it_to_the_phones():
    told = said(begun(), BEGAN, 0.1)
    assert telling.passed(told, 0.1 + ONCE_S + SILENT_S - 0.01).on == TABLE
    assert telling.passed(told, 0.1 + ONCE_S + SILENT_S).on == PHONES


def test_a_screen_that_is_hidden_in_the_middle_leaves_it_to_the_phones_at_once():
    told = telling.seen_by(said(begun(), BEGAN, 0.1), frozenset(), 0.5)
    assert (told.on, told.began_s) == (PHONES, 0.5 + LEAD_S)


def test_a_screen_that_is_hidden_after_its_run_has_shown_it():
    told = said(said(begun(), BEGAN, 0.0), ENDED, ONCE_S)
    assert telling.seen_by(told, frozenset(), ONCE_S + 0.1).told_s == ONCE_S


def test_what_does_not_fall_needs_not_be_shown():
    assert telling.begun(1, (), SCREEN, 0.0) is None


def watched(told, screens, seed):
    """Let table screens say anything at any time; gives whether somebody saw the fall first."""
    chance = random.Random(seed)
    now_s, screens, began_s, phones_s = 0.0, set(screens), None, 0.0
    while told.waits:
        now_s += chance.choice((0.01, 0.05, 0.2, 0.4))
        on, screen = told.on, chance.choice(("table", "other"))
        match chance.randrange(6):
            case 0:
                screens ^= {screen}
            case 1 if screen in screens:
                began_s = now_s if began_s is None and on == TABLE else began_s
                told = said(told, BEGAN, now_s, screen)
            case 2:
                told = said(told, ENDED, now_s, screen, chance.choice((1, 1, 2)))
        told = telling.passed(telling.seen_by(told, frozenset(screens), now_s), now_s)
        phones_s = now_s if told.on != on else phones_s
    assert now_s <= LONGEST_S + 0.5, "nobody waits for ever"
    since_s = began_s if told.on == TABLE else phones_s + LEAD_S
    return now_s >= since_s + told.once_s


def test_of_a_thousand_falls_none_is_told_before_it_was_shown():
    for seed in range(1000):
        row = list(range(1, 2 + seed % 11))
        down = row[: 1 + seed % len(row)]
        falls = tips(row, down, [(v, i * (30 + seed % 150)) for i, v in enumerate(down)])
        screens = [(), ("table",), ("table", "other")][seed % 3]
        assert watched(telling.begun(1, falls, screens, 0.0), screens, seed), seed


def test_the_row_stands_and_lies_for_a_while_in_every_run():
    assert once_ms(FALLS) - max(f.start_ms + f.length_ms for f in FALLS) == BEFORE_MS + REST_MS
