"""Every phone screen in every state, drawn from saved snapshots without a server."""

import json
import os
from pathlib import Path

import pytest

from tests.browser.conftest import painted_small
from tests.support.words import LANGUAGES

pytestmark = pytest.mark.browser

SNAPSHOTS = {
    path.stem: json.loads(path.read_text(encoding="utf-8"))
    for path in sorted((Path(__file__).parents[1] / "data" / "snapshots").glob("phone-*.json"))
}
SMALL = (360, 640)
COMMON = (390, 844)
SMALLEST = (320, 568)
TWICE = (195, 422)
"""What a phone of 390 x 844 has left at 200 % zoom."""
READ_ON = {f"phone-final-{name}" for name in ("awards", "films", "ties", "none")}
"""The end of a game: its answers stand below, and what was earned is read by scrolling."""
CHECK_ALL = os.environ.get("DOMINO_AXE") == "all"
"""The checker looks at what is new on a screen, in one language; or at all of it in all of them."""


def on_every_screen(page, *questions, lang="en", snapshots=SNAPSHOTS):
    """Ask every screen the same; gives the answers that are not empty.

    The snapshots go over as one text: value by value they took half as long as the screens.
    """
    asked = json.dumps([snapshots, lang, questions])
    with painted_small(page):
        return page.evaluate("asked => askAll(...JSON.parse(asked))", asked)


@pytest.fixture(scope="module")
def on_a_small_phone(stage):
    """What is wrong with every screen there, by language, and how high they all are."""
    page = stage(SMALL)
    questions = ("wide", "cut", "targets", "keys", "height")
    return {lang: on_every_screen(page, *questions, lang=lang) for lang in LANGUAGES}


def height_px(answers, name):
    return answers[f"{name}: height"]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_small_phone_shows_all_of_every_screen_in_words_of_its_language(on_a_small_phone, lang):
    """Nothing is wider than the phone, no text is cut, no target is small, no key shows through."""
    answers = on_a_small_phone[lang]
    assert {asked: said for asked, said in answers.items() if not asked.endswith("height")} == {}
    assert all(height_px(answers, name) >= SMALL[1] for name in SNAPSHOTS)


@pytest.mark.parametrize(("size", "nth"), [(SMALLEST, 0), (TWICE, 1)], ids=["320 px", "200 %"])
def test_one_column_holds_everything(stage, heard, size, nth):
    """Every other screen on the smallest phone, the rest on one that shows it twice as large."""
    dealt = dict(list(SNAPSHOTS.items())[nth::2])
    page = heard(stage(size, "light"))
    assert on_every_screen(page, "wide", "cut", lang="ru", snapshots=dealt) == {}


def test_a_common_phone_needs_no_scrolling(stage, heard, on_a_small_phone):
    """Each screen in the language in which it is the highest on a small phone."""
    page = heard(stage(COMMON))
    for lang in LANGUAGES:
        highest = {
            name: snapshot
            for name, snapshot in SNAPSHOTS.items()
            if name not in READ_ON
            and lang == max(LANGUAGES, key=lambda each: height_px(on_a_small_phone[each], name))
        }
        assert on_every_screen(page, "tall", lang=lang, snapshots=highest) == {}


@pytest.mark.parametrize("lang", LANGUAGES if CHECK_ALL else LANGUAGES[:1])
def test_axe_finds_nothing_in_either_theme(stage, checker, lang):
    page = stage(COMMON, "dark")
    checker.come(page)
    assert on_every_screen(page, "axeOnAll" if CHECK_ALL else "axe", lang=lang) == {}


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("size", [(390, 844), (375, 667), (320, 568), (844, 390)])
def test_stop_comes_where_the_key_before_it_was_not(stage, size, lang):
    page = stage(size)
    page.evaluate("asked => show(...asked)", [SNAPSHOTS["phone-reveal-toppler"], lang])
    before = page.locator(".key-lamp").bounding_box()
    page.evaluate("asked => show(...asked)", [SNAPSHOTS["phone-push-ready"], lang])
    stop = page.locator(".stop").bounding_box()
    assert before["y"] + before["height"] <= stop["y"] or stop["x"] >= before["x"] + before["width"]


@pytest.mark.parametrize("size", [SMALL, SMALLEST, (640, 360), COMMON])
def test_the_picture_of_a_verdict_is_shown_whole_and_large_enough(stage, heard, size):
    page = heard(stage(size))
    page.evaluate("asked => show(...asked)", [SNAPSHOTS["phone-verdict-before"], "en"])
    page.evaluate("document.querySelector('.frame img').decode()")
    seen = page.evaluate("""() => {
      const img = document.querySelector(".frame img");
      const box = img.getBoundingClientRect();
      const [wide, high] = [img.naturalWidth / box.width, img.naturalHeight / box.height];
      const whole = getComputedStyle(img).objectFit === "contain";
      return [whole || Math.abs(wide / high - 1) < 0.01, box.height];
    }""")
    assert seen[0] and seen[1] >= 110
