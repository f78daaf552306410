"""Names as people type them, made fit for everybody's screen."""

import unicodedata

from rig.session.seats import JOINER, LONGEST_NAME, is_shown, letters
from web.base.errors import Denied

_MARKS = 2
"""Most combining marks on one letter; more of them would cover the lines above."""


def tidy(name: object) -> str:
    """Normalise a name, and refuse text that cannot be a name.

    Controls, bidirectional overrides and invisible characters are removed, runs of spaces become
    one, and piles of accents are cut down.

    Raises:
        Denied: 400 if nothing readable is left or the name is too long.

    >>> tidy("  Oľga \u202e  B.  ")
    'Oľga B.'
    """
    if not isinstance(name, str) or len(name) > 400:
        raise Denied(400, "name_bad", f"A name is a text of 1 to {LONGEST_NAME} characters.")
    kept: list[str] = []
    marks = 0
    for char in unicodedata.normalize("NFC", " ".join(name.split())):
        kind = unicodedata.category(char)
        if not is_shown(char) and char != JOINER:
            continue
        if kind in ("Mn", "Me") or char == JOINER:
            marks += 1
            if marks > _MARKS or not kept or kept[-1] == " ":
                continue
        else:
            marks = 0
        kept.append(char)
    text = " ".join("".join(kept).rstrip(f"{JOINER} ").split())
    readable = any(unicodedata.category(char)[0] in "LNPSC" for char in text)
    if not readable or letters(text) > LONGEST_NAME:
        raise Denied(
            400, "name_bad", f"A name has 1 to {LONGEST_NAME} characters; choose another one."
        )
    return text
