"""The words of the pages: a catalogue a language, and beside it those that each game adds."""

import json
import re
from functools import cache
from pathlib import Path

LOCALES = Path(__file__).parents[2] / "web" / "locales"
PLURALS = {
    "en": {"one", "other"},
    "bg": {"one", "other"},
    "uk": {"one", "few", "many", "other"},
    "ru": {"one", "few", "many", "other"},
}
"""The languages, and the forms that each has for a number."""


@cache
def page_words(name):
    """A page's own, as of "en" or "table.en"."""
    return json.loads((LOCALES / f"{name}.json").read_text(encoding="utf-8"))


@cache
def words(name, game="estimation"):
    """A page's own and a game's; those of a phone with what its sheets say."""
    names = [name] if "." in name else [name, f"more.{name}"]
    return {
        key: text
        for each in (*names, *(f"{game}/{one}" for one in names))
        for key, text in page_words(each).items()
    }


def forms(text):
    """A text in each of its forms."""
    return list(text.values()) if isinstance(text, dict) else [text]


def places(text):
    """What is filled in."""
    return {name for form in forms(text) for name in re.findall(r"\{(\w+)\}", form)}
