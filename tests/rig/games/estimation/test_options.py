"""Every named option of the rules, with each of its values."""

from dataclasses import fields, replace
from pathlib import Path

import pytest

from rig.games.estimation.commands import (
    Call,
    ChooseEnd,
    ClaimAccident,
    Confirm,
    ConfirmAccident,
    Continue,
    Leave,
    Move,
    NextRound,
    Place,
    Report,
    Reveal,
    Stand,
    Start,
    TakeBack,
    Timeout,
    Vote,
    WrongEnd,
)
from rig.games.estimation.decide import decide
from rig.games.estimation.evolve import evolve
from rig.games.estimation.game import Game, Options
from rig.games.estimation.terms import (
    CAMERA,
    HOST,
    REFEREE,
    BadOption,
    End,
    Extent,
    Phase,
    PlacementFault,
    Reason,
    Result,
    Side,
)
from rig.games.estimation.view import view
from tests.support.moves import do, new_game, refusal
from tests.tools.estimation_diagram import mermaid

S, F = Side.SUCCESS, Side.FAILURE
FELL, STOOD = Result.FELL, Result.STOOD
README = Path(__file__).parents[4] / "rig" / "games" / "README.md"


def placed(players: str, **options: object) -> Game:
    """The first seat has placed 3 at the left."""
    return do(new_game(players, **options), (players[0], Place(3, 0)))


def ordered(players: str, sides: str, caller: str = "B", **options: object) -> Game:
    """The first seat's row is about to be pushed."""
    game = do(placed(players, **options), (caller, Call()))
    for seat, side in zip(players, sides, strict=True):
        if seat not in game.forced:
            game = do(game, (seat, Vote(S if side == "S" else F)))
    return do(game, (REFEREE, Reveal()), (REFEREE, Continue()))


def tied_after_three(**options: object) -> Game:
    """Three rounds are scored: A and B share the top, A pushed last."""
    game = do(ordered("ABC", "SSF", **options), (CAMERA, Report(FELL)), (REFEREE, Stand()))
    return replace(game, round=3, chips={"A": 4, "B": 4, "C": 2})


def test_defaults_are_the_rules_as_written():
    options = Options.parse({})
    assert options == Options()
    assert options.tile_values == tuple(range(1, 12))
    assert [getattr(options, f.name) for f in fields(options)][1:] == [
        "pick",
        "counter",
        "once",
        "free",
        0.0,
        "free",
        "placer",
        "camera",
        "toppler",
        "everyone",
        "any_standing",
        "accident",
        0.0,
        "take_back",
    ]


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"topler": "placer"}, r"^option 'topler' is not known, expected one of tile_values, "),
        ({"toppler": "host"}, r"^option toppler: expected one of placer, caller, next, not 'host'"),
        ({"judge": None}, "^option judge: expected one of camera, people, host, not None"),
        ({"judge": ["camera"]}, "^option judge: expected one of camera, people, host"),
        ({"tile_values": [6]}, "^option tile_values: expected 11 whole numbers with a 6 among"),
        ({"tile_values": [1] * 11}, r"with a 6 among them, not \[1, 1, 1"),
        ({"tile_values": [6.0, *range(10)]}, "11 whole numbers"),
        ({"tile_values": "6, 7"}, "^option tile_values: .* not '6, 7'"),
        ({"call_window": "3"}, "^option call_window: expected a number of seconds, .* not '3'"),
        ({"call_window": float("nan")}, "^option call_window"),
        ({"ballot_timeout": -1}, "^option ballot_timeout: .* not -1"),
        ({"ballot_timeout": True}, "^option ballot_timeout: .* not True"),
        ({"ballot_timeout": float("inf")}, "^option ballot_timeout"),
    ],
)
def test_an_option_that_cannot_be_is_named_in_one_sentence(given, message):
    with pytest.raises(BadOption, match=message):
        Options.parse(given)


def test_the_options_in_force_are_written_with_the_start_of_the_game():
    options = Options.parse({"toppler": "next", "tile_values": [6] * 11})
    (started, _) = decide(Game(options=options), HOST, Start(("A", "B"), first="A"))
    assert evolve(Game(), started).options == options


def test_the_readme_shows_the_current_diagram_and_every_option():
    text = README.read_text(encoding="utf-8")
    assert mermaid() in text
    for option in fields(Options):
        row = next(line for line in text.splitlines() if line.startswith(f"| `{option.name}`"))
        for value in option.metadata.get("choices", ()):
            assert f"`{value}`" in row


def test_first_player_pick_takes_the_one_named_or_leaves_it_to_the_draw():
    game = Game()
    assert do(game, (HOST, Start(("A", "B", "C"), first="C"))).active == "C"
    assert do(game, (HOST, Start(("A", "B", "C"), draw=4))).active == "B"
    assert refusal(game, HOST, Start(("A", "B", "C"))) is Reason.NO_FIRST
    assert refusal(game, HOST, Start(("A", "B", "C"), first="D")) is Reason.NO_FIRST


def test_first_player_random_takes_no_name():
    game = Game(options=Options.parse({"first_player": "random"}))
    assert do(game, (HOST, Start(("A", "B", "C"), draw=2))).active == "C"
    assert refusal(game, HOST, Start(("A", "B"), first="A", draw=1)) is Reason.FIRST_BY_CHANCE


def test_tile_values_of_a_custom_set_are_dealt_around_one_six():
    values = [6, 6, 6, 1, 2, 3, 4, 5, 7, 8, 9]
    game = new_game("AB", tile_values=values)
    assert game.row == (6,)
    assert sorted((*game.row, *game.supply)) == sorted(values)


def test_tile_values_equal_at_both_ends_let_the_toppler_choose():
    game = new_game("ABC", tile_values=[6, 6, 1, 2, 3, 4, 5, 7, 8, 9, 10])
    game = do(game, ("A", Place(6, 1)), ("B", Call()), ("B", Vote(F)), ("C", Vote(F)))
    game = do(game, (REFEREE, Reveal()), (REFEREE, Continue()))
    assert (game.phase, game.end) == (Phase.TOPPLE, None)
    assert refusal(game, CAMERA, Report(FELL)) is Reason.END_NOT_CHOSEN
    assert refusal(game, "B", WrongEnd()) is Reason.END_NOT_CHOSEN
    assert refusal(game, "B", ChooseEnd(End.LEFT)) is Reason.NOT_TOPPLER
    assert view(game, "A")["may"]["choose_end"]
    game = do(game, ("A", ChooseEnd(End.RIGHT)))
    assert view(game, None)["end"] == "right"
    assert do(game, (CAMERA, Report(FELL))).phase is Phase.JUDGE


def test_tile_values_all_different_leave_no_choice():
    assert refusal(ordered("AB", "SF"), "A", ChooseEnd(End.RIGHT)) is Reason.END_IS_GIVEN


def rich(**options: object) -> Game:
    """A row to be pushed by A, the bank down to its last chip: B and C would win 1 each."""
    return replace(ordered("ABC", "SFF", **options), chips={"A": 6, "B": 6, "C": 7})


def test_chips_counter_pays_without_end():
    game = do(rich(), (CAMERA, Report(STOOD)), (REFEREE, Stand()))
    assert game.chips == {"A": 6, "B": 7, "C": 8}


def test_chips_strict20_pays_one_by_one_from_the_rounds_first_player():
    game = do(rich(chips="strict20"), (CAMERA, Report(STOOD)), (REFEREE, Stand()))
    assert game.chips == {"A": 6, "B": 7, "C": 7}
    game = do(rich(chips="strict20"), (CAMERA, Report(FELL)), (REFEREE, Stand()))
    assert game.chips == {"A": 7, "B": 6, "C": 7}


def test_chips_strict20_goes_round_while_the_bank_lasts():
    game = replace(ordered("ABCDE", "SSSFF", chips="strict20"), first="B")
    game = replace(game, chips={"A": 15, "B": 0, "C": 0, "D": 0, "E": 0})
    game = do(game, (CAMERA, Report(STOOD)), (REFEREE, Stand()))
    assert game.chips == {"A": 15, "B": 0, "C": 0, "D": 3, "E": 2}


def test_chips_strict20_holds_for_accidents_and_the_chips_of_those_who_leave_come_back():
    game = replace(placed("ABC", chips="strict20"), chips={"A": 7, "B": 6, "C": 6})
    knocked = do(game, ("A", ClaimAccident("B")), ("B", ConfirmAccident()))
    assert knocked.chips == {"A": 8, "B": 6, "C": 6}
    game = replace(game, chips={"A": 7, "B": 7, "C": 6})
    game = do(game, (HOST, Leave("C")), ("B", ClaimAccident("A")), ("A", ConfirmAccident()))
    assert game.chips == {"A": 7, "B": 8}


def all_success(**options: object) -> Game:
    game = do(placed("AB", **options), ("B", Call()), ("B", Vote(S)))
    return do(game, (REFEREE, Reveal()), (REFEREE, Continue()))


def test_recall_once_allows_one_estimation_for_each_placement():
    assert refusal(all_success(), "B", Call()) is Reason.ESTIMATED
    assert view(all_success(), "B")["why"]["call"] == "estimated"


def test_recall_allowed_lets_the_same_row_be_called_again():
    assert do(all_success(recall="allowed"), ("B", Call())).phase is Phase.BALLOT


@pytest.mark.parametrize(
    "fault",
    [None, PlacementFault.BRANCH, PlacementFault.LOOP, PlacementFault.FLAT, PlacementFault.SHIFTED],
)
def test_max_gap_free_takes_back_for_any_fault_but_a_gap(fault):
    game = placed("AB")
    assert do(game, ("A", TakeBack(fault))).row == (6,)
    assert refusal(game, "A", TakeBack(PlacementFault.GAP)) is Reason.GAP_IS_FREE


def test_max_gap_tile_height_makes_a_wide_gap_a_fault():
    assert do(placed("AB", max_gap="tile_height"), ("A", TakeBack(PlacementFault.GAP))).row == (6,)


def test_call_window_off_lets_the_next_player_place_at_once():
    game = do(new_game("AB"), ("A", Place(3, 0, at_s=100.0)), ("B", Place(9, 2, at_s=100.0)))
    assert game.row == (3, 6, 9)
    assert view(game, "A")["place_from_s"] is None


def test_call_window_holds_the_next_placement_back_but_no_call():
    game = do(new_game("AB", call_window=5), ("A", Place(3, 0, at_s=100.0)))
    for at_s in (100.0, 104.9):
        assert refusal(game, "B", Place(9, 2, at_s)) is Reason.CALL_WINDOW
    assert view(game, "B")["place_from_s"] == 105.0
    assert view(game, "B")["may"]["stand"]
    assert do(game, ("B", Place(9, 2, at_s=105.0))).row == (3, 6, 9)
    assert do(game, ("B", Call(at_s=101.0))).phase is Phase.BALLOT
    assert do(game, ("B", Call(at_s=500.0))).phase is Phase.BALLOT


def test_call_window_does_not_hold_back_the_tile_that_replaces_an_illegal_one():
    game = do(new_game("AB", call_window=5), ("A", Place(3, 0, at_s=100.0)), ("A", TakeBack()))
    assert do(game, ("A", Place(9, 1, at_s=101.0))).row == (6, 9)


def test_call_window_holds_moves_back_too_and_bears_a_clock_that_was_set_back():
    game = new_game("AB", call_window=5)
    for n, value in enumerate(game.supply):
        game = do(game, (game.active, Place(value, 0, at_s=10.0 * n)))
    assert refusal(game, "A", Move(5, End.LEFT, at_s=91.0)) is Reason.CALL_WINDOW
    assert do(game, ("A", Move(5, End.LEFT, at_s=95.0))).placer == "A"
    assert do(game, ("A", Move(5, End.LEFT, at_s=3.0))).placer == "A"


def test_caller_free_may_vote_either_side():
    for side in Side:
        game = do(placed("ABC"), ("B", Call()), ("B", Vote(side)))
        assert game.ballots["B"] is side


def test_caller_failure_only_is_bound_as_the_placer_is():
    game = do(placed("ABC", caller="failure_only"), ("B", Call()))
    assert game.ballots == {"A": S, "B": F}
    assert refusal(game, "B", Vote(S)) is Reason.CALLER_IS_BOUND
    assert refusal(game, "B", Vote(F)) is Reason.BALLOT_LOCKED
    assert view(game, "B")["ballot"]["forced"]
    assert do(game, ("C", Vote(S))).phase is Phase.COUNTDOWN


def test_caller_failure_only_leaves_two_players_nothing_to_choose():
    game = do(placed("AB", caller="failure_only"), ("B", Call()))
    assert game.phase is Phase.COUNTDOWN
    assert do(game, (REFEREE, Reveal()), (REFEREE, Continue())).phase is Phase.TOPPLE


@pytest.mark.parametrize(("value", "toppler"), [("placer", "A"), ("caller", "C"), ("next", "B")])
def test_toppler_is_the_one_the_option_names(value, toppler):
    game = ordered("ABC", "SFF", caller="C", toppler=value)
    assert game.toppler == toppler
    scored = do(game, (CAMERA, Report(STOOD)), (REFEREE, Stand()), (REFEREE, NextRound()))
    assert scored.active == toppler


def test_judge_camera_takes_the_cameras_word_first_and_a_players_without_one():
    game = ordered("ABC", "SFF")
    assert view(do(game, (CAMERA, Report(FELL))), None)["verdict"]["step"] == "shown"
    assert view(do(game, (HOST, Report(FELL))), None)["verdict"]["step"] == "shown"
    assert view(do(game, ("A", Report(FELL))), None)["verdict"]["step"] == "confirm"


def test_judge_people_takes_neither_cameras_nor_hosts_word():
    game = ordered("ABC", "SFF", judge="people")
    assert refusal(game, CAMERA, Report(FELL)) is Reason.PEOPLE_ARE_JUDGE
    assert refusal(game, HOST, Report(FELL)) is Reason.PEOPLE_ARE_JUDGE
    game = do(game, ("C", Report(STOOD)))
    assert refusal(game, "B", Confirm()) is Reason.NOT_OTHER_SIDE
    assert do(game, ("A", Confirm())).chips == {"A": 0, "B": 1, "C": 1}


def test_judge_host_settles_alone():
    game = ordered("ABC", "SFF", judge="host")
    assert refusal(game, CAMERA, Report(FELL)) is Reason.HOST_IS_JUDGE
    assert refusal(game, "A", Report(FELL)) is Reason.HOST_IS_JUDGE
    game = do(game, (HOST, Report(FELL)))
    assert (game.phase, game.chips) == (Phase.ROUND_END, {"A": 2, "B": 0, "C": 0})
    assert view(game, None)["verdict"]["by"] == "host"


@pytest.mark.parametrize(("value", "first"), [("toppler", "A"), ("left_of_toppler", "B")])
def test_next_first_names_who_begins_the_next_round(value, first):
    game = do(ordered("ABC", "SFF", next_first=value), (CAMERA, Report(STOOD)), (REFEREE, Stand()))
    assert do(game, (REFEREE, NextRound())).active == first


def test_extra_round_everyone_lets_all_play():
    game = do(tied_after_three(), (REFEREE, NextRound()))
    assert (game.round, game.playing) == (4, ("A", "B", "C"))


def test_extra_round_tied_only_keeps_the_others_out():
    game = do(tied_after_three(extra_round="tied_only"), (REFEREE, NextRound()))
    assert (game.playing, game.active) == (("A", "B"), "A")
    assert refusal(game, "C", Place(3, 0)) is Reason.NOT_PLAYING
    game = do(game, ("A", Place(3, 0)))
    assert refusal(game, "C", Call()) is Reason.NOT_PLAYING
    assert refusal(game, "A", ClaimAccident("C")) is Reason.NOT_PLAYING
    knocked = do(game, ("A", ClaimAccident("B")), ("B", ConfirmAccident()))
    assert knocked.chips == {"A": 5, "B": 4, "C": 2}
    game = do(game, ("B", Call()))
    assert refusal(game, "C", Vote(F)) is Reason.NOT_PLAYING
    game = do(game, ("B", Vote(F)))
    assert game.phase is Phase.COUNTDOWN
    game = do(game, (REFEREE, Reveal()), (REFEREE, Continue()), (CAMERA, Report(FELL)))
    game = do(game, (REFEREE, Stand()), (REFEREE, NextRound()))
    assert (game.winners, game.ranking) == (("A",), ("A", "B", "C"))


def test_extra_round_tied_only_begins_with_the_next_of_those_who_play():
    game = replace(tied_after_three(extra_round="tied_only"), chips={"A": 2, "B": 4, "C": 4})
    assert do(game, (REFEREE, NextRound())).active == "B"


def test_extra_round_tied_only_ends_when_one_of_two_leaves():
    game = do(tied_after_three(extra_round="tied_only"), (REFEREE, NextRound()))
    game = do(game, ("A", Leave("A")))
    assert (game.phase, game.winners) == (Phase.GAME_OVER, ("B",))
    rest = do(tied_after_three(extra_round="tied_only"), (REFEREE, NextRound()))
    assert do(rest, ("C", Leave("C"))).phase is Phase.TURN


def test_accident_any_standing_is_one_standing_tile_or_more():
    game = placed("ABC")
    assert refusal(game, "B", ClaimAccident("A", Extent.PLACED)) is Reason.ACCIDENT_TOO_SMALL
    for extent in (None, Extent.SOME, Extent.WHOLE):
        assert do(game, ("B", ClaimAccident("A", extent))).phase is Phase.ACCIDENT


def test_accident_whole_row_is_no_less():
    game = placed("ABC", accident="whole_row")
    for extent in (Extent.PLACED, Extent.SOME):
        assert refusal(game, "B", ClaimAccident("A", extent)) is Reason.ACCIDENT_TOO_SMALL
    for extent in (None, Extent.WHOLE):
        assert do(game, ("B", ClaimAccident("A", extent))).phase is Phase.ACCIDENT


def test_wrong_end_accident_pays_everybody_but_the_toppler():
    game = do(ordered("ABC", "SFF"), ("B", WrongEnd()), ("C", ConfirmAccident()))
    assert (game.round, game.active, game.phase) == (1, "A", Phase.TURN)
    assert game.chips == {"A": 0, "B": 1, "C": 1}
    assert game.history == ()


def test_wrong_end_stood_ends_the_round_as_if_a_tile_stood():
    game = do(ordered("ABC", "SSF", wrong_end="stood"), ("B", WrongEnd()), ("A", ConfirmAccident()))
    assert game.phase is Phase.ROUND_END
    assert game.chips == {"A": 0, "B": 0, "C": 2}
    assert game.accident_chips == {"A": 0, "B": 0, "C": 0}
    shown = view(game, None)
    assert (shown["verdict"]["outcome"], shown["verdict"]["by"]) == ("stood", "B")
    assert shown["accident"] is None
    assert do(game, (REFEREE, NextRound())).active == "A"


def test_wrong_end_stood_still_treats_other_accidents_as_such():
    game = do(ordered("ABC", "SSF", wrong_end="stood"), ("A", ClaimAccident("B")))
    assert do(game, ("B", ConfirmAccident())).chips == {"A": 1, "B": 0, "C": 1}


def test_ballot_timeout_off_waits_for_ever():
    game = do(placed("ABC"), ("B", Call(at_s=10.0)))
    assert refusal(game, REFEREE, Timeout(at_s=1e9)) is Reason.NO_TIMEOUT
    assert view(game, "B")["ballot"]["until_s"] is None


def test_ballot_timeout_turns_a_missing_ballot_into_success():
    game = do(placed("ABCD", ballot_timeout=30), ("B", Call(at_s=10.0)), ("C", Vote(F)))
    assert view(game, "B")["ballot"]["until_s"] == 40.0
    assert refusal(game, REFEREE, Timeout(at_s=39.9)) is Reason.BALLOT_TIME
    game = do(game, (REFEREE, Timeout(at_s=40.0)))
    assert game.phase is Phase.COUNTDOWN
    assert game.ballots == {"A": S, "B": S, "C": F, "D": S}
    assert game.locked == set("ABCD")


def test_illegal_take_back_makes_a_call_void_and_the_placer_place_again():
    game = do(placed("ABC"), ("B", Place(9, 2)), ("C", Call()), ("A", Vote(F)))
    game = do(game, ("B", TakeBack(PlacementFault.LOOP)))
    assert (game.phase, game.active, game.placer) == (Phase.TURN, "B", "A")
    assert (game.row, 9 in game.supply, dict(game.ballots)) == ((3, 6), True, {})
    assert refusal(game, "A", TakeBack()) is Reason.NOTHING_TO_TAKE_BACK
    assert do(game, ("B", Place(9, 0))).row == (9, 3, 6)


def test_illegal_stands_leaves_the_row_as_it_is():
    assert refusal(placed("ABC", illegal="stands"), "A", TakeBack()) is Reason.ROW_STANDS
