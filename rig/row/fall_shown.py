"""How a fall is drawn: when each tile tips, by the times the camera measured. Pure.

Phones, table screen and past games draw from this one list, and how long it lasts decides when
words about it may be told (`rig/row/telling.py`).
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import pairwise

LEAST_MS = 90
"""No tile tips faster than the eye can follow."""
TIP_MS = 420
"""How long a tile takes that has nothing behind it, or no measured time."""
QUICK_MS = 240
"""A tile takes so long at least unless the next one is hit before; found by watching rows fall."""
SHARE = 2.4
"""It tips for so many times as long as the wave takes to the next tile: it leans on by then."""
STEP_MS = 110
"""From tile to tile, where nothing was measured: a usual wave's step."""
NEXT_MS = 45
"""No tile tips sooner after the one that strikes it, whatever a coarse clock says."""
LEAN_DEG = 82
FLAT_DEG = 90
BEFORE_MS = 150
"""The row stands for so long before its first tile tips, so that eyes find it."""
REST_MS = 500
"""It lies for so long afterwards."""
SLOWER = 2
"""The second time it falls so many times as slowly."""
LONGEST_MS = 6000
"""No fall is shown for longer than this, whatever was measured: nobody waits for a broken clock."""


@dataclass(frozen=True, slots=True)
class Tip:
    """One tile's fall.

    Attributes:
        value: of the tile.
        start_ms: after the wave began.
        length_ms: how long it tips.
        rest_deg: how far: it leans on the next tile, or lies flat.
    """

    value: int
    start_ms: int
    length_ms: int
    rest_deg: int


def tips(
    wave: Sequence[int], fallen: Collection[int], order: Sequence[tuple[int, int]]
) -> tuple[Tip, ...]:
    """Give the falls of a row in the order of the wave.

    Args:
        wave: values of the row from the pushed end.
        fallen: those that are down.
        order: values with milliseconds after the push, as far as they were measured; the others
            follow at equal steps.

    >>> [tip.start_ms for tip in tips([2, 6, 9], {2, 6, 9}, [(2, 0), (6, 120), (9, 100)])]
    [0, 120, 165]
    """
    times = dict(order)
    down = [value for value in wave if value in fallen]
    starts: list[int] = []
    clock = -STEP_MS
    for value in down:
        clock = max(times.get(value, clock + STEP_MS), clock + NEXT_MS, 0)
        starts.append(clock)
    most = LONGEST_MS - BEFORE_MS - REST_MS - TIP_MS
    if starts and starts[-1] > most:
        starts = [round(start * most / starts[-1]) for start in starts]
    struck = {a for a, b in pairwise(wave) if b in fallen}
    told = []
    for i, (value, start) in enumerate(zip(down, starts, strict=True)):
        step = starts[i + 1] - start if i + 1 < len(starts) else TIP_MS
        length = round(max(LEAST_MS, min(TIP_MS, max(SHARE * step, QUICK_MS))))
        told.append(Tip(value, start, length, LEAN_DEG if value in struck else FLAT_DEG))
    return tuple(told)


def once_ms(falls: Sequence[Tip]) -> int:
    """How long the fall is shown the first time, with the row before and after it."""
    return BEFORE_MS + wave_ms(falls) + REST_MS


def again_ms(falls: Sequence[Tip]) -> int:
    """How long it is shown once more, slower."""
    return BEFORE_MS + SLOWER * wave_ms(falls) + REST_MS


def wave_ms(falls: Sequence[Tip]) -> int:
    """How long it takes until the last of them rests, in real time."""
    return max((tip.start_ms + tip.length_ms for tip in falls), default=0)
