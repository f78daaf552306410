"""What is to be said, as keys and facts; whoever knows a language has the words."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any, TypeAlias

Say: TypeAlias = Callable[..., str]
"""Says a text of a language by its key, with the values of its places by name; "" for no text."""


@dataclass(frozen=True, slots=True)
class Phrase:
    """Something to say.

    Attributes:
        key: of its text in the catalogues; nobody speaks of what has none.
        of: the facts for the places of the text.
        otherwise: what is said where there is no such text.
        logged: `otherwise` is English, from the journal, and English says it instead of the text.
    """

    key: str
    of: Mapping[str, "Fact"] = field(default_factory=dict)
    otherwise: str = ""
    logged: bool = False


Fact: TypeAlias = str | int | Decimal | Exception | Phrase | Sequence["Fact"]
"""A name, a number, or something told itself; of several, one after the other."""

NOTHING = Phrase("")
"""What nobody would speak of."""
POINT = re.compile(
    "am|ar|as|bn|cy|en|fa|fil|ga|gd|gu|ha|he|hi|ig|iw|ja|kn|ko|mg|mi|ml|mn|mr|ms|mt|my|ne|om|"
    "or|pa|qu|sd|si|sn|so|sw|ta|te|th|ti|tl|to|ug|ur|xh|yi|yo|yue|zh|zu"
)
"""The languages whose decimal sign is a point, by CLDR for digits 0-9; the others have a comma."""


def listed(facts: Sequence[Fact]) -> Fact:
    """Facts in a row, as a sentence lists them."""
    if len(facts) < 2:
        return facts
    return Phrase("told.and", {"most": facts[:-1], "last": facts[-1]})


def in_words(fact: Fact, say: Say, english: bool = False) -> str:
    """Put it into words.

    Args:
        fact: what is to be said.
        say: has the words.
        english: whether they are English.

    >>> in_words(("Ana", Phrase("votes", {"count": 2})), lambda key, count: f"{count} {key}")
    'Ana, 2 votes'
    """
    match fact:
        case Phrase(_, _, otherwise, logged) if logged and english:
            return otherwise
        case Phrase(key, of, otherwise):
            known = {
                name: each if isinstance(each, int | Decimal) else in_words(each, say, english)
                for name, each in of.items()
            }
            return say(key, **known) or otherwise
        case str() | int() | Decimal() | Exception():
            return str(fact)
    return ", ".join(in_words(each, say, english) for each in fact)


def written(value: Any, language: str) -> Any:
    """Give a decimal number as a language writes it, and anything else as it is.

    >>> written(Decimal("7.50"), "de"), written(Decimal("7.50"), "en"), written("1.4", "de")
    ('7,50', '7.50', '1.4')
    """
    if not isinstance(value, Decimal | float):
        return value
    return str(value) if POINT.fullmatch(language) else str(value).replace(".", ",")
