"""The film of a push, kept for people: small numbered JPEGs with the time in their names.

Frames are shrunk and coded as they come, a few milliseconds each, on the thread that films; the
stroke runs on another one. Files are written only when the row is at rest.
"""

import shutil
from pathlib import Path

from vision.capture.camera import Frame, jpeg, of_width
from vision.errors import VisionError
from vision.tuning.capture import CLIP, ClipTuning


class Clip:
    """Collects the frames of one push."""

    def __init__(self, tuning: ClipTuning = CLIP) -> None:
        self._tuning = tuning
        self._frames: list[tuple[float, bytes]] = []
        self._last: Frame | None = None
        self._bytes = 0

    def add(self, frame: Frame) -> None:
        """Take in one more frame; the very same one again adds nothing."""
        if frame is self._last:
            return
        self._last = frame
        wide = min(self._tuning.width_px, frame.image.shape[1])
        data = jpeg(of_width(frame.image, wide), self._tuning.jpeg_quality)
        self._frames.append((frame.time_s, data))
        self._bytes += len(data)
        if len(self._frames) > self._tuning.most_frames or self._bytes > self._tuning.most_bytes:
            self._frames = [*self._frames[:-1:2], self._frames[-1]]
            self._bytes = sum(len(data) for _, data in self._frames)

    def begin_at(self, time_s: float) -> None:
        """Forget the frames that were taken before a time."""
        self._frames = [each for each in self._frames if each[0] >= time_s]
        self._bytes = sum(len(data) for _, data in self._frames)

    def save(self, folder: Path) -> Path | None:
        """Write the frames into a new folder among the clips of this game.

        Args:
            folder: where the clips of this game are; made if it is not there.

        Returns:
            The folder of this clip; None if there were no frames.

        Raises:
            VisionError: it cannot be written; what was written of it is taken away again.
        """
        if not self._frames:
            return None
        try:
            folder.mkdir(parents=True, exist_ok=True)
            number = max((_number(path) for path in folder.iterdir()), default=0) + 1
            unfinished = folder / f".push-{number:04}"
            try:
                unfinished.mkdir()
                start_s = self._frames[0][0]
                for n, (time_s, data) in enumerate(self._frames, 1):
                    name = f"{n:04}_{round(1000 * (time_s - start_s)):06}ms.jpg"
                    (unfinished / name).write_bytes(data)
                kept = unfinished.rename(folder / f"push-{number:04}")
            except OSError:
                shutil.rmtree(unfinished, ignore_errors=True)
                raise
        except OSError as error:
            raise VisionError(
                f"{folder}: the film of the push cannot be kept ({error.strerror}); "
                "make room there, or set [camera] clip = false"
            ) from error
        clips = sorted(path for path in folder.iterdir() if _number(path))
        for old in clips[: -self._tuning.most_clips]:
            shutil.rmtree(old, ignore_errors=True)
        return kept


def _number(path: Path) -> int:
    """The number of a clip's folder, 0 for anything else."""
    name = path.name.removeprefix("push-")
    return int(name) if name != path.name and name.isdigit() and path.is_dir() else 0
