"""What fingers and keys do on a phone: standing a tile, calling, voting, holding, stopping."""

import json
import math
from pathlib import Path

import cv2
import numpy as np
import pytest
from playwright.sync_api import expect

from tests.support.touch import pressed_at_its_upper_edge

pytestmark = pytest.mark.browser

SNAPSHOTS = Path(__file__).parents[1] / "data" / "snapshots"


def sent(page):
    return page.evaluate("sent")


def stand_it(page):
    """Press "Stand it here" and give what was asked for."""
    page.get_by_role("button", name="Stand it here").click()
    return sent(page)[-1]


LIES_AT = """([selector, x, y]) => {
  const box = document.querySelector(selector).getBoundingClientRect();
  return Math.hypot(box.x + box.width / 2 - x, box.y + box.height / 2 - y) < 1;
}"""
"""Whether the middle of what is selected lies at a point of the window."""


def middle(page, selector):
    box = page.locator(selector).bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def drag(page, start, by):
    page.mouse.move(*start)
    page.mouse.down()
    for part in (0.3, 0.7, 1.0):
        page.mouse.move(start[0] + by[0] * part, start[1] + by[1] * part)
    page.mouse.up()


def test_a_tile_is_picked_from_the_supply_and_stood_beyond_the_right_end(phone):
    page = phone("turn")
    page.get_by_role("button", name="Take the 5").click()
    asked = stand_it(page)
    assert (asked["type"], asked["value"], asked["orientation"]) == ("stand", 5, "vertical")
    last = json.loads((SNAPSHOTS / "phone-turn.json").read_text(encoding="utf-8"))["row"][-1]
    assert asked["x_mm"] - last["x_mm"] == pytest.approx(30, abs=3)


@pytest.mark.parametrize(
    ("gap", "between"), [(0, "at the left end"), (2, "between 8 and 6"), (6, "at the right end")]
)
def test_a_tile_is_dragged_from_the_shelf_straight_into_the_row(phone, gap, between):
    page = phone("turn")
    shelf = middle(page, "[aria-label='Take the 5']")
    page.mouse.move(*shelf)
    page.mouse.down()
    page.mouse.move(shelf[0], shelf[1] - 60)
    page.locator(".strip-gaps").wait_for()
    there = middle(page, f".gap >> nth={gap}")
    page.mouse.move(*there)
    assert page.locator(".gap[aria-checked=true]").get_attribute("aria-label") == between
    page.mouse.up()
    assert page.locator(".where").inner_text().startswith(between)
    assert stand_it(page)["value"] == 5


def test_a_tile_let_go_beside_the_row_goes_back_and_a_tap_still_takes_it(phone):
    page = phone("turn")
    before = middle(page, "[aria-label='Take the 5']")
    drag(page, before, (0, -60))
    page.wait_for_function(LIES_AT, arg=["[aria-label='Take the 5']", *before])
    page.locator(".gap").first.wait_for(state="detached")
    assert page.locator(".topview").count() == 0
    page.get_by_role("button", name="Take the 5").click()
    page.locator(".topview").wait_for()


def test_the_shelf_claims_the_finger_and_the_rest_of_the_page_scrolls(phone):
    page = phone("turn")
    claims = "el => getComputedStyle(el).touchAction"
    assert page.locator("[aria-label='Take the 5']").evaluate(claims) == "none"
    assert page.locator(".well").evaluate(claims) == "auto"


def test_a_dragged_tile_goes_where_the_finger_goes(phone):
    page = phone("stand")
    before = stand_it(page)
    view = page.locator(".topview").bounding_box()
    px_per_mm = view["width"] / 230
    drag(page, middle(page, ".is-draft rect >> nth=1"), (20 * px_per_mm, -30 * px_per_mm))
    after = stand_it(page)
    assert after["x_mm"] - before["x_mm"] == pytest.approx(20, abs=1)
    assert after["y_mm"] - before["y_mm"] == pytest.approx(30, abs=1)


def test_a_tile_dragged_between_two_others_says_so_and_lies_in_line(phone):
    page = phone("stand")
    scale = page.locator(".topview").bounding_box()["width"] / 230
    drag(page, middle(page, ".is-draft rect >> nth=1"), (-50 * scale, 0))
    assert page.locator(".where").inner_text() == "between 2 and 9"
    row = json.loads((SNAPSHOTS / "phone-stand.json").read_text(encoding="utf-8"))["row"]
    asked = stand_it(page)
    assert row[-2]["x_mm"] < asked["x_mm"] < row[-1]["x_mm"]
    assert abs(asked["heading_deg"]) < 30


def test_a_tile_turns_by_its_handle_and_by_the_buttons(phone):
    page = phone("stand")
    before = stand_it(page)["heading_deg"]
    page.get_by_role("button", name="Turn 15 degrees to the left").click()
    assert stand_it(page)["heading_deg"] == before + 15
    drag(page, middle(page, ".top-knob"), (-60, -70))
    assert stand_it(page)["heading_deg"] > before + 40
    page.get_by_role("button", name="In line").click()
    assert abs(stand_it(page)["heading_deg"]) < 30


IN_SIGHT = """([inside, outside]) => {
  const [a, b] = [inside, outside].map((part) =>
    document.querySelector(part).getBoundingClientRect());
  return b.left <= a.left && a.right <= b.right;
}"""


def many_tiles(value):
    """A snapshot in which somebody stands this one of many."""
    snapshot = json.loads((SNAPSHOTS / "phone-stand.json").read_text(encoding="utf-8"))
    draft = {**snapshot["ui"]["drafts"]["tile"], "value": value}
    many = {"supply": [1, *range(4, 13)], "ui": {"drafts": {"tile": draft}}}
    return {**snapshot, "row": snapshot["row"][:1], **many}


@pytest.mark.parametrize("value", [1, 12])
def test_of_many_tiles_the_chosen_one_is_in_sight(phone, value):
    page = phone(many_tiles(value))
    assert page.evaluate(IN_SIGHT, [".pick:has(:checked)", ".picks"])
    page.locator(".picks").evaluate("picks => picks.scrollTo(picks.scrollWidth, 0)")
    moved = page.locator(".picks").evaluate("picks => picks.scrollLeft")
    assert moved > 0
    page.get_by_role("button", name="Turn 15 degrees to the left").click()
    left = page.locator(".picks").evaluate("picks => picks.scrollLeft")
    assert left == moved, "what a finger moved stays"


def dark_edges(page):
    """By how many levels of grey the ends of the strip are darker than its middle."""
    drawn = np.frombuffer(page.locator(".picks").screenshot(), np.uint8)
    line = cv2.imdecode(drawn, cv2.IMREAD_GRAYSCALE)[2].astype(int)
    return [np.median(line) - line[at] for at in (12, -12)]


@pytest.mark.parametrize("theme", ["dark", "light"])
@pytest.mark.parametrize("width", [360, 390])
def test_a_strip_of_tiles_is_dark_at_an_edge_beyond_which_there_are_more(stage, width, theme):
    """At a width of 360 the edge may lie between two tiles, and none of them is cut."""
    page = stage((width, 844), theme)
    page.evaluate("snapshot => show(snapshot, 'en')", many_tiles(7))
    assert min(dark_edges(page)) > 10
    page.locator(".picks").evaluate("picks => picks.scrollTo(0, 0)")
    before, after = dark_edges(page)
    assert abs(before) < 2 and after > 10
    page.locator(".picks").evaluate("picks => picks.scrollTo(picks.scrollWidth, 0)")
    before, after = dark_edges(page)
    assert before > 10 and abs(after) < 2


@pytest.mark.parametrize("at", [0, 11])
def test_of_a_long_row_the_chosen_place_is_in_sight(phone, at):
    snapshot = json.loads((SNAPSHOTS / "phone-reading-fix.json").read_text(encoding="utf-8"))
    fix = {**snapshot["ui"]["drafts"]["fix"], "value": 12, "position": at}
    tile = snapshot["row"][0]
    row = [{**tile, "value": value, "x_mm": 60 + 40 * value} for value in range(1, 12)]
    low = [{**tile, "orientation": "horizontal"} for tile in row]
    page = phone({**snapshot, "row": low, "supply": [12], "ui": {"drafts": {"fix": fix}}})
    assert page.evaluate(IN_SIGHT, [".gap-chosen", ".well"])


FINGERS = """([moves]) => {
  const view = document.querySelector(".topview");
  view.setPointerCapture = () => {};
  const box = view.getBoundingClientRect();
  for (const [type, pointerId, x, y] of moves)
    view.dispatchEvent(new PointerEvent(type, { pointerId, isPrimary: pointerId === 1, buttons: 1,
      clientX: box.left + x, clientY: box.top + y, bubbles: true }));
  delete view.setPointerCapture;
}"""


def test_two_fingers_come_closer_and_move_no_tile(phone):
    page = phone("stand")
    before = stand_it(page)
    apart = [("pointermove", 2, x, 200) for x in (220, 260, 300)]
    start = [("pointerdown", 1, 20, 200), ("pointerdown", 2, 180, 200)]
    page.evaluate(
        FINGERS, [[*start, *apart, ("pointerup", 2, 300, 200), ("pointerup", 1, 20, 200)]]
    )
    assert float(page.locator(".topview").get_attribute("viewBox").split()[2]) < 150
    assert stand_it(page) == before


def test_a_finger_whose_end_was_never_heard_does_not_spoil_the_next_drag(phone):
    page = phone("stand")
    before = stand_it(page)
    page.evaluate(FINGERS, [[("pointerdown", 1, 20, 200)]])
    drag(page, middle(page, ".is-draft rect >> nth=1"), (0, -40))
    assert stand_it(page)["y_mm"] > before["y_mm"] + 20


def test_a_tile_never_hangs_over_the_edge_of_the_table(phone):
    page = phone("stand")
    page.get_by_role("radio", name="low").check()
    page.locator(".topview").focus()
    for _ in range(30):
        page.keyboard.press("Shift+ArrowDown")
    for _ in range(7):
        at = stand_it(page)
        reach = 24 * abs(math.cos(math.radians(at["heading_deg"])))
        assert at["y_mm"] >= reach
        page.get_by_role("button", name="Turn 15 degrees to the left").click()


def test_a_tap_moves_the_tile_there(phone):
    page = phone("stand")
    box = page.locator(".topview").bounding_box()
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + 40)
    assert stand_it(page)["y_mm"] > 240


def test_keys_alone_stand_a_tile(phone):
    page = phone("stand")
    before = stand_it(page)
    page.locator(".topview").focus()
    for key in ("ArrowRight", "Shift+ArrowUp", ",", ","):
        page.keyboard.press(key)
    page.get_by_role("radio", name="low").check()
    after = stand_it(page)
    assert after["x_mm"] == before["x_mm"] + 1
    assert after["y_mm"] == before["y_mm"] + 10
    assert after["orientation"] == "horizontal"
    assert after["heading_deg"] != before["heading_deg"]


def test_a_tile_on_another_is_said_before_it_is_stood(phone):
    assert "cuts through the 9" in phone("stand-touching").locator(".where").inner_text()


def test_putting_it_right_sends_value_and_place(phone):
    page = phone("reading-fix")
    page.get_by_role("radio", name="between 3 and 8").click()
    page.locator(".pick", has_text="7").click()
    page.get_by_role("button", name="That is it").click()
    assert sent(page) == [{"type": "correct", "value": 7, "position": 1}]


def test_domino_goes_out_when_the_finger_comes_down(phone):
    page = phone("others")
    page.mouse.move(*middle(page, ".dome"))
    page.mouse.down()
    assert sent(page) == [{"type": "call"}]
    page.mouse.up()
    assert sent(page) == [{"type": "call"}]


def test_domino_can_be_called_by_key(phone):
    page = phone("others")
    page.locator(".dome").focus()
    page.keyboard.press("Enter")
    assert sent(page) == [{"type": "call"}]


@pytest.mark.parametrize("name", ["others-late", "others-placer", "others-estimated"])
def test_a_flat_dome_sends_nothing(phone, name):
    page = phone(name)
    page.locator(".dome").click(force=True)
    assert sent(page) == []


def test_a_ballot_is_one_press_and_its_back_tells_nothing(phone):
    page = phone("ballot")
    page.get_by_role("button", name="Failure").click()
    assert sent(page) == [{"type": "vote", "side": "failure"}]
    page = phone("sealed")
    assert "Failure" not in page.locator(".pad").inner_html()
    page.get_by_role("button", name="Peep at mine").click()
    assert "Failure" in page.locator(".pad").inner_html()


def test_stop_works_at_once_and_asks_nothing(phone):
    page = phone("handsoff")
    page.mouse.move(*middle(page, ".stop"))
    page.mouse.down()
    assert sent(page) == [{"type": "stop"}]


def test_the_ring_is_held_and_let_go(phone):
    page = phone("push-ready")
    page.mouse.move(*middle(page, ".hold"))
    page.mouse.down()
    page.mouse.up()
    assert [each["type"] for each in sent(page)] == ["hold", "release"]


def test_a_person_starts_the_real_arm_of_a_bot_that_pushes(phone):
    page = phone("push-for-bot")
    expect(page.locator("h1")).to_have_text("Push at the 3 for Mira")
    page.mouse.move(*middle(page, ".hold"))
    page.mouse.down()
    assert sent(page)[-1]["type"] == "hold"


def test_the_others_see_who_starts_the_arm_for_a_bot(phone):
    page = phone("push-for-bot", you={"role": "seat", "seat": "s2", "host": False})
    expect(page.locator(".lead")).to_have_text("Petro pushes at the 3.")
    expect(page.locator(".hold")).to_have_count(0)


def test_the_ring_is_called_what_stands_on_it_and_how_it_is_held_is_told_once(phone):
    ring = phone("push-ready").get_by_role("button", name="Hold to push", exact=True)
    how = "Keep it pressed until the ring is full. Letting go early stops it."
    expect(ring).to_have_accessible_description(how)


def test_the_ring_does_nothing_before_the_conditions_are_met(phone):
    page = phone("push-switch")
    page.mouse.click(*middle(page, ".hold"))
    assert "hold" not in [each["type"] for each in sent(page)]
    page.get_by_role("switch").click()
    assert sent(page)[-1] == {"type": "switch", "on": True}


def test_a_switch_that_is_still_on_from_the_last_push_has_to_be_turned_off_first(phone):
    saved = json.loads((SNAPSHOTS / "phone-push-switch.json").read_text(encoding="utf-8"))
    push = {**saved["push"], "clear": True, "hands": None}
    told = phone("push-switch", push={**push, "switch": True}).locator(".conditions li.is-open")
    assert told.all_inner_texts() == ["Turn the arm switch off"]
    told = phone("push-switch", push=push).locator(".conditions li.is-open")
    assert told.all_inner_texts() == ["Turn the arm switch on"]


def test_on_the_test_bench_cables_are_pulled_and_the_red_button_is_pressed(phone):
    page = phone("bench")
    page.get_by_role("switch", name="Cable of the arm").click()
    assert sent(page)[-1] == {"type": "bench", "what": "pusher", "on": False}
    page.get_by_role("switch", name="Cable of the camera").click()
    assert sent(page)[-1] == {"type": "bench", "what": "camera", "on": True}
    page.get_by_role("switch", name="Pictures in the folder").click()
    assert sent(page)[-1] == {"type": "bench", "what": "folder", "on": True}
    page.get_by_role("switch", name="Red button").click()
    assert sent(page)[-1] == {"type": "estop", "pressed": False}
    page.get_by_role("switch", name="Light beam 2").click()
    assert sent(page)[-1] == {"type": "beam", "beam": 1, "broken": True}


def test_the_bench_is_in_the_drawer_where_something_is_only_pretended(phone):
    assert phone("drawer").get_by_role("button", name="Test bench").count() == 1
    assert phone("drawer", bench=None).get_by_role("button", name="Test bench").count() == 0


def test_a_bot_asks_for_its_tile_and_a_person_says_done(phone):
    page = phone("asked")
    assert page.inner_text("h1") == "Please stand the 5 for Petro"
    page.get_by_role("button", name="Done, it stands").click()
    assert sent(page) == [{"type": "stood"}]


def test_without_a_camera_lobby_and_turn_say_in_a_sentence_what_to_do(phone):
    assert "show here where" in phone("lobby-by-hand").locator(".pad").inner_text()
    devices = {"sees": False, "pushes": False, "camera": "none", "pusher": "hand"}
    page = phone("turn", devices=devices)
    assert "show here where" in page.locator(".foot").inner_text()


@pytest.mark.parametrize(
    ("name", "stops", "arms"),
    [
        ("push-switch", 1, 0),
        ("handsoff", 1, 1),
        ("push-finger", 0, 0),
        ("finger-now", 0, 0),
        ("finger-others", 0, 0),
        ("report-by-hand", 0, 0),
    ],
)
def test_stop_and_a_drawn_arm_are_only_where_an_arm_pushes(phone, name, stops, arms):
    page = phone(name)
    assert page.locator(".stop").count() == stops
    assert page.locator("svg.pusher").count() == arms
    assert page.locator(".hands").count() == 0, "the red button is on the test bench"


@pytest.mark.parametrize("seat", ["s1", None])
def test_a_stop_by_the_red_button_is_told_as_that_and_nobodys(phone, seat):
    you = {"role": "phone", "seat": seat, "host": False}
    page = phone("stopped-button", you=you, ui={"local": {"watching": seat is None}})
    told = page.locator("[data-screen=stopped] h1").inner_text()
    assert told == "The red button was pressed. Nothing moves."


def test_a_full_ring_pushes_and_an_early_release_does_not(phone):
    ring = """async (early) => {
      const { HoldRing } = await import("/static/core/hold.js");
      const done = [];
      const begin = async () => ({ ok: true, nonce: "n1" });
      const ring = new HoldRing({ fullMs: () => 120, begin, push: (nonce) => done.push(nonce),
        cancel: () => done.push("cancel"), draw: () => {} });
      const begun = ring.press();
      if (early) { await begun; ring.release(); }
      for (let i = 0; i < 30 && done.length === 0; i += 1)
        await new Promise((next) => requestAnimationFrame(next));
      return done;
    }"""
    page = phone("push-ready")
    assert page.evaluate(ring, False) == ["n1"]
    assert page.evaluate(ring, True) == ["cancel"]


def test_a_sheet_takes_the_focus_and_escape_gives_it_back(phone):
    page = phone("others")
    page.get_by_role("button", name="Menu").click()
    assert page.evaluate("document.activeElement.closest('[role=dialog]') !== null")
    page.keyboard.press("Escape")
    assert page.locator("[role=dialog]").count() == 0
    assert page.evaluate("document.activeElement.getAttribute('aria-label')") == "Menu"


def test_the_row_is_told_in_words(phone):
    label = phone("others").locator("svg.strip").get_attribute("aria-label")
    assert label == (
        "The row from left to right: 3, 8 low, 6, 11, 2 low, 9, the last one. "
        "The push starts at the left end."
    )


@pytest.mark.parametrize("virtual", [True, False], ids=["rows on the phone", "a real table"])
@pytest.mark.parametrize("pretend", [True, False], ids=["a pretend pusher", "a real one"])
def test_the_phone_has_the_switch_of_a_pretend_pusher_and_of_no_other(phone, virtual, pretend):
    saved = json.loads((SNAPSHOTS / "phone-push-switch.json").read_text(encoding="utf-8"))
    hands = {"estop": False, "beams": [False, False]} if pretend else None
    page = phone("push-switch", virtual=virtual, push={**saved["push"], "hands": hands})
    assert page.get_by_role("switch").count() == pretend


HEARD = {
    "turn": "Your turn, Petro",
    "reading": "Is that what you built?",
    "reading-wrong": "That does not count.",
    "reading-gone": "A tile is gone from the row.",
    "reading-unsure": "Which tile is it?",
    "others-proposal": "Not confirmed yet.",
    "asked-camera": "Please stand the 5 for Petro. 5 at the right end, upright.",
    "asked-wrong": "That does not count. The 5 stands apart from the row.",
}


@pytest.mark.parametrize("screen", HEARD)
def test_what_is_read_on_the_turn_page_is_heard_too(phone, screen):
    page = phone(screen)
    snapshot = json.loads((SNAPSHOTS / f"phone-{screen}.json").read_text(encoding="utf-8"))
    heard = page.evaluate("snapshot => heard(snapshot, 'en')", snapshot)
    assert HEARD[screen] in heard
    assert "{" not in heard


def test_a_key_that_is_gone_leaves_the_focus_where_its_screen_begins(phone):
    page = phone("reading", may={"confirm": True, "correct": True})
    page.get_by_role("button", name="Yes, it stands").focus()
    gone = """async () => {
      const { settle } = await import("/static/core/settle.js");
      document.activeElement.remove();
      settle(document.getElementById("app"));
      return document.activeElement.tagName;
    }"""
    assert page.evaluate(gone) == "H1"


@pytest.mark.parametrize(
    ("screen", "key"),
    [
        ("seat", ".sheet-body .key"),
        ("stand", ".turn-key"),
        ("ballot", ".answer"),
    ],
)
def test_what_goes_down_under_a_finger_at_its_upper_edge_is_pressed(phone, screen, key):
    page = phone(screen)
    assert pressed_at_its_upper_edge(page, page.locator(key).first)


TWO_FINGERS = """async () => {
  const { carry } = await import("/static/core/carry.js");
  const told = [];
  const [first, second] = ["first", "second"].map((name) => {
    const thing = Object.assign(document.createElement("b"), { setPointerCapture() {} });
    const [lift, drop] = ["lift", "drop"].map((did) => () => told.push(`${did} ${name}`));
    const does = carry({ tap() {}, lift, drop });
    const usual = { currentTarget: thing, button: 0, clientX: 0 };
    return (what, pointerId, clientY) =>
      does[what]({ ...usual, pointerId, isPrimary: pointerId === 1, clientY });
  });
  first("down", 1, 0);
  second("down", 2, 90);
  second("move", 2, 80);
  second("up", 2, 80);
  first("move", 1, 20);
  second("cancel", 2, 80);
  first("up", 1, 20);
  first("down", 1, 0);  // it is taken from the page in the hand, and the end is never heard
  second("move", 1, 60);
  return told;
}"""


def test_only_the_finger_that_took_a_thing_carries_it_and_nothing_else(phone):
    """A second finger took and laid its own bone, and a mouse the bone that it passed over."""
    assert phone("stand").evaluate(TWO_FINGERS) == ["lift first", "drop first"]


def test_a_phone_says_before_the_game_that_the_camera_keeps_pictures(phone):
    words = "The camera keeps a picture of every tile and every push"
    assert words in phone("lobby-collects").locator(".pad").inner_text()
    assert words not in phone("lobby-host").locator(".pad").inner_text()


def test_whoever_looked_at_the_camera_s_picture_can_take_a_photo_once_the_camera_is_lost(phone):
    page = phone("turn-photo", ui={"local": {"photo": True}})
    assert page.get_by_role("button", name="Photograph the row").count() == 1
    assert page.get_by_text("Looking at the photo").count() == 0
