"""Find a step of brightness across an edge to a fraction of a pixel, and how sure that is.

A profile across one edge is a step between two slopes, blurred as much as the camera blurs. Such a
step is taken out of it at every place where the edge may be. The edge is where least is left.
"""

import math
from collections.abc import Iterable
from functools import lru_cache

import cv2
import numpy as np

from vision.arrays import Bools, Floats, Gray
from vision.tuning.geometry import EdgeProfileTuning
from vision.tuning.tuning import TUNING


def edges_px(tuning: EdgeProfileTuning = TUNING.edge_profile) -> Floats:
    """Return the places across an edge where it is tried, in px from where it is expected."""
    return np.arange(
        -tuning.reach_px, tuning.reach_px + tuning.edge_step_px / 2, tuning.edge_step_px
    )


@lru_cache(maxsize=16)
def steps_across(
    half_px: float, every: int = 1, tuning: EdgeProfileTuning = TUNING.edge_profile
) -> tuple[Floats, Floats]:
    """Return the profiles that are a step between two slopes.

    Args:
        half_px: how far to both sides of the edge brightness is read.
        every: one of so many of `edges_px` is tried.
        tuning: see `EdgeProfileTuning`.

    Returns:
        Places across an edge, shape (offsets,), and bases of all such profiles there, shape
        (4, blurs, edges, offsets).
    """
    edges = edges_px(tuning=tuning)
    offsets = np.arange(-half_px, half_px + tuning.step_px / 2, tuning.step_px)
    bases = np.empty((4, len(tuning.blurs_px), len(edges), len(offsets)))
    for n, blur in enumerate(tuning.blurs_px):
        for m, edge in enumerate(edges):
            way = offsets - edge
            rise = np.array([0.5 + 0.5 * math.erf(w / blur / math.sqrt(2)) for w in way.tolist()])
            parts = np.stack([1 - rise, rise, way * (1 - rise), way * rise], axis=1)
            bases[:, n, m] = np.linalg.qr(parts)[0].T
    return offsets, np.ascontiguousarray(bases[:, :, ::every])


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


def likeliest_blur(rest_shares: Floats, tuning: EdgeProfileTuning = TUNING.edge_profile) -> int:
    """Say which blur leaves least of all profiles, by shares of them, shape (profiles, blurs)."""
    return int(np.minimum(rest_shares, tuning.most_rest_share**2).sum(axis=0).argmin())


def edges_in(
    rest: Floats, offsets: int, every: int = 1, tuning: EdgeProfileTuning = TUNING.edge_profile
) -> tuple[Floats, Floats, Bools]:
    """Say where edges are by what is left of their profiles.

    Args:
        rest: by where each may be, shape (k, places).
        offsets: at how many places across brightness was read.
        every: one of so many of `edges_px` was tried.
        tuning: see `EdgeProfileTuning`.

    Returns:
        Places in px, one sigma in px, and which of them lie within reach; each shape (k,).
    """
    places_px, step_px = edges_px(tuning=tuning)[::every], every * tuning.edge_step_px
    best = rest.argmin(axis=1)
    inner = np.clip(best, 1, len(places_px) - 2)
    each = np.arange(len(rest))
    before, here, after = (rest[each, inner + n] for n in (-1, 0, 1))
    bend = np.maximum(before - 2 * here + after, 1e-9)
    between = np.clip((before - after) / (2 * bend), -0.5, 0.5)
    noise = here / (offsets - 4) + tuning.noise_levels**2
    sigma_px = tuning.noise_factor * np.sqrt(2 * noise / bend) * step_px
    return places_px[inner] + between * step_px, sigma_px, best == inner


def sharpness(
    gray: Gray,
    corners_px: Iterable[Floats],
    tuning: EdgeProfileTuning = TUNING.edge_profile,
) -> float:
    """Say how sharp the edges in parts of a picture are, to compare pictures of the same things.

    Args:
        gray: the picture.
        corners_px: of each part, shape (corners, 2); parts not wholly in the picture do not count.
        tuning: see `EdgeProfileTuning`.

    Returns:
        How much the slope of brightness changes from pixel to pixel, relative to how much the
        brightness varies: neither the light nor how bright the things are makes a difference. 0 if
        no part counts.
    """
    edges = contrast = 0.0
    rows, columns = gray.shape[:2]
    for corners in corners_px:
        left, top = np.floor(corners.min(axis=0)).astype(int) - tuning.round_px
        right, bottom = np.ceil(corners.max(axis=0)).astype(int) + tuning.round_px + 1
        if min(left, top) < 0 or right > columns or bottom > rows:
            continue
        levels = gray[top:bottom, left:right].astype(np.float32)
        edges += cv2.norm(cv2.Laplacian(levels, cv2.CV_32F), cv2.NORM_L2SQR)
        contrast += cv2.norm(levels - levels.mean(), cv2.NORM_L2SQR)
    return math.sqrt(edges / contrast) if contrast else 0.0
