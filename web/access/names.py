"""Names as people type them, made fit for everybody's screen."""

import unicodedata

from rig.session.seats import JOINER, is_shown
from web.base.errors import Denied

_LONGEST = 20
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
        raise Denied(400, "bad_name", f"A name is a text of 1 to {_LONGEST} characters.")
    kept: list[str] = []
    letters = 0
    marks = 0
    for char in unicodedata.normalize("NFC", " ".join(name.split())):
        kind = unicodedata.category(char)
        if not is_shown(char) and char != JOINER:
            continue
        if kind in ("Mn", "Me") or char == JOINER:
            marks += 1
            if marks > _MARKS or not kept:
                continue
        else:
            joined = bool(kept) and kept[-1] == JOINER
            letters += 0 if joined or kind == "Sk" else 1
            marks = 0
        kept.append(char)
    text = " ".join("".join(kept).rstrip(JOINER).split())
    readable = any(unicodedata.category(char)[0] in "LNPSC" for char in text)
    if not readable or letters > _LONGEST:
        raise Denied(400, "bad_name", f"A name has 1 to {_LONGEST} characters; choose another one.")
    return text
