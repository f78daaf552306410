"""Dominoes on the table screen: what everybody may see, and no face of a hidden bone."""

import json

import pytest

from tests.support.domino_states import SNAPSHOTS
from tests.support.words import LANGUAGES
from tests.tools.fits import TABLE_STAGE

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def table(browser, static_site):
    """Draw a saved state on a table screen of 1280 x 720."""
    site = static_site(TABLE_STAGE)
    with browser.new_context(viewport={"width": 1280, "height": 720}) as context:
        page = context.new_page()
        page.goto(f"{site}/stage.html")
        page.wait_for_selector("body[data-ready]")

        def draw(state, lang="en", **changes):
            text = (SNAPSHOTS / f"table-dominoes-{state}.json").read_text(encoding="utf-8")
            page.evaluate("asked => show(...asked)", [{**json.loads(text), **changes}, lang])
            return page

        yield draw


def faces(page, where):
    """How many bones lie there with their face up."""
    return page.locator(f'{where} rect[fill="url(#g-wood)"]').count()


def test_a_table_that_was_started_again_says_that_it_waits_for_a_phone(table):
    page = table("locked")
    assert page.get_by_role("heading", name="Waiting for a phone").count() == 1
    assert page.get_by_text("Waiting for any phone that was in this round").count() == 1


def test_the_line_lies_open_and_hands_and_boneyard_show_their_backs(table):
    page = table("eight")
    assert faces(page, ".t-art") == 8
    assert faces(page, ".t-rail") == 0
    assert page.locator(".d-size").all_text_contents() == ["7", "2", "3", "3"]
    assert page.locator(".d-yard").text_content() == "5 in the boneyard"


def test_both_open_ends_have_their_places_and_the_last_bone_is_marked(table):
    page = table("eight")
    assert page.locator(".d-open").count() == 2
    assert page.locator(".d-tag").text_content().strip() == "last"
    assert page.locator(".t-line").first.text_content() == (
        "Borys laid 2-4 at the right end. Open: 5 and 2."
    )


def test_memory_is_marked_and_an_open_account_is_not(table):
    page = table("eight")
    said = [text.split() for text in page.locator(".d-account").all_text_contents()]
    assert said == [["+7kept"], ["23"], ["40"], ["+11kept"]]


def test_a_seat_whose_phone_is_away_is_marked(table):
    said = [text.split() for text in table("away").locator(".d-account").all_text_contents()]
    assert said == [["+7kept"], ["23away"], ["40"], ["+11kept"]]


def test_partners_show_one_account_with_each_others_name(table):
    page = table("out")
    said = page.locator(".d-account").all_text_contents()
    assert [text.strip() for text in said] == [
        *("17with Olena", "115with Borys", "17with Mira", "115with Petro")
    ]


def test_a_fish_opens_every_hand_above_its_seat(table):
    page = table("fish")
    assert page.locator("h1").text_content() == "Fish!"
    assert faces(page, ".d-hand") == 7
    assert page.locator(".d-pips").all_text_contents() == [
        *("10 points", "15 points", "32 points", "4 points")
    ]


def test_a_whole_set_lies_in_one_line(table):
    assert faces(table("whole"), ".d-bone") == 28


def test_a_match_ends_with_its_goat_and_the_rating(table):
    page = table("over")
    assert page.locator("h1").text_content() == "Goat: Petro"
    assert "rating 8" in page.locator(".d-account").first.text_content()


LONG = ("Maximiliane-Charlott", "Alexander Nikolow", "Bartholomäus", "Станиславочка")
LOWEST_WORDS = "() => document.querySelector('.t-words').getBoundingClientRect().bottom"
HIGHEST_BONE = """() => Math.min(
  ...[...document.querySelectorAll('.d-bone')].map((bone) => bone.getBoundingClientRect().top))"""


@pytest.mark.parametrize("state", ["over-evening", "out", "fish"])
@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_words_at_the_end_stand_above_the_line_whatever_people_are_called(table, state, lang):
    shown, whole = (
        json.loads((SNAPSHOTS / f"table-dominoes-{name}.json").read_text(encoding="utf-8"))
        for name in (state, "whole")
    )
    for names in (("Maximilian", "Alexandra", "Konstantin", "Станислава"), LONG):
        seats = [{**seat, "name": name} for seat, name in zip(shown["seats"], names, strict=True)]
        line = {key: whole[key] for key in ("line", "first")}
        page = table(state, lang, seats=seats, carry=35, **line)
        assert page.evaluate(LOWEST_WORDS) <= page.evaluate(HIGHEST_BONE)


def test_a_match_that_somebody_has_left_says_so(table):
    page = table("over", winners=[], losers=[], rating=[], result=None)
    assert page.locator("h1").text_content() == "The game is over"
    assert page.locator(".t-line").first.text_content() == "Somebody left, so nobody wins."


def test_partners_are_opposite_in_the_lobby(table):
    page = table("lobby-pairs")
    boxes = {
        name: page.locator(".t-art").get_by_text(name, exact=True).bounding_box()
        for name in ("Mira", "Petro", "Olena", "Borys")
    }
    middle = {name: (box["x"] + box["width"] / 2, box["y"]) for name, box in boxes.items()}
    assert middle["Mira"][0] == pytest.approx(middle["Olena"][0], abs=1)
    assert middle["Petro"][1] == pytest.approx(middle["Borys"][1], abs=1)
    assert middle["Olena"][1] < middle["Petro"][1] < middle["Mira"][1]
