"""The routes of the first evening: who may, what they carry, and what they keep from the rest."""

import pytest

from tests.support.clients import LOCAL
from tests.support.fake_setup import FakeSetup
from web.content.static_files import files
from web.factory import create_app
from web.live.parts import parts
from web.routes.doctor import Adapter, Facts


@pytest.fixture(autouse=True)
def network(monkeypatch):
    """A home network in which nobody has come yet."""
    home = [Adapter("192.168.1.20", "wlan0", True), Adapter("192.168.2.7", "eth0")]
    monkeypatch.setattr("web.routes.setup.look", lambda *_: Facts("0.0.0.0", home, "linux"))


@pytest.fixture
def desk(app):
    return parts(app).setup


def test_the_page_is_for_the_host_and_for_this_machine(way):
    host = way.sit("Host")
    assert b'data-page="setup"' in way.get("/setup", cookie=host).body
    assert b'data-page="setup"' in way.get("/setup", peer=LOCAL).body
    refused = way.get("/setup", cookie=way.sit("Mira"))
    assert refused.status == 403 and b"Only the host" in refused.body


def test_what_is_told_has_the_way_in_and_the_doctors_words_in_the_language_asked_for(way, desk):
    told = way.get("/api/setup?lang=bg", peer=LOCAL).json
    assert told["network"]["url"].endswith("/j/PINE")
    assert told["network"]["others"] == ["192.168.2.7:8000"]
    assert told["network"]["finds"][0]["title"] == "Този компютър има няколко адреса"
    english = way.get("/api/setup?lang=xx", peer=LOCAL).json["network"]["finds"]
    assert english[0]["title"] == "This machine has several addresses"
    assert desk.heard[0] == (("several", "firewall_linux", "guest", "phone_vpn"), "")


def test_a_wish_goes_to_the_desk_and_a_refusal_comes_back_with_its_key(way, desk):
    done = way.post("/api/setup", {"do": "ruler", "mm": 100}, peer=LOCAL)
    assert (done.status, done.json) == (200, {"ok": True})
    refused = way.post("/api/setup", {"do": "dance"}, peer=LOCAL)
    assert (refused.status, refused.json["reason"]) == (409, "refused.unknown")
    assert [wish["do"] for wish in desk.wishes] == ["ruler", "dance"]


@pytest.mark.parametrize(
    "body", [b"", b"[]", b"{", b'"go"', b"[" * 4000, b"\xff", rb'{"do": "find", "port": "\ud800"}']
)
def test_what_is_no_wish_reaches_no_desk(way, desk, body):
    headers = {"Content-Type": "application/json"}
    answer = way.ask("POST", "/api/setup", peer=LOCAL, headers=headers, body=body)
    assert answer.status == 400 and desk.wishes == []


def test_another_page_of_this_machine_cannot_wish_for_anything(way, desk):
    headers = {"Origin": "http://evil.example"}
    assert way.post("/api/setup", {"do": "hold"}, peer=LOCAL, headers=headers).status == 403
    assert desk.wishes == []


def test_sheets_come_as_pdf_with_a_name(way):
    sheet = way.get("/api/setup/mat-A4.pdf", peer=LOCAL)
    assert sheet.headers["content-type"] == "application/pdf"
    assert 'filename="domino-mat-A4.pdf"' in sheet.headers["content-disposition"]
    assert way.get("/api/setup/mat-A0.pdf", peer=LOCAL).status == 404


def test_a_table_without_devices_has_nothing_to_set_up(session, limits):
    from tests.support.clients import FlaskWay

    way = FlaskWay(create_app(session, code="PINE", limits=limits))
    for path in ("/setup", "/api/setup", "/api/setup/camera.jpg"):
        assert way.get(path, peer=LOCAL).status == 404


def test_players_phones_never_load_the_pages_of_setting_up():
    loaded = files(False).needed("phone.js", "style.css")
    assert loaded and not any("setup" in path for path in loaded)


def test_the_fake_desk_is_what_the_pages_ask_for():
    from web.base.session_port import Setup

    desk: Setup = FakeSetup()
    assert desk.picture()
