"""The arm of the pusher: from a stroke in millimetres to the pulses of its servo."""

import math
from dataclasses import dataclass

from physics.row.chain import Chain
from physics.row.push import PEAK, Path, Push
from rig.config import PusherConfig


@dataclass(frozen=True, slots=True)
class ServoArm:
    """The arm between servo and tile, and what its firmware allows.

    Attributes:
        length_mm: from the axis to the tip.
        us_per_deg: change of the servo's pulse for each degree.
        hold_ms: how long it stays out.
        amp_max_us, vmax_us_s, t_min_ms, t_max_ms: the limits that the firmware reports.
    """

    length_mm: float = 45.0
    us_per_deg: float = 10.0
    hold_ms: int = 150
    amp_max_us: int = 400
    vmax_us_s: int = 1500
    t_min_ms: int = 200
    t_max_ms: int = 5000

    def stroke(self, push: Push) -> "ServoStroke | None":
        """Turn a push into a stroke of the servo; None if the arm cannot do that.

        The tip travels the stand-off and the stroke along its arc; the push's speed is the peak
        speed, in the middle.

        >>> ServoArm().stroke(Push(speed_mm_s=55.0, stroke_mm=13.6, standoff_mm=10.0))
        ServoStroke(amp_us=300, t_out_ms=805, t_hold_ms=150, t_back_ms=805)
        """
        path_mm = push.standoff_mm + push.stroke_mm
        if not math.isfinite(path_mm) or not 0 < push.speed_mm_s < math.inf:
            return None
        amp_us = round(math.degrees(path_mm / self.length_mm) * self.us_per_deg)
        t_ms = PEAK * path_mm / push.speed_mm_s * 1000
        if not 1 <= amp_us <= self.amp_max_us or not self.t_min_ms <= t_ms <= self.t_max_ms:
            return None
        if PEAK * 1000 * amp_us > self.vmax_us_s * round(t_ms):
            return None
        return ServoStroke(amp_us, round(t_ms), self.hold_ms, round(t_ms))


@dataclass(frozen=True, slots=True)
class ServoStroke:
    """One stroke as the firmware takes it: amplitude in us of pulse, times in ms."""

    amp_us: int
    t_out_ms: int
    t_hold_ms: int
    t_back_ms: int


def stroke(config: PusherConfig, chain: Chain) -> Push:
    """The push that the arm makes on a row: its tip has one height, whichever tile it meets.

    The arm moves the tip out and back on its smooth path, and stops between.
    """
    return Push(
        height_frac=min(0.95, config.tip_height_mm / chain.tiles[0].height_mm),
        speed_mm_s=config.speed_mm_s,
        stroke_mm=config.stroke_mm,
        standoff_mm=config.standoff_mm,
        tip_radius_mm=config.tip_radius_mm,
        path=Path.SMOOTH,
        hold_s=ServoArm().hold_ms / 1000,
    )
