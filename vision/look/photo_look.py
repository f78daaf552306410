"""One look at a photo that somebody took by hand: its lens and its place are its own."""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2

from physics.row.tile import State, Tile, TileSet, apart_mm, turned_rad
from vision.calibrate.photo_lens import NoLensFits, NoPhotoLens, lens_of_photo
from vision.capture.camera import Frame, NoFrame
from vision.capture.photo import load_photo
from vision.errors import VisionError
from vision.geometry.camera_pose import NoMat, project
from vision.geometry.image_sampling import inside
from vision.geometry.lens import Intrinsics
from vision.geometry.mat import Mat
from vision.look.evidence import photographed
from vision.look.eye import Eye, Look
from vision.look.film import top_mm
from vision.look.matching import within_fall
from vision.look.observe import is_at
from vision.marks.sticker import MarkSet
from vision.tuning.tuning import TUNING, Tuning


class BadPhoto(VisionError):
    """A photo that tells nothing.

    Attributes:
        kind: `unreadable`, `mat` (too little of it), `bent` (no lens fits it), `slant` (taken too
            straight from above) or `hand`.
    """


@dataclass(frozen=True, slots=True)
class PhotoFall:
    """What a photo by hand tells of a row after its push.

    Attributes:
        up: values of the tiles that stand.
        down: values of those that are down.
        unclear: values of those of which it does not tell.
        confidence: how sure it is of what follows for the row, 0..1; 0 where nothing follows.
        picture: the photo with what it tells drawn over it, JPEG; nothing else of its file is kept.
    """

    up: tuple[int, ...]
    down: tuple[int, ...]
    unclear: tuple[int, ...]
    confidence: float
    picture: bytes


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
    return _look(data, mat, tile_set, marks, tuning)[0]


def fall_on_photo(
    data: bytes,
    row: Sequence[Tile],
    mat: Mat,
    tile_set: TileSet | None = None,
    marks: MarkSet | None = None,
    tuning: Tuning = TUNING,
) -> PhotoFall:
    """Tell from a photo what a push did to a row.

    A tile stands whose mark is read where it was. It is down if this photo would show its mark
    there, but does not. Of a tile that no photo has measured before nothing is told: nobody knows
    whether it has a mark, and a mark on the side of a lying tile looks like one on a standing tile
    some 40 mm away. That all are down is told only if half of them are seen to lie.

    Args:
        data: the photo's file, JPEG or PNG.
        row: the tiles as they stood, all with values; sigma 0 where a finger has shown the place.
        mat: where the markers lie.
        tile_set: which tiles there are.
        marks: how they are marked.
        tuning: see `Tuning`.

    Raises:
        BadPhoto: it tells nothing.
    """
    look, frame, lens = _look(data, mat, tile_set, marks, tuning)
    states = [_state(tile, row, look, frame, lens, tuning) for tile in row]
    told = [down for down, _ in states]
    if all(told) and 2 * len(_bodies(row, look, tuning)) < len(row):
        told, states = [None] * len(row), []
    if False in told:
        confidence = max(sure for down, sure in states if down is False)
    else:
        confidence = 0.0 if None in told else min((sure for _, sure in states), default=0.0)
    drawn = [
        (_read_standing(tile, look) or tile, down is False)
        for tile, down in zip(row, told, strict=True)
        if down is not None
    ]
    return PhotoFall(
        _values(row, told, False),
        _values(row, told, True),
        _values(row, told, None),
        confidence,
        photographed(frame, drawn, look.camera, lens),
    )


def _values(
    row: Sequence[Tile], told: Sequence[bool | None], which: bool | None
) -> tuple[int, ...]:
    return tuple(t.value for t, down in zip(row, told, strict=True) if down is which and t.value)


def _state(
    tile: Tile,
    row: Sequence[Tile],
    look: Look,
    frame: Frame,
    lens: Intrinsics,
    tuning: Tuning,
) -> tuple[bool | None, float]:
    """Say whether a tile is down, None where the photo does not tell, and how sure that is."""
    limits = tuning.observe
    if tile.sigma_mm == 0:
        return None, 0.0
    same = _read_standing(tile, look)
    if same is not None:
        near_mm = limits.same_mm + limits.sigmas * max(tile.sigma_mm, same.sigma_mm)
        in_place = apart_mm(same, tile) <= near_mm and turned_rad(same, tile) <= limits.same_rad
        if not in_place or same.orientation is not tile.orientation:
            return None, 0.0  # pushed aside, or leaning
        return False, limits.in_place_sure
    top = project(top_mm(tile, tuning=tuning.film), look.camera, lens)
    seen = inside(top, frame.image[..., 0], tuning.photo.clear_px)
    # Something may stand there as the tile did, only that nobody reads it.
    there = (other for other in look.tiles if other.value is None)
    if not seen or look.crowded or any(is_at(tile, other, tuning=limits) for other in there):
        return None, 0.0
    if any(other.height_mm > tile.height_mm and _reaches(other, tile) for other in row):
        return None, 0.0  # one that has fallen may lean on it, and cover its mark
    return True, limits.picture_gone_sure


def _reaches(one: Tile, other: Tile) -> bool:
    """Whether a tile can fall onto another."""
    return apart_mm(one, other) <= one.height_mm + one.spec.thickness_mm


def _read_standing(tile: Tile, look: Look) -> Tile | None:
    """The tile of this value that stands on a photo."""
    for other in look.tiles:
        if other.value == tile.value is not None and other.state is State.STANDING:
            return other
    return None


def _bodies(row: Sequence[Tile], look: Look, tuning: Tuning) -> list[Tile]:
    """What lies or leans where tiles of a row may have fallen."""
    return [
        body
        for body in look.tiles
        if (body.state is State.FALLEN or body.value is None)
        and any(within_fall(tile, body, tuning=tuning.matching) for tile in row)
    ]


def _look(
    data: bytes,
    mat: Mat,
    tile_set: TileSet | None,
    marks: MarkSet | None,
    tuning: Tuning,
) -> tuple[Look, Frame, Intrinsics]:
    """Look at a photo; gives its frame and its lens besides.

    Raises:
        BadPhoto: it does not tell.
    """
    try:
        frame, focal_px = load_photo(data, tuning=tuning.photo)
        lens = lens_of_photo(frame.image, mat, focal_px, tuning=tuning).intrinsics
        look = Eye(lens, mat, tile_set, marks, tuning=tuning).look(frame)
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
    return look, frame, lens
