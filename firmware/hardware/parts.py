"""The printed parts of the pusher: base.stl and arm.stl, from one table of sizes.

    python3 firmware/hardware/parts.py

Plain Python. x runs along the push, y to its left, z up from the table; the origin is the table
under the middle of the tag. The base is a sum of boxes, the arm a flat plate with two cheeks; both
are closed surfaces. Servos differ from maker to maker: measure yours, change SERVO and HORN, run
this again.
"""

import math
import struct
from itertools import product
from pathlib import Path

ARM_MM = 45.0  # from the servo's axis to the middle of the tip
TIP_HEIGHT_MM = 20.0
TIP_RADIUS_MM = 4.0  # with the soft sleeve on it
SWEEP_DEG = 30.0  # the usual stroke, half of it on each side of straight across
TAG_FORWARD_MM = 40.0  # from the middle of the tag to the foremost point of the tip at rest
TAG_SIDE_MM = 45.0  # of the paper
TAG_HEIGHT_MM = 70.0
FOOT_MM = 3.0
WALL_MM = 4.0
SERVO = {"length": 23.2, "width": 12.6, "holes": 28.0, "axis_from_end": 6.2, "ear_to_horn": 10.0}
BEAM_MM = 5.0  # height of the two beams that the servo's ears lie on
PILOT_MM = 1.6  # holes and slit that screws of 2 mm cut their thread into
BAR_MM = 6.0  # width and height of the arm
BAR_BACK_MM = 7.0  # the bar runs so far behind the line from axis to tip
HORN = {"width": 6.0, "height": 2.0, "front_cheek": 7.0, "back_cheek": 12.0}

REST = math.radians(-SWEEP_DEG / 2)
TIP_REST = (TAG_FORWARD_MM - TIP_RADIUS_MM, 0.0)
AXIS = (TIP_REST[0] - ARM_MM * math.sin(REST), TIP_REST[1] - ARM_MM * math.cos(REST))
SHELF_MM = TIP_HEIGHT_MM + BAR_MM / 2 + SERVO["ear_to_horn"]

Box = tuple[float, float, float, float, float, float]
Point = tuple[float, float, float]
Triangle = tuple[Point, Point, Point]


def base_boxes() -> tuple[list[Box], list[Box]]:
    """Give the boxes that the base is made of, and those cut out of it: x, x, y, y, z, z in mm."""
    half, wall = TAG_SIDE_MM / 2, WALL_MM
    x, y = AXIS
    wide, end = SERVO["width"] / 2, y + SERVO["axis_from_end"]
    start = end - SERVO["length"]
    right, near = start - 11.0, end + 6.0
    # Walls before and behind the arm, just out of its way; the beams are bridges from one to the
    # other, so that they print without supports.
    back, front = (x - 20.0, x - 16.0), (x + 9.5, x + 12.0)
    # The stop: where the back of the bar rests, 30 mm from the axis.
    stop_x = x + 30 * math.sin(REST) - (BAR_BACK_MM + BAR_MM / 2) * math.cos(REST)
    solid = [
        (-half - 6, stop_x, right, half + 6, 0.0, FOOT_MM),
        (stop_x, front[1], right, near, 0.0, FOOT_MM),
        (-half, half, half - wall, half, 0.0, TAG_HEIGHT_MM),
        (-half, half, -half, -half + wall, 0.0, TAG_HEIGHT_MM),
        (-half, half, -half, half, TAG_HEIGHT_MM - 3, TAG_HEIGHT_MM),
        (back[0], front[1], right, right + wall, 0.0, SHELF_MM),
        (*back, right, near, 0.0, SHELF_MM),
        (*front, right, near, 0.0, SHELF_MM),
        (back[0], front[1], right, start, SHELF_MM - BEAM_MM, SHELF_MM),
        (back[0], front[1], end, near, SHELF_MM - BEAM_MM, SHELF_MM),
        (stop_x - 7, stop_x - 1, -20.0, -13.0, 0.0, TIP_HEIGHT_MM + 6),
    ]
    # Low fences beside the ears keep the servo from turning.
    for y0, y1 in ((start - 6.0, start), (end, near)):
        solid.append((x - wide - 2, x - wide, y0, y1, SHELF_MM, SHELF_MM + 2))
        solid.append((x + wide, x + wide + 2, y0, y1, SHELF_MM, SHELF_MM + 2))
    pilot, middle = PILOT_MM / 2, (start + end) / 2
    cut = []
    for hole_y in (middle - SERVO["holes"] / 2, middle + SERVO["holes"] / 2):
        top = (SHELF_MM - BEAM_MM + 1, SHELF_MM + 1)
        cut.append((x - pilot, x + pilot, hole_y - pilot, hole_y + pilot, *top))
    # Under the axis, for the screwdriver that fixes the horn.
    cut.append((x - 4.0, x + 4.0, y - 4.0, y + 4.0, -1.0, FOOT_MM + 1))
    for hole_x, hole_y in ((-half - 3, half + 2), (-half - 3, right + 4), (half - 2, right + 4)):
        cut.append((hole_x - 2.2, hole_x + 2.2, hole_y - 2.2, hole_y + 2.2, -1.0, FOOT_MM + 1))
    return solid, cut


def surface(solid: list[Box], cut: list[Box]) -> list[Triangle]:
    """Give the closed surface of the boxes that are in `solid` and not in `cut`."""
    planes = [
        sorted({round(b[2 * k + i], 4) for b in solid + cut for i in (0, 1)}) for k in range(3)
    ]

    def inside(some: list[Box], p: Point) -> bool:
        return any(all(b[2 * k] < p[k] < b[2 * k + 1] for k in range(3)) for b in some)

    def full(cell: tuple[int, ...]) -> bool:
        if any(not 0 <= i < len(planes[k]) - 1 for k, i in enumerate(cell)):
            return False
        x, y, z = ((planes[k][i] + planes[k][i + 1]) / 2 for k, i in enumerate(cell))
        return inside(solid, (x, y, z)) and not inside(cut, (x, y, z))

    cells = {cell for cell in product(*(range(len(p) - 1) for p in planes)) if full(cell)}
    triangles: list[Triangle] = []
    for cell, k, side in product(sorted(cells), range(3), (0, 1)):
        beyond = tuple(i + (2 * side - 1) * (j == k) for j, i in enumerate(cell))
        if beyond in cells:
            continue
        u, v = (k + 1) % 3, (k + 2) % 3
        corners = []
        for du, dv in (
            ((0, 0), (1, 0), (1, 1), (0, 1)) if side else ((0, 0), (0, 1), (1, 1), (1, 0))
        ):
            index = list(cell)
            index[k] += side
            index[u] += du
            index[v] += dv
            corners.append((planes[0][index[0]], planes[1][index[1]], planes[2][index[2]]))
        a, b, c, d = corners
        triangles += [(a, b, c), (a, c, d)]
    return triangles


Outline = list[tuple[float, float]]


def arm_outlines() -> tuple[Outline, list[Outline]]:
    """Give the outline of the arm, and of the two cheeks that hold the servo's horn upon it.

    Counter-clockwise; x runs along the push and y from the axis to the tip, the axis is the origin.
    The wide slot lets the horn's own screw in from below; into the slit behind it go the two screws
    that hold the horn down.
    """
    low, high = -BAR_BACK_MM - BAR_MM / 2, -BAR_BACK_MM + BAR_MM / 2
    wide, slot, slit = HORN["width"] / 2, 2.5, PILOT_MM / 2
    hub, front, back = wide + 2.0, HORN["front_cheek"], HORN["back_cheek"]
    tip = [
        (TIP_RADIUS_MM * math.cos(a), ARM_MM + TIP_RADIUS_MM * math.sin(a))
        for a in (math.radians(d) for d in range(-90, 181, 15))
    ]
    outline = [
        (-slot, -8.0), (-slot, 4.0), (-slit, 4.0), (-slit, back), (slit, back), (slit, 4.0),
        (slot, 4.0), (slot, -8.0), (hub, -8.0), (hub, front), (wide, back),
        (high, back + 6), (high, ARM_MM - TIP_RADIUS_MM), *tip,
        (low, ARM_MM), (low, back + 4), (-hub - 3, 4.0), (-hub - 2, -8.0),
    ]  # fmt: skip
    right = [(wide, -7.9), (hub - 0.1, -7.9), (hub - 0.1, front - 0.1), (wide, front - 0.1)]
    left = [(-hub - 1.8, -7.9), (-wide, -7.9), (-wide, back - 0.1), (-hub - 1.8, back - 0.1)]
    return outline, [right, left]


def turns_left(a: tuple[float, float], b: tuple[float, float], c: tuple[float, float]) -> float:
    """Give twice the area of a triangle, positive if it runs counter-clockwise."""
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def ears(outline: Outline) -> list[tuple[int, int, int]]:
    """Cut a simple polygon into triangles, ear by ear."""
    left = list(range(len(outline)))
    found = []
    while len(left) > 2:
        for i in range(len(left)):
            a, b, c = left[i - 1], left[i], left[(i + 1) % len(left)]
            ear = (outline[a], outline[b], outline[c])
            others = [outline[j] for j in left if j not in (a, b, c)]
            if turns_left(*ear) > 1e-9 and not any(
                all(turns_left(ear[k], ear[(k + 1) % 3], p) >= 0 for k in range(3)) for p in others
            ):
                found.append((a, b, c))
                del left[i]
                break
        else:
            raise ValueError("the outline crosses itself")
    return found


def plate(outline: Outline, low: float, high: float) -> list[Triangle]:
    """Give the closed surface of an outline between two heights."""
    caps = ears(outline)
    at = [[(x, y, z) for x, y in outline] for z in (low, high)]
    triangles = [(at[1][a], at[1][b], at[1][c]) for a, b, c in caps]
    triangles += [(at[0][a], at[0][c], at[0][b]) for a, b, c in caps]
    for i in range(len(outline)):
        j = (i + 1) % len(outline)
        triangles += [(at[0][i], at[0][j], at[1][j]), (at[0][i], at[1][j], at[1][i])]
    return triangles


def base() -> list[Triangle]:
    """Give the surface of the base."""
    return surface(*base_boxes())


def arm() -> list[Triangle]:
    """Give the surface of the arm, lying as it is printed: the horn's side up."""
    outline, cheeks = arm_outlines()
    top = BAR_MM + HORN["height"]
    return sum((plate(cheek, BAR_MM - 0.5, top) for cheek in cheeks), plate(outline, 0.0, BAR_MM))


def stl(triangles: list[Triangle]) -> bytes:
    """Put a surface into a binary STL file."""
    data = bytearray(
        b"the pusher's printed parts, in mm".ljust(80) + struct.pack("<I", len(triangles))
    )
    for a, b, c in triangles:
        u, v = ([q - p for p, q in zip(a, end, strict=True)] for end in (b, c))
        normal = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]]
        size = math.hypot(*normal) or 1.0
        data += struct.pack("<12fH", *(n / size for n in normal), *a, *b, *c, 0)
    return bytes(data)


def main() -> None:
    """Write both files beside this one."""
    here = Path(__file__).parent
    for name, triangles in (("base", base()), ("arm", arm())):
        (here / f"{name}.stl").write_bytes(stl(triangles))
        print(f"{name}.stl: {len(triangles)} triangles")


if __name__ == "__main__":
    main()
