"""What everybody may see of films: whether there is one of this push, and the best of the game."""

from typing import Any

from rig.config import Config
from rig.films.film_script import USUAL, KnownFilm
from rig.games.estimation.table.estimation_table import EstimationTable, game_key
from rig.row.row_live import RowLive


def films_view(table: EstimationTable, live: RowLive, config: Config) -> dict[str, Any] | None:
    """What is wanted of films, and whether they can be made; None where this table makes none."""
    if live.films is None:
        return None
    now = table.film_wishes(config.film)
    language = now.language or live.language or USUAL
    return {"on": now.on, "names": now.names, "language": language, "able": live.films.able}


def of_push(table: EstimationTable, live: RowLive) -> dict[str, Any] | None:
    """The film of the last push, once it is begun."""
    of_round = [film for film in _known(table, live) if film.round == table.game.round]
    return film_view(of_round[-1]) if of_round else None


def best(table: EstimationTable, live: RowLive) -> list[dict[str, Any]]:
    """The best three falls of the game, in the order of the rounds."""
    return [film_view(film) for film in _known(table, live) if film.best]


def _known(table: EstimationTable, live: RowLive) -> list[KnownFilm]:
    """The films of this very game."""
    key = game_key(table)
    return [film for film in (live.films.known if live.films else ()) if film.game == key]


def film_view(film: KnownFilm) -> dict[str, Any]:
    """A film for pages: where it is, and what its caption says."""
    return {
        "round": film.round,
        "best": film.best,
        "outcome": film.outcome,
        "tiles": film.tiles,
        "up": list(film.up),
        "between": list(film.between) if film.between else None,
        "short_mm": film.short_mm,
        "ready": film.ready,
        "url": f"/film/{film.name}.mp4",
        "still": f"/film/{film.name}.jpg",
    }
