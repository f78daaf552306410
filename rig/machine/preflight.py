"""What people should know of the devices before the game starts, in whole sentences.

A device that does not answer is no reason not to play: people take its place until it does.
"""

import math
import re
import threading

from physics.predict.extrapolation import outside, traits
from physics.predict.hazard import usual
from physics.row.chain import Chain
from physics.row.pose import Pose
from physics.row.push import PEAK, Friction, Push
from physics.row.spread import Spread
from physics.row.tile import Orientation, Tile, TileSpec
from rig.config import NO_PUSHER, PusherConfig
from rig.machine.loop import Machine
from rig.pusher.port import LinkState
from rig.pusher.servo import ServoArm, stroke
from vision.capture.camera import NoFrame
from vision.errors import VisionError

PATIENCE_S = 4.0
"""A board starts anew when its port is opened, and greets after some two seconds."""
_LOOK_S = 0.05
REMEMBERS = "1.1"
"""The first version of the pusher's program that keeps in mind a push that was cut short."""

REHEARSAL = (
    "This is a rehearsal: the pusher is a pretend one, it goes through its states and no tile "
    "moves by it."
)
PHOTOS = (
    "No camera hangs over the table: phones are asked for photos of the row, on the printed mat "
    "and with the printed marks on the tiles."
)
STAGED = "The row is a virtual one: it falls as soon as the real pusher has made its stroke."


def notes(machine: Machine, patience_s: float = PATIENCE_S) -> list[str]:
    """Look once whether the devices answer, and say what is to be known of them."""
    devices, told = machine.devices, []
    trouble = _camera_trouble(machine)
    if trouble:
        told.append(f"{_sentence(trouble)} Rows are entered on the phones until it answers.")
    if devices.photographs:
        told.append(PHOTOS)
    line = _line(machine, patience_s)
    if line is not None and not line.answers:
        told.append(f"{_sentence(f'pusher: {line.trouble}')} A finger pushes until it answers.")
    elif line is not None:
        told += old_program(line.firmware)
    if devices.pusher == "virtual" and devices.camera in ("opencv", "folder"):
        told.append(REHEARSAL)
    if devices.pusher == "serial" and devices.camera == "virtual":
        told.append(STAGED)
    if devices.pusher != NO_PUSHER:
        config = machine.session.config
        told += stroke_warnings(config.pusher, config.tiles)
    return told


def old_program(firmware: str) -> tuple[str, ...]:
    """What to do about a board whose program is older than what safety rests on; "": not known."""
    if not firmware or _numbers(firmware) >= _numbers(REMEMBERS):
        return ()
    return (
        f"The pusher's program is {firmware}: after a push that was cut short it forgets "
        "that the arm may be out. Put the new one on: domino-rig pusher flash.",
    )


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in re.findall(r"\d+", version))


def _camera_trouble(machine: Machine) -> str:
    """Why the real camera gives no picture; "" if it does, or there is none."""
    if machine.devices.camera != "opencv":
        return ""
    try:
        machine.rig.camera.read()
    except NoFrame as error:
        return str(error)
    except VisionError:
        return ""  # it is there; what is wrong with its picture is said on the screens
    return ""


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


def _sentence(words: str) -> str:
    """With a capital and a full stop."""
    return f"{words[:1].upper()}{words[1:].rstrip('.')}."


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
    found = traits(chain, push, Friction(), Spread())
    return {name: value for name, value in found.items() if name.startswith(_OF_STROKE)}


def _row(spec: TileSpec, how: Orientation) -> Chain:
    pitch_mm = PITCH * spec.thickness_mm
    return Chain(tuple(Tile(n, Pose(pitch_mm * n, 0.0, 0.0), how, spec=spec) for n in range(_ROW)))
