"""What people should know of the devices before the game starts, in whole sentences.

A device that does not answer is no reason not to play: people take its place until it does.
"""

import re
import threading

from rig.devices import NO_PUSHER
from rig.machine import Machine
from rig.protocol import Device
from rig.reach import stroke_warnings
from rig.serial_pusher import SerialPusher
from rig.virtual_pusher import VirtualPusher
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
STAGED = "The row is a virtual one: it falls as soon as the real pusher has made its stroke."


def notes(machine: Machine, patience_s: float = PATIENCE_S) -> list[str]:
    """Look once whether the devices answer, and say what is to be known of them."""
    devices, told = machine.devices, []
    trouble = _camera_trouble(machine)
    if trouble:
        told.append(f"{_sentence(trouble)} Rows are entered on the phones until it answers.")
    trouble = _pusher_trouble(machine, patience_s)
    if trouble:
        told.append(f"{_sentence(trouble)} A finger pushes until it answers.")
    elif isinstance(machine.rig.pusher, SerialPusher):
        told += old_program(machine.rig.pusher.link.device)
    if devices.pusher == "virtual" and devices.camera in ("opencv", "folder"):
        told.append(REHEARSAL)
    if devices.pusher == "serial" and devices.camera == "virtual":
        told.append(STAGED)
    if devices.pusher != NO_PUSHER:
        config = machine.session.config
        told += stroke_warnings(config.pusher, config.tiles)
    return told


def old_program(device: Device | None) -> tuple[str, ...]:
    """What to do about a board whose program is older than what safety rests on."""
    if device is None or _numbers(device.firmware) >= _numbers(REMEMBERS):
        return ()
    return (
        f"The pusher's program is {device.firmware}: after a push that was cut short it forgets "
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


def _pusher_trouble(machine: Machine, patience_s: float) -> str:
    """Why the real pusher does not answer; "" if it does, or there is none."""
    pusher, clock = machine.rig.pusher, machine.session.clock
    if not isinstance(pusher, SerialPusher) or isinstance(pusher, VirtualPusher):
        return ""
    link, named = pusher.link, bool(machine.session.config.pusher.port)
    end_s, never = clock.monotonic_s() + patience_s, threading.Event()
    while link.device is None and clock.monotonic_s() < end_s and not (named and link.given_up):
        clock.wait(never, _LOOK_S)
    return "" if link.device is not None else f"pusher: {link.trouble}"


def _sentence(words: str) -> str:
    """With a capital and a full stop."""
    return f"{words[:1].upper()}{words[1:].rstrip('.')}."
