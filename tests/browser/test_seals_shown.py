"""What people see of seals and of their eyes: enough to check it by hand, and nothing too early."""

import hashlib
import json
from pathlib import Path

import pytest

pytestmark = pytest.mark.browser

SNAPSHOTS = Path(__file__).parents[1] / "data" / "snapshots"


def saved(name):
    return json.loads((SNAPSHOTS / f"{name}.json").read_text(encoding="utf-8"))


def test_the_count_shows_who_is_in_and_nothing_that_only_a_computer_can_read(phone):
    snapshot = saved("phone-countdown-five")
    page = phone(snapshot)
    assert page.locator(".ticks-sealed li").count() == len(snapshot["seals"]) == 5
    text = page.inner_text("body")
    assert [seal for seal in snapshot["seals"].values() if seal[:4] in text] == []


def test_the_table_screen_counts_without_digits_of_seals(stage):
    draw = """async (snapshot) => {
      const { preview } = await import("/static/games/estimation/table.js");
      const { allWords } = await import("/static/games/index.js");
      const catalogue = await allWords("en", "table");
      const root = document.createElement("div");
      preview(root, snapshot, { catalogue, lang: "en" });
      return root.textContent;
    }"""
    snapshot = saved("table-countdown")
    text = stage().evaluate(draw, snapshot)
    assert [seal for seal in snapshot["seals"].values() if seal[:4] in text] == []
    assert snapshot["seals"]


def test_a_count_without_seals_is_as_it_was(phone):
    page = phone({**saved("phone-countdown-three"), "seals": {}})
    assert page.locator(".ticks-sealed").count() == 0


def test_what_the_sheet_shows_can_be_checked_by_hand(phone):
    page = phone(saved("phone-seals"))
    rows = page.locator(".seal")
    assert rows.count() == 4
    for i in range(4):
        seal, words = rows.nth(i).locator("code").all_text_contents()
        assert hashlib.sha256(words.encode()).hexdigest() == seal.replace(" ", "")
        assert words.startswith("domino-rig-ballot/1 ")


def test_no_side_and_no_salt_is_in_the_sheet_before_the_reveal(phone):
    snapshot = {**saved("phone-seals"), "reveal": None, "phase": "TURN"}
    page = phone(snapshot)
    assert page.locator(".seal code").count() == 4
    text = page.inner_text(".sheet-seals")
    assert "Success" not in text and "Failure" not in text and "domino-rig-ballot" not in text


@pytest.mark.parametrize(("name", "sheet"), [("phone-seals", "seals"), ("phone-rules", "rules")])
def test_players_read_that_the_computer_of_the_table_knows_the_ballots(phone, name, sheet):
    page = phone(saved(name))
    assert "could read them before they turn over" in page.inner_text(f".sheet-{sheet}")


def test_the_menu_leads_to_past_games_and_statistics_beside_this_page(phone):
    page = phone(saved("phone-menu"))
    links = page.locator(".menu-pages a")
    assert [links.nth(i).get_attribute("href") for i in range(2)] == ["statistics", "replay"]
