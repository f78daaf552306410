"""A bot for any game of the port that has none of its own: it thinks with `rig.search`."""

from collections.abc import Mapping
from random import Random
from typing import Any

import numpy as np

from rig.games.interface import Seat
from rig.search.bots import bot
from rig.search.contest import drawn
from rig.search.port_model import model_for
from rig.serialise import to_plain
from rig.session.session import Session

_SEEDS = 2**62


class AnyBot:
    """One seat without a person.

    It decides once in a step of the game, as soon as that begins, so that the pause before it acts
    says nothing about how much there was to think about.

    Args:
        session: the table.
        strength: how well it plays, of `rig.search.bots`.
        seat: which.
        rng: where its own seed comes from.
        hold_s: how long a button is held; it holds none.
    """

    def __init__(
        self,
        session: Session[Any, Any, Any],
        strength: str,
        seat: Seat,
        rng: np.random.Generator,
        hold_s: float,
    ) -> None:
        rules = session.play.rules
        self._session, self._rules, self._seat = session, rules, seat
        self._bot = bot(strength, rules, model_for(rules))
        self._draw = drawn(Random(int(rng.integers(_SEEDS))))
        self._moment = ""
        self._command: dict[str, Any] = {}

    def next_command(self, snapshot: Mapping[str, Any]) -> dict[str, Any] | None:
        """What it does in this step, the same for as long as that lasts."""
        seat, rules = self._seat, self._rules
        if not any(asked["seat"] == seat for asked in snapshot.get("asked", ())):
            return None
        if not snapshot["legal"]:
            return None
        if snapshot["phase_id"] != self._moment:
            table = self._session.table
            if table.phase_id != snapshot["phase_id"]:
                return None  # the step is over; there will be another look
            imagined = rules.imagine(table.game, seat, self._draw)
            command = self._bot.choose(imagined, seat, self._draw)
            name = next(n for n, spec in rules.commands.items() if spec.make is type(command))
            self._moment = snapshot["phase_id"]
            self._command = {"type": name, **to_plain(command)}
        named = {name: snapshot[name] for name in ("phase_id", "trick_id")}
        return {**self._command, **named}

    def answer(self, command: dict[str, Any], reply: Mapping[str, Any]) -> None:
        """Hear what became of it."""
