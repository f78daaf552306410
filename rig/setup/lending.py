"""Who has the devices: the table's machine, or the bench for as long as somebody sets them up.

A serial port and a camera belong to one at a time. The bench gets them while no game is under way,
or while it is paused; it gives them back as soon as the game goes on, and the machine then opens
what the settings name by that time.
"""

import logging
from collections.abc import Callable
from dataclasses import replace
from typing import Protocol

from physics.row.tile import TileSpec
from rig.config import NO_CAMERA, UNHUNG, CameraConfig, Config, PusherConfig
from rig.errors import RigError
from rig.games.interface import REFEREE
from rig.machine.loop import Machine
from rig.row.row_session import RowSession
from rig.session.events import Paused
from rig.setup.reasons import SetupReason, why
from vision.capture.camera import Frame
from vision.errors import VisionError

log = logging.getLogger(__name__)

Opener = Callable[[Config], Machine]


class Lending(Protocol):
    """What the bench asks of the table whose devices it wants."""

    @property
    def playing(self) -> bool:
        """Whether a game is under way that is not paused."""

    @property
    def paused(self) -> bool:
        """Whether a game waits."""

    def pause(self, on: bool) -> None:
        """Have the game wait, or go on."""

    def frame(self) -> Frame | None:
        """The last picture that the table's machine has looked at."""

    def lend(self) -> None:
        """Have the machine let go of its devices, if it has not yet."""

    def take_back(self, config: Config) -> SetupReason | None:
        """Have the machine open the devices again, if it had let go or they are others now.

        Returns:
            What went wrong; None if nothing did.
        """


def opened(config: Config, opener: Opener) -> tuple[Machine, RigError | VisionError | None]:
    """Open the machine of settings; where its camera cannot be used yet, the table does without.

    Returns:
        The machine, not started, and what is wrong with the camera, None if nothing is.

    Raises:
        RigError: the devices cannot be opened without a camera either.
    """
    try:
        return opener(config), None
    except (RigError, VisionError) as error:
        if config.camera.kind in (*UNHUNG, "virtual"):
            raise
        log.info("the table does without its camera: %s", error)
        return opener(replace(config, camera=replace(config.camera, kind=NO_CAMERA))), error


def without_camera(error: RigError | VisionError) -> SetupReason:
    """Why the table does without its camera."""
    said = why(error, "refused.table")
    # Where only the lens is still to be found, nothing is wrong: that is what the step is for.
    return SetupReason("refused.table") if said.key == "refused.lens" else said


class TableDevices(Lending):
    """The devices of a table with a machine.

    Args:
        session: the table.
        opener: opens the machine on the devices of settings, not started yet.
        config: the settings whose devices it has now.
    """

    def __init__(self, session: RowSession, opener: Opener, config: Config) -> None:
        self._session = session
        self._opener = opener
        self._machine: Machine | None = None
        self._devices = _devices(config)
        self._lent = False

    @property
    def playing(self) -> bool:
        table = self._session.table
        under_way = not (table.in_lobby or table.is_over)
        return under_way and table.paused_by is None

    @property
    def paused(self) -> bool:
        return self._session.table.paused_by is not None

    def pause(self, on: bool) -> None:
        session = self._session
        with session.lock:
            if on is self.paused or (on and not self.playing):
                return
            session.let_go()
            if not on:
                session.after_commit(session.resumed)
            session.commit([Paused(REFEREE if on else None)], REFEREE)

    def open(self, config: Config) -> Machine:
        """Open the machine on the devices of settings, not started yet."""
        self._machine = self._opener(config)
        return self._machine

    def frame(self) -> Frame | None:
        return None if self._machine is None else self._machine.observer.last_frame

    def lend(self) -> None:
        if not self._lent and self._session.machine is not None:
            self._lent = True
            self._session.machine.close()

    def take_back(self, config: Config) -> SetupReason | None:
        if not self._lent and _devices(config) == self._devices:
            return None
        session = self._session
        if not self._lent and session.machine is not None:
            session.machine.close()
        self._lent, self._devices = False, _devices(config)
        camera, pusher, tiles = self._devices
        session.config = replace(session.config, camera=camera, pusher=pusher, tiles=tiles)
        try:
            machine, trouble = opened(session.config, self.open)
        except (RigError, VisionError) as error:
            return why(error, "refused.devices")
        machine.start()
        return None if trouble is None else without_camera(trouble)


def _devices(config: Config) -> tuple[CameraConfig, PusherConfig, TileSpec]:
    return (config.camera, config.pusher, config.tiles)
