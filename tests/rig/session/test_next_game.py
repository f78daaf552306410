"""Another game for the same people: in one journal, and what every reader of that makes of it."""

import re

import pytest

from rig.cli.main import main
from rig.games.dominoes.table.dominoes_play import PLAY as DOMINOES
from rig.games.estimation.table.estimation_play import PLAY as ESTIMATION
from rig.history.gamefile import BadGameFile, made
from rig.history.past_games import PastGames, played
from rig.history.verify import verified
from rig.journal import DiskTrouble, Journal
from rig.row.row_session import RowSession
from rig.session.events import EveningBegan, Readied
from rig.session.session import Session
from tests.support.domino_table import DominoTable
from tests.support.sessions import session_on

GAMES = ("estimation", "dominoes")
SHORT = {"preset": "goat-online/one", "limit": 15}


class Evening(DominoTable):
    """Four phones that play one game after another."""

    left = 0

    def opened(self, play=None):
        session = super().opened(play)
        session.games, session.on_change = GAMES, self.leave
        return session

    def leave(self):
        self.left += 1

    def choose(self, game):
        reply = self.send("phone0", "choose_game", game=game)
        if reply["ok"]:
            journal, self.number = self.session.journal, self.number + 1000
            drawn = iter(range(self.number, 1 << 60))
            of = RowSession if game == "estimation" else Session
            before = self.session
            self.session = session_on(
                journal, self.clock, nonce=lambda: f"{next(drawn):064x}", of=of
            )
            self.session.games, self.session.on_change = GAMES, self.leave
            self.play = self.session.play
            return before
        return reply

    def send(self, who, kind, **data):
        view = self.session.view(who)
        self.number += 1
        named = {"phase_id": view["phase_id"], "trick_id": view.get("trick_id")}
        return self.session.submit(who, {"id": f"c{self.number}", "type": kind, **named, **data})

    def match(self):
        for n in range(4):
            assert self.send(f"phone{n}", "ready")["ok"]
        assert self.send("phone0", "start")["ok"]
        return self.shuffle().play_out()


@pytest.fixture(scope="module")
def evening(tmp_path_factory):
    """Dominoes to its end, a lobby of Estimation Domino, dominoes again to its end."""
    path = tmp_path_factory.mktemp("evening") / "table.sqlite3"
    table = Evening(path, DOMINOES).begin(**SHORT).play_out()
    assert table.send("phone0", "rematch")["ok"]
    table.choose("estimation")
    table.choose("dominoes")
    assert table.send("phone0", "set_options", options=SHORT)["ok"]
    return table.match()


@pytest.fixture
def lobby(tmp_path):
    table = Evening(tmp_path / "table.sqlite3", ESTIMATION)
    table.session.close()
    table.session = session_on(table.path, table.clock, of=RowSession)
    table.session.games, table.session.on_change = GAMES, table.leave
    return table.sit()


def people(table):
    return [(p.seat, p.name, p.mark, p.device) for p in table.session.table.players]


def test_the_same_people_go_on_with_another_game(lobby):
    before, step = people(lobby), lobby.session.table.step
    code, host = lobby.session.table.code, lobby.session.table.host
    view = lobby.session.view("phone0")
    assert view["games"] == list(GAMES) and view["may"]["choose_game"]
    assert "games" not in lobby.session.view("phone1")
    old = lobby.choose("dominoes")
    assert (old.play.name, lobby.session.play.name, lobby.left) == ("estimation", "dominoes", 1)
    table = lobby.session.table
    assert people(lobby) == before and (table.code, table.host) == (code, host)
    assert not any(player.ready for player in table.players) and table.step > step
    assert lobby.session.view("phone0")["rules"] == "dominoes"
    assert lobby.session.view("phone0")["v"] == old.moment.version


def test_what_was_left_takes_nothing_more_and_does_nothing_by_itself(lobby):
    old = lobby.choose("dominoes")
    version = old.journal.version
    reply = old.submit("phone1", {"id": "late", "type": "ready", "on": True})
    assert (reply["ok"], reply["reason"]) == (False, "changing")
    assert old.tick() is None and old.journal.version == version
    assert old.view("phone1")["seats"]  # whoever still looks sees the table


def test_a_table_that_is_opened_again_is_where_it_was(evening, tmp_path):
    seen = evening.session.view("phone2")
    evening.session.close()
    evening.session = evening.opened()
    again = evening.session.view("phone2")
    changing = ("now_ms", "opened_ms", "may", "timer")
    assert {k: v for k, v in again.items() if k not in changing} == {
        k: v for k, v in seen.items() if k not in changing
    }
    assert evening.session.play.name == "dominoes"


@pytest.mark.parametrize(
    ("who", "data", "reason"),
    [
        ("phone1", {"game": "dominoes"}, "not_allowed"),
        ("phone0", {"game": "chess"}, "bad_command"),
        ("phone0", {}, "bad_command"),
        ("phone0", {"game": ["dominoes"]}, "bad_command"),
    ],
)
def test_no_game_is_chosen_by_others_or_that_is_not_there(lobby, who, data, reason):
    version = lobby.session.journal.version
    assert lobby.send(who, "choose_game", **data)["reason"] == reason
    assert (lobby.session.journal.version, lobby.left) == (version, 0)
    assert lobby.send("phone0", "choose_game", game="estimation")["ok"]  # it is that one already
    assert (lobby.session.journal.version, lobby.left) == (version, 0)


def test_no_other_game_is_chosen_while_one_is_played(tmp_path):
    table = Evening(tmp_path / "table.sqlite3", DOMINOES).begin(**SHORT)
    reply = table.choose("estimation")
    assert (reply["reason"], table.left) == ("running", 0)
    assert not table.session.view("phone0")["may"]["choose_game"]


def test_a_table_that_others_opened_for_one_game_offers_no_other(tmp_path):
    table = DominoTable(tmp_path / "table.sqlite3", DOMINOES).sit()
    assert "games" not in table.session.view("phone0")
    assert table.send("phone0", "choose_game", game="estimation")["reason"] == "bad_command"


def test_more_people_than_a_game_takes_cannot_begin_it(lobby):
    assert lobby.send("phone4", "sit", name="Ed", mark="diamond")["ok"]
    lobby.choose("dominoes")
    for n in range(5):
        assert lobby.send(f"phone{n}", "ready")["ok"]
    assert not lobby.session.view("phone0")["may"]["start"]
    assert not lobby.send("phone0", "start")["ok"]
    assert lobby.send("phone4", "leave")["ok"]
    assert lobby.session.view("phone0")["may"]["start"]


def test_games_of_the_evening_are_counted_until_the_next_evening(evening):
    session = evening.session
    first, second = (made_of(evening, n) for n in (1, 2))
    wins = {seat: [seat in each for each in (first, second)].count(True) for seat in first | second}
    shown = {s["seat"]: (s["played"], s["won"]) for s in session.view(None, "table")["seats"]}
    assert shown == {f"s{n}": (2, wins.get(f"s{n}", 0)) for n in range(1, 5)}
    after = session.play.apply(session.table, EveningBegan())
    assert {(p.played, p.won) for p in after.players} == {(0, 0)}


def made_of(evening, number):
    """The seats that won a game, by the file of it."""
    game = DOMINOES.opened(PastGames(evening.session.journal).taken(number).start)
    for record in PastGames(evening.session.journal).taken(number).records:
        game = DOMINOES.apply(game, DOMINOES.read(record))
    return set(DOMINOES.winners(game.game))


def test_every_game_of_a_mixed_journal_has_its_own_file_and_proof(evening):
    past = PastGames(evening.session.journal)
    assert [game["rules"] for game in past.listed()] == ["dominoes", "dominoes"]
    names = {player.name for player in evening.session.table.players}
    assert all(set(game["winners"]) < names and game["winners"] for game in past.listed())
    records = list(evening.session.journal.events())
    for number in (1, 2):
        file = past.file(number)
        assert (file.game, verified(file).good) == ("dominoes", True)
        assert file == made(records, past.span(number), play=DOMINOES)
    with pytest.raises(BadGameFile, match="several games were played"):
        past.file(0)
    assert past.played() == played(records) == []


def test_replay_asks_which_game_of_a_mixed_journal(evening, capsys):
    path = str(evening.path)
    evening.session.close()
    try:
        assert main(["replay", path]) == 2
        assert "more than one kind; name one of them with --game" in capsys.readouterr().err
        assert main(["replay", path, "--game", "2", "--verify"]) == 0
        assert re.match("Everything is right", capsys.readouterr().out)
    finally:
        evening.session = evening.opened()


def test_where_nothing_could_be_written_the_game_stays(lobby, monkeypatch):
    def full(*_, **__):
        raise DiskTrouble("full")

    with monkeypatch.context() as broken:
        broken.setattr(Journal, "append", full)
        assert lobby.send("phone0", "choose_game", game="dominoes")["reason"] == "disk"
    assert lobby.left == 0
    assert lobby.send("phone1", "ready", on=False)["ok"]


def test_a_journal_that_makes_no_sense_before_another_game_is_shown_as_damaged(lobby, monkeypatch):
    """The session is of the game that was chosen last, the good events are of the one before."""
    lobby.choose("dominoes")
    lobby.session.close()
    usual = type(ESTIMATION).apply

    def none_can_be_ready(play, table, event):
        if isinstance(event, Readied):
            raise ValueError("this event cannot follow")
        return usual(play, table, event)

    monkeypatch.setattr(type(ESTIMATION), "apply", none_can_be_ready)
    lobby.session = session_on(lobby.path, lobby.clock, of=Session)
    assert "(Readied) cannot follow" in str(lobby.session.damage)
    view = lobby.session.view("phone0")
    assert (view["rules"], [seat["name"] for seat in view["seats"]]) == ("dominoes", ["Ana"])
