"""The data behind the statistics: every vote on a row that was pushed, and every call. Pure.

They come from a journal's records. A vote is yes or no, so it is compared with what fell, and with
the chance the model gave the same row; rows that nobody doubted were not pushed and do not count.
"""

from dataclasses import dataclass, field
from typing import Any, Protocol

from rig.games.interface import Data


@dataclass(frozen=True, slots=True)
class VoteRecord:
    """One player's vote on a row that was pushed.

    Attributes:
        name: the player.
        success: whether they voted that it would fall.
        free: whether they had a choice; the placer has none.
        placer: whether the last tile was theirs.
        caller: whether they had called.
        p_fall: what the model gave it, None where it gave nothing.
        fell: what became of it.
    """

    name: str
    success: bool
    free: bool
    placer: bool
    caller: bool
    p_fall: float | None
    fell: bool

    @property
    def right(self) -> bool:
        """Whether the vote was on the side that won."""
        return self.success == self.fell


@dataclass(frozen=True, slots=True)
class Played:
    """One game.

    Attributes:
        at_s: when its last event was, in seconds since 1970.
        over: whether it came to its end.
        chips: of every player who was there to the end, by name.
        winners: their names.
        calls: how often each player called and the ballots were shown.
        looks: every vote on every push that counted.
    """

    at_s: float
    over: bool = False
    chips: dict[str, int] = field(default_factory=dict)
    winners: tuple[str, ...] = ()
    calls: dict[str, int] = field(default_factory=dict)
    looks: tuple[VoteRecord, ...] = ()


class GameFigures(Protocol):
    """What the games of a journal say of those who played, event by event."""

    def take(self, at_s: float, event: Data, before: Any, table: Any) -> None:
        """Read the next event, with the tables before and after it."""

    def played(self) -> list[Played]:
        """The games in which somebody took part who is no bot."""


class NoGameFigures:
    """For a game that has no figures of its own yet."""

    def take(self, at_s: float, event: Data, before: Any, table: Any) -> None:
        """Nothing is counted."""

    def played(self) -> list[Played]:
        """No game has figures."""
        return []
