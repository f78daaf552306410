"""Four phones and a table screen play a whole game on the virtual rig, as people do.

The server is killed in the middle of a ballot and started again; one phone sleeps through a turn.
Set `DOMINO_SHOTS` to a folder to take the pictures of the README there (`make pictures`).
"""

import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("game")]

NAMES = ("Mira", "Borys", "Olena", "Petro")
WAIT_MS = 30_000
PICTURES = ("phone-domino", "phone-stand", "phone-ballot", "table-row", "table-verdict")
PLACINGS = (
    ((9, "upright", ()), (3, "upright", ("ArrowUp", ","))),
    ((9, "upright", ()), (3, "low", ("ArrowUp", ","))),
    (
        (9, "upright", ("ArrowDown", ".")),
        (8, "low", ("ArrowRight", ",")),
        (11, "upright", (",", ",", "ArrowUp", "ArrowUp")),
        (2, "upright", (",", ",", "ArrowUp", "ArrowRight")),
    ),
)
"""Round by round: value, way it stands, and keys that move it from where the page proposes."""
CONFIG = """
[table]
seed = 11
[timing]
countdown_step = 0.3
reveal = 6.0
verdict = 60.0
round_end = 60.0
"""


class Referee:
    """`domino-rig play` as a process of its own, on a port and a journal that it keeps."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        (folder / "fast.toml").write_text(CONFIG)
        self.port = 0
        self.start()

    def start(self) -> None:
        words = ["play", "--no-browser", "--port", str(self.port)]
        words += ["--config", str(self._folder / "fast.toml")]
        words += ["--journal", str(self._folder / "table.sqlite3")]
        self._process = subprocess.Popen(
            [sys.executable, "-m", "rig.cli.main", *words],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        told = ""
        for line in self._process.stdout:
            told += line
            if line.startswith("Stop with"):
                break
        else:
            pytest.fail(f"the referee did not start: {told}")
        self.code = re.search(r"code (\w+)", told).group(1)
        self.port = int(re.search(r"127\.0\.0\.1:(\d+)/table", told).group(1))
        self.url = f"http://127.0.0.1:{self.port}"

    def kill(self) -> None:
        self._process.kill()
        self._process.wait()
        self._process.stdout.close()

    def stop(self) -> None:
        self._process.send_signal(signal.SIGINT)
        try:
            self._process.wait(15)
        finally:
            self.kill()


class Screen:
    """A page that remembers what went wrong in it."""

    def __init__(self, browser, **context) -> None:
        self.page = browser.new_context(**context).new_page()
        self.page.set_default_timeout(WAIT_MS)
        self.troubles = []
        self.page.on("pageerror", lambda error: self.troubles.append(str(error)))
        self.page.on("console", self._hear)

    def _hear(self, message) -> None:
        # A stream cut off by a kill, and a command that lost a race, are part of life.
        if message.type == "error" and not re.search(r"ERR_|Failed to load resource", message.text):
            self.troubles.append(message.text)

    def title(self, text: str) -> None:
        self.page.get_by_role("heading", name=re.compile(text)).first.wait_for()

    def press(self, name: str) -> None:
        self.page.get_by_role("button", name=re.compile(name)).first.click()

    def shot(self, name: str) -> None:
        folder = os.environ.get("DOMINO_SHOTS")
        if folder and name in PICTURES:
            self.page.wait_for_timeout(900)
            self.page.screenshot(path=str(Path(folder) / f"{name}.jpg"), quality=88)


class Phone(Screen):
    def __init__(self, browser, referee: Referee, name: str, theme: str) -> None:
        phone = {"width": 390, "height": 844}
        super().__init__(
            browser, viewport=phone, has_touch=True, is_mobile=True, color_scheme=theme
        )
        self.name = name
        self.page.goto(f"{referee.url}/j/{referee.code}")
        self.page.locator("input").first.fill(name)
        self.press("Sit down")
        self.press("I’m ready")

    def place(self, value: int, way: str = "upright", keys=()) -> None:
        """Stand a tile where the page proposes to, moved by some keys, and confirm it."""
        self.press(f"^Take the {value}$")
        self.page.locator(".way", has_text=way).click()
        for key in keys:
            self.page.locator(".topview").press(key)
        self.shot("phone-stand")
        self.press("Stand it here")
        self.page.get_by_role("button", name="Yes, it stands").wait_for()
        self.press("Yes, it stands")
        self.page.get_by_role("button", name="Yes, it stands").wait_for(state="hidden")

    def catch_up(self, other: "Phone") -> None:
        """Wait until this page has seen what another has."""
        seen = int(other.page.evaluate("document.body.dataset.v"))
        for _ in range(WAIT_MS // 50):
            if int(self.page.evaluate("document.body.dataset.v")) >= seen:
                return
            self.page.wait_for_timeout(50)
        raise AssertionError(f"{self.name} did not see version {seen}")

    def call(self) -> None:
        self.page.locator(".dome").first.dispatch_event("pointerdown")

    def vote(self, side: str) -> None:
        self.page.locator(f".answer-{side}").click()

    def push(self) -> None:
        """Turn the arm switch on and hold the button until the ring is full."""
        self.page.get_by_role("switch").click()
        hold = self.page.locator(".hold:not(.is-off)")
        hold.wait_for()
        box = hold.bounding_box()
        self.page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        self.page.mouse.down()
        self.title("Hands off")
        self.page.mouse.up()

    def seat_of_turn(self) -> bool:
        return self.page.get_by_role("heading", name=re.compile("^Your turn")).count() > 0


@pytest.fixture
def referee(tmp_path):
    referee = Referee(tmp_path)
    yield referee
    referee.stop()


def turn_of(phones):
    """The phone whose turn it is, once the table knows."""
    for _ in range(150):
        for phone in phones:
            if phone.seat_of_turn():
                return phone
        phones[0].page.wait_for_timeout(100)
    raise AssertionError("it is nobody's turn")


def test_four_phones_and_a_table_screen_play_a_whole_game(browser, referee):
    table = Screen(browser, viewport={"width": 1920, "height": 1080}, color_scheme="dark")
    table.page.goto(f"{referee.url}/table")
    phones = [
        Phone(browser, referee, name, "dark" if i % 2 else "light") for i, name in enumerate(NAMES)
    ]
    table.title("Take a seat")
    phones[0].press("Start the game")

    for number, placings in enumerate(PLACINGS, 1):
        placer = None
        for value, way, keys in placings:
            placer = turn_of([p for p in phones if p is not placer])
            placer.place(value, way, keys)
        table.title("turn")
        table.shot("table-row")
        others = [p for p in phones if p is not placer]
        sleeper = others[0]
        if number == 2:
            asleep = sleeper.page.context.new_cdp_session(sleeper.page)
            asleep.send("Page.setWebLifecycleState", {"state": "frozen"})
        others[1].catch_up(placer)
        others[1].shot("phone-domino")
        others[1].call()
        others[1].title("Will the whole row fall")
        others[1].shot("phone-ballot")
        others[1].vote("failure")
        others[2].vote("success" if number == 1 else "failure")
        if number == 1:
            referee.kill()
            referee.start()
        if number == 2:
            asleep.send("Page.setWebLifecycleState", {"state": "active"})
        sleeper.vote("failure")
        others[1].page.locator("b", has_text="It goes to the push").wait_for()
        placer.title(f"Push at the {value}")
        placer.push()
        for phone in phones:
            phone.page.get_by_role("button", name="That’s right").wait_for()
        if number == 3:
            table.page.locator("image[href^='/picture/'], img[src^='/picture/']").first.wait_for()
            table.shot("table-verdict")
        placer.press("That’s right")
        others[1].press("That’s right")
        phones[3].press("On to the next round|On we go")
    for phone in phones:
        phone.title("win")
    table.title("win")
    assert [screen.troubles for screen in (table, *phones)] == [[]] * 5
