"""What the host puts right: a verdict that was wrong, and a player who is away."""

from collections.abc import Iterable

import pytest

from rig.games.estimation import commands as cmd
from rig.games.estimation import events as ev
from rig.games.estimation.evolve import evolve
from rig.games.estimation.game import Game
from rig.games.estimation.terms import CAMERA, HOST, REFEREE, End, Phase, Reason, Result, Side
from tests.support.moves import do, new_game, refusal

S, F = Side.SUCCESS, Side.FAILURE
FELL, STOOD = Result.FELL, Result.STOOD
CORRECT = (HOST, cmd.CorrectVerdict("looked again"))


def revealed(game: Game, failures: Iterable[str]) -> Game:
    """Whoever is active places, the next one calls, these vote Failure."""
    placer = game.active
    game = do(game, (placer, cmd.Place(game.supply[0], 0)))
    game = do(game, (game.active, cmd.Call()))
    for seat in game.playing:
        if seat != placer:
            game = do(game, (seat, cmd.Vote(F if seat in failures else S)))
    return do(game, (REFEREE, cmd.Reveal()), (REFEREE, cmd.Continue()))


def pushed(game: Game, failures: Iterable[str], outcome: Result) -> Game:
    """One round up to its chips."""
    game = revealed(game, failures)
    return do(game, (CAMERA, cmd.Report(outcome)), (REFEREE, cmd.Stand()))


def next_round(game: Game) -> Game:
    return do(game, (REFEREE, cmd.NextRound()))


def three_rounds(*rounds: tuple[str, Result], **options: object) -> Game:
    """Three rounds of A, who pushes them all, B and C, and whatever follows."""
    game = new_game("ABC", **options)
    for failures, outcome in rounds:
        game = next_round(pushed(game, failures, outcome))
    return game


def test_a_corrected_verdict_pays_the_other_side_in_its_place():
    game = pushed(new_game("ABCD"), "BC", FELL)
    assert game.chips == {"A": 2, "B": 0, "C": 0, "D": 2}
    corrected = do(game, CORRECT)
    assert corrected.chips == {"A": 0, "B": 2, "C": 2, "D": 0}
    assert corrected.history[-1].outcome is STOOD
    assert corrected.claim is not None
    assert corrected.claim.outcome is STOOD
    assert do(corrected, CORRECT).chips == game.chips


def test_a_verdict_may_still_be_corrected_while_the_next_row_grows():
    game = next_round(pushed(new_game("ABC"), "B", STOOD))
    assert game.chips == {"A": 0, "B": 2, "C": 0}
    placed = do(game, ("A", cmd.Place(3, 0)), ("C", cmd.Call()), ("B", cmd.Vote(F)))
    corrected = do(placed, CORRECT)
    assert corrected.chips == {"A": 1, "B": 0, "C": 1}
    assert (corrected.phase, corrected.row) == (Phase.BALLOT, (3, 6))
    assert corrected.ballots == {"A": S, "B": F}


def test_a_round_that_is_void_after_a_correction_gives_back_what_was_paid_last():
    corrected = do(pushed(new_game("ABC"), "B", FELL), CORRECT)
    assert do(corrected, (HOST, cmd.VoidRound())).chips == {"A": 0, "B": 0, "C": 0}


def test_there_is_nothing_to_correct_before_the_first_push():
    assert refusal(new_game("AB"), *CORRECT) is Reason.NO_VERDICT


def test_while_the_row_is_judged_objecting_is_the_way():
    game = do(revealed(new_game("AB"), "B"), (CAMERA, cmd.Report(FELL)))
    assert refusal(game, *CORRECT) is Reason.WRONG_PHASE


def test_a_seat_that_has_left_is_neither_paid_nor_asked_to_pay():
    game = pushed(new_game("ABCD"), "BC", FELL)
    game = do(game, ("D", cmd.Leave("D")), ("C", cmd.Leave("C")))
    assert do(game, CORRECT).chips == {"A": 0, "B": 2}


def test_a_bank_of_twenty_pays_a_correction_from_what_it_had_then():
    game = pushed(new_game("ABC", chips="strict20"), "B", FELL)
    assert do(game, CORRECT).chips == {"A": 0, "B": 2, "C": 0}
    assert do(game, CORRECT, CORRECT).chips == game.chips


def test_a_game_that_was_over_goes_on_where_the_corrected_round_ended():
    over = three_rounds(("B", FELL), ("B", FELL), ("BC", STOOD))
    assert (over.phase, over.chips) == (Phase.GAME_OVER, {"A": 2, "B": 1, "C": 3})
    corrected = do(over, CORRECT)
    assert (corrected.phase, corrected.chips) == (Phase.ROUND_END, {"A": 4, "B": 0, "C": 2})
    assert corrected.winners == ()
    assert next_round(corrected).winners == ("A",)


def test_a_correction_may_call_for_an_extra_round():
    over = three_rounds(("B", FELL), ("B", STOOD), ("B", STOOD))
    assert (over.phase, over.chips) == (Phase.GAME_OVER, {"A": 1, "B": 4, "C": 1})
    corrected = do(over, CORRECT)
    assert corrected.chips == {"A": 2, "B": 2, "C": 2}
    extra = next_round(corrected)
    assert (extra.phase, extra.round, extra.active) == (Phase.TURN, 4, "A")


def in_extra_round(third: Result, phase: Phase, **options: object) -> Game:
    """B stood against the others in every round; the extra one has come to this phase."""
    second = FELL if options else STOOD
    game = three_rounds(("B", FELL), ("B", second), ("B", third), **options)
    assert game.round == 4
    order: tuple[tuple[str, cmd.Command], ...] = (
        ("A", cmd.Place(3, 0)),
        ("C", cmd.Call()),
        ("C", cmd.Vote(F)),
        *((("B", cmd.Vote(F)),) if "B" in game.playing else ()),
        (REFEREE, cmd.Reveal()),
        (REFEREE, cmd.Continue()),
    )
    if phase is Phase.ACCIDENT:
        return do(game, order[0], ("A", cmd.ClaimAccident("A")))
    for move in order:
        if game.phase is phase and game.row != (6,):
            break
        game = do(game, move)
    assert game.phase is phase
    return game


UPRIGHT = (
    Phase.TURN,
    Phase.BALLOT,
    Phase.COUNTDOWN,
    Phase.REVEAL,
    Phase.TOPPLE,
    Phase.ACCIDENT,
)


@pytest.mark.parametrize("phase", UPRIGHT)
def test_an_extra_round_that_nobody_needs_any_more_ends_the_game(phase):
    extra = in_extra_round(FELL, phase)
    assert extra.chips == {"A": 2, "B": 2, "C": 2}
    over = do(extra, CORRECT)
    assert (over.phase, over.accident, over.winners) == (Phase.GAME_OVER, None, ("B",))


@pytest.mark.parametrize("phase", UPRIGHT)
def test_an_extra_round_among_others_begins_anew(phase):
    extra = in_extra_round(FELL, phase, extra_round="tied_only")
    assert extra.playing == ("A", "C")
    anew = do(extra, CORRECT)
    assert anew.chips == {"A": 2, "B": 2, "C": 2}
    assert (anew.round, anew.playing, anew.row) == (4, ("A", "B", "C"), (6,))


def test_a_game_that_ended_as_too_few_were_left_is_ranked_anew():
    game = next_round(pushed(new_game("ABC"), "BC", FELL))
    over = do(game, ("A", cmd.Leave("A")), ("C", cmd.Leave("C")))
    assert (over.phase, over.chips) == (Phase.GAME_OVER, {"B": 0})
    corrected = do(over, CORRECT)
    assert (corrected.phase, corrected.chips) == (Phase.GAME_OVER, {"B": 1})
    assert corrected.winners == ("B",)


def test_a_journal_from_before_corrections_can_be_corrected_too():
    """What the other outcome would have paid follows from the events alone."""
    game = new_game("AB")
    for event in (
        ev.TilePlaced("A", 3, 0, 0.0),
        ev.DominoCalled("B", {"A": S}, 0.0),
        ev.BallotCast("B", F),
        ev.BallotsLocked(),
        ev.BallotsRevealed({"A": S, "B": F}),
        ev.PushOrdered("A", End.LEFT),
        ev.OutcomeClaimed(CAMERA, FELL),
        ev.OutcomeJudged(FELL, {"A": 1}),
    ):
        game = evolve(game, event)
    assert do(game, CORRECT).chips == {"A": 0, "B": 1}


def test_a_seat_that_is_passed_over_leaves_the_row_and_the_call_as_they_were():
    game = do(new_game("ABC"), ("A", cmd.Place(3, 0)))
    skipped = do(game, (HOST, cmd.SkipTurn()))
    assert (skipped.active, skipped.placer, skipped.row) == ("C", "A", (3, 6))
    assert skipped.phase_id != game.phase_id
    assert do(skipped, ("B", cmd.Call())).caller == "B"


def test_the_ballot_of_whoever_is_away_says_success_and_closes_the_vote():
    game = do(new_game("ABC"), ("A", cmd.Place(3, 0)), ("B", cmd.Call()), ("B", cmd.Vote(F)))
    closed = do(game, (HOST, cmd.SkipBallot("C")))
    assert (closed.phase, closed.ballots["C"]) == (Phase.COUNTDOWN, S)
    assert refusal(game, HOST, cmd.SkipBallot("B")) is Reason.BALLOT_LOCKED
    assert refusal(game, HOST, cmd.SkipBallot("Z")) is Reason.NOT_PLAYING
