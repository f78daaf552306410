"""A row in one line reads back to the same row."""

import json
import math
import os
import string
from dataclasses import replace
from random import Random

import pytest

from physics.errors import ChainError, PhysicsError, ScenarioError
from physics.row.chain import Chain
from physics.row.pose import Pose
from physics.row.push import Friction, Path, Push
from physics.row.spread import Spread
from physics.row.tile import STANDARD, Orientation, Tile, TileSpec
from physics.rows.notation import read, written
from physics.rows.scenario import Scenario

ROWS = int(os.environ.get("DOMINO_ROWS", "1000"))
IN_AN_ADDRESS = set(string.ascii_letters + string.digits + "-._~!$&'()*+,;=:@/?%")
"""What may stand behind the # of an address as it is (RFC 3986), and the escape."""


def drawn(chance):
    """Any row that can stand: tiles along an arc, everything else by chance or as usual."""
    spec = STANDARD if chance.random() < 0.5 else TileSpec(56.0, 28.5, 9.25, 14.125)
    turn, step = math.radians(chance.uniform(-6, 6)), chance.uniform(52, 80)
    x, y, heading, tiles = chance.uniform(-500, 500), chance.uniform(-500, 500), 0.0, []
    heading = chance.uniform(-math.pi, math.pi)
    for _ in range(chance.randint(1, 12)):
        value = None if chance.random() < 0.1 else chance.randint(0, 11)
        orientation = chance.choice(list(Orientation))
        tiles.append(Tile(value, Pose(x, y, heading), orientation, spec=spec))
        heading += turn
        x, y = x + step * math.cos(heading), y + step * math.sin(heading)
    push = Push(0.7, chance.uniform(1, 90), 9.5, 0.0, 4.0, chance.choice(list(Path)), 0.15)
    if push.path is Path.SMOOTH:
        push = Push(0.9, 60.0, 11.0, 1.0, 5.0, Path.SMOOTH, chance.uniform(0, 10))
    return Scenario(
        chance.choice(("", "arc", "ряд 7; x=1", "a@b%20")),
        Chain(tuple(tiles)),
        chance.choice((Push(), push)),
        chance.choice((Friction(), Friction(chance.uniform(0.05, 1.9), 0.4))),
        chance.choice((Spread(), Spread(0.2, math.radians(chance.uniform(0, 9)), 0.0, 1.0))),
    )


def numbers(row):
    """All numbers of a row: mm, degrees and what has no unit."""
    for tile in row.chain.tiles:
        yield from (tile.pose.x_mm, tile.pose.y_mm, math.degrees(tile.pose.heading_rad))
        yield from (tile.spec.length_mm, tile.spec.width_mm, tile.spec.thickness_mm)
        yield tile.spec.mass_g
    push, spread = row.push, row.spread
    yield from (push.height_frac, push.speed_mm_s, push.stroke_mm, push.standoff_mm)
    yield from (push.tip_radius_mm, push.hold_s, row.friction.tile_tile, row.friction.tile_table)
    yield from (spread.xy_mm, math.degrees(spread.heading_rad), spread.friction, spread.push_speed)


def test_any_row_reads_back_as_they_were():
    chance, worst = Random(18), 0.0
    for _ in range(ROWS):
        row = drawn(chance)
        line = written(row)
        assert set(line) <= IN_AN_ADDRESS
        again = read(line)
        assert written(again) == line
        assert (again.id, again.push.path) == (row.id, row.push.path)
        said = [(t.value, t.orientation) for t in row.chain.tiles]
        assert [(t.value, t.orientation) for t in again.chain.tiles] == said
        apart = zip(numbers(row), numbers(again), strict=True)
        worst = max([worst, *(abs(_turned(a - b)) for a, b in apart)])
    assert worst <= 0.0001


def _turned(difference):
    """Half a turn more of a heading is the same tile."""
    return min(abs(difference), abs(abs(difference) - 180), abs(abs(difference) - 360))


def test_what_is_as_usual_is_not_written():
    assert written(read("3v@120.0,40.00,15 5h@160,40,-3 push=.85,45,12,2,5 rub=.27,.5")) == (
        "3v@120,40,15;5h@160,40,-3"
    )


def test_a_name_with_half_a_surrogate_pair_is_written():
    row = replace(read("0v@0,0,0;1v@20,0,0"), id="a\ud800")
    assert read(written(row)).id == "a?"


def test_parts_may_stand_in_any_order_with_spaces_or_semicolons():
    one = read(" id=arc; 3v@120,40,15\t?h@160,40,-3 ;noise=.7,1,.15,.1\n")
    assert one == read("3v@120,40,15;noise=0.7,1,0.15,0.1;?h@160,40,-3;id=arc")
    assert (one.id, one.spread.push_speed) == ("arc", 0.1)


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("3x@1,2,3", "'3x@1,2,3': expected a tile as VALUE, v or h, @X,Y,HEADING, like 3v@"),
        ("3v@1,2", "'3v@1,2': expected a tile"),
        ("3v@1,2,inf", "'3v@1,2,inf': expected a tile"),
        ("3v@0,0,0 hop=1", "hop=: is not known; expected one of tile, rub, push, noise, id"),
        ("3v@0,0,0 rub=1", "rub=: expected 2 numbers: tile_tile, tile_table"),
        ("3v@0,0,0 push=.8,45,12,2,5,smooth,a", "push=: expected 5 numbers: height_frac"),
        ("3v@0,0,0 push=.8,45,12,2,5,smooth", "tip_radius_mm; a smooth push adds hold_s"),
        ("3v@0,0,0 rub=.2,.3 rub=.2,.3", "rub=: expected once"),
        ("id=a", "tiles: expected a list of at least one tile"),
        ("", "'': expected a tile"),
    ],
)
def test_a_line_that_is_no_row_is_told_by_its_part(line, words):
    with pytest.raises(ScenarioError) as caught:
        read(line, "message 3")
    assert str(caught.value).startswith("message 3: ")
    assert words in str(caught.value)


def test_tiles_that_cannot_stand_are_told_as_in_every_file():
    with pytest.raises(ChainError, match=r"^row: tiles: "):
        read("1v@0,0,0;2v@1,0,0")


def test_no_line_however_spoilt_is_more_than_refused():
    chance, good = Random(5), "3v@120,40,15;5h@160,40,-3;push=.85,45,12,2,5,smooth,.2;id=a%20b"
    refused = 0
    for _ in range(2000):
        line = list(good)
        for _ in range(chance.randint(1, 4)):
            line[chance.randrange(len(line))] = chance.choice("vh@,;=?%. -e9nа{\n\0")
        try:
            assert json.dumps(written(read("".join(line))))
        except PhysicsError:
            refused += 1
    assert 0 < refused < 2000
