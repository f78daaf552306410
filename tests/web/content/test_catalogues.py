"""The catalogues: each in every language, with the same keys and places, plurals by its rules."""

import re

import pytest

from rig.games.registry import GAMES, play_of
from tests.support.words import LOCALES, PLURALS, forms, page_words, places

ENGLISH_ALONE = {"doctor.en"}
"""What is said in a terminal."""
NAMES = sorted(
    path.relative_to(LOCALES).with_suffix("").as_posix() for path in LOCALES.rglob("*.json")
)
ENGLISH = [name for name in NAMES if re.search(r"\ben$", name) and name not in ENGLISH_ALONE]


def in_language(name, lang):
    return page_words(f"{name[:-2]}{lang}")


def test_a_catalogue_is_there_in_every_language():
    wanted = {f"{name[:-2]}{lang}" for name in ENGLISH for lang in PLURALS}
    assert wanted | ENGLISH_ALONE == set(NAMES)


@pytest.mark.parametrize("lang", sorted(set(PLURALS) - {"en"}))
@pytest.mark.parametrize("name", ENGLISH)
def test_every_language_has_the_same_keys_with_the_same_places(name, lang):
    english, other = in_language(name, "en"), in_language(name, lang)
    assert list(other) == list(english)
    assert [key for key in english if places(other[key]) != places(english[key])] == []


@pytest.mark.parametrize("lang", sorted(PLURALS))
@pytest.mark.parametrize("name", ENGLISH)
def test_every_text_has_the_forms_of_its_language_and_none_is_empty_or_shouts(name, lang):
    texts = in_language(name, lang)
    plural = {key: set(text) - {"=1"} for key, text in texts.items() if isinstance(text, dict)}
    assert {key: form for key, form in plural.items() if form != PLURALS[lang]} == {}
    said = [form for text in texts.values() for form in forms(text)]
    assert [text for text in said if not text or text.strip() != text] == []
    loud = [text for text in said if re.search(r"\b[^\W\d_]{4,}\b", text) and text.isupper()]
    assert set(loud) <= {"STOP", "СТОП"}


@pytest.mark.parametrize("name", [name for name in ENGLISH if "/" in name])
def test_no_word_of_a_game_is_also_one_of_the_page(name):
    assert set(page_words(name)) & set(page_words(name.rpartition("/")[2])) == set()


@pytest.mark.parametrize("lang", sorted(PLURALS))
@pytest.mark.parametrize("game", GAMES)
def test_a_game_says_what_it_is_called_what_it_is_and_how_many_play_it(game, lang):
    said, rules = page_words(f"{game}/{lang}"), play_of(game).rules
    assert re.findall(r"\d+", said["game.people"]) == [str(rules.fewest), str(rules.most)]
    assert (
        said["game.why"] and page_words(f"{game}/table.{lang}")["table.game"] == said["game.name"]
    )
