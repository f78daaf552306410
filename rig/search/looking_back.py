"""A past game in hindsight, for the command line and for the pages: round by round.

Only what lies open is looked at: rounds whose hands everybody may see.
"""

import json
from collections.abc import Iterator, Mapping
from random import Random
from typing import Any

from rig.games.registry import model_of, play_of
from rig.history.account import Taken, file_of
from rig.history.fold import FoldStep
from rig.history.gamefile import BadGameFile, loaded
from rig.history.restore import hides, steps_of
from rig.search.contest import drawn
from rig.search.hindsight import Choice, Knock, hindsight
from rig.serialise import to_plain
from rig.session.fingerprint import AnyPlay, GameFile

_LONGEST = 64
"""Events that one command can bring, and more."""


class NothingToSay(BadGameFile):
    """The hands of this round are still hidden, or there is no such round, or nobody thinks."""


def looked_back(
    file: GameFile, number: int | None = None
) -> Iterator[tuple[FoldStep, Choice | Knock]]:
    """What can be said of a game, each with the first event of what was done.

    Args:
        file: the game.
        number: of one round; None for all.

    Raises:
        BadGameFile: an event is none, or cannot follow the ones before it.
    """
    play, model = play_of(file.game), model_of(file.game)
    if model is None:
        return
    try:
        done = [step for step in steps_of(file) if step.event is not None]
        hidden = (n for n, step in enumerate(done) if hides(step.record, play))
        for n, step in enumerate(done[: next(hidden, None)]):
            if number not in (None, _round(play, step)):
                continue
            then = [each.event for each in done[n : n + _LONGEST]]
            chance = drawn(Random(f"{file.events[0].link} {step.record.v}"))
            seen = hindsight(play.rules, model, step.before.game, then, chance)
            if seen is not None:
                yield step, seen
    except BadGameFile:
        raise
    except Exception as error:  # a game's functions are not made for what cannot be
        words = "the file was changed; --verify says more"
        raise BadGameFile(words, "gamefile.changed") from error


def _round(play: AnyPlay, step: FoldStep) -> Any:
    return play.rules.view(step.before.game, None).get("round")


def of_game(game: Taken, number: int) -> bytes:
    """A round of a game of a journal in hindsight, as JSON.

    Raises:
        NothingToSay: its hands are still hidden.
    """
    return _of(file_of(game), number)


def of_file(data: bytes, number: int) -> bytes:
    """A round of an uploaded game in hindsight, as JSON.

    Raises:
        BadGameFile: it is not a game file; the text says why.
    """
    return _of(loaded(data), number)


def _of(file: GameFile, number: int) -> bytes:
    play = play_of(file.game)
    told = {s.record.v: _plain(play, seen) for s, seen in looked_back(file, number)}
    if not told:
        raise NothingToSay("there is nothing to say of this round, or it is not over")
    return json.dumps({"round": number, "hints": told}, separators=(",", ":")).encode()


def _plain(play: AnyPlay, seen: Choice | Knock) -> Mapping[str, Any]:
    match seen:
        case Knock(seat, likely, known):
            return {"kind": "knock", "seat": seat, "likely": likely, "known": dict(known)}
        case Choice(seat, done, best, worth_done, worth_best, why):
            name = next(n for n, s in play.rules.commands.items() if s.make is type(best))
            return {
                "kind": "choice",
                "seat": seat,
                "same": done == best,
                "best": {"type": name, **to_plain(best)},
                "worth_done": round(worth_done, 3),
                "worth_best": round(worth_best, 3),
                "why": dict(why),
            }
