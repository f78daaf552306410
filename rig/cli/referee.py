"""`domino-rig referee`: play a game by JSON lines, without server, table or journal."""

import io
import json
import sys
from argparse import Namespace
from collections.abc import Iterator
from typing import Any

from rig.errors import RigError
from rig.games.interface import RulesRefused
from rig.games.registry import words_of


class Referee:
    """Answers one line after the other.

    Args:
        words: how a game is spoken of in JSON.
    """

    def __init__(self, words: Any) -> None:
        self._words = words
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
        actor, command = words.command(self._game, asked)
        self._game, events = words.done(self._game, actor, command)
        return {"events": events}


class BadLine(RigError):
    """A line is no JSON object that the referee knows."""


def run(args: Namespace) -> int:
    """Answer every line of standard input until it ends."""
    referee = Referee(words_of(args.game))
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
        raise BadLine(f"expected one JSON object a line, not {line.strip()[:60]!r}") from None
    if not isinstance(asked, dict):
        raise BadLine(f"expected a JSON object, not {line.strip()[:60]!r}")
    return asked


def _alone(asked: dict[str, Any], name: str) -> None:
    more = [each for each in asked if each != name]
    if more:
        raise BadLine(f"{more[0]}: nothing else may stand beside {name}")
