import pytest
from hypothesis import given
from hypothesis import strategies as st

from rig.errors import NotPossible
from rig.games.estimation.table.estimation_table import EstimationTable
from rig.session.seats import clean_name, look_alike
from rig.session.state import Player
from web.access.names import tidy

MIRA = EstimationTable(players=(Player("s1", "Mira", "star", "a"),))


@pytest.mark.parametrize(
    "name",
    [
        *("Мirа", "Mir\u0430", "M\u200dira", "Mira\ufe0f", "\uff2d\uff49\uff52\uff41", "M i r a"),
        *("Mıra", "Mirɑ", "ᴍɪʀᴀ", "ᎷᎥra", "ꓟira", "Miгa", "Mιra", "Mirⲁ"),
    ],
)
def test_a_name_that_looks_like_one_at_the_table_is_refused(name):
    with pytest.raises(NotPossible) as refused:
        clean_name(name, MIRA)
    assert refused.value.reason == "name_alike"


@pytest.mark.parametrize("name", ["Міра", "Мира", "Mirá", "Mirka", "Rima", "Ми́ра", "ميرا"])
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
        "Mira\U0001d159",
        "Mira\U00016fe4",
        "Mira\U0001f0ff",
    ],
)
def test_a_name_with_letters_that_nobody_sees_is_refused(name):
    with pytest.raises(NotPossible, match="invisible"):
        clean_name(name, EstimationTable())


@pytest.mark.parametrize("name", ["👩\u200d👩\u200d👧", "🫪", "नमस्ते", "Ľuboš №1"])
def test_a_name_may_have_every_sign_that_is_seen(name):
    assert clean_name(name, EstimationTable()) == tidy(name) == name


HONEST = (
    *("José", "Jose", "Zoë", "Işıl", "Kɔfi", "Anne-Marie", "O'Neill", "Oʻktam", "Ľuboš №1", "Bo 2"),
    *("Зоя", "Ђорђе", "Євгенія", "Мар'яна", "Ζωή", "Գոհար", "ნინო", "שרה", "عمر", "نادية"),
    *("नीता", "நிலா", "สมชาย", "明", "明子", "さくら", "サクラ", "지우", "DJ明", "山田A", "山田太"),
    *("🦊", "Bo 🦊", "👩\u200d🚀", "ᎠᏂ", "ꓡꓲꓢꓴ", "Иван Б.", "Иван В."),
)


def test_honest_names_of_the_world_sit_at_one_table():
    table = EstimationTable()
    for at, name in enumerate(HONEST):
        assert clean_name(tidy(name), table) == name
        player = Player(f"s{at}", name, "star", None)
        table = EstimationTable(players=(*table.players, player))


LATIN = "abcdefghijklmnopqrstuvwxyzABCDEFGHJKLMNOPQRSTUVWXYZé"
OTHER = "ᎷᎥᎪᏒꓟꓲꓣꓮԱհօⲁⲙႠნდשعनЖиφΩ𐐨𐌰ⴰ"
"""Letters of scripts that are not written together with Latin ones in one name."""


@given(st.text(LATIN, min_size=2, max_size=20), st.data())
def test_a_letter_of_another_script_makes_no_other_name_of_it(name, data):
    at = data.draw(st.sets(st.integers(0, len(name) - 1), min_size=1, max_size=len(name) - 1))
    strange = data.draw(st.lists(st.sampled_from(OTHER), min_size=len(name), max_size=len(name)))
    forged = "".join(strange[n] if n in at else char for n, char in enumerate(name))
    assert look_alike(forged, name) and look_alike(name, forged)


@given(
    st.text(LATIN, min_size=1, max_size=20), st.text("ЖИႠნդשعΩφ𐐨明さ지", min_size=1, max_size=20)
)
def test_a_name_all_in_letters_of_its_own_looks_like_none_in_others(name, other):
    assert not look_alike(name, (other * len(name))[: len(name)])


@pytest.mark.parametrize(
    ("one", "other"), [("Іван", "lван"), ("BOB", "ВОВ"), ("Ilo", "1l0"), ("ΝΙΚΟΣ", "NIKOΣ")]
)
def test_capitals_look_like_capitals(one, other):
    assert look_alike(one, other)
