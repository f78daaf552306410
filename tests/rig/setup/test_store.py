"""What the first evening keeps: rig.toml with all that people wrote into it, and how far it is."""

import json
from dataclasses import replace

import pytest

from rig.config import ConfigError
from rig.setup.plan.facts import Progress
from rig.setup.store import NotKept, Shelf


@pytest.fixture
def shelf(tmp_path):
    return Shelf(tmp_path / "data")


def test_what_is_chosen_is_read_back_as_settings(shelf):
    assert shelf.config().camera.kind == "virtual"
    told = shelf.choose(camera={"kind": "opencv", "id": "cam"}, pusher={"kind": "serial"})
    assert (told.camera.kind, told.camera.id, told.pusher.kind) == ("opencv", "cam", "serial")
    assert shelf.config() == told


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig"])
def test_what_a_person_wrote_stays_as_it_was(shelf, encoding):
    shelf.folder.mkdir()
    mine = (
        "# my rig\n[network]\nport = 8123   # the old one\n\n[camera]\nclip = true  # keep films\n"
    )
    shelf.rig.write_text(mine, encoding=encoding)
    assert shelf.config().network.port == 8123
    told = shelf.choose(camera={"id": "cam"})
    text = shelf.rig.read_text(encoding="utf-8")
    assert (told.network.port, told.camera.clip, told.camera.id) == (8123, True, "cam")
    assert all(line in text for line in mine.splitlines())


def test_what_cannot_be_used_is_refused_and_the_file_stays(shelf):
    shelf.choose(camera={"kind": "none"})
    before = shelf.rig.read_bytes()
    with pytest.raises(ConfigError, match="kind"):
        shelf.choose(camera={"kind": "periscope"})
    assert shelf.rig.read_bytes() == before
    assert [path.name for path in shelf.folder.iterdir()] == ["rig.toml"]


def test_a_file_that_is_no_toml_is_never_written_over(shelf):
    shelf.folder.mkdir()
    shelf.rig.write_text("[camera\nkind=", encoding="utf-8")
    with pytest.raises(NotKept, match="correct it"):
        shelf.choose(camera={"kind": "none"})
    assert shelf.rig.read_text(encoding="utf-8") == "[camera\nkind="


def test_choices_go_into_the_file_that_the_table_was_opened_with(shelf, tmp_path):
    mine = tmp_path / "mine.toml"
    Shelf(shelf.folder, mine).choose(pusher={"kind": "hand"})
    assert 'kind = "hand"' in mine.read_text(encoding="utf-8")
    assert not shelf.rig.exists()


def test_the_evening_goes_on_where_it_was_left(shelf):
    assert shelf.kept() == Progress()
    kept = Progress(at="pusher", visitor="192.168.1.9", ruler_mm=99.8, tile=True, p_fall=0.5)
    shelf.keep(kept)
    assert Shelf(shelf.folder).kept() == kept


@pytest.mark.parametrize("text", ["", "[]", "{", '"at"', '{"at": "kitchen"}', '{"at": 3}'])
def test_a_spoiled_file_means_that_nothing_was_kept(shelf, text):
    shelf.folder.mkdir()
    (shelf.folder / "setup.json").write_text(text, encoding="utf-8")
    assert shelf.kept() == Progress()


def test_of_a_file_of_another_version_what_still_fits_is_kept(shelf):
    shelf.folder.mkdir()
    data = {"at": "mat", "ruler_mm": "long", "tile": True, "tried": 1, "moon": "full"}
    (shelf.folder / "setup.json").write_text(json.dumps(data), encoding="utf-8")
    assert shelf.kept() == replace(Progress(), at="mat", tile=True)


def test_a_place_that_cannot_be_written_is_said(tmp_path):
    blocked = tmp_path / "file"
    blocked.write_text("not a folder", encoding="utf-8")
    for write in (lambda s: s.keep(Progress()), lambda s: s.choose(camera={"id": "x"})):
        with pytest.raises(NotKept, match="cannot be"):
            write(Shelf(blocked / "data"))
