import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rig.errors import NotPossible
from rig.games.estimation.table.estimation_table import EstimationTable
from rig.session.seats import JOINER, clean_name
from web.access.names import tidy
from web.base.errors import Denied

EMOJI = (
    *(
        "👩\u200d👩\u200d👧",
        "👨\u200d👩\u200d👧\u200d👦",
        "👩🏽\u200d🚀",
        "❤️\u200d🔥",
        "👋🏽",
        "🦊",
    ),
    "👩🏻\u200d❤️\u200d💋\u200d👩🏿",
)
TRICKS = st.text(
    "aZЖ한\u0301\u0310\ufe0f🏽👩❤🦊 \u200d\u200b\u202e\u2066\u2069\u00ad\x00\x1b\n\u3164^`"
)
"""Whatever might hide something, turn it round or pile it up."""


@pytest.mark.parametrize(
    ("typed", "shown"),
    [
        ("Mira", "Mira"),
        ("  Grandpa \t Petro\n", "Grandpa Petro"),
        ("<b>Bo</b> & 'co'", "<b>Bo</b> & 'co'"),
        ("Cafe\u0301", "Café"),
        ("\u202eevil\u202c", "evil"),
        ("a\u200bb\ufeff\u2066c", "abc"),
        ("a\x00b\x1b[31m", "ab[31m"),
        ("שרה", "שרה"),
        ("ناديا", "ناديا"),
        ("Євгенія", "Євгенія"),
        ("👩\u200d👩\u200d👧", "👩\u200d👩\u200d👧"),
        ("👋🏽", "👋🏽"),
        ("Z" + "\u0300\u0301\u0302\u0303\u0304\u0305", "Z\u0300\u0301"),
        ("\u0301\u0302", None),
        ("   ", None),
        ("", None),
        ("\u200b\u200b", None),
        ("A\u0378\uffff\u3164\ufdd0", "A"),
        ("\u3164", None),
        ("\u200d", None),
        ("x" * 20, "x" * 20),
        ("x" * 21, None),
        ("👩\u200d👩\u200d👧" * 20, "👩\u200d👩\u200d👧" * 20),
        ("x" * 5000, None),
        (None, None),
        (["Mira"], None),
    ],
)
def test_a_name_is_what_everybody_can_read(typed, shown):
    if shown is None:
        with pytest.raises(Denied, match="1 to 20 characters"):
            tidy(typed)
    else:
        assert tidy(typed) == tidy(shown) == shown


@given(st.lists(st.sampled_from([*"Mira ", *EMOJI]), min_size=1, max_size=20))
def test_an_emoji_of_several_is_one_letter_of_a_name(parts):
    name = "".join(parts).strip()
    if not name or len(name) > 40 or "  " in name:
        return
    assert clean_name(tidy(name), EstimationTable()) == name


@given(TRICKS)
def test_no_name_hides_anything_or_is_wider_than_twenty_letters(typed):
    try:
        name = clean_name(tidy(typed), EstimationTable())
    except (Denied, NotPossible):
        return
    kinds = [unicodedata.category(char) for char in name if char != JOINER]
    assert not {"Cc", "Cf", "Zl", "Zp"} & set(kinds) and len(name) <= 40
    assert sum(kind not in ("Mn", "Me", "Sk") for kind in kinds) <= 20, "also where none is joined"
    assert tidy(name) == name
