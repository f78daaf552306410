"""The row as the table screen draws it: where boxes and coins come to lie, and how it tips."""

import json
import math
import random
from pathlib import Path

import pytest

from tests.support.words import LANGUAGES, words

pytestmark = pytest.mark.browser

SNAPSHOTS = Path(__file__).parents[1] / "data" / "snapshots"
ROWS = {
    path.stem: json.loads(path.read_text(encoding="utf-8"))
    for path in sorted(SNAPSHOTS.glob("table-row*.json"))
}
PAGE = """<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Scene</title>
<link rel="icon" href="data:,"><script type="module" src="/modules.js"></script></head>
<body></body></html>"""
MODULES = """
import * as scene from "/static/games/estimation/table/row/scene.js";
import * as coins from "/static/games/estimation/table/row/coins.js";
import * as tipping from "/static/games/estimation/table/row/tipping.js";
import * as workarea from "/static/games/estimation/screens/turn/workarea.js";
import { rowArt, lying, solids } from "/static/games/estimation/table/row/rowart.js";
import { pusherPlaces } from "/static/games/estimation/table/row/pusherart.js";
import { render, svg } from "/static/vendor/lit-html/lit-html.js";
window.seen = (snap) => {
  const boxes = snap.row.map((tile) => scene.corners(tile, snap.tile));
  const camera = scene.fit(boxes);
  const drawn = solids(camera, snap.row, snap.tile, snap.end);
  const placed = coins.placeCoins(drawn, [60, 268, 1860, 884]);
  return { camera, boxes: drawn.map((item) => item.bounds), coins: placed };
};
const drawing = document.createElementNS("http://www.w3.org/2000/svg", "svg");
const stage = document.body.appendChild(drawing);
const over = (a, b) => a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3];
/** The row drawn: the boxes of the words over it, and of the tiles and coins. */
const drawn = ({ row, spec, mode, ...rest }) => {
  const boxes = row.map((tile) => scene.corners(tile, spec));
  const lain = mode === "row" ? [] : lying(row, spec, rest.end, row);
  const camera = scene.fit([...boxes, ...lain], mode);
  render(svg`${rowArt(camera, { row, spec, ...rest })}`, stage);
  const tags = [...stage.querySelectorAll(".t-tag-word")].map((word) => {
    const { x, y, width, height } = word.previousElementSibling.getBBox();
    const { e, f } = word.parentNode.transform.baseVal[0].matrix;
    return [x + e, y + f, x + e + width, y + f + height];
  });
  const tiles = solids(camera, row, spec, rest.end);
  const round = coins.placeCoins(tiles, [60, 268, 1860, 884]);
  const arm = rest.push?.arm ? pusherPlaces(camera, row, spec, rest.end).rooms : [];
  return { tags, things: [...tiles.map((tile) => tile.bounds), ...coins.coinRooms(round), ...arm] };
};
const told = ({ row, ...rest }) => ({ ...rest, row: row.map((tile) => [tile.x_mm, tile.y_mm]) });
/** The words over drawn rows of which one covers another. */
window.covering = (asked) => asked.filter((each) => {
  const { tags } = drawn(each);
  return tags.length < 2 || tags.some((a, i) => tags.slice(i + 1).some((b) => over(a, b)));
}).map(told);
/** Those of which one covers a tile, a coin or the pusher's arm. */
window.hiding = (asked) => asked.filter((each) => {
  const { tags, things } = drawn(each);
  return tags.length < 2 || tags.some((a) => things.some((b) => over(a, b)));
}).map(told);
Object.assign(window, { scene, tipping, workarea });
document.body.dataset.opened = "yes";
"""


@pytest.fixture(scope="module")
def page(browser, static_site):
    context = browser.new_context()
    page = context.new_page()
    page.goto(static_site({"/scene.html": PAGE, "/modules.js": MODULES}) + "/scene.html")
    page.wait_for_selector("body[data-opened]", state="attached")
    yield page
    context.close()


@pytest.mark.parametrize("name", ROWS)
def test_the_row_fills_its_place_and_no_tile_is_tiny(page, name):
    boxes = page.evaluate("seen", ROWS[name])["boxes"]
    left, top = min(b[0] for b in boxes), min(b[1] for b in boxes)
    right, bottom = max(b[2] for b in boxes), max(b[3] for b in boxes)
    assert left >= 190 and right <= 1760 and top >= 350 and bottom <= 872
    assert min(b[3] - b[1] for b in boxes) >= 90


@pytest.mark.parametrize("orientation", ["vertical", "horizontal"])
def test_a_fallen_tile_lies_along_its_heading_on_the_screen_and_from_above(page, orientation):
    """However it stood, a tile that lies heads along its long edge, as the camera tells it."""
    size = {"length_mm": 48, "width_mm": 24, "thickness_mm": 7.5}
    tile = {"value": 8, "orientation": orientation, "state": "fallen"}
    tile |= {"x_mm": 300, "y_mm": 200, "heading_deg": 90}
    ring = page.evaluate("([tile, size]) => scene.corners(tile, size)", [tile, size])
    foot = page.evaluate("([tile, size]) => workarea.corners(tile, size)", [tile, size])
    for corners in (ring, foot):
        xs, ys = ({round(c[axis], 6) for c in corners} for axis in (0, 1))
        assert (sorted(xs), sorted(ys)) == ([288, 312], [176, 224])
    assert {c[2] for c in ring} == {0, 7.5}


@pytest.mark.parametrize("name", ROWS)
def test_coins_stay_apart_and_large(page, name):
    coins = page.evaluate("seen", ROWS[name])["coins"]
    for i, a in enumerate(coins):
        assert a["r"] == 44
        for b in coins[i + 1 :]:
            wide, high = a["rx"] + b["rx"], a["ry"] + b["ry"]
            apart = ((a["x"] - b["x"]) / wide) ** 2 + ((a["y"] - b["y"]) / high) ** 2
            assert apart >= 1, (a["value"], b["value"])


def test_the_camera_is_a_pinhole_above_the_middle_of_the_table(page):
    middle = page.evaluate("scene.project(scene.view(48, 760, 960, 540), [300, 205, 0])")
    near = page.evaluate("scene.project(scene.view(48, 760, 960, 540), [300, 105, 0])")
    high = page.evaluate("scene.project(scene.view(48, 760, 960, 540), [300, 205, 48])")
    assert middle == pytest.approx([960, 540, 760])
    assert near[1] > middle[1] > high[1]
    assert near[2] < middle[2]


def test_a_tile_tips_about_its_front_lower_edge_either_way(page):
    tile = {"value": 3, "orientation": "vertical", "x_mm": 100, "y_mm": 100, "heading_deg": 0}
    spec = {"length_mm": 48, "width_mm": 24, "thickness_mm": 7.5}
    for way in (1, -1):
        box = page.evaluate(
            "([tile, spec, way]) => scene.corners(tile, spec, 90, way)", [tile, spec, way]
        )
        xs, zs = [c[0] for c in box], [c[2] for c in box]
        front = 100 + way * 3.75
        assert sorted([min(xs), max(xs)]) == pytest.approx(sorted([front, front + way * 48]))
        assert [min(zs), max(zs)] == pytest.approx([0, 7.5])


def test_faces_turned_to_the_lamp_are_lighter(page):
    dark, light = page.evaluate("[scene.wood(0), scene.wood(1)]")
    assert dark == "#966835"
    assert int(light[1:3], 16) > int(dark[1:3], 16)


def test_tiles_tip_as_the_referee_says(page):
    told = {"tips": [[3, 0, 288, 82], [8, 120, 288, 82], [6, 240, 420, 90]]}
    at = "([told, ms]) => [...tipping.tilts(tipping.falls(told), ms)]"
    assert page.evaluate(at, [told, 0]) == [[3, 0], [8, 0], [6, 0]]
    assert page.evaluate(at, [told, 660]) == [[3, 82], [8, 82], [6, 90]]
    tilts = dict(page.evaluate(at, [told, 200]))
    assert tilts[3] > tilts[8] > tilts[6] == 0


SOUND_KEY = [1600, 826, 1870, 900]
PICTURE = [110, 400, 1014, 830]
"""Where the key for sound lies, and the words in the picture of a fall, in px of the stage."""

CLOSE = (101, 212, 632, 827, 861, 1110, 1177)
"""Seeds of rows in which one word lay over another in one language or several."""
HIDDEN = (4, 13, 37, 41, 48, 53, 58, 59, 63, 76)
"""Seeds of rows in which a word lay over a tile or a coin."""


def winding_row(chance):
    """A row as people build it: of 2 to 11 tiles, on the table, either way round."""
    while True:
        values = chance.sample(range(1, 13), chance.randint(2, 11))
        x_mm, y_mm, heading = (
            chance.uniform(60, 540),
            chance.uniform(50, 360),
            chance.uniform(-4, 4),
        )
        row = []
        for value in values:
            how = chance.choice(("vertical", "horizontal"))
            row.append({"value": value, "orientation": how, "state": "standing"})
            row[-1] |= {"x_mm": x_mm, "y_mm": y_mm, "heading_deg": math.degrees(heading)}
            pitch_mm = chance.uniform(14, 46)
            x_mm, y_mm = x_mm + pitch_mm * math.cos(heading), y_mm + pitch_mm * math.sin(heading)
            heading += chance.uniform(-0.4, 0.4)
        if all(40 < tile["x_mm"] < 560 and 40 < tile["y_mm"] < 370 for tile in row):
            return row


def told_of(row, chance, lang):
    """What the table screen says over a row while it is built, and once it has fallen in part."""
    say = words(f"{lang}/table")
    spec = {"length_mm": 48, "width_mm": 24, "thickness_mm": 7.5}
    common = {"row": row, "spec": spec, "end": chance.choice(("left", "right"))}
    last = {"value": chance.choice(row)["value"], "word": say["table.row.last"]}
    push = {"word": say["table.row.push"], "arm": chance.random() < 0.7}
    yield {**common, "mode": "row", "last": last, "push": push, "keep": [SOUND_KEY]}
    dead = chance.randrange(len(row) - 1)
    up = {"values": [tile["value"] for tile in row[dead + 1 :]]}
    up["word"] = say["table.verdict.stillup"]
    gap = say["table.verdict.gap"].replace("{gap}", "28")
    joint = {"tiles": row[dead : dead + 2], "word": gap}
    yield {**common, "mode": "picture", "up": up, "joint": joint, "safe": PICTURE, "plain": True}


@pytest.mark.parametrize("lang", LANGUAGES)
def test_words_over_the_row_never_cover_each_other(page, lang):
    asked = []
    for seed in (*range(12), *CLOSE):
        chance = random.Random(seed)
        asked += told_of(winding_row(chance), chance, lang)
    assert page.evaluate("covering", asked) == []


@pytest.mark.parametrize("end", ["left", "right"])
@pytest.mark.parametrize("lang", LANGUAGES)
def test_words_over_a_standing_row_cover_no_tile_no_coin_and_no_arm(page, lang, end):
    asked = []
    for seed in (*range(12), *HIDDEN):
        chance = random.Random(seed)
        asked.append({**next(told_of(winding_row(chance), chance, lang)), "end": end})
    assert page.evaluate("hiding", asked) == []
