"""The whole first evening on virtual devices in a browser, from the first phone to the test row."""

import json
import os
import re
import secrets
from pathlib import Path

import pytest

from rig.config import load_config
from rig.setup.store import Shelf
from tests.support.opened import opened_table

pytestmark = pytest.mark.browser

SMALLER = {"width": 1280, "height": 720}
"""Pictures that are drawn in less than half of the time, and show as much."""
SHOTS = os.environ.get("DOMINO_SETUP_SHOTS", "")


@pytest.fixture
def evening(tmp_path):
    """A table that nobody has set up, on virtual devices."""
    config = load_config(
        network={"port": 0}, virtual={"world": "pymunk"}, camera={} if SHOTS else SMALLER
    )
    shelf = Shelf(tmp_path / "data")
    with opened_table(config, tmp_path, seed=5, shelf=shelf) as opened:
        yield opened, shelf


@pytest.fixture
def page(browser, evening):
    context = browser.new_context(
        viewport={"width": 390, "height": 844},
        color_scheme="light",
        locale="en",
        reduced_motion="reduce",
    )
    page, faults = context.new_page(), []
    page.set_default_timeout(120_000)
    page.on("pageerror", lambda error: faults.append(str(error)))
    # What the table refuses is logged by the browser as a fault of the network.
    page.on("console", lambda said: "409" in said.text or faults.append(said.text))
    page.goto(evening[0].server.setup_url)
    page.wait_for_selector("body[data-v^=network]")
    yield page
    context.close()
    assert faults == []


def press(page, name):
    page.get_by_role("button", name=name, exact=True).click()


def inside(page):
    """Past the two doors, to the steps."""
    press(page, "Practise first, with virtual devices")


def go(page, step):
    page.get_by_role("button", name=f": {step}:").click()
    page.wait_for_selector(f'[aria-current=step][aria-label*=": {step}:"]')


def says(page, words):
    page.get_by_text(words, exact=False).first.wait_for()


def shot(page, name):
    """Keep a picture for the page on building, where one is wanted."""
    if not SHOTS:
        return
    Path(SHOTS).mkdir(parents=True, exist_ok=True)
    page.screenshot(path=f"{SHOTS}/{name}.jpg", type="jpeg", quality=82)


def hold(page, until):
    """A thumb on the ring, until something is said."""
    box = page.locator(".setup-ring").bounding_box()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.down()
    says(page, until)
    page.mouse.up()


def test_an_evening_on_virtual_devices_goes_green_step_by_step(page, evening):
    opened, shelf = evening
    shot(page, "doors")
    press(page, "Practise first, with virtual devices")
    says(page, "Can a phone get in?")
    shot(page, "network")
    opened.evening.keep(visitor="192.168.7.7")
    says(page, "A phone got through")

    go(page, "camera")
    says(page, "All is well here")  # a virtual camera is there at once
    press(page, "Another camera")
    page.locator("button.setup-camera").first.click()
    says(page, "Point the camera a little lower")
    shot(page, "camera")
    press(page, "Another camera")
    page.locator("button.setup-camera").nth(1).click()
    says(page, "All is well here")
    press(page, "Good enough, go on")

    press(page, "Take it")
    says(page, "Hold it like this: 2 of 4")
    press(page, "Take it")
    says(page, "Too much like picture 1")
    shot(page, "lens")
    for n in (3, 4):
        press(page, "Tilt the virtual camera")
        press(page, "Take it")
        says(page, f"Hold it like this: {n} of 4")
    press(page, "Tilt the virtual camera")
    press(page, "Take it")
    says(page, "The lens is known")

    go(page, "mat")
    press(page, "Use the pictures of the lens")
    says(page, "The mat is surveyed")
    shot(page, "mat")

    go(page, "tiles")
    says(page, "Nothing to measure")

    go(page, "pusher")
    says(page, "Pusher found")
    says(page, "The camera sees its tag")
    press(page, "Turn the virtual switch on")
    says(page, "Ready: hold the button")
    shot(page, "pusher")
    hold(page, "Its arm went out and home")

    go(page, "test row")
    press(page, "Begin")
    says(page, "1 of 3 stand")
    for n in (2, 3):
        press(page, "Stand a tile")
        says(page, f"{n} of 3 stand")
    press(page, "Turn the virtual switch on")
    says(page, "Hands off, then hold")
    hold(page, "It pushes")
    page.wait_for_selector(".setup-frame img")
    says(page, "The prediction")
    shot(page, "row")
    kept = json.loads((shelf.folder / "setup.json").read_text(encoding="utf-8"))
    assert kept["row"] in ("fell", "stood") and kept["tried"] and kept["tag"]
    assert opened.session.table.phase.value == "LOBBY"
    done = page.locator(".shelf-fine, .shelf-off").count()
    assert done == 7


def test_while_a_game_is_under_way_the_devices_are_its_own(page, evening):
    opened, _ = evening
    for name, mark in (("ana", "circle"), ("bo", "square")):
        for command in ({"type": "sit", "name": name, "mark": mark}, {"type": "ready", "on": True}):
            assert opened.session.submit(name, {"id": secrets.token_hex(4), **command})["ok"]
    assert opened.session.submit("ana", {"id": "start", "type": "start"})["ok"]
    inside(page)
    go(page, "camera")
    says(page, "A game is under way")
    says(page, "from the game")
    assert page.get_by_role("button", name="Another camera").is_disabled()
    press(page, "Pause the game")
    says(page, "The game waits for you")
    assert opened.session.table.paused_by is not None
    press(page, "Another camera")
    page.locator("button.setup-camera").nth(1).click()
    says(page, "All is well here")
    press(page, "Go on with the game")
    says(page, "A game is under way")
    assert opened.session.table.paused_by is None


def test_nothing_moves_by_opening_the_page_or_by_a_thumb_without_a_switch(page, evening):
    inside(page)
    go(page, "pusher")
    says(page, "Swing the virtual arm once")
    assert not page.get_by_text("cable").count() and not page.locator(".setup-ports").count()
    ring = page.locator(".setup-ring")
    assert ring.get_attribute("aria-disabled") == "true"
    box = ring.bounding_box()
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    air = evening[0].evening.air
    assert air.pusher.status().strokes == 0 and not air.moving


def test_what_was_asked_for_is_answered_before_the_next_thing_can_be_asked(page):
    inside(page)
    go(page, "camera")
    says(page, "All is well here")
    press(page, "Another camera")
    second = page.locator("button.setup-camera").nth(1)
    second.wait_for()
    held = []

    def hold_back(route):
        if route.request.method == "POST" and not held:
            held.append(route)
        else:
            route.continue_()

    page.route("**/api/setup?*", hold_back)
    press(page, "Another camera")
    page.wait_for_selector("button.setup-camera:disabled")
    assert second.is_disabled()
    while not held:  # the question is on its way
        page.wait_for_timeout(10)
    held[0].continue_()
    second.click()
    says(page, "All is well here")


def test_whoever_has_a_camera_comes_in_by_its_own_door(page, evening):
    play = page.get_by_role("link", name="I only want to play")
    assert play.get_attribute("href") == "table"
    press(page, re.compile("^I have a camera"))
    says(page, "Step 1 of 7: phones")
    assert evening[1].config().camera.kind == "opencv"
    go(page, "tiles")
    page.get_by_label("Thickness, mm").fill("75")
    press(page, "Keep it")
    says(page, "No tile is that thick")
    page.get_by_label("Thickness, mm").fill("7,9")
    press(page, "Keep it")
    says(page, "48 × 24 × 7.9 mm, 8 g.")
    shot(page, "tiles")
    assert evening[1].config().tiles.thickness_mm == 7.9
    page.reload()
    says(page, "Step 5 of 7: tiles")


def test_a_step_that_is_not_needed_says_why_and_asks_for_nothing(page):
    inside(page)
    go(page, "sheets")
    says(page, "The virtual table has its mat and its marks already.")
    assert not page.locator("main").get_by_role("textbox").count()
    assert not page.locator("main").get_by_role("radio").count()
    go(page, "camera")
    says(page, "All is well here")
    press(page, "Another camera")
    page.locator(".setup-kind", has_text="Nothing").click()
    says(page, "You enter the rows on your phones")
    for step in ("sheets", "camera", "mat", "test row"):
        go(page, step)
        assert page.locator("main").locator(".point-off").count(), step
        for asked in ("textbox", "radio"):
            assert not page.locator("main").get_by_role(asked).count(), step
