"""An evening without devices: three people, one of them without a phone, a bot, tiles, a finger.

The host takes back a slip and a wrong verdict, and somebody goes on with another phone.

No camera sees the table and no arm pushes. What is done is done by what the screens say, and every
sentence that they ever show is read: none may promise a device that is not there.
"""

import math
import re
import uuid

import cv2
import numpy as np
import pytest

from physics.row.pose import Pose
from physics.row.tile import Orientation, Tile
from rig.config import load_config
from rig.games.estimation.story.bot import seated
from tests.browser.test_full_game import MUTE, WAIT_MS, Phone, Screen
from tests.support.opened import opened_table
from tests.support.photos import held, lens_of
from vision.render.render import render
from vision.render.scene import Scene, Solid

pytestmark = pytest.mark.browser

DEVICES = re.compile(r"STOP|(?i:\b(cameras?|arm|pusher|switch|reads?|red button|referee looks)\b)")
"""What a family with tiles and two phones does not have."""
TRUE = {
    "No camera: stand each tile on the table, then show here where.",
    "No camera: stand each tile on the table, then show it on a phone.",
    "Scan with your phone’s camera.",
}
UNTOLD = re.compile(r"\{\w*\}|^[a-z_]+(\.[a-z_]+)+$|undefined|null")
"""A place that nobody filled, or a name from the catalogue instead of its words."""
READ_ALL = """
window.said = new Set();
new MutationObserver(() => {
  for (const el of document.querySelectorAll("body *:not(noscript, script)")) {
    const own = [...el.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
    for (const words of [own && el.textContent, el.getAttribute("aria-label"), el.alt])
      if (words) said.add(words.trim().replace(/\\s+/g, " "));
  }
}).observe(document, { childList: true, characterData: true, subtree: true, attributes: true,
  attributeFilter: ["aria-label", "alt"] });
"""
"""Notes every sentence that a page ever has, if only for a moment."""
SETTINGS = {
    "network": {"port": 0},
    "camera": {"kind": "none"},
    "pusher": {"kind": "hand"},
    "timing": {
        **{"countdown_step": 0.1, "reveal": 1.0},
        **{"proposal": 600.0, "verdict": 600.0, "round_end": 600.0},
    },
}
ROUNDS = (
    ("Oma", "fell", "Mira", "Oma"),
    ("Mira", "stood", "Borys", "Mira"),
    ("Ada", "fell", "Mira", "Ada"),
)
"""Who places last and so pushes, what the table shows then, who says so, and who agrees."""


CALM = {"reduced_motion": "reduce", "locale": "en-GB"}


def photo_of_row(values):
    """The row with its new tile on the mat, as a phone sees it that leans over the table."""
    tiles = (
        Tile(value, Pose(180.0 + 30 * n, 200.0, 0.0), Orientation.VERTICAL)
        for n, value in enumerate(values)
    )
    lens = lens_of(1150.0, (1200, 1600))
    scene = Scene(tuple(Solid(tile) for tile in tiles))
    image = render(scene, lens, held(lens, math.radians(30), -1.4))
    return cv2.imencode(".jpg", image)[1].tobytes()


class Evening:
    """Two phones and a table screen; the bot, which has no thread of its own, thinks when asked."""

    def __init__(self, browser, opened):
        self.session = opened.session
        self.browser = browser
        self.phones = {name: self.new_phone(name) for name in ("Mira", "Borys")}
        self.host, self.borys = self.phones.values()
        self.table = Screen(browser, viewport={"width": 960, "height": 540}, **CALM)
        self.table.page.add_init_script(READ_ALL)
        self.screens = [self.host, self.borys, self.table]
        self.brain = None
        self.photographed = ()
        for screen in self.screens:
            url = opened.server.table_url if screen is self.table else opened.server.join_url
            screen.page.goto(url, wait_until="commit")

    def new_phone(self, name):
        phone = Phone(self.browser, None, name, "dark", **CALM)
        phone.page.add_init_script(READ_ALL)
        phone.page.add_init_script(MUTE)
        return phone

    def gather(self):
        """Everybody sits down, and the game begins."""
        self.host.sit()
        self.borys.sit()
        self.host.press("Add a bot")
        self.host.press("Add a player without a phone")
        sheet = self.host.page.get_by_role("dialog")
        sheet.get_by_role("textbox").fill("Oma")
        sheet.get_by_role("button", name="Seat them").click()
        sheet.wait_for(state="hidden")
        bot = next(p.seat for p in self.session.table.players if p.bot)
        self.brain = seated(bot, np.random.default_rng(3), 1.5)
        self.ask_bot("ready")
        self.host.press("Start the game")
        self.table.title("turn")

    def ask_bot(self, kind):
        """Have the bot do what is its to do; it doubts nothing unless it is asked to."""
        device = f"bot:{self.brain.seat}"
        view = self.session.view(device)
        command = self.brain.next_command({**view, "may": {**view["may"], "call": False}})
        if command is None or command["type"] != kind:
            return
        reply = self.session.submit(device, {"id": uuid.uuid4().hex, **command})
        assert reply["ok"], reply
        self.brain.answer(command, reply)

    def name(self, seat):
        return self.session.table.player(seat).name

    def place(self):
        """Whoever is next stands a tile, by what the screens say; gives the name."""
        game = self.session.game
        name, row = self.name(game.active), game.row
        if name in self.phones:
            self.says(self.table, f"{name} stands a tile on the table, then shows on the phone")
            self.stand(self.phones[name], by_photo=name == "Borys" and not self.photographed)
        elif name == "Oma":
            self.says(self.table, "Oma stands a tile on the table; Mira shows on the phone where")
            self.says(self.host, "Oma has no phone. Ask which tile.")
            self.host.press("Stand it for Oma")
            self.stand(self.host)
        else:
            self.says(self.table, f"{name} chooses a tile.")
            self.ask_bot("stand")
            self.says(self.table, f"for {name}:")
            self.borys.title(f"Please stand the \\d+ for {name}")
            self.borys.press("Done, it stands")
        self.until(lambda: self.session.game.row != row)
        return name

    def stand(self, phone, by_photo=False):
        self.says(phone, "Stand the tile on the table, then show here where.")
        if by_photo:
            self.photograph(phone)
        else:
            phone.press("^Take the")
            phone.press("Stand it here")
        phone.press("Yes, it stands")

    def photograph(self, phone):
        """The phone takes a picture of the row with a tile more; first one that is none."""
        game = self.session.game
        values = (*game.row, game.choosable[0])
        for photo in (b"a letter", photo_of_row(values)):
            with phone.page.expect_file_chooser() as chosen:
                phone.press("photograph it on the printed mat")
            file = {"name": "photo.jpg", "mimeType": "image/jpeg", "buffer": photo}
            chosen.value.set_files([file])
            if photo == b"a letter":
                self.says(phone, "That photo cannot be opened. Take another one.")
        phone.title(f"^{values[-1]} at the")
        self.photographed = values

    def take_back_a_slip(self):
        """The host undoes the tile that was stood last."""
        row = self.session.game.row
        self.host.page.get_by_role("button", name="Host’s drawer").click()
        drawer = self.host.page.get_by_role("dialog")
        for name in ("Undo", "A slip of the finger"):
            drawer.get_by_role("button", name=name).first.click()
        self.says(self.table, "Undone: a slip of the finger")
        self.until(lambda: len(self.session.game.row) == len(row) - 1)

    def go_on_with_another_phone(self):
        """Borys has a flat battery: a spare phone takes his seat, and his own watches."""
        self.borys.press("Menu")
        self.borys.press("Move my seat to another phone")
        address = self.borys.page.locator(".qr-url")
        address.wait_for()
        spare = self.new_phone("Borys")
        # The code has an address of the network; this machine answers to its own as well.
        here = self.borys.page.evaluate("location.origin")
        spare.page.goto(f"{here}/h/{address.inner_text().rpartition('/')[2]}")
        spare.press("Sit down here")
        self.says(self.borys, "Your seat is on another phone now")
        spare.page.locator("body[data-phase=TURN]").wait_for()
        self.phones["Borys"] = self.borys = spare
        self.screens.append(spare)

    def correct_the_verdict(self):
        """The host says that it fell after all, and everybody sees it."""
        before = self.borys.page.locator("h1").inner_text()
        self.host.press("That verdict is wrong")
        self.host.press("We looked again")
        self.says(self.borys, "Verdict corrected by Mira")
        assert self.borys.page.locator("h1").inner_text() != before

    def vote(self):
        """All but the placer vote Failure; who has no phone gets the host's."""
        self.until(lambda: self.session.game.phase == "BALLOT")
        placer = self.name(self.session.game.placer)
        self.ask_bot("vote")
        for name, phone in self.phones.items():
            if name != placer:
                phone.vote("failure")
        if placer != "Oma":
            self.says(self.host, "Hand over the phone.")
            assert self.host.page.locator(".answer").count() == 0
            self.host.press("Here I am: Oma")
            self.host.page.locator(".answer-failure").click()

    def push(self, outcome, teller):
        """A finger pushes: each screen says whose; somebody says what fell."""
        self.until(lambda: self.session.game.phase == "TOPPLE")
        toppler = self.name(self.session.game.toppler)
        value = min(self.session.game.row[0], self.session.game.row[-1])
        for name, phone in self.phones.items():
            mine, bot = name == toppler, toppler == "Ada"
            other = f"Push at the {value} for Ada" if bot else f"{toppler} pushes at the {value}"
            phone.title(f"^Push at the {value}$" if mine else other)
        touched = f"touches the {value} for Ada" if toppler == "Ada" else f"{toppler} touches the"
        self.says(self.table, touched)
        self.says(self.phones[teller], "After the push say here what fell.")
        side = "success" if outcome == "fell" else "failure"
        self.phones[teller].page.locator(f".answer-{side}").click()

    def agree(self, name):
        """Somebody of the other side says that it is so."""
        self.until(lambda: self.session.game.phase == "JUDGE")
        if name == "Ada":
            self.ask_bot("agree")
        elif name == "Oma":
            self.says(self.host, "Oma has no phone. Ask: is that what the table shows?")
            self.host.press("Answer for Oma")
            self.host.press("That’s right")
        else:
            self.phones[name].press("That’s right")
        self.until(lambda: self.session.game.phase == "ROUND_END")

    def says(self, screen, words):
        screen.page.get_by_text(words).first.wait_for()

    def until(self, wanted):
        for _ in range(WAIT_MS // 50):
            if wanted():
                return
            self.table.page.wait_for_timeout(50)
        raise AssertionError(self.session.table)


@pytest.fixture
def evening(visitors, tmp_path):
    with opened_table(load_config(**SETTINGS), tmp_path, seed=3) as opened:
        yield Evening(visitors, opened)


def test_an_evening_without_devices_is_told_in_words_that_fit_it(evening):
    evening.gather()
    evening.place()
    evening.take_back_a_slip()
    evening.go_on_with_another_phone()
    for number, (last, outcome, teller, other) in enumerate(ROUNDS, 1):
        while evening.place() != last:
            pass
        caller = evening.borys if last == "Mira" else evening.host
        # The dome is raised for the tile before, too: a call for that one comes late.
        caller.reach(evening.session.moment.version)
        caller.call()
        evening.vote()
        evening.push("stood" if number == 1 else outcome, teller)
        evening.agree(other)
        if number == 1:
            evening.correct_the_verdict()
        evening.host.press("On to the next round|On we go")
        evening.until(lambda: evening.session.game.phase in ("TURN", "GAME_OVER"))
    assert evening.photographed
    for screen in evening.screens:
        screen.title("win")
        said = set(screen.page.evaluate("[...said]")) - TRUE
        assert [words for words in said if DEVICES.search(words) or UNTOLD.search(words)] == []
        assert screen.troubles == []
