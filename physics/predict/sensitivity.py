"""How much the chance of a row depends on the frictions and on the push."""

from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from physics.fall.trials import Trials, let_fall
from physics.predict.hazard import Hazard

FACTORS: Final = (0.7, 0.85, 1.0, 1.15, 1.3)
_CHANGED: Final = {
    "friction.tile_tile": "tile_tile",
    "friction.tile_table": "tile_table",
    "push.speed": "speed_mm_s",
}


@dataclass(frozen=True, slots=True)
class Sensitivity:
    """How a row's chance changes when one quantity differs from the assumed one.

    Attributes:
        name: the quantity: "friction.tile_tile", "friction.tile_table" or "push.speed".
        factors: what it was multiplied by.
        p_fall: the chance that every tile falls, for each factor.
    """

    name: str
    factors: tuple[float, ...]
    p_fall: tuple[float, ...]

    @property
    def per_tenth(self) -> float:
        """How much p_fall changes for +10 %, by least squares.

        >>> round(Sensitivity("push.speed", (0.8, 1.0, 1.2), (0.3, 0.5, 0.7)).per_tenth, 6)
        0.1
        """
        away = np.array(self.factors) - np.mean(self.factors)
        return float(0.1 * (away @ np.array(self.p_fall)) / (away @ away))


def sensitivities(trials: Trials, hazard: Hazard, p_fall: float) -> tuple[Sensitivity, ...]:
    """Let the same copies of a row fall again, with one quantity changed at a time.

    The noise of the copies stays the same, so that differences come from the change alone.

    Args:
        trials: the copies.
        hazard: the fitted correction.
        p_fall: the chance of these copies as they are.
    """

    def chance(name: str, factor: float) -> float:
        if factor == 1.0:
            return p_fall
        changed = replace(trials, **{name: factor * getattr(trials, name)})
        return float(hazard.chances(changed, let_fall(changed)).prod(axis=1).mean())

    return tuple(
        Sensitivity(name, FACTORS, tuple(chance(field, factor) for factor in FACTORS))
        for name, field in _CHANGED.items()
    )
