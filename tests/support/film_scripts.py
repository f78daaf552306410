"""Scripts of films, as a journal would give them."""

from dataclasses import replace

from rig.films.film_script import FilmScript, Voter
from rig.row.fall_shown import tips
from rig.row.push_events import Standing
from web.content.words import film_words

VALUES = (3, 8, 6, 11, 2, 9, 5, 7, 4, 10)
GAP_MM = 51.2
"""Where the wave died."""
WIDER_MM = GAP_MM + 7.5 - 26.0


def script(tiles=5, down=None, language="en", step_ms=90):
    """A row of so many tiles of which the first `down` have fallen, all of them if None."""
    down = tiles if down is None else down
    values = VALUES[:tiles]
    stood = 0 < down < tiles
    places_mm = [120.0 + 26 * i + (WIDER_MM if stood and i >= down else 0.0) for i in range(tiles)]
    row = tuple(
        Standing(v, "horizontal" if v % 4 == 0 else "vertical", x_mm, 210.0, 4.0 * i)
        for i, (v, x_mm) in enumerate(zip(values, places_mm, strict=True))
    )
    order = [(v, step_ms * i) for i, v in enumerate(values[:down])]
    return FilmScript(
        id="ab12-4",
        round=2,
        row=row,
        tips=tips(values, values[:down], order),
        voters=(
            Voter("Олена", "circle", "failure", caller=True),
            Voter("Mira", "triangle", "success", placer=True),
        ),
        outcome="fell" if down == tiles else "stood",
        up=values[down:],
        between=(values[down - 1], values[down]) if stood else None,
        gap_mm=GAP_MM if stood else None,
        near=(1, 0.0),
        language=language,
    )


def longest():
    """A row of ten tiles whose film takes 8 s: it falls slowly to the last tile."""
    told = script(tiles=10, step_ms=160)
    values = [tile.value for tile in told.row]
    order = [(value, 160 * i) for i, value in enumerate(values)]
    return replace(told, outcome="fell", tips=tips(values, values, order))


def words(language="en"):
    """The words of the table screen."""
    return film_words()[language]
