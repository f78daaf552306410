"""What a survey can vary, and the ranges that people write for it.

gap=5..40           evenly from 5 to 40
gap=5..40/8         one of eight values, evenly spaced from 5 to 40
gap=8,12,16         one of these
friction=.27~.05    a normal distribution: mean and sigma, cut at three sigmas
count=9             always 9
"""

import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Final

from physics.errors import PhysicsError

CUT: Final = 3.0
"""Sigmas at which a normal distribution is cut: 1 draw in 370 lies beyond."""
MOST_VALUES: Final = 10_000
"""Values of one parameter; more than a grid of any use has."""
_RANGE = re.compile(r"(?P<low>.+?)\.\.(?P<high>.+?)(?:/(?P<steps>\d{1,9}))?")
_FORMS = "LOW..HIGH, LOW..HIGH/STEPS, MEAN~SIGMA, or values like 8,12,16"


class SurveyError(PhysicsError):
    """A survey that cannot be made or drawn; the message says why and what to do."""


@dataclass(frozen=True, slots=True)
class Parameter:
    """A number that rows of a survey differ in.

    Attributes:
        name: as people write it.
        column: as it is called in tables, with its unit.
        label: as it is called in drawings.
        unit: of it; empty for shares and counts.
        usual: its value where nothing is said.
        least: smallest value that makes sense.
        most: largest one.
        whole: whether it is a count.
    """

    name: str
    column: str
    label: str
    unit: str
    usual: float
    least: float
    most: float
    whole: bool = False

    @property
    def axis_label(self) -> str:
        """Its label with the unit."""
        return f"{self.label} ({self.unit})" if self.unit else self.label


PARAMETERS: Final[Mapping[str, Parameter]] = {
    each.name: each
    for each in (
        Parameter("gap", "gap_mm", "clear gap between tiles", "mm", 14.0, 0.1, 1e3),
        Parameter("turn", "turn_deg", "turn", "°", 6.0, -180.0, 180.0),
        Parameter("offset", "offset_mm", "offset of every other tile", "mm", 0.0, -100.0, 100.0),
        Parameter("count", "count", "tiles in the row", "", 11, 2, 200, whole=True),
        Parameter("friction", "friction", "friction between tiles", "", 0.27, 0.001, 2.0),
        Parameter(
            "table-friction", "table_friction", "friction with the table", "", 0.5, 0.001, 2.0
        ),
        Parameter("stroke", "stroke_mm", "stroke past first touch", "mm", 12.0, 0.1, 200.0),
        Parameter("speed", "speed_mm_s", "push speed", "mm/s", 45.0, 0.1, 2000.0),
        Parameter("push-height", "height_frac", "push height / tile height", "", 0.85, 0.01, 1.0),
        Parameter("length", "length_mm", "tile length", "mm", 48.0, 1.0, 500.0),
        Parameter("width", "width_mm", "tile width", "mm", 24.0, 1.0, 500.0),
        Parameter("thickness", "thickness_mm", "tile thickness", "mm", 7.5, 0.5, 200.0),
        Parameter("noise", "noise_mm", "placement error, one sigma", "mm", 0.7, 0.0, 50.0),
    )
}
"""By name; each is usually what `Wanted`, `Push`, `Friction`, `TileSpec` or `Spread` has."""


@dataclass(frozen=True, slots=True)
class Axis:
    """The values that a parameter takes in a survey.

    Attributes:
        parameter: which one.
        text: the range as it was written.
        low: smallest value.
        high: largest value.
        values: the only ones; empty where every value in between may come.
        normal: whether draws are normal about the middle, with `CUT` sigmas on either side.
    """

    parameter: Parameter
    text: str
    low: float
    high: float
    values: tuple[float, ...] = ()
    normal: bool = False

    @property
    def varies(self) -> bool:
        """Whether it takes more than one value."""
        return self.high > self.low


def read_axes(texts: Iterable[str]) -> tuple[Axis, ...]:
    """Read what a survey varies.

    Raises:
        SurveyError: a text is no range of a parameter, or a parameter comes twice.

    >>> [axis.values for axis in read_axes(["gap=10..20/3", "count=9"])]
    [(10.0, 15.0, 20.0), (9.0,)]
    """
    axes = tuple(map(read_axis, texts))
    names = [axis.parameter.name for axis in axes]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise SurveyError(f"{twice} is given twice; expected one range or value of it")
    return axes


def read_axis(text: str) -> Axis:
    """Read one range, as the head of this file shows them.

    Raises:
        SurveyError: it is none; says what was expected.
    """
    name, equals, rest = text.partition("=")
    parameter = named(name)
    if not equals:
        raise SurveyError(f"{text!r} has no range; expected {name}={_FORMS}")
    steps = None
    if found := _RANGE.fullmatch(rest):
        low, high = (_number(text, found[side]) for side in ("low", "high"))
        steps = None if found["steps"] is None else int(found["steps"])
        if not low < high:
            raise SurveyError(f"{text}: goes from {low:g} to {high:g}; expected LOW below HIGH")
        if steps is not None and not 2 <= steps <= MOST_VALUES:
            raise SurveyError(f"{text}: has {steps} steps; expected 2 to {MOST_VALUES}")
        values = () if steps is None else _between(low, high, steps)
        axis = Axis(parameter, rest, low, high, values)
    elif "~" in rest:
        mean, sigma = (_number(text, each) for each in rest.split("~", 1))
        if not sigma > 0.0:
            raise SurveyError(f"{text}: has a sigma of {sigma:g}; expected more than 0")
        low, high = mean - CUT * sigma, mean + CUT * sigma
        axis = Axis(parameter, rest, low, high, normal=True)
    else:
        values = tuple(sorted({_number(text, each) for each in rest.split(",")}))
        if len(values) > MOST_VALUES:
            raise SurveyError(f"{name}: has {len(values)} values; expected at most {MOST_VALUES}")
        axis = Axis(parameter, rest, values[0], values[-1], values)
    _require_sense(axis)
    return axis


def named(name: str) -> Parameter:
    """Find a parameter by its name.

    Raises:
        SurveyError: there is none.
    """
    if name not in PARAMETERS:
        near = get_close_matches(name, PARAMETERS, n=1)
        meant = f"do you mean {near[0]}?" if near else f"only {', '.join(PARAMETERS)}"
        raise SurveyError(f"there is no parameter {name[:40]!r}, {meant}")
    return PARAMETERS[name]


def _require_sense(axis: Axis) -> None:
    parameter, unit = axis.parameter, f" {axis.parameter.unit}" if axis.parameter.unit else ""
    for value in (axis.low, axis.high):
        if not parameter.least <= value <= parameter.most:
            raise SurveyError(
                f"{parameter.name}={axis.text}: reaches {value:g}{unit}; expected "
                f"{parameter.least:g} to {parameter.most:g}{unit}"
            )
    if parameter.whole and (axis.normal or any(v % 1 for v in (axis.low, axis.high, *axis.values))):
        raise SurveyError(
            f"{parameter.name}={axis.text}: expected whole numbers, as LOW..HIGH or values"
        )


def _between(low: float, high: float, steps: int) -> tuple[float, ...]:
    return tuple(low + (high - low) * i / (steps - 1) for i in range(steps))


def _number(where: str, text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise SurveyError(f"{where}: {text[:40]!r} is no number; expected {_FORMS}")
    return value
