"""Every saved screen of the table: drawn, readable from four metres, nothing cut, accessible."""

import functools
import json
import os
from copy import deepcopy
from pathlib import Path

import pytest

from tests.browser.conftest import painted_small
from tests.support.words import LANGUAGES, words

pytestmark = pytest.mark.browser

SNAPSHOTS = {
    path.stem: json.loads(path.read_text(encoding="utf-8"))
    for path in sorted((Path(__file__).parents[1] / "data" / "snapshots").glob("table-*.json"))
}
STAGE = (1920, 1080)
LEAST_TEXT_PX = 51
"""34 px where a screen is 720 px high: what can be read from four metres."""

SHELL = """<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Table</title>
<link rel="icon" href="data:,"><link rel="stylesheet" href="/static/core/style/tokens.css">
<link rel="stylesheet" href="/static/core/style/style.css">
<link rel="stylesheet" href="/static/table/table.css">
<link rel="stylesheet" href="/static/games/estimation/table.css">
{script}</head><body class="table" data-v data-page="table"><div id="app"></div></body></html>"""

# A table without a link: `showTable(snapshot, {lang, theme})` draws it from nothing.
HARNESS = """
import { translator } from "/static/core/i18n.js";
import { allWords, loadGame, rulesOf } from "/static/games/index.js";
import { Sound } from "/static/core/sound.js";
const words = new Map();
const waiting = [];
for (const [later, never] of [
  ["setTimeout", "clearTimeout"], ["requestAnimationFrame", "cancelAnimationFrame"],
]) {
  const real = window[later];
  window[later] = (...how) => {
    const id = real(...how);
    waiting.push(() => window[never](id));
    return id;
  };
}
// What the table before still meant to do, this one does not.
const forget = () => waiting.splice(0).forEach((never) => never());
window.openTable = async (lang, theme, still = false, snap = null) => {
  const { Table } = await loadGame("table", snap);
  const game = rulesOf(snap) + lang;
  // Said again, the same has every element's style worked out anew.
  const { documentElement: page } = document;
  if (page.dataset.theme !== theme) page.dataset.theme = theme;
  if (page.lang !== lang) page.lang = lang;
  if (!words.has(game)) words.set(game, await allWords(lang, "table", snap));
  forget();
  document.getElementById("app").remove();
  const root = Object.assign(document.createElement("div"), { id: "app" });
  document.body.append(root);
  let offset = 0;
  window.sent = [];
  window.times = {};
  const table = new Table(root, {
    say: translator(words.get(game), lang), lang, sound: new Sound(null), still: () => still,
    now: () => Date.now() + offset, send: (type, fields) => window.sent.push([type, fields]),
    scene: (number, what) => {
      window.sent.push([number, what]);
      window.times[what] = performance.now();
    },
  });
  window.show = (snap) => {
    offset = snap.now_ms - Date.now();
    if (snap.ui?.before) table.show({ ...snap, ...snap.ui.before });
    table.show(snap);
    table.lost(snap.ui?.lost ?? "");
    if (snap.ui?.choosing) table.choose(true);
    if (snap.ui?.setting) table.openSettings(true);
  };
  window.table = table;
};
document.body.dataset.opened = "yes";
"""

# What a person would miss: text that is small, cut, or outside of the stage.
FAULTS = """(least) => {
  const faults = [];
  const stage = document.querySelector(".t-stage").getBoundingClientRect();
  for (const node of document.querySelectorAll(".t-stage *")) {
    const own = [...node.childNodes].filter((c) => c.nodeType === 3 && c.textContent.trim());
    const plate = node.matches(".t-who, .t-plate") && node.getClientRects().length > 0;
    if (!(own.length || plate) || node.closest(".unseen") || node.closest("defs")) continue;
    if (node.closest("details:not([open]) > :not(summary)")) continue;
    const style = getComputedStyle(node);
    const drawn = Boolean(node.closest("svg"));
    const size = parseFloat(style.fontSize) * (drawn ? stage.width / 1920 : 1);
    const text = node.textContent.trim().slice(0, 40);
    if (!plate && size < least - 0.01) faults.push(`${text}: ${size} px`);
    const box = node.getBoundingClientRect();
    const out = Math.max(stage.left - box.left, stage.top - box.top,
      box.right - stage.right, box.bottom - stage.bottom);
    if (out > 1) faults.push(`${text}: ${Math.round(out)} px outside`);
    const may = style.textOverflow === "ellipsis" && [...text].length > 10;
    const whole = drawn || may || style.display === "inline";
    const cut = whole ? 0 : node.scrollWidth - node.clientWidth;
    if (cut > 2) faults.push(`${text}: cut by ${cut} px`);
  }
  for (const won of document.querySelectorAll(".t-tally-won")) {
    const place = won.getBoundingClientRect();
    for (const disc of won.querySelectorAll("svg")) {
      const box = disc.getBoundingClientRect();
      if (box.left < place.left - 3 || box.right > place.right + 3) faults.push("chips run out");
    }
  }
  const blocks = ".t-words, .t-over > *, .t-corner, .t-rail, .t-screen-key";
  const boxes = [...document.querySelectorAll(blocks)]
    .filter((n) => n.getBoundingClientRect().width && !n.classList.contains("t-board-edge"));
  for (const [i, a] of boxes.entries()) for (const b of boxes.slice(i + 1)) {
    const [p, q] = [a.getBoundingClientRect(), b.getBoundingClientRect()];
    const wide = Math.min(p.right, q.right) - Math.max(p.left, q.left);
    const high = Math.min(p.bottom, q.bottom) - Math.max(p.top, q.top);
    if (wide > 1 && high > 1) faults.push(`${a.className} lies over ${b.className}`);
  }
  if (document.documentElement.scrollWidth > innerWidth) faults.push("the page scrolls sideways");
  if (document.documentElement.scrollHeight > innerHeight) faults.push("the page scrolls");
  return faults;
}"""


QR = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><path d="M1 1h7v7z"/></svg>'
PAGES = {"/harness.js": HARNESS, "/qr.svg": QR}
"""The pages, and beside them, for each test of the real one, `/pretend.js` with its referee."""


@pytest.fixture(scope="module")
def site(static_site):
    script = '<script type="module" src="/harness.js"></script>'
    real = (
        '<script src="/pretend.js"></script><script type="module" src="/static/table.js"></script>'
    )
    PAGES["/stage.html"] = SHELL.format(script=script)
    PAGES["/entry.html"] = SHELL.format(script=real)
    return static_site(PAGES)


@pytest.fixture(scope="module")
def context(browser):
    context = browser.new_context(viewport={"width": STAGE[0], "height": STAGE[1]})
    yield context
    context.close()


def stage_page(context, site):
    page = context.new_page()
    page.clock.install()
    page.goto(f"{site}/stage.html")
    page.wait_for_selector("body[data-opened]")
    return page


@pytest.fixture(scope="module")
def one_page(context, site):
    return stage_page(context, site)


@pytest.fixture
def page(one_page, heard):
    """The same page for all: every test opens a new table on it."""
    return heard(one_page)


# Each screen in turn. Drawings are silent or one picture with a label: what is inside of them is
# left out, which makes the checker four times as fast. There is no sound or film to load.
AXE = """async (text) => {
  const [snapshots, lang, all] = JSON.parse(text);
  const found = {};
  for (const [name, snapshot] of Object.entries(snapshots)) {
    await openTable(lang, "dark", true, snapshot);
    show(snapshot);
    // What is still being laid out has the colours of whatever it lies over.
    await document.fonts.ready;
    await Promise.all([...document.images].map((image) => image.decode().catch(() => {})));
    document.querySelectorAll(".t-stage svg, .defs").forEach((each) => each.replaceChildren());
    const { faults } = await checkNew("html", { all, theme: "light" });
    if (faults.length) found[name] = faults;
  }
  return found;
}"""


def opened(page, lang="en", theme="dark", still=False):
    page.evaluate("([l, t, s]) => openTable(l, t, s)", [lang, theme, still])


def shown(page, *snapshots):
    """Show one after the other; they go over as a text, which is far quicker."""
    for snapshot in snapshots:
        page.evaluate("(text) => show(JSON.parse(text))", json.dumps(snapshot))


def soon(page, selector, state="visible"):
    """Let the page's clock run until something is there."""
    for _ in range(200):
        if page.locator(selector).count():
            break
        page.clock.run_for(50)
    page.wait_for_selector(selector, state=state)


def title(page):
    return page.inner_text("h1")


LOOK = f"""async (text) => {{
  const [snapshots, lang, least] = JSON.parse(text);
  const [faults, said] = [{{}}, {{}}];
  for (const [name, snapshot] of Object.entries(snapshots)) {{
    await openTable(lang, "dark", false, snapshot);
    show(snapshot);
    const found = ({FAULTS})(least);
    if (document.body.dataset.v !== String(snapshot.v)) found.push("another version is shown");
    if (found.length) faults[name] = found;
    said[name] = document.body.innerText;
  }}
  return {{ faults, said }};
}}"""
"""Shown and looked at in one go: between two a moment of the table may pass."""


@pytest.fixture(scope="module")
def looked_at(one_page):
    """What is wrong with every screen in a language, and what it says; each is drawn once."""

    @functools.cache
    def look(lang):
        with painted_small(one_page):
            return one_page.evaluate(LOOK, json.dumps([SNAPSHOTS, lang, LEAST_TEXT_PX]))

    return look


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_screen_is_readable_from_four_metres_and_nothing_is_cut(page, looked_at, lang):
    assert looked_at(lang)["faults"] == {}


STREAMED = ("lobby", "lobby-full-host", "row-eleven", "ballot-five", "reveal-five", "push-ready")
STREAMED += ("verdict-five", "round-end", "final-awards", "final-ties", "dominoes-over-evening")


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_stream_is_as_readable_and_its_words_have_a_ground_below_what_is_drawn(page, lang):
    shown = {name: SNAPSHOTS[f"table-{name}"] for name in STREAMED}
    page.evaluate("() => { document.documentElement.dataset.overlay = ''; }")
    try:
        asked = json.dumps([shown, lang, LEAST_TEXT_PX])
        assert page.evaluate(LOOK, asked)["faults"] == {}
        ground = "getComputedStyle(document.querySelector('.t-words'), '::before').zIndex"
        assert page.evaluate(ground) == "-1"
    finally:
        page.evaluate("() => { delete document.documentElement.dataset.overlay; }")


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_rule_of_every_award_is_as_readable_once_it_is_open(page, lang):
    opened(page, lang)
    shown(page, SNAPSHOTS["table-final-films-one"])
    for n in range(4):
        page.locator("summary").nth(n).click()
        assert page.locator(".t-award-rule:visible").count() == 1
        assert page.evaluate(f"({FAULTS})({LEAST_TEXT_PX})") == []


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_sheet_of_a_film_is_as_readable_and_whole(page, lang):
    opened(page, lang)
    shown(page, SNAPSHOTS["table-final-films"])
    page.locator(".t-play").nth(2).click()
    assert page.evaluate(f"({FAULTS})({LEAST_TEXT_PX})") == []
    sheet, film = (page.locator(f"dialog[open]{part}").bounding_box() for part in ("", " video"))
    assert 0 <= sheet["y"] < film["y"]
    assert film["y"] + film["height"] < sheet["y"] + sheet["height"] <= STAGE[1]
    assert film["width"] / film["height"] == pytest.approx(16 / 9, 0.01)


CHECK_ALL = os.environ.get("DOMINO_AXE") == "all"
"""The checker looks at what is new on a screen, in one language; or at all of it in all of them."""


@pytest.mark.parametrize("lang", LANGUAGES if CHECK_ALL else LANGUAGES[:1])
def test_axe_finds_nothing_on_any_screen_in_either_theme(context, site, checker, lang):
    # A page of its own: the checker itself tries inline styles that the policy refuses. All letters
    # are large there too, as its rule counts them, and there is half as much to paint.
    page = stage_page(context, site)
    page.set_viewport_size({"width": 1280, "height": 720})
    checker.come(page)
    with painted_small(page):
        assert page.evaluate(AXE, json.dumps([SNAPSHOTS, lang, CHECK_ALL])) == {}
    opened(page, lang)
    shown(page, SNAPSHOTS["table-final-films"])
    page.locator(".t-play").first.click()
    assert checker(page, theme="light") == []
    page.close()


STIRS = """() => new Promise((done) => {
  let count = 0;
  const watch = new MutationObserver((found) => { count += found.length; });
  watch.observe(document.body, {subtree: true, childList: true, attributes: true});
  setTimeout(() => done(count + document.getAnimations().length), 400);
})"""


def test_nothing_moves_while_people_think(page):
    opened(page)
    shown(page, SNAPSHOTS["table-row-wrong"], SNAPSHOTS["table-row"])
    assert any(page.evaluate(STIRS) == 0 for _ in range(100))
    assert page.evaluate(STIRS) == 0


def test_a_call_shows_who_was_first_and_then_the_ballot(page):
    opened(page)
    shown(page, SNAPSHOTS["table-row"], SNAPSHOTS["table-ballot"])
    assert title(page) == "Domino!"
    assert page.inner_text(".t-caller") == "Olena"
    assert page.inner_text(".t-line") == "Borys was 38 ms later."
    soon(page, "text=3 of 4 ballots are in")
    assert page.locator(".t-back-in").count() == 3


@pytest.mark.parametrize(
    ("ms", "words"),
    [
        (38, "Photo finish: Olena was first by 38 ms."),
        (14, "Photo finish: too close to tell, under 15 ms. Olena was heard first."),
    ],
)
def test_a_photo_finish_is_told_in_words_of_its_own(page, ms, words):
    opened(page)
    shout = {"caller": "s1", "late": [{"seat": "s4", "ms": ms}], "tie_ms": 15}
    shown(page, SNAPSHOTS["table-row"], {**SNAPSHOTS["table-ballot"], "shout": shout})
    assert page.inner_text(".t-line") == words


@pytest.mark.parametrize("screen", ["table-asked", "table-asked-camera"])
def test_a_bot_s_tile_is_asked_for_with_a_camera_and_without(page, screen):
    opened(page)
    shown(page, SNAPSHOTS[screen])
    assert page.inner_text(".t-line") == "Please stand the 4 for Petro: right end, upright."


@pytest.mark.parametrize(
    ("state", "words"),
    [
        ("switch", "Petro turns the arm switch on."),
        ("ready", "Push starts at the 3. Petro holds the button."),
    ],
)
def test_the_table_says_who_starts_a_real_arm_for_a_bot(page, state, words):
    opened(page)
    before = SNAPSHOTS[f"table-push-{state}"]
    shown(page, {**before, "push": {**before["push"], "hand": "s3"}})
    assert page.inner_text(".t-line") == words


def test_a_photo_of_what_lies_there_ends_the_call_to_push(page):
    opened(page)
    before = SNAPSHOTS["table-push-hand"]
    before = {**before, "devices": {**before["devices"], "sees": False, "camera": "phone"}}
    shown(page, before)
    assert page.inner_text("h1") == "Hands off!"
    photo = {"outcome": "stood", "up": [9], "unclear": []}
    push = {**before["push"], "photo": photo, "picture": "/picture/2.jpg"}
    shown(page, before, {**before, "push": push})
    assert page.inner_text("h1") == "Did every tile go down?"
    assert page.locator(".t-stage [href='/picture/2.jpg']").count() == 1


WORDED = """() => [...document.querySelectorAll(".t-worded .t-tag-word")]
  .filter((word) => getComputedStyle(word).visibility === "visible")
  .map((word) => word.textContent)"""


@pytest.mark.parametrize(
    ("slow", "there", "other"),
    [("12", "before the push", "after the push"), ("11", "after the push", "before the push")],
)
def test_what_a_picture_is_of_is_told_once_it_is_there(page, slow, there, other):
    """A picture is held back on its way: meanwhile nobody reads its words over the other one."""
    held = []

    def route(route):
        late = route.request.url.endswith(f"/{slow}{slow}.jpg")
        held.append(route) if late else route.fulfill(body=QR, content_type="image/svg+xml")

    page.route("**/picture/*", route)
    opened(page)
    anew = json.dumps(SNAPSHOTS["table-verdict-before"]).replace("/picture/", f"/picture/{slow}")
    shown(page, json.loads(anew))  # pictures that this page has never had
    page.locator(".t-worded[data-there]").wait_for(state="attached")
    told = [word for _ in range(30) for word in _later(page)]
    assert {*told} == {there}
    held.pop().fulfill(body=QR, content_type="image/svg+xml")
    page.locator(".t-worded[data-there]").nth(1).wait_for(state="attached")
    assert {word for _ in range(30) for word in _later(page)} == {there, other}
    page.unroute("**/picture/*")


def _later(page):
    """The words over the pictures, a quarter of a second on."""
    page.clock.run_for(250)
    return page.evaluate(WORDED)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_no_name_however_long_brings_words_over_the_row(page, lang):
    opened(page, lang, still=True)
    page.evaluate((Path(__file__).parent / "fit.js").read_text(encoding="utf-8"))
    for name in ("row-no-camera", "row-ruling", "accident", "shout", "final"):
        snapshot = deepcopy(SNAPSHOTS[f"table-{name}"])
        for seat in snapshot["seats"]:
            seat["name"] = "W" + "m" * 19
        shown(page, snapshot)
        assert page.evaluate("fits.cut()") == [], name


HIDDEN = """() => [...document.querySelectorAll(".t-name, .t-tally-name")].filter((name) => {
  const lines = Math.round(name.scrollHeight / parseFloat(getComputedStyle(name).fontSize));
  return name.scrollWidth > name.clientWidth || lines > 2;
}).map((name) => name.textContent)"""


def named(screen, names):
    """A saved state of a table screen in which the players have these names."""
    snapshot = deepcopy(SNAPSHOTS[f"table-{screen}"])
    for seat, name in zip(snapshot["seats"], names, strict=False):
        seat["name"] = name
    return snapshot


NAMES = ("Grandma Rosa", "Uncle Theodor", "Christopher", "Олександра", "Anna-Katharina")


@pytest.mark.parametrize("screen", ["row", "row-eleven", "verdict-stood", "verdict-five"])
def test_names_of_two_words_are_shown_whole(page, screen):
    opened(page, still=True)
    shown(page, named(screen, NAMES))
    read = page.locator(".t-name, .t-tally-name").all_inner_texts()
    assert sorted(each.replace("\u00ad", "") for each in read) == sorted(NAMES[: len(read)])
    assert page.evaluate(HIDDEN) == []
    assert page.evaluate(f"({FAULTS})({LEAST_TEXT_PX})") == []


@pytest.mark.parametrize("screen", ["final", "final-films", "final-ties", "final-shared", "lobby"])
def test_the_ends_of_an_evening_show_names_on_two_lines(page, screen):
    opened(page, still=True)
    names = (*NAMES[:4], "Bartholomäus")
    snapshot = named(screen, names)
    shown(page, snapshot)
    read = page.locator(".t-name").all_inner_texts()
    assert sorted(each.replace("\u00ad", "") for each in read) == sorted(names[: len(read)])
    assert len(read) == len(snapshot["seats"]) and page.evaluate(HIDDEN) == []
    assert page.evaluate(f"({FAULTS})({LEAST_TEXT_PX})") == []


def test_the_table_says_at_once_who_pressed_stop(page):
    opened(page, still=True)
    shown(page, SNAPSHOTS["table-row-stopped"])
    assert page.locator(".t-note").inner_text() == "Stopped by Mira. Nothing moves."
    shown(page, {**SNAPSHOTS["table-row-stopped"], "stopped_by": "host"})
    assert page.locator(".t-note").inner_text() == "Stopped by the host. Nothing moves."


@pytest.mark.parametrize("chosen", ["light", "dark", None])
@pytest.mark.parametrize("system", ["light", "dark"])
def test_dusk_is_dark_only_where_words_are_light(page, system, chosen):
    """A past game is drawn in the theme of the system while none is chosen."""
    page.emulate_media(color_scheme=system)
    opened(page, theme=chosen or "dark", still=True)
    if not chosen:
        page.evaluate("delete document.documentElement.dataset.theme")
    dusk = page.evaluate("getComputedStyle(document.documentElement).getPropertyValue('--dusk')")
    assert dusk == ("#04120ccc" if (chosen or system) == "dark" else "#9fb78c")
    page.emulate_media(color_scheme="no-preference")


def test_two_winners_with_long_names_cover_no_stack(page):
    opened(page, "de", still=True)
    snapshot = deepcopy(SNAPSHOTS["table-final-shared"])
    for seat in snapshot["seats"]:
        seat["name"] = "Maximiliane-Charlott"
    shown(page, snapshot)
    line = page.locator(".t-line").first.bounding_box()
    marks = page.evaluate(
        """() => [...document.querySelectorAll(".t-art use, .t-art path, .t-art circle")]
          .map((each) => each.getBoundingClientRect().top)"""
    )
    assert line["y"] + line["height"] <= min(marks)


LONG_NAMES = (
    "Aleksandra-Viktoria",
    "Oleksandr Kovalenko",
    "Maximiliane-Josepha",
    "Bartholomew Winston",
    "Hannelore Schreiber",
)
UNDER_BALLOTS = """() => {
  const box = (each) => each.getBoundingClientRect();
  const words = box(document.querySelector(".t-line")).bottom;
  const tags = [...document.querySelectorAll(".t-tag-word")].map((each) => each.parentNode);
  const ballots = [...document.querySelectorAll(".t-face:not(.t-turned), .t-back:not(.t-turned)")];
  const seen = [...tags, ...ballots].map(box).filter(({ height }) => height);
  return seen.filter(({ top }) => top < words).map(({ top }) => Math.round(words - top));
}"""


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("screen", ["reveal", "reveal-five"])
def test_no_ballot_covers_the_words_over_it_however_long_the_names(page, screen, lang):
    opened(page, lang, still=True)
    snapshot = deepcopy(SNAPSHOTS[f"table-{screen}"])
    for seat, name in zip(snapshot["seats"], LONG_NAMES, strict=False):
        seat["name"] = name
    shown(page, snapshot)
    assert page.evaluate(UNDER_BALLOTS) == []


FIRST_LINES = """() => [...document.querySelectorAll(".t-name-long")].map((name) => {
  const words = name.firstChild.nextSibling ?? name.firstChild;
  const top = (at) => {
    const range = document.createRange();
    range.setStart(words, at);
    range.setEnd(words, at + 1);
    return [...range.getClientRects()].at(-1)?.top;
  };
  const second = [...words.data].findIndex((_, at) => top(at) > top(0) + 9);
  return words.data.slice(0, second).replace("\u00ad", "");
})"""


@pytest.mark.parametrize("screen", ["row", "row-eleven", "verdict-five"])
def test_a_long_name_of_one_word_is_divided_where_a_syllable_begins(page, screen):
    """Not "Bartholomäu" and "s"."""
    opened(page, still=True)
    snapshot = deepcopy(SNAPSHOTS[f"table-{screen}"])
    for seat, name in zip(snapshot["seats"], ("Bartholomäus", "Станиславочка"), strict=False):
        seat["name"] = name
    shown(page, snapshot)
    first = page.evaluate(FIRST_LINES)
    assert "Bartho" in first
    assert "Станис" in first


PLATES = """() => [...document.querySelectorAll(".t-plate")].map((plate) => {
  const [disc, count, coin, role] = [".chip", ".t-count", ".t-role-coin", ".t-role"].map((part) =>
    plate.querySelector(part));
  const box = (each) => each.getBoundingClientRect();
  const beside = coin ?? role;
  return {
    counted: [disc, count].filter(Boolean).length,
    coin: Boolean(coin),
    word: role?.textContent ?? "",
    apart: count && beside ? box(beside).left - box(count).right : null,
    left: box(plate).right - Math.max(...[count, beside].filter(Boolean).map((e) => box(e).right)),
  };
})"""


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("screen", ["row-eleven", "ballot-five"])
def test_of_five_seats_nobody_reads_a_number_and_a_word_as_one(page, screen, lang):
    """Not "13 last": the last tile's coin stands apart from the chips, and a word has its room."""
    opened(page, lang, still=True)
    snapshot = deepcopy(SNAPSHOTS[f"table-{screen}"])
    for seat, chips in zip(snapshot["seats"], (13, 14, 12, 11, 10), strict=True):
        seat["chips"] = chips
    snapshot["seats"][1]["connected"] = False
    shown(page, snapshot)
    placer, away, *others = plates = page.evaluate(PLATES)
    assert [each for each in plates if each["counted"] not in (0, 2)] == []
    assert [each for each in plates if each["apart"] is not None and each["apart"] < 18] == []
    assert min(each["left"] for each in plates) > 0
    assert (placer["counted"], placer["coin"], placer["word"]) == (2, True, "")
    said = words(f"{lang}/table")
    assert away["word"] == said["table.role.away"]
    assert [each["coin"] for each in others] == [False] * 3
    if snapshot["caller"]:
        assert others[-1]["word"] == said["table.role.caller"]


def test_the_ballot_screen_tells_no_side():
    open_ballots = {
        name: s for name, s in SNAPSHOTS.items() if s["phase"] in ("BALLOT", "COUNTDOWN")
    }
    assert open_ballots
    for snapshot in open_ballots.values():
        assert snapshot["ballot"]["mine"] is None
        assert snapshot["reveal"] is None


COVERED = """() => {
  const box = (each) => each.getBoundingClientRect();
  const words = [...document.querySelectorAll(".t-tag-word")].map((each) => box(each.parentNode));
  const over = (a, b) =>
    a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
  return [...document.querySelectorAll(".t-back-in")].map(box)
    .flatMap((back) => words.filter((word) => over(back, word))).length;
}"""


@pytest.mark.parametrize("screen", ["table-ballot", "table-ballot-five"])
def test_no_ballot_that_is_in_covers_words_over_the_row(page, screen):
    """Rows that come towards those who look, straight or slanting: the push starts low down."""
    ballot = deepcopy(SNAPSHOTS[screen])
    for seat in ballot["seats"]:
        seat["in"] = True
    for slant_mm in range(-40, 41, 5):
        row = [
            {"value": 3 + n, "orientation": "vertical", "state": "standing"}
            | {"x_mm": 300 + slant_mm * n, "y_mm": 120 + 30 * n, "heading_deg": 90}
            for n in range(6)
        ]
        opened(page, still=True)
        shown(page, {**ballot, "row": row, "last": 8, "end": "left"})
        assert page.evaluate(COVERED) == 0, slant_mm


def told(page):
    """The verdict as it comes once the fall was seen; the evidence is due in two seconds."""
    verdict = SNAPSHOTS["table-verdict-stood"]
    due_ms = page.evaluate("() => table.now()") + 2000
    held = {**verdict["verdict"], "evidence_ms": due_ms}
    page.evaluate("(snap) => table.show(snap)", {**verdict, "verdict": held})


def until_sent(page, said):
    for _ in range(100):
        if said in page.evaluate("sent"):
            return
        page.clock.run_for(50)
    raise AssertionError(page.evaluate("sent"))


def test_the_row_falls_as_measured_and_once_again_slower_under_its_verdict(page):
    opened(page)
    fall = SNAPSHOTS["table-fall"]
    shown(page, SNAPSHOTS["table-push-moving"], fall)
    until_sent(page, [fall["fall"]["number"], "ended"])
    times = page.evaluate("times")
    frame_ms = 20  # the picture's clock stands still while it is drawn
    assert times["ended"] - times["began"] >= fall["fall"]["once_ms"] - frame_ms
    page.clock.run_for(3000)
    assert title(page) == "Hands off!", "nothing is said before the referee says it"
    assert page.locator(".t-tallies").count() == 0
    told(page)
    soon(page, "text=Once more, at half speed")
    assert title(page) == "It stood!"
    soon(page, ".t-tallies")
    assert page.locator(".t-frame").count() == 1


def test_a_screen_that_comes_in_between_shows_the_fall_too(page):
    opened(page)
    shown(page, SNAPSHOTS["table-fall"])
    until_sent(page, [SNAPSHOTS["table-fall"]["fall"]["number"], "ended"])
    assert title(page) == "Hands off!"


def test_once_the_evidence_is_due_it_is_up(page):
    opened(page)
    shown(page, SNAPSHOTS["table-fall"])
    page.clock.run_for(300)
    verdict = SNAPSHOTS["table-verdict-stood"]
    shown(page, {**verdict, "verdict": {**verdict["verdict"], "evidence_ms": verdict["now_ms"]}})
    assert page.locator(".t-tallies").count() == 1


def test_without_motion_the_fall_is_two_pictures_by_the_same_clock(page):
    drawn = "() => document.querySelector('.t-row-art')?.outerHTML ?? ''"
    opened(page, still=True)
    shown(page, SNAPSHOTS["table-fall"])
    pictures = {page.evaluate(drawn)}
    while [2, "ended"] not in page.evaluate("sent"):
        page.clock.run_for(50)
        pictures.add(page.evaluate(drawn))
    told(page)
    pictures.add(page.evaluate(drawn))
    assert len(pictures) == 2
    assert title(page) == "It stood!"
    soon(page, ".t-tallies")


def test_an_accident_or_a_stop_breaks_into_any_moment(page):
    opened(page)
    shown(
        page, SNAPSHOTS["table-countdown"], SNAPSHOTS["table-reveal"], SNAPSHOTS["table-accident"]
    )
    assert title(page) == "The row went down"
    shown(
        page,
        SNAPSHOTS["table-countdown"],
        SNAPSHOTS["table-reveal"],
        SNAPSHOTS["table-push-stopped"],
    )
    assert title(page) == "Stopped"


def test_ballots_that_nobody_doubts_turn_back_over(page):
    opened(page)
    shown(page, SNAPSHOTS["table-countdown"], SNAPSHOTS["table-reveal-all-success"])
    assert page.locator(".t-back.t-turned").count() == 0
    soon(page, ".t-back.t-turned", state="attached")
    shown(page, SNAPSHOTS["table-row"])
    soon(page, "text=Petro’s turn")


def test_who_comes_late_sees_the_end_of_a_moment(page):
    opened(page)
    shown(page, SNAPSHOTS["table-verdict-stood"])
    assert title(page) == "It stood!"
    assert page.locator(".t-live").count() == 0


def test_the_prediction_is_on_no_screen_before_the_verdict(page, looked_at):
    told = {n for n, s in SNAPSHOTS.items() if (s.get("verdict") or {}).get("prediction")}
    told |= {n for n, s in SNAPSHOTS.items() if (s.get("final") or {}).get("awards")}
    said = looked_at("en")["said"]
    assert SNAPSHOTS.keys() == said.keys() > told
    assert {name for name, text in said.items() if "in 100" in text} <= told


@pytest.mark.parametrize("size", [(1280, 720), (1024, 768), (3840, 2160)])
def test_the_stage_fits_any_window(page, size):
    page.set_viewport_size({"width": size[0], "height": size[1]})
    try:
        opened(page)
        shown(page, SNAPSHOTS["table-row-eleven"])
        box = page.locator(".t-stage").bounding_box()
        scale = min(size[0] / STAGE[0], size[1] / STAGE[1])
        assert box["width"] == pytest.approx(STAGE[0] * scale, abs=1)
        assert box["height"] == pytest.approx(STAGE[1] * scale, abs=1)
        assert page.evaluate(FAULTS, LEAST_TEXT_PX * scale) == []
    finally:
        page.set_viewport_size({"width": STAGE[0], "height": STAGE[1]})


def test_a_host_at_the_table_screen_adds_bots_and_starts(page):
    opened(page)
    host = json.loads(json.dumps(SNAPSHOTS["table-lobby-full-host"]))
    shown(page, host)
    page.click("text=Start the game")
    host["seats"].pop()
    shown(page, host)
    page.click("text=Add a bot")
    assert page.evaluate("sent") == [["start", {"first": None}], ["add_bot", None]]


def test_the_page_of_the_server_draws_what_the_stream_brings_and_says_when_it_is_lost(
    entry,
):
    page = entry(SNAPSHOTS["table-lobby"], "?theme=light&lang=uk")
    page.wait_for_selector("text=Сідай до столу")
    assert page.evaluate("document.documentElement.dataset.theme") == "light"
    assert page.evaluate("source.url") == "events?role=table"
    page.evaluate("window.away = true")
    page.evaluate("window.dispatchEvent(new Event('offline'))")
    page.wait_for_selector("text=немає зв’язку")
    snapshot = json.dumps(SNAPSHOTS["table-lobby"])
    page.evaluate("(s) => source.onmessage({data: s})", snapshot)
    page.wait_for_selector(".t-link-word", state="detached")
    first = page.evaluate("told[0]")
    assert first == {"visible": True, "sound": False}, "the referee hears that people can see it"


# A referee that answers at once, or, once it is `away`, not at all. Routes of the browser would
# keep it from having the files of the page at hand.
PRETEND = """
window.EventSource = class {
  close() {}
  addEventListener() {}
  constructor(url) { window.source = this; this.url = url; }
};
window.told = [];
const real = window.fetch.bind(window);
window.fetch = async (url, options) => {
  if (url.startsWith("api/screen")) told.push(JSON.parse(options.body));
  else if (url.startsWith("api/state") && window.away) return new Promise(() => {});
  else if (!url.startsWith("api/")) return real(url, options);
  const answers = { "api/screen": { ok: true }, "api/clock": { now_ms: 0 } };
  return new Response(JSON.stringify(answers[url] ?? window.state));
};
"""


@pytest.fixture
def entry(fresh, site, heard):
    """Open the real page on a snapshot, at an address."""

    def open_entry(snapshot, query=""):
        PAGES["/pretend.js"] = f"{PRETEND}\nwindow.state = {json.dumps(snapshot)};"
        page = heard(fresh((1280, 720)))
        page.goto(f"{site}/entry.html{query}")
        return page

    return open_entry


def reported(page, sound):
    """What the page tells the referee, once it tells that its sound is on or off."""
    page.wait_for_function("sound => told.at(-1)?.sound === sound", arg=sound)
    return page.evaluate("told.at(-1)")


def spoken(language, **changes):
    """A table whose host speaks a language."""
    screen = {"sound": False, "language": language}
    return {**SNAPSHOTS["table-row"], "table_screen": screen, **changes}


def test_a_screen_speaks_as_its_table_unless_a_language_is_chosen_on_it(entry):
    page = entry(spoken("bg"))
    page.wait_for_selector("text=На ход: Petro")
    page.click(".t-screen-key")
    page.get_by_role("button", name="English").click()
    page.wait_for_selector("text=Petro’s turn")
    assert page.evaluate("document.documentElement.lang") == "en"
    newer = spoken("ru", v=SNAPSHOTS["table-row"]["v"] + 1)
    page.evaluate("(s) => source.onmessage({data: s})", json.dumps(newer))
    page.wait_for_selector(f'body[data-v="{newer["v"]}"]')
    assert title(page) == "Petro’s turn"
    page.get_by_role("button", name="the table’s").click()
    page.wait_for_selector("text=Ход: Petro")
    page.reload()
    page.wait_for_selector("text=На ход: Petro")


def test_light_size_and_sound_are_chosen_on_the_screen_and_light_and_size_stay(entry):
    page = entry(spoken("en"))
    page.wait_for_selector("text=Petro’s turn")
    whole = page.locator(".t-stage").bounding_box()["width"]
    page.click(".t-screen-key")
    page.get_by_role("button", name="afternoon").click()
    page.get_by_role("button", name="90 %").click()
    page.get_by_role("group", name="Sound").get_by_text("on", exact=True).click()
    assert reported(page, sound=True) == {"visible": True, "sound": True}
    page.reload()
    page.wait_for_selector("text=Petro’s turn")
    assert page.evaluate("document.documentElement.dataset.theme") == "light"
    assert page.locator(".t-stage").bounding_box()["width"] == pytest.approx(0.9 * whole, abs=1)


def test_a_tap_on_the_table_makes_it_sound_until_somebody_has_chosen_on_the_screen(entry):
    page = entry(spoken("en"))
    page.wait_for_selector("text=Petro’s turn")
    close = page.locator(".t-settings").get_by_role("button", name="Close")

    page.click(".t-screen-key")
    close.click()
    told = page.evaluate("told")
    assert not any(each["sound"] for each in told), "the settings alone switch nothing on"
    page.locator("h1").first.click()
    assert reported(page, sound=True) == {"visible": True, "sound": True}

    page.click(".t-screen-key")
    page.get_by_role("group", name="Sound").get_by_text("off", exact=True).click()
    reported(page, sound=False)
    close.click()
    page.locator("h1").first.click()
    page.click(".t-screen-key")
    off = page.get_by_role("group", name="Sound").get_by_text("off", exact=True)
    assert off.get_attribute("aria-pressed") == "true", "what was chosen stays"


def test_a_stream_sees_the_table_alone_and_no_way_in(entry):
    page = entry(spoken("en"), "?overlay")
    page.wait_for_selector("text=Petro’s turn")
    for place in ("html", "body", ".t-stage"):
        seen = page.locator(place).evaluate("node => getComputedStyle(node).backgroundColor")
        assert seen == "rgba(0, 0, 0, 0)", place
    assert page.locator(".t-art .t-row-art").is_visible()
    assert page.locator(".t-rail").is_visible()
    for hidden in (".t-felt", ".t-corner", ".t-screen-key"):
        assert not page.locator(hidden).is_visible(), hidden
    assert page.evaluate("told") == [], "nobody at the table waits for what a stream shows"


def test_a_lost_link_leaves_the_last_view_under_a_veil(page):
    opened(page)
    shown(page, SNAPSHOTS["table-row"])
    page.evaluate("table.lost('sheet')")
    assert page.inner_text(".t-sheet h2") == "No link to the referee"
    assert title(page) == "Petro’s turn"
    page.evaluate("table.lost('closed')")
    assert page.inner_text(".t-sheet h2") == "The table is closed"
    page.evaluate("table.lost('')")
    assert page.locator(".t-veil").count() == 0


def test_only_a_tap_switches_the_sound_on(page):
    opened(page)
    shown(page, SNAPSHOTS["table-row"])
    assert page.evaluate("table.sound.context") is None
    page.click(".t-screen-key")
    sound = page.get_by_role("group", name="Sound")
    sound.get_by_text("on", exact=True).click()
    assert sound.get_by_text("on", exact=True).get_attribute("aria-pressed") == "true"
    assert page.evaluate("table.sound.context.constructor.name") == "AudioContext"
    sound.get_by_text("off", exact=True).click()
    assert page.evaluate("table.sound.muted")


def test_a_saved_snapshot_can_be_drawn_small_inside_another_page(page):
    width = page.evaluate(
        """async (snapshot) => {
          const { preview } = await import("/static/games/estimation/table.js");
          const { allWords } = await import("/static/games/index.js");
          const glass = document.getElementById("app");
          preview(glass, snapshot, {catalogue: await allWords("en", "table"), lang: "en"});
          document.body.style.gridTemplateColumns = "480px";
          return document.querySelector(".t-stage").getBoundingClientRect().width;
        }""",
        SNAPSHOTS["table-row"],
    )
    assert width == pytest.approx(480, abs=1)
    assert title(page) == "Petro’s turn"


def test_every_tile_and_every_chip_is_heard_once(page):
    opened(page)
    page.evaluate("""() => {
      window.played = [];
      table.sound.play = (name) => {
        played.push(name);
        document.body.dataset.chips = played.filter((one) => one === "chip").length;
      };
      table.sound.tile = (n, low) => played.push(`tile ${n}${low ? " low" : ""}`);
    }""")
    shown(page, SNAPSHOTS["table-push-moving"], SNAPSHOTS["table-fall"])
    until_sent(page, [SNAPSHOTS["table-fall"]["fall"]["number"], "ended"])
    told(page)
    soon(page, 'body[data-chips="4"]', state="attached")
    tiles = ["tile 0", "tile 1 low", "tile 2", "tile 3", "tile 4 low"]
    assert page.evaluate("played") == [*tiles, "stood", *["chip"] * 4]


def test_another_address_of_the_machine_is_a_tap_beside_the_code(page):
    snap = SNAPSHOTS["table-lobby-ways"]
    others = [{**way, "qr": f"/qr.svg?at={n}"} for n, way in enumerate(snap["net"]["others"])]
    page.evaluate("() => openTable('en', 'dark', true)")
    page.evaluate("snap => show(snap)", {**snap, "net": {**snap["net"], "others": others}})
    page.get_by_role("button", name="10.42.0.1").click()
    page.wait_for_selector(".t-way-in img[src='/qr.svg?at=0']")
    assert "10.42.0.1:8000" in page.locator(".t-address").first.inner_text()
