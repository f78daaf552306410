"""The language in which commands speak to people: that of the machine, or the one asked for.

Commands that have `--language` speak it, also where they stop for a reason that is met at the
table or with the file of a game. The others are English, and so is all that is said of arguments,
settings and other files, in the help and in the log.
"""

import locale
import os
import re
import sys
from collections.abc import Mapping
from typing import Any

from rig.errors import RigError
from rig.games.phrase import Fact, Phrase
from rig.salvage import Damage
from vision.errors import VisionError
from web.content.words import SOURCE, Say, languages, speaker, words

CATALOGUES = ("language", "setup", "entry", "terminal", "sheets")
"""What a terminal and printed sheets say, and what a language calls itself."""
GAME = "game."
"""Before the name of a game: the key of what people call it."""


class UnknownLanguage(RigError):
    """There are no words in the language asked for."""


def speech(asked: str | None = None) -> Say:
    """Give what says a text in the language asked for, else in that of this machine.

    Raises:
        UnknownLanguage: there is no such language.
    """
    if asked is not None and asked not in languages():
        known = ", ".join(languages())
        raise UnknownLanguage(f"there are no words in {asked}; choose one of {known}")
    language = asked or machine_language(os.environ)
    said = speaker(language, *CATALOGUES)

    def say(key: str, /, **of: Any) -> str:
        game = key.removeprefix(GAME)
        return said(key, **of) if game == key else game_name(game, language)

    return say


def game_name(game: str, language: str = SOURCE) -> str:
    """What people call a game.

    >>> game_name("estimation"), game_name("chess")
    ('Estimation Domino', 'chess')
    """
    return words(language, f"{game}/table").get("table.game", game)


def explained(error: Exception, say: Say) -> str:
    """Say why something failed.

    English is what the program says of itself. Other languages have the words of set-up, and
    English for what they have no words for.

    Args:
        error: what was raised.
        say: says the texts of a language.
    """
    if say("language") == languages()[SOURCE]:
        return str(error)
    key, of = getattr(error, "key", ""), getattr(error, "of", {})
    if isinstance(error, VisionError):
        from rig.setup.reasons import why  # this loads OpenCV, which has been loaded by now

        reason = why(error, "")
        key, of = reason.key, reason.of
    known = {name: _place(value, say) for name, value in of.items() if value != ""}
    said = (say(f"setup.{key}{part}", **known) for part in ("", ".do"))
    whole = [each for each in said if each and "{{" not in each]
    return " ".join(each if each[-1] in ".?!…" else f"{each}." for each in whole) or str(error)


def noted(note: Phrase, say: Say) -> str:
    """Say what people should know; an error in it is explained."""
    of = {name: _place(each, say) for name, each in note.of.items()}
    return say(note.key, **of) or note.otherwise


def damaged(journal: Damage) -> Phrase:
    """What is told of a damaged journal when its table is opened."""
    of: dict[str, Fact] = {"file": str(journal.path), "copy": str(journal.copy)}
    of |= {"why": journal.found, "good": journal.good}
    if journal.lost:
        return Phrase("note.damaged.lost", {**of, "lost": journal.lost})
    return Phrase("note.damaged", of)


def _place(value: Any, say: Say) -> Any:
    """What stands in the place of a value: of what is told itself, what is said of it."""
    match value:
        case Phrase():
            return noted(value, say)
        case Exception():
            return explained(value, say).rstrip(".")
    return value


def machine_language(environ: Mapping[str, str]) -> str:
    """The first of the machine's languages that there are words in, else English.

    >>> machine_language({"LANG": "uk_UA.UTF-8"}), machine_language({"LC_ALL": "C", "LANG": "bg"})
    ('uk', 'en')
    """
    said = next(filter(None, map(environ.get, ("LC_ALL", "LC_MESSAGES", "LANG"))), "")
    if not said and sys.platform == "win32":
        import ctypes

        number = ctypes.windll.kernel32.GetUserDefaultUILanguage()
        said = locale.windows_locale.get(number, "")
    is_plain = re.split(r"[._-]", said)[0] in ("", "C", "POSIX")
    wanted = [*("" if is_plain else environ.get("LANGUAGE", "")).split(":"), said]
    codes = (re.split(r"[._@-]", each)[0].lower() for each in wanted)
    return next((code for code in codes if code in languages()), SOURCE)
