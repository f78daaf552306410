"""What the model thinks of the row before a push, for the reveal's aftermath and the journal."""

import numpy as np

from physics.errors import PhysicsError
from physics.predict.predict import Spread, predict
from physics.row.chain import Chain
from physics.row.push import Friction, Push
from rig.table import Forecast


def forecast(chain: Chain, push: Push, seed: int) -> Forecast | None:
    """Predict a row as it was read, pushed end first; None if the model cannot place it.

    The copies are drawn from the camera's own sigma of every tile.
    """
    rng = np.random.default_rng(seed)
    try:
        told = predict(chain, push, Friction(), Spread(), rng=rng)
    except PhysicsError:
        return None
    weakest = None
    if told.weakest is not None and None not in told.weakest:
        weakest = (told.weakest[0] or 0, told.weakest[1] or 0)
    return Forecast(told.p_fall, told.low, told.high, weakest)
