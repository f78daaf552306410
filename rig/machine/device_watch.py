"""The devices of a table, and whether they answer: one that is lost or found changes the play.

A device is lost once it has not answered for a while, and found once it has answered for a moment
without a break: a loose cable shall not change the way of play with every touch. Nothing here moves
anything; what is found again has to be read, or armed by hand, anew.
"""

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from physics.row.push import Push
from rig.films.kept_frames import KeptFrames
from rig.learned.known_table import KnownTable
from rig.pusher.port import Heartbeat, Pusher
from rig.row.row_session import RowSession
from rig.session.devices import BOTH, CAMERA, PUSHER, Devices
from rig.virtual.bench_camera import BenchCamera
from rig.virtual.table import VirtualTable
from vision.capture.camera import Camera, NoFrame
from vision.look.eye import Eye
from vision.look.track import Tracker
from vision.pusher_tag.tag import Tag

STEADY_S = 1.0
"""A lost device that has answered for so long is there again."""


@dataclass(slots=True)
class Rig:
    """The devices of one table; `build` has what stands where there is none.

    Attributes:
        camera: looks at the table.
        eye: finds what its frames show; None without a camera.
        tracker: follows it over time.
        pusher: topples the row.
        virtual: the pretend table that is pushed and seen, None where it is a real one.
        camera_kind: as in `[camera] kind`.
        pusher_kind: as in `[pusher] kind`.
        touch: lets something meet the tile that has to be pushed on the virtual table.
        tag: on the pusher, where the camera can see it.
        bench: the camera where it is none that could be touched; else None.
        known: what the model knows of the table.
        kept: keeps frames for `camera collect`; None where nobody wants that.
    """

    camera: Camera
    eye: Eye | None
    tracker: Tracker
    pusher: Pusher
    virtual: VirtualTable | None = None
    camera_kind: str = "virtual"
    pusher_kind: str = "virtual"
    touch: Callable[[Push], None] = lambda push: None
    tag: Tag | None = None
    bench: BenchCamera | None = None
    known: KnownTable = field(default_factory=KnownTable)
    kept: KeptFrames | None = None

    def set_switch(self, on: bool) -> None:
        """Turn the arm switch of a pretend pusher; that of a real one is turned by hand."""
        if (pretend := self.pusher.pretend()) is not None:
            pretend.set_switch(on)


class DeviceWatch:
    """Keeps a session's `Devices` true.

    Args:
        session: the table.
        rig: its devices.
    """

    def __init__(self, session: RowSession, rig: Rig) -> None:
        self._session = session
        self._rig = rig
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
            session.devices_changed(session.table.devices.losing(device, not answers), why)
        self._other_s[device] = None

    def call(self, idle: bool) -> None:
        """Find out whether the devices answer, where nothing else would show it.

        Args:
            idle: nobody looks for now.
        """
        devices = self._session.table.devices
        if devices.has(PUSHER):
            self._call_pusher(self._rig.pusher)
        if CAMERA in devices.lost or (idle and devices.sees):
            self._call_camera(self._rig.camera)

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
        line = pusher.link_state()
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
