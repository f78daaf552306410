"""Every phone screen in every state, drawn from saved snapshots without a server."""

import itertools
import json
import os
from pathlib import Path

import pytest

pytestmark = pytest.mark.browser

LANGUAGES = ("en", "uk", "ru", "bg")
SNAPSHOTS = {
    path.stem: json.loads(path.read_text(encoding="utf-8"))
    for path in sorted((Path(__file__).parents[1] / "data" / "snapshots").glob("phone-*.json"))
}
SMALL = (360, 640)
COMMON = (390, 844)
SMALLEST = (320, 568)
TWICE = (195, 422)
"""What a phone of 390 x 844 has left at 200 % zoom."""
CHECKED = [("dark", "en", "axe"), ("light", "uk", "contrast")]
if os.environ.get("DOMINO_AXE") == "all":
    CHECKED = [*itertools.product(("dark", "light"), LANGUAGES, ("axe",))]
"""Themes and languages for the checker; with DOMINO_AXE=all every one of them in full."""


def on_every_screen(page, *questions, lang="en"):
    """Ask every screen the same; gives the answers that are not empty."""
    asked = [SNAPSHOTS, lang, questions]
    return page.evaluate("([snapshots, lang, asked]) => askAll(snapshots, lang, asked)", asked)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_small_phone_shows_all_of_every_screen_in_words_of_its_language(stage, heard, lang):
    """Nothing is wider than the phone, no text is cut, no target is small, no key shows through."""
    page = heard(stage(SMALL))
    assert on_every_screen(page, "wide", "cut", "targets", "keys", lang=lang) == {}


@pytest.mark.parametrize("size", [SMALLEST, TWICE], ids=["320 px", "200 %"])
def test_one_column_holds_everything(stage, heard, size):
    assert on_every_screen(heard(stage(size, "light")), "wide", "cut", lang="ru") == {}


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_common_phone_needs_no_scrolling(stage, heard, lang):
    assert on_every_screen(heard(stage(COMMON)), "tall", lang=lang) == {}


@pytest.mark.parametrize(("theme", "lang", "question"), CHECKED)
def test_axe_finds_nothing(stage, axe_source, theme, lang, question):
    page = stage(COMMON, theme)
    page.evaluate(axe_source)
    assert on_every_screen(page, question, lang=lang) == {}
