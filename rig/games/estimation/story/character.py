"""What kind of player a seat without a person is: screens name it, and the bot plays like it."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Character:
    """One way to play.

    Attributes:
        name: the key that screens translate.
        courage: 0 believes little and places tamely, 1 believes much and places boldly.
        doubt: how far its guess lies from the prediction: standard deviation of the log odds.
        sure: it votes Success on a row that it gives a better chance than this.
        bluff: how often it calls a row that it believes in, so that others doubt it.
    """

    name: str
    courage: float
    doubt: float
    sure: float
    bluff: float


ENGINEER = Character("engineer", courage=0.5, doubt=0.6, sure=0.6, bluff=0.0)
BLUFFER = Character("bluffer", courage=0.7, doubt=1.2, sure=0.6, bluff=0.1)
COWARD = Character("coward", courage=0.2, doubt=1.2, sure=0.7, bluff=0.0)

_BY_SEAT = (COWARD, ENGINEER, BLUFFER)


def character_of(seat: str) -> Character:
    """The character of the bot on this seat: those who sit side by side differ.

    >>> [character_of(f"s{n}").name for n in (2, 3, 4)]
    ['engineer', 'bluffer', 'coward']
    """
    return _BY_SEAT[(int(seat[1:]) - 1) % len(_BY_SEAT)]
