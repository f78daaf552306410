import json

import pytest

from rig.cli.main import main
from rig.cli.referee import Referee

ARENA = ("arena", "--game", "dominoes", "--preset", "ru-classic", "--players", "2")


def lines(capsys, *more):
    assert main([*ARENA, *more, "--json"]) == 0
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def test_every_deal_is_played_twice_with_the_bots_in_each_others_seats(capsys):
    *rounds, total = lines(capsys, "--bots", "greedy,random", "--rounds", "6", "--seed", "3")
    assert [each["kind"] for each in rounds] == ["round"] * 6 and total["kind"] == "arena"
    for first, second in zip(rounds[::2], rounds[1::2], strict=True):
        assert first["order"] == second["order"]
        assert first["seats"] == second["seats"][::-1]
    won = {
        bot: sum(max(r["points"], key=r["points"].get) == bot for r in rounds)
        for bot in total["won"]
    }
    assert sum(total["won"].values()) + total["drawn"] == total["rounds"] == 6
    assert total["drawn"] or won == total["won"]


def test_a_seed_gives_the_same_rounds_again(capsys):
    played = [lines(capsys, "--bots", "weak,greedy", "--rounds", "2", "--seed", "5") for _ in "ab"]
    assert played[0][:-1] == played[1][:-1]


@pytest.mark.parametrize(
    ("new", "words"),
    [
        ({"preset": "ru-classic", "seats": 2}, ()),
        (
            {"preset": "goat-yard", "seats": 4, "options": {"pairs": True}},
            ("--preset", "goat-yard", "--option", "pairs=true", "--players", "4"),
        ),
        ({"preset": "goat-online", "seats": 3}, ("--preset", "goat-online", "--players", "3")),
        ({"preset": "sea-goat", "seats": 4}, ("--preset", "sea-goat", "--players", "4")),
    ],
    ids=lambda value: value["preset"] if isinstance(value, dict) else "",
)
def test_the_referee_gets_the_same_points_from_order_and_moves(capsys, new, words):
    *rounds, total = lines(capsys, *words, "--bots", "greedy,random", "--rounds", "6")
    sign = 1 if new["preset"] in ("ru-classic", "sea-goat") else -1
    for line in rounds:
        referee = Referee("dominoes")
        for asked in (
            {"new": new},
            {"actor": "referee", "type": "deal", "order": line["order"]},
            *line["moves"],
        ):
            answer = referee.answer(json.dumps(asked))
            assert answer["ok"], answer
        (ended,) = [event for event in answer["events"] if event["type"] == "round"]
        points = dict.fromkeys(("greedy", "random"), 0)
        for side, amount in enumerate(ended["credited"]):
            points[line["seats"][side]] += sign * amount
        assert line["points"] == points
    for name in ("greedy", "random"):
        mean = sum(line["points"][name] for line in rounds) / 6
        assert total["points"][name] == pytest.approx(mean, abs=0.001)


def test_a_bot_that_samples_wins_more_often_than_chance(capsys):
    *_, total = lines(capsys, "--bots", "medium,random", "--rounds", "150", "--seed", "55")
    assert total["low"] > 0.5


@pytest.mark.parametrize(
    ("words", "names"),
    [
        (("--bots", "strong,genius"), "genius"),
        (("--bots", "strong,greedy", "--option", "x=1"), "x"),
    ],
)
def test_what_cannot_be_is_one_sentence(capsys, words, names):
    assert main([*ARENA, *words, "--rounds", "2"]) == 2
    error = capsys.readouterr().err.strip()
    assert names in error and "\n" not in error
