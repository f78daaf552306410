"""Photos that people take by hand: read from bytes that anybody may have sent."""

import math
import re
import warnings
from io import BytesIO

from PIL import ExifTags
from PIL import Image as Pictures

from vision.capture.camera import Frame, NoFrame, decoded
from vision.tuning.capture import PHOTO, PhotoTuning

_MEGA = 1e6

_SEGMENT = re.compile(rb"\xff+([^\x00\x01\xff\xd0-\xd8])")
"""A JPEG's marker that begins a segment or is the end; other markers and pixels are skipped."""
_SCAN, _END = b"\xda", b"\xd9"
_LENGTH_BYTES = 2


def load_photo(
    data: bytes, name: str = "photo", tuning: PhotoTuning = PHOTO
) -> tuple[Frame, float | None]:
    """Read a photo, the way up that its file says.

    Args:
        data: a JPEG or PNG file.
        name: what to call it.
        tuning: see `PhotoTuning`.

    Returns:
        The picture, and the focal length in its px that the file gives; None if it gives none.

    Raises:
        NoFrame: it is no picture, or a larger one than is read.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            with Pictures.open(BytesIO(data), formats=("JPEG", "PNG")) as head:
                megapixels = head.width * head.height / _MEGA
                # Of a PNG the whole picture would be unpacked for it.
                told = head.getexif().get_ifd(ExifTags.IFD.Exif) if head.format == "JPEG" else {}
                scans = 0 if head.format == "PNG" else _scans(data, tuning.most_scans + 1)
    except Exception as error:  # Pillow fails on bad files in more ways than it documents
        raise NoFrame(f"{name}: is not a photo that can be read; expected a JPEG or PNG") from error
    most = tuning.most_megapixels
    if megapixels > most:
        raise NoFrame(
            f"{name}: has {megapixels:.0f} megapixels, at most {most:.0f} are read; set the camera "
            "to 12 megapixels"
        )
    if scans > tuning.most_scans:
        raise NoFrame(
            f"{name}: has more than {tuning.most_scans} scans, which no camera writes; save the "
            "picture again as a plain JPEG"
        )
    image = decoded(data)
    if image is None:
        raise NoFrame(f"{name}: the file is not complete; take the photo again")
    frame = Frame(image, 0.0, name)
    focal_mm = told.get(ExifTags.Base.FocalLengthIn35mmFilm)
    return frame, focal_px(focal_mm, frame.image.shape[:2], tuning)


def _scans(data: bytes, most: int) -> int:
    """In how many goes a JPEG draws its picture, counted up to `most`.

    What only looks like a scan does not count: inside a segment, such as the small picture in EXIF,
    or after the end, where phones put a film.
    """
    scans = at = 0
    while scans < most and (found := _SEGMENT.search(data, at)) and found[1] != _END:
        scans += found[1] == _SCAN
        length = int.from_bytes(data[found.end() : found.end() + _LENGTH_BYTES])
        at = found.end() + max(_LENGTH_BYTES, length)
    return scans


def focal_px(focal_mm: object, shape: tuple[int, ...], tuning: PhotoTuning = PHOTO) -> float | None:
    """Convert a focal length for 35 mm film into px of a photo: both see as wide a diagonal.

    Args:
        focal_mm: what EXIF's field `FocalLengthIn35mmFilm` holds, mm; None if it is not believed.
        shape: rows and columns of the photo.
        tuning: see `PhotoTuning`.

    >>> round(focal_px(26, (3024, 4032)))
    3029
    """
    shortest, longest = tuning.focal_range_mm
    if not isinstance(focal_mm, int) or not shortest <= focal_mm <= longest:
        return None
    return focal_mm / math.hypot(*tuning.film_mm) * math.hypot(*shape)
