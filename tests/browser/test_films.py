"""Films on phones: a link after the push and at the end, and what the host says of them."""

import json
from pathlib import Path

import pytest

pytestmark = pytest.mark.browser

SNAPSHOTS = Path(__file__).parents[1] / "data" / "snapshots"


def sent(page):
    return page.evaluate("sent")


def test_after_a_push_its_film_is_one_link_that_saves_it(phone):
    link = phone("round-end-film").get_by_role("link", name="the film of this fall")
    assert link.get_attribute("href") == "/film/ab12-2-0a1b2c.mp4"
    assert link.get_attribute("download") == "domino-2.mp4"
    assert link.bounding_box()["height"] >= 44


def test_until_it_is_there_a_word_says_that_it_is_being_made(phone):
    verdict = json.loads((SNAPSHOTS / "phone-round-end-film.json").read_text("utf-8"))["verdict"]
    verdict["film"]["ready"] = False
    page = phone("round-end-film", verdict=verdict)
    assert page.get_by_text("The film of this fall is being made.").is_visible()
    assert page.locator(".film-link").count() == 0


def test_the_best_three_falls_stand_at_the_end_each_with_its_caption(phone):
    page = phone("final-films")
    told = page.locator(".film-word").all_inner_texts()
    assert told == [
        "Round 1: the 9 stayed up",
        "Round 2: all 7 fell",
        "Round 3: 2.4 mm short",
    ]
    assert page.locator(".film").first.get_attribute("href") == "/film/ab12-1-0a1b2c.mp4"


def test_the_host_switches_films_names_and_language(phone):
    page = phone("films")
    page.get_by_role("button", name="Names in the films").click()
    page.get_by_role("radio", name="Українська").check()
    page.get_by_role("button", name="Make films").click()
    assert sent(page) == [
        {"type": "set_films", "names": False},
        {"type": "set_films", "language": "uk"},
        {"type": "set_films", "on": False},
    ]


def test_without_the_extra_the_host_reads_what_to_install(phone):
    page = phone("films-missing")
    assert page.get_by_role("dialog").get_by_text("domino‑rig doctor").count()
    assert page.get_by_role("button", name="Make films").count() == 0
