"""Seen before told: what a table shows of a push between its end and the moment people saw it."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from rig.config import Config
from rig.games.estimation.table.estimation_table import EstimationTable, RowPresent
from rig.games.estimation.terms import Phase
from rig.row import fall_shown, telling
from rig.row.fall_shown import Tip
from rig.row.push_events import FELL, LEFT
from rig.row.row_live import RowLive
from rig.row.telling import PHONES, Telling

_AFTER_PUSH = (Phase.TOPPLE, Phase.JUDGE)
"""The push has just been judged, by the camera or by nobody yet."""
_STAYS = (*_AFTER_PUSH, Phase.ROUND_END, Phase.GAME_OVER)
"""Steps in which the last push is still what there is to see."""


def falls_of(table: EstimationTable, outcome: str | None = None) -> tuple[Tip, ...]:
    """How the row of the last push falls on screens; `outcome` is what people settled."""
    seen, game = table.seen, table.game
    end = table.attempt.end if table.attempt else game.end.value if game.end else LEFT
    wave = game.row if end == LEFT else game.row[::-1]
    fallen: Sequence[int] = seen.fallen if seen else ()
    if (outcome or (seen.outcome if seen else None)) == FELL:
        fallen = wave
    return fall_shown.tips(wave, fallen, seen.order if seen else ())


def to_be_seen(
    before: EstimationTable, after: EstimationTable, live: RowLive, config: Config, now_s: float
) -> Telling | None:
    """The fall that has to be shown before anything is said of it, if this change brings one.

    Of real tiles people have seen it; where bots are alone there is nobody to show it to.
    """
    drawn = after.world is not None and config.virtual.show_fall
    known = after.seen is not None and before.seen is None and after.game.phase in _AFTER_PUSH
    people = any(not p.bot for p in after.players) or any(live.connected.values()) or live.screens
    if not (drawn and known and people and after.attempt):
        return live.telling if _still(after, live) else None
    shown = telling.begun(after.attempt.number, falls_of(after), live.screens, now_s)
    return None if shown is None else replace(shown, before=before)


def _still(table: EstimationTable, live: RowLive) -> bool:
    """Whether the push that is being shown is still the last one."""
    shown, attempt = live.telling, table.attempt
    same = shown is not None and attempt is not None and attempt.number == shown.number
    return same and table.game.phase in _STAYS


def as_told(table: EstimationTable, live: RowLive) -> EstimationTable:
    """The table as people may know it: game and row as they were before the push was judged."""
    shown = live.telling
    if shown is None or not shown.waits or not isinstance(shown.before, EstimationTable):
        return table
    before = shown.before
    return replace(
        table,
        game=before.game,
        step=before.step,
        row=before.row,
        latest=before.latest,
        attempt=before.attempt,
        seen=None,
    )


def fall_view(session: RowPresent, role: str) -> dict[str, Any] | None:
    """What there is to show now; phones know no more of it than that, unless they show it."""
    live = session.live
    shown = live.telling
    if shown is None or not shown.waits:
        return None
    told: dict[str, Any] = {"number": shown.number, "on": shown.on}
    if role != "table" and shown.on != PHONES:
        return told
    began_s = shown.began_s
    from_s = None if began_s is None else live.since_epoch_s + began_s - live.since_s
    return {
        **told,
        "from_ms": None if from_s is None else round(from_s * 1000),
        "once_ms": fall_shown.once_ms(shown.falls),
        "tips": tips_view(shown.falls),
    }


def tips_view(falls: Sequence[Tip]) -> list[list[int]]:
    """The falls of a row as screens draw them: value, start, length, degrees."""
    return [[tip.value, tip.start_ms, tip.length_ms, tip.rest_deg] for tip in falls]


def evidence_s(live: RowLive) -> float | None:
    """When the evidence is up, on the clock's monotonic time; None if nothing was held back."""
    shown = live.telling
    return None if shown is None else shown.evidence_s
