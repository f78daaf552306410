"""Rows with their push and frictions, and how they are read from files."""

import json
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path as File
from typing import Any

from physics.errors import ChainError, PhysicsError, ScenarioError
from physics.fall.limits import require_row
from physics.row.chain import Chain
from physics.row.pose import Pose
from physics.row.push import Friction, Path, Push
from physics.row.spread import Spread
from physics.row.tile import Orientation, Tile, TileSpec

__all__ = [
    "Scenario",
    "Spread",
    "along",
    "read_each",
    "read_objects",
    "read_scenario",
    "read_scenarios",
    "require_row",
]

Fields = Mapping[str, Any]
_HUGE = 1e300


@dataclass(frozen=True, slots=True)
class Scenario:
    """A row as written: tiles from the pushed one on, and everything that decides how it falls.

    Attributes:
        id: its name.
        chain: the tiles.
        push: how the first of them is pushed.
        friction: between tiles and with the table.
        spread: how far the real row may be from this one.
        where: the file and line it was read from, for messages; empty if it was not.
    """

    id: str
    chain: Chain
    push: Push = field(default_factory=Push)
    friction: Friction = field(default_factory=Friction)
    spread: Spread = field(default_factory=Spread)
    where: str = field(default="", compare=False)


def along(chain: Chain) -> Chain:
    """Turn headings by half a turn where needed, so that all point down the chain.

    The first points toward its neighbour, each further one as nearly as possible in the direction
    of the one before. A single tile keeps its heading.

    >>> tiles = [Tile(i, Pose(20.0 * i, 0, math.pi), Orientation.VERTICAL) for i in range(2)]
    >>> [round(t.pose.heading_rad, 3) for t in along(Chain(tuple(tiles))).tiles]
    [0.0, 0.0]
    """
    tiles = list(chain.tiles)
    if len(tiles) < 2:
        return chain
    a, b = tiles[0].pose, tiles[1].pose
    way = (b.x_mm - a.x_mm, b.y_mm - a.y_mm)
    for i, tile in enumerate(tiles):
        normal = tile.pose.normal
        if normal[0] * way[0] + normal[1] * way[1] < 0:
            tiles[i] = replace(tile, pose=tile.pose.turned())
        way = tiles[i].pose.normal
    return Chain(tuple(tiles))


def read_scenarios(path: File | str) -> list[Scenario]:
    """Read the rows of a file: one JSON object, or one object a line.

    Raises:
        ScenarioError: names the file, the line, the field and what was expected there.
        ChainError: the tiles of a row cannot stand like this.
    """
    return [read_scenario(row, where) for where, row in read_objects(path)]


def read_each(path: File | str) -> Iterator[Scenario | PhysicsError]:
    """Read the rows of a file like `read_scenarios`, with its error in the place of a bad one.

    Raises:
        ScenarioError: the file as a whole cannot be read.
    """
    for where, value in _values(path):
        read: Scenario | PhysicsError
        try:
            read = read_scenario(_row(value, where), where)
        except PhysicsError as error:
            read = error
        yield read


def read_objects(path: File | str) -> Iterator[tuple[str, Fields]]:
    """Read the JSON objects of a file, each with the place it came from, for messages.

    Raises:
        ScenarioError: the file cannot be read, or is not JSON objects.
    """
    for where, value in _values(path):
        yield where, _row(value, where)


def read_scenario(row: Fields, where: str) -> Scenario:
    """Read one row, bare or under "scenario".

    Args:
        row: the JSON object.
        where: file and line, for messages.

    Raises:
        ScenarioError: something is missing or of the wrong kind; names the field and what was
            expected.
        ChainError: a number no row can have, or tiles that cannot stand like this.
    """
    inner = _object(row["scenario"], where, "scenario") if "scenario" in row else row
    spec = _spec(_part(inner, "tile_set", where), where)
    tiles = inner.get("tiles")
    if not isinstance(tiles, list) or not tiles:
        raise ScenarioError(f"{where}: tiles: expected a list of at least one tile")
    chain = along(Chain(tuple(_tile(t, f"tiles[{i}]", spec, where) for i, t in enumerate(tiles))))
    try:
        require_row(chain)
    except ChainError as error:
        raise ChainError(f"{where}: tiles: {error}") from None
    name = inner.get("id", "")
    if not isinstance(name, str | int):
        raise ScenarioError(f"{where}: id: expected text, got {_short(name)}")
    push = _push(_part(inner, "push", where), where)
    rub = _part(inner, "friction", where)
    friction = Friction(
        _number(rub, "tile_tile", "friction", where, above=0.0, most=2.0),
        _number(rub, "tile_table", "friction", where, above=0.0, most=2.0),
    )
    spread = _spread(row if "spread" in row else inner, where)
    return Scenario(str(name), chain, push, friction, spread, where)


def _values(path: File | str) -> Iterator[tuple[str, Any]]:
    """Give the JSON values of a file, one a row; a bad line gives its error instead."""
    try:
        text = File(path).read_text(encoding="utf-8")
    except OSError as error:
        raise ScenarioError(f"{path}: cannot be read ({error.strerror}); give a file") from None
    except UnicodeDecodeError:
        raise ScenarioError(
            f"{path}: is not UTF-8 text; expected a JSON row or one row a line"
        ) from None
    if not text.strip():
        raise ScenarioError(f"{path}: is empty; expected a JSON row or one row a line")
    try:
        yield _where(path, 1), json.loads(text)
        return
    except (ValueError, RecursionError):
        pass
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip():
            continue
        try:
            value = json.loads(line)
        except (ValueError, RecursionError) as error:
            value = ScenarioError(
                f"{_where(path, number)}: is not JSON ({error}); expected one row a line"
            )
        yield _where(path, number), value


def _row(value: Any, where: str) -> Fields:
    if isinstance(value, ScenarioError):
        raise value
    return _object(value, where, "row")


def _spec(part: Fields, where: str) -> TileSpec:
    names = ("length_mm", "width_mm", "thickness_mm", "mass_g")
    length, width, thickness, mass = (
        _number(part, n, "tile_set", where, above=0.0, most=1e4) for n in names
    )
    if not length >= width > thickness:
        raise ScenarioError(
            f"{where}: tile_set: expected length_mm >= width_mm > thickness_mm, "
            f"got {length:g}, {width:g} and {thickness:g}"
        )
    return TileSpec(length, width, thickness, mass)


def _tile(value: Any, name: str, spec: TileSpec, where: str) -> Tile:
    part = _object(value, where, name)
    stands = part.get("orientation")
    if stands not in tuple(Orientation):
        raise ScenarioError(
            f'{where}: {name}.orientation: expected "vertical" or "horizontal", '
            f"got {_short(stands)}"
        )
    number = part.get("value")
    if number is not None and (isinstance(number, bool) or not isinstance(number, int)):
        raise ScenarioError(
            f"{where}: {name}.value: expected a whole number or null, got {_short(number)}"
        )
    pose = Pose(
        _number(part, "x_mm", name, where, most=1e6),
        _number(part, "y_mm", name, where, most=1e6),
        math.radians(_number(part, "heading_deg", name, where, most=1e6)),
    )
    return Tile(number, pose, Orientation(stands), spec=spec)


def _push(part: Fields, where: str) -> Push:
    height = _number(part, "height_frac", "push", where, above=0.0, most=1.0)
    speed = _number(part, "speed_mm_s", "push", where, above=0.0, most=1e5)
    stroke = _number(part, "stroke_mm", "push", where, above=0.0, most=1e4)
    standoff = _number(part, "standoff_mm", "push", where, least=0.0, most=1e4)
    radius = _number(part, "tip_radius_mm", "push", where, above=0.0, most=1e4)
    path = part.get("path", Path.STEADY)
    if path not in tuple(Path):
        raise ScenarioError(
            f'{where}: push.path: expected "steady" or "smooth", got {_short(path)}'
        )
    hold = _number({"hold_s": Push().hold_s, **part}, "hold_s", "push", where, least=0.0, most=10.0)
    return Push(height, speed, stroke, standoff, radius, Path(path), hold)


def _spread(row: Fields, where: str) -> Spread:
    if "spread" not in row:
        return Spread()
    part = _object(row["spread"], where, "spread")
    usual = Spread()
    known = {
        "xy_mm": usual.xy_mm,
        "heading_deg": math.degrees(usual.heading_rad),
        "friction": usual.friction,
        "push_speed": usual.push_speed,
    }
    for name in part:
        if name not in known:
            raise ScenarioError(
                f"{where}: spread.{name[:40]}: is not known; expected one of {', '.join(known)}"
            )
    xy, heading, friction, speed = (
        _number({name: usual, **part}, name, "spread", where, least=0.0, most=most)
        for (name, usual), most in zip(known.items(), (1e3, 90.0, 1.0, 1.0), strict=True)
    )
    return Spread(xy, math.radians(heading), friction, speed)


def _part(row: Fields, name: str, where: str) -> Fields:
    if name not in row:
        raise ScenarioError(f"{where}: {name}: is missing; expected an object")
    return _object(row[name], where, name)


def _object(value: Any, where: str, name: str) -> Fields:
    if not isinstance(value, dict):
        raise ScenarioError(f"{where}: {name}: expected an object, got {_short(value)}")
    return value


def _number(
    part: Fields,
    name: str,
    owner: str,
    where: str,
    *,
    above: float = -math.inf,
    least: float = -math.inf,
    most: float = math.inf,
) -> float:
    value = part.get(name)
    right = isinstance(value, int | float) and not isinstance(value, bool)
    # A whole number may have more digits than a float can hold.
    number = float(value) if right and abs(value) < _HUGE else math.nan  # type: ignore[arg-type]
    if math.isfinite(number) and above < number and least <= number <= most:
        return number
    wanted = "a number"
    if above > -math.inf:
        wanted += f" above {above:g}"
    elif least > -math.inf:
        wanted += f" of at least {least:g}"
    if right and abs(value) > most:  # type: ignore[arg-type]
        wanted += f" and at most {most:g}"
    if name not in part:
        raise ScenarioError(f"{where}: {owner}.{name}: is missing; expected {wanted}")
    kind = ChainError if right else ScenarioError
    raise kind(f"{where}: {owner}.{name}: expected {wanted}, got {_short(value)}")


def _short(value: Any) -> str:
    text = json.dumps(value) if not isinstance(value, float) else str(value)
    return text if len(text) <= 40 else text[:37] + "..."


def _where(path: File | str, line: int) -> str:
    return f"{path}, line {line}"
