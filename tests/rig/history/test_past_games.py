"""Past games are read once: what is known is not read again, and of a game its own events alone."""

import pytest

from rig.games.estimation.table.estimation_play import PLAY
from rig.history.gamefile import BadGameFile, dumped, made
from rig.history.past_games import PastGames, played
from rig.history.replay import listed
from rig.history.verify import verified
from rig.journal import Journal
from rig.session.fingerprint import games
from tests.support.evenings import Evening


class Watched(Journal):
    """Counts the events that are read out of it."""

    read = 0

    def events(self, since=0, most=-1):
        for record in super().events(since, most):
            self.read += 1
            yield record


@pytest.fixture
def evening():
    """Three games, one after the other."""
    evening = Evening(7).play()
    for _ in range(2):
        evening.again()
        for _ in range(150):
            if evening.table.phase == "GAME_OVER":
                break
            evening.step()
        if evening.table.phase != "GAME_OVER":
            break
    return evening


@pytest.fixture
def journal(tmp_path, evening):
    journal = Watched(tmp_path / "table.sqlite3")
    half = len(evening.records) // 2
    journal.append(evening.records[:half])
    journal.rest = evening.records[half:]
    return journal


def test_it_tells_what_the_whole_journal_tells(journal):
    past = PastGames(journal)
    past.listed()
    journal.append(journal.rest)
    records = list(journal.events())
    assert past.listed() == listed(records)
    assert past.played() == played(records)
    spans = games(records, PLAY)
    assert [past.span(n + 1) for n in range(len(spans))] == spans
    assert past.span(0) is past.span(len(spans) + 1) is None
    for n, span in enumerate(spans):
        assert dumped(past.file(n + 1)) == dumped(made(records, span))
    assert dumped(past.file(0, names=False)) == dumped(made(records, names=False))


def test_nothing_is_read_twice_but_the_game_that_is_asked_for(journal):
    past = PastGames(journal)
    past.listed()
    assert journal.read == journal.version
    journal.append(journal.rest)
    past.played()
    past.listed()
    assert journal.read == journal.version
    low, high = past.span(1)
    past.file(1)
    assert journal.read == journal.version + high - low + 1


def test_where_nothing_was_played_there_is_nothing_to_take_home(tmp_path):
    past = PastGames(Journal(tmp_path / "table.sqlite3"))
    assert past.listed() == past.played() == []
    with pytest.raises(BadGameFile):
        past.file(0)


def test_a_seat_has_the_name_under_which_its_player_began_the_newest_game(seats):
    past = PastGames(seats.session.journal)
    seats.sit("ana", "bo", "cy")
    assert past.played_as() == {}, "sitting down is no game"
    seats.do("ana", "start")
    seats.do("bo", "rename", name="Olena")
    assert past.played_as() == {"s1": "ana", "s2": "bo", "s3": "cy"}
    seats.session.hand_over("s3", "another phone")
    assert past.played_as()["s3"] == "cy", "a player has more than one phone"
    for name in ("bo", "another phone"):
        seats.do(name, "leave")
    seats.do("ana", "rematch")
    for name, mark in (("dora", "star"), ("emil", "cross")):
        seats.do(name, "sit", name=name, mark=mark)
        seats.do(name, "ready", on=True)
    assert past.played_as() == {"s1": "ana"}, "whoever sits down next has not played"
    seats.do("ana", "ready", on=True)
    seats.do("ana", "start")
    assert past.played_as() == {"s1": "ana", "s2": "dora", "s3": "emil"}


def types(past, number):
    return [each.record.type for each in past.file(number).events]


def test_a_running_game_is_looked_back_at_up_to_a_vote_that_is_open(seats):
    past = PastGames(seats.session.journal)
    seats.start("ana", "bo", "cy")
    seats.place("ana", 9, 1)
    before, told = past.span(1), types(past, 1)
    assert told[-2:] == ["TilePlaced", "RowRead"]
    assert before[1] == seats.session.journal.version
    seats.do("bo", "call")
    for device, side in (("cy", "success"), ("cy", "failure"), ("bo", "failure")):
        assert past.span(1) == before and types(past, 1) == told
        assert len(past.taken(1).records) == len(told)
        assert "BallotCast" not in types(past, 0)
        assert verified(past.file(1)).good
        seats.do(device, "vote", side=side)
    assert seats.session.table.phase == "COUNTDOWN"
    assert types(past, 1) == told
    seats.later(2.5)
    assert types(past, 1).count("BallotCast") == 3
    assert past.span(1)[1] == seats.session.journal.version


def test_nor_behind_an_accident_that_interrupts_a_vote(seats):
    past = PastGames(seats.session.journal)
    seats.start("ana", "bo", "cy")
    seats.place("ana", 9, 1)
    told = types(past, 1)
    seats.do("bo", "call")
    seats.do("cy", "vote", side="success")
    seats.do("bo", "accident")
    assert seats.session.table.phase == "ACCIDENT"
    assert types(past, 1) == told
    seats.do("ana", "void", reason="again")
    assert {"BallotCast", "AccidentClaimed", "RoundVoided"} < set(types(past, 1))
