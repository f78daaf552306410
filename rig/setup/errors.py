"""Errors that more than one part of set-up raises."""

from typing import Any

from rig.errors import KeyedError


class NotSo(KeyedError):
    """Something cannot be done now; nothing has changed.

    Attributes:
        detail: what the program says, where the words are only general ones.
    """

    def __init__(self, key: str, message: str, **of: Any) -> None:
        super().__init__(message, key, **of)
        self.detail = ""


class NotThere(NotSo):
    """A device cannot be opened; the text says what to do."""
