"""Every game that the rules allow is proved, whatever the options; the chips are counted anew."""

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rig.games.estimation import commands as cmd
from rig.games.estimation import events as ev
from rig.games.estimation.game import Options
from rig.games.estimation.table.estimation_play import PLAY
from rig.games.estimation.terms import HOST, Result, Side
from rig.history.gamefile import dumped, loaded, made
from rig.history.verify import verified
from rig.session.fingerprint import games
from tests.support.evenings import Evening, played
from tests.support.examples import examples
from tests.support.forging import OTHER, Forged
from tests.support.recount import Count, counted, miscounted
from tests.support.telling import in_english

S, F = Side.SUCCESS, Side.FAILURE

options = st.builds(
    Options,
    tile_values=st.sampled_from([tuple(range(1, 12)), (6, 6, 6, 6, 6, 6, 1, 1, 9, 9, 9)]),
    chips=st.sampled_from(["counter", "strict20"]),
    recall=st.sampled_from(["once", "allowed"]),
    caller=st.sampled_from(["free", "failure_only"]),
    toppler=st.sampled_from(["placer", "caller", "next"]),
    judge=st.sampled_from(["camera", "people", "host"]),
    next_first=st.sampled_from(["toppler", "left_of_toppler"]),
    extra_round=st.sampled_from(["everyone", "tied_only"]),
    wrong_end=st.sampled_from(["accident", "stood"]),
    ballot_timeout=st.sampled_from([0.0, 20.0]),
)


@examples(10)
@given(st.integers(0, 2**20), st.integers(2, 5), options, st.booleans(), st.booleans())
def test_every_game_by_the_rules_is_proved(seed, players, chosen, names, filmed):
    evening = Evening(seed, players, chosen, filmed).play(steps=150)
    for span in (None, *games(evening.records, PLAY)):
        proof = verified(made(evening.records, span, names=names, picture=evening.pictures.get))
        assert proof.findings == []
        assert proof.unsealed == 0
    assert miscounted(evening.records) == []


def test_a_proof_says_which_sum_is_wrong_and_what_it_should_be():
    records = played(19)
    file = made(records, games(records, PLAY)[0])
    kinds = ("OutcomeJudged", "GameEnded")
    judged, end = (next(r.public for r in records if r.type == kind) for kind in kinds)

    def said(kind, **changes):
        forged = Forged(file)
        forged.data(kind).update(changes)
        found = verified(forged.linked_anew()).findings
        return [in_english(f.told) for f in found if f.v == forged.at]

    due = ", ".join(f"{seat} {n}" for seat, n in sorted(judged["won"].items()) if n)
    assert said(kinds[0], won={}) == [f"the push is worth {due}, and it says nothing"]
    is_, other = judged["outcome"], OTHER[judged["outcome"]]
    assert said(kinds[0], outcome=other) == [
        f"the push is worth {due} as the row {is_}, and it says that it {other}"
    ]
    backwards = end["ranking"][::-1]
    assert said(kinds[1], ranking=backwards) == ["the ranking is not that of the chips"]
    best = ", ".join(sorted(end["winners"]))
    assert said(kinds[1], winners=[]) == [f"the winners are {best}, and it says nobody"]


def before_seals(record):
    """The same event as a journal has it from before there were seals."""
    new = {"salts", "seals", "id"}
    public = {k: v for k, v in record.public.items() if k not in new}
    secret = {k: v for k, v in (record.secret or {}).items() if k not in new}
    return replace(record, public=public, secret=secret or None)


def test_a_game_from_before_there_were_seals_is_proved_but_for_them():
    old = [before_seals(record) for record in played(19)]
    file = made(old)
    proof = verified(file)
    assert (proof.findings, proof.ballots) == ([], 0)
    assert proof.unsealed == 24
    assert proof.rounds == 3
    assert (file.version, proof.older) == (1, True)
    assert loaded(dumped(file)) == file


def test_a_game_that_went_on_with_seals_after_it_had_begun_without_is_proved():
    evening = Evening(19)
    evening.ask(HOST, cmd.Start(("s1", "s2", "s3", "s4"), draw=0, id=""))
    while evening.table.phase != "GAME_OVER":
        evening.step()
    second = [r.v for r in evening.records if r.type == "DominoCalled"][1]
    mixed = [before_seals(r) if r.v < second else r for r in evening.records]
    proof = verified(made(mixed))
    assert (proof.findings, proof.older) == ([], True)
    assert proof.unsealed == 4
    assert proof.ballots > 4


def test_a_clock_that_jumped_makes_no_forger_of_anybody():
    records = played(19)
    since_s = records[80].at
    back = [replace(r, at=r.at - 7200) if r.at > since_s else r for r in records]
    file = made(back)
    assert file.version == 1
    assert verified(file).findings == []


OLD_FILES = Path(__file__).parents[2] / "data" / "games"


@pytest.mark.parametrize("name", ["version-1-game.json", "version-1-table.json"])
def test_a_file_that_an_older_program_wrote_is_proved_and_says_what_it_does_not_hold(name):
    file = loaded((OLD_FILES / name).read_bytes())
    proof = verified(file)
    assert proof.findings == []
    assert proof.older and proof.over
    assert proof.ballots > 0
    cut = verified(replace(file, events=file.events[:-40]))
    assert cut.older and not cut.over


def shown(*sides, seats="ABCDE", strict=False):
    """A round with these ballots on the table, begun by the first seat."""
    seats = tuple(seats[: len(sides)])
    start = ev.GameStarted(seats, Options(chips="strict20" if strict else "counter"))
    count = Count()
    for event in (
        start,
        ev.RoundDealt(1, seats[0], seats),
        ev.BallotsRevealed(dict(zip(seats, sides, strict=True))),
    ):
        count, wrong = counted(count, event)
        assert wrong == ""
    return count


@pytest.mark.parametrize(
    ("sides", "outcome", "won"),
    [
        ((S, S, S, F, F), Result.FELL, {"A": 2, "B": 2, "C": 2}),
        ((S, S, S, F, F), Result.STOOD, {"D": 3, "E": 3}),
        ((S, F, F, F), Result.FELL, {"A": 3}),
        ((S, F, F, F), Result.STOOD, {"B": 1, "C": 1, "D": 1}),
        ((S, S, S, S, F), Result.STOOD, {"E": 4}),
    ],
)
def test_a_push_pays_what_the_rulebook_says_and_nothing_else(sides, outcome, won):
    count = shown(*sides)
    after, wrong = counted(count, ev.OutcomeJudged(outcome, won))
    assert wrong == ""
    assert {seat: n for seat, n in after.chips.items() if n} == won
    for seat in count.seats:
        more = {**won, seat: won.get(seat, 0) + 1}
        assert "the push is worth" in counted(count, ev.OutcomeJudged(outcome, more))[1]


def test_an_accident_pays_one_chip_to_everybody_else():
    count = shown(S, F, S)
    right = ev.AccidentConfirmed("B", {"A": 1, "C": 1})
    assert counted(count, right)[1] == ""
    assert "the accident is worth A 1, C 1" in counted(count, ev.AccidentConfirmed("B", {}))[1]
    assert counted(count, ev.AccidentConfirmed(None, {}))[1] == ""
    assert "nothing" in counted(count, ev.AccidentConfirmed(None, {"A": 1}))[1]


def test_an_accident_taken_back_returns_what_it_paid():
    count, _ = counted(shown(S, F, S), ev.AccidentConfirmed("B", {"A": 1, "C": 1}))
    after, wrong = counted(count, ev.AccidentTakenBack("B", {"A": 1, "C": 1}, "the cat"))
    assert (set(after.chips.values()), wrong) == ({0}, "")
    short = ev.AccidentTakenBack("B", {"A": 1}, "the cat")
    assert "the accident taken back is worth A 1, C 1" in counted(count, short)[1]


def test_twenty_chips_are_paid_one_by_one_until_the_bank_is_empty():
    count = shown(S, F, S, F, S, strict=True)
    for _ in range(9):
        count, _ = counted(count, ev.AccidentConfirmed("B", {"A": 1, "C": 1}))
    paid = ev.OutcomeJudged(Result.STOOD, {"B": 1, "D": 1})
    assert counted(count, paid)[1] == ""
    count, _ = counted(count, ev.AccidentConfirmed("E", {"A": 1}))
    assert counted(count, ev.OutcomeJudged(Result.STOOD, {"B": 1}))[1] == ""
    assert counted(count, paid)[1] == "the push is worth B 1, and it says B 1, D 1"


def test_the_winners_are_all_that_have_the_most():
    count, _ = counted(shown(S, F, S), ev.OutcomeJudged(Result.FELL, {"A": 1, "C": 1}))
    assert counted(count, ev.GameEnded(("A", "C", "B"), ("A", "C")))[1] == ""
    assert "winners are A, C" in counted(count, ev.GameEnded(("A", "C", "B"), ("A",)))[1]
    assert "ranking" in counted(count, ev.GameEnded(("B", "A", "C"), ("A", "C")))[1]


def test_a_verdict_put_right_gives_back_and_pays_anew():
    count, _ = counted(shown(S, F, S), ev.OutcomeJudged(Result.FELL, {"A": 1, "C": 1}))
    right = ev.VerdictCorrected(Result.STOOD, {"B": 2}, {"A": 1, "C": 1}, "")
    after, wrong = counted(count, right)
    assert (wrong, dict(after.chips)) == ("", {"A": 0, "B": 2, "C": 0})
    short = ev.VerdictCorrected(Result.STOOD, {"B": 1}, {"A": 1, "C": 1}, "")
    assert counted(count, short)[1] == "the correction is worth B 2, and it says B 1"
    kept = ev.VerdictCorrected(Result.STOOD, {"B": 2}, {"A": 1}, "")
    assert counted(count, kept)[1] == "the return is worth A 1, C 1, and it says A 1"


def test_after_a_void_round_a_correction_is_of_the_push_before_it():
    count, _ = counted(shown(S, F, S), ev.OutcomeJudged(Result.FELL, {"A": 1, "C": 1}))
    for event in (
        ev.RoundDealt(2, "A", ("A", "B", "C")),
        ev.BallotsRevealed({"A": F, "B": S, "C": S}),
        ev.OutcomeJudged(Result.STOOD, {"A": 2}),
        ev.RoundVoided("", {"A": 2}),
        ev.RoundDealt(2, "A", ("A", "B", "C")),
        ev.VerdictCorrected(Result.STOOD, {"B": 2}, {"A": 1, "C": 1}, ""),
    ):
        count, wrong = counted(count, event)
        assert wrong == ""
    assert dict(count.chips) == {"A": 0, "B": 2, "C": 0}
