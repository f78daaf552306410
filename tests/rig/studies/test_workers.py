"""Work on processes and on a cluster: every piece once, whoever dies under way."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from rig.studies.workers import on_processes

ROOT = Path(__file__).parents[3]


@pytest.mark.parametrize("jobs", [1, 2])
def test_every_piece_is_done_once(jobs):
    assert sorted(on_processes(abs, range(-9, 0), jobs)) == list(range(1, 10))


def test_no_more_pieces_are_taken_than_there_are_processes():
    taken = []

    def pieces():
        for number in range(6):
            taken.append(number)
            yield number

    results = on_processes(abs, pieces(), 2)
    for done in range(1, 7):
        next(results)
        assert len(taken) <= done + 1
    results.close()


# A module that a process of its own can load.
DEATH = """
import os, sys
from functools import partial
from pathlib import Path

from rig.studies.workers import on_processes

def work(folder, number):
    mark = Path(folder) / str(number)
    times = len(mark.read_text()) if mark.exists() else 0
    mark.write_text("x" * (times + 1))
    if number == 3 and times < int(os.environ["DEATHS"]):
        os._exit(9)
    return number

if __name__ == "__main__":
    print(sorted(on_processes(partial(work, sys.argv[1]), range(8), 2)))
"""


@pytest.fixture
def killing(tmp_path):
    """Run work whose third piece ends its process so many times."""

    def run(deaths):
        script = tmp_path / "death.py"
        script.write_text(DEATH)
        marks = tmp_path / "marks"
        marks.mkdir()
        done = subprocess.run(
            [sys.executable, script, marks],
            capture_output=True,
            text=True,
            timeout=120,
            env={**os.environ, "DEATHS": str(deaths), "PYTHONPATH": str(ROOT)},
        )
        return done, {path.name: len(path.read_text()) for path in marks.iterdir()}

    return run


def test_a_process_that_is_killed_loses_one_piece_a_process_at_most(killing):
    done, times = killing(2)
    assert done.stdout == "[0, 1, 2, 3, 4, 5, 6, 7]\n", done.stderr
    assert times["3"] == 3
    assert sum(times.values()) - 8 <= 2 * 2


def test_work_that_kills_every_process_is_one_sentence(killing):
    done, _ = killing(99)
    assert done.returncode == 1
    assert "SurveyError: 3 times a process was ended from outside" in done.stderr


@pytest.mark.skipif(sys.platform == "win32", reason="no SIGKILL")
def test_processes_end_with_the_one_that_started_them(tmp_path):
    script = tmp_path / "parent.py"
    script.write_text(
        "import os, signal, sys, time\n"
        "from rig.studies.workers import on_processes\n"
        "def work(number):\n"
        "    print(os.getpid(), flush=True)\n"
        "    time.sleep(number and 600)\n"
        "if __name__ == '__main__':\n"
        "    next(on_processes(work, range(3), 2))\n"
        "    os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    # The pipe is at its end when nobody is left who could write into it.
    done = subprocess.run(
        [sys.executable, script],
        stdout=subprocess.PIPE,
        timeout=120,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    assert done.returncode == -signal.SIGKILL
    assert done.stdout.splitlines()
