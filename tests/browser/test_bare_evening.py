"""An evening without devices: three people, one of them without a phone, a bot, tiles, a finger.

No camera sees the table and no arm pushes. What is done is done by what the screens say, and every
sentence that they ever show is read: none may promise a device that is not there.
"""

import re
import uuid

import numpy as np
import pytest

from rig.cli.opening import open_table
from rig.clock import SystemClock
from rig.config import load_config
from rig.games.estimation.story.bot import seated
from tests.browser.test_full_game import WAIT_MS, Phone, Screen
from web.base.rate_limits import Limits, Rate

pytestmark = pytest.mark.browser

PLENTY = Rate(1000.0, 1000.0)
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


class Evening:
    """Two phones and a table screen; the bot, which has no thread of its own, thinks when asked."""

    def __init__(self, browser, opened):
        self.session = opened.session
        calm = {"reduced_motion": "reduce", "locale": "en-GB"}
        self.phones = {
            name: Phone(browser, None, name, "dark", **calm) for name in ("Mira", "Borys")
        }
        self.host, self.borys = self.phones.values()
        self.table = Screen(browser, viewport={"width": 960, "height": 540}, **calm)
        self.screens = (self.host, self.borys, self.table)
        self.brain = None
        for screen in self.screens:
            screen.page.add_init_script(READ_ALL)
            url = opened.server.table_url if screen is self.table else opened.server.join_url
            screen.page.goto(url, wait_until="commit")

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
            self.stand(self.phones[name])
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

    def stand(self, phone):
        self.says(phone, "Stand the tile on the table, then show here where.")
        phone.press("^Take the")
        phone.press("Stand it here")
        phone.press("Yes, it stands")

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
    opened = open_table(
        load_config(**SETTINGS),
        tmp_path / "table.sqlite3",
        SystemClock(),
        np.random.SeedSequence(3),
        bind="127.0.0.1",
        limits=Limits(device=PLENTY, address=PLENTY, page=PLENTY),
    )
    with opened:
        yield Evening(visitors, opened)


def test_an_evening_without_devices_is_told_in_words_that_fit_it(evening):
    evening.gather()
    for last, outcome, teller, other in ROUNDS:
        while evening.place() != last:
            pass
        caller = evening.borys if last == "Mira" else evening.host
        caller.call()
        evening.vote()
        evening.push(outcome, teller)
        evening.agree(other)
        evening.host.press("On to the next round|On we go")
        evening.until(lambda: evening.session.game.phase in ("TURN", "GAME_OVER"))
    for screen in evening.screens:
        screen.title("win")
        said = set(screen.page.evaluate("[...said]")) - TRUE
        assert [words for words in said if DEVICES.search(words) or UNTOLD.search(words)] == []
        assert screen.troubles == []
