from io import BytesIO

import cv2
import numpy as np
import pytest
from PIL import Image, ImageFile

from vision.capture.camera import NoFrame
from vision.capture.photo import load_photo
from vision.tuning.capture import PhotoTuning

FOCAL_35, ORIENTATION, EXIF = 0xA405, 0x0112, 0x8769
ON_ITS_SIDE = 6
"""EXIF's word for a picture that has to be turned by a quarter, clockwise."""


def jpeg(width=80, height=60, focal=None, orientation=None, form="JPEG"):
    picture = Image.fromarray(np.full((height, width, 3), 90, np.uint8))
    exif = picture.getexif()
    if orientation is not None:
        exif[ORIENTATION] = orientation
    if focal is not None:
        exif.get_ifd(EXIF)[FOCAL_35] = focal
    file = BytesIO()
    picture.save(file, form, exif=exif)
    return file.getvalue()


def test_the_focal_length_of_a_photo_is_told_in_its_own_px():
    frame, focal_px = load_photo(jpeg(focal=26))
    assert frame.image.shape == (60, 80, 3)
    # A 35 mm picture has a diagonal of 43.27 mm, this one of 100 px.
    assert focal_px == pytest.approx(26 / 43.267 * 100, rel=1e-3)


def test_a_photo_is_turned_as_its_file_says():
    frame, _ = load_photo(jpeg(orientation=ON_ITS_SIDE))
    assert frame.image.shape == (80, 60, 3)


@pytest.mark.parametrize("focal", [None, 0, 65535])
def test_a_focal_length_that_no_phone_has_is_none(focal):
    assert load_photo(jpeg(focal=focal))[1] is None


def test_a_png_has_no_focal_length_and_is_read():
    frame, focal_px = load_photo(jpeg(form="PNG"))
    assert (frame.image.shape, focal_px) == ((60, 80, 3), None)


@pytest.mark.parametrize(
    "data", [b"", b"no picture", jpeg()[:30], jpeg()[:-40], b"\xff\xd8\xff\xe1\x00\x10Exif\x00\x00"]
)
def test_what_is_no_whole_photo_is_refused_in_a_sentence(data):
    with pytest.raises(NoFrame, match="photo"):
        load_photo(data)


@pytest.mark.parametrize("form", ["JPEG", "PNG"])
def test_a_photo_beyond_reason_is_refused_before_it_is_unpacked(monkeypatch, form):
    data = jpeg(form=form)
    monkeypatch.setattr(ImageFile.ImageFile, "load", lambda _: pytest.fail("it was unpacked"))
    monkeypatch.setattr(cv2, "imdecode", lambda *_: pytest.fail("it was unpacked"))
    with pytest.raises(NoFrame, match="set the camera to 12 megapixels"):
        load_photo(data, tuning=PhotoTuning(most_megapixels=0.004))


SCAN = b"\xff\xda"


def many_scans(count, fill=b""):
    """A photo that draws its last scan again and again; in its head stands what looks like more."""
    file = BytesIO()
    picture = Image.fromarray(np.full((60, 80, 3), 90, np.uint8))
    picture.save(file, "JPEG", progressive=True, comment=SCAN * 50)
    whole = file.getvalue()
    scans, at = whole[: -len(b"\xff\xd9")], whole.rfind(SCAN)
    return scans + (fill + scans[at:]) * (count - 10) + b"\xff\xd9"


@pytest.mark.parametrize("behind", [b"", SCAN * 50 + b"\xff\xd9"])
def test_a_photo_in_as_many_scans_as_programs_write_is_read(behind):
    assert load_photo(many_scans(10) + behind)[0].image.shape == (60, 80, 3)


def test_a_photo_in_more_scans_than_any_camera_writes_is_refused_before_it_is_unpacked(monkeypatch):
    assert load_photo(many_scans(20))[0].image.shape == (60, 80, 3)
    monkeypatch.setattr(cv2, "imdecode", lambda *_: pytest.fail("it was unpacked"))
    for data in (many_scans(21), many_scans(40, fill=b"\xff" * 3)):
        with pytest.raises(NoFrame, match=r"more than 20 scans.* save the picture again"):
            load_photo(data)


def test_two_pictures_in_one_file_are_not_the_scans_of_one():
    assert load_photo(many_scans(15) + many_scans(15))[0].image.shape == (60, 80, 3)
