"""The saved snapshots of a checkout, for the gallery, and the films that they name.

A film is drawn from its snapshot by the code that films a push, and kept until the process ends:
a still takes half a second, a film some ten.
"""

import json
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import Any

from physics.errors import PhysicsError
from rig.films.film_script import FilmScript, Voter
from rig.row.fall_shown import tips
from rig.row.push_events import Standing
from web.content.words import SOURCE, film_words

_SNAPSHOTS = Path(__file__).parents[2] / "tests" / "data" / "snapshots"
_THICK_MM = 7.5
_GAP_MM = 17.0
"""Between tiles where the wave went on: nobody saved it."""


def snapshots() -> dict[str, Any]:
    """All of them by name; none where this is no checkout."""
    files = sorted(_SNAPSHOTS.glob("*.json"))
    return {file.stem: json.loads(file.read_text(encoding="utf-8")) for file in files}


@cache
def film(address: str) -> bytes | None:
    """The film, `mp4`, or the still, `jpg`, at an address that is named in a saved snapshot.

    None where no snapshot names it, or films cannot be made here.
    """
    told = _scripts().get(address)
    if told is None:
        return None
    try:
        from rig.films import reel

        words = film_words()[SOURCE]
        if address.endswith(".mp4"):
            return reel.make(told, words)[0]
        from PIL import Image

        still = BytesIO()
        Image.fromarray(reel.Reel(told, words).verdict()).save(still, "JPEG", quality=82)
        return still.getvalue()
    except (ImportError, PhysicsError):
        return None


@cache
def _scripts() -> dict[str, FilmScript]:
    """What the films of all saved endings tell, by the addresses of film and still."""
    told: dict[str, FilmScript] = {}
    for snapshot in snapshots().values():
        final = snapshot.get("final") or {}
        falls = {fall["round"]: fall for fall in final.get("falls", ())}
        for each in final.get("films", ()):
            script = _script(snapshot, falls[each["round"]], each["url"])
            told |= {each["url"]: script, each["still"]: script}
    return told


def _script(snapshot: dict[str, Any], fall: dict[str, Any], url: str) -> FilmScript:
    x_mm, row = 150.0, []
    between = tuple(fall["between"] or ())
    for tile in fall["row"]:
        row.append(Standing(tile["value"], tile["orientation"], x_mm, 210.0, 0.0))
        died = tile["value"] == (between or (None,))[0]
        x_mm += _THICK_MM + (fall["gap_mm"] or _GAP_MM if died else _GAP_MM)
    values = [tile.value for tile in row]
    down = [value for value in values if value not in fall["up"]]
    side = "success" if fall["outcome"] == "fell" else "failure"
    return FilmScript(
        id=Path(url).name.rpartition("-")[0],
        round=fall["round"],
        row=tuple(row),
        tips=tips(values, down, ()),
        voters=tuple(Voter(each["name"], each["mark"], side) for each in snapshot["seats"]),
        outcome=fall["outcome"],
        up=tuple(fall["up"]),
        between=(between[0], between[1]) if between else None,
        gap_mm=fall["gap_mm"],
        short_mm=fall["short_mm"],
        language=SOURCE,
    )
