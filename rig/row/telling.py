"""Seen before told: when people may be told what came of a push they have only seen drawn. Pure.

On a virtual table nobody sees a row fall until a screen draws it. The table screen does, if one is
visible: it reports when its first run of the fall begins and ends, and the words follow. Where none
is visible, or it falls silent, the phones draw the fall by the server's clock. Nothing a screen
reports can bring the words forward, or hold them back for longer than `LONGEST_S`.
"""

from collections.abc import Collection
from dataclasses import dataclass, replace

from rig.row.fall_shown import LONGEST_MS, Tip, again_ms, once_ms
from rig.row.row_table import RowTable

TABLE = "table"
PHONES = "phones"
BEGAN = "began"
ENDED = "ended"
SILENT_S = 1.0
"""A table screen that says nothing for so long after its moment is taken for asleep."""
LEAD_S = 0.3
"""From the decision that phones draw the fall to its beginning: all of them have it by then."""
LONGEST_S = 2 * (SILENT_S + LONGEST_MS / 1000) + LEAD_S
"""Nobody waits longer for the words: a screen that never ends, then the phones' own run."""


@dataclass(frozen=True, slots=True)
class Telling:
    """A fall that is to be seen before anything is said of it.

    Times are those of the clock's monotonic time.

    Attributes:
        number: of the push.
        falls: what there is to see.
        on: who shows it, `TABLE` or `PHONES`.
        since_s: when it was decided that they do.
        by: the table screen that shows it, "" while none has begun.
        began_s: when its first run began, on the phones when it begins; None while unknown.
        ended_s: when the table screen said that it was over.
        told_s: from then on people may be told; None while they wait.
        before: the table that people know until then.
    """

    number: int
    falls: tuple[Tip, ...]
    on: str
    since_s: float
    by: str = ""
    began_s: float | None = None
    ended_s: float | None = None
    told_s: float | None = None
    before: RowTable | None = None

    @property
    def waits(self) -> bool:
        """Whether nothing may be told yet."""
        return self.told_s is None

    @property
    def once_s(self) -> float:
        """How long the first run is."""
        return once_ms(self.falls) / 1000

    @property
    def evidence_s(self) -> float | None:
        """When the evidence is up everywhere: on the table after its second, slower run."""
        if self.told_s is None or self.on == PHONES:
            return self.told_s
        return self.told_s + again_ms(self.falls) / 1000


def begun(
    number: int, falls: tuple[Tip, ...], screens: Collection[str], now_s: float
) -> Telling | None:
    """Say who shows a fall that has just become known; None if there is nothing to be seen."""
    if not falls:
        return None
    telling = Telling(number, falls, TABLE, now_s)
    return telling if screens else _on_phones(telling, now_s)


def reported(telling: Telling, screen: str, number: int, what: str, now_s: float) -> Telling:
    """Hear that a table screen has begun or ended its first run.

    The first one that begins is the one that counts. A screen that says it is done too soon is
    not believed: the words wait for as long as the run takes.
    """
    telling = passed(telling, now_s)
    if not telling.waits or telling.on != TABLE or number != telling.number:
        return telling
    if what == BEGAN and telling.began_s is None:
        return replace(telling, by=screen, began_s=now_s)
    if what == ENDED and screen == telling.by and telling.ended_s is None:
        return passed(replace(telling, ended_s=now_s), now_s)
    return telling


def seen_by(telling: Telling, screens: Collection[str], now_s: float) -> Telling:
    """Hear which table screens are visible now: if the one that shows it is not, the phones do."""
    telling = passed(telling, now_s)
    if not telling.waits or telling.on != TABLE or telling.ended_s is not None:
        return telling
    left = telling.by not in screens if telling.by else not screens
    return _on_phones(telling, now_s) if left else telling


def passed(telling: Telling, now_s: float) -> Telling:
    """Give what has become of it by now."""
    due_s = next_s(telling)
    if due_s is None or now_s < due_s:
        return telling
    if telling.on == PHONES or telling.ended_s is not None:
        return replace(telling, told_s=now_s)
    return _on_phones(telling, now_s)


def next_s(telling: Telling) -> float | None:
    """When something becomes of it by itself, None once all is told."""
    if not telling.waits:
        return None
    if telling.began_s is None:
        return telling.since_s + SILENT_S
    over_s = telling.began_s + telling.once_s
    if telling.on == PHONES:
        return over_s
    return over_s + SILENT_S if telling.ended_s is None else max(over_s, telling.ended_s)


def _on_phones(telling: Telling, now_s: float) -> Telling:
    """The phones show it from their first tile on, whatever the table screen has shown of it."""
    return replace(telling, on=PHONES, since_s=now_s, by="", began_s=now_s + LEAD_S, ended_s=None)
