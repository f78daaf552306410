"""The catalogues of the pages: the same keys and places in every language, plurals by its rules."""

import json
import re
from pathlib import Path

import pytest

from rig.games.estimation.terms import Reason

ROOT = Path(__file__).parents[2]
STATIC = ROOT / "web" / "static"
LOCALES = ROOT / "web" / "locales"
PLURALS = {
    "en": {"one", "other"},
    "bg": {"one", "other"},
    "uk": {"one", "few", "many", "other"},
    "ru": {"one", "few", "many", "other"},
}
CATALOGUES = {
    lang: json.loads((LOCALES / f"{lang}.json").read_text(encoding="utf-8")) for lang in PLURALS
}
ENGLISH = CATALOGUES["en"]
OTHERS = sorted(set(PLURALS) - {"en"})
BUILT = re.compile(r"`([a-z_]+(?:\.[a-z_]+)*)\.\$\{")
LITERAL = re.compile(r"""\bt\(\s*"([^"]+)"|\?\s*"([a-z_.]+\.[a-z_]+)"|:\s*"([a-z_]+\.[a-z_.]+)\"""")


def forms(text):
    return list(text.values()) if isinstance(text, dict) else [text]


def places(text):
    return {name for form in forms(text) for name in re.findall(r"\{(\w+)\}", form)}


def sources():
    rooms = ("core", "lobby", "host", "games/estimation/screens")
    files = [STATIC / "phone.js", STATIC / "games" / "estimation" / "phone.js"]
    files += [path for room in rooms for path in (STATIC / room).rglob("*.js")]
    return {str(path): path.read_text(encoding="utf-8") for path in files}


@pytest.mark.parametrize("lang", OTHERS)
def test_every_language_has_the_same_keys(lang):
    assert set(CATALOGUES[lang]) == set(ENGLISH)


@pytest.mark.parametrize("lang", OTHERS)
def test_every_language_fills_the_same_places(lang):
    wrong = [key for key in ENGLISH if places(CATALOGUES[lang][key]) != places(ENGLISH[key])]
    assert wrong == []


@pytest.mark.parametrize("lang", sorted(PLURALS))
def test_plurals_have_every_form_of_their_language(lang):
    plural = {key: set(text) for key, text in CATALOGUES[lang].items() if isinstance(text, dict)}
    assert plural
    assert {key: f for key, f in plural.items() if f - {"=1"} != PLURALS[lang]} == {}


@pytest.mark.parametrize("lang", sorted(PLURALS))
def test_no_text_is_empty_or_shouts(lang):
    texts = [form for text in CATALOGUES[lang].values() for form in forms(text)]
    assert all(text.strip() == text and text for text in texts)
    loud = [t for t in texts if re.search(r"\b[^\W\d_]{4,}\b", t) and t.isupper()]
    assert set(loud) <= {"STOP", "СТОП"}


def test_every_key_that_a_screen_names_exists():
    named = {
        key
        for text in sources().values()
        for found in LITERAL.findall(text)
        for key in found
        if "." in key
    }
    assert len(named) > 150
    assert named - set(ENGLISH) == set()


def test_every_group_of_keys_that_a_screen_builds_exists():
    built = {prefix for text in sources().values() for prefix in BUILT.findall(text)}
    heads = {key.rsplit(".", n)[0] for key in ENGLISH for n in (1, 2)}
    assert built - heads == set()


def test_every_refusal_of_the_rules_has_words_of_its_own():
    """Except that the moment has passed: then the next screen says it."""
    reasons = {reason.value for reason in Reason} - {"wrong_phase"}
    assert {f"refused.{reason}" for reason in reasons} - set(ENGLISH) == set()
