"""Somebody who comes alone and has never played: a game in one tap, and how it goes."""

import pytest

from tests.browser.test_full_game import Phone, Referee
from tests.support.words import LANGUAGES, words

pytestmark = pytest.mark.browser

STEPS = ("stand", "doubt", "vote", "push", "chips")
MOST_WORDS = 8
MOST_DRAWINGS = 40
"""In sixteen seconds; every one costs a few thousandths of a second."""
AS_ANOTHER = """() => fetch("/api/command", {
  method: "POST",
  headers: { "Content-Type": "application/json" },
  body: JSON.stringify({ id: "another", type: "rename", name: "Olena" }),
})"""


@pytest.fixture
def referee(tmp_path):
    referee = Referee(tmp_path)
    yield referee
    referee.stop()


def test_one_tap_after_the_scan_somebody_alone_plays_against_two_bots(visitors, referee):
    phone = Phone(visitors, referee, "Mira", "dark")
    phone.come()
    phone.press("Play against two bots")
    phone.title("Your turn")
    assert phone.page.get_by_text("Stand a tile in the row.").count() == 1
    phone.page.reload()
    phone.title("Your turn")
    assert phone.page.get_by_text("Stand a tile in the row.").count() == 0
    # Whoever has the phone next hears it too.
    phone.page.evaluate(AS_ANOTHER)
    phone.page.get_by_text("Stand a tile in the row.").wait_for()
    phone.press("Menu")
    phone.press("How it goes")
    phone.page.locator(".how-step").first.wait_for()
    assert phone.page.locator(".how-step").count() == len(STEPS)
    phone.press("House options")
    phone.page.get_by_role("dialog").get_by_text("Who starts", exact=True).wait_for()


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_picture_of_how_it_goes_has_at_most_eight_words(lang):
    said = words(lang)
    assert [step for step in STEPS if len(said[f"how.{step}"].split()) > MOST_WORDS] == []


@pytest.mark.parametrize("step", STEPS)
def test_a_first_moment_is_told_in_one_line(phone, step):
    assert phone(f"first-{step}").locator(".first-hint").count() == 1


def test_whoever_pushes_first_is_told_how_to_hold_and_reads_only_once_where_to_push(phone):
    page = phone("first-push")
    assert page.locator(".lead").inner_text() == "Left end, the lower value. One light touch."
    assert page.locator(".first-hint").inner_text() == "Hold until the ring is full."
    off = phone("push-switch", ui={"first": "push"})
    assert off.locator(".first-hint").count() == 0


@pytest.mark.parametrize("state", ["hand", "looking", "wrong", "proposal"])
def test_nobody_is_told_to_stand_a_tile_while_one_is_read(phone, state):
    """The screen says to leave the row alone, or what is wrong, or what the camera read."""
    page = phone(f"reading-{state}" if state != "proposal" else "reading", ui={"first": "stand"})
    assert page.locator(".first-hint").count() == 0


@pytest.mark.parametrize("moment", ["turn", "others", "ballot", "push-ready", "verdict"])
def test_a_moment_that_is_not_the_first_is_not_told_again(phone, moment):
    assert phone(moment).locator(".first-hint").count() == 0


def test_the_small_game_of_an_empty_lobby_stands_calls_falls_and_begins_again(phone):
    page = phone("turn")
    told = page.evaluate("""async () => {
      const { demoAt } = await import("/static/games/estimation/table/between/demo.js");
      const seen = [];
      for (let time = 0; time < 16000; time += demoAt(time).next) {
        const { tiles, called } = demoAt(time);
        const kinds = ["is-up", "is-down", "is-gone"];
        seen.push([...kinds.map((kind) => tiles.filter((each) => each === kind).length), called]);
      }
      return seen;
    }""")
    still = [[n, 0, 0, False] for n in range(6)] + [[5, 0, 0, True]]
    still += [[0, 5, 0, False], [0, 0, 5, False]]
    kept = iter(told)
    assert all(state in kept for state in still), told
    assert len(told) <= MOST_DRAWINGS


def test_the_small_game_moves_by_its_drawings_alone(new_stage, heard):
    """A transition or an animation ticks sixty times a second, seen or not."""
    page = heard(new_stage())
    page.emulate_media(reduced_motion="no-preference")
    moving = page.evaluate("""async () => {
      const { demoAt } = await import("/static/games/estimation/table/between/demo.js");
      const sheet = Object.assign(document.createElement("link"), {
        rel: "stylesheet", href: "/static/games/estimation/table/between/demo.css" });
      await new Promise((loaded) => { sheet.onload = loaded; document.head.append(sheet); });
      const tile = document.body.appendChild(document.createElement("span"));
      const moving = [];
      for (let time = 0; time < 16000; time += demoAt(time).next) {
        tile.className = `t-demo-tile t-demo-4 ${demoAt(time).tiles[4]}`;
        getComputedStyle(tile).opacity;
        if (tile.getAnimations().length) moving.push(time);
      }
      return moving;
    }""")
    assert moving == []
