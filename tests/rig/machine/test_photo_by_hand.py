"""A photo by hand at a table over which no camera hangs: read apart, taken like a reading."""

import math
import pickle
from functools import cache

import cv2
import numpy as np
import pytest

from physics.row.pose import Pose
from physics.row.tile import Orientation, Tile
from rig.errors import NotPossible
from rig.machine.build import open_by_hand
from tests.support.photos import held, lens_of
from vision.render.render import render
from vision.render.scene import Scene, Solid

SIZE = (1200, 1600)
LENS = lens_of(1150.0, SIZE)


@cache
def photo(*values, tilt_deg=30.0, hand=None, cut=None, fell=()):
    """A photo of a row; of these, each tile has fallen onto the next."""
    solids = tuple(
        Solid(
            Tile(value, Pose(220.0 + 30 * n, 200.0, 0.0), Orientation.VERTICAL),
            tilt_rad=math.radians(70 if value in fell else 0),
        )
        for n, value in enumerate(values)
    )
    scene = Scene(solids, hand=hand)
    image = render(scene, LENS, held(LENS, math.radians(tilt_deg), -1.4))
    return cv2.imencode(".jpg", np.ascontiguousarray(image[:cut]))[1].tobytes()


@pytest.fixture
def hands(seats):
    open_by_hand(seats.session)
    seats.sit("ana", "bo")
    seats.do("ana", "start")
    return seats


def test_a_photo_of_the_row_and_a_new_tile_becomes_the_placers_tile(hands):
    session = hands.session
    (first,) = session.game.row
    reader = pickle.loads(pickle.dumps(session.photo_reader()))
    tiles = reader(photo(first, 9))["tiles"]
    who = session.table.player(session.game.active).device
    hands.do(who, "photographed", tiles=tiles)
    reading = session.view(who)["reading"]
    assert (reading["state"], reading["tile"]["value"], reading["place"]) == (
        "proposal",
        9,
        "right",
    )
    assert reading["tile"]["x_mm"] == pytest.approx(250.0, abs=0.6)


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (lambda: b"no photo", "photo_unreadable"),
        (lambda: photo(6, cut=500), "photo_mat"),
        (lambda: photo(6, tilt_deg=1.0), "photo_slant"),
        (lambda: photo(6, hand=(300.0, 200.0)), "photo_hand"),
    ],
    ids=["no photo", "no mat", "straight down", "a hand"],
)
def test_a_photo_that_tells_nothing_says_why(hands, data, reason):
    reader = hands.session.photo_reader()
    with pytest.raises(NotPossible) as refused:
        reader(data())
    assert refused.value.reason == reason


def test_photos_are_wanted_only_while_a_tile_is_stood(hands, seats):
    session = hands.session
    assert session.photo_reader() is not None
    for value in (9, 3, 7):
        who = session.table.player(session.game.active).device
        hands.do(
            who,
            "stand",
            value=value,
            x_mm=300.0 + 30 * value,
            y_mm=210.0,
            heading_deg=0.0,
            orientation="vertical",
        )
        hands.do(who, "confirm")
    caller = session.table.player(session.game.active).device
    hands.do(caller, "call")
    assert session.photo_reader() is None


def test_a_session_without_a_machine_wants_none(seats):
    assert seats.session.photo_reader() is None


class TestAfterThePush:
    @pytest.fixture
    def pushed(self, hands):
        """A row of three that photos have measured is called and doubted; the 6 is pushed."""
        session = hands.session
        for row in ((6, 9), (6, 9, 7)):
            who = session.table.player(session.game.active).device
            hands.do(who, "photographed", **session.photo_reader()(photo(*row)))
            hands.do(who, "confirm")
        caller = "bo" if session.game.placer == "s1" else "ana"
        hands.do(caller, "call")
        hands.do(caller, "vote", side="failure")
        hands.later(2.4)
        hands.later(8.0)
        assert session.table.phase == "TOPPLE"
        return hands

    def shown(self, hands, *fell, tilt_deg=30.0):
        session = hands.session
        told = session.photo_reader()(photo(6, 9, 7, fell=fell, tilt_deg=tilt_deg))
        reply = session.photographed("ana", told)
        assert reply["ok"], reply
        return session.view("bo")["push"]

    def test_a_photo_proposes_what_people_then_say(self, pushed):
        push = self.shown(pushed, 6, 9)
        assert push["photo"] == {"outcome": "stood", "up": [7], "unclear": []}
        assert pushed.session.picture(1)[:2] == b"\xff\xd8"
        pushed.do("ana", "report", outcome="stood")
        verdict = pushed.session.view("bo")["verdict"]
        assert (verdict["step"], verdict["picture"], verdict["up"]) == (
            "confirm",
            "/picture/1.jpg",
            [7],
        )

    def test_all_down_is_told_as_that(self, pushed):
        # About as many photos of such a row leave it unclear; round this tilt none does.
        assert self.shown(pushed, 6, 9, 7, tilt_deg=32.5)["photo"]["outcome"] == "fell"

    def test_a_photo_of_a_row_that_nobody_has_pushed_is_refused(self, pushed):
        reader = pushed.session.photo_reader()
        with pytest.raises(NotPossible) as refused:
            reader(photo(6, 9, 7))
        assert refused.value.reason == "photo_stands"

    def test_an_empty_mat_shows_no_fall(self, pushed):
        told = pushed.session.photo_reader()(photo())
        assert (told["up"], told["down"], told["confidence"]) == ((), (), 0.0)

    def test_no_phone_can_send_a_picture_of_its_own(self, pushed):
        told = pushed.session.photo_reader()(photo(6, 9, 7, fell=(6, 9)))
        with pytest.raises(AssertionError, match="bad_command"):
            pushed.do("ana", "fall_photographed", **{**told, "picture": "AAAA"})
