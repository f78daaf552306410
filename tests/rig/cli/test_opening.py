"""Opening several tables at once, and what happens when one part of it cannot be had."""

import threading

import numpy as np
import pytest

import rig.cli.opening
from rig.cli.main import main
from rig.cli.opening import OtherGame, journal_of, open_table
from rig.clock import SystemClock
from rig.config import load_config
from rig.errors import RigError
from rig.games.estimation.terms import REFEREE
from rig.games.phrase import Phrase
from rig.history.statistics import Statistics
from rig.journal import Journal
from rig.machine.loop import Machine
from rig.players.http_phone import HttpPhone
from rig.session.devices import BY_HAND
from rig.session.events import TableOpened
from tests.rig.games.estimation.story import test_push_export
from tests.support.evenings import played
from tests.support.sessions import session_on
from web.access.certificates import NoHttps
from web.live.parts import parts
from web.server.server import Server


@pytest.fixture
def opening(tmp_path):
    """Open tables of this test's folder on a free port of this machine."""
    config = load_config(network={"port": 0}, table={"bots": 2})

    def open_again(**how):
        seeds = np.random.SeedSequence(1)
        return open_table(
            config, tmp_path / "t.sqlite3", SystemClock(), seeds, bind="127.0.0.1", **how
        )

    return open_again


def tables(opened):
    return opened.server._web.tables


def codes(opened):
    return [session.table.code for session in (opened.session, *opened.others)]


def test_further_tables_are_by_hand_with_journals_of_their_own(opening, tmp_path):
    with opening(more=2) as opened:
        assert [path.name for path in sorted(tmp_path.glob("*.sqlite3"))] == [
            "t.2.sqlite3",
            "t.3.sqlite3",
            "t.sqlite3",
        ]
        assert all(session.table.devices == BY_HAND for session in opened.others)
        assert opened.session.table.devices.sees and opened.session.table.devices.pushes
        assert len(set(codes(opened))) == 3
        assert [len(s.table.players) for s in (opened.session, *opened.others)] == [2, 0, 0]
        before = codes(opened)
        phone = HttpPhone(parts(tables(opened).apps[0]).net.url(f"/t/2/j/{before[1]}"))
        phone.close()
    with opening(more=2) as opened:
        assert codes(opened) == before


def test_bots_act_at_every_table(opening):
    """They acted at the first alone, and a bot that had been added to another stood still."""
    acting = {}

    class Bots:
        def __init__(self, session):
            self.session = session

        def start(self):
            acting[self.session.table.code] = True

        def close(self):
            acting[self.session.table.code] = False

    with opening(more=2, bots=Bots) as opened:
        assert acting == dict.fromkeys(codes(opened), True)
    assert set(acting.values()) == {False}


def test_two_tables_never_have_one_code(opening, tmp_path):
    for n in (1, 2):
        session = session_on(journal_of(tmp_path / "t.sqlite3", n))
        session.commit([TableOpened("PINE", f"secret-{n}")], REFEREE)
        session.close()
    with opening(more=1) as opened:
        assert codes(opened)[0] == "PINE" != codes(opened)[1]
        assert opened.others[0].table.host_secret == "secret-2"


def test_a_new_code_of_any_table_is_kept(opening):
    with opening(more=1) as opened:
        before = codes(opened)[1]
        session = opened.others[0]
        for n, (phone, mark) in enumerate((("host", "star"), ("mira", "cross"))):
            order = {"id": f"sit{n}", "type": "sit", "name": phone, "mark": mark}
            assert session.submit(phone, order)["ok"]
        code = tables(opened).new_code()
        order = {"id": "out", "type": "remove_seat", "seat": "s2"}
        assert session.submit("host", order, code)["put_out"]
        kept = codes(opened)
        assert kept[1] == code != before
    with opening(more=1) as opened:
        assert codes(opened) == kept


def test_what_cannot_be_had_leaves_no_journal_open(opening, tmp_path, monkeypatch):
    monkeypatch.setattr("web.access.certificates.importlib.util.find_spec", lambda name: None)
    with pytest.raises(NoHttps):
        opening(more=1, https=tmp_path / "https")
    for n in (1, 2):
        Journal(journal_of(tmp_path / "t.sqlite3", n)).close()


def test_what_is_left_of_a_damaged_table_can_be_looked_at_and_taken_home(opening, tmp_path):
    path = tmp_path / "t.sqlite3"
    journal = Journal(path)
    journal.append(played(19))
    journal.close()
    size = path.stat().st_size
    with path.open("r+b") as file:
        file.seek(size - 50)
        file.write(b"#")
    with opening(more=1) as opened:
        session = opened.session
        assert session.damage.good == session.journal.version > 30
        assert opened.others[0].damage is None
        host = HttpPhone(opened.server.host_url.replace(" ", "%20"))
        view = host.state()
        assert view["damaged"] == {"good": session.damage.good, "lost": session.damage.lost}
        assert host.command("sit", name="Eve", mark="cross")["reason"] == "damaged"
        assert len(host._ask("GET", "/api/games", None)["games"]) == 1
        file = host._ask("GET", "/api/games/1/file", None)
        assert file["format"] == "domino-rig-game"
        phone = HttpPhone(opened.server.join_url)
        assert phone.state()["damaged"]["good"] == session.damage.good
        for each in (host, phone):
            each.close()
    assert session.damage.copy.stat().st_size == size


class Name:
    """An announced name that nobody hears of."""

    def __init__(self, addresses, port, tell):
        self.port, self.closed = port, False
        tell("domino-4.local")

    def close(self):
        self.closed = True


def test_a_name_is_announced_for_the_port_that_it_became(opening, monkeypatch):
    announced = []
    monkeypatch.setattr(
        rig.cli.opening, "Announced", lambda *how: announced.append(Name(*how)) or announced[0]
    )
    with opening(mdns=True) as opened:
        assert opened.server.local_url == f"http://domino-4.local:{opened.server.port}"
        assert announced[0].port == opened.server.port and not announced[0].closed
    assert announced[0].closed


@pytest.mark.parametrize("count", ["0", "301", "-1"])
def test_too_many_tables_are_refused_in_one_sentence(tmp_path, capsys, count):
    with pytest.raises(SystemExit, match="2"):
        main(["play", "--tables", count, "--no-browser"])
    assert "--tables: expected a whole number from 1 to 300" in capsys.readouterr().err
    path = tmp_path / "mine.toml"
    path.write_text(f"[table]\ntables = {count}\n")
    assert main(["play", "--config", str(path), "--no-browser"]) == 2
    assert f"[table] tables = {count}: expected 1 to 300" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("flags", "expected"),
    [
        ([], (2, True, True)),
        (["--tables", "1", "--no-https", "--no-mdns"], (0, False, False)),
        (["--tables", "5", "--https"], (4, True, True)),
    ],
)
def test_the_settings_say_how_it_opens_and_flags_win(tmp_path, monkeypatch, flags, expected):
    path = tmp_path / "mine.toml"
    path.write_text("[network]\nhttps = true\nmdns = true\n[table]\ntables = 3\n")
    asked = []

    def open_nothing(*_, more, https, mdns, **__):
        asked.append((more, https is not None, mdns))
        raise RigError("that is all")

    monkeypatch.setattr("rig.cli.play.open_table", open_nothing)
    journal = str(tmp_path / "t.sqlite3")
    words = ["play", "--no-browser", "--config", str(path), "--journal", journal]
    assert main([*words, *flags]) == 2
    assert asked == [expected]


def test_a_table_of_a_game_without_devices_goes_on_as_it_was_opened(opening):
    asked = {"preset": "goat-125", "limit": 150}
    with opening(game="dominoes", options=asked) as opened:
        assert opened.machine is None
        assert [player.bot for player in opened.session.table.players] == [True, True]
        code = opened.session.table.code
        view = HttpPhone(opened.server.join_url)
        assert view.state()["rules"] == "dominoes"
        view.close()
    for again in ({}, {"game": "dominoes", "options": asked}):
        with opening(**again) as opened:
            options = opened.session.game.options
            assert (options.preset, options.limit) == ("goat-125", 150)
            assert opened.session.table.code == code


def test_a_journal_of_another_game_or_with_other_options_is_left_as_it_is(opening, tmp_path):
    with opening(game="dominoes", options={"preset": "goat-125"}):
        pass
    before = (tmp_path / "t.sqlite3").read_bytes()
    with pytest.raises(OtherGame, match="is a table of Dominoes, not of Estimation Domino"):
        opening(game="estimation")
    with pytest.raises(OtherGame, match="is played with preset=goat-125, not goat-yard"):
        opening(game="dominoes", options={"preset": "goat-yard"})
    assert (tmp_path / "t.sqlite3").read_bytes() == before


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--game", "chess"], "--game: expected one of dominoes, estimation, not 'chess'"),
        (["--game", "dominoes", "--preset", "goat"], "preset: expected one of bg-standard"),
        (["--game", "dominoes", "--option", "limit=many"], "option limit: expected a whole number"),
        (["--game", "dominoes", "--option", "limit"], "--option: expected NAME=VALUE, not 'limit'"),
        (
            ["--game", "dominoes", "--option", "limit=1", "--option", "limit=2"],
            "--option limit: expected once",
        ),
        (["--preset", "goat-yard"], "preset"),
    ],
)
def test_a_game_that_cannot_be_is_refused_in_a_sentence_before_anything_is_opened(
    words, said, tmp_path, capsys
):
    journal = tmp_path / "t.sqlite3"
    assert main(["play", "--journal", str(journal), "--no-browser", *words]) == 2
    told = capsys.readouterr().err
    assert said in told and told.count("\n") == 1
    assert not journal.exists()


def test_the_host_chooses_another_game_and_everybody_goes_on_with_it(opening):
    with opening(games=("estimation", "dominoes")) as opened:
        phone, screens = HttpPhone(opened.server.join_url), HttpPhone(opened.server.join_url)
        assert phone.command("sit", name="Mira", mark="star")["ok"]
        assert phone.command("ready", on=True)["ok"]
        machine, before = opened.machine, phone.state()
        assert before["games"] == ["estimation", "dominoes"]
        for game, names, has_devices in (
            ("dominoes", "dominoes", False),
            ("estimation", None, True),
        ):
            assert phone.command("choose_game", game=game)["ok"]
            after = until(phone, lambda state, names=names: state.get("rules") == names)
            assert (opened.machine is not None) is has_devices
            assert [s["name"] for s in after["seats"]] == [s["name"] for s in before["seats"]]
            assert after["you"] == before["you"] and after["v"] > before["v"]
            assert screens.state()["you"]["role"] == "watcher"
            assert not any(seat["ready"] for seat in after["seats"] if not seat["bot"])
        assert opened.machine is not machine
        assert phone.command("ready", on=True)["ok"] and phone.command("start")["ok"]
        for each in (phone, screens):
            each.close()


def test_who_goes_on_with_a_game_of_hands_hears_that_they_lie_in_the_clear(opening, monkeypatch):
    monkeypatch.setattr("rig.cli.opening.has_cipher", lambda: False)
    heard = []
    with opening(games=("estimation", "dominoes"), tell=heard.append) as opened:
        phone = HttpPhone(opened.server.join_url)
        assert phone.command("sit", name="Mira", mark="star")["ok"]
        assert phone.command("choose_game", game="dominoes")["ok"]
        until(phone, lambda state: state.get("rules") == "dominoes")
        phone.close()
    assert heard == [Phrase("note.open_hands")]


def until(phone, wanted):
    """What a phone shows once that is so; the table is laid anew on a thread of its own."""
    deadline = threading.Event()
    for _ in range(600):
        state = phone.state()
        if wanted(state):
            return state
        deadline.wait(0.05)
    raise AssertionError(state)


def test_no_film_of_a_table_calls_somebody_by_name_who_is_erased(tmp_path, monkeypatch):
    monkeypatch.setattr(rig.cli.opening, "can_film", lambda: True)
    monkeypatch.setattr(rig.cli.opening, "Studio", lambda session, scripts, *more: scripts)
    journal = Journal(tmp_path / "t.sqlite3")
    journal.append(test_push_export.played().records)
    scripts = rig.cli.opening._studio(session_on(journal), load_config())
    assert scripts() and all("Olena" in script.names for script in scripts())
    Statistics(tmp_path, tuple).erase("Olena")
    assert scripts() == ()
    journal.close()


def test_what_moves_is_stopped_while_phones_can_still_press_stop(opening, tmp_path, monkeypatch):
    ended = []

    def halt(machine):
        ended.append(("halt", machine))
        raise RuntimeError("the line is gone")

    stop = Server.stop
    monkeypatch.setattr(Machine, "halt", halt)
    monkeypatch.setattr(Server, "stop", lambda server: (ended.append(("server",)), stop(server)))
    with opening(more=1) as opened:
        machines = {opened.machine, opened.others[0].machine}
    *halted, last = ended
    assert {machine for _, machine in halted} == machines and len(halted) == 2
    assert last == ("server",)
    for n in (1, 2):
        Journal(journal_of(tmp_path / "t.sqlite3", n)).close()
