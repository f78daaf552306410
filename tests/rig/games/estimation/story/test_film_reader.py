"""What films tell is read from the journal, after the reveal and the verdict alone."""

import pytest

from rig.config import FilmWishes
from rig.games.estimation import commands as cmd
from rig.games.estimation import events as ev
from rig.games.estimation.story import film_reader
from rig.games.estimation.story.film_reader import FilmReader, script_of
from rig.games.estimation.story.rounds import rounds_of
from rig.games.estimation.table.awards import awards
from rig.games.estimation.terms import HOST, Result
from rig.history.votes import EVERYBODY, identity
from rig.journal import DiskTrouble
from rig.row.row_table import FilmsSet
from tests.rig.games.estimation.story.test_push_export import Pushed, played
from tests.rig.games.estimation.test_awards import Measured, game_of_chance
from tests.support.evenings import NAMES


class Growing:
    """A journal that has the first so many of these records.

    Attributes:
        ends: the disk gives no more than so many at once, and then fails.
    """

    ends = None

    def __init__(self, records):
        self.records, self.version = records, len(records)

    def events(self, since):
        yield from self.records[since : self.version][: self.ends]
        if self.ends is not None:
            raise DiskTrouble("the disk does not give it")


def told(records, **wishes):
    return FilmReader(Growing(records), FilmWishes(**wishes)).scripts()


def test_every_settled_push_has_a_film_with_its_row_its_ballots_and_its_fall():
    records = played().records
    scripts = told(records)
    rounds = [each for each in rounds_of(records).scored if each.pushes]
    assert len(scripts) == len(rounds) > 1
    for script, round_ in zip(scripts, rounds, strict=True):
        assert script.outcome == round_.outcome.value
        assert [voter.side for voter in script.voters] == [
            round_.ballots[seat].value for seat in round_.shown.game.playing
        ]
        assert sum(voter.placer for voter in script.voters) <= 1
        seen = round_.pushes[-1].seen
        if seen.outcome == round_.outcome.value:  # people may have said otherwise
            assert [tip.value for tip in script.tips] == list(seen.fallen)
        assert script.tile == round_.pushes[-1].begun.tile


def test_nothing_of_a_round_is_told_before_it_is_settled():
    records = played().records
    journal = Growing(records)
    reader = FilmReader(journal, FilmWishes())
    settled = 0
    for journal.version in range(1, len(records) + 1):
        kind = records[journal.version - 1].type
        settled += kind == ev.OutcomeJudged.__name__
        assert len(reader.scripts()) <= settled
    assert reader.scripts() == told(records)


def test_what_has_not_changed_is_the_very_same():
    records = played().records
    reader = FilmReader(Growing(records), FilmWishes())
    assert reader.scripts() is reader.scripts()


def test_a_film_without_names_has_none():
    text = repr(told(played(options=None).records, names=False))
    assert not any(name in text for name in NAMES)


def test_the_host_s_word_counts_from_the_next_reveal_on():
    evening = Pushed(3)
    evening.note(FilmsSet(FilmWishes(names=False, language="uk")), actor=HOST)
    scripts = told(evening.play().records)
    assert {(v.name, script.language) for script in scripts for v in script.voters} == {("", "uk")}


def test_where_films_are_not_wanted_there_is_nothing_to_tell():
    assert told(played().records, on=False) == ()


def test_a_row_that_stood_and_that_nobody_saw_tips_no_tile():
    each = next(r for r in rounds_of(played().records).scored if r.pushes)
    each.outcome, each.pushes[-1].seen = Result.STOOD, None
    script = script_of(each, FilmWishes())
    assert (script.outcome, script.tips, script.up, script.between) == ("stood", (), (), None)


def test_a_film_that_would_name_somebody_who_is_erased_is_not_told_any_more():
    records, erased = played().records, {}
    reader = FilmReader(Growing(records), FilmWishes(), lambda: erased)
    whole = reader.scripts()
    until = whole[1]
    assert [each.at_s for each in whole] == sorted({each.at_s for each in whole})
    name = until.names[0]
    erased = {identity(f" {name.upper()}"): until.at_s}
    told = reader.scripts()
    assert told == tuple(s for s in whole if s.at_s > until.at_s or name not in s.names)
    assert until not in told and told and reader.scripts() is told
    erased = {EVERYBODY: whole[-1].at_s}
    assert reader.scripts() == ()
    unnamed = FilmReader(Growing(records), FilmWishes(names=False), lambda: erased)
    assert len(unnamed.scripts()) == len(whole)


def test_a_disk_that_fails_in_the_middle_loses_no_film():
    journal = Growing(played().records)
    reader = FilmReader(journal, FilmWishes())
    settled = [record.type for record in journal.records].index(ev.OutcomeJudged.__name__)
    journal.ends = settled + 1
    with pytest.raises(DiskTrouble):
        reader.scripts()
    journal.ends, journal.version = None, settled + 1
    assert len(reader.scripts()) == 1


def test_a_round_that_nobody_understands_loses_its_own_film_alone(monkeypatch, caplog):
    records = played().records
    whole = told(records)

    def script_but_of_the_first(each, usual):
        if each.number == whole[0].round:
            raise KeyError("s9")
        return script_of(each, usual)

    monkeypatch.setattr(film_reader, "script_of", script_but_of_the_first)
    assert told(records) == whole[1:]
    assert "round 1 has no film" in caplog.text


def test_the_closest_of_all_falls_is_the_closest_call_of_the_awards():
    measures = set()
    for seed in range(8):
        evening = game_of_chance(seed)
        (close,) = (each for each in awards(evening.table.judged, ()) if each.kind == "close")
        scripts = told(evening.records)
        least = min(script.near for script in scripts if script.near)
        nearest = [script for script in scripts if script.near == least]
        assert tuple(script.round for script in nearest) == close.rounds
        assert close.short_mm in (None, nearest[0].short_mm)
        measures.add(close.short_mm is None)
    assert measures == {True, False}


def test_after_the_host_has_put_a_verdict_right_no_gap_decided_it():
    evening = Measured(10)
    evening.start()
    while not evening.table.judged:
        evening.step()
    assert told(evening.records)[-1].short_mm == evening.table.judged[-1].short_mm == 11.2
    evening.ask(HOST, cmd.CorrectVerdict("looked again"))
    assert told(evening.records)[-1].short_mm is None
