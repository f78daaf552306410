"""Steps of brightness across an edge: where in a profile one lies, and how well that is known.

A profile that runs over one edge is a step between two slopes, blurred as much as the camera blurs.
What is left of it when such a step is taken out, tried at every place where the edge may be, tells
where it is to a fraction of a pixel.
"""

import math

import numpy as np

from vision.arrays import Bools, Floats

HALVES_PX, STEP_PX = (3.0, 2.5, 2.0), 0.5
"""How far to both sides of an edge brightness may be read, and in what steps."""
BLURS_PX = (0.75, 0.9, 1.05, 1.25, 1.5, 1.8)
REACH_PX, EDGE_STEP_PX = 2.0, 0.1
"""How far off an edge may be, and the places in between where it is tried."""
EDGES_PX = np.arange(-REACH_PX, REACH_PX + EDGE_STEP_PX / 2, EDGE_STEP_PX)
MOST_REST = 0.08
"""What is left of a profile that is seen well, as a share of its contrast; others do not tell what
the camera's blur is."""
NOISE_LEVELS, NOISE_FACTOR = 1.0, 1.5
"""Noise is never less than so many levels, and an edge so much less certain than it says, for
neighbouring pixels share it."""


def _steps(half_px: float) -> tuple[Floats, Floats]:
    offsets = np.arange(-half_px, half_px + STEP_PX / 2, STEP_PX)
    bases = np.empty((4, len(BLURS_PX), len(EDGES_PX), len(offsets)))
    for n, blur in enumerate(BLURS_PX):
        for m, edge in enumerate(EDGES_PX):
            way = offsets - edge
            rise = np.array([0.5 + 0.5 * math.erf(w / blur / math.sqrt(2)) for w in way.tolist()])
            parts = np.stack([1 - rise, rise, way * (1 - rise), way * rise], axis=1)
            bases[:, n, m] = np.linalg.qr(parts)[0].T
    return offsets, bases


STEPS = {half_px: _steps(half_px) for half_px in HALVES_PX}
"""Places across an edge, shape (offsets,), and bases of all profiles that are a step between two
slopes there, shape (4, blurs, edges, offsets); by how far to both sides is read."""


def rest_of(levels: Floats, steps: Floats) -> Floats:
    """Say what is left of profiles where a step is taken out, squared and added up.

    Args:
        levels: shape (k, offsets).
        steps: bases, shape (4, ..., offsets).

    Returns:
        Shape (k, ...).
    """
    shares = (levels @ steps.reshape(-1, levels.shape[1]).T).reshape(-1, *steps.shape[:-1])
    whole = (levels**2).sum(axis=1).reshape(-1, *(1,) * (steps.ndim - 2))
    return np.asarray(np.maximum(whole - (shares**2).sum(axis=1), 0.0))


def edges_in(rest: Floats, offsets: int, every: int = 1) -> tuple[Floats, Floats, Bools]:
    """Say where edges are by what is left of their profiles.

    Args:
        rest: by where each may be, shape (k, places).
        offsets: at how many places across brightness was read.
        every: one of so many of `EDGES_PX` was tried.

    Returns:
        Places in px, one sigma in px, and which of them lie within reach; each shape (k,).
    """
    places_px, step_px = EDGES_PX[::every], every * EDGE_STEP_PX
    best = rest.argmin(axis=1)
    inner = np.clip(best, 1, len(places_px) - 2)
    each = np.arange(len(rest))
    before, here, after = (rest[each, inner + n] for n in (-1, 0, 1))
    bend = np.maximum(before - 2 * here + after, 1e-9)
    between = np.clip((before - after) / (2 * bend), -0.5, 0.5)
    noise = here / (offsets - 4) + NOISE_LEVELS**2
    sigma_px = NOISE_FACTOR * np.sqrt(2 * noise / bend) * step_px
    return places_px[inner] + between * step_px, sigma_px, best == inner
