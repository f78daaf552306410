"""A disk that hangs holds up commands, and nothing and nobody else."""

import pytest

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
