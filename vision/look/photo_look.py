"""One look at a photo that somebody took by hand: its lens and its place are its own."""

import cv2

from physics.row.tile import TileSet
from vision.calibrate.photo_lens import NoLensFits, NoPhotoLens, lens_of_photo
from vision.capture.camera import NoFrame
from vision.capture.photo import load_photo
from vision.errors import VisionError
from vision.geometry.camera_pose import NoMat
from vision.geometry.mat import Mat
from vision.look.eye import Eye, Look
from vision.marks.sticker import MarkSet
from vision.tuning.tuning import TUNING, Tuning


class BadPhoto(VisionError):
    """A photo that tells nothing.

    Attributes:
        kind: `unreadable`, `mat` (too little of it), `bent` (no lens fits it), `slant` (taken too
            straight from above) or `hand`.
    """


def look_at_photo(
    data: bytes,
    mat: Mat,
    tile_set: TileSet | None = None,
    marks: MarkSet | None = None,
    tuning: Tuning = TUNING,
) -> Look:
    """Find the tiles on a photo.

    Args:
        data: its file, JPEG or PNG.
        mat: where the markers lie.
        tile_set: which tiles there are.
        marks: how they are marked; None for the marks that are printed for their size.
        tuning: see `Tuning`.

    Raises:
        BadPhoto: it does not tell them.
    """
    try:
        frame, focal_px = load_photo(data, tuning=tuning.photo)
        lens = lens_of_photo(frame.image, mat, focal_px, tuning=tuning)
        look = Eye(lens.intrinsics, mat, tile_set, marks, tuning=tuning).look(frame)
    except NoFrame as error:
        raise BadPhoto(str(error), "unreadable") from error
    except cv2.error as error:
        raise BadPhoto(f"OpenCV cannot look at the photo: {error.err}", "unreadable") from error
    except NoMat as error:
        raise BadPhoto(str(error), "mat") from error
    except NoPhotoLens as error:
        raise BadPhoto(str(error), "bent" if isinstance(error, NoLensFits) else "slant") from error
    if look.hand_in_view:
        raise BadPhoto("a hand is in the photo, or something as large: take it away", "hand")
    return look
