"""Bots on a table that is played without web, camera or pusher: the rules and a virtual table."""

import copy
import json
import math
from dataclasses import replace

import numpy as np
import pytest

from physics.row.chain import order
from physics.row.push import Push
from physics.row.row_rules import check
from physics.row.tile import Orientation
from rig.clock import ManualClock
from rig.games.estimation import commands as cmd
from rig.games.estimation.decide import decide
from rig.games.estimation.evolve import evolve
from rig.games.estimation.game import Game
from rig.games.estimation.story import bot as bots
from rig.games.estimation.story.bot import (
    GIVE_UP,
    OVERRULE,
    Bot,
    chance_to_fall,
    from_lower_end,
    row_of,
)
from rig.games.estimation.story.bot_placing import MARGIN_MM
from rig.games.estimation.story.character import BLUFFER, COWARD, ENGINEER, character_of
from rig.games.estimation.terms import CAMERA, HOST, REFEREE, End, Phase, Refused, Result, Side
from rig.games.estimation.view import view
from rig.virtual.table import VirtualTable
from rig.virtual.world import PymunkWorld
from tests.support.moves import do, new_game


class Table:
    """A whole table in one object: what the session does with web, camera and pusher round it."""

    def __init__(self, seed, seats=4):
        rng = np.random.default_rng(seed)
        self.clock = ManualClock()
        world = PymunkWorld(np.random.default_rng(seed + 1000))
        self.table = VirtualTable(world, self.clock, np.random.default_rng(seed + 2000))
        self.seats = [f"s{i + 1}" for i in range(seats)]
        self.bots = {
            seat: Bot(seat, chance, character_of(seat), hold_ms=900)
            for seat, chance in zip(self.seats, rng.spawn(seats), strict=True)
        }
        self.game = Game()
        self.chain = order(self.table.truth())
        self.stood = None
        self.held = {}
        self.switch = False
        self.calls = 0
        self.may_call = True
        self.estimations = []
        self.callers = []
        self.commands = []
        self.decide(HOST, cmd.Start(tuple(self.seats), "s1"))

    def decide(self, actor, command):
        for event in decide(self.game, actor, command):
            self.game = evolve(self.game, event)

    def snapshot(self, seat):
        shot = view(self.game, seat)
        tiles = {tile.value: tile for tile in self.chain.tiles}
        shot["row"] = [_plain(tiles[value]) for value in self.game.row]
        shot["phase_id"] = f"{self.game.phase_id}.{self.calls}"
        shot["seats"] = [{"seat": s, "bot": False, "ready": True} for s in self.seats]
        shot["area"] = {"x": [0, 600], "y": [0, 420]}
        shot["now_ms"] = round(self.clock.now_s() * 1000)
        shot["paused_by"] = None
        shot["tile"] = {"length_mm": 48.0, "width_mm": 24.0, "thickness_mm": 7.5}
        mine = self.game.active == seat and self.game.phase is Phase.TURN
        reading = {"state": "waiting", "tile": None, "position": None, "violations": []}
        if self.stood is not None:
            fresh = order(self.table.truth(), self.chain)
            position = fresh.values.index(self.stood)
            reading = {
                "state": "wrong" if check(fresh) else "proposal",
                "tile": _plain(fresh.tiles[position]),
                "position": position,
                "violations": [],
            }
        shot["reading"] = reading
        shot["may"] |= {
            "call": shot["may"]["call"] and self.may_call,
            "stand": mine,
            "confirm": mine and reading["state"] == "proposal",
            "take_back": mine and self.stood is not None,
            "hold": self.game.toppler == seat and self.switch,
            "switch": self.game.toppler == seat,
        }
        shot["push"] = None
        if self.game.phase is Phase.TOPPLE:
            shot["push"] = {
                "toppler": self.game.toppler,
                "state": "ready" if self.switch else "switch",
                "switch": self.switch,
                "held": bool(self.held),
            }
        return json.loads(json.dumps(shot))

    def carry_out(self, seat, command):
        """Do as a session would; the reply."""
        self.commands.append((seat, command))
        reply = {"ok": True}
        match command["type"]:
            case "stand":
                pose = (command["x_mm"], command["y_mm"], math.radians(command["heading_deg"]))
                put = self.table.stand if self.game.supply else self.table.move
                knocked = put(command["value"], *pose, Orientation(command["orientation"]))
                assert not knocked
                self.stood = command["value"]
            case "take_back":
                self.table.take_back(self.stood)
                self.stood = None
            case "confirm":
                self.confirm(seat)
            case "call":
                self.calls += 1
                self.decide(seat, cmd.Call(self.clock.now_s()))
            case "vote":
                self.decide(seat, cmd.Vote(Side(command["side"])))
            case "switch":
                self.switch = command["on"]
            case "hold":
                self.held = {"nonce": "n1"}
                reply |= self.held
            case "push":
                assert command["nonce"] == self.held.pop("nonce")
                self.push()
            case "agree":
                self.decide(seat, cmd.Confirm())
            case "next":
                self.decide(REFEREE, cmd.NextRound())
                self.table.clear()
                self.chain = order(self.table.truth())
                self.switch = False
            case other:
                raise AssertionError(f"no bot should send {other}")
        return reply

    def confirm(self, seat):
        fresh = order(self.table.truth(), self.chain)
        position = fresh.values.index(self.stood)
        if self.game.supply:
            self.decide(seat, cmd.Place(self.stood, position, self.clock.now_s()))
        else:
            end = End.LEFT if position == 0 else End.RIGHT
            self.decide(seat, cmd.Move(self.game.row.index(self.stood), end, self.clock.now_s()))
        self.chain, self.stood = fresh, None
        self.table.settle()

    def push(self):
        value = self.game.row[0 if self.game.end is End.LEFT else -1]
        fallen = self.table.fall(Push(), value)
        self.clock.advance(5.0)
        result = Result.FELL if len(fallen) == len(self.game.row) else Result.STOOD
        self.decide(CAMERA, cmd.Report(result))

    def play(self, most=2000):
        """Play to the end of the game, or until so many commands have been sent."""
        for _ in range(3000):
            if self.game.phase is Phase.GAME_OVER or len(self.commands) >= most:
                return self
            self.step()
        raise AssertionError(f"stuck in {self.game.phase} with {self.commands[-5:]}")

    def step(self):
        self.clock.advance(0.5)
        if self.game.phase is Phase.COUNTDOWN:
            self.decide(REFEREE, cmd.Reveal())
            pushed = any(side is Side.FAILURE for side in self.game.ballots.values())
            self.estimations.append((len(self.game.row), pushed))
            caller = self.game.caller
            self.callers.append((caller, self.game.ballots[caller]))
            return
        if self.game.phase is Phase.REVEAL:
            self.decide(REFEREE, cmd.Continue())
            return
        for seat in sorted(self.seats, key=lambda s: s == self.game.active):
            if self.game.phase is Phase.GAME_OVER:
                return
            shot = self.snapshot(seat)
            before = copy.deepcopy(shot)
            command = self.bots[seat].next_command(shot)
            assert shot == before
            assert command == self.bots[seat].next_command(shot)
            if command is not None:
                try:
                    reply = self.carry_out(seat, command)
                except Refused as refused:
                    reply = {"ok": False, "reason": refused.reason.value}
                self.bots[seat].answer(command, reply)


def _plain(tile):
    return {
        "value": tile.value,
        "orientation": tile.orientation.value,
        "x_mm": tile.pose.x_mm,
        "y_mm": tile.pose.y_mm,
        "heading_deg": math.degrees(tile.pose.heading_rad),
        "state": "standing",
    }


@pytest.fixture(scope="module")
def games():
    """A few whole games, four bots each."""
    return [Table(seed).play() for seed in range(3)]


def test_four_bots_play_whole_games(games):
    for table in games:
        assert table.game.winners
        assert len(table.game.history) in (3, 4)
        assert sum(table.game.chips.values()) > 0


def test_both_outcomes_come_up(games):
    outcomes = [scored.outcome for table in games for scored in table.game.history]
    assert min(outcomes.count(Result.FELL), outcomes.count(Result.STOOD)) >= len(outcomes) // 5


def test_rows_grow_lively_before_they_are_pushed(games):
    placed = [tiles - 1 for table in games for tiles, pushed in table.estimations if pushed]
    assert 3 <= np.median(placed) <= 8
    assert min(placed) >= 1


def test_whoever_calls_and_does_not_bluff_doubts_the_row(games):
    calls = [call for table in games for call in table.callers]
    assert len(calls) > 8
    for caller, side in calls:
        assert side is Side.FAILURE or character_of(caller) is BLUFFER


def test_more_than_one_of_them_calls(games):
    commands = [sent for table in games for sent in table.commands]
    assert len({seat for seat, command in commands if command["type"] == "call"}) > 1


def test_tiles_are_kept_off_the_edge_and_off_each_other(games):
    for table in games:
        for _, command in table.commands:
            if command["type"] == "stand":
                assert MARGIN_MM - 0.1 <= command["x_mm"] <= 600.1 - MARGIN_MM
                assert MARGIN_MM - 0.1 <= command["y_mm"] <= 420.1 - MARGIN_MM


def test_two_bots_play_a_whole_game():
    table = Table(3, seats=2).play()
    assert sum(table.game.chips.values()) == 3


def test_the_same_seed_plays_the_same_game(games):
    again = Table(0).play(most=30)
    assert again.commands == games[0].commands[: len(again.commands)]


def test_another_seed_plays_another_game(games):
    assert games[0].commands != games[1].commands


def test_a_row_out_of_supply_goes_on_by_moving_middle_tiles():
    table = Table(4)
    table.may_call = False
    while len(table.game.row) < 11:
        table.step()
    ends = (table.game.row[0], table.game.row[-1])
    turn = table.game.turn
    while table.game.turn < turn + 3:
        table.step()
    moved = [c["value"] for _, c in table.commands if c["type"] == "stand"][-3:]
    assert moved[0] not in ends
    assert len(table.game.row) == 11


@pytest.fixture
def shot():
    """What the first bot sees of a fresh round of four, with ten tiles to choose from."""
    return Table(1).snapshot("s1")


@pytest.fixture
def bot():
    return Bot("s1", np.random.default_rng(1), hold_ms=1500)


def told(bot, shot, **changes):
    return bot.next_command({**shot, **changes})


def stand(bot, shot):
    """Let the bot stand its tile; the command it sent."""
    command = bot.next_command(shot)
    bot.answer(command, {"ok": True})
    return command


def reading(state, value, position=1):
    return {"state": state, "tile": {"value": value}, "position": position, "violations": []}


def test_a_command_carries_the_moment_it_is_meant_for(bot, shot):
    assert bot.next_command(shot)["phase_id"] == shot["phase_id"]


def test_a_bot_waits_while_the_table_waits(bot, shot):
    assert told(bot, shot, paused_by="s2") is None
    assert told(bot, shot, phase="GAME_OVER") is None
    assert told(bot, shot, phase="COUNTDOWN") is None


def test_a_bot_out_of_turn_places_nothing(bot, shot):
    assert told(bot, shot, may={**shot["may"], "stand": False}) is None


def test_a_bot_in_the_lobby_says_once_that_it_is_ready(bot, shot):
    seats = [{"seat": "s1", "ready": False}]
    assert told(bot, shot, phase="LOBBY", seats=seats)["type"] == "ready"
    seats[0]["ready"] = True
    assert told(bot, shot, phase="LOBBY", seats=seats) is None


def test_a_tile_that_is_read_rightly_is_confirmed(bot, shot):
    value = stand(bot, shot)["value"]
    may = {"stand": True, "confirm": True, "take_back": True, "correct": True}
    assert told(bot, shot, may=may, reading=reading("looking", value)) is None
    right = told(bot, shot, may=may, reading=reading("proposal", value))
    assert right["type"] == "confirm"


def test_a_tile_that_stood_there_before_a_restart_is_believed(bot, shot):
    may = {"stand": True, "confirm": True}
    assert told(bot, shot, may=may, reading=reading("proposal", 4))["type"] == "confirm"
    assert told(bot, shot, may=may, reading=reading("unsure", None)) is None


@pytest.mark.parametrize("state", ["proposal", "unsure"])
def test_a_tile_that_is_read_wrongly_is_put_right(bot, shot, state):
    value = stand(bot, shot)["value"]
    may = {"stand": True, "confirm": True, "take_back": True, "correct": True}
    command = told(bot, shot, may=may, reading=reading(state, value + 20, position=0))
    assert (command["type"], command["value"], command["position"]) == ("correct", value, 0)


def test_a_tile_that_breaks_the_row_is_taken_back_and_stood_elsewhere(bot, shot):
    first = stand(bot, shot)
    may = {"stand": True, "take_back": True}
    back = told(bot, shot, may=may, reading=reading("wrong", first["value"]))
    assert back["type"] == "take_back"
    bot.answer(back, {"ok": True})
    second = bot.next_command(shot)
    assert second["type"] == "stand"
    assert second != first


def test_a_tile_that_nobody_sees_is_stood_again_after_a_while(bot, shot):
    stand(bot, shot)
    assert told(bot, shot, now_ms=shot["now_ms"] + 15_000) is None
    assert told(bot, shot, now_ms=shot["now_ms"] + 25_000)["type"] == "stand"


def test_a_tile_that_somebody_looks_at_is_not_lost(bot, shot):
    stand(bot, shot)
    hand = {"state": "hand", "tile": None, "position": None}
    assert told(bot, shot, now_ms=shot["now_ms"] + 15_000, reading=hand) is None
    assert told(bot, shot, now_ms=shot["now_ms"] + 25_000) is None


def test_a_refused_place_is_tried_elsewhere_but_not_without_end(bot, shot):
    asked = []
    while (command := bot.next_command(shot)) is not None:
        asked.append((command["x_mm"], command["y_mm"]))
        bot.answer(command, {"ok": False, "reason": "knocked"})
    assert len(asked) == GIVE_UP
    assert len(set(asked)) == GIVE_UP
    assert told(bot, shot, now_ms=shot["now_ms"] + 6_000)["type"] == "stand"


def test_a_camera_that_finds_every_place_wrong_is_overruled(bot, shot):
    may = {"stand": True, "take_back": True, "correct": True}
    types = []
    for _ in range(OVERRULE):
        value = stand(bot, shot)["value"]
        answer = told(bot, shot, may=may, reading=reading("wrong", value))
        bot.answer(answer, {"ok": True})
        types.append(answer["type"])
    assert types == ["take_back"] * (OVERRULE - 1) + ["correct"]


@pytest.mark.parametrize(("kind", "type_"), [("apart", "correct"), ("branch", "take_back")])
def test_the_gap_that_a_moved_tile_leaves_is_allowed(bot, shot, kind, type_):
    shot = straight(shot, 20.0, tiles=11) | {"supply": []}
    value = stand(bot, shot)["value"]
    may = {"stand": True, "take_back": True, "correct": True}
    wrong = reading("wrong", value, position=0) | {"violations": [{"kind": kind, "values": [1, 3]}]}
    assert told(bot, shot, may=may, reading=wrong)["type"] == type_


def test_a_bot_agrees_to_a_corrected_row(bot, shot):
    assert told(bot, shot, may={"consent_row": True, "stand": True})["type"] == "consent_row"


BALLOT = {"mine": None, "forced": False, "count": 1, "of": 4}


def test_a_ballot_that_is_in_or_forced_is_left_alone(bot, shot):
    shot |= {"phase": "BALLOT", "may": {"vote": True}}
    assert told(bot, shot, ballot=BALLOT)["type"] == "vote"
    assert told(bot, shot, ballot={**BALLOT, "mine": "success"}) is None
    assert told(bot, shot, ballot={**BALLOT, "forced": True}) is None
    assert told(bot, shot, ballot=BALLOT, may={"vote": False}) is None


def straight(shot, gap_mm, tiles=5):
    row = [
        {**shot["row"][0], "value": v, "x_mm": 150.0 + (7.5 + gap_mm) * v, "y_mm": 210.0}
        for v in range(1, tiles + 1)
    ]
    return {**shot, "row": [{**tile, "heading_deg": 0.0} for tile in row]}


@pytest.fixture
def model(monkeypatch):
    """Says what the model predicts of every row."""
    return lambda p: monkeypatch.setattr(bots, "chance_to_fall", lambda row: p)


def votes(shot, character):
    """How many of forty such bots vote that the row will fall."""
    shot = {**shot, "phase": "BALLOT", "may": {"vote": True}, "ballot": BALLOT}
    voters = [Bot("s1", np.random.default_rng(seed), character) for seed in range(40)]
    return [voter.next_command(shot)["side"] for voter in voters].count("success")


def test_bots_vote_by_the_prediction_with_a_spread(shot, model):
    counts = []
    for p in (0.05, 0.5, 0.7, 0.95):
        model(p)
        counts.append(votes(shot, replace(ENGINEER, doubt=1.2)))
    assert counts == sorted(counts)
    assert counts[0] <= 4
    assert 10 <= counts[2] <= 30
    assert counts[3] >= 34


def test_the_brave_believe_more(shot, model):
    model(0.65)
    assert votes(shot, COWARD) < votes(shot, ENGINEER) < votes(shot, BLUFFER)


def callers(shot, tiles, character=ENGINEER):
    """Those of forty bots that call a row of so many tiles."""
    shot = straight(shot, 20.0, tiles) | {"may": {"call": True}}
    voters = [Bot("s1", np.random.default_rng(seed), character) for seed in range(40)]
    return [voter for voter in voters if voter.next_command(shot) is not None]


def sides(shot, tiles, voters):
    """What those bots vote on the row that they have called."""
    ballot = {"phase": "BALLOT", "may": {"vote": True}, "ballot": BALLOT}
    return {voter.next_command(straight(shot, 20.0, tiles) | ballot)["side"] for voter in voters}


def test_whoever_calls_a_row_votes_against_it(shot, model):
    for p in (0.1, 0.5, 0.9):
        model(p)
        for character in (ENGINEER, COWARD):
            assert sides(shot, 5, callers(shot, 5, character)) <= {"failure"}


def test_a_bluffer_now_and_then_calls_a_row_that_it_believes_in(shot, model):
    model(0.98)
    bluffs = callers(shot, 8, BLUFFER)
    assert 0 < len(bluffs) < 20
    assert "success" in sides(shot, 8, bluffs)


def test_a_bad_row_is_called_sooner_than_a_good_one(shot, model):
    model(0.1)
    bad = len(callers(shot, 5))
    model(0.9)
    assert bad > 2 * len(callers(shot, 5))


def test_the_fewer_players_the_more_each_calls(shot, model):
    model(0.5)
    many = len(callers(shot, 5))
    shot["seats"] = shot["seats"][:2]
    assert len(callers(shot, 5)) > many


def test_the_model_tells_a_row_that_falls_from_one_that_cannot(shot):
    assert chance_to_fall(row_of(straight(shot, 15.0))) > 0.8
    assert chance_to_fall(row_of(straight(shot, 60.0))) < 0.2


def test_a_row_is_judged_from_its_lower_end(shot):
    row = row_of(straight(shot, 20.0))
    assert from_lower_end(row) == row
    assert from_lower_end(row.reversed()).values == row.values


def test_the_chance_to_fall_is_the_same_for_everybody(shot):
    row = row_of(straight(shot, 46.0))
    first = chance_to_fall(row)
    chance_to_fall.cache_clear()
    assert chance_to_fall(row) == first


def toppling(shot, **push):
    usual = {"toppler": "s1", "state": "switch", "switch": False, "held": False}
    return {**shot, "phase": "TOPPLE", "may": {"switch": True}, "push": {**usual, **push}}


def test_the_toppler_turns_the_switch_holds_and_pushes(bot, shot):
    switch = bot.next_command(toppling(shot))
    assert (switch["type"], switch["on"]) == ("switch", True)
    ready = toppling(shot, state="ready", switch=True) | {"may": {"hold": True, "switch": True}}
    hold = bot.next_command(ready)
    assert hold["type"] == "hold"
    bot.answer(hold, {"ok": True, "nonce": "abc"})
    held = ready | {"push": {**ready["push"], "state": "armed", "held": True}}
    assert told(bot, held, now_ms=shot["now_ms"] + 1499) is None
    push = told(bot, held, now_ms=shot["now_ms"] + 1500)
    assert (push["type"], push["nonce"]) == ("push", "abc")
    bot.answer(push, {"ok": True})
    gone = toppling(shot, state="moving", switch=True) | {"may": {}}
    assert bot.next_command(gone) is None


def test_a_hold_that_has_grown_old_is_begun_anew(bot, shot):
    ready = toppling(shot, state="ready", switch=True, held=True) | {"may": {"hold": True}}
    bot.answer({"type": "hold", "phase_id": "x"}, {"ok": True, "nonce": "abc"})
    assert told(bot, ready, now_ms=shot["now_ms"] + 99_000)["type"] == "hold"


def test_a_switch_left_on_is_turned_off_first(bot, shot):
    command = bot.next_command(toppling(shot, switch=True))
    assert (command["type"], command["on"]) == ("switch", False)


def test_nobody_but_the_toppler_touches_the_machine(bot, shot):
    assert bot.next_command(toppling(shot, toppler="s2")) is None
    assert told(bot, toppling(shot), push=None) is None


def test_the_toppler_of_equal_ends_chooses_one(bot, shot):
    assert told(bot, toppling(shot), may={"choose_end": True})["type"] == "choose_end"


def test_where_the_camera_is_not_sure_and_no_people_sit_the_toppler_says_what_lies_there(bot, shot):
    shot = straight(shot, 20.0, tiles=3)
    unsure = toppling(shot, state="report", picture="/picture/2.jpg") | {"may": {"report": True}}
    unsure["row"][0]["state"] = "fallen"
    assert bot.next_command(unsure)["outcome"] == "stood"
    for tile in unsure["row"]:
        tile["state"] = "fallen"
    report = bot.next_command(unsure)
    assert (report["type"], report["outcome"]) == ("report", "fell")
    people = [{"seat": "s1", "bot": True}, {"seat": "s2", "bot": False}]
    assert told(bot, unsure, seats=people) is None
    unsure["push"]["picture"] = None  # no camera has looked
    assert bot.next_command(unsure) is None


def test_a_verdict_is_agreed_to_once(bot, shot):
    verdict = {"outcome": "stood", "step": "shown", "agreed": [], "votes": None}
    shot |= {"phase": "JUDGE", "may": {"agree": True}, "verdict": verdict}
    assert bot.next_command(shot)["type"] == "agree"
    assert told(bot, shot, verdict={**verdict, "agreed": ["s1"]}) is None
    assert told(bot, shot, verdict=None) is None


def test_among_people_a_bot_leaves_them_time_to_look(bot, shot):
    seats = [{"seat": "s1", "bot": True}, {"seat": "s2", "bot": False}]
    verdict = {"outcome": "stood", "step": "shown", "agreed": [], "votes": None}
    shot |= {"phase": "JUDGE", "may": {"agree": True, "next": True}, "verdict": verdict}
    assert told(bot, shot, seats=seats) is None
    assert told(bot, shot, seats=seats, phase="ROUND_END") is None
    asked = {**verdict, "step": "confirm"}
    assert told(bot, shot, seats=seats, verdict=asked)["type"] == "agree"
    seats[1]["bot"] = True
    assert told(bot, shot, seats=seats)["type"] == "agree"
    assert told(bot, shot, seats=seats, phase="ROUND_END")["type"] == "next"


def test_in_a_table_vote_a_bot_says_what_was_seen(bot, shot):
    verdict = {"outcome": "stood", "step": "vote", "agreed": [], "votes": {"s2": "fell"}}
    shot |= {"phase": "JUDGE", "may": {"table_vote": True}, "verdict": verdict}
    command = bot.next_command(shot)
    assert (command["type"], command["outcome"]) == ("table_vote", "stood")
    assert told(bot, shot, verdict={**verdict, "votes": {"s1": "stood"}}) is None


def test_a_bot_goes_on(bot, shot):
    assert told(bot, shot, phase="ROUND_END", may={"next": True})["type"] == "next"
    assert told(bot, shot, phase="ROUND_END", may={}) is None


ANSWERS = {"accident_confirm": True, "accident_reject": True}


def test_where_no_people_sit_a_bot_owns_up_to_what_was_seen(bot, shot):
    shot |= {"phase": "ACCIDENT", "accident": {"culprit": "s1", "by": "s1", "seen": [6]}}
    assert told(bot, shot, may=ANSWERS)["type"] == "accident_confirm"
    assert told(bot, shot, may={}) is None
    others = {"culprit": "s2", "by": "s2", "seen": [6]}
    assert told(bot, shot, may={"accident_confirm": True}, accident=others) is None


@pytest.mark.parametrize("culprit", ["s1", "s2", "s3", None])
@pytest.mark.parametrize("by", ["s1", "s2", "s3"])
def test_among_people_no_bot_is_a_witness(bot, shot, culprit, by):
    seats = [{"seat": "s1", "bot": True}, {"seat": "s2", "bot": False}, {"seat": "s3", "bot": True}]
    accident = {"culprit": culprit, "by": by, "seen": [], "denied": False}
    answer = told(bot, shot, phase="ACCIDENT", seats=seats, accident=accident, may=ANSWERS)
    assert (answer and answer["type"]) == ("accident_reject" if culprit == "s1" else None)
    denied = {"accident_confirm": True, "accident_reject": False}
    assert told(bot, shot, phase="ACCIDENT", seats=seats, accident=accident, may=denied) is None


def test_no_accusation_moves_a_chip_among_bots_without_another_persons_word():
    seats, moved = ("s1", "s2", "s3", "s4"), 0
    for seed in range(200):
        chance = np.random.default_rng(seed)
        people = seats[: int(chance.integers(1, 3))]
        game = new_game(seats)
        game = do(game, ("s1", cmd.Place(3, 0)))
        by, culprit = people[int(chance.integers(len(people)))], str(chance.choice(seats[1:]))
        game = do(game, (by, cmd.ClaimAccident(culprit)))
        players = [{"seat": s, "bot": s not in people} for s in seats]
        for seat in (s for s in seats if s not in people):
            table = {"seats": players, "now_ms": 0, "accident": {**view(game, seat)["accident"]}}
            answer = Bot(seat, chance).next_command({**view(game, seat), **table})
            if answer is not None:
                rejects = answer["type"] == "accident_reject"
                game = do(game, (seat, cmd.RejectAccident() if rejects else cmd.ConfirmAccident()))
        moved += sum(game.chips.values())
        assert game.phase is Phase.ACCIDENT
    assert moved == 0


def differing(shot, stays, **may):
    shot = {**copy.deepcopy(shot), "differs": {"keeper": "s1", "by": None, "stays": stays}}
    shot["may"] = {**shot["may"], "stand": False, "call": False, **may}
    return shot


def test_a_bot_minds_no_touch_and_nods_to_whoever_says_that_the_row_is_right(bot, shot):
    wanted = {"type": "row_is_right", "right": True, "phase_id": shot["phase_id"]}
    assert bot.next_command(differing(shot, stays=True, row_is_right=True)) == wanted


def test_a_row_that_nobody_puts_back_was_knocked_over_by_nobody(bot, shot):
    broken = differing(shot, stays=False, accident=True)
    assert bot.next_command(broken) is None
    later = {**broken, "now_ms": broken["now_ms"] + 19_000}
    assert bot.next_command(later) is None
    later["now_ms"] += 2_000
    assert bot.next_command(later)["type"] == "accident"
    assert bot.next_command({**later, "differs": {**broken["differs"], "keeper": "s2"}}) is None


def test_a_row_that_was_put_back_in_time_is_no_accident(bot, shot):
    broken = differing(shot, stays=False, accident=True)
    bot.next_command(broken)
    calm = differing(shot, stays=False)
    calm["differs"] = None
    bot.next_command({**calm, "now_ms": broken["now_ms"] + 10_000})
    again = {**broken, "now_ms": broken["now_ms"] + 25_000}
    assert bot.next_command(again) is None


def test_the_toppler_puts_the_pusher_right_before_it_holds(bot, shot):
    may = {"may": {"hold": False, "aim": True}}
    guide = {"seen": True, "right": False}
    off = toppling(shot, state="ready", switch=True, guide=guide) | may
    assert bot.next_command(off)["type"] == "aim"
    right = toppling(shot, state="ready", switch=True, guide={**guide, "right": True})
    hold = bot.next_command(right | {"may": {"hold": True, "aim": True}})
    assert (hold["type"], hold["by_eye"]) == ("hold", False)


def test_where_no_tag_is_seen_the_toppler_has_looked(bot, shot):
    guide = {"seen": False, "right": False}
    unseen = toppling(shot, state="ready", switch=True, guide=guide)
    hold = bot.next_command(unseen | {"may": {"hold": True, "aim": True}})
    assert (hold["type"], hold["by_eye"]) == ("hold", True)


def test_a_finger_waits_for_its_time(bot, shot):
    may = {"may": {"touch": True}}
    waits = toppling(shot, state="finger", now_ms=shot["now_ms"] + 500) | may
    assert bot.next_command(waits) is None
    now = toppling(shot, state="finger", now_ms=shot["now_ms"] - 100) | may
    assert bot.next_command(now)["type"] == "touch"
