"""What stands where a table has no camera or no pusher: nothing that ever answers."""

from physics.row.push import Push
from rig.pusher import Armed, Heartbeat, PortLost, Pusher, PusherStatus, Stopped, Stroke
from vision.capture.camera import Camera, CameraGone, Frame


class NoCamera(Camera):
    """No camera: `[camera] kind = "none"`."""

    def read(self) -> Frame:
        raise CameraGone("this table has no camera: rows are entered on the view from above")

    def close(self) -> None:
        """There is nothing to let go of."""


class NoPusher(Pusher):
    """No pusher: `[pusher] kind = "hand"`. Whatever is asked of it, nothing moves."""

    def status(self) -> PusherStatus:
        raise PortLost

    def heartbeat(self) -> Heartbeat:
        raise PortLost

    def arm(self) -> Armed:
        raise PortLost

    def push(self, token: int, push: Push) -> Stroke:
        raise PortLost

    def stop(self) -> Stopped:
        """Nothing moves."""
        return Stopped.ACKNOWLEDGED

    def disarm(self) -> None:
        """Nothing is armed."""

    def clear(self) -> None:
        """Nothing is stopped."""

    def homed(self) -> None:
        """There is no arm."""
