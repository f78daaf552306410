"""The awards of a game: each by its own rule, and all of them as a second reckoning has them."""

import os
from functools import reduce

import pytest

from physics.row.push import Push
from rig.games.estimation.game import Game
from rig.games.estimation.table import awards as made
from rig.games.estimation.table.awards import JudgedPush, awards
from rig.games.estimation.table.estimation_play import PLAY, apply, from_record
from rig.games.estimation.table.estimation_table import EstimationTable
from rig.games.estimation.terms import CAMERA, REFEREE, End, Phase, Result, Side
from rig.history.gamefile import made as file_made
from rig.history.replay import moments
from rig.row.push_events import (
    Forecast,
    OutcomeSeen,
    PushBegun,
    PushEnded,
    PushRequested,
    PushStep,
    Seen,
    Standing,
)
from rig.snapshots import restored, taken
from tests.support.award_recount import as_reckoned, reckoned
from tests.support.evenings import Evening

S, F = Side.SUCCESS, Side.FAILURE
GAMES = int(os.environ.get("AWARD_GAMES", "8"))
"""How many games of chance are reckoned twice; 200 were, see `tests/bench/RESULTS.md`."""


def push(round_, outcome, p, said, placer="a", gap=None, tall=48.0, **more):
    """A push: what was said by the seats b, c and d, after a placer who had no choice."""
    ballots = {placer: S, **dict(zip("bcd", said, strict=False))}
    fell = Result.FELL if outcome == "fell" else Result.STOOD
    seen = Seen(outcome, (2,), (9,), between=(2, 9), gap_mm=gap) if gap else None
    row = tuple(Standing(value, "vertical", 0.0, 0.0, 0.0) for value in (2, 9))
    given = {"caller": "b", "forced": frozenset(placer), "seen": seen, "tall_mm": tall}
    return JudgedPush(
        round=round_, ballots=ballots, placer=placer, outcome=fell, p_fall=p, row=row, **given
    )


def earned(*pushes, seats="abcd"):
    return {award.kind: award for award in awards(pushes, tuple(seats))}


def test_the_best_eye_is_farthest_below_the_models_brier_score_on_the_same_pushes():
    two = push(1, "fell", 0.6, (S, F)), push(2, "stood", 0.3, (F, F))
    eye = earned(*two)["eye"]
    assert eye.seats == ("b",)
    assert eye.margin == pytest.approx((0.4**2 + 0.3**2) / 2)


def test_one_push_makes_no_eye_and_nobody_who_saw_less_than_the_model_has_one():
    assert "eye" not in earned(push(1, "fell", 0.6, (S, S)))
    assert "eye" not in earned(push(1, "fell", 0.9, (F, F)), push(2, "stood", 0.1, (F, S)))


def test_a_ballot_without_a_choice_and_a_push_without_a_chance_are_no_look():
    assert "eye" not in earned(push(1, "fell", 0.6, ()), push(2, "fell", 0.6, ()))
    assert "eye" not in earned(push(1, "fell", None, (S,)), push(2, "fell", 0.5, (S,)))


def test_those_who_saw_the_same_share_the_eye_and_whoever_has_left_has_none():
    two = push(1, "fell", 0.6, (S, S)), push(2, "stood", 0.3, (F, F))
    assert earned(*two)["eye"].seats == ("b", "c")
    assert earned(*two, seats="ac")["eye"].seats == ("c",)


def test_the_best_bluff_is_the_doubted_row_that_fell_at_the_lowest_chance():
    three = (
        push(1, "fell", 0.4, (F, S)),
        push(2, "fell", 0.2, (F, F), placer="c"),
        push(3, "stood", 0.1, (F, F)),
    )
    bluff = earned(*three)["bluff"]
    assert (bluff.seats, bluff.rounds, bluff.p_fall) == (("c",), (2,), 0.2)
    assert "bluff" not in earned(*three[2:])
    assert earned(*three, seats="ab")["bluff"].seats == ("a",)


@pytest.mark.parametrize(("p", "earns"), [(1.0, False), (0.91, False), (0.89, True)])
def test_a_row_that_was_sure_to_fall_was_no_bluff_and_no_close_call(p, earns):
    kinds = {"bluff", "close"} if earns else set()
    assert set(earned(push(1, "fell", p, (S, F)))) == kinds


@pytest.mark.parametrize(("p", "earns"), [(0.0, False), (0.09, False), (0.11, True)])
def test_a_row_that_was_sure_to_stand_was_no_close_call(p, earns):
    assert ("close" in earned(push(1, "stood", p, (S, F)))) is earns


def test_the_closest_call_is_the_gap_that_a_tile_was_least_too_short_for():
    three = (
        push(1, "stood", 0.5, (F,), gap=55.0),
        push(2, "stood", 0.1, (F,), gap=50.0),
        push(3, "fell", 0.5, (F,)),
    )
    close = earned(*three)["close"]
    assert (close.short_mm, close.rounds, close.between) == (2.0, (2,), (2, 9))


@pytest.mark.parametrize("gap", [20.0, 48.0, 70.0])
def test_where_no_gap_decided_the_closest_call_is_the_chance_nearest_to_one_half(gap):
    two = push(1, "stood", 0.1, (F,), gap=gap), push(2, "fell", 0.6, (F,))
    close = earned(*two)["close"]
    assert (close.short_mm, close.rounds, close.p_fall) == (None, (2,), 0.6)


def test_what_people_put_right_was_not_decided_by_the_gap_that_the_camera_saw():
    wrong = made.replace(push(1, "stood", 0.7, (F,), gap=50.0), outcome=Result.FELL)
    assert earned(wrong)["close"].short_mm is None


def test_the_row_that_should_have_fallen_stood_at_the_highest_chance_and_ties_share():
    three = (
        push(1, "stood", 0.8, (F,)),
        push(2, "stood", 0.8, (F,)),
        push(3, "fell", 0.9, (F,)),
    )
    assert earned(*three)["odds"].rounds == (1, 2)
    assert "odds" not in earned(three[2])


@pytest.mark.parametrize(("chance", "is_given"), [(None, 0), (0.2, 0), (0.5, 0), (0.51, 1)])
def test_only_a_row_that_was_likelier_to_fall_than_to_stand_should_have_fallen(chance, is_given):
    two = push(1, "stood", 0.1, (F,)), push(2, "stood", chance, (F,))
    assert [each.rounds for each in awards(two, "abcd") if each.kind == "odds"] == [(2,)] * is_given


class Measured(Evening):
    """An evening in which rows are of both orientations, and waves die at gaps of every width."""

    def standing(self, row):
        for i, value in enumerate(row):
            yield Standing(value, ("vertical", "horizontal")[value % 2], 100.0 + 60 * i, 210.0, 0.0)

    def push(self, outcome):
        table, game, chance = self.table, self.table.game, self.chance
        if game.end is None or chance.randrange(12) == 0:
            return  # nobody asked the table for it
        number, right = table.pushes + 1, game.end is End.RIGHT
        row = table.row[::-1] if right else table.row
        p = chance.choice((None, 0.5, 0.25, chance.random()))
        forecast = None if p is None else Forecast(p, 0.0, 1.0, None)
        value = row[0].value
        self.note(PushRequested(number, game.end.value, value, forecast), actor=game.toppler)
        self.note(PushBegun(number, row, Push()), actor=REFEREE)
        self.note(PushEnded(number, PushStep.DONE), actor=CAMERA)
        values = [tile.value for tile in row]
        died = len(values) if outcome is Result.FELL else chance.randrange(len(values))
        between = (values[died - 1], values[died]) if 0 < died < len(values) else None
        gap = (
            round(chance.choice((26.0, 50.0, 51.5, chance.uniform(5, 70))), 1) if between else None
        )
        look = Seen(outcome.value, tuple(values[:died]), tuple(values[died:]), (), between, gap)
        self.note(OutcomeSeen(look, {}), actor=CAMERA)


def game_of_chance(seed):
    """A game that was played to its end, or as far as a thousand steps go."""
    return Measured(seed, players=2 + seed % 4).play(1000)


def test_a_second_reckoning_of_games_of_chance_gives_the_same_awards():
    kinds = set()
    for seed in range(GAMES):
        evening = game_of_chance(seed)
        table = evening.table
        found = as_reckoned(awards(table.judged, table.game.present))
        assert found == reckoned(evening.records), seed
        kinds |= set(found)
    assert kinds == {"eye", "bluff", "close", "odds"}


def test_after_a_restart_from_a_snapshot_and_in_a_replay_the_ending_is_the_same():
    evening = game_of_chance(3)
    table = evening.table
    assert table.phase is Phase.GAME_OVER and table.judged
    again = reduce(apply, map(from_record, evening.records), EstimationTable(game=Game()))
    assert again.judged == table.judged
    assert restored(taken(table, "code"), PLAY).judged == table.judged
    ending = made.ending(table.judged, table.game.present)
    (final,) = [
        m["changes"]["final"]
        for m in moments(file_made(evening.records, play=PLAY))
        if m["changes"].get("final")
    ]
    assert {name: final[name] for name in ending} == ending


def test_nothing_of_a_push_is_remembered_before_it_is_settled():
    evening = Measured(2)
    evening.start()
    while evening.table.phase is not Phase.ROUND_END:
        assert evening.table.judged == ()
        evening.step()
    assert [push.round for push in evening.table.judged] == [1]


def test_a_new_game_has_none_of_the_last_ones_pushes():
    evening = game_of_chance(3).again()
    assert evening.table.judged == ()
