"""What goes wrong at the table of a soak, and how long it lasts.

Every fault is put in at a port: the cable, the lamp, the disk. The product has no switch for any.
"""

from dataclasses import dataclass, replace

from tests.soak.rig import kill
from vision.render.scene import USUAL_LAMP


@dataclass(frozen=True)
class Fault:
    """One thing that went wrong.

    Attributes:
        kind: one of `TURN_FAULTS`.
        lift: ends it; None for what has no end.
        until_s: when that happens, on the clock of the rig.
    """

    kind: str
    lift: object = None
    until_s: float = float("inf")


def strike(kind, rig, chance):
    """Let something go wrong now.

    Args:
        kind: what.
        rig: where.
        chance: a numpy generator.
    """
    lasting = _KINDS[kind](rig, chance)
    if lasting is None:
        return Fault(kind)
    lift, least_s, most_s = lasting
    return Fault(kind, lift, rig.clock.monotonic_s() + float(chance.uniform(least_s, most_s)))


def _setter(thing, name, value):
    return lambda: setattr(thing, name, value)


def _camera_out(rig, chance):
    rig.camera.gone = True
    return _setter(rig.camera, "gone", False), 0.5, 40.0


def _camera_lost(rig, chance):
    rig.camera.gone = True


def _pusher_lost(rig, chance):
    rig.pusher.unplug()


def _frames_dropped(rig, chance):
    rig.camera.dropped = float(chance.uniform(0.2, 0.8))
    return _setter(rig.camera, "dropped", 0.0), 3.0, 30.0


def _lamp(rig, chance):
    """The lamp is put elsewhere for good, or somebody leans into the light for a while."""
    if chance.random() < 0.5:
        x_mm, y_mm = chance.uniform(-300, 900), chance.uniform(300, 900)
        power = float(chance.uniform(0.7, 1.2))
        rig.camera.lamp = replace(USUAL_LAMP, x_mm=float(x_mm), y_mm=float(y_mm), power=power)
        return None
    rig.camera.light = float(chance.choice([0.05, 0.5, 0.7, 1.3, 1.6]))
    return _setter(rig.camera, "light", 1.0), 2.0, 30.0


def _mat(rig, chance):
    """The mat is pushed with all that stands on it, or pulled away under the row."""
    x_mm, y_mm = (float(n) for n in chance.uniform(-4.0, 4.0, 2))
    if chance.random() < 0.6:
        rig.camera.push_mat(x_mm, y_mm, float(chance.normal(0.0, 0.004)))
    else:
        rig.slide(x_mm, y_mm)


def _hand(rig, chance):
    x_mm, y_mm = (float(n) for n in chance.uniform((150, 120), (450, 300)))
    rig.camera.hand = (x_mm, y_mm)
    return _setter(rig.camera, "hand", None), 2.0, 40.0


def _knock(rig, chance):
    standing = [tile.value for tile in rig.world.truth()]
    if standing:
        rig.knock(standing[int(chance.integers(len(standing)))])


def _serial(rig, chance):
    rig.wires.spark(float(chance.choice([0.0005, 0.002, 0.005, 0.01, 0.02])))
    return (lambda: rig.wires.spark(0.0)), 2.0, 20.0


def _pusher_out(rig, chance):
    rig.pusher.unplug()
    return rig.pusher.plug, 0.3, 25.0


def _pusher_reset(rig, chance):
    rig.pusher.restart()


def _estop(rig, chance):
    rig.pusher.set_estop(True)


def _disk(rig, chance):
    rig.disk.full = True
    return _setter(rig.disk, "full", False), 0.5, 30.0


def _clock(rig, chance):
    rig.clock.wall_s += float(chance.choice([-86_400.0, -3_600.0, -7.0, 7.0, 3_600.0, 86_400.0]))


def _stop(rig, chance):
    """Anybody presses STOP on their phone."""
    family = rig.family
    device = family.devices[int(chance.integers(len(family.devices)))]
    family.send(device, {"type": "stop"})


def _kill(rig, chance):
    if chance.random() < 0.4:
        kill()
    rig.disk.kill_after = int(chance.integers(8))


_KINDS = {
    "camera out": _camera_out,
    "camera lost": _camera_lost,
    "frames dropped": _frames_dropped,
    "lamp": _lamp,
    "mat": _mat,
    "hand": _hand,
    "knock": _knock,
    "serial": _serial,
    "pusher out": _pusher_out,
    "pusher lost": _pusher_lost,
    "pusher reset": _pusher_reset,
    "estop": _estop,
    "stop": _stop,
    "disk": _disk,
    "clock": _clock,
    "kill": _kill,
}
LOST = frozenset({"camera lost", "pusher lost"})
"""What does not come back as long as the game lasts."""
TURN_FAULTS = tuple(_KINDS)
PUSH_FAULTS = tuple(kind for kind in _KINDS if kind not in ("mat", "knock"))
"""What can happen while the arm is out; a knock there is a push of its own."""
