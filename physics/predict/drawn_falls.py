"""Single falls of a row, drawn as likely as the model thinks them: for eyes, not for figures."""

import numpy as np

from physics.fall.limits import require_push
from physics.fall.trials import disturb, let_fall
from physics.predict.hazard import usual
from physics.predict.learned_table import LearnedTable
from physics.row.outcome import Outcome
from physics.row.table_values import Values
from physics.rows.scenario import Scenario


def drawn_falls(
    row: Scenario, table: LearnedTable | None = None, *, rng: np.random.Generator, count: int
) -> tuple[Outcome, ...]:
    """Draw falls of a row; of many of them, such a share goes through as `predict_row` says.

    The side view tells when each tile began to topple, as far as the copy fell there. How far the
    wave goes is drawn from the fitted chances of that copy, joint by joint.

    Args:
        row: what stands there; its first tile is pushed.
        table: the one it stands on; None for one as anybody would expect it.
        rng: the only source of chance.
        count: how many falls.

    Raises:
        ChainError: the tiles cannot stand like this, are no row, or are not pushed along it.
    """
    what = (row.chain, row.push, row.friction, row.spread)
    require_push(*what)
    tables: list[Values] = []
    if table is not None:
        plain = Values(row.friction.tile_tile, row.friction.tile_table)
        each = rng.integers(len(table.draws), size=count)
        other = rng.random(count) < table.share
        tables = [
            table.draws[number] if here else plain for number, here in zip(each, other, strict=True)
        ]
    trials = disturb(*what, count, rng, tables)
    marks = let_fall(trials)
    chances = usual().chances(trials, marks)
    down = np.logical_and.accumulate(rng.random(chances.shape) < chances, axis=1)
    return tuple(
        Outcome(
            tuple(fallen),
            tuple(None if np.isnan(time_s) else time_s for time_s in times),
        )
        for fallen, times in zip(down.tolist(), marks.arrival_s.tolist(), strict=True)
    )
