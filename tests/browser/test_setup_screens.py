"""Every step of the first evening in every state: in four languages, on phone and laptop."""

import itertools
import json
import re
from pathlib import Path

import pytest

from rig.games.phrase import POINT, written
from tests.browser.test_fits import FIT, faults
from tests.rig.setup.test_reasons import SOURCES, reasons
from tests.support.setup_states import SNAPSHOTS, states
from tests.support.stages import preview_stage
from tests.support.touch import pressed_at_its_upper_edge
from tests.support.words import LANGUAGES, page_words

pytestmark = pytest.mark.browser

WEB = Path(__file__).parents[2] / "web"
STATES = json.loads(json.dumps(states()))
STAGE = preview_stage(
    'class="setup"',
    "setup/setup",
    "setup/steps/steps",
    module="setup/preview",
    words=("setup",),
    then="await Promise.all([...document.images].map((i) => i.decode().catch(() => {})));",
)
FAULTS = """() => {
  const found = [];
  const wide = document.documentElement.scrollWidth - document.documentElement.clientWidth;
  if (wide > 0) found.push(`wider by ${wide}`);
  for (const key of document.querySelectorAll("button, a.key, input[type=text], .setup-kind")) {
    const box = key.getBoundingClientRect();
    if (box.width < 44 || box.height < 44) found.push(`small: ${key.textContent.trim()}`);
  }
  for (const node of document.querySelectorAll("h1, h2, p, span, button, a, b, small")) {
    if (node.scrollWidth > node.clientWidth + 1 && getComputedStyle(node).overflow === "hidden"
        && !node.classList.contains("unseen")) found.push(`cut: ${node.textContent.trim()}`);
  }
  const titles = [...document.querySelectorAll("h1, h2, .point-title")].map((node) =>
    node.textContent.replace(node.querySelector(".unseen")?.textContent ?? "", "").trim());
  for (const title of titles.filter((each, n) => titles.indexOf(each) !== n)) {
    found.push(`twice: ${title}`);
  }
  const raw = document.body.innerText.match(/setup\\.[a-z.]+|\\{\\w+\\}|undefined|NaN/);
  if (raw) found.push(raw[0]);
  return found;
}"""

ALL_FAULTS = f"""async (text) => {{
  const [states, lang] = JSON.parse(text);
  const said = {{}};
  for (const [name, state] of Object.entries(states)) {{
    await show(state, lang);
    const found = ({FAULTS})();
    if (found.length) said[name] = found;
  }}
  return said;
}}"""

SEVEN_AND_A_HALF = """(codes) => {
  const known = codes.filter((code) => Intl.NumberFormat.supportedLocalesOf(code).length);
  const write = (code) => new Intl.NumberFormat(code, { numberingSystem: "latn" }).format(7.5);
  return Object.fromEntries(known.map((code) => [code, write(code)]));
}"""
"""The number as the browser writes it, in each language that it knows by CLDR."""


@pytest.fixture(scope="module")
def stage(browser, static_site):
    """A page on which a state is shown, the same one at every size and in every theme."""
    with browser.new_context(reduced_motion="reduce") as context:
        page = context.new_page()
        page.goto(f"{static_site(STAGE)}/stage.html")
        page.wait_for_selector("body[data-ready]")

        def at(size=(360, 640), theme="light"):
            page.set_viewport_size({"width": size[0], "height": size[1]})
            page.emulate_media(color_scheme=theme)
            return page

        yield at


SIZES = (
    *((320, 568), (360, 640), (390, 664), (667, 375)),
    *((740, 360), (844, 390), (820, 1180), (1366, 650)),
)
LARGE = ((320, 568), (844, 390))


@pytest.mark.parametrize(
    ("sizes", "percent"), [(SIZES, 100), (LARGE, 200)], ids=["as it is", "large text"]
)
def test_the_key_that_a_step_is_for_is_in_sight_at_every_size(stage, sizes, percent):
    """Each state at one size and in one language, as `python -m tests.tools.fits` does at all."""
    page = stage()
    page.evaluate(FIT)
    places = list(zip(itertools.cycle(sizes), LANGUAGES * len(sizes), strict=False))
    for n, (size, lang) in enumerate(places):
        page.set_viewport_size({"width": size[0], "height": size[1]})
        states = {name: STATES[name] for name in sorted(STATES)[n :: len(places)]}
        assert (size, lang, faults(page, states, lang, percent)) == (size, lang, {})


def show(page, name, lang="en"):
    page.evaluate("([state, lang]) => show(state, lang)", [STATES[name], lang])


def test_a_door_is_pressed_at_its_upper_edge_too(stage):
    page = stage()
    show(page, "doors")
    assert pressed_at_its_upper_edge(page, page.locator("a.setup-door"))


@pytest.mark.parametrize(("lang", "thick"), [("de", "7,5"), ("en", "7.5")])
def test_a_page_writes_numbers_as_its_language_does(stage, lang, thick):
    page = stage()
    show(page, "tiles-fine", lang)
    assert thick in page.locator(".points").inner_text()
    shown = page.locator("input[inputmode=decimal]").evaluate_all("all => all.map((e) => e.value)")
    assert thick in shown


def test_a_terminal_writes_numbers_as_a_browser_does(stage):
    commas = "cs|da|el|es|fi|fr|hr|hu|id|it|nb|nl|pl|pt|ro|sk|sl|sr|sv|tr|vi"
    codes = f"{POINT.pattern}|{commas}".split("|")
    told = stage().evaluate(SEVEN_AND_A_HALF, [*LANGUAGES, *codes])
    assert len(told) > 40
    assert told == {code: written(7.5, code) for code in told}


def test_the_saved_states_are_those_that_the_rules_of_setting_up_make():
    saved = {path.stem: path for path in SNAPSHOTS.glob("setup-*.json")}
    assert {name.removeprefix("setup-") for name in saved} == set(STATES)
    for name, path in saved.items():
        told = json.loads(path.read_text(encoding="utf-8"))
        assert told == STATES[name.removeprefix("setup-")], name


@pytest.mark.parametrize(
    ("lang", "size", "theme"),
    [
        ("en", (360, 640), "light"),
        ("bg", (360, 640), "light"),
        ("uk", (320, 640), "dark"),
        ("ru", (1920, 1080), "dark"),
    ],
)
def test_nothing_is_cut_and_every_key_is_large_enough(stage, lang, size, theme):
    page = stage(size, theme)
    names = sorted(STATES)
    dealt = names if lang == "uk" else names[LANGUAGES.index(lang) :: 3]
    states = {name: STATES[name] for name in dealt}
    assert page.evaluate(ALL_FAULTS, json.dumps([states, lang])) == {}


def test_what_the_network_lacks_is_said_once_with_what_to_do_under_it(stage):
    page = stage()
    show(page, "network-todo")
    point = page.locator(".point", has_text="This machine is not on any network")
    assert point.locator(".point-do").inner_text() == "Join the Wi-Fi your phones are in."
    assert page.evaluate(FAULTS) == []


@pytest.mark.parametrize("lang", LANGUAGES)
def test_where_several_ports_fail_the_page_says_of_each_why(stage, lang):
    page, words = stage(), catalogue(lang)
    show(page, "pusher-several", lang)
    said = page.locator(".setup-said .point")
    assert [each.split(": ")[1] for each in said.locator("li").all_inner_texts()] == [
        f"{words[f'setup.pusher.{kind}']}." for kind in ("busy", "noise")
    ]
    assert said.locator("details").count() == 0


@pytest.mark.parametrize("lang", LANGUAGES)
def test_what_nobody_foresaw_is_said_in_the_pages_language_and_the_program_speaks_folded_away(
    stage, lang
):
    page, words = stage(), catalogue(lang)
    known = STATES["tiles-unforeseen"]
    strange = {"mark": "failed", "key": "too_fast", "of": {}, "detail": ""}
    for said, key in ((known["ui"]["said"], "refused.settings"), (strange, "refused.error")):
        state = {**known, "ui": {"said": said}}
        page.evaluate("([state, lang]) => show(state, lang)", [state, lang])
        point = page.locator(".setup-said .point")
        assert words[f"setup.{key}"] in point.locator(".point-title").inner_text()
        assert point.locator(".point-do").inner_text() == words[f"setup.{key}.do"]
        fold = point.locator("details.point-why")
        assert fold.count() == (1 if said["detail"] else 0)
        if said["detail"]:
            assert fold.get_attribute("open") is None
            assert fold.locator("summary").inner_text() == words["setup.why"]
            assert not fold.locator("p").is_visible()
            fold.locator("summary").click()
            assert fold.locator("p").inner_text() == said["detail"]


def test_the_accessibility_checker_has_nothing_to_say(stage, checker):
    page = stage((390, 844), "light")
    for name in sorted(STATES):
        show(page, name)
        assert (name, checker(page, theme="dark", still=True)) == (name, [])


def test_a_step_has_one_picture_one_main_answer_and_at_most_three_things_to_say(stage):
    most = {".setup-frame": 1, ".points .point": 3, ".key-lamp": 1, "h1": 1}
    counted = stage().evaluate(
        """async ([states, most]) => {
          const found = [];
          for (const [name, state] of Object.entries(states)) {
            await show(state, "en");
            for (const [each, limit] of Object.entries(most)) {
              if (document.querySelectorAll(each).length > limit) found.push(`${name}: ${each}`);
            }
          }
          return found;
        }""",
        [STATES, most],
    )
    assert counted == []


def test_what_is_done_lies_on_the_shelf_and_is_told_to_those_who_do_not_see_it(stage):
    page = stage()
    show(page, "pusher-fine")
    labels = page.locator(".shelf-key").evaluate_all("(keys) => keys.map((k) => k.ariaLabel)")
    assert labels[0] == "Step 1 of 7: phones: done"
    assert labels[6] == "Step 7 of 7: test row: to do"
    current = page.locator(".shelf-key[aria-current=step]")
    assert current.get_attribute("aria-label") == "Step 6 of 7: pusher: done"


def test_stop_stands_wherever_something_may_move(stage):
    page = stage()
    for name in ("pusher-try", "pusher-ready", "row-switch", "row-hold", "row-pushing"):
        show(page, name)
        stop = page.locator(".setup-stop")
        assert stop.count() == 1, name
        assert stop.bounding_box()["height"] >= 84


def catalogue(lang):
    return page_words(f"{lang}/setup")


def test_no_word_is_missing_and_none_is_left_over():
    scripts = [WEB / "static" / "setup.js", *(WEB / "static" / "setup").rglob("*.js")]
    source = "".join(path.read_text(encoding="utf-8") for path in scripts)
    rules = Path(__file__).parents[2] / "rig" / "setup"
    facts = "".join(path.read_text(encoding="utf-8") for path in rules.rglob("*.py"))
    known = set(catalogue("en"))
    whole = set(re.findall(r'["`](setup\.[\w.]+[\w])["`]', source))
    assert whole - known == set()
    keys = {key.removeprefix("setup.").removesuffix(".do") for key in known}
    begun = {b for b in re.findall(r"[`\"]setup\.([\w.]*)\$\{", source) if b}
    said = set(re.findall(r'"([a-z_]+(?:\.[a-z_]+)+)"', facts + source))
    begun |= set(re.findall(r'f"([a-z]+(?:\.[a-z]+)*\.)\{', facts))
    begun |= {"row.", "tiles.range."}
    said |= {f"{name}.failed" for name in re.findall(r'line_up\("(\w+)"', facts)}
    said |= set().union(*map(reasons, SOURCES))
    used = {key.removeprefix("setup.") for key in whole} | said
    left = {key for key in keys - used if not key.startswith(tuple(begun))}
    assert left - {"playing", "paused"} == set()


def test_beginning_anew_asks_before_what_was_measured_goes(stage):
    told = stage().evaluate("""async () => {
      const { anew } = await import("/static/setup/parts.js");
      const { render } = await import("/static/vendor/lit-html/lit-html.js");
      const root = document.createElement("div");
      const wished = [];
      const page = {
        say: (word) => word, told: {}, drafts: {},
        draft(name, value) { this.drafts[name] = value; },
        wish: (wish) => wished.push(wish),
        draw() { render(anew(this), root); },
      };
      page.draw();
      root.querySelector("button").click();
      const asked = [root.textContent.trim(), wished.length];
      root.querySelector("button").click();
      return [asked, wished, root.textContent.trim()];
    }""")
    assert told == [["setup.views.again.sure", 0], [{"do": "again"}], "setup.views.again"]


def test_what_is_only_guessed_of_the_network_is_folded_away(stage):
    page = stage()
    show(page, "network-waiting")
    folds = page.locator("details.setup-find")
    assert folds.count() > 0
    assert page.locator("details.setup-find[open]").count() == 0
