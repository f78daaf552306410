"""A real finger on shelf and rack: it carries a tile or a bone, and scrolls what is longer."""

import json

import pytest

from tests.browser.conftest import SNAPSHOTS
from tests.support.touch import Finger, middle

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def touch_screen(browser):
    """A phone with a touch screen, on which every test opens the page anew: it keeps its files."""
    with browser.new_context(
        viewport={"width": 390, "height": 664},
        has_touch=True,
        is_mobile=True,
        reduced_motion="reduce",
    ) as context:
        yield context.new_page()


@pytest.fixture
def touched(touch_screen, phone_site, heard):
    """Open a turn on a phone with a touch screen, its text of this size in per cent."""

    def open_turn(percent=100, snapshot="turn"):
        page = heard(touch_screen)
        if page.url.startswith(phone_site):
            page.evaluate("localStorage.clear(), sessionStorage.clear()")
        page.goto(f"{phone_site}/stage.html")
        page.wait_for_selector("body[data-ready]")
        page.evaluate("size => { document.documentElement.style.fontSize = size; }", f"{percent}%")
        saved = json.loads((SNAPSHOTS / f"phone-{snapshot}.json").read_text(encoding="utf-8"))
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


SLID = """async () => {
  const rack = document.querySelector(".rack-bones");
  for (let before = 0, same = 0; same < 6; before = rack.scrollLeft) {
    await new Promise((done) => requestAnimationFrame(done));
    same = rack.scrollLeft === before && before > 0 ? same + 1 : 0;
  }
  return rack.scrollLeft;
}"""
"""How far the rack has slid, once it lies still."""
IS_AT = """([name, x, y]) => {
  const box = document.querySelector(`[data-bone="${name}"]`).getBoundingClientRect();
  return Math.hypot(box.x + box.width / 2 - x, box.y + box.height / 2 - y) <= 1;
}"""


def bone(page, name):
    return page.locator(f'[data-bone="{name}"]')


def test_a_finger_carries_a_bone_from_the_rack_to_an_end(touched):
    page, finger = touched(snapshot="dominoes-turn-both")
    finger.drag(middle(bone(page, "4-5")), middle(page.locator('[data-end="right"]')))
    assert page.evaluate("sent") == [{"type": "place", "tile": "4-5", "end": "right"}]
    assert page.locator(".is-carried, .is-chosen").count() == 0


def test_a_bone_let_go_on_the_way_goes_back_and_may_be_laid_by_a_press(touched):
    page, finger = touched(snapshot="dominoes-turn-both")
    x, y = middle(bone(page, "4-5"))
    finger.drag((x, y), (x, y - 40))
    assert (page.evaluate("sent"), page.locator(".is-carried").count()) == ([], 0)
    page.locator('[data-end="left"].is-open').click()
    assert page.evaluate("sent") == [{"type": "place", "tile": "4-5", "end": "left"}]


def test_a_bone_that_fits_nowhere_stays_and_says_why(touched):
    page, finger = touched(snapshot="dominoes-turn")
    finger.drag(middle(bone(page, "1-1")), middle(page.locator('[data-end="left"]')))
    assert page.locator(".lead").text_content().strip() == "1-1 fits neither 5 nor 2."
    assert page.locator(".is-carried, .is-chosen").count() == 0
    assert page.evaluate("sent") == []


def test_a_rack_of_many_bones_slides_along_and_gives_a_bone_upward(touched):
    page, finger = touched(snapshot="dominoes-turn-many")
    rack = page.locator(".rack-bones")
    x, y = middle(rack)
    finger.drag((x, y), (x - 80, y))
    assert page.evaluate(SLID) > 0
    assert page.locator(".is-carried, .is-chosen").count() == 0
    x, y = middle(bone(page, "4-5"))
    finger.down(x, y)
    finger.move(x, y - 30)
    page.locator(".is-carried").wait_for()
    lifted = middle(bone(page, "4-5"))
    assert lifted == pytest.approx((x, y - 30), abs=12), "it is under the finger"
    finger.move(x + 9, y - 80)
    page.wait_for_function(IS_AT, arg=["4-5", lifted[0] + 9, lifted[1] - 50])
    finger.move(*middle(page.locator('[data-end="left"]')))
    finger.up()
    assert page.evaluate("sent") == [{"type": "place", "tile": "4-5", "end": "left"}]
