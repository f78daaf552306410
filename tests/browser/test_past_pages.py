"""Past games and statistics in a browser, at a table where games were played."""

import json
import re
from pathlib import Path

import pytest

from rig.history.gamefile import dumped, loaded, made
from rig.history.verify import verified
from rig.journal import Journal
from tests.browser.test_fits import FIT
from tests.support.evenings import Evening, played
from tests.support.opened import OFTEN
from tests.support.sessions import session_on
from tests.support.stages import preview_stage
from tests.support.statistics_states import SNAPSHOTS as SAVED
from tests.support.statistics_states import states
from tests.support.words import LANGUAGES, forms, page_words, words
from web.factory import create_app
from web.server.server import Server

pytestmark = pytest.mark.browser

WEB = Path(__file__).parents[2] / "web"
STAGE = preview_stage(
    'class="past past-figures"',
    "past/statistics",
    module="past/figures",
    words=("past", "estimation/phone"),
)
WIDE = "() => document.documentElement.scrollWidth - document.documentElement.clientWidth"
SMALL = """() => [...document.querySelectorAll('button, a.key, .past-file, input[type=range]')]
  .filter((key) => !key.closest('[inert]'))
  .map((key) => [key.textContent.trim().slice(0, 20), key.getBoundingClientRect()])
  .filter(([, box]) => box.width < 44 || box.height < 44).map(([text]) => text)"""

MOMENTS = """() => {
  const slider = document.querySelector("#past-slider");
  const seen = [];
  while (slider.value !== slider.max) {
    slider.stepUp();
    slider.dispatchEvent(new InputEvent("input", { bubbles: true }));
    seen.push([
      document.body.dataset.v,
      document.querySelector(".past-scene main").dataset.screen,
      document.querySelector(".t-eyes")?.querySelectorAll("svg").length ?? null,
    ]);
  }
  return seen;
}"""
"""Of each moment: its name, as which screen it is drawn, how many eyes are compared on it."""


@pytest.fixture(scope="module")
def table(tmp_path_factory):
    folder = tmp_path_factory.mktemp("past")
    for seed in (0, 2, 6):
        journal = Journal(folder / f"old{seed}.sqlite3")
        journal.append(played(seed))
        journal.close()
    journal = Journal(folder / "table.sqlite3")
    journal.append(played(35))
    learned = {"pushes": 40, "brier_before": 0.15, "brier_after": 0.12}
    (folder / "table.table.json").write_text(json.dumps({"trust": learned}))
    session = session_on(journal)
    app = create_app(session, code="PINE", host_secret="the-secret", limits=OFTEN)
    with Server(app, bind="127.0.0.1", port=0) as server:
        yield server
    session.close()


@pytest.fixture
def visit(fresh, table, heard):
    def open_page(path, size=(390, 844), theme="dark", lang="en", motion="reduce", deaf=False):
        page = fresh(size, locale=lang, color_scheme=theme, reduced_motion=motion)
        if not deaf:
            heard(page)
        # The host's cookie, without the host's page.
        assert page.context.request.get(table.host_url).ok
        page.goto(table.host_url.partition("/host")[0] + path)
        page.wait_for_selector("body[data-v]:not([data-v=''])")
        return page

    return open_page


def look(page):
    page.click(".past-look")
    page.wait_for_selector("#past-slider")


def screen(page):
    return page.get_attribute(".past-scene main", "data-screen")


def test_a_game_is_walked_through_by_keyboard_alone(visit):
    page = visit("/replay")
    page.keyboard.press("Tab")
    while page.evaluate("document.activeElement.className").find("past-look") < 0:
        page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.wait_for_selector("#past-slider:focus")
    assert page.evaluate("scrollY") == 0
    assert screen(page) == "row"
    page.keyboard.press("ArrowRight")
    assert page.get_attribute("body", "data-v") == "game-1"
    page.keyboard.press("End")
    assert screen(page) == "final"
    assert "The game is over." in page.inner_text(".past-words")
    page.keyboard.press("Home")
    assert page.get_attribute("body", "data-v") == "game-0"


def test_every_moment_can_be_drawn_and_none_is_a_fault(visit):
    page = visit("/replay")
    look(page)
    last = int(page.get_attribute("#past-slider", "max"))
    moments = page.evaluate(MOMENTS)
    assert [name for name, _, _ in moments] == [f"game-{n}" for n in range(1, last + 1)]
    seen = {now for _, now, _ in moments}
    compared = {(now, eyes) for _, now, eyes in moments if eyes is not None}
    assert {"row", "countdown", "reveal", "push", "verdict", "final"} <= seen
    assert "start" not in seen
    # Of the three who had a choice those are named who saw it as the model did.
    assert {now for now, _ in compared} == {"verdict"}
    assert {count for _, count in compared} <= {1, 2, 3}


@pytest.mark.parametrize("came_from", ["table", "play"])
def test_from_a_past_game_one_goes_back_to_the_screen_one_came_from(visit, came_from):
    page = visit("/replay")
    address = page.url
    page.goto("about:blank")
    page.goto(f"{address}#newest", referer=address.replace("/replay", f"/{came_from}?lang=en"))
    page.get_by_role("button", name="All games").click()
    assert page.get_by_role("link", name="To the table").get_attribute("href") == came_from


def test_a_round_is_reached_by_its_key_and_the_proof_stands_below(visit):
    page = visit("/replay")
    look(page)
    page.click(".past-rounds button:nth-child(3)")
    assert page.get_attribute(".past-rounds button:nth-child(3)", "aria-current") == "true"
    assert "Nothing was changed" in page.inner_text(".past-proof")


def test_playing_goes_on_by_itself_and_stops_where_it_is_stopped(visit):
    page = visit("/replay", motion="no-preference")
    look(page)
    play = page.locator(".past-keys .key-lamp")
    play.click()
    page.wait_for_function("() => document.body.dataset.v === 'game-2'")
    play.click()
    at = page.get_attribute("body", "data-v")
    assert play.get_attribute("aria-pressed") == "false"
    page.locator(".past-keys button").last.click()
    assert page.get_attribute("body", "data-v") == f"game-{int(at[5:]) + 1}"


def test_a_game_goes_home_as_a_file_and_comes_back(visit, tmp_path):
    page = visit("/replay")
    with page.expect_download() as waiting:
        page.click(".past-pair a:first-child")
    path = tmp_path / "game.json"
    waiting.value.save_as(path)
    assert verified(loaded(path.read_bytes())).good
    page.set_input_files(".past-file input", path)
    page.wait_for_selector("#past-slider")
    assert "Nothing was changed" in page.inner_text(".past-proof")
    text = path.read_text(encoding="utf-8")
    at = text.index('"type":"BallotsRevealed"')
    path.write_text(text[:at] + text[at:].replace('"success"', '"failure"', 1), encoding="utf-8")
    page.click(".past-back")
    page.set_input_files(".past-file input", path)
    page.wait_for_selector(".past-wrong")
    assert "sealed the other side, not the one that was shown" in page.inner_text(".past-proof")


def test_a_game_that_has_just_begun_boasts_of_no_proof(visit, tmp_path):
    page = visit("/replay")
    path = tmp_path / "game.json"
    path.write_bytes(dumped(made(Evening(35).play(steps=1).records)))
    page.set_input_files(".past-file input", path)
    page.wait_for_selector(".past-proof")
    assert "Nothing was changed" in page.inner_text(".past-proof")
    assert "0 ballots" not in page.inner_text(".past-proof")


@pytest.mark.parametrize("content", ["", "{}", "[1", "hello", '{"format": "domino-rig-game"}'])
def test_a_file_that_is_no_game_is_refused_in_words(visit, tmp_path, content):
    page = visit("/replay", deaf=True)
    path = tmp_path / "other.json"
    path.write_text(content, encoding="utf-8")
    page.set_input_files(".past-file input", path)
    assert "cannot be shown" in page.inner_text(".past-trouble")


def test_statistics_show_every_player_with_a_plot_in_words_too(visit):
    page = visit("/statistics")
    assert page.locator(".figures-card").count() == 3
    label = page.get_attribute(".figures-plot", "aria-label")
    assert re.search(r"Model about \d+ in 100, \d+ rows", label)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_statistics_say_what_the_model_has_learned_of_the_table(visit, lang):
    page = visit("/statistics", lang=lang)
    about = page.inner_text(".figures-about")
    scores = ("0.120", "0.150") if lang == "en" else ("0,120", "0,150")
    assert all(number in about for number in ("40", *scores))


def test_a_player_is_erased_after_being_asked_twice(visit):
    page = visit("/statistics")
    keys = page.locator(".figures-card > button")
    assert keys.count() == 3
    name = page.inner_text(".figures-card h2")
    keys.first.click()
    assert page.locator(".figures-card").count() == 3
    assert keys.first.inner_text().endswith("films that show this name are deleted")
    keys.first.click()
    page.wait_for_function("() => document.querySelectorAll('.figures-card').length === 2")
    assert name not in page.inner_text(".figures")


@pytest.mark.parametrize(
    ("size", "lang"), [*(((320, 640), lang) for lang in LANGUAGES), ((1920, 1080), "uk")]
)
def test_nothing_is_cut_off_and_every_key_is_large_enough(visit, lang, size):
    page = visit("/replay", size=size, lang=lang)
    assert (page.evaluate(WIDE), page.evaluate(SMALL)) == (0, [])
    look(page)
    assert (page.evaluate(WIDE), page.evaluate(SMALL)) == (0, [])
    page.goto(page.url.replace("replay", "statistics"))
    page.wait_for_selector(".figures-card")
    assert (page.evaluate(WIDE), page.evaluate(SMALL)) == (0, [])


FITS = ((320, 568, 100), (360, 800, 100), (320, 568, 200), (360, 800, 200), (844, 390, 100))
FAULTS = """async (text) => {
  const [states, lang] = JSON.parse(text);
  const said = {};
  for (const [name, state] of Object.entries(states)) {
    await show(state, lang);
    const faults = ["hidden", "cut", "broken", "small"].flatMap((what) => fits[what]());
    if (faults.length) said[name] = faults;
  }
  return said;
}"""


@pytest.fixture(scope="module")
def stage(browser, static_site):
    """A page on which saved statistics are shown."""
    with browser.new_context(reduced_motion="reduce") as context:
        page = context.new_page()
        page.goto(f"{static_site(STAGE)}/stage.html")
        page.wait_for_selector("body[data-ready]")
        page.evaluate(FIT)
        yield page


def test_the_saved_statistics_are_those_that_the_sums_make():
    saved = {path.stem.removeprefix("statistics-"): path for path in SAVED.glob("statistics-*")}
    told = {name: json.loads(path.read_text(encoding="utf-8")) for name, path in saved.items()}
    assert told == json.loads(json.dumps(states()))


@pytest.mark.parametrize("lang", LANGUAGES)
def test_statistics_of_everybody_fit_on_every_phone_at_both_sizes_of_text(stage, heard, lang):
    """Each state at one size, the next one at the next, as `python -m tests.tools.fits` at all."""
    page = heard(stage)
    for n, (width, height, percent) in enumerate(FITS):
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate("p => { document.documentElement.style.fontSize = `${p}%`; }", percent)
        first = (n + LANGUAGES.index(lang)) % len(FITS)
        part = dict(list(states().items())[first :: len(FITS)])
        assert page.evaluate(FAULTS, json.dumps([part, lang])) == {}, (width, height, percent)


def test_the_checker_has_nothing_to_say_of_any_statistics(stage, checker):
    page = stage
    for name, state in states().items():
        page.evaluate("([state, lang]) => show(state, lang)", [state, "uk"])
        assert (name, checker(page, theme="dark", still=True)) == (name, [])


@pytest.mark.parametrize(("lang", "theme"), [("en", "dark"), ("uk", "light")])
def test_the_accessibility_checker_has_nothing_to_say(visit, checker, lang, theme):
    other = "light" if theme == "dark" else "dark"
    page = visit("/replay", theme=theme, lang=lang, deaf=True)
    assert checker(page, other) == []
    look(page)
    assert checker(page, other) == []
    page.goto(page.url.replace("replay", "statistics"))
    page.wait_for_selector(".figures-card")
    assert checker(page, other) == []


def test_no_word_is_missing_and_none_is_left_over():
    static = WEB / "static"
    files = [static / "replay.js", static / "statistics.js", *(static / "past").glob("*.js")]
    source = "".join(path.read_text(encoding="utf-8") for path in files)
    source = source.replace("${F}", "past.figures")
    whole = set(re.findall(r'["`](past\.[\w.]+)["`]', source)) - {"past.figures"}
    begun = tuple(re.findall(r"`(past\.[\w.]+\.)\$", source))
    keys = set(forms(words("en/past")))
    assert whole <= keys
    assert {key for key in keys - whole if not key.startswith(begun)} == set()
    assert all(any(key.startswith(start) for key in keys) for start in begun)
    spoken = set(re.findall(r'"((?:say|badge)\.[\w.]+)"', source))
    assert spoken and spoken <= set(forms(page_words("en/estimation/phone")))
