"""Lines that no program should send to the referee: each gets one sentence, and nothing changes."""

import json
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rig.cli.referee import Referee
from rig.games.dominoes.bones import SET
from rig.games.dominoes.options import BUNDLES
from rig.games.dominoes.table.referee_words import _FIELDS, _POSITION

LONGEST_SENTENCE = 400
H = [["1-2"], ["3-4"]]
ORDER = list(range(28))


def referee(*lines):
    """A referee who has been told these lines."""
    told = Referee("dominoes")
    for line in lines:
        assert answered(told, line)["ok"], line
    return told


def answered(to, line):
    """The answer to a line, which is one JSON line; a refusal leaves every view as it was."""
    before = views(to)
    answer = json.loads(json.dumps(to.answer(line if isinstance(line, str) else json.dumps(line))))
    if not answer["ok"]:
        assert views(to) == before
        assert set(answer) == {"ok", "reason", "message"}
        assert 0 < len(answer["message"]) < LONGEST_SENTENCE and "\n" not in answer["message"]
    return answer


def views(of):
    return [of.answer(json.dumps({"view": seat})) for seat in (None, 0, 1)]


def new(seats=2, preset="goat-online", options=None, **position):
    begun = {"preset": preset, "seats": seats, "options": {} if options is None else options}
    return {"new": {**begun, "position": position} if position else begun}


def moved(actor, kind, **fields):
    return {"actor": actor, "type": kind, **fields}


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("", "expected one JSON object per line"),
        ('{"new"', "expected one JSON object per line"),
        ("[" * 100_000, "expected one JSON object per line"),
        ('{"new":{"seats":' + "9" * 5_000 + "}}", "expected one JSON object per line"),
        ("null", "expected a JSON object"),
        ({"new": None}, "new: expected an object"),
        ({"new": {}}, "seats: expected a whole number of 2 to 4, not None"),
        (new(True), "seats: expected a whole number of 2 to 4, not True"),
        (new(2.0), "seats: expected a whole number of 2 to 4, not 2.0"),
        (new(5), "seats: expected a whole number of 2 to 4, not 5"),
        ({"new": {"seats": 2, "players": 2}}, "new: there is no field 'players'"),
        ({**new(), "view": 0}, "view: nothing else may stand beside new"),
        (new(preset="goat-offline"), "preset: expected one of bg-standard"),
        (new(preset=["goat-yard"]), "preset: expected one of bg-standard"),
        (new(preset="x" * 5_000), "preset: expected one of bg-standard"),
        (new(preset=[[["x" * 30] * 6] * 6] * 6), "preset: expected one of bg-standard"),
        (new(options=[]), "options: expected an object"),
        (new(options={"preset": "goat-2p"}), "options: the preset stands beside"),
        (new(options={"blank": 1}), "option 'blank' is not known, expected one of"),
        (new(options={"limit": True}), "option limit: expected a whole number of 1 to 100000"),
        (new(options={"limit": 10**4_000}), "option limit: expected a whole number"),
        (new(options={"limit": "[" * 3_000}), "option limit: expected a whole number"),
        (new(options={"rating": 1}), "option rating: expected true or false, not 1"),
        (new(options={"draw": ["one"]}), "option draw: expected one of until, one, none"),
        (new(3, "bg-standard", {"pairs": True}), "option pairs: expected false"),
        (new(4, "sea-goat", {"pairs": False}), "option pairs: four players of sea-goat"),
        (new(4, "goat-online/one", {"pairs": True}), "expected another one or pairs=false"),
        (new(3, "sea-goat"), "seats: sea-goat is for 2 or 4 players, not 3"),
        (new(4, options={"hand": 8}), "option hand: expected at most 7 for 4 players, not 8"),
        (new(options={"who_scores": "winner"}), "option fish_score: with who_scores=winner"),
        (new(options={"fish_tie": "carry"}), "option fish_tie: carry is for who_scores=winner"),
        (new(hands=[["1-2"]]), "position.hands: expected a list for each of 2 seats"),
        (new(hands=[["1-2"], []]), "position.hands[1]: expected a tile or more"),
        (new(hands=[["1-2"], ["1-7"]]), "position.hands[1]: expected a bone like 3-5"),
        (new(hands=[["1-2"], [12]]), "position.hands[1]: expected a bone like 3-5"),
        (new(hands=[["1-2"], ["2-1"]]), "expected each tile once, 1-2 is there twice"),
        (new(hands=H, boneyard=["1-2"]), "expected each tile once, 1-2 is there twice"),
        (new(hands=H, line=["5-5", "5-5"]), "expected each tile once, 5-5 is there twice"),
        (new(hands=H, line=["5-5", "6-5"]), "touching halves to be equal, not 5-5 beside 6-5"),
        (new(hands=H, line=["5-5"]), "position.active: expected the seat whose turn it is"),
        (new(hands=H, line=["5-5"], active=2), "position.active: expected a seat of 0 to 1"),
        (new(hands=H, line=["5-5"], active=True), "position.active: expected a seat of 0 to 1"),
        (new(hands=H, line="5-5", active=0), "position.line: expected a list"),
        (new(hands=H, boneyard={}), "position.boneyard: expected a list"),
        (new(line=["5-5"], active=0), "position.hands: expected a list of tiles for each seat"),
        (new(hands=H, account=[0]), "position.account: expected a list of 2 numbers"),
        (new(hands=H, account=[0, False]), "position.account[1]: expected a whole number"),
        (new(hands=H, account=[0, 10**4_000]), "position.account[1]: expected a whole number"),
        (new(hands=H, memory=[0, None]), "position.memory[1]: expected a whole number"),
        (new(hands=H, carry=-1), "position.carry: expected a whole number of 0 to"),
        (new(hands=H, round=0), "position.round: expected a whole number of 1 to"),
        (new(hands=H, opener=2), "position.opener: expected a whole number of 0 to 1"),
        (new(hands=H, forced="1-2"), "position: there is no field 'forced'"),
        ({"new": {"seats": 2, "position": []}}, "position: expected an object"),
    ],
)
def test_what_cannot_begin_is_refused_by_the_name_of_its_field(line, says):
    assert says in answered(referee(new(options={"limit": 50})), line)["message"]


LEADS = new(hands=[["1-2", "1-1"], ["3-4"]])
TURN = new(hands=[["1-2", "1-1"], ["3-4"]], line=["1-5"], active=0)
WON = new(preset="bg-standard", account=[99, 0], hands=H, line=["1-1"], active=0)


@pytest.mark.parametrize(
    ("match", "line", "says"),
    [
        (TURN, moved(0, "vote", side="failure"), "type: expected one of deal, place"),
        (TURN, moved(0, None), "type: expected one of deal, place"),
        (TURN, moved(0, ["draw"]), "type: expected one of deal, place"),
        (TURN, moved(0, "draw", tile="1-2"), "draw: there is no field 'tile'"),
        (TURN, moved(2, "draw"), "actor: expected a seat of 0 to 1, not 2"),
        (TURN, moved(-1, "draw"), "actor: expected a seat of 0 to 1, not -1"),
        (TURN, moved(False, "draw"), "actor: expected a seat of 0 to 1, not False"),
        (TURN, moved("referee", "draw"), "actor: expected a seat of 0 to 1, not 'referee'"),
        (TURN, moved(0, "deal", order=ORDER), "actor: deal is for the referee, not 0"),
        (TURN, moved("referee", "timeout"), "seat: expected a seat of 0 to 1, not None"),
        (TURN, moved("referee", "timeout", seat=0), "no clock"),
        (TURN, moved("referee", "deal", order=ORDER), "cannot be done now"),
        (TURN, moved(0, "place"), "tile: expected a bone like 3-5"),
        (TURN, moved(0, "place", tile="1-2"), "left"),
        (TURN, moved(0, "place", tile="1-2", end="up"), 'end: expected "left" or "right"'),
        (TURN, moved(0, "place", tile="1-2", end=["left"]), 'end: expected "left" or "right"'),
        (TURN, moved(0, "place", tile="1-2", end="right"), "does not fit"),
        (TURN, moved(0, "place", tile="3-4", end="left"), "do not have this bone"),
        (TURN, moved(0, "place2", tiles="1-1", ends=["left"]), "tiles: expected a list"),
        (TURN, moved(0, "place2", tiles=[1, 2], ends=[]), "tiles[0]: expected a bone"),
        (TURN, moved(0, "place2", tiles=["1-1"], ends=[{}]), "ends: expected"),
        (TURN, moved(0, "place2", tiles=["1-1"], ends=["left"]), "one bone is laid a turn"),
        (TURN, moved(1, "pass"), "not your turn"),
        (TURN, moved(0, "pass"), "fits: lay it"),
        (TURN, moved(0, "stake"), "stake needs"),
        (TURN, {"view": 2}, "view: expected a seat of 0 to 1, not 2"),
        (TURN, {"view": True}, "view: expected a seat of 0 to 1, not True"),
        (TURN, {"view": 0, "type": "draw"}, "type: nothing else may stand beside view"),
        (LEADS, moved(0, "place", tile="1-2"), "begins with another bone"),
        (LEADS, moved(0, "place", tile="1-1", end="left"), "name none"),
        (LEADS, moved(0, "place", tile="1-1", end=""), 'end: expected "left" or "right"'),
        (LEADS, moved(0, "place2", tiles=["1-1", "2-2"], ends=["left", "right"]), "cannot be"),
        (new(), moved("referee", "deal", order=ORDER[:27]), "each of the 28 bones once"),
        (new(), moved("referee", "deal", order=[0, *ORDER[:27]]), "each of the 28 bones once"),
        (new(), moved("referee", "deal", order=[*ORDER[:27], 28]), "28 bones once"),
        (new(), moved("referee", "deal", order=[False, *ORDER[1:]]), "order[0]: expected"),
        (new(), moved("referee", "deal", order={"0": 1}), "order: expected a list"),
        (new(), moved(0, "place", tile="1-1"), "cannot be done now"),
    ],
)
def test_what_cannot_be_done_is_refused_in_a_sentence(match, line, says):
    assert says in answered(referee(match), line)["message"]


def test_nothing_can_be_done_once_a_match_is_over():
    won = referee(WON, moved(0, "place", tile="1-2", end="left"))
    assert won.answer('{"view": null}')["view"]["phase"] == "over"
    for line in (moved(1, "draw"), moved(0, "stake"), moved("referee", "deal", order=ORDER)):
        assert answered(won, line)["reason"] == "wrong_phase"


def test_the_greatest_numbers_that_are_taken_can_be_played_with():
    most = 1_000_000
    match = new(account=[most, most], memory=[most, 0], carry=most, round=most, hands=H)
    told = referee(match, moved(1, "place", tile="3-4"))
    assert told.answer('{"view": null}')["view"]["phase"] == "over"


WORDS = st.sampled_from((*BUNDLES, *SET[:5], "left", "right", "referee", *_FIELDS, "until", "win"))
PLAIN = st.none() | st.booleans() | st.integers() | st.floats() | WORDS | st.text(max_size=4)
NAMES = st.sampled_from(
    ("new", "view", "actor", "type", "tile", "end", "tiles", "ends", "order", "seat", "preset")
) | st.sampled_from(("options", "seats", "position", "draw", "hand", *_POSITION))
ANY = st.recursive(
    PLAIN,
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(NAMES | st.text(max_size=3), inner, max_size=4)
    ),
    max_leaves=12,
)
SENSIBLE = (new(), new(4, "sea-goat"), LEADS, TURN, WON, moved("referee", "deal", order=ORDER))
SENSIBLE += (
    *(moved(n, kind) for n in (0, 1) for kind in ("draw", "pass", "stake")),
    moved(0, "place", tile="1-2", end="left"),
    moved(0, "place2", tiles=["1-1", "2-2"], ends=["left", "right"]),
    {"view": 0},
)


def spoilt(line, chance, value):
    """A line with one of its values, at any depth, exchanged for another."""
    line = json.loads(json.dumps(line))
    at = line
    while True:
        keys = list(at) if isinstance(at, dict) else list(range(len(at)))
        key = chance.choice(keys)
        if not isinstance(at[key], dict | list) or not at[key] or chance.random() < 0.3:
            at[key] = value
            return line
        at = at[key]


LINES = (
    ANY
    | st.builds(spoilt, st.sampled_from(SENSIBLE), st.randoms(use_true_random=False), ANY)
    | st.sampled_from(SENSIBLE)
    | st.text(max_size=20)
)


@settings(max_examples=60)
@given(st.lists(LINES, min_size=1, max_size=8))
def test_whatever_it_is_sent_the_referee_answers(lines):
    told = Referee("dominoes")
    for line in lines:
        answered(told, line)


def test_a_match_by_chance_ends_though_every_other_line_is_spoilt():
    chance, told = Random(6), referee(new(3, options={"open_at": 0, "limit": 40}))
    values = (None, True, -1, 7, 28, "7-7", "up", [], {}, [["1-2"]], 10**30)
    while (view := told.answer('{"view": null}')["view"])["phase"] != "over":
        if view["phase"] == "deal":
            line = moved("referee", "deal", order=chance.sample(ORDER, 28))
        else:
            seat = view["active"]
            hand = told.answer(json.dumps({"view": seat}))["view"]["hand"]
            tries = [moved(seat, "place", tile=t, end=e) for t in hand for e in ("left", "right")]
            tries += [moved(seat, "place", tile=tile) for tile in hand]
            tries += [moved(seat, "draw"), moved(seat, "pass")]
            answered(told, spoilt(chance.choice(tries), chance, chance.choice(values)))
            assert any(answered(told, line)["ok"] for line in tries)
            continue
        answered(told, spoilt(line, chance, chance.choice(values)))
        answered(told, line)
