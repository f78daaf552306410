"""What the games say of a player, told from the journals alone."""

import json
import sqlite3
from pathlib import Path

import pytest

from rig.films.film_folder import FilmFolder, films_of
from rig.games.estimation import commands as cmd
from rig.games.estimation.terms import CAMERA, HOST, REFEREE, Phase, Result, Side
from rig.history.past_games import PastGames, played
from rig.history.statistics import CACHE, WISHES, Statistics, StatisticsTrouble
from rig.history.votes import Played, VoteRecord, figures, identity
from rig.journal import Journal, Record
from rig.private import RoundKey
from rig.row.push_events import Forecast, PushRequested
from rig.session.events import Renamed, Seated, SeatEmptied
from tests.support import evenings
from tests.support.evenings import Evening

S, F = Side.SUCCESS, Side.FAILURE


class Round(Evening):
    """Olena places, Борис calls; with three players the bot Zoë is the third."""

    def begin(self):
        seats = tuple(p.seat for p in self.table.players)
        self.ask(HOST, cmd.Start(seats, first="s1", id="game"))
        return self

    def round(self, sides, outcome=None, p=0.7, caller=1):
        """One round: who votes what, in the order of seats after the placer, and what fell."""
        seats = list(self.table.game.playing)
        placer = self.table.game.active
        at = seats.index(placer)
        others = seats[at + 1 :] + seats[:at]
        self.ask(placer, cmd.Place(self.table.game.supply[0], 0, self.at_s))
        self.ask(others[caller - 1], cmd.Call(self.at_s, {}))
        for seat, side in zip(others, sides, strict=True):
            self.ask(seat, cmd.Vote(side))
        self.ask(REFEREE, cmd.Reveal())
        self.ask(REFEREE, cmd.Continue())
        if outcome is not None:
            forecast = None if p is None else Forecast(p, 0.0, 1.0, None)
            self.note(PushRequested(self.table.pushes + 1, "left", 1, forecast), actor=placer)
            self.ask(CAMERA, cmd.Report(outcome))
            self.ask(REFEREE, cmd.Stand())
        return self

    def next(self):
        self.ask(REFEREE, cmd.NextRound())
        return self


def of(name, records, **kept):
    return next(each for each in figures(played(records), **kept) if each.name == name)


def test_a_doubted_row_that_falls_is_a_bluff_that_held():
    table = Round(1, players=2).begin().round([F], Result.FELL)
    olena, borys = of("Olena", table.records), of("Борис", table.records)
    assert (olena.doubted, olena.held) == (1, 1)
    assert (olena.votes, olena.right, olena.calls) == (0, 0, 0)
    assert (borys.calls, borys.pushed, borys.right_calls) == (1, 1, 0)
    assert (borys.votes, borys.right, borys.doubted) == (1, 0, 0)


def test_a_call_is_right_when_the_callers_own_vote_wins():
    table = Round(1, players=2).begin().round([F], Result.STOOD)
    olena, borys = of("Olena", table.records), of("Борис", table.records)
    assert (olena.doubted, olena.held) == (1, 0)
    assert (borys.calls, borys.pushed, borys.right_calls) == (1, 1, 1)
    assert (borys.votes, borys.right) == (1, 1)


def test_a_row_that_nobody_doubts_tells_nothing_but_that_it_was_called():
    borys = of("Борис", Round(1, players=2).begin().round([S]).records)
    assert (borys.calls, borys.pushed, borys.right_calls, borys.votes) == (1, 0, 0, 0)
    assert borys.brier is None


def test_the_brier_score_of_votes_is_the_share_of_wrong_ones_beside_the_models():
    table = Round(1, players=2).begin()
    table.round([F], Result.FELL, p=0.9).next()
    table.round([F], Result.STOOD, p=0.4).next()
    borys, olena = of("Борис", table.records), of("Olena", table.records)
    assert (borys.compared, borys.brier) == (2, 0.5)
    assert borys.model_brier == pytest.approx((0.1**2 + 0.4**2) / 2)
    assert [band.n for band in borys.bands] == [0, 0, 1, 0, 1]
    assert (borys.bands[4].p, borys.bands[4].said, borys.bands[4].fell) == (0.9, 0, 1)
    assert (borys.bands[2].p, borys.bands[2].said, borys.bands[2].fell) == (0.4, 0, 0)
    assert (olena.compared, olena.brier) == (0, None)


def test_a_push_without_a_prediction_counts_for_the_votes_and_not_for_the_comparison():
    borys = of("Борис", Round(1, players=2).begin().round([F], Result.STOOD, p=None).records)
    assert (borys.votes, borys.right, borys.compared, borys.brier) == (1, 1, 0, None)


def test_a_verdict_put_right_and_a_void_round_count_as_they_ended():
    table = Round(1, players=2).begin().round([F], Result.FELL)
    table.ask(HOST, cmd.CorrectVerdict("the last one stands"))
    assert of("Борис", table.records).right == 1
    table.ask(HOST, cmd.VoidRound("the cat"))
    borys = of("Борис", table.records)
    assert (borys.votes, borys.right, borys.doubted) == (0, 0, 0)


def test_games_and_chips_count_when_the_game_is_over():
    table = Round(1, players=2).begin()
    for _ in range(3):
        table.round([F], Result.STOOD)
        assert of("Olena", table.records).games == 0
        table.next()
    assert table.table.phase is Phase.GAME_OVER
    olena, borys = of("Olena", table.records), of("Борис", table.records)
    assert (olena.games, borys.games) == (1, 1)
    assert (olena.chips, borys.chips) == tuple(table.table.game.chips.values())
    assert (borys.chips, borys.wins, olena.wins) == (3, 1, 0)


def test_whoever_gets_up_after_the_game_has_played_it_all_the_same():
    table = Round(1, players=2).begin()
    for _ in range(3):
        table.round([F], Result.STOOD).next()
    before = figures(played(table.records))
    table.note(SeatEmptied("s2"), actor="s2")
    table.note(Seated("s2", "Zora", "star", "another phone"), actor="s2")
    assert figures(played(table.records)) == before


def test_bots_have_no_statistics():
    table = Round(1, players=3).begin().round([F, S], Result.STOOD)
    assert {each.name for each in figures(played(table.records))} == {"Olena", "Борис"}


def test_a_name_is_one_player_however_it_is_written():
    assert identity("  OLENA ") == identity("Olena") != identity("Olen")
    table = Round(1, players=2).begin().round([F], Result.STOOD)
    table.note(Renamed("s2", " борис "), actor="s2")
    table.next().round([S]).round([F], Result.STOOD)
    names = [each.name for each in figures(played(table.records))]
    assert len(names) == 2


def test_figures_of_chance_games_are_possible_ones():
    for seed in range(12):
        for each in figures(played(evenings.played(seed))):
            assert 0 <= each.right_calls <= each.pushed <= each.calls
            assert 0 <= each.held <= each.doubted
            assert 0 <= each.right <= each.votes
            assert sum(band.n for band in each.bands) == each.compared <= each.votes
            if each.brier is not None:
                assert 0.0 <= each.brier <= 1.0
                assert each.brier == pytest.approx(wrong_share(each), abs=1e-4)


def wrong_share(each):
    """What the Brier score of yes-or-no votes has to be, where all were compared."""
    assert each.compared == each.votes
    return 1 - each.right / each.votes


def keep(folder, name, records):
    journal = Journal(folder / name)
    journal.append(records)
    return journal


def test_old_journals_and_the_open_one_count_together(tmp_path):
    keep(
        tmp_path, "table-1.sqlite3", Round(1, players=2).begin().round([F], Result.FELL).records
    ).close()
    journal = keep(
        tmp_path, "table.sqlite3", Round(2, players=2).begin().round([F], Result.STOOD).records
    )
    told = Statistics(tmp_path, lambda: [PastGames(journal)])
    borys = next(each for each in told.figures() if each.name == "Борис")
    assert (borys.votes, borys.right) == (2, 1)
    journal.close()


def test_nothing_is_lost_when_the_cache_is_deleted_or_spoilt(tmp_path):
    keep(tmp_path, "old.sqlite3", evenings.played(19)).close()
    told = Statistics(tmp_path, lambda: [])
    first = told.figures()
    assert first
    assert (tmp_path / CACHE).exists()
    assert Statistics(tmp_path, lambda: []).figures() == first
    for spoilt in ("", "[]", "{", '{"old.sqlite3": {"mark": 1}}', '{"old.sqlite3": 3}'):
        (tmp_path / CACHE).write_text(spoilt, encoding="utf-8")
        assert Statistics(tmp_path, lambda: []).figures() == first
    (tmp_path / CACHE).unlink()
    assert told.figures() == first


def test_a_journal_that_did_not_change_is_read_once(tmp_path, monkeypatch):
    keep(tmp_path, "old.sqlite3", evenings.played(19)).close()
    first = Statistics(tmp_path, lambda: []).figures()
    monkeypatch.setattr("rig.history.statistics.played", lambda records: pytest.fail("read again"))
    assert Statistics(tmp_path, lambda: []).figures() == first


def test_what_was_played_since_counts_at_once(tmp_path):
    table = Round(1, players=2).begin().round([F], Result.FELL)
    journal = keep(tmp_path, "table.sqlite3", table.records)
    told = Statistics(tmp_path, lambda: [PastGames(journal)])
    assert next(each for each in told.figures() if each.name == "Olena").doubted == 1
    known = len(table.records)
    table.next().round([S]).round([F], Result.STOOD)
    journal.append(table.records[known:])
    assert sum(each.doubted for each in told.figures()) == 2
    journal.close()


def test_a_player_is_forgotten_until_they_play_again(tmp_path):
    table = Round(1, players=2).begin().round([F], Result.FELL)
    journal = keep(tmp_path, "table.sqlite3", table.records)
    told = Statistics(tmp_path, lambda: [PastGames(journal)], now_s=lambda: table.at_s)
    told.erase("борис")
    assert [each.name for each in told.figures()] == ["Olena"]
    assert [each.name for each in Statistics(tmp_path, lambda: [PastGames(journal)]).figures()] == [
        "Olena"
    ]
    known = len(table.records)
    table.ask(HOST, cmd.Leave("s2"))
    table.again()
    table.ask(table.table.game.active, cmd.Place(1, 0, table.at_s))
    journal.append(table.records[known:])
    assert "Борис" in {each.name for each in told.figures()}
    told.erase(None)
    assert told.figures() == []
    journal.close()


def test_what_was_played_while_the_clock_was_ahead_is_forgotten_too(tmp_path):
    table = Round(1, players=2).begin().round([F], Result.FELL)
    keep(tmp_path, "table.sqlite3", table.records).close()
    told = Statistics(tmp_path, tuple, now_s=lambda: table.at_s - 3600.0)
    told.erase("Борис")
    assert [each.name for each in told.figures()] == ["Olena"]


@pytest.fixture
def films(tmp_path):
    """Films beside the journals, with those who are called by name in them."""

    class Films:
        open = FilmFolder(films_of(tmp_path / "table.sqlite3"))
        aside = FilmFolder(films_of(tmp_path / "table-1.sqlite3"))

        def there(self):
            return {
                (folder, name[:4]) for folder in (self.open, self.aside) for name in folder.names()
            }

    made = Films()
    made.open.put("ab-1-123456", b"film", b"still", ["Olena", "Борис"])
    made.open.put("ab-2-123456", b"film", b"still", ["Olena"])
    made.open.put("ab-3-123456", b"film", b"still", [])
    made.aside.put("cd-1-123456", b"film", b"still", ["БОРИС "])
    made.aside.put("cd-2-123456", b"film", b"still", ["Бориска"])
    return made


def test_with_a_player_the_films_go_that_call_them_by_name(tmp_path, films):
    Statistics(tmp_path, tuple).erase("Борис")
    left = {(films.open, "ab-2"), (films.open, "ab-3"), (films.aside, "cd-2")}
    assert films.there() == left
    assert {path.name[:4] for path in (tmp_path / "table-films").iterdir()} == {"ab-2", "ab-3"}


def test_with_everybody_all_films_go_but_those_without_names(tmp_path, films):
    Statistics(tmp_path, tuple).erase(None)
    assert films.there() == {(films.open, "ab-3")}


def test_nothing_that_a_neighbour_keeps_goes_with_a_player(tmp_path, films):
    neighbours = {
        "table-films/2024-12-251830.mp4": b"Olena at the sea",
        "table-films/olena.json": b'["Olena"]',
        "holiday-films/2024-12-251830.json": b'{"Olena": 1}',
        "olena.mp4": b"Olena",
        "names-films": b'["Olena"]',
    }
    (tmp_path / "holiday-films").mkdir()
    for name, data in neighbours.items():
        (tmp_path / name).write_bytes(data)
    Statistics(tmp_path, tuple).erase("Olena")
    assert films.there() == {(films.open, "ab-3"), (films.open, "2024")} | {
        (films.aside, name) for name in ("cd-1", "cd-2")
    }
    assert {name: (tmp_path / name).read_bytes() for name in neighbours} == neighbours


def test_a_film_that_cannot_be_deleted_is_said(tmp_path, films, monkeypatch):
    unlink = Path.unlink

    def busy(path, missing_ok=False):
        if path.suffix == ".mp4":
            raise PermissionError(13, "Permission denied", str(path))
        unlink(path, missing_ok)

    monkeypatch.setattr(Path, "unlink", busy)
    with pytest.raises(StatisticsTrouble, match=r"ab-\d-123456.mp4 cannot be deleted .*denied"):
        Statistics(tmp_path, tuple).erase("Olena")


def test_statistics_can_be_switched_off(tmp_path):
    keep(tmp_path, "old.sqlite3", evenings.played(19)).close()
    told = Statistics(tmp_path, lambda: [])
    first = told.figures()
    told.switch(False)
    assert (told.on, told.figures()) == (False, [])
    assert not (tmp_path / CACHE).exists()
    assert not Statistics(tmp_path, lambda: []).on
    told.switch(True)
    assert told.figures() == first


@pytest.mark.parametrize(
    "spoilt", ["", "[1]", "{", '{"on": 3}', '{"erased": [1]}', '{"erased": {"x": "y"}}']
)
def test_spoilt_wishes_trip_nobody(tmp_path, spoilt):
    (tmp_path / WISHES).write_text(spoilt, encoding="utf-8")
    keep(tmp_path, "old.sqlite3", evenings.played(19)).close()
    assert isinstance(Statistics(tmp_path, lambda: []).figures(), list)


def test_files_that_are_no_journals_are_passed_over(tmp_path):
    (tmp_path / "other.sqlite3").write_bytes(b"SQLite format 3\0 or not")
    (tmp_path / "folder.sqlite3").mkdir()
    keep(tmp_path, "old.sqlite3", evenings.played(19)).close()
    assert Statistics(tmp_path, lambda: []).figures()


def test_a_journal_that_its_keys_do_not_open_is_passed_over(tmp_path):
    journal, key = Journal(tmp_path / "table.sqlite3"), RoundKey("7f" * 32)
    journal.append([Record(1.0, "s1", "Dealt", {}, {"hand": 1}, of_round=True)], key=key)
    journal.append([], key=key, opens=True)
    journal.close()
    db = sqlite3.connect(tmp_path / "table.sqlite3")
    db.execute("UPDATE event SET type = 'Called'")
    db.commit()
    db.close()
    assert Statistics(tmp_path, tuple).figures() == []


def test_what_cannot_be_written_is_said(tmp_path):
    (tmp_path / "file").write_text("no folder")
    told = Statistics(tmp_path / "file", lambda: [])
    with pytest.raises(StatisticsTrouble, match="cannot be written"):
        told.erase("Olena")


def test_the_cache_holds_nothing_but_what_was_shown(tmp_path):
    keep(tmp_path, "old.sqlite3", evenings.played(19)).close()
    Statistics(tmp_path, lambda: []).figures()
    text = (tmp_path / CACHE).read_text(encoding="utf-8")
    assert "device" not in text and "PINE" not in text and "salt" not in text
    assert json.loads(text)["old.sqlite3"]["games"]


def test_an_erased_player_does_not_come_back_under_the_others_looks():
    game = Played(
        at_s=10.0,
        over=True,
        chips={"Ana": 1, "Bo": 2},
        winners=("Bo",),
        calls={"Ana": 1},
        looks=(VoteRecord("Ana", True, True, False, True, 0.5, True),),
    )
    assert [each.name for each in figures([game], {identity("Ana"): 10.0})] == ["Bo"]


@pytest.mark.parametrize(
    ("pushes", "right", "earned"), [(10, True, True), (9, True, False), (10, False, False)]
)
def test_the_badge_is_for_whoever_saw_ten_pushes_better_than_the_model(pushes, right, earned):
    look = VoteRecord("Zoë", right, free=True, placer=False, caller=False, p_fall=0.8, fell=True)
    (zoe,) = figures([Played(1.0, looks=(look,) * pushes)])
    assert zoe.badge is earned
