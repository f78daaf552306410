"""Values to plain data and back: what comes out, and what is refused where."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum, StrEnum
from types import MappingProxyType
from typing import Any

import pytest

from rig.serialise import NotPlain, from_plain, to_plain


class Side(StrEnum):
    LEFT = "left"
    RIGHT = "right"


class Size(Enum):
    SMALL = 1


@dataclass(frozen=True, slots=True)
class Place:
    x_mm: float
    side: Side = Side.LEFT


@dataclass(frozen=True, slots=True)
class Told:
    places: tuple[Place, ...]
    seats: frozenset[str]
    chips: Mapping[str, int]
    size: Size
    late: bool
    best: Place | None = None
    more: Any = None


VALUE = Told(
    (Place(2.0), Place(3.5, Side.RIGHT)),
    frozenset({"s3", "s1", "s2"}),
    MappingProxyType({"s2": 1, "s1": 2}),
    Size.SMALL,
    False,
    more={"kept": (1, Side.LEFT)},
)
PLAIN = {
    "places": [{"x_mm": 2.0, "side": "left"}, {"x_mm": 3.5, "side": "right"}],
    "seats": ["s1", "s2", "s3"],
    "chips": {"s2": 1, "s1": 2},
    "size": 1,
    "late": False,
    "best": None,
    "more": {"kept": [1, "left"]},
}


def kinds(data):
    """The types in some data, and the order of its keys."""
    if isinstance(data, dict):
        return [(key, kinds(value)) for key, value in data.items()]
    return [kinds(item) for item in data] if isinstance(data, list) else type(data)


def test_a_value_becomes_what_json_has():
    plain = to_plain(VALUE)
    assert plain == PLAIN
    assert kinds(plain) == kinds(PLAIN)


def test_it_comes_back_and_a_whole_number_is_a_number():
    first, second = PLAIN["places"]
    data = {**PLAIN, "places": [{**first, "x_mm": 2}, second], "best": first}
    told = from_plain(Told, data, "Told")
    assert (told.places, told.best, told.seats) == (VALUE.places, Place(2.0), VALUE.seats)
    assert type(told.places[0].x_mm) is float
    assert from_plain(Place, {"x_mm": 1.0}).side is Side.LEFT


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"places": "ab"}, "Told.places: expected list, not 'ab'"),
        ({"places": [{"x_mm": True}]}, "Told.places[0].x_mm: expected float, not True"),
        ({"places": [{"x_mm": 1.0, "y": 2}]}, "Told.places[0]: Place has no field 'y'"),
        ({"places": [[]]}, "Told.places[0]: expected dict, not []"),
        ({"seats": "s1"}, "Told.seats: expected list, not 's1'"),
        ({"chips": []}, "Told.chips: expected dict, not []"),
        ({"chips": {"s1": 1.0}}, "Told.chips['s1']: expected int, not 1.0"),
        ({"size": 2}, "Told.size: expected one of 1, not 2"),
        ({"late": 0}, "Told.late: expected bool, not 0"),
        ({"best": {"side": "up", "x_mm": 1}}, "expected one of left, right, not 'up'"),
        ({"best": {}}, "Told.best.x_mm: the field is missing"),
        ({"worst": 1}, "Told: Told has no field 'worst'"),
    ],
)
def test_what_has_another_shape_is_refused_by_its_place(change, message):
    with pytest.raises(NotPlain) as refused:
        from_plain(Told, {**PLAIN, **change}, "Told")
    assert message in str(refused.value)
