"""Pictures and sound as an MP4 that phones' galleries and messengers take."""

import math
from collections.abc import Iterable
from fractions import Fraction
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from physics.errors import PhysicsError

SAMPLES_S: Final = 48_000
"""Of the sound; every phone plays it."""
_SOUND_BITS_S: Final = 96_000
_VIDEO: Final = {"profile": "high", "preset": "veryfast", "crf": "23", "threads": "1"}
"""Of x264. One thread: the other cores are for the game. `veryfast` takes half the time of `medium`
and makes these still pictures a tenth larger."""
_BT709: Final = 1
"""ITU-R BT.709, which players take pictures of this height for."""


def require() -> None:
    """Look whether films can be made.

    Raises:
        PhysicsError: the extra `film` is missing.
    """
    # Loading them takes longer than a table may wait for at its start.
    if find_spec("av") is None or find_spec("resvg_py") is None:
        raise PhysicsError(
            "films need PyAV from the extra film; 'domino-rig doctor' prints the command that "
            "installs it"
        )


def movie(
    pictures: Iterable[NDArray[np.uint8]],
    size: tuple[int, int],
    rate: int,
    sound: NDArray[np.float32] | None = None,
) -> bytes:
    """Encode a film as H.264 and AAC that begins to play before all of it is loaded.

    Args:
        pictures: RGB, shape (height, width, 3); the very same array again costs no conversion.
        size: their width and height, even numbers.
        rate: pictures a second.
        sound: samples of -1 to 1 at `SAMPLES_S`, shape (n,); None for a silent film.

    Raises:
        PhysicsError: the extra `film` is missing, or the encoder fails.
    """
    require()
    import av

    # The index is moved to the front of a file afterwards, which needs a file with a name.
    with TemporaryDirectory(prefix="domino-rig-") as folder:
        path = Path(folder) / "film.mp4"
        try:
            with av.open(str(path), "w", options={"movflags": "faststart"}) as container:
                video: Any = container.add_stream("libx264", rate=rate, options=_VIDEO)
                video.width, video.height = size
                video.pix_fmt = "yuv420p"
                video.codec_context.colorspace = _BT709
                voice = None if sound is None else _voice(container)
                _mux_pictures(container, video, pictures, rate)
                if voice is not None and sound is not None:
                    _mux_sound(container, voice, sound)
            return path.read_bytes()
        except (av.FFmpegError, OSError) as error:
            raise PhysicsError(f"a film cannot be made ({error.strerror})") from None


def _voice(container: Any) -> Any:
    voice = container.add_stream("aac", rate=SAMPLES_S, layout="mono")
    voice.bit_rate = _SOUND_BITS_S
    return voice


def _mux_pictures(
    container: Any, video: Any, pictures: Iterable[NDArray[np.uint8]], rate: int
) -> None:
    import av

    last: NDArray[np.uint8] | None = None
    planes: NDArray[Any] = np.zeros(0, np.uint8)
    for number, picture in enumerate(pictures):
        if picture is not last:
            shown = av.VideoFrame.from_ndarray(picture, format="rgb24")
            shown = shown.reformat(format="yuv420p", dst_colorspace=_BT709)
            planes, last = shown.to_ndarray(), picture
        frame = av.VideoFrame.from_ndarray(planes, format="yuv420p")
        frame.colorspace = _BT709
        frame.pts, frame.time_base = number, Fraction(1, rate)
        container.mux(video.encode(frame))
    container.mux(video.encode())


def _mux_sound(container: Any, voice: Any, sound: NDArray[np.float32]) -> None:
    import av

    step = voice.codec_context.frame_size or 1024
    whole = np.zeros(math.ceil(len(sound) / step) * step, np.float32)
    whole[: len(sound)] = sound
    for at in range(0, len(whole), step):
        frame = av.AudioFrame.from_ndarray(whole[None, at : at + step], "fltp", "mono")
        frame.sample_rate, frame.pts, frame.time_base = SAMPLES_S, at, Fraction(1, SAMPLES_S)
        container.mux(voice.encode(frame))
    container.mux(voice.encode())
