"""The numbered test vectors of the rules, each played through the referee's plain words."""

import json

import pytest

from rig.cli.referee import Referee
from rig.games.dominoes.bones import SET


class Match:
    """A match with the referee, as a program would play it."""

    def __init__(self, preset, seats, options=None, **position):
        self.referee = Referee("dominoes")
        new = {"preset": preset, "seats": seats}
        if options:
            new["options"] = options
        if position:
            new["position"] = position
        self.begun = self.ask({"new": new})
        assert self.begun["ok"], self.begun
        self.events = self.begun["events"]

    def ask(self, line):
        return json.loads(json.dumps(self.referee.answer(json.dumps(line))))

    def do(self, actor, kind, **fields):
        answer = self.ask({"actor": actor, "type": kind, **fields})
        assert answer["ok"], answer
        self.events = answer["events"]
        return self

    def refused(self, actor, kind, **fields):
        answer = self.ask({"actor": actor, "type": kind, **fields})
        assert not answer["ok"], answer
        return answer["reason"]

    def place(self, seat, tile, end=None):
        return self.do(seat, "place", tile=tile, **({"end": end} if end else {}))

    def view(self, seat=None):
        return self.ask({"view": seat})["view"]

    def said(self, kind):
        found = [event for event in self.events if event["type"] == kind]
        return found[0] if found else None


def ended(preset, hands, *, out=0, line=("1-1",), options=None, **position):
    """A match in which seat `out` lays its only tile, which fits."""
    match = Match(
        preset, len(hands), options, hands=list(hands), line=list(line), active=out, **position
    )
    return match.place(out, hands[out][0], "right")


def fished(preset, hands, placer, options=None, **position):
    """A match that seat `placer` blocks: both ends are 6, and nobody has one."""
    own = [list(hand) for hand in hands]
    own[placer].append("1-6")
    match = Match(
        preset, len(hands), options, hands=own, line=["6-0", "0-1"], active=placer, **position
    )
    return match.place(placer, "1-6", "right")


def books(match):
    view = match.view()
    return view["account"], view["memory"]


def test_1_who_goes_out_loses_the_memory():
    match = ended("goat-online", (["1-2"], ["0-3"]), account=[None, None], memory=[19, 0])
    assert books(match) == ([None, None], [0, 3])


def test_2_a_small_round_is_remembered():
    match = ended("goat-online", (["1-2"], ["0-3"]))
    assert books(match)[1] == [0, 3]


def test_3_a_round_of_thirteen_opens_with_what_was_remembered():
    match = ended("goat-online", (["1-2"], ["3-4", "2-4"]), memory=[0, 7])
    assert books(match) == ([None, 20], [0, 0])


def test_4_memory_adds_up():
    match = ended("goat-online", (["1-2"], ["0-5"]), memory=[0, 4])
    assert books(match) == ([None, None], [0, 9])


FOUR = (["0-2"], ["0-3"], ["3-4", "2-4"], ["0-5"])


def test_5_fish_for_one_gives_everything_to_the_highest_hand():
    match = fished("goat-online/one", FOUR, 0, memory=[2, 5, 7, 1])
    assert match.said("round")["how"] == "fish" and match.said("round")["pips"] == [2, 3, 13, 5]
    assert books(match) == ([None, None, 30, None], [0, 0, 0, 0])


TIED = (["0-2"], ["3-5", "2-4"], ["4-5", "1-4"], ["0-5"])


def test_6_fish_for_one_with_a_tie_is_carried():
    match = fished("goat-online/one", TIED, 0, memory=[1, 2, 3, 4])
    assert match.said("round")["pips"] == [2, 14, 14, 5]
    assert match.view()["carry"] == 35
    assert books(match) == ([None] * 4, [1, 2, 3, 4])


def test_7_the_carry_goes_to_the_unique_greatest_after_an_out():
    match = ended(
        "goat-online/one",
        (["1-2"], ["0-6"], ["0-3"], ["0-4"]),
        account=[None, 40, None, None],
        carry=35,
    )
    assert match.view()["account"][1] == 81 and match.view()["carry"] == 0


def test_8_the_carry_goes_with_a_fish_for_one():
    hands = (["0-2"], ["0-3"], ["4-5"], ["2-4"])
    match = fished("goat-online/one", hands, 0, carry=35)
    assert sum(match.said("round")["pips"]) == 20
    assert match.view()["account"][2] == 55 and match.view()["carry"] == 0


def test_9_a_second_tied_fish_adds_to_the_carry():
    match = fished("goat-online/one", (["0-2"], ["3-4"], ["2-5"], ["0-4"]), 0, carry=35)
    assert sum(match.said("round")["pips"]) == 20
    assert match.view()["carry"] == 55


def test_10_a_rating_is_rounded_half_up():
    match = ended("goat-online", (["1-2"], ["0-3"], ["0-5"]), account=[25, 99, 40], line=("1-1",))
    assert match.said("game") == {
        "type": "game",
        "winners": [0, 2],
        "losers": [1],
        "rating": [8, None, 6],
    }


def test_11_a_timeout_rates_by_the_score_of_who_was_late():
    match = Match(
        "goat-online",
        3,
        {"move_clock": 30},
        hands=[["1-2"], ["0-3"], ["0-5"]],
        line=["1-1"],
        active=0,
        account=[32, 30, 13],
    )
    match.do("referee", "timeout", seat=0)
    assert match.said("game")["rating"] == [0, 1, 2]
    assert match.said("game")["losers"] == [0] and match.said("game")["winners"] == [1, 2]
    assert match.view()["phase"] == "over"


@pytest.mark.parametrize("where", ["hand", "boneyard"])
def test_12_the_sixth_tile_of_a_value_at_both_ends_is_a_fish(where):
    line = ["2-1", "1-1", "1-3", "3-2", "2-0", "0-6", "6-2", "2-4", "4-4", "4-5"]
    hand = [["2-5", "3-3"], ["0-0", *(["2-2"] if where == "hand" else [])]]
    match = Match(
        "goat-online",
        2,
        hands=hand,
        boneyard=["2-2", "0-1"] if where == "boneyard" else ["0-1"],
        line=line,
        active=0,
    )
    match.place(0, "5-2", "right")
    assert match.said("round")["how"] == "fish" and match.said("round")["seat"] == 0


@pytest.mark.parametrize(("hand", "points"), [(["0-0"], 10), (["0-0", "1-3"], 4)])
def test_13_the_blank_double_counts_ten_only_alone(hand, points):
    match = ended("goat-online", (["1-2"], hand))
    assert match.said("round")["pips"] == [0, points]


def test_14_the_winner_collects_what_the_others_hold():
    match = ended("ru-classic", (["1-2"], ["1-4"], ["3-6"], ["2-5"]))
    assert match.view()["account"] == [21, 0, 0, 0]


def test_15_the_blank_double_counts_25_in_the_classic_game():
    assert ended("ru-classic", (["1-2"], ["0-0"])).view()["account"] == [25, 0]


def test_16_also_with_another_tile():
    assert ended("ru-classic", (["1-2"], ["0-0", "1-3"])).view()["account"] == [29, 0]
    match = ended("ru-classic", (["1-3"], ["0-0", "1-2"]))
    assert match.view()["account"] == [28, 0]


@pytest.mark.parametrize(("double", "points"), [("1-1", 4), ("2-2", 8), ("3-3", 12)])
def test_17_a_double_counts_twice_in_the_bulgarian_game(double, points):
    match = ended("bg-standard", (["4-5"], [double]), line=("4-4",))
    assert match.said("round")["pips"] == [0, points]


def test_18_the_bulgarian_winner_collects():
    match = ended("bg-standard", (["1-2"], ["6-6"], ["3-4"], ["0-5"]))
    assert match.view()["account"] == [36, 0, 0, 0]


def test_19_the_lowest_hand_wins_a_fish():
    match = fished("bg-standard", (["0-5"], ["4-5", "0-2"], ["1-4", "1-3"]), 0)
    assert match.said("round")["pips"] == [5, 11, 9]
    assert match.view()["account"] == [15, 0, 0]


def test_20_a_tie_for_the_lowest_is_void():
    match = fished("bg-standard", (["0-5"], ["1-4"]), 0)
    assert match.view()["account"] == [0, 0] and match.view()["round"] == 2


def test_21_a_partners_tiles_are_never_counted():
    hands = (["1-2"], ["3-5"], ["4-6", "4-5", "0-1"], ["5-6"])
    match = ended("bg-standard", hands, options={"pairs": True})
    assert match.said("round")["pips"] == [0, 8, 20, 11]
    assert match.view()["account"] == [19, 0]


def test_22_the_limit_may_be_reached_exactly():
    match = ended("bg-standard", (["1-2"], ["0-3"]), account=[97, 50])
    assert match.said("game")["winners"] == [0] and match.said("game")["losers"] == [1]


def test_23_a_double_six_counts_fifty_for_the_loser():
    match = ended("doubles-2p", (["1-2"], ["6-6", "2-3"]))
    assert match.view()["account"] == [0, 55]


def test_24_the_higher_hand_writes_the_difference():
    match = fished("doubles-2p", (["3-4"], ["5-5", "3-5"]), 0)
    assert match.said("round")["pips"] == [7, 18]
    assert match.view()["account"] == [0, 11]


@pytest.mark.parametrize(("before", "over"), [(97, False), (98, True)])
def test_25_a_hundred_is_not_yet_over_a_hundred(before, over):
    match = ended("doubles-2p", (["1-2"], ["0-3"]), account=[0, before])
    assert (match.said("game") is not None) is over
    if over:
        assert match.said("game")["losers"] == [1] and match.said("game")["winners"] == [0]


def test_26_the_partner_of_who_went_out_burns():
    hands = (["1-2"], ["2-4"], ["6-6", "5-6", "2-5"], ["3-6"])
    match = ended("goat-yard", hands, options={"pairs": True})
    assert match.said("round")["pips"] == [0, 6, 30, 9]
    assert books(match) == ([None, 15], [0, 0])


def test_27_twelve_do_not_open():
    match = ended("goat-yard", (["1-2"], ["6-6"]))
    assert books(match) == ([None, None], [0, 0])


@pytest.mark.parametrize(
    ("hand", "account"), [(["6-6", "5-5", "0-2"], None), (["6-6", "5-5", "0-3"], 25)]
)
def test_28_the_goat_of_125_opens_at_25(hand, account):
    match = ended("goat-125", (["1-2"], hand))
    assert books(match) == ([None, account], [0, 0])


def test_29_the_last_tile_of_the_boneyard_stays():
    match = Match("goat-125", 2, hands=[["3-4"], ["2-5"]], boneyard=["1-2"], line=["1-1"], active=0)
    assert match.refused(0, "draw") == "boneyard_closed"
    assert match.do(0, "pass").said("pass") == {"type": "pass", "seat": 0}


@pytest.mark.parametrize(
    ("hand", "points"),
    [(["0-0"], 25), (["6-6"], 50), (["0-0", "6-6"], 75), (["6-6", "1-2"], 15)],
)
def test_30_what_is_left_in_the_sea_goat(hand, points):
    match = ended("sea-goat", (["4-5"], hand), line=("4-4",))
    assert match.said("round")["pips"] == [0, points]


def test_31_the_bald_goat_wins_the_match():
    match = Match("sea-goat", 2, hands=[["0-0"], ["1-2"]], line=["0-5"], active=0)
    match.place(0, "0-0", "left")
    assert match.said("round")["how"] == "out"
    assert match.said("game")["winners"] == [0] and match.said("game")["losers"] == [1]


@pytest.mark.parametrize(
    ("more", "won"), [(["6-5", "5-5", "0-4"], False), (["6-5", "5-5", "1-4"], True)]
)
def test_32_out_with_the_double_six_needs_a_loser_with_more_than_25(more, won):
    hands = [["6-6"], ["5-2", "0-5"], ["1-1"], more]
    match = Match("sea-goat", 4, hands=hands, line=["6-4"], active=0)
    match.place(0, "6-6", "left")
    assert match.said("round")["pips"] == [0, 12, 2, 26 if won else 25]
    assert (match.said("game") is not None) is won


@pytest.mark.parametrize(
    ("left", "lost"), [(["5-5", "4-5", "1-4"], False), (["5-5", "4-5", "2-4"], True)]
)
def test_33_a_stake_lost_with_25_loses_the_match(left, lost):
    match = Match(
        "sea-goat",
        2,
        hands=[["6-6", *left], ["3-6", "2-3"]],
        account=[30, None],
        round=2,
        active=1,
    )
    match.do(0, "stake").place(0, "6-6")
    match.place(1, "3-6", "right").do(0, "pass").place(1, "2-3", "right")
    assert match.said("round")["pips"] == [25 if lost else 24, 0]
    assert (match.said("game") is not None) is lost
    if lost:
        assert match.said("game")["winners"] == [1] and match.said("game")["losers"] == [0]


@pytest.mark.parametrize(
    "hand",
    [
        ["0-0", "1-1", "2-2", "3-3", "4-4", "0-1", "0-2"],
        ["0-4", "1-4", "2-4", "3-4", "4-4", "4-5", "0-1"],
    ],
)
def test_34_a_hand_that_nobody_has_to_play_is_dealt_anew(hand):
    rest = [bone for bone in SET if bone not in hand]
    order = [SET.index(bone) for bone in (*hand, *rest)]
    match = Match("goat-online", 2).do("referee", "deal", order=order)
    assert match.said("redeal") == {"type": "redeal"}
    assert match.view()["phase"] == "deal" and match.view()["round"] == 1


def test_35_without_doubles_the_highest_tile_leads():
    hands = [["3-6", "0-1"], ["4-6", "0-2"], ["4-5", "0-3"]]
    match = Match("ru-classic", 3, hands=hands)
    assert match.said("lead") == {"type": "lead", "seat": 1, "tile": "4-6"}
    assert match.refused(1, "place", tile="0-2") == "must_lead"


@pytest.mark.parametrize(("drawn", "may"), [("1-5", "place"), ("2-5", "pass")])
def test_36_a_drawn_tile_that_fits_must_be_placed(drawn, may):
    match = Match(
        "doubles-2p", 2, hands=[["3-4"], ["2-6"]], boneyard=[drawn, "0-0"], line=["1-1"], active=0
    )
    match.do(0, "draw")
    if may == "place":
        assert match.refused(0, "pass") == "can_place"
        match.place(0, drawn, "left")
    else:
        assert match.refused(0, "draw") == "already_drawn"
        match.do(0, "pass")
