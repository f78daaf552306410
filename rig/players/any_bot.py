"""A bot for any game of the port: it gives one of its legal commands, by chance."""

from collections.abc import Mapping
from typing import Any

import numpy as np


class AnyBot:
    """One seat without a person, in a game that has no bot of its own.

    Args:
        seat: which.
        rng: its chance.
        hold_s: how long a button is held; it holds none.
    """

    def __init__(self, seat: str, rng: np.random.Generator, hold_s: float) -> None:
        self._rng = rng
        self._moment = ""
        self._command: dict[str, Any] = {}

    def next_command(self, snapshot: Mapping[str, Any]) -> dict[str, Any] | None:
        """One of what it may do now, the same one for as long as nothing changes."""
        legal = snapshot.get("legal", ())
        seat = snapshot["you"]["seat"]
        if not any(asked["seat"] == seat for asked in snapshot.get("asked", ())) or not legal:
            return None
        if snapshot["phase_id"] != self._moment:
            self._moment = snapshot["phase_id"]
            one = legal[int(self._rng.integers(len(legal)))]
            self._command = {"type": one["type"], **one["fields"]}
        named = {name: snapshot[name] for name in ("phase_id", "trick_id")}
        return {**self._command, **named}

    def answer(self, command: dict[str, Any], reply: Mapping[str, Any]) -> None:
        """Hear what became of it."""
