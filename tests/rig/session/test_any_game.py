"""Games that no room knows are played through journal, views, files, restarts and proof."""

import json
from collections import Counter
from dataclasses import replace
from functools import reduce
from random import Random

import numpy as np
import pytest

from rig.games import registry
from rig.games.interface import knows
from rig.history.gamefile import dumped, loaded, made
from rig.history.past_games import PastGames
from rig.history.replay import moments
from rig.history.verify import verified
from rig.session.fingerprint import games
from tests.support import high_card, high_pairs
from tests.support.card_table import SEATS, Table
from tests.support.forging import Forged
from tests.support.high_card import Game, Give, HighCard, Phase

TEAMS = [["s1", "s3"], ["s2", "s4"]]
RULES = HighCard()
GAMES = (high_card, high_pairs)


@pytest.fixture(autouse=True)
def known(monkeypatch):
    for game in GAMES:
        monkeypatch.setitem(registry.GAMES, game.PLAY.name, game.__name__)


@pytest.fixture(params=GAMES, ids=lambda game: game.PLAY.name)
def table(tmp_path, request):
    return Table(tmp_path / "table.sqlite3", request.param.PLAY).begin()


@pytest.fixture
def pairs(tmp_path):
    return Table(tmp_path / "table.sqlite3", high_pairs.PLAY).begin()


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
    assert (view["in"], view["gave"]) == (["s3"], {} if view["teams"] == [] else {"s3": card})
    assert table.session.view("phone1")["gave"] == {}
    assert table.session.view("phone2")["gave"] == {"s3": card}
    public = json.dumps([dict(r.public) for r in table.session.journal.events()])
    assert f'"card": {card}' not in public


def test_an_interrupt_out_of_turn_names_the_trick_alone(table):
    for seat in SEATS:
        table.send(table.phone(seat), "give", card=table.game.hands[seat][0])
    owner = next(s for s in SEATS if table.game.top in table.game.hands[s])
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


def test_whoever_asks_for_a_rematch_is_ready_for_it_and_the_others_are_asked(table):
    assert table.send("phone3", "leave")["ok"]
    assert table.send("phone1", "rematch")["ok"]
    assert [player.ready for player in table.session.table.players] == [False, True, False]


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
    assert (first.type, first.public) == ("GameChosen", {"game": table.play.name})
    assert table.session.play is table.play


def test_a_file_shows_hands_once_the_game_is_over_and_can_be_replayed_and_proved(table):
    table.play_out()
    records = list(table.session.journal.events())
    span = games(records, table.play)[0]
    file = loaded(dumped(made(records, span, play=table.play)))
    hands = [e.record.public for e in file.events if e.record.type == "HandDealt"]
    assert [len(hand["cards"]) for hand in hands] == [3, 3, 3, 3]
    assert moments(file)[-1]["changes"]["phase"] == "GAME_OVER"
    assert verified(file).good and verified(file).over
    assert file.fingerprint == table.session.moment.fingerprint
    past = PastGames(table.session.journal)
    assert dumped(past.file(1)) == dumped(made(records, span, play=table.play))


def test_a_file_of_a_game_that_goes_on_shows_no_hand(table):
    records = list(table.session.journal.events())
    text = dumped(made(records, play=table.play)).decode()
    assert '"cards"' not in text and "order" not in text


@pytest.mark.parametrize("forged", ["card", "taken"])
def test_the_proof_decides_every_command_again(table, forged):
    table.play_out()
    records = list(table.session.journal.events())
    file = made(records, games(records, table.play)[0], play=table.play)
    kind = {"card": "CardPlayed", "taken": "GameEnded"}[forged]
    at = next(i for i, e in enumerate(file.events) if e.record.type == kind)
    public = dict(file.events[at].record.public)
    other = (public["card"] + 1) % 12 if forged == "card" else dict.fromkeys(SEATS, 9)
    edited = Forged(file)
    edited.events[at]["data"][forged] = other
    assert [finding.kind for finding in verified(edited.linked_anew()).findings] == ["rules"]


def test_the_table_says_which_way_turns_go_and_who_plays_together(table):
    shown = {"high_card": ("clockwise", []), "high_pairs": ("counter-clockwise", TEAMS)}
    for view in (table.session.view("phone0"), table.session.view(None, "table")):
        assert (view["play_order"], view["teams"]) == shown[table.play.name]


def test_turns_go_the_other_way_round(pairs):
    for seat in SEATS:
        pairs.send(pairs.phone(seat), "give", card=pairs.game.hands[seat][0])
    turns = []
    while not pairs.game.taken[SEATS[0]] and len(turns) < 4:
        turns.append(pairs.game.active)
        pairs.send(pairs.phone(turns[-1]), "play", card=pairs.game.hands[turns[-1]][0])
    assert turns == ["s1", "s4", "s3", "s2"]


def test_partners_alone_know_a_card_and_a_restart_keeps_it_so(pairs):
    card = pairs.game.hands["s1"][0]
    pairs.send("phone0", "give", card=card)
    for _ in range(2):
        gave = [pairs.session.view(pairs.phone(seat))["gave"] for seat in SEATS]
        assert gave == [{"s1": card}, {}, {"s1": card}, {}]
        assert pairs.session.view(None, "table")["gave"] == {}
        pairs.restart()
    given = next(r for r in pairs.session.journal.events() if r.type == "CardGiven")
    assert (given.public, given.secret) == ({"seat": "s1"}, {"card": card})
    text = dumped(made(list(pairs.session.journal.events()), play=pairs.play)).decode()
    assert '"card"' not in text


def some_game(chance, rules=RULES):
    """A game at any moment, played by chance."""
    game = Game()
    order = list(range(12))
    chance.shuffle(order)
    for actor, command in (("host", rules.start(SEATS, None, 0, "")), ("", rules.deal(order))):
        game = reduce(rules.evolve, rules.decide(game, actor, command), game)
    for _ in range(chance.randrange(18)):
        moves = [(s, c) for s in SEATS for c in rules.legal(game, s)]
        if not moves or game.phase == Phase.GAME_OVER:
            break
        seat, command = chance.choice(moves)
        game = reduce(rules.evolve, rules.decide(game, seat, command), game)
    return game


@pytest.mark.parametrize(("game", "moments"), [(high_card, 2_000), (high_pairs, 100)])
def test_what_a_seat_cannot_know_can_be_otherwise_without_its_noticing(game, moments):
    """Every seat's view and the table's of each moment."""
    rules, chance, changed = game.PLAY.rules, Random(11), 0
    for _ in range(moments):
        state = some_game(chance, rules)
        for seat in (*SEATS, None):
            other = rules.imagine(state, seat, chance.randrange)
            assert rules.view(other, seat) == rules.view(state, seat)
            changed += other.hands != state.hands
    assert changed > 1.5 * moments


@pytest.mark.parametrize("game", GAMES)
def test_a_view_tells_no_field_of_an_event_that_its_seat_may_not_know(game):
    """Until the cards lie open: with other cards in all those fields it is the same view."""
    rules, chance, hidden = game.PLAY.rules, Random(7), Counter()
    for _ in range(100):
        cards = chance.sample(range(12), 12)
        events = list(rules.decide(Game(), "host", rules.start(SEATS, None, 0, "")))
        events += rules.decide(reduce(rules.evolve, events, Game()), "", rules.deal(cards))
        for giver in chance.sample(SEATS, chance.randrange(1, 4)):
            state = reduce(rules.evolve, events, Game())
            events += rules.decide(state, giver, Give(chance.choice(state.hands[giver])))
        for seat in (*SEATS, None):
            told = [knows(seat, event, rules.teams(None, SEATS)) for event in events]
            seen = {card for each in zip(events, told, strict=True) for card in cards_in(*each)}
            rest = [card for card in range(12) if card not in seen]
            other = dict(zip(rest, chance.sample(rest, len(rest)), strict=True))
            changed = [in_other_cards(*each, other) for each in zip(events, told, strict=True)]
            views = [
                rules.view(reduce(rules.evolve, each, Game()), seat) for each in (events, changed)
            ]
            assert views[0] == views[1]
            hidden[seat] += events != changed
    assert min(hidden.values()) > 90


def cards_in(event, told):
    """The cards that an event tells in these fields."""
    return [c for name in told & {"card", "cards"} for c in np.atleast_1d(getattr(event, name))]


def in_other_cards(event, told, other):
    """The same event with other cards in all fields but these."""
    changed = {}
    for name in {"card", "cards"} & vars(event).keys() - told:
        was = getattr(event, name)
        cards = tuple(other.get(card, card) for card in np.atleast_1d(was).tolist())
        changed[name] = cards if isinstance(was, tuple) else cards[0]
    return replace(event, **changed)
