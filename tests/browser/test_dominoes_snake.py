"""The line of bones on the cloth, whatever line it is: a property of the layout alone."""

from itertools import pairwise
from random import Random

import pytest

from rig.games.dominoes.bones import SET, fits, laid, line_ends

pytestmark = pytest.mark.browser

LINES = 1500
PAGE = """<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Snake</title>
<link rel="icon" href="data:,"></head><body><p>Snake</p>
<script type="module" src="/harness.js"></script></body></html>"""
HARNESS = """
import { snake, sizeOf, GAP, middleOf } from "/static/games/dominoes/table/snake.js";
const box = (each, u) => {
  const [w, h] = sizeOf(each, u);
  return { x1: each.x - w / 2, x2: each.x + w / 2, y1: each.y - h / 2, y2: each.y + h / 2 };
};
/** How far two boxes are apart along each axis; less than nothing where they share some of it. */
const apart = (a, b) => [Math.max(a.x1 - b.x2, b.x1 - a.x2), Math.max(a.y1 - b.y2, b.y1 - a.y2)];
/** The middle of a half, the first or the second. */
const half = ({ x, y, lying }, u, second) => {
  const off = (second ? 12 : -12) * u;
  return lying ? [x + off, y] : [x, y + off];
};
const nearest = (bone, u, value, [x, y]) => [0, 1]
  .filter((at) => Number(bone.bone[2 * at]) === value)
  .map((at) => half(bone, u, at))
  .reduce((least, [hx, hy]) => Math.min(least, Math.hypot(hx - x, hy - y)), Infinity);
window.faults = (line, lead, cloth) => {
  const { u, bones, open } = snake(line, lead, cloth);
  const out = [], near = 0.01;
  const boxes = bones.map((each) => box(each, u));
  const onCloth = ({ x1, x2, y1, y2 }) => x1 >= cloth.left - near && x2 <= cloth.right + near
    && y1 >= cloth.top - near && y2 <= cloth.bottom + near;
  boxes.forEach((each, i) => onCloth(each) || out.push(`${line[i]} is off the cloth`));
  // Of a line of all bones nobody asks where the next one goes.
  (line.length < 28 ? open : []).forEach((each, i) => {
    const its = box(each, u);
    if (!onCloth(its)) out.push(`open place ${i} is off the cloth`);
    const over = boxes.findIndex((other) => Math.max(...apart(its, other)) < GAP - near);
    if (over >= 0) out.push(`open place ${i} lies over ${line[over]}`);
  });
  boxes.forEach((each, i) => boxes.slice(i + 1).forEach((other, j) => {
    const over = Math.max(...apart(each, other)) < GAP - near;
    if (over) out.push(`${line[i]} lies over ${line[i + 1 + j]}`);
  }));
  for (let i = 1; i < bones.length; i += 1) {
    const [x, y] = apart(boxes[i - 1], boxes[i]);
    const touch = Math.abs(Math.max(x, y) - GAP) < near && Math.min(x, y) < -12 * u;
    if (!touch) out.push(`${line[i - 1]} and ${line[i]} do not touch`);
    const value = Number(line[i][0]);
    const least = [0, 1]
      .filter((at) => Number(bones[i - 1].bone[2 * at]) === value)
      .map((at) => nearest(bones[i], u, value, half(bones[i - 1], u, at)));
    // Equal halves lie side by side, or across from the middle of a double.
    const equal = Math.min(...least) < 24 * 1.12 * u + GAP;
    if (!equal) out.push(`${line[i - 1]} touches ${line[i]} with another half`);
  }
  bones.forEach((each, i) => {
    const same = [...each.bone].sort().join() === [...line[i]].sort().join();
    if (!same) out.push(`${line[i]} is drawn as ${each.bone}`);
  });
  const middle = middleOf(cloth);
  const still = Math.hypot(bones[lead].x - middle.x, bones[lead].y - middle.y) < near;
  if (!still) out.push("the first bone has moved");
  return out;
};
/** From one bone to the next, those that lie stay where they are while the scale is the same. */
window.moved = (before, after, left, cloth) => {
  const one = snake(...before, cloth), two = snake(...after, cloth);
  if (one.u !== two.u) return [];
  const same = two.bones.slice(left, left + one.bones.length);
  const stays = (each, i) => each.x === same[i].x && each.y === same[i].y;
  return one.bones.filter((each, i) => !stays(each, i)).map((each) => `${each.bone} has moved`);
};
window.all = (cases) => cases.flatMap(([line, lead, cloth]) =>
  faults(line, lead, cloth).map((fault) => `${line} ${lead} ${cloth.right}: ${fault}`));
document.body.dataset.ready = "1";
"""


@pytest.fixture(scope="module")
def snake(browser, static_site):
    with browser.new_context() as context:
        page = context.new_page()
        site = static_site({"/snake.html": PAGE, "/harness.js": HARNESS})
        page.goto(f"{site}/snake.html")
        page.wait_for_selector("body[data-ready]")
        yield page


def grown(chance, side=None):
    """A line as it grows, with the place of its first bone; on one side alone, or on both."""
    bones = list(SET)
    chance.shuffle(bones)
    line, lead = (bones.pop(),), 0
    yield line, lead
    while True:
        end = side or chance.choice(("left", "right"))
        ends = line_ends(line)
        value = ends[0] if end == "left" else ends[1]
        one = next((bone for bone in bones if fits(bone, (value,))), None)
        if one is None:
            return
        bones.remove(one)
        line, lead = laid(one, line, end), lead + (end == "left")
        yield line, lead


def cloth(width):
    """The cloth of a stage that is so many px wide."""
    u = width / 1920
    edges = {"left": 72, "right": 1400, "top": 230, "bottom": 880}
    return {name: at * u for name, at in edges.items()}


def test_bones_touch_with_equal_halves_and_never_lie_over_one_another_or_off_the_cloth(snake):
    chance, cases = Random(17), []
    for n in range(LINES):
        *_, (line, lead) = grown(chance, (None, None, "left", "right")[n % 4])
        cut = chance.randint(0, 3)
        if cut and lead < len(line) - cut:
            line = line[:-cut]
        cases.append([line, lead, cloth(chance.randint(1280, 3840))])
    assert max(len(line) for line, _, _ in cases) >= 26
    assert snake.evaluate("cases => all(cases)", cases) == []


def test_a_bone_that_lies_stays_where_it_is(snake):
    chance = Random(5)
    for side in (None, "left", "right"):
        steps = list(grown(chance, side))
        for before, after in pairwise(steps):
            left = after[1] - before[1]
            told = snake.evaluate("args => moved(...args)", [before, after, left, cloth(1920)])
            assert told == []
