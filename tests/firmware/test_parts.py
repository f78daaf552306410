"""The printed parts: closed surfaces, of the sizes that the game counts on."""

import math
import struct
from collections import Counter
from functools import cache
from pathlib import Path

import drawing
import numpy as np
import parts
import pytest

from rig.pusher.servo import ServoArm
from vision.pusher_tag.tag import TAG

HARDWARE = Path(parts.__file__).parent
ROW_HALF_MM = 24.0
"""Half the width of the widest tile, one that stands on its long side."""


def read(name):
    data = (HARDWARE / name).read_bytes()
    (count,) = struct.unpack_from("<I", data, 80)
    assert len(data) == 84 + 50 * count
    floats = [struct.unpack_from("<12f", data, 84 + 50 * i) for i in range(count)]
    return [tuple(tuple(one[k : k + 3]) for k in (3, 6, 9)) for one in floats]


def volume(triangles):
    return sum(np.dot(a, np.cross(b, c)) for a, b, c in np.array(triangles)) / 6


@pytest.mark.parametrize("name", ["base", "arm"])
def test_a_file_is_what_the_source_says_and_small(name):
    data = (HARDWARE / f"{name}.stl").read_bytes()
    assert data == parts.stl(getattr(parts, name)())
    assert len(data) < 200_000


def test_the_drawing_shows_the_parts_as_they_are():
    assert (HARDWARE / "parts.svg").read_text("utf-8") == drawing.drawing()


@pytest.mark.parametrize("name", ["base.stl", "arm.stl"])
def test_every_surface_is_closed_and_faces_outwards(name):
    triangles = read(name)
    edges = Counter(
        (t[i], t[(i + 1) % 3]) for t in triangles for i in range(3) if t[i] != t[(i + 1) % 3]
    )
    assert len(edges) == 3 * len(triangles)
    assert all(edges[b, a] == n for (a, b), n in edges.items())
    assert volume(triangles) > 1000.0


def test_the_arm_is_as_long_as_the_pusher_reckons():
    points = [p for t in read("arm.stl") for p in t]
    assert parts.ARM_MM == ServoArm().length_mm == 45.0
    assert max(y for _, y, _ in points) == pytest.approx(45.0 + parts.TIP_RADIUS_MM)
    tip = [p for p in points if p[1] >= 45.0 - 1e-6]
    assert max(x for x, _, _ in tip) == pytest.approx(parts.TIP_RADIUS_MM)
    flat = [z for _, y, z in points if y > 20.0]
    assert (min(flat), max(flat)) == (0.0, parts.BAR_MM)


@pytest.mark.parametrize("turned_deg", range(-15, 26, 5))
def test_nothing_but_the_tip_meets_a_tile_however_the_arm_is_turned(turned_deg):
    turned = math.radians(turned_deg)
    reach = {}
    for x, y, _ in {p for t in read("arm.stl") for p in t}:
        forward = parts.AXIS[0] + y * math.sin(turned) + x * math.cos(turned)
        left = parts.AXIS[1] + y * math.cos(turned) - x * math.sin(turned)
        if abs(left) <= ROW_HALF_MM:
            part = "tip" if y > 45.0 - parts.TIP_RADIUS_MM - 0.1 else "bar"
            reach[part] = max(forward, reach.get(part, -math.inf))
    assert reach["tip"] > reach.get("bar", -math.inf) + 2.0


def test_the_tip_at_rest_is_where_the_tag_says():
    axis_x, axis_y = parts.AXIS
    tip = (
        axis_x + parts.ARM_MM * math.sin(parts.REST),
        axis_y + parts.ARM_MM * math.cos(parts.REST),
    )
    assert tip[0] + parts.TIP_RADIUS_MM == pytest.approx(TAG.tip_forward_mm)
    assert tip[1] == pytest.approx(TAG.tip_left_mm)
    assert (TAG.paper_mm, TAG.height_mm) == (parts.TAG_SIDE_MM, parts.TAG_HEIGHT_MM)
    assert parts.TIP_HEIGHT_MM == 20.0


def test_the_base_stands_flat_carries_the_tag_level_and_leaves_the_row_alone():
    points = [p for t in read("base.stl") for p in t]
    assert min(z for _, _, z in points) == 0.0
    top = [p for p in points if p[2] == pytest.approx(parts.TAG_HEIGHT_MM)]
    half = parts.TAG_SIDE_MM / 2
    for i in (0, 1):
        assert (min(p[i] for p in top), max(p[i] for p in top)) == pytest.approx((-half, half))
    assert max(z for _, _, z in points) == pytest.approx(parts.TAG_HEIGHT_MM)
    row_from = TAG.tip_forward_mm
    assert not [p for p in points if p[0] > row_from and abs(p[1]) < ROW_HALF_MM + 5]


CELL_MM = 0.5
LAYER_MM = 0.2
BRIDGE_MM = 40.0
"""So far a printer's thread reaches between two supports without sagging much."""


@cache
def slices(name):
    """Give the layers of a printed part: height, cells [x, y] that are filled, and their places.

    A cell is filled where more surfaces have been entered than left on the way to it.
    """
    points = np.array(read(name))
    low, high = points.min(axis=(0, 1)), points.max(axis=(0, 1))
    counts = np.ceil((high - low) / CELL_MM).astype(int) + 2
    xs, ys = (low[k] + CELL_MM * (np.arange(counts[k]) - 0.5) + 0.013 for k in (0, 1))
    upright = np.cross(points[:, 1] - points[:, 0], points[:, 2] - points[:, 0])[:, 2] == 0.0
    before, layer, layers = None, None, []
    for z in np.arange(low[2] + LAYER_MM / 2, high[2], LAYER_MM):
        across = (points[:, :, 2].min(axis=1) < z) & (points[:, :, 2].max(axis=1) > z)
        if before is not None and (across == before).all() and upright[across].all():
            layers.append((z, layer, (xs, ys)))
            continue
        before = across
        depth = np.zeros((len(xs), len(ys)), int)
        for triangle in points[across]:
            ends = []
            for a, b in zip(triangle, np.roll(triangle, -1, axis=0), strict=True):
                if (a[2] < z) != (b[2] < z):
                    ends.append((a[:2] + (b[:2] - a[:2]) * (z - a[2]) / (b[2] - a[2]), a[2] < z))
            (p, p_rises), (q, _) = ends
            start, end = (p, q) if p_rises else (q, p)
            lower, upper = sorted((start[1], end[1]))
            rows = (ys >= lower) & (ys < upper)
            if rows.any():
                at = start[0] + (end[0] - start[0]) * (ys[rows] - start[1]) / (end[1] - start[1])
                depth[:, rows] += np.where(xs[:, None] > at, 1 if end[1] > start[1] else -1, 0)
        layer = depth > 0
        layers.append((z, layer, (xs, ys)))
    return layers


def runs(line):
    """Give the first and last index of each run of True in a line."""
    edges = np.flatnonzero(np.diff(np.concatenate(([0], line.view(np.int8), [0]))))
    return zip(edges[::2], edges[1::2] - 1, strict=True)


def bridged(layer, under):
    """Say which cells lie between two supports in their own row."""
    found = np.zeros_like(layer)
    for i in range(len(layer)):
        for first, last in runs(layer[i] & ~under[i]):
            ends = first > 0 and last + 1 < layer.shape[1] and layer[i, [first - 1, last + 1]].all()
            if ends and (last - first + 1) * CELL_MM <= BRIDGE_MM:
                found[i, first : last + 1] = True
    return found


@pytest.mark.parametrize("name", ["base.stl", "arm.stl"])
def test_a_part_prints_as_it_lies_without_supports(name):
    under, filled = None, 0.0
    for z, layer, (xs, ys) in slices(name):
        filled += layer.sum() * CELL_MM**2 * LAYER_MM
        if under is not None and layer is not under:
            hangs = layer & ~under & ~bridged(layer, under) & ~bridged(layer.T, under.T).T
            where = [(round(xs[i], 1), round(ys[j], 1)) for i, j in np.argwhere(hangs)]
            assert not where, f"hangs free {z:.1f} mm up at {where[0]}"
        under = layer
    assert filled == pytest.approx(volume(read(name)), rel=0.05)


def arm_turned(turned_deg):
    """Give points all over the arm, in the base's coordinates, the arm turned by so much."""
    turned = math.radians(turned_deg)
    for z, layer, (xs, ys) in slices("arm.stl"):
        i, j = np.nonzero(layer)
        x, y = xs[i], ys[j]
        yield (
            z + parts.TIP_HEIGHT_MM - parts.BAR_MM / 2,
            parts.AXIS[0] + y * math.sin(turned) + x * math.cos(turned),
            parts.AXIS[1] + y * math.cos(turned) - x * math.sin(turned),
        )


CLEAR_MM = 1.2


def test_the_arm_touches_nothing_but_the_felt_from_rest_to_its_longest_stroke():
    layers = {round(z, 1): (layer, axes) for z, layer, axes in slices("base.stl")}
    for turned_deg in range(-15, 26, 5):
        for z, x, y in arm_turned(turned_deg):
            layer, (xs, ys) = layers[round(z, 1)]
            rest = turned_deg == -15
            for reach in (0.0,) if rest else (0.0, CLEAR_MM):
                for way in np.linspace(0, 2 * math.pi, 8, endpoint=False):
                    i = np.rint((x + reach * math.cos(way) - xs[0]) / CELL_MM).astype(int)
                    j = np.rint((y + reach * math.sin(way) - ys[0]) / CELL_MM).astype(int)
                    on = (i >= 0) & (i < len(xs)) & (j >= 0) & (j < len(ys))
                    assert not layer[i[on], j[on]].any(), f"{turned_deg} degrees, {z:.1f} mm up"


def test_a_screwdriver_reaches_the_horn_from_below():
    x, y = parts.AXIS
    for name, (at_x, at_y), top in (("base.stl", (x, y), 20.0), ("arm.stl", (0.0, 0.0), 6.0)):
        for z, layer, (xs, ys) in slices(name):
            near = np.hypot(xs[:, None] - at_x, ys[None, :] - at_y) < 2.4
            assert z > top or not layer[near].any()
