"""The demo: whole games by bots through every layer, over HTTP, as a user runs it."""

import http.server
import itertools
import json
import re
import subprocess
import threading
from pathlib import Path

import pytest

from rig.cli import demo
from rig.cli.demo import STILL_S, DemoStuck, Patience
from rig.cli.main import main
from rig.clock import ManualClock
from rig.players.http_phone import HttpPhone, NoTable, give_up
from tests.support import marked
from tests.support.small_view import COMMAND
from tests.support.telling import in_english, unmarked

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
        [*COMMAND, "demo", "--seed", "5", "--players", "3", "--json"],
        capture_output=True,
        text=True,
    )
    assert (done.returncode, done.stderr) == (0, "")
    return [json.loads(line) for line in done.stdout.splitlines()]


class Referee(http.server.BaseHTTPRequestHandler):
    """Answers as it is told to: a status, or not at all."""

    def do_GET(self):
        status = self.server.answers.pop(0) if self.server.answers else 200
        if status is None:
            self.server.hangs.wait()
            return
        self.send_response(status)
        self.send_header("Set-Cookie", "seat=1")
        self.end_headers()
        self.wfile.write(b"{}")

    def do_POST(self):
        self.server.heard.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
        self.do_GET()

    def log_message(self, *_):
        """Say nothing."""


@pytest.fixture
def referee():
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Referee)
    server.answers, server.heard, server.hangs = [], [], threading.Event()
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield server
    server.hangs.set()
    server.shutdown()
    thread.join()
    server.server_close()


def phone_at(referee, patience):
    url = f"http://127.0.0.1:{referee.server_port}/j/PINE"
    return HttpPhone(url, patience, longest_s=0.2)


def test_a_phone_of_the_demo_asks_again_as_long_as_the_game_goes_on(referee):
    clock, versions = ManualClock(), itertools.count()
    referee.answers += [503, 200, None, 429]
    phone = phone_at(referee, Patience(lambda: next(versions), clock))
    referee.answers += [503] * 1300  # two minutes of it
    assert phone.command("ready", on=True) == {}
    assert len(referee.heard) >= 1300 and len({told["id"] for told in referee.heard}) == 1
    assert clock.monotonic_s() > STILL_S
    phone.close()


def test_a_demo_in_which_nothing_happens_ends_in_words(referee):
    referee.answers += [503] * 100_000
    with pytest.raises(DemoStuck, match=r"for 120 s \(HTTP 503\): this machine is too busy"):
        phone_at(referee, Patience(lambda: 7, ManualClock()))


def test_a_referee_that_does_not_answer_at_all_is_a_sentence(referee):
    referee.answers.append(None)
    with pytest.raises(NoTable, match="does not answer: timed out"):
        phone_at(referee, give_up)


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


def test_a_demo_is_told_in_words_of_the_catalogues(lines, tmp_path, monkeypatch):
    *rounds, game = lines
    facts = [demo._round(line) for line in rounds] + [demo._final(game)]
    assert in_english(facts[0]).startswith(
        f"Round 1: {rounds[0]['caller']} called on {rounds[0]['placer']}'s tile; pushed at the "
        f"{rounds[0]['push_value']} (chance to fall {rounds[0]['p_fall']:.2f}): "
    )
    marked.mark(tmp_path / "marked", monkeypatch)
    assert [unmarked(fact) for fact in facts] == [[]] * len(facts)
    marked.forget()


def test_how_a_row_fell_is_told_with_its_chips_and_times(lines):
    line = {**lines[0], "p_fall": 0.124, "chips": {"s1": 3, "s2": 0}, "ms": {"see": 7.4, "new": 2}}
    told = {
        outcome: in_english(demo._round({**line, "outcome": outcome})).partition("(chance")[2]
        for outcome in ("fell", "stood")
    }
    end = "Chips: s1 3, s2 0. ms: see 7, new 2"
    assert told["fell"] == f" to fall 0.12): every tile fell. {end}"
    assert told["stood"] == f" to fall 0.12): it stood. {end}"
    game = {"winners": ["s1", "s3"], "chips": {"s1": 3, "s2": 0, "s3": 3}}
    assert in_english(demo._final(game)) == "The game goes to s1 and s3: s1 3, s2 0, s3 3"
    assert "(chance to fall ?)" in in_english(demo._round({**line, "p_fall": None}))


MATCH = ("demo", "--game", "dominoes", "--preset", "goat-2p", "--option", "limit=30")


def test_a_match_of_dominoes_is_told_round_by_round_and_a_seed_gives_it_again(capsys):
    told = []
    for _ in range(2):
        assert main([*MATCH, "--players", "2", "--seed", "4", "--json"]) == 0
        told.append(capsys.readouterr().out)
    assert told[0] == told[1]
    *rounds, game = map(json.loads, told[0].splitlines())
    assert [line["round"] for line in rounds] == list(range(1, len(rounds) + 1))
    assert all(line["kind"] == "round" and max(line["account"]) <= 30 for line in rounds[:-1])
    assert (game["kind"], game["rounds"]) == ("game", len(rounds))
    assert max(rounds[-1]["account"]) >= 30 and sorted(game["winners"] + game["losers"]) == [0, 1]


def test_a_match_of_dominoes_is_told_in_sentences(capsys):
    assert main([*MATCH, "--players", "2", "--seed", "4"]) == 0
    *rounds, last = capsys.readouterr().out.splitlines()
    assert all(f"Round {n}: " in line and "Accounts: " in line for n, line in enumerate(rounds, 1))
    assert last.startswith("The match is over. Won: s")


def test_a_match_of_dominoes_is_told_in_the_language_asked_for(tmp_path, monkeypatch, capsys):
    told = []
    marked.mark(tmp_path / "marked", monkeypatch)
    for lang in ("de", marked.CODE):
        assert main([*MATCH, "--players", "2", "--seed", "4", "--language", lang]) == 0
        told.append(capsys.readouterr().out)
    marked.forget()
    assert told[0].startswith("Runde 1: ") and "Das Spiel ist aus. Gewonnen: s" in told[0]
    assert marked.unmarked(told[1]) == []


def test_what_is_written_of_the_lines_of_a_match_is_true(capsys):
    text = (Path(__file__).parents[3] / "rig" / "COMMAND_LINE.md").read_text(encoding="utf-8")
    forms = re.findall(r'`{"kind".*?}`', text.partition("`demo --game dominoes --json`")[2])
    assert main([*MATCH, "--players", "2", "--seed", "4", "--json"]) == 0
    *_, last, game = (json.loads(line) for line in capsys.readouterr().out.splitlines())
    written = [re.findall(r'(?:{|, )"(\w+)"', form) for form in forms]
    assert written == [list(last)[2:], list(game)[2:]]


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("--preset", "goat-2p"), "need --game"),
        (("--game", "whist"), "--game: expected one of dominoes, estimation, not 'whist'"),
        (("--game", "dominoes", "--preset", "goat-2p", "--players", "4"), "not 4"),
        (
            ("--game", "dominoes", "--preset", "sea-goat", "--players", "3"),
            "demo: sea-goat is for 2 or 4 players, not 3; choose another number of players",
        ),
        (("--game", "dominoes", "--option", "limits=3"), "limits"),
    ],
    ids=" ".join,
)
def test_a_match_that_cannot_be_played_is_a_sentence(words, says, capsys):
    assert main(["demo", *words]) == 2
    out, err = capsys.readouterr()
    assert not out and says in err and err.count("\n") == 1
