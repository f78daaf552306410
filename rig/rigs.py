"""Puts a rig together as the settings ask for: every camera goes with every pusher."""

from collections.abc import Callable

import numpy as np

from physics.row.push import Push
from physics.row.tile import TileSet
from rig.absent import NoCamera, NoPusher
from rig.cameras import open_sights
from rig.clock import Clock
from rig.config import Config, PusherConfig
from rig.devices import NO_CAMERA, NO_PUSHER
from rig.machine import Machine, Rig
from rig.ports import Search, SerialLine, nonces
from rig.pusher import Pusher, Stroke
from rig.reading import row_rules
from rig.serial_pusher import SerialPusher
from rig.session import Session
from rig.virtual import VirtualTable
from rig.virtual_pusher import VirtualPusher
from rig.world import open_world
from vision.capture.camera import Camera
from vision.geometry.mat import load_mat
from vision.look.eye import Eye
from vision.look.track import Tracker
from vision.pusher_tag.tag import TAG, Tag
from vision.render.render import default_view
from vision.render.scene import Scene
from vision.render.virtual_camera import VirtualCamera

Touch = Callable[[Push], None]


class StagedPusher(SerialPusher):
    """A real pusher in front of a virtual row: that falls once the real stroke is reported.

    Attributes:
        touch: lets the tip meet the tile.
    """

    touch: Touch = staticmethod(lambda push: None)

    def push(self, token: int, push: Push) -> Stroke:
        stroke = super().push(token, push)
        if stroke.complete:
            self.touch(push)
        return stroke


def open_rig(
    session: Session, config: Config, clock: Clock, seeds: np.random.SeedSequence
) -> Machine:
    """Build the devices and the thread that runs them; nothing moves and nothing looks yet.

    Args:
        session: the table they serve.
        config: which devices.
        clock: their time.
        seeds: the hidden chance of the virtual table; nobody else may have it.

    Raises:
        ConfigError: the settings ask for a world that is not installed, or contradict each other.
        VisionError: the files of the camera cannot be used.
    """
    hands, hidden, tokens = (np.random.default_rng(s) for s in seeds.spawn(3))
    table: VirtualTable | None = None
    if config.camera.kind == "virtual":
        world = open_world(config.virtual.world, hidden)
        table = VirtualTable(world, clock, hands, TileSet(config.tiles), config.camera.table)

    def touch(push: Push) -> None:
        """The tip meets the tile behind which the pusher stands: that of the push asked for."""
        if table is not None and session.table.attempt is not None:
            table.fall(push, session.table.attempt.value)

    tag = _tag(config)
    camera, eye = _sight(config, clock, table, tag)
    tracker = Tracker(row_rules(session.game.options, config.tiles))
    pusher = _pusher(config.pusher, clock, tokens, touch)
    kinds = (config.camera.kind, config.pusher.kind)
    return Machine(session, Rig(camera, eye, tracker, pusher, table, *kinds, touch, tag))


def open_by_hand(session: Session) -> Machine:
    """A table without camera and pusher; its machine has nothing to do on a thread of its own."""
    rig = Rig(NoCamera(), None, Tracker(), NoPusher(), None, NO_CAMERA, NO_PUSHER)
    return Machine(session, rig)


def tag_of(config: PusherConfig) -> Tag:
    """The pusher's printed tag, where this pusher has it."""
    return Tag(
        height_mm=config.tag_height_mm,
        tip_forward_mm=config.tip_forward_mm,
        tip_left_mm=config.tip_left_mm,
    )


def _tag(config: Config) -> Tag | None:
    """The tag that the camera can see on the pusher, None where there is none."""
    if config.pusher.kind == "virtual":
        return TAG if config.camera.kind == "virtual" and config.virtual.tag else None
    real = config.camera.kind not in ("virtual", NO_CAMERA)
    return tag_of(config.pusher) if real and config.pusher.kind == "serial" else None


def _sight(
    config: Config, clock: Clock, table: VirtualTable | None, tag: Tag | None
) -> tuple[Camera, Eye | None]:
    """The camera of the settings and the eye behind it."""
    tiles = TileSet(config.tiles)
    if config.camera.kind == NO_CAMERA:
        return NoCamera(), None
    if table is None:
        sights = open_sights(config.camera, clock.monotonic_s)
        return sights.camera, Eye(sights.lens, sights.mat, tiles, tag=tag, hanging=True)
    intrinsics, pose = default_view()
    camera = VirtualCamera(table.scene, intrinsics, pose, clock.monotonic_s)
    eye = Eye(intrinsics, load_mat(), tiles, tag=tag, hanging=True)
    # What the bare table looks like: a set-up step at a real table, a glance here.
    bare = VirtualCamera(
        lambda: Scene(table=config.camera.table), intrinsics, pose, clock.monotonic_s
    )
    eye.look(bare.read())
    return camera, eye


def _pusher(
    config: PusherConfig, clock: Clock, tokens: np.random.Generator, touch: Touch
) -> Pusher:
    """The pusher of the settings; a real one need not be plugged in yet."""
    if config.kind == NO_PUSHER:
        return NoPusher()
    if config.kind == "virtual":
        return VirtualPusher(clock, tokens, on_stroke=touch)
    port = config.port
    pusher = StagedPusher(Search() if not port else lambda: SerialLine(port), clock, nonces())
    pusher.touch = touch
    pusher.link.start()
    return pusher
