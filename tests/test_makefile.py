"""`make play` ends as its game does: quietly on Ctrl+C, with an error where there is one.

`make setup` makes `.venv` once, and anew where nothing in it is found any more.
"""

import os
import re
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
GAME = """#!{python}
import os, signal, sys
if sys.argv[1:] != ["play", "--port", "0"]:
    sys.exit(2)
try:
    print("begun", os.getppid(), os.getpid(), flush=True)
    signal.pause()
except KeyboardInterrupt:
    print("kept", flush=True)
    sys.exit(130)
"""

pytestmark = pytest.mark.skipif(
    sys.platform == "win32" or shutil.which("make") is None, reason="needs make and its signals"
)


@pytest.fixture
def make_play(tmp_path):
    """`make play` with options and a game that only waits; the game is ended with the test."""
    game = tmp_path / "domino-rig"
    game.write_text(GAME.format(python=sys.executable))
    game.chmod(0o755)
    begun = []

    def begin(options):
        make = subprocess.Popen(
            ["make", "-o", "setup", "play", f"BIN={tmp_path}", f"OPTIONS={options}"],
            cwd=ROOT,
            env={**os.environ, "MAKEFLAGS": "", "LC_ALL": "C"},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )
        begun.append(make)
        return make

    yield begin
    for make in begun:
        if make.poll() is None:
            os.killpg(make.pid, signal.SIGKILL)
        make.stdout.close()
        make.wait()


def waits_for_it(pid):
    """Whether a process has yet to take notice of Ctrl+C, as Linux tells it."""
    status = Path(f"/proc/{pid}/status")
    told = (
        re.search(r"^ShdPnd:\s*(\w+)$", status.read_text(), re.MULTILINE)
        if status.exists()
        else None
    )
    return told is not None and int(told[1], 16) >> signal.SIGINT - 1 & 1 == 1


def test_whoever_ends_a_game_with_ctrl_c_sees_no_error(make_play):
    make = make_play("--port 0")
    for line in make.stdout:
        if line.startswith("begun"):
            break
    # A terminal sends it to all three. Make gets it first here: if it comes when the game has just
    # ended, make complains of a missing child, which a game that takes its time to end never shows.
    os.kill(make.pid, signal.SIGINT)
    while waits_for_it(make.pid):
        os.sched_yield()
    for pid in map(int, line.split()[1:]):
        os.kill(pid, signal.SIGINT)
    assert make.communicate()[0] == "kept\n"


def test_a_game_that_fails_is_an_error(make_play):
    make = make_play("--port none")
    assert "Error" in make.communicate()[0]
    assert make.returncode == 2


PYTHON = """#!/bin/sh
echo "$@" >> {told}
case "$*" in *"-m venv"*)
  mkdir -p .venv/bin && printf '#!/bin/sh\n' > .venv/bin/python && chmod +x .venv/bin/python;;
esac
"""
"""Writes down what is asked of it, and makes an environment whose Python finds everything."""


@pytest.fixture
def set_up(tmp_path):
    """Run `make setup` in a checkout; gives how often an environment was made, and how."""
    for name in ("Makefile", "pyproject.toml", "constraints.txt"):
        shutil.copy(ROOT / name, tmp_path)
    python, told = tmp_path / "python", tmp_path / "told"
    python.write_text(PYTHON.format(told=told))
    python.chmod(0o755)

    def run():
        told.write_text("")
        environ = {**os.environ, "MAKEFLAGS": ""}
        words = ["make", "setup", f"PYTHON={python}"]
        subprocess.run(words, cwd=tmp_path, env=environ, check=True, capture_output=True)
        return [line for line in told.read_text().splitlines() if "venv" in line]

    return run


def test_an_environment_is_made_once(set_up):
    assert set_up() == ["-m venv .venv"]
    assert set_up() == []


@pytest.mark.parametrize("lost", ["interpreter", "packages"])
def test_an_environment_that_another_python_or_place_has_broken_is_made_anew(
    set_up, tmp_path, lost
):
    set_up()
    python = tmp_path / ".venv/bin/python"
    if lost == "interpreter":
        python.unlink()
        python.symlink_to(tmp_path / "python3.11")
    else:
        python.write_text("#!/bin/sh\necho \"No module named 'rig'\" >&2\nexit 1\n")
    assert set_up() == ["-m venv --clear .venv"]


def test_the_firmware_is_tested_with_the_environment_and_not_with_the_system():
    words = ["make", "-n", "-C", "firmware", "test"]
    environ = {**os.environ, "MAKEFLAGS": "", "LC_ALL": "C"}
    told = subprocess.run(words, cwd=ROOT, env=environ, check=True, capture_output=True, text=True)
    made, tested = told.stdout.index(".venv/ready-dev"), told.stdout.index("pytest tests/firmware")
    assert made < tested
    assert told.stdout[:tested].endswith("cd .. && .venv/bin/python -m ")
