"""The end of an evening: the last verdict, the final, what was earned, and one tap to go on."""

import re

import pytest

from tests.browser.test_another_game import opened, say, site, snapshot

pytestmark = pytest.mark.browser
__all__ = ["opened", "site"]

AWARDS = ["Best eye", "Best bluff", "Closest call", "Should have fallen"]


def awards(page, group):
    """The rules that are to be read now, by award."""
    return [text for text in page.locator(f"{group} p").all_inner_texts() if text]


def test_after_the_last_verdict_a_phone_shows_winner_awards_and_three_sentences(opened):
    page = opened("play", snapshot("phone-verdict"))
    say(page, snapshot("phone-final-awards", v=201))
    page.wait_for_selector("[data-screen=final]")
    assert page.locator("h1").inner_text() == "Olena wins!"
    assert page.locator(".award-title").all_inner_texts() == AWARDS
    assert page.locator(".ending-falls span").all_inner_texts() == [
        "Round 1: the 9 stayed up",
        "Round 2: all 7 fell",
        "Round 3: 2 mm short",
    ]
    assert page.locator(".spoken").all_inner_texts() == [
        "None of your calls led to a push.",
        "The model saw it better than you.",
        "Your bluff did not hold.",
    ]


def test_a_tap_on_an_award_tells_its_rule_and_one_on_the_sentences_their_figures(opened):
    page = opened("play", snapshot("phone-final-awards"))
    assert not page.get_by_text("at least two pushes").is_visible()
    page.get_by_text("Best eye").click()
    page.get_by_text("at least two pushes").wait_for()
    page.get_by_text("How is this worked out?").click()
    page.get_by_text("Yours is 0.33, the model’s 0.21, on the same pushes: 2.").wait_for()


def test_a_rematch_and_the_replay_are_one_tap_away_on_a_phone(opened):
    page = opened("play", snapshot("phone-final-awards"))
    assert page.get_by_role("link", name="Watch the falls again").get_attribute("href") == (
        "replay#newest"
    )
    page.get_by_role("button", name="Rematch, same seats").click()
    page.wait_for_function("posts.length")
    assert page.evaluate("posts.map((each) => each.type)") == ["rematch"]


def test_the_table_screen_shows_three_falls_three_awards_and_who_may_go_on(opened):
    page = opened("table", snapshot("table-verdict-fell"))
    say(page, snapshot("table-final-awards", v=201))
    page.get_by_text("Best eye").wait_for()
    assert page.locator(".t-award-title").all_inner_texts() == AWARDS[:3]
    assert page.locator(".t-award-hero").all_inner_texts() == ["Mira", "Borys", "2 mm"]
    assert page.locator(".t-falls li").count() == 3
    assert page.locator(".t-rematch").inner_text().split("\n") == [
        "Rematch",
        "on a phone",
    ]
    page.get_by_text("Closest call").click()
    page.get_by_text("fewest mm, at most ten").wait_for()


def test_on_the_hosts_table_screen_rematch_and_replay_are_one_tap_away(opened):
    page = opened("table", snapshot("table-final-awards-host"))
    replays = page.locator(".t-plays a")
    assert {each.get_attribute("href") for each in replays.all()} == {"replay#newest"}
    page.get_by_role("button", name="Play again").click()
    page.wait_for_function("posts.some((each) => each.type)")
    assert page.evaluate("posts.filter((each) => each.type).map((each) => each.type)") == [
        "rematch"
    ]


@pytest.mark.parametrize("page_name", ["play", "table"])
def test_ties_name_all_and_what_nobody_earned_is_not_shown(opened, page_name):
    kind, award = ("phone", ".award") if page_name == "play" else ("table", ".t-award")
    page = opened(page_name, snapshot(f"{kind}-final-none"))
    page.get_by_text(re.compile("all 7 fell", re.IGNORECASE)).wait_for()
    assert page.locator(award).count() == 0
    say(page, snapshot(f"{kind}-final-ties", v=201))
    page.get_by_text("Best bluff").wait_for()
    if kind == "table":  # two names are too long for it, so their marks stand there
        assert page.get_by_role("img", name=re.compile("Bartholomew")).count() == 1
    else:
        assert "Bartholomew" in page.locator(award).nth(1).inner_text()
        assert page.get_by_text("rounds 1 and 3").first.is_visible()


def test_whoever_earned_the_badge_has_it_beside_the_name(opened):
    page = opened("play", snapshot("phone-final-awards"))
    badge = page.get_by_role("img", name="the eye against the model")
    badge.wait_for()
    assert badge.count() == 1
    assert page.locator(".ranking li").nth(2).get_by_role("img").count() == 1
