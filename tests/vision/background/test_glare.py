"""What tells a lamp mirrored in a table from a thing that lies on it."""

import cv2
import numpy as np
import pytest

from vision.background.glare import SAME, soft_parts
from vision.geometry.image_sampling import sample
from vision.unmarked.edge_fit import Edges

ROWS, COLUMNS, CELL_MM = 120, 180, 3.0
WITHIN = np.full((ROWS, COLUMNS), 255, np.uint8)
DOWN, ACROSS = np.mgrid[:ROWS, :COLUMNS]


def disc(x, y, radius):
    return np.hypot(ACROSS - x, DOWN - y) < radius


def glow(x, y, levels=50.0, wide=24.0):
    return levels * np.exp(-(((ACROSS - x) ** 2 + (DOWN - y) ** 2) / wide**2))


def parts(levels):
    noise = np.random.default_rng(3).normal(0, 0.7, (ROWS, COLUMNS, 3))
    change = np.clip(SAME + levels[..., None] + noise, 0, 255).astype(np.uint8)
    where = np.asarray(np.abs(levels) > 4, np.uint8) * 255
    return soft_parts(change, where, WITHIN, CELL_MM)


@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_what_fades_out_is_light_whether_it_has_come_or_gone(sign):
    light = parts(sign * glow(80, 60))
    assert light[60, 80] == 255
    assert light[5, 170] == 0


@pytest.mark.parametrize("levels", [8.0, 50.0, -20.0])
def test_what_has_an_outline_is_no_light_however_pale(levels):
    assert parts(levels * disc(80, 60, 14)) is None


def test_a_hand_beside_light_and_over_it_stays():
    for x in (80, 140):
        hand = disc(x, 60, 14)
        light = parts(np.where(hand, -40.0, glow(60, 60)))
        assert light[60, 45] == 255
        assert not light[disc(x, 60, 12)].any()


def test_tiles_in_the_light_make_it_no_hand_and_stay():
    levels = glow(80, 60)
    tiles = np.zeros_like(levels, dtype=bool)
    for x in range(60, 100, 10):
        tiles[54:64, x : x + 4] = True
    light = parts(np.where(tiles, -40.0, levels))
    assert light[80, 80] == 255
    assert not light[tiles].any()


def test_where_nothing_differs_there_is_no_light():
    assert parts(np.zeros((ROWS, COLUMNS))) is None


def test_an_image_is_read_at_more_places_than_opencv_reads_at_once():
    """A picture in which everything has changed offers tens of thousands of edges."""
    values = np.arange(100, dtype=np.float32).reshape(10, 10)
    places = np.tile([[[3.0, 2.0]], [[4.0, 5.0]]], (40000, 1, 1))
    assert (sample(values, places).reshape(-1, 2) == [23.0, 54.0]).all()
    slope = cv2.merge((values / 100, 0 * values))
    edges = Edges(0, 0, slope, np.zeros((10, 10), np.uint8))
    read = edges.across(places[..., 0], places[..., 1], np.tile([1.0, 0.0], (80000, 1)))
    assert read.shape == (80000, 1)
    assert np.allclose(read.reshape(-1, 2), [0.23, 0.54])
