"""A disk that hangs holds up commands, and nothing and nobody else."""

import threading

import pytest

from rig.films.film_folder import FilmFolder
from rig.history.statistics import Statistics
from tests.support.clients import LOCAL, snapshot
from tests.support.hung import Hung


@pytest.fixture
def hung(tmp_path):
    """Ten commands wait for the disk, and more than there are threads behind them."""
    table = Hung(tmp_path)
    table.hang(commands=10)
    yield table
    table.close()


@pytest.mark.parametrize(
    "path",
    [
        *("/", "/play", "/table", "/api/state", "/api/state?role=table", "/api/clock"),
        *(
            "/qr.svg",
            "/static/core/style/style.css",
            "/locales/en/phone.json",
            "/j/PINE",
            "/doctor",
            "/tables",
        ),
        *("/picture/now.jpg", "/replay", "/statistics", "/trust"),
    ],
)
def test_pages_and_views_do_not_wait_for_it(hung, path):
    peer = LOCAL if path in ("/doctor", "/tables") else "192.168.7.8"
    assert hung.way.get(path, cookie=hung.bo, peer=peer).status in (200, 303, 404)
    assert not hung.journal.free.is_set()


def test_whose_command_hangs_sees_the_table_all_the_same(hung):
    assert hung.way.get("/api/state", cookie=hung.ana).json["you"]["seat"] == "s1"


def test_a_stream_begins_and_brings_what_is_live(hung):
    stream = hung.way.listen(cookie=hung.bo)
    assert snapshot(stream)["fault"] == ""
    hung.session.update(fault="the cat")
    while snapshot(stream)["fault"] != "the cat":
        pass
    stream.close()


def test_the_newest_picture_needs_no_disk_and_an_older_one_stops_nobody(tmp_path):
    table = Hung(tmp_path)
    for n in range(1, 12):
        table.session.commit([], "s1", pictures={n: b"\xff\xd8%d" % n})
    table.hang(commands=10)
    assert table.way.get("/picture/11.jpg", cookie=table.bo).body == b"\xff\xd811"
    table.close()


@pytest.mark.parametrize(
    "path, work",
    [
        ("/api/badges", (Statistics, "figures", ())),
        ("/film/0-1-abcdef.mp4", (FilmFolder, "file", None)),
    ],
)
def test_what_reads_journals_or_films_at_the_end_of_a_game_holds_up_no_view(
    tmp_path, monkeypatch, path, work
):
    table, free = Hung(tmp_path), threading.Event()
    there = threading.Semaphore(0)
    where, name, told = work

    def slow(*given):
        there.release()
        assert free.wait(20.0)
        return told

    monkeypatch.setattr(where, name, slow)
    asks = [
        threading.Thread(target=table.way.get, args=(path,), kwargs={"cookie": cookie})
        for cookie in (table.ana, table.bo)
    ]
    for ask in asks:
        ask.start()
    try:
        assert there.acquire(timeout=10.0)
        there.acquire(timeout=0.5)  # the other one waits behind it
        seen = []
        look = threading.Thread(
            target=lambda: seen.append(table.way.get("/api/state", cookie=table.bo).status)
        )
        look.start()
        look.join(5.0)
        assert seen == [200]
    finally:
        free.set()
        for ask in asks:
            ask.join()
        table.close()
