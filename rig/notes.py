"""What people should know, without words: whoever tells it finds those in its own language."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Note:
    """What people should know.

    Attributes:
        key: of its words in the catalogue of the terminal, after `note.`.
        of: values for the places of those words; an error or another note stands for what is
            said of it.
    """

    key: str
    of: Mapping[str, Any] = field(default_factory=dict)
