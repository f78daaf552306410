"""The film at the head of the README: one turn, on the table screen and on the placer's phone.

    python -m tests.tools.turn_film web/pictures/turn.webp

Three people play on the virtual rig, and the browser hands over every frame that it draws. Moments
in which nothing moves are cut short. Run it on a quiet machine: what the browser had no time to
draw is missing in the film.
"""

import base64
import shutil
from argparse import ArgumentParser
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import cv2
import numpy as np
from playwright.sync_api import sync_playwright

from tests.browser.conftest import BROWSERS, CHROMIUM_ARGS
from tests.browser.test_full_game import Phone, Referee, Screen, all_sit, turn_of

CONFIG = """
[table]
seed = 11
[timing]
countdown_step = 0.6
reveal = 3.0
verdict = 60.0
hold = 0.8
[pusher]
speed_mm_s = 45.0
"""
NAMES = ("Mira", "Borys", "Olena")
BEFORE = ((9, "upright", ()), (3, "upright", ("ArrowUp", ",")), (8, "low", ("ArrowRight", ",")))
"""The row before the film: value, way it stands, and keys that move it from its first place."""
LAST = (11, "upright", (",", ",", "ArrowUp", "ArrowUp"))
HEIGHT_PX = 540
"""Of the film: with the phone beside it the table screen is as wide as a page of text is shown."""
GAP_PX = 12
STEP_MS = 80
"""Between frames: 12 a second are enough for what moves here, and keep the file under 2 MB."""
STILL_MS = 900
"""So long a picture that does not change is shown."""
END_MS = 3500
QUALITY = 75


class Drawn(NamedTuple):
    """One frame of a page, and when the browser drew it."""

    at_s: float
    jpeg: bytes


class Recorder:
    """Everything that a page draws."""

    def __init__(self, page) -> None:
        self.frames: list[Drawn] = []
        self._page = page.context.new_cdp_session(page)
        self._page.on("Page.screencastFrame", self._take)

    def start(self) -> None:
        self._page.send("Page.startScreencast", {"format": "jpeg", "quality": 92})

    def stop(self) -> None:
        self._page.send("Page.stopScreencast")

    def _take(self, told) -> None:
        self._page.send("Page.screencastFrameAck", {"sessionId": told["sessionId"]})
        jpeg = base64.b64decode(told["data"])
        self.frames.append(Drawn(told["metadata"]["timestamp"], jpeg))


def turn(browser, referee) -> tuple[list[Drawn], list[Drawn]]:
    """Play to the end of a turn; gives what the table screen and the placer's phone drew in it."""
    table = Screen(browser, viewport={"width": 960, "height": 540}, color_scheme="dark")
    phones = [Phone(browser, referee, name, "dark") for name in NAMES]
    all_sit(referee, table, phones, silent=phones)
    phones[0].press("Start the game")
    placer = None
    for value, way, keys in BEFORE:
        placer = turn_of([phone for phone in phones if phone is not placer])
        placer.place(value, way, keys)
    placer = turn_of([phone for phone in phones if phone is not placer])
    caller, other = (phone for phone in phones if phone is not placer)
    pages = Recorder(table.page), Recorder(placer.page)
    pause = placer.page.wait_for_timeout
    for page in pages:
        page.start()
    pause(1200)
    value, way, keys = LAST
    placer.press(f"^Take the {value}$")
    placer.page.locator(".way", has_text=way).click()
    for key in keys:
        pause(350)
        placer.page.locator(".topview").press(key)
    pause(600)
    placer.press("Stand it here")
    placer.page.get_by_role("button", name="Yes, it stands").wait_for()
    pause(1500)
    placer.press("Yes, it stands")
    caller.catch_up(placer)
    pause(1500)
    caller.call()
    for phone, side in ((other, "success"), (caller, "failure")):
        pause(900)
        phone.vote(side)
    placer.title("Push at the")
    pause(1500)
    placer.push()
    placer.page.get_by_role("button", name="That’s right").wait_for()
    table.picture()
    pause(1500)
    for page in pages:
        page.stop()
    return pages[0].frames, pages[1].frames


def beside(table: bytes, phone: bytes) -> np.ndarray:
    """The table screen and the phone at its right, as one picture."""
    left, right = (
        cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR) for jpeg in (table, phone)
    )
    scaled = [
        cv2.resize(image, (round(image.shape[1] * HEIGHT_PX / image.shape[0]), HEIGHT_PX),
                   interpolation=cv2.INTER_AREA)
        for image in (left, right)
    ]  # fmt: skip
    between = np.zeros((HEIGHT_PX, GAP_PX, 3), np.uint8)
    return np.hstack((scaled[0], between, scaled[1]))


def cut(table: Sequence[Drawn], phone: Sequence[Drawn]) -> Iterator[tuple[np.ndarray, int]]:
    """The film as pictures, each with how many milliseconds it is shown."""
    begin_s = max(table[0].at_s, phone[0].at_s)
    seen = []
    for page in (table, phone):
        late = [max(0, int((each.at_s - begin_s) * 1000) // STEP_MS) for each in page]
        seen.append(dict(zip(late, page, strict=True)))
    now = [table[0], phone[0]]
    shown = []
    for step in sorted(set(seen[0]) | set(seen[1])):
        now = [drawn.get(step, before) for drawn, before in zip(seen, now, strict=True)]
        shown.append((step, *now))
    for (step, left, right), (until, *_) in pairwise([*shown, (shown[-1][0] + 10**6,)]):
        still_ms = END_MS if until > step + 10**5 else STILL_MS
        yield beside(left.jpeg, right.jpeg), min((until - step) * STEP_MS, still_ms)


def main() -> None:
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    asked = parser.parse_args()
    with TemporaryDirectory() as folder, sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=next(filter(None, map(shutil.which, BROWSERS))),
            args=list(CHROMIUM_ARGS),
        )
        referee = Referee(Path(folder), config=CONFIG)
        try:
            table, phone = turn(browser, referee)
        finally:
            referee.stop()
            browser.close()
    film = cv2.Animation()
    film.frames, film.durations = zip(*cut(table, phone), strict=True)
    cv2.imwriteanimation(str(asked.out), film, [cv2.IMWRITE_WEBP_QUALITY, QUALITY])
    print(
        f"{asked.out}: {sum(film.durations) / 1000:.1f} s, {len(film.frames)} pictures, "
        f"{asked.out.stat().st_size / 1e6:.2f} MB"
    )


if __name__ == "__main__":
    main()
