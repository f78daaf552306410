"""What a person meets who types something wrong: one sentence, exit code 2, nothing written."""

import socket
import sqlite3

import pytest

from rig.cli.main import COMMANDS, main


def said(capsys, *words):
    """Run the command; give its exit code and what it said."""
    try:
        code = main([str(word) for word in words])
    except SystemExit as stop:
        code = stop.code
    return code, capsys.readouterr()


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help(capsys, command):
    code, out = said(capsys, command, "--help")
    assert code == 0
    assert f"domino-rig {command}" in out.out


@pytest.mark.parametrize(
    "words", [["fly"], [], ["demo", "--players", "9"], ["play", "--wings"], ["demo", "--seed", "x"]]
)
def test_unknown_words_are_named_in_one_line(capsys, words):
    code, out = said(capsys, *words)
    assert code == 2
    assert out.out == ""
    assert len(out.err.strip().splitlines()) == 1
    assert "--help" in out.err


def test_a_busy_port_is_said_with_what_to_do(capsys, tmp_path):
    with socket.socket() as taken:
        taken.bind(("0.0.0.0", 0))
        taken.listen()
        port = taken.getsockname()[1]
        code, out = said(
            capsys, "play", "--no-browser", "--port", port, "--journal", tmp_path / "t.sqlite3"
        )
    assert code == 2
    assert f"Port {port} is taken" in out.err
    assert "--port" in out.err


def test_a_journal_of_a_newer_version_is_refused(capsys, tmp_path):
    path = tmp_path / "t.sqlite3"
    db = sqlite3.connect(path)
    db.execute("PRAGMA user_version=99")
    db.close()
    before = path.read_bytes()
    code, out = said(capsys, "play", "--no-browser", "--port", 0, "--journal", path)
    assert (code, path.read_bytes()) == (2, before)
    assert "newer domino-rig" in out.err


@pytest.mark.parametrize(
    ("text", "said_about_it"),
    [
        ("[network]\nport = 'a'", "[network] port = 'a': expected a whole number"),
        ("[network]\nprot = 1", "[network] prot is no setting"),
        ("[nets]\n", "no section [nets]"),
        ("[timing]\nverdict = -1", "[timing] verdict = -1: expected a number from 0"),
        ("[camera]\ntable = 'glass'", "[camera] table = 'glass': expected one of wood"),
        ("[rules]\nflying = true", "flying"),
        ("[network", "not a TOML file"),
    ],
)
def test_a_wrong_setting_is_named(capsys, tmp_path, text, said_about_it):
    config = tmp_path / "my.toml"
    config.write_text(text)
    journal = tmp_path / "t.sqlite3"
    code, out = said(capsys, "play", "--no-browser", "--config", config, "--journal", journal)
    assert code == 2
    assert said_about_it in out.err
    assert len(out.err.strip().splitlines()) == 1
    assert not journal.exists()
