"""Somebody who has never played: knows what the phone says, and roles and names of its controls.

The newcomer knows no page, no identifier and nothing of the table but what can be read. It reads an
instruction, looks for a control that bears out what was read, and presses it; where several do, its
own chance decides, and it now and then takes a tile back or calls. `python -m tests.tools.newcomer`
plays 20 seeds in two languages on a phone held upright and sideways, against two bots, and prints
who did not come to the next round without a refusal, having stood a tile, voted, and pushed or
watched the push. `--seeds 3`, `--from 7`, `--lang en`, `--size 390x664` take a part, `--diary`
tells every step and `--pictures FOLDER` keeps the last page of whoever got stuck.
"""

import argparse
import random
import re
import shutil
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple
from unittest import mock

import numpy as np
from playwright.sync_api import Browser, Error, Locator, Page, Response, sync_playwright

import rig.machine.build
from rig.config import load_config
from rig.games.estimation.story.bot import seated
from rig.players.bot_runner import BotSeats
from tests.browser.conftest import BROWSERS, CHROMIUM_ARGS
from tests.support.opened import opened_table
from tests.support.small_view import small_view
from tests.support.touch import Finger, middle

SIZES = ("390x664", "740x360")
LOOK_MS = 100
PATIENCE_S = 90.0
"""So long a newcomer looks at a page that says the same and offers nothing that it asks for."""
WAITS_S = 1.5
"""So long it waits for something to come of a press."""
SECOND_THOUGHT = 0.2
"""How often the newcomer does what is offered beside what is asked for."""
CONTROL = re.compile(
    r"""- '?(button|radio|switch|textbox)(?: "((?:[^"\\]|\\.)*)")?((?: \[[^\]]*\])*)"""
)
"""A control as a browser tells it to a screen reader: role, name, states."""


class Asked(NamedTuple):
    """What a page asks for."""

    says: str
    press: str
    rather: str = ""
    """What else a person may press there who has a second thought."""
    done: str = ""
    """What has been done by it."""


class Tongue(NamedTuple):
    """What somebody who reads a language makes of a page."""

    locale: str
    asked: tuple[Asked, ...]
    watches: str
    later: str
    """What stands on a page from the second round on."""


TONGUES = {
    "en": Tongue(
        "en-GB",
        (
            Asked("Take a seat", r"^Play against|^Sit down$", done="joined"),
            Asked("Who sits where", r"^I’m ready$"),
            Asked("add a bot", r"^Add a bot$"),
            Asked(r"(?s)bot, .*bot, ", r"^Start the game$"),
            Asked("Stand one of these", r"^Take the \d+$"),
            Asked("or call|Call before the next|Doubt that it all", r"^Domino!"),
            Asked(r"Stand the \d+", r"^Stand it here$", r"^low$|^upright$|^In line$"),
            Asked("Is that what you built", r"^Yes, it stands$", r"^Take it back$", "stood"),
            Asked("Take it back and stand it", r"^Take it back$"),
            Asked("Will the whole row fall", r"^Success|^Failure", done="voted"),
            Asked("Time for the push", r"^On to the push$"),
            Asked("Turn the switch on", r"^Switch"),
            Asked("Push at the", r"^Hold to push$", done="pushed"),
            Asked("Look at the picture", r"^That’s right$"),
            Asked("gets chips|Chips of this round", r"^On to the next round$|^On we go$"),
        ),
        watches="Hands off",
        later=r"Round [2-9] of|Extra round|End of the game",
    ),
    "bg": Tongue(
        "bg-BG",
        (
            Asked("Седни на масата", r"^Играй срещу|^Сядам$", done="joined"),
            Asked("Кой къде седи", r"^Може да почваме$"),
            Asked("добави бот", r"^Добави бот$"),
            Asked(r"(?s)бот\s+(хит|инж|стр).*бот\s+(хит|инж|стр)", r"^Започни играта$"),
            Asked("Постави една от тези", r"^Вземи \d+$"),
            Asked("или извикай|Извикай, преди|Не вярваш", r"^Домино!"),
            Asked(r"Поставяме \d+", r"^Постави тук$", r"^хоризонтално$|^вертикално$|^В редица$"),
            Asked("Така ли е", r"^Да, стои$", r"^Вземи обратно$", "stood"),
            Asked("Вземи я обратно", r"^Вземи обратно$"),
            Asked("Ще падне ли цялата", r"^Успех|^Провал", done="voted"),
            Asked("Бутаме!", r"^Към тласъка$"),
            Asked("Включи ключа", r"^Ключ"),
            Asked("Бутаме откъм", r"^Дръж за да бутнеш$", done="pushed"),
            Asked("Виж снимката", r"^Така е$"),
            Asked("взима чипове|Чипове", r"^Към следващия рунд$|^Продължаваме$"),
        ),
        watches="Ръцете от масата",
        later=r"Рунд [2-9] от|Допълнителен рунд|Край на играта",
    ),
}
TO_DO = {"joined", "stood", "voted", "pushed or watched", "next round"}


class Control(NamedTuple):
    """Something on the page that can be used."""

    role: str
    name: str
    states: str
    element: Locator


class Newcomer:
    """One person with a phone.

    Args:
        page: what is in the hand.
        tongue: what the person reads.
        chance: what the person goes by where the page leaves a choice.
    """

    def __init__(self, page: Page, tongue: Tongue, chance: random.Random) -> None:
        self.page = page
        self.done: set[str] = set()
        self.diary: list[str] = []
        self.covered: list[str] = []
        self._tongue = tongue
        self._chance = chance
        self._finger = Finger(page)
        self._pressed_on = ("", 0.0)

    def read(self) -> str:
        """What the page says."""
        try:
            return self.page.locator("body").inner_text()
        except Error:
            return ""  # the page went on meanwhile

    def controls(self) -> list[Control]:
        """What can be used."""
        try:
            told = self.page.locator("body").aria_snapshot()
        except Error:
            return []
        found, times = [], Counter[tuple[str, str]]()
        for role, name, states in CONTROL.findall(told):
            nth = times[role, name]
            times[role, name] += 1
            if "[disabled]" not in states:
                element = self.page.get_by_role(role, name=name, exact=True).nth(nth)
                found.append(Control(role, name, states, element))
        return found

    def act(self) -> str:
        """Do one thing that the page asks for; tell what it says."""
        words = self.read()
        self._notice(words)
        before, pressed_s = self._pressed_on
        if words == before and time.monotonic() < pressed_s + WAITS_S:
            return words  # nothing has come of the last press yet
        controls = self.controls()
        ways = [
            (asked, control)
            for asked in self._tongue.asked
            if re.search(asked.says, words, re.IGNORECASE)
            for control in self._meant(asked, controls)
        ]
        if ways:
            asked, control = self._chance.choice(ways)
            if self._press(control):
                self._pressed_on = (words, time.monotonic())
                if asked.done and re.search(asked.press, control.name):
                    self._do(asked.done)
        return words

    def _meant(self, asked: Asked, controls: list[Control]) -> list[Control]:
        """The controls that a sentence speaks of, or one that stands beside them."""
        first = [each for each in controls if re.search(asked.press, each.name)]
        beside = [
            each
            for each in controls
            if asked.rather
            and "[checked]" not in each.states
            and re.search(asked.rather, each.name)
        ]
        if first and beside and self._chance.random() < SECOND_THOUGHT:
            return beside
        return [each for each in first if "[checked]" not in each.states]

    def _notice(self, words: str) -> None:
        if re.search(self._tongue.watches, words):
            self._do("watched")
        if re.search(self._tongue.later, words, re.IGNORECASE):
            self.done.add("next round")

    def _do(self, what: str) -> None:
        self.done.add(what)
        if what in ("pushed", "watched"):
            self.done.add("pushed or watched")

    def _press(self, control: Control) -> bool:
        """Press as a thumb does; False where the control was gone or something lay over it."""
        try:
            if control.name.startswith(("Hold", "Дръж")):
                self._hold(control)
            elif control.role == "radio":
                control.element.locator("..").tap(timeout=3000)
            else:
                control.element.tap(timeout=3000)
        except Error as error:
            over = re.search(r"(<.*) intercepts pointer events", str(error))
            over = over if control.element.is_visible() else None  # what is gone is not covered
            self._note(f"covered by {over.group(1)[:90]}" if over else "gone", control)
            if over:
                self.covered.append(self.diary[-1])
            return False
        self._note("pressed", control)
        return True

    def _hold(self, control: Control) -> None:
        """Keep a thumb on it until the page says something else."""
        before = self.page.get_by_role("heading").all_inner_texts()
        self._finger.down(*middle(control.element))
        for _ in range(100):
            self.page.wait_for_timeout(LOOK_MS)
            if self.page.get_by_role("heading").all_inner_texts() != before:
                break
        self._finger.up()

    def _note(self, what: str, control: Control) -> None:
        self.diary.append(f"{what}: {control.name}")


@contextmanager
def hosted(folder: Path, seed: int, **timing: float) -> Iterator[str]:
    """A virtual table with bots that think quickly; gives the address to join at."""
    config = load_config(
        network={"port": 0},
        virtual={"world": "pymunk"},
        table={"seed": seed},
        timing={"bot": 0.3, "countdown_step": 0.2, "round_end": 60.0, **timing},
    )
    (folder / "table.sqlite3").unlink(missing_ok=True)
    with mock.patch.object(rig.machine.build, "default_view", small_view):
        opened = opened_table(config, folder, seed)
    bots = BotSeats(opened.session, seated, np.random.default_rng(seed), config.timing.bot)
    with opened:
        bots.start()
        try:
            yield opened.server.join_url
        finally:
            bots.close()


def first_round(
    browser: Browser, url: str, seed: int, language: str, size: str
) -> tuple[Newcomer, list[str]]:
    """Play until the next round begins and all of it has been done once; gives what went wrong."""
    width, height = map(int, size.split("x"))
    context = browser.new_context(
        viewport={"width": width, "height": height},
        has_touch=True,
        is_mobile=True,
        locale=TONGUES[language].locale,
        reduced_motion="reduce" if seed % 2 else "no-preference",
    )
    page = context.new_page()
    page.set_default_timeout(30_000)
    wrong: list[str] = []
    page.on("pageerror", lambda error: wrong.append(f"error on the page: {error}"))
    page.on("response", lambda reply: _hear(reply, wrong))
    page.goto(url)
    person = Newcomer(page, TONGUES[language], random.Random(seed))
    last, since = "", time.monotonic()
    while not person.done >= TO_DO:
        words = person.act()
        if words != last:
            last, since = words, time.monotonic()
        if time.monotonic() - since > PATIENCE_S:
            wrong.append(f"stuck at: {' / '.join(words.split())[:400]}")
            break
        page.wait_for_timeout(LOOK_MS)
    return person, [*wrong, *person.covered]


def _hear(reply: Response, wrong: list[str]) -> None:
    """Note a refusal; what has come too late for its moment is told to nobody."""
    if reply.status >= 400:
        try:
            told = reply.text()
        except Error:
            told = reply.url
        if '"stale"' not in told:
            wrong.append(f"{reply.status} {reply.request.post_data} {told[:160]}")


def main() -> None:
    """Play what is asked for and print who did not come through."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=20)
    parser.add_argument("--from", dest="first", type=int, default=1, help="the first seed")
    parser.add_argument("--lang", action="append", choices=sorted(TONGUES))
    parser.add_argument("--size", action="append", help="WIDTHxHEIGHT, by default two")
    parser.add_argument("--pictures", type=Path, help="keep the last page of whoever got stuck")
    parser.add_argument("--diary", action="store_true", help="tell every step")
    asked = parser.parse_args()
    came = played = 0
    with tempfile.TemporaryDirectory() as made, sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=next(filter(None, map(shutil.which, BROWSERS))),
            args=list(CHROMIUM_ARGS),
        )
        for language in asked.lang or TONGUES:
            for size in asked.size or SIZES:
                for seed in range(asked.first, asked.first + asked.seeds):
                    named, began = f"{language}-{size}-{seed}", time.monotonic()
                    with hosted(Path(made), seed) as url:
                        person, wrong = first_round(browser, url, seed, language, size)
                        if wrong and asked.pictures:
                            asked.pictures.mkdir(parents=True, exist_ok=True)
                            person.page.screenshot(path=asked.pictures / f"{named}.png")
                        person.page.context.close()
                    played, came = played + 1, came + (not wrong)
                    took = f"{len(person.diary)} presses, {time.monotonic() - began:.0f} s"
                    print(f"{named}: {'; '.join(wrong) or 'came through'} ({took})", flush=True)
                    if wrong or asked.diary:
                        print("   " + "; ".join(person.diary), flush=True)
        browser.close()
    print(f"{came} of {played} came to the next round without a refusal")
    sys.exit(came < played)


if __name__ == "__main__":
    main()
