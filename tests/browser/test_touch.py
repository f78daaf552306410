"""A real finger on the shelf: it carries a tile into the row, and scrolls a page that is longer."""

import json

import pytest

from tests.browser.conftest import SNAPSHOTS
from tests.support.touch import Finger, middle

pytestmark = pytest.mark.browser


@pytest.fixture
def touched(visitors, phone_site, heard):
    """Open a turn on a phone with a touch screen, its text of this size in per cent."""

    def open_turn(percent):
        context = visitors.new_context(
            viewport={"width": 390, "height": 664},
            has_touch=True,
            is_mobile=True,
            reduced_motion="reduce",
        )
        page = heard(context.new_page())
        page.goto(f"{phone_site}/stage.html")
        page.wait_for_selector("body[data-ready]")
        page.evaluate("size => { document.documentElement.style.fontSize = size; }", f"{percent}%")
        saved = json.loads((SNAPSHOTS / "phone-turn.json").read_text(encoding="utf-8"))
        page.evaluate("snapshot => show(snapshot, 'en')", saved)
        return page, Finger(page)

    return open_turn


def test_a_finger_carries_a_tile_from_the_shelf_into_the_row(touched):
    page, finger = touched(100)
    x, y = middle(page.get_by_role("button", name="Take the 5"))
    finger.down(x, y)
    finger.move(x, y - 60)
    page.locator(".strip-gaps").wait_for()
    finger.move(*middle(page.get_by_role("radio", name="between 8 and 6")))
    page.locator(".gap[aria-checked=true][aria-label='between 8 and 6']").wait_for()
    finger.up()
    page.get_by_role("heading", name="Stand the 5").wait_for()
    assert page.locator(".where").inner_text().startswith("between 8 and 6")
    page.get_by_role("button", name="Stand it here").tap()
    assert [each["value"] for each in page.evaluate("sent")] == [5]


def test_where_large_text_makes_the_page_longer_a_swipe_on_the_shelf_scrolls_it(touched):
    page, finger = touched(200)
    tile = page.get_by_role("button", name="Take the 5")
    tile.scroll_into_view_if_needed()
    before = page.evaluate("scrollY")
    assert before > 0, "the shelf is below the row"
    x, y = middle(tile)
    finger.drag((x, y), (x, y + 40))
    page.wait_for_function("before => scrollY < before", arg=before)
    assert page.locator(".gap, .is-carried, .topview").count() == 0
    tile.tap()
    page.get_by_role("heading", name="Stand the 5").wait_for()
