"""How cameras are waited for and listed, photos read, and films kept."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class LiveCameraTuning:
    """When a camera has settled, hangs, or is gone.

    Set by hand; no real camera has been tried.
    """

    stale_frames: int = 4
    """How many frames after holding may still have been taken before, count."""
    brighter_share: float = 0.15
    """A change of the mean brightness of the picture by this share is reported."""
    failures: int = 5
    """How many pictures in a row fail to come before the camera counts as gone, count."""
    again_s: float = 0.02
    """Pause after a picture that did not come, s."""
    back_off_s: tuple[float, float] = (0.5, 5.0)
    """Pause before a lost camera is first opened again, doubled up to the longest, s."""
    silent_s: float = 2.0
    """A camera that is there counts as hanging so long after its last picture, s."""
    opening_s: float = 20.0
    """How long a driver may take to open a camera, s; Media Foundation does take long."""
    patience_s: float = 5.0
    """How long a reading waits for the first picture, s ..."""
    close_s: float = 5.0
    """... and closing for the driver, s."""
    oldest_stamp_s: float = 1.0
    """A driver's time stamp is believed if the picture would be younger than this, s."""


@dataclass(frozen=True, slots=True)
class DiscoveryTuning:
    """How cameras are listed, and what is shown of each.

    Set by hand; not studied.
    """

    preview_frames: int = 20
    """Pictures taken before the one that is shown, so that the exposure has settled, count."""
    preview_width_px: int = 480
    """Width of that one, px ..."""
    preview_jpeg_quality: int = 80
    """... and its JPEG quality, percent."""
    patience_s: float = 30.0
    """How long one camera may take, s."""
    most: int = 8
    """How many numbers are tried where cameras have no names, count."""


@dataclass(frozen=True, slots=True)
class ClipTuning:
    """How much of the film of a push is kept.

    Set by hand; not studied.
    """

    width_px: int = 960
    """Width of a kept frame, px."""
    jpeg_quality: int = 82
    """JPEG quality of it, percent."""
    most_frames: int = 150
    """A clip has no more frames, count ..."""
    most_bytes: int = 12_000_000
    """... and no more bytes, count."""
    most_clips: int = 20
    """A folder has no more clips, count; the oldest go."""


@dataclass(frozen=True, slots=True)
class PhotoTuning:
    """Which photos by hand are read, and what their files are believed to say.

    Set by hand; not studied.
    """

    most_megapixels: float = 64.0
    """Larger photos are refused before they are unpacked: these take 200 MB."""
    most_scans: int = 20
    """A JPEG drawn in more scans is refused: each scan costs as much as the whole picture, but may
    take few bytes. Progressive files have about 10."""
    film_mm: tuple[float, float] = (36.0, 24.0)
    """Sides of the picture that the focal lengths "for 35 mm film" in EXIF are meant for, mm."""
    focal_range_mm: tuple[int, int] = (8, 400)
    """What focal lengths for such film are believed, shortest and longest, mm."""
    clear_px: float = 12.0
    """A tile whose upper edge keeps so far from the edge of the photo would be read, px."""


LIVE_CAMERA = LiveCameraTuning()
DISCOVERY = DiscoveryTuning()
CLIP = ClipTuning()
PHOTO = PhotoTuning()
