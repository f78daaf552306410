import tomllib
from pathlib import Path

import rig.config
from rig.config import load_config, names

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
