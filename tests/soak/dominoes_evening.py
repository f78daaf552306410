"""A whole match of dominoes on four phones and a table screen, with what an evening brings.

    python -m tests.soak.dominoes_evening [--preset ru-classic] [--limit 60] [--pictures FOLDER]

One phone falls asleep before its turn and wakes up again, the server is killed in the middle of a
round, and one seat moves to another phone. At the end the journal is proved by `replay --verify`.
"""

import shutil
import subprocess
import sys
import time
from argparse import ArgumentParser
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import urlsplit

from playwright.sync_api import sync_playwright

from tests.browser.conftest import BROWSERS, CHROMIUM_ARGS
from tests.browser.test_dominoes_game import CONFIG, TURN, play_on
from tests.browser.test_full_game import CALM, MUTE, TABLE, Phone, Referee, Screen, all_sit

NAMES = ("Mira", "Borys", "Olena", "Petro")
POLLS = 400
"""So often the others are asked whether they can go on while a phone sleeps."""


def until_it_sleeps_through_its_turn(asleep, others):
    """The others play on until everybody waits for the phone that sleeps."""
    for _ in range(POLLS):
        if asleep.name in others[0].page.locator("h1").inner_text():
            return
        for phone in others:
            phone.page.evaluate(TURN)
        others[0].page.wait_for_timeout(20)
    raise AssertionError(f"it is never {asleep.name}'s turn")


def moved(browser, referee, phone):
    """The same seat on another phone, by the code that its owner shows."""
    phone.page.get_by_role("button", name="Menu").click()
    phone.press("Move my seat to another phone")
    address = phone.page.locator(".qr-url").inner_text()
    other = Phone(browser, referee, phone.name, "light", **CALM)
    other.page.add_init_script(MUTE)
    other.page.goto(referee.url + urlsplit(address).path)
    other.press("Sit down here")
    other.page.locator(".screen-bones, .screen-round, .screen-fish").wait_for()
    return other


def shoot(screen, path):
    screen.page.wait_for_timeout(900)
    screen.page.screenshot(path=path, quality=85)


def evening(browser, referee, pictures):
    """Play the match; gives all screens, the old phone of the moved seat among them."""
    size = {"width": 1280, "height": 720} if pictures else TABLE
    table = Screen(browser, viewport=size, color_scheme="dark")
    phones = [Phone(browser, referee, name, "dark", **CALM) for name in NAMES]
    all_sit(referee, table, phones, silent=phones)
    phones[0].press("Start the game")
    for phone in phones:
        phone.page.locator(".screen-bones").wait_for()
    for _ in range(3):
        play_on(phones, "lays")

    asleep, others = phones[1], [phones[0], *phones[2:]]
    life = asleep.page.context.new_cdp_session(asleep.page)
    life.send("Page.setWebLifecycleState", {"state": "frozen"})
    until_it_sleeps_through_its_turn(asleep, others)
    life.send("Page.setWebLifecycleState", {"state": "active"})
    asleep.title("Your turn")
    play_on(phones, "lays")

    referee.kill()
    referee.start()
    assert referee.url
    for phone in phones:
        phone.page.locator(".rail-word", has_text="no link").wait_for(state="hidden")
    play_on(phones, "lays")

    old = phones[2]
    phones[2] = moved(browser, referee, old)
    if pictures:
        shoot(table, pictures / "table-dominoes.jpg")
        shoot(phones[0], pictures / "phone-dominoes.jpg")
    play_on(phones)
    for phone in phones:
        phone.page.locator(".screen-match").wait_for()
    if pictures:
        shoot(phones[0], pictures / "phone-goat.jpg")
    return [table, *phones, old]


def main():
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--preset", default="ru-classic")
    parser.add_argument("--limit", type=int, default=60)
    parser.add_argument("--pictures", type=Path)
    asked = parser.parse_args()
    if asked.pictures:
        asked.pictures.mkdir(parents=True, exist_ok=True)
    words = ["--game", "dominoes", "--preset", asked.preset, "--option", f"limit={asked.limit}"]
    with TemporaryDirectory() as folder, sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=next(filter(None, map(shutil.which, BROWSERS))),
            args=list(CHROMIUM_ARGS),
        )
        referee = Referee(Path(folder), *words, config=CONFIG)
        began = time.monotonic()
        try:
            screens = evening(browser, referee, asked.pictures)
            took_s = time.monotonic() - began
        finally:
            referee.stop()
            browser.close()
        troubles = [trouble for screen in screens for trouble in screen.troubles]
        proof = [sys.executable, "-m", "rig.cli.main", "replay", "--verify"]
        proved = subprocess.run([*proof, str(Path(folder) / "table.sqlite3")], check=False)
        print(f"a match on four phones: {took_s:.0f} s, {len(troubles)} complaints of pages")
        print(*troubles, sep="\n")
        sys.exit(bool(troubles) or proved.returncode)


if __name__ == "__main__":
    main()
