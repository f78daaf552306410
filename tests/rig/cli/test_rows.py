"""`domino-rig rows`: what it writes is what `predict` reads."""

import pytest

from physics.rows.notation import read
from physics.rows.row_file import read_scenarios
from rig.cli.main import main


@pytest.mark.parametrize("shape", ["line", "arc", "spiral", "zigzag", "wave", "player"])
def test_rows_of_a_shape_are_written_one_a_line(capsys, shape):
    assert main(["rows", "--draw", shape, "--times", "2", "--count", "7", "--seed", "4"]) == 0
    rows = [read(line) for line in capsys.readouterr().out.splitlines()]
    assert [(row.id, len(row.chain.tiles)) for row in rows] == [
        (f"{shape}-1", 7),
        (f"{shape}-2", 7),
    ]


def test_rows_of_files_are_written_in_one_line_each(capsys, tmp_path):
    file = tmp_path / "row.toml"
    file.write_text("tiles = '''\n1 at 0,0\n2 horizontal at 20,0 heading 3\n'''\n")
    assert main(["rows", str(file)]) == 0
    (line,) = capsys.readouterr().out.splitlines()
    assert line == "1v@0,0,0;2h@20,0,3"
    assert read(line).chain == read_scenarios(file)[0].chain


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ([], "rows: expected either files or --draw SHAPE"),
        (["row.txt", "--draw", "arc"], "rows: expected either files or --draw SHAPE"),
        *(
            (["none.txt", f"--{name}", "4"], f"--{name} is for rows of --draw SHAPE; leave it out")
            for name in ("count", "gap", "turn", "offset", "times", "seed")
        ),
        (["none.txt", "--horizontal"], "--horizontal is for rows of --draw SHAPE; leave it out"),
        (["--draw", "line", "--turn", "30"], "a line does not turn; use --draw arc"),
        (["--draw", "player", "--horizontal"], "stand as they come; leave --horizontal out"),
        (["none.txt"], "none.txt: cannot be read"),
        (["--draw", "arc", "--turn", "80", "--gap", "1"], "--draw arc: tiles 1"),
    ],
)
def test_what_cannot_be_is_one_sentence(capsys, words, said):
    assert main(["rows", *words]) == 2
    output = capsys.readouterr()
    assert output.out == "" and said in output.err
