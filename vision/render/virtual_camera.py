"""The camera over the pretend table."""

from collections.abc import Callable
from dataclasses import dataclass, field

from vision.capture.camera import CameraClosed, Frame
from vision.geometry.camera_pose import CameraPose
from vision.geometry.lens import Intrinsics
from vision.render.render import render
from vision.render.scene import Scene


@dataclass
class VirtualCamera:
    """A camera over the pretend table.

    Attributes:
        scene: tells what stands there now.
        intrinsics: its lens.
        pose: where it hangs.
        now_s: the clock that stamps its frames.
    """

    scene: Callable[[], Scene]
    intrinsics: Intrinsics
    pose: CameraPose
    now_s: Callable[[], float]
    _seen: tuple[Scene, Frame] | None = field(default=None, init=False, repr=False)
    _count: int = field(default=0, init=False, repr=False)
    _closed: bool = field(default=False, init=False, repr=False)

    def read(self) -> Frame:
        if self._closed:
            raise CameraClosed("the virtual camera has been closed; open the table again")
        scene = self.scene()
        if self._seen is None or self._seen[0] != scene:
            image = render(scene, self.intrinsics, self.pose)
            self._count += 1
            self._seen = (scene, Frame(image, self.now_s(), f"virtual {self._count}"))
        return self._seen[1]

    def is_opening(self) -> bool:
        return False

    def close(self) -> None:
        self._closed = True
        self._seen = None
