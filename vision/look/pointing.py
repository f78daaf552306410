"""The picture that points at what is wrong with a row: outlines, ghosts and values."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import cv2
import numpy as np

from physics.row.tile import Tile
from vision.arrays import Floats, Image
from vision.capture.camera import Frame
from vision.geometry.camera_pose import CameraPose
from vision.geometry.lens import Intrinsics
from vision.look import overlay
from vision.look.overlay import STYLE, Cut


@dataclass(frozen=True, slots=True)
class PointedTile:
    """A tile to point at.

    Attributes:
        value: what is written beside it.
        now: where it is, with a firm outline; None if nobody knows.
        was: where it belongs, with a broken one; None if nowhere.
    """

    value: int | None
    now: Tile | None = None
    was: Tile | None = None


def pointed(
    frame: Frame,
    row: Sequence[Tile],
    marks: Sequence[PointedTile],
    pose: CameraPose,
    intrinsics: Intrinsics,
) -> bytes:
    """Cut the row out of a frame and point at tiles in it.

    Args:
        frame: the table now.
        row: what has to be in the picture beside the tiles pointed at.
        marks: which those are.
        pose: where the camera is.
        intrinsics: its lens.

    Returns:
        A JPEG of at most 100 kB.
    """
    shown = [tile for mark in marks for tile in (mark.now, mark.was) if tile is not None]
    if not row and not shown:
        return overlay.whole(frame.image, STYLE.pointing_bytes)
    cut = Cut(frame.image, [*row, *shown], pose, intrinsics)
    image = overlay.lit(cut.image())
    anchored = []
    for mark in marks:
        if mark.was is not None:
            _broken(image, _outline(cut, mark.was))
        if mark.now is not None:
            outline = _closed(_outline(cut, mark.now))
            overlay.line(image, outline, STYLE.lamp_bgr, STYLE.line_px)
        if mark.now is not None and mark.was is not None:
            _arrow(image, _middle(cut, mark.now), _middle(cut, mark.was))
        at = mark.now or mark.was
        if at is not None:
            anchored.append((mark.value, cut.spot((at.pose.x_mm, at.pose.y_mm, at.height_mm))))
    if anchored:
        anchors = [anchor for _, anchor in anchored]
        places = overlay.badge_places(anchors)
        for (value, anchor), place in zip(anchored, places, strict=True):
            overlay.badge(image, value, anchor, place, stands=True)
    return overlay.jpeg(image, STYLE.pointing_bytes)


def _outline(cut: Cut, tile: Tile) -> Floats:
    """Round a whole tile as the camera sees it, px, shape (n, 2)."""
    corners = tile.footprint.corners
    body = [(x, y, z) for x, y in corners for z in (0.0, tile.height_mm)]
    spots = cut.spots(np.array(body)).astype(np.float32)
    return np.asarray(cv2.convexHull(spots)[:, 0], np.float64)


def _closed(spots: Floats) -> Floats:
    return np.concatenate([spots, spots[:1]])


def _middle(cut: Cut, tile: Tile) -> Floats:
    """Where the middle of its foot is in the picture, px."""
    return np.array(cut.spot((tile.pose.x_mm, tile.pose.y_mm, 0.0)))


def _broken(image: Image, spots: Floats) -> None:
    """Draw a broken outline, its dashes as long at every corner of it."""
    for start, end in pairwise(_closed(spots)):
        long = float(np.linalg.norm(end - start))
        count = max(1, round(long / (2 * STYLE.dash_px)))
        for n in range(count):
            shares = np.array([[n / count], [(n + 0.5) / count]])
            dash = start + shares * (end - start)
            overlay.line(image, dash, STYLE.cream_bgr, STYLE.broken_px)


def _arrow(image: Image, start: Floats, end: Floats) -> None:
    """Point from where a tile is to where it belongs."""
    way = end - start
    long = float(np.linalg.norm(way))
    if long < STYLE.near_px:
        return
    along = way / long * min(STYLE.arrow_px, long / 2)
    across = np.array([-along[1], along[0]])
    head = np.array([end - along + across, end, end - along - across])
    for path in (np.array([start, end]), head):
        overlay.line(image, path, STYLE.lamp_bgr, STYLE.line_px)
