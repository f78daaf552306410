import json
import math
import re
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from physics.row.pose import Pose
from physics.row.row_rules import Violation, ViolationKind
from physics.row.tile import Orientation, State, Tile, TileSpec
from physics.rows.notation import read
from rig.cli.main import main
from rig.cli.see import FrameReport, as_json, as_text
from tests.support.photos import held, lens_of
from vision.background.obstructions import Thing
from vision.geometry.camera_pose import CameraPose
from vision.look.score import as_truth
from vision.render.render import default_view, render
from vision.render.scene import Scene, Solid

FRAMES = Path(__file__).parents[2] / "data" / "frames"
TABLE = [str(FRAMES / f"practice_s01_{name}.jpg") for name in ("f0", "f2", "f3")]
CAMERA = str(FRAMES / "practice_s01_f0.json")


def see(capsys, *words):
    assert main(["see", *words]) == 0
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def refused(capsys, *words):
    assert main(["see", *words]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    return err


def test_each_frame_is_told_in_the_order_given(capsys):
    empty, row, fallen = see(capsys, *TABLE, "--camera", CAMERA, "--json")
    assert [Path(f["file"]).name for f in (empty, row, fallen)] == [Path(f).name for f in TABLE]
    assert empty["tiles"] == [] and empty["row"] == {"order": [], "violations": []}
    assert [t["value"] for t in row["tiles"]] == [2, 4, 5, 7, 8, 11, None]
    assert sorted(v for v in row["row"]["order"] if v) == [2, 4, 5, 7, 8, 11]
    assert {t["state"] for t in fallen["tiles"]} == {"fallen"}
    assert len(fallen["tiles"]) == 7


def test_a_tile_is_told_with_all_its_fields_and_its_face_normal(capsys):
    (row,) = see(capsys, TABLE[1], "--camera", CAMERA, "--json")
    truth = json.loads((FRAMES / "practice_s01_f2.json").read_text())
    for tile in row["tiles"]:
        assert set(tile) == {
            "value",
            "x_mm",
            "y_mm",
            "heading_deg",
            "orientation",
            "state",
            "sigma_mm",
            "place_sigma_mm",
            "sigma_deg",
        }
        assert 0.05 < tile["sigma_mm"] <= tile["place_sigma_mm"]
        assert 0 <= tile["heading_deg"] < 180
        if tile["value"] is None:
            continue
        (true,) = [t for t in truth["tiles"] if t["value"] == tile["value"]]
        assert tile["x_mm"] == pytest.approx(true["x"], abs=0.6)
        assert tile["y_mm"] == pytest.approx(true["y"], abs=0.6)
        off = (tile["heading_deg"] - true["heading_deg"] - 90 + 90) % 180 - 90
        assert off == pytest.approx(0, abs=1.5)
        assert tile["orientation"] == true["orientation"]


def test_the_camera_is_told_with_what_it_rests_on(capsys):
    (frame,) = see(capsys, TABLE[0], "--camera", CAMERA, "--json")
    camera, truth = frame["camera"], json.loads(Path(CAMERA).read_text())["camera"]
    assert camera["intrinsics"] == "given"
    assert camera["markers"] == 30 and camera["error_px"] < 1
    assert np.array(camera["R"]) == pytest.approx(np.array(truth["R"]), abs=2e-3)
    assert np.array(camera["t"]) == pytest.approx(np.array(truth["t"]), abs=1.0)


def test_without_a_camera_file_the_lens_is_guessed_and_said_to_be(capsys):
    (_, row) = see(capsys, *TABLE[:2], "--json")
    assert row["camera"]["intrinsics"] == "guessed"
    assert [t["value"] for t in row["tiles"]][:6] == [2, 4, 5, 7, 8, 11]


def test_a_held_row_is_told_while_a_hand_hides_part_of_it(capsys):
    (frame,) = see(capsys, str(FRAMES / "public_s00_f3.jpg"), "--json")
    assert frame["hand_in_view"] and frame["new_tile"] is None


def test_the_empty_table_can_be_shown_by_itself(capsys):
    (row,) = see(capsys, TABLE[1], "--empty", TABLE[0], "--camera", CAMERA, "--json")
    assert [t["value"] for t in row["tiles"]] == [2, 4, 5, 7, 8, 11, None]
    assert row["crowded"] is False


def test_a_picture_of_the_empty_table_without_the_mat_is_named(capsys, tmp_path):
    blank = tmp_path / "blank.png"
    cv2.imwrite(str(blank), np.full((720, 1280, 3), 128, np.uint8))
    assert str(blank) in refused(capsys, TABLE[1], "--empty", str(blank), "--camera", CAMERA)


def test_people_get_one_line_a_frame(capsys):
    assert main(["see", *TABLE, "--camera", CAMERA]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 3
    assert "7 tiles" in lines[1] and "7 lying" in lines[2]


def test_a_file_that_is_not_there_or_no_image_is_named(capsys, tmp_path):
    assert "nowhere.jpg" in refused(capsys, "nowhere.jpg", "--json")
    text = tmp_path / "text.jpg"
    text.write_text("no image")
    assert "text.jpg: is not an image" in refused(capsys, TABLE[0], str(text), "--json")


@pytest.mark.parametrize("extra", [[], ["--camera", CAMERA]])
def test_a_frame_without_a_mat_is_refused_and_nothing_is_written(capsys, tmp_path, extra):
    path = str(tmp_path / "black.png")
    cv2.imwrite(path, np.zeros((1080, 1920, 3), np.uint8))
    assert "mat" in refused(capsys, path, *extra, "--json")
    assert "black.png" in refused(capsys, TABLE[0], path, *extra, "--json")


def test_bad_camera_and_mat_files_are_named_with_their_field(capsys, tmp_path):
    path = tmp_path / "file.json"
    path.write_text('{"K": 1}')
    assert "field K" in refused(capsys, TABLE[0], "--camera", str(path))
    assert "field markers" in refused(capsys, TABLE[0], "--mat", str(path))
    assert "gone.json" in refused(capsys, TABLE[0], "--camera", "gone.json")


def test_a_frame_of_another_shape_than_the_first_is_refused(capsys, tmp_path):
    path = str(tmp_path / "narrow.png")
    cv2.imwrite(path, cv2.imread(TABLE[0])[:, :1440])
    assert "narrow.png: the camera file is for" in refused(capsys, TABLE[0], path)


def test_an_unknown_option_is_refused(capsys):
    with pytest.raises(SystemExit) as left:
        main(["see", TABLE[0], "--frames", "3"])
    assert left.value.code == 2
    assert capsys.readouterr().out == ""


def test_what_cannot_be_scored_is_refused_in_a_sentence(capsys):
    folder = str(FRAMES)
    assert "name no others beside it" in refused(capsys, TABLE[0], "--score", folder)
    assert f"{TABLE[0]} is no folder; give --score one" in refused(capsys, "--score", TABLE[0])


@pytest.mark.parametrize(
    "option", [("--only", "*"), ("--width", "3"), ("--alone",), ("--learn-empty",)]
)
def test_what_only_a_score_heeds_is_refused_without_one(capsys, option):
    words = f"{option[0]} is for `see --score FOLDER`; leave it out to see frames"
    assert words in refused(capsys, TABLE[0], *option)


@pytest.mark.parametrize(
    "option",
    [("--camera", "camera.json"), ("--empty", TABLE[0]), ("--phone",), ("--row",)],
    ids=lambda option: option[0],
)
def test_what_only_named_frames_heed_is_refused_with_a_score(capsys, option):
    words = f"{option[0]} is for `see FRAME`; leave it out to score a folder"
    assert words in refused(capsys, "--score", str(FRAMES), *option)


def test_a_line_tells_the_row_and_then_only_what_there_is_to_tell():
    pose = CameraPose(np.eye(3), np.zeros(3), 0.1, 12)
    up, down, unread = (
        Tile(3, Pose(0, 0, 0), Orientation.VERTICAL),
        Tile(5, Pose(60, 0, 0), None, state=State.FALLEN),
        Tile(None, Pose(90, 0, 0), Orientation.VERTICAL),
    )
    bare = FrameReport("a.jpg", pose, (), False, None, (), ())
    assert as_text(bare) == "a.jpg: 0 tiles; no row"
    far = Violation(ViolationKind.TOO_FAR, (up, replace(up, value=6)))
    full = replace(
        bare, tiles=(up, down), hand_in_view=True, new_tile=unread, row=(3, None), violations=(far,)
    )
    assert as_text(full) == (
        "a.jpg: 2 tiles; 3 ?; 1 lying; new: unread; a hand in view; too_far [3, 6]"
    )
    assert as_text(replace(bare, crowded=True)).endswith(
        "; too much to see: show the empty table with --empty"
    )
    assert as_text(replace(bare, crowded=True), by_hand=True).endswith(
        "; too much to see: clear the mat round the row"
    )
    assert "; new: 3;" in as_text(replace(full, new_tile=up))
    flat = Violation(ViolationKind.FLAT, (replace(down, value=None),))
    beside = Violation(ViolationKind.OVERLAPPING, (up, unread))
    assert as_text(replace(full, violations=(flat, beside))).endswith(
        "; flat [unread]; overlapping [3, unread]"
    )
    book = replace(bare, things=(Thing(420.4, 99.6, 212.3, 148.2, "right"),))
    assert as_text(book).endswith("no row; something 212 × 148 mm lies at the right edge")
    told = as_json(book, default_view()[0], "given")["things"]
    assert told == [{"x_mm": 420, "y_mm": 100, "length_mm": 212, "width_mm": 148, "side": "right"}]


@pytest.fixture(scope="module")
def photos(tmp_path_factory):
    """Two photos by one phone, from two sides: a row, and the same with one tile more."""
    folder = tmp_path_factory.mktemp("photos")
    lens = lens_of(1100.0, (1200, 1600))
    tiles = [
        Solid(Tile(v, Pose(220.0 + 30 * v, 200.0, 0.0), Orientation.VERTICAL)) for v in (1, 2, 3, 4)
    ]
    files = []
    for count, side_rad in ((3, -1.4), (4, -0.6)):
        scene = Scene(tuple(tiles[:count]))
        image = render(scene, lens, held(lens, math.radians(30), side_rad))
        files.append(str(folder / f"{count}.jpg"))
        cv2.imwrite(files[-1], image)
    return files


def test_photos_by_hand_tell_their_own_lens_and_what_is_new(capsys, photos):
    before, after = see(capsys, "--phone", *photos, "--json")
    assert before["camera"]["intrinsics"] == after["camera"]["intrinsics"] == "photo"
    assert before["row"]["order"] in ([1, 2, 3], [3, 2, 1])
    assert before["new_tile"] is None
    assert after["new_tile"]["value"] == 4
    assert after["new_tile"]["x_mm"] == pytest.approx(340.0, abs=0.6)


@pytest.mark.parametrize("other", ["--camera", "--empty"])
def test_what_belongs_to_a_camera_that_hangs_is_refused_for_photos(capsys, other):
    assert f"{other} is for a camera that hangs still" in refused(
        capsys, "--phone", TABLE[1], other, CAMERA
    )


def test_the_row_of_a_frame_is_a_line_that_predict_reads(capsys):
    assert main(["see", TABLE[1], "--camera", CAMERA, "--row"]) == 0
    (line,) = capsys.readouterr().out.splitlines()
    row = read(line)
    (seen,) = see(capsys, TABLE[1], "--camera", CAMERA, "--json")
    assert row.id == Path(TABLE[1]).stem
    placed = {(tile.value, round(tile.pose.x_mm, 1)) for tile in row.chain.tiles}
    assert placed == {(tile["value"], round(tile["x_mm"], 1)) for tile in seen["tiles"]}
    assert row.chain.tiles[0].pose.x_mm < row.chain.tiles[-1].pose.x_mm


def test_a_frame_without_a_row_is_told(capsys):
    assert "no tile stands there" in refused(capsys, TABLE[0], "--camera", CAMERA, "--row")


def test_a_first_frame_of_the_empty_table_has_no_row_to_write(capsys):
    assert main(["see", *TABLE[:2], "--camera", CAMERA, "--row"]) == 0
    (line,) = capsys.readouterr().out.splitlines()
    assert read(line).id == Path(TABLE[1]).stem


def test_no_row_is_written_if_a_later_frame_has_none(capsys):
    said = refused(capsys, *TABLE[1::-1], "--camera", CAMERA, "--row")
    assert f"{TABLE[0]}: no tile stands there" in said


OTHER = TileSpec(56.0, 28.0, 9.0)


@pytest.fixture
def other_tiles(tmp_path):
    """A film of tiles of another size, with truth: the empty table, and five of them on it."""
    lens, pose = default_view()
    row = tuple(
        Tile(value, Pose(180.0 + 35.0 * value, 200.0, 0.1), Orientation.VERTICAL, spec=OTHER)
        for value in range(1, 6)
    )
    camera = {"K": lens.matrix.tolist(), "dist": lens.dist.tolist()}
    files = []
    for n, tiles in enumerate([(), row]):
        name = f"other_f{n}"
        files.append(str(tmp_path / f"{name}.png"))
        cv2.imwrite(files[-1], render(Scene(tuple(map(Solid, tiles))), lens, pose))
        told = {"name": name, "kind": "row", "hand_in_view": False, "camera": camera}
        told["tiles"] = [as_truth(tile, n) for n, tile in enumerate(tiles)]
        told["tile_mm"] = [OTHER.length_mm, OTHER.width_mm, OTHER.thickness_mm]
        (tmp_path / f"{name}.json").write_text(json.dumps(told))
    return files


def test_tiles_of_another_size_are_read_by_the_marks_printed_for_them(other_tiles, capsys):
    words = ["--tile", "56x28x9", "--json"]
    row = see(capsys, *other_tiles, *words)[1]
    assert [tile["value"] for tile in row["tiles"]] == [1, 2, 3, 4, 5]
    taken_for_standard = see(capsys, *other_tiles, *words, "--marks", "standard")[1]
    assert [tile["value"] for tile in taken_for_standard["tiles"]] == [None] * 5


def test_a_score_takes_the_size_of_the_tiles_from_the_truth(other_tiles, capsys):
    assert main(["see", "--score", str(Path(other_tiles[0]).parent), "--json"]) == 0
    score = json.loads(capsys.readouterr().out)
    figures = {figure["name"]: figure["values"] for figure in score["figures"]}
    assert figures["unread"] == [0.0] and figures["marked standing tiles found"] == [1.0]
    assert figures["position of marked, median / p95 mm"][1] < 0.35
    assert figures["exact count without hand"] == [1.0]


def test_a_file_of_marks_that_is_none_is_named(capsys):
    assert "nowhere.json" in refused(capsys, TABLE[0], "--marks", "nowhere.json")


@pytest.fixture
def drawn(tmp_path):
    """Draw a row of standard tiles, and write what becomes of the picture."""
    lens, pose = default_view()
    row = [(v, Pose(150.0 + 50.0 * v, 200.0, 0.1)) for v in (1, 2, 6)]
    solids = tuple(Solid(Tile(value, place, Orientation.VERTICAL)) for value, place in row)
    image = render(Scene(solids), lens, pose)

    def write(name, change=lambda image: image, focal=1.0, aside_px=0):
        path = tmp_path / name
        cv2.imwrite(str(path), change(image.copy()))
        matrix = lens.matrix * np.array([[focal, 1.0, 1.0], [1.0, focal, 1.0], [1.0, 1.0, 1.0]])
        matrix[0, 2] += aside_px
        told = {"K": matrix.tolist(), "dist": lens.dist.tolist(), "width": 1920, "height": 1080}
        path.with_suffix(".json").write_text(json.dumps(told))
        return str(path), "--camera", str(path.with_suffix(".json")), "--json"

    return write


@pytest.mark.parametrize(("focal", "words"), [(0.85, "too short"), (1.15, "too long")])
def test_a_focal_length_that_is_wrong_is_said_with_what_to_do(drawn, capsys, focal, words):
    (seen,) = see(capsys, *drawn("row.png", focal=focal))
    (doubt,) = seen["doubts"]
    assert words in doubt and "calibrate the lens" in doubt
    assert re.search("1[3-8]%", doubt)


def test_a_camera_file_that_fits_is_not_doubted(drawn, capsys):
    (seen,) = see(capsys, *drawn("row.png"))
    assert seen["doubts"] == []


HALVES = {
    "left": np.s_[:, :960],
    "right": np.s_[:, 960:],
    "far": np.s_[:540],
    "near": np.s_[540:],
}


@pytest.mark.parametrize("side", HALVES)
def test_half_a_table_that_is_hidden_is_said(drawn, capsys, side):
    def covered(image):
        image[HALVES[side]] = 60
        return image

    (seen,) = see(capsys, *drawn("half.png", covered))
    assert any(f"the mat's {side} side" in doubt for doubt in seen["doubts"])


def test_a_table_that_is_half_outside_the_picture_is_said(drawn, capsys):
    def moved(image):
        away = np.float64([[1, 0, 500], [0, 1, 0]])
        return cv2.warpAffine(image, away, (1920, 1080), borderValue=(60, 60, 60))

    (seen,) = see(capsys, *drawn("moved.png", moved, aside_px=500))
    assert any("outside the picture" in doubt for doubt in seen["doubts"])


GREY = cv2.COLOR_BGR2GRAY
DEPTHS = {
    "grey16.png": lambda image: cv2.cvtColor(image, GREY).astype(np.uint16) * 257,
    "grey12.png": lambda image: cv2.cvtColor(image, GREY).astype(np.uint16) * 16,
    "colour16.png": lambda image: image.astype(np.uint16) * 257,
    "clear.png": lambda image: cv2.cvtColor(image, cv2.COLOR_BGR2BGRA),
    "36 megapixels.jpg": lambda image: cv2.resize(image, (8000, 4500)),
}


@pytest.mark.parametrize("name", DEPTHS)
def test_pictures_of_every_depth_and_size_are_read_alike(drawn, capsys, name):
    (seen,) = see(capsys, *drawn(name, DEPTHS[name]))
    assert [tile["value"] for tile in seen["tiles"]] == [1, 2, 6]


def test_a_score_without_truth_says_what_is_missing(drawn, capsys, tmp_path):
    (tmp_path / "frames").mkdir()
    Path(drawn("row.png")[0]).rename(tmp_path / "frames" / "row.png")
    words = refused(capsys, "--score", str(tmp_path / "frames"))
    assert "what really stands there" in words
