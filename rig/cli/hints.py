"""A match in hindsight: the strong bot's choices, and how likely each knock was."""

from collections.abc import Mapping
from typing import Any

from rig.cli.teller import Teller
from rig.games.registry import model_of, play_of, words_of
from rig.history.gamefile import BadGameFile
from rig.history.story import story_of
from rig.search.hindsight import Choice, Knock
from rig.search.looking_back import looked_back
from rig.session.fingerprint import GameFile

Hint = Mapping[str, Any]
"""JSON-ready: `words`, and either `likely` of a knock or `best`, `worth_best` and `worth_done`."""


def hints(file: GameFile, teller: Teller) -> dict[int, Hint]:
    """The hints for a file, by the number of the event with which a command began.

    Args:
        file: a match.
        teller: has the words.

    Raises:
        BadGameFile: nobody thinks about this game, or its hands are still hidden.
    """
    if model_of(file.game) is None:
        raise BadGameFile("--hints: expected a game of hidden hands, like dominoes")
    found = {
        step.record.v: (
            _knock(seen, teller)
            if isinstance(seen, Knock)
            else _choice(file.game, step.before, seen, teller)
        )
        for step, seen in looked_back(file)
    }
    if not found:
        raise BadGameFile("--hints: no round is over, and the hands are still hidden")
    return found


def _knock(seen: Knock, teller: Teller) -> Hint:
    words = teller.say("hint.knock", n=f"{100 * seen.likely:.0f}")
    return {"words": words, "likely": seen.likely}


def _choice(name: str, table: Any, seen: Choice, teller: Teller) -> Hint:
    play, game, say = play_of(name), table.game, teller.say
    worth = {"worth": f"{100 * seen.worth_best:.0f}"}
    if seen.best == seen.done:
        words = say("hint.same", **worth)
    else:
        (first, *_) = play.rules.decide(game, seen.seat, seen.best)
        best = teller.tell(story_of(play).sentence(table, first)).rstrip(".")
        words = say("hint.other", best=best, done=f"{100 * seen.worth_done:.0f}", **worth)
    return {
        "words": words,
        "best": words_of(name).command_words(game, seen.seat, seen.best),
        "worth_best": round(seen.worth_best, 3),
        "worth_done": round(seen.worth_done, 3),
    }
