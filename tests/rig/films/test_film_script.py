"""Which three falls of a game are its best."""

from dataclasses import replace

from rig.films.film_script import CLEAN, CLOSEST, STALL, best_three
from tests.support.film_scripts import script


def fall(number, tiles=5, down=None, near=(1, 0.0)):
    down = tiles if down is None else down
    return replace(script(tiles=tiles, down=down), id=f"ab-{number}", round=number, near=near)


def test_each_of_the_three_is_best_at_one_thing_and_they_come_in_order_of_the_rounds():
    falls = [
        fall(1, tiles=4),
        fall(2, tiles=8, down=6, near=(0, 0.2)),
        fall(3, tiles=9, down=2, near=(0, 1.4)),
        fall(4, tiles=7),
        fall(5, tiles=6, down=5, near=(0, 4.0)),
    ]
    told = [(kind, each.round) for kind, each in best_three(falls)]
    assert told == [(STALL, 2), (CLOSEST, 3), (CLEAN, 4)]


def test_a_fall_is_closer_by_a_gap_than_by_a_chance_and_one_without_either_is_not_close():
    falls = [fall(1, tiles=8), fall(2, near=(1, 0.0)), fall(3, near=(0, 9.0)), fall(4, near=None)]
    assert {kind: each.round for kind, each in best_three(falls)} == {CLEAN: 1, CLOSEST: 3}
    assert best_three([falls[0], falls[3]]) == ((CLEAN, falls[0]),)


def test_a_fall_stands_there_once_and_what_no_fall_fits_is_left_out():
    assert best_three([]) == ()
    assert [kind for kind, _ in best_three([fall(1)])] == [CLEAN]
    assert [kind for kind, _ in best_three([fall(1, down=0)])] == [CLOSEST]


def test_of_equal_falls_the_later_is_taken():
    assert best_three([fall(1), fall(2)])[-1][1].round == 2
