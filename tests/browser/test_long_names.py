"""Names as long as they may be: whole where they have room, and divided as people divide words."""

from copy import deepcopy

import pytest

from tests.browser.test_phone_screens import SNAPSHOTS
from tests.support.words import LANGUAGES

pytestmark = pytest.mark.browser

LONG = ("Maximiliane-Charlott", "Alexander Nikolow", "Bartholomäus", "Станиславочка", "Konstantin")
DIVIDED = """async ([name, most]) => {
  const { divided } = await import("/static/core/page.js");
  return divided(name, most).split("\\u00ad");
}"""
FAMILY = "👨\u200d👩\u200d👧\u200d👦"
SHORTENED = """async ([name, room]) => {
  const { fitted } = await import("/static/table/names.js");
  const { written } = await import("/static/table/rail.js");
  return [fitted(name, room), written(name, 52, room).values.at(-1)];
}"""
LINES_OF = """words => {
  const range = document.createRange();
  range.selectNodeContents(words);
  return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size;
}"""
"""On how many lines the browser sets some words."""
LINES = f"() => ({LINES_OF})(document.querySelector('.rail-word').lastChild)"
COUNTED = f"""async ([words, room]) => {{
  const {{ lines }} = await import("/static/table/rail.js");
  const drawn = document.createElement("p");
  drawn.style.cssText = `width: ${{room}}px; font-size: 52px; font-weight: 700; hyphens: manual`;
  drawn.append(words);
  document.body.append(drawn);
  const rows = ({LINES_OF})(drawn);
  drawn.remove();
  return [lines(words, room, 52), rows];
}}"""
"""Lines as they are counted, and as the browser sets them."""


def named(screen, names=LONG):
    snapshot = deepcopy(SNAPSHOTS[f"phone-{screen}"])
    for seat, name in zip(snapshot["seats"], names, strict=False):
        seat["name"] = name
    return snapshot


@pytest.mark.parametrize(
    ("name", "most", "parts"),
    [
        ("Bartholomäus", 12, ["Bartholomäus"]),
        ("Bartholomäus", 7, ["Bartho", "lo", "mäus"]),
        ("Александра", 7, ["Алек", "сандра"]),
        ("Anna Katharina", 7, ["Anna Katha", "rina"]),
        (f"{FAMILY}{FAMILY}ab", 2, None),
        ("W" + "m" * 19, 7, None),
    ],
)
def test_a_word_is_divided_only_where_a_syllable_begins(stage, name, most, parts):
    assert stage().evaluate(DIVIDED, [name, most]) == (parts or [name])


@pytest.mark.parametrize(
    ("words", "room", "count"),
    [
        ("Anna Katharina", 500, 1),
        ("Anna Katharina", 300, 2),
        ("Anna-Katharina", 300, 2),
        ("Maxi\u00admiliane", 240, 2),
        ("Won: Anna\u00a02\u00a0of\u00a03, Bo\u00a01\u00a0of\u00a03.", 440, 3),
        ("Won: Anna\u00a02\u00a0of\u00a03, Bo\u00a01\u00a0of\u00a03.", 560, 2),
    ],
)
def test_a_table_counts_lines_as_the_browser_breaks_them(stage, words, room, count):
    assert stage().evaluate(COUNTED, [words, room]) == [count, count]


def test_a_table_that_shortens_a_name_keeps_each_letter_whole(stage):
    for short in stage().evaluate(SHORTENED, [FAMILY * 12, 600]):
        families, end = short[:-1], short[-1]
        assert end == "…"
        assert set(families.split(FAMILY)) == {""}
        assert 0 < families.count(FAMILY) < 12


@pytest.mark.parametrize("screen", ["turn", "others", "final", "reveal-five", "verdict", "lobby"])
def test_a_phone_shows_long_names_whole(phone, screen):
    snapshot = named(screen)
    page = phone(snapshot)
    text = page.locator("main").inner_text().replace("\u00ad", "")
    shown = {seat["seat"]: seat["name"] for seat in snapshot["seats"]}
    due = {
        "turn": [snapshot["you"]["seat"]],
        "others": [snapshot["active"]],
    }.get(screen, [seat for seat in shown if seat != snapshot["you"]["seat"]])
    assert [shown[seat] for seat in due if shown[seat] not in text] == []
    assert "…" not in text


@pytest.mark.parametrize("lang", LANGUAGES)
def test_no_name_makes_the_rail_higher_than_two_lines_of_words(stage, heard, lang):
    page = heard(stage((360, 740)))
    for screen in ("turn", "lobby", "lobby-host", "final"):
        page.evaluate("asked => show(...asked)", [named(screen, ["W" + "m" * 19] * 5), lang])
        assert page.evaluate(LINES) <= 2, screen
