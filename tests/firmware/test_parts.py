"""The printed parts: closed surfaces, of the sizes that the game counts on."""

import math
import struct
import sys
from collections import Counter
from pathlib import Path

import pytest

from rig.pusher import ServoArm
from vision.tag import TAG

sys.path.append(str(Path(__file__).parents[2] / "firmware" / "hardware"))

import parts

HARDWARE = Path(parts.__file__).parent
ROW_HALF_MM = 24.0
"""Half the width of the widest tile, one that stands on its long side."""


def read(name):
    data = (HARDWARE / name).read_bytes()
    (count,) = struct.unpack_from("<I", data, 80)
    assert len(data) == 84 + 50 * count
    floats = [struct.unpack_from("<12f", data, 84 + 50 * i) for i in range(count)]
    return [tuple(tuple(one[k : k + 3]) for k in (3, 6, 9)) for one in floats]


@pytest.mark.parametrize("name", ["base", "arm"])
def test_a_file_is_what_the_source_says_and_small(name):
    data = (HARDWARE / f"{name}.stl").read_bytes()
    assert data == parts.stl(getattr(parts, name)())
    assert len(data) < 200_000


@pytest.mark.parametrize("name", ["base.stl", "arm.stl"])
def test_every_surface_is_closed_and_faces_outwards(name):
    triangles = read(name)
    edges = Counter(
        (t[i], t[(i + 1) % 3]) for t in triangles for i in range(3) if t[i] != t[(i + 1) % 3]
    )
    assert len(edges) == 3 * len(triangles)
    assert all(edges[b, a] == n for (a, b), n in edges.items())
    volume = sum(
        a[0] * (b[1] * c[2] - b[2] * c[1])
        - a[1] * (b[0] * c[2] - b[2] * c[0])
        + a[2] * (b[0] * c[1] - b[1] * c[0])
        for a, b, c in triangles
    )
    assert volume / 6 > 1000.0


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
