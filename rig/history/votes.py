"""The data behind the statistics, and their sums: votes on rows that were pushed, and calls. Pure.

They come from a journal's records. A vote is yes or no, so it is compared with what fell, and with
the chance the model gave the same row; rows that nobody doubted were not pushed and do not count.
"""

import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

from rig.games.interface import Data

BANDS = 5
EYE_PUSHES = 10
"""Pushes that a badge is earned on: three evenings or so, on fewer it would be luck."""
EVERYBODY = "*"


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


@dataclass(frozen=True, slots=True)
class Band:
    """Pushes to which the model gave about the same chance.

    Attributes:
        n: how many the player voted on.
        p: the model's chance on average.
        said: how many of them the player said would fall.
        fell: how many of them fell.
    """

    n: int = 0
    p: float = 0.0
    said: int = 0
    fell: int = 0


@dataclass(frozen=True, slots=True)
class Figures:
    """The figures of one player.

    Attributes:
        games: games played to their end.
        wins: how many of them the player won.
        chips: chips at the end of those games.
        calls: calls after which the ballots were shown.
        pushed: how many of these calls led to a push.
        right_calls: how many of those pushes won the caller chips.
        doubted: pushes on the player's own tile, which somebody said would not fall.
        held: how many of those rows fell anyway.
        votes: free votes on rows that were pushed.
        right: how many of those votes were right.
        brier: mean squared distance of vote (0 or 1) and outcome, on pushes with a prediction.
        model_brier: the same for the model's chances on the same pushes.
        compared: how many pushes these two scores are made of.
        bands: pushes by the model's chance, from none to certain.
        badge: whether the player judged better than the model, on enough pushes.
    """

    name: str
    games: int = 0
    wins: int = 0
    chips: int = 0
    calls: int = 0
    pushed: int = 0
    right_calls: int = 0
    doubted: int = 0
    held: int = 0
    votes: int = 0
    right: int = 0
    brier: float | None = None
    model_brier: float | None = None
    compared: int = 0
    bands: tuple[Band, ...] = ()
    badge: bool = False


def identity(name: str) -> str:
    """The key of a player's name: case, spaces and the encoding of letters do not count.

    >>> identity(" OLENA ") == identity("Olena")
    True
    """
    return " ".join(unicodedata.normalize("NFKC", name).casefold().split())


def figures(games: Sequence[Played], erased: dict[str, float] | None = None) -> list[Figures]:
    """The figures of every player, by name.

    Args:
        games: all games, in the order they were played.
        erased: time up to which games of a player, or of `EVERYBODY`, do not count.
    """
    names: dict[str, str] = {}
    for game in games:
        for name in (*game.chips, *game.calls, *(look.name for look in game.looks)):
            if not is_erased(erased, identity(name), game.at_s):
                names[identity(name)] = name
    return sorted(
        (_figures(key, name, games, erased) for key, name in names.items()),
        key=lambda each: each.name.casefold(),
    )


def is_erased(erased: Mapping[str, float] | None, key: str, at_s: float) -> bool:
    """Whether what somebody did then is erased.

    Args:
        erased: time up to which it is, by identity or for `EVERYBODY`.
        key: the identity of whoever did it.
        at_s: when, in seconds since 1970.
    """
    until_s = max((erased or {}).get(key, 0.0), (erased or {}).get(EVERYBODY, 0.0))
    return at_s <= until_s


def _figures(
    key: str, name: str, games: Sequence[Played], erased: dict[str, float] | None
) -> Figures:
    mine = [game for game in games if not is_erased(erased, key, game.at_s)]
    over = [game for game in mine if game.over and key in map(identity, game.chips)]
    looks = [look for game in mine for look in game.looks if identity(look.name) == key]
    calls = sum(n for game in mine for who, n in game.calls.items() if identity(who) == key)
    called = [look for look in looks if look.caller]
    placed = [look for look in looks if look.placer]
    free = [look for look in looks if look.free]
    return replace(
        _compared(name, free),
        games=len(over),
        wins=sum(key in map(identity, game.winners) for game in over),
        chips=sum(n for game in over for who, n in game.chips.items() if identity(who) == key),
        calls=calls,
        pushed=len(called),
        right_calls=sum(look.right for look in called),
        doubted=len(placed),
        held=sum(look.fell for look in placed),
        votes=len(free),
        right=sum(look.right for look in free),
    )


def _compared(name: str, free: Iterable[VoteRecord]) -> Figures:
    """Compare a player's votes with the model's chances, on the pushes that both have judged."""
    pairs = [(look, look.p_fall) for look in free if look.p_fall is not None]
    if not pairs:
        return Figures(name, bands=(Band(),) * BANDS)
    bands = []
    for i in range(BANDS):
        inside = [(look, p) for look, p in pairs if min(int(p * BANDS), BANDS - 1) == i]
        n = len(inside)
        bands.append(
            Band(
                n=n,
                p=round(sum(p for _, p in inside) / n, 4) if n else 0.0,
                said=sum(look.success for look, _ in inside),
                fell=sum(look.fell for look, _ in inside),
            )
        )
    n = len(pairs)
    brier = sum((look.success - look.fell) ** 2 for look, _ in pairs) / n
    model_brier = sum((p - look.fell) ** 2 for look, p in pairs) / n
    return Figures(
        name,
        brier=round(brier, 4),
        model_brier=round(model_brier, 4),
        compared=n,
        bands=tuple(bands),
        badge=n >= EYE_PUSHES and brier < model_brier,
    )
