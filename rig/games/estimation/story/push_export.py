"""Every push that journals remember, one line of data each, in the form that `learn` reads. Pure.

A line is a row of `physics/ROWS.md` as it really stood, with the stroke it met and what became of
it: food for later learning. Nobody's name, seat or ballot is in it.
"""

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from physics.row.push import Friction
from physics.row.tile import STANDARD
from rig.games.estimation import events as ev
from rig.games.estimation.table.estimation_play import apply, from_record
from rig.games.estimation.terms import CAMERA, End, Phase, Result
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
from rig.row.row_table import RowTable

_UNFAIR = (Cause.WRONG_END,)
"""What the rules made of such a push is not what the row did."""


@dataclass(frozen=True, slots=True)
class Remembered:
    """One push of a journal.

    Attributes:
        id: names it in all files, and nobody else.
        kind: `arm` or `finger`.
        row: the tiles from the pushed end, as they stood before it.
        forecast: what the model thought of it.
        begun: the stroke it met, None if it never began or nobody kept it.
        step: how far it came, "" where people pushed without a word to the table.
        cause: why it ended like this.
        seen: what the camera made of it, None where it saw nothing.
        outcome: what was settled in the end, None if nothing was.
        by_people: people settled it otherwise than the camera saw it, or without one.
    """

    id: str
    kind: str
    row: tuple[Standing, ...]
    forecast: Forecast | None = None
    begun: PushBegun | None = None
    step: str = ""
    cause: Cause = Cause.NONE
    seen: Seen | None = None
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


def remembered(records: Iterable[Record]) -> list[Remembered]:
    """Gather every push of a journal, oldest first.

    Args:
        records: its events from the first on.
    """
    table, told = RowTable(), _Told([])
    for record in records:
        event = from_record(record)
        told.hear(table, event)
        table = apply(table, event)
    return told.pushes


@dataclass(slots=True)
class _Told:
    """What has been heard so far; `open` while the last push is the one of this round."""

    pushes: list[Remembered]
    open: bool = False

    def hear(self, table: RowTable, event: Any) -> None:
        """Hear of one event, and of the table before it."""
        match event:
            case PushRequested(number, end, _, forecast, kind):
                row = from_end(table.row, end)
                self.pushes.append(Remembered(_name(table, number), kind, row, forecast))
                self.open = True
            case PushBegun():
                self._change(begun=event, row=event.row)
            case PushEnded(_, step, _, cause):
                self._change(step=step.value, cause=cause)
            case OutcomeSeen(seen):
                self._change(seen=seen)
            case ev.OutcomeJudged(outcome):
                self._judged(table, outcome)
            case ev.VerdictCorrected(outcome):
                self.open = bool(self.pushes)
                self._change(outcome=outcome, by_people=True)
                self.open = False
            case ev.RoundVoided() if table.phase is Phase.ROUND_END:
                self.open = bool(self.pushes)
                self._change(outcome=None)
                self.open = False
            case ev.RoundDealt():
                self.open = False
            case _:
                pass

    def _change(self, **changes: Any) -> None:
        if self.open:
            self.pushes[-1] = replace(self.pushes[-1], **changes)

    def _judged(self, table: RowTable, outcome: Result) -> None:
        game = table.game
        if not self.open and game.end is not None and table.row:
            # Nobody asked the table for anything: a finger pushed the row as it was entered.
            row = from_end(table.row, game.end.value)
            self.pushes.append(Remembered(_name(table, len(self.pushes) + 1), FINGER, row))
            self.open = True
        by_people = game.claim is None or game.claim.by != CAMERA
        self._change(outcome=outcome, by_people=by_people)


def from_end(row: Sequence[Standing], end: str) -> tuple[Standing, ...]:
    """The tiles of a row from the end that is pushed."""
    return tuple(row) if end == End.LEFT.value else tuple(reversed(row))


def _name(table: RowTable, number: int) -> str:
    """A name that says nothing of who plays, and is the same in every export."""
    game = hashlib.sha256(f"{table.game.id} {table.games}".encode()).hexdigest()[:10]
    return f"{game}-{number}"


def lines(pushes: Iterable[Remembered], every: bool = False) -> Iterator[dict[str, Any]]:
    """Write pushes as JSON-ready objects.

    Args:
        pushes: of any journals.
        every: also those that nothing can be learned from; `learn` refuses such lines.
    """
    return (_line(push) for push in pushes if every or push.learnable)


def _line(push: Remembered) -> dict[str, Any]:
    begun, seen, fallen = push.begun, push.seen, push.fallen
    line: dict[str, Any] = {
        "id": push.id,
        "kind": push.kind,
        "tile_set": asdict(begun.tile if begun is not None else STANDARD),
        "tiles": [_tile(tile) for tile in push.row],
    }
    if begun is not None:
        line["push"] = {**asdict(begun.stroke), "path": begun.stroke.path.value}
        line["friction"] = asdict(Friction())
    if fallen is not None and push.learnable:
        line["nominal_fall"] = [int(down) for down in fallen]
    up = None if fallen is None else next((i for i, down in enumerate(fallen) if not down), None)
    times = dict(seen.order) if seen is not None else {}
    return {
        **line,
        "prediction": asdict(push.forecast) if push.forecast is not None else None,
        "step": push.step,
        "cause": push.cause.value,
        "outcome": push.outcome.value if push.outcome is not None else None,
        "judged_by": None if push.outcome is None else "people" if push.by_people else "camera",
        "first_standing": None if up is None else push.row[up].value,
        "front_ms": [times.get(tile.value) for tile in push.row],
        "confidence": seen.confidence if seen is not None else None,
        "doubts": list(seen.doubts) if seen is not None else [],
    }


def _tile(tile: Standing) -> dict[str, Any]:
    return {
        "value": tile.value,
        "orientation": tile.orientation,
        "x_mm": tile.x_mm,
        "y_mm": tile.y_mm,
        "heading_deg": tile.heading_deg,
        "sigma_mm": tile.sigma_mm,
        "sigma_deg": tile.sigma_deg,
    }


def pictures(push: Remembered) -> dict[str, int]:
    """The numbers of a push's pictures in its journal, by `before` and `after`."""
    found = {
        "before": push.begun.picture if push.begun is not None else None,
        "after": push.seen.picture if push.seen is not None else None,
    }
    return {when: number for when, number in found.items() if number is not None}
