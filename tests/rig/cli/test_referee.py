import io
import json

import pytest

from rig.cli.main import main


@pytest.fixture
def referee(monkeypatch, capsys):
    def ask(*lines):
        text = "\n".join(line if isinstance(line, str) else json.dumps(line) for line in lines)
        monkeypatch.setattr("sys.stdin", io.StringIO(text))
        assert main(["referee", "--game", "dominoes"]) == 0
        return [json.loads(line) for line in capsys.readouterr().out.splitlines()]

    return ask


NEW = {"new": {"preset": "ru-classic", "seats": 2}}
DEAL = {"actor": "referee", "type": "deal", "order": list(range(28))}


def test_each_line_gets_one_line_back(referee):
    new, deal, view = referee(NEW, DEAL, {"view": 0})
    assert new == {"ok": True, "events": []}
    assert [event["type"] for event in deal["events"]] == ["hand", "hand", "boneyard", "lead"]
    assert view["view"]["phase"] == "lead" and view["view"]["hand"][0] == "0-0"


def test_a_refused_line_changes_nothing(referee):
    *_, refused, before, after = referee(NEW, DEAL, DEAL, {"view": 1}, {"view": 1})
    assert refused["ok"] is False and refused["reason"] == "wrong_phase" and refused["message"]
    assert before == after


@pytest.mark.parametrize(
    ("line", "names"),
    [
        ("no JSON", "expected one JSON object per line"),
        ("[1]", "expected a JSON object"),
        ({"view": 0}, '{"new": …} first'),
        ({"new": {"preset": "whist", "seats": 2}}, "preset: expected one of bg-standard"),
        ({"new": {"preset": "ru-classic", "seats": 3, "options": {"pairs": True}}}, "pairs"),
        ({"new": {"preset": "ru-classic", "seats": 2, "options": {"blank": 3}}}, "'blank'"),
        ({"new": {"preset": "goat-2p", "seats": 4}}, "seats: goat-2p is for 2 players, not 4"),
        (
            {"new": {"seats": 2, "position": {"hands": [["3-5"], ["5-3"]], "line": []}}},
            "3-5 is there twice",
        ),
        (
            {
                "new": {
                    "seats": 2,
                    "position": {"hands": [["3-5"], ["2-2"]], "line": ["1-2", "3-4"]},
                }
            },
            "touching halves",
        ),
    ],
)
def test_what_cannot_be_is_refused_in_a_sentence(referee, line, names):
    (answer,) = referee(line)
    assert answer["ok"] is False and names in answer["message"]


@pytest.mark.parametrize("command", ["referee", "arena"])
def test_an_unknown_game_is_named_and_one_that_needs_a_table_is_told_so(capsys, command):
    assert main([command, "--game", "whist"]) == 2
    assert "--game: expected dominoes, not 'whist'" in capsys.readouterr().err
    assert main([command, "--game", "estimation"]) == 2
    assert "--game: estimation needs a table" in capsys.readouterr().err


def asked_in_a_position(hidden):
    position = {
        "hands": [["1-6", "5-5", "2-5"], hidden[:2]],
        "boneyard": hidden[2:],
        "line": ["6-5"],
        "active": 0,
    }
    return {"new": {"preset": "ru-classic", "seats": 2, "position": position}}


def test_a_bot_advises_what_is_allowed_by_what_its_seat_can_know(referee):
    advised = []
    for hidden in (["0-0", "1-2", "3-3"], ["1-2", "3-3", "0-0"]):
        position = asked_in_a_position(hidden)
        *_, first, again = referee(position, *[{"bot": "strong", "seat": 0}] * 2)
        assert first == again and first["ok"]
        *_, done = referee(position, first["command"])
        assert done["ok"]
        advised.append(first["command"])
    assert advised[0] == advised[1]


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ({"bot": "brilliant", "seat": 0}, "expected a bot out of random, greedy"),
        ({"bot": 3, "seat": 0}, "expected the name of a bot, not 3"),
        ({"bot": "strong", "seat": 1}, "seat: 1 is not in turn"),
        ({"bot": "strong", "seat": 2}, "expected a seat of 0 to 1, not 2"),
        ({"bot": "strong"}, "expected a seat of 0 to 1, not None"),
        ({"bot": "strong", "seat": 0, "end": "left"}, "beside bot and seat"),
    ],
    ids=str,
)
def test_advice_that_cannot_be_is_refused_in_a_sentence(referee, line, says):
    _, refused = referee(asked_in_a_position(["0-0", "1-2", "3-3"]), line)
    assert refused["ok"] is False and says in refused["message"]


def test_no_bot_advises_before_the_deal_or_a_match(referee):
    none, _, dealing = referee({"bot": "weak", "seat": 0}, NEW, {"bot": "weak", "seat": 0})
    assert "no match has begun" in none["message"]
    assert dealing["ok"] is False and "a deal is awaited" in dealing["message"]
