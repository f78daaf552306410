"""What a table has to see and to push with, as the journal knows it. Pure.

The four modes: with a camera and a pusher the machine reads, pushes and judges. Without a camera
rows are entered on the view from above or photographed, and people judge; without a pusher a finger
pushes.
"""

from dataclasses import dataclass, replace
from typing import Protocol

from rig.config import NO_CAMERA, NO_PUSHER, PHONES, UNHUNG

CAMERA = "camera"
PUSHER = "pusher"
BOTH = (CAMERA, PUSHER)


class Pretends(Protocol):
    """A machine that says whether its tiles are pretend."""

    virtual: bool


@dataclass(frozen=True, slots=True)
class Devices:
    """The camera and the pusher of a table, and which of them count now.

    Attributes:
        camera: its kind as in `[camera] kind`; "none" or "phone" where none hangs over the table.
        pusher: its kind as in `[pusher] kind`; "hand" without one.
        lost: those of `BOTH` that have not answered for a while.
        without: those that the host goes on without, whether they answer or not.
    """

    camera: str = "virtual"
    pusher: str = "virtual"
    lost: tuple[str, ...] = ()
    without: tuple[str, ...] = ()

    @property
    def sees(self) -> bool:
        """Whether a camera that answers looks at the row."""
        return self.camera not in UNHUNG and self._counts(CAMERA)

    @property
    def photographs(self) -> bool:
        """Whether phones are asked for photos; a finger can show the row all the same."""
        return self.camera == PHONES

    @property
    def pushes(self) -> bool:
        """Whether a pusher that answers makes the push; otherwise a finger does."""
        return self.pusher != NO_PUSHER and self._counts(PUSHER)

    def drags(self, machine: Pretends | None) -> bool:
        """Whether tiles are stood by dragging them on a page: pretend ones, or ones nobody sees."""
        return machine is not None and (machine.virtual or not self.sees)

    def has(self, device: str) -> bool:
        """Whether the table has this one of `BOTH` at all."""
        return (self.camera, self.pusher)[BOTH.index(device)] not in (*UNHUNG, NO_PUSHER)

    def losing(self, device: str, lost: bool) -> "Devices":
        """The same with a device lost, or found again."""
        return replace(self, lost=_with(self.lost, device, lost))

    def going_without(self, device: str, on: bool) -> "Devices":
        """The same with a device that the host goes on without, or counts on again."""
        return replace(self, without=_with(self.without, device, on))

    def _counts(self, device: str) -> bool:
        return device not in self.lost and device not in self.without


def _with(names: tuple[str, ...], name: str, on: bool) -> tuple[str, ...]:
    return tuple(n for n in BOTH if (n == name and on) or (n != name and n in names))


BY_HAND = Devices(NO_CAMERA, NO_PUSHER)


@dataclass(frozen=True, slots=True)
class DevicesChanged:
    """The table goes on with these devices; `why` is for the log, in words."""

    devices: Devices
    why: str = ""


def opening(before: Devices, camera: str, pusher: str) -> Devices:
    """The devices of a table that is opened.

    What was lost or set aside stays so until it answers, or the host says otherwise: a restart
    finds out nothing. Another kind of device has no past.

    >>> opening(Devices("opencv", "serial", lost=("pusher",)), "folder", "serial").lost
    ('pusher',)
    """
    same = [
        n
        for n, old, new in zip(BOTH, (before.camera, before.pusher), (camera, pusher), strict=True)
        if old == new
    ]
    return Devices(
        camera,
        pusher,
        tuple(n for n in before.lost if n in same),
        tuple(n for n in before.without if n in same),
    )
