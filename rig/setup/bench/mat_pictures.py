"""Tilted pictures of the mat, taken one by one, from which the lens and the mat are measured."""

import math
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from rig.setup.errors import NotSo
from rig.setup.plan.steps import VIEWS
from vision.arrays import Image
from vision.calibrate.aim_check import Aimed, aim
from vision.calibrate.lens_fit import (
    LensFit,
    LensPicture,
    find_lens,
    see_mat,
)
from vision.calibrate.mat_survey import NoSurvey, Survey, survey
from vision.geometry.lens import Intrinsics
from vision.geometry.markers import as_gray
from vision.geometry.mat import Mat, MatView
from vision.tuning.tuning import TUNING

ALIKE_RAD = math.radians(9.0)
"""Angle between two pictures' directions below which the second adds nothing."""
MOST = 12


class NotTaken(NotSo):
    """A picture adds nothing, or shows too little; the earlier ones are kept."""


@dataclass(frozen=True, slots=True, eq=False)
class _View:
    picture: LensPicture
    view: MatView
    axis: NDArray[np.float64]


@dataclass
class MatPictures:
    """The pictures taken so far.

    Attributes:
        mat: as it is printed.
    """

    mat: Mat
    _taken: list[_View] = field(default_factory=list, init=False, repr=False)

    def __len__(self) -> int:
        return len(self._taken)

    @property
    def enough(self) -> bool:
        """Whether the lens or the survey can be tried."""
        return len(self) >= VIEWS

    def clear(self) -> None:
        """Start over without pictures."""
        self._taken.clear()

    def take(self, image: Image) -> Aimed:
        """Add a picture.

        Raises:
            NotTaken, NoLens: it is blurred, shows too little, or is too much like one before.
        """
        aimed, view = aim(image, self.mat)
        if aimed.pose is None:
            raise NotTaken(f"aim.{aimed.trouble}", "The mat is not found.", seen=aimed.markers)
        if aimed.blur_px > TUNING.diagnosis.blur_px:
            raise NotTaken("views.blurred", "The picture is blurred: hold the camera still.")
        if len(view.ids) < TUNING.lens_fit.least_mat_markers:
            raise NotTaken("views.few", "Too little of the mat is in view.", seen=len(view.ids))
        axis = aimed.pose.rotation[2]
        for n, other in enumerate(self._taken, start=1):
            apart = math.acos(min(1.0, float(axis @ other.axis)))
            if apart < ALIKE_RAD:
                raise NotTaken(
                    "views.alike", f"This is picture {n} again: tilt the camera another way.", n=n
                )
        picture = see_mat(as_gray(image), self.mat, f"picture {len(self) + 1}")
        self._taken = [*self._taken[-MOST + 1 :], _View(picture, view, axis)]
        return aimed

    def lens(self) -> LensFit:
        """Find the lens.

        Raises:
            NoLens: the kind says what the pictures lack.
        """
        return find_lens([taken.picture for taken in self._taken], self.mat)

    def survey(self, lens: Intrinsics, ruler_mm: float) -> Survey:
        """Find where the strips lie.

        Raises:
            NoSurvey: the kind says what the pictures lack.
        """
        sizes = {taken.picture.size for taken in self._taken}
        if len(sizes) > 1:
            raise NoSurvey("the pictures differ in size: start over with one camera", "sizes")
        lenses = [lens.at_size(*taken.picture.size) for taken in self._taken]
        return survey([taken.view for taken in self._taken], lenses, self.mat, ruler_mm)
