"""`domino-rig referee`: play a game by JSON lines, without server, table or journal."""

import io
import json
import sys
from argparse import Namespace
from collections.abc import Iterator
from random import Random
from typing import Any

from rig.errors import RigError
from rig.games.interface import RulesRefused, Seat
from rig.games.registry import play_of, words_of
from rig.search.bots import bot
from rig.search.contest import drawn
from rig.search.port_model import model_for

_LONGEST = 60
"""Characters of what was given that a sentence quotes."""


class Referee:
    """Answers one line after the other.

    Args:
        name: of the game.

    Raises:
        UnknownGame: there is none, or it needs a table.
    """

    def __init__(self, name: str) -> None:
        self._words = words_of(name)
        self._rules = play_of(name).rules
        self._game: Any = None

    def answer(self, line: str) -> dict[str, Any]:
        """The answer to one line; a line that is refused changes nothing."""
        try:
            return {"ok": True, **self._answer(_read(line))}
        except RulesRefused as error:
            return {"ok": False, "reason": str(error.reason), "message": str(error)}
        except RigError as error:
            reason = getattr(error, "reason", "bad_line")
            return {"ok": False, "reason": reason, "message": str(error)}

    def _answer(self, asked: dict[str, Any]) -> dict[str, Any]:
        words = self._words
        if "new" in asked:
            _alone(asked, "new")
            self._game, events = words.begun(asked["new"])
            return {"events": events}
        if self._game is None:
            raise BadLine('expected {"new": …} first: no match has begun')
        if "view" in asked:
            _alone(asked, "view")
            return {"view": words.seen(self._game, asked["view"])}
        if "bot" in asked:
            return {"command": self._advice(asked)}
        actor, command = words.command(self._game, asked)
        self._game, events = words.done(self._game, actor, command)
        return {"events": events}

    def _advice(self, asked: dict[str, Any]) -> dict[str, Any]:
        """What a bot would do on a seat that is in turn; it knows what that seat knows."""
        _alone(asked, "bot", "seat")
        rules, game = self._rules, self._game
        if not isinstance(asked["bot"], str):
            raise BadLine(f"bot: expected the name of a bot, not {repr(asked['bot'])[:_LONGEST]}")
        thinks = bot(asked["bot"], rules, model_for(rules))
        seat = self._in_turn(asked.get("seat"))
        draw = drawn(Random(repr(rules.view(game, seat))))  # asked again it says the same
        command = thinks.choose(rules.imagine(game, seat, draw), seat, draw)
        words: dict[str, Any] = self._words.command_words(game, seat, command)
        return words

    def _in_turn(self, number: object) -> Seat:
        rules, game = self._rules, self._game
        seats: tuple[Seat, ...] = rules.seats(game)
        if type(number) is not int or not 0 <= number < len(seats):
            shown = repr(number)[:_LONGEST]
            raise BadLine(f"seat: expected a seat of 0 to {len(seats) - 1}, not {shown}")
        if rules.needs(game):
            raise BadLine("bot: nobody is in turn, a deal is awaited")
        if rules.over(game) is not None:
            raise BadLine("bot: nobody is in turn, the match is over")
        if seats[number] not in [each.seat for each in rules.asked(game)]:
            raise BadLine(f"seat: {number} is not in turn")
        return seats[number]


class BadLine(RigError):
    """A line is no JSON object that the referee knows."""


def run(args: Namespace) -> int:
    """Answer every line of standard input until it ends."""
    referee = Referee(args.game)
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(encoding="utf-8", errors="replace")
    for line in _lines():
        print(json.dumps(referee.answer(line)), flush=True)
    return 0


def _lines() -> Iterator[str]:
    for line in sys.stdin:
        if line.strip():
            yield line


def _read(line: str) -> dict[str, Any]:
    try:
        asked = json.loads(line)
    except (ValueError, RecursionError):
        wrong = line.strip()[:_LONGEST]
        raise BadLine(f"expected one JSON object per line, not {wrong!r}") from None
    if not isinstance(asked, dict):
        raise BadLine(f"expected a JSON object, not {line.strip()[:_LONGEST]!r}")
    return asked


def _alone(asked: dict[str, Any], *names: str) -> None:
    more = [each for each in asked if each not in names]
    if more:
        raise BadLine(f"{more[0][:_LONGEST]}: nothing else may stand beside {' and '.join(names)}")
