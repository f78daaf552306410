"""Which plural form a language has for a whole number, by CLDR: pages ask their browser for this.

Forms that only fractions or numbers from a million on have are left out.
"""

from collections.abc import Callable

_Rule = Callable[[int], str]


def form_of(language: str, number: int) -> str:
    """Name the form: zero, one, two, few, many or other.

    >>> [form_of("uk", number) for number in (1, 2, 5, 11, 21)]
    ['one', 'few', 'many', 'many', 'one']
    >>> form_of("en", 0)
    'other'
    """
    return _RULES.get(language, _one)(number)


def forms_of(language: str) -> tuple[str, ...]:
    """Name the forms that a language has for whole numbers, in the order in which numbers use them.

    >>> forms_of("uk"), forms_of("en")
    (('many', 'one', 'few'), ('other', 'one'))
    """
    return tuple(dict.fromkeys(form_of(language, number) for number in range(200)))


def _one(n: int) -> str:
    return "one" if n == 1 else "other"


def _below_two(n: int) -> str:
    return "one" if n < 2 else "other"


def _always(n: int) -> str:
    return "other"


def _ends_in_one(n: int) -> str:
    return "one" if n % 10 == 1 and n % 100 != 11 else "other"


def _south_slavic(n: int) -> str:
    few = n % 10 in (2, 3, 4) and n % 100 not in (12, 13, 14)
    return "few" if few else _ends_in_one(n)


def _east_slavic(n: int) -> str:
    return _south_slavic(n).replace("other", "many")


def _polish(n: int) -> str:
    return "one" if n == 1 else _east_slavic(n).replace("one", "many")


def _czech(n: int) -> str:
    return "few" if n in (2, 3, 4) else _one(n)


def _slovene(n: int) -> str:
    return {1: "one", 2: "two", 3: "few", 4: "few"}.get(n % 100, "other")


def _lithuanian(n: int) -> str:
    if n % 10 == 0 or n % 100 in range(11, 20):
        return "other"
    return "one" if n % 10 == 1 else "few"


def _latvian(n: int) -> str:
    if n % 10 == 0 or n % 100 in range(11, 20):
        return "zero"
    return "one" if n % 10 == 1 else "other"


def _romanian(n: int) -> str:
    few = n == 0 or n % 100 in range(1, 20)
    return "one" if n == 1 else "few" if few else "other"


def _hebrew(n: int) -> str:
    return {1: "one", 2: "two"}.get(n, "other")


def _arabic(n: int) -> str:
    if n < 3:
        return ("zero", "one", "two")[n]
    return "few" if n % 100 in range(3, 11) else "many" if n % 100 > 10 else "other"


def _irish(n: int) -> str:
    if n in (1, 2):
        return ("one", "two")[n - 1]
    return "few" if n in range(3, 7) else "many" if n in range(7, 11) else "other"


def _welsh(n: int) -> str:
    return {0: "zero", 1: "one", 2: "two", 3: "few", 6: "many"}.get(n, "other")


_BY_CODE: tuple[tuple[str, _Rule], ...] = (
    ("am as bn fa fr gu hi hy kn pa pt si zu", _below_two),
    ("id ja jv km ko lo ms my su th vi yo yue zh", _always),
    ("is mk", _ends_in_one),
    ("bs cnr hr sh sr", _south_slavic),
    ("be ru uk", _east_slavic),
    ("pl", _polish),
    ("cs sk", _czech),
    ("dsb hsb sl", _slovene),
    ("lt", _lithuanian),
    ("lv", _latvian),
    ("mo ro", _romanian),
    ("he iw", _hebrew),
    ("ar", _arabic),
    ("ga", _irish),
    ("cy", _welsh),
)
_RULES = {code: rule for codes, rule in _BY_CODE for code in codes.split()}
"""All others that are spoken widely have one form for 1 and one for every other number."""
