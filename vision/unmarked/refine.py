"""Move boxes until their edges lie on those of the image, to a fraction of a pixel.

The search for unmarked tiles works on slopes. These say well which boxes are there. But where two
edges lie close together, such as a lower edge and the upper one behind it, their slopes run into
one. So at last brightness itself is read across every visible edge, piece by piece and no farther
than to the next edge, and compared with a step between two slopes, as for base edges of marked
tiles. All pieces together move a box. Pieces that lie far off, on a shadow or a neighbour, count
less.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from vision.arrays import Bools, Floats, Image
from vision.geometry.boxes import Bodies, Outline, outline, slopes
from vision.geometry.camera_pose import View
from vision.geometry.edge_profile import edges_in, likeliest_blur, rest_of, steps_across
from vision.geometry.image_sampling import sample
from vision.tuning.tuning import TUNING, Tuning
from vision.tuning.unmarked import RefineTuning
from vision.unmarked.edge_fit import BodyFit, hidden_points


@dataclass(frozen=True, slots=True, eq=False)
class _Read:
    """Where edges are in the image; the first axes count bodies and pieces.

    Attributes:
        moves_px: how far out along its normal each piece is, shape (n, m).
        weights: one over the square of its sigma, 0 where nothing was read, shape (n, m).
        shifts: how far each moves for one unit of x, y, heading and lean, shape (n, m, 4).
    """

    moves_px: Floats
    weights: Floats
    shifts: Floats


def polish(
    image: Image,
    view: View,
    fits: Sequence[BodyFit],
    obstacles: Sequence[Floats],
    tuning: Tuning = TUNING,
) -> list[tuple[BodyFit, float, float]]:
    """Move bodies that are all there to where their edges are in the image.

    Args:
        image: BGR.
        view: the camera.
        fits: of the bodies, good to about a millimetre and 3 degrees.
        obstacles: corners of other bodies that may hide parts of them, each shape (8, 3).
        tuning: see `Tuning`.

    Returns:
        The same with places and corners as they are then, each with how uncertain its place in mm
        and its heading in rad are.
    """
    if not fits:
        return []
    ways, places = [fit.stance for fit in fits], np.stack([fit.place for fit in fits])
    start = Bodies(ways, np.arange(len(fits)), places)
    doubts_mm = [_doubt_mm(fit, tuning.refine) for fit in fits]
    now, spread = moved(image, view, start, obstacles, tuning=tuning)
    sigmas_mm = np.hypot(
        np.hypot(tuning.refine.floor_mm, doubts_mm),
        tuning.refine.spreads * np.hypot(*spread[:, :2].T) / math.sqrt(2),
    )
    sigmas_rad = np.hypot(tuning.refine.floor_rad, tuning.refine.spreads * spread[:, 2])
    told = zip(fits, now.places, now.corners(), sigmas_mm, sigmas_rad, strict=True)
    return [
        (replace(fit, place=place, corners=corners), float(sigma_mm), float(sigma_rad))
        for fit, place, corners, sigma_mm, sigma_rad in told
    ]


def _doubt_mm(fit: BodyFit, tuning: RefineTuning) -> float:
    """Say how uncertain the place of a body is, for what does not show and for rivals."""
    shown = float(fit.edge.mean()) if len(fit.edge) else 0.0
    unseen_mm = tuning.doubt_mm * max(0.0, tuning.well_shown_share - shown)
    return math.hypot(unseen_mm, tuning.rival_weight * fit.rival_mm)


def moved(
    image: Image, view: View, bodies: Bodies, obstacles: Sequence[Floats], tuning: Tuning = TUNING
) -> tuple[Bodies, Floats]:
    """Move bodies as `polish` does.

    Returns:
        The bodies, and how uncertain x, y, heading and lean of each are, shape (n, 4).
    """
    now = bodies
    known = np.array(tuning.refine.known_mm_rad)
    for _ in range(tuning.refine.looks):
        read = _read(image, view, now, obstacles, tuning)
        enough = np.count_nonzero(read.weights, axis=1) >= tuning.refine.least_pieces
        weights = read.weights * enough[:, None]
        back = (bodies.places - now.places)[..., None] / (known**2)[:, None]
        step = np.zeros_like(now.places)
        for _ in range(tuning.refine.rounds):
            miss = read.moves_px - (read.shifts @ step[..., None])[..., 0]
            trusted = weights / (1 + miss**2 * weights / tuning.refine.limit_sigmas**2)
            weighted = (read.shifts * trusted[..., None]).transpose(0, 2, 1)
            square = weighted @ read.shifts + np.diag(known**-2)
            last = step
            step = np.linalg.solve(square, weighted @ read.moves_px[..., None] + back)[..., 0]
            if np.abs(step - last).max() < tuning.refine.settled:
                break
        now = Bodies(now.ways, now.which, now.places + step)
    return now, np.sqrt(np.linalg.inv(square).diagonal(axis1=1, axis2=2))


def _read(
    image: Image, view: View, bodies: Bodies, obstacles: Sequence[Floats], tuning: Tuning
) -> _Read:
    numbers = tuning.refine
    corners = bodies.corners()
    each = numbers.pieces * numbers.points
    drawn = outline(corners, view, each)
    count, edges = len(bodies), drawn.shown.shape[1] // each
    shape = (count, edges, numbers.pieces, numbers.points)
    pixels = drawn.pixels.reshape(*shape, 2)
    normals = drawn.normals.reshape(*shape, 2)[:, :, :, 0]
    hidden = hidden_points(
        drawn, corners, np.reshape(obstacles, (-1, 8, 3)), view, tuning=tuning.edge_fit
    )
    hidden |= hidden_points(drawn, corners, corners, view, tuning=tuning.edge_fit)
    free = (drawn.shown & ~hidden).reshape(shape).all(axis=3)
    middles = pixels.mean(axis=3)
    reach = tuning.edge_profile.halves_px[0] + 2
    limits = np.array(image.shape[1::-1]) - reach
    free &= ((middles > reach) & (middles < limits)).all(axis=3)
    room = _room(corners, drawn, middles, normals[:, :, 0], view, tuning=numbers) - numbers.room_px
    moves, weights = np.zeros(free.shape), np.zeros(free.shape)
    profiles = []
    wider = math.inf
    for half in tuning.edge_profile.halves_px:
        mine = free & (room >= half) & (room < wider)
        wider = half
        if mine.any():
            offsets, bases = steps_across(half, numbers.every, tuning=tuning.edge_profile)
            levels, good = _profiles(
                image, pixels[mine], normals[mine], mine, offsets, tuning=numbers
            )
            profiles.append((mine, levels, good, bases))
    if profiles:
        blur = _blur(*profiles[0][1:], tuning)
        for mine, levels, good, steps in profiles:
            rest = rest_of(levels, steps[:, blur])
            px, sigma_px, clear = edges_in(
                rest, levels.shape[1], numbers.every, tuning=tuning.edge_profile
            )
            moves[mine] = px
            least_px = numbers.piece_mm * view.scale_px_mm()
            weights[mine] = (good & clear) / (sigma_px**2 + least_px**2)
    shifts = slopes(drawn, bodies, view).reshape(*shape, 4).mean(axis=3)
    flat = (count, edges * numbers.pieces)
    return _Read(moves.reshape(flat), weights.reshape(flat), shifts.reshape(*flat, 4))


def _room(
    corners: Floats,
    drawn: Outline,
    middles: Floats,
    normals: Floats,
    view: View,
    tuning: RefineTuning,
) -> Floats:
    """How far each piece is, across its edge, from the next visible edge of its body, in px.

    Args:
        corners: of the bodies, shape (n, 8, 3).
        drawn: their edges.
        middles: of the pieces, shape (n, edges, pieces, 2).
        normals: across the edges, shape (n, edges, 2).
        view: the camera.
        tuning: see `RefineTuning`.
    """
    count, edges = middles.shape[:2]
    seen = view.project(corners)
    each = np.arange(count)[:, None]
    first, last = (seen[each, drawn.ends[..., n]] for n in (0, 1))
    along = last - first
    shown = drawn.shown.reshape(count, edges, -1)[:, :, 0]
    # All of pieces (n, edges, pieces, 1) and of other edges (n, 1, 1, edges).
    nx, ny = (normals[:, :, None, None, k] for k in (0, 1))
    dx, dy = (along[:, None, None, :, k] for k in (0, 1))
    x, y = (middles[..., None, k] - first[:, None, None, :, k] for k in (0, 1))
    slant = dx * ny - dy * nx
    slant = np.where(np.abs(slant) < 1e-9, 1e-9, slant)
    share = (x * ny - y * nx) / slant
    far = np.abs((share * dx - x) * nx + (share * dy - y) * ny)
    beyond = tuning.beyond_share
    met = (share > -beyond) & (share < 1 + beyond) & shown[:, None, None, :]
    met &= ~np.eye(edges, dtype=bool)[None, :, None, :]
    return np.asarray(np.where(met, far, tuning.far_px).min(axis=3))


def _profiles(
    image: Image,
    pixels: Floats,
    normals: Floats,
    mine: Bools,
    offsets_px: Floats,
    tuning: RefineTuning,
) -> tuple[Floats, Bools]:
    """Read profiles across pieces of edges.

    Args:
        image: BGR.
        pixels: points of each piece, shape (k, points, 2).
        normals: across each, shape (k, 2).
        mine: which of all pieces they are, shape (n, edges, pieces).
        offsets_px: where across them to read, shape (offsets,).
        tuning: see `RefineTuning`.

    Returns:
        The levels of each, shape (k, offsets); and which of them have contrast, shape (k,).
    """
    count, offsets = len(pixels), len(offsets_px)
    spots = pixels[:, :, None] + offsets_px[:, None] * normals[:, None, None]
    colours = sample(image, spots.reshape(count, -1, 2)).reshape(count, tuning.points, offsets, -1)
    colours = colours.mean(axis=1)
    apart = colours[:, -3:].mean(axis=1) - colours[:, :3].mean(axis=1)
    # All pieces of an edge are seen in the one colour in which they stand out.
    which = np.flatnonzero(mine) // tuning.pieces
    sums = np.zeros((mine.size // tuning.pieces, apart.shape[1]))
    np.add.at(sums, which, apart)
    ways = sums[which] / np.maximum(np.linalg.norm(sums[which], axis=1, keepdims=True), 1e-9)
    levels = (colours @ ways[..., None])[..., 0]
    return levels, np.abs((apart * ways).sum(axis=1)) > tuning.least_step_levels


def _blur(levels: Floats, good: Bools, steps: Floats, tuning: Tuning) -> int:
    """Say which of the blurs of steps suits the clearest profiles best: a camera has but one."""
    levels = levels - levels.mean(axis=1, keepdims=True)
    size = np.maximum((levels**2).sum(axis=1) * good, 1e-9)
    clearest = np.argsort(-size)[: tuning.refine.sharpest]
    levels, size = levels[clearest], size[clearest, None]
    shares = [rest_of(levels, steps[:, n]).min(axis=1) for n in range(steps.shape[1])]
    return likeliest_blur(np.stack(shares, axis=1) / size, tuning=tuning.edge_profile)
