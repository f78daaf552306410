"""The base of every error that this folder raises for people to read."""

from typing import Self


class RigError(Exception):
    """Something in `rig` cannot go on; the message says what and what to do.

    Attributes:
        reason: the key by which a phone tells it in its own language.
    """

    reason: str = "trouble"


class NotPossible(RigError):
    """A command of the table that cannot be carried out; nothing has changed."""

    def __init__(self, reason: str, message: str) -> None:
        super().__init__(message)
        self.reason = reason

    def __reduce__(self) -> tuple[type[Self], tuple[str, str]]:
        """Two words make it, not one: it may be raised in another process."""
        return type(self), (self.reason, str(self))
