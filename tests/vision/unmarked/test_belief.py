"""What tells a tile from a pattern, a shadow or a thing."""

import math
from dataclasses import replace

import cv2
import numpy as np
import pytest

from physics.row.pose import Pose
from physics.row.tile import Orientation, State, Tile
from vision.background.background import Background, shrink
from vision.background.lamps import LightSource, shadows_on_tops
from vision.geometry.boxes import Bodies, body_of, stances
from vision.geometry.camera_pose import View, project
from vision.look.eye import at_first_sight
from vision.render.render import render, view_from
from vision.render.scene import Scene, Solid
from vision.tuning.tuning import TUNING
from vision.unmarked.belief import chance, signs_of
from vision.unmarked.edge_fit import Slopes, around, find_edges, fit_bodies
from vision.unmarked.residual import shares_of, unexplained

INTRINSICS, POSE = view_from(math.radians(15), 0.9, focal_px=1360.0, scale_px_mm=1.9)
VIEW = View(POSE, INTRINSICS)
UP = Orientation.VERTICAL
PLACE = Pose(300.0, 200.0, 0.3)
STANDS = Tile(None, PLACE, UP)
LIES = Tile(None, PLACE, UP, State.FALLEN)
CHECKS = np.kron(np.indices((90, 160)).sum(axis=0) % 2, np.ones((12, 12)))[..., None]


def drawn(*solids, table="grey"):
    return render(Scene(solids, table=table, seed=4), INTRINSICS, POSE)


def signs(empty, image, tile, known=(), lamps=()):
    """What is seen of a box where a tile is, or may be."""
    foreground = Background(shrink(empty)).compare(shrink(image))
    rest = unexplained(foreground, lamps).without([body_of(one) for one in known], VIEW)
    how = None if tile.state is State.FALLEN else tile.orientation
    way = [one.orientation for one in stances(tile.spec)].index(how)
    pose = tile.pose
    place = np.array([[pose.x_mm, pose.y_mm, pose.heading_rad, 0.0]])
    start = Bodies(stances(tile.spec), np.array([way]), place)
    rois = around(start.corners(), VIEW, image, 60.0)
    edges = find_edges(Slopes(image, foreground), rest.faces, rois, VIEW)
    patient = replace(TUNING.edge_fit, hopeless_share=0.0)
    (fit,) = fit_bodies(edges, start, VIEW, rest.obstacles, tuning=patient)
    _, (seen,) = shares_of(rest, fit.corners[None], VIEW)
    (told,) = signs_of([fit], [float(fit.edge.mean())], [float(seen)], rest, VIEW)
    return told


@pytest.mark.parametrize("tile", [STANDS, LIES])
@pytest.mark.parametrize(("table", "color"), [("grey", "red"), ("wood", "ivory"), ("felt", "blue")])
def test_a_tile_is_believed(tile, table, color):
    image = drawn(Solid(tile, color=color), table=table)
    assert chance(signs(drawn(table=table), image, tile)) > 0.5


def shaded(image, tile):
    """The picture with a dark place as large as the tile, and as crisp, that keeps the pattern."""
    corners = project(body_of(tile), VIEW.pose, VIEW.intrinsics)
    mask = np.zeros(image.shape[:2], np.float64)
    cv2.fillConvexPoly(mask, cv2.convexHull(np.round(corners).astype(np.int32)), (1.0,))
    share = 1 - 0.5 * cv2.GaussianBlur(mask, (0, 0), 1.0)[..., None]
    return np.asarray(image * share, np.uint8)


def patterned(image):
    """The picture on a checked cloth."""
    return np.asarray(image * (0.6 + 0.4 * CHECKS), np.uint8)


def test_a_crisp_shadow_of_the_same_outline_is_not():
    """On a plain table only its lack of faces gives it away, on a cloth the pattern in it, too."""
    plain, cloth = (signs(e, shaded(e, STANDS), STANDS) for e in (drawn(), patterned(drawn())))
    assert chance(plain) < 0.4
    assert chance(cloth) < 0.1


def test_a_shadow_keeps_the_pattern_of_the_table_and_a_tile_does_not():
    empty = patterned(drawn())
    face = project(body_of(STANDS)[4:], VIEW.pose, VIEW.intrinsics)
    covered = empty.copy()
    hull = cv2.convexHull(np.round(face).astype(np.int32))
    cv2.fillConvexPoly(covered, hull, (60.0, 60.0, 160.0))
    assert signs(empty, shaded(empty, STANDS), STANDS).alike > 0.8
    assert abs(signs(empty, covered, STANDS).alike) < 0.2


def test_on_a_plain_table_no_pattern_is_asked_for():
    assert abs(signs(drawn(), shaded(drawn(), STANDS), STANDS).alike) < 0.3


def test_what_goes_on_all_round_is_no_tile():
    """A page, a phone: an edge of it may be as long as a tile's."""
    empty = drawn()
    page = empty.copy()
    corners = np.array([(250.0, 150.0, 0.0), (380.0, 150.0, 0.0), (380.0, 240.0, 0.0)])
    corners = np.vstack([corners, [(250.0, 240.0, 0.0)]])
    pixels = np.round(project(corners, VIEW.pose, VIEW.intrinsics)).astype(np.int32)
    cv2.fillConvexPoly(page, pixels, (40.0, 40.0, 40.0))
    told = signs(empty, page, LIES)
    assert told.round_it > 0.9
    assert chance(told) < 0.1


LAMP = LightSource(0.0, 60.0, 480.0, np.full(3, 0.3))
NEAR = Tile(None, Pose(280.0, 196.0, 0.3), UP)
LOW = Tile(None, PLACE, Orientation.HORIZONTAL)


def darkened(image, outlines_px):
    """The picture with little light left within outlines."""
    mask = np.zeros(image.shape[:2], np.uint8)
    for outline in outlines_px:
        cv2.fillConvexPoly(mask, cv2.convexHull(np.round(outline).astype(np.int32)), (1,))
    return np.where(mask[..., None] > 0, image * 0.3, image).astype(np.uint8)


def test_a_neighbours_shadow_on_an_upper_face_does_not_make_it_uneven():
    (shadows,) = shadows_on_tops([LAMP], body_of(LOW)[None], [body_of(NEAR)], VIEW)
    bare = drawn(Solid(NEAR), Solid(LOW, color="red"))
    image = darkened(bare, shadows)
    even = signs(drawn(), bare, LOW, [NEAR]).uneven
    assert signs(drawn(), image, LOW, [NEAR]).uneven > even + 1.0
    assert signs(drawn(), image, LOW, [NEAR], [LAMP]).uneven < even + 0.3


def test_a_neighbours_shadow_is_nothing_round_a_tile_and_no_part_of_one():
    (fallen,) = LAMP.fallen_mm(body_of(NEAR)[None])
    outline = VIEW.project(np.concatenate([fallen, np.zeros((8, 1))], axis=1))
    image = darkened(drawn(Solid(NEAR)), [outline])
    dark, told = (signs(drawn(), image, LOW, [NEAR], lamps) for lamps in ([], [LAMP]))
    assert dark.round_it > told.round_it + 0.3
    assert dark.no_shadow > told.no_shadow + 0.3


def believed(**other):
    """Signs of a tile that lies alone, but for some."""
    image = drawn(Solid(LIES, color="red"))
    return signs(drawn(), image, LIES)._replace(**other)


def test_a_box_amid_something_is_none_unless_tiles_are_near_or_it_has_edges_all_round():
    sure = TUNING.belief
    amid = {"round_it": sure.amid_share + 0.01, "faint": sure.amid_faint + 0.01}
    assert chance(believed()) > 0.9
    assert chance(believed(**amid)) == 0.0
    assert chance(believed(**amid, far=sure.amid_far - 0.01)) > 0.5
    assert chance(believed(**amid | {"faint": 0.1})) > 0.5
    assert chance(believed(**amid | {"round_it": 0.4})) > 0.5


def test_a_box_of_which_all_may_be_shadow_is_doubted_if_it_stands():
    sure = TUNING.belief
    least = sure.only_shadow_share
    bare = replace(sure, only_shadow_doubt=0.0)
    stands = believed(lies=0.0, no_shadow=least, edge=0.5)

    def doubt(signs):
        told, undoubted = (chance(signs, tuning) for tuning in (sure, bare))
        return math.log(undoubted / (1 - undoubted)) - math.log(told / (1 - told))

    assert doubt(stands) == pytest.approx(sure.only_shadow_doubt)
    assert doubt(stands._replace(no_shadow=least + 0.01)) == 0.0
    assert doubt(stands._replace(lies=1.0)) == 0.0


def test_at_first_sight_a_box_that_lies_must_be_clearer():
    first = at_first_sight(TUNING)
    clear = believed(faint=0.05)
    assert 0.9 < chance(clear, first.belief) < chance(clear)
    assert chance(believed(faint=0.09), first.belief) == 0.0 < chance(believed(faint=0.09))
    assert chance(believed(faint=0.09, lies=0.0), first.belief) > 0.0
    assert first.search.least_quality > TUNING.search.least_quality


@pytest.mark.parametrize(
    "name", ["sure_quality", "least_quality", "leaning_quality", "in_row_quality", "in_gap_quality"]
)
def test_at_first_sight_every_box_must_be_likelier(name):
    least = np.min(getattr(at_first_sight(TUNING).search, name))
    assert least >= TUNING.first_background.quality > np.min(getattr(TUNING.search, name))


def test_at_first_sight_a_box_in_the_row_is_likelier_to_be_a_tile():
    """The pattern of a table never seen empty stands out as tiles do, but is not in their line."""
    beside = replace(STANDS, pose=Pose(*PLACE.to_table(-21.0, 0.0), PLACE.heading_rad))
    image = drawn(Solid(beside, color="red"), Solid(STANDS, color="red"))
    half_clear = {"edge": 0.75, "faint": 0.1, "off_mm": 0.4}
    in_row = signs(drawn(), image, STANDS, [beside])._replace(**half_clear)
    aside, first = in_row._replace(misfit=3.0), at_first_sight(TUNING)
    assert chance(in_row, first.belief) > first.search.least_quality > 0.5
    assert chance(aside, first.belief) < 0.2
    assert chance(aside) > 0.5


@pytest.mark.parametrize(
    ("turn_deg", "aside_mm", "least", "most"),
    [(0, 0, 0.0, 0.7), (10, 3, 0.3, 1.5), (60, 0, 2.5, 5.0), (0, 20, 3.0, 5.0)],
)
def test_a_box_suits_a_row_that_stands_as_its_neighbours_do(turn_deg, aside_mm, least, most):
    beside = replace(STANDS, pose=Pose(*PLACE.to_table(-22.0, 0.0), PLACE.heading_rad))
    place = PLACE.to_table(0.0, float(aside_mm))
    tile = replace(STANDS, pose=Pose(*place, PLACE.heading_rad + math.radians(turn_deg)))
    image = drawn(Solid(beside, color="red"), Solid(tile, color="red"))
    assert least <= signs(drawn(), image, tile, [beside]).misfit <= most


def test_a_box_with_no_tile_near_suits_no_row():
    image = drawn(Solid(STANDS, color="red"))
    lone, beside = (
        signs(drawn(), image, STANDS, known)
        for known in ((), [replace(LIES, pose=Pose(250, 150, 0))])
    )
    assert lone.misfit == beside.misfit == TUNING.belief.most_misfit
    assert (lone.far, beside.far < 1.0) == (1.0, True)


def test_of_an_upper_face_out_of_sight_no_colour_is_told():
    image = drawn(Solid(STANDS, color="red"))
    hidden = signs(drawn(), image, STANDS, [replace(STANDS, pose=Pose(301.0, 200.0, 0.3))])
    assert (hidden.alike, hidden.bright, hidden.stands_out) == TUNING.belief.usual_colours[:3]
