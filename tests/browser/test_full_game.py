"""Five phones and a table screen play a whole game on the virtual rig, as people do.

One phone is without a link while it votes, another sleeps through a call; the server is killed in
the middle of a ballot, and a page loaded anew, and killed again under a verdict. Set `DOMINO_SHOTS`
to a folder to take the pictures of the README there (`make pictures`).
"""

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.support.small_view import COMMAND

pytestmark = pytest.mark.browser

NAMES = ("Mira", "Borys", "Olena", "Petro", "Ivana")
WAIT_MS = 120_000
"""How long to wait for what has to come; only a failure takes so long."""
SHOTS = os.environ.get("DOMINO_SHOTS")
LARGEST_BYTES = 94_500
"""What a phone may load in a whole game, compressed."""
APART = re.compile(
    r"/(virtual|carry|photo|stand|workarea|topview|mend|accident|rowview|tiletop"
    r"|fall|rowart|scene|tipping|coins|pusherart|tags)\.js$"
    r"|/more\.json$"
)
"""Only phones at a virtual table load some, only where a tile stands wrong others, and only one
whose command is refused, or that opens a menu, the words for it."""
PICTURES = (
    "phone-domino",
    "phone-stand",
    "phone-ballot",
    "table-reveal",
    "table-verdict",
)
CURVED = (
    (9, "upright", ("ArrowDown", ".")),
    (8, "low", ("ArrowRight", ",")),
    (11, "upright", (",", ",", "ArrowUp", "ArrowUp")),
    (2, "upright", (",", ",", "ArrowUp", "ArrowRight")),
)
PLACINGS = (
    ((9, "upright", ()), (3, "upright", ("ArrowUp", ","))),
    ((3, "low", ("ArrowUp", ",")),),
    CURVED if SHOTS else CURVED[:1],
)
"""Round by round: value, way it stands, and keys that move it from where the page proposes."""
VOTES = (
    ("failure", "success", "failure", "success"),
    ("failure",) * 4,
    ("failure", "success", "failure", "failure"),
)
"""Round by round: the ballots of those who did not place, the caller's first."""
TABLE = {"width": 1920, "height": 1080} if SHOTS else {"width": 960, "height": 540}
"""The table screen scales; a small one is drawn in a quarter of the time."""
CALM = {} if SHOTS else {"reduced_motion": "reduce"}
"""For phones of people who want no motion; every picture of a motion has to be drawn."""
MUTE = "if (location.protocol === 'http:') localStorage.setItem('domino.mute', '1');"
"""For phones that make no sound: every one that does computes its silence all the time."""
CONFIG = f"""
[table]
seed = 11
[timing]
countdown_step = 0.1
reveal = {2.5 if SHOTS else 1.0}
verdict = {8.0 if SHOTS else 60.0}
round_end = 60.0
hold = 0.6
[pusher]
speed_mm_s = {45.0 if SHOTS else 90.0}
"""
REMEMBER = """
new MutationObserver(() => {
  const page = document.documentElement.dataset;
  if (document.querySelector("[data-screen=verdict]")) page.told ??= String(Date.now());
  for (const node of document.querySelectorAll("h1, b")) {
    const words = `|${node.textContent.trim()}`;
    const before = page.shown ?? "";
    if (node.checkVisibility() && !before.includes(words)) page.shown = before + words;
  }
}).observe(document, { childList: true, characterData: true, subtree: true });
const send = window.fetch;
window.fetch = (address, how) => {
  if (String(how?.body).includes('"ended"')) {
    document.documentElement.dataset.seen = String(Date.now());
  }
  return send(address, how);
};
"""
"""Notes what a page has said: what is gone in a second may go unnoticed from outside, and a page
that is too slow for it skips it by design. Also when it first told a verdict, and when it had shown
the fall."""


class Referee:
    """`domino-rig play` as a process of its own, on a port and a journal that it keeps."""

    def __init__(self, folder: Path, *words: str, config: str = CONFIG) -> None:
        self._folder, self._words = folder, words
        (folder / "fast.toml").write_text(config)
        self.port = 0
        self.start()

    def start(self) -> None:
        """Start it; `url` and `code` wait until it is there."""
        words = ["play", "--no-browser", "--port", str(self.port), *self._words]
        words += ["--config", str(self._folder / "fast.toml")]
        words += ["--journal", str(self._folder / "table.sqlite3")]
        self._process = subprocess.Popen(
            [*([sys.executable, "-m", "rig.cli.main"] if SHOTS else COMMAND), *words],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        self._code = ""

    @property
    def code(self) -> str:
        self._wait()
        return self._code

    @property
    def url(self) -> str:
        self._wait()
        return f"http://127.0.0.1:{self.port}"

    def _wait(self) -> None:
        if self._code:
            return
        told = ""
        for line in self._process.stdout:
            told += line
            if line.startswith("Stop with"):
                break
        else:
            pytest.fail(f"the referee did not start: {told}")
        self._code = re.search(r"code (\w+)", told).group(1)
        self.port = int(re.search(r"127\.0\.0\.1:(\d+)/table", told).group(1))

    def kill(self) -> None:
        self._process.kill()
        self._process.wait()
        self._process.stdout.close()

    def stop(self) -> None:
        self._process.send_signal(signal.SIGINT)
        try:
            self._process.wait(WAIT_MS / 1000)
        finally:
            self.kill()


class Screen:
    """A page that remembers what went wrong in it."""

    def __init__(self, browser, **context) -> None:
        self.page = browser.new_context(**context).new_page()
        self.page.add_init_script(REMEMBER)
        self.page.set_default_timeout(WAIT_MS)
        self.troubles = []
        self.page.on("pageerror", lambda error: self.troubles.append(str(error)))
        self.page.on("console", self._hear)
        self.loaded = []
        self.page.on("requestfinished", lambda request: self.loaded.append(request))

    def _hear(self, message) -> None:
        # A stream cut off by a kill, and a command that lost a race, are part of life.
        if message.type == "error" and not re.search(r"ERR_|Failed to load resource", message.text):
            self.troubles.append(message.text)

    def weight_bytes(self, referee: Referee) -> int:
        """All that the app itself is made of, as it came over the wire; from nowhere else."""
        assert all(request.url.startswith(referee.url) for request in self.loaded)
        app = re.compile(r"/(play(\?.*)?|static/.+|locales/.+)$")
        files = [r for r in self.loaded if app.search(r.url) and not APART.search(r.url)]
        return sum(request.sizes()["responseBodySize"] for request in files)

    def title(self, text: str) -> None:
        self.page.get_by_role("heading", name=re.compile(text)).first.wait_for()

    def press(self, name: str) -> None:
        self.page.get_by_role("button", name=re.compile(name)).first.click()

    def has_shown(self, text: str) -> bool:
        """Whether the page has said this since it was asked to forget, if only for a moment."""
        return self.page.locator(f"html[data-shown*='{text}']").count() > 0

    def forget(self) -> None:
        self.page.evaluate(
            "for (const note of ['shown', 'told']) delete document.documentElement.dataset[note]"
        )

    def noted_ms(self, note: str) -> int:
        """When the page `told` or had `seen` something, in milliseconds since 1970."""
        return int(self.page.evaluate(f"document.documentElement.dataset.{note} ?? 0"))

    def picture(self) -> None:
        """Wait until the picture of the row after the push is there, and the link."""
        address = self.page.locator("image[href^='/picture/']").last.get_attribute("href")
        for _ in range(WAIT_MS // 50):
            if any(request.url.endswith(address) for request in self.loaded):
                break
            self.page.wait_for_timeout(50)
        else:
            raise AssertionError("the picture never came")
        self.page.get_by_text("no link").wait_for(state="hidden")

    def shot(self, name: str) -> None:
        if SHOTS and name in PICTURES:
            self.page.wait_for_timeout(900)
            self.page.locator(".is-due").wait_for(state="hidden")  # the row before the push
            self.page.screenshot(path=str(Path(SHOTS) / f"{name}.jpg"), quality=88)


class Phone(Screen):
    def __init__(self, browser, referee: Referee, name: str, theme: str, **context) -> None:
        phone = {"width": 390, "height": 844}
        super().__init__(
            browser, viewport=phone, has_touch=True, is_mobile=True, color_scheme=theme, **context
        )
        self.name = name
        self.referee = referee

    def come(self) -> None:
        self.page.goto(f"{self.referee.url}/j/{self.referee.code}", wait_until="commit")

    def sit(self) -> None:
        self.page.locator("input").first.fill(self.name)
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
        self.reach(int(other.page.evaluate("document.body.dataset.v")))

    def reach(self, seen: int) -> None:
        """Wait until this page has seen a version of the table."""
        for _ in range(WAIT_MS // 50):
            if int(self.page.evaluate("document.body.dataset.v")) >= seen:
                return
            self.page.wait_for_timeout(50)
        raise AssertionError(f"{self.name} did not see version {seen}")

    def call(self) -> None:
        self.page.locator(".dome").first.dispatch_event("pointerdown")

    def vote(self, side: str) -> None:
        self.title("Will the whole row fall")
        self.shot("phone-ballot")
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

    def goes_on_to(self, *phases: str) -> str:
        """Wait for one of these phases; gives the one that came."""
        self.page.locator(",".join(f"body[data-phase={phase}]" for phase in phases)).wait_for()
        return self.page.get_attribute("body", "data-phase")

    def seat_of_turn(self) -> bool:
        return self.page.get_by_role("heading", name=re.compile("^Your turn")).count() > 0


@pytest.fixture
def referee(tmp_path):
    referee = Referee(tmp_path)
    yield referee
    referee.stop()


def turn_of(phones):
    """The phone whose turn it is, once the table knows."""
    for _ in range(WAIT_MS // 50):
        for phone in phones:
            if phone.seat_of_turn():
                return phone
        phones[0].page.wait_for_timeout(50)
    raise AssertionError("it is nobody's turn")


def all_sit(referee, table, phones, silent):
    """Open the table screen and sit everybody down; the silent phones make no sound."""
    for phone in silent:
        phone.page.add_init_script(MUTE)
    table.page.goto(f"{referee.url}/table", wait_until="commit")
    for phone in phones:
        phone.come()
    for phone in phones:
        phone.sit()


def test_five_phones_and_a_table_screen_play_a_whole_game(visitors, referee):
    table = Screen(visitors, viewport=TABLE, color_scheme="dark")
    phones = [
        Phone(visitors, referee, name, "dark" if i % 2 else "light", **CALM if i else {})
        for i, name in enumerate(NAMES)
    ]
    all_sit(referee, table, phones, silent=phones[1:])
    table.title("Take a seat")
    phones[0].press("Start the game")

    for number, placings in enumerate(PLACINGS, 1):
        placer = None
        for value, way, keys in placings:
            placer = turn_of([p for p in phones if p is not placer])
            placer.place(value, way, keys)
        table.title("turn")
        caller, *others = [p for p in phones if p is not placer]
        asleep = others[0].page.context.new_cdp_session(others[0].page)
        if number == 2:
            asleep.send("Page.setWebLifecycleState", {"state": "frozen"})
        caller.catch_up(placer)
        caller.shot("phone-domino")
        caller.call()
        away = others[-1]
        away.title("Will the whole row fall")
        if number == 2:
            asleep.send("Page.setWebLifecycleState", {"state": "active"})
        if number == 1:
            away.page.context.set_offline(True)
        # The caller sees for a moment who else was quick: the others vote meanwhile.
        mine, *theirs = VOTES[number - 1]
        for phone in phones:
            phone.forget()
        for phone, side in zip((*others, caller), (*theirs, mine), strict=True):
            phone.vote(side)
        if number == 1:
            away.page.get_by_text("No link: it goes to the referee").first.wait_for()
            referee.kill()
            referee.start()
            assert referee.url
            phones[0].page.reload(wait_until="commit")
            phones[0].page.get_by_text("4 of 5 ballots are in").wait_for()
            away.page.context.set_offline(False)
        if number == 3 and SHOTS:
            table.title("against")
            table.shot("table-reveal")
        placer.title("Push at the")
        assert any(phone.has_shown("Time for the push") for phone in phones)
        placer.push()
        pushed_ms = int(time.time() * 1000)
        for phone in phones:
            phone.page.get_by_role("button", name="That’s right").wait_for()
        seen_ms = table.noted_ms("seen")
        assert pushed_ms < seen_ms <= min(phone.noted_ms("told") for phone in phones)
        if number == 3:
            referee.kill()
            referee.start()
            table.picture()
            table.shot("table-verdict")
        placer.press("That’s right")
        caller.press("That’s right")
        others[0].press("On to the next round|On we go")
    for phone in phones:
        phone.title("win")
    table.title("win")
    assert phones[1].weight_bytes(referee) <= LARGEST_BYTES
    assert [screen.troubles for screen in (table, *phones)] == [[]] * 6
