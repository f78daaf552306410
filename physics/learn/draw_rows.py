"""New rows for the fit, put together from the joints of known ones."""

import math
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from physics.errors import ChainError, PhysicsError
from physics.fall.joint import copies_of
from physics.fall.limits import require_push
from physics.fall.trials import let_fall, trials_of
from physics.predict.hazard import usual
from physics.row.chain import Chain
from physics.row.pose import Pose, full_turn
from physics.row.push import Friction, Path, Push
from physics.row.tile import STANDARD, Orientation, Tile, TileSpec
from physics.rows.scenario import Scenario

STANDARD_SHARE: Final = 0.4
TILES: Final = (1, 11)
WIDTHS: Final = (0.42, 0.58)
_TRIES: Final = 60
_TIP_MM: Final = 20.0
_CHOICE: Final = 4
_LEAST_DOUBT: Final = 0.02


@dataclass(frozen=True, slots=True)
class Offset:
    """The relative position of a tile and the next one.

    Attributes:
        clear_mm: along the first one's heading, beyond where the two would touch face to face.
        across_mm: to the left of it.
        turn_rad: change of heading.
        start: how the first tile stands.
        end: how the next one stands.
    """

    clear_mm: float
    across_mm: float
    turn_rad: float
    start: Orientation
    end: Orientation


def steps_of(chain: Chain) -> list[Offset]:
    """Take a row apart into its joints.

    Raises:
        PhysicsError: one of its tiles does not stand.
    """
    steps = []
    for one, two in zip(chain.tiles, chain.tiles[1:], strict=False):
        if one.orientation is None or two.orientation is None:
            raise PhysicsError("a row can only be taken apart while all of it stands")
        along, across = one.pose.to_local((two.pose.x_mm, two.pose.y_mm))
        turn = full_turn(two.pose.heading_rad - one.pose.heading_rad)
        clear = along - _touching(one.spec, turn)
        steps.append(Offset(clear, across, turn, one.orientation, two.orientation))
    return steps


def draw(
    pieces: Sequence[Sequence[Offset]],
    rng: np.random.Generator,
    name: str,
    share: float = STANDARD_SHARE,
    tiles: tuple[int, int] = TILES,
    widths: tuple[float, float] = WIDTHS,
) -> Scenario:
    """Draw a row: slightly disturbed runs of joints from known rows, with tiles of any size.

    Rows that a prediction refuses are drawn again.

    Args:
        pieces: known rows taken apart, each of at least one joint.
        rng: the source of chance.
        name: id of the new row.
        share: of rows of the standard tile.
        tiles: how few and how many a row has; two in five have the most.
        widths: smallest and largest width of the other tiles by their length.
    """
    fewest, most = tiles
    while True:
        standard = bool(rng.random() < share)
        spec = STANDARD if standard else _some_spec(rng, widths)
        stretch = 1.0 if standard or rng.random() < 0.5 else spec.length_mm / STANDARD.length_mm
        count = int(rng.integers(fewest, most + 1)) if rng.random() < 0.6 else most
        stood = _some_tiles(pieces, spec, stretch, count, rng)
        if len(stood) != count:
            continue
        row = Scenario(name, Chain(tuple(stood)), _some_push(stood[0], rng), _some_friction(rng))
        with suppress(ChainError):
            require_push(row.chain, row.push, row.friction, row.spread)
            return row


def draw_unsure(
    pieces: Sequence[Sequence[Offset]],
    rng: np.random.Generator,
    name: str,
    share: float = STANDARD_SHARE,
    tiles: tuple[int, int] = TILES,
    widths: tuple[float, float] = WIDTHS,
) -> Scenario:
    """Draw a few rows and choose one, preferring rows where the present fit is unsure."""
    drawn = [draw(pieces, rng, name, share, tiles, widths) for _ in range(_CHOICE)]
    doubts = np.array([_doubt(s) for s in drawn])
    return drawn[int(rng.choice(_CHOICE, p=doubts / doubts.sum()))]


def as_row(scenario: Scenario) -> dict[str, Any]:
    """Write a row in the form in which it is read."""
    s, spec = scenario, scenario.chain.tiles[0].spec
    sizes = ("length_mm", "width_mm", "thickness_mm", "mass_g")
    names = ("height_frac", "speed_mm_s", "stroke_mm", "standoff_mm", "tip_radius_mm")
    push = {n: round(getattr(s.push, n), 4) for n in names}
    if s.push.path is Path.SMOOTH:
        push |= {"path": str(s.push.path), "hold_s": round(s.push.hold_s, 4)}
    return {
        "id": s.id,
        "tile_set": {n: round(getattr(spec, n), 4) for n in sizes},
        "tiles": [
            {
                "value": t.value,
                "x_mm": round(t.pose.x_mm, 4),
                "y_mm": round(t.pose.y_mm, 4),
                "heading_deg": round(math.degrees(t.pose.heading_rad), 4),
                "orientation": t.orientation,
            }
            for t in s.chain.tiles
        ],
        "friction": {
            "tile_tile": round(s.friction.tile_tile, 4),
            "tile_table": round(s.friction.tile_table, 4),
        },
        "push": push,
    }


def _doubt(scenario: Scenario) -> float:
    """Return how informative the fall of a row would be: the variance of its outcomes."""
    s = scenario
    trials = trials_of(copies_of(s.chain), [s.push], [s.friction])
    chances = usual().chances(trials, let_fall(trials))[0]
    reached = np.concatenate([[1.0], np.cumprod(chances)[:-1]])
    return float((reached * chances * (1.0 - chances)).sum()) + _LEAST_DOUBT


def _some_tiles(
    pieces: Sequence[Sequence[Offset]],
    spec: TileSpec,
    stretch: float,
    count: int,
    rng: np.random.Generator,
) -> list[Tile]:
    """Assemble a row; it has fewer tiles than asked for if no more fit."""
    piece = pieces[int(rng.integers(len(pieces)))]
    at = 0 if rng.random() < 0.5 else int(rng.integers(len(piece)))
    left, side = int(rng.integers(1, 8)), 1.0
    pose = Pose(0.0, 0.0, float(rng.uniform(-math.pi, math.pi)))
    tiles = [Tile(0, pose, piece[at].start, spec=spec)]
    for _ in range(_TRIES):
        if len(tiles) == count:
            break
        if left <= 0 or at >= len(piece):
            piece = pieces[int(rng.integers(len(pieces)))]
            at, left = int(rng.integers(len(piece))), int(rng.integers(1, 8))
            side = -1.0 if rng.random() < 0.5 else 1.0
        if piece[at].start is not tiles[-1].orientation:
            left = 0
            continue
        tile = _next(tiles[-1], piece[at], stretch, side, rng)
        if any(tile.footprint.overlaps(other.footprint) for other in tiles):
            left = 0
            continue
        tiles.append(tile)
        at, left = at + 1, left - 1
    return tiles


def _next(last: Tile, step: Offset, stretch: float, side: float, rng: np.random.Generator) -> Tile:
    wild = 1.0 if rng.random() < 0.25 else 0.0
    noise = rng.standard_normal(6)
    turn = side * (step.turn_rad + 0.1 * wild * noise[0]) + 0.02 * noise[1]
    clear = (step.clear_mm + 4.0 * wild * noise[2]) * stretch + 0.8 * noise[3]
    across = side * (step.across_mm + 3.0 * wild * noise[4]) * stretch + 0.8 * noise[5]
    x, y = last.pose.to_table(clear + _touching(last.spec, turn), across)
    pose = Pose(x, y, full_turn(last.pose.heading_rad + turn))
    return Tile((last.value or 0) + 1, pose, step.end, spec=last.spec)


def _touching(spec: TileSpec, turn_rad: float) -> float:
    return spec.thickness_mm / 2 * (1.0 + abs(math.cos(turn_rad)))


def _some_spec(rng: np.random.Generator, widths: tuple[float, float]) -> TileSpec:
    length = float(rng.uniform(38.0, 62.0))
    width = length * (0.5 if rng.random() < 0.5 else float(rng.uniform(*widths)))
    return TileSpec(length, width, float(rng.uniform(6.0, 12.0)))


def _some_push(first: Tile, rng: np.random.Generator) -> Push:
    """Draw a push: half by the arm, half by a finger; some of each are light."""
    thickness = first.spec.thickness_mm
    sway = max(0.3, 1.0 + 0.2 * float(rng.standard_normal()))
    light = rng.random() < 0.2
    if rng.random() < 0.5:
        height, standoff, hold = rng.uniform((0.35, 2.0, 0.0), (0.95, 12.0, 0.4)).tolist()
        if rng.random() < 0.6:
            height = min(max(_TIP_MM / first.height_mm, 0.35), 0.95)
        speed, stroke = (
            rng.uniform((10.0, 0.6), (40.0, 1.3))
            if light
            else rng.uniform((30.0, 1.0), (80.0, 3.0))
        )
        return Push(
            height,
            float(speed) * sway,
            float(stroke) * thickness,
            standoff,
            _some_radius(rng),
            Path.SMOOTH,
            hold,
        )
    if light:
        height, speed, stroke = rng.uniform((0.35, 8.0, 0.6), (0.95, 40.0, 1.3)).tolist()
        return Push(height, speed * sway, stroke * thickness, 2.0, _some_radius(rng))
    height, speed = rng.uniform((0.78, 30.0), (0.92, 60.0)).tolist()
    stroke = 1.6
    if rng.random() < 0.4:
        height, stroke = rng.uniform((0.35, 0.7), (0.95, 2.6)).tolist()
    return Push(height, speed * sway, stroke * thickness, 2.0, _some_radius(rng))


def _some_radius(rng: np.random.Generator) -> float:
    return float(rng.uniform(2.0, 8.0)) if rng.random() < 0.3 else 5.0


def _some_friction(rng: np.random.Generator) -> Friction:
    return Friction(float(rng.uniform(0.1, 0.55)), float(rng.uniform(0.25, 0.85)))
