"""The words of the table screen: the same in every language, and all of them used."""

import json
import re
from pathlib import Path

import pytest

WEB = Path(__file__).parents[2] / "web"
PLURALS = {
    "en": {"one", "other"},
    "uk": {"one", "few", "many", "other"},
    "ru": {"one", "few", "many", "other"},
    "bg": {"one", "other"},
}


def catalogue(lang):
    return json.loads((WEB / "locales" / f"table.{lang}.json").read_text(encoding="utf-8"))


def places(text):
    forms = text.values() if isinstance(text, dict) else [text]
    return {name for form in forms for name in re.findall(r"\{(\w+)\}", form)}


@pytest.mark.parametrize("lang", PLURALS)
def test_every_language_has_the_same_texts_with_the_same_places(lang):
    english, other = catalogue("en"), catalogue(lang)
    assert list(other) == list(english)
    assert {k: places(v) for k, v in other.items()} == {k: places(v) for k, v in english.items()}


@pytest.mark.parametrize("lang", PLURALS)
def test_plurals_have_every_form_that_the_language_needs(lang):
    for key, text in catalogue(lang).items():
        if isinstance(text, dict):
            assert set(text) == PLURALS[lang], key


def test_no_text_is_missing_and_none_is_left_over():
    games = WEB / "static" / "games"
    files = [WEB / "static" / "table.js", *games.glob("*/table.js"), *games.glob("*/table/**/*.js")]
    source = "".join(path.read_text(encoding="utf-8") for path in files)
    whole = set(re.findall(r'"(table\.[\w.]+)"', source))
    begun = tuple(re.findall(r"`(table\.[\w.]+)\$", source))
    keys = set(catalogue("en"))
    assert whole <= keys
    assert {key for key in keys - whole if not key.startswith(begun)} == set()
    assert all(any(key.startswith(start) for key in keys) for start in begun)


def test_titles_have_at_most_eight_words():
    for lang in PLURALS:
        for key, text in catalogue(lang).items():
            if key.endswith("title"):
                assert len(text.split()) <= 8, (lang, key)
