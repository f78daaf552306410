"""The end of an evening: the last verdict, the final, what was earned, and one tap to go on."""

import re

import pytest

from tests.browser.test_another_game import opened, say, site, snapshot, window

pytestmark = pytest.mark.browser
__all__ = ["opened", "site", "window"]

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
        "Round 1: stopped at the 9",
        "Round 2: all 7 fell",
        "Round 3: 2 mm short",
    ]
    assert page.locator(".spoken").all_inner_texts() == [
        "None of your calls led to a push.",
        "The model judged better than you.",
        "Your bluff did not hold.",
    ]


@pytest.mark.parametrize(
    ("left", "lead"), [("s1", ""), ("s4", "9 chips."), ("s2", "9 chips, one more than Borys.")]
)
def test_a_phone_compares_the_winner_only_with_those_who_still_sit_there(opened, left, lead):
    ended = snapshot("phone-final-awards", you={"role": "seat", "seat": "s3", "host": False})
    ended["seats"] = [seat for seat in ended["seats"] if seat["seat"] != left]
    assert opened("play", ended).locator(".middle .lead").inner_text(timeout=5000) == lead


RINGED = """() => [...document.querySelectorAll("ellipse[stroke-dasharray]")].map((ring) => {
  const { left, right } = ring.getBoundingClientRect();
  return [...ring.parentNode.querySelectorAll("rect")].findIndex((tile) => {
    const box = tile.getBoundingClientRect();
    return left < box.left && box.right < right;
  });
})"""
"""Which tile, from the pushed end, is inside each ring."""


@pytest.mark.parametrize(
    ("name", "captions"), [("play", ".ending-falls span"), ("table", ".t-falls li")]
)
def test_a_fall_is_told_by_the_tile_at_which_it_stopped_and_that_one_has_the_ring(
    opened, name, captions
):
    ended = snapshot(f"{'phone' if name == 'play' else name}-final-awards")
    last = ended["final"]["falls"][2]
    assert [tile["value"] for tile in last["row"]].index(9) == 4 and last["up"] == [9, 11]
    last["short_mm"] = None
    page = opened(name, ended)
    told = page.locator(captions).nth(2).inner_text()
    assert re.search("stopped at the 9$", told, re.IGNORECASE)
    assert page.evaluate(RINGED) == [5, 4]


@pytest.mark.parametrize(
    ("name", "captions"), [("play", ".ending-falls span"), ("table", ".t-falls li")]
)
def test_of_two_tiles_both_fell(opened, name, captions):
    ended = snapshot(f"{'phone' if name == 'play' else name}-final-awards")
    fall = ended["final"]["falls"][1]
    assert fall["outcome"] == "fell"
    fall["row"] = fall["row"][:2]
    told = opened(name, ended).locator(captions).nth(1).inner_text()
    assert told == ("Round 2: both fell" if name == "play" else "Both fell")


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
    page.get_by_role("button", name="New game, same seats").click()
    page.wait_for_function("posts.length")
    assert page.evaluate("posts.map((each) => each.type)") == ["rematch"]


def test_the_table_screen_shows_three_falls_every_award_and_who_may_go_on(opened):
    page = opened("table", snapshot("table-verdict-fell"))
    say(page, snapshot("table-final-awards", v=201))
    page.get_by_text("Best eye", exact=True).wait_for()
    assert page.locator(".t-award-title").all_inner_texts() == AWARDS
    assert page.locator(".t-award-hero").all_inner_texts() == ["Mira", "Borys", "2 mm", "80 in 100"]
    assert page.locator(".t-falls li").count() == 3
    assert page.locator(".t-rematch").inner_text().split("\n") == [
        "New game",
        "on a phone",
    ]
    page.get_by_text("Closest call", exact=True).click()
    page.get_by_text("fewest mm, at most ten").wait_for()
    page.get_by_text(
        "Best eye", exact=True
    ).click()  # one rule at a time: they lie at the same place
    page.get_by_text("at least two pushes").wait_for()
    assert page.locator(".t-award-rule:visible").count() == 1


@pytest.mark.parametrize("name", ["awards-host", "films-host"])
def test_on_the_hosts_table_screen_rematch_and_replay_are_one_tap_away(opened, name):
    page = opened("table", snapshot(f"table-final-{name}"))
    replay = page.get_by_role("link", name="The whole game again")
    assert replay.get_attribute("href") == "replay#newest"
    page.get_by_role("button", name="Play again").click()
    page.wait_for_function("posts.some((each) => each.type)")
    assert page.evaluate("posts.filter((each) => each.type).map((each) => each.type)") == [
        "rematch"
    ]


@pytest.mark.parametrize(("name", "shown"), [("films", [1, 2, 3]), ("awards", [2, 3, 4])])
def test_of_more_pushes_the_table_shows_three_those_with_films_or_the_last(opened, name, shown):
    long = snapshot(f"table-final-{name}")
    last = long["final"]["falls"][-1]
    long["final"]["falls"].append({**last, "round": last["round"] + 1})
    page = opened("table", long)
    assert page.locator(".t-falls li").count() == 3
    assert page.locator(".t-art .t-fall-round").all_text_contents() == [str(n) for n in shown]


def test_whoever_may_not_look_back_has_the_films_alone(opened):
    page = opened("table", snapshot("table-final-films"))
    assert page.locator(".t-play").count() == 3
    assert page.locator("a").count() == 0


COVERED = """() => {
  const over = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1
    && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1;
  const box = (each) => each.getBoundingClientRect();
  const signs = [...document.querySelectorAll(".t-art circle, .t-play circle")].map(box);
  return [...document.querySelectorAll(".t-art image")].map((still) => {
    const { width, height } = box(still);
    const whole = still.getAttribute("preserveAspectRatio") === null;
    return [whole, (9 * width) / height, signs.filter((sign) => over(sign, box(still))).length];
  });
}"""
"""Of each still: whether it is shown whole, its shape, and how many coins and signs lie over it."""


def test_a_still_is_whole_and_neither_the_coin_nor_the_sign_lies_over_it(opened):
    page = opened("table", snapshot("table-final-films"))
    assert page.evaluate(COVERED) == [[True, pytest.approx(16), 0]] * 3
    assert page.locator(".t-fall-round").all_text_contents() == ["1", "2", "3"]


def test_a_fall_whose_film_is_not_there_is_drawn_and_cannot_be_played(opened):
    page = opened("table", snapshot("table-final-films-one"))
    assert page.locator(".t-falls li").count() == 3
    assert page.locator(".t-art image").count() == 1
    assert page.locator(".t-play").count() == 1
    page.get_by_role("button", name="Round 2: All 7 fell").wait_for()


PLAYING = """() => [...document.querySelectorAll("dialog[open] video")].some((video) =>
  (video.currentTime > 0 && !video.paused)
    || !video.canPlayType('video/mp4; codecs="avc1.42E01E"'))"""
"""Whether a film plays; a Chromium that was built without H.264 only opens its sheet."""

PAUSED = "() => [...document.querySelectorAll('video')].every((each) => each.paused)"


@pytest.mark.parametrize("way", ["Escape", "Close"])
def test_a_film_plays_over_the_screen_and_closed_it_gives_the_focus_back(opened, way):
    page = opened("table", snapshot("table-final-films"))
    key = page.get_by_role("button", name="Round 3: 2.4 mm short")
    key.click()
    page.get_by_role("dialog", name="Round 3: 2.4 mm short").wait_for()
    page.wait_for_function(PLAYING)
    say(page, snapshot("table-final-films", v=201))  # as when a phone comes back
    assert page.evaluate(PLAYING)
    if way == "Escape":
        page.keyboard.press(way)
    else:
        page.get_by_role("button", name=way).click()
    page.get_by_role("dialog").wait_for(state="detached")
    page.wait_for_function(PAUSED)
    assert key.evaluate("key => key === document.activeElement")
    assert page.evaluate("window.same") is True  # it is the page that was there


def test_a_film_goes_with_the_screen_that_it_lies_over(opened):
    page = opened("table", snapshot("table-final-films"))
    page.get_by_role("button", name="Round 1").click()
    page.wait_for_function(PLAYING)
    page.evaluate("window.video = document.querySelector('dialog[open] video')")
    say(page, snapshot("table-lobby", v=201))
    assert page.locator("dialog").count() == 0
    page.wait_for_function("() => video.paused")


def test_a_film_is_as_loud_as_the_screen(opened):
    page = opened("table", snapshot("table-final-films"))
    muted = "document.querySelector('dialog[open] video').muted"
    page.get_by_role("button", name="Round 1").click()  # any tap wakes the sound of a screen
    assert page.evaluate(muted) is False
    page.keyboard.press("Escape")
    page.get_by_role("button", name="This screen").click()
    page.get_by_role("group", name="Sound").get_by_text("off", exact=True).click()
    page.get_by_role("button", name="Close").click()
    page.get_by_role("button", name="Round 1").click()
    assert page.evaluate(muted) is True


@pytest.mark.parametrize("page_name", ["play", "table"])
def test_ties_name_all_and_what_nobody_earned_is_not_shown(opened, page_name):
    kind, award = ("phone", ".award") if page_name == "play" else ("table", ".t-award")
    page = opened(page_name, snapshot(f"{kind}-final-none"))
    page.get_by_text(re.compile("all 7 fell", re.IGNORECASE)).wait_for()
    assert page.locator(award).count() == 0
    say(page, snapshot(f"{kind}-final-ties", v=201))
    page.get_by_text("Best bluff", exact=True).wait_for()
    if kind == "table":  # two names are too long for it, so their marks stand there
        assert page.get_by_role("img", name=re.compile("Bartholomew")).count() == 1
    else:
        assert "Bartholomew" in page.locator(award).nth(1).inner_text()
        assert page.get_by_text("rounds 1 and 3").first.is_visible()


def test_whoever_earned_the_badge_has_it_beside_the_name(opened):
    page = opened("play", snapshot("phone-final-awards"))
    badge = page.get_by_role("img", name="beats the model")
    badge.wait_for()
    assert badge.count() == 1
    assert page.locator(".ranking li").nth(2).get_by_role("img").count() == 1
