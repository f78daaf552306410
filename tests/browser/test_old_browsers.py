"""Phones and laptops that are not new: what their browsers lack is taken out of this one.

A page that cannot run says so. What came after the floor (`tests/web/content/test_floor.py`) is not
needed to draw a screen, to see what is chosen, or to reach STOP.
"""

import functools
import json
import re

import pytest

from rig.config import load_config
from tests.browser.conftest import painted_small
from tests.browser.test_full_game import MUTE, Screen
from tests.browser.test_keyboard_game import SETTINGS
from tests.browser.test_phone_screens import SNAPSHOTS as PHONES
from tests.browser.test_table_screens import HARNESS, SHELL
from tests.browser.test_table_screens import SNAPSHOTS as TABLES
from tests.support.opened import opened_table
from tests.support.small_view import small_view
from web.content.words import words as catalogue

pytestmark = pytest.mark.browser

WITHOUT = """
for (const name of ["at", "findLast", "findLastIndex", "toReversed", "toSorted", "toSpliced"])
  delete Array.prototype[name];
for (const name of ["ListFormat", "Segmenter"]) delete Intl[name];
for (const name of ["hasOwn", "groupBy"]) delete Object[name];
delete window.structuredClone;
delete window.HTMLDialogElement;
delete crypto.randomUUID;
Storage.prototype.setItem = () => {
  throw new DOMException("full", "QuotaExceededError");
};
"""
"""Before the page: no browser of the floor has these, and some store nothing."""
SIZES = ((375, 553), (320, 454), (667, 375))
NEW_RULE = re.compile(r"@container|@supports \(width:1cqw\)|:has\(|:focus-visible")
NEW_VALUE = re.compile(r"\d(cq\w|[dsl]v[hw])\b|^(inset|aspect-ratio|container|container-type):")
SAID = """(node) => {
  const [late] = node.getAnimations();
  late.pause();
  const seen = (at) => {
    late.currentTime = at;
    return Number(getComputedStyle(node).opacity);
  };
  return [0, 2990, 3010].map(seen);
}"""
"""How much of the words is seen, by the clock of their animation: whatever this machine takes."""
EVERY_PHONE = """async (text) => {
  const failed = {};
  for (const [name, snapshot] of Object.entries(JSON.parse(text))) {
    try {
      const drawn = await show(snapshot, "en");
      if (!snapshot.ui?.message) drawn.heard();
    } catch (error) {
      failed[name] = String(error);
    }
  }
  return failed;
}"""
EVERY_TABLE = """async (text) => {
  const failed = {};
  for (const [name, snapshot] of Object.entries(JSON.parse(text))) {
    try {
      await openTable("en", "dark", true, snapshot);
      show(snapshot);
    } catch (error) {
      failed[name] = String(error);
    }
  }
  return failed;
}"""
CONTROLS = """() => {
  const box = (name) => document.querySelector(name)?.getBoundingClientRect();
  const [ring, stop] = [box(".dome, .hold, .act .answer svg"), box(".stop")];
  const words = [...document.querySelectorAll(".dome-text, .stop-word")].filter((word) => {
    const own = word.getBoundingClientRect();
    const round = word.closest(".dome, .hold, .stop").getBoundingClientRect();
    return own.left < round.left || own.right > round.right || own.bottom > round.bottom;
  });
  return {
    ring: ring ? Math.min(ring.width, ring.height) : null,
    clear: !ring || !stop || ring.bottom <= stop.top || ring.right <= stop.left,
    stop: stop ? Math.min(stop.width, stop.height) : null,
    cut: words.map((word) => word.textContent.trim()),
  };
}"""
TOLD = """
addEventListener("unhandledrejection", ({ reason }) => {
  document.documentElement.dataset.told = reason.message;
});
"""
LOOKS = """(name) => [...document.querySelectorAll(`${name} input`)].map((input) => {
  const { borderTopColor, backgroundColor } = getComputedStyle(input);
  return [input.checked, `${borderTopColor} ${backgroundColor}`];
})"""
CHOSEN = {"join": ".mark-choice", "stand": ".way", "menu": ".choices-sound .choice"}
OUTLINES = """() => [...document.querySelectorAll("input[type=radio]")]
  .map((input) => [input.checked, getComputedStyle(input).outlineStyle])"""


def without_new_style(text):
    """A style sheet as an old browser reads it: no containers, no `:has`, no newer values."""
    kept, depth, skip = "", 0, None
    for piece in re.findall(r"[^{}]*[{}]|[^{}]+$", text):
        depth -= piece.endswith("}")
        if piece.endswith("{") and skip is None and NEW_RULE.search(piece):
            skip = depth
        if skip is None and piece.endswith("}"):
            kept += ";".join(e for e in piece[:-1].split(";") if not NEW_VALUE.search(e)) + "}"
        elif skip is None:
            kept += piece
        if piece.endswith("}") and skip == depth:
            skip = None
        depth += piece.endswith("{")
    return kept


def changed(page, pattern, change):
    """Let what a page fetches pass through a change."""

    def route(each):
        answer = each.fetch()
        each.fulfill(response=answer, body=change(answer.text()))

    page.route(re.compile(pattern), route)


@pytest.fixture(scope="module")
def opened(tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("rig.machine.build.default_view", small_view)
        folder = tmp_path_factory.mktemp("old")
        with opened_table(load_config(**SETTINGS), folder, seed=3) as table:
            yield table.server


@pytest.fixture
def old_stage(fresh, phone_site, heard):
    """The stage of phone screens: in an old browser, or with the style that one reads."""

    def open_stage(size, script="", style=None, **media):
        page = heard(fresh(size, script=script, **media))
        if style:
            changed(page, r"/static/.*\.css", style)
        page.goto(f"{phone_site}/stage.html")
        page.wait_for_selector("body[data-ready]")
        return page

    return open_stage


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
@pytest.mark.parametrize("lang", ["en", "uk"])
def test_a_page_whose_script_cannot_run_says_so_after_a_while(fresh, opened, lang, motion):
    page = fresh((390, 844), locale=lang, reduced_motion=motion)
    changed(page, r"/static/.*\.js", lambda _: "@@@ no browser reads this")
    for address in (opened.join_url, opened.table_url):
        page.goto(address)
        said = page.locator("#app + p")
        assert said.inner_text() == catalogue(lang, "entry")["too_old"]
        assert said.evaluate(SAID) == [0, 0, 1]


def test_a_page_that_runs_does_not_say_so(fresh, opened):
    page = fresh((390, 844))
    page.goto(opened.join_url)
    page.locator("h1").wait_for()
    assert page.locator("#app + p").evaluate("node => getComputedStyle(node).display") == "none"


def test_every_phone_screen_is_drawn_and_told_in_an_old_browser(old_stage):
    page = old_stage((390, 844), script=WITHOUT)
    assert page.evaluate(EVERY_PHONE, json.dumps(PHONES)) == {}


def test_every_table_screen_is_drawn_in_an_old_browser(fresh, static_site):
    page = fresh((1920, 1080), script=WITHOUT)
    shell = SHELL.format(script='<script type="module" src="/harness.js"></script>')
    page.goto(f"{static_site({'/harness.js': HARNESS, '/stage.html': shell})}/stage.html")
    page.wait_for_selector("body[data-opened]")
    with painted_small(page):
        assert page.evaluate(EVERY_TABLE, json.dumps(TABLES)) == {}


def test_somebody_begins_a_game_in_an_old_browser(visitors, opened):
    phone = Screen(visitors, viewport={"width": 390, "height": 844})
    phone.page.add_init_script(MUTE + WITHOUT)
    changed(phone.page, r"/static/.*\.css", without_new_style)
    phone.page.goto(opened.join_url)
    phone.press("Play against two bots")
    phone.title("Your turn")
    phone.press("Menu")
    phone.page.get_by_role("dialog").wait_for()
    assert phone.troubles == []


def test_words_that_are_only_heard_keep_nothing_from_being_seen(visitors, opened):
    phone = Screen(visitors, viewport={"width": 390, "height": 844})
    words = r"(function politeWords\(s,ui\)\{)"
    broken = functools.partial(re.sub, words, r"\1throw Error('dumb');")
    changed(phone.page, r"/estimation/phone\.js", broken)
    phone.page.add_init_script(TOLD)
    phone.page.goto(opened.join_url)
    phone.page.locator("[data-screen=join]").wait_for()
    phone.page.locator("html[data-told='dumb']").wait_for()
    assert {"dumb" in trouble for trouble in phone.troubles} <= {True}


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]} x {size[1]}")
def test_without_containers_the_ring_is_large_and_clear_of_stop(old_stage, size):
    page = old_stage(size, style=without_new_style)
    for name in ("others", "push-ready", "handsoff", "ballot"):
        page.evaluate("snapshot => show(snapshot, 'en')", PHONES[f"phone-{name}"])
        seen = page.evaluate(CONTROLS)
        assert seen["cut"] == [], (name, seen)
        assert seen["clear"], (name, seen)
        least = 40 if name == "ballot" else 96
        assert seen["ring"] is None or seen["ring"] >= least, (name, seen)
        assert seen["stop"] is None or seen["stop"] >= 80, (name, seen)


@pytest.mark.parametrize("name", CHOSEN)
def test_what_is_chosen_is_seen_without_has(old_stage, name):
    page = old_stage((390, 844), style=without_new_style)
    page.evaluate("snapshot => show(snapshot, 'en')", PHONES[f"phone-{name}"])
    looks = page.evaluate(LOOKS, CHOSEN[name])
    chosen = {look for checked, look in looks if checked}
    assert len(chosen) == 1
    assert chosen.isdisjoint(look for checked, look in looks if not checked)


def test_the_tile_in_hand_and_the_key_in_focus_are_seen_without_has(old_stage):
    page = old_stage((390, 844), style=without_new_style)
    page.evaluate("snapshot => show(snapshot, 'en')", PHONES["phone-stand"])
    looks = page.evaluate(LOOKS, ".pick")
    assert len({look for checked, look in looks if checked}) == 1
    assert len({look for _, look in looks}) == 2
    page.locator(".pick input:checked").focus()
    outline = "node => getComputedStyle(node).outlineStyle"
    assert page.locator(".pick input:checked").evaluate(outline) == "solid"
    assert page.locator(".pick input:not(:checked)").first.evaluate(outline) == "none"


def test_a_sheet_covers_the_page_and_keeps_it_out_of_reach_without_inert(old_stage):
    page = old_stage((390, 844), style=without_new_style)
    page.evaluate("snapshot => show(snapshot, 'en')", PHONES["phone-menu"])
    veil = page.locator(".veil").bounding_box()
    assert (veil["width"], veil["height"]) == (390, 844)
    under = page.locator(".under")
    assert under.get_attribute("aria-hidden") == "true"
    under.evaluate("node => node.removeAttribute('inert')")
    page.locator(".rail-menu").focus()
    assert not under.evaluate("node => node.contains(document.activeElement)")


@pytest.mark.parametrize("name", ["join", "stand", "menu"])
def test_what_is_chosen_is_seen_in_forced_colours(old_stage, name):
    page = old_stage((390, 844), forced_colors="active")
    page.evaluate("snapshot => show(snapshot, 'en')", PHONES[f"phone-{name}"])
    assert all((style == "solid") == checked for checked, style in page.evaluate(OUTLINES))


def test_stop_has_a_border_in_forced_colours(old_stage):
    page = old_stage((390, 844), forced_colors="active")
    page.evaluate("snapshot => show(snapshot, 'en')", PHONES["phone-push-ready"])
    border = page.locator(".stop").evaluate("node => getComputedStyle(node).borderTopStyle")
    assert border == "solid"
