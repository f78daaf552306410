"""A newcomer plays the first round of a game by what can be read on the phone, and by nothing else.

It knows the visible text, the roles and the names of controls, and what anybody knows who came to
play: press what goes on, leave alone what leads away, type a name where one is asked for, hold
where it says to hold. It knows no phase, no page and no class of a control. A round without a
refusal counts: it sat down, stood what it was asked to, voted, pushed or watched, and went on.

    python -m tests.soak.newcomer --seeds 20 --languages en bg --sizes 390x844 844x390
"""

import argparse
import random
import re
import shutil
import sys
import tempfile
from pathlib import Path

import numpy as np
from playwright.sync_api import Error, sync_playwright

from rig.cli.opening import open_table
from rig.clock import SystemClock
from rig.config import load_config
from rig.games.estimation.story.bot import seated
from rig.players.bot_runner import BotSeats
from web.base.rate_limits import Limits, Rate

PLENTY = Rate(1000.0, 1000.0)
FASTER = 2.0
"""The table lives so many times as fast; a bot thinks for half a second less."""
MOST_STEPS = 3000
LOOK_MS = 150
PATIENT_STEPS = 800
"""So often the newcomer looks at a page on which nothing changes before giving up."""
ROLES = ("button", "radio", "switch", "checkbox", "textbox", "link")

GO_ON = {
    "en": r"play against|sit down|take a seat|ready|start|take the|stand it|yes|on to|on we go"
    r"|right$|all of it|something stands|a tile|success|failure|switch|turn|hold|next|got it"
    r"|go on|continue",
    "bg": r"срещу|седни|сядам|готов|започ|начало|вземи|изправи|постави|да[, ]|да$|нататък|точно"
    r"|вярно|целият|целия|стои|пада|падне|ще |включ|задръж|следващ|разбрах|напред|продълж",
}
"""What a person presses who wants the game to go on, by the words of the language."""
LEADS_AWAY = {
    "en": r"rules|menu|leave|just watching|language|sound|settings|help|not ready|stop|object|wrong"
    r"|without a phone|move seats|undo|take back|give back|another|red button|beam|remove|close"
    r"|light|dark|english|українська|русский|български|pause|not there|put back|no,|does not",
    "bg": r"правила|меню|напус|само гледам|език|звук|настрой|помощ|не съм готов|стоп|възраз|греш"
    r"|без телефон|размест|отмени|върни|друг|червен|лъч|махни|затвори|светл|тъмн|english"
    r"|українська|русский|български|пауза|не е|не,",
}
HOLD = {"en": r"^hold", "bg": r"^задръж"}
SEATS = {"en": r"add a bot", "bg": r"добави бот"}


class Newcomer:
    """One person at a phone.

    Args:
        page: what is in the hand.
        language: that the person reads.
        chance: the person's own.
    """

    def __init__(self, page, language, chance):
        self.page = page
        self._chance = chance
        self._go_on = re.compile(GO_ON[language], re.IGNORECASE)
        self._away = re.compile(LEADS_AWAY[language], re.IGNORECASE)
        self._hold = re.compile(HOLD[language], re.IGNORECASE)
        self._bot = re.compile(SEATS[language], re.IGNORECASE)
        self._tried = {}
        self.diary = []

    def see(self):
        """Everything that can be used: role, name, element."""
        found = []
        for role in ROLES:
            for each in self.page.get_by_role(role).all():
                try:
                    if not (each.is_visible() and each.is_enabled()):
                        continue
                    if each.get_attribute("aria-disabled") == "true":
                        continue
                    name = " ".join(each.aria_snapshot().split("\n")[0].split('"')[1:2])
                    ticked = role in ("radio", "switch", "checkbox") and each.is_checked()
                    found.append((role, name or each.inner_text(), each, ticked))
                except Error:
                    continue  # the page went on meanwhile
        return found

    def words(self):
        """What the page says, as one text."""
        try:
            return self.page.locator("body").inner_text()
        except Error:
            return ""

    def act(self):
        """Do one thing that goes on, if there is one; say what."""
        seen = self.see()
        words = self.words()
        choices = []
        for role, name, element, ticked in seen:
            if role == "textbox" and not element.input_value():
                element.fill(self._chance.choice(["Ann", "Ben", "Cleo", "Dora"]))
                return self._note("typed", name)
            if ticked or self._away.search(name) or role in ("textbox", "link", "checkbox"):
                continue
            if self._go_on.search(name):
                choices.append((role, name, element))
        if not choices:
            choices = [each[:3] for each in seen if self._bot.search(each[1])]
        if not choices:
            return ""
        # What was pressed on this very page and changed nothing is not pressed for ever.
        fresh = [each for each in choices if self._tried.get((words, each[1]), 0) < 2]
        if not fresh:
            return ""
        role, name, element = self._chance.choice(fresh)
        self._tried[words, name] = self._tried.get((words, name), 0) + 1
        try:
            if self._hold.search(name):
                return self._press_long(name, element)
            element.click(timeout=3000)
        except Error as error:
            covered = "intercepts pointer events" in str(error)
            return self._note("covered" if covered else "gone", name)
        return self._note(role, name)

    def _press_long(self, name, element):
        box = element.bounding_box()
        if box is None:
            return self._note("gone", name)
        self.page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        self.page.mouse.down()
        before = self.page.get_by_role("heading").all_inner_texts()
        for _ in range(40):
            self.page.wait_for_timeout(LOOK_MS)
            if self.page.get_by_role("heading").all_inner_texts() != before:
                break
        self.page.mouse.up()
        return self._note("held", name)

    def _note(self, what, name):
        self.diary.append(f"{what}: {name}")
        return self.diary[-1]


def first_round(browser, folder, seed, language, size):
    """Play until the second round begins.

    Returns:
        What went wrong, "" if nothing did; the taps until the game ran; and the diary.
    """
    config = load_config(
        network={"port": 0},
        virtual={"world": "pymunk"},
        camera={"width": 1280, "height": 720},
        table={"seed": seed},
    )
    limits = Limits(device=PLENTY, address=PLENTY, page=PLENTY)
    journal = folder / f"{language}-{size}-{seed}.sqlite3"
    journal.unlink(missing_ok=True)
    opened = open_table(
        config,
        journal,
        SystemClock(FASTER),
        np.random.SeedSequence(seed),
        bind="127.0.0.1",
        limits=limits,
    )
    bots = BotSeats(opened.session, seated, np.random.default_rng(seed), config.timing.bot)
    width, height = map(int, size.split("x"))
    locale = {"en": "en-GB", "bg": "bg-BG"}[language]
    with opened:
        bots.start()
        context = browser.new_context(
            viewport={"width": width, "height": height},
            has_touch=True,
            is_mobile=True,
            locale=locale,
            reduced_motion="reduce" if seed % 2 else "no-preference",
        )
        page, refused = context.new_page(), []
        page.set_default_timeout(10_000)
        page.on("pageerror", lambda error: refused.append(f"error on the page: {error}"))
        page.on("response", lambda reply: _hear(reply, refused))
        page.goto(opened.server.join_url)
        person = Newcomer(page, language, random.Random(seed))
        taps, idle, last = 0, 0, ""
        why = "it never came to the second round"
        for _ in range(MOST_STEPS):
            table = opened.session.table
            if getattr(table, "round", 1) >= 2 and table.phase != "LOBBY":
                why = ""
                break
            if table.phase == "GAME_OVER":
                why = ""
                break
            in_lobby = table.phase == "LOBBY"
            did = person.act()
            taps += bool(did) and in_lobby and not did.startswith("typed")
            now = person.words()
            idle = 0 if did or now != last else idle + 1
            last = now
            if idle > PATIENT_STEPS:
                why = f"stuck in {table.phase}: {' / '.join(now.split(chr(10)))[:300]}"
                break
            page.wait_for_timeout(LOOK_MS)
        why = "; ".join([*refused, *([why] if why else [])])
        covered = [line for line in person.diary if line.startswith("covered")]
        if covered:
            why = "; ".join(filter(None, [why, *covered]))
        if why:
            page.screenshot(path=str(folder / f"{language}-{size}-{seed}.png"))
        context.close()
        bots.close()
    return why, taps, person.diary


def _hear(reply, refused):
    if reply.status >= 400:
        try:
            refused.append(f"{reply.status} {reply.request.post_data} {reply.text()[:160]}")
        except Error:
            refused.append(f"{reply.status} {reply.url}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--seeds", type=int, default=20)
    parser.add_argument("--from", dest="first", type=int, default=1)
    parser.add_argument("--languages", nargs="+", default=["en", "bg"], choices=sorted(GO_ON))
    parser.add_argument("--sizes", nargs="+", default=["390x844", "844x390"])
    parser.add_argument("--keep", type=Path, help="a folder for pictures of what went wrong")
    parser.add_argument("-v", action="store_true", help="print what the newcomer did")
    args = parser.parse_args()
    names = ("chromium-headless-shell", "chromium", "chromium-browser")
    executable = next(filter(None, map(shutil.which, names)))
    bad = 0
    with tempfile.TemporaryDirectory() as made, sync_playwright() as playwright:
        folder = args.keep or Path(made)
        folder.mkdir(exist_ok=True)
        browser = playwright.chromium.launch(
            executable_path=executable, args=["--no-sandbox", "--disable-dev-shm-usage"]
        )
        for language in args.languages:
            for size in args.sizes:
                good, most = 0, 0
                for seed in range(args.first, args.first + args.seeds):
                    why, taps, diary = first_round(browser, folder, seed, language, size)
                    good += not why
                    most = max(most, taps)
                    if why or args.v:
                        print(f"{language} {size} seed {seed}: {why or 'good'}")
                        print("   " + "; ".join(diary), flush=True)
                bad += args.seeds - good
                print(
                    f"{language} {size}: {good} of {args.seeds}; {most} taps at most to a game",
                    flush=True,
                )
        browser.close()
    sys.exit(1 if bad else 0)


if __name__ == "__main__":
    main()
