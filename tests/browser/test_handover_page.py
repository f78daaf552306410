"""The page that a seat's code leads to, in a real browser."""

import pytest

from rig.session.host import SeatTicket
from tests.support.fake_session import FakeSession
from tests.support.words import LANGUAGES
from web.base.rate_limits import Limits
from web.factory import create_app
from web.live.parts import parts
from web.server.server import Server

pytestmark = pytest.mark.browser

WIDER = "() => document.documentElement.scrollWidth - document.documentElement.clientWidth"


class Table:
    """A server with somebody called Mira at its table."""

    def __init__(self, address, app, session):
        self.address, self.app, self.session = address, app, session
        session.submit("mira's phone", {"id": "1", "type": "sit", "name": "Mira"})

    def ticket(self):
        phone = self.session.phone_at("s1")
        token = parts(self.app).tickets.draw(SeatTicket("s1", phone, phone))
        return f"{self.address}/h/{token}"


@pytest.fixture
def table():
    session = FakeSession()
    app = create_app(session, code="PINE", host_secret="secret", limits=Limits(free_guesses=99))
    with Server(app, bind="127.0.0.1", port=0) as server:
        yield Table(f"http://127.0.0.1:{server.port}", app, session)


@pytest.fixture
def phone(fresh):
    def open_phone(**settings):
        page = fresh((320, 640), **settings)
        page.route("**/play*", lambda route: route.fulfill(body="<title>the game</title>"))
        return page

    return open_phone


def test_one_press_takes_the_seat_and_leads_to_the_game(phone, table):
    page = phone()
    page.goto(table.ticket())
    assert "Mira" in page.locator("main").inner_text()
    assert list(table.session.seats) == ["mira's phone"]
    page.get_by_role("button", name="Sit down here").click()
    page.wait_for_url("**/play?from=join")
    (device,) = table.session.seats
    assert device != "mira's phone"


def test_a_ticket_that_somebody_else_used_meanwhile_is_said_in_words(phone, table):
    first, second = phone(), phone()
    address = table.ticket()
    first.goto(address)
    second.goto(address)
    first.get_by_role("button").click()
    first.wait_for_url("**/play?from=join")
    second.get_by_role("button").click()
    error = second.get_by_role("alert")
    error.wait_for()
    assert "no longer good" in error.inner_text()
    second.reload()
    assert "no longer good" in second.locator("main").inner_text()


def test_a_browser_that_keeps_no_cookies_is_led_to_where_that_is_said(phone, table):
    page = phone()
    page.goto(table.ticket())
    page.context.clear_cookies()
    page.get_by_role("button").click()
    page.wait_for_url("**/play?from=join")
    assert list(table.session.seats) == ["mira's phone"]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_axe_finds_nothing_and_nothing_is_cut(phone, table, checker, lang):
    page = phone(locale=lang, color_scheme="light")
    page.goto(table.ticket())
    assert checker(page, theme="dark") == []
    assert page.evaluate(WIDER) <= 0
    assert "{name}" not in page.content()
