"""The catalogues: each in every language, with the same keys and places, plurals by its rules."""

import json
import re
import shutil

import pytest
from translate.storage.jsonl10n import I18NextV4File

from rig.games.registry import GAMES, play_of
from tests.support.words import LANGUAGES, NAMES, PLURALS, forms, page_words, places
from tests.tools.languages import lacking
from web.content.static_files import Files
from web.content.words import FOLDER, SOURCE, languages, speaker, words

EVERY = sorted(
    path.relative_to(FOLDER).with_suffix("").as_posix() for path in FOLDER.rglob("*.json")
)


def test_every_folder_is_a_language_and_has_no_catalogue_that_english_lacks():
    assert set(EVERY) - {f"{lang}/{name}" for lang in LANGUAGES for name in NAMES} == set()
    assert {path.name for path in FOLDER.iterdir()} == set(LANGUAGES)
    assert len(set(languages().values())) == len(LANGUAGES) and LANGUAGES[0] == SOURCE


@pytest.mark.parametrize("name", EVERY)
def test_what_a_translators_tool_reads_it_writes_again(name):
    written = (FOLDER / f"{name}.json").read_bytes()
    store = I18NextV4File()
    store.settargetlanguage(name.partition("/")[0])
    store.parse(written)
    assert bytes(store) == written
    assert len(store.units) == len(forms(page_words(name)))


@pytest.mark.parametrize("name", EVERY)
def test_every_language_has_the_texts_of_english_in_order_and_with_the_same_places(name):
    english, other = (
        forms(page_words(f"{SOURCE}/{name.partition('/')[2]}")),
        forms(page_words(name)),
    )
    assert list(other) == [key for key in english if key in other]
    filled = {key: places(*text.values()) for key, text in english.items()}
    assert [key for key in other if places(*other[key].values()) != filled[key]] == []


@pytest.mark.parametrize("name", EVERY)
def test_every_text_has_the_forms_of_its_language_and_none_is_empty_or_shouts(name):
    texts, lang = page_words(name), name.partition("/")[0]
    odd = {key: set(found) for key, found in forms(texts).items() if set(found) != {""}}
    assert {key: found for key, found in odd.items() if found != PLURALS[lang]} == {}
    assert [text for text in texts.values() if not text or text.strip() != text] == []
    word = re.compile(r"\b[^\W\d_]{4,}\b")
    loud = {key for key, text in texts.items() if word.search(text) and text.isupper()}
    assert loud <= {"stop.word", "setup.stop"}


@pytest.mark.parametrize("name", [name for name in NAMES if "/" in name])
def test_no_word_of_a_game_is_also_one_of_the_page(name):
    page = page_words(f"{SOURCE}/{name.rpartition('/')[2]}")
    assert set(page_words(f"{SOURCE}/{name}")) & set(page) == set()


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("game", GAMES)
def test_a_game_says_what_it_is_called_what_it_is_and_how_many_play_it(game, lang):
    said, rules = page_words(f"{lang}/{game}/phone"), play_of(game).rules
    assert re.findall(r"\d+", said["game.people"]) == [str(rules.fewest), str(rules.most)]
    assert (
        said["game.why"] and page_words(f"{lang}/{game}/table")["table.game"] == said["game.name"]
    )


@pytest.mark.parametrize("lang", LANGUAGES)
def test_no_language_lacks_a_text(lang):
    assert [f"{lang}/{name}: {key}" for name in NAMES for key in lacking(lang, name)] == []


def test_a_text_that_is_taken_away_is_listed_in_its_own_plural_forms(monkeypatch):
    short = dict(page_words("uk/phone"))
    seats = [f"rail.seats_{form}" for form in ("few", "many", "one")]
    for key in (*seats, "close"):
        del short[key]
    monkeypatch.setattr(
        "tests.tools.languages.page_words",
        lambda name: short if name == "uk/phone" else page_words(name),
    )
    assert lacking("uk", "phone") == ["close", *seats]


def test_a_text_that_a_language_lacks_is_sent_in_english(tmp_path):
    for lang, said in (
        ("en", {"yes": "Yes", "seats_one": "one", "seats_other": "more"}),
        ("uk", {"seats_one": "один", "seats_few": "три", "seats_many": "сім"}),
    ):
        (tmp_path / "locales" / lang / "game").mkdir(parents=True)
        for name in ("phone", "game/phone")[: 2 if lang == "en" else 1]:
            path = tmp_path / "locales" / lang / f"{name}.json"
            path.write_text(json.dumps(said), encoding="utf-8")
    for development in (False, True):
        shelf = Files(tmp_path, development=development)
        sent = json.loads(shelf.answer("/locales/uk/phone.json", "", "").body)
        assert sent == {"yes": "Yes", "seats_one": "один", "seats_few": "три", "seats_many": "сім"}
        for form in ("one", "few", "many"):
            path = tmp_path / "locales" / "uk" / "phone.json"
            whole = path.read_text(encoding="utf-8")
            path.write_text(json.dumps({k: v for k, v in said.items() if k != f"seats_{form}"}))
            partly = Files(tmp_path, development).answer("/locales/uk/phone.json", "", "")
            assert json.loads(partly.body)[f"seats_{form}"] == "more"
            path.write_text(whole, encoding="utf-8")
        english = shelf.answer("/locales/en/game/phone.json", "", "").body
        assert shelf.answer("/locales/uk/game/phone.json", "", "").body == english
    assert shelf.answer("/locales/uk/nothing.json", "", "") is None


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """The languages, and one more that somebody has just begun."""
    there = shutil.copytree(FOLDER, tmp_path / "locales")
    (there / "xx").mkdir()
    (there / "xx" / "language.json").write_text('{"language": "Xx"}')
    monkeypatch.setattr("web.content.words.FOLDER", there)
    for made in (languages, words, speaker):
        made.cache_clear()
    yield there
    for made in (languages, words, speaker):
        made.cache_clear()


@pytest.mark.parametrize("broken", [b"{,", b"{}", b"[1]", b'{"language": 5}', b'{"x": "\xe9"}'])
def test_a_folder_that_does_not_say_its_language_is_left_out(folder, broken):
    (folder / "xx" / "language.json").write_bytes(broken)
    assert list(languages()) == list(LANGUAGES)


@pytest.mark.parametrize("name", ["pt_BR", "pt-BR", "x,y", "X", "xx 2"])
def test_a_folder_whose_name_is_no_code_is_left_out_with_a_line_in_the_log(folder, name, caplog):
    (folder / "xx").rename(folder / name)
    assert list(languages()) == list(LANGUAGES)
    assert f"{name} is left out: its name has to be two or three letters" in caplog.text


@pytest.mark.parametrize("broken", [b"{,", b"[1]", b'{"play.stop": 5}', b'{"x": "\xe9"}'])
def test_a_catalogue_that_is_none_is_a_line_in_the_log_and_said_in_english(folder, broken, caplog):
    for name in ("terminal", "phone"):
        (folder / "xx" / f"{name}.json").write_bytes(broken)
    assert speaker("xx", "terminal")("play.stop") == speaker("en", "terminal")("play.stop") != ""
    assert "terminal.json is no catalogue" in caplog.text
    (folder.parent / "static").mkdir()
    sent = Files(folder.parent).answer("/locales/xx/phone.json", "", "")
    assert json.loads(sent.body) == words("en", "phone")
