import pytest

from rig.errors import NotPossible
from rig.games.estimation.table.estimation_table import EstimationTable
from rig.session.seats import clean_name, look_alike
from rig.session.state import Player
from web.access.names import tidy

MIRA = EstimationTable(players=(Player("s1", "Mira", "star", "a"),))


@pytest.mark.parametrize(
    "name",
    ["Мirа", "Mir\u0430", "M\u200dira", "Mira\ufe0f", "\uff2d\uff49\uff52\uff41", "M i r a"],
)
def test_a_name_that_looks_like_one_at_the_table_is_refused(name):
    with pytest.raises(NotPossible) as refused:
        clean_name(name, MIRA)
    assert refused.value.reason == "name_alike"


@pytest.mark.parametrize("name", ["Міра", "Мира", "Mirá", "Mirka", "Rima", "Ми́ра"])
def test_a_name_that_reads_otherwise_is_let_in(name):
    assert clean_name(name, MIRA)


def test_one_may_keep_ones_own_name_in_other_letters():
    assert clean_name("Мirа", MIRA, "s1") == "Мirа"


@pytest.mark.parametrize(
    "name",
    [
        "\u3164",
        "\u2800\u2800",
        "A\u3164",
        "\uffa0x",
        "A\uffff",
        "A\u0378",
        "A\U0001ffff",
        "A\ufdd0",
    ],
)
def test_a_name_with_letters_that_nobody_sees_is_refused(name):
    with pytest.raises(NotPossible, match="invisible"):
        clean_name(name, EstimationTable())


@pytest.mark.parametrize("name", ["👩\u200d👩\u200d👧", "🫪", "नमस्ते", "Ľuboš №1"])
def test_a_name_may_have_every_sign_that_is_seen(name):
    assert clean_name(name, EstimationTable()) == tidy(name) == name


@pytest.mark.parametrize(
    ("one", "other"), [("Іван", "lван"), ("BOB", "ВОВ"), ("Ilo", "1l0"), ("ΝΙΚΟΣ", "NIKOΣ")]
)
def test_capitals_look_like_capitals(one, other):
    assert look_alike(one, other)
