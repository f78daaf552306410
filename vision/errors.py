"""The base of every error that this folder raises for people to read."""

from collections.abc import Mapping
from types import MappingProxyType


class VisionError(Exception):
    """Something in `vision` cannot go on; the message says what and what to do.

    Attributes:
        kind: the word by which a page tells it in its own language; "" where it has none.
        facts: the figures and names of the message, for that sentence.
        expected: if it is about a file, which one was wanted, and what makes one.
    """

    expected: str = "another file"
    kind: str = ""
    facts: Mapping[str, float | str] = MappingProxyType({})

    def __init__(self, message: str, kind: str = "", **facts: float | str) -> None:
        super().__init__(message)
        if kind:
            self.kind, self.facts = kind, MappingProxyType(facts)
