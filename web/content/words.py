"""The set-up page's English words, for the terminal."""

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

_WORDS = Path(__file__).parents[1] / "locales"
_FILES = ("setup.en.json", "doctor.en.json")
"""The page's words, and those that only the terminal uses."""


@cache
def catalogue() -> dict[str, str]:
    """All of them, by key."""
    words: dict[str, str] = {}
    for name in _FILES:
        words |= json.loads((_WORDS / name).read_text(encoding="utf-8"))
    return words


def say(key: str, of: Mapping[str, Any]) -> tuple[str, str]:
    """Give the title of a point, and what to do ("" if nothing).

    >>> say("camera.choose", {})
    ('Choose a camera', 'Hang it over the table, plug it in, and look for it.')
    """
    words = catalogue()
    title = words.get(f"setup.{key}", key).format_map(dict(of))
    return title, words.get(f"setup.{key}.do", "").format_map(dict(of))
