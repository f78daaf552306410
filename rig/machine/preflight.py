"""What people should know of the devices before the game starts.

A device that does not answer is no reason not to play: people take its place until it does.
"""

import math
import threading
from collections.abc import Iterator
from decimal import Decimal
from typing import Final

from physics.predict.extrapolation import outside, traits
from physics.predict.hazard import usual
from physics.row.chain import Chain
from physics.row.pose import Pose
from physics.row.push import PEAK, Friction, Push
from physics.row.spread import Spread
from physics.row.tile import Orientation, Tile, TileSpec
from rig.config import NO_PUSHER, PusherConfig
from rig.errors import KeyedError
from rig.games.phrase import Fact, Phrase
from rig.machine.loop import Machine
from rig.pusher.port import LinkState
from rig.pusher.protocol import remembers
from rig.pusher.servo import ServoArm, stroke
from rig.session.devices import CAMERA
from vision.capture.camera import NoFrame
from vision.errors import VisionError

PATIENCE_S = 4.0
"""A board starts anew when its port is opened, and greets after some two seconds."""
_LOOK_S = 0.05

REHEARSAL = Phrase("note.rehearsal")
"""The pusher is a pretend one, and no tile moves by it."""
PHOTOS = Phrase("note.photos")
"""No camera hangs over the table: phones photograph the row."""
UNCOLLECTED = Phrase("note.uncollected")
"""Frames are to be collected, but there is no camera over the table to take any."""
STAGED = Phrase("note.staged")
"""The row is a virtual one, and the pusher is real."""


def notes(machine: Machine, patience_s: float = PATIENCE_S) -> list[Phrase]:
    """Look once whether the devices answer, and give what is to be known of them."""
    devices, told = machine.devices, list[Phrase]()
    trouble = _camera_trouble(machine)
    if trouble is not None:
        told.append(Phrase("note.camera", {"why": trouble}))
    if devices.photographs:
        told.append(PHOTOS)
    if machine.session.config.camera.collect and not devices.has(CAMERA):
        told.append(UNCOLLECTED)
    line = _line(machine, patience_s)
    if line is not None and not line.answers:
        why = KeyedError(line.trouble, line.key or "pusher.trouble", **line.of)
        told.append(Phrase("note.pusher", {"why": why}))
    elif line is not None:
        told += old_program(line.firmware)
    if devices.pusher == "virtual" and devices.camera != "virtual":
        told.append(REHEARSAL)
    if devices.pusher == "serial" and devices.camera == "virtual":
        told.append(STAGED)
    if devices.pusher != NO_PUSHER:
        config = machine.session.config
        told += stroke_warnings(config.pusher, config.tiles)
    return told


def old_program(firmware: str) -> tuple[Phrase, ...]:
    """What to do about a board whose program is older than what safety rests on; "": not known."""
    if not firmware or remembers(firmware):
        return ()
    return (Phrase("note.old", {"firmware": firmware}),)


def _camera_trouble(machine: Machine) -> NoFrame | None:
    """Why the real camera gives no picture; None if it does, or there is none."""
    if machine.devices.camera != "opencv":
        return None
    try:
        machine.rig.camera.read()
    except NoFrame as error:
        return error
    except VisionError:
        return None  # it is there; what is wrong with its picture is said on the screens
    return None


def _line(machine: Machine, patience_s: float) -> LinkState | None:
    """How the line to the pusher is, once it answers or patience is at an end; None: no line."""
    pusher, clock = machine.rig.pusher, machine.session.clock
    named = bool(machine.session.config.pusher.port)
    end_s, never = clock.monotonic_s() + patience_s, threading.Event()
    while (line := pusher.link_state()) is not None and not line.answers:
        if clock.monotonic_s() >= end_s or (named and line.given_up):
            break
        clock.wait(never, _LOOK_S)
    return line


_OF_STROKE: Final = {
    "push.height_frac": "height",
    "push.speed/sqrt(g h)": "speed",
    "push.stroke/thickness": "stroke",
    "push.tip_radius/thickness": "tip",
    "push.touch_speed/speed": "touch",
    "push.hold*sqrt(g/h)": "hold",
    "width/length": "width",
    "thickness/length": "thickness",
}
"""The traits of a row that the settings decide, and the key of each one's note after `trait.`."""

_ROW = 3

PITCH = 3.0
"""Tiles of the row that is looked at stand so many thicknesses apart."""


def stroke_warnings(config: PusherConfig, spec: TileSpec) -> tuple[Phrase, ...]:
    """Tell what of the stroke cannot be reached, or is strange to the prediction.

    Args:
        config: the stroke of the settings.
        spec: the tile of the set.

    Returns:
        A note each: what it is, what was expected, and what to do; empty if all is well. What
        stands in the settings is told as it stands there, with a point in every language.
    """
    told = list(_of_arm(stroke(config, _row(spec, Orientation.VERTICAL))))
    for how, standing in ((Orientation.VERTICAL, "upright"), (Orientation.HORIZONTAL, "low")):
        chain = _row(spec, how)
        if config.tip_height_mm > 0.95 * chain.tiles[0].height_mm:
            height = Decimal(f"{chain.tiles[0].height_mm:g}")
            of: dict[str, Fact] = {"tip": f"{config.tip_height_mm:g}", "height": height}
            told.append(Phrase(f"note.high.{standing}", of))
        told += _strange(chain, stroke(config, chain), standing)
    return tuple(told)


def _strange(chain: Chain, push: Push, standing: str) -> Iterator[Phrase]:
    """The traits of a push that the prediction was not fitted on."""
    seen = usual().seen
    for name, value in traits(chain, push, Friction(), Spread()).items():
        if name in _OF_STROKE and outside({name: value}, {name: seen[name]}):
            low, high = seen[name]
            of = {
                "value": Decimal(f"{value:.3g}"),
                "low": Decimal(f"{low:.3g}"),
                "high": Decimal(f"{high:.3g}"),
            }
            trait = Phrase(f"note.trait.{_OF_STROKE[name]}")
            yield Phrase(f"note.strange.{standing}", {"trait": trait, **of})


def _of_arm(push: Push) -> tuple[Phrase, ...]:
    """What the arm cannot do; the firmware would refuse it at the push."""
    arm = ServoArm()
    if arm.stroke(push) is not None:
        return ()
    per_us_mm = math.radians(1.0 / arm.us_per_deg) * arm.length_mm
    longest_mm = arm.amp_max_us * per_us_mm
    path_mm = push.standoff_mm + push.stroke_mm
    slowest, fastest = (PEAK * path_mm * 1000 / ms for ms in (arm.t_max_ms, arm.t_min_ms))
    fastest = min(fastest, arm.vmax_us_s * per_us_mm)
    of: dict[str, Fact] = {
        "speed": f"{push.speed_mm_s:g}",
        "stroke": f"{push.stroke_mm:g}",
        "standoff": f"{push.standoff_mm:g}",
        "way": Decimal(f"{path_mm:g}"),
    }
    if path_mm > longest_mm:
        return (Phrase("note.stroke.long", {**of, "longest": f"{longest_mm:.0f}"}),)
    return (
        Phrase("note.stroke.speed", {**of, "slow": f"{slowest:.0f}", "fast": f"{fastest:.0f}"}),
    )


def _row(spec: TileSpec, how: Orientation) -> Chain:
    pitch_mm = PITCH * spec.thickness_mm
    return Chain(tuple(Tile(n, Pose(pitch_mm * n, 0.0, 0.0), how, spec=spec) for n in range(_ROW)))
