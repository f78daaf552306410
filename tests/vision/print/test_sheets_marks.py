"""The printed stickers, read back from their PDF by the code that reads them on tiles."""

import json
import math
from dataclasses import astuple, dataclass, replace

import cv2
import numpy as np
import pytest

from physics.row.tile import STANDARD, Orientation, TileSet, TileSpec
from rig.cli.main import main
from tests.support.rasterise import pages, strokes
from vision.geometry.camera_pose import CameraPose, View
from vision.geometry.lens import Intrinsics
from vision.geometry.mat import load_mat
from vision.marks.candidates import detect
from vision.marks.locate import locate, region
from vision.marks.sticker import SHIPPED, load_marks, marks_for

MARKS = load_marks()
PX_MM = 4.0
HIGH_MM = 1e6
COPIES = 2


@dataclass(frozen=True)
class Printed:
    """A mark that was read from a sheet; its place in mm from the upper left corner, y down."""

    value: int
    orientation: Orientation
    place: tuple[float, float]
    turned_rad: float


def overhead(raster):
    """A camera so far above that tiles of every height look the same; y is up on the sheet."""
    rows, columns = raster.gray.shape
    across, down = HIGH_MM * raster.px_mm
    matrix = np.array([[across, 0, -0.5], [0, down, rows - 0.5], [0, 0, 1.0]])
    pose = CameraPose(np.diag([1.0, -1.0, -1.0]), np.array([0.0, 0.0, HIGH_MM + 36.0]))
    return View(pose, Intrinsics(matrix, np.zeros(5), columns, rows))


def read_sheet(raster, marks=MARKS):
    """Every mark on a sheet, as the table's camera would read it on a tile.

    A value counts once on the table, so what has been read is painted over until nothing is left.
    """
    view, mat, tiles = overhead(raster), load_mat(), TileSet()
    gray, read = raster.gray.copy(), []
    while True:
        found = detect(gray, region(view, mat, marks, tiles))
        seen = locate(found, view, mat, marks, tiles)
        if not seen:
            return read
        for tile in seen:
            x, y = tile.pose.x_mm, raster.paper_mm[1] - tile.pose.y_mm
            turned = math.remainder(tile.pose.heading_rad - math.pi / 2, math.pi)
            read.append(Printed(tile.value, tile.orientation, (x, y), turned))
            here, half = np.array((x, y)), np.array(marks.sticker(tile.orientation).sticker_mm) / 2
            (left, top), (right, bottom) = (
                raster.px(here - half - 0.5),
                raster.px(here + half + 0.5),
            )
            gray[round(top) : round(bottom), round(left) : round(right)] = 255


@pytest.fixture(scope="module", params=["A4", "A3", "letter"])
def pdf(request, tmp_path_factory):
    path = tmp_path_factory.mktemp("marks") / "marks.pdf"
    assert main(["print", "marks", "--paper", request.param, "--out", str(path)]) == 0
    return path


def everything(marks=MARKS):
    return sorted((value, o) for value in marks.words for o in Orientation for _ in range(COPIES))


def test_every_value_is_read_twice_in_either_length(pdf):
    (raster,) = pages(pdf, dpi=25.4 * PX_MM)
    read = read_sheet(raster)
    assert sorted((mark.value, mark.orientation) for mark in read) == everything()
    assert max(abs(mark.turned_rad) for mark in read) < 0.002


def test_every_printed_mark_is_the_drawing_that_the_fit_lays_over_it(pdf):
    (coarse,) = pages(pdf, dpi=25.4 * PX_MM)
    (raster,) = pages(pdf, dpi=300)
    read = read_sheet(coarse)
    assert len(read) == len(everything())
    for mark in read:
        sticker = MARKS.sticker(mark.orientation)
        x, y = mark.place
        # Pixels of the body and a little round it; the lines to cut along lie outside.
        left, top = raster.px((x, y) - np.array(sticker.body_mm) / 2 - 0.3)
        right, bottom = raster.px((x, y) + np.array(sticker.body_mm) / 2 + 0.3)
        columns, rows = np.arange(round(left), round(right)), np.arange(round(top), round(bottom))
        along = (columns + 0.5) / raster.px_mm[0] - x
        aside = (rows + 0.5) / raster.px_mm[1] - y
        grid = np.meshgrid(along, aside)
        drawn = 255 * sticker.paint(MARKS.words[mark.value], grid[0], grid[1])
        seen = raster.gray[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1].astype(float)
        # Only pixels on an edge may differ, and half of those.
        edges = cv2.dilate(np.abs(cv2.Laplacian(drawn, cv2.CV_64F)), np.ones((3, 3))) > 0
        assert np.abs(drawn - seen)[~edges].max() < 1
        assert np.abs((drawn - seen)[edges].mean()) < 25


def test_a_body_is_as_long_and_wide_as_it_should_be_to_a_twentieth(pdf):
    (raster,) = pages(pdf, dpi=600)
    dark = (raster.gray < 128).astype(np.uint8)
    contours, _ = cv2.findContours(dark, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    sizes = [cv2.boundingRect(c)[2:] / raster.px_mm for c in contours]
    for sticker in (MARKS.short, MARKS.long):
        here = [s for s in sizes if np.abs(s - sticker.body_mm).max() < 0.5]
        assert len(here) == COPIES * len(MARKS.words)
        assert np.abs(np.array(here) - sticker.body_mm).max() < 0.05


def test_stickers_are_cut_out_with_their_white_rims(pdf):
    (raster,) = pages(pdf)
    (coarse,) = pages(pdf, dpi=25.4 * PX_MM)
    for mark in read_sheet(coarse):
        sticker = MARKS.sticker(mark.orientation)
        x, y = mark.place
        half = np.array(sticker.sticker_mm) / 2
        # Just inside the rim only the cut lines at either end are met, likewise across.
        row = raster.gray[round(raster.px((0, y - half[1] + 0.4))[1])]
        column = raster.gray[:, round(raster.px((x - half[0] + 0.4, 0))[0])]
        for profile, middle, side, axis in ((row, x, half[0], 0), (column, y, half[1], 1)):
            lines = (np.array(strokes(profile)) + 0.5) / raster.px_mm[axis] - middle
            low, high = lines[lines < 0].max(), lines[lines > 0].min()
            assert high - low == pytest.approx(2 * side, abs=0.05)
            assert (high + low) / 2 == pytest.approx(0.0, abs=0.1)


def other_size(tmp_path, **changes):
    data = json.loads(SHIPPED.read_text())
    factor = changes.pop("factor", 1.0)
    for mark in data["marks"].values():
        for name, value in mark.items():
            mark[name] = (np.array(value) * factor).tolist()
        mark |= changes
    path = tmp_path / "other.json"
    path.write_text(json.dumps(data))
    return path


def test_tiles_of_another_size_have_marks_of_another_size(tmp_path):
    own, out = other_size(tmp_path, factor=1.25), tmp_path / "marks.pdf"
    assert main(["print", "marks", "--marks", str(own), "--paper", "A3", "--out", str(out)]) == 0
    marks = load_marks(own)
    assert marks.long.body_mm[0] == pytest.approx(45.4 * 1.25)
    (raster,) = pages(out, dpi=25.4 * PX_MM)
    read = read_sheet(raster, marks)
    assert sorted((mark.value, mark.orientation) for mark in read) == everything(marks)


def test_the_rule_for_all_tiles_gives_the_shipped_marks_for_the_standard_one():
    made = marks_for(STANDARD)
    for one, two in ((made.short, MARKS.short), (made.long, MARKS.long)):
        assert astuple(one)[1:3] == astuple(two)[1:3]
        assert one == replace(two, cell_mm=pytest.approx(two.cell_mm))
    assert made.words == MARKS.words


def test_marks_are_printed_for_the_tiles_one_has(tmp_path):
    out = tmp_path / "marks.pdf"
    words = ["print", "marks", "--tile", "56x28x9", "--paper", "A4", "--out", str(out)]
    assert main(words) == 0
    marks = marks_for(TileSpec(56.0, 28.0, 9.0))
    assert marks.short.sticker_mm == (27.2, 8.3)
    (raster,) = pages(out, dpi=25.4 * PX_MM)
    read = read_sheet(raster, marks)
    assert sorted((mark.value, mark.orientation) for mark in read) == everything(marks)


@pytest.mark.parametrize("size", ["30x15x7", "48x24x5", "40x20x7.5"])
def test_tiles_too_small_for_marks_are_told_so(tmp_path, capsys, size):
    assert main(["print", "marks", "--tile", size, "--out", str(tmp_path / "marks.pdf")]) in (0, 2)
    told = capsys.readouterr().err
    fits = size == "40x20x7.5"
    assert ("no room for marks" in told) is not fits
    assert (tmp_path / "marks.pdf").exists() is fits


@pytest.mark.parametrize(
    "size", ["48", "48x24", "ax24x7", "24x48x7", "48x24x0", "nanxnanxnan", "500x300x90", "0x0x0"]
)
def test_a_size_that_is_none_is_said_in_one_line(tmp_path, capsys, size):
    with pytest.raises(SystemExit) as stop:
        main(["print", "marks", "--tile", size, "--out", str(tmp_path / "marks.pdf")])
    told = capsys.readouterr().err
    assert stop.value.code == 2
    assert "such as 48x24x7.5" in told
    assert "the longest side first, at most 200 mm and none of them 0, got" in told
    assert len(told.splitlines()) == 1


@pytest.mark.parametrize(
    ("changes", "about"),
    [
        ({"factor": 1.6}, "A4 paper is too small"),
        ({"factor": 30.0}, "A4 paper is too small"),
        ({"body": [60.0, 5.2]}, "mark does not fit"),
        ({"window_h": 9.0}, "cells and end walls"),
        ({"cell": 9.0}, "cells and end walls"),
    ],
)
def test_marks_that_cannot_be_printed_are_named(tmp_path, capsys, changes, about):
    own, out = other_size(tmp_path, **changes), tmp_path / "marks.pdf"
    assert main(["print", "marks", "--marks", str(own), "--out", str(out)]) == 2
    told = capsys.readouterr().err
    assert about in told
    assert len(told.splitlines()) == 1
    assert not out.exists()


def test_more_values_than_fit_go_on_the_next_sheet(tmp_path):
    own, out = other_size(tmp_path), tmp_path / "marks.pdf"
    data = json.loads(own.read_text())
    for mark in data["marks"].values():
        mark["sticker"][1] = 30.0
    own.write_text(json.dumps(data))
    assert main(["print", "marks", "--marks", str(own), "--out", str(out)]) == 0
    sheets = pages(out, dpi=25.4 * PX_MM)
    read = [mark for raster in sheets for mark in read_sheet(raster)]
    assert len(sheets) > 1
    assert sorted((mark.value, mark.orientation) for mark in read) == everything()
