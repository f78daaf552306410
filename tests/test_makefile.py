"""`make play` ends as its game does: quietly on Ctrl+C, with an error where there is one."""

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
