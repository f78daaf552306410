"""What an event of Estimation Domino follows from: its command is put together and decided again.

Journals of this game keep events alone, as they have from the first day. Whatever a command brings
along, its events repeat under the same names, chance and times among them; so at each moment every
command that the rules know there can be asked for once more, and what follows is compared.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

from rig.games.estimation import commands as cmd
from rig.games.estimation import events as ev
from rig.games.estimation.decide import SEAT, TABLE, decide
from rig.games.estimation.game import Game
from rig.games.estimation.story.authority import may_ask
from rig.games.estimation.table.estimation_table import EstimationTable
from rig.history.proof import Kind

_RECKONED: Mapping[type[ev.Event], tuple[str, ...]] = {
    ev.BallotsLocked: ("seals",),
    ev.OutcomeJudged: ("won", "outcome"),
    ev.AccidentConfirmed: ("won",),
    ev.AccidentTakenBack: ("returned",),
    ev.VerdictCorrected: ("won", "returned", "outcome"),
    ev.RoundVoided: ("returned",),
    ev.GameEnded: ("winners", "ranking"),
}
"""What follows by reckoning alone: where only this is wrong, it can be said what is right."""
_PAID = {
    (ev.OutcomeJudged, "won"): "the push",
    (ev.AccidentConfirmed, "won"): "the accident",
    (ev.AccidentTakenBack, "returned"): "the accident taken back",
    (ev.VerdictCorrected, "won"): "the correction",
    (ev.VerdictCorrected, "returned"): "the return",
    (ev.RoundVoided, "returned"): "the void round",
}


@dataclass(frozen=True, slots=True)
class Decided:
    """What a command gives, and whether it was the actor's to give."""

    events: tuple[ev.Event, ...] = ()
    theirs: bool = True


def decided_again(
    table: EstimationTable, who: str, events: Sequence[ev.Event], alone: bool = False
) -> Decided:
    """Find the command that brings about the events at the head of `events`.

    Args:
        table: the table before them.
        who: whose doing they are said to be.
        events: those of the game, the ballots' sides and salts filled in where they are known.
        alone: the first of them was written alone.

    Returns:
        What follows from that command, of several the shortest; nothing if there is none. It is
        longer than `events` where the end is missing, and `wrong` tells where it differs.
    """
    game = table.game
    if isinstance(events[0], ev.GameStarted):
        game = replace(game, options=events[0].options)
    asked = [(may_ask(table, who, *move), *move) for move in _moves(game, events, alone)]
    for theirs in (True, False):
        found = [
            due
            for might, actor, command in asked
            if might is theirs and (due := _due(game, actor, command, events))
        ]
        if found:
            exact = [due for due in found if not any(map(_off, due, events))]
            return Decided(min(exact or found, key=len), theirs)
    return Decided()


def _moves(
    game: Game, events: Sequence[ev.Event], alone: bool
) -> Iterator[tuple[str, cmd.Command]]:
    """All that could be asked for at this moment, with what the events tell of it.

    What they do not tell makes no difference: how late it was when the ballots were closed.
    """
    # A last ballot that was written alone did not lock the others.
    told: dict[str, Any] = {"at_s": math.inf, "closes": not alone}
    for event in events[1::-1]:
        told |= {field.name: getattr(event, field.name) for field in fields(event)}
    if isinstance(events[0], ev.GameStarted):  # drawn or chosen, the first seat is the same
        seats, first = events[0].seats, told.pop("first", None)
        told["draw"] = seats.index(first) if first in seats else 0
    for (phase, kind), transition in TABLE.items():
        if phase is not game.phase:
            continue
        try:
            command = kind(**{f.name: told[f.name] for f in fields(kind) if f.name in told})
        except TypeError:  # nothing is told that it brings along
            continue
        for actor in transition.actors:
            yield from ((each, command) for each in (game.seats if actor == SEAT else (actor,)))


def _due(
    game: Game, actor: str, command: cmd.Command, events: Sequence[ev.Event]
) -> tuple[ev.Event, ...]:
    """What follows from a command, if it is what has happened, but for what is only reckoned."""
    try:
        due = decide(game, actor, command)
    except Exception:  # refused; or a moment that no rule is made for, after a forged event
        return ()
    return due if all(map(_alike, due, events)) else ()


def _alike(due: ev.Event, event: ev.Event) -> bool:
    """Whether two events are the same, but for sums; chips for another outcome are no such slip."""
    if type(due) is not type(event):
        return False
    off = _off(due, event)
    if "outcome" in off and len(off) > 1:
        return False
    sums = [(getattr(due, name), getattr(event, name)) for name in off & {"won", "returned"}]
    return off <= {*_RECKONED.get(type(due), ())} and all(_sum(a) != _sum(b) for a, b in sums)


def _off(due: ev.Event, event: ev.Event) -> set[str]:
    """The fields in which two events of a kind differ."""
    if due == event:
        return set()
    return {f.name for f in fields(due) if getattr(due, f.name) != getattr(event, f.name)}


def wrong(due: ev.Event, event: ev.Event) -> tuple[Kind, str]:
    """What is wrong with an event, given what was due: its sums, or who has won; "" for nothing.

    Seals are looked at where their salts are shown.
    """
    said: list[str] = []
    for name in sorted(_off(due, event) - {"seals"}):
        right, other = getattr(due, name), getattr(event, name)
        match name:
            case "winners" if {*right} != {*other}:
                said = [f"the winners are {_listed(right)}, and it says {_listed(other)}"]
            case "winners" | "ranking":
                said = said or ["the ranking is not that of the chips"]
            case "outcome" if isinstance(due, ev.OutcomeJudged | ev.VerdictCorrected):
                worth = f"{_PAID[type(due), 'won']} is worth {_sum(due.won)}"
                said.append(f"{worth} as the row {right.value}, and it says that it {other.value}")
            case _:
                what = _PAID[type(due), name]
                said.append(f"{what} is worth {_sum(right)}, and it says {_sum(other)}")
    return "winners" if isinstance(due, ev.GameEnded) else "paid", "; ".join(said)


def _sum(chips: Mapping[str, int]) -> str:
    return ", ".join(f"{seat} {n}" for seat, n in sorted(chips.items()) if n) or "nothing"


def _listed(seats: Sequence[str]) -> str:
    return ", ".join(sorted(seats)) or "nobody"
