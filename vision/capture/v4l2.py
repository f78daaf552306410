"""Linux only: which video nodes are cameras, their lasting names, and the mains frequency.

OpenCV opens nodes but neither lists them nor knows the mains frequency, so the kernel is asked
itself. Numbers and layouts are those of the kernel's `linux/videodev2.h`.
"""

import os
import struct
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

VIDEO_CAPTURE = 0x0000_0001
VIDEO_CAPTURE_MPLANE = 0x0000_1000
HAS_DEVICE_CAPS = 0x8000_0000

POWER_LINE_FREQUENCY = 0x0098_0918
POWER_LINE = {0.0: 0, 50.0: 1, 60.0: 2}
"""The kernel's menu of mains frequencies by Hz; 0 turns the correction off."""

CAPABILITY = struct.Struct("=16s32s32s3I3I")
"""driver, card, bus, version, capabilities, device_caps, three reserved."""
CONTROL = struct.Struct("=Ii")
"""id, value."""

Ioctl = Callable[[Path, int, bytes], bytes]
"""Asks a node: its path, the request, the bytes that go in; gives the bytes that come out."""


def request(way: int, number: int, size: int) -> int:
    """Number of a video request as the kernel's _IOC makes it.

    Args:
        way: 2 = reads, 3 = writes and reads.
        number: of the request.
        size: bytes of what is passed.

    >>> hex(request(2, 0, CAPABILITY.size)), hex(request(3, 28, CONTROL.size))
    ('0x80685600', '0xc008561c')
    """
    return way << 30 | size << 16 | ord("V") << 8 | number


QUERY_CAPABILITY = request(2, 0, CAPABILITY.size)
GET_CONTROL = request(3, 27, CONTROL.size)
SET_CONTROL = request(3, 28, CONTROL.size)


def ask_kernel(node: Path, number: int, data: bytes) -> bytes:
    """Send one request to a video node.

    Raises:
        OSError: the node cannot be opened or does not know the request.
    """
    import fcntl

    with _opened(node) as handle:
        buffer = bytearray(data)
        fcntl.ioctl(handle, number, buffer)
        return bytes(buffer)


@contextmanager
def _opened(node: Path) -> Iterator[int]:
    # Waiting is never wanted here: a node that is busy or broken answers with an error instead.
    handle = os.open(node, os.O_RDWR | getattr(os, "O_NONBLOCK", 0))
    try:
        yield handle
    finally:
        os.close(handle)


@dataclass(frozen=True, slots=True)
class Node:
    """A video node that is a camera.

    Attributes:
        path: by which it is opened: a lasting name where there is one, so that the same camera is
            found again after it was unplugged; `/dev/videoN` otherwise.
        card: what the camera calls itself, empty if it may not be asked.
    """

    path: Path
    card: str


def find_nodes(dev: Path = Path("/dev"), ioctl: Ioctl = ask_kernel) -> tuple[Node, ...]:
    """List the cameras, in the order of their nodes; metadata and output nodes are left out.

    Args:
        dev: the folder of devices.
        ioctl: asks a node what it can do.
    """
    names = _lasting_names(dev)
    found = []
    for node in sorted(dev.glob("video[0-9]*"), key=lambda path: (len(path.name), path.name)):
        try:
            answer = ioctl(node, QUERY_CAPABILITY, bytes(CAPABILITY.size))
        except PermissionError:
            # It may well be a camera: opening it says what is missing.
            found.append(Node(names.get(node.name, node), ""))
            continue
        except OSError:
            continue
        _, card, _, _, whole, own, *_ = CAPABILITY.unpack(answer)
        able = own if whole & HAS_DEVICE_CAPS else whole
        if able & (VIDEO_CAPTURE | VIDEO_CAPTURE_MPLANE):
            text = card.split(b"\0", 1)[0].decode("utf-8", "replace")
            found.append(Node(names.get(node.name, node), text))
    return tuple(found)


def _lasting_names(dev: Path) -> dict[str, Path]:
    """The lasting name of each node; by the camera itself rather than by its socket.

    Two cameras without serial numbers share one name by id; then the socket tells them apart.
    """
    names: dict[str, Path] = {}
    for folder in ("by-path", "by-id"):
        for link in sorted((dev / "v4l" / folder).glob("*")):
            names[link.resolve().name] = link
    return names


def set_power_line(node: Path, hz: float, ioctl: Ioctl = ask_kernel) -> float | None:
    """Set the mains frequency by which lamps flicker, and read it back.

    Args:
        node: the camera's node.
        hz: 50, 60, or 0 for no correction.
        ioctl: asks the node.

    Returns:
        The frequency it has now in Hz; None if the camera has no such setting.
    """
    wanted = POWER_LINE.get(hz)
    if wanted is None:
        return None
    try:
        ioctl(node, SET_CONTROL, CONTROL.pack(POWER_LINE_FREQUENCY, wanted))
        answer = ioctl(node, GET_CONTROL, CONTROL.pack(POWER_LINE_FREQUENCY, 0))
    except OSError:
        return None
    choice = CONTROL.unpack(answer)[1]
    return next((known for known, number in POWER_LINE.items() if number == choice), None)
