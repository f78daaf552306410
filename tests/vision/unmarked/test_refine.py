import math

import numpy as np
import pytest

from physics.row.pose import Pose, half_turn
from physics.row.tile import STANDARD, Orientation, State, Tile
from vision.geometry.boxes import Bodies, body_of, leaning, stances
from vision.geometry.camera_pose import View
from vision.render.render import Sensor, render, view_from
from vision.render.scene import Scene, Solid
from vision.unmarked.edge_fit import BodyFit
from vision.unmarked.refine import moved, polish

UP, LONG = Orientation.VERTICAL, Orientation.HORIZONTAL
WAYS = stances(STANDARD)


def picture(*tiles, tilt_deg=12.0, color="yellow", table="dark", sensor=None):
    intrinsics, pose = view_from(math.radians(tilt_deg), 0.8)
    scene = Scene(tuple(Solid(tile, color=color) for tile in tiles), table=table)
    image = render(scene, intrinsics, pose, **({"sensor": sensor} if sensor else {}))
    return image, View(pose, intrinsics)


def tile_at(x_mm, y_mm, heading_deg, how):
    state = State.STANDING if how else State.FALLEN
    return Tile(None, Pose(x_mm, y_mm, math.radians(heading_deg)), how or UP, state)


def way_of(tile):
    if tile.state is State.FALLEN:
        return 2
    return 0 if tile.orientation is UP else 1


def bodies_off(tiles, x_mm, y_mm, turn_rad):
    """The tiles as bodies that are all off by so much."""
    places = [(t.pose.x_mm + x_mm, t.pose.y_mm + y_mm, t.pose.heading_rad) for t in tiles]
    start = np.array([(x, y, heading + turn_rad, 0.0) for x, y, heading in places])
    return Bodies(WAYS, np.array([way_of(tile) for tile in tiles]), start)


def errors(now, tiles):
    """How far each body is from its tile, mm, and how far turned, rad."""
    far = [
        math.hypot(place[0] - t.pose.x_mm, place[1] - t.pose.y_mm)
        for place, t in zip(now.places, tiles, strict=True)
    ]
    turned = [
        abs(half_turn(place[2] - t.pose.heading_rad))
        for place, t in zip(now.places, tiles, strict=True)
    ]
    return max(far), max(turned)


@pytest.mark.parametrize("how", [UP, LONG, None])
@pytest.mark.parametrize(("x_mm", "y_mm"), [(120, 300), (480, 90), (300, 215)])
def test_a_body_that_is_off_by_a_millimetre_is_moved_to_a_fraction_of_one(how, x_mm, y_mm):
    tile = tile_at(x_mm, y_mm, 35, how)
    image, view = picture(tile)
    now, spread = moved(image, view, bodies_off([tile], 0.6, -0.5, math.radians(2)), [])
    far, turned = errors(now, [tile])
    assert far < 0.2
    assert turned < math.radians(0.6)
    assert np.hypot(*spread[0, :2]) < 0.3


def test_a_wall_so_low_in_the_image_that_its_edges_run_into_one_does_not_pull_its_body():
    tile = tile_at(360, 210, 0, LONG)
    image, view = picture(tile, tilt_deg=1.0, sensor=Sensor(blur_px=1.3, noise=2.0))
    now, _ = moved(image, view, bodies_off([tile], -0.4, 0.4, 0.0), [])
    assert errors(now, [tile])[0] < 0.15


def test_neighbours_are_moved_together_each_to_its_own_edges():
    tiles = [tile_at(120, 300, 0, UP), tile_at(129, 296, 0, UP), tile_at(180, 330, 60, LONG)]
    image, view = picture(*tiles, tilt_deg=18.0)
    now, _ = moved(image, view, bodies_off(tiles, 0.4, 0.4, 0.0), [])
    assert errors(now, tiles)[0] < 0.25


def test_a_body_that_others_hide_stays_where_it_is():
    tile = tile_at(120, 300, 0, UP)
    image, view = picture(tile)
    start = bodies_off([tile], 0.4, 0.4, 0.0)
    corners = body_of(tile)
    middle = corners.mean(axis=0)
    now, _ = moved(image, view, start, [middle + 4 * (corners - middle)])
    assert np.allclose(now.places, start.places)


def test_a_body_that_leans_is_moved_with_its_lean():
    tile = Tile(None, Pose(150.0, 280.0, 0.3), UP)
    solid = Solid(tile, tilt_rad=math.radians(65), color="yellow")
    intrinsics, pose = view_from(math.radians(12), 0.8)
    image = render(Scene((solid,), table="dark"), intrinsics, pose)
    corners = solid.corners_mm()
    middle = corners.mean(axis=0)
    lean = math.radians(25)
    start = np.array([[middle[0] + 0.5, middle[1] - 0.5, 0.3, lean - 0.02]])
    bodies = Bodies(leaning(STANDARD), np.array([0]), start)
    now, _ = moved(image, View(pose, intrinsics), bodies, [])
    assert np.hypot(*(now.places[0, :2] - middle[:2])) < 0.4
    assert abs(now.places[0, 3] - lean) < 0.02


def test_where_no_edge_is_seen_a_body_stays_and_is_as_uncertain_as_before():
    tile = tile_at(120, 300, 35, UP)
    image, view = picture(tile)
    start = bodies_off([tile], 0.5, 0.0, 0.0)
    now, spread = moved(np.full_like(image, 90), view, start, [])
    assert np.allclose(now.places, start.places)
    assert np.allclose(spread[0, :2], 1.0)


def fits_of(bodies, shown=1.0, rival_mm=0.0):
    """The bodies as fits whose edges show so well, and that could as well stand so far away."""
    edge = np.full(60, shown)
    return [
        BodyFit(WAYS[n], place, corners, np.zeros((60, 2)), edge, 0.1, rival_mm=rival_mm)
        for n, place, corners in zip(bodies.which, bodies.places, bodies.corners(), strict=True)
    ]


def test_a_body_is_less_certain_the_less_its_edges_show_and_the_farther_a_rival_stands():
    tile = tile_at(300, 215, 35, UP)
    image, view = picture(tile)
    start = bodies_off([tile], 0.0, 0.0, 0.0)
    sure, hidden, doubted = (
        polish(image, view, fits_of(start, shown, rival_mm), [])[0][1]
        for shown, rival_mm in ((0.9, 0.0), (0.65, 0.0), (0.9, 6.0))
    )
    assert sure < 0.5
    assert hidden == pytest.approx(2.0, abs=0.2)
    assert doubted == pytest.approx(4.2, abs=0.2)


def test_fits_come_back_in_their_order_with_corners_and_sigmas():
    tiles = [tile_at(120, 300, 35, UP), tile_at(480, 90, -20, None)]
    image, view = picture(*tiles)
    start = bodies_off(tiles, 0.5, 0.3, 0.0)
    fits = fits_of(start)
    polished = polish(image, view, fits, [])
    for (fit, sigma_mm, sigma_rad), tile in zip(polished, tiles, strict=True):
        assert math.hypot(fit.place[0] - tile.pose.x_mm, fit.place[1] - tile.pose.y_mm) < 0.2
        assert np.abs(fit.corners - body_of(tile)).max() < 0.5
        assert 0.2 <= sigma_mm < 0.5
        assert sigma_rad < math.radians(2)
    blind = polish(np.full_like(image, 90), view, fits, [])
    assert blind[0][1] > 3 * polished[0][1]
    assert polish(image, view, [], []) == []
