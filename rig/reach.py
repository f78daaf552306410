"""Whether the stroke of the settings can be made, and is one that the prediction knows. Pure."""

import math

from physics.predict.extrapolation import outside, traits
from physics.predict.hazard import usual
from physics.row.chain import Chain
from physics.row.pose import Pose
from physics.row.push import PEAK, Friction, Push
from physics.row.tile import Orientation, Tile, TileSpec
from rig.config import PusherConfig
from rig.pusher import ServoArm
from rig.reading import stroke

_OF_STROKE = ("push.", "width/length", "thickness/length")
_ROW = 3
PITCH = 3.0
"""Tiles of the row that is looked at stand so many thicknesses apart."""


def stroke_warnings(config: PusherConfig, spec: TileSpec) -> tuple[str, ...]:
    """Say in words what of the stroke cannot be reached, or is strange to the prediction.

    Args:
        config: the stroke of the settings.
        spec: the tile of the set.

    Returns:
        A sentence each: what it is, what was expected, and what to do; empty if all is well.
    """
    told = list(_of_arm(stroke(config, _row(spec, Orientation.VERTICAL))))
    for how, standing in ((Orientation.VERTICAL, "upright"), (Orientation.HORIZONTAL, "low")):
        chain = _row(spec, how)
        if config.tip_height_mm > 0.95 * chain.tiles[0].height_mm:
            told.append(
                f"[pusher] tip_height_mm = {config.tip_height_mm:g}: a {standing} tile is "
                f"{chain.tiles[0].height_mm:g} mm high and is met just below its top; lower the tip"
            )
        strange = outside(_traits(chain, stroke(config, chain)), usual().seen)
        told += [
            f"[pusher]: {one} for {standing} tiles; the prediction is less sure of such pushes"
            for one in strange
        ]
    return tuple(dict.fromkeys(told))


def _of_arm(push: Push) -> tuple[str, ...]:
    """What the arm cannot do; the firmware would refuse it at the push."""
    arm = ServoArm()
    if arm.stroke(push) is not None:
        return ()
    per_us_mm = math.radians(1.0 / arm.us_per_deg) * arm.length_mm
    longest_mm = arm.amp_max_us * per_us_mm
    path_mm = push.standoff_mm + push.stroke_mm
    slowest, fastest = (PEAK * path_mm * 1000 / ms for ms in (arm.t_max_ms, arm.t_min_ms))
    fastest = min(fastest, arm.vmax_us_s * per_us_mm)
    does = f"it does {slowest:.0f} to {fastest:.0f} mm/s on it"
    if path_mm > longest_mm:
        does = f"no way is longer than {longest_mm:.0f} mm"
    return (
        f"[pusher] speed_mm_s = {push.speed_mm_s:g}, stroke_mm = {push.stroke_mm:g}, standoff_mm = "
        f"{push.standoff_mm:g}: the arm cannot make this stroke, a way of {path_mm:g} mm; {does}",
    )


def _traits(chain: Chain, push: Push) -> dict[str, float]:
    """The traits that the settings decide; the rest are the row's."""
    found = traits(chain, push, Friction())
    return {name: value for name, value in found.items() if name.startswith(_OF_STROKE)}


def _row(spec: TileSpec, how: Orientation) -> Chain:
    pitch_mm = PITCH * spec.thickness_mm
    return Chain(tuple(Tile(n, Pose(pitch_mm * n, 0.0, 0.0), how, spec=spec) for n in range(_ROW)))
