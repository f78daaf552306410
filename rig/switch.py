"""An arm switch that was on while its pusher was away does not count: a hand turns it anew."""

from dataclasses import replace

from rig.devices import Devices
from rig.pusher import Heartbeat


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
