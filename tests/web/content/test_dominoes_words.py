"""Whatever dominoes can say has words: refusals, presets, options and their values."""

import re

import pytest

from rig.games.dominoes.events import KINDS
from rig.games.dominoes.game import How
from rig.games.dominoes.options import BUNDLES, CHOICES, PLAYERS
from rig.games.dominoes.table.why import KINDS as REASONS
from rig.games.dominoes.terms import Reason
from tests.support.words import LANGUAGES, page_words

WORDS = page_words("en/dominoes/phone") | page_words("en/dominoes/more")


def test_every_refusal_has_its_sentence():
    assert [reason for reason in Reason if f"refused.{reason}" not in WORDS] == []


@pytest.mark.parametrize("lang", LANGUAGES)
def test_whoever_cannot_start_is_told_how_many_can(lang):
    said = page_words(f"{lang}/dominoes/more")["refused.player_count"]
    assert re.findall(r"\d", said) == [*map(str, PLAYERS["sea-goat"]), "2", "4"]


def test_every_preset_has_a_name_and_a_reason():
    named = [f"preset.{name}{end}" for name in BUNDLES for end in ("", ".why")]
    assert [key for key in named if key not in WORDS] == []


def test_every_option_has_a_name_a_reason_and_words_for_what_it_can_be():
    named = [f"option.{name}{end}" for name in CHOICES for end in ("", ".why")]
    values = [
        f"option.{name}.{value}"
        for name, can in CHOICES.items()
        for value in can.get("values", ())
        if isinstance(value, str)
    ]
    assert [key for key in (*named, *values) if key not in WORDS] == []
    assert len(values) > 20


def test_every_event_of_a_match_can_be_told_afterwards():
    told = page_words("en/dominoes/past")
    silent = {"HandDealt", "BoneyardLaid", "TurnBegan"}
    begun = {".".join(key.split(".")[:3]) for key in told}
    assert {f"past.event.{kind}" for kind in set(KINDS) - silent} <= begun
    for way in ("BonePlaced.first", "BonePlaced.left", "BonePlaced.right"):
        assert "{{bone}}" in told[f"past.event.{way}"]
    assert [how for how in How if f"past.event.RoundEnded.{how}" not in told] == []


def test_every_reason_of_the_strong_bot_has_its_words():
    told = page_words("en/dominoes/past")
    assert {key.removeprefix("past.why.") for key in told if key.startswith("past.why.")} == set(
        REASONS
    )
