"""What takes long is done by a process beside, and here where there is none."""

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from math import sqrt
from operator import truediv

import pytest

from rig.backroom import Backroom, WorkEnded
from rig.errors import NotPossible
from rig.pusher.protocol import PusherConfused, armed


@pytest.fixture
def room():
    room = Backroom()
    room.open()
    yield room
    room.close()


def test_it_is_done_by_another_process(room):
    assert room.do(os.getpid) != os.getpid()
    assert room.do(sqrt, 16.0) == 4.0


def test_looking_back_at_a_game_loads_no_camera_and_no_model():
    heavy = {"numpy", "cv2", "pymunk", "serial"}
    code = (
        "import sys, rig.history.account; from rig.games.registry import play_of; play_of()\n"
        f"print({heavy} & set(sys.modules))"
    )
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert told.stdout.strip() == "set()"


def test_what_it_raises_is_raised_here_and_it_goes_on(room):
    first = room.do(os.getpid)
    with pytest.raises(ZeroDivisionError):
        room.do(truediv, 1, 0)
    assert room.do(os.getpid) == first


def test_where_it_has_ended_the_work_is_done_here_and_another_is_started(room):
    first = room.do(os.getpid)
    os.kill(first, 9)
    assert room.do(os.getpid) == os.getpid()
    assert room.do(os.getpid) not in (first, os.getpid())


def test_before_it_is_open_and_after_it_is_closed_the_work_is_done_here(room):
    assert Backroom().do(os.getpid) == os.getpid()
    process = room.do(os.getpid)
    room.close()
    assert room.do(os.getpid) == os.getpid()
    with pytest.raises(ProcessLookupError):
        os.kill(process, 0)


def test_a_folder_of_the_same_name_where_it_is_started_does_not_matter(room, tmp_path, monkeypatch):
    (tmp_path / "rig").mkdir()
    (tmp_path / "rig" / "__init__.py").write_text("raise RuntimeError")
    monkeypatch.chdir(tmp_path)
    assert room.do(os.getpid) != os.getpid()


def test_a_refusal_that_cannot_be_carried_over_is_raised_all_the_same(room):
    with pytest.raises(PusherConfused):
        room.do(armed, ())
    assert room.do(os.getpid) != os.getpid()


IDLE = """
os.kill(os.getpid(), 9)
"""
AT_WORK = """
here = os.getpid()
work = f"import os; os.kill({here}, 9)\\nwhile os.getppid() == {here}: pass"
room.do(exec, work)
"""


STANDING_STILL = """
room.pause()
os.kill(os.getpid(), 9)
"""


@pytest.mark.parametrize(
    "end", [IDLE, AT_WORK, STANDING_STILL], ids=["idle", "at work", "standing still"]
)
def test_it_ends_in_silence_with_the_process_that_started_it(end):
    opened = "import os; from rig.backroom import Backroom; room = Backroom(); room.open()"
    words = [sys.executable, "-c", f"{opened}; room.do(os.getpid)\n{end}"]
    # Both hold this end of the pipe: it is at its end once both have ended.
    done = subprocess.run(words, stderr=subprocess.PIPE, timeout=240)
    assert (done.returncode, done.stderr) == (-9, b"")


def test_ctrl_c_at_the_terminal_is_not_for_it(room):
    assert room.do(os.getpgrp) != os.getpgrp()


def test_paused_it_stands_still_until_it_may_go_on(room):
    process = room.do(os.getpid)
    room.pause()
    assert os.WIFSTOPPED(os.waitpid(process, os.WUNTRACED)[1])
    with ThreadPoolExecutor() as pool:
        root = pool.submit(room.do_apart, sqrt, 16.0)
        room.resume()
        assert root.result(240) == 4.0


def test_paused_it_is_closed_like_any_other(room):
    process = room.do(os.getpid)
    room.pause()
    room.close()
    with pytest.raises(ProcessLookupError):
        os.kill(process, 0)


REFUSE = """
from rig.errors import NotPossible
raise NotPossible("photo_mat", "No mat is there.")
"""


def test_a_refusal_comes_back_with_its_reason_and_the_work_is_done_once(room):
    first = room.do(os.getpid)
    with pytest.raises(NotPossible, match="No mat is there") as refused:
        room.do_apart(exec, REFUSE)
    assert refused.value.reason == "photo_mat"
    assert room.do(os.getpid) == first


def test_what_ends_the_other_process_is_not_tried_here(room):
    with pytest.raises(WorkEnded):
        room.do_apart(os._exit, 139)
    assert room.do(os.getpid) != os.getpid()


def test_one_that_is_killed_while_it_starts_does_nothing(room, tmp_path, monkeypatch):
    start = subprocess.Popen

    def killed_meanwhile(*words, **how):
        room.kill()
        return start(*words, **how)

    monkeypatch.setattr(subprocess, "Popen", killed_meanwhile)
    with pytest.raises(WorkEnded):
        room.do_apart(os.mkdir, str(tmp_path / "done"))
    assert not (tmp_path / "done").exists()


ENDLESS = "while True: pass"


def test_work_apart_that_takes_too_long_is_ended_and_another_process_goes_on():
    room = Backroom(most_s=0.05)
    room.open()
    with pytest.raises(WorkEnded):
        room.do_apart(exec, ENDLESS)
    with ThreadPoolExecutor() as pool:  # whose work is its own may take as long as it likes
        assert pool.submit(room.do, sqrt, 16.0).result(240) == 4.0
    room.close()


@pytest.mark.parametrize("way", ["do", "do_apart"])
def test_killed_it_does_nothing_here_either_until_it_is_opened_again(room, way):
    process = room.do(os.getpid)
    with ThreadPoolExecutor() as pool:
        endless = pool.submit(getattr(room, way), exec, ENDLESS)
        while not room._lock.locked():
            pass
        room.kill()
        with pytest.raises(WorkEnded):
            endless.result(240)
    with pytest.raises(WorkEnded):
        getattr(room, way)(os.getpid)
    room.open()
    assert room.do(os.getpid) not in (process, os.getpid())
