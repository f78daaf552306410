"""Every screen of the gallery at every size in every language: what does not fit.

`python -m tests.tools.fits` draws all of them, by default as they are and with text of twice the
size, and prints what of the main control cannot be seen without scrolling, which words are cut off
or covered, which words of keys are broken, and which letters and keys are too small. An overlay
draws the table screens as a stream shows them; `bench` is the page itself, with saved answers.
`--size 844x390`, `--lang en`, `--only phone-push` and `--text 100` take a part of it;
`--pictures FOLDER` keeps a picture of each screen. `--name TEXT` calls everybody by a letter and
this text, cut to the 20 letters of a name. `--axe` asks the accessibility checker as well, once for
each kind of piece at each size and in both themes; console errors are always told.
"""

import argparse
import functools
import http.server
import json
import shutil
import threading
from collections import Counter
from collections.abc import Callable
from itertools import product
from pathlib import Path
from string import ascii_uppercase

from playwright.sync_api import Browser, ConsoleMessage, Page, sync_playwright

from tests.browser.conftest import (
    BROWSERS,
    CHROMIUM_ARGS,
    PHONE_STAGE,
    SNAPSHOTS,
    Checker,
    StaticSite,
)
from tests.browser.test_past_pages import STAGE as STATISTICS_STAGE
from tests.browser.test_setup_screens import STAGE as SETUP_STAGE
from tests.support.stages import shell
from tests.support.words import LANGUAGES

SIZES = (
    *((320, 568), (360, 640), (360, 800), (390, 664), (667, 375)),
    *((740, 360), (844, 390), (820, 1180), (1366, 650)),
)
SCREENS = ((1280, 720), (1920, 1080), (3840, 2160))
"""Projectors and televisions."""
FIT = (Path(__file__).parents[1] / "browser" / "fit.js").read_text(encoding="utf-8")
TABLE_STAGE = {
    "/stage.html": shell('class="table"', "table/table", "games/estimation/table"),
    "/stage.js": """import { allWords, loadGame, rulesOf } from "/static/games/index.js";
const words = {};
window.show = async (snapshot, lang) => {
  const { preview } = await loadGame("table", snapshot);
  const catalogue = (words[rulesOf(snapshot) + lang] ??= await allWords(lang, "table", snapshot));
  document.documentElement.lang = lang;
  const app = Object.assign(document.createElement("div"), { id: "app" });
  document.getElementById("app").replaceWith(app);
  preview(app, snapshot, { catalogue, lang });
  app.classList.remove("t-glass");
};
document.body.dataset.ready = "1";""",
}
STREAM_STAGE = {
    **TABLE_STAGE,
    "/stage.html": TABLE_STAGE["/stage.html"].replace(
        "<html ", '<html data-overlay data-theme="dark" '
    ),
}
BENCH_STAGE = {
    "/stage.html": shell('class="bench" data-joined data-tiles=""', "games/estimation/bench/bench"),
    "/stage.js": """let pages = 0;
const painted = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
window.show = async (state, lang) => {
  window.fetch = ((real) => async (path, how) => {
    const told = state.answers[path.replace("api/bench/", "")];
    if (!path.startsWith("api/")) return real(path, how);
    return new Response(JSON.stringify(told ?? { ok: false }));
  })(window.asked ??= window.fetch);
  localStorage.setItem("domino.language", lang);
  history.replaceState(null, "", `#${state.row}`);
  const app = Object.assign(document.createElement("div"), { id: "app" });
  document.getElementById("app").replaceWith(app);
  await import(`/static/games/estimation/bench/bench.js?${++pages}`);
  while (!document.querySelector("main")) await painted();
  for (const key of [null, ...state.press]) {
    if (key) document.querySelector(key).click();
    for (let frame = 0; frame < 4; frame += 1) await painted();
  }
};
document.body.dataset.ready = "1";""",
}
STAGES = {
    "phone": PHONE_STAGE,
    "setup": SETUP_STAGE,
    "statistics": STATISTICS_STAGE,
    "bench": BENCH_STAGE,
    "table": TABLE_STAGE,
    "overlay": STREAM_STAGE,
}
WHAT = ("hidden", "cut", "broken", "small", "axe")
QR = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><path d="M1 1h7v7z"/></svg>'
"""What the referee draws and the stage does not have."""
ASK = """async ([snapshots, lang]) => {
  const said = {};
  for (const [name, snapshot] of Object.entries(snapshots)) {
    await show(snapshot, lang);
    scrollTo(0, 0);
    said[name] = {};
    for (const what of ["hidden", "cut", "broken", "small"]) said[name][what] = fits[what]();
  }
  return said;
}"""


def site(pages: dict[str, str]) -> http.server.ThreadingHTTPServer:
    """A site of the page files with these pages beside them."""
    handler = functools.partial(StaticSite, extra=pages)
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server


def saved(kind: str, only: str) -> dict[str, object]:
    """The saved states of one kind of page, by name; a stream shows what the table does."""
    files = "table" if kind == "overlay" else kind
    paths = sorted(SNAPSHOTS.glob(f"{files}-*.json"))
    named = {kind + path.stem.removeprefix(files): path for path in paths}
    named = {name: path for name, path in named.items() if name.startswith(only)}
    return {name: json.loads(path.read_text(encoding="utf-8")) for name, path in named.items()}


def renamed(snapshots: dict[str, object], name: str) -> dict[str, object]:
    """The same states, with a letter and this name at every seat."""
    for snapshot in snapshots.values():
        for seat, first in zip(snapshot.get("seats", ()), ascii_uppercase, strict=False):
            seat["name"] = (first + name)[:20]
    return snapshots


def look(
    page: Page,
    snapshots: dict[str, object],
    lang: str,
    folder: Path | None,
    asks: tuple[Page, Callable[[], list]] | None,
) -> dict:
    """What does not fit, by state; each state's picture goes into the folder.

    The accessibility checker has a page of its own, as it changes what it looks at.
    """
    if folder is None and asks is None:
        return page.evaluate(ASK, [snapshots, lang])
    said = {}
    for name, snapshot in snapshots.items():
        said |= page.evaluate(ASK, [{name: snapshot}, lang])
        if folder is not None:
            page.screenshot(path=folder / f"{name}.png")
        if asks is not None:
            other, check = asks
            other.evaluate("([snapshot, lang]) => show(snapshot, lang)", [snapshot, lang])
            said[name]["axe"] = check()
    return said


def opened(browser: Browser, address: str, size: tuple[int, int], theme: str) -> Page:
    """A page of this size on which nothing moves, and which counts what it complains about."""
    page = browser.new_page(
        viewport={"width": size[0], "height": size[1]}, color_scheme=theme, reduced_motion="reduce"
    )
    page.on("console", lambda said: tell_error(size, said))
    page.on("pageerror", lambda error: print(f"{size} console: {error}"))
    page.route("**/*qr.svg*", lambda r: r.fulfill(body=QR, content_type="image/svg+xml"))
    page.goto(f"{address}/stage.html")
    page.wait_for_selector("body[data-ready]")
    page.evaluate(FIT)
    return page


def tell_error(size: tuple[int, int], said: ConsoleMessage) -> None:
    """Print what a page complains about, and of which file."""
    if said.type == "error":
        print(f"{size} console: {said.text} {said.location['url']}")


def report(at: str, text: int, said: dict, counted: Counter[str]) -> None:
    """Print what does not fit; text of twice the size may be scrolled."""
    for name, faults in said.items():
        counted["screens"] += 1
        for what in WHAT if text == 100 else WHAT[1:]:
            faults.setdefault(what, [])
            counted[what] += bool(faults[what])
            for fault in faults[what]:
                print(f"{at}  {name}  {what}: {fault}")


def main() -> None:
    """Look at what is asked for and print what does not fit."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--size", action="append", help="WIDTHxHEIGHT, by default all there are")
    parser.add_argument("--lang", action="append", choices=LANGUAGES)
    parser.add_argument(
        "--text", action="append", type=int, help="per cent, by default 100 and 200"
    )
    parser.add_argument("--only", default="", help="the beginning of a state's name")
    parser.add_argument("--theme", default="dark", choices=("dark", "light"))
    parser.add_argument("--kind", action="append", choices=tuple(STAGES))
    parser.add_argument("--pictures", type=Path, help="keep a picture of each screen there")
    parser.add_argument("--name", help="what everybody is called, after a letter")
    parser.add_argument("--axe", action="store_true", help="ask the accessibility checker too")
    asked = parser.parse_args()
    wanted = [tuple(map(int, size.split("x"))) for size in asked.size or ()]
    counted: Counter[str] = Counter()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=next(filter(None, map(shutil.which, BROWSERS))),
            args=list(CHROMIUM_ARGS),
        )
        for kind in asked.kind or STAGES:
            snapshots = saved(kind, asked.only)
            sizes = wanted or (SCREENS if kind in ("table", "overlay") else SIZES)
            if asked.name:
                snapshots = renamed(snapshots, asked.name)
            server = site(STAGES[kind])
            address = f"http://127.0.0.1:{server.server_address[1]}"
            for size in sizes if snapshots else ():
                page = opened(browser, address, size, asked.theme)
                asks = None
                if asked.axe:
                    other = opened(browser, address, size, asked.theme)
                    # A stream has one theme; the bench goes on drawing.
                    theme, still = "" if kind == "overlay" else "light", kind != "bench"
                    asks = other, functools.partial(Checker(), other, theme=theme, still=still)
                for text, lang in product(asked.text or (100, 200), asked.lang or LANGUAGES):
                    page.evaluate(
                        "size => { document.documentElement.style.fontSize = size; }", f"{text}%"
                    )
                    named = f"{size[0]}x{size[1]}-{text}-{lang}-{asked.theme}"
                    folder = asked.pictures and asked.pictures / named
                    if folder:
                        folder.mkdir(parents=True, exist_ok=True)
                    said = look(page, snapshots, lang, folder, asks)
                    report(named, text, said, counted)
                page.close()
                if asks:
                    asks[0].close()
            server.shutdown()
        browser.close()
    print(", ".join(f"{what}: {counted[what]}" for what in ("screens", *WHAT)))


if __name__ == "__main__":
    main()
