"""What goes wrong at a terminal ends in one sentence and a known exit code."""

import json
import os
import re
import signal
import sqlite3
import struct
import subprocess
import sys
import zlib
from pathlib import Path

import pytest

from rig.cli.main import main
from rig.cli.parser import COMMANDS
from rig.cli.signals import PATIENCE_S, Signals
from rig.history.gamefile import dumped, made
from rig.journal import Journal
from tests.support.evenings import played
from tests.support.words import LANGUAGES

DATA = Path(__file__).parent / "data"
FRAME = DATA / "frames" / "practice_s01_f0.jpg"
CAMERA = DATA / "frames" / "practice_s01_f0.json"
ROWS = DATA / "rows-60.jsonl"
GAME = DATA / "games" / "version-1-game.json"
NO_GL = "libGL.so.1: cannot open shared object file: No such file or directory"


def said(capsys, *words):
    """Run a command in this process; give its exit code and what it said."""
    try:
        code = main([str(word) for word in words])
    except SystemExit as stop:
        code = stop.code
    return code, capsys.readouterr()


def one_sentence(capsys, *words):
    """Run a command that is refused; give the one sentence it is refused with."""
    code, out = said(capsys, *words)
    assert (code, out.out) == (2, "")
    assert len(out.err.strip().splitlines()) == 1, out.err
    return out.err


def program(*words, folder=None, **environment):
    """Give how a command is started as a program of its own."""
    path = {} if folder is None else {"PYTHONPATH": str(folder)}
    return {
        "args": [sys.executable, "-m", "rig.cli.main", *(str(word) for word in words)],
        "stdout": subprocess.PIPE,
        "stderr": subprocess.PIPE,
        "env": {**os.environ, **path, **environment},
    }


def fake(folder, module, text):
    """Put a module of ours in front of the real one."""
    (folder / module).mkdir()
    (folder / module / "__init__.py").write_text(text, encoding="utf-8")


# Words


@pytest.mark.parametrize(
    ("words", "meant"),
    [
        (["plya"], "do you mean play?"),
        (["predcit"], "do you mean predict?"),
        (["camera", "lits"], "do you mean list?"),
        (["print", "pusher_tag"], "do you mean pusher-tag?"),
        (["calibrate", "lens", "--of", "bord", "a"], "do you mean board?"),
        (["predict", "rows", "--jsno"], "do you mean --json?"),
        (["play", "--no-bowser"], "do you mean --no-browser?"),
        (["learn", "rows", "--uot", "file"], "do you mean --out?"),
        (["calibrate", "pusher", "frame", "--cameras=c"], "do you mean --camera?"),
        (["camera", "check", "0", "--power-line", "55"], "do you mean 50"),
        (["completion", "tcsh"], "only bash, zsh, fish"),
    ],
)
def test_a_typo_is_told_the_nearest_word(capsys, words, meant):
    sentence = one_sentence(capsys, *words)
    assert meant in sentence and "--help" in sentence


@pytest.mark.parametrize("words", [["pusher", "watch", "/dev/ttyUSB0"], ["play", "8000"]])
def test_a_word_too_many_is_told_with_the_help_of_its_own_command(capsys, words):
    *command, too_many = words
    sentence = one_sentence(capsys, *words)
    assert f"{too_many}; see domino-rig {' '.join(command)} --help" in sentence


def test_an_option_may_still_be_shortened(capsys):
    assert "'x'" in one_sentence(capsys, "predict", "rows", "--se", "x")


@pytest.mark.parametrize(
    "words",
    [
        ["demo", "--seed", "x"],
        ["demo", "--players", "1"],
        ["play", "--port", "http"],
        ["doctor", "--wait", "-1"],
        ["doctor", "--wait", "nan"],
        ["see", "a.jpg", "--width", "0"],
        ["predict", "rows", "--runs", "0"],
        ["predict", "rows", "--seed", "-1"],
        ["predict", "rows", "--jobs", "100000"],
        ["reference", "rows", "--out", "o", "--jobs", "100000"],
        ["learn", "rows", "--out", "o", "--seed", "-1"],
        ["fit", "rows", "--out", "o", "--epochs", "0"],
        ["reference", "rows", "--out", "o", "--draw", "0"],
        ["reference", "rows", "--out", "o", "--standard", "2"],
        ["replay", "game", "--game", "0"],
        ["camera", "shoot", "0", "folder", "--every", "61"],
        ["calibrate", "survey", "a", "--camera", "c", "--ruler", "9"],
        ["print", "marks", "--tile", "48x24"],
    ],
)
def test_a_number_out_of_its_bounds_is_told_what_was_expected(capsys, words):
    assert "expected" in one_sentence(capsys, *words)


@pytest.mark.parametrize("command", ["bench", "play", "doctor"])
def test_every_command_has_the_same_ports(capsys, command):
    error = one_sentence(capsys, command, "--port", 99999)
    assert "--port: expected a whole number from 0 to 65535, got '99999'" in error


@pytest.mark.parametrize(("option", "range_"), [("--bots", "0 to 5"), ("--tables", "1 to 300")])
def test_what_is_wrong_with_an_option_names_the_option_and_no_setting(capsys, option, range_):
    error = one_sentence(capsys, "play", option, 301)
    assert f"{option}: expected a whole number from {range_}, got '301'" in error


# Files


def _folder(tmp_path):
    return tmp_path


def _missing(tmp_path):
    return tmp_path / "nothing"


def _under_a_file(tmp_path):
    (tmp_path / "file").write_text("x")
    return tmp_path / "file" / "nothing"


def _going_round(tmp_path):
    path = tmp_path / "round"
    path.symlink_to(path)
    return path


def _too_long(tmp_path):
    return tmp_path / ("long" * 100)


def _noise(tmp_path):
    path = tmp_path / "noise"
    path.write_bytes(bytes(range(256)) * 8)
    return path


BAD_FILES = (_folder, _missing, _under_a_file, _going_round, _too_long, _noise)
READERS = {
    "play settings": ("play", "--no-browser", "--config", "PATH"),
    "replay": ("replay", "PATH"),
    "pushes": ("pushes", "PATH", "--out", "pushes.jsonl"),
    "see": ("see", "PATH"),
    "see camera": ("see", FRAME, "--camera", "PATH"),
    "see mat": ("see", FRAME, "--camera", CAMERA, "--mat", "PATH"),
    "print mat": ("print", "mat", "--mat", "PATH"),
    "print marks": ("print", "marks", "--marks", "PATH"),
    "calibrate lens": ("calibrate", "lens", "PATH"),
    "calibrate survey": ("calibrate", "survey", "PATH", "--camera", CAMERA),
    "calibrate pusher": ("calibrate", "pusher", "PATH", "--camera", CAMERA),
    "calibrate settings": ("calibrate", "pusher", FRAME, "--camera", CAMERA, "--config", "PATH"),
    "predict": ("predict", "PATH"),
    "predict table": ("predict", ROWS, "--table", "PATH"),
    "learn": ("learn", "PATH", "--out", "table.json"),
    "fit": ("fit", "PATH", "--out", "hazard.json"),
    "reference": ("reference", "PATH", "--out", "rows.jsonl"),
}


OF_FORMATS = {name: words for name, words in READERS.items() if "settings" not in name}
TO_DO = re.compile(r"\b(name|give|make|save|expected|export|install|must)\b|is missing")
"""By these words a sentence says what to do about a file, or what has to be in it."""


@pytest.mark.parametrize("bad", BAD_FILES)
@pytest.mark.parametrize("words", READERS.values(), ids=READERS)
def test_a_file_that_cannot_be_read_is_named(capsys, tmp_path, monkeypatch, words, bad):
    monkeypatch.chdir(tmp_path)
    path = bad(tmp_path)
    before = sorted(tmp_path.iterdir())
    sentence = one_sentence(capsys, *(path if word == "PATH" else word for word in words))
    assert str(path) in sentence
    assert TO_DO.search(sentence), sentence
    assert sorted(tmp_path.iterdir()) == before


@pytest.mark.parametrize("content", [b"", b"null", b"[1]", b"{}"])
@pytest.mark.parametrize("words", OF_FORMATS.values(), ids=OF_FORMATS)
def test_a_file_of_another_kind_is_told_what_was_expected_and_left_alone(
    capsys, tmp_path, words, content
):
    path = tmp_path / "file"
    path.write_bytes(content)
    sentence = one_sentence(capsys, *(path if word == "PATH" else word for word in words))
    assert str(path) in sentence
    assert TO_DO.search(sentence), sentence
    assert path.read_bytes() == content


@pytest.mark.parametrize(("command", "writer"), [("learn", "pushes"), ("fit", "reference")])
def test_what_is_to_be_learned_from_is_told_by_who_writes_it(capsys, tmp_path, command, writer):
    path = tmp_path / "prediction.json"
    path.write_text('{"format": "domino-rig-prediction", "version": 1}')
    sentence = one_sentence(capsys, command, path, "--out", tmp_path / "out.json")
    assert f"{command} reads what `domino-rig {writer}` writes" in sentence


@pytest.mark.parametrize(
    "words", [["replay"], ["predict"], ["pushes", "--out", "out.jsonl"]], ids=" ".join
)
def test_who_reads_a_journal_is_not_sent_to_an_option_of_play(capsys, tmp_path, words):
    strange = tmp_path / "strange.sqlite3"
    with sqlite3.connect(strange) as db:
        db.execute("CREATE TABLE anything (n)")
    db.close()
    sentence = one_sentence(capsys, *words, strange)
    assert "name another file" in sentence
    assert "--" not in sentence


@pytest.mark.parametrize("language", LANGUAGES)
def test_only_who_opens_a_table_is_told_of_the_option_of_play(capsys, tmp_path, language):
    strange = tmp_path / "strange.sqlite3"
    strange.write_bytes(b"SQLite format 3\0" + b"x" * 200)
    read = one_sentence(capsys, "replay", strange, "--language", language)
    assert "--journal" not in read
    words = ("play", "--no-browser", "--journal", strange, "--language", language)
    opened = one_sentence(capsys, *words).strip()
    assert re.search(r"\. [^.]+: --journal (FILE|DATEI|ФАЙЛ)\.$", opened), opened


def test_a_sentence_has_nothing_that_a_terminal_would_obey(capsys, tmp_path):
    game = {**json.loads(GAME.read_text()), "game": "\x1b[2Jgone"}
    file = tmp_path / "game.json"
    file.write_text(json.dumps(game))
    assert "?[2Jgone" in one_sentence(capsys, "replay", file, "--language", "uk")
    assert "?[2J.json" in one_sentence(capsys, "predict", tmp_path / "\x1b[2J.json")


def test_a_folder_is_not_said_to_be_missing(capsys, tmp_path):
    sentence = one_sentence(capsys, "pushes", tmp_path, "--out", tmp_path / "out.jsonl")
    assert f"{tmp_path} is a folder, so it is no journal" in sentence


def test_a_picture_that_would_fill_the_memory_is_not_unpacked(tmp_path):
    def part(kind, data):
        return (
            struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        )

    width, height = 10_000, 10_001
    head = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    rows = zlib.compress(bytes(height * (1 + width)), 1)
    bomb = tmp_path / "bomb.png"
    parts = part(b"IHDR", head), part(b"IDAT", rows), part(b"IEND", b"")
    bomb.write_bytes(b"\x89PNG\r\n\x1a\n" + b"".join(parts))
    done = subprocess.run(**program("see", bomb), check=False)
    assert done.returncode == 2
    assert b"is not an image that can be read" in done.stderr


WRITERS = {
    "print": ("print", "charuco", "--out", "PATH"),
    "camera": ("camera", "preview", "nobody", "PATH"),
    "predict": ("predict", ROWS, "--runs", 1, "--out", "PATH"),
    "predict report": ("predict", ROWS, "--runs", 1, "--report", "PATH"),
    "replay": ("replay", GAME, "--export", "PATH"),
}


@pytest.mark.parametrize("bad", [_folder, _under_a_file, _too_long])
@pytest.mark.parametrize("words", WRITERS.values(), ids=WRITERS)
def test_a_file_that_cannot_be_written_is_refused(capsys, tmp_path, words, bad):
    path = bad(tmp_path)
    sentence = one_sentence(capsys, *(path if word == "PATH" else word for word in words))
    assert re.search(r"name |check ", sentence), sentence


# OpenCV

EACH = """
import contextlib, io, json, sys
from rig.cli.main import main
for words in json.loads(sys.argv.pop()):
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            code = main(words)
        except SystemExit as stop:
            code = stop.code
    print(json.dumps([code, out.getvalue(), err.getvalue()]))
"""


def each(commands, folder, **environment):
    """Run commands in a process of their own; give code, out and err of each."""
    words = json.dumps([[str(word) for word in command] for command in commands])
    how = {**os.environ, "PYTHONPATH": str(folder), **environment}
    done = subprocess.run(
        [sys.executable, "-c", EACH, words], capture_output=True, env=how, cwd=folder, check=False
    )
    assert not done.stderr, done.stderr.decode()
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_without_the_libraries_of_opencv_a_sentence_says_what_to_install(tmp_path):
    fake(tmp_path, "cv2", f"raise ImportError({NO_GL!r})")
    commands = [
        ["play", "--no-browser"],
        ["demo"],
        ["see", FRAME],
        ["camera", "list"],
        ["print", "mat"],
        ["calibrate", "lens", "folder"],
    ]
    for code, out, err in each(commands, tmp_path):
        assert (code, out) == (2, "")
        assert len(err.splitlines()) == 1 and NO_GL in err
        assert "apt install libgl1 libglib2.0-0" in err and "opencv-python-headless" in err


def test_what_needs_no_opencv_goes_without(tmp_path):
    fake(tmp_path, "cv2", f"raise ImportError({NO_GL!r})")
    Journal(tmp_path / "table.sqlite3").close()
    (tmp_path / "row.jsonl").write_text(ROWS.read_text(encoding="utf-8").splitlines()[0])
    commands = [
        ["predict", "row.jsonl", "--runs", "1"],
        ["completion", "bash"],
    ]
    for code, out, err in each(commands, tmp_path):
        assert (code, err) == (0, "") and out
    refusals = [
        ["learn", "row.jsonl", "--out", "h.json"],
        ["replay", "table.sqlite3"],
        ["pushes", "table.sqlite3", "--out", "pushes.jsonl"],
        ["pusher", "watch", "--port", "/dev/ttyNOBODY"],
    ]
    for code, _, err in each(refusals, tmp_path):
        assert code == 2 and "OpenCV" not in err and len(err.splitlines()) == 1


def test_the_doctor_works_without_opencv_and_says_so(tmp_path):
    fake(tmp_path, "cv2", f"raise ImportError({NO_GL!r})")
    settings = tmp_path / "rig.toml"
    settings.write_text(
        "[camera]\nkind = 'opencv'\nid = 'cam'\n[pusher]\nkind = 'serial'\nport = '/dev/no'\n"
    )
    words = ["doctor", "--json", "--config", settings, "--journal", "t.sqlite3", "--port", "0"]
    ((code, out, err),) = each([words], tmp_path)
    checks = {check["name"]: check for check in json.loads(out)["checks"]}
    assert (code, err, checks["opencv"]["mark"]) == (1, "", "failed")
    assert "apt install libgl1" in checks["opencv"]["points"][0]["why"]
    assert NO_GL in checks["camera"]["points"][0]["why"]
    assert "/dev/no" in checks["pusher"]["points"][0]["why"]


def test_a_package_that_is_missing_is_named(tmp_path):
    fake(tmp_path, "pymunk", "raise ModuleNotFoundError('No module named pymunk', name='pymunk')")
    ((code, _, err),) = each([["predict", ROWS]], tmp_path)
    assert code == 2 and "the package pymunk is missing" in err


# Terminals

PROGRAM = """
import json, os, sys
from rig.cli.main import main
for words in json.loads(sys.argv.pop()):
    sys.argv[1:] = [os.fsdecode(word.encode()) for word in words]
    try:
        code = main()
    except SystemExit as stop:
        code = stop.code
    print(f"exit code {code}", file=sys.stderr)
"""


@pytest.fixture(scope="module")
def evening(tmp_path_factory):
    """A folder with a game of people whose names most encodings lack."""
    folder = tmp_path_factory.mktemp("evening")
    (folder / "game.json").write_bytes(dumped(made(played(19))))
    return folder


@pytest.mark.parametrize("encoding", ["cp1251", "cp866", "posix"])
def test_no_encoding_of_the_output_makes_a_command_fail(evening, encoding):
    row = evening / "row →.jsonl"
    row.write_text(ROWS.read_text(encoding="utf-8").splitlines()[0], encoding="utf-8")
    commands = [
        ["predict", row, "--runs", "2", "--detail"],
        ["replay", "game.json"],
        ["replay", "game.json", "--json"],
        ["print", "charuco", "--out", "é→.pdf"],
        ["doctor", "--port", "0", "--wait", "0.01"],
        ["completion", "fish"],
        ["see", "кадр.jpg"],
        ["replay", "→.json"],
        ["plеy"],
        *([command, "--help"] for command in COMMANDS),
    ]
    if encoding == "posix":
        how = {"LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0", "PYTHONIOENCODING": ""}
        encoding = "ascii"
    else:
        how = {"PYTHONIOENCODING": encoding}
    words = json.dumps([[str(word) for word in command] for command in commands])
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, words],
        capture_output=True,
        env={**os.environ, "XDG_DATA_HOME": str(evening), **how},
        cwd=evening,
        check=False,
    )
    err = done.stderr.decode(encoding)
    codes = [int(line.split()[-1]) for line in err.splitlines() if line.startswith("exit code")]
    assert codes == [0, 0, 0, 0, 1, 0, 2, 2, 2, *(0 for _ in COMMANDS)], err
    assert "Traceback" not in err
    out = done.stdout.decode(encoding)
    assert " -> " in out and "→" not in out
    told = [json.loads(line)["words"] for line in out.splitlines() if line.startswith('{"format"')]
    assert "Борис sits down." in told  # programs read every sign
    assert ("Борис sits down." in out) == (encoding in ("cp1251", "cp866"))


# Whoever wants it to end

PRESSED = "import os, signal\nos.kill(os.getpid(), signal.{})\n"


@pytest.mark.parametrize(
    ("module", "words", "name", "code"),
    [
        ("argparse", ["--help"], "SIGINT", 130),
        ("textwrap", ["doctor", "--help"], "SIGTERM", 143),
        ("numpy", ["predict", ROWS], "SIGINT", 130),
        ("cv2", ["see", FRAME], "SIGINT", 130),
        ("flask", ["play", "--no-browser"], "SIGTERM", 143),
        ("serial", ["pusher", "find"], "SIGHUP", 129),
    ],
)
def test_whoever_ends_it_while_it_loads_is_answered_with_one_word(
    tmp_path, module, words, name, code
):
    fake(tmp_path, module, PRESSED.format(name))
    done = subprocess.run(**program(*words, folder=tmp_path), check=False)
    assert (done.returncode, done.stdout, done.stderr) == (code, b"", b"Stopped.\n")


@pytest.mark.parametrize(("wish", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_table_that_is_ended_is_kept(tmp_path, wish, code):
    words = ("play", "--no-browser", "--port", "0", "--journal", tmp_path / "t.sqlite3")
    hands = tmp_path / "hands.toml"
    hands.write_text("[camera]\nkind = 'none'\n[pusher]\nkind = 'hand'\n")
    how = program(*words, "--config", hands, PYTHONIOENCODING="ascii")
    with subprocess.Popen(**how) as table:
        while b"Stop with Ctrl+C" not in table.stdout.readline():
            assert table.poll() is None
        table.send_signal(wish)
        _, err = table.communicate()
    again = f"domino-rig play --journal {tmp_path / 't.sqlite3'} --config {hands}"
    kept = f"The table is kept; `{again}` goes on where it stopped.\n"
    assert (table.returncode, err.decode()) == (code, kept)
    Journal(tmp_path / "t.sqlite3").close()


@pytest.mark.parametrize(("encoding", "word"), [("utf-8", "Зупинено."), ("ascii", "????????.")])
def test_the_last_word_is_written_in_the_alphabet_of_its_language(encoding, word):
    words = ("pusher", "watch", "--port", "virtual", "--language", "uk")
    with subprocess.Popen(**program(*words, PYTHONIOENCODING=encoding)) as watch:
        assert watch.stdout.readline()
        watch.send_signal(signal.SIGINT)
        _, err = watch.communicate()
    assert err.decode(encoding).splitlines()[-1] == word


@pytest.mark.parametrize(
    "moment",
    [
        "rig.cli.opening.create_app",
        "rig.cli.opening.open_rig",
        "rig.cli.opening.Server.start",
        "rig.cli.play.BotSeats.start",
        "rig.cli.play.settle",
        "rig.cli.play._tell",
        "webbrowser.open",
    ],
)
def test_ctrl_c_at_any_moment_of_opening_lets_go_of_the_table(capfd, tmp_path, monkeypatch, moment):
    def pressed(*_, **__):
        raise KeyboardInterrupt

    hands = tmp_path / "hands.toml"
    hands.write_text("[camera]\nkind = 'none'\n[pusher]\nkind = 'hand'\n")
    monkeypatch.setattr("webbrowser.open", lambda url: True)
    monkeypatch.setattr(moment, pressed)
    journal = tmp_path / "t.sqlite3"
    code = main(["play", "--port", "0", "--journal", str(journal), "--config", str(hands)])
    assert code == 130
    assert len(capfd.readouterr().err.splitlines()) == 1
    Journal(journal).close()


class Left(BaseException):
    """Stands for the end of the process."""


def leave(code):
    raise Left(code)


def test_ctrl_c_pressed_again_is_the_same_wish_until_patience_ends(monkeypatch):
    now_s = [100.0]
    monkeypatch.setattr("time.monotonic", lambda: now_s[0])
    monkeypatch.setattr("os._exit", leave)
    signals = Signals()
    signals.busy = True
    with pytest.raises(KeyboardInterrupt):
        signals._heard(signal.SIGTERM, None)
    now_s[0] += PATIENCE_S
    signals._heard(signal.SIGINT, None)  # a pusher is being stopped meanwhile
    now_s[0] += 0.1
    with pytest.raises(Left, match="143"):
        signals._heard(signal.SIGINT, None)


def test_a_worker_goes_without_a_word(monkeypatch, capfd):
    signals = Signals()
    monkeypatch.setattr("os.getpid", lambda: 0)
    monkeypatch.setattr("os._exit", leave)
    with pytest.raises(Left, match="130"):
        signals._heard(signal.SIGINT, None)
    assert capfd.readouterr().err == ""


def test_a_reader_that_goes_away_ends_it_in_silence():
    with subprocess.Popen(**program("predict", ROWS, "--runs", "1")) as answers:
        assert b"falls with" in answers.stdout.readline()
        answers.stdout.close()
        assert (answers.wait(), answers.stderr.read()) == (141, b"")
    reader, writer = os.pipe()
    os.close(reader)
    how = {**program("--help", PYTHONUNBUFFERED=""), "stdout": writer}
    with subprocess.Popen(**how) as help_:
        os.close(writer)
        assert (help_.wait(), help_.stderr.read()) == (141, b"")


def test_a_command_that_is_started_with_its_output_closed_does_its_work():
    start = "import os, sys; os.close(1); os.execv(sys.executable, [sys.executable, *sys.argv[1:]])"
    started = program("rows", "--draw", "line", "--count", "2")
    words = started.pop("args")[1:]
    ended = subprocess.run([sys.executable, "-c", start, *words], **started, timeout=60)
    assert (ended.returncode, ended.stderr) == (0, b"")
