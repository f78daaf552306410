"""The pages before the game, in a real browser: the code, and what went wrong."""

import sys
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).parents[1] / "web"))

from fake_session import FakeSession

from web import create_app
from web.limits import Limits
from web.server import Server

pytestmark = pytest.mark.browser

PAGES = ("/", "/?as=table", "/j/NOPE", "/play?from=join", "/host/wrong")
AXE = "() => axe.run().then((r) => r.violations.map((v) => [v.id, v.nodes.map((n) => n.html)]))"
WIDER = "() => document.documentElement.scrollWidth - document.documentElement.clientWidth"


@pytest.fixture(scope="module")
def address():
    limits = Limits(free_guesses=1000)
    app = create_app(FakeSession(), code="PINE", host_secret="secret", limits=limits)
    with Server(app, bind="127.0.0.1", port=0) as server:
        yield f"http://127.0.0.1:{server.port}"


@pytest.fixture
def phone(browser):
    contexts = []

    def open_phone(**settings):
        contexts.append(browser.new_context(viewport={"width": 320, "height": 640}, **settings))
        return contexts[-1].new_page()

    yield open_phone
    for context in contexts:
        context.close()


@pytest.mark.parametrize(
    ("lang", "theme"), [("en", "light"), ("uk", "dark"), ("ru", "light"), ("bg", "dark")]
)
def test_axe_finds_nothing_and_nothing_is_cut(phone, address, axe_source, lang, theme):
    page = phone(locale=lang, color_scheme=theme)
    for path in PAGES:
        page.goto(address + path)
        page.evaluate(axe_source)
        assert page.evaluate("document.documentElement.lang") == lang
        assert (path, page.evaluate(AXE)) == (path, [])
        assert (path, page.evaluate(WIDER)) == (path, 0)


def test_the_policy_lets_these_pages_be_whole(phone, address, heard):
    page = heard(phone())
    for path in ("/", "/?as=table", "/play?from=join"):
        page.goto(address + path)
        colour = page.eval_on_selector("main", "(node) => getComputedStyle(node).backgroundColor")
        assert colour != "rgba(0, 0, 0, 0)"


def test_the_code_may_be_typed_with_the_keyboard_alone(phone, address):
    page = phone()
    page.route("**/static/*.js", lambda route: route.abort())
    page.goto(address)
    page.wait_for_selector("input:focus")
    page.keyboard.type("pine")
    page.keyboard.press("Enter")
    page.wait_for_url("**/play?from=join")
    cookie = page.context.cookies()[0]
    assert (cookie["name"], cookie["httpOnly"], cookie["sameSite"]) == ("domino", True, "Lax")
    page.goto(address)
    assert page.url.endswith("/play")


def test_a_wrong_code_can_be_mended_where_it_was_typed(phone, address):
    page = phone()
    page.goto(address + "/?as=table")
    page.fill("#code", "nope")
    page.keyboard.press("Enter")
    page.wait_for_selector("[role=alert]")
    assert page.input_value("#code") == "NOPE"
    assert page.eval_on_selector("#code", "(field) => field === document.activeElement")
    page.route("**/static/*.js", lambda route: route.abort())
    page.fill("#code", "pine")
    page.keyboard.press("Enter")
    page.wait_for_url("**/table")
