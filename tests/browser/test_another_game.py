"""The next game of the evening: the host chooses it, and every page goes on with it."""

import json
from pathlib import Path

import pytest

from tests.browser.test_phone_page import PAGE as PHONE
from tests.browser.test_phone_page import PRETEND
from tests.support.many_seats import NET
from tests.support.stages import shell

pytestmark = pytest.mark.browser

SNAPSHOTS = Path(__file__).parents[1] / "data" / "snapshots"
TABLE = shell(
    'class="table" data-v',
    "table/table",
    title="Table",
    scripts="""<script src="/pretend.js"></script>
<script type="module" src="/static/table.js"></script>""",
)
PAGES = {**PHONE, "/table.html": TABLE}
"""The pages; each test adds `/pretend.js` with the state of its table."""
HOSTS = {"role": "seat", "seat": "s1", "host": True}


def snapshot(name, **changes):
    text = (SNAPSHOTS / f"{name}.json").read_text(encoding="utf-8")
    return {**json.loads(text), "v": 200, "net": NET, "ui": {}, **changes}


@pytest.fixture(scope="module")
def site(static_site):
    return static_site(PAGES)


@pytest.fixture(scope="module")
def window(browser):
    """One window for all tests: it keeps the files of the page."""
    with browser.new_context(locale="en-GB") as context:
        yield context.new_page()


@pytest.fixture
def opened(window, site, heard):
    """Open a page anew on a snapshot, and remember that it is this very page."""

    def open_page(name, shown):
        page = heard(window)
        if page.url.startswith(site):
            page.evaluate("localStorage.clear(), sessionStorage.clear()")
        PAGES["/pretend.js"] = f"{PRETEND}\nwindow.state = {json.dumps(shown)};"
        page.goto(f"{site}/{name}.html")
        page.wait_for_selector(f"body[data-v='{shown['v']}']")
        page.evaluate("window.same = true")
        return page

    return open_page


def say(page, shown):
    page.evaluate("shown => say(shown)", shown)
    page.wait_for_selector(f"body[data-v='{shown['v']}']")


def sent(page):
    return [(each["type"], each.get("game")) for each in page.evaluate("posts")]


def dominoes(v, **changes):
    may = {**snapshot("phone-dominoes-lobby")["may"], "sit": True, **changes.pop("may", {})}
    return snapshot("phone-dominoes-lobby", v=v, may=may, marks_free=["bow", "moon"], **changes)


def test_the_host_chooses_another_game_with_one_tap_on_its_card(opened):
    page = opened("play", snapshot("phone-lobby-evening-host"))
    page.get_by_role("button", name="Another game").click()
    page.get_by_role("button", name="Estimation Domino", pressed=True).wait_for()
    page.get_by_role("button", name="Dominoes Lay equal halves").click()
    page.wait_for_function("posts.length")
    assert sent(page) == [("choose_game", "dominoes")]
    page.get_by_role("dialog").wait_for(state="detached")


def test_a_phone_goes_on_with_another_game_and_whoever_sits_down_types_on(opened):
    page = opened("play", snapshot("phone-join"))
    page.wait_for_selector("body[data-game=estimation]")
    page.get_by_label("Your name").fill("Nadia")
    page.get_by_role("radio", name="star").check()
    free = {"you": {"role": "guest", "seat": None, "host": False}}
    say(page, {**dominoes(201, **free), "marks_free": ["bow", "star"]})
    page.wait_for_selector("body[data-game=dominoes]")
    assert page.get_by_label("Your name").input_value() == "Nadia"
    assert page.get_by_role("radio", name="star").is_checked()
    say(page, dominoes(202))
    page.get_by_role("button", name="Yard goat").click()
    page.get_by_role("heading", name="Rules of this table").wait_for()
    say(page, snapshot("phone-turn", v=203))
    page.wait_for_selector("[data-screen=turn]")
    assert page.get_by_role("dialog").count() == 0
    assert page.evaluate("document.title") == "Estimation Domino"
    assert page.evaluate("window.same") is True


@pytest.mark.parametrize("name", ["phone-final", "phone-dominoes-over"])
def test_whoever_sat_down_after_the_game_is_offered_the_next_one_and_no_rematch(opened, name):
    over = snapshot(name)
    late = {**over["seats"][0], "seat": "s9", "name": "Zoë", "mark": "moon", "chips": 0}
    over |= {"you": {"role": "seat", "seat": "s9", "host": False}, "seats": [*over["seats"], late]}
    page = opened("play", over)
    page.get_by_role("button", name="New game, same seats").click()
    page.wait_for_function("posts.length")
    assert sent(page) == [("rematch", None)]


def test_from_the_end_of_a_game_a_rematch_leads_to_the_choice(opened):
    page = opened("play", snapshot("phone-dominoes-over-evening"))
    page.get_by_role("button", name="Another game").click()
    page.wait_for_function("posts.length")
    assert sent(page) == [("rematch", None)]
    games = {"games": ["estimation", "dominoes"], "may": {"choose_game": True}}
    say(page, dominoes(201, **games))
    page.get_by_role("dialog", name="Which game?").wait_for()


@pytest.mark.parametrize("state", ["final-evening", "dominoes-over-evening"])
def test_a_rematch_is_one_tap_and_only_the_host_leads_to_another_game(phone, state):
    page = phone(state, you={**HOSTS, "host": False}, games=None)
    assert page.locator(".foot button").all_inner_texts() == ["New game, same seats"]


def test_more_people_than_the_game_takes_cannot_start_it_and_read_why(phone):
    shown = snapshot("phone-dominoes-lobby-five")
    page = phone({**shown, "may": {**shown["may"], "start": True}})
    assert page.locator(".foot .hint").inner_text().startswith("Dominoes takes at most 4 players.")
    assert page.get_by_role("button", name="Start the game").count() == 0
    assert page.locator(".foot button").first.inner_text() == "Another game"


def test_games_won_are_told_of_those_who_have_played(phone):
    page = phone("lobby-evening")
    assert page.locator(".total").all_inner_texts() == [f"{n} of\u00a03 won" for n in (2, 1, 0)]


def test_a_game_without_words_is_called_as_its_rules_are(stage):
    page, shown = stage(), snapshot("phone-games", games=["estimation", "high_card"])
    page.evaluate("shown => show(shown, 'en')", {**shown, "ui": {"local": {"sheet": "games"}}})
    assert page.get_by_role("button", name="High card").inner_text() == "High card"


def test_the_table_screen_goes_on_with_another_game_and_keeps_its_sound(opened):
    page = opened("table", snapshot("table-final-evening"))
    page.get_by_role("button", name="This screen").click()
    page.get_by_role("group", name="Sound").get_by_text("on", exact=True).click()
    page.get_by_role("button", name="Close").click()
    page.get_by_role("button", name="Another game").click()
    page.wait_for_function("posts.some((each) => each.type === 'rematch')")
    say(page, snapshot("table-lobby-evening", v=201))
    page.get_by_role("dialog").get_by_role("button", name="Dominoes").click()
    page.wait_for_function("posts.some((each) => each.game === 'dominoes')")
    say(page, snapshot("table-dominoes-lobby-pairs", v=202))
    page.get_by_text("Dominoes", exact=True).wait_for()
    page.get_by_role("button", name="This screen").click()
    sound = page.get_by_role("group", name="Sound").get_by_text("on", exact=True)
    assert sound.get_attribute("aria-pressed") == "true"
    assert page.evaluate("window.same") is True
