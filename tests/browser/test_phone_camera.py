"""A round at a table whose camera is everybody's phone, with drawn photos in place of real ones."""

import math
from functools import partial

import cv2
import numpy as np
import pytest

from physics.row.pose import Pose
from physics.row.tile import Orientation, Tile
from rig.config import load_config
from tests.browser.test_bare_evening import CALM, SETTINGS
from tests.browser.test_full_game import WAIT_MS, Phone
from tests.support.opened import opened_table
from tests.support.photos import held, lens_of
from vision.render.render import render
from vision.render.scene import Scene, Solid

pytestmark = pytest.mark.browser

LENS = lens_of(1150.0, (1200, 1600))
LEANS_RAD = math.radians(70)
BLACK = cv2.imencode(".jpg", np.zeros((1600, 1200, 3), np.uint8))[1].tobytes()
KEEP_INPUT = """
const { click } = HTMLInputElement.prototype;
HTMLInputElement.prototype.click = function () {
  window.asked = this;
  click.call(this);
};
"""
"""Keeps the input of the last photo that a page has asked for: only a person can cancel it."""


def photo(values, side_rad, fell=()):
    """The row as a phone sees it from this side; of these, each tile has fallen onto the next."""
    solids = tuple(
        Solid(
            Tile(value, Pose(180.0 + 30 * n, 200.0, 0.0), Orientation.VERTICAL),
            tilt_rad=LEANS_RAD if value in fell else 0.0,
        )
        for n, value in enumerate(values)
    )
    image = render(Scene(solids), LENS, held(LENS, math.radians(30), side_rad))
    return cv2.imencode(".jpg", image)[1].tobytes()


def answered(how, route):
    route.fulfill(**how)


class Table:
    def __init__(self, browser, opened):
        self.session = opened.session
        self.phones = {}
        for name in ("Mira", "Borys"):
            phone = self.phones[name] = Phone(browser, None, name, "dark", **CALM)
            phone.page.add_init_script(KEEP_INPUT)
            phone.page.goto(opened.server.join_url, wait_until="commit")
            phone.sit()
        self.phones["Mira"].press("Start the game")

    def phone_of(self, seat):
        return self.phones[self.session.table.player(seat).name]

    def take(self, phone, word, data):
        with phone.page.expect_file_chooser() as chosen:
            phone.press(word)
        file = {"name": "photo.jpg", "mimeType": "image/jpeg", "buffer": data}
        chosen.value.set_files([file])

    def until(self, wanted):
        for _ in range(WAIT_MS // 50):
            if wanted():
                return
            self.phones["Mira"].page.wait_for_timeout(50)
        raise AssertionError(self.session.table)


@pytest.fixture
def table(visitors, tmp_path):
    config = load_config(**{**SETTINGS, "camera": {"kind": "phone"}})
    with opened_table(config, tmp_path, seed=3) as opened:
        yield Table(visitors, opened)


def test_a_tile_counts_by_itself_only_while_nobody_takes_its_photo_again(table):
    session = table.session
    table.until(lambda: session.game.active is not None)
    phone = table.phone_of(session.game.active)
    device = session.table.player(session.game.active).device

    def counts():
        return session.view(device)["reading"]["until_ms"] is not None

    table.take(phone, "Photograph the row", photo((6, 9), -1.4))
    phone.page.get_by_alt_text("Your photo of the row").wait_for()
    assert counts()
    with phone.page.expect_file_chooser() as chosen:
        phone.press("Take it again")
    table.until(lambda: not counts())
    phone.page.evaluate("asked.dispatchEvent(new Event('cancel'))")
    table.until(counts)
    with phone.page.expect_file_chooser() as chosen:
        phone.press("Take it again")
    table.until(lambda: not counts())
    chosen.value.set_files([{"name": "a.jpg", "mimeType": "image/jpeg", "buffer": BLACK}])
    phone.page.get_by_text("too little of the printed mat").first.wait_for()
    assert not counts()
    table.take(phone, "Take it again", photo((6, 9), 1.2))
    table.until(counts)
    assert session.game.row == (6,)


def test_a_photo_on_a_slow_net_or_in_a_pause_is_refused_in_words_of_its_own(table):
    session = table.session
    table.until(lambda: session.game.active is not None)
    phone = table.phone_of(session.game.active)
    for status, reason, words in (
        (408, "too_slow", "Come closer to the Wi-Fi"),
        (409, "paused", "The game is paused"),
        (409, "never_heard_of", "The referee says no"),
    ):
        refusal = {"status": status, "json": {"ok": False, "reason": reason}}
        phone.page.route("**/api/photo", partial(answered, refusal))
        table.take(phone, "Photograph the row", BLACK)
        phone.page.get_by_text(words).first.wait_for()


def test_a_photo_that_does_not_count_leaves_the_one_before_on_the_screen(table):
    session = table.session
    table.until(lambda: session.game.active is not None)
    phone = table.phone_of(session.game.active)
    table.take(phone, "Photograph the row", photo((6, 9), -1.4))
    shown = phone.page.get_by_alt_text("Your photo of the row")
    before = shown.get_attribute("src")
    table.take(phone, "Take it again", photo((6, 9, 11), 1.2))
    phone.page.get_by_text("more than one new tile").first.wait_for()
    phone.title("^9 at the right end")
    phone.page.get_by_text("From your photo").wait_for()
    assert shown.get_attribute("src") == before
    phone.page.get_by_role("button", name="Take it again").wait_for()


def test_a_photo_that_a_dead_net_has_swallowed_can_be_taken_again(table):
    session = table.session
    table.until(lambda: session.game.active is not None)
    phone = table.phone_of(session.game.active)
    phone.page.route("**/api/photo", lambda route: None)
    phone.page.clock.install()
    with phone.page.expect_request("**/api/photo"):
        table.take(phone, "Photograph the row", BLACK)
    phone.page.get_by_text("Looking at the photo").wait_for()
    phone.page.clock.fast_forward(60_000)
    phone.page.get_by_text("That did not get through").first.wait_for()
    phone.page.get_by_role("button", name="Photograph the row").wait_for()


def test_a_round_is_photographed_from_the_first_tile_to_the_chips(table):
    session = table.session
    table.until(lambda: session.game.active is not None)
    for row, side_rad in (((6, 9), -1.4), ((6, 9, 11), 1.2)):
        phone = table.phone_of(session.game.active)
        table.take(phone, "Photograph the row", photo(row, side_rad))
        phone.title(f"^{row[-1]} at the right end")
        phone.page.get_by_alt_text("Your photo of the row").wait_for()
        phone.press("Yes, it stands")
        table.until(lambda row=row: session.game.row == row)
    toppler = table.phone_of(session.game.placer)
    other = next(phone for phone in table.phones.values() if phone is not toppler)
    other.reach(session.moment.version)
    other.call()
    table.until(lambda: session.game.phase == "BALLOT")
    other.vote("failure")
    table.until(lambda: session.game.phase == "TOPPLE")
    table.take(toppler, "Photograph what lies there", BLACK)
    toppler.page.get_by_text("or say without a photo what fell").first.wait_for()
    table.take(toppler, "Photograph what lies there", photo(row, 0.4))
    toppler.page.get_by_text("the whole row still stands").first.wait_for()
    table.take(toppler, "Photograph what lies there", photo(row, 0.4, fell=(6, 9)))
    toppler.title("^On the photo still up: 11$")
    with other.page.expect_file_chooser() as late:
        other.press("Take it again")
    toppler.press("That’s right")
    table.until(lambda: session.game.phase == "JUDGE")
    other.reach(session.moment.version)
    late.value.set_files([{"name": "a.jpg", "mimeType": "image/jpeg", "buffer": photo(row, 0.4)}])
    other.page.get_by_text("No photo is wanted now").first.wait_for()
    evidence = other.page.locator(".frame img")
    evidence.wait_for()
    other.reach(session.moment.version)  # the photo was shown before somebody had reported it, too
    assert evidence.evaluate("img => img.decode().then(() => img.naturalWidth)") == 1120
    other.press("That’s right")
    table.until(lambda: session.game.phase == "ROUND_END")
    caller = session.game.history[-1]
    assert (caller.outcome, sum(caller.won.values())) == ("stood", 1)
    assert [phone.troubles for phone in table.phones.values()] == [[], []]
