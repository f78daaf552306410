"""Single falls of a row, drawn as likely as the model thinks them: for eyes, not for figures."""

import numpy as np

from physics.fall.limits import require_push
from physics.fall.trials import disturb, let_fall
from physics.predict.hazard import Hazard, usual
from physics.row.chain import Chain
from physics.row.outcome import Outcome
from physics.row.push import Friction, Push
from physics.row.spread import Spread


def drawn_falls(
    chain: Chain,
    push: Push,
    friction: Friction,
    spread: Spread,
    *,
    rng: np.random.Generator,
    count: int,
    hazard: Hazard | None = None,
) -> tuple[Outcome, ...]:
    """Draw falls of a row; of many of them, such a share goes through as `predict` says.

    The side view tells when each tile began to topple, as far as the copy fell there. How far the
    wave goes is drawn from the fitted chances of that copy, joint by joint.

    Args:
        chain: the row; its first tile is pushed.
        push: how it is pushed.
        friction: between tiles and with the table.
        spread: how far the real row may be from this one.
        rng: the only source of chance.
        count: how many falls.
        hazard: the fitted correction; the one that comes with the package unless given.

    Raises:
        ChainError: the tiles cannot stand like this, are no row, or are not pushed along it.
    """
    require_push(chain, push, friction, spread)
    trials = disturb(chain, push, friction, spread, count, rng)
    marks = let_fall(trials)
    chances = (hazard or usual()).chances(trials, marks)
    down = np.logical_and.accumulate(rng.random(chances.shape) < chances, axis=1)
    return tuple(
        Outcome(
            tuple(fallen),
            tuple(None if np.isnan(time_s) else time_s for time_s in times),
        )
        for fallen, times in zip(down.tolist(), marks.arrival_s.tolist(), strict=True)
    )
