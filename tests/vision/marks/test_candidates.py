import itertools
from dataclasses import replace

import cv2
import numpy as np
import pytest

from vision.marks.candidates import Detections, Region, detect
from vision.tuning.tuning import TUNING

IMAGE = np.full((400, 600), 150, np.uint8)
IMAGE[100:112, 200:250] = 20
IMAGE[300:312, 400:450] = 20
WHOLE = Region(0, 0, 600, 400, 30.0, 100.0, 30.0, 1.0)


def middles(found):
    return sorted({tuple(np.round(box.mean(axis=0), -1).tolist()) for box in found.outlines_px})


def test_dark_bars_have_outlines():
    assert middles(detect(IMAGE, WHOLE)) == [(220, 110), (420, 310)]


@pytest.mark.parametrize("grain_px", [1.0, 2.0, 4.0])
@pytest.mark.parametrize("side_px", [50, 200], ids=["small images", "large images"])
def test_leaving_out_specks_changes_no_outline(side_px, grain_px):
    noise = cv2.GaussianBlur(np.random.default_rng(1).normal(size=(400, 600)), None, grain_px)
    image = np.clip(110 + 60 * noise / noise.std(), 0, 255).astype(np.uint8)
    found = 0
    for top, left in itertools.product(range(0, 400, side_px), range(0, 600, side_px)):
        part = replace(WHOLE, left=left, top=top, right=left + side_px, bottom=top + side_px)
        always, never = (
            detect(
                image,
                replace(part, least_px=20.0),
                tuning=replace(TUNING.candidates, busy_share=share, least_extent_share=1.0),
            ).outlines_px.tolist()
            for share in (-1.0, 1.0)
        )
        assert always == never
        found += len(never)
    assert found > 50


def test_the_edge_of_a_shadow_across_a_bar_breaks_no_outline():
    image = np.full((200, 300), 150, np.uint8)
    image[50:150, 125:200] = 40
    image[100:110, 100:125], image[100:110, 125:150] = 20, 15
    assert (120, 100) in middles(detect(image, WHOLE))


def test_outlines_are_looked_for_where_something_has_changed():
    changed = np.zeros((200, 300), np.uint8)
    changed[45:60, 95:130] = 255
    assert middles(detect(IMAGE, WHOLE, changed)) == [(220, 110)]


def test_outlines_are_kept_by_where_their_middles_lie():
    boxes = np.array(
        [[(x, y), (x + 9, y), (x + 9, y + 5), (x, y + 5)] for x, y in ((10, 20), (90, 60))]
    )
    where = np.zeros((40, 60), np.uint8)
    where[10:13, 5:9] = 255
    found = Detections(np.zeros((80, 120), np.uint8), boxes.astype(float)).within(where)
    assert found.outlines_px.tolist() == boxes[:1].tolist()


def test_an_outline_half_out_of_the_image_is_kept_by_the_nearest_place():
    boxes = np.array([[(-9.0, 20.0), (3.0, 20.0), (3.0, 25.0), (-9.0, 25.0)]])
    where = np.full((40, 60), 255, np.uint8)
    assert len(Detections(np.zeros((80, 120), np.uint8), boxes).within(where).outlines_px) == 1


def test_a_region_of_a_few_rows_has_no_outlines_and_no_fault():
    assert len(detect(IMAGE[:5], Region(0, 0, 600, 5, 30.0, 100.0, 30.0, 1.0)).outlines_px) == 0
