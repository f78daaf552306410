import pytest

from web.access.names import tidy
from web.base.errors import Denied


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
