"""A game that no room knows is played through journal, views, files, restarts and proof."""

import json
from collections import Counter
from functools import reduce
from random import Random

import pytest

from rig.clock import ManualClock
from rig.config import load_config
from rig.games import registry
from rig.history.gamefile import dumped, loaded, made
from rig.history.past_games import PastGames
from rig.history.replay import moments
from rig.history.verify import verified
from rig.journal import Journal
from rig.session.fingerprint import games
from rig.session.session import Session
from tests.support import high_card
from tests.support.forging import Forged
from tests.support.high_card import PLAY, Game, HighCard, Phase

SEATS = ("s1", "s2", "s3", "s4")
RULES = HighCard()


@pytest.fixture(autouse=True)
def known(monkeypatch):
    monkeypatch.setitem(registry.GAMES, "high_card", high_card.__name__)


class Table:
    """Four phones at a table of High Card."""

    def __init__(self, path):
        self.path, self.clock, self.number = path, ManualClock(), 0
        self.session = self.opened(PLAY)

    def opened(self, play=None):
        self.number += 1000
        drawn = iter(range(self.number, 1 << 60))
        return Session(
            Journal(self.path), self.clock, load_config(), lambda: f"{next(drawn):064x}", play
        )

    def restart(self):
        self.session.close()
        self.session = self.opened()

    def send(self, who, kind, **data):
        self.number += 1
        view = self.session.view(who)
        named = {"phase_id": view["phase_id"], "trick_id": view["trick_id"]}
        return self.session.submit(who, {"id": f"c{self.number}", "type": kind, **named, **data})

    def begin(self):
        for n, (name, mark) in enumerate(
            zip(("Ana", "Bo", "Cy", "Di"), ("circle", "square", "star", "cross"), strict=True)
        ):
            assert self.send(f"phone{n}", "sit", name=name, mark=mark)["ok"]
            assert self.send(f"phone{n}", "ready")["ok"]
        assert self.send("phone0", "start")["ok"]
        self.session.tick()
        return self

    @property
    def game(self):
        return self.session.table.game

    def phone(self, seat):
        return f"phone{SEATS.index(seat)}"

    def play_on(self, chance):
        """Whoever is waited for does something that is allowed."""
        for asked in self.session.play.rules.asked(self.game):
            command = chance.choice(list(RULES.legal(self.game, asked.seat)))
            kind = next(n for n, s in RULES.commands.items() if s.make is type(command))
            assert self.send(self.phone(asked.seat), kind, **vars(command))["ok"]
            return

    def play_out(self, seed=1):
        chance = Random(seed)
        while not self.session.table.is_over:
            self.play_on(chance)
        return self


@pytest.fixture
def table(tmp_path):
    return Table(tmp_path / "table.sqlite3").begin()


def test_a_hand_is_in_no_view_but_its_own(table):
    for seat in SEATS:
        view = table.session.view(table.phone(seat))
        assert tuple(view["hand"]) == table.game.hands[seat] != ()
    assert table.session.view(None, "table")["hand"] == []
    assert Counter(c for hand in table.game.hands.values() for c in hand) == Counter(range(12))


def test_seats_choose_at_the_same_time_and_in_secret(table):
    card = table.game.hands["s3"][0]
    assert table.send("phone2", "give", card=card)["ok"]
    view = table.session.view("phone0")
    assert (view["in"], view["gave"]) == (["s3"], None)
    assert table.session.view("phone2")["gave"] == card
    public = json.dumps([dict(r.public) for r in table.session.journal.events()])
    assert f'"card": {card}' not in public


def test_an_interrupt_out_of_turn_names_the_trick_alone(table):
    for seat in SEATS:
        table.send(table.phone(seat), "give", card=table.game.hands[seat][0])
    owner = next(s for s in SEATS if high_card.TOP in table.game.hands[s])
    other = next(s for s in SEATS if s != owner)
    assert not table.send(table.phone(other), "snatch")["ok"]
    reply = table.send(table.phone(owner), "snatch", phase_id="of long ago")
    assert reply["ok"] and table.game.taken[owner] == 1
    assert table.send(table.phone(owner), "snatch", trick_id="of long ago")["reason"] == "stale"


def test_the_host_has_the_table_wait_and_go_on(table):
    give = {"card": table.game.hands["s2"][0]}
    assert table.send("phone0", "pause", on=True)["ok"]
    assert table.send("phone1", "give", **give)["reason"] == "paused"
    assert table.send("phone0", "pause", on=False)["ok"]
    assert table.send("phone1", "give", **give)["ok"]


def test_time_that_is_over_plays_the_lowest_card(table):
    for seat in SEATS:
        table.send(table.phone(seat), "give", card=table.game.hands[seat][0])
    assert table.send("phone0", "set_timers", turn="hard", turn_s=20)["ok"]
    lowest = min(table.game.hands[table.game.active])
    table.clock.sleep(21.0)
    table.session.tick()
    assert lowest in table.game.trick.values()


def test_a_player_who_leaves_ends_the_game_and_the_table_takes_others(table):
    assert table.send("phone3", "leave")["ok"]
    assert table.session.table.is_over
    assert table.send("phone0", "rematch")["ok"] and table.session.table.in_lobby


def test_what_cannot_be_done_is_refused_in_words(table):
    foreign = next(c for c in range(12) if c not in table.game.hands["s1"])
    assert table.send("phone0", "give", card=foreign)["reason"] == "not_now"
    assert table.send("phone0", "give", card="all")["reason"] == "bad_command"
    assert table.send("phone0", "vote", side="failure")["reason"] == "bad_command"


def test_after_a_kill_at_any_moment_the_table_is_the_same(table):
    chance = Random(3)
    while not table.session.table.is_over:
        before = table.session.table
        views = [table.session.view(table.phone(s)) for s in SEATS]
        table.restart()
        assert table.session.table == before
        again = [table.session.view(table.phone(s)) for s in SEATS]
        assert [v["hand"] for v in again] == [v["hand"] for v in views]
        table.play_on(chance)


def test_the_journal_names_its_game(table):
    first = next(iter(table.session.journal.events()))
    assert (first.type, first.public) == ("GameChosen", {"game": "high_card"})
    assert table.session.play is PLAY


def test_a_file_shows_hands_once_the_game_is_over_and_can_be_replayed_and_proved(table):
    table.play_out()
    records = list(table.session.journal.events())
    span = games(records, PLAY)[0]
    file = loaded(dumped(made(records, span, play=PLAY)))
    hands = [e.record.public for e in file.events if e.record.type == "HandDealt"]
    assert [len(hand["cards"]) for hand in hands] == [3, 3, 3, 3]
    assert moments(file)[-1]["changes"]["phase"] == "GAME_OVER"
    assert verified(file).good and verified(file).over
    assert file.fingerprint == table.session.moment.fingerprint
    past = PastGames(table.session.journal)
    assert dumped(past.file(1)) == dumped(made(records, span, play=PLAY))


def test_a_file_of_a_game_that_goes_on_shows_no_hand(table):
    records = list(table.session.journal.events())
    text = dumped(made(records, play=PLAY)).decode()
    assert '"cards"' not in text and "order" not in text


@pytest.mark.parametrize("forged", ["card", "taken"])
def test_the_proof_decides_every_command_again(table, forged):
    table.play_out()
    records = list(table.session.journal.events())
    file = made(records, games(records, PLAY)[0], play=PLAY)
    kind = {"card": "CardPlayed", "taken": "GameEnded"}[forged]
    at = next(i for i, e in enumerate(file.events) if e.record.type == kind)
    public = dict(file.events[at].record.public)
    other = (public["card"] + 1) % 12 if forged == "card" else dict.fromkeys(SEATS, 9)
    edited = Forged(file)
    edited.events[at]["data"][forged] = other
    assert [finding.kind for finding in verified(edited.linked_anew()).findings] == ["rules"]


def some_game(chance):
    """A game of High Card at any moment, played by chance."""
    game = Game()
    order = list(range(12))
    chance.shuffle(order)
    for actor, command in (("host", RULES.start(SEATS, None, 0, "")), ("", RULES.deal(order))):
        game = reduce(RULES.evolve, RULES.decide(game, actor, command), game)
    for _ in range(chance.randrange(18)):
        moves = [(s, c) for s in SEATS for c in RULES.legal(game, s)]
        if not moves or game.phase == Phase.GAME_OVER:
            break
        seat, command = chance.choice(moves)
        game = reduce(RULES.evolve, RULES.decide(game, seat, command), game)
    return game


def test_what_a_seat_cannot_know_can_be_otherwise_without_its_noticing():
    chance, changed = Random(11), 0
    for _ in range(10_000):
        game, seat = some_game(chance), chance.choice((*SEATS, None))
        other = RULES.imagine(game, seat, chance.randrange)
        assert RULES.view(other, seat) == RULES.view(game, seat)
        changed += other.hands != game.hands
    assert changed > 3_000
