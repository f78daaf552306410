"""Every push that journals remember, one line of data each, in the form that `learn` reads. Pure.

A line is a row of `physics/ROWS.md` as it really stood, with the stroke it met and what became of
it: food for later learning. Nobody's name, seat or ballot is in it.
"""

from collections.abc import Iterable, Iterator
from dataclasses import asdict
from typing import Any

from physics.row.push import Friction
from physics.row.tile import STANDARD
from rig.games.estimation.story.rounds import Remembered, Rounds, rounds_of
from rig.games.registry import play_of
from rig.history.fold import FoldStep, cannot_follow, steps
from rig.history.gamefile import BadGameFile
from rig.history.restore import opening, revived
from rig.journal import Journal, Record
from rig.row.push_events import Standing
from rig.session.fingerprint import GameFile
from rig.session.playing import followed_by


def remembered(records: Iterable[Record]) -> list[Remembered]:
    """Every push of a journal, oldest first, given its events from the first on."""
    return rounds_of(records).pushes


def remembered_in(file: GameFile) -> list[Remembered]:
    """Every push of a game file, oldest first.

    Raises:
        BadGameFile: its events do not follow one another.
    """
    rounds, play = Rounds(), play_of(file.game)
    table: Any = opening(file)
    for each in file.events:
        event, before = revived(each.record, play), table
        try:
            play, table = followed_by(play, before, each.record, event)
            rounds.take(before, event, table)
        except Exception:  # a game's functions are not made for what cannot be
            raise BadGameFile(cannot_follow(each.record)) from None
    return rounds.pushes


class PushMemory:
    """The pushes of a journal that goes on; only what is new in it is read.

    Args:
        journal: of a table that may be open.
    """

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self._rounds = Rounds()
        self._last: FoldStep | None = None

    def lines(self) -> list[dict[str, Any]]:
        """Every push that something can be learned from, oldest first."""
        last = self._last
        since, play = (0, play_of()) if last is None else (last.record.v, last.play)
        table = None if last is None else last.after
        for step in steps(self._journal.events(since), play, table):
            self._rounds.take(step.before, step.event, step.after)
            self._last = step
        return list(lines(self._rounds.pushes))


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
