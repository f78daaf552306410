"""Which games there are: a name for each, and the module of its folder that says how it is played.

Modules are loaded when their game is, by name: so nobody but this file knows a game.
"""

from collections.abc import Iterable
from importlib import import_module
from typing import Any

from rig.errors import RigError

ESTIMATION = "estimation"
"""What is played where a journal or a file does not say."""

GAMES = {
    ESTIMATION: "rig.games.estimation.table.estimation_play",
    "dominoes": "rig.games.dominoes.table.dominoes_play",
}

WORDS = {"dominoes": "rig.games.dominoes.table.referee_words"}
"""The games that can be played by plain words (`domino-rig referee`), and who has theirs."""

MODELS = {"dominoes": "rig.games.dominoes.table.thought"}
"""The games that can be thought about faster than by their rules, and who has how."""


class UnknownGame(RigError):
    """No game has this name here."""


def play_of(name: str = "") -> Any:
    """How the game of this name is played at a table: its `rig.session.playing.Play`.

    Raises:
        UnknownGame: there is none.
    """
    name = name or ESTIMATION
    if name not in GAMES:
        raise UnknownGame(
            f"this domino-rig has no game {name[:30]!r}, only {', '.join(sorted(GAMES))}; "
            "use the domino-rig that wrote it"
        )
    return import_module(GAMES[name]).PLAY


def words_of(name: str) -> Any:
    """The words in which programs play the game of this name without a table.

    Raises:
        UnknownGame: there is none, or it needs a table.
    """
    if name in GAMES and name not in WORDS:
        known = ", ".join(sorted(WORDS))
        raise UnknownGame(
            f"--game: {name} needs a table, and here is none; expected {known}, or start "
            f"domino-rig play --game {name}"
        )
    if name not in WORDS:
        raise not_among(WORDS, name)
    return import_module(WORDS[name])


def not_among(games: Iterable[str], name: str) -> UnknownGame:
    """What is said where the command line names a game that is not one of some."""
    known = sorted(games)
    one_of = "one of " if len(known) > 1 else ""
    return UnknownGame(f"--game: expected {one_of}{', '.join(known)}, not {name[:30]!r}")


def model_of(name: str) -> Any:
    """How a search thinks about the game of this name; None where only its rules say."""
    return import_module(MODELS[name]).MODEL if name in MODELS else None
