"""Ten seats are told apart by their marks, whatever the eyes and the theme."""

import pytest

from rig.session.state import MARKS, marks
from tests.support.eyes import EYES, contrast
from tests.tools.marks import clear, fills, grounds, nearest, rim


def test_the_pages_draw_every_mark_in_the_order_in_which_they_are_offered():
    assert tuple(fills()) == MARKS and len(MARKS) == 10


@pytest.mark.parametrize("eyes", EYES)
def test_no_two_marks_have_a_colour_that_looks_alike(eyes):
    """About 2 is seen side by side, 10 at a glance."""
    assert nearest(eyes)[0] >= 9


@pytest.mark.parametrize("theme", ["dark", "light"])
def test_every_mark_stands_out_from_all_it_is_drawn_on(theme):
    unclear = [
        (kind, name)
        for kind, colour in fills().items()
        for name, ground in grounds()[theme].items()
        if clear(colour, ground) < 3
    ]
    assert unclear == []


def test_the_fill_of_every_mark_is_seen_inside_its_rim():
    assert min(contrast(colour, rim()) for colour in fills().values()) >= 3


def test_a_table_offers_one_mark_more_than_seats_and_a_small_one_the_first_six():
    assert marks(5) == marks(2) == MARKS[:6]
    assert [len(marks(most)) for most in range(6, 11)] == [7, 8, 9, 10, 10]
