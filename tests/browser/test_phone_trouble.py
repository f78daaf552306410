"""What a phone shows and sends while a tile waits to count, a row is wrong, or stands otherwise."""

import pytest

from tests.browser.test_phone_screens import SNAPSHOTS
from tests.support.words import LANGUAGES

pytestmark = pytest.mark.browser


def sent(page):
    return page.evaluate("sent")


def press(page, name):
    page.get_by_role("button", name=name, exact=True).click()


def test_a_proposal_says_in_how_many_seconds_it_counts_and_its_ring_empties(phone):
    page = phone("reading-counts")
    assert page.get_by_role("timer").inner_text() == "Counts automatically in 6 seconds"
    full, _ = (
        float(n) for n in page.locator(".counts-left").get_attribute("stroke-dasharray").split()
    )
    whole = 2 * 3.14159265 * 10
    assert full / whole == pytest.approx(5.4 / 8.0, abs=0.001)


def test_where_nothing_counts_by_itself_there_is_no_ring(phone):
    assert phone("reading").locator(".counts").count() == 0
    assert phone("reading-counts", paused_by="s1").locator(".counts").count() == 0


def test_whoever_puts_the_reading_right_has_all_the_time_for_it(phone):
    page = phone("reading-counts")
    press(page, "No, correct it")
    assert sent(page) == [{"type": "wait", "on": True}]
    page.get_by_role("heading", name="What really stands there?").wait_for()
    press(page, "Back")
    assert sent(page)[-1] == {"type": "wait", "on": False}
    page.get_by_role("timer").wait_for()


def test_everybody_else_sees_what_was_read_and_that_it_is_not_confirmed(phone):
    said = phone("others-proposal").locator(".foot .hint").inner_text()
    assert said == "Petro has placed 1 at the right end, low. Not confirmed yet."


def test_a_wrong_row_is_drawn_with_its_faulty_tiles_outlined(phone):
    page = phone("reading-wrong")
    assert page.locator(".rowview .top-ring").count() == 3
    assert page.locator(".rowview .top-tile").count() == 6


def test_the_cameras_picture_is_fetched_only_when_somebody_asks(phone):
    page = phone("reading-wrong")
    assert page.locator("img").count() == 0
    press(page, "Show the picture")
    assert page.locator(".frame img").get_attribute("src").startswith("/picture/now.jpg?n=")
    assert page.locator(".rowview").count() == 0
    press(page, "Show the drawing")
    assert page.locator("img").count() == 0


def test_without_a_camera_nobody_is_offered_its_picture(phone):
    page = phone("reading-wrong", live=None)
    assert page.get_by_role("button", name="Show the picture").count() == 0
    assert page.locator(".rowview").count() == 1


def test_a_moved_tile_is_drawn_where_it_is_and_where_it_belongs(phone):
    page = phone("differs")
    boxes = [
        page.locator(f".rowview .{kind}").nth(0).get_attribute("transform")
        for kind in ("top-ring", "top-ghost")
    ]
    assert boxes == ["translate(191 189.9) rotate(-12.7)", "translate(186 200.9) rotate(-8.7)"]
    assert page.locator(".rowview .top-way").count() == 1  # only what moved far has an arrow
    lines = page.locator(".advice li").all_inner_texts()
    assert lines == ["8: 12 mm from its place", "11: turned by 24°"]


def test_it_is_right_now_says_whose_turn_it_is(phone):
    page = phone("differs")
    press(page, "It is fine now")
    assert sent(page) == [{"type": "row_is_right", "right": True}]


def test_whoever_said_so_may_take_it_back(phone):
    page = phone("differs-waits")
    assert page.get_by_role("button", name="It is fine now").count() == 0
    press(page, "No, it is not")
    assert sent(page) == [{"type": "row_is_right", "right": False}]


@pytest.mark.parametrize(("name", "right"), [("Yes, it is", True), ("No", False)])
def test_another_player_nods_or_does_not_beside_the_dome(phone, name, right):
    page = phone("differs-asked")
    assert page.get_by_text("Petro says the row is fine as it stands now.").count() == 1
    press(page, name)
    assert sent(page) == [{"type": "row_is_right", "right": right}]
    assert page.locator(".dome").count() == 1


def test_everybody_may_look_at_what_has_changed(phone):
    page = phone("differs-others")
    press(page, "Show it")
    page.get_by_role("dialog", name="The row has changed").wait_for()
    assert page.locator(".sheet .rowview").count() == 1
    press(page, "Accident: whose?")
    page.get_by_role("dialog", name="Who knocked it over?").wait_for()


def test_another_order_cannot_be_right_and_has_to_be_put_back(phone):
    page = phone("differs-order")
    assert page.get_by_role("button", name="It is fine now").count() == 0
    assert page.locator(".rowview .is-ghost").count() == 1  # the tile that is gone


def test_before_the_push_stop_stays_in_sight(phone):
    page = phone("push-differs")
    assert page.locator(".stop").count() == 1
    assert page.locator(".ring").count() == 0
    press(page, "It is fine now")
    assert sent(page) == [{"type": "row_is_right", "right": True}]


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("screen", ["differs", "differs-order", "push-differs"])
def test_what_to_do_about_a_changed_row_is_read_above_the_answers(stage, heard, screen, lang):
    page = heard(stage((360, 740)))
    page.evaluate("asked => show(...asked)", [SNAPSHOTS[f"phone-{screen}"], lang])
    foot = page.locator(".foot").bounding_box()["y"]
    for part in (".lead", ".topview-frame"):
        box = page.locator(part).bounding_box()
        assert box["y"] + box["height"] <= foot, part
