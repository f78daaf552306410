"""Puts a rig together as the settings ask for: today the virtual one, part by part replaceable."""

import numpy as np

from physics.push import Push
from physics.tile import TileSet
from rig.clock import Clock
from rig.config import Config
from rig.machine import Machine, Rig
from rig.session import Session
from rig.virtual import VirtualTable
from rig.virtual_pusher import VirtualPusher
from rig.world import open_world
from vision.calibration import load_mat
from vision.camera import VirtualCamera
from vision.render import default_view
from vision.scene import Scene
from vision.sight import Eye
from vision.track import Tracker


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
        ConfigError: the settings ask for a world that is not installed.
    """
    hands, hidden, tokens = (np.random.default_rng(s) for s in seeds.spawn(3))
    world = open_world(config.virtual.world, hidden)
    table = VirtualTable(world, clock, hands, TileSet(), config.camera.table)
    intrinsics, pose = default_view()
    camera = VirtualCamera(table.scene, intrinsics, pose, clock.monotonic_s)

    def touched(push: Push) -> None:
        """The tip meets the tile behind which the pusher stands: that of the push asked for."""
        if session.table.attempt is not None:
            table.fall(push, session.table.attempt.value)

    pusher = VirtualPusher(clock, tokens, on_stroke=touched)
    eye = Eye(intrinsics, load_mat(), TileSet())
    # What the bare table looks like: a set-up step at a real table, a glance here.
    bare = VirtualCamera(
        lambda: Scene(table=config.camera.table), intrinsics, pose, clock.monotonic_s
    )
    eye.look(bare.read())
    return Machine(session, Rig(camera, eye, Tracker(), pusher, table))
