"""The catalogues of the pages: the same keys and places in every language, plurals by its rules."""

import ast
import json
import re
from collections import Counter
from pathlib import Path

import pytest

from rig.games.estimation.terms import Phase, Reason
from rig.pusher.port import Refusal

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


def reasons():
    """Every key by which a command of a phone is refused, as the code names them."""
    found = {reason.value for reason in Reason} | {f"arm_{one.name.lower()}" for one in Refusal}
    for path in (path for room in ("rig", "web") for path in (ROOT / room).rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            match node:
                case ast.Call(ast.Name("NotPossible"), [ast.Constant(str(reason)), *_]):
                    found.add(reason)
                case ast.Call(ast.Name("NotPlaced"), [_, ast.Constant(str(reason))]):
                    found.add(reason)
                case ast.Assign([ast.Name("reason")], ast.Constant(str(reason))):
                    found.add(reason)
    net = (STATIC / "core" / "net.js").read_text(encoding="utf-8")
    by_status = re.search(r"byStatus = \{([^}]*)\}", net)
    found |= set(re.findall(r'"([a-z_]+)"', by_status[1])) | {"offline", "damaged", "disk"}
    return found - SILENT


SILENT = {"stale"}
"""The moment has passed, and what is on the screen now says the rest."""


@pytest.mark.parametrize("lang", sorted(PLURALS))
def test_every_reason_and_moment_has_a_sentence_of_its_own(lang):
    phases = {f"wrong_phase.{phase.value}" for phase in Phase}
    wanted = {f"refused.{each}" for each in reasons() - {"wrong_phase"} | phases}
    words = {key: CATALOGUES[lang].get(key) for key in wanted}
    assert [key for key, text in words.items() if text is None] == []
    assert [text for text, n in Counter(words.values()).items() if n > 1] == []
    if lang != "en":
        assert [key for key, text in words.items() if text == ENGLISH[key]] == []


def test_no_phone_shows_words_that_the_program_wrote_for_its_own_people():
    shown = [path for path, text in sources().items() if re.search(r"reply\.message", text)]
    assert shown == []
