"""Every module loads, and pages name theirs beforehand, so that a phone fetches them in one go."""

import re
from posixpath import join, normpath

import pytest

from rig.games.registry import play_of
from web.content.static_files import Files, files

pytestmark = pytest.mark.browser

PAGES = ("table", "setup", "replay", "statistics", "doctor")
LOADED = (
    """() => performance.getEntriesByType("resource").map(({ name }) => new URL(name).pathname)"""
)
NAMED = """() => [...document.querySelectorAll("link[rel=modulepreload], link[as=style]")]
  .map((link) => new URL(link.href).pathname)"""
ENTRIES = """() => [...document.querySelectorAll("script, link[rel=stylesheet]")]
  .map((each) => new URL(each.src ?? each.href).pathname)"""
IMPORT = """async (paths) => {
  const told = await Promise.allSettled(paths.map((path) => import(path)));
  return told.map((each, i) => each.reason && `${paths[i]}: ${each.reason}`).filter(Boolean);
}"""


def imported(shelf, path):
    """The addresses that a module names in its imports, static or not."""
    text = shelf.answer(path, "", "").body.decode()
    return [normpath(join(path, "..", name)) for name in re.findall(r'"(\.[^"]+\.js)"', text)]


RULES = """([written, sent]) => {
  const rules = (text) => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(text);
    const plain = ({ cssText }) => cssText.replace(/(?<=[,(])\\s+|\\s+(?=\\))/g, "");
    return [...sheet.cssRules].map(plain);
  };
  const [all, same] = [rules(written), rules(sent)];
  return all.length === same.length ? all.filter((rule, i) => rule !== same[i]) : ["some are gone"];
}"""
"""What a browser understands of two style sheets that is not the same in both."""


@pytest.fixture
def page(browser):
    with browser.new_context() as context:
        yield context.new_page()


def loaded(page):
    """What the page has fetched of scripts and styles, and what of that it had named beforehand."""
    fetched = {path for path in page.evaluate(LOADED) if path.startswith("/static/")}
    return fetched - set(page.evaluate(ENTRIES)), set(page.evaluate(NAMED))


@pytest.mark.parametrize("name", PAGES)
def test_a_page_names_all_that_it_loads_and_no_more(idle_server, page, name):
    page.goto(f"{idle_server.host_url}?as=table")
    page.goto(f"http://127.0.0.1:{idle_server.port}/{name}", wait_until="load")
    fetched, named = loaded(page)
    assert fetched == named


def test_a_phone_names_all_that_it_loads_and_no_more_and_the_game_when_it_comes(idle_server, page):
    page.goto(f"http://127.0.0.1:{idle_server.port}/j/PINE")
    page.wait_for_selector("link[href*='/games/estimation/']", state="attached")
    game = f"{files(False).root}/games/estimation/phone.js"
    assert page.evaluate(IMPORT, [game]) == []
    fetched, named = loaded(page)
    assert fetched == named | {game}


ROOMS = ("core", "lobby", "host", "setup", "past", "table")


def test_no_room_but_the_games_own_knows_a_game():
    """They ask `games/index.js` for it by its name."""
    shelf = files(False)
    for path in shelf.paths:
        room = path.removeprefix("/static/").partition("/")[0]
        if path.endswith(".js") and (room in ROOMS or room.endswith(".js")):
            games = [each for each in imported(shelf, path) if "/games/" in each]
            assert set(games) <= {"/static/games/index.js"}, path


def test_the_page_of_a_phone_names_no_command_of_a_game_but_stop():
    named = re.compile(r'(?:command|send|has|of|pending)\(\s*"(\w+)"|type === "(\w+)"')
    own = set(play_of("estimation").commands) - {"stop"}
    shelf = files(False)
    rooms = ("/static/phone.js", "/static/core/", "/static/lobby/", "/static/games/plain/")
    for path in (path for path in shelf.paths if path.startswith(rooms) and path.endswith(".js")):
        text = shelf.answer(path, "", "").body.decode()
        assert {one or other for one, other in named.findall(text)} & own == set(), path


def test_every_module_loads(idle_server, page):
    page.goto(f"http://127.0.0.1:{idle_server.port}/trust")
    shelf = files(False)
    entries = {f"{name}.js" for name in ("phone", *PAGES, "gallery", "handover")}
    modules = [path.removeprefix("/static/") for path in shelf.paths if path.endswith(".js")]
    assert len(modules) > 100
    paths = [f"{shelf.root}/{name}" for name in modules if name not in entries]
    assert page.evaluate(IMPORT, paths) == []


def test_a_style_sheet_says_as_it_is_sent_what_it_says_as_it_is_written(idle_server, page):
    page.goto(f"http://127.0.0.1:{idle_server.port}/trust")
    written, sent = Files(development=True), files(False)
    sheets = [path for path in sent.paths if path.endswith(".css")]
    assert len(sheets) > 20
    for path in sheets:
        both = [shelf.answer(path, "", "").body.decode() for shelf in (written, sent)]
        assert page.evaluate(RULES, both) == [], path
