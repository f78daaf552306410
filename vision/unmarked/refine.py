"""Boxes moved until their edges lie on those of the image to a fraction of a pixel.

The search for tiles that no mark gives away works on slopes: it says well which boxes are there,
but where two edges lie close together, a lower edge and the upper one behind it, their slopes run
into one. So at last brightness itself is read across every visible edge, piece by piece and no
farther than to the next edge, and compared with a step between two slopes, as at the feet of
marked tiles. All pieces together move a box; what lies far off, a shadow or a neighbour, counts
the less.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from vision.arrays import Bools, Floats, Image
from vision.geometry.boxes import Bodies, Outline, outline, slopes
from vision.geometry.edge_profile import HALVES_PX, MOST_REST, STEPS, edges_in, rest_of
from vision.geometry.pose import project
from vision.geometry.view import View, sample
from vision.unmarked.edge_fit import BodyFit, hidden_points

PIECES, POINTS = 6, 5
"""In how many pieces an edge is looked for, and at how many points each."""
ROOM_PX = 0.75
"""How far a profile stays away from the next edge of its body."""
FAR_PX = 99.0
"""As far as that, no other edge is met."""
EVERY = 2
"""Every so many of the places where an edge may be are tried; the best three tell it in between."""
LEAST_STEP = 24.0
"""Levels between the two sides of an edge, at least, all three colours together."""
LEAST_PIECES = 6
PIECE_MM = 0.2
"""How well one piece tells where the edge is at best."""
LIMIT = 2.0
"""Pieces that are off by more of their sigmas than this count ever less."""
SHARPEST = 40
"""The camera's blur is told by so many pieces of the most contrast."""
LOOKS, ROUNDS = 2, 8
"""How often the image is read, and how often what was read is weighed anew."""
SETTLED = 1e-4
"""Bodies that are shifted or turned by less, in mm and rad, are where they belong."""
KNOWN = np.array([1.0, 1.0, math.radians(3), math.radians(3)])
"""How well x, y, heading and lean are known before, in mm and rad."""
SPREADS = 2.5
FLOOR_MM, FLOOR_RAD = 0.2, math.radians(0.5)
"""How much more uncertain bodies are than pieces by themselves say, for edges may be those of
shadows or of neighbours; and what they are uncertain by at least."""
BASES = {half: np.ascontiguousarray(bases[:, :, ::EVERY]) for half, (_, bases) in STEPS.items()}
"""What all profiles are made of that are a step at one of these places; see `STEPS`."""


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
    image: Image, view: View, fits: Sequence[BodyFit], obstacles: Sequence[Floats]
) -> list[tuple[BodyFit, float, float]]:
    """Move bodies that are all there to where their edges are in the image.

    Args:
        image: BGR.
        view: the camera.
        fits: of the bodies, good to about a millimetre and 3 degrees.
        obstacles: corners of other bodies that may hide parts of them, each shape (8, 3).

    Returns:
        The same with places and corners as they are then, each with how uncertain its place in mm
        and its heading in rad are.
    """
    if not fits:
        return []
    start = Bodies(
        [fit.stance for fit in fits], np.arange(len(fits)), np.stack([fit.place for fit in fits])
    )
    now, spread = moved(image, view, start, obstacles)
    places, corners = now.places, now.corners()
    sigmas_mm = np.hypot(FLOOR_MM, SPREADS * np.hypot(*spread[:, :2].T) / math.sqrt(2))
    sigmas_rad = np.hypot(FLOOR_RAD, SPREADS * spread[:, 2])
    return [
        (replace(fit, place=places[n], corners=corners[n]), float(sigma_mm), float(sigma_rad))
        for n, (fit, sigma_mm, sigma_rad) in enumerate(
            zip(fits, sigmas_mm, sigmas_rad, strict=True)
        )
    ]


def moved(
    image: Image, view: View, bodies: Bodies, obstacles: Sequence[Floats]
) -> tuple[Bodies, Floats]:
    """Move bodies as `polish` does.

    Returns:
        The bodies, and how uncertain x, y, heading and lean of each are, shape (n, 4).
    """
    now = bodies
    for _ in range(LOOKS):
        read = _read(image, view, now, obstacles)
        enough = np.count_nonzero(read.weights, axis=1) >= LEAST_PIECES
        weights = read.weights * enough[:, None]
        back = (bodies.places - now.places)[..., None] / (KNOWN**2)[:, None]
        step = np.zeros_like(now.places)
        for _ in range(ROUNDS):
            miss = read.moves_px - (read.shifts @ step[..., None])[..., 0]
            trusted = weights / (1 + miss**2 * weights / LIMIT**2)
            weighted = (read.shifts * trusted[..., None]).transpose(0, 2, 1)
            square = weighted @ read.shifts + np.diag(KNOWN**-2)
            last = step
            step = np.linalg.solve(square, weighted @ read.moves_px[..., None] + back)[..., 0]
            if np.abs(step - last).max() < SETTLED:
                break
        now = Bodies(now.ways, now.which, now.places + step)
    return now, np.sqrt(np.linalg.inv(square).diagonal(axis1=1, axis2=2))


def _read(image: Image, view: View, bodies: Bodies, obstacles: Sequence[Floats]) -> _Read:
    corners = bodies.corners()
    drawn = outline(corners, view, PIECES * POINTS)
    count, edges = len(bodies), drawn.shown.shape[1] // (PIECES * POINTS)
    shape = (count, edges, PIECES, POINTS)
    pixels = drawn.pixels.reshape(*shape, 2)
    normals = drawn.normals.reshape(*shape, 2)[:, :, :, 0]
    hidden = hidden_points(drawn, corners, np.reshape(obstacles, (-1, 8, 3)), view)
    hidden |= hidden_points(drawn, corners, corners, view)
    free = (drawn.shown & ~hidden).reshape(shape).all(axis=3)
    middles = pixels.mean(axis=3)
    reach = HALVES_PX[0] + 2
    limits = np.array(image.shape[1::-1]) - reach
    free &= ((middles > reach) & (middles < limits)).all(axis=3)
    room = _room(corners, drawn, middles, normals[:, :, 0], view) - ROOM_PX
    moves, weights = np.zeros(free.shape), np.zeros(free.shape)
    profiles = []
    wider = math.inf
    for half in HALVES_PX:
        mine = free & (room >= half) & (room < wider)
        wider = half
        if mine.any():
            levels, good = _profiles(image, pixels[mine], normals[mine], mine, STEPS[half][0])
            profiles.append((mine, levels, good, BASES[half]))
    if profiles:
        blur = _blur(*profiles[0][1:])
        for mine, levels, good, steps in profiles:
            rest = rest_of(levels, steps[:, blur])
            px, sigma_px, clear = edges_in(rest, levels.shape[1], EVERY)
            moves[mine] = px
            least_px = PIECE_MM * view.scale_px_mm()
            weights[mine] = (good & clear) / (sigma_px**2 + least_px**2)
    shifts = slopes(drawn, bodies, view).reshape(*shape, 4).mean(axis=3)
    flat = (count, edges * PIECES)
    return _Read(moves.reshape(flat), weights.reshape(flat), shifts.reshape(*flat, 4))


def _room(corners: Floats, drawn: Outline, middles: Floats, normals: Floats, view: View) -> Floats:
    """How far each piece is, across its edge, from the next visible edge of its body, in px.

    Args:
        corners: of the bodies, shape (n, 8, 3).
        drawn: their edges.
        middles: of the pieces, shape (n, edges, pieces, 2).
        normals: across the edges, shape (n, edges, 2).
        view: the camera.
    """
    count, edges = middles.shape[:2]
    seen = project(corners.reshape(-1, 3), view.pose, view.intrinsics).reshape(count, 8, 2)
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
    met = (share > -0.05) & (share < 1.05) & shown[:, None, None, :]
    met &= ~np.eye(edges, dtype=bool)[None, :, None, :]
    return np.asarray(np.where(met, far, FAR_PX).min(axis=3))


def _profiles(
    image: Image, pixels: Floats, normals: Floats, mine: Bools, offsets_px: Floats
) -> tuple[Floats, Bools]:
    """Read profiles across pieces of edges.

    Args:
        image: BGR.
        pixels: points of each piece, shape (k, points, 2).
        normals: across each, shape (k, 2).
        mine: which of all pieces they are, shape (n, edges, pieces).
        offsets_px: where across them to read, shape (offsets,).

    Returns:
        The levels of each, shape (k, offsets); and which of them have contrast, shape (k,).
    """
    count, offsets = len(pixels), len(offsets_px)
    spots = pixels[:, :, None] + offsets_px[:, None] * normals[:, None, None]
    colours = sample(image, spots.reshape(count, -1, 2)).reshape(count, POINTS, offsets, -1)
    colours = colours.mean(axis=1)
    apart = colours[:, -3:].mean(axis=1) - colours[:, :3].mean(axis=1)
    # All pieces of an edge are seen in the one colour in which they stand out.
    which = np.flatnonzero(mine) // PIECES
    sums = np.zeros((mine.size // PIECES, apart.shape[1]))
    np.add.at(sums, which, apart)
    ways = sums[which] / np.maximum(np.linalg.norm(sums[which], axis=1, keepdims=True), 1e-9)
    levels = (colours @ ways[..., None])[..., 0]
    return levels, np.abs((apart * ways).sum(axis=1)) > LEAST_STEP


def _blur(levels: Floats, good: Bools, steps: Floats) -> int:
    """Say which of the blurs of steps suits the clearest profiles best: a camera has but one."""
    levels = levels - levels.mean(axis=1, keepdims=True)
    size = np.maximum((levels**2).sum(axis=1) * good, 1e-9)
    clearest = np.argsort(-size)[:SHARPEST]
    levels, size = levels[clearest], size[clearest, None]
    shares = [rest_of(levels, steps[:, n]).min(axis=1) for n in range(steps.shape[1])]
    return int(np.minimum(np.stack(shares, axis=1) / size, MOST_REST**2).sum(axis=0).argmin())
