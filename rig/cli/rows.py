"""domino-rig rows: rows of a shape or from files, each as one line of text."""

import math
from argparse import Namespace
from collections.abc import Iterator
from random import Random

from physics.errors import ChainError, PhysicsError
from physics.row.tile import Orientation
from physics.rows import notation
from physics.rows.generators import Shape, Wanted, generated
from physics.rows.row_file import read_each
from physics.rows.scenario import Scenario


def run(args: Namespace) -> int:
    """Print rows in row notation."""
    if (args.draw is None) is not bool(args.rows):
        raise PhysicsError("rows: expected either files or --draw SHAPE")
    for row in _drawn(args) if args.draw is not None else _read(args):
        print(notation.written(row), flush=True)
    return 0


def _read(args: Namespace) -> Iterator[Scenario]:
    for row in (row for path in args.rows for row in read_each(path)):
        if isinstance(row, PhysicsError):
            raise row
        yield row


def _drawn(args: Namespace) -> Iterator[Scenario]:
    shape, many = Shape(args.draw), args.times > 1
    chance = Random(args.seed)
    orientation = Orientation.HORIZONTAL if args.horizontal else Orientation.VERTICAL
    turn_rad = math.radians(args.turn)
    wanted = Wanted(shape, args.count, args.gap, turn_rad, orientation, offset_mm=args.offset)
    for number in range(1, args.times + 1):
        name = f"{shape}-{number}" if many else shape.value
        try:
            yield generated(wanted, chance, name)
        except ChainError as error:
            raise ChainError(
                f"--draw {shape}: {error}; try another --gap, --turn or --count"
            ) from None
