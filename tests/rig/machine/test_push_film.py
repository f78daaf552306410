"""How the rig films a push: gaps are outlived, and the film is kept where people want it."""

import os
from contextlib import nullcontext
from types import SimpleNamespace

import numpy as np
import pytest

from physics.row.chain import Chain
from rig.clock import ManualClock
from rig.config import FilmWishes
from rig.films.film_script import Films
from rig.machine.push_film import REST_S, PushFilm
from rig.machine.push_runner import PushRunner
from rig.row.row_table import RowTable
from tests.support.clips import load_clip
from vision.capture.camera import CameraGone, Frame
from vision.capture.clip import Clip
from vision.look.film import Film


class Script:
    """An observer whose camera follows a script of frames and failures, then stays at the last."""

    def __init__(self, shots, journal=None):
        self.rig = SimpleNamespace()
        self.virtual = False
        self.clock = ManualClock()
        journal = SimpleNamespace(path=journal)
        camera = SimpleNamespace(clip=True)
        self.session = SimpleNamespace(
            clock=self.clock,
            journal=journal,
            config=SimpleNamespace(camera=camera, film=FilmWishes()),
            live=SimpleNamespace(films=Films(True)),
            table=RowTable(),
        )
        self.shots = list(shots)
        self.eye = SimpleNamespace(intrinsics=None)
        self.see = None

    def timed(self, stage):
        return nullcontext()

    def frame(self):
        shot = self.shots.pop(0) if len(self.shots) > 1 else self.shots[0]
        if isinstance(shot, Exception):
            raise shot
        return shot


class Collected(list):
    """A watch that is at rest after so many frames."""

    def __init__(self, enough=99):
        super().__init__()
        self.enough = enough

    add = list.append

    def outcome(self, see):
        return self

    @property
    def at_rest(self):
        return len(self) >= self.enough


def frame(n):
    return Frame(np.full((54, 96, 3), n, np.uint8), 0.03 * n)


def film(machine, watch, clip=None, moving=lambda: False):
    sight = SimpleNamespace(tiles=())
    filming = PushFilm(machine, machine.clock, sight, Chain(()), clip)
    filming._watch = watch
    assert filming.until_rest(moving) is watch


@pytest.fixture(autouse=True)
def clock_runs(monkeypatch):
    monkeypatch.setattr(ManualClock, "sleep", lambda self, s: self.advance(s))


def test_the_same_frame_of_a_real_camera_is_one_look():
    frames = [frame(1), frame(2), frame(3)]
    watch = Collected(enough=3)
    film(Script([frames[0]] * 4 + [frames[1]] * 5 + [frames[2]]), watch)
    assert [f.time_s for f in watch] == [f.time_s for f in frames]


def test_a_camera_that_comes_back_films_on():
    gone = CameraGone("the camera is unplugged; plug it in")
    watch = Collected(enough=2)
    film(Script([frame(1), gone, gone, gone, frame(2)]), watch)
    assert len(watch) == 2


def test_a_row_that_moves_only_after_the_stroke_is_seen_to_fall():
    still, tipped = np.zeros((54, 96, 3), np.uint8), np.full((54, 96, 3), 200, np.uint8)
    shots = [Frame(still if n < 60 else tipped, 0.03 * n) for n in range(200)]
    machine, watch = Script(shots), Film()
    watch.outcome = lambda see: watch
    film(machine, watch, moving=lambda: machine.shots[0].time_s < 0.03 * 58)
    assert watch.stirred_s == 0.03 * 60


def test_a_camera_that_does_not_come_back_ends_the_film():
    machine, watch = Script([frame(1), CameraGone("unplugged")]), Collected()
    film(machine, watch)
    assert (len(watch), machine.clock.monotonic_s() > REST_S) == (1, True)


def test_a_camera_that_is_gone_from_the_start_films_nothing():
    with pytest.raises(CameraGone):
        film(Script([CameraGone("unplugged")]), Collected())


def test_the_film_of_a_push_is_kept_beside_the_journal(tmp_path):
    machine, clip = Script([frame(n) for n in range(6)], tmp_path / "evening.sqlite3"), Clip()
    film(machine, Collected(enough=6), clip)
    PushRunner(machine.session, machine.rig, machine)._keep(clip)
    assert len(load_clip(tmp_path / "evening-clips" / "push-0001")) == 6
    assert (tmp_path / "evening-clips").stat().st_mode & 0o077 == 0 or os.name != "posix"


@pytest.mark.parametrize(
    ("films", "on", "kept"),
    [(Films(True), True, 4), (Films(True), False, 0), (Films(False), True, 0), (None, True, 0)],
)
def test_the_fall_alone_is_kept_for_the_film_that_phones_get(tmp_path, films, on, kept):
    machine, clip = Script([frame(1)], tmp_path / "evening.sqlite3"), Clip()
    machine.session.live.films = films
    machine.session.table = RowTable(films=FilmWishes(on=on))
    for n in range(6):
        clip.add(Frame(frame(n).image, 0.25 * n))
    PushRunner(machine.session, machine.rig, machine)._keep_for_film(clip, 7, stirred_s=1.0)
    found = list((tmp_path / "evening-films" / "push-7").glob("*/*.jpg"))
    assert len(found) == kept


def test_a_full_disk_does_not_stop_the_game(tmp_path, caplog):
    machine, clip = Script([frame(1)], tmp_path / "evening.sqlite3"), Clip()
    clip.add(frame(1))
    (tmp_path / "evening-clips").write_text("in the way")
    PushRunner(machine.session, machine.rig, machine)._keep(clip)
    assert "clip = false" in caplog.text
