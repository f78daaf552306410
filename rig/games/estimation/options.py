"""Options: how this table reads the places where the rulebook is silent."""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from math import isfinite
from typing import Any

from rig.games.estimation.terms import FIRST_TILE, TILE_COUNT, BadOption


def _choice(*values: str) -> Any:
    """Declare an option with these values, the default first."""
    return field(default=values[0], metadata={"choices": values})


@dataclass(frozen=True, slots=True)
class Options:
    """The named options of the rules; the defaults are the rules as written.

    `call_window` and `ballot_timeout` are seconds, and 0 turns them off.

    Raises:
        BadOption: an option has a value it cannot have.

    >>> Options.parse({"toppler": "caller"}).toppler
    'caller'
    """

    tile_values: tuple[int, ...] = tuple(range(1, TILE_COUNT + 1))
    first_player: str = _choice("pick", "random")
    chips: str = _choice("counter", "strict20")
    recall: str = _choice("once", "allowed")
    max_gap: str = _choice("free", "tile_height")
    call_window: float = 0.0
    caller: str = _choice("free", "failure_only")
    toppler: str = _choice("placer", "caller", "next")
    judge: str = _choice("camera", "people", "host")
    next_first: str = _choice("toppler", "left_of_toppler")
    extra_round: str = _choice("everyone", "tied_only")
    accident: str = _choice("any_standing", "whole_row")
    wrong_end: str = _choice("accident", "stood")
    ballot_timeout: float = 0.0
    illegal: str = _choice("take_back", "stands")

    def __post_init__(self) -> None:
        for option in fields(self):
            choices = option.metadata.get("choices")
            value = getattr(self, option.name)
            if choices is not None and value not in choices:
                raise BadOption(
                    f"option {option.name}: expected one of {', '.join(choices)}, not {value!r}"
                )
        _check_tile_values(self.tile_values)
        _check_seconds("call_window", self.call_window)
        _check_seconds("ballot_timeout", self.ballot_timeout)

    @classmethod
    def parse(cls, given: Mapping[str, object]) -> "Options":
        """Read options by name, as they stand in a settings file; the rest keep their defaults.

        Raises:
            BadOption: a name is unknown, or a value cannot be.
        """
        known = [option.name for option in fields(cls)]
        for name in given:
            if name not in known:
                raise BadOption(f"option {name!r} is not known, expected one of {', '.join(known)}")
        values: dict[str, Any] = dict(given)
        if isinstance(values.get("tile_values"), list):
            values["tile_values"] = tuple(values["tile_values"])
        return cls(**values)


def _check_tile_values(values: object) -> None:
    """Refuse tile values that are not eleven whole numbers with a 6 among them."""
    if (
        not isinstance(values, tuple)
        or len(values) != TILE_COUNT
        or not all(type(value) is int for value in values)
        or FIRST_TILE not in values
    ):
        shown = list(values) if isinstance(values, tuple) else values
        raise BadOption(
            f"option tile_values: expected {TILE_COUNT} whole numbers with a {FIRST_TILE} "
            f"among them, not {shown!r}"
        )


def _check_seconds(name: str, value: object) -> None:
    """Refuse a time that is not a number of seconds."""
    if type(value) not in (int, float) or not isfinite(value) or value < 0:  # type: ignore[operator, arg-type]
        raise BadOption(f"option {name}: expected a number of seconds, 0 for none, not {value!r}")
