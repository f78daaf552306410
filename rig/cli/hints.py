"""A finished match in hindsight: the strong bot's choices, and how likely each knock was."""

from collections.abc import Mapping
from random import Random
from typing import Any

from rig.games.registry import model_of, play_of, words_of
from rig.history.gamefile import BadGameFile
from rig.history.restore import steps_of
from rig.history.story import story_of
from rig.search.contest import drawn
from rig.search.hindsight import Choice, Knock, hindsight
from rig.session.fingerprint import GameFile

Hint = Mapping[str, Any]
"""JSON-ready: `words`, and either `likely` of a knock or `best`, `worth_best` and `worth_done`."""


def hints(file: GameFile) -> dict[int, Hint]:
    """The hints for a file, by the number of the event with which a command began.

    Raises:
        BadGameFile: nobody thinks about this game, or its hands are still hidden.
    """
    model = model_of(file.game)
    if model is None:
        raise BadGameFile("--hints: expected a game of hidden hands, like dominoes")
    play = play_of(file.game)
    try:
        done = [step for step in steps_of(file) if step.event is not None]
    except Exception as error:  # a game's functions are not made for what cannot be
        raise BadGameFile("the file was changed; --verify says more") from error
    if not done or not done[-1].after.is_over:
        raise BadGameFile("--hints: the match is not over, and its hands are still hidden")
    found: dict[int, Hint] = {}
    for n, step in enumerate(done):
        v, then = step.record.v, [each.event for each in done[n : n + _LONGEST]]
        chance = drawn(Random(f"{file.fingerprint} {v}"))
        seen = hindsight(play.rules, model, step.before.game, then, chance)
        if isinstance(seen, Knock):
            found[v] = _knock(seen)
        elif seen is not None:
            found[v] = _choice(file.game, step.before, seen)
    return found


_LONGEST = 64
"""Events that one command can bring, and more."""


def _knock(seen: Knock) -> Hint:
    words = f"In {100 * seen.likely:.0f} of 100 hands that were possible here, nothing fitted."
    return {"words": words, "likely": seen.likely}


def _choice(name: str, table: Any, seen: Choice) -> Hint:
    play, game = play_of(name), table.game
    worth = f"{100 * seen.worth_best:.0f} of 100 on average over all possible hands"
    if seen.best == seen.done:
        words = f"The strong bot would have done this, too ({worth})."
    else:
        (first, *_) = play.rules.decide(game, seen.seat, seen.best)
        best = story_of(play).sentence(table, first).rstrip(".")
        words = f"The strong bot would have chosen: {best} ({worth}). "
        words += f"What was done: {100 * seen.worth_done:.0f} of 100."
    return {
        "words": words,
        "best": words_of(name).command_words(game, seen.seat, seen.best),
        "worth_best": round(seen.worth_best, 3),
        "worth_done": round(seen.worth_done, 3),
    }
