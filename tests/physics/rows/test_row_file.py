"""Rows from files of every kind, each read to the same row."""

import io
import json
import math

import pytest

from physics.errors import PhysicsError, ScenarioError
from physics.rows.notation import read
from physics.rows.row_file import read_each, read_objects, read_scenarios

LINE = "3v@0,0,0;5h@30,0,2;?v@60,0.5,1;id=a"
TILES = [
    {"value": 3, "x_mm": 0, "y_mm": 0},
    {"value": 5, "x_mm": 30, "y_mm": 0, "heading_deg": 2, "orientation": "horizontal"},
    {"x_mm": 60, "y_mm": 0.5, "heading_deg": 1},
]
TOML = """
id = "a"
tiles = '''
3 vertical at 0,0
tile 5 horizontal at 30,0 heading 2
? at 60, 0.5 heading 1
'''
"""
CSV = """id, value, x_mm, y_mm, heading_deg, orientation
a,3,0,0,,vertical
a,5,30,0,2,horizontal
a,,60,.5,1,
"""


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("row.json", json.dumps({"id": "a", "tiles": TILES}, indent=1)),
        ("rows.jsonl", json.dumps({"id": "a", "tiles": TILES})),
        ("rows.txt", LINE),
        ("row.toml", TOML),
        ("rows.csv", CSV),
    ],
)
def test_every_kind_of_file_says_the_same_row(tmp_path, name, text):
    (tmp_path / name).write_text(text, encoding="utf-8")
    (found,) = read_scenarios(tmp_path / name)
    assert found == read(LINE)


def test_json_and_row_notation_may_take_turns_in_a_file(tmp_path):
    file = tmp_path / "rows.txt"
    file.write_text(f"{LINE}\n\n{json.dumps({'id': 'b', 'tiles': TILES})}\n{LINE[:-1]}c\n")
    assert [row.id for row in read_scenarios(file)] == ["a", "b", "c"]
    assert [where[-6:] for where, _ in read_objects(file)] == ["line 1", "line 3", "line 4"]


def test_a_toml_file_of_several_rows_says_what_they_share_once(tmp_path):
    file = tmp_path / "rows.toml"
    file.write_text(
        '[friction]\ntile_tile = 0.2\n[[row]]\ntiles = ["1 at 0,0"]\n'
        '[[row]]\nid = "b"\ntiles = ["1 at 0,0"]\nfriction = {tile_table = 0.4}\n'
    )
    first, second = read_scenarios(file)
    assert (first.friction.tile_tile, first.friction.tile_table) == (0.2, 0.5)
    assert (second.id, second.friction.tile_tile, second.friction.tile_table) == ("b", 0.27, 0.4)


def test_lines_of_a_table_with_one_id_are_one_row(tmp_path):
    file = tmp_path / "rows.csv"
    file.write_text("id,x_mm,y_mm\na,0,0\na,20,0\nb,0,0\n")
    assert [(row.id, len(row.chain.tiles)) for row in read_scenarios(file)] == [("a", 2), ("b", 1)]


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        (
            "rows.csv",
            "x_mm,z_mm\n",
            "rows.csv, line 1: 'z_mm' is not known; expected a header of id",
        ),
        ("rows.csv", "x_mm\n1\n", "rows.csv, line 1: x_mm and y_mm are needed"),
        ("rows.csv", "x_mm,y_mm\n1\n", "rows.csv, line 2: expected as many cells"),
        ("rows.csv", "x_mm,y_mm\n1,2,3\n", "rows.csv, line 2: expected as many cells"),
        ("rows.csv", "x_mm,y_mm\n1,two\n", 'line 2: y_mm: expected a number, got "two"'),
        ("rows.csv", 'x_mm,y_mm\n1,"2,5"\n', 'line 2: y_mm: expected a number, got "2,5"'),
        ("rows.csv", "value,x_mm,y_mm\n3.0,1,2\n", "line 2: value: expected a whole number"),
        ("rows.csv", "x_mm;y_mm\n0;0\n;\n9e9;0\n", "rows.csv, line 4: tiles[1].x_mm: expected"),
        ("rows.csv", ",,\n", "rows.csv, line 1: x_mm and y_mm are needed"),
        ("rows.csv", "x_mm,y_mm\n0,0\n20,\n", "rows.csv, line 3: tiles[1].y_mm: is missing"),
        ("rows.csv", "x_mm,y_mm\n0,0\n\n9e9,0\n", "rows.csv, line 4: tiles[1].x_mm: expected"),
        (
            "rows.csv",
            "id,x_mm,y_mm,orientation\na,0,0,\nb,0,0,\nb,20,0,flat\n",
            "rows.csv, line 4: tiles[1].orientation: expected",
        ),
        ("row.toml", "tiles = [", "row.toml: is not TOML"),
        ("row.toml", "row = 3", "row.toml: row: expected one or more [[row]]"),
        ("row.toml", "[[row]]\ntile = 1", "row.toml, row 1: tile: is not known"),
        ("row.toml", f"tiles = {'9' * 5000}", "row.toml: is not TOML"),
        ("row.toml", f"tiles = {'[' * 9000}", "row.toml: is not TOML"),
        ("row.toml", "row = [1979-05-27]", "row 1: row: expected an object"),
        ("row.toml", "id = 1979-05-27\ntiles = '1 at 0,0'", "id: expected text"),
        ("rows.csv", "x_mm,y_mm\n", "rows.csv: has no tile under its header"),
        ("rows.csv", f"x_mm,y_mm\n{'1' * 140_000},2\n", "rows.csv: is not CSV"),
        ("rows.txt", "\n \n", "rows.txt: is empty; expected a JSON row, or one row a line"),
        ("rows.txt", "row 1", "rows.txt, line 1: is not JSON"),
        ("rows.txt", "x_mm,y_mm\n0,0", "which ends in .toml, .csv or .tsv"),
        ("rows.txt", "5", "rows.txt, line 1: row: expected an object, got 5"),
    ],
)
def test_a_bad_file_is_told_by_name_and_line(tmp_path, name, text, words):
    (tmp_path / name).write_text(text)
    with pytest.raises(PhysicsError) as caught:
        read_scenarios(tmp_path / name)
    assert words in str(caught.value)


@pytest.mark.parametrize(("name", "text"), [("row.toml", TOML), ("rows.csv", CSV), ("r.txt", LINE)])
def test_a_mark_at_the_beginning_as_spreadsheets_write_it_is_nothing(tmp_path, name, text):
    (tmp_path / name).write_text(text, encoding="utf-8-sig")
    (found,) = read_scenarios(tmp_path / name)
    assert found == read(LINE)


@pytest.mark.parametrize("by", [";", "\t"])
def test_a_table_may_have_the_separators_and_decimal_commas_of_a_language(tmp_path, by):
    text = CSV.replace(", ", by).replace(",", by).replace(".", ",").replace("\n", "\r\n")
    (tmp_path / "rows.csv").write_text(text, encoding="utf-8-sig", newline="")
    (found,) = read_scenarios(tmp_path / "rows.csv")
    assert found == read(LINE)


def test_a_table_may_be_named_as_spreadsheets_name_one_with_tabs(tmp_path):
    text = CSV.replace(", ", "\t").replace(",", "\t").replace(".", ",")
    (tmp_path / "rows.tsv").write_text(text)
    (found,) = read_scenarios(tmp_path / "rows.tsv")
    assert found == read(LINE)


def test_lines_of_empty_cells_are_no_tiles(tmp_path):
    head, first, *rest = CSV.splitlines()
    text = "\n".join([head, first, ",,,,,", *rest, ",,,,,", '"",,,,,', ",,,,,"])
    (tmp_path / "rows.csv").write_text(text)
    (found,) = read_scenarios(tmp_path / "rows.csv")
    assert found == read(LINE)


def test_a_bad_line_spoils_no_other(tmp_path):
    file = tmp_path / "rows.txt"
    file.write_text(f"{LINE}\n3v@1\n{LINE}\n")
    good, bad, again = read_each(file)
    assert good == again and isinstance(bad, ScenarioError) and "line 2" in str(bad)


def test_a_file_of_lines_is_read_as_it_is_asked_for(tmp_path):
    file = tmp_path / "rows.txt"
    file.write_bytes(f"{LINE}\n".encode() * 5000 + b"\xff\xfe")
    rows = read_each(file)
    assert next(rows) == read(LINE)
    with pytest.raises(ScenarioError, match="is not UTF-8 text"):
        list(rows)


def test_a_dash_is_the_standard_input(monkeypatch, tmp_path):
    file = tmp_path / "in"
    file.write_text(LINE)
    with file.open() as given:
        monkeypatch.setattr("sys.stdin", given)
        (found,) = read_scenarios("-")
    assert found == read(LINE) and math.isclose(found.chain.tiles[2].pose.y_mm, 0.5)
    assert isinstance(given, io.TextIOBase)


def test_a_file_that_is_not_there_is_told(tmp_path):
    with pytest.raises(ScenarioError, match=r"cannot be read .*; give a file"):
        read_scenarios(tmp_path / "none.txt")
