"""The pusher in the picture: known by its tag, and cut out of what may be a hand or a tile."""

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from physics.row.pose import Pose
from vision.arrays import NEIGHBOURS, Gray, Image
from vision.background.background import SHRINK, Foreground
from vision.geometry.camera_pose import View
from vision.pusher_tag.tag import Tag, TagSeen, glimpse_tag
from vision.tuning.pusher_tag import PusherBodyTuning
from vision.tuning.tuning import TUNING, Tuning


class PusherBody:
    """Follows the pusher by its tag.

    Args:
        tag: on its lid.
        tuning: see `Tuning`.
    """

    def __init__(self, tag: Tag, tuning: Tuning = TUNING) -> None:
        self._tuning = tuning
        self._tag = tag
        self._seen: TagSeen | None = None
        self._waited = self._tuning.pusher_body.every_looks

    def cut_out(self, foreground: Foreground, gray: Gray, view: View) -> Foreground:
        """Give what differs from the empty table without the pusher.

        The whole picture is searched for it at once where something is as wide as the paper of its
        tag, and now and then where something is wider than a tile.
        """
        self._seen = self._glimpse(gray, view, near=True)
        if self._seen is None and self._may_be_there(foreground, view):
            self._seen = self._glimpse(gray, view)
        if self._seen is None:
            return foreground
        body = np.zeros(foreground.strict.shape, np.uint8)
        for hull in self._hulls(view):
            cv2.fillConvexPoly(body, hull // SHRINK, (255,))
        return foreground.without(body)

    def painted_over(self, image: Image, gray: Gray, view: View) -> Image:
        """Give a frame as if the table went on where the pusher stands; `gray` is the same."""
        tuning = self._tuning.pusher_body
        self._seen = self._glimpse(gray, view)
        if self._seen is None:
            return image
        away = np.zeros(image.shape[:2], np.uint8)
        for hull in self._hulls(view):
            cv2.fillConvexPoly(away, hull, (255,))
        size = (image.shape[1], image.shape[0])
        tiny = (size[0] // tuning.fill_shrink, size[1] // tuning.fill_shrink)
        small = cv2.resize(image, tiny, interpolation=cv2.INTER_AREA)
        holes = cv2.dilate(cv2.resize(away, tiny), NEIGHBOURS)
        filled = cv2.resize(cv2.inpaint(small, holes, tuning.fill_px, cv2.INPAINT_TELEA), size)
        painted = image.copy()
        painted[away > 0] = np.asarray(filled, np.uint8)[away > 0]
        return painted

    def _may_be_there(self, foreground: Foreground, view: View) -> bool:
        """Whether something is as wide as its paper, or wide and not searched just before."""
        tuning, half_mm = self._tuning.pusher_body, self._tag.paper_mm / 2
        wide_mm = _radius_mm(foreground.loose, view)
        if wide_mm > half_mm and _radius_mm(foreground.strict, view) > half_mm:
            return True
        if wide_mm <= tuning.wide_mm:
            self._waited = tuning.every_looks
            return False
        self._waited += 1
        if self._waited < tuning.every_looks:
            return False
        self._waited = 0
        return True

    def _glimpse(self, gray: Gray, view: View, near: bool = False) -> TagSeen | None:
        if near and self._seen is None:
            return None
        where = self._seen if near else None
        return glimpse_tag(gray, view.pose, view.intrinsics, self._tag, where, tuning=self._tuning)

    def _hulls(self, view: View) -> Sequence[NDArray[np.int32]]:
        """The outlines of its parts in the image."""
        if self._seen is None:
            return ()
        tuning = self._tuning.pusher_body
        half = self._tag.paper_mm / 2 + tuning.cover_mm
        parts = ((-half, half, -half, half, self._tag.height_mm), tuning.servo_mm, tuning.arm_mm)
        return [_hull(part, self._seen.pose, view, tuning) for part in parts]


def _radius_mm(mask: Gray, view: View) -> float:
    """The radius of the largest disc that fits into a mask at the size of the foreground, mm."""
    inside = cv2.distanceTransform(mask, cv2.DIST_L2, cv2.DIST_MASK_3)
    return float(np.max(inside)) / view.scale_px_mm() * SHRINK


def _hull(
    part: tuple[float, float, float, float, float], at: Pose, view: View, tuning: PusherBodyTuning
) -> NDArray[np.int32]:
    back, front, right, left, height = part
    ring = [
        at.to_table(along, across)
        for along in (back - tuning.margin_mm, front + tuning.margin_mm)
        for across in (right - tuning.margin_mm, left + tuning.margin_mm)
    ]
    corners = np.array([(x, y, z) for z in (0.0, height + tuning.margin_mm) for x, y in ring])
    points = np.round(view.project(corners)).astype(np.int32)
    return np.asarray(cv2.convexHull(points), dtype=np.int32)
