import math
from dataclasses import replace

import cv2
import numpy as np
import pytest

from physics.row.pose import Pose, half_turn
from physics.row.tile import STANDARD, Orientation, Tile
from vision.background.background import SHRINK, Background
from vision.geometry.boxes import body_of, stances
from vision.geometry.camera_view import View
from vision.render.render import render, view_from
from vision.render.scene import Scene, Solid
from vision.tuning.tuning import TUNING
from vision.unmarked.edge_fit import BodyFit
from vision.unmarked.refine import polish
from vision.unmarked.refit import doubt_mm, fit_again

WAY = stances(STANDARD)[0]
TILE = Tile(None, Pose(300.0, 215.0, math.radians(35)), Orientation.VERTICAL)


def small(image):
    return cv2.resize(image, None, fx=1 / SHRINK, fy=1 / SHRINK, interpolation=cv2.INTER_AREA)


def looked_at(*tiles, table="dark"):
    """The picture of tiles, where it differs from the empty table, and the camera."""
    lens, pose = view_from(math.radians(12), 0.8)
    scene = Scene(tuple(Solid(tile, color="yellow") for tile in tiles), table=table)
    empty = render(replace(scene, solids=()), lens, pose)
    image = render(scene, lens, pose)
    return image, Background(small(empty)).compare(small(image)), View(pose, lens)


def fit_at(tile, x_mm=0.0, y_mm=0.0, turn_deg=0.0, shown=0.6):
    """A body so far off a tile, whose edges show so well."""
    pose = tile.pose
    place = np.array(
        [[pose.x_mm + x_mm, pose.y_mm + y_mm, pose.heading_rad + math.radians(turn_deg), 0.0]]
    )
    edge = np.full(60, shown)
    return BodyFit(WAY, place[0], WAY.corners(place)[0], np.zeros((60, 2)), edge, 1.0)


def off(fit, tile):
    x, y, heading, _ = fit.place
    far = math.hypot(x - tile.pose.x_mm, y - tile.pose.y_mm)
    return far, abs(half_turn(heading - tile.pose.heading_rad))


@pytest.mark.parametrize(
    ("x_mm", "y_mm", "turn_deg"), [(4.0, 5.0, 0.0), (-7.0, 2.0, 0.0), (2.0, 2.0, 17.0)]
)
def test_a_body_that_was_found_askew_is_found_where_its_tile_is(x_mm, y_mm, turn_deg):
    image, foreground, view = looked_at(TILE)
    begun = fit_again(image, foreground, view, [fit_at(TILE, x_mm, y_mm, turn_deg)], [])
    ((fit, _, _),) = polish(image, view, begun, [])
    far, turned = off(fit, TILE)
    assert far < 0.6
    assert turned < math.radians(2)


def test_a_body_whose_edges_show_well_stays():
    image, foreground, view = looked_at(TILE)
    before = fit_at(TILE, 4.0, 5.0, shown=0.97)
    assert fit_again(image, foreground, view, [before], []) == [before]


def test_a_body_that_is_where_its_tile_is_stays_there():
    image, foreground, view = looked_at(TILE)
    begun = fit_again(image, foreground, view, [fit_at(TILE, 0.2, -0.1)], [])
    ((fit, _, _),) = polish(image, view, begun, [])
    assert off(fit, TILE)[0] < 0.6


def test_a_body_that_was_on_its_way_to_its_tile_comes_there():
    """From where it is it is begun anew too, and that is as good as from elsewhere."""
    image, foreground, view = looked_at(TILE)
    begun = fit_again(image, foreground, view, [fit_at(TILE, -3.0, -2.0)], [])
    ((fit, _, _),) = polish(image, view, begun, [])
    assert off(fit, TILE)[0] < 0.6


def test_a_body_is_not_moved_into_a_tile_that_is_known():
    image, foreground, view = looked_at(TILE)
    before = fit_at(TILE, 7.5, 5.3)
    (fit,) = fit_again(image, foreground, view, [before], [body_of(TILE)])
    assert off(fit, TILE)[0] > 5.0


def test_a_body_whose_edges_do_not_show_is_more_uncertain():
    assert doubt_mm(fit_at(TILE, shown=TUNING.refit.well_shown_share)) == 0.0
    assert doubt_mm(fit_at(TILE, shown=0.65)) == pytest.approx(2.0)


def test_a_body_is_as_uncertain_as_its_rival_is_far():
    fit = fit_at(TILE, shown=TUNING.refit.well_shown_share)
    doubts = [doubt_mm(replace(fit, rival_mm=far)) for far in (0.0, 3.0, 6.0)]
    assert doubts == pytest.approx([0.0, doubts[2] / 2, doubts[2]])
    assert doubts[2] > 3.0
