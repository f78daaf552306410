"""Plays the seats that have no person, on a thread of its own, through the session's front door."""

import threading
import uuid
from collections.abc import Callable, Mapping
from typing import Any, Protocol

import numpy as np

from rig.session.session import Session

_LOOK_S = 0.25


class SeatBot(Protocol):
    """Plays one seat: looks at what a phone would show, and says what it does."""

    def next_command(self, snapshot: Mapping[str, Any]) -> dict[str, Any] | None:
        """What it asks for, None while it has nothing to do."""

    def answer(self, command: dict[str, Any], reply: Mapping[str, Any]) -> None:
        """Hear what became of it."""


NewBot = Callable[[str, np.random.Generator, float], SeatBot]
"""Makes the bot of a seat, given chance and how long a button is held, in seconds."""


class BotSeats:
    """Follows a session and sends what its bots decide.

    Args:
        session: the table.
        new_bot: makes the bots of the game that is played.
        rng: the bots' chance.
        think_s: how long a bot waits before it acts, so that people can follow.
    """

    def __init__(
        self,
        session: Session[Any, Any, Any],
        new_bot: NewBot,
        rng: np.random.Generator,
        think_s: float,
    ) -> None:
        self._new_bot = new_bot
        self._session = session
        self._rng = rng
        self._think_s = think_s
        self._bots: dict[str, SeatBot] = {}
        self._due: dict[str, tuple[str, float]] = {}
        self._wake = threading.Event()
        self._closing = False
        self._thread = threading.Thread(target=self._run, name="bots", daemon=True)
        self._leave = session.subscribe(self._wake.set)

    def start(self) -> None:
        """Begin to play."""
        self._thread.start()

    def close(self) -> None:
        """Stop playing."""
        self._closing = True
        self._leave()
        self._wake.set()
        if self._thread.is_alive():
            self._thread.join(5.0)

    def _run(self) -> None:
        while not self._closing:
            seats = [p.seat for p in self._session.table.players if p.bot]
            for seat in seats:
                self._play(seat)
            self._wake.wait(_LOOK_S if seats else None)
            self._wake.clear()

    def _play(self, seat: str) -> None:
        """Let one bot act, once it has thought long enough about the same thing."""
        bot = self._bots.get(seat)
        if bot is None:
            hold_s = self._session.config.timing.hold
            bot = self._bots[seat] = self._new_bot(seat, self._rng, hold_s)
        device = f"bot:{seat}"
        command = bot.next_command(self._session.view(device))
        if command is None:
            return
        now_s = self._session.clock.monotonic_s()
        key = f"{command['type']} {command['phase_id']}"
        known, due_s = self._due.get(seat, ("", 0.0))
        if known != key and command["type"] != "push":
            due_s = now_s + self._think_s * float(self._rng.uniform(0.6, 1.4))
            self._due[seat] = (key, due_s)
        if now_s < due_s:
            return
        reply = self._session.submit(device, {"id": uuid.uuid4().hex, **command})
        bot.answer(command, reply)
