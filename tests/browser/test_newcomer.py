"""Somebody who knows only what a phone says and the names of its controls comes to the next round.

One of the many that `python -m tests.tools.newcomer` sends.
"""

import pytest

from tests.tools.newcomer import TO_DO, first_round, hosted

pytestmark = pytest.mark.browser

QUICK = {"bot": 0.1, "countdown_step": 0.1, "reveal": 1.0, "hold": 0.6, "verdict": 1.0}


def test_a_newcomer_stands_a_tile_votes_sees_the_push_and_begins_the_next_round(visitors, tmp_path):
    with hosted(tmp_path, 5, **QUICK) as url:
        person, wrong = first_round(visitors, url, 5, "bg", "740x360")
        assert wrong == [], person.diary
        assert person.done >= TO_DO
        person.page.context.close()
