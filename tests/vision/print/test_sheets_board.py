"""The printed board, tag and ruler, read back from their PDF; and what cannot be printed."""

import os

import cv2
import numpy as np
import pytest
from reportlab.pdfbase.pdfmetrics import getFont, stringWidth

from rig.cli.main import main
from tests.support.rasterise import markers, pages, rigid, strokes
from tests.support.words import LANGUAGES
from vision.calibrate.lens_fit import see_board
from vision.geometry.camera_pose import CameraPose
from vision.geometry.charuco import BOARD
from vision.geometry.lens import Intrinsics
from vision.print.paper import PAPERS, SHEET, BadSheet, Paper, Text, font
from vision.print.sheets import WHAT, draw, paper_of
from vision.print.sheets_board import board_sheets, tag_sheets
from vision.pusher_tag.tag import TAG, find_tag
from web.content.words import speaker


def printed(tmp_path, what, paper):
    out = tmp_path / "sheet.pdf"
    assert main(["print", what, "--paper", paper, "--out", str(out)]) == 0
    return pages(out)


@pytest.mark.parametrize("paper", PAPERS)
def test_every_corner_of_the_board_is_where_it_should_be(tmp_path, paper):
    (raster,) = printed(tmp_path, "charuco", paper)
    board = BOARD.opencv()
    corners, ids, _, marker_ids = cv2.aruco.CharucoDetector(board).detectBoard(raster.gray)
    assert sorted(np.ravel(ids).tolist()) == list(range(BOARD.corner_count))
    assert len(marker_ids) == len(board.getIds())
    there = board.getChessboardCorners()[np.ravel(ids), :2] * (1, -1)
    miss, turn = rigid(there, raster.mm(corners.reshape(-1, 2)))
    assert miss < 0.05
    assert np.linalg.det(turn) > 0


@pytest.mark.parametrize("paper", PAPERS)
def test_the_board_has_white_round_it(tmp_path, paper):
    (raster,) = printed(tmp_path, "charuco", paper)
    board = BOARD.opencv()
    found, *_ = cv2.aruco.CharucoDetector(board).detectBoard(raster.gray)
    corners = raster.mm(found.reshape(-1, 2))
    low, high = corners.min(axis=0) - 25.0, corners.max(axis=0) + 25.0
    for side, edge in ((0, low), (0, high), (1, low), (1, high)):
        place = edge[side] + (2.0 if edge is high else -2.0)
        span = [round(v) for v in (raster.px(low)[1 - side], raster.px(high)[1 - side])]
        line = round(raster.px((place, place))[side])
        profile = raster.gray[slice(*span), line] if side == 0 else raster.gray[line, slice(*span)]
        assert profile.min() == 255


@pytest.mark.parametrize("paper", PAPERS)
def test_the_tag_is_found_with_its_id_and_size_and_one_to_spare(tmp_path, paper):
    (raster,) = printed(tmp_path, "pusher-tag", paper)
    found = markers(raster.gray, TAG.dictionary)
    assert [marker for marker, _ in found] == [TAG.marker] * 2
    for _, corners in found:
        here = raster.mm(corners)
        sides = np.linalg.norm(here - np.roll(here, 1, axis=0), axis=1)
        assert np.abs(sides - TAG.side_mm).max() < 0.05
        # Its upper edge is up on the sheet, where the arrow is.
        assert here[0, 1] == pytest.approx(here[1, 1], abs=0.02)
        assert here[0, 1] < here[3, 1]
        middle = here.mean(axis=0)
        row = raster.gray[round(raster.px((0, here[3, 1] + 2.0))[1])]
        lines = np.array([raster.mm((column, 0))[0] for column in strokes(row)]) - middle[0]
        cut = lines[np.abs(lines) < TAG.paper_mm]
        assert np.abs(cut - TAG.paper_mm / 2).min() < 0.05
        assert np.abs(cut + TAG.paper_mm / 2).min() < 0.05


def test_the_rig_itself_reads_the_board(tmp_path):
    (raster,) = printed(tmp_path, "charuco", "A4")
    picture = see_board(raster.gray, BOARD, "the print")
    assert len(picture.points.points_mm) == BOARD.corner_count


def test_the_rig_itself_finds_the_tag_and_the_way_it_pushes(tmp_path):
    (raster,) = printed(tmp_path, "pusher-tag", "A4")
    rows, columns = raster.gray.shape
    across, down = 1000.0 * raster.px_mm
    # A camera straight above the left half of the sheet, which lies as high as the tag will.
    lens = np.array([[across, 0, -0.5], [0, down, rows - 0.5], [0, 0, 1.0]])
    pose = CameraPose(np.diag([1.0, -1.0, -1.0]), np.array([0.0, 0.0, 1000.0 + TAG.height_mm]))
    raster.gray[:, columns // 2 :] = 255
    seen = find_tag(raster.gray, pose, Intrinsics(lens, np.zeros(5), columns, rows))
    assert seen.pose.heading_rad == pytest.approx(np.pi / 2, abs=0.002)
    assert seen.pose.x_mm == pytest.approx(210 / 2 - 65 / 2, abs=0.05)
    assert seen.miss_mm < 0.05


@pytest.mark.parametrize("what", WHAT)
@pytest.mark.parametrize("paper", PAPERS)
def test_the_ruler_of_every_sheet_is_a_hundred_millimetres(tmp_path, what, paper):
    for raster in printed(tmp_path, what, paper):
        # Three millimetres above its base only the lines of the whole centimetres reach.
        row = raster.gray[round(raster.px((0, raster.paper_mm[1] - 15.0))[1])]
        lines = np.array([raster.mm((column, 0))[0] for column in strokes(row)])[:11]
        assert np.abs(lines - lines[0] - np.arange(0, 101, 10)).max() < 0.03


@pytest.mark.parametrize("what", WHAT)
@pytest.mark.parametrize("paper", PAPERS)
def test_everything_to_be_measured_keeps_off_the_edge_where_printers_do_not_print(what, paper):
    for sheet in draw(what, PAPERS[paper], speaker("en", "sheets")):
        for shape in sheet.shapes:
            for x, y in (p for o in getattr(shape, "outlines", ()) for p in o):
                assert 7.9 <= x <= sheet.paper.width_mm - 7.9
                assert 7.9 <= y <= sheet.paper.height_mm - 7.9


def test_the_same_sheets_give_the_same_file(tmp_path):
    for name in ("one.pdf", "two.PDF", "three"):
        assert main(["print", "pusher-tag", "--out", str(tmp_path / name)]) == 0
    assert len({path.read_bytes() for path in tmp_path.iterdir()}) == 1


def test_viewers_are_told_not_to_scale(tmp_path):
    assert main(["print", "pusher-tag", "--out", str(tmp_path / "tag.pdf")]) == 0
    assert b"/PrintScaling /None" in (tmp_path / "tag.pdf").read_bytes()


def test_nothing_is_drawn_as_an_image(tmp_path):
    for what in WHAT:
        assert main(["print", what, "--out", str(tmp_path / "sheet.pdf")]) == 0
        assert b"/XObject" not in (tmp_path / "sheet.pdf").read_bytes()


def test_without_a_name_the_file_says_what_it_is(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert main(["print", "pusher-tag", "--paper", "a4"]) == 0
    assert [path.name for path in tmp_path.iterdir()] == ["domino-pusher-tag-A4.pdf"]
    told = capsys.readouterr().out
    assert "A4 paper, sheets: 1." in told
    assert "100 %" in told
    assert "100.0 mm" in told


@pytest.mark.parametrize(
    ("words", "about"),
    [
        (["mat", "--paper", "A0"], "no paper is called A0; choose one of A4, A3, letter"),
        (["poster"], "poster"),
        ([], "WHAT"),
        (["mat", "--mat", "/none.json"], "/none.json: cannot be read"),
        (["marks", "--marks", "/none.json"], "/none.json"),
        (["mat", "--tile", "56x28x9"], "--tile is for `print marks`; leave it out to print mat"),
        (["charuco", "--mat", "/none.json"], "--mat is for `print mat`"),
        (["mat", "--out", "m.svg"], "--out m.svg: expected a name that ends in .pdf"),
        (["marks", "--marks", "m.json", "--tile", "56x28x9"], "not allowed with"),
    ],
)
def test_what_cannot_be_printed_is_said_in_one_line(tmp_path, monkeypatch, capsys, words, about):
    monkeypatch.chdir(tmp_path)
    try:
        code = main(["print", *words])
    except SystemExit as stop:
        code = stop.code
    told = capsys.readouterr().err
    assert code == 2
    assert about in told
    assert len(told.splitlines()) == 1
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["none/tag.pdf", "folder"])
def test_a_file_that_cannot_be_written_is_named_and_nothing_is_left(tmp_path, capsys, name):
    (tmp_path / "folder").mkdir()
    assert main(["print", "pusher-tag", "--out", str(tmp_path / name)]) == 2
    told = capsys.readouterr().err
    assert f"{tmp_path / name}: cannot be written" in told
    assert len(told.splitlines()) == 1
    assert [path.name for path in tmp_path.rglob("*")] == ["folder"]


def test_a_disk_that_fills_up_leaves_the_old_file_as_it_was(tmp_path, monkeypatch, capsys):
    out = tmp_path / "tag.pdf"
    out.write_bytes(b"the old one")

    def full(self, data):
        with open(self, "wb") as file:
            file.write(data[:100])
        raise OSError(28, os.strerror(28))

    monkeypatch.setattr("pathlib.Path.write_bytes", full)
    assert main(["print", "pusher-tag", "--out", str(out)]) == 2
    assert "No space left on device" in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == ["tag.pdf"]
    with open(out, "rb") as file:
        assert file.read() == b"the old one"


def test_a_board_or_tag_larger_than_the_paper_is_refused():
    tiny = Paper("A6", 105.0, 148.0)
    for sheets in (board_sheets, tag_sheets):
        with pytest.raises(BadSheet, match="A6 paper is too small"):
            sheets(tiny, speaker("en", "sheets"))


def test_paper_is_named_in_large_or_small_letters():
    assert paper_of("LETTER") == paper_of("letter") == PAPERS["letter"]


SPILL_MM = 1.0
"""So far beyond the margin may the numbers at the ends of the ruler stand."""


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("paper", [*PAPERS.values()], ids=lambda paper: paper.name)
def test_every_word_of_every_sheet_lies_on_the_paper_and_its_type_has_its_letters(lang, paper):
    say, wrong = speaker(lang, "sheets"), []
    for sheet in (sheet for what in WHAT for sheet in draw(what, paper, say)):
        for text in (shape for shape in sheet.shapes if isinstance(shape, Text)):
            name = font(text.bold)
            long = stringWidth(text.words, name, text.size_mm)
            before = {"left": 0.0, "middle": 0.5, "right": 1.0}[text.align] * long
            start = text.place[text.upwards] - before
            room = sheet.paper.height_mm if text.upwards else sheet.paper.width_mm
            least = SHEET.margin_mm - SPILL_MM
            if not text.words or start < least or start + long > room - least:
                wrong.append((text.words, round(start + long - room + least, 1)))
            glyphs = getFont(name).face.charToGlyph
            wrong += [letter for letter in text.words if ord(letter) not in glyphs]
    assert wrong == []
