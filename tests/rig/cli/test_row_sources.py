"""Rows for predict that are in no file of rows: photos, folders of them, games."""

import json
import math
import shutil

import cv2
import pytest

from physics.row.pose import Pose
from physics.row.tile import Orientation, Tile
from rig.cli.main import main
from rig.history.gamefile import dumped, made
from rig.journal import Journal
from tests.support.evenings import played
from tests.support.photos import held, lens_of
from vision.render.render import render
from vision.render.scene import Scene, Solid


def answers(capsys, *words, code=0):
    assert main(["predict", "--runs", "1", "--json", *map(str, words)]) == code
    heard = capsys.readouterr()
    return [json.loads(line) for line in heard.out.splitlines()], heard.err


@pytest.fixture(scope="module")
def photos(tmp_path_factory):
    """A folder with a photo of three tiles on the mat."""
    folder = tmp_path_factory.mktemp("photos")
    lens = lens_of(1100.0, (1200, 1600))
    tiles = [
        Solid(Tile(v, Pose(220.0 + 30 * v, 200.0, 0.0), Orientation.VERTICAL)) for v in (1, 2, 3)
    ]
    image = render(Scene(tuple(tiles)), lens, held(lens, math.radians(30), -1.4))
    cv2.imwrite(str(folder / "evening.jpg"), image)
    return folder


@pytest.fixture(scope="module")
def games(tmp_path_factory):
    """An evening as a journal and as the file that was exported from it."""
    folder, records = tmp_path_factory.mktemp("games"), played(19)
    (folder / "game.json").write_bytes(dumped(made(records)))
    journal = Journal(folder / "table.sqlite3")
    journal.append(list(records))
    journal.close()
    return folder


def test_a_photo_is_the_row_that_stands_there_and_a_folder_its_photos(capsys, photos):
    (one,), _ = answers(capsys, photos)
    assert one["id"] == "evening"
    assert [(j["from"], j["to"]) for j in one["joints"]] == [(1, 2), (2, 3)]


def test_a_photo_without_the_mat_is_one_sentence_and_may_be_left_out(capsys, tmp_path, photos):
    shutil.copy(photos / "evening.jpg", tmp_path / "b.jpg")
    cv2.imwrite(str(tmp_path / "a.jpg"), cv2.imread(str(photos / "evening.jpg"))[:200, :200])
    found, said = answers(capsys, tmp_path, code=2)
    assert found == [] and "a.jpg: " in said and said.count("\n") == 1
    found, said = answers(capsys, tmp_path, "--keep-going", code=2)
    assert [row["id"] for row in found] == ["b"] and "a.jpg: " in said


def test_a_folder_without_photos_is_one_sentence(capsys, tmp_path):
    assert "is a folder without photos (.jpg, .jpeg, .png)" in answers(capsys, tmp_path, code=2)[1]


@pytest.mark.parametrize("name", ["game.json", "table.sqlite3"])
def test_a_game_has_a_row_for_each_push_the_same_as_its_journal_exports(capsys, games, name):
    pushes = games / f"{name}.jsonl"
    assert main(["pushes", str(games / "table.sqlite3"), "--all", "--out", str(pushes)]) == 0
    capsys.readouterr()
    assert answers(capsys, games / name) == answers(capsys, pushes)
    assert len(answers(capsys, games / name)[0]) > 1


def test_of_a_damaged_journal_the_good_rows_are_predicted_and_the_damage_is_told(
    capsys, games, tmp_path
):
    whole, file = answers(capsys, games / "table.sqlite3")[0], tmp_path / "table.sqlite3"
    shutil.copy(games / file.name, file)
    journal = Journal(file)
    last = max(each.v for each in journal.events() if each.type == "PushRequested")
    journal._db.execute("DELETE FROM event WHERE v = ?", (last - 1,))
    journal.close()
    found, said = answers(capsys, file)
    assert found == whole[: len(found)] and 0 < len(found) < len(whole)
    assert said.startswith(f"Note: {file} is damaged: event {last - 1} is missing")


def test_a_game_without_a_push_is_one_sentence(capsys, tmp_path):
    file = tmp_path / "begun.json"
    file.write_bytes(dumped(made(played(19)[:5])))
    assert "no row of two or more tiles was pushed" in answers(capsys, file, code=2)[1]


def test_a_game_that_was_changed_is_one_sentence(capsys, tmp_path, games):
    data = json.loads((games / "game.json").read_text())
    dealt = next(i for i, event in enumerate(data["events"]) if event["type"] == "RoundDealt")
    del data["events"][dealt]
    file = tmp_path / "game.json"
    file.write_text(json.dumps(data, separators=(",", ":")))
    said = answers(capsys, file, code=2)[1]
    assert "game.json: event " in said and "the file was changed" in said
    assert said.count("\n") == 1


@pytest.mark.parametrize("tiles", [2, 60])
def test_a_row_in_the_place_of_a_file_is_told_where_to_go(capsys, tiles):
    row = ";".join(f"{n}v@{20 * n},0,0" for n in range(tiles))
    said = answers(capsys, row, code=2)[1]
    assert said.endswith("there is no such file; send a row itself to `predict -`\n")
