"""The demo: whole games by bots through every layer, over HTTP, as a user runs it."""

import json
import subprocess
import sys

import pytest

ROUND = {
    "format",
    "version",
    "kind",
    "round",
    "placer",
    "caller",
    "ballots",
    "push_value",
    "p_fall",
    "outcome",
    "fallen",
    "chips",
    "ms",
}


@pytest.fixture(scope="module")
def lines():
    done = subprocess.run(
        [sys.executable, "-m", "rig.cli.main", "demo", "--seed", "5", "--players", "3", "--json"],
        capture_output=True,
        text=True,
        timeout=240,
    )
    assert (done.returncode, done.stderr) == (0, "")
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_a_demo_tells_every_round_and_the_game(lines):
    *rounds, game = lines
    assert [line["round"] for line in rounds] == list(range(1, len(rounds) + 1))
    assert all(set(line) == ROUND for line in rounds)
    told = {"kind", "chips", "accident_chips", "winners", "rounds"}
    assert set(game) == {"format", "version", *told}
    assert (game["kind"], game["rounds"]) == ("game", len(rounds))
    assert len(rounds) in (3, 4)


def test_the_chips_of_a_demo_follow_from_its_ballots_and_outcomes(lines):
    *rounds, game = lines
    chips = dict.fromkeys(("s1", "s2", "s3"), 0)
    for line in rounds:
        sides = line["ballots"]
        wins = "success" if line["outcome"] == "fell" else "failure"
        other = sum(side != wins for side in sides.values())
        for seat, side in sides.items():
            chips[seat] += other if side == wins else 0
        accidents = sum(line["chips"].values()) - sum(chips.values())
        assert accidents == 0 or game["accident_chips"]
    assert {s: n - game["accident_chips"].get(s, 0) for s, n in game["chips"].items()} == chips
    best = max(game["chips"].values())
    assert game["winners"] == [s for s, n in game["chips"].items() if n == best]


def test_a_demo_says_how_long_each_stage_took(lines):
    for line in lines[:-1]:
        assert {"camera", "see", "track", "predict", "push", "observe"} <= set(line["ms"])
        assert 0 <= line["p_fall"] <= 1
        assert line["placer"] in line["ballots"]
        assert line["ballots"][line["placer"]] == "success"
