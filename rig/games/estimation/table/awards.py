"""The pushes of a game as its ending tells them, and the awards they earn. Pure.

Each push is remembered once it is settled, so nothing is known here that was not shown before. The
rules of the awards, one line each, stand in `rig/games/README.md`.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

from physics.row.tile import Orientation
from rig.games.estimation import events as ev
from rig.games.estimation.game import Game
from rig.games.estimation.terms import End, Mishap, Result, Side
from rig.history.votes import Played, VoteRecord, figures
from rig.row.push_events import Attempt, Cause, Forecast, Seen, Standing
from rig.serialise import to_plain

FEWEST_PUSHES = 2
"""Free ballots of which an eye is made: one right guess is luck."""
CLOSE_MM = 10.0
"""A wave that fell short by more was no close call."""
DOUBT = 0.1
"""A chance nearer to 0 or 1 than this left no doubt: such a row was no bluff and no close call."""
EVEN = 0.5
"""The chance of a row that is as likely to fall as to stand."""
SETTLING = (
    *(ev.GameStarted, ev.OutcomeJudged, ev.VerdictCorrected),
    *(ev.RoundVoided, ev.LobbyReopened),
)
"""Events that change which pushes count."""
_SAME = 1e-9
"""Figures that differ by less are the same: numbers may be summed in another order."""


@dataclass(frozen=True, slots=True)
class JudgedPush:
    """One push that was settled, with the ballots that had been shown before it.

    Attributes:
        round: the round it ended.
        ballots: all that were shown.
        forced: the seats that had no choice.
        placer: whose tile came last, None if they have left.
        caller: who called, None if they have left.
        outcome: what it did, as it counts now.
        p_fall: the chance the model gave the row, None where it gave none or the wrong end was hit.
        row: its tiles from the pushed end.
        seen: what the camera made of it.
        tall_mm: how high the tile stood at which the wave died.
    """

    round: int
    ballots: Mapping[str, Side]
    forced: frozenset[str]
    placer: str | None
    caller: str | None
    outcome: Result
    p_fall: float | None
    row: tuple[Standing, ...]
    seen: Seen | None
    tall_mm: float | None

    @property
    def fell(self) -> bool:
        """Whether the whole row went down."""
        return self.outcome is Result.FELL

    @property
    def look(self) -> Seen | None:
        """What the camera saw, where it saw what counts now."""
        seen = self.seen
        return seen if seen is not None and seen.outcome == self.outcome.value else None

    @property
    def short_mm(self) -> float | None:
        """How much longer the last tile that fell had to be; None where that was not it."""
        look = self.look
        if look is None or look.gap_mm is None or self.tall_mm is None:
            return None
        short = round(look.gap_mm - self.tall_mm, 1)
        return short if short > 0 else None

    @property
    def near(self) -> tuple[int, float] | None:
        """How near it was to the other outcome, least first: award and film go by it.

        By how many mm the wave fell short, where that was close; otherwise by how far the chance
        was from one half. None where nobody can say it.
        """
        if self.short_mm is not None and self.short_mm <= CLOSE_MM:
            return 0, self.short_mm
        return None if self.p_fall is None else (1, abs(self.p_fall - EVEN))


@dataclass(frozen=True, slots=True)
class Award:
    """What somebody, or a row, has earned; whoever ties shares it.

    Attributes:
        kind: `eye`, `bluff`, `close` or `odds`.
        seats: who earned it, in the order of seats; nobody for a row.
        rounds: whose pushes earned it.
        margin: of `eye`: by how much its Brier score is below the model's.
        p_fall: the chance the model gave the row.
        short_mm: of `close`: by how many mm the wave fell short.
        between: the tiles beside that gap.
    """

    kind: str
    seats: tuple[str, ...] = ()
    rounds: tuple[int, ...] = ()
    margin: float | None = None
    p_fall: float | None = None
    short_mm: float | None = None
    between: tuple[int, int] | None = None


class _AtTable(Protocol):
    """What a push is remembered from."""

    @property
    def game(self) -> Game: ...
    @property
    def row(self) -> tuple[Standing, ...]: ...
    @property
    def attempt(self) -> Attempt | None: ...
    @property
    def forecast(self) -> Forecast | None: ...
    @property
    def seen(self) -> Seen | None: ...


def remembered(
    pushes: tuple[JudgedPush, ...], before: _AtTable, event: object, after: Game
) -> tuple[JudgedPush, ...]:
    """The settled pushes of the game after an event; one for each round of its history."""
    match event:
        case ev.OutcomeJudged(outcome):
            return (*pushes, _judged(before, outcome))
        case ev.VerdictCorrected(outcome) if pushes:
            return (*pushes[:-1], replace(pushes[-1], outcome=outcome))
        case _:
            return pushes[: len(after.history)]


def _judged(table: _AtTable, outcome: Result) -> JudgedPush:
    game, attempt, seen = table.game, table.attempt, table.seen
    row = table.row if game.end is not End.RIGHT else table.row[::-1]
    died = seen.between[0] if seen and seen.between else None
    tile = next((tile for tile in row if tile.value == died), None)
    tall_mm = None
    if tile is not None and attempt is not None:
        tall_mm = attempt.tile.height_mm(Orientation(tile.orientation))
    wrong_end = (attempt is not None and attempt.cause is Cause.WRONG_END) or (
        game.accident is not None and game.accident.kind is Mishap.WRONG_END
    )
    return JudgedPush(
        round=game.round,
        ballots=dict(game.ballots),
        forced=game.forced,
        placer=game.placer,
        caller=game.caller,
        outcome=outcome,
        p_fall=None if wrong_end or table.forecast is None else table.forecast.p_fall,
        row=tuple(row),
        seen=seen,
        tall_mm=tall_mm,
    )


def awards(pushes: Sequence[JudgedPush], seats: Sequence[str]) -> tuple[Award, ...]:
    """The awards that were earned, in the order they are shown.

    Args:
        pushes: of the whole game.
        seats: those still in it; nobody else earns one.
    """
    found = (
        _best_eye(pushes, seats),
        _best_bluff(pushes, seats),
        _closest_call(pushes),
        _against_the_odds(pushes),
    )
    return tuple(award for award in found if award is not None)


def _best_eye(pushes: Sequence[JudgedPush], seats: Sequence[str]) -> Award | None:
    """Whose free ballots have the Brier score that is farthest below the model's."""
    below: dict[str, float] = {}
    for seat in seats:
        gains = [
            (push.p_fall - push.fell) ** 2 - ((push.ballots[seat] is Side.SUCCESS) - push.fell) ** 2
            for push in pushes
            if push.p_fall is not None and seat in push.ballots and seat not in push.forced
        ]
        if len(gains) >= FEWEST_PUSHES:
            below[seat] = sum(gains) / len(gains)
    most = max(below.values(), default=0.0)
    if most <= _SAME:
        return None
    best = tuple(seat for seat, margin in below.items() if margin > most - _SAME)
    return Award("eye", best, margin=round(most, 4))


def _best_bluff(pushes: Sequence[JudgedPush], seats: Sequence[str]) -> Award | None:
    """Whose doubted row fell at the lowest chance, if that left a doubt."""
    fell = [
        push
        for push in pushes
        if push.fell and push.placer in seats and Side.FAILURE in push.ballots.values()
    ]
    best = _least(fell, lambda push: push.p_fall)
    if not best or (best[0].p_fall or 0.0) > 1 - DOUBT:
        return None
    placers = tuple(seat for seat in seats if seat in {push.placer for push in best})
    return Award("bluff", placers, _rounds(best), p_fall=_shown(best[0].p_fall))


def _closest_call(pushes: Sequence[JudgedPush]) -> Award | None:
    """The wave that fell short by the fewest mm; without one, the chance nearest to one half.

    A chance that left no doubt counts as none.
    """
    kind = min((push.near[0] for push in pushes if push.near), default=0)
    of_kind = [push for push in pushes if push.near and push.near[0] == kind]
    best = _least(of_kind, lambda push: push.near[1] if push.near else None)
    if not best:
        return None
    if kind == 1 and best[0].near and best[0].near[1] > EVEN - DOUBT:
        return None
    if kind == 1:
        return Award("close", (), _rounds(best), p_fall=_shown(best[0].p_fall))
    look = best[0].look
    between = look.between if look is not None and len(best) == 1 else None
    return Award("close", (), _rounds(best), short_mm=best[0].short_mm, between=between)


def _against_the_odds(pushes: Sequence[JudgedPush]) -> Award | None:
    """The row that stood at the highest chance to fall, if falling was likelier than not."""
    likely = [p for p in pushes if not p.fell and p.p_fall is not None and p.p_fall > EVEN]
    best = _least(likely, lambda push: None if push.p_fall is None else -push.p_fall)
    return Award("odds", (), _rounds(best), p_fall=_shown(best[0].p_fall)) if best else None


def _least(
    pushes: Iterable[JudgedPush], of: Callable[[JudgedPush], float | None]
) -> list[JudgedPush]:
    """All that share the least figure; those without one are left out."""
    known = [(figure, push) for push in pushes if (figure := of(push)) is not None]
    least = min((figure for figure, _ in known), default=0.0)
    return [push for figure, push in known if figure < least + _SAME]


def _shown(p_fall: float | None) -> float | None:
    return None if p_fall is None else round(p_fall, 3)


def _rounds(pushes: Iterable[JudgedPush]) -> tuple[int, ...]:
    return tuple(push.round for push in pushes)


def ending(pushes: Sequence[JudgedPush], seats: Sequence[str]) -> dict[str, Any]:
    """What the last screen tells beside the ranking, JSON-ready.

    Returns:
        `falls`: every push as a picture needs it; `awards`; `figures`: those of each seat in this
        game, as the statistics have them of all games.
    """
    looks = tuple(look for push in pushes for look in _looks(push))
    return {
        "falls": [_fall(push) for push in pushes],
        "awards": to_plain(awards(pushes, seats)),
        "figures": {
            each.name: to_plain(each)
            for each in figures([Played(1.0, chips=dict.fromkeys(seats, 0), looks=looks)])
            if each.name in seats
        },
    }


def _looks(push: JudgedPush) -> list[VoteRecord]:
    return [
        VoteRecord(
            name=seat,
            success=side is Side.SUCCESS,
            free=seat not in push.forced,
            placer=seat == push.placer,
            caller=seat == push.caller,
            p_fall=push.p_fall,
            fell=push.fell,
        )
        for seat, side in push.ballots.items()
    ]


def _fall(push: JudgedPush) -> dict[str, Any]:
    look = push.look
    return {
        "round": push.round,
        "outcome": push.outcome.value,
        "row": [{"value": tile.value, "orientation": tile.orientation} for tile in push.row],
        "up": list(look.up) if look else [],
        "between": list(look.between) if look and look.between else None,
        "gap_mm": look.gap_mm if look else None,
        "short_mm": push.short_mm,
        "p_fall": _shown(push.p_fall),
    }
