"""domino-rig rows: rows of a shape or from files, each as one line of text."""

import math
from argparse import Namespace
from collections.abc import Iterator
from random import Random
from typing import Any, Final

from physics.errors import ChainError, PhysicsError
from physics.row.tile import Orientation
from physics.rows import notation
from physics.rows.generators import Shape, Wanted, generated
from physics.rows.row_file import read_each
from physics.rows.scenario import Scenario
from rig.cli.given import first_given

_USUAL: Final[dict[str, Any]] = {
    "count": 11,
    "gap": 14.0,
    "turn": 6.0,
    "offset": 0.0,
    "times": 1,
    "seed": 0,
}
"""What `--draw` takes for what is not given."""


def run(args: Namespace) -> int:
    """Print rows in row notation."""
    if (args.draw is None) is not bool(args.rows):
        raise PhysicsError("rows: expected either files or --draw SHAPE")
    if args.draw is None:
        _require_nothing_drawn(args)
    for row in _drawn(args) if args.draw is not None else _read(args):
        print(notation.written(row), flush=True)
    return 0


def _require_nothing_drawn(args: Namespace) -> None:
    """Refuse what says how a row is drawn beside files, whose rows stand as they stand."""
    if other := first_given(args, *(f"--{name}" for name in _USUAL), "--horizontal"):
        raise PhysicsError(f"{other} is for rows of --draw SHAPE; leave it out to write files")


def _read(args: Namespace) -> Iterator[Scenario]:
    for row in (row for path in args.rows for row in read_each(path)):
        if isinstance(row, PhysicsError):
            raise row
        yield row


def _drawn(args: Namespace) -> Iterator[Scenario]:
    shape = Shape(args.draw)
    if shape is Shape.LINE and args.turn:
        raise PhysicsError("a line does not turn; use --draw arc, or leave --turn out")
    if shape is Shape.PLAYER and args.horizontal:
        raise PhysicsError("tiles of --draw player stand as they come; leave --horizontal out")
    given = {name: getattr(args, name) for name in _USUAL if getattr(args, name) is not None}
    count, gap_mm, turn_deg, offset_mm, times, seed = {**_USUAL, **given}.values()
    chance = Random(seed)
    orientation = Orientation.HORIZONTAL if args.horizontal else Orientation.VERTICAL
    turn_rad = math.radians(turn_deg)
    wanted = Wanted(shape, count, gap_mm, turn_rad, orientation, offset_mm=offset_mm)
    for number in range(1, times + 1):
        name = f"{shape}-{number}" if times > 1 else shape.value
        try:
            yield generated(wanted, chance, name)
        except ChainError as error:
            raise ChainError(
                f"--draw {shape}: {error}; try another --gap, --turn or --count"
            ) from None
