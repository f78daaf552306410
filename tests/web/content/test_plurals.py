"""Plural forms of whole numbers: as translators' tools have them, and as a terminal says them."""

from gettext import c2py

import pytest
from translate.lang.data import languages, plural_tags

from tests.support.words import LANGUAGES, PLURALS
from web.content.plurals import _RULES, form_of
from web.content.words import speaker

KNOWN = sorted({*LANGUAGES, *_RULES, "el", "es", "et", "fi", "hu", "it", "nl", "sv", "tr"})
OTHERWISE = {"cy", "he", "is", "mk"}
"""The formulas of these are older than their forms in CLDR."""
NUMBERS = range(300)


@pytest.mark.parametrize("code", KNOWN)
def test_a_language_has_the_forms_that_cldr_names_and_no_others(code):
    assert {form_of(code, n) for n in NUMBERS} == set(plural_tags[code]) - (
        {"many"} if code in ("es", "fr", "it", "pt") else set()  # from a million on
    )


@pytest.mark.parametrize("code", sorted(set(KNOWN) & languages.keys() - OTHERWISE))
def test_numbers_share_a_form_where_the_formula_of_gettext_says_so(code):
    formula, forms = c2py(languages[code][2].strip()), {}
    for n in NUMBERS:
        assert forms.setdefault(formula(n), form_of(code, n)) == form_of(code, n), n
    assert len(set(forms.values())) == len(forms)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_languages_that_there_are_have_a_form_for_every_number(lang):
    assert {form_of(lang, n) for n in NUMBERS} == PLURALS[lang]


def test_a_terminal_says_the_form_of_the_number():
    say = speaker("uk", "past")
    told = [say("past.proof.chips", count=n).split()[1] for n in (1, 3, 11, 21)]
    assert told == ["фішку", "фішки", "фішок", "фішку"]
