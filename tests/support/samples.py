"""Examples of a dataclass in which each field has every kind of value that it can have."""

from collections.abc import Mapping
from dataclasses import MISSING, fields, is_dataclass
from enum import Enum
from itertools import chain
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints


def examples_of(kind, known):
    """Make examples: the first value of each field, and then each other value once.

    Args:
        kind: a dataclass.
        known: the values that fields of these names can have, of any dataclass.
    """
    hints = get_type_hints(kind)
    values = {f.name: known.get(f.name) or _values(hints[f.name], known) for f in fields(kind)}
    first = {name: each[0] for name, each in values.items()}
    yield kind(**first)
    for name, each in values.items():
        for value in each[1:]:
            yield kind(**{**first, name: value})


def _values(hint, known):
    """Values of a type; texts are digits."""
    plain, args = get_origin(hint) or hint, get_args(hint)
    if plain in (Union, UnionType):
        return list(chain.from_iterable(_values(each, known) for each in args))
    if plain is NoneType:
        return [None]
    if plain is Literal:
        return list(args)
    if plain is bool:
        return [True, False]
    if plain in (int, float):
        return [plain(3), plain(0)]
    if plain is tuple:
        one = _values(args[0], known)[0]
        return [(one, one), ()] if args[-1] is ... else [tuple(_values(a, known)[0] for a in args)]
    if plain is str or plain is Any:
        return ["77", ""]
    if issubclass(plain, Enum):
        return list(plain)
    if issubclass(plain, Mapping):
        return [{}]
    assert is_dataclass(plain), hint
    if all(f.default is not MISSING or f.default_factory is not MISSING for f in fields(plain)):
        return [plain()]
    return list(examples_of(plain, known))
