"""Bones: the 28 of a double-six set, what they count, and the line that they make.

A bone is text, "3-5", the smaller half first; in a line it lies as text, too, its left half first.
"""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import TypeAlias

from rig.errors import RigError
from rig.games.dominoes.terms import quoted

Bone: TypeAlias = str
"""A bone by its halves, the smaller one first: "0-0", "3-5"."""
Laid: TypeAlias = str
"""A bone as it lies in the line, its left half first: "5-3"."""

PIPS_MOST = 6
SET: tuple[Bone, ...] = tuple(f"{a}-{b}" for a in range(PIPS_MOST + 1) for b in range(a, 7))
"""All bones, in the order in which a shuffle numbers them."""
HALVES: dict[Bone, tuple[int, int]] = {bone: (int(bone[0]), int(bone[2])) for bone in SET}
DOUBLES = frozenset(bone for bone, (a, b) in HALVES.items() if a == b)
BLANK, SIXES = "0-0", "6-6"
BY_WEIGHT: tuple[Bone, ...] = tuple(
    sorted(SET, key=lambda one: (one in DOUBLES, sum(HALVES[one]), HALVES[one]))
)
"""All bones by what a simple player would rather keep: the last one, a double, is laid first."""


class NoBone(RigError):
    """Some text names no bone of the set."""


def bone(text: object) -> Bone:
    """The bone that a text names, either half first.

    Raises:
        NoBone: it names none.

    >>> bone("5-3")
    '3-5'
    """
    if isinstance(text, str) and (text in HALVES or text[::-1] in HALVES):
        return text if text in HALVES else text[::-1]
    raise NoBone(f"expected a bone like 3-5, two halves of 0 to 6, not {quoted(text)}")


def has(one: Bone, value: int) -> bool:
    """Whether one of its halves has this value.

    >>> has("3-5", 5), has("3-5", 4)
    (True, False)
    """
    return value in HALVES[one]


def fits(one: Bone, ends: Sequence[int]) -> bool:
    """Whether a bone can be laid at one of these ends; any can where no line lies."""
    a, b = HALVES[one]
    return not ends or a in ends or b in ends


@lru_cache
def heavier(one: Bone, ends: tuple[int, ...]) -> frozenset[Bone]:
    """The bones that fit where one was laid and are heavier, doubles above all others.

    >>> sorted(heavier("4-6", (6, 1)))
    ['1-1', '5-6', '6-6']
    """
    return frozenset(b for b in BY_WEIGHT[BY_WEIGHT.index(one) + 1 :] if fits(b, ends))


def line_ends(line: Sequence[Laid]) -> tuple[int, ...]:
    """The values of the two open ends, left and right; none where no line lies.

    >>> line_ends(("2-1", "1-5"))
    (2, 5)
    """
    return (int(line[0][0]), int(line[-1][2])) if line else ()


def laid(one: Bone, line: Sequence[Laid], end: str | None) -> tuple[Laid, ...]:
    """The line with a bone more, which must fit there.

    >>> laid("1-2", ("1-5",), "left")
    ('2-1', '1-5')
    """
    if not line:
        return (one,)
    if end == "left":
        return (one if HALVES[one][1] == int(line[0][0]) else one[::-1], *line)
    return (*line, one if HALVES[one][0] == int(line[-1][2]) else one[::-1])


def plain_pips(hand: Iterable[Bone]) -> int:
    """The pips on the faces of some bones.

    >>> plain_pips(SET)
    168
    """
    return sum(sum(HALVES[one]) for one in hand)
