"""The thirty numbered examples of the rules, each under its number."""

from dataclasses import replace

import pytest

from rig.games.estimation.commands import (
    Call,
    ClaimAccident,
    Confirm,
    ConfirmAccident,
    Continue,
    Move,
    NextRound,
    Place,
    Report,
    Reveal,
    Stand,
    Vote,
)
from rig.games.estimation.decide import decide
from rig.games.estimation.game import Game, judged
from rig.games.estimation.terms import (
    CAMERA,
    REFEREE,
    End,
    Extent,
    Phase,
    Reason,
    Rest,
    Result,
    Side,
)
from rig.games.estimation.view import view
from tests.support.moves import do, new_game, refusal

S, F = Side.SUCCESS, Side.FAILURE
FELL, STOOD = Result.FELL, Result.STOOD


def called(players: str, **options: object) -> Game:
    """The first seat has placed 3 at the left, the second has called."""
    a, b = players[:2]
    return do(new_game(players, **options), (a, Place(3, 0)), (b, Call()))


def voted(game: Game, sides: str) -> Game:
    """All ballots, seat by seat: S or F; those that are forced are left as they are."""
    for seat, side in zip(game.seats, sides, strict=True):
        if seat not in game.forced:
            game = do(game, (seat, Vote(S if side == "S" else F)))
    return do(game, (REFEREE, Reveal()))


def pushed(game: Game, sides: str, outcome: Result) -> Game:
    """The ballots, the push, and the camera's word for what it did."""
    game = do(voted(game, sides), (REFEREE, Continue()), (CAMERA, Report(outcome)))
    return do(game, (REFEREE, Stand()))


def with_chips(game: Game, *chips: int) -> Game:
    return replace(game, chips=dict(zip(game.seats, chips, strict=True)))


def play_round(game: Game, sides: str, outcome: Result) -> Game:
    """A round in which the first to place is the placer that is voted on."""
    placer = game.active
    caller = next(seat for seat in game.playing if seat != placer)
    assert placer is not None
    game = do(game, (placer, Place(3, 0)), (caller, Call()))
    return pushed(game, sides, outcome)


def test_vector_01_three_success_voters_take_two_each_when_the_row_falls():
    game = pushed(called("ABCDE"), "SSSFF", FELL)
    assert game.chips == {"A": 2, "B": 2, "C": 2, "D": 0, "E": 0}


def test_vector_02_two_failure_voters_take_three_each_when_the_row_stands():
    game = pushed(called("ABCDE"), "SSSFF", STOOD)
    assert game.chips == {"A": 0, "B": 0, "C": 0, "D": 3, "E": 3}


@pytest.mark.parametrize("players", ["AB", "ABC", "ABCDE"])
def test_vector_03_without_failure_nothing_is_pushed_and_the_next_player_places(players):
    game = do(voted(called(players), "S" * len(players)), (REFEREE, Continue()))
    assert game.phase is Phase.TURN
    assert game.active == "B"
    assert set(game.chips.values()) == {0}
    assert game.row == (3, 6)


def test_vector_04_the_placer_cannot_vote_failure():
    game = called("ABC")
    assert refusal(game, "A", Vote(F)) is Reason.PLACER_IS_BOUND
    assert game.ballots["A"] is S


def test_vector_05_the_placer_cannot_call():
    game = do(new_game("ABC"), ("A", Place(3, 0)))
    assert refusal(game, "A", Call()) is Reason.PLACER


def test_vector_06_nobody_can_call_before_the_first_placement():
    assert refusal(new_game("ABC"), "B", Call()) is Reason.NO_PLACER


@pytest.mark.parametrize("side", [S, F])
def test_vector_07_the_next_player_may_call_and_votes_as_it_likes(side):
    game = do(new_game("ABC"), ("A", Place(3, 0)), ("B", Call()), ("B", Vote(side)))
    assert game.caller == "B"
    assert game.phase is Phase.BALLOT
    assert game.ballots == {"A": S, "B": side}


def test_vector_08_a_second_call_is_absorbed():
    game = do(new_game("ABCD"), ("A", Place(3, 0)), ("C", Call(at_s=5.0)))
    assert decide(game, "D", Call(at_s=5.01)) == ()
    assert game.caller == "C"
    assert game.phase is Phase.BALLOT


def test_vector_09_a_row_is_voted_on_once():
    game = do(voted(called("ABC"), "SSS"), (REFEREE, Continue()))
    for seat in "BC":
        assert refusal(game, seat, Call()) is Reason.ESTIMATED
    assert refusal(game, "A", Call()) is Reason.PLACER
    assert do(game, ("B", Place(9, 2)), ("A", Call())).caller == "A"


def test_vector_10_the_push_is_from_the_lower_end_by_the_placer():
    game = do(new_game("ABC"), ("A", Place(3, 0)), ("B", Place(9, 2)), ("C", Call()))
    game = do(voted(game, "SSF"), (REFEREE, Continue()))
    assert game.row == (3, 6, 9)
    assert (game.toppler, game.end) == ("B", End.LEFT)


def test_vector_11_a_low_value_in_the_middle_does_not_matter():
    game = do(new_game("ABC"), ("A", Place(3, 0)), ("B", Place(9, 2)), ("C", Place(1, 1)))
    assert game.row == (3, 1, 6, 9)
    game = do(voted(do(game, ("A", Call())), "FSS"), (REFEREE, Continue()))
    assert (game.toppler, game.end) == ("C", End.LEFT)


def full_row() -> Game:
    """Ten placements are done: the row of the example, A to move."""
    game = new_game("AB")
    left, right = (2, 4), (8, 10, 1, 3, 5, 7, 9, 11)
    for value in left:
        game = do(game, (game.active, Place(value, 0)))
    for value in right:
        game = do(game, (game.active, Place(value, len(game.row))))
    assert game.row == (4, 2, 6, 8, 10, 1, 3, 5, 7, 9, 11)
    assert game.active == "A"
    return game


def test_vector_12_with_an_empty_supply_a_middle_tile_goes_to_an_end():
    game = do(full_row(), ("A", Move(5, End.RIGHT)))
    assert game.row == (4, 2, 6, 8, 10, 3, 5, 7, 9, 11, 1)
    assert game.placer == "A"
    game = do(voted(do(game, ("B", Call())), "SF"), (REFEREE, Continue()))
    assert game.end is End.RIGHT


def test_vector_13_an_end_tile_is_never_moved():
    assert refusal(full_row(), "A", Move(0, End.RIGHT)) is Reason.END_TILE
    assert refusal(full_row(), "A", Move(10, End.LEFT)) is Reason.END_TILE


def test_vector_14_nothing_is_moved_while_the_supply_has_a_tile():
    game = new_game("AB")
    while len(game.supply) > 1:
        game = do(game, (game.active, Place(game.supply[0], 0)))
    assert refusal(game, game.active, Move(3, End.LEFT)) is Reason.SUPPLY_LEFT


def test_vector_15_an_accident_pays_the_others_and_restarts_the_round():
    game = play_round(new_game("ABCD"), "SFFF", STOOD)
    before = do(game, (REFEREE, NextRound()))
    game = do(before, ("A", Place(9, 1)), ("B", Place(3, 0)))
    game = do(game, ("A", ClaimAccident("C")), ("C", ConfirmAccident()))
    assert game.chips == {seat: n + (seat != "C") for seat, n in before.chips.items()}
    assert (game.round, game.row, game.active) == (2, (6,), "C")


def test_vector_16_an_accident_during_the_ballots_throws_them_away_unseen():
    game = do(called("ABCDE"), ("C", Vote(F)))
    game = do(game, ("A", ClaimAccident("E")))
    assert all(view(game, seat)["reveal"] is None for seat in (*"ABCDE", None))
    game = do(game, ("B", ConfirmAccident()))
    assert game.chips == {"A": 1, "B": 1, "C": 1, "D": 1, "E": 0}
    assert (game.round, game.active, dict(game.ballots)) == (1, "E", {})


def test_vector_17_the_toppler_begins_the_next_round_even_if_the_row_stood():
    game = do(new_game("ABC"), ("A", Place(3, 0)), ("B", Place(9, 2)), ("C", Call()))
    game = do(pushed(game, "FSF", STOOD), (REFEREE, NextRound()))
    assert (game.round, game.active) == (2, "B")


def after_round_3(*chips: int) -> Game:
    game = new_game("ABC")
    for _ in range(2):
        game = do(play_round(game, "SSF", FELL), (REFEREE, NextRound()))
    game = play_round(game, "SSF", FELL)
    assert game.round == 3
    return with_chips(game, *chips)


def test_vector_18_a_shared_top_brings_one_extra_round_for_all():
    game = after_round_3(4, 4, 2)
    toppler = game.toppler
    game = do(game, (REFEREE, NextRound()))
    assert (game.phase, game.round, game.active) == (Phase.TURN, 4, toppler)
    assert game.playing == ("A", "B", "C")


def test_vector_19_a_top_shared_after_the_extra_round_shares_the_victory():
    game = do(after_round_3(4, 4, 2), (REFEREE, NextRound()))
    game = with_chips(play_round(game, "SSF", FELL), 5, 5, 3)
    game = do(game, (REFEREE, NextRound()))
    assert (game.phase, game.winners) == (Phase.GAME_OVER, ("A", "B"))
    assert game.ranking == ("A", "B", "C")


def test_vector_20_the_third_may_overtake_in_the_extra_round():
    game = do(after_round_3(4, 4, 3), (REFEREE, NextRound()))
    assert game.active == "A"
    game = play_round(game, "SSF", STOOD)
    assert game.chips == {"A": 4, "B": 4, "C": 5}
    assert do(game, (REFEREE, NextRound())).winners == ("C",)


def test_vector_21_two_players_the_one_who_doubted_takes_the_chip():
    game = pushed(called("AB"), "SF", STOOD)
    assert game.chips == {"A": 0, "B": 1}
    assert do(game, (REFEREE, NextRound())).active == "A"


def test_vector_22_two_players_a_call_with_success_has_no_effect():
    game = do(voted(called("AB"), "SS"), (REFEREE, Continue()))
    assert (game.phase, game.active) == (Phase.TURN, "B")
    assert game.chips == {"A": 0, "B": 0}
    assert refusal(game, "B", Call()) is Reason.ESTIMATED


def test_vector_23_the_placer_alone_against_three():
    assert pushed(called("ABCD"), "SFFF", FELL).chips == {"A": 3, "B": 0, "C": 0, "D": 0}
    assert pushed(called("ABCD"), "SFFF", STOOD).chips == {"A": 0, "B": 1, "C": 1, "D": 1}


def test_vector_24_four_against_one():
    fell = pushed(called("ABCDE"), "SSSSF", FELL)
    assert fell.chips == {"A": 1, "B": 1, "C": 1, "D": 1, "E": 0}
    stood = pushed(called("ABCDE"), "SSSSF", STOOD)
    assert stood.chips == {"A": 0, "B": 0, "C": 0, "D": 0, "E": 4}


def test_vector_25_the_score_goes_on_past_twenty():
    game = pushed(with_chips(called("ABCDE"), 4, 4, 4, 4, 3), "SFSFS", STOOD)
    assert game.chips == {"A": 4, "B": 7, "C": 4, "D": 7, "E": 3}
    assert sum(game.chips.values()) == 25


def test_vector_26_with_a_strict_bank_the_last_chip_goes_clockwise_from_the_first_player():
    game = with_chips(called("ABCDE", chips="strict20"), 4, 4, 4, 4, 3)
    game = pushed(game, "SFSFS", STOOD)
    assert game.chips == {"A": 4, "B": 5, "C": 4, "D": 4, "E": 3}


def test_vector_27_a_tile_that_leans_is_down():
    assert judged([Rest.DOWN] * 10 + [Rest.LEANING]) is FELL


def test_vector_28_a_tile_that_stands_makes_the_row_stand():
    assert judged([Rest.DOWN] * 10 + [Rest.UPRIGHT]) is STOOD


def test_vector_29_a_placed_tile_that_tips_over_alone_is_no_accident():
    game = do(new_game("ABC"), ("A", Place(3, 0)))
    claim = ClaimAccident("B", Extent.PLACED)
    assert refusal(game, "A", claim) is Reason.ACCIDENT_TOO_SMALL


def test_vector_30_accidents_do_not_count_as_rounds():
    game = new_game("ABC")
    for _ in range(2):
        game = do(play_round(game, "SSF", FELL), (REFEREE, NextRound()))
    for _ in range(2):
        game = do(game, (game.active, Place(3, 0)), ("A", ClaimAccident("B")))
        game = do(game, ("B", ConfirmAccident()))
        assert (game.round, game.phase) == (3, Phase.TURN)
    game = play_round(game, "SSF", FELL)
    assert [scored.round for scored in game.history] == [1, 2, 3]
    assert game.accident_chips == {"A": 2, "B": 0, "C": 2}
    assert game.chips == {"A": 3 + 2, "B": 3, "C": 2}
    game = do(game, (REFEREE, NextRound()))
    assert (game.phase, game.winners) == (Phase.GAME_OVER, ("A",))


def test_a_game_by_the_book_needs_only_these_commands():
    game = do(called("ABC"), ("B", Vote(F)), ("C", Vote(S)), (REFEREE, Reveal()))
    game = do(game, (REFEREE, Continue()), (CAMERA, Report(FELL)), ("A", Confirm()))
    assert game.phase is Phase.JUDGE
    game = do(game, ("B", Confirm()))
    assert (game.phase, game.chips) == (Phase.ROUND_END, {"A": 1, "B": 0, "C": 1})
