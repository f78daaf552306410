"""The folder of camera frames beside a journal, for `camera collect`: only where people want it.

Each frame has the number of the event that it belongs to: the journal says what people made of it.
"""

import json
import logging
import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from rig import private

log = logging.getLogger(__name__)

MOST_FRAMES = 300
"""The oldest go: about as many as an evening of ten games has, 300 MB at 1080p."""
MAT = "mat.json"
_NAME = re.compile(r"(\d{6,})-([a-z]+)\.jpg")


def frames_of(journal: Path) -> Path:
    """Where the frames of a journal are."""
    return journal.with_name(f"{journal.stem}-frames")


class KeptFrame(NamedTuple):
    """One frame.

    Attributes:
        v: version of the table that it shows.
        kind: `empty`, `placed`, `accepted` (a row that differed), `claimed` (an accident),
            `before` or `after` a push.
        path: the picture.
    """

    v: int
    kind: str
    path: Path

    def fields(self) -> dict[str, Any]:
        """What the camera and the eye were then; raises OSError or ValueError."""
        data: dict[str, Any] = json.loads(self.path.with_suffix(".json").read_text())
        return data


class KeptFrames:
    """Keeps frames; a game goes on without them.

    Args:
        path: the folder, made when the first frame is put there, for its owner alone.
        mat: the file of the mat that lies there, "" where it lies as printed.
    """

    def __init__(self, path: Path, mat: str = "") -> None:
        self._path, self._mat = path, mat

    def keep(self, v: int, kind: str, jpeg: bytes, told: Mapping[str, Any]) -> None:
        """Keep a frame, and let the oldest go."""
        path = self._path / f"{v:06}-{kind}.jpg"
        try:
            if self._mat:
                private.write(self._path / MAT, Path(self._mat).read_bytes())
                self._mat = ""
            private.write(path.with_suffix(".json"), json.dumps(told).encode())
            private.write(path, jpeg)  # last: a frame that is there is whole
        except OSError as error:
            log.warning("%s: a frame cannot be kept (%s)", path, error.strerror)
        for old in list(frames_in(self._path))[:-MOST_FRAMES]:
            for file in (old.path, old.path.with_suffix(".json")):
                with suppress(OSError):
                    file.unlink()


def frames_in(folder: Path) -> Iterator[KeptFrame]:
    """The frames of a folder, oldest first; none where there is no folder."""
    for path in sorted(folder.glob("*.jpg")):
        if matched := _NAME.fullmatch(path.name):
            yield KeptFrame(int(matched[1]), matched[2], path)
