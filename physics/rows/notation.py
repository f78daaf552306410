"""Row notation: a row in one line of text, which reads back to the same row.

    3v@120,40,15;5h@141.5,40,-3;?v@160,41,0;push=.85,45,12,2,5;id=arc

Parts stand between semicolons or white space. A part without `=` is a tile, the pushed one first:
its value (`?` for none), `v` (on the short edge) or `h` (on the long one), then `@` with x and y in
mm and the heading in degrees. The other parts are left out where they are as usual:

    tile=   length, width and thickness in mm, mass in g
    rub=    friction between tiles, friction with the table
    push=   height as a share, speed in mm/s, stroke, standoff and tip radius in mm;
            then perhaps `smooth` and the seconds of its hold
    noise=  sigmas: place in mm, heading in degrees, friction and push speed as shares
    id=     a name, with `%` escapes as in addresses

Every character may stand as it is behind the `#` of an address.
"""

import math
import re
from dataclasses import astuple
from urllib.parse import quote, unquote

from physics.errors import ScenarioError
from physics.row.push import Friction, Path, Push
from physics.row.spread import Spread
from physics.row.tile import STANDARD, Orientation, TileSpec
from physics.rows.row_fields import Fields, read_scenario
from physics.rows.scenario import Scenario

_DECIMALS = 4
"""Of every number: a tenth of a micrometre, far below what anybody can measure or set."""
_TILE = re.compile(r"(?P<value>-?\d{1,9}|\?)(?P<stands>[vh])@(?P<numbers>[^@]+)")
_NAMES = {
    "tile": ("length_mm", "width_mm", "thickness_mm", "mass_g"),
    "rub": ("tile_tile", "tile_table"),
    "push": ("height_frac", "speed_mm_s", "stroke_mm", "standoff_mm", "tip_radius_mm"),
    "noise": ("xy_mm", "heading_deg", "friction", "push_speed"),
}
_FIELDS = {"tile": "tile_set", "rub": "friction", "push": "push", "noise": "spread"}
_STANDS = {"v": Orientation.VERTICAL, "h": Orientation.HORIZONTAL}
_EXAMPLE = "3v@120,40,15;5h@141.5,40,-3"


def written(row: Scenario) -> str:
    """Write a row in one line, numbers to `_DECIMALS` places, what is as usual left out.

    >>> from physics.row.chain import Chain
    >>> from physics.row.pose import Pose
    >>> from physics.row.tile import Tile
    >>> tile = Tile(3, Pose(120.0, 40.5, math.radians(15)), Orientation.VERTICAL)
    >>> written(Scenario("", Chain((tile,))))
    '3v@120,40.5,15'
    """
    parts = []
    for tile in row.chain.tiles:
        pose, stands = tile.pose, "h" if tile.orientation is Orientation.HORIZONTAL else "v"
        place = _numbers(pose.x_mm, pose.y_mm, math.degrees(pose.heading_rad))
        parts.append(f"{'?' if tile.value is None else tile.value}{stands}@{place}")
    push, noise = row.push, row.spread
    if tile_set := of_tile(row.chain.tiles[0].spec):
        parts.append(tile_set)
    if row.friction != Friction():
        parts.append(f"rub={_numbers(*astuple(row.friction))}")
    if push != Push():
        *numbers, path, hold_s = astuple(push)
        smooth = f",smooth,{_numbers(hold_s)}" if path is Path.SMOOTH else ""
        parts.append(f"push={_numbers(*numbers)}{smooth}")
    if noise != Spread():
        degrees = math.degrees(noise.heading_rad)
        parts.append(f"noise={_numbers(noise.xy_mm, degrees, noise.friction, noise.push_speed)}")
    if row.id:
        # JSON can name half of a surrogate pair, which no text file holds.
        parts.append(f"id={quote(row.id, safe='', errors='replace')}")
    return ";".join(parts)


def of_tile(spec: TileSpec) -> str:
    """The part of a row's line that says what its tiles are like; empty for the standard ones.

    >>> of_tile(TileSpec(56.0, 28.0, 9.0, 14.0))
    'tile=56,28,9,14'
    """
    return "" if spec == STANDARD else f"tile={_numbers(*astuple(spec))}"


def read(text: str, where: str = "row") -> Scenario:
    """Read a row from its line.

    Args:
        text: the line.
        where: what it is called in messages.

    Raises:
        ScenarioError: a part is none; names it and what was expected.
        ChainError: tiles that cannot stand like this, or numbers that no row can have.

    >>> read("3v@0,0,0 5v@20,0,0 rub=.2,.4").friction.tile_tile
    0.2
    """
    return read_scenario(fields(text, where), where)


def fields(text: str, where: str) -> Fields:
    """The fields of a row from its line, as `read_scenario` takes them."""
    row: dict[str, object] = {}
    tiles: list[Fields] = []
    for part in re.split(r"[;\s]+", text.strip(" ;\t\r\n")):
        name, equals, rest = part.partition("=")
        if not equals:
            tiles.append(_tile(part, where))
        elif name in row or _FIELDS.get(name) in row:
            raise ScenarioError(f"{where}: {name}=: expected once")
        elif name == "id":
            row["id"] = unquote(rest)
        elif name in _FIELDS:
            row[_FIELDS[name]] = _part(name, rest, where)
        else:
            raise ScenarioError(
                f"{where}: {name[:20]}=: is not known; expected one of {', '.join(_FIELDS)}, id"
            )
    return {**row, "tiles": tiles}


def _numbers(*values: float) -> str:
    texts = (f"{round(value, _DECIMALS) + 0.0:.{_DECIMALS}f}" for value in values)
    return ",".join(text.rstrip("0").rstrip(".") for text in texts)


def _tile(part: str, where: str) -> Fields:
    found = _TILE.fullmatch(part)
    numbers = _read_numbers(found["numbers"]) if found else None
    if found is None or numbers is None or len(numbers) != 3:
        raise ScenarioError(
            f"{where}: {part[:40]!r}: expected a tile as VALUE, v or h, @X,Y,HEADING, "
            f"like {_EXAMPLE}"
        )
    x_mm, y_mm, heading_deg = numbers
    return {
        "value": None if found["value"] == "?" else int(found["value"]),
        "orientation": _STANDS[found["stands"]].value,
        "x_mm": x_mm,
        "y_mm": y_mm,
        "heading_deg": heading_deg,
    }


def _part(name: str, text: str, where: str) -> Fields:
    names, rest = _NAMES[name], ""
    if name == "push" and ",smooth," in text:
        text, _, rest = text.partition(",smooth,")
    numbers, hold = _read_numbers(text), _read_numbers(rest) if rest else []
    if numbers is None or hold is None or len(numbers) != len(names) or len(hold) > 1:
        smooth = "; a smooth push adds hold_s, as in ,smooth,.15" if name == "push" else ""
        raise ScenarioError(
            f"{where}: {name}=: expected {len(names)} numbers: {', '.join(names)}{smooth}"
        )
    way = {"path": Path.SMOOTH.value, "hold_s": hold[0]} if hold else {}
    return {**dict(zip(names, numbers, strict=True)), **way}


def _read_numbers(text: str) -> list[float] | None:
    try:
        numbers = [float(each) for each in text.split(",")]
    except ValueError:
        return None
    return numbers if all(map(math.isfinite, numbers)) else None
