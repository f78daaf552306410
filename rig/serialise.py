"""Values of a game to plain JSON data and back, by the types their dataclasses declare."""

from collections.abc import Callable, Mapping
from dataclasses import is_dataclass
from enum import Enum, StrEnum
from operator import attrgetter
from typing import Any, get_origin

from cattrs import Converter, transform_error
from cattrs.cols import homogenous_tuple_structure_factory, mapping_structure_factory
from cattrs.errors import ForbiddenExtraKeysError

from rig.errors import RigError

_Hook = Callable[[Any, Any], Any]


class NotPlain(RigError):
    """Some data does not have the shape that its declared type has."""


_CONVERTER = Converter(
    forbid_extra_keys=True,
    # A set has no order, but the same set has to be the same text.
    unstruct_collection_overrides={tuple: list, frozenset: sorted},
)

to_plain = _CONVERTER.unstructure
"""JSON-ready data for a value: dataclasses and mappings become objects, tuples and sets lists."""


def from_plain(kind: Any, data: Any, where: str = "value") -> Any:
    """The value of a declared type that was written as this data.

    Args:
        kind: a dataclass, an enum, a plain type, or a tuple, frozenset, mapping or union of them;
            `Any` takes the data as it is.
        data: what `to_plain()` gave, perhaps through JSON.
        where: what to call the data in an error.

    Raises:
        NotPlain: the data has another shape.

    >>> from_plain(tuple[int, ...], [3, 6])
    (3, 6)
    """
    try:
        return _CONVERTER.structure(data, kind)
    except Exception as error:
        why, _, place = transform_error(error, where, _why)[0].rpartition(" @ ")
        raise NotPlain(f"{place}: {why}") from None


def _why(error: BaseException, kind: Any) -> str:
    """What is wrong with the data, in words."""
    if isinstance(error, KeyError):
        return "the field is missing"
    if isinstance(error, ForbiddenExtraKeysError):
        return f"{error.cl.__name__} has no field {min(error.extra_fields)!r}"
    return str(error)


_COLLECTIONS: tuple[Any, ...] = (tuple, frozenset, Mapping)


def _expect(data: Any, kind: type) -> Any:
    """The data itself, which must be of exactly this plain type."""
    if type(data) is not kind:
        raise NotPlain(f"expected {kind.__name__}, not {data!r}")
    return data


def _number(data: Any, kind: type[float]) -> float:
    """A number; JSON knows no difference between 3 and 3.0."""
    return float(data if type(data) is int else _expect(data, kind))


def _member(data: Any, kind: type[Enum]) -> Enum:
    try:
        return kind(data)
    except ValueError:
        words = ", ".join(str(member.value) for member in kind)
        raise NotPlain(f"expected one of {words}, not {data!r}") from None


def _read_from(plain: type, make: Callable[[Any, Converter], _Hook], kind: Any) -> _Hook:
    """Read a list or an object only from JSON's own: a text is not taken for a list."""
    read = make(kind, _CONVERTER)
    return lambda data, _: read(_expect(data, plain), kind)


def _read_object(kind: Any) -> _Hook:
    return _read_from(dict, lambda each, by: by.gen_structure_attrs_fromdict(each), kind)


def _read_collection(kind: Any) -> _Hook:
    origin = get_origin(kind)
    if issubclass(origin, Mapping):
        return _read_from(dict, mapping_structure_factory, kind)
    read = _read_from(list, homogenous_tuple_structure_factory, kind)
    return lambda data, _: origin(read(data, kind))


for _plain in (int, str, bool):
    _CONVERTER.register_structure_hook(_plain, _expect)
_CONVERTER.register_structure_hook(float, _number)
for _words in (Enum, StrEnum):
    _CONVERTER.register_structure_hook(_words, _member)
    _CONVERTER.register_unstructure_hook(_words, attrgetter("value"))
_CONVERTER.register_structure_hook_factory(is_dataclass, _read_object)
_CONVERTER.register_structure_hook_factory(
    lambda kind: get_origin(kind) in _COLLECTIONS, _read_collection
)
