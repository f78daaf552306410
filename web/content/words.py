"""The words of everything that people read: a folder a language, and in it catalogues.

Each page has a catalogue, and each game has one for each of its pages. A catalogue is i18next JSON,
version 4: flat keys, `{{name}}` for what is filled in, and a key for each plural form by CLDR
(`seats_one`, `seats_few`). The other languages are made from English, and what one of them lacks is
said in English.
"""

import json
import logging
import re
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any, TypeAlias

from rig.games.phrase import written
from web.content.plurals import form_of, forms_of

log = logging.getLogger(__name__)

FOLDER = Path(__file__).parents[1] / "locales"
SOURCE = "en"
"""The language that has every text."""
CODE = r"[a-z]{2,3}"
"""What the folder of a language is called: addresses, browsers and terminals know it by that."""
Say: TypeAlias = Callable[..., str]
"""Says a text by its key, with the values of its places by name; "" where there is none."""
_PLURAL = re.compile(r"_(zero|one|two|few|many|other)$")
"""What the key of a plural form ends in, by CLDR."""


@cache
def languages() -> dict[str, str]:
    """What each language calls itself, by its code: the folders there are, English first.

    A folder whose `language.json` cannot be read, or does not say it, is left out; and so is, with
    a line in the log, one whose name is no code.
    """
    named = {}
    for path in FOLDER.glob("*/language.json"):
        if re.fullmatch(CODE, path.parent.name):
            named[path.parent.name] = texts_of(path).get("language")
        else:
            log.warning("%s is left out: its name has to be two or three letters a-z", path.parent)
    found = {code: name for code, name in named.items() if name}
    names = sorted(found, key=lambda code: (code != SOURCE, found[code]))
    return {code: found[code] for code in names}


@cache
def words(language: str, name: str) -> dict[str, str]:
    """Give a catalogue, with what the language lacks in English.

    Args:
        language: its code.
        name: of the catalogue, as `table` or `dominoes/table`.
    """
    english, own = (
        texts_of(path) if path.exists() else {}
        for path in (FOLDER / code / f"{name}.json" for code in (SOURCE, language))
    )
    return filled_up(own, english, language)


def texts_of(path: Path) -> dict[str, str]:
    """Read the file of a catalogue; one that is none is a line in the log, and nothing is in it."""
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        found, why = None, str(error)
    else:
        why = "every text has a key of its own"
    if isinstance(found, dict) and all(isinstance(text, str) for text in found.values()):
        return found
    log.warning("%s is no catalogue, and left out: %s", path, why)
    return {}


@cache
def film_words() -> dict[str, dict[str, str]]:
    """The sentences of films, which are those of the table screen, by language and key."""
    return {language: words(language, "estimation/table") for language in languages()}


def filled_up(own: Mapping[str, str], english: Mapping[str, str], language: str) -> dict[str, str]:
    """Add the English texts that a catalogue lacks, and English for plural forms that it lacks.

    >>> filled_up({"n_one": "1 ряд", "n_few": "{{count}} ряди"}, {"n_other": "rows"}, "uk")
    {'n_many': 'rows', 'n_one': '1 ряд', 'n_few': '{{count}} ряди'}
    """
    there = {base(key) for key in own}
    lacking = {key: text for key, text in english.items() if base(key) not in there}
    for name in there - set(own):
        if (other := english.get(f"{name}_other")) is not None:
            forms = (f"{name}_{form}" for form in forms_of(language))
            lacking |= {form: other for form in forms if form not in own}
    return lacking | dict(own)


def base(key: str) -> str:
    """The name of a text without that of its plural form.

    >>> base("seats_few")
    'seats'
    """
    return _PLURAL.sub("", key)


def fill(text: str, of: Mapping[str, Any]) -> str:
    """Put values into the places of a text.

    >>> fill("Port {{port}} is free", {"port": 8000})
    'Port 8000 is free'
    """
    return re.sub(r"\{\{(\w+)\}\}", lambda place: str(of.get(place[1], place[0])), text)


@cache
def speaker(language: str, *names: str) -> Say:
    """Give what says the texts of some catalogues: by key, with the values of places by name.

    Of a text with plural forms it says the one for `count`, and decimal numbers as the language
    writes them.

    >>> speaker("en", "terminal")("setup.port.free", port=8000)
    'Port 8000 is free'
    """
    texts = {key: text for name in names for key, text in words(language, name).items()}

    def say(key: str, /, **of: Any) -> str:
        text = texts.get(key)
        if text is None and "count" in of:
            form = form_of(language, of["count"])
            text = texts.get(f"{key}_{form}", texts.get(f"{key}_other"))
        return fill(text or "", {name: written(value, language) for name, value in of.items()})

    return say
