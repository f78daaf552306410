"""Pushes that were recorded at a table: the row as it stood, and where its fall stopped."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from physics.errors import ChainError, ScenarioError
from physics.fall.limits import require_push
from physics.rows.row_fields import read_scenario
from physics.rows.row_file import read_objects
from physics.rows.scenario import Scenario


@dataclass(frozen=True, slots=True)
class Recorded:
    """One push.

    Attributes:
        scenario: the row.
        fell: how many tiles fell from the pushed end on, up to the first that stayed.
    """

    scenario: Scenario
    fell: int

    @property
    def all_fell(self) -> bool:
        """Whether none stayed."""
        return self.fell == len(self.scenario.chain.tiles)


def read_pushes(paths: Iterable[Path | str]) -> list[Recorded]:
    """Read the files of `domino-rig pushes`.

    Raises:
        PhysicsError: names the file, the line, the field and what was expected there.
    """
    return [recorded(line, where) for path in paths for where, line in read_objects(path)]


def recorded(line: Mapping[str, Any], where: str) -> Recorded:
    """Read one push from its fields.

    Raises:
        ScenarioError: the row cannot be read, or it is not known what fell.
        ChainError: the row cannot be predicted.
    """
    row = read_scenario(line, where)
    try:
        require_push(row.chain, row.push, row.friction, row.spread)
    except ChainError as error:
        raise ChainError(f"{where}: {error}") from None
    fallen, n = line.get("nominal_fall"), len(row.chain.tiles)
    if not isinstance(fallen, list) or len(fallen) != n or any(f not in (0, 1) for f in fallen):
        raise ScenarioError(
            f"{where}: nominal_fall: expected a list of {n} numbers, 1 for each tile that fell and "
            "0 for each that stayed"
        )
    return Recorded(row, next((i for i, down in enumerate(fallen) if not down), n))
