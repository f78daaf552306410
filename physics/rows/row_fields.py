"""A row from plain fields, as JSON and TOML have them: what is left out is as usual."""

import json
import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from typing import Any

from physics.errors import ChainError, ScenarioError
from physics.fall.limits import require_row
from physics.row.chain import Chain
from physics.row.pose import Pose
from physics.row.push import Friction, Path, Push
from physics.row.spread import Spread
from physics.row.tile import STANDARD, Orientation, Tile, TileSpec
from physics.rows.scenario import Scenario, along

Fields = Mapping[str, Any]
_HUGE = 1e300
_ROW = ("id", "tiles", "tile_set", "friction", "push", "spread", "style")
"""The fields of a row; `style` says how it was drawn and changes nothing."""
_NOTES = (
    *("kind", "nominal_fall", "prediction", "step", "cause", "outcome", "judged_by"),
    *("first_standing", "front_ms", "confidence", "doubts", "pictures"),
    *("sigma_mm", "sigma_deg"),
)
"""What `domino-rig pushes` writes beside a row and its tiles; it changes nothing."""
_TILE = ("value", "x_mm", "y_mm", "heading_deg", "orientation")
_WORDS = re.compile(
    r"(?:tile\s+)?(?P<value>\d{1,4}|\?)(?:\s+(?P<stands>vertical|horizontal))?"
    r"\s+at\s+(?P<x>\S+?)\s*,\s*(?P<y>\S+)(?:\s+heading\s+(?P<heading>\S+))?"
)
"""A tile in words, as somebody writes it by hand."""


def read_scenario(row: Fields, where: str) -> Scenario:
    """Read one row, bare or under "scenario" beside anything else.

    Args:
        row: the object; only `tiles` has to be there, each an object or a line in words.
        where: file and line, for messages.

    Raises:
        ScenarioError: something is missing, unknown or of the wrong kind; names the field and what
            was expected.
        ChainError: a number no row can have, or tiles that cannot stand like this.
    """
    inner = _object(row["scenario"], where, "scenario") if "scenario" in row else row
    _known(inner, _ROW, "", where)
    spec = _spec(inner, where)
    tiles = inner.get("tiles")
    if isinstance(tiles, str):
        tiles = [line for line in tiles.splitlines() if line.strip()]
    if not isinstance(tiles, list) or not tiles:
        raise ScenarioError(f"{where}: tiles: expected a list of at least one tile")
    chain = along(
        Chain(tuple(read_tile(t, f"tiles[{i}]", spec, where) for i, t in enumerate(tiles)))
    )
    try:
        require_row(chain)
    except ChainError as error:
        raise ChainError(f"{where}: tiles: {error}") from None
    name = inner.get("id", "")
    if not isinstance(name, str | int):
        raise ScenarioError(f"{where}: id: expected text, got {_short(name)}")
    push = _push(inner, where)
    rub = _part(inner, "friction", asdict(Friction()), where)
    friction = Friction(
        _number(rub, "tile_tile", "friction", where, above=0.0, most=2.0),
        _number(rub, "tile_table", "friction", where, above=0.0, most=2.0),
    )
    spread = _spread(row if "spread" in row else inner, where)
    return Scenario(str(name), chain, push, friction, spread, where)


def _spec(row: Fields, where: str) -> TileSpec:
    usual = asdict(STANDARD)
    part = _part(row, "tile_set", usual, where)
    length, width, thickness, mass = (
        _number(part, n, "tile_set", where, above=0.0, most=1e4) for n in usual
    )
    if not length >= width > thickness:
        raise ScenarioError(
            f"{where}: tile_set: expected length_mm >= width_mm > thickness_mm, "
            f"got {length:g}, {width:g} and {thickness:g}"
        )
    return TileSpec(length, width, thickness, mass)


def read_tile(value: Any, name: str, spec: TileSpec, where: str) -> Tile:
    """Read one tile of a row.

    Args:
        value: its fields, or a line in words.
        name: what it is called in the row, for messages.
        spec: its size.
        where: file and line, for messages.

    Raises:
        ScenarioError: something is missing, unknown or of the wrong kind.
        ChainError: a number no row can have.
    """
    part = _in_words(value, name, where) if isinstance(value, str) else _object(value, where, name)
    _known(part, _TILE, f"{name}.", where)
    stands = part.get("orientation", Orientation.VERTICAL)
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
        math.radians(_number({"heading_deg": 0.0, **part}, "heading_deg", name, where, most=1e6)),
    )
    return Tile(number, pose, Orientation(stands), spec=spec)


def _in_words(text: str, name: str, where: str) -> Fields:
    """The fields of a tile in words.

    >>> _in_words("tile 3 vertical at 120,40 heading 15", "tiles[0]", "here")["x_mm"]
    120.0
    """
    found = _WORDS.fullmatch(text.strip())
    numbers = {"x_mm": "x", "y_mm": "y", "heading_deg": "heading"}
    try:
        if found is None:
            raise ValueError
        given = {key: float(found[group]) for key, group in numbers.items() if found[group]}
    except ValueError:
        raise ScenarioError(
            f'{where}: {name}: expected a tile as in "3 vertical at 120,40 heading 15", '
            f"got {_short(text)}"
        ) from None
    stands = {"orientation": found["stands"]} if found["stands"] else {}
    return {"value": None if found["value"] == "?" else int(found["value"]), **given, **stands}


def _known(part: Fields, names: Iterable[str], owner: str, where: str) -> None:
    """Look whether every field is one that counts.

    Raises:
        ScenarioError: one is not.
    """
    for name in part:
        if name not in names and name not in _NOTES:
            beside = "" if owner else '; put what is not the row beside "scenario"'
            raise ScenarioError(
                f"{where}: {owner}{_plain(name)}: is not known; expected one of "
                f"{', '.join(names)}{beside}"
            )


def _push(row: Fields, where: str) -> Push:
    part = _part(row, "push", asdict(Push()), where)
    height = _number(part, "height_frac", "push", where, above=0.0, most=1.0)
    speed = _number(part, "speed_mm_s", "push", where, above=0.0, most=1e5)
    stroke = _number(part, "stroke_mm", "push", where, above=0.0, most=1e4)
    standoff = _number(part, "standoff_mm", "push", where, least=0.0, most=1e4)
    radius = _number(part, "tip_radius_mm", "push", where, above=0.0, most=1e4)
    path = part["path"]
    if path not in tuple(Path):
        raise ScenarioError(
            f'{where}: push.path: expected "steady" or "smooth", got {_short(path)}'
        )
    hold = _number(part, "hold_s", "push", where, least=0.0, most=10.0)
    return Push(height, speed, stroke, standoff, radius, Path(path), hold)


def _spread(row: Fields, where: str) -> Spread:
    usual = Spread()
    known = {
        "xy_mm": usual.xy_mm,
        "heading_deg": math.degrees(usual.heading_rad),
        "friction": usual.friction,
        "push_speed": usual.push_speed,
    }
    part = _part(row, "spread", known, where)
    xy, heading, friction, speed = (
        _number(part, name, "spread", where, least=0.0, most=most)
        for name, most in zip(known, (1e3, 90.0, 1.0, 1.0), strict=True)
    )
    return Spread(xy, math.radians(heading), friction, speed)


def _part(row: Fields, name: str, usual: Fields, where: str) -> Fields:
    """The fields of a part of a row, with the usual ones where it says nothing."""
    part = _object(row.get(name, {}), where, name)
    _known(part, usual, f"{name}.", where)
    return {**usual, **part}


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


def _plain(name: str) -> str:
    """A name as it stands, or quoted where it is no plain word."""
    return name if name.isidentifier() and len(name) <= 40 else _short(name)


def _short(value: Any) -> str:
    text = json.dumps(value, default=str) if not isinstance(value, float) else str(value)
    return text if len(text) <= 40 else text[:37] + "..."
