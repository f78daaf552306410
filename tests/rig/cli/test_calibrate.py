import json
import math
from pathlib import Path

import cv2
import numpy as np
import pytest

from physics.row.pose import Pose
from physics.row.tile import Orientation, Tile
from rig.cli.main import main
from tests.support.faulty_camera import Sensor, render
from vision.calibrate.mat_survey import moved, settled
from vision.geometry.camera_pose import CameraPose
from vision.geometry.charuco import BOARD
from vision.geometry.lens import load_intrinsics
from vision.geometry.mat import load_mat
from vision.render.render import view_from
from vision.render.scene import Scene, Solid

MAT = load_mat()
TRUE = moved(MAT, np.array([[0.7, -0.7, 0.008], [-0.9, 0.4, -0.008]] * 3))
FOCAL_PX = 1520.0
SENSOR = Sensor(noise=2.0)


def camera(tilt_deg, side, scale=1.75):
    return view_from(math.radians(tilt_deg), side, FOCAL_PX, scale)


def write(path, image):
    path.parent.mkdir(exist_ok=True)
    cv2.imwrite(str(path), image, [cv2.IMWRITE_JPEG_QUALITY, 92])


@pytest.fixture(scope="module")
def shots(tmp_path_factory):
    """Pictures of the askew mat from four sides, of the board, and of a row with the pusher."""
    folder = tmp_path_factory.mktemp("shots")
    for n in range(4):
        view = camera(20, n * math.pi / 2)
        scene = Scene(table="wood", seed=n)
        write(folder / "mat" / f"m{n}.jpg", render(scene, *view, SENSOR, mat=TRUE))
    lens = camera(10, 1.0)
    width, height = BOARD.size_mm
    for n in range(4):
        tilt = math.radians(25)
        turn = cv2.Rodrigues(np.array([math.cos(1.6 * n), math.sin(1.6 * n), 0.0]) * tilt)[0]
        depth = FOCAL_PX / 3.8
        middle = np.array([40.0 * (-1) ** n, 0.0, depth])
        pose = CameraPose(turn, middle - turn @ np.array([width / 2, height / 2, 0.0]))
        write(folder / "board" / f"b{n}.jpg", render(Scene(), *lens, SENSOR, board=pose))
    tiles = tuple(
        Solid(Tile(value, Pose(250.0 + 20 * n, 200.0, 0.0), Orientation.VERTICAL))
        for n, value in enumerate((4, 6, 8))
    )
    scene = Scene(solids=tiles, pusher=Pose(190.0, 204.0, 0.1))
    write(folder / "row" / "r.jpg", render(scene, *camera(12, 1.0, 2.0), SENSOR))
    truth = {
        "K": lens[0].matrix.tolist(),
        "dist": lens[0].dist.tolist(),
        "width": 1920,
        "height": 1080,
    }
    (folder / "camera.json").write_text(json.dumps(truth))
    return folder


def said(capsys, *words):
    code = main(["calibrate", *map(str, words)])
    return code, capsys.readouterr()


def test_lens_then_survey_then_a_mat_file_that_see_can_use(shots, tmp_path, capsys):
    code, out = said(
        capsys, "lens", shots / "board", "--device", "cam 1", "--focus", 30,
        "--folder", tmp_path, "--json",
    )  # fmt: skip
    told = json.loads(out.out)
    assert code == 0
    assert told["K"][0][0] == pytest.approx(FOCAL_PX, rel=0.003)
    assert (told["device"], told["focus"], told["pictures"]) == ("cam 1", 30, 4)
    lens_file = Path(told["file"])
    assert load_intrinsics(lens_file).width == 1920

    mat_file = tmp_path / "mat.json"
    code, out = said(capsys, "survey", shots / "mat", "--camera", lens_file, "--out", mat_file)
    assert code == 0
    assert "10 to 14" in out.out and "use it with --mat" in out.out
    there, found = settled(TRUE, MAT), load_mat(mat_file)
    assert max(np.abs(found.corners_mm[i] - there.corners_mm[i]).max() for i in range(30)) < 0.1
    assert main(["see", str(shots / "mat" / "m0.jpg"), "--camera", str(lens_file),
                 "--mat", str(mat_file), "--json"]) == 0  # fmt: skip
    assert json.loads(capsys.readouterr().out)["camera"]["error_px"] < 0.3


def test_the_lens_is_told_in_words_and_pictures_left_out_are_named(shots, tmp_path, capsys):
    board = sorted((shots / "board").iterdir())
    code, out = said(capsys, "lens", *board, shots / "row" / "r.jpg", "--folder", tmp_path)
    assert code == 0
    assert "focal length 15" in out.out
    assert "left out: r.jpg: shows 0 of the board's 48 corners" in out.out


def test_the_mat_alone_gives_the_lens(shots, tmp_path, capsys):
    code, out = said(capsys, "lens", "--of", "mat", shots / "mat", "--folder", tmp_path, "--json")
    told = json.loads(out.out)
    assert code == 0
    assert told["source"] == "mat"
    assert told["K"][0][0] == pytest.approx(FOCAL_PX, rel=0.003)


def test_too_few_pictures_are_said_in_one_sentence(shots, tmp_path, capsys):
    code, out = said(capsys, "lens", shots / "board" / "b0.jpg", "--folder", tmp_path)
    assert code == 2
    assert "only 1 usable picture, at least 4 are needed" in out.err
    assert list(tmp_path.iterdir()) == []
    code, out = said(capsys, "survey", shots / "mat" / "m0.jpg", "--camera", shots / "camera.json")
    assert code == 2
    assert "only 1 picture of the mat" in out.err and "m0.jpg 30" in out.err


def test_a_folder_without_pictures_is_said(tmp_path, capsys):
    code, out = said(capsys, "lens", tmp_path, "--folder", tmp_path)
    assert code == 2
    assert "no pictures" in out.err and str(tmp_path) in out.err


def test_the_pusher_is_told_where_to_go(shots, capsys):
    code, out = said(
        capsys, "pusher", shots / "row" / "r.jpg", "--camera", shots / "camera.json", "--json"
    )
    told = json.loads(out.out)
    assert code == 0
    assert told["end_tile"] == 4
    assert told["forward_mm"] == pytest.approx(14.45, abs=0.5)
    assert told["left_mm"] == pytest.approx(-8.0, abs=0.5)
    assert told["turn_deg"] == pytest.approx(-5.73, abs=0.4)
    assert told["words"].startswith("Move the pusher 14 mm towards the row and 8 mm to the right")


def test_without_a_pusher_it_is_said_what_to_do(shots, capsys):
    code, out = said(capsys, "pusher", shots / "mat" / "m0.jpg", "--camera", shots / "camera.json")
    assert code == 2
    assert "the pusher's tag is not in view" in out.err


@pytest.mark.parametrize("ruler", ["80", "ten", "nan"])
def test_a_ruler_that_cannot_be_is_refused(shots, capsys, ruler):
    with pytest.raises(SystemExit) as left:
        said(capsys, "survey", shots / "mat", "--camera", shots / "camera.json", "--ruler", ruler)
    assert left.value.code == 2


@pytest.mark.parametrize(("option", "value"), [("--focus", "nan"), ("--focus", "-3")])
def test_a_focus_that_cannot_be_is_refused(shots, capsys, option, value):
    with pytest.raises(SystemExit) as left:
        said(capsys, "lens", shots / "board", option, value)
    assert left.value.code == 2
