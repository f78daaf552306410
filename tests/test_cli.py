"""What a person meets who types something wrong: one sentence, exit code 2, nothing written."""

import gc
import json
import os
import shlex
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
from importlib import import_module
from importlib.metadata import version
from itertools import takewhile
from pathlib import Path

import pytest

import rig.cli.parser as grammar
from physics.learn import draw_rows, fit, reference
from physics.predict import predict
from physics.row.push import Push
from physics.rows.generators import Shape
from rig.cli.main import main
from rig.cli.parser import COMMANDS
from rig.config import _RANGES
from rig.history.gamefile import dumped, made
from rig.journal import Journal
from tests.support.evenings import played
from vision.capture.settings import CameraSettings
from vision.print.paper import PAPERS
from vision.print.sheets import WHAT
from vision.tuning.tuning import TUNING

DATA = Path(__file__).parent / "data"
FRAME = DATA / "frames" / "practice_s01_f0.jpg"
ROW = (DATA / "rows-60.jsonl").read_text(encoding="utf-8").splitlines()[0]
EYE = {"K": [[1500, 0, 960], [0, 1500, 540], [0, 0, 1]], "dist": [0, 0, 0, 0, 0]}


def said(capsys, *words):
    """Run the command; give its exit code and what it said."""
    try:
        code = main([str(word) for word in words])
    except SystemExit as stop:
        code = stop.code
    return code, capsys.readouterr()


def test_help_version_and_typos_load_nothing_slow():
    words = [["--help"], ["--version"], [], ["plya"], ["see", "--jsn"]]
    words += [[command, "--help"] for command in COMMANDS]
    heavy = (
        "numpy",
        "cv2",
        "flask",
        "pymunk",
        "wasmtime",
        "serial",
        "physics.row.tile",
        "rig.config",
    )
    script = f"""
import sys
from rig.cli.main import main
for words in {words!r}:
    try:
        main(words)
    except SystemExit:
        pass
sys.exit(", ".join(name for name in {heavy!r} if name in sys.modules))
"""
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=False
    )
    assert done.stderr.splitlines()[-1:] == [""] and "usage: domino-rig" in done.stdout


def test_what_is_loaded_is_no_garbage_and_what_a_command_makes_may_be(capsys, monkeypatch):
    kept = []
    monkeypatch.setattr(gc, "freeze", lambda: kept.append(gc.isenabled()))
    gc.disable()
    try:
        code, _ = said(capsys, "rows", "--draw", "line")
        assert (code, kept, gc.isenabled()) == (0, [False], True)
    finally:
        gc.enable()


def test_the_version_is_that_of_the_distribution(capsys):
    assert said(capsys, "--version") == (0, (version("domino-rig") + "\n", ""))


def test_without_a_command_the_help_is_shown(capsys):
    code, bare = said(capsys)
    assert (code, bare.err) == (0, "")
    assert bare == said(capsys, "--help")[1]


def test_what_a_help_tells_of_the_usual_is_true():
    assert set(grammar.PAPERS) == set(PAPERS)
    assert set(grammar.SHEETS) == set(WHAT)
    assert grammar.FALLS == predict.RUNS == reference.RUNS
    assert tuple(Shape) == grammar.SHAPES
    assert (grammar.EPOCHS, grammar.STANDARD_SHARE) == (fit.EPOCHS, draw_rows.STANDARD_SHARE)
    assert (grammar.DRAWN_TILES, grammar.DRAWN_WIDTHS) == (draw_rows.TILES, draw_rows.WIDTHS)
    assert (CameraSettings().width, CameraSettings().height) == grammar.PICTURE_PX
    limits = (("network", "port"), ("table", "tables"), ("table", "bots"))
    assert [_RANGES[each] for each in limits] == [grammar.PORTS, grammar.TABLES, grammar.BOTS]
    ruler_mm = TUNING.mat_survey.ruler_mm
    assert (ruler_mm, Push().standoff_mm) == (grammar.RULER_MM, grammar.STANDOFF_MM)


LEAVES = [
    *([command] for command in COMMANDS),
    *(["camera", what] for what in ("list", "preview", "check", "shoot")),
    *(["pusher", what] for what in ("find", "watch", "try", "flash")),
    *(["calibrate", what] for what in ("lens", "survey", "pusher")),
]
RUN = (
    ["predict", "rows.jsonl"],
    ["predict", "row.json"],
    ["survey", "--vary", "gap=5..60"],
    ["survey", "--vary", "gap=20..60"],
    ["survey", "--from"],
    ["learn"],
    ["replay", "game.json"],
    ["replay", "table.sqlite3"],
    ["pushes"],
    ["see", "frame.jpg"],
    ["print"],
    ["completion"],
    ["calibrate", "lens", "board"],
)
"""What of the examples needs neither a device nor minutes: it is run, not only understood."""


def examples(capsys, *command):
    """Give the examples of a help, each as words, without what the shell does with its output."""
    _, out = said(capsys, *command, "--help")
    lines = out.out.partition("examples:")[2].splitlines()
    assert lines[1:] and all(line.startswith("  domino-rig ") for line in lines[1:])
    each = [shlex.split(line, comments=True)[1:] for line in lines[1:]]
    return [list(takewhile(lambda word: word not in (">", "<", "|"), words)) for words in each]


def pushes():
    """Eight rows of three tiles in which the last tile always stayed."""
    tiles = [{"x_mm": 0, "y_mm": 0}, {"x_mm": 30, "y_mm": 4}, {"x_mm": 56, "y_mm": 18}]
    push = {"tiles": tiles, "nominal_fall": [1, 1, 0]}
    return "\n".join(json.dumps({"id": str(number), **push}) for number in range(8))


@pytest.fixture(scope="module")
def kitchen(tmp_path_factory):
    """A folder with all the files that the examples name."""
    folder = tmp_path_factory.mktemp("kitchen")
    (folder / "rows.jsonl").write_text(ROW)
    (folder / "row.json").write_text(ROW)
    for name, source in (
        ("frame.jpg", FRAME),
        ("empty.jpg", FRAME),
        ("camera.json", FRAME.with_suffix(".json")),
    ):
        shutil.copy(source, folder / name)
    records = played(19)
    (folder / "game.json").write_bytes(dumped(made(records)))
    journal = Journal(folder / "table.sqlite3")
    for record in records:
        journal.append([record])
    journal.close()
    (folder / "board").mkdir()
    shutil.copy(FRAME, folder / "board" / "001.jpg")
    return folder


@pytest.mark.parametrize("command", LEAVES, ids=" ".join)
def test_the_examples_of_every_help_work(capsys, monkeypatch, kitchen, command):
    monkeypatch.chdir(kitchen)
    (kitchen / "pushes.jsonl").write_text(pushes())
    for words in examples(capsys, *command):
        args = grammar.build().parse_args(words)
        module, _, function = args.run.partition(":")
        assert callable(getattr(import_module(f"rig.cli.{module}"), function))
        if any(words[: len(run)] == run for run in RUN):
            code, out = said(capsys, *words)
            # One picture is too few for a lens, this table's pushes were judged by people alone,
            # and no help knows the fingerprint of this game.
            refused = words[0] in ("calibrate", "pushes")
            other = 2 if refused else int("--fingerprint" in words)
            assert code == other, out.err


EXCLUDED = [
    ("see", "--phone", ["--camera c.json", "--empty e.jpg"]),
    ("see", "--row", ["--json"]),
    ("see", "--score .", ["FRAME", "--camera c.json", "--empty e.jpg", "--phone", "--row"]),
    ("replay", "--hints", ["--verify", "--fingerprint 0", "--export o.json"]),
    ("replay", "--export o.json", ["--verify", "--fingerprint 0", "--hints", "--json"]),
]
"""Options, each with those that are refused beside it."""


@pytest.mark.parametrize(("command", "option", "others"), EXCLUDED)
def test_the_help_of_an_option_names_those_that_it_excludes(capsys, command, option, others):
    name, *_ = option.split()
    (commands,) = grammar.build()._subparsers._group_actions
    told = commands.choices[command]._option_string_actions[name].help
    file = [] if name == "--score" else ["FILE"]
    for other in others:
        error = refused(capsys, command, *file, *option.split(), *other.split())
        assert name in error or other.split()[0] in error
        assert other.split()[0] in told.partition("not with ")[2]


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help(capsys, command):
    code, out = said(capsys, command, "--help")
    assert code == 0
    assert f"domino-rig {command}" in out.out


@pytest.mark.parametrize(
    "words",
    [
        ["fly"],
        ["demo", "--players", "9"],
        ["play", "--wings"],
        ["demo", "--seed", "x"],
        ["demo", "--seed", "-1"],
    ],
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


def refused(capsys, *words):
    """Run the command; give the one sentence with which it is refused."""
    code, out = said(capsys, *words)
    assert (code, out.out) == (2, "")
    assert len(out.err.strip().splitlines()) == 1, out.err
    assert "Traceback" not in out.err
    return out.err


@pytest.mark.parametrize(
    ("text", "about"),
    [
        (b"", "is empty"),
        (bytes(range(256)), "not UTF-8"),
        (f"{ROW} {ROW}".encode(), "line 1"),
        (f"{ROW}\n{ROW[:60]}".encode(), "line 2"),
        (b"1" + b"0" * 5000, "not JSON"),
        (b"[" * 100_000, "not JSON"),
        (b"null", "expected an object"),
        (b"[1, 2]", "expected an object"),
        (b'{"id": "\\ud800"}', "tiles: expected a list"),
        (ROW.replace('"x_mm":0.0', '"x_mm":NaN', 1).encode(), "x_mm: expected a number"),
        (ROW.replace('"x_mm":0.0', '"x_mm":true', 1).encode(), "x_mm: expected a number"),
        (ROW.replace('"x_mm":0.0', '"x_mm":1e999', 1).encode(), "x_mm: expected a number"),
    ],
)
def test_rows_that_cannot_be_read_are_named(capsys, tmp_path, text, about):
    rows = tmp_path / "rows.json"
    rows.write_bytes(text)
    sentence = refused(capsys, "predict", rows)
    assert str(rows) in sentence
    assert about in sentence


@pytest.mark.parametrize("command", ["predict", "see"])
@pytest.mark.parametrize("name", ["", "missing"])
def test_a_folder_or_nothing_is_no_file(capsys, tmp_path, command, name):
    assert "cannot be read" in refused(capsys, command, tmp_path / name)


@pytest.mark.parametrize(
    "image", [b"", bytes(1000), FRAME.read_bytes()[:3000], FRAME.read_bytes()[:-1000]]
)
def test_a_broken_image_is_named(capsys, tmp_path, image):
    frame = tmp_path / "frame.jpg"
    frame.write_bytes(image)
    assert f"{frame}: is not an image" in refused(capsys, "see", frame)


@pytest.mark.parametrize(
    ("text", "about"),
    [
        ("", "not JSON"),
        ("[" * 100_000, "not JSON"),
        ("[]", "one JSON object"),
        ('{"dist": [0, 0, 0, 0, 0]}', "field K is missing"),
        (json.dumps({**EYE, "K": "a"}), "field K"),
        (json.dumps({**EYE, "K": [[10**400, 0, 0]] * 3}), "field K"),
        (json.dumps({**EYE, "K": [[float("nan"), 0, 0]] * 3}), "field K"),
        (json.dumps({**EYE, "dist": None}), "field dist"),
    ],
)
def test_a_camera_file_that_cannot_be_used_is_named(capsys, tmp_path, text, about):
    camera = tmp_path / "camera.json"
    camera.write_text(text)
    sentence = refused(capsys, "see", FRAME, "--camera", camera)
    assert str(camera) in sentence
    assert about in sentence


def test_a_mat_with_missing_corners_is_named(capsys, tmp_path):
    mat = tmp_path / "mat.json"
    mat.write_text(json.dumps({"markers": {str(n): [[0, 0], [1, 0]] for n in range(4)}}))
    assert str(mat) in refused(capsys, "see", FRAME, "--mat", mat)


def test_a_journal_must_be_a_file_that_can_be_made(capsys, tmp_path):
    (tmp_path / "file").write_text("x")
    for journal in (tmp_path, tmp_path / "file" / "t.sqlite3", tmp_path / "file"):
        words = ("play", "--no-browser", "--port", 0, "--journal", journal)
        assert str(journal) in refused(capsys, *words)
    assert "is not a file" in refused(capsys, *words[:-1], tmp_path, "--new")


@pytest.mark.parametrize("new", [[], ["--new"]])
def test_a_table_that_is_open_elsewhere_is_left_alone(capsys, tmp_path, new):
    path = tmp_path / "t.sqlite3"
    journal = Journal(path)
    words = ("play", "--no-browser", "--port", 0, "--journal", path, *new)
    assert "another domino-rig has this table open" in refused(capsys, *words)
    journal.close()
    assert [file.name for file in tmp_path.iterdir()] == [path.name]


def test_a_full_disk_under_the_output_is_said_in_a_sentence(tmp_path):
    rows = tmp_path / "rows.json"
    rows.write_text(ROW)
    with open("/dev/full", "w") as full:
        words = [sys.executable, "-m", "rig.cli.main", "predict", str(rows), "--runs", "5"]
        done = subprocess.run(words, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert done.returncode == 2
    assert "the disk is full" in done.stderr
    assert len(done.stderr.splitlines()) == 1


def kept(words, **how):
    """What is said on Ctrl+C by a table that is started in this way."""
    with subprocess.Popen(
        words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **how
    ) as table:
        while "Stop with Ctrl+C" not in table.stdout.readline():
            assert table.poll() is None
        table.send_signal(signal.SIGINT)
        _, err = table.communicate()
    assert table.returncode == 130
    return err


def test_ctrl_c_ends_a_table_without_a_traceback(tmp_path):
    words = [sys.executable, "-m", "rig.cli.main", "play", "--no-browser", "--port", "0"]
    words += ["--journal", str(tmp_path / "t.sqlite3")]
    again = f"domino-rig play --journal {tmp_path / 't.sqlite3'}"
    assert kept(words) == f"The table is kept; `{again}` goes on where it stopped.\n"


@pytest.mark.skipif(sys.platform == "win32", reason="needs a script that starts by itself")
@pytest.mark.parametrize(("way", "again"), [("bin", "bin/domino-rig"), ("PATH", "domino-rig")])
def test_the_command_that_goes_on_is_one_that_whoever_started_it_can_type(tmp_path, way, again):
    script = tmp_path / "bin" / "domino-rig"
    script.parent.mkdir()
    script.write_text(
        f"#!{sys.executable}\nimport sys\nfrom rig.cli.main import main\nsys.exit(main())\n"
    )
    script.chmod(0o755)
    there = os.environ["PATH"].split(os.pathsep)
    path = [str(script.parent)] if way == "PATH" else []
    path += [each for each in there if not (Path(each) / "domino-rig").exists()]
    words = [str(script) if way == "PATH" else again, "play", "--no-browser", "--port", "0"]
    words += ["--journal", "t.sqlite3"]
    said = kept(words, cwd=tmp_path, env={**os.environ, "PATH": os.pathsep.join(path)})
    assert said == (
        f"The table is kept; `{again} play --journal t.sqlite3` goes on where it stopped.\n"
    )
