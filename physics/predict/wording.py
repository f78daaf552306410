"""How a prediction is said to people: shares and tiles in words."""

from typing import Final

SURE: Final = 0.995
"""A share above this is told as "over 99 %", one that is nearer to 0 than it as "under 1 %"."""


def percent(share: float) -> str:
    """Say a share so that it never sounds surer than it is.

    >>> percent(0.001), percent(0.624), percent(0.999)
    ('under 1 %', '62 %', 'over 99 %')
    """
    if share < 1.0 - SURE:
        return "under 1 %"
    return "over 99 %" if share > SURE else f"{round(100 * share)} %"


def tile_name(value: int | None) -> str:
    """Name a tile by its value, as "?" if nobody could read it."""
    return "?" if value is None else str(value)


def row_name(name: str) -> str:
    r"""Name a row by its id, on one line and without characters that cannot be shown.

    >>> row_name("a\nb"), row_name("")
    ('a?b', 'row')
    """
    return "".join(c if c.isprintable() else "?" for c in name) or "row"
