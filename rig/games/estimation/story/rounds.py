"""The story of a game, round by round, out of its journal."""

from collections.abc import Iterable
from typing import Any

from rig.games.estimation import events as ev
from rig.games.estimation.game import Game
from rig.games.estimation.table.estimation_play import from_record
from rig.journal import Record
from rig.row.push_events import OutcomeSeen, PushRequested


def round_lines(records: Iterable[Record]) -> list[dict[str, Any]]:
    """Tell every scored round of the newest game as one JSON-ready object.

    `ms` is the processor's wall time of each stage since the round before, in milliseconds.
    """
    lines: list[dict[str, Any]] = []
    now: dict[str, Any] = {}
    chips: dict[str, int] = {}
    for record in records:
        match from_record(record):
            case ev.GameStarted(seats, _):
                lines, chips = [], dict.fromkeys(seats, 0)
            case ev.RoundDealt(number, _, _):
                now = {"round": number}
            case ev.TilePlaced(seat=seat) | ev.TileMoved(seat=seat):
                now["placer"] = seat
            case ev.DominoCalled(caller=caller):
                now["caller"] = caller
            case ev.BallotsRevealed(ballots):
                now["ballots"] = {seat: side.value for seat, side in ballots.items()}
            case ev.AccidentConfirmed(_, won):
                chips = {seat: n + won.get(seat, 0) for seat, n in chips.items()}
            case PushRequested(value=value, forecast=forecast):
                now["push_value"] = value
                now["p_fall"] = round(forecast.p_fall, 3) if forecast else None
            case OutcomeSeen(seen, ms):
                now["fallen"], now["ms"] = list(seen.fallen), dict(ms)
            case ev.OutcomeJudged(outcome, won):
                chips = {seat: n + won.get(seat, 0) for seat, n in chips.items()}
                lines.append(_line(now, outcome.value, chips))
            case _:
                pass
    return lines


def _line(now: dict[str, Any], outcome: str, chips: dict[str, int]) -> dict[str, Any]:
    return {
        "kind": "round",
        "round": now.get("round"),
        "placer": now.get("placer"),
        "caller": now.get("caller"),
        "ballots": now.get("ballots", {}),
        "push_value": now.get("push_value"),
        "p_fall": now.get("p_fall"),
        "outcome": outcome,
        "fallen": now.get("fallen", []),
        "chips": dict(chips),
        "ms": now.get("ms", {}),
    }


def game_line(game: Game) -> dict[str, Any]:
    """Tell how the game ended as one JSON-ready object."""
    return {
        "kind": "game",
        "chips": dict(game.chips),
        "accident_chips": dict(game.accident_chips),
        "winners": list(game.winners),
        "rounds": len(game.history),
    }
