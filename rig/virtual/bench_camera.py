"""A camera that is none, with what hands could do to one: pull its cable, empty its folder.

A pretend pusher has its own way to pull its cable; a workbench gives access to both.
"""

from collections.abc import Callable
from dataclasses import dataclass

from rig.pusher.port import Pretend
from rig.row.row_live import Bench, Workbench
from vision.capture.camera import Camera, CameraGone, FolderCamera, Frame, RanDry


class BenchCamera(Camera):
    """A pretend camera, or one that plays pictures of a folder, with its cable at hand.

    Args:
        camera: gives the pictures.
        ended: whether its pictures have all been shown; a pretend camera never runs dry.
        again: gives a camera of the pictures that have come into the folder since, None while there
            are none.

    Attributes:
        camera: what it shows while everything is in place.
        plugged: its cable is in.
        filled: there are pictures in its folder; None where it has no folder.
    """

    def __init__(
        self,
        camera: Camera,
        ended: Callable[[], bool] | None = None,
        again: Callable[[], FolderCamera | None] = lambda: None,
    ) -> None:
        self.camera = camera
        self._again = again
        self._ended = ended
        self.plugged = True
        self.filled = None if ended is None else True

    @property
    def dry(self) -> bool:
        """Whether what it shows will stay as it is."""
        return self._ended is not None and self._ended()

    def read(self) -> Frame:
        if not self.plugged:
            raise CameraGone("the cable of the camera has been pulled")
        if self.filled is False:
            raise RanDry("there is no picture in the folder of the camera")
        if self.dry and (refilled := self._again()) is not None:
            self.camera, self._ended = refilled, refilled.has_ended
        return self.camera.read()

    def is_opening(self) -> bool:
        return self.camera.is_opening()

    def close(self) -> None:
        self.camera.close()


@dataclass(frozen=True, slots=True)
class DevicesAtHand:
    """A workbench with a pretend camera, a pretend pusher, or both.

    Attributes:
        camera: the camera, None where it is a real one.
        pusher: what hands do at the pusher, None where it is a real one.
        wake: has the machine look at once.
    """

    camera: BenchCamera | None
    pusher: Pretend | None
    wake: Callable[[], None]

    def state(self) -> Bench:
        camera, hands = self.camera, self.pusher.hands() if self.pusher else None
        plugged, filled = (None, None) if camera is None else (camera.plugged, camera.filled)
        return Bench(plugged, filled, hands)

    def put(self, what: str, on: bool) -> bool:
        match what:
            case "camera" if self.camera is not None:
                self.camera.plugged = on
            case "folder" if self.camera is not None and self.camera.filled is not None:
                self.camera.filled = on
            case "pusher" if self.pusher is not None:
                self.pusher.set_plugged(on)
            case _:
                return False
        self.wake()
        return True


def bench_of(
    camera: BenchCamera | None, pusher: Pretend | None, wake: Callable[[], None]
) -> Workbench | None:
    """The workbench of these devices; None where both are real, or there are none."""
    return DevicesAtHand(camera, pusher, wake) if camera or pusher else None
