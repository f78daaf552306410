"""What people are told when something cannot go on: errors."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Self


class RigError(Exception):
    """Something in `rig` cannot go on; the message says what and what to do, in English.

    Attributes:
        reason: the key by which a phone tells it in its own language.
        key: that by which a terminal does, after `setup.`; "" where only English has words.
        of: values for the places of those words.
    """

    reason: str = "trouble"
    key: str = ""
    of: Mapping[str, Any] = MappingProxyType({})


class KeyedError(RigError):
    """An error that is made with the key and the facts of its words."""

    def __init__(self, message: str, key: str = "", **of: Any) -> None:
        super().__init__(message)
        self.key, self.of = key, of


class NotPossible(RigError):
    """A command of the table that cannot be carried out; nothing has changed."""

    def __init__(self, reason: str, message: str) -> None:
        super().__init__(message)
        self.reason = reason

    def __reduce__(self) -> tuple[type[Self], tuple[str, str]]:
        """Two words make it, not one: it may be raised in another process."""
        return type(self), (self.reason, str(self))
