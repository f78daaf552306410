"""What `play` says on its way: where everything is, and what became of an older table."""

import shutil
import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest

from rig.cli import play
from rig.cli.main import main
from rig.cli.parser import build
from rig.cli.speech import UnknownLanguage, speech
from rig.errors import KeyedError
from rig.films.film_folder import films_of
from rig.films.kept_frames import frames_of
from rig.journal import ELSEWHERE, Journal, JournalUnusable
from rig.journal_tables import SCHEMA, Broken
from rig.machine.preflight import STAGED
from rig.salvage import Damage
from tests.support.words import LANGUAGES
from vision.capture.camera import RanDry

CHANGED = Broken("event 42 is not as it was written", "damage.changed", event=42)
STAGED_NOTE = (
    "Note: The row is a virtual one: it falls as soon as the real pusher has made its stroke."
)
DAMAGE = Damage(Path("table.sqlite3"), CHANGED, 41, 3, Path("table.sqlite3.damaged-1"))


def opened(**changes):
    """A table that is open, as far as `play` tells of it."""
    server = {
        "join_url": "http://192.168.7.2:8000/j/PINE",
        "other_urls": [],
        "local_url": "",
        "table_url": "http://127.0.0.1:8000/table",
        "host_url": "http://127.0.0.1:8000/host/secret",
        "setup_url": "http://127.0.0.1:8000/setup",
        "tables_url": "http://127.0.0.1:8000/tables",
        "trust_url": "",
        "fingerprint": "",
        "public_addresses": (),
    }
    session = SimpleNamespace(table=SimpleNamespace(code="PINE"), damage=None)
    table = {"session": session, "others": (), "trouble": None, "machine": object()}
    told = {name: changes.pop(name, value) for name, value in table.items()}
    return SimpleNamespace(server=SimpleNamespace(**{**server, **changes}), **told)


@pytest.fixture
def told(capsys, monkeypatch):
    """What is told of an open table, line by line."""
    monkeypatch.setattr(play, "notes", lambda machine: [STAGED])

    def tell(table, settings=None, lang="en"):
        play._tell(table, Path("table.sqlite3"), settings, speech(lang))
        return capsys.readouterr().out.splitlines()

    return tell


def test_a_plain_table_tells_where_to_go_and_what_its_devices_say(told):
    assert told(opened()) == [
        "Phones:        http://192.168.7.2:8000/j/PINE   (code PINE)",
        "Table screen:  http://127.0.0.1:8000/table",
        "Host's rights: http://127.0.0.1:8000/host/secret",
        "Set it up:     http://127.0.0.1:8000/setup",
        "Journal:       table.sqlite3",
        "Settings:      the defaults: virtual devices",
        STAGED_NOTE,
        "Stop with Ctrl+C; the table is kept.",
    ]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_in_any_language_the_addresses_stand_below_each_other_and_nothing_is_left_open(told, lang):
    lines = told(opened(trust_url="http://192.168.7.2:8000/trust"), lang=lang)
    table = [line for line in lines if "http://" in line]
    assert len({line.index("http://") for line in table}) == 1
    assert not any("{" in line or "play." in line for line in lines)
    assert (lines[-1] == "Stop with Ctrl+C; the table is kept.") == (lang == "en")


def test_the_terminal_speaks_the_machines_language_unless_another_is_asked_for(monkeypatch):
    monkeypatch.setenv("LC_ALL", "uk_UA.UTF-8")
    assert (speech()("play.phones"), speech("ru")("play.phones")) == ("Телефони", "Телефоны")
    monkeypatch.setenv("LANGUAGE", "fr:bg:uk")
    assert speech()("play.journal") == "Дневник"
    monkeypatch.setenv("LC_ALL", "xx_XX")
    monkeypatch.setenv("LANGUAGE", "")
    assert speech()("play.journal") == "Journal"
    with pytest.raises(UnknownLanguage, match="no words in xx; choose one of en, "):
        speech("xx")


def test_a_table_without_devices_tells_of_no_devices(told):
    lines = told(opened(machine=None))
    assert not any(line.startswith(("Set it up", "Settings", "Note")) for line in lines)


def test_whatever_else_a_table_has_is_told_in_its_place(told):
    damaged = SimpleNamespace(damage=DAMAGE)
    lines = told(
        opened(
            other_urls=["http://10.0.0.2:8000/j/PINE"],
            local_url="http://table.local:8000/j/PINE",
            others=(damaged,),
            trust_url="http://192.168.7.2:8000/trust",
            fingerprint="AA:BB",
            trouble=RanDry("the folder is empty"),
            public_addresses=("8.8.8.8",),
        ),
        Path("rig.toml"),
    )
    assert lines[1:3] == [
        "         or    http://10.0.0.2:8000/j/PINE",
        "         or    http://table.local:8000/j/PINE   (if the phone knows .local names)",
    ]
    assert lines[7:] == [
        "Settings:      rig.toml",
        "All tables:    http://127.0.0.1:8000/tables   (on this machine only)",
        "HTTPS:         http://192.168.7.2:8000/trust   (how phones learn to trust it)",
        "               SHA-256 AA:BB",
        f"Note: {DAMAGE}",
        "Note: The table runs without its camera: the folder is empty",
        STAGED_NOTE,
        "Note: 8.8.8.8 is a public address: anybody on the internet may try this port unless a "
        "firewall is in the way.",
        "Stop with Ctrl+C; the table is kept.",
    ]


def test_of_a_damaged_table_the_damage_is_told_and_its_devices_are_not(told):
    damage = replace(DAMAGE, lost=0)
    session = SimpleNamespace(table=SimpleNamespace(code="PINE"), damage=damage)
    assert told(opened(session=session))[-2:] == [
        f"Note: {damage}",
        "Stop with Ctrl+C; the table is kept.",
    ]


def test_an_older_table_is_set_aside_under_a_name_that_is_free(tmp_path):
    for expected in ("table-1.sqlite3", "table-2.sqlite3"):
        Journal(tmp_path / "table.sqlite3").close()
        play.set_aside(tmp_path / "table.sqlite3")
        assert (tmp_path / expected).exists() and not (tmp_path / "table.sqlite3").exists()


@pytest.mark.parametrize("left", [films_of, frames_of])
def test_a_name_is_not_free_while_anything_of_an_older_table_has_it(tmp_path, left):
    path = tmp_path / "table.sqlite3"
    for table in (path, tmp_path / "table-1.sqlite3"):
        left(table).mkdir()
        (left(table) / f"of {table.stem}").touch()
    Journal(path).close()
    play.set_aside(path)
    assert not path.exists() and not left(path).exists()
    aside = tmp_path / "table-2.sqlite3"
    assert aside.exists() and (left(aside) / "of table").exists()
    assert (left(tmp_path / "table-1.sqlite3") / "of table-1").exists()


def test_what_a_killed_newer_program_wrote_last_is_set_aside_too(tmp_path):
    path, killed = tmp_path / "table.sqlite3", tmp_path / "killed.sqlite3"
    writing = sqlite3.connect(killed, isolation_level=None)
    writing.execute("PRAGMA journal_mode=WAL")
    writing.execute(f"PRAGMA user_version={SCHEMA + 1}")
    writing.execute("CREATE TABLE event (v INTEGER PRIMARY KEY)")
    writing.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    writing.execute("INSERT INTO event VALUES (1)")
    for end in ("", "-wal"):
        shutil.copyfile(f"{killed}{end}", f"{path}{end}")
    writing.close()
    play.set_aside(path)
    Journal(path).close()
    with closing(sqlite3.connect(tmp_path / "table-1.sqlite3")) as aside:
        assert aside.execute("SELECT v FROM event").fetchall() == [(1,)]


def test_what_cannot_be_set_aside_is_named_with_what_to_do(tmp_path, monkeypatch):
    with pytest.raises(JournalUnusable, match="is not a file; name another one"):
        play.set_aside(tmp_path)
    path = tmp_path / "table.sqlite3"
    Journal(path).close()

    def refuse(self, target):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "rename", refuse)
    with pytest.raises(JournalUnusable, match=r"cannot be set aside \(Permission denied\); name"):
        play.set_aside(path)
    assert path.exists()


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("key", sorted(ELSEWHERE))
def test_who_needs_another_journal_is_told_how_to_name_one(capsys, monkeypatch, key, lang):
    def refuse(args, say):
        raise KeyedError("The journal is of no use; name another file.", key, file="a", folder="b")

    monkeypatch.setattr(play, "_played", refuse)
    assert main(["play", "--language", lang]) == 2
    said = capsys.readouterr().err.strip()
    assert said.endswith(f". {speech(lang)('play.elsewhere')}") and said.count("--journal") == 1


def test_no_other_journal_is_named_where_it_would_not_help(capsys, tmp_path, monkeypatch):
    def refuse(args, say):
        raise KeyedError("It cannot be copied; make room.", "journal.uncopied", file="a")

    monkeypatch.setattr(play, "_played", refuse)
    assert main(["play"]) == 2
    assert capsys.readouterr().err == "domino-rig play: It cannot be copied; make room.\n"


def test_a_recovered_table_tells_from_where_it_goes_on(tmp_path, capsys, monkeypatch):
    path = tmp_path / "table.sqlite3"
    for found in (None, DAMAGE):
        monkeypatch.setattr(play, "recover", lambda journal, options, found=found: found)
        play._recover(path, None, speech("en"))
    assert capsys.readouterr().out.splitlines() == [
        f"{path} is not damaged: there is nothing to recover.",
        f"{path} goes on from event 41: event 42 is not as it was written. The damaged file is "
        "kept as table.sqlite3.damaged-1.",
    ]


@pytest.mark.parametrize(
    ("words", "again"),
    [
        ((), "domino-rig play"),
        (("--game", "dominoes"), "domino-rig play --game dominoes"),
        (("--journal", "my table.sqlite3"), "domino-rig play --journal 'my table.sqlite3'"),
        (
            ("--port", "8080", "--config", "rig.toml", "--bots", "2"),
            "domino-rig play --config rig.toml --port 8080",
        ),
    ],
)
def test_the_last_line_names_the_command_that_goes_on_with_this_table(words, again):
    assert play._again(build().parse_args(["play", *words])) == again


def test_a_preset_for_a_game_that_has_none_is_refused(capsys):
    assert main(["play", "--preset", "goat-yard"]) == 2
    assert "--preset: this game has none" in capsys.readouterr().err
