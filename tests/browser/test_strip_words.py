"""The words under a phone's row: each under its own tile, nothing cut or over anything."""

import itertools
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.support.words import LANGUAGES, words

pytestmark = pytest.mark.browser

FIT = (Path(__file__).parent / "fit.js").read_text(encoding="utf-8")
WORDS = {lang: words(lang) for lang in LANGUAGES}
ROWS = [(6, 9, 4, 8), (8, 6, 1), (3, 8), (8, 3), tuple(range(1, 12)), (5,)]
"""Rows in which the word stood under a wrong tile or was cut off, and the longest and shortest."""

DRAW = """async (asked) => {
  const { strip } = await import("/static/games/estimation/objects/strip.js");
  const { html, render } = await import("/static/vendor/lit-html/lit-html.js");
  const place = document.getElementById("app");
  const faults = [];
  for (const { row, last, end, width, rem, text } of asked) {
    document.documentElement.style.fontSize = `${rem}px`;
    render(html`<div class="pad">${strip(row, { width, rem, last, end, text })}</div>`, place);
    const drawing = place.querySelector("svg.strip");
    const tile = row.findIndex((each) => each.value === last);
    const faces = [...drawing.querySelectorAll(":scope > g > g > rect:first-child")];
    const face = faces[tile].getBoundingClientRect();
    const word = place.querySelector(".strip-last").getBoundingClientRect();
    const middle = (word.left + word.right) / 2;
    const values = row.map((each) => each.value);
    const say = (what) => faults.push(`${what}: ${values} last ${last}, ${width} px`);
    if (middle < face.left || middle > face.right) say("under a wrong tile");
    const all = drawing.getBoundingClientRect();
    for (const line of place.querySelectorAll(".strip-push")) {
      const said = line.getBoundingClientRect();
      const under = faces[end === "left" ? 0 : faces.length - 1].getBoundingClientRect();
      const free = said.left > all.left + 6 && said.right < all.right - 6;
      const over = (said.left + said.right) / 2;
      if (free && (over < under.left || over > under.right)) say("push under a wrong tile");
    }
    const [a, b, c] = [...place.querySelectorAll(".strip-word")].map((each) => each.getBBox());
    const [wide, high] = [drawing.width.baseVal.value, drawing.height.baseVal.value];
    const base = drawing.querySelector(":scope > g:last-of-type").transform.baseVal[0].matrix.f;
    for (const each of [a, b, c].filter(Boolean)) {
      const below = base + each.y + each.height > high + 3;
      if (each.x < 0 || each.x + each.width > wide || below) say("cut off");
    }
    const across = b && a.x < b.x + b.width && b.x < a.x + a.width;
    if (across && Math.abs(a.y - b.y) < 0.7 * a.height) say("one over the other");
  }
  document.documentElement.style.fontSize = "";
  return faults;
}"""


@pytest.fixture
def page(stage):
    """A phone on which nothing moves while it is measured."""
    page = stage()
    page.evaluate(FIT)
    return page


def asked(values, last, low, width, rem, lang):
    """One strip: its tiles, which stood last, how wide it is and with which words."""
    words = WORDS[lang]
    return {
        "row": [
            {"value": value, "orientation": "horizontal" if value in low else "vertical"}
            for value in values
        ],
        "last": last,
        "end": None if len(values) < 2 else "left" if values[0] < values[-1] else "right",
        "width": width,
        "rem": rem,
        "text": {"push": words["strip.push"], "last": words["strip.last"], "label": "row"},
    }


def test_each_word_stands_under_its_own_tile_wherever_one_was_wrong(page):
    every = itertools.product(ROWS, (284, 354, 524), (16, 32), WORDS)
    strips = [
        asked(row, last, (), width, rem, lang)
        for row, width, rem, lang in every
        for last in {row[0], row[1 % len(row)], row[-2 % len(row)], row[-1]}
    ]
    assert page.evaluate(DRAW, strips) == []


@settings(
    max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(st.data())
def test_each_word_stands_under_its_own_tile_in_any_row(page, data):
    strips = []
    for _ in range(12):
        row = data.draw(st.lists(st.integers(1, 11), min_size=1, max_size=11, unique=True))
        low = data.draw(st.sets(st.sampled_from(row)))
        last = data.draw(st.sampled_from(row))
        width = data.draw(st.integers(240, 524))
        rem = data.draw(st.sampled_from((16, 20, 32)))
        strips.append(asked(row, last, low, width, rem, data.draw(st.sampled_from(sorted(WORDS)))))
    assert page.evaluate(DRAW, strips) == []
