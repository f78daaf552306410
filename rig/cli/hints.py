"""A match in hindsight: the strong bot's choices, and how likely each knock was."""

from collections.abc import Mapping
from typing import Any

from rig.games.registry import model_of, play_of, words_of
from rig.history.gamefile import BadGameFile
from rig.history.story import story_of
from rig.search.hindsight import Choice, Knock
from rig.search.looking_back import looked_back
from rig.session.fingerprint import GameFile

Hint = Mapping[str, Any]
"""JSON-ready: `words`, and either `likely` of a knock or `best`, `worth_best` and `worth_done`."""


def hints(file: GameFile) -> dict[int, Hint]:
    """The hints for a file, by the number of the event with which a command began.

    Raises:
        BadGameFile: nobody thinks about this game, or its hands are still hidden.
    """
    if model_of(file.game) is None:
        raise BadGameFile("--hints: expected a game of hidden hands, like dominoes")
    found = {
        step.record.v: (
            _knock(seen) if isinstance(seen, Knock) else _choice(file.game, step.before, seen)
        )
        for step, seen in looked_back(file)
    }
    if not found:
        raise BadGameFile("--hints: no round is over, and the hands are still hidden")
    return found


def _knock(seen: Knock) -> Hint:
    words = f"In {100 * seen.likely:.0f} of 100 hands that were possible here, nothing fitted."
    return {"words": words, "likely": seen.likely}


def _choice(name: str, table: Any, seen: Choice) -> Hint:
    play, game = play_of(name), table.game
    worth = f"worth {100 * seen.worth_best:.0f} of 100 on average over all possible hands"
    if seen.best == seen.done:
        words = f"The strong bot would have done this, too ({worth})."
    else:
        (first, *_) = play.rules.decide(game, seen.seat, seen.best)
        best = story_of(play).sentence(table, first).rstrip(".")
        words = f"The strong bot would have chosen: {best} ({worth}). "
        words += f"The move that was made was worth {100 * seen.worth_done:.0f} of 100."
    return {
        "words": words,
        "best": words_of(name).command_words(game, seen.seat, seen.best),
        "worth_best": round(seen.worth_best, 3),
        "worth_done": round(seen.worth_done, 3),
    }
