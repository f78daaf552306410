"""Who has films made: which are made and kept, and what happens where something goes wrong."""

import errno
import json
import os
import threading
from dataclasses import replace

import pytest

from physics.errors import PhysicsError
from rig.backroom import WorkEnded
from rig.films import studio
from rig.films.film_folder import FilmFolder, films_of, frames_in
from rig.films.film_script import Films
from rig.journal import DiskTrouble
from rig.session.live import Live
from tests.support.film_scripts import script, words
from web.content.words import film_words


class Room:
    """Makes films in no time, or fails."""

    error = None
    meanwhile = staticmethod(lambda: None)

    def __init__(self):
        self.made, self.words = [], {}
        self.is_paused, self.resumed = False, threading.Event()

    def pause(self):
        self.is_paused = True

    def resume(self):
        self.resumed.set()

    def do_apart(self, work, told, words, clip):
        self.meanwhile()
        if self.error is not None:
            raise self.error
        self.made.append(told.id)
        self.words = words
        return b"film", b"still"

    def kill(self):
        pass


class Table:
    """Hears of films."""

    def __init__(self):
        self.films, self.live = Films(True), Live()

    def filmed(self, films):
        self.films = films

    def subscribe(self, callback):
        self.change = callback
        return lambda: None


def falls(*numbers, game="ab"):
    return tuple(replace(script(language=""), id=f"{game}-{n}", round=n) for n in numbers)


def files_of(*names):
    return {f"{name}.{kind}" for name in names for kind in ("mp4", "jpg", "json")}


def filled(folder, **people):
    """A folder of films in which these people are called by name."""
    for name, named in people.items():
        FilmFolder(folder).put(f"ab-{name[1:]}-123456", b"film", b"still", named)
    return folder


@pytest.fixture
def made(tmp_path):
    class Made:
        scripts, wanted = falls(1), True
        folder = FilmFolder(films_of(tmp_path / "table.sqlite3"))
        room, table = Room(), Table()

        def __init__(self):
            self.path = tmp_path / "table-films"
            self.open()

        def open(self):
            of = (self.table, lambda: self.scripts, self.folder, film_words(), self.room)
            self.studio = studio.Studio(*of, lambda: self.wanted)

        def all(self):
            while self.studio.look():
                pass
            return {each.round: each.ready for each in self.table.films.known}

    return Made()


def test_a_film_is_told_of_while_it_is_made_and_once_it_is_there(made):
    seen = []
    made.room.meanwhile = lambda: seen.extend(each.ready for each in made.table.films.known)
    assert made.all() == {1: True}
    assert seen == [False]
    (known,) = made.table.films.known
    assert made.folder.file(known.name, "mp4").read_bytes() == b"film"
    assert made.folder.file(known.name, "jpg").read_bytes() == b"still"


def test_what_is_there_is_not_made_again_after_a_restart(made):
    made.all()
    made.open()
    assert made.all() == {1: True}
    assert made.room.made == ["ab-1"]
    assert len(made.folder.names()) == 1


@pytest.mark.parametrize(
    ("table", "host", "spoken"),
    [("", "", "en"), ("de", "", "de"), ("uk", "", "uk"), ("de", "uk", "uk"), ("uk", "en", "en")],
)
def test_a_film_speaks_as_the_host_chose_or_else_as_the_table_does(made, table, host, spoken):
    made.table.live = Live(language=table)
    made.scripts = (replace(made.scripts[0], language=host),)
    made.all()
    assert made.room.words == words(spoken) != words("ru")


def test_a_table_that_speaks_another_language_later_has_its_films_not_made_again(made):
    made.table.live = Live(language="de")
    made.all()
    made.table.live = Live(language="uk")
    made.open()
    made.all()
    assert made.room.made == ["ab-1"]


def test_while_something_happens_at_the_table_the_making_of_a_film_stands_still(made):
    seen, done = [], threading.Event()

    def a_change():
        made.table.change()
        seen.append(made.room.is_paused)
        seen.append(made.room.resumed.wait(240))
        done.set()

    made.room.meanwhile = a_change
    made.studio.start()
    assert done.wait(240)
    assert seen == [True, True]
    made.studio.close()


def test_where_no_film_is_made_nothing_is_paused(made):
    made.all()
    made.studio.start()
    made.table.change()
    made.studio.close()
    assert not made.room.is_paused


def test_half_a_film_is_taken_away_and_made_again(made):
    made.path.mkdir()
    (made.path / "ab-1-123456.jpg").write_bytes(b"half")
    (made.path / "ab-1-123456.mp4.part").write_bytes(b"half")
    assert made.all() == {1: True}
    assert {path.name for path in made.path.iterdir()} == files_of(*made.folder.names())


def test_what_somebody_else_keeps_in_a_folder_of_that_name_stays(made):
    made.path.mkdir()
    (made.path / "holidays.mp4").write_bytes(b"the sea")
    made.all()
    assert (made.path / "holidays.mp4").read_bytes() == b"the sea"


def test_beside_a_film_stands_who_is_called_by_name_in_it(made):
    made.scripts += (replace(made.scripts[0], id="ab-2", voters=()),)
    made.all()
    people = {
        name.rsplit("-", 1)[0]: json.loads((made.path / f"{name}.json").read_text())
        for name in made.folder.names()
    }
    assert people == {"ab-1": ["Олена", "Mira"], "ab-2": []}


def test_at_the_start_films_whose_journal_is_gone_go_and_others_stay(made, tmp_path):
    gone, there = filled(tmp_path / "old-1-films", n1=["Ana"]), tmp_path / "old-2-films"
    (gone / "push-3" / "push-0001").mkdir(parents=True)
    filled(there, n1=["Ana"])
    (tmp_path / "old-2.sqlite3").write_bytes(b"")
    made.all()
    assert not gone.exists()
    assert {path.name for path in there.iterdir()} == files_of("ab-1-123456")
    assert len(made.folder.names()) == 1  # of the open one, though here it has no file
    filled(gone, n1=["Ana"])
    made.all()
    assert gone.exists()


@pytest.mark.parametrize("aside", [(), ("2024-12-251830.mp4", "2024-12-251830.json", "push-7")])
def test_what_a_neighbour_keeps_in_a_folder_of_such_a_name_is_never_touched(made, tmp_path, aside):
    neighbours = tmp_path / "holiday-films"
    neighbours.mkdir()
    for name in aside:
        (neighbours / name).write_bytes(b'{"at": "the sea"}')
    mixed = filled(tmp_path / "old-films", n1=[])
    (mixed / "2024-12-251830.mp4").write_bytes(b"the sea")
    (tmp_path / "file-films").write_bytes(b"a list of films")
    made.all()
    assert {path.name for path in neighbours.iterdir()} == set(aside)
    assert [path.name for path in mixed.iterdir()] == ["2024-12-251830.mp4"]
    assert (tmp_path / "file-films").is_file()


def test_the_newest_twenty_stay_and_the_best_three_of_a_game_for_good(made):
    made.scripts = tuple(
        replace(script(tiles=9 if n == 1 else 5), id=f"ab-{n}", round=n) for n in range(1, 4)
    )
    made.all()
    made.scripts += falls(*range(4, 31), game="cd")
    made.all()
    kept = sorted(int(name.split("-")[1]) for name in made.folder.names())
    assert kept == [1, 3, *range(11, 31)]


def test_a_verdict_that_is_turned_round_has_another_film(made):
    made.all()
    made.scripts = (replace(made.scripts[0], outcome="stood"),)
    assert made.all() == {1: True}
    assert made.room.made == ["ab-1", "ab-1"] and len(made.folder.names()) == 1


def test_a_round_that_is_void_takes_its_film_along_even_while_it_is_made(made):
    made.all()
    made.scripts = falls(1, 2)
    made.room.meanwhile = lambda: setattr(made, "scripts", ())
    assert made.all() == {}
    assert made.folder.names() == set()


@pytest.mark.parametrize(
    "error",
    [
        PhysicsError("a film cannot be made (Invalid argument)"),
        WorkEnded("The work beside has ended; try again."),
        OSError(errno.ENOSPC, "No space left on device"),
        ValueError("a non-XML character found at 1:948"),
    ],
)
def test_one_that_cannot_be_made_is_one_sentence_in_the_log_and_left_out(made, caplog, error):
    made.room.error = error
    assert made.all() == {}
    assert made.all() == {} and len(caplog.records) == 1
    assert "film of round 1 is left out" in caplog.text and "Traceback" not in caplog.text


def test_a_journal_that_cannot_be_read_now_is_read_when_the_table_goes_on(made, caplog):
    def busy():
        made.studio._read = lambda: made.scripts
        made.again()
        raise DiskTrouble("the disk is busy")

    made.studio._read = busy
    made.table.subscribe = lambda callback: setattr(made, "again", callback) or (lambda: None)
    made.room.meanwhile = lambda: setattr(made.studio, "_closing", True)
    made.studio.start()
    made.studio._thread.join()
    assert made.room.made == ["ab-1"] and "films wait" in caplog.text


def test_a_disk_that_is_full_keeps_no_half(made, caplog, monkeypatch):
    def full(path, data):
        if path.suffix == ".mp4":
            raise OSError(errno.ENOSPC, "No space left on device")
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(data)

    monkeypatch.setattr("rig.films.film_folder.private.write", full)
    assert made.all() == {}
    assert list(made.path.iterdir()) == [] and "No space left" in caplog.text


def test_what_is_not_a_film_of_the_table_is_no_file_of_it(made):
    made.all()
    (name,) = made.folder.names()
    for asked in ("../table", name + "/..", "", "ab-1"):
        assert made.folder.file(asked, "mp4") is None
    assert made.folder.file(name, "mp4") is not None


def test_the_camera_s_frames_begin_before_the_first_tile_stirs(made):
    clip = made.folder.clip(7) / "push-0001"
    clip.mkdir(parents=True)
    for n, ms in enumerate((0, 500, 900), 1):
        (clip / f"{n:04}_{ms:06}ms.jpg").write_bytes(b"%d" % ms)
    told = frames_in(made.folder.clip(7))
    assert [(round(at, 3), jpeg) for at, jpeg in told] == [
        (-0.5, b"0"),
        (0.0, b"500"),
        (0.4, b"900"),
    ]
    assert frames_in(made.folder.clip(8)) == []


def test_the_camera_s_frames_of_three_pushes_are_kept_and_none_while_films_are_off(made):
    made.scripts = ()
    for number in range(1, 8):
        clip = made.folder.new_clip(number)
        clip.mkdir(parents=True)
        os.utime(clip, (number, number))
        made.all()
    assert {path.name for path in made.path.iterdir()} == {"push-5", "push-6", "push-7"}
    made.wanted = False
    made.all()
    assert list(made.path.iterdir()) == []


def test_a_push_of_the_same_number_after_a_recovery_is_shown_by_its_own_frames(made):
    for n, jpeg in ((1, b"lost"), (2, b"new")):
        clip = made.folder.clip(7) / f"push-000{n}"
        clip.mkdir(parents=True)
        (clip / "0001_000500ms.jpg").write_bytes(jpeg)
    assert frames_in(made.folder.clip(7)) == [(0.0, b"new")]
