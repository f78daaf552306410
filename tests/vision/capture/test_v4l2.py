"""Linux: which nodes are cameras, what they are called for good, and the mains frequency."""

import errno
import struct

import pytest

from vision.capture import v4l2
from vision.capture.v4l2 import find_nodes, set_power_line


class Kernel:
    """Answers for nodes as the kernel's header lays the answers out, by offsets counted there."""

    def __init__(self, caps=None):
        self.caps = caps or {}
        self.controls = {0x00980918: 3}
        self.clamped = None

    def __call__(self, node, number, data):
        if number == 0x80685600:
            assert len(data) == 104
            if node.name not in self.caps:
                raise OSError(errno.ENOTTY, "Inappropriate ioctl for device")
            if self.caps[node.name] is None:
                raise PermissionError(errno.EACCES, "Permission denied")
            card, whole, own = self.caps[node.name]
            answer = bytearray(104)
            answer[16 : 16 + len(card)] = card
            struct.pack_into("=II", answer, 84, whole, own)
            return bytes(answer)
        control, value = struct.unpack("=Ii", data)
        if control not in self.controls:
            raise OSError(errno.EINVAL, "Invalid argument")
        if number == 0xC008561C:
            self.controls[control] = value if self.clamped is None else self.clamped
        else:
            assert number == 0xC008561B
        return struct.pack("=Ii", control, self.controls[control])


CAMERA = (b"HD Webcam", 0x84A0_0001, 0x0420_0001)
METADATA = (b"HD Webcam", 0x84A0_0001, 0x04A0_0000)
OLD_DRIVER = (b"TV card", 0x0500_0001, 0)


@pytest.fixture
def dev(tmp_path):
    for n in (0, 1, 2, 10):
        (tmp_path / f"video{n}").write_bytes(b"")
    for folder, links in {
        "by-id": {"usb-Maker_HD_Webcam_123-video-index0": 0},
        "by-path": {"pci-0000-usb-0:1:1.0-video-index0": 0, "pci-0000-usb-0:2:1.0-video-index0": 2},
    }.items():
        (tmp_path / "v4l" / folder).mkdir(parents=True)
        for name, n in links.items():
            (tmp_path / "v4l" / folder / name).symlink_to(f"../../video{n}")
    return tmp_path


def test_metadata_nodes_are_no_cameras(dev):
    kernel = Kernel({"video0": CAMERA, "video1": METADATA, "video2": OLD_DRIVER})
    assert [node.card for node in find_nodes(dev, kernel)] == ["HD Webcam", "TV card"]


def test_a_camera_is_named_by_itself_or_else_by_its_socket_or_its_node(dev):
    kernel = Kernel(dict.fromkeys(("video0", "video2", "video10"), CAMERA))
    assert [node.path.name for node in find_nodes(dev, kernel)] == [
        "usb-Maker_HD_Webcam_123-video-index0",
        "pci-0000-usb-0:2:1.0-video-index0",
        "video10",
    ]


def test_a_camera_that_may_not_be_asked_is_listed_all_the_same(dev):
    (node,) = find_nodes(dev, Kernel({"video0": None}))
    assert (node.card, node.path.name) == ("", "usb-Maker_HD_Webcam_123-video-index0")


def test_a_machine_without_cameras_has_none(tmp_path):
    assert find_nodes(tmp_path, Kernel()) == ()


def test_a_real_file_that_is_no_camera_is_left_out(dev):
    assert find_nodes(dev) == ()


@pytest.mark.parametrize(("hz", "choice"), [(50.0, 1), (60.0, 2), (0.0, 0)])
def test_the_mains_frequency_is_set_and_read_back(tmp_path, hz, choice):
    kernel = Kernel()
    assert set_power_line(tmp_path / "video0", hz, kernel) == hz
    assert kernel.controls[0x00980918] == choice


def test_a_frequency_that_did_not_take_is_read_back_as_it_is(tmp_path):
    kernel = Kernel()
    kernel.clamped = 2
    assert set_power_line(tmp_path / "video0", 50.0, kernel) == 60.0


def test_a_camera_without_the_setting_has_none(tmp_path):
    kernel = Kernel()
    kernel.controls.clear()
    assert set_power_line(tmp_path / "video0", 50.0, kernel) is None
    assert set_power_line(tmp_path / "gone", 50.0) is None


def test_layouts_and_numbers_are_the_kernels():
    # As a C program prints them that includes linux/videodev2.h.
    assert (v4l2.CAPABILITY.size, v4l2.CONTROL.size) == (104, 8)
    assert (v4l2.QUERY_CAPABILITY, v4l2.GET_CONTROL, v4l2.SET_CONTROL) == (
        0x80685600,
        0xC008561B,
        0xC008561C,
    )
    assert v4l2.POWER_LINE_FREQUENCY == 0x980918
