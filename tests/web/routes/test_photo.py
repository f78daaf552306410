"""A phone's photo of the row: who may send one, how large, and what comes of it."""

from dataclasses import replace

import pytest

from web.base.rate_limits import Limits, Rate

JPEG = {"Content-Type": "image/jpeg"}
LARGE = b"x" * 60_000


def send(way, cookie, photo=LARGE, headers=None):
    return way.ask("POST", "/api/photo", cookie=cookie, body=photo, headers=headers or JPEG)


def test_a_players_photo_is_larger_than_a_command_and_its_tiles_come_back(way):
    reply = send(way, way.sit("Mira"))
    assert (reply.status, reply.json) == (200, {"ok": True, "tiles": [{"value": len(LARGE)}]})


def test_a_photo_that_tells_nothing_is_refused_with_its_reason(way):
    reply = send(way, way.sit("Mira"), b"")
    assert (reply.status, reply.json["reason"]) == (409, "photo_slant")
    assert reply.json["message"] == "The photo looks straight down."


def test_nobody_else_fills_the_memory_with_photos(way, session):
    watcher = way.join()
    assert send(way, watcher).status in (409, 413)
    player = way.sit("Mira")
    session.wants_photos = False
    assert send(way, player, b"x").json["reason"] == "photo_unwanted"
    assert send(way, player).status in (409, 413)


def test_a_photo_beyond_all_bounds_is_not_read(asgi_way):
    assert send(asgi_way, asgi_way.sit("Mira"), b"x" * (Limits().photo_bytes + 1)).status == 413


@pytest.mark.parametrize("kind", ["text/plain", "multipart/form-data", ""])
def test_a_form_of_another_page_sends_no_photo(way, kind):
    assert send(way, way.sit("Mira"), b"x", {"Content-Type": kind}).status == 415


class TestTooMany:
    @pytest.fixture
    def limits(self, limits):
        return replace(limits, photo=Rate(0.25, 2.0))

    def test_photos_in_quick_succession_have_to_wait(self, way):
        player = way.sit("Mira")
        assert [send(way, player).status for _ in range(3)] == [200, 200, 429]
