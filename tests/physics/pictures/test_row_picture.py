"""A row from above: to scale, coloured by its chances, readable as XML by any viewer."""

import io
import math
from dataclasses import replace
from xml.etree import ElementTree

import pytest
from PIL import Image

import physics.pictures.svg as svg_module
from physics.errors import PhysicsError
from physics.pictures.row_picture import CLASSES, colour, row_picture
from physics.pictures.svg import bitmap
from physics.predict.extrapolation import outside
from physics.predict.hazard import usual
from physics.predict.predict import JointChance, Prediction
from physics.rows import notation

NAME = "{http://www.w3.org/2000/svg}"
ROW = notation.read("3v@0,0,0;5h@30,4,10;?v@52,10,20;id=bent%20%26%20%3C3")


def answer(*chances, extrapolated=()):
    ends = (3, 5, None, 7, 8)
    joints = tuple(JointChance(a, b, p) for a, b, p in zip(ends, ends[1:], chances, strict=False))
    weak = min(joints, key=lambda joint: joint.p)
    p = math.prod(chances)
    return Prediction(p, p / 2, 0.97, p > 0.5, joints, (weak.start, weak.end), 12, extrapolated,
                      1.0, 0.01)  # fmt: skip


def shapes(svg, tag, kind):
    return [e for e in ElementTree.fromstring(svg).iter(NAME + tag) if e.get("class") == kind]


def corners(shape):
    return [tuple(map(float, corner.split(","))) for corner in shape.get("points").split()]


def words(svg):
    return ["".join(e.itertext()) for e in ElementTree.fromstring(svg).iter(NAME + "text")]


def test_tiles_are_drawn_to_one_scale_where_they_stand_y_up():
    tiles = [
        corners(shape) for shape in shapes(row_picture(ROW, answer(0.9, 0.6)), "polygon", "tile")
    ]
    centres = [[sum(side) / 4 for side in zip(*tile, strict=True)] for tile in tiles]
    scale = math.dist(tiles[0][0], tiles[0][1]) / 24.0
    assert math.dist(tiles[1][0], tiles[1][1]) == pytest.approx(48.0 * scale, abs=0.2)
    assert math.dist(tiles[2][1], tiles[2][2]) == pytest.approx(7.5 * scale, abs=0.2)
    assert centres[2][0] - centres[0][0] == pytest.approx(52.0 * scale, abs=0.2)
    assert centres[2][1] - centres[0][1] == pytest.approx(-10.0 * scale, abs=0.2)


def test_the_scale_bar_is_as_long_as_it_says():
    svg = row_picture(ROW, answer(0.9, 0.6))
    (tile, *_) = (corners(shape) for shape in shapes(svg, "polygon", "tile"))
    (bar,) = shapes(svg, "path", "rule")
    way = bar.get("d").split()
    length = float(way[3].lstrip("H")) - float(way[2].lstrip("M").split(",")[0])
    (said,) = [float(w.removesuffix(" mm")) for w in words(svg) if w.endswith(" mm")]
    assert length / said == pytest.approx(math.dist(tile[0], tile[1]) / 24.0, rel=0.02)


def test_each_joint_has_the_colour_of_its_chance_and_the_legend_names_all_colours():
    svg = row_picture(ROW, answer(0.93, 0.6))
    joints = [shape.get("fill") for shape in shapes(svg, "polygon", "joint")]
    assert joints == [colour(0.93), colour(0.6)] == ["#22a884", "#414487"]
    legend = {shape.get("fill") for shape in shapes(svg, "rect", "joint")}
    assert legend == {shade for _, _, shade in CLASSES}
    assert set(words(svg)) >= {said for _, said, _ in CLASSES}


def test_the_weakest_joint_is_framed_and_told_with_its_chance():
    svg = row_picture(ROW, answer(0.93, 0.6))
    (frame,) = shapes(svg, "polygon", "mark")
    middle = [sum(side) / 4 for side in zip(*corners(frame), strict=True)]
    joints = [corners(shape) for shape in shapes(svg, "polygon", "joint")]
    centres = [[sum(side) / 4 for side in zip(*joint, strict=True)] for joint in joints]
    assert math.dist(middle, centres[1]) < 10 < math.dist(middle, centres[0])
    assert any("weakest joint 5 to ?: 60 %" in said for said in words(svg))


@pytest.mark.parametrize("heading", range(0, 360, 45))
@pytest.mark.parametrize("gap", [8, 30, 90])
def test_the_frame_and_what_is_said_leave_all_other_words_free(heading, gap):
    c, s = math.cos(math.radians(heading)), math.sin(math.radians(heading))
    ends = (0, gap, gap + 20)
    line = ";".join(f"{i}v@{end * c:.2f},{end * s:.2f},{heading}" for i, end in enumerate(ends))
    svg = row_picture(notation.read(line), answer(0.6, 0.93))
    (frame,), (tag,) = shapes(svg, "polygon", "mark"), shapes(svg, "rect", "tag")
    left, top = float(tag.get("x")), float(tag.get("y"))
    right, bottom = left + float(tag.get("width")), top + float(tag.get("height"))
    ys = [y for _, y in corners(frame)]
    legend = min(float(rect.get("y")) for rect in shapes(svg, "rect", "joint"))
    assert min(top, *ys) > 98 and max(bottom, *ys) < legend - 20
    (push,) = (e for e in shapes(svg, "text", "push"))
    x, y = float(push.get("x")), float(push.get("y"))
    start = x - {"start": 0, "middle": 18, "end": 36}[push.get("text-anchor")]
    assert not (left < start + 36 and start < right and top < y and y - 12 < bottom)
    edges = list(zip(corners(frame), corners(frame)[1:] + corners(frame)[:1], strict=True))
    along = [(a + (b - a) * t / 50, c + (d - c) * t / 50)
             for (a, c), (b, d) in edges for t in range(50)]  # fmt: skip
    assert not any(start < px < start + 36 and y - 11 < py < y for px, py in along)


def test_what_is_said_of_the_weakest_joint_covers_no_tile():
    svg = row_picture(ROW, answer(0.93, 0.6))
    (tag,) = shapes(svg, "rect", "tag")
    left, top = float(tag.get("x")), float(tag.get("y"))
    right, bottom = left + float(tag.get("width")), top + float(tag.get("height"))
    for tile in shapes(svg, "polygon", "tile"):
        assert not any(left < x < right and top < y < bottom for x, y in corners(tile))


def test_the_chance_with_its_interval_is_the_headline():
    assert "Falls with 56 %95 % interval: 28 % to 97 %" in words(
        row_picture(ROW, answer(0.93, 0.6))
    )


def test_a_guess_is_said_to_be_one():
    said = words(row_picture(ROW, answer(0.9, 0.6, extrapolated=("number of tiles: 40",))))
    assert any("a guess: number of tiles: 40" in line for line in said)


def test_no_trait_of_a_guess_is_cut_before_its_number():
    low, high = 0.09765, 0.12345
    for name in usual().seen:
        (line,) = outside({name: 1.234}, {name: (low, high)})
        assert line in "".join(words(row_picture(ROW, answer(0.9, 0.6, extrapolated=(line,)))))


def test_a_name_with_any_characters_is_still_a_picture():
    row = replace(ROW, id="<b>&\n\x00\ud800" + 200 * "long ")
    name = words(row_picture(row, answer(0.9, 0.6)))[0]
    assert name.startswith("<b>&???") and name.endswith("…")


def test_the_bitmap_is_the_same_picture():
    svg = row_picture(ROW, answer(0.93, 0.6))
    image = Image.open(io.BytesIO(bitmap(svg))).convert("RGB")
    root = ElementTree.fromstring(svg)
    assert image.size == (int(root.get("width")), int(root.get("height")))
    for joint in shapes(svg, "polygon", "joint"):
        x, y = (sum(side) / 4 for side in zip(*corners(joint), strict=True))
        assert "#{:02x}{:02x}{:02x}".format(*image.getpixel((round(x), round(y)))) == joint.get(
            "fill"
        )


def test_without_a_font_no_picture_without_words_is_made(monkeypatch):
    monkeypatch.setattr(svg_module, "_has_font", lambda: False)
    with pytest.raises(PhysicsError, match=r"install DejaVu Sans, or name an \.svg file"):
        bitmap(row_picture(ROW, answer(0.9, 0.6)))
