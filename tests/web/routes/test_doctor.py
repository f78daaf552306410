"""The network doctor: what it sees, what it says, and the code that turns green."""

import io
import json
import os
import re
import socket
import sqlite3
import sys
import threading
import urllib.request
from contextlib import closing
from types import SimpleNamespace

import pytest
import segno

from rig.cli.doctor import TestPage
from rig.cli.main import main
from rig.journal import Journal
from rig.setup.holder import holder
from rig.setup.plan.facts import Port, Progress
from rig.setup.store import Shelf
from tests.support.clients import LOCAL, PHONE, FlaskWay
from tests.support.words import LANGUAGES
from web.access.address import Net, lan_adapters, lan_addresses
from web.content import qr
from web.content.words import words
from web.factory import create_app
from web.live.parts import parts
from web.routes.doctor import Adapter, Facts, answers, findings, look
from web.server.server import Server

HOME = Adapter("192.168.1.20", "wlan0", default=True)
WIRE = Adapter("192.168.2.7", "eth0")
VPN = Adapter("10.8.0.2", "tun0", default=True)
DOCKER = Adapter("172.17.0.1", "docker0")
LONELY = Adapter("169.254.3.4", "wlan0", default=True)
PUBLIC = Adapter("8.8.8.8", "eth0", default=True)


@pytest.mark.parametrize(
    ("adapter", "kind"),
    [
        (HOME, "home"),
        (VPN, "vpn"),
        (Adapter("100.101.1.1", "tailscale0"), "vpn"),
        (Adapter("10.2.0.2", "utun3"), "vpn"),
        (DOCKER, "virtual"),
        (Adapter("172.18.0.1", "br-9f"), "virtual"),
        (LONELY, "lonely"),
        (PUBLIC, "public"),
        (Adapter("192.168.1.20"), "home"),
    ],
)
def test_an_address_is_told_by_its_adapter_and_its_number(adapter, kind):
    assert adapter.kind == kind


@pytest.mark.parametrize(
    ("adapters", "said"),
    [
        ([HOME], ()),
        ([VPN, HOME], ("vpn", "first")),
        ([HOME, VPN], ("vpn",)),
        ([DOCKER, HOME], ("first",)),
        ([HOME, DOCKER], ()),
        ([HOME, WIRE], ("several",)),
        ([LONELY], ("lonely",)),
        ([PUBLIC], ("public",)),
        ([Adapter("192.168.1.20", "wlan0", True, answers=False)], ("silent",)),
    ],
)
def test_what_can_be_seen_is_said_before_what_cannot(adapters, said):
    usual = ("firewall_windows", "guest", "phone_vpn")
    assert findings(Facts("0.0.0.0", adapters, "windows")) == (*said, *usual)


def test_after_the_first_phone_nothing_is_guessed_any_more():
    assert findings(Facts("0.0.0.0", [HOME, WIRE], "linux", PHONE)) == ("through", "several")


def test_a_table_for_this_machine_alone_says_just_that():
    assert findings(Facts("127.0.0.1", [HOME], "linux")) == ("alone",)
    assert findings(Facts("0.0.0.0", [], "linux")) == ("offline",)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_finding_has_words_and_advice_in_every_language(lang):
    said = words(lang, "entry")
    names = {"alone", "offline", "silent", "vpn", "first", "several", "lonely", "public"}
    names |= {"firewall_linux", "firewall_windows", "firewall_macos", "guest", "phone_vpn"}
    found = {key.removeprefix("doctor_find.") for key in said if key.startswith("doctor_find.")}
    assert found == {*names, *(f"{name}.do" for name in names), "through"}
    kinds = {key.removeprefix("doctor_kind.") for key in said if key.startswith("doctor_kind.")}
    assert kinds == {"home", "vpn", "virtual", "lonely", "public"}


def test_own_addresses_are_looked_at_from_this_machine():
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        assert answers("127.0.0.1", port)
        assert look("127.0.0.1", port).adapters == []
    assert not answers("127.0.0.1", port)


def test_adapters_are_the_addresses_with_their_names():
    assert tuple(address for address, _ in lan_adapters()) == lan_addresses()


def test_only_a_phone_from_elsewhere_has_got_through(clock):
    net = Net(clock, addresses=lambda: ("192.168.1.20",))
    for own in ("127.0.0.1", "::1", "127.0.0.9"):
        net.came(own)
    assert net.visitor is None
    net.came(PHONE)
    assert net.visitor == PHONE


@pytest.fixture
def adapters(monkeypatch):
    monkeypatch.setattr("web.routes.doctor.lan_adapters", lambda: (("192.168.1.20", "wlan0"),))
    monkeypatch.setattr("web.routes.doctor.answers", lambda address, port: True)


def test_the_code_turns_green_when_the_first_phone_gets_through(app, adapters):
    way = FlaskWay(app)
    before = way.get("/doctor", peer=LOCAL).body.decode()
    assert "It turns green" in before and "is-through" not in before
    assert "A guest Wi-Fi keeps phones apart" in before and "192.168.1.20:8000" in before
    way.get("/j/PINE", peer=PHONE)
    after = way.get("/doctor", peer=LOCAL).body.decode()
    assert "is-through" in after and "A phone got through" in after and PHONE in after
    assert "A guest Wi-Fi" not in after


def test_a_refused_stranger_is_no_phone_that_got_through(app, adapters):
    way = FlaskWay(app)
    way.get("/", peer="8.8.8.8")
    way.get("/", headers={"Host": "evil.example"})
    assert parts(app).net.visitor is None


def test_the_firewall_is_told_of_the_port_that_is_used(app, adapters, monkeypatch):
    monkeypatch.setattr("web.routes.doctor.system", lambda: "linux")
    parts(app).net.port = 9123
    page = FlaskWay(app).get("/doctor", peer=LOCAL).body.decode()
    assert "ufw allow 9123/tcp" in page and "8000" not in page


def test_the_page_leads_to_setting_up_where_there_is_something_to_set_up(app, adapters):
    page = FlaskWay(app).get("/doctor", peer=LOCAL).body.decode()
    assert 'href="/setup"' in page and "Set up camera and pusher" in page


def test_the_host_may_look_and_a_player_may_not(app, adapters):
    way = FlaskWay(app)
    host, player = way.sit("Host"), way.sit("Mira")
    assert way.get("/doctor", cookie=host).status == 200
    refused = way.get("/doctor", cookie=player)
    assert refused.status == 403 and b"Only the host" in refused.body


@pytest.fixture(autouse=True)
def computer(monkeypatch, tmp_path):
    """A data folder of the test's own, on a disk with room."""
    for module in ("rig.setup.store", "rig.cli.doctor"):
        monkeypatch.setattr(f"{module}.data_folder", lambda: tmp_path)
    room = SimpleNamespace(free=5e9)
    monkeypatch.setattr("shutil.disk_usage", lambda folder: room)
    return SimpleNamespace(folder=tmp_path, room=room)


def test_the_command_says_what_is_still_to_do_with_the_words_of_the_page(
    capsys, adapters, computer
):
    Shelf(computer.folder).choose(camera={"kind": "opencv"}, tiles={"thickness_mm": 8.0})
    computer.room.free = 2e8
    assert main(["doctor"]) == 1
    said = capsys.readouterr().out
    assert "TO DO   camera    Choose a camera" in said
    assert "TO DO   disk      The disk is getting full" in said
    assert "ok      tiles     The tiles are known" in said
    assert "-       pusher    A virtual pusher" in said


@pytest.mark.parametrize(("lang", "thick"), [("de", "7,9"), ("en", "7.9")])
def test_the_command_writes_numbers_as_its_language_does(capsys, adapters, computer, lang, thick):
    Shelf(computer.folder).choose(tiles={"thickness_mm": 7.9})
    main(["doctor", "--port", "0", "--language", lang])
    assert thick in capsys.readouterr().out


def test_the_command_tells_programs_the_same(capsys, adapters, computer):
    assert main(["doctor", "--json"]) == 0
    good = json.loads(capsys.readouterr().out)
    assert good["ok"] and {"config", "camera", "pusher", "extras"} <= {
        check["name"] for check in good["checks"]
    }
    (computer.folder / "rig.toml").write_text("[pusher]\nkind = 'catapult'\n", encoding="utf-8")
    assert main(["doctor", "--json"]) == 1
    config = json.loads(capsys.readouterr().out)["checks"][0]
    assert config["mark"] == "failed" and "catapult" in config["points"][0]["why"]


def test_the_command_asks_the_devices_of_the_settings(capsys, adapters, computer):
    Shelf(computer.folder).choose(
        camera={"kind": "opencv", "id": "/dev/video-nobody"},
        pusher={"kind": "serial", "port": "/dev/ttyNOBODY"},
    )
    assert main(["doctor", "--json"]) == 1
    checks = {c["name"]: c for c in json.loads(capsys.readouterr().out)["checks"]}
    assert checks["camera"]["mark"] == checks["pusher"]["mark"] == "failed"
    assert "is not there" in checks["pusher"]["points"][0]["why"]
    assert checks["lens"]["mark"] == checks["matfile"]["mark"] == "todo"


def test_a_phone_that_came_in_the_first_evening_is_remembered(capsys, adapters, computer):
    Shelf(computer.folder).keep(Progress(visitor="192.168.1.33"))
    assert main(["doctor"]) == 0
    said = capsys.readouterr().out
    assert "ok      network   A phone got through" in said and "--wait" not in said


def test_the_command_tells_what_it_sees_and_how_to_try(capsys, adapters):
    assert main(["doctor", "--port", "9123"]) == 0
    said = capsys.readouterr().out
    assert "192.168.1.20:9123  home network (wlan0), leads to the internet" in said
    assert "domino-rig doctor --wait 60" in said and "8000" not in said


def test_the_command_waits_for_a_phone(capsys, adapters):
    assert main(["doctor", "--port", "0", "--wait", "0.01"]) == 1
    assert "No phone got through within 0.01 s" in capsys.readouterr().out


def test_not_to_wait_at_all_blames_nobody(capsys, adapters):
    told = []
    for given in ((), ("--wait", "0")):
        assert main(["doctor", "--port", "9123", *given]) == 0
        told.append(capsys.readouterr().out)
    assert told[0] == told[1]


def test_a_phone_that_gets_through_is_told_so(monkeypatch):
    monkeypatch.setattr("rig.cli.doctor.is_loopback", lambda peer: False)
    with TestPage(0, "It works.") as test:
        seen = []
        waiter = threading.Thread(target=lambda: seen.append(test.wait(120)))
        waiter.start()
        with urllib.request.urlopen(f"http://127.0.0.1:{test.port}/", timeout=120) as answer:
            assert b"It works" in answer.read()
        waiter.join()
    assert seen == ["127.0.0.1"]


class Terminal(io.StringIO):
    """Output in an encoding that may lack signs."""

    def __init__(self, encoding):
        super().__init__()
        self.told = encoding

    encoding = property(lambda self: self.told)


def modules_of(code):
    """Read the modules of a code back from what a terminal was told."""
    told = code.split("\n")
    if any(sign in code for sign in qr.BLOCKS):
        signs = {" ": (0, 0), "▀": (1, 0), "▄": (0, 1), "█": (1, 1)}
        lines = [re.sub(r"\x1b\[[0-9;]*m", "", line) for line in told]
        return [[signs[sign][half] for sign in line] for line in lines for half in (0, 1)]
    return [[int(run == "40") for run in re.findall(r"\x1b\[(107|40)m  ", line)] for line in told]


@pytest.mark.parametrize("encoding", ["utf-8", "cp866", "cp1251", "ascii"])
def test_the_code_that_is_to_be_scanned_is_shown_on_any_terminal(monkeypatch, adapters, encoding):
    out = Terminal(encoding)
    monkeypatch.setattr("sys.stdout", out)
    main(["doctor", "--port", "0", "--wait", "0.01"])
    shown = out.getvalue()
    url = re.search(r"Scan this with a phone: (\S+)", shown)[1]
    assert url.startswith("http://192.168.1.20:")
    code = next(part for part in shown.split("\n\n") if "\x1b" in part).split("\nScan")[0]
    code.encode(encoding)
    drawn = [list(map(int, row)) for row in segno.make_qr(url, error="l").matrix_iter(border=2)]
    assert modules_of(code)[: len(drawn)] == drawn


def test_a_table_that_is_open_is_told_from_another_program(capsys, adapters, session):
    with Server(create_app(session, code="PINE"), bind="127.0.0.1", port=0) as table:
        port = str(table.port)
        assert main(["doctor", "--port", port]) == 0
        said = capsys.readouterr().out
        assert f"A table is open on port {port}" in said
        assert "Scan the code below" in said
        assert f"Scan this with a phone: http://192.168.1.20:{port}/" in said
    with socket.create_server(("127.0.0.1", 0)) as other:
        number = other.getsockname()[1]
        told = threading.Thread(target=answer_nonsense, args=(other,))
        told.start()
        assert main(["doctor", "--port", str(number)]) == 1
        told.join()
    said = capsys.readouterr().out
    assert f"Port {number} is taken by" in said and f"(PID {os.getpid()})" in said
    assert f"play with --port {number + 1}" in said and "Scan this" not in said


def answer_nonsense(listener):
    with listener.accept()[0] as phone:
        phone.recv(1000)
        phone.sendall(b"SSH-2.0-nobody\r\n")


def test_who_holds_a_port_is_read_from_what_the_system_tells(tmp_path):
    (tmp_path / "net").mkdir()
    line = "0: 00000000:1F40 00000000:0000 {state} 0:0 0:0 0 1000 0 4711 1\n"
    (tmp_path / "net" / "tcp").write_text("head\n" + line.format(state="0A"))
    (tmp_path / "12" / "fd").mkdir(parents=True)
    (tmp_path / "12" / "comm").write_text("nginx\n")
    (tmp_path / "12" / "fd" / "3").symlink_to("socket:[4711]")
    assert holder(8000, tmp_path) == "nginx (PID 12)"
    assert holder(8001, tmp_path) == ""
    (tmp_path / "net" / "tcp").write_text("head\n" + line.format(state="01"))
    assert holder(8000, tmp_path) == ""
    assert holder(8000, tmp_path / "nowhere") == ""


def journal_said(capsys, path):
    code = main(["doctor", "--journal", str(path)])
    return code, capsys.readouterr().out


def test_a_journal_that_cannot_be_used_is_seen_and_left_alone(
    capsys, adapters, tmp_path, monkeypatch
):
    monkeypatch.setattr("rig.cli.doctor._port", Port)  # whatever else this machine serves
    path = tmp_path / "table.sqlite3"
    code, said = journal_said(capsys, tmp_path)
    assert code == 1 and "The journal is a folder" in said and f"{path}" in said
    journal = Journal(path)
    code, said = journal_said(capsys, path)
    assert code == 1 and "Another domino-rig has the journal open" in said
    journal.close()
    before = path.read_bytes()
    code, said = journal_said(capsys, path)
    assert code == 0 and path.read_bytes() == before
    with closing(sqlite3.connect(path)) as db:
        db.execute("PRAGMA user_version=99")
    code, said = journal_said(capsys, path)
    assert code == 1 and "newer domino-rig" in said
    path.write_bytes(b"noise" * 1000)
    code, said = journal_said(capsys, path)
    assert code == 1 and "cannot be read" in said


def test_an_extra_that_is_missing_is_told_with_its_command(capsys, adapters, monkeypatch, computer):
    monkeypatch.setattr("rig.setup.checks.find_spec", lambda module: None)
    Shelf(computer.folder).choose(network={"https": True})
    assert main(["doctor"]) == 1
    said = capsys.readouterr().out
    assert "TO DO   extras    https is not installed, and the settings ask for it" in said
    assert "[https]'" in said and f"{sys.executable} -m pip install" in said


def test_this_machines_own_browser_is_no_phone():
    with TestPage(0, "It works.") as test:
        urllib.request.urlopen(f"http://127.0.0.1:{test.port}/", timeout=120).close()
        assert test.wait(0.0) is None


def test_a_port_on_which_a_table_is_served_is_said(capsys):
    with TestPage(0, "It works.") as test:
        assert main(["doctor", "--port", str(test.port), "--wait", "1"]) == 2
    assert "is taken by another program" in capsys.readouterr().err
