"""Tickets: the right to a seat, on its way to another phone."""

import secrets
import threading
from collections.abc import Callable

from web.base.session_port import Json

LIFE_S = 120.0
"""Seconds that a ticket is good: enough to find the other phone and scan it."""


class Tickets:
    """The tickets that wait to be scanned: at most one for each seat, each good once.

    They are forgotten when the process ends; then somebody has to make a new one.
    """

    def __init__(self, monotonic_s: Callable[[], float]) -> None:
        self._monotonic_s = monotonic_s
        self._lock = threading.Lock()
        self._seats: dict[str, tuple[str, float]] = {}

    def draw(self, seat: str) -> str:
        """Make a new ticket of 128 bits for a seat; the one before is no longer good."""
        token = secrets.token_urlsafe(16)
        until_s = self._monotonic_s() + LIFE_S
        with self._lock:
            self._seats = {t: kept for t, kept in self._seats.items() if kept[0] != seat}
            self._seats[token] = (seat, until_s)
        return token

    def seat_of(self, token: str) -> str | None:
        """The seat that a ticket is for, while it is good."""
        with self._lock:
            seat, until_s = self._seats.get(token, ("", 0.0))
        return seat if seat and self._monotonic_s() < until_s else None

    def take(self, token: str, hand_over: Callable[[str], Json]) -> Json | None:
        """Hand over the seat of a ticket, which is then used up.

        Returns:
            The answer of `hand_over`, or None if the ticket is not good.
        """
        with (
            self._lock
        ):  # gone while it is handed over, which may wait for the disk: it is good once
            seat, until_s = kept = self._seats.pop(token, ("", 0.0))
        if not seat or self._monotonic_s() >= until_s:
            return None
        reply: Json = {"ok": False}
        try:
            reply = hand_over(seat)
        finally:
            if not reply["ok"]:
                with self._lock:
                    self._seats.setdefault(token, kept)
        return reply
