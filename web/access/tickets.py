"""Tickets: the right to a seat, on its way to another phone."""

import secrets
import threading
from collections.abc import Callable

from rig.session.host import SeatTicket
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
        self._tickets: dict[str, tuple[SeatTicket, float]] = {}

    def draw(self, ticket: SeatTicket) -> str:
        """Make a code of 128 bits for a ticket; the one before for that seat is no longer good."""
        token = secrets.token_urlsafe(16)
        until_s = self._monotonic_s() + LIFE_S
        with self._lock:
            others = ((t, kept) for t, kept in self._tickets.items() if kept[0].seat != ticket.seat)
            self._tickets = {**dict(others), token: (ticket, until_s)}
        return token

    def of(self, token: str) -> SeatTicket | None:
        """The ticket of a code, while its time is not over."""
        with self._lock:
            kept = self._tickets.get(token)
        return kept[0] if kept and self._monotonic_s() < kept[1] else None

    def take(self, token: str, hand_over: Callable[[SeatTicket], Json]) -> Json | None:
        """Hand over the seat of a ticket, which is then used up.

        Returns:
            The answer of `hand_over`, or None if the ticket is not good.
        """
        with (
            self._lock
        ):  # gone while it is handed over, which may wait for the disk: it is good once
            kept = self._tickets.pop(token, None)
        if kept is None or self._monotonic_s() >= kept[1]:
            return None
        reply: Json = {"ok": False}
        try:
            reply = hand_over(kept[0])
        finally:
            if not reply["ok"]:
                with self._lock:
                    self._tickets.setdefault(token, kept)
        return reply
