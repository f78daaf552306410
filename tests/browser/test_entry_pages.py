"""The pages before the game, in a real browser: the code, and what went wrong."""

import functools

import pytest

from tests.support.fake_session import FakeSession
from tests.support.touch import pressed_at_its_upper_edge
from tests.support.words import LANGUAGES
from web.base.rate_limits import Limits
from web.factory import create_app
from web.routes.doctor import Facts
from web.server.server import Server

pytestmark = pytest.mark.browser

PAGES = (
    "/",
    "/?as=table",
    "/j/NOPE",
    "/play?from=join",
    "/host/wrong",
    "/tables",
    "/trust",
    "/doctor",
    "/nothing",
)
WIDER = "() => document.documentElement.scrollWidth - document.documentElement.clientWidth"


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    limits = Limits(free_guesses=1000)
    app = create_app(FakeSession(), code="PINE", host_secret="secret", limits=limits)
    folder = tmp_path_factory.mktemp("https")
    with Server(app, bind="127.0.0.1", port=0, https=folder) as server:
        yield f"http://127.0.0.1:{server.port}"


@pytest.fixture
def phone(fresh):
    return functools.partial(fresh, (320, 640))


@pytest.mark.parametrize("lang", LANGUAGES)
def test_axe_finds_nothing_and_nothing_is_cut(phone, address, checker, lang):
    page = phone(locale=lang, color_scheme="light")
    for path in PAGES:
        page.goto(address + path)
        assert page.evaluate("document.documentElement.lang") == lang
        assert (path, checker(page, theme="dark")) == (path, [])
        assert (path, page.evaluate(WIDER)) == (path, 0)


def test_the_policy_lets_these_pages_be_whole(phone, address, heard):
    page = heard(phone())
    for path in ("/", "/?as=table", "/play?from=join"):
        page.goto(address + path)
        colour = page.eval_on_selector("main", "(node) => getComputedStyle(node).backgroundColor")
        assert colour != "rgba(0, 0, 0, 0)"


def test_the_code_may_be_typed_with_the_keyboard_alone(phone, address):
    page = phone()
    page.route("**/static/**/*.js", lambda route: route.abort())
    page.goto(address)
    page.wait_for_selector("input:focus")
    page.keyboard.type("pine")
    page.keyboard.press("Enter")
    page.wait_for_url("**/play?from=join")
    cookie = page.context.cookies()[0]
    assert (cookie["name"], cookie["httpOnly"], cookie["sameSite"]) == ("domino", True, "Lax")
    page.goto(address)
    assert page.url.endswith("/play")


def test_the_key_is_pressed_at_its_upper_edge_too(phone, address):
    page = phone(reduced_motion="reduce")
    page.goto(address)
    assert pressed_at_its_upper_edge(page, page.locator(".entry-card button"))


def test_a_wrong_code_can_be_mended_where_it_was_typed(phone, address):
    page = phone()
    page.goto(address + "/?as=table")
    page.fill("#code", "nope")
    page.keyboard.press("Enter")
    page.wait_for_selector("[role=alert]")
    assert page.input_value("#code") == "NOPE"
    page.wait_for_selector("#code:focus")
    page.route("**/static/**/*.js", lambda route: route.abort())
    page.fill("#code", "pine")
    page.keyboard.press("Enter")
    page.wait_for_url("**/table")


def test_the_doctors_code_turns_green_without_a_reload(phone, address, heard, monkeypatch):
    page = heard(phone(locale="en"))
    page.goto(f"{address}/doctor")
    page.get_by_text("It turns green").wait_for()
    monkeypatch.setattr(
        "web.routes.doctor.look",
        lambda *_: Facts("0.0.0.0", [], "linux", "192.168.1.33"),
    )
    page.get_by_text("A phone got through").wait_for()
    assert page.locator("#way.is-through").count() == 1
    page.get_by_text("192.168.1.33").wait_for()


def test_the_gallery_leads_to_the_pages_that_are_no_screens(phone, tmp_path):
    app = create_app(FakeSession(), code="PINE", host_secret="secret", development=True)
    with Server(app, bind="127.0.0.1", port=0, https=tmp_path) as server:
        page = phone()
        page.goto(f"http://127.0.0.1:{server.port}/dev/gallery?only=phone-ticket")
        page.wait_for_selector("#phone-ticket [data-screen]")
        links = page.eval_on_selector_all("nav a", "(links) => links.map((link) => link.href)")
        assert {link.rpartition("/")[2] for link in links} == {
            *("replay", "statistics", "setup", "doctor", "trust", "tables")
        }
        there = [link for link in links if not link.endswith("setup")]
        assert [page.goto(link).status for link in there] == [200] * 5


def test_in_the_gallery_one_may_choose_anew_while_it_still_draws(phone, tmp_path):
    app = create_app(FakeSession(), code="PINE", host_secret="secret", development=True)
    with Server(app, bind="127.0.0.1", port=0, https=tmp_path) as server:
        page, held, errors = phone(), [], []
        page.on("pageerror", lambda error: errors.append(error))
        page.route("**/estimation/more.json", lambda route: held.append(route))
        with page.expect_request("**/estimation/more.json"):
            page.goto(f"http://127.0.0.1:{server.port}/dev/gallery")
        page.get_by_label("Screens").select_option("sounds")
        page.wait_for_selector("body[data-v=sounds] .gallery-sound")
        page.route("**/estimation/more.json", lambda route: route.continue_())
        with page.expect_response("**/estimation/more.json"):
            held[0].continue_()
        page.get_by_label("Screens").select_option("statistics")
        page.wait_for_selector("body:not([data-v=sounds]) .past")
        assert errors == []
