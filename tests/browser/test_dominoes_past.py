"""A past match of dominoes in a browser: whose eyes, what a strong bot would have done, and why."""

from dataclasses import replace

import pytest

from tests.support.clients import PLENTY
from tests.support.domino_table import DominoTable
from tests.support.opened import OFTEN
from web.factory import create_app
from web.server.server import Server

pytestmark = pytest.mark.browser

SIZES = ((320, 640), (390, 844), (844, 390), (1920, 1080))
WIDE = "() => document.documentElement.scrollWidth - document.documentElement.clientWidth"
SMALL = """() => [...document.querySelectorAll('button, a.key, input[type=range]')]
  .filter((key) => !key.closest('[inert]'))
  .map((key) => [key.textContent.trim().slice(0, 20), key.getBoundingClientRect()])
  .filter(([, box]) => box.width < 44 || box.height < 44).map(([text]) => text)"""

LAID_OUT = """([width, height]) => innerWidth === width && innerHeight === height &&
  document.querySelector(".past-keys").getBoundingClientRect().bottom <= height"""
"""Whether a page of a new size, which lays itself out a moment later, has its keys in sight."""


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    table = DominoTable(tmp_path_factory.mktemp("past") / "table.sqlite3")
    table.begin(preset="goat-online/one", limit=30).play_out(3)
    limits = replace(OFTEN, past=PLENTY)
    app = create_app(table.session, code="PINE", host_secret="the-secret", limits=limits)
    with Server(app, bind="127.0.0.1", port=0) as server:
        yield server
    table.session.close()


@pytest.fixture
def page(fresh, server, heard):
    page = heard(fresh((390, 844), locale="en", reduced_motion="reduce"))
    assert page.context.request.get(server.host_url).ok
    page.goto(server.host_url.partition("/host")[0] + "/replay#newest")
    page.wait_for_selector("#past-slider:focus")
    return page


def hands(page):
    """Of how many bones each hand shows the face, and the back."""
    count = "(li, fill) => li.querySelectorAll(`rect[fill='url(#${fill})']`).length"
    rows = page.locator(".past-hands li").all()
    return [[row.evaluate(count, fill) for fill in ("g-wood", "g-walnut")] for row in rows]


def step_to(page, words, where=".past-words"):
    """Press the right arrow until this is said."""
    while words not in page.inner_text(where):
        assert page.is_enabled(".past-keys button:last-child"), f"nowhere is it said: {words}"
        page.keyboard.press("ArrowRight")


def test_a_match_is_looked_at_by_keyboard_with_whatever_eyes_one_likes(page, checker):
    step_to(page, "begins with")
    assert sorted(hands(page)) == [[6, 0], [7, 0], [7, 0], [7, 0]]
    page.wait_for_function("() => document.querySelector('.past-hint').textContent === ''")

    step_to(page, "The strong bot would have", ".past-hint")
    assert ": " in page.inner_text(".past-hint")
    mover = page.inner_text(".past-words").split(" lays ")[0].split()[-1]
    names = page.locator(".past-who b").all_text_contents()
    eyes = next(name for name in names if name != mover)
    while page.evaluate("document.activeElement.textContent") != eyes:
        page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    assert [(face > 0, back > 0) for face, back in hands(page)] == [
        (name == eyes, name != eyes) for name in names
    ]
    assert page.inner_text(".past-hint") == ""  # what one thought is not for another's eyes

    page.focus("#past-slider")
    step_to(page, "A knock here: ", ".past-hint")
    assert "knocks" in page.inner_text(".past-words")
    assert page.inner_text(".past-hint").endswith(f", going by what {eyes} knew.")
    page.get_by_role("button", name="All hands open").press("Enter")
    assert page.inner_text(".past-hint").endswith(", going by what everybody had seen.")
    assert checker(page, "light") == []

    page.focus("#past-slider")
    page.keyboard.press("End")
    assert "The game is over." in page.inner_text(".past-words")


def test_nothing_is_cut_off_and_every_key_is_large_enough(page):
    step_to(page, "knocks")
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        page.wait_for_function(LAID_OUT, arg=[width, height])
        assert (page.evaluate(WIDE), page.evaluate(SMALL)) == (0, [])
        line = ".past-cloth" if width < 960 else ".past-stage"
        assert page.locator(f"{line} .d-bone").first.is_visible()
