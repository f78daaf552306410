import json

import pytest

from rig.cli.main import main

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
