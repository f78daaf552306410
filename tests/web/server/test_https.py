"""HTTPS with this machine's own authority, and the page that has phones trust it."""

import datetime
import http.client
import re
import socket
import ssl
import stat
from contextlib import ExitStack, suppress

import pytest
from cryptography import x509

from tests.support.clients import PLENTY, FlaskWay
from tests.support.fake_session import FakeSession
from tests.support.words import LANGUAGES
from web.access.certificates import Certificates, NoHttps
from web.base.errors import WebError
from web.base.rate_limits import Limits
from web.factory import create_app
from web.live.parts import parts
from web.routes.trust import SYSTEMS, system_of
from web.server.server import Server, https_port

START = datetime.datetime(2026, 11, 21, tzinfo=datetime.UTC)


class Calendar:
    def __init__(self):
        self.now = START

    def __call__(self):
        return self.now


def leaf(folder):
    return x509.load_pem_x509_certificate((folder / "server.pem").read_bytes())


def held(folder):
    names = leaf(folder).extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    return {str(name.value) for name in names}


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "https"


def test_the_authority_is_made_once_and_kept(folder):
    first = Certificates(folder, lambda: ["192.168.1.20"])
    again = Certificates(folder, lambda: ["192.168.1.20"])
    assert again.authority == first.authority and again.fingerprint == first.fingerprint
    assert re.fullmatch(r"([0-9A-F]{2}:){31}[0-9A-F]{2}", first.fingerprint)


def test_only_this_user_may_read_the_keys(folder):
    Certificates(folder, lambda: [])
    for file in folder.iterdir():
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700


def test_the_authority_may_only_sign_for_home_networks(folder):
    Certificates(folder, lambda: [])
    authority = x509.load_pem_x509_certificate((folder / "ca.pem").read_bytes())
    limits = authority.extensions.get_extension_for_class(x509.NameConstraints)
    assert limits.critical
    permitted = {str(name.value) for name in limits.value.permitted_subtrees}
    assert {"local", "localhost", "192.168.0.0/16", "10.0.0.0/8"} <= permitted
    assert all(int(name.rpartition("/")[2]) >= 7 for name in permitted if "/" in name)
    basic = authority.extensions.get_extension_for_class(x509.BasicConstraints)
    assert basic.critical and basic.value.ca and basic.value.path_length == 0


def test_the_certificate_holds_this_machines_names_and_no_public_one(folder):
    Certificates(folder, lambda: ["192.168.1.20", "8.8.8.8", "fd00::1", "rig.local", "rig.example"])
    assert held(folder) == {"192.168.1.20", "fd00::1", "rig.local", "localhost", "127.0.0.1"}
    days = (leaf(folder).not_valid_after_utc - leaf(folder).not_valid_before_utc).days
    assert days <= 398


def test_a_new_address_has_the_certificate_signed_anew(folder):
    names = ["192.168.1.20"]
    certificates = Certificates(folder, lambda: names)
    kept = certificates.context
    assert certificates.renew() is kept
    names[:] = ["10.0.0.5"]
    assert certificates.renew() is not kept
    assert "10.0.0.5" in held(folder)


def test_an_address_that_goes_does_not(folder):
    names = ["192.168.1.20", "10.0.0.5"]
    certificates = Certificates(folder, lambda: names)
    kept = certificates.context
    names.pop()
    assert certificates.renew() is kept


def test_the_certificate_is_renewed_before_its_time_runs_out(folder):
    now = Calendar()
    certificates = Certificates(folder, lambda: [], now)
    kept = certificates.context
    now.now += datetime.timedelta(days=55)
    assert certificates.renew() is kept
    now.now += datetime.timedelta(days=10)
    assert certificates.renew() is not kept
    assert leaf(folder).not_valid_after_utc > now.now + datetime.timedelta(days=80)


def test_a_clock_that_is_set_after_the_start_costs_nobody_their_trust(folder):
    now = Calendar()
    now.now = datetime.datetime(1970, 1, 1, 0, 1, tzinfo=datetime.UTC)
    certificates = Certificates(folder, lambda: [], now)
    now.now = START
    certificates.renew()
    authority = x509.load_pem_x509_certificate(certificates.authority)
    for each in (authority, leaf(folder)):
        assert each.not_valid_before_utc < START < each.not_valid_after_utc


def test_a_clock_that_is_set_back_has_the_certificate_signed_anew(folder):
    now = Calendar()
    certificates = Certificates(folder, lambda: [], now)
    now.now -= datetime.timedelta(days=40)
    certificates.renew()
    assert leaf(folder).not_valid_before_utc < now.now


def test_on_a_full_disk_the_certificate_that_there_is_goes_on(folder, monkeypatch, caplog):
    names = ["192.168.1.20"]
    certificates = Certificates(folder, lambda: names)
    kept = certificates.context

    def full(path, content):
        raise OSError(28, "No space left on device")

    names[:] = ["10.0.0.5"]
    with monkeypatch.context() as patch:
        patch.setattr("web.access.certificates._write", full)
        assert certificates.renew() is kept
    assert "cannot keep a new certificate" in caplog.text
    assert certificates.renew() is not kept


def test_without_the_extra_it_is_said_what_to_install(folder, monkeypatch):
    monkeypatch.setattr("web.access.certificates.importlib.util.find_spec", lambda name: None)
    with pytest.raises(NoHttps, match=r"the extra https.*leave --https out"):
        Certificates(folder, lambda: [])
    assert not folder.exists()


def test_a_damaged_authority_is_said_and_left_alone(folder):
    folder.mkdir()
    (folder / "ca.key").write_text("nonsense")
    (folder / "ca.pem").write_text("nonsense")
    with pytest.raises(NoHttps, match="cannot be used"):
        Certificates(folder, lambda: [])
    assert (folder / "ca.key").read_text() == "nonsense"


@pytest.fixture
def app():
    limits = Limits(device=PLENTY, address=PLENTY, unknown=PLENTY)
    return create_app(FakeSession(), code="PINE", host_secret="the-secret", limits=limits)


@pytest.fixture
def server(app, folder):
    with Server(app, bind="127.0.0.1", port=0, https=folder) as server:
        yield server


def trusting(folder):
    context = ssl.create_default_context(cafile=folder / "ca.pem")
    context.verify_flags |= ssl.VERIFY_X509_STRICT
    return context


def ask(connection, path, cookie=None):
    connection.request("GET", path, headers={"Cookie": cookie} if cookie else {})
    answer = connection.getresponse()
    return answer, answer.read()


def test_who_trusts_the_authority_plays_over_https(server, app, folder):
    port = parts(app).tables.https_port
    connection = http.client.HTTPSConnection(
        "127.0.0.1", port, context=trusting(folder), timeout=120
    )
    answer, _ = ask(connection, "/j/PINE")
    assert "Secure" in answer.headers["Set-Cookie"]
    cookie = answer.headers["Set-Cookie"].partition(";")[0]
    assert ask(connection, "/api/state", cookie)[0].status == 200
    connection.request("GET", "/events", headers={"Cookie": cookie})
    stream = connection.getresponse()
    assert stream.readline() == b"retry: 500\n"
    stream.readline()
    assert stream.readline() == b"id: 1\n"
    stream.readline()
    stream.readline()
    parts(app).session.v += 1
    parts(app).session.announce()
    assert stream.readline() == b"id: 2\n"
    stream.close()
    connection.close()


def test_who_does_not_trust_it_is_warned_by_the_browser(server, app):
    port = parts(app).tables.https_port
    with (
        pytest.raises(ssl.SSLCertVerificationError),
        socket.create_connection(("127.0.0.1", port), timeout=120) as line,
        ssl.create_default_context().wrap_socket(line, server_hostname="127.0.0.1"),
    ):
        pass


def test_whoever_never_says_a_word_over_https_is_hung_up_on(folder):
    app = create_app(FakeSession(), code="PINE", limits=Limits(header_s=0.05))
    with Server(app, bind="127.0.0.1", port=0, https=folder):
        port = parts(app).tables.https_port
        with socket.create_connection(("127.0.0.1", port), timeout=120) as line:
            assert line.recv(1) == b""


def test_an_address_has_so_many_connections_before_any_handshake_too(folder, monkeypatch):
    monkeypatch.setattr("web.server.listening.is_loopback", lambda peer: False)
    app = create_app(FakeSession(), code="PINE", limits=Limits(connections_of_address=2))
    with Server(app, bind="127.0.0.1", port=0, https=folder), ExitStack() as stack:
        way_in = ("127.0.0.1", parts(app).tables.https_port)
        silent, _ = (
            stack.enter_context(socket.create_connection(way_in, timeout=120)) for _ in range(2)
        )
        with socket.create_connection(way_in, timeout=120) as line:
            assert line.recv(1) == b""
        silent.close()
        with pytest.raises(ssl.SSLError):  # who is let in hears of a certificate it cannot trust
            while True:
                with (
                    suppress(ConnectionError, ssl.SSLEOFError),
                    socket.create_connection(way_in, timeout=120) as line,
                ):
                    ssl.create_default_context().wrap_socket(line, server_hostname="127.0.0.1")


def test_plain_http_stays_alive_for_joining(server):
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=120)
    answer, _ = ask(connection, "/j/PINE")
    assert answer.status == 303 and "Secure" not in answer.headers["Set-Cookie"]
    connection.close()


def test_a_handshake_after_a_change_of_address_gets_the_new_certificate(server, app, folder):
    parts(app).net._names.add("moved.local")
    connection = http.client.HTTPSConnection(
        "127.0.0.1", parts(app).tables.https_port, context=trusting(folder), timeout=120
    )
    ask(connection, "/")
    names = connection.sock.getpeercert()["subjectAltName"]
    assert ("DNS", "moved.local") in names
    connection.close()


def test_the_console_tells_where_to_trust_and_what_to_compare(server, app):
    assert server.trust_url == f"http://127.0.0.1:{server.port}/trust"
    assert server.fingerprint == parts(app).tables.certificates.fingerprint


def test_both_ports_are_free_again_at_the_end(app, folder):
    server = Server(app, bind="127.0.0.1", port=0, https=folder)
    server.start()
    ports = (server.port, parts(app).tables.https_port)
    server.stop()
    for port in ports:
        with socket.create_server(("127.0.0.1", port)):
            pass


def test_a_taken_https_port_leaves_nothing_behind(app, folder, monkeypatch):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        monkeypatch.setattr("web.server.server.https_port", lambda port: taken.getsockname()[1])
        server = Server(app, bind="127.0.0.1", port=0, https=folder)
        with pytest.raises(WebError, match="taken"):
            server.start()
        server.stop()
    with socket.create_server(("127.0.0.1", server.port)):
        pass


def test_https_lies_beside_http():
    assert (https_port(8000), https_port(65_535)) == (8443, 65_092)


class TestTrustPage:
    @pytest.fixture
    def way(self, app, folder):
        parts(app).tables.certificates = Certificates(folder, lambda: ["127.0.0.1"])
        parts(app).tables.https_port = 8443
        return FlaskWay(app)

    def test_it_gives_the_certificate_and_what_to_compare(self, way, app):
        page = way.get("/trust").body.decode()
        certificates = parts(app).tables.certificates
        assert certificates.fingerprint.replace(":", " ") in page
        assert 'href="https://localhost:8443/play"' in page
        answer = way.get("/trust/ca.crt")
        assert answer.body == certificates.authority
        assert answer.headers["content-type"] == "application/x-x509-ca-cert"
        assert b"PRIVATE" not in answer.body

    @pytest.mark.parametrize(
        ("browser", "system"),
        [
            ("Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X)", "ios"),
            ("Mozilla/5.0 (Linux; Android 15; Pixel 9)", "android"),
            ("Mozilla/5.0 (Windows NT 10.0; Win64; x64)", "windows"),
            ("Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)", "macos"),
            ("Mozilla/5.0 (X11; Linux x86_64)", "linux"),
            ("curl/8", None),
        ],
    )
    def test_the_steps_of_the_asking_system_come_first_and_open(self, way, browser, system):
        assert system_of(browser) == system
        page = way.get("/trust", headers={"User-Agent": browser}).body.decode()
        titles = re.findall(r"<details( open)?>\s*<summary>([^<]+)", page)
        assert {title for _, title in titles} == {title for title, _ in SYSTEMS.values()}
        if system is None:
            assert not any(opened for opened, _ in titles)
        else:
            assert titles[0] == (" open", SYSTEMS[system][0])
            assert not any(opened for opened, _ in titles[1:])

    @pytest.mark.parametrize("lang", LANGUAGES)
    def test_every_system_has_steps_in_every_language(self, way, lang):
        page = way.get("/trust", headers={"Accept-Language": lang}).body.decode()
        steps = [len(re.findall("<li>", part)) for part in page.split("<details")[1:]]
        assert len(steps) == 5 and min(steps) >= 3


def test_without_https_the_page_says_how_to_have_it(app):
    way = FlaskWay(app)
    page = way.get("/trust")
    assert page.status == 200 and "--https" in page.body.decode()
    assert way.get("/trust/ca.crt").status == 404
