"""What takes long is done by a process beside, and here where there is none."""

import os
from math import sqrt
from operator import truediv

import pytest

from rig.backroom import Backroom


@pytest.fixture
def room():
    room = Backroom()
    room.open()
    yield room
    room.close()


def test_it_is_done_by_another_process(room):
    assert room.do(os.getpid) != os.getpid()
    assert room.do(sqrt, 16.0) == 4.0


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
