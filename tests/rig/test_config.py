import tomllib
from pathlib import Path

import pytest

import rig.config
from physics.row.tile import TileSpec
from rig.cli.main import main
from rig.config import ConfigError, load_config, names
from rig.setup.store import kept_settings
from web.content.words import languages

DEFAULT = Path(rig.config.__file__).with_name("default.toml")


def test_the_default_file_documents_every_setting():
    data = tomllib.loads(DEFAULT.read_text())
    assert {s: list(v) for s, v in data.items() if s != "rules"} == names()


def test_a_file_of_ones_own_changes_only_what_it_names(tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text("[timing]\nverdict = 8\n[rules]\njudge = 'people'\n")
    config = load_config(path)
    assert (config.timing.verdict, config.rules) == (8, {"judge": "people"})
    assert config.network == load_config().network


def test_the_command_line_wins_over_the_file(tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text("[network]\nport = 9000\n")
    assert load_config(path, network={"port": 9001}).network.port == 9001


def test_ones_own_tiles_are_measured_in_the_file(tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text("[tiles]\nlength_mm = 56\nwidth_mm = 28.0\nthickness_mm = 10.5\nmass_g = 20\n")
    assert load_config(path).tiles == TileSpec(56, 28.0, 10.5, 20)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (
            "[tiles]\nheight_mm = 48\n",
            r"\[tiles\] height_mm is no setting; \[tiles\] has length_mm",
        ),
        ("[tiles]\nlength_mm = 4.8\n", "expected 20.0 to 100.0"),
        ("[tiles]\nlength_mm = 24.0\n", "each smaller than the one before; measure one tile"),
        ("[pusher]\nkind = 'finger'\n", "expected one of virtual, serial, hand"),
        ("[timing]\nlost = 0.5\n", "expected 1.0 to 600.0"),
        ("[timing]\nhold = inf\n", "expected a number from 0"),
        ("[network]\nport = " + 5000 * "9", "not a TOML file"),
        ("[rules]\ntile_values = " + 20_000 * "[", "not a TOML file"),
    ],
)
def test_what_a_device_or_a_tile_cannot_be_is_named(tmp_path, text, words):
    path = tmp_path / "mine.toml"
    path.write_text(text)
    with pytest.raises(ConfigError, match=words):
        load_config(path)


@pytest.mark.parametrize(
    "text",
    [
        '["\\u001b[2J"]\n',
        '[camera]\n"\\u001b[2J" = 1\n',
        '[camera]\nid = "\\u001b[2J"\n',
        '[rules]\ntile_values = [{"\\u001b[2J" = 1}]\n',
    ],
)
def test_a_file_has_nothing_that_a_terminal_would_obey(tmp_path, text):
    path = tmp_path / "mine.toml"
    path.write_text(text)
    with pytest.raises(ConfigError, match=r"'\\x1b\[2J' has a control character"):
        load_config(path)


def test_play_reads_what_the_first_evening_has_kept_and_names_it(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr("rig.setup.store.data_folder", lambda: tmp_path)
    assert kept_settings() is None
    (tmp_path / "rig.toml").write_text("[camera]\nzoom = 2\n")
    assert kept_settings() == tmp_path / "rig.toml"
    assert main(["play", "--no-browser"]) == 2
    said = capsys.readouterr().err
    assert f"{tmp_path / 'rig.toml'}: [camera] zoom is no setting" in said
    assert said.count("\n") == 1
    other = tmp_path / "other.toml"
    other.write_text("[pusher]\nzoom = 2\n")
    assert main(["play", "--no-browser", "--config", str(other)]) == 2
    assert "other.toml: [pusher] zoom" in capsys.readouterr().err


def test_a_language_that_films_cannot_have_is_named_with_those_they_can(tmp_path, capsys):
    path = tmp_path / "mine.toml"
    path.write_text("[film]\nlanguage = 'xx'\n")
    assert main(["play", "--no-browser", "--config", str(path)]) == 2
    said = capsys.readouterr().err
    known = ", ".join(['""', *languages()])
    assert f"mine.toml: [film] language = 'xx': expected one of {known}" in said
    assert main(["doctor", "--json", "--config", str(path), "--port", "0"]) == 1
    assert "[film] language = 'xx'" in capsys.readouterr().out


@pytest.mark.parametrize("chosen", ["", *languages()])
def test_films_speak_the_tables_language_unless_the_settings_say_one(tmp_path, chosen):
    assert load_config().film.language == ""
    path = tmp_path / "mine.toml"
    path.write_text(f"[film]\nlanguage = '{chosen}'\n")
    assert load_config(path, [*languages()]).film.language == chosen
