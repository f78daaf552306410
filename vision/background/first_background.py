"""Find what stands out on a table that nobody has seen empty.

A table top has about one colour, lighter here and darker there. Where the image is far from such a
smooth surface, something stands or a hand reaches in. This is coarse. It is for the first frame
only: to notice a hand, and to make a picture of the empty table in spite of what stands on it.
"""

import math
from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from physics.row.tile import Tile, apart_mm
from vision.arrays import NEIGHBOURS, SIGMA_OF_MEDIAN, Bools, Gray, Image
from vision.background.background import SHRINK, shrink
from vision.background.obstructions import is_book, touches_edge
from vision.geometry.boxes import outline_px
from vision.geometry.camera_pose import View
from vision.geometry.image_sampling import sample
from vision.geometry.markers import as_gray
from vision.geometry.mat import Mat
from vision.tuning.tuning import TUNING, Tuning
from vision.tuning.unmarked import BackgroundTuning, FirstBackgroundTuning


def odd_places(image: Image, view: View, mat: Mat, tuning: Tuning = TUNING) -> tuple[Gray, bool]:
    """Find what stands out from a smooth table.

    Returns:
        A mask of 255 at the size of the cells, and whether a hand reaches in over the edge of the
        picture, so that a marker is hidden. Where something as large lies there by itself, such as
        a page or a bold pattern, nobody can say what stands beside it: all belongs to the table,
        and the mask is empty.
    """
    cell_px = max(2, round(tuning.first_background.cell_mm * view.scale_px_mm()))
    columns, rows = image.shape[1] // cell_px, image.shape[0] // cell_px
    small = np.asarray(cv2.resize(image, (columns, rows), interpolation=cv2.INTER_AREA), np.uint8)
    inside = _area((rows, columns), cell_px, view, mat)
    within = inside > 0
    if not within.any():
        return np.zeros_like(inside), False
    smooth, sigma = _smooth(small, within, tuning.first_background)
    rest = _log(small, tuning.first_background.light_floor_levels) - smooth
    off = (np.abs(rest) / sigma).max(axis=2)
    everywhere = np.asarray((off > tuning.first_background.odd_sigmas) * 255, dtype=np.uint8)
    odd = np.asarray(cv2.bitwise_and(everywhere, inside), dtype=np.uint8)
    cell_mm = cell_px / view.scale_px_mm()
    depth = np.asarray(cv2.distanceTransform(odd, cv2.DIST_L2, cv2.DIST_MASK_3), dtype=np.float64)
    depth_mm = depth * cell_mm
    widest = float(depth_mm.max())
    if widest > tuning.background.reaching_radius_mm:
        over = np.zeros_like(inside)
        for name in covered_markers(image, view, mat, tuning=tuning.first_background):
            corners = np.column_stack([mat.corners_mm[name], np.zeros(4)])
            pixels = view.project(corners) / cell_px
            cv2.fillConvexPoly(over, np.round(pixels).astype(np.int32), (255,))
        table = within | _as_inside(small, within & (odd == 0), tuning.first_background)
        every = np.where(table, odd, everywhere)
        every = np.where(_like_shadow(rest, tuning.background), np.uint8(0), every)
        if _reaches_in(every, over > 0, depth_mm, cell_mm, tuning.background):
            return odd, True
    if widest > tuning.background.hand_radius_mm:
        return np.zeros_like(odd), False
    _, labels = cv2.connectedComponents(odd)
    wide = np.unique(np.asarray(labels)[depth_mm > tuning.first_background.least_radius_mm])
    # Joints and stripes go on beyond the work area; tiles do not.
    rim = within & (cv2.erode(inside, NEIGHBOURS) == 0)
    wide = np.setdiff1d(wide, [0, *np.unique(np.asarray(labels)[rim])])
    return np.asarray(np.isin(labels, wide) * 255, dtype=np.uint8), False


def _as_inside(small: Image, table: Bools, tuning: FirstBackgroundTuning) -> Bools:
    """Say where the picture has a colour that the table inside the work area has in many places.

    The smooth light is taken to go on evenly beyond the work area; sun and shade need not.

    Args:
        small: the frame in cells, BGR.
        table: where the table lies bare inside the work area.
        tuning: see `FirstBackgroundTuning`.
    """
    light = _log(small, tuning.light_floor_levels) / tuning.colour_step
    bins = 1 + np.floor(light - light.min(axis=(0, 1))).astype(np.intp)
    count = np.zeros(bins.max(axis=(0, 1)) + 2)
    np.add.at(count, tuple(bins[table].T), 1 / max(1, int(np.count_nonzero(table))))
    # With the bins beside it, a colour near the edge of its bin counts as much as any other.
    for axis in range(count.ndim):
        count = np.roll(count, 1, axis) + count + np.roll(count, -1, axis)
    return np.asarray(count[tuple(np.moveaxis(bins, 2, 0))] > tuning.colour_share)


def _like_shadow(rest: NDArray[np.float64], tuning: BackgroundTuning) -> Bools:
    """Say where the table may only be in shadow.

    Args:
        rest: how much brighter than a smooth table each colour is, as a logarithm, shape
            (rows, columns, 3).
        tuning: see `BackgroundTuning`.
    """
    least, most = rest.min(axis=2), rest.max(axis=2)
    deepest = math.log(tuning.shadow_depth_share)
    return np.asarray((least > deepest) & (most < 0) & (most - least < tuning.shadow_tint_share))


def _smooth(
    small: Image, within: Bools, tuning: FirstBackgroundTuning
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Fit the light of a smooth table, and go on with it evenly beyond the work area.

    Args:
        small: the frame in cells, BGR.
        within: where the work area is.
        tuning: see `FirstBackgroundTuning`.

    Returns:
        The logarithm of each colour, shape of the frame; and how uneven the table is, shape (3,).
    """
    y, x = np.nonzero(within)
    rows, columns = within.shape
    v, u = np.meshgrid(
        np.clip(np.arange(rows), y.min(), y.max()) / rows - 0.5,
        np.clip(np.arange(columns), x.min(), x.max()) / columns - 0.5,
        indexing="ij",
    )
    terms = np.stack([np.ones_like(u), u, v, u * u, u * v, v * v], axis=-1)
    surface, light = terms[within], _log(small[within], tuning.light_floor_levels)
    weight = np.ones((len(y), 1))
    for _ in range(tuning.rounds):
        shape = np.linalg.lstsq(surface * weight, light * weight, rcond=None)[0]
        rest = np.abs(light - surface @ shape)
        sigma = SIGMA_OF_MEDIAN * np.median(rest, axis=0) + tuning.least_sigma
        weight = 1 / np.maximum(1, (rest / sigma).max(axis=1))[:, None]
    return terms @ shape, sigma


def _log(colours: Image, floor_levels: float) -> NDArray[np.float64]:
    return np.asarray(np.log(colours.astype(np.float64) + floor_levels))


def _reaches_in(
    odd: Gray,
    over: Bools,
    depth_mm: NDArray[np.float64],
    cell_mm: float,
    tuning: BackgroundTuning,
) -> bool:
    """Say whether something as wide as an arm comes in over the edge of the picture and a marker.

    Args:
        odd: where something stands out in the whole picture, in cells.
        over: where markers are hidden.
        depth_mm: how deep each cell of the work area is in such a place.
        cell_mm: side of a cell.
        tuning: see `BackgroundTuning`.
    """
    wide = _opened(odd, tuning.reaching_radius_mm, cell_mm)
    labels = np.asarray(cv2.connectedComponents(wide)[1])
    parts = set(np.unique(labels[depth_mm > tuning.reaching_radius_mm])) - {0}
    parts &= set(np.unique(labels[over]))  # a stripe of sun hides none
    return any(
        touches_edge(labels == n, tuning.arm_mm / cell_mm)
        and not _is_book(np.asarray(labels == n, dtype=np.uint8), odd, cell_mm, tuning=tuning)
        for n in parts
    )


def _is_book(part: Gray, odd: Gray, cell_mm: float, tuning: BackgroundTuning) -> bool:
    """Say whether something is a book, without the strips of the mat that it lies on."""
    broad = _opened(part, tuning.book_broad_mm, cell_mm) > 0
    coarse = replace(tuning, book_corner_mm=tuning.coarse_corner_mm)
    return is_book(broad, odd > 0, 1 / cell_mm, tuning=coarse)


def _opened(mask: Gray, radius_mm: float, cell_mm: float) -> Gray:
    """Leave what is so wide that a disc fits into it; corners are rounded."""
    reach = 2 * round(radius_mm / cell_mm) + 1
    disc = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (reach, reach))
    wide = cv2.morphologyEx(mask, cv2.MORPH_OPEN, disc, borderType=cv2.BORDER_REPLICATE)
    return np.asarray(wide, dtype=np.uint8)


def covered_markers(
    image: Image, view: View, mat: Mat, tuning: FirstBackgroundTuning = TUNING.first_background
) -> list[int]:
    """Name the markers of the mat that should be in the image but are hidden by something.

    A marker is in sight where its black border is darker than the paper round it.
    """
    gray = as_gray(image)
    along = np.linspace(*tuning.side_shares, tuning.side_points)[:, None]
    sides, steps = [], {}
    for name, corners in mat.corners_mm.items():
        middle = corners.mean(axis=0)
        ring = [a + along * (b - a) for a, b in zip(corners, np.roll(corners, -1, 0), strict=True)]
        spokes = np.concatenate(ring) - middle
        both = np.concatenate(
            [middle + tuning.border_share * spokes, middle + tuning.paper_share * spokes]
        )
        points = np.column_stack([both, np.zeros(len(both))])
        pixels = view.project(points)
        if (pixels > 1).all() and (pixels < np.array(gray.shape[::-1]) - 2).all():
            border, paper = sample(gray, pixels).reshape(2, -1)
            steps[name] = paper - border
            sides.append(float(np.median(steps[name])))
    if not sides:
        return []
    least = float(np.median(sides)) / tuning.usual_steps
    return [name for name, step in steps.items() if np.mean(step > least) < tuning.least_seen_share]


def emptied(
    image: Image,
    odd: Gray,
    view: View,
    mat: Mat,
    known: Sequence[Tile],
    unknown: Gray | None = None,
    tuning: FirstBackgroundTuning = TUNING.first_background,
) -> Image:
    """Return the frame at half size as if nothing stood on the table.

    Args:
        image: the frame, BGR.
        odd: where something stands out, see `odd_places`.
        view: the camera.
        mat: the work area; what lies round it stays as it is.
        known: tiles that are known to stand there.
        unknown: 255 where nobody knows what is table, at half size; None for nowhere.
        tuning: see `FirstBackgroundTuning`.
    """
    small = shrink(image)
    size = (small.shape[1], small.shape[0])
    away = np.asarray(cv2.resize(odd, size, interpolation=cv2.INTER_NEAREST), dtype=np.uint8)
    for tile in known:
        cv2.fillConvexPoly(away, outline_px(tile, view) // SHRINK, (255,))
    if unknown is not None:
        away = np.maximum(away, unknown)
    if not away.any():
        return small
    away = with_shadows(away, view, tuning)
    away = np.asarray(cv2.bitwise_and(away, _area(away.shape, SHRINK, view, mat)), dtype=np.uint8)
    tiny = (size[0] // tuning.fill_shrink, size[1] // tuning.fill_shrink)
    holes = cv2.resize(away, tiny, interpolation=cv2.INTER_NEAREST)
    coarse = cv2.resize(small, tiny, interpolation=cv2.INTER_AREA)
    filled = cv2.resize(cv2.inpaint(coarse, holes, tuning.fill_px, cv2.INPAINT_TELEA), size)
    small[away > 0] = np.asarray(filled, dtype=np.uint8)[away > 0]
    return small


def with_shadows(
    mask: Gray, view: View, tuning: FirstBackgroundTuning = TUNING.first_background
) -> Gray:
    """Return a mask of tiles, widened by the reach of their shadows."""
    reach = int(tuning.shadow_mm * view.scale_px_mm() / SHRINK) | 1
    return np.asarray(cv2.dilate(mask, np.ones((reach, reach), dtype=np.uint8)), dtype=np.uint8)


def row_ground(
    known: Sequence[Tile],
    view: View,
    shape: tuple[int, ...],
    tuning: FirstBackgroundTuning = TUNING.first_background,
) -> Gray:
    """Where other tiles may stand in a row of known ones: between them and at its ends.

    Args:
        known: tiles of the row.
        view: the camera.
        shape: of an image at half size, (rows, columns).
        tuning: see `FirstBackgroundTuning`.

    Returns:
        255 there, at half size.
    """
    ground = np.zeros(shape[:2], dtype=np.uint8)
    wide_px = round(tuning.row_wide_mm * view.scale_px_mm() / SHRINK)
    for n, tile in enumerate(known):
        x, y, heading = tile.pose.x_mm, tile.pose.y_mm, tile.pose.heading_rad
        ahead = tuning.row_end_mm * math.cos(heading), tuning.row_end_mm * math.sin(heading)
        ways = [((x - ahead[0], y - ahead[1]), (x + ahead[0], y + ahead[1]))]
        ways += [
            ((x, y), (other.pose.x_mm, other.pose.y_mm))
            for other in known[n + 1 :]
            if apart_mm(tile, other) < tuning.row_gap_mm
        ]
        for ends in ways:
            points = np.array([(*end, tile.height_mm / 2) for end in ends])
            pixels = np.round(view.project(points) / SHRINK).astype(int)
            cv2.line(ground, pixels[0].tolist(), pixels[1].tolist(), (255,), wide_px)
    return ground


def in_pattern(
    image: Image,
    found: Sequence[Tile],
    marked: Sequence[Tile],
    view: View,
    mat: Mat,
    tuning: FirstBackgroundTuning = TUNING.first_background,
) -> list[bool]:
    """Say of each tile found in a row whether several other places of the table look just like it.

    Tiles look alike, too, so places in the line of the row do not count.

    Args:
        image: the frame at half size, BGR.
        found: the tiles, without a mark.
        marked: the tiles of the row that have a mark.
        view: the camera.
        mat: the work area.
        tuning: see `FirstBackgroundTuning`.
    """
    line = replace(tuning, row_end_mm=tuning.pattern_line_mm)
    row = row_ground((*marked, *found), view, image.shape, tuning=line)
    table = cv2.subtract(_area(image.shape, SHRINK, view, mat), row)
    left, top, columns, rows = cv2.boundingRect(table)
    table = table[top : top + rows, left : left + columns]
    around = image[top : top + rows, left : left + columns]
    rim = tuning.pattern_rim_mm * view.scale_px_mm() / SHRINK
    limits = np.array(image.shape[1::-1])
    repeated = []
    for tile in found:
        outline = outline_px(tile, view).reshape(-1, 2) / SHRINK
        low = np.clip(np.floor(outline.min(axis=0) - rim), 0, limits - 1).astype(int)
        high = np.clip(np.ceil(outline.max(axis=0) + rim) + 1, low + 1, limits).astype(int)
        own = image[low[1] : high[1], low[0] : high[0]]
        if own.shape[0] > rows or own.shape[1] > columns:
            repeated.append(False)
            continue
        alike = cv2.matchTemplate(around, own, cv2.TM_CCOEFF_NORMED)
        middle = own.shape[0] // 2, own.shape[1] // 2
        bare = table[middle[0] :, middle[1] :][: alike.shape[0], : alike.shape[1]] > 0
        there = (alike > tuning.pattern_likeness) & bare
        places = cv2.connectedComponents(there.astype(np.uint8))[0] - 1
        repeated.append(places >= tuning.pattern_places)
    return repeated


def _area(shape: tuple[int, ...], shrink_by: int, view: View, mat: Mat) -> Gray:
    """Where the work area is, in an image so many times smaller."""
    corners = np.array([(x, y, 0.0) for x in mat.area_x_mm for y in mat.area_y_mm])
    points = np.round(view.project(corners) / shrink_by).astype(np.int32)
    area = np.zeros(shape[:2], dtype=np.uint8)
    cv2.fillConvexPoly(area, np.asarray(cv2.convexHull(points)), (255,))
    return area
