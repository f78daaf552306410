"""Notices that a device has gone or come back, and writes down that the table goes on otherwise.

A device is lost once it has not answered for a while, and found once it has answered for a moment
without a break: a loose cable shall not change the way of play with every touch. Nothing here moves
anything; what is found again has to be read, or armed by hand, anew.
"""

from dataclasses import replace
from typing import TYPE_CHECKING

from rig.games.estimation.terms import REFEREE
from rig.pusher.port import Heartbeat, Pusher
from rig.session.devices import BOTH, CAMERA, PUSHER, Devices, DevicesChanged
from vision.capture.camera import Camera, NoFrame

if TYPE_CHECKING:
    from rig.machine.loop import Rig
    from rig.session.session import Session

STEADY_S = 1.0
"""A lost device that has answered for so long is there again."""


class Modes:
    """Keeps a session's `Devices` true.

    Args:
        session: the table.
    """

    def __init__(self, session: "Session") -> None:
        self._session = session
        self._other_s: dict[str, float | None] = dict.fromkeys(BOTH)

    def heard(self, device: str, answers: bool, why: str = "") -> None:
        """Hear that a device has answered just now, or has not, and in words why not."""
        session = self._session
        devices = session.table.devices
        if not devices.has(device):
            return
        lost, now_s = device in devices.lost, session.clock.monotonic_s()
        if answers is not lost:
            self._other_s[device] = None
            return
        since_s = self._other_s[device]
        if since_s is None:
            since_s = self._other_s[device] = now_s
        patience_s = STEADY_S if answers else session.config.timing.lost
        if now_s - since_s < patience_s:
            return
        with session.lock:
            after = session.table.devices.losing(device, not answers)
            session.commit([DevicesChanged(after, why)], REFEREE)
        self._other_s[device] = None

    def call(self, rig: "Rig", idle: bool) -> None:
        """Find out whether the devices answer, where nothing else would show it.

        Args:
            rig: the devices.
            idle: nobody looks for now.
        """
        devices = self._session.table.devices
        if devices.has(PUSHER):
            self._call_pusher(rig.pusher)
        if CAMERA in devices.lost or (idle and devices.sees):
            self._call_camera(rig.camera)

    def _call_camera(self, camera: Camera) -> None:
        if camera.is_opening():  # the game would wait for the first picture
            self.heard(CAMERA, answers=False, why="the camera is getting ready")
            return
        try:
            camera.read()
        except NoFrame as error:
            self.heard(CAMERA, answers=False, why=str(error))
        else:
            self.heard(CAMERA, answers=True)

    def _call_pusher(self, pusher: Pusher) -> None:
        line = pusher.connection()
        if line is not None:
            self.heard(PUSHER, line.answers, line.trouble)


class Switch:
    """Remembers whether the switch has been off since the pusher came back.

    Attributes:
        stale: it has not been seen off since; somebody has to look whether it is.
    """

    def __init__(self, stale: bool) -> None:
        self.stale = stale

    def turned(self, before: Devices, now: Devices) -> None:
        """Hear of a change of devices."""
        if before.pushes and not now.pushes:
            self.stale = True

    def seen(self, status: Heartbeat, pushes: bool) -> Heartbeat:
        """Give what a pusher says of itself, never ready before its switch was seen off."""
        if pushes and not status.switch_on:
            self.stale = False
        return replace(status, switch_cycled=False) if self.stale else status
