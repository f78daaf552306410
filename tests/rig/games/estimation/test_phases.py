"""Every command in every phase: what the table of the rules allows, and nothing else."""

from copy import deepcopy
from dataclasses import replace
from typing import get_args

import pytest

from rig.games.estimation import commands as cmd
from rig.games.estimation import events as ev
from rig.games.estimation.decide import TABLE, decide
from rig.games.estimation.evolve import evolve
from rig.games.estimation.game import Game
from rig.games.estimation.terms import (
    CAMERA,
    HOST,
    MOMENTS,
    REFEREE,
    SENTENCES,
    End,
    Phase,
    Reason,
    Refused,
    Result,
    Side,
)
from rig.games.estimation.view import view
from tests.support.moves import do, new_game, refusal

S, F = Side.SUCCESS, Side.FAILURE
FELL, STOOD = Result.FELL, Result.STOOD
LETTERS = {"h": HOST, "r": REFEREE, "c": CAMERA}
ACTORS = "ABCDZhrc"


def turn(players: str = "ABCD", **options: object) -> Game:
    """A has placed, B is to place."""
    return do(new_game(players, **options), ("A", cmd.Place(3, 0)))


def ballot(players: str = "ABCD", **options: object) -> Game:
    """B has called, the last seat has voted Failure."""
    return do(turn(players, **options), ("B", cmd.Call()), (players[-1], cmd.Vote(F)))


def countdown(sides: str = "SFSF") -> Game:
    game = do(turn("ABCD"[: len(sides)]), ("B", cmd.Call()))
    for seat, side in list(zip(game.seats, sides, strict=True))[1:]:
        game = do(game, (seat, cmd.Vote(S if side == "S" else F)))
    return game


def reveal(sides: str = "SFSF") -> Game:
    return do(countdown(sides), (REFEREE, cmd.Reveal()))


def topple(sides: str = "SFSF") -> Game:
    return do(reveal(sides), (REFEREE, cmd.Continue()))


def shown(sides: str = "SFSF") -> Game:
    return do(topple(sides), (CAMERA, cmd.Report(FELL)))


def claimed(sides: str = "SFSF") -> Game:
    return do(topple(sides), ("A", cmd.Report(FELL)))


def voting(sides: str = "SFSF") -> Game:
    return do(claimed(sides), ("B", cmd.Dispute()))


def round_end(sides: str = "SFSF") -> Game:
    return do(shown(sides), (REFEREE, cmd.Stand()))


def accident() -> Game:
    return do(ballot(), ("A", cmd.ClaimAccident("B")))


def game_over() -> Game:
    return do(turn("AB"), ("B", cmd.Leave("B")))


SAMPLES: tuple[cmd.Command, ...] = (
    cmd.Start(("A", "B"), first="A"),
    cmd.Place(9, 0),
    cmd.Move(1, End.LEFT),
    cmd.TakeBack(),
    cmd.FixRow((6, 3)),
    cmd.ConsentRow(),
    cmd.DeclineRow(),
    cmd.Call(),
    cmd.Vote(S),
    cmd.LockBallot(),
    cmd.CloseBallots(),
    cmd.Timeout(at_s=1e6),
    cmd.Reveal(),
    cmd.Continue(),
    cmd.ChooseEnd(End.LEFT),
    cmd.WrongEnd(),
    cmd.Report(FELL),
    cmd.Confirm(),
    cmd.Object(),
    cmd.Stand(),
    cmd.Dispute(),
    cmd.TableVote(FELL),
    cmd.NextRound(),
    cmd.ClaimAccident("C"),
    cmd.ConfirmAccident(),
    cmd.RejectAccident(),
    cmd.WithdrawAccident(),
    cmd.TakeBackAccident("the cat"),
    cmd.LoneTileFell(),
    cmd.VoidRound("the lamp fell on it"),
    cmd.Leave("D"),
    cmd.SkipTurn(),
    cmd.SkipBallot("C"),
    cmd.CorrectVerdict(),
    cmd.Rematch(),
)

ANY_TIME = {"VoidRound": "h", "Leave": "Dhr"}
ALLOWED: dict[str, tuple[Game, dict[str, str]]] = {
    "lobby": (Game(), {"Start": "h"}),
    "first turn": (
        new_game("ABCD"),
        {"Place": "A", "LoneTileFell": "ABCDc", "SkipTurn": "hr", **ANY_TIME},
    ),
    "turn": (
        turn(),
        {
            "Place": "B",
            "Call": "BCD",
            "TakeBack": "A",
            "FixRow": "A",
            "ClaimAccident": "ABCD",
            "SkipTurn": "hr",
            **ANY_TIME,
        },
    ),
    "turn with a correction asked for": (
        do(turn(), ("A", cmd.FixRow((6, 3)))),
        {
            "Place": "B",
            "Call": "BCD",
            "TakeBack": "A",
            "FixRow": "A",
            "ConsentRow": "BCD",
            "DeclineRow": "ABCD",
            "ClaimAccident": "ABCD",
            "SkipTurn": "hr",
            **ANY_TIME,
        },
    ),
    "ballot": (
        ballot(),
        {
            "Call": "BCD",
            "Vote": "BCD",
            "LockBallot": "D",
            "TakeBack": "A",
            "ClaimAccident": "ABCD",
            "SkipBallot": "hr",
            **ANY_TIME,
        },
    ),
    "ballot with time": (
        ballot(ballot_timeout=5),
        {
            "Call": "BCD",
            "Vote": "BCD",
            "LockBallot": "D",
            "TakeBack": "A",
            "Timeout": "r",
            "ClaimAccident": "ABCD",
            "SkipBallot": "hr",
            **ANY_TIME,
        },
    ),
    "ballot with all in": (
        do(ballot(), *((seat, cmd.Vote(S, closes=False)) for seat in "BC")),
        {
            "Call": "BCD",
            "Vote": "BCD",
            "LockBallot": "BCD",
            "CloseBallots": "r",
            "TakeBack": "A",
            "ClaimAccident": "ABCD",
            **ANY_TIME,
        },
    ),
    "countdown": (
        countdown(),
        {"Call": "BCD", "TakeBack": "A", "Reveal": "r", "ClaimAccident": "ABCD", **ANY_TIME},
    ),
    "reveal": (reveal(), {"Continue": "r", "ClaimAccident": "ABCD", **ANY_TIME}),
    "topple": (
        topple(),
        {
            "Report": "ABCDhc",
            "WrongEnd": "ABCD",
            "FixRow": "A",
            "ClaimAccident": "ABCD",
            **ANY_TIME,
        },
    ),
    "judge, shown": (
        shown(),
        {"Confirm": "ABCD", "Object": "ABCD", "Stand": "r", **ANY_TIME},
    ),
    "judge, claimed": (claimed(), {"Confirm": "BD", "Dispute": "BD", **ANY_TIME}),
    "judge, voting": (voting(), {"TableVote": "ABCD", **ANY_TIME}),
    "round end": (round_end(), {"NextRound": "r", "CorrectVerdict": "h", **ANY_TIME}),
    "accident": (
        accident(),
        {
            "ConfirmAccident": "BCDh",
            "RejectAccident": "B",
            "WithdrawAccident": "A",
            **ANY_TIME,
        },
    ),
    "accident denied": (
        do(accident(), ("B", cmd.RejectAccident())),
        {
            "ConfirmAccident": "BCDh",
            "RejectAccident": "h",
            "WithdrawAccident": "A",
            **ANY_TIME,
        },
    ),
    "turn after an accident": (
        do(accident(), ("C", cmd.ConfirmAccident())),
        {
            "Place": "B",
            "LoneTileFell": "ABCDc",
            "SkipTurn": "hr",
            "TakeBackAccident": "h",
            **ANY_TIME,
        },
    ),
    "game over": (game_over(), {"Rematch": "h"}),
}


def test_the_samples_have_every_command():
    assert {type(sample) for sample in SAMPLES} == set(get_args(cmd.Command))


def test_every_phase_is_among_those_tried():
    assert {game.phase for game, _ in ALLOWED.values()} == set(Phase)


@pytest.mark.parametrize("where", ALLOWED)
def test_only_what_the_table_of_the_rules_has_is_allowed(where):
    game, expected = ALLOWED[where]
    before = deepcopy(game)
    allowed: dict[str, str] = {}
    for command in SAMPLES:
        for letter in ACTORS:
            try:
                decide(game, LETTERS.get(letter, letter), command)
            except Refused as refused:
                assert str(refused).endswith(".")
                continue
            finally:
                assert game == before
            name = type(command).__name__
            allowed[name] = allowed.get(name, "") + letter
    assert allowed == expected


@pytest.mark.parametrize("phase", Phase)
def test_a_command_in_the_wrong_phase_says_what_is_going_on(phase):
    game = next(game for game, _ in ALLOWED.values() if game.phase is phase)
    command = cmd.Start(("A", "B"), first="A") if phase is not Phase.LOBBY else cmd.Call()
    with pytest.raises(Refused, match=f"^This cannot be done now: {MOMENTS[phase]}.$") as refused:
        decide(game, HOST, command)
    assert (refused.value.reason, refused.value.phase) == (Reason.WRONG_PHASE, phase)


def test_every_reason_has_a_sentence_and_every_phase_a_moment():
    assert set(SENTENCES) == set(Reason)
    assert set(MOMENTS) == set(Phase)


def test_every_command_and_phase_has_its_place_in_the_table():
    assert {command for _, command in TABLE} == set(get_args(cmd.Command))
    assert {phase for phase, _ in TABLE} == set(Phase)


@pytest.mark.parametrize(
    ("seats", "reason"),
    [
        ((), Reason.PLAYER_COUNT),
        (("A",), Reason.PLAYER_COUNT),
        (tuple("ABCDEF"), Reason.PLAYER_COUNT),
        (("A", "A"), Reason.SEAT_NAMES),
        (("A", HOST), Reason.SEAT_NAMES),
        (("A", CAMERA), Reason.SEAT_NAMES),
        (("A", ""), Reason.SEAT_NAMES),
    ],
)
def test_two_to_five_seats_with_names_of_their_own_can_start(seats, reason):
    assert refusal(Game(), HOST, cmd.Start(seats, draw=0)) is reason


def test_a_rematch_goes_back_to_the_lobby_with_the_same_options():
    over = do(turn("AB", toppler="next"), ("B", cmd.Leave("B")))
    lobby = do(over, (HOST, cmd.Rematch()))
    assert (lobby.phase, lobby.seats, lobby.options.toppler) == (Phase.LOBBY, (), "next")
    again = do(lobby, (HOST, cmd.Start(("A", "B"), first="A")))
    assert again.phase_id not in (new_game("AB").phase_id, over.phase_id)


def test_a_place_outside_the_row_or_a_tile_that_is_not_there_is_refused():
    game = turn()
    for position in (-1, 3):
        assert refusal(game, "B", cmd.Place(9, position)) is Reason.NO_SUCH_POSITION
    for value in (3, 6, 12):
        assert refusal(game, "B", cmd.Place(value, 0)) is Reason.NO_SUCH_TILE
    assert refusal(game, "C", cmd.Place(9, 0)) is Reason.NOT_YOUR_TURN


def test_with_an_empty_supply_only_middle_tiles_move_and_a_move_can_be_called():
    game = new_game("AB")
    for value in game.supply:
        game = do(game, (game.active, cmd.Place(value, 0)))
    assert refusal(game, "A", cmd.Place(3, 0)) is Reason.SUPPLY_EMPTY
    assert refusal(game, "B", cmd.Move(1, End.LEFT)) is Reason.NOT_YOUR_TURN
    for index in (-1, 11):
        assert refusal(game, "A", cmd.Move(index, End.LEFT)) is Reason.NO_SUCH_POSITION
    moved = do(game, ("A", cmd.Move(4, End.LEFT)))
    assert moved.row == (game.row[4], *game.row[:4], *game.row[5:])
    assert do(moved, ("B", cmd.Call())).ballots == {"A": S}
    assert do(moved, ("A", cmd.TakeBack())).row == game.row
    assert do(moved, ("B", cmd.Move(4, End.RIGHT))).placer == "B"


def test_a_take_back_after_an_estimation_gives_the_row_before_it_back():
    game = do(turn(), ("B", cmd.Place(9, 2)), ("C", cmd.Call()))
    for seat in "ACD":
        game = do(game, (seat, cmd.Vote(S)))
    game = do(game, (REFEREE, cmd.Reveal()), (REFEREE, cmd.Continue()))
    assert game.estimated
    game = do(game, ("B", cmd.TakeBack()))
    assert (game.row, game.placer, game.estimated) == ((3, 6), "A", False)
    assert game.supply == tuple(value for value in range(1, 12) if value not in (3, 6))


def test_a_take_back_after_the_placer_before_has_left_leaves_nobody_to_call_on():
    game = do(turn(), ("B", cmd.Place(9, 2)), ("A", cmd.Leave("A")), ("B", cmd.TakeBack()))
    assert game.placer is None
    assert refusal(game, "C", cmd.Call()) is Reason.NO_PLACER


def test_the_row_is_corrected_only_with_another_players_consent():
    game = do(turn(), ("B", cmd.Place(9, 1)), ("B", cmd.FixRow((9, 3, 6))))
    assert game.row == (3, 9, 6)
    assert view(game, "C")["row_fix"] == {"seat": "B", "order": [9, 3, 6]}
    assert refusal(game, "B", cmd.ConsentRow()) is Reason.NOT_FOR_YOU
    assert do(game, ("C", cmd.DeclineRow())).row_fix is None
    fixed = do(game, ("C", cmd.ConsentRow()))
    assert (fixed.row, fixed.row_fix) == ((9, 3, 6), None)
    assert do(fixed, ("B", cmd.TakeBack())).row == (3, 6)
    assert do(game, ("B", cmd.TakeBack())).row_fix is None
    for moved_on in (cmd.Place(1, 0), cmd.Call()):
        assert do(game, ("C", moved_on)).row_fix is None


@pytest.mark.parametrize("order", [(3,), (3, 6, 6), (6, 9), ()])
def test_a_corrected_row_has_the_same_tiles(order):
    assert refusal(turn(), "A", cmd.FixRow(order)) is Reason.BAD_ORDER


def test_a_row_corrected_before_the_push_is_pushed_from_its_own_lower_end():
    game = do(turn("ABC"), ("B", cmd.Place(9, 2)), ("C", cmd.Call()), ("A", cmd.Vote(F)))
    game = do(game, ("C", cmd.Vote(F)), (REFEREE, cmd.Reveal()), (REFEREE, cmd.Continue()))
    assert game.end is End.LEFT
    fixed = do(game, ("B", cmd.FixRow((9, 6, 3))), ("A", cmd.ConsentRow()))
    assert (fixed.end, fixed.row) == (End.RIGHT, (9, 6, 3))
    left = do(game, ("B", cmd.Leave("B")))
    assert left.toppler == "C"
    assert do(left, ("C", cmd.FixRow((9, 6, 3)))).row_fix is not None


def test_the_lone_first_tile_is_stood_up_again_without_an_accident():
    game = new_game("AB")
    assert do(game, ("B", cmd.LoneTileFell())) == game
    assert refusal(game, "B", cmd.ClaimAccident("A")) is Reason.LONE_TILE
    assert refusal(turn(), "B", cmd.LoneTileFell()) is Reason.NOT_LONE


def test_a_ballot_changes_until_its_owner_locks_it():
    game = do(ballot(), ("D", cmd.Vote(S)), ("D", cmd.Vote(F)), ("D", cmd.LockBallot()))
    assert refusal(game, "D", cmd.Vote(S)) is Reason.BALLOT_LOCKED
    assert refusal(game, "D", cmd.LockBallot()) is Reason.BALLOT_LOCKED
    assert refusal(game, "C", cmd.LockBallot()) is Reason.NO_BALLOT
    assert view(game, None)["locked"] == ["A", "D"]


def test_a_placers_success_is_locked_at_once_and_known_to_all():
    game = ballot()
    assert refusal(game, "A", cmd.Vote(S)) is Reason.BALLOT_LOCKED
    assert view(game, "A")["ballot"] == {
        "mine": "success",
        "forced": True,
        "count": 2,
        "of": 4,
        "until_s": None,
    }


def test_an_estimation_without_failure_leaves_no_trace_but_that_it_was_held():
    passed = do(reveal("SSSS"), (REFEREE, cmd.Continue()))
    assert passed == replace(turn(), estimated=True, turn=turn().turn + 1)
    assert view(passed, "B")["reveal"] is None


def test_every_turn_has_a_phase_id_of_its_own():
    ids = [turn().phase_id, ballot().phase_id, reveal("SSSS").phase_id]
    passed = do(reveal("SSSS"), (REFEREE, cmd.Continue()))
    again = do(passed, ("A", cmd.TakeBack()))
    anew = do(again, (HOST, cmd.VoidRound()))
    ids += [game.phase_id for game in (passed, again, anew)]
    assert ids == ["1.2.TURN", "1.2.BALLOT", "1.2.REVEAL", "1.3.TURN", "1.4.TURN", "1.5.TURN"]
    cancelled = do(ballot(), ("A", cmd.Leave("A")))
    assert cancelled.phase_id == "1.3.TURN"
    assert new_game("AB").phase_id == "1.1.TURN"


def test_a_game_that_ends_with_open_ballots_shows_none_and_one_scored_keeps_them():
    early = do(ballot("AB"), ("A", cmd.Leave("A")))
    assert (early.phase, early.caller, early.ballots) == (Phase.GAME_OVER, None, {})
    assert view(early, "B")["in"] == []
    late = do(round_end("SF"), ("A", cmd.Leave("A")))
    assert view(late, "B")["reveal"]["ballots"] == {"A": "success", "B": "failure"}


def test_one_of_each_side_settles_what_the_camera_shows():
    game = do(shown(), ("A", cmd.Confirm()))
    assert refusal(game, "A", cmd.Confirm()) is Reason.ALREADY_AGREED
    game = do(game, ("C", cmd.Confirm()))
    assert game.phase is Phase.JUDGE
    game = do(game, ("B", cmd.Confirm()))
    assert (game.phase, game.chips) == (Phase.ROUND_END, {"A": 2, "B": 0, "C": 2, "D": 0})


@pytest.mark.parametrize(
    ("objector", "across", "not_across"), [("A", "BD", "AC"), ("D", "AC", "BD")]
)
def test_an_objection_claims_the_opposite_and_goes_to_the_other_side(objector, across, not_across):
    game = do(shown(), ("C", cmd.Confirm()), (objector, cmd.Object()))
    verdict = view(game, None)["verdict"]
    assert verdict["outcome"] == "stood"
    assert (verdict["by"], verdict["step"], verdict["agreed"]) == (objector, "confirm", [])
    for seat in not_across:
        assert refusal(game, seat, cmd.Confirm()) is Reason.NOT_OTHER_SIDE
        assert refusal(game, seat, cmd.Dispute()) is Reason.NOT_OTHER_SIDE
    for seat in across:
        assert do(game, (seat, cmd.Confirm())).history[-1].outcome is STOOD
        assert view(do(game, (seat, cmd.Dispute())), None)["verdict"]["step"] == "vote"
    assert refusal(game, REFEREE, cmd.Stand()) is Reason.WRONG_STEP


def test_a_table_vote_is_decided_by_the_majority_and_a_tie_is_stood():
    game = do(voting(), ("A", cmd.TableVote(FELL)), ("C", cmd.TableVote(FELL)))
    assert game.phase is Phase.JUDGE
    assert view(game, "D")["verdict"]["votes"] == {"A": "fell", "C": "fell"}
    fell = do(game, ("D", cmd.TableVote(FELL)))
    assert (fell.phase, fell.history[-1].outcome) == (Phase.ROUND_END, FELL)
    tie = do(game, ("B", cmd.TableVote(STOOD)), ("D", cmd.TableVote(STOOD)))
    assert tie.history[-1].outcome is STOOD


def test_a_table_vote_may_be_changed_while_it_is_open():
    game = do(voting(), ("A", cmd.TableVote(STOOD)), ("A", cmd.TableVote(FELL)))
    assert game.votes == {"A": FELL}


def test_no_accident_is_claimed_of_a_stranger_or_of_the_toppler_who_pushes():
    assert refusal(turn(), "A", cmd.ClaimAccident("Z")) is Reason.NOT_PLAYING
    assert refusal(topple(), "B", cmd.ClaimAccident("A")) is Reason.TOPPLER_IS_PUSHING
    for by, culprit in [("A", "B"), ("B", None)]:
        assert do(topple(), (by, cmd.ClaimAccident(culprit))).phase is Phase.ACCIDENT


@pytest.mark.parametrize("before", [turn(), ballot(), countdown(), reveal(), topple()])
def test_a_rejected_accident_gives_back_the_very_moment(before):
    game = do(before, ("A", cmd.ClaimAccident("B")))
    assert refusal(game, HOST, cmd.RejectAccident()) is Reason.ACCIDENT_ORDER
    assert refusal(game, "C", cmd.RejectAccident()) is Reason.NOT_CULPRIT
    game = do(game, ("B", cmd.RejectAccident()))
    assert view(game, None)["accident"]["denied"]
    assert refusal(game, "B", cmd.RejectAccident()) is Reason.ALREADY_AGREED
    assert do(game, (HOST, cmd.RejectAccident())) == before


@pytest.mark.parametrize("confirmer", ["B", "C", "D", HOST])
def test_an_accident_is_confirmed_by_anybody_but_the_one_who_claims_it(confirmer):
    assert refusal(accident(), "A", cmd.ConfirmAccident()) is Reason.NOT_FOR_YOU
    game = do(accident(), (confirmer, cmd.ConfirmAccident()))
    assert (game.active, game.round, game.row) == ("B", 1, (6,))
    assert game.chips == game.accident_chips == {"A": 1, "B": 0, "C": 1, "D": 1}


@pytest.mark.parametrize("confirmer", ["A", "B"])
def test_an_accident_that_the_culprit_owns_up_to_needs_only_one_more_word(confirmer):
    game = do(turn("AB"), ("A", cmd.ClaimAccident("A")), (confirmer, cmd.ConfirmAccident()))
    assert (game.chips, game.active) == ({"A": 0, "B": 1}, "A")


@pytest.mark.parametrize("before", [turn(), ballot(), countdown(), reveal(), topple()])
def test_whoever_claims_an_accident_can_take_the_claim_back(before):
    game = do(before, ("A", cmd.ClaimAccident("B")))
    assert refusal(game, "B", cmd.WithdrawAccident()) is Reason.NOT_CLAIMANT
    assert do(game, ("A", cmd.WithdrawAccident())) == before


def test_an_accident_that_was_none_gives_its_chips_back():
    before = turn()
    assert refusal(before, HOST, cmd.TakeBackAccident()) is Reason.NO_ACCIDENT
    paid = do(before, ("A", cmd.ClaimAccident("B")), ("C", cmd.ConfirmAccident()))
    game = do(paid, (HOST, cmd.TakeBackAccident("it was the cat")))
    assert set(game.chips.values()) == set(game.accident_chips.values()) == {0}
    assert (game.active, game.row, game.round) == (before.first, (6,), before.round)
    assert refusal(game, HOST, cmd.TakeBackAccident()) is Reason.NO_ACCIDENT


def test_a_round_that_has_gone_on_after_an_accident_goes_on_without_its_chips():
    paid = do(turn(), ("A", cmd.ClaimAccident("B")), ("C", cmd.ConfirmAccident()))
    on = do(paid, ("B", cmd.Place(9, 0)))
    game = do(on, (HOST, cmd.TakeBackAccident()))
    assert (set(game.chips.values()), game.row, game.active) == ({0}, on.row, on.active)


def test_a_seat_that_has_left_gives_no_chips_back():
    paid = do(turn(), ("A", cmd.ClaimAccident("B")), ("C", cmd.ConfirmAccident()))
    game = do(paid, ("D", cmd.Leave("D")), (HOST, cmd.TakeBackAccident()))
    assert game.chips == {"A": 0, "B": 0, "C": 0}


def test_the_next_round_is_too_late_to_take_an_accident_back():
    paid = do(ballot(), ("A", cmd.ClaimAccident("B")), ("C", cmd.ConfirmAccident()))
    assert paid.accident_paid is not None
    later = replace(paid, phase=Phase.ROUND_END, toppler="B")
    assert do(later, (HOST, cmd.TakeBackAccident())).chips["A"] == 0
    gone = do(later, (REFEREE, cmd.NextRound()))
    assert refusal(gone, HOST, cmd.TakeBackAccident()) is Reason.NO_ACCIDENT


def test_nobodys_fault_restarts_the_round_without_chips():
    game = do(turn(), ("B", cmd.Place(9, 0)), ("B", cmd.ClaimAccident(None)))
    assert refusal(game, "B", cmd.ConfirmAccident()) is Reason.NOT_FOR_YOU
    assert refusal(game, "A", cmd.RejectAccident()) is Reason.NOT_CULPRIT
    assert do(game, (HOST, cmd.RejectAccident())).row == (9, 3, 6)
    game = do(game, ("A", cmd.ConfirmAccident()))
    assert (game.row, game.active, set(game.chips.values())) == ((6,), "A", {0})


def test_a_void_round_is_played_anew_and_its_chips_are_given_back():
    scored = round_end()
    assert scored.chips == {"A": 2, "B": 0, "C": 2, "D": 0}
    game = do(scored, (HOST, cmd.VoidRound("a cat")))
    assert set(game.chips.values()) == {0}
    assert (game.history, game.round, game.active, game.row) == ((), 1, "A", (6,))


def test_a_void_round_keeps_the_chips_of_rounds_and_accidents_before():
    game = do(round_end(), (REFEREE, cmd.NextRound()), ("A", cmd.Place(3, 0)))
    game = do(game, ("A", cmd.ClaimAccident("B")), ("B", cmd.ConfirmAccident()))
    voided = do(game, ("B", cmd.Place(3, 0)), (HOST, cmd.VoidRound()))
    assert voided.chips == game.chips == {"A": 3, "B": 0, "C": 3, "D": 1}
    assert len(voided.history) == 1
    gone = do(round_end(), ("A", cmd.Leave("A")), (HOST, cmd.VoidRound()))
    assert (gone.chips, gone.active) == ({"B": 0, "C": 0, "D": 0}, "B")


def test_leave_is_for_oneself_the_host_or_the_referee():
    assert refusal(turn(), "A", cmd.Leave("B")) is Reason.NOT_FOR_YOU
    assert refusal(turn(), HOST, cmd.Leave("Z")) is Reason.NOT_PLAYING
    assert refusal(turn(), CAMERA, cmd.Leave("B")) is Reason.NOT_FOR_YOU


def test_leave_in_turn_passes_the_turn_on():
    game = do(turn(), ("B", cmd.Leave("B")))
    assert (game.active, game.present) == ("C", ("A", "C", "D"))
    assert do(turn(), ("C", cmd.Leave("C"))).active == "B"
    assert refusal(game, "B", cmd.Call()) is Reason.NOT_PLAYING
    assert "B" not in view(game, None)["chips"]
    assert "B" not in view(game, None)["accident_chips"]


def test_leave_of_the_placer_takes_the_chance_to_call_along():
    game = do(turn(), ("A", cmd.FixRow((6, 3))), ("A", cmd.Leave("A")))
    assert refusal(game, "C", cmd.Call()) is Reason.NO_PLACER
    assert game.row_fix is None
    assert do(game, ("B", cmd.Place(9, 2)), ("C", cmd.Call())).phase is Phase.BALLOT


def test_leave_in_ballot_removes_the_open_ballot_and_closes_the_rest_if_it_was_the_last():
    game = do(ballot(), ("C", cmd.Vote(S)))
    gone = do(game, ("D", cmd.Leave("D")))
    assert (gone.phase, gone.ballots) == (Phase.BALLOT, {"A": S, "C": S})
    gone = do(game, ("B", cmd.Leave("B")))
    assert (gone.phase, gone.caller) == (Phase.COUNTDOWN, None)
    assert do(gone, (REFEREE, cmd.Reveal())).ballots == {"A": S, "C": S, "D": F}


@pytest.mark.parametrize("before", [ballot(), countdown()])
def test_leave_of_the_placer_before_the_reveal_throws_the_ballots_away_unseen(before):
    events = decide(before, "A", cmd.Leave("A"))
    assert events == (ev.SeatLeft("A"), ev.EstimationCancelled())
    game = do(before, ("A", cmd.Leave("A")))
    assert (game.phase, game.active, game.ballots) == (Phase.TURN, "B", {})
    assert view(game, "B")["reveal"] is None


def test_leave_in_countdown_takes_the_ballot_along():
    game = do(countdown(), ("D", cmd.Leave("D")), (REFEREE, cmd.Reveal()))
    assert game.ballots == {"A": S, "B": F, "C": S}


def test_leave_after_the_reveal_keeps_the_ballot_on_the_table_but_is_paid_nothing():
    game = do(reveal(), ("D", cmd.Leave("D")), (REFEREE, cmd.Continue()))
    assert view(game, "A")["reveal"]["stake"] == {"success": 2, "failure": 2}
    game = do(game, (CAMERA, cmd.Report(STOOD)), (REFEREE, cmd.Stand()))
    assert game.chips == {"A": 0, "B": 2, "C": 0}


@pytest.mark.parametrize("leaving", [("A",), ("A", "B")])
def test_leave_of_the_toppler_makes_the_caller_push_or_else_the_next_to_place(leaving):
    stand_in = "C" if "B" in leaving else "B"
    for before in (reveal(), topple()):
        game = do(before, *((seat, cmd.Leave(seat)) for seat in leaving))
        if game.phase is Phase.REVEAL:
            game = do(game, (REFEREE, cmd.Continue()))
        assert game.toppler == stand_in
    game = do(game, (CAMERA, cmd.Report(FELL)), (REFEREE, cmd.Stand()), (REFEREE, cmd.NextRound()))
    assert game.active == stand_in


def test_leave_of_the_last_across_lets_anybody_else_answer_a_claim():
    game = do(claimed("SFS"), ("B", cmd.Leave("B")))
    assert refusal(game, "A", cmd.Confirm()) is Reason.NOT_OTHER_SIDE
    assert do(game, ("C", cmd.Confirm())).chips == {"A": 1, "C": 1}


def test_leave_of_the_last_across_needs_all_others_to_agree_with_what_is_shown():
    game = do(shown("SFSS"), ("B", cmd.Leave("B")), ("A", cmd.Confirm()), ("C", cmd.Confirm()))
    assert game.phase is Phase.JUDGE
    assert do(game, ("A", cmd.Leave("A"))).agreed == ("C",)
    assert do(game, ("D", cmd.Confirm())).phase is Phase.ROUND_END
    assert do(game, ("D", cmd.Leave("D"))).phase is Phase.ROUND_END


def test_leave_of_the_claimant_keeps_the_claim():
    game = do(claimed(), ("A", cmd.Leave("A")), ("B", cmd.Confirm()))
    assert game.chips == {"B": 0, "C": 2, "D": 0}


def test_leave_in_a_table_vote_can_decide_it():
    game = do(voting(), ("A", cmd.TableVote(FELL)), ("B", cmd.TableVote(FELL)))
    assert do(game, ("C", cmd.Leave("C"))).history[-1].outcome is FELL
    game = do(voting(), ("A", cmd.TableVote(FELL)), ("D", cmd.TableVote(STOOD)))
    game = do(game, ("A", cmd.Leave("A")))
    assert (game.phase, game.votes) == (Phase.JUDGE, {"D": STOOD})


def test_leave_after_the_push_gives_the_start_to_the_next_clockwise():
    game = do(round_end(), ("A", cmd.Leave("A")), (REFEREE, cmd.NextRound()))
    assert (game.active, game.playing) == ("B", ("B", "C", "D"))


def test_leave_during_an_accident_changes_what_waits_behind_it():
    claim = ("D", cmd.ClaimAccident("C"))
    game = do(ballot(), ("C", cmd.Vote(S)), claim, ("B", cmd.Leave("B")))
    assert (game.phase, game.stage) == (Phase.ACCIDENT, Phase.COUNTDOWN)
    game = do(game, ("C", cmd.RejectAccident()), (HOST, cmd.RejectAccident()))
    assert game.phase is Phase.COUNTDOWN
    game = do(countdown(), claim, ("A", cmd.Leave("A")))
    assert (game.phase, game.stage) == (Phase.ACCIDENT, Phase.TURN)
    game = do(topple(), claim, ("A", cmd.Leave("A")))
    assert game.toppler == "B"


def test_leave_of_the_culprit_lets_the_host_reject_and_the_next_clockwise_begin():
    game = do(accident(), ("B", cmd.Leave("B")))
    assert do(game, (HOST, cmd.RejectAccident())).phase is Phase.BALLOT
    game = do(game, ("C", cmd.ConfirmAccident()))
    assert (game.active, game.chips) == ("C", {"A": 1, "C": 1, "D": 1})


@pytest.mark.parametrize("where", ALLOWED)
def test_leave_of_all_but_one_ends_the_game_in_favour_of_the_last(where):
    game, _ = ALLOWED[where]
    if game.phase in (Phase.LOBBY, Phase.GAME_OVER):
        return
    for seat in "ABC":
        game = do(game, (HOST, cmd.Leave(seat)))
    assert (game.phase, game.winners, game.ranking) == (Phase.GAME_OVER, ("D",), ("D",))
    assert view(game, "D")["final"] == {"ranking": ["D"], "winners": ["D"]}
    assert game.accident is None


def test_two_players_a_claim_is_confirmed_by_the_other():
    game = do(topple("SF"), ("A", cmd.Report(FELL)))
    assert refusal(game, "A", cmd.Confirm()) is Reason.NOT_OTHER_SIDE
    assert do(game, ("B", cmd.Confirm())).chips == {"A": 1, "B": 0}
    assert do(game, ("B", cmd.Dispute()), ("B", cmd.TableVote(STOOD))).chips == {"A": 0, "B": 1}


def test_two_players_an_accident_is_confirmed_by_the_culprit():
    game = do(turn("AB"), ("B", cmd.ClaimAccident("A")))
    assert refusal(game, "B", cmd.ConfirmAccident()) is Reason.NOT_FOR_YOU
    assert do(game, ("A", cmd.ConfirmAccident())).chips == {"A": 0, "B": 1}


def test_a_value_that_is_no_event_is_not_taken_for_one():
    with pytest.raises(AssertionError):
        evolve(Game(), "dealt")
