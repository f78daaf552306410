"""The printed mat, read back from its PDF by the detectors that will see it on the table."""

import json

import cv2
import numpy as np
import pytest

from rig.cli.main import main
from tests.support.rasterise import pages, rigid, strokes
from vision.geometry.camera_pose import find_pose, project
from vision.geometry.mat import SHIPPED_MAT, find_markers, load_mat
from vision.print.paper import PAPERS
from vision.render.render import default_view

MAT = load_mat()
PIECES = {
    "A4": MAT.strips,
    "A3": MAT.strips,
    "letter": [
        piece
        for ids in MAT.strips
        for ids in [sorted(ids, key=lambda i: MAT.corners_mm[i].mean(axis=0).sum())]
        for piece in (ids[:3], ids[3:])
    ],
}


def printed(tmp_path_factory, name, *options):
    path = tmp_path_factory.mktemp("mat") / "mat.pdf"
    assert main(["print", "mat", "--paper", name, "--out", str(path), *options]) == 0
    return pages(path)


@pytest.fixture(scope="module", params=["A4", "A3", "letter"])
def sheets(request, tmp_path_factory):
    return request.param, printed(tmp_path_factory, request.param)


@pytest.fixture(scope="module")
def seen(sheets):
    """Every marker: the sheet it is on and its corners in mm."""
    found = {}
    for n, sheet in enumerate(sheets[1]):
        view = find_markers(sheet.gray, MAT)
        for marker, corners in zip(view.ids, view.corners_px, strict=True):
            assert marker not in found
            found[marker] = (n, sheet.mm(corners))
    return found


def test_every_marker_is_printed_once(seen):
    assert sorted(seen) == list(range(30))


def test_the_pages_have_the_size_of_the_paper(sheets):
    name, rasters = sheets
    sides = (PAPERS[name].height_mm, PAPERS[name].width_mm)
    assert all(np.allclose(raster.paper_mm, sides, atol=0.01) for raster in rasters)


def test_the_plan_shows_no_marker(sheets, seen):
    assert len(sheets[1]) - 1 not in {n for n, _ in seen.values()}


def test_every_piece_has_its_markers_where_they_belong_to_a_twentieth_of_a_millimetre(sheets, seen):
    for ids in PIECES[sheets[0]]:
        assert len({seen[i][0] for i in ids}) == 1
        there = np.concatenate([MAT.corners_mm[i] for i in ids])
        here = np.concatenate([seen[i][1] for i in ids])
        miss, turn = rigid(there, here)
        assert miss < 0.05
        assert np.linalg.det(turn) > 0


def test_a_strip_is_cut_thirty_millimetres_deep_with_its_markers_in_the_middle(sheets, seen):
    for ids in PIECES[sheets[0]]:
        sheet = sheets[1][seen[ids[0]][0]]
        corners = seen[ids[0]][1]
        middle = corners.mean(axis=0)
        # A column beside the marker, where nothing else is.
        column = sheet.gray[:, round(sheet.px((corners[:, 0].min() - 4.0, 0))[0])]
        rows = np.array([sheet.mm((0, row))[1] for row in strokes(column)])
        above = rows[rows < middle[1] - 13].max()
        below = rows[rows > middle[1] + 13].min()
        assert below - above == pytest.approx(30.0, abs=0.05)
        assert (below + above) / 2 == pytest.approx(middle[1], abs=0.05)


def test_two_pieces_of_a_strip_meet_where_the_flap_begins(sheets, seen):
    name, rasters = sheets
    joined = 0
    for one, two in zip(PIECES["letter"][::2], PIECES["letter"][1::2], strict=True):
        ends = []
        for marker, way in ((one[-1], 1), (two[0], -1)):
            sheet = rasters[seen[marker][0]]
            corners = seen[marker][1]
            # Half a millimetre above the lower cut line only lines across it are met.
            row = sheet.gray[round(sheet.px((0, corners[:, 1].max() + 2.5))[1])]
            columns = np.array([sheet.mm((column, 0))[0] for column in strokes(row)])
            edge = corners[:, 0].max() if way > 0 else corners[:, 0].min()
            beyond = columns[way * (columns - edge) > 0]
            ends.append(np.sort(np.abs(beyond - edge)))
        if name != "letter":
            continue
        joined += 1
        assert ends[0][0] + ends[1][0] == pytest.approx(36.0, abs=0.05)
        assert ends[0][1] - ends[0][0] == pytest.approx(8.0, abs=0.05)
    assert joined == (6 if name == "letter" else 0)


def test_the_camera_finds_itself_over_the_mat_that_was_printed(sheets, seen):
    name, rasters = sheets
    intrinsics, pose = default_view()
    scale = 4.0
    table = np.full((int(500 * scale), int(680 * scale)), 120, np.uint8)
    for ids in PIECES[name]:
        there = np.concatenate([MAT.corners_mm[i] for i in ids])
        sheet = rasters[seen[ids[0]][0]]
        here = sheet.px(np.concatenate([seen[i][1] for i in ids]))
        canvas = (there * (1, -1) + (40, 460)) * scale
        warp, _ = cv2.estimateAffine2D(here, canvas)
        laid = cv2.warpAffine(
            sheet.gray, warp, table.shape[::-1], flags=cv2.INTER_AREA, borderValue=0
        )
        low, high = canvas.min(axis=0) - 12, canvas.max(axis=0) + 12
        rows, columns = slice(int(low[1]), int(high[1])), slice(int(low[0]), int(high[0]))
        table[rows, columns] = laid[rows, columns]
    plane = np.array([(0, 0, 0), (600, 0, 0), (600, 420, 0), (0, 420, 0)], float)
    canvas = (plane[:, :2] * (1, -1) + (40, 460)) * scale
    image = project(plane, pose, intrinsics)
    warp = cv2.getPerspectiveTransform(canvas.astype(np.float32), image.astype(np.float32))
    view = cv2.warpPerspective(
        table, warp, (intrinsics.width, intrinsics.height), flags=cv2.INTER_AREA, borderValue=120
    )
    found = find_pose(view, intrinsics, MAT)
    assert found.markers == 30
    assert np.linalg.norm(found.centre_mm - pose.centre_mm) < 3.0


def test_a_mat_of_ones_own_is_printed_with_its_own_sizes(tmp_path_factory, tmp_path):
    data = json.loads(SHIPPED_MAT.read_text())
    for marker in data["markers"].values():
        middle = np.mean(marker, axis=0)
        marker[:] = (middle + (np.array(marker) - middle) * 20 / 24).tolist()
    data["dictionary"] = "DICT_5X5_50"
    own = tmp_path / "own.json"
    own.write_text(json.dumps(data))
    (sheet, *_) = printed(tmp_path_factory, "A4", "--mat", str(own))
    view = find_markers(sheet.gray, load_mat(own))
    assert set(view.ids) >= set(range(10))
    sides = np.linalg.norm(np.diff(sheet.mm(view.corners_px), axis=1), axis=2)
    assert np.abs(sides - 20.0).max() < 0.05


@pytest.mark.parametrize(
    ("change", "about"),
    [
        ({"sheets": []}, "field sheets is missing"),
        ({"sheets": [{"ids": [0, 1, 2, 3, 4]}]}, "field x is missing"),
        ({"sheets": [{"ids": [0, 1], "x": [0, "a"], "y": [0, 30]}]}, "field x must hold 2 numbers"),
        ({"sheets": [{"ids": [77], "x": [0, 300], "y": [0, 30]}]}, "77"),
        ({"sheets": [{"ids": [], "x": [0, 300], "y": [0, 30]}]}, "no markers"),
        ({"sheets": [{"ids": [0, 1], "x": [9, 9], "y": [0, 30]}]}, "markers outside"),
    ],
)
def test_a_mat_that_cannot_be_printed_is_named(tmp_path, capsys, change, about):
    own = tmp_path / "own.json"
    own.write_text(json.dumps(json.loads(SHIPPED_MAT.read_text()) | change))
    out = tmp_path / "mat.pdf"
    assert main(["print", "mat", "--mat", str(own), "--out", str(out)]) == 2
    told = capsys.readouterr().err
    assert str(own) in told
    assert about in told
    assert len(told.splitlines()) == 1
    assert not out.exists()


def enlarged(tmp_path, factor):
    data = json.loads(SHIPPED_MAT.read_text())
    for marker, corners in data["markers"].items():
        data["markers"][marker] = (np.array(corners) * factor).tolist()
    for entry in (data["work_area"], *data["sheets"]):
        entry |= {side: (np.array(entry[side]) * factor).tolist() for side in "xy"}
    own = tmp_path / "large.json"
    own.write_text(json.dumps(data))
    return own


@pytest.mark.parametrize(("factor", "paper"), [(6.0, "A4"), (9.0, "A3"), (14.0, "A3")])
def test_paper_that_is_too_small_is_said(tmp_path, capsys, factor, paper):
    own, out = enlarged(tmp_path, factor), tmp_path / "mat.pdf"
    words = ["print", "mat", "--mat", str(own), "--paper", paper, "--out", str(out)]
    assert main(words) == 2
    told = capsys.readouterr().err
    assert f"{paper} paper is too small" in told
    assert "choose larger paper" in told
    assert not out.exists()


def test_strips_of_a_large_mat_are_split_into_as_many_pieces_as_it_needs(tmp_path):
    own, out = enlarged(tmp_path, 3.0), tmp_path / "mat.pdf"
    assert main(["print", "mat", "--mat", str(own), "--paper", "A4", "--out", str(out)]) == 0
    mat = load_mat(own)
    ids = [i for sheet in pages(out, dpi=100) for i in find_markers(sheet.gray, mat).ids]
    assert sorted(ids) == list(range(30))
