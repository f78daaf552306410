"""`domino-rig survey`: the same results however they were reached, and drawings of them."""

import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from matplotlib import rcParams

import rig.cli.parser as grammar
from physics.predict.learned_table import LearnedTable, Trust, as_json
from physics.row.table_values import Values
from physics.survey.design import MOST_ROWS, Design
from physics.survey.parameters import PARAMETERS
from physics.survey.study import answered
from rig.cli.main import main

ROOT = Path(__file__).parents[3]
SAID = re.compile(r"<text[^>]*>([^<]+)</text>")
FEW = ["--set", "count=3", "--runs", "1", "--seed", "2"]
STUDY = [*FEW, "--vary", "gap=5..70", "--vary", "length=40,60", "--rows", "160", "--out"]


def survey(*words):
    """Run the command; give its exit code."""
    try:
        return main(["survey", *map(str, words)])
    except SystemExit as stop:
        return stop.code


@pytest.fixture(scope="module")
def study(tmp_path_factory):
    """A survey of 160 rows."""
    out = tmp_path_factory.mktemp("study") / "study.parquet"
    assert survey(*STUDY, out) == 0
    return out


def test_what_a_help_tells_is_true():
    assert tuple(Design) == grammar.SAMPLES
    assert tuple(PARAMETERS) == grammar.PARAMETERS
    assert MOST_ROWS == grammar.MOST_ROWS


def test_the_file_does_not_depend_on_the_number_of_processes(study, tmp_path):
    out = tmp_path / "other.parquet"
    assert survey(*STUDY, out, "--jobs", 2) == 0
    assert out.read_bytes() == study.read_bytes()


@pytest.fixture
def slick(tmp_path):
    """A table on which no tile tips another."""
    values, trust = Values(contact=-30.0), Trust(40, -0.8, -0.6, 0.15, 0.1)
    table = LearnedTable(values, values, values, trust, (values,) * 4)
    file = tmp_path / "table.json"
    file.write_text(json.dumps(as_json(table)))
    return file


def test_rows_stand_on_a_table_that_was_learned(tmp_path, slick):
    out = tmp_path / "slick.parquet"
    words = [*FEW, "--vary", "gap=10..20", "--rows", "8", "--out", out, "--table", slick]
    assert survey(*words) == 0
    assert max(pq.read_table(out)["p_fall"].to_pylist()) < 0.01


def test_frictions_are_those_of_the_table(tmp_path, slick, capsys):
    words = ["--vary", "friction=.1..0.5", "--out", tmp_path / "f.parquet", "--table", slick]
    assert survey(*words) == 2
    assert "have its frictions; leave out friction or --table" in capsys.readouterr().err


def test_a_file_has_a_row_for_every_point(study):
    table = pq.read_table(study)
    assert table.num_rows == 160
    assert set(table["length_mm"].to_pylist()) == {40.0, 60.0}
    assert set(table["count"].to_pylist()) == {3}
    assert all(0.0 <= p <= 1.0 for p in table["p_fall"].to_pylist())


def test_progress_is_told_on_stderr(tmp_path, capsys):
    out = tmp_path / "s.parquet"
    words = [*FEW, "--vary", "gap=5..9/3", "--sample", "grid", "--out", out]
    assert survey(*words, "--progress") == 0
    said = capsys.readouterr()
    assert said.out == f"{out}: 3 rows\n"
    assert said.err.splitlines() == ["0 of 3", "3 of 3"]


@pytest.mark.parametrize(
    ("ask", "titles"),
    [
        (None, ["Chance over clear gap between tiles and tile length", "half its 95 % interval"]),
        ("gap", ["How the chance depends on the clear gap", "95 %, from the draws"]),
        ("apart,length", ["How far apart tiles may stand", "tile length (mm)"]),
    ],
)
def test_each_question_has_its_drawing(study, tmp_path, monkeypatch, ask, titles):
    monkeypatch.setitem(rcParams, "svg.fonttype", "none")
    plots = [tmp_path / "one.svg", tmp_path / "two.svg"]
    for plot in plots:
        words = [] if ask is None else ["--ask", ask]
        assert survey("--from", study, *words, "--plot", plot) == 0
    text = plots[0].read_text()
    assert [title for title in titles if title not in text] == []
    assert "160 rows, line, 3 vertical tiles" in text
    assert text == plots[1].read_text()


def test_a_drawing_that_cannot_be_written_leaves_the_one_that_is_there(
    study, tmp_path, monkeypatch, capsys
):
    def full(self, data):
        with open(self, "wb") as half:
            half.write(data[:1])
        raise OSError(28, "No space left on device")

    plot = tmp_path / "one.svg"
    plot.write_text("old")
    monkeypatch.setattr(Path, "write_bytes", full)
    assert survey("--from", study, "--plot", plot) == 2
    assert "one.svg: cannot be written (No space" in capsys.readouterr().err
    assert plot.read_text() == "old"


def test_rows_that_cannot_stand_are_left_out_of_drawings_and_counted(tmp_path, monkeypatch):
    monkeypatch.setitem(rcParams, "svg.fonttype", "none")
    plot = tmp_path / "s.svg"
    words = [*FEW, "--draw", "arc", "--vary", "turn=0..150", "--rows", 30]
    assert survey(*words, "--out", tmp_path / "s.parquet", "--plot", plot) == 0
    assert re.search(r"\d+ cannot stand and are left out", plot.read_text())


def test_a_legend_names_only_what_is_drawn(study, tmp_path, monkeypatch):
    monkeypatch.setitem(rcParams, "svg.fonttype", "none")
    plot = tmp_path / "s.svg"
    assert survey("--from", study, "--ask", "gap", "--plot", plot) == 0
    assert {"one row", "95 %, from the draws"} <= set(SAID.findall(plot.read_text()))
    few = [*FEW, "--vary", "gap=5..40", "--rows", 8, "--out", tmp_path / "s.parquet"]
    assert survey(*few, "--plot", plot) == 0
    said = set(SAID.findall(plot.read_text()))
    assert {"mean", "95 %, with the model's error"} <= said
    assert not {"one row", "95 %, from the draws"} & said


@pytest.mark.parametrize(
    ("gaps", "beyond"),
    [
        ("5..70", set()),
        ("5..7", {"farther than any gap here"}),
        ("80..90", {"nearer than any gap here"}),
    ],
)
def test_gaps_beyond_those_drawn_are_in_the_legend_where_there_are_some(
    tmp_path, monkeypatch, gaps, beyond
):
    monkeypatch.setitem(rcParams, "svg.fonttype", "none")
    plot = tmp_path / "s.svg"
    words = [*FEW, "--vary", f"gap={gaps}", "--vary", "length=44,52", "--rows", 160]
    words += ["--out", tmp_path / "s.parquet", "--plot", plot, "--ask", "apart,length"]
    assert survey(*words) == 0
    assert {said for said in SAID.findall(plot.read_text()) if "any gap here" in said} == beyond


GAP = ["--vary", "gap=5..40", "--rows", "5"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ([*GAP], "expected either --out FILE for a new survey, or --from FILE"),
        ([*GAP, "--out", "a.parquet", "--from", "b.parquet"], "expected either --out"),
        (["--out", "a.parquet"], "expected what differs between the rows"),
        (["--set", "gap=9", "--out", "a.parquet"], "expected what differs between the rows"),
        (["--vary", "gap=40..5", "--out", "a.parquet"], "expected LOW below HIGH"),
        (["--vary", "turn=0..9", "--out", "a.parquet"], "a line does not turn; use --draw arc"),
        ([*GAP, "--out", "none/a.parquet"], "there is no folder none"),
        ([*GAP, "--out", "a.parquet", "--plot", "a.doc"], "ends in one of .svg, .png, .pdf"),
        ([*GAP, "--out", "a.parquet", "--plot", "none/a.svg"], "there is no folder none"),
        ([*GAP, "--out", "a.parquet", "--ask", "gap"], "name a file with --plot"),
        ([*GAP, "--out", "a.parquet", "--plot", "a.svg", "--ask", "speed"], "speed is the same in"),
        ([*GAP, "--out", "a.parquet", "--plot", "a.svg", "--ask", "wind"], "no parameter 'wind'"),
        ([*GAP, "--out", "a.parquet", "--plot", "a.svg", "--ask", "apart"], "apart,PARAMETER"),
        ([*GAP, "--out", "a.parquet", "--rows", "99999999"], "whole number from 1 to 1e+06"),
        ([*GAP, "--out", "a.parquet", "--runs", "100000000"], "whole number from 1 to 10000"),
        (
            ["--from", "none.parquet", "--plot", "a.svg"],
            "none.parquet: cannot be read (No such file or directory)",
        ),
        (["--from", "none.parquet"], "name a file with --plot"),
        ([*GAP, "--from", "b.parquet", "--plot", "a.svg"], "leave --vary and --set out"),
    ],
)
def test_what_cannot_be_is_one_sentence_and_nothing_is_written(
    tmp_path, monkeypatch, capsys, words, said
):
    monkeypatch.chdir(tmp_path)
    assert survey(*words) == 2
    output = capsys.readouterr()
    assert output.out == "" and said in output.err
    assert len(output.err.splitlines()) == 1
    assert list(tmp_path.iterdir()) == []


def test_without_the_extra_one_sentence_says_what_to_install():
    script = (
        "import sys; sys.modules['pyarrow'] = None; from rig.cli.main import main; "
        "sys.exit(main(['survey', '--vary', 'gap=5..40', '--out', 'a.parquet']))"
    )
    done = python(script)
    assert done.returncode == 2
    assert done.stderr == (
        "domino-rig survey: this needs pyarrow from the extra survey; 'domino-rig doctor' prints "
        "the command that installs it\n"
    )


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--out", "a.parquet"], "expected what differs between the rows"),
        (["--vary", "gap=5..40"], "expected either --out FILE"),
        (["--vary", "gap=a..b", "--out", "a.parquet"], "gap=a..b"),
        (["--from", "a.parquet"], "name a file with --plot"),
    ],
)
def test_without_the_extra_wrong_arguments_are_told_first(words, said):
    script = (
        "import sys; sys.modules['pyarrow'] = None; from rig.cli.main import main; "
        f"sys.exit(main(['survey', *{words}]))"
    )
    done = python(script)
    assert done.returncode == 2
    assert said in done.stderr and "pyarrow" not in done.stderr


# Comes to its fourth chunk and waits there until it is ended.
WAITING = """
import signal, sys
import rig.cli.survey as edge
from rig.cli import main

answered = edge.answered
edge.answered = lambda study, chunk: answered(study, chunk) if chunk.number < 3 else signal.pause()
sys.exit(main.main())
"""


@pytest.mark.skipif(sys.platform == "win32", reason="signals differ")
@pytest.mark.parametrize("end", [signal.SIGINT, signal.SIGKILL], ids=["Ctrl+C", "kill -9"])
def test_an_interrupted_survey_is_gone_on_with_to_the_same_file(study, tmp_path, end, monkeypatch):
    out = tmp_path / "cut.parquet"
    begun = subprocess.Popen(
        [sys.executable, "-c", WAITING, "survey", *STUDY, out, "--progress"],
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    for line in begun.stderr:
        if line.startswith("24 "):
            break
    begun.send_signal(end)
    said = begun.stderr.read()
    begun.stderr.close()
    assert begun.wait() == (130 if end == signal.SIGINT else -end)
    if end == signal.SIGINT:
        kept = f"{out}.parts"
        assert said == f"Stopped. 24 of 160 rows are kept in {kept}; --resume goes on with them.\n"
    rows = []
    monkeypatch.setattr(
        "rig.cli.survey.answered",
        lambda study, chunk: rows.append(len(chunk.points)) or answered(study, chunk),
    )
    assert survey(*STUDY, out, "--resume") == 0
    assert sum(rows) == 160 - 24
    assert out.read_bytes() == study.read_bytes()
    assert [path.name for path in tmp_path.iterdir()] == [out.name]


def test_a_survey_under_way_is_drawn_as_far_as_it_is(study, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr("rig.cli.survey.answered", stopping_at(3))
    out, plot = tmp_path / "s.parquet", tmp_path / "s.svg"
    assert survey(*STUDY, out) == 130
    monkeypatch.setitem(rcParams, "svg.fonttype", "none")
    assert survey("--from", out, "--ask", "gap", "--plot", plot) == 0
    assert "24 of 160 rows, line" in plot.read_text()


# Dask has threads and loops of its own: each of these runs in a process that it can keep.
CLUSTER = """
import sys
from distributed import LocalCluster
from rig.cli.main import main

with LocalCluster(
    n_workers=2, threads_per_worker=1, processes=False, dashboard_address=":0"
) as cluster:
    code = main(["survey", *sys.argv[1:], "--scheduler", cluster.scheduler_address])
sys.exit(code)
"""
NO_CLUSTER = """
import sys
import rig.studies.workers
from rig.cli.main import main

rig.studies.workers._ANSWER_S = 0.2
sys.exit(main(["survey", *sys.argv[1:]]))
"""


def python(script, *words):
    """Run a script; give what came of it."""
    return subprocess.run(
        [sys.executable, "-c", script, *words],
        capture_output=True,
        text=True,
        timeout=300,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )


def test_a_cluster_gives_the_same_file(study, tmp_path):
    out = tmp_path / "far.parquet"
    done = python(CLUSTER, *STUDY, out)
    assert done.returncode == 0, done.stderr
    assert out.read_bytes() == study.read_bytes()


@pytest.mark.parametrize("address", ["tcp://127.0.0.1:9", "nonsense://x"])
def test_a_cluster_that_is_not_there_is_one_sentence(tmp_path, address):
    done = python(NO_CLUSTER, *STUDY, tmp_path / "far.parquet", "--scheduler", address)
    assert (done.returncode, done.stdout) == (2, "")
    assert f"--scheduler {address}: no Dask scheduler answers there" in done.stderr
    assert len(done.stderr.splitlines()) == 1


def stopping_at(number):
    """Answer chunks up to one at which somebody presses Ctrl+C."""

    def one(study, chunk):
        if chunk.number == number:
            raise KeyboardInterrupt
        return answered(study, chunk)

    return one
