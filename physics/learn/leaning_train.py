"""The leaning train: the published model of a straight row, to compare ours with.

Each tile turns about its front bottom edge without slipping, hits the next one without rebound and
keeps leaning on it, so that a whole train pushes the front (Shaw 1978, American Journal of Physics
46:640). Van Leeuwen added friction between tiles (arXiv physics/0401018; 78:721 of the same
journal) and rows of growing tiles (arXiv 1301.0615). The equations here were derived independently
from these assumptions.

Tile 0 is the foremost that moves, tile 1 leans on it, and so on. Eliminating the contact forces
from the back to the front leaves one equation with a weight w for each tile: the share of its
torque that reaches the front. While the train moves, sum(w I alpha) = sum(w torque); at a hit
sum(w I omega) stays the same. In u = omega^2 / 2 of the front both are linear, so a steady wave is
the fixed point of a linear map. Lengths are in heights of tile 0, times in sqrt(height / g).
"""

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

GRAVITY_M_S2: Final = 9.81
_DEEP: Final = 80
_STEPS: Final = 60
_HALVINGS: Final = 20
_FIRM_START: Final = 1.1


@dataclass(frozen=True, slots=True)
class Row:
    """A straight row; lengths as shares of the height of the tile that falls.

    Attributes:
        thickness: of a tile.
        gap: clear distance to the next tile.
        friction: between tiles; none of them slips on the table.
        growth: how many times larger each tile is than the one before, in every direction.
    """

    thickness: float
    gap: float
    friction: float = 0.0
    growth: float = 1.0


def hit_times(row: Row, tiles: int, start: float) -> tuple[float, ...]:
    """Return how long each tile falls from the moment it is hit until it hits the next.

    Args:
        row: the row; times are in sqrt(height / g) of its first tile.
        tiles: how many of them; fewer times are returned where the wave stops.
        start: angular speed of the first tile upright, in sqrt(g / height).
    """
    times: list[float] = []
    u, unit = start**2 / 2, 1.0
    for depth in range(1, tiles + 1):
        if depth > 1:
            u *= _kept(row, depth)
            unit *= math.sqrt(row.growth)
        by_start, by_fall = _fall(row, depth)
        wave = [a * u + b for a, b in zip(by_start, by_fall, strict=True)]
        if min(wave) <= 0.0:
            break
        times.append(unit * _duration(row, wave))
        u = wave[-1]
    return tuple(times)


def slow_start(row: Row) -> float:
    """Return the angular speed that just takes an upright tile past its balance.

    That is how a tile falls that was pushed slowly.
    """
    diagonal = math.hypot(1.0, row.thickness)
    return 1.001 * math.sqrt(3.0 * (diagonal - 1.0)) / diagonal


def front_speed(row: Row) -> float | None:
    """Return the speed of the steady wave in sqrt(g height); None if no wave is steady.

    With growing tiles it is the speed at the tile of height 1.

    >>> round(front_speed(Row(7.5 / 48, 15 / 48, friction=0.2)), 3)
    1.397
    """
    wave = _steady(row)
    return None if wave is None else (row.gap + row.thickness) / _duration(row, wave)


def speed_m_s(
    height_mm: float,
    thickness_mm: float,
    gap_mm: float,
    friction: float,
    tiles: tuple[int, int] | None = None,
) -> float | None:
    """Return the speed of the front in a row of equal tiles; None if it stops before.

    Args:
        height_mm: of a tile.
        thickness_mm: of a tile.
        gap_mm: between two tiles.
        friction: between tiles.
        tiles: first and second tile, counted from 0; the speed is measured from the hit of the
            first to that of the second, after a firm push. Infinitely far down if not given.
    """
    row = Row(thickness_mm / height_mm, gap_mm / height_mm, friction)
    unit = math.sqrt(GRAVITY_M_S2 * height_mm / 1000.0)
    if tiles is None:
        speed = front_speed(row)
        return None if speed is None else speed * unit
    times = hit_times(row, tiles[1], _FIRM_START)
    if len(times) < tiles[1]:
        return None
    return (tiles[1] - tiles[0]) * (row.gap + row.thickness) * unit / sum(times[tiles[0] :])


def largest_gap(thickness: float, friction: float) -> float:
    """Return the largest gap that a steady wave crosses, in heights."""
    low, high = 0.1, 1.0
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        stops = _steady(Row(thickness, middle, friction)) is None
        low, high = (low, middle) if stops else (middle, high)
    return low


def largest_growth(thickness: float, gap: float, friction: float = 0.0) -> float:
    """Return the largest growth from tile to tile with a steady wave; 1 if there is none."""
    low, high = 1.0, 5.0
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        stops = _steady(Row(thickness, gap, friction, middle)) is None
        low, high = (low, middle) if stops else (middle, high)
    return low


def _steady(row: Row) -> list[float] | None:
    """Return u at even steps of the front's tilt from upright to its hit, in the steady wave."""
    if not 0.0 < row.gap < 1.0:
        return None
    by_start, by_fall = _fall(row, _DEEP)
    kept = _kept(row, _DEEP)
    gain = kept * by_start[-1]
    if gain >= 1.0:
        return None
    start = kept * by_fall[-1] / (1.0 - gain)
    wave = [a * start + b for a, b in zip(by_start, by_fall, strict=True)]
    return wave if min(wave) > 0.0 else None


def _duration(row: Row, wave: list[float]) -> float:
    """Integrate the time over the tilt by Simpson's rule."""
    slow = [1.0 / math.sqrt(2.0 * u) for u in wave]
    total = slow[0] + slow[-1] + 4.0 * sum(slow[1:-1:2]) + 2.0 * sum(slow[2:-1:2])
    return total * math.asin(row.gap) / _STEPS / 3.0


def _kept(row: Row, depth: int) -> float:
    """Return the share of u that is left after the hit, for a train of this depth with the new one.

    The unit of u goes with the height of the front, hence the growth.
    """
    whole, _, _ = _sums(row, 0.0, depth)
    own = (1.0 + row.thickness**2) / 3.0
    return row.growth * ((whole - own) / whole) ** 2


@lru_cache(maxsize=64)
def _fall(row: Row, depth: int) -> tuple[list[float], list[float]]:
    """Return how u at even steps of the tilt depends on u upright: factors and summands."""
    step = math.asin(row.gap) / _STEPS
    sums = [_sums(row, i * step / 2, depth) for i in range(2 * _STEPS + 1)]
    by_start, by_fall = [1.0], [0.0]
    for i in range(_STEPS):
        window = sums[2 * i : 2 * i + 3]
        by_start.append(_runge_kutta(by_start[-1], window, step, falling=False))
        by_fall.append(_runge_kutta(by_fall[-1], window, step, falling=True))
    return by_start, by_fall


def _runge_kutta(
    u: float, sums: list[tuple[float, float, float]], step: float, *, falling: bool
) -> float:
    """Advance du / dtilt = (torque - 2 u bend) / inertia; there is torque only if it is falling."""

    def slope(at: tuple[float, float, float], u: float) -> float:
        inertia, bend, torque = at
        return ((torque if falling else 0.0) - 2.0 * u * bend) / inertia

    first = slope(sums[0], u)
    second = slope(sums[1], u + step / 2 * first)
    third = slope(sums[1], u + step / 2 * second)
    fourth = slope(sums[2], u + step * third)
    return u + step / 6 * (first + 2 * second + 2 * third + fourth)


def _sums(row: Row, tilt: float, depth: int) -> tuple[float, float, float]:
    """Return sum(w I a), sum(w I b) and sum(w torque) over a train whose front has this tilt.

    Where the front turns by omega and alpha, a tile behind turns by a omega and
    a alpha + b omega^2.
    """
    size, weight, turn, bend = 1.0, 1.0, 1.0, 0.0
    inertia_sum = bend_sum = torque_sum = 0.0
    for _ in range(depth):
        thick, mass = row.thickness * size, size**3
        inertia = mass * (size**2 + thick**2) / 3.0
        inertia_sum += weight * inertia * turn
        bend_sum += weight * inertia * bend
        torque_sum += weight * mass * (size * math.sin(tilt) - thick * math.cos(tilt)) / 2.0
        behind = size / row.growth
        pitch = row.gap * behind + thick
        # The top edge of the tile behind lies on the back face: that sets the angle between them.
        sine = (pitch * math.cos(tilt) - thick) / behind
        if sine <= 0.0:
            break
        lean = math.asin(sine)
        arm = behind * math.cos(lean)
        lean_turn = -pitch * math.sin(tilt) * turn / arm
        curve = math.cos(tilt) * turn**2 + math.sin(tilt) * bend
        lean_bend = (behind * sine * lean_turn**2 - pitch * curve) / arm
        # Levers of the contact force about the edge of the tile ahead and of the one behind.
        lever_ahead = arm - pitch * math.sin(tilt) - row.friction * thick
        lever_behind = arm + row.friction * behind * sine
        turn, bend, tilt = turn + lean_turn, bend + lean_bend, tilt + lean
        weight *= lever_ahead / lever_behind
        if weight <= 0.0 or turn <= 0.0:
            break
        size = behind
    return inertia_sum, bend_sum, torque_sum
