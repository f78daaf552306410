"""Commands of the set-up page ("wishes"): every one by its name, and how it is done.

Slow ones are queued for the workshop's thread, and the page sees the result later.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from rig.config import NO_PUSHER, UNHUNG
from rig.errors import RigError
from rig.pusher.port import StopAnswer
from rig.setup.errors import NotSo
from rig.setup.plan.facts import STEPS, Arm
from rig.setup.plan.steps import VIEWS
from rig.setup.plan.tile_size import checked
from rig.setup.reasons import SetupReason, why
from rig.setup.workshop import Workshop
from vision.errors import VisionError

RULER_MM = (90.0, 110.0)
TILE = ("length", "width", "thickness", "weight")

Wish = Mapping[str, Any]
Answer = dict[str, Any]


def fulfil(shop: Workshop, wish: Wish) -> Answer:
    """Do what the page asks for, or queue it.

    Args:
        shop: the workshop.
        wish: `do` names the command; the rest is its arguments.

    Returns:
        What the page needs to continue, mostly nothing.

    Raises:
        NotSo: it cannot be done now; has the key of the words.
    """
    name = wish.get("do")
    if name in ("stop", "release"):  # always, and before any lock
        return _stop(shop, str(name))
    asked = WISHES.get(name) if isinstance(name, str) else None
    if asked is None:
        raise NotSo("refused.unknown", "There is no such thing to do.")
    with shop.lock:
        shop.seen()
        if shop.busy and not asked.anytime:
            raise NotSo("refused.busy", "One thing after the other: wait a moment.")
        if not asked.anytime and shop.air is not None and shop.air.in_use:
            # The thread has to be there for the thumb that holds the arm.
            raise NotSo("air.moving", "The arm is moving; wait until it is home.")
        if asked.devices and shop.lending.playing:
            raise NotSo("refused.playing", "The devices belong to the game; pause it first.")
        if not asked.anytime:
            shop.said, shop.detail = None, ""
        try:
            return asked.handler(shop, wish) or {}
        except NotSo:
            raise
        except (RigError, VisionError) as error:
            said = why(error, "refused.error")
            refused = NotSo(said.key, str(error), **said.of)
            refused.detail = said.detail
            raise refused from error


def _stop(shop: Workshop, name: str) -> Answer:
    device = shop.row or shop.air
    if device is not None:
        if name == "release":
            device.release()
        elif (stopped := device.stop()) is not StopAnswer.ACKNOWLEDGED:
            shop.tell(SetupReason("air.unstopped"))
            return {"stopped": stopped.value}
    return {}


def _go(shop: Workshop, wish: Wish) -> None:
    step = wish.get("step")
    if step not in STEPS:
        raise NotSo("refused.unknown", "There is no such step.")
    shop.keep(at=str(step))
    if step != "mat":
        shop.watcher.hang()
    shop.open_devices()


def _ruler(shop: Workshop, wish: Wish) -> None:
    mm = _number(wish, "mm")
    if not RULER_MM[0] <= mm <= RULER_MM[1]:
        raise NotSo("print.range", f"{mm:g} mm: expected 90 to 110.")
    if mm != shop.kept.ruler_mm:  # the mat is as large as it was printed
        shop.keep(ruler_mm=mm, survey_mm=None)


def _use(shop: Workshop, wish: Wish) -> None:
    device, kind = wish.get("device"), wish.get("kind")
    if device == "camera" and kind in (*shop.kinds.eyes, *UNHUNG):
        shop.choose(camera={"kind": kind, "id": "", "mat": ""})
        shop.keep(camera="", lens_px=None, survey_mm=None, tag=False, row="")
        shop.use_eyes()
        if kind in UNHUNG and shop.config.pusher.kind == "virtual":
            # A pretend arm cannot push real tiles. It can still be chosen afterwards.
            _use_arm(shop, NO_PUSHER)
        shop.open_devices()
    elif device == "pusher" and kind in (*shop.kinds.arms, NO_PUSHER):
        _use_arm(shop, kind)
        shop.open_devices()
    else:
        raise NotSo("refused.unknown", "There is no such device.")


def _use_arm(shop: Workshop, kind: str) -> None:
    shop.choose(pusher={"kind": kind, "port": ""})
    shop.keep(port="", firmware="", tried=False, tag=False, row="")
    shop.arm, shop.ports = Arm(), None
    shop.line_up("air", shop.close_air)


def _cameras(shop: Workshop, wish: Wish) -> None:
    shop.line_up("cameras", shop.list_cameras)


def _camera(shop: Workshop, wish: Wish) -> None:
    id = wish.get("id")
    if not isinstance(id, str) or not 0 < len(id) < 200:
        raise NotSo("refused.unknown", "There is no such camera.")
    shop.line_up("camera", lambda: shop.take_camera(id))


def _accept(shop: Workshop, wish: Wish) -> None:
    picture = shop.watcher.picture
    if picture is None or picture.error_px is None:
        raise NotSo("refused.mat", "The mat is not found in the picture yet.")
    shop.keep(camera=shop.watcher.id)


def _tilt(shop: Workshop, wish: Wish) -> None:
    if shop.watcher.eyes is not None:
        shop.line_up("camera", shop.watcher.eyes.tilt)


def _take(shop: Workshop, wish: Wish) -> None:
    of = "survey" if shop.kept.at == "mat" else "lens"
    if of == "survey" and shop.watcher.lens is None:
        raise NotSo("refused.lens", "The lens comes first.")
    shop.line_up("take", lambda: shop.take(of))


def _survey(shop: Workshop, wish: Wish) -> None:
    if shop.watcher.lens is None:
        raise NotSo("refused.lens", "The lens comes first.")
    if not shop.watcher.views.enough:
        raise NotSo("refused.views", f"{VIEWS} pictures are needed.")
    shop.line_up("survey", shop.survey)


def _again(shop: Workshop, wish: Wish) -> None:
    shop.watcher.views.clear()
    if shop.kept.at == "mat":
        shop.keep(survey_mm=None)
        shop.watcher.survey = None
    else:
        shop.keep(lens_px=None)


def _tile(shop: Workshop, wish: Wish) -> None:
    length, width, thickness, weight = (_number(wish, name) for name in TILE)
    tile = (length, width, thickness, weight)
    checked(tile)
    names = ("length_mm", "width_mm", "thickness_mm", "mass_g")
    shop.choose(tiles=dict(zip(names, tile, strict=True)))
    shop.keep(tile=True)


def _ports(shop: Workshop, wish: Wish) -> None:
    shop.line_up("ports", shop.list_ports)


def _find(shop: Workshop, wish: Wish) -> None:
    port = wish.get("port", "")
    if not isinstance(port, str) or len(port) > 200:
        raise NotSo("refused.unknown", "There is no such port.")
    shop.line_up("pusher", lambda: shop.find(port))


def _switch(shop: Workshop, wish: Wish) -> None:
    on = wish.get("on") is True
    if shop.row is not None:
        shop.row.switch(on)
    elif shop.air is not None:
        shop.air.switch(on)


def _hold(shop: Workshop, wish: Wish) -> Answer:
    if shop.row is not None:
        return {"nonce": shop.row.hold()}
    return {"nonce": shop.need_air().hold()}


def _still(shop: Workshop, wish: Wish) -> None:
    if shop.air is not None:
        shop.air.still(str(wish.get("nonce")))


def _push(shop: Workshop, wish: Wish) -> None:
    if shop.row is not None:
        shop.row.push(str(wish.get("nonce")))


def _clear(shop: Workshop, wish: Wish) -> None:
    if shop.row is not None:
        shop.row.clear()
        return
    air = shop.need_air()
    air.switch(False)
    try:
        air.pusher.clear()
    except RigError as error:
        raise NotSo("air.clear", str(error)) from error


def _homed(shop: Workshop, wish: Wish) -> None:
    """A person has put the arm home by hand; nothing else comes to this."""
    if shop.row is not None:
        shop.row.homed()
        return
    air = shop.need_air()
    air.switch(False)
    try:
        air.pusher.homed()
    except RigError as error:
        raise NotSo("air.homed", str(error)) from error


def _row(shop: Workshop, wish: Wish) -> None:
    shop.line_up("row", shop.open_row)


def _stand(shop: Workshop, wish: Wish) -> None:
    if shop.row is not None:
        shop.row.stand()


def _touch(shop: Workshop, wish: Wish) -> None:
    if shop.row is not None:
        shop.row.touch()


def _end(shop: Workshop, wish: Wish) -> None:
    shop.line_up("row", shop.close_row)


def _pause(shop: Workshop, wish: Wish) -> None:
    shop.lending.pause(wish.get("on") is True)
    shop.open_devices()


@dataclass(frozen=True, slots=True)
class WishSpec:
    """How a wish is done, and when it is allowed.

    Attributes:
        handler: does it.
        devices: whether it needs the devices, or changes them.
        anytime: whether it is allowed while something else is under way.
    """

    handler: Callable[[Workshop, Wish], Answer | None]
    devices: bool = True
    anytime: bool = False


WISHES = {
    "go": WishSpec(_go, devices=False, anytime=True),
    "ruler": WishSpec(_ruler, devices=False),
    "use": WishSpec(_use),
    "cameras": WishSpec(_cameras),
    "camera": WishSpec(_camera),
    "accept": WishSpec(_accept),
    "tilt": WishSpec(_tilt),
    "take": WishSpec(_take),
    "survey": WishSpec(_survey),
    "again": WishSpec(_again),
    "tile": WishSpec(_tile),
    "ports": WishSpec(_ports),
    "find": WishSpec(_find),
    "switch": WishSpec(_switch, anytime=True),
    "hold": WishSpec(_hold, anytime=True),
    "still": WishSpec(_still, anytime=True),
    "push": WishSpec(_push, anytime=True),
    "clear": WishSpec(_clear),
    "homed": WishSpec(_homed),
    "row": WishSpec(_row),
    "stand": WishSpec(_stand),
    "touch": WishSpec(_touch, anytime=True),
    "end": WishSpec(_end, devices=False),
    "pause": WishSpec(_pause, devices=False, anytime=True),
}
"""STOP and letting go of a button are no wishes: they are done at once."""


def _number(wish: Wish, name: str) -> float:
    value = wish.get(name)
    if not isinstance(value, int | float) or isinstance(value, bool) or not abs(value) < 1e6:
        raise NotSo("refused.number", f"{name} has to be a number.")
    return float(value)
