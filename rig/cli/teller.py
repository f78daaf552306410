"""What a terminal tells of games that were played, in the language of the machine."""

import os
from dataclasses import dataclass

from rig.cli.speech import machine_language, speech
from rig.games.phrase import Fact, in_words
from rig.games.registry import ESTIMATION
from rig.session.seats import JOINER, is_shown
from web.content.words import SOURCE, Say, speaker


@dataclass(frozen=True, slots=True)
class Teller:
    """Tells a game in a language.

    Attributes:
        say: says the texts of this game and of any.
        english: whether they are English.
    """

    say: Say
    english: bool

    def tell(self, fact: Fact) -> str:
        """Put into words what a game has told: one line, whatever stands in its file."""
        return shown(in_words(fact, self.say, self.english))


def teller(asked: str | None, game: str = "") -> Teller:
    """Who tells a game in the language asked for, else in that of this machine.

    Args:
        asked: the code of a language; None for that of the machine.
        game: what was played, "" for Estimation Domino.

    Raises:
        UnknownLanguage: there is no such language.
    """
    speech(asked)
    language = asked or machine_language(os.environ)
    names = ("table", "replay", f"{game or ESTIMATION}/terminal")
    return Teller(speaker(language, *names), language == SOURCE)


def shown(text: str) -> str:
    r"""Replace what a terminal would obey instead of showing: a file's names may be anything.

    >>> shown("Ana\x1b[2J\n"), shown("👩\u200d👧")
    ('Ana?[2J?', '👩\u200d👧')
    """
    return "".join(c if is_shown(c) or c == JOINER else "?" for c in text)
