"""Every screen at every size: its main control whole and free, no word cut, covered or too small.

A part of what `python -m tests.tools.fits` looks at: each state at one size and in one language,
the next one at the next size, and with large text at another.
"""

import itertools
import json
from copy import deepcopy
from pathlib import Path

import pytest

from tests.browser.conftest import painted_small
from tests.browser.test_phone_screens import LANGUAGES, SNAPSHOTS

pytestmark = pytest.mark.browser

FIT = (Path(__file__).parent / "fit.js").read_text(encoding="utf-8")
SIZES = ((320, 568), (360, 640), (390, 664), (667, 375), (740, 360), (844, 390), (820, 1180))
LARGE = ((320, 568), (844, 390))
LOOK = """async (text) => {
  const [snapshots, lang, percent, named] = JSON.parse(text);
  document.documentElement.style.fontSize = `${percent}%`;
  const said = {};
  for (const [name, snapshot] of Object.entries(snapshots)) {
    await show(snapshot, lang);
    scrollTo(0, 0);
    // Only a name may be longer than a line.
    const asked = ["cut", "small", ...(named ? [] : ["broken"])];
    if (percent === 100) asked.push("hidden");
    const faults = asked.flatMap((what) => fits[what]());
    if (!document.querySelector("h1")) faults.push("no heading");
    if (faults.length) said[name] = faults;
  }
  document.documentElement.style.fontSize = "";
  return said;
}"""


def faults(page, snapshots, lang, percent=100, named=False):
    """What does not fit on each screen; they go over as one text, which is far quicker."""
    with painted_small(page):
        return page.evaluate(LOOK, json.dumps([snapshots, lang, percent, named]))


def dealt(places):
    """The states dealt out to the places, one after another."""
    hands = {place: {} for place in places}
    for place, (name, snapshot) in zip(itertools.cycle(places), SNAPSHOTS.items(), strict=False):
        hands[place][name] = snapshot
    return hands


@pytest.mark.parametrize(
    ("sizes", "percent"), [(SIZES, 100), (LARGE, 200)], ids=["as it is", "large text"]
)
def test_every_screen_fits_any_way_up(stage, heard, sizes, percent):
    places = list(zip(itertools.cycle(sizes), LANGUAGES * len(sizes), strict=False))
    for (size, lang), snapshots in dealt(places).items():
        page = heard(stage(size))
        page.evaluate(FIT)
        assert faults(page, snapshots, lang, percent) == {}, (size, lang, percent)


@pytest.mark.parametrize("size", [(667, 375), (844, 390)], ids=["667 x 375", "844 x 390"])
def test_a_phone_held_sideways_has_the_push_and_the_count_whole(stage, heard, size):
    """STOP lay over the ring here, and the count asked for a picture of less than nothing."""
    page = heard(stage(size))
    page.evaluate(FIT)
    names = ("phone-push-ready", "phone-push-held", "phone-countdown-three", "phone-turn")
    shown = {name: SNAPSHOTS[name] for name in names}
    assert faults(page, shown, "uk") == {}


def test_a_left_hand_has_what_it_presses_on_its_own_side(stage, heard):
    page = heard(stage((740, 360)))
    page.evaluate(FIT)
    for hand in ("right", "left"):
        page.evaluate("hand => { document.documentElement.dataset.hand = hand; }", hand)
        for name, control in (("push-ready", ".hold"), ("turn", ".dome")):
            shown = {name: SNAPSHOTS[f"phone-{name}"]}
            assert faults(page, shown, "uk") == {}
            box = page.locator(control).bounding_box()
            assert (box["x"] + box["width"] / 2 < 370) == (hand == "left"), (hand, name)


@pytest.mark.parametrize("size", [(320, 568), (740, 360)], ids=["320 x 568", "740 x 360"])
def test_the_longest_name_pushes_nothing_away_and_lies_over_nothing(stage, heard, size):
    page = heard(stage(size))
    page.evaluate(FIT)
    names = ("blind-host", "others-claimed", "others-early", "join-whose", "seals", "fault-camera")
    shown = {
        name: deepcopy(SNAPSHOTS[f"phone-{name}"])
        for name in (*names, "turn-shifted", "verdict", "reveal-five", "final-shared")
    }
    for snapshot in shown.values():
        for seat in snapshot["seats"]:
            seat["name"] = "W" + "m" * 19
    assert faults(page, shown, "uk", named=True) == {}


LINES = """selector => [...document.querySelectorAll(selector)].map(words => {
  const range = document.createRange();
  range.selectNodeContents(words);
  return new Set([...range.getClientRects()].map(line => line.top)).size;
})"""
"""How many lines each piece of text takes that is selected."""


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize(
    ("state", "words", "count"),
    [("stand", ".line-key", 1), ("dominoes-turn", ".end b", 2)],
    ids=["stand a tile", "both ends"],
)
def test_small_keys_say_it_on_one_line_at_360_px(stage, heard, lang, state, words, count):
    page = heard(stage((360, 640)))
    page.evaluate("([snapshot, lang]) => show(snapshot, lang)", [SNAPSHOTS[f"phone-{state}"], lang])
    assert page.evaluate(LINES, words) == [1] * count


BEYOND = """() => {
  const room = document.querySelector(".hands").getBoundingClientRect().right;
  const range = document.createRange();
  return Math.max(...[...document.querySelectorAll(".hand-account")].map(tag => {
    range.selectNodeContents(tag);
    const [inside, words] = [tag.getBoundingClientRect(), range.getBoundingClientRect()];
    return Math.max(inside.right - room, inside.left - words.left, words.right - inside.right);
  }));
}"""
"""By how many px an account reaches beyond the page's room, or its words beyond itself."""


@pytest.mark.parametrize("width", [360, 390])
def test_the_accounts_of_three_others_stay_in_their_room(stage, heard, width):
    page = heard(stage((width, 640)))
    page.evaluate("snapshot => show(snapshot, 'en')", SNAPSHOTS["phone-dominoes-turn"])
    assert page.locator(".hand-account").all_inner_texts()[-1] == "+11"
    assert page.evaluate(BEYOND) <= 0
