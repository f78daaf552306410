"""A table is known better with every push, on a process of its own, and kept from game to game."""

import json
from dataclasses import replace

import numpy as np
import pytest

from physics.calibrate.posterior import LEAST_PUSHES
from physics.errors import PhysicsError
from physics.predict.learned_table import LearnedTable, Trust, as_json, read_table
from physics.row.table_values import Values
from rig.learned import known_table as knowing
from rig.learned.known_table import KnownTable, LearningTable, fitted_push, known_table

DRAWS = (Values(),) * 4
TABLE = LearnedTable(Values(), Values(), Values(), Trust(9, -0.8, -0.6, 0.15, 0.1), DRAWS)


def push(number, length_mm=48.0):
    tiles = [{"x_mm": 30.0 * i, "y_mm": 0.0} for i in range(3)]
    return {
        "id": str(number),
        "tile_set": {"length_mm": length_mm},
        "tiles": tiles,
        "nominal_fall": [1, 1, 0],
    }


class Room:
    """Does the work here and now; `better` is what it says of it."""

    def __init__(self):
        self.fitted, self.asked, self.better = [], [], True

    def open(self):
        pass

    def close(self):
        pass

    def do_apart(self, work, *given):
        if work is knowing.fitted_push:
            self.fitted.append(json.loads(given[0])["id"])
            return None if self.fitted[-1] == "bad" else np.zeros((3, 21))
        texts, _ = given
        self.asked.append([json.loads(text)["id"] for text in texts])
        trust = replace(TABLE.trust, pushes=len(texts))
        return {"better": self.better, "table": as_json(replace(TABLE, trust=trust))}


@pytest.fixture
def room(monkeypatch):
    made = Room()
    monkeypatch.setattr(knowing, "Backroom", lambda: made)
    return made


@pytest.fixture
def pushes():
    return [push(i) for i in range(LEAST_PUSHES)]


@pytest.fixture
def file(tmp_path):
    return tmp_path / "evening.table.json"


def round_begins(table, game):
    table.dealt(game)
    table.wait()


def test_what_is_learned_in_a_game_counts_from_the_next_one_on(room, pushes, file):
    table = LearningTable(file, lambda: pushes)
    round_begins(table, game=1)
    assert table.table is None and read_table(file).trust.pushes == LEAST_PUSHES
    round_begins(table, game=1)
    assert table.table is None
    round_begins(table, game=2)
    assert table.table == read_table(file)


def test_a_few_pushes_teach_nothing(room, pushes, file):
    table = LearningTable(file, lambda: pushes[1:])
    round_begins(table, game=1)
    assert room.asked == [] and not file.exists()


def test_every_push_is_fitted_once(room, pushes, file):
    table = LearningTable(file, lambda: pushes)
    round_begins(table, game=1)
    pushes.append(push("new"))
    round_begins(table, game=1)
    assert room.fitted == [*map(str, range(LEAST_PUSHES)), "new"]
    assert len(room.asked[-1]) == LEAST_PUSHES + 1


def test_pushes_that_cannot_be_predicted_and_other_tiles_are_left_out(room, pushes, file):
    pushes[:0] = [push("other", 40.0), push("bad")]
    round_begins(LearningTable(file, lambda: pushes), game=1)
    assert room.asked == [[str(i) for i in range(LEAST_PUSHES)]]


def test_a_restart_keeps_what_was_learned(room, pushes, file):
    round_begins(LearningTable(file, lambda: pushes), game=1)
    assert LearningTable(file, lambda: []).table == read_table(file)


def test_what_no_longer_pays_is_forgotten(room, pushes, file):
    table = LearningTable(file, lambda: pushes)
    round_begins(table, game=1)
    room.better = False
    round_begins(table, game=2)
    assert table.table is not None and not file.exists()
    round_begins(table, game=3)
    assert table.table is None


def test_a_game_goes_on_where_learning_fails(room, pushes, file, caplog):
    def broken():
        raise RuntimeError("the journal has gone")

    table = LearningTable(file, broken)
    round_begins(table, game=1)
    assert table.table is None and "could not be learned from" in caplog.text


def test_a_file_that_cannot_be_read_is_no_reason_not_to_play(room, file, caplog):
    file.write_text("{}")
    assert LearningTable(file, lambda: []).table is None
    assert "the defaults are used" in caplog.text


def test_the_setting_says_what_is_known(room, file):
    file.write_text(json.dumps(as_json(TABLE)))
    assert known_table(str(file), file, None).table == TABLE
    assert known_table("", file, lambda: []).table is None
    assert type(known_table("auto", file, None)) is KnownTable
    assert known_table("auto", file, lambda: []).table == TABLE
    with pytest.raises(PhysicsError, match="cannot be read"):
        known_table("nowhere.json", file, None)


def test_a_push_on_a_row_that_cannot_stand_is_no_push():
    tiles = [{"x_mm": 3.0 * i, "y_mm": 0.0} for i in range(3)]
    assert fitted_push(json.dumps({**push(1), "tiles": tiles})) is None
