import math

import numpy as np
import pytest

from physics.row.pose import Pose
from physics.row.tile import Orientation, Tile
from tests.support.photos import held, lens_of
from vision.calibrate.mat_survey import moved
from vision.calibrate.photo_lens import NoPhotoLens, lens_of_photo
from vision.capture.camera import Frame
from vision.geometry.camera_pose import NoMat
from vision.geometry.mat import load_mat
from vision.look.eye import Eye
from vision.render.render import render
from vision.render.scene import Scene, Solid

MAT = load_mat()
UPRIGHT, SIDEWAYS = (1200, 1600), (1600, 1200)
SCENE = Scene(
    tuple(
        Solid(Tile(value, Pose(180.0 + 45 * value, 150.0 + 20 * value, 0.3), Orientation.VERTICAL))
        for value in range(1, 6)
    )
)


def photo(tilt_deg, focal_share=0.7, size=UPRIGHT, scene=SCENE, mat=None, **pose):
    lens = lens_of(focal_share * max(size), size, (5.0, -4.0), (-0.03, 0.02, 2e-4, -2e-4, 0.0))
    return render(scene, lens, held(lens, math.radians(tilt_deg), -1.2, **pose), mat=mat)


@pytest.mark.parametrize(
    "tilt_deg, focal_share, size", [(35.0, 0.7, UPRIGHT), (18.0, 0.9, SIDEWAYS)]
)
def test_a_photo_at_a_slant_tells_its_lens_and_where_tiles_stand(tilt_deg, focal_share, size):
    image = photo(tilt_deg, focal_share, size, fill=1.05)
    lens = lens_of_photo(image, MAT)
    focal = lens.intrinsics.matrix[0, 0] / max(size)
    assert focal == pytest.approx(focal_share, rel=0.03)
    assert abs(focal / focal_share - 1) < 3 * lens.focal_sigma_share
    look = Eye(lens.intrinsics, MAT).look(Frame(image, 0.0))
    seen = {tile.value: tile.pose for tile in look.tiles}
    for solid in SCENE.solids:
        stands, found = solid.tile.pose, seen[solid.tile.value]
        assert math.dist((found.x_mm, found.y_mm), (stands.x_mm, stands.y_mm)) < 0.6


def test_a_lens_is_told_for_the_size_of_the_photo_however_large_that_is():
    image = photo(30.0)
    small = lens_of_photo(image, MAT).intrinsics
    large = lens_of_photo(np.repeat(np.repeat(image, 2, axis=0), 2, axis=1), MAT).intrinsics
    assert (large.width, large.height) == (2400, 3200)
    assert large.matrix[0, 0] == pytest.approx(2 * small.matrix[0, 0], rel=0.01)


def test_a_photo_from_straight_above_says_nothing_of_its_lens_unless_its_file_does():
    image = photo(1.0, scene=Scene())
    with pytest.raises(NoPhotoLens, match="hold the phone at a slant"):
        lens_of_photo(image, MAT)
    lens = lens_of_photo(image, MAT, focal_px=0.72 * 1600)
    assert lens.top_sigma_mm < 2.0


def test_a_mat_that_lies_askew_fits_no_lens():
    laid = np.zeros((len(MAT.strips), 3))
    laid[0] = (9.0, -6.0, math.radians(3))
    image = photo(30.0, scene=Scene(), mat=moved(MAT, laid))
    with pytest.raises(NoPhotoLens, match="no lens fits the photo"):
        lens_of_photo(image, MAT)


def test_a_photo_with_too_little_of_the_mat_is_refused_in_words():
    image = photo(30.0, scene=Scene())
    with pytest.raises(NoMat, match="whole mat is in view"):
        lens_of_photo(np.ascontiguousarray(image[:480]), MAT)


def test_a_strip_of_a_picture_is_refused_in_words():
    with pytest.raises(NoMat):
        lens_of_photo(np.full((10_000, 1, 3), 90, np.uint8), MAT)
