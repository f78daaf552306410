"""A game round by round, out of its events: ballots, pushes, what they came to. Pure."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from rig.games.estimation import events as ev
from rig.games.estimation.game import Game
from rig.games.estimation.table.awards import JudgedPush
from rig.games.estimation.table.estimation_table import EstimationTable, game_key
from rig.games.estimation.terms import CAMERA, End, Phase, Result, Side
from rig.games.registry import play_of
from rig.history.fold import steps
from rig.journal import Record
from rig.row.push_events import (
    FINGER,
    Cause,
    Forecast,
    OutcomeSeen,
    PushBegun,
    PushEnded,
    PushRequested,
    Seen,
    Standing,
)

_UNFAIR = (Cause.WRONG_END,)
"""What the rules made of such a push is not what the row did."""


@dataclass(slots=True)
class Remembered:
    """One push: how the row stood, the stroke it met, and what became of it.

    Attributes:
        id: names it in all files, and nobody else.
        kind: `arm` or `finger`.
        row: the tiles from the pushed end, as they stood before it.
        value: the tile that was pushed, None where nobody asked the table for the push.
        forecast: what the model thought of it.
        begun: the stroke it met, None if it never began or nobody kept it.
        step: how far it came, "" where people pushed without a word to the table.
        cause: why it ended like this.
        seen: what the camera made of it, None where it saw nothing.
        ms: how long it took for that, stage by stage.
        outcome: what was settled in the end, None if nothing was.
        by_people: people settled it otherwise than the camera saw it, or without one.
    """

    id: str
    kind: str
    row: tuple[Standing, ...]
    value: int | None = None
    forecast: Forecast | None = None
    begun: PushBegun | None = None
    step: str = ""
    cause: Cause = Cause.NONE
    seen: Seen | None = None
    ms: Mapping[str, float] = field(default_factory=dict)
    outcome: Result | None = None
    by_people: bool = False

    @property
    def fallen(self) -> tuple[bool, ...] | None:
        """What fell, tile by tile from the pushed end; None if nobody can say it of every tile."""
        if self.outcome is None or self.cause in _UNFAIR:
            return None
        if self.seen is not None and self.seen.outcome == self.outcome.value:
            return tuple(tile.value in self.seen.fallen for tile in self.row)
        return (True,) * len(self.row) if self.outcome is Result.FELL else None

    @property
    def learnable(self) -> bool:
        """Whether a prediction can be fitted on it."""
        return self.begun is not None and self.fallen is not None and len(self.row) > 1


@dataclass(slots=True)
class RoundStory:
    """One round, as far as it has come.

    Attributes:
        number: as it was dealt.
        shown: the table as the ballots were turned over.
        ballots: those that were shown last.
        shown_at_s: when that was, in seconds since 1970.
        pushes: those that were asked for or made, the last of which counts.
        outcome: what that did; None until it is settled, and once the round is void.
        judged: the same as the awards have it.
        chips: of every seat, once that is paid.
    """

    number: int
    shown: EstimationTable = field(default_factory=EstimationTable)
    ballots: Mapping[str, Side] = field(default_factory=dict)
    shown_at_s: float = 0.0
    pushes: list[Remembered] = field(default_factory=list)
    outcome: Result | None = None
    judged: JudgedPush | None = None
    chips: Mapping[str, int] = field(default_factory=dict)

    def settle(self, outcome: Result | None, by_people: bool) -> None:
        """Take what was settled, by the rules or by the host's word afterwards."""
        self.outcome = outcome
        if self.pushes:
            self.pushes[-1].outcome, self.pushes[-1].by_people = outcome, by_people


class Rounds:
    """The rounds of a game, or of all games of a table, event by event.

    Attributes:
        all: every round that was dealt, oldest first; one that is played anew stands twice.
    """

    def __init__(self) -> None:
        self.all: list[RoundStory] = []

    @property
    def scored(self) -> list[RoundStory]:
        """Those whose push was settled, and still counts."""
        return [each for each in self.all if each.outcome is not None]

    @property
    def pushes(self) -> list[Remembered]:
        """Every push, oldest first."""
        return [push for each in self.all for push in each.pushes]

    def take(
        self, before: EstimationTable, event: object, after: EstimationTable, at_s: float = 0.0
    ) -> None:
        """Read the next event, and when it was where that matters."""
        now = self.all[-1] if self.all else RoundStory(0)
        push = now.pushes[-1] if now.pushes else None
        match event:
            case ev.RoundDealt(number):
                self.all.append(RoundStory(number))
            case ev.BallotsRevealed(ballots):
                now.shown, now.ballots, now.shown_at_s = before, ballots, at_s
            case PushRequested(number, end, value, forecast, kind):
                row = _from_end(before.row, end)
                now.pushes.append(Remembered(_name(before, number), kind, row, value, forecast))
            case PushBegun() if push:
                push.begun, push.row = event, event.row
            case PushEnded(_, step, _, cause) if push:
                push.step, push.cause = step.value, cause
            case OutcomeSeen(seen, ms) if push:
                push.seen, push.ms = seen, ms
            case ev.OutcomeJudged(outcome):
                game = before.game
                if push is None and game.end is not None and before.row:
                    # Nobody asked the table for anything: a finger pushed the row as it was.
                    id_ = _name(before, len(self.pushes) + 1)
                    now.pushes.append(
                        Remembered(id_, FINGER, _from_end(before.row, game.end.value))
                    )
                now.settle(outcome, game.claim is None or game.claim.by != CAMERA)
                now.chips, now.judged = after.game.chips, after.judged[-1]
            case ev.VerdictCorrected(outcome) if self.scored:
                self.scored[-1].settle(outcome, True)
                self.scored[-1].judged = after.judged[-1]
            case ev.RoundVoided() if before.phase is Phase.ROUND_END:
                now.settle(None, False)
            case _:
                pass


def rounds_of(records: Iterable[Record]) -> Rounds:
    """The rounds of all games of a journal, given its events from the first on."""
    rounds = Rounds()
    for step in steps(records, play_of()):
        rounds.take(step.before, step.event, step.after)
    return rounds


def _from_end(row: Sequence[Standing], end: str) -> tuple[Standing, ...]:
    """The tiles of a row from the end that is pushed."""
    return tuple(row) if end == End.LEFT.value else tuple(reversed(row))


def _name(table: EstimationTable, number: int) -> str:
    """A name that says nothing of who plays, and is the same in every export."""
    return f"{game_key(table)}-{number}"


def round_lines(records: Iterable[Record]) -> list[dict[str, Any]]:
    """Tell every scored round of a journal's only game as one JSON-ready object.

    `ms` is the processor's wall time of each stage since the round before, in milliseconds.
    """
    return [_line(each) for each in rounds_of(records).scored]


def _line(told: RoundStory) -> dict[str, Any]:
    push = told.pushes[-1] if told.pushes else Remembered("", FINGER, ())
    return {
        "kind": "round",
        "round": told.number,
        "placer": told.shown.game.placer,
        "caller": told.shown.game.caller,
        "ballots": {seat: side.value for seat, side in told.ballots.items()},
        "push_value": push.value,
        "p_fall": round(push.forecast.p_fall, 3) if push.forecast else None,
        "outcome": told.outcome,
        "fallen": list(push.seen.fallen) if push.seen else [],
        "chips": dict(told.chips),
        "ms": dict(push.ms),
    }


def game_line(game: Game) -> dict[str, Any]:
    """Tell how the game ended as one JSON-ready object."""
    return {
        "kind": "game",
        "chips": dict(game.chips),
        "accident_chips": dict(game.accident_chips),
        "winners": list(game.winners),
        "rounds": len(game.history),
    }
