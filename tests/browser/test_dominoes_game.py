"""A match of dominoes in the browser: a phone, bots and the table screen, over a real server."""

import pytest

from tests.browser.test_full_game import CALM, MUTE, TABLE, WAIT_MS, Phone, Referee, Screen

pytestmark = pytest.mark.browser

CONFIG = """
[table]
seed = 11
[timing]
round_end = 1.0
bot = 0.05
"""
LARGEST_BYTES = 92_000
"""What the host's phone may load in a whole match, compressed; any other loads 8,000 less."""
GAME_BYTES = 20_000
"""What of that is this game's own: its screens, their style and their words."""
TURN = """async () => {
  const once = () => new Promise((done) => requestAnimationFrame(done));
  const frame = async () => [await once(), await once()];
  const isMine = () => document.querySelector("h1")?.textContent.startsWith("Your turn");
  if (document.body.dataset.phase === "GAME_OVER") return "over";
  if (!document.querySelector(".screen-bones") || !isMine()) return "waits";
  const lamp = document.querySelector(".screen-bones .key-lamp:not(:disabled)");
  if (lamp) {
    lamp.click();
    return "draws or knocks";
  }
  for (const bone of [...document.querySelectorAll(".rack-bone:not(.is-chosen)")]) {
    bone.click();
    await frame();
    const end = document.querySelector(".end.is-open");
    if (end) {
      end.click();
      await frame();
      return "lays";
    }
  }
  return "waits";
}"""
"""One turn as a finger does it: tap bones until an end lights up, and tap that."""


def play_on(phones, until="over"):
    """Play every turn of these phones until one of them has done this, or the match is over."""
    for _ in range(WAIT_MS // 20):
        done = [phone.page.evaluate(TURN) for phone in phones]
        if until in done or "over" in done:
            return
        phones[0].page.wait_for_timeout(20)
    raise AssertionError("the match does not end")


@pytest.fixture
def referee(tmp_path):
    words = ("--game", "dominoes", "--preset", "ru-classic", "--option", "limit=30")
    referee = Referee(tmp_path, *words, "--bots", "2", "--strength", "weak", config=CONFIG)
    yield referee
    referee.stop()


def test_a_phone_and_two_bots_play_a_match(visitors, referee):
    table = Screen(visitors, viewport=TABLE, color_scheme="dark")
    phone = Phone(visitors, referee, "Mira", "dark", **CALM)
    phone.page.add_init_script(MUTE)
    table.page.goto(f"{referee.url}/table", wait_until="commit")
    phone.come()
    phone.sit()
    ticks = phone.page.locator(".tick path").evaluate_all(
        "all => all.map((o) => getComputedStyle(o).fill)"
    )
    assert set(ticks) == {"none"}  # the style of shared pages is there without another game's
    phone.press("Start the game")
    phone.page.locator(".screen-bones").wait_for()
    table.page.locator(".t-rail").wait_for()
    play_on([phone], "lays")
    table.page.locator(".d-bone").first.wait_for()
    play_on([phone])
    phone.page.locator(".screen-match").wait_for()
    assert phone.page.locator(".open-hands > li").count() == 3
    assert phone.weight_bytes(referee) <= LARGEST_BYTES
    own = [request for request in phone.loaded if "/dominoes/" in request.url]
    assert sum(request.sizes()["responseBodySize"] for request in own) <= GAME_BYTES
    assert not [request.url for request in phone.loaded if "/estimation/" in request.url]
    assert (phone.troubles, table.troubles) == ([], [])
