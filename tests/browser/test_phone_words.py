"""The words of a phone: every one that a screen names is there, and every refusal has its own."""

import ast
import re
from collections import Counter
from pathlib import Path

import pytest

from rig.games.estimation.terms import Phase, Reason
from rig.pusher.port import Refusal
from tests.support.words import PLURALS, forms, page_words, words
from web.content.static_files import Files

ROOT = Path(__file__).parents[2]
STATIC = ROOT / "web" / "static"
CATALOGUES = {lang: words(lang) for lang in PLURALS}
ENGLISH = CATALOGUES["en"]
BUILT = re.compile(r"`([a-z_]+(?:\.[a-z_]+)*)\.\$\{")
LITERAL = re.compile(r"""\bt\(\s*"([^"]+)"|\?\s*"([a-z_.]+\.[a-z_]+)"|:\s*"([a-z_]+\.[a-z_.]+)\"""")


OPTIONS = STATIC / "lobby" / "options.js"
"""The sheet of presets and options: its words come with each game that has some."""


def page_sources():
    """What any game's phone has; a page that knows no game has no words of one."""
    rooms = ("core", "lobby", "host")
    files = [STATIC / "phone.js"]
    files += [path for room in rooms for path in (STATIC / room).rglob("*.js") if path != OPTIONS]
    return {str(path): path.read_text(encoding="utf-8") for path in files}


def sources(name="estimation"):
    game = STATIC / "games" / name
    files = [game / "phone.js", *(game / "screens").rglob("*.js")]
    files += [OPTIONS] if name == "dominoes" else []
    return page_sources() | {str(path): path.read_text(encoding="utf-8") for path in files}


SHEET = page_words("en/deck")
"""What comes with the sheet that proves a deal."""
WHERE = pytest.mark.parametrize(
    ("texts", "known"),
    [
        (page_sources(), page_words("en/phone") | page_words("en/more") | SHEET),
        (sources(), words("en") | SHEET),
        (sources("dominoes"), words("en", "dominoes") | SHEET),
        (
            sources("plain"),
            page_words("en/phone") | page_words("en/more") | page_words("en/plain/phone") | SHEET,
        ),
    ],
    ids=["page", "estimation", "dominoes", "plain"],
)


@WHERE
def test_every_key_that_a_screen_names_exists(texts, known):
    found = (key for text in texts.values() for keys in LITERAL.findall(text) for key in keys)
    named = {key for key in found if "." in key}
    assert len(named) > 100
    assert named - set(forms(known)) == set()


@WHERE
def test_every_group_of_keys_that_a_screen_builds_exists(texts, known):
    built = {prefix for text in texts.values() for prefix in BUILT.findall(text)}
    heads = {key.rsplit(".", n)[0] for key in forms(known) for n in (1, 2)}
    assert built - heads == set()


@pytest.mark.parametrize("game", ["estimation", "dominoes"])
def test_only_sheets_speak_the_words_that_come_with_the_first_of_them(game):
    shelf = Files(development=True)

    def loaded(*names):
        return {STATIC.parent / path[1:] for path in shelf.needed(*names)}

    own = f"games/{game}"
    sheets = ("lobby/menus.js", "lobby/deck.js", "host/host.js", f"{own}/screens/sheets.js")
    sheets += (f"{own}/screens/turn/photo.js",) if game == "estimation" else ()
    late = {STATIC / name for name in sheets} | loaded(*sheets) - loaded(
        "phone.js", f"{own}/phone.js"
    )
    texts = [text for path, text in sources(game).items() if Path(path) not in late]
    first = {**page_words("en/phone"), **page_words(f"en/{game}/phone")}
    then = {**page_words("en/more"), **page_words(f"en/{game}/more")}
    named = {key for text in texts for keys in LITERAL.findall(text) for key in keys}
    assert named & set(forms(then)) == set()
    built = {prefix for text in texts for prefix in BUILT.findall(text)}
    assert built - {key.rsplit(".", n)[0] for key in forms(first) for n in (1, 2)} == set()


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


def test_who_stood_a_tile_that_is_not_seen_hears_how_much_room_it_needs():
    written = (ROOT / "rig" / "AT_THE_TABLE.md").read_text(encoding="utf-8")
    (room,) = re.findall(r"a tile without a mark stands less than about (\d+) mm", written)
    for lang, said in CATALOGUES.items():
        assert re.search(rf"\b{room}\s(mm|мм)\b", said["notice.nothing_new"]), lang
