"""Every phone screen in every state, drawn from saved snapshots without a server."""

import json
from pathlib import Path

import pytest

pytestmark = pytest.mark.browser

HERE = Path(__file__).parent
LANGUAGES = ("en", "uk", "ru", "bg")
SNAPSHOTS = {
    path.stem: json.loads(path.read_text(encoding="utf-8"))
    for path in sorted((HERE.parent / "data" / "snapshots").glob("phone-*.json"))
}
STAGE = {
    "/stage.html": """<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Stage</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><link rel="icon" href="data:,">
<link rel="stylesheet" href="/static/tokens.css"><link rel="stylesheet" href="/static/style.css">
</head><body class="phone"><div id="defs"></div><div id="app"></div>
<script type="module" src="/stage.js"></script></body></html>""",
    "/stage.js": (HERE / "phone_stage.js").read_text(encoding="utf-8"),
}
SMALL = (360, 640)
COMMON = (390, 844)
SMALLEST = (320, 568)
TWICE = (195, 422)
"""What a phone of 390 x 844 has left at 200 % zoom."""


@pytest.fixture(scope="module")
def site(static_site):
    return static_site(STAGE)


@pytest.fixture
def stage(browser, site):
    """Open a phone of a size and a theme."""
    contexts = []

    def open_stage(size, theme="dark"):
        context = browser.new_context(
            viewport={"width": size[0], "height": size[1]},
            color_scheme=theme,
            reduced_motion="reduce",
        )
        contexts.append(context)
        page = context.new_page()
        page.goto(f"{site}/stage.html")
        page.wait_for_selector("body[data-ready]")
        return page

    yield open_stage
    for context in contexts:
        context.close()


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


def test_a_common_phone_needs_no_scrolling(stage, heard):
    assert on_every_screen(heard(stage(COMMON)), "tall") == {}


@pytest.mark.parametrize(("theme", "question"), [("dark", "axe"), ("light", "contrast")])
def test_axe_finds_nothing(stage, axe_source, theme, question):
    page = stage(COMMON, theme)
    page.evaluate(axe_source)
    assert on_every_screen(page, question) == {}
