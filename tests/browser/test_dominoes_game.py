"""A match of dominoes in the browser: phones, a bot and the table screen, over a real server."""

import pytest

from tests.browser.test_full_game import APART, CALM, MUTE, TABLE, WAIT_MS, Phone, Referee, Screen
from tests.support.words import PLURALS
from web.content.static_files import files

pytestmark = pytest.mark.browser

CONFIG = """
[table]
seed = 11
[timing]
round_end = 1.0
bot = 0.05
"""
LARGEST_BYTES = 60_000
"""What a phone may load in a whole match, compressed, the host's too."""
MORE_WORDS_BYTES = 700
"""By so much another language than English may be heavier than that."""
GAME_BYTES = 14_000
"""What of that is this game's own: its screens, their style and their words. Not those for
a refusal: on a busy machine the script may tap once more before the page shows its turn over."""
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


def words_bytes(lang):
    """What the words of a match weigh in a language."""
    paths = (f"/locales/{lang}/phone.json", f"/locales/{lang}/dominoes/phone.json")
    return sum(len(files(False).answer(path, "gzip", "").body) for path in paths)


@pytest.fixture
def referee(tmp_path):
    words = ("--game", "dominoes", "--preset", "ru-classic", "--option", "limit=10")
    referee = Referee(tmp_path, *words, "--bots", "1", "--strength", "weak", config=CONFIG)
    yield referee
    referee.stop()


def test_two_phones_and_a_bot_play_a_match(visitors, referee):
    table = Screen(visitors, viewport=TABLE, color_scheme="dark")
    phone, guest = (Phone(visitors, referee, name, "dark", **CALM) for name in ("Mira", "Borys"))
    table.page.goto(f"{referee.url}/table", wait_until="commit")
    for each in (phone, guest):
        each.page.add_init_script(MUTE)
        each.come()
        each.sit()
    ticks = phone.page.locator(".tick path").evaluate_all(
        "all => all.map((o) => getComputedStyle(o).fill)"
    )
    assert set(ticks) == {"none"}  # the style of shared pages is there without another game's
    phone.press("Start the game")
    phone.page.locator(".screen-bones").wait_for()
    table.page.locator(".t-rail").wait_for()
    play_on([phone, guest], "lays")
    table.page.locator(".d-bone").first.wait_for()
    play_on([phone, guest])
    for each in (phone, guest):
        each.page.locator(".screen-match").wait_for()
    assert phone.page.locator(".open-hands > li").count() == 3
    kept = guest.page.evaluate("() => Object.values(JSON.parse(localStorage['domino.shares']))")
    assert kept and {len(note["hand"]) for note in kept if "hand" in note} <= {5}
    assert guest.page.get_by_text("something is wrong with it").count() == 0
    more = max(map(words_bytes, PLURALS)) - words_bytes("en")
    loaded = {"host": phone.weight_bytes(referee), "player": guest.weight_bytes(referee)}
    assert max(loaded.values()) <= LARGEST_BYTES
    assert max(loaded.values()) + more <= LARGEST_BYTES + MORE_WORDS_BYTES, (loaded, more)
    ours = [request for request in guest.loaded if "/dominoes/" in request.url]
    own = [request for request in ours if not APART.search(request.url)]
    assert sum(request.sizes()["responseBodySize"] for request in own) <= GAME_BYTES
    assert not [request.url for request in guest.loaded if "/estimation/" in request.url]
    assert (phone.troubles, guest.troubles, table.troubles) == ([], [], [])
