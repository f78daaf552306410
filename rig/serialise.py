"""Values of a game to plain JSON data and back, by the types their dataclasses declare."""

from collections.abc import Mapping
from dataclasses import MISSING, fields, is_dataclass
from enum import Enum
from functools import cache
from types import NoneType, UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

from rig.errors import RigError


class NotPlain(RigError):
    """Some data does not have the shape that its declared type has."""


def to_plain(value: Any) -> Any:
    """JSON-ready data for a value: dataclasses and mappings become objects, tuples and sets lists.

    >>> to_plain((1, None, {"a": 2.5}))
    [1, None, {'a': 2.5}]
    """
    if isinstance(value, Enum):
        return value.value
    if is_dataclass(value):
        return {f.name: to_plain(getattr(value, f.name)) for f in fields(value)}
    if isinstance(value, Mapping):
        return {key: to_plain(item) for key, item in value.items()}
    if isinstance(value, tuple):
        return [to_plain(item) for item in value]
    if isinstance(value, frozenset):
        return sorted(to_plain(item) for item in value)
    return value


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
    if kind is Any:
        return data
    origin, arguments = get_origin(kind), get_args(kind)
    if origin in (Union, UnionType):
        return _from_union(arguments, data, where)
    if origin in (tuple, frozenset):
        items = _expect(list, data, where)
        return origin(from_plain(arguments[0], item, where) for item in items)
    if origin is not None and issubclass(origin, Mapping):
        pairs = _expect(dict, data, where).items()
        return {key: from_plain(arguments[1], item, f"{where}.{key}") for key, item in pairs}
    if is_dataclass(kind):
        return _from_object(kind, data, where)
    if isinstance(kind, type) and issubclass(kind, Enum):
        try:
            return kind(data)
        except ValueError:
            words = ", ".join(str(member.value) for member in kind)
            raise NotPlain(f"{where}: expected one of {words}, not {data!r}") from None
    if kind is float and type(data) is int:
        return float(data)
    return _expect(kind, data, where)


def _from_union(kinds: tuple[Any, ...], data: Any, where: str) -> Any:
    """A value of the one type besides None."""
    if data is None and NoneType in kinds:
        return None
    (kind,) = (k for k in kinds if k is not NoneType)
    return from_plain(kind, data, where)


def _from_object(kind: Any, data: Any, where: str) -> Any:
    """A dataclass from an object with its fields; one that has a default may be missing."""
    given = _expect(dict, data, where)
    kinds = _kinds(kind)
    for f in fields(kind):
        if f.name not in given and f.default is MISSING and f.default_factory is MISSING:
            raise NotPlain(f"{where}: field {f.name!r} of {kind.__name__} is missing")
    for name in given:
        if name not in kinds:
            raise NotPlain(f"{where}: {kind.__name__} has no field {name!r}")
    return kind(**{name: from_plain(kinds[name], given[name], f"{where}.{name}") for name in given})


@cache
def _kinds(kind: Any) -> dict[str, Any]:
    """The declared type of every field."""
    hints = get_type_hints(kind)
    return {f.name: hints[f.name] for f in fields(kind)}


def _expect(kind: Any, data: Any, where: str) -> Any:
    """The data itself, which must be of exactly this plain type."""
    if type(data) is not kind:
        raise NotPlain(f"{where}: expected {kind.__name__}, not {data!r}")
    return data
