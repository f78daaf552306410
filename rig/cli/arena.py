"""`domino-rig arena`: two bots play rounds against each other, every deal on exchanged seats."""

import json
import time
from argparse import Namespace
from collections.abc import Iterator
from multiprocessing import get_context
from typing import Any

from rig.cli.choosing import chosen
from rig.games.registry import play_of, words_of
from rig.search.contest import BadContest, Contest, interval
from rig.search.port_model import model_for

_contest: Contest | None = None
_game = ""


def run(args: Namespace) -> int:
    """Play the rounds and print each as it ends, then the result."""
    words_of(args.game)  # says so if this game is none for programs
    game, options = chosen(args)
    names = tuple(name.strip() for name in args.bots.split(","))
    given = (game, options, args.players, names, args.seed)
    contest = _made(*given)
    contest.begun()
    if args.rounds < 1:
        raise BadContest(f"--rounds: expected 1 or more, not {args.rounds}")
    won, drawn, cpu_s = dict.fromkeys(names, 0), 0, 0.0
    points = dict.fromkeys(names, 0.0)
    for number, (line, took_s) in enumerate(_rounds(given, args.rounds, args.jobs), 1):
        cpu_s += took_s
        first, second = (line["points"][name] for name in names)
        if first == second:
            drawn += 1
        else:
            won[names[first < second]] += 1
        for name in names:
            points[name] += line["points"][name]
        print(json.dumps(line) if args.json else _row(number, line), flush=True)
    low, high = interval(won[names[0]], sum(won.values()))
    result = {
        "kind": "arena",
        "rounds": args.rounds,
        "won": won,
        "drawn": drawn,
        "points": {name: round(points[name] / args.rounds, 3) for name in names},
        "low": round(low, 4),
        "high": round(high, 4),
        "cpu_s": round(cpu_s, 2),
    }
    print(json.dumps(result) if args.json else _sum(result), flush=True)
    return 0


def _made(game: str, options: Any, players: int, names: tuple[str, ...], seed: int) -> Contest:
    rules = play_of(game).rules
    return Contest(rules, model_for(rules), options, players, names, seed)


def _rounds(given: Any, rounds: int, jobs: int) -> Iterator[tuple[dict[str, Any], float]]:
    """The lines of all rounds in their order, each with the CPU time it took."""
    if jobs == 1:
        _begin(*given)
        yield from map(_round, range(rounds))
        return
    with get_context("spawn").Pool(jobs, _begin, given) as pool:
        yield from pool.imap(_round, range(rounds), chunksize=4)


def _begin(*given: Any) -> None:
    global _contest, _game
    _contest, _game = _made(*given), given[0]


def _round(number: int) -> tuple[dict[str, Any], float]:
    assert _contest is not None
    start_s = time.process_time()
    played = _contest.round(number)
    words = words_of(_game).command_words
    line = {
        "kind": "round",
        "order": list(played.order),
        "seats": list(played.seats),
        "moves": [words(game, seat, command) for game, seat, command in played.moves],
        "points": {name: _whole(points) for name, points in played.points.items()},
    }
    return line, time.process_time() - start_s


def _whole(points: float) -> float:
    return int(points) if points == int(points) else points


def _row(number: int, line: dict[str, Any]) -> str:
    points = "   ".join(f"{name} {amount:+4}" for name, amount in line["points"].items())
    return f"{number:5}   {points}   {len(line['moves']):3} moves   seats {' '.join(line['seats'])}"


def _sum(result: dict[str, Any]) -> str:
    first, second = result["won"]
    decided = sum(result["won"].values())
    share = f"{result['won'][first] / decided:.3f}" if decided else "none"
    points = ", ".join(f"{name} {amount:+.2f}" for name, amount in result["points"].items())
    return (
        f"{first} won {result['won'][first]} of {decided} decided rounds against {second}, "
        f"{result['drawn']} drawn. Share {share} (95 %: {result['low']:.3f} to "
        f"{result['high']:.3f}). Points a round: {points}. CPU {result['cpu_s']:.1f} s."
    )
