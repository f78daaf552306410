"""Which names look alike: two players whose names nobody can tell apart cannot sit at one table.

The pairs are those of Unicode's confusables (technical standard 39) that people type by hand:
Latin, Cyrillic and Greek letters of one shape, and digits that look like letters.
"""

import unicodedata

_SHAPES = {
    **dict(zip("АВЕКМНОРСТУХІЈЅаеорсухіјѕԁһԛԝ", "abekmhopctyxijsaeopcyxijsdhqw", strict=True)),
    **dict(zip("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧαονριυχ", "abezhlkmnoptyxaovpiux", strict=True)),
    **dict(zip("0O1I|", "oolll", strict=True)),
    "І": "l",
}
"""What a letter looks like, as a lower-case Latin one; capitals as they look beside capitals."""

_BLANK = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
"""Characters that count as letters, marks or signs and show nothing."""

_UNSEEN = frozenset(map(chr, (*range(0x180B, 0x1810), *range(0xFE00, 0xFE10))))
_UNSEEN_TAGS = range(0xE0100, 0xE01F0)
"""Variation selectors: they choose how the sign before them is drawn."""


def is_blank(char: str) -> bool:
    r"""Whether a character shows nothing, whatever it counts as.

    >>> is_blank("\u3164"), is_blank("a")
    (True, False)
    """
    return char in _BLANK


def look_alike(one: str, other: str) -> bool:
    """Whether nobody could tell two names apart on a screen.

    >>> look_alike("Ana", "Аnа"), look_alike("Ana", "Anna")
    (True, False)
    """
    return one.casefold() == other.casefold() or _shape(one) == _shape(other)


def _shape(name: str) -> str:
    plain = unicodedata.normalize("NFKC", name)
    seen = (char for char in plain if not _is_unseen(char))
    return "".join(_SHAPES.get(char, char.casefold()) for char in seen)


def _is_unseen(char: str) -> bool:
    return (
        char in _UNSEEN
        or ord(char) in _UNSEEN_TAGS
        or is_blank(char)
        or char.isspace()
        or unicodedata.category(char) == "Cf"
    )
