"""The row bench in a browser: fingers and keys move tiles, and the chance moves with them."""

import re

import pytest

from physics.rows import notation
from rig.journal import Journal
from tests.support.opened import OFTEN
from tests.support.sessions import session_on
from tests.support.words import LANGUAGES
from web.factory import create_app
from web.server.server import Server

pytestmark = pytest.mark.browser

SIZES = ((320, 640), (844, 390), (1280, 800))
WIDE = "() => document.documentElement.scrollWidth - document.documentElement.clientWidth"
LAID_OUT = "([width, height]) => innerWidth === width && innerHeight === height"
DOUBTFUL = "0v@0,0,0;1v@48,6,8;2v@96,-4,-6;3v@144,5,9"
SIT = """([name, mark]) => fetch("api/command", {
  method: "POST",
  headers: { "Content-Type": "application/json" },
  body: JSON.stringify({ id: name, type: "sit", name, mark }),
}).then((reply) => reply.json())"""
CHANCE = r"() => Number(/\d+/.exec(document.querySelector('.bench-chance b')?.textContent)?.[0])"


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    session = session_on(Journal(tmp_path_factory.mktemp("bench") / "table.sqlite3"))
    app = create_app(session, code="PINE", bind="127.0.0.1", limits=OFTEN)
    with Server(app, bind="127.0.0.1", port=0) as server:
        yield server
    session.close()


@pytest.fixture
def page(fresh, server):
    page, troubles = fresh((390, 844), locale="en"), []
    page.port = server.port

    def note(error):
        troubles.append(str(error))

    page.on("pageerror", note)
    page.goto(
        f"http://127.0.0.1:{server.port}/bench#0v@0,0,0;1v@22,0,0;?h@44,0,0;push=.8,60,12,2,5"
    )
    page.wait_for_function(f"() => ({CHANCE})() > 90")
    yield page
    page.remove_listener("pageerror", note)
    assert troubles == []


def pressed(key):
    """What a browser tells of a key with another one held down."""
    held, key = key.split("+")
    name = {"Control": "ctrlKey", "Alt": "altKey", "Meta": "metaKey"}[held]
    return {"key": key, name: True}


def row(page):
    return notation.read(page.evaluate("decodeURIComponent(location.hash.slice(1))"))


def test_a_finger_drags_a_tile_out_of_the_row_and_the_chance_goes_while_it_moves(page):
    box = page.locator("[data-tile='1'] rect").first.bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x, y + 60, steps=4)
    page.wait_for_function(f"() => ({CHANCE})() < 10 || document.querySelector('.bench-trouble')")
    page.mouse.up()
    page.wait_for_function("() => /1v@[^;]*,-[1-9]/.test(decodeURIComponent(location.hash))")
    told = row(page)
    assert told.chain.tiles[1].pose.y_mm < -20
    assert told.push.speed_mm_s == 60  # what is about the whole row is kept
    page.get_by_role("button", name="Undo").click()
    page.wait_for_function(f"() => ({CHANCE})() > 90")
    assert row(page).chain.tiles[1].pose.y_mm == 0


def test_keys_move_turn_flip_and_remove_the_tile_in_focus(page):
    tile = page.get_by_role("button", name=re.compile("Tile 1, place 2"))
    tile.focus()
    for key in ("ArrowUp", "Shift+ArrowRight", ",", ",", "f"):
        page.keyboard.press(key)
    moved = row(page).chain.tiles[1]
    assert (moved.pose.x_mm, moved.pose.y_mm) == (32, 1)
    assert round(moved.pose.heading_rad * 57.29578, 2) == 2
    assert moved.orientation.value == "horizontal"
    page.get_by_text("x 32 mm, y 1 mm, turned 2°").wait_for()
    page.keyboard.press("Delete")
    assert len(row(page).chain.tiles) == 2


def test_the_row_is_one_stop_of_the_tab_key_and_page_keys_go_through_it(page):
    assert page.locator("[data-tile][tabindex='0']").count() == 1
    page.locator("[data-tile='0']").focus()
    chosen = []
    for key in ("PageDown", "End", "PageDown", "PageUp", "Home"):
        page.keyboard.press(key)
        chosen.append(page.evaluate("document.activeElement.dataset.tile"))
    assert chosen == ["1", "2", "2", "1", "0"]
    page.locator("[data-tile='0'][tabindex='0']").wait_for()


def test_it_is_pushed_and_says_how_many_falls_went_through(page):
    page.get_by_role("button", name="Push it").click()
    page.get_by_text(re.compile(r"In \d of 6 pushes every tile fell")).wait_for()
    assert page.locator(".bench-ghost").count() == 6


def test_a_line_that_is_pasted_becomes_the_row_and_what_is_none_is_said(page):
    page.get_by_role("button", name="Keep this row").click()
    line = page.get_by_label("The row in one line")
    assert notation.read(line.input_value()) == row(page)
    line.fill("4v@0,0,0 5v@20,0,0")
    line.dispatch_event("change")
    page.wait_for_function("() => location.hash.startsWith('#4v')")
    line.fill("nonsense")
    line.dispatch_event("change")
    page.get_by_text("This is not a row").wait_for()
    assert [tile.value for tile in row(page).chain.tiles] == [4, 5]
    with page.expect_download() as saved:
        page.get_by_role("button", name="Save as a file").click()
    assert saved.value.path().read_text() == "4v@0,0,0;5v@20,0,0\n"


def test_an_address_says_its_row_however_it_came_and_what_is_none_begins_with_a_line(page):
    named = "4v@0,0,0;5v@20,0,0;id=my%20row"
    page.evaluate("hash => { location.hash = hash; }", named)
    page.wait_for_function("() => location.hash === '#4v@0,0,0;5v@20,0,0;id=my%20row'")
    page.get_by_role("button", name="Tile 5, place 2").wait_for()
    whole = [named, named.replace("@", "%40").replace("%20", "%2520"), "%", "1v@1e307,0,0;2v@0,0,0"]
    tiles = []
    for line in whole:
        page.goto("about:blank")
        page.goto(f"http://127.0.0.1:{page.port}/bench#{line}")
        page.locator("body[data-v=bench]").wait_for()
        tiles.append(page.locator("[data-tile]").count())
    assert tiles == [2, 2, 9, 9]


def test_keys_for_the_browser_are_left_to_it_and_focus_stays_in_the_row(page):
    tile = page.get_by_role("button", name=re.compile("place 3"))
    tile.focus()
    before = row(page)
    for key in ("Control+f", "Alt+ArrowLeft", "Meta+ArrowUp"):
        tile.dispatch_event("keydown", pressed(key))
    assert row(page) == before
    tile.dispatch_event("keydown", {"key": "а", "code": "KeyF"})  # F of a Cyrillic keyboard
    assert row(page).chain.tiles[2].orientation.value == "vertical"
    page.keyboard.press("Delete")
    assert page.evaluate("document.activeElement.dataset.tile") == "1"


def test_a_link_that_was_lost_is_tried_again(page):
    page.route("**/api/bench/chance", lambda route: route.abort())
    page.get_by_role("button", name="A line").click()
    page.get_by_text("No link to the table.").wait_for()
    page.unroute("**/api/bench/chance")
    page.wait_for_function(f"() => ({CHANCE})() > 90")


def test_a_row_is_given_to_the_table_and_all_guess_before_the_model_speaks(fresh, server):
    here = f"http://127.0.0.1:{server.port}"
    mira, borys = (fresh((390, 844), locale="en") for _ in range(2))
    for page, name, mark in ((mira, "Mira", "circle"), (borys, "Borys", "star")):
        page.goto(f"{here}/j/PINE")
        assert page.evaluate(SIT, [name, mark])["ok"]
    mira.goto(f"{here}/bench#{DOUBTFUL}")
    mira.wait_for_function(f"() => ({CHANCE})() > 50")
    mira.get_by_role("button", name="Ask the table").click()
    borys.get_by_role("link", name="Mira asks: will this row fall?").click()
    borys.get_by_text("0 of 1 have guessed").wait_for()
    assert borys.locator(".bench-chance").count() == 0
    assert mira.get_by_role("button", name="It stops").count() == 0
    borys.get_by_role("button", name="It stops").click()
    for page in (mira, borys):
        page.get_by_text("says the model").wait_for()
        page.get_by_text("It stops, said Borys.").wait_for()
    mira.get_by_role("button", name="Close").click()
    borys.get_by_role("button", name="Ask the table").wait_for()


def test_nothing_is_cut_off_in_any_language(fresh, server):
    for lang in LANGUAGES:
        page = fresh(SIZES[0], locale=lang)
        page.goto(f"http://127.0.0.1:{server.port}/bench")
        for width, height in SIZES:
            page.set_viewport_size({"width": width, "height": height})
            page.wait_for_function(LAID_OUT, arg=[width, height])
            page.locator("body[data-v=bench]").wait_for()
            assert page.evaluate(WIDE) <= 0, (lang, width)
        assert page.get_by_text(re.compile(r"bench\.[a-z]")).count() == 0
