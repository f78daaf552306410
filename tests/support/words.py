"""The words of the pages: a folder a language, and in it those that each game adds."""

import json
import re
from functools import cache

from translate.lang.data import plural_tags

from web.content.words import FOLDER, SOURCE, base, languages

LANGUAGES = tuple(languages())
"""The codes of the languages, English first."""
PLURALS = {lang: set(plural_tags.get(lang, plural_tags[SOURCE])) for lang in LANGUAGES}
"""The forms that each language has for a whole number, by CLDR."""
NAMES = sorted(
    path.relative_to(FOLDER / SOURCE).with_suffix("").as_posix()
    for path in (FOLDER / SOURCE).rglob("*.json")
)
"""Every catalogue, as "table" or "dominoes/table"."""


@cache
def page_words(name):
    """A page's own, as of "en/phone" or "en/dominoes/table", and nothing in another language."""
    return json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))


@cache
def words(name, game="estimation"):
    """A page's own and a game's; those of a phone, as "en", with what its sheets say."""
    lang, _, page = name.partition("/")
    pages = [page] if page else ["phone", "more"]
    return {
        key: text
        for each in (*pages, *(f"{game}/{one}" for one in pages))
        for key, text in page_words(f"{lang}/{each}").items()
    }


def forms(catalogue):
    """Every text with its forms, by its key: one without plural forms has one, called ""."""
    found = {}
    for key, text in catalogue.items():
        found.setdefault(base(key), {})[key.removeprefix(base(key))[1:]] = text
    return found


def places(*texts):
    """What is filled in."""
    return {name for text in texts for name in re.findall(r"\{\{(\w+)\}\}", text)}
