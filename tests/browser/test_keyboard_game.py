"""A whole game on the virtual table by keys alone: Tab, Shift+Tab, Enter, Space and the arrows.

Somebody alone sits down, plays against two bots and wins, loses or shares, without a mouse and
without a script that moves the focus. The bots do what this test asks them to.
"""

import re
import uuid
from itertools import chain, repeat

import numpy as np
import pytest

from rig.config import load_config
from rig.games.estimation.story.bot import seated
from tests.browser.test_full_game import MUTE, WAIT_MS, Screen
from tests.support.opened import opened_table
from tests.support.small_view import small_view

pytestmark = pytest.mark.browser

SETTINGS = {
    "network": {"port": 0},
    "virtual": {"world": "pymunk"},
    "pusher": {"speed_mm_s": 90.0},
    "timing": {
        **{"countdown_step": 0.1, "hold": 0.6, "reveal": 600.0},
        **{"proposal": 600.0, "verdict": 600.0, "round_end": 600.0},
    },
}
PLACINGS = (1, 2)
"""How many tiles are stood in each round before somebody calls; in a further one it is one."""
MOST_TABS = 60
LOST = """
window.lost = [];
let moves = true;
addEventListener("keydown", (event) => { moves ||= event.key === "Tab"; }, { capture: true });
addEventListener("focusin", () => { moves = false; });
new MutationObserver(() => {
  if (!moves && document.activeElement === document.body)
    lost.push(document.querySelector("[data-screen]")?.dataset.screen ?? "no screen");
}).observe(document, { childList: true, subtree: true, attributes: true, characterData: true });
"""
"""Notes the screens at which the focus has fallen to the page itself, unless Tab took it there."""


class Keyboard(Screen):
    """Somebody at a page who has keys and nothing else."""

    def __init__(self, browser):
        calm = {"reduced_motion": "reduce", "locale": "en-GB"}
        super().__init__(browser, viewport={"width": 390, "height": 844}, **calm)
        self.page.add_init_script(MUTE)
        self.page.add_init_script(LOST)

    def focused(self):
        """Role, name and state of what has the focus, as a screen reader has them, or ""."""
        focused = self.page.locator(":focus")
        return focused.aria_snapshot() if focused.count() else ""

    def go_to(self, control, by="Tab"):
        """Walk to a control; it may have the focus already."""
        for _ in range(MOST_TABS):
            if re.search(control, self.focused()):
                return
            self.page.keyboard.press(by)
        raise AssertionError(f"no key leads to {control}; at {self.focused()!r}")

    def press(self, name, key="Enter", by="Tab"):
        """Walk to a button once it is there, and press it."""
        button = self.page.get_by_role("button", name=re.compile(name)).first
        button.wait_for()
        self.go_to(f"^- '?button \"{name.lstrip('^')}", by)
        self.page.keyboard.press(key)

    def title(self, text):
        """Wait for a screen; on the way to it the focus has always been somewhere."""
        super().title(text)
        assert self.page.evaluate("lost") == []

    def place(self):
        """Stand a tile: pick it, move it with the arrows, say that it stands."""
        self.title("Your turn")
        self.press(r"^Take the \d+", "Space")
        self.title(r"Stand the \d+")
        self.go_to("The table from above")
        self.page.keyboard.press("ArrowUp")
        self.page.keyboard.press("ArrowRight")
        self.press("Stand it here")
        self.press("Yes, it stands", "Space")

    def push(self):
        """Turn the switch on, and hold until the ring is full."""
        self.title("Push at the")
        self.go_to("^- switch")
        self.page.keyboard.press("Space")
        self.page.locator(".hold[aria-disabled=false]").wait_for()
        self.go_to("Hold to push", "Shift+Tab")
        self.page.keyboard.down("Space")
        self.title("Hands off|fell|stood")
        self.page.keyboard.up("Space")


class Evening:
    """The table, one person with keys, and two bots that think when they are asked."""

    def __init__(self, browser, opened):
        self.session = opened.session
        self.phone = Keyboard(browser)
        self.phone.page.goto(opened.server.join_url, wait_until="commit")
        self.brains = {}

    def begin(self):
        self.phone.title("Take a seat")
        self.phone.go_to("^- radio")
        self.phone.page.keyboard.press("ArrowRight")
        self.phone.press("Play against two bots")
        self.phone.title("Your turn")
        for player in self.session.table.players:
            if player.bot:
                self.brains[player.seat] = seated(player.seat, np.random.default_rng(3), 0.6)
        assert len(self.brains) == 2

    def send(self, seat, command):
        return self.session.submit(f"bot:{seat}", {"id": uuid.uuid4().hex, **command})

    def tell(self, seat, **command):
        """Have a bot send what only itself can make impossible."""
        reply = self.send(seat, {"phase_id": self.session.table.phase_id, **command})
        assert reply["ok"], reply

    def ask(self, seat):
        """Have a bot do what is its to do, but never call."""
        brain = self.brains[seat]
        view = self.session.view(f"bot:{seat}")
        command = brain.next_command({**view, "may": {**view["may"], "call": False}})
        if command is not None:
            brain.answer(command, self.send(seat, command))

    def until(self, wanted, *asked):
        """Wait for the table, asking these bots on the way."""
        for _ in range(WAIT_MS // 50):
            if wanted():
                return
            for seat in asked:
                self.ask(seat)
            self.phone.page.wait_for_timeout(50)
        raise AssertionError(self.session.table)

    def comes_to(self, *phases):
        return lambda: self.session.table.phase in phases

    def play_round(self, placings):
        for _ in range(placings):
            active, row = self.session.game.active, self.session.game.row
            if active in self.brains:
                self.until(lambda row=row: self.session.game.row != row, active)
            else:
                self.phone.place()
                self.until(lambda row=row: self.session.game.row != row)
        placer = self.session.game.placer
        first, second = self.brains
        if placer in self.brains:
            self.phone.press("Domino!", "Space")
        else:
            self.until(lambda: self.session.view(f"bot:{first}")["may"].get("call"))
            self.tell(first, type="call")
        self.vote(placer, first, second)
        if placer in self.brains:
            self.until(self.comes_to("JUDGE"), placer)
        else:
            self.phone.press("On to the push")
            self.phone.push()
        self.phone.press("That’s right")
        self.until(lambda: self.session.game.agreed or self.session.table.phase != "JUDGE")
        for seat in (first, second):
            if self.session.view(f"bot:{seat}")["may"].get("agree"):
                self.tell(seat, type="agree")
        self.phone.press("On to the next round|On we go")
        self.until(self.comes_to("TURN", "GAME_OVER"))

    def vote(self, placer, *bots):
        """Bots that did not place last vote Failure, the person Success: so nobody is level."""
        self.until(self.comes_to("BALLOT"))
        for seat in bots:
            if seat != placer:
                self.tell(seat, type="vote", side="failure")
        if placer in self.brains:
            self.phone.title("Will the whole row fall")
            self.phone.press("Success: Every tile goes down")
        self.phone.title("fall.*stand|stand.*fall|Nobody doubts")


@pytest.fixture
def evening(visitors, tmp_path, monkeypatch):
    monkeypatch.setattr("rig.machine.build.default_view", small_view)
    with opened_table(load_config(**SETTINGS), tmp_path, seed=3) as opened:
        yield Evening(visitors, opened)


def test_keys_alone_play_a_whole_game_and_the_focus_is_never_lost(evening):
    evening.begin()
    for placings in chain(PLACINGS, repeat(1)):
        evening.play_round(placings)
        if evening.session.table.phase == "GAME_OVER":
            break
    evening.phone.title("win")
    assert evening.phone.troubles == []
