"""A photo by hand at a table over which no camera hangs: read apart, taken like a reading."""

import math
import pickle

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


def photo(*values, tilt_deg=30.0, hand=None, cut=None):
    solids = tuple(
        Solid(Tile(value, Pose(220.0 + 30 * n, 200.0, 0.0), Orientation.VERTICAL))
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
    tiles = reader(photo(first, 9))
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
