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
from rig.games.estimation.story.narrator import outcome_phrase
from rig.games.estimation.table.estimation_table import EstimationTable
from rig.games.phrase import Fact, Phrase
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
    (ev.OutcomeJudged, "won"): "push",
    (ev.AccidentConfirmed, "won"): "accident",
    (ev.AccidentTakenBack, "returned"): "unpaid",
    (ev.VerdictCorrected, "won"): "corrected",
    (ev.VerdictCorrected, "returned"): "returned",
    (ev.RoundVoided, "returned"): "void",
}
"""What chips are paid or given back for."""


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


def wrong(due: ev.Event, event: ev.Event) -> tuple[Kind, str, Mapping[str, Fact]] | None:
    """What is wrong with an event, given what was due: its sums, or who has won.

    Seals are looked at where their salts are shown.

    Returns:
        The kind, the way and the facts of the finding, None if nothing is wrong.
    """
    off = _off(due, event) - {"seals"}
    if not off:
        return None
    match due, event:
        case ev.GameEnded(_, right), ev.GameEnded(_, said):
            how = "ranking" if {*right} == {*said} else ""
            return "winners", how, {"right": _listed(right), "said": _listed(said)}
        case (
            (ev.OutcomeJudged() | ev.VerdictCorrected()),
            (ev.OutcomeJudged() | ev.VerdictCorrected()),
        ) if "outcome" in off:
            fell, stood = outcome_phrase(due.outcome), outcome_phrase(event.outcome)
            of = {"right": _sum(due.won), "outcome": fell, "said": stood}
            return "paid", f"{_PAID[type(due), 'won']}.outcome", of
        case ev.VerdictCorrected(), ev.VerdictCorrected() if {"won", "returned"} <= off:
            sums = {"right": _sum(due.won), "said": _sum(event.won)}
            back = {"back": _sum(due.returned), "back_said": _sum(event.returned)}
            return "paid", "corrected.both", {**sums, **back}
    name = min(off)
    sums = {"right": _sum(getattr(due, name)), "said": _sum(getattr(event, name))}
    return "paid", _PAID[type(due), name], sums


def _sum(chips: Mapping[str, int]) -> Fact:
    told = [f"{seat} {n}" for seat, n in sorted(chips.items()) if n]
    return told or Phrase("proof.nothing")


def _listed(seats: Sequence[str]) -> Fact:
    return sorted(seats) or Phrase("proof.nobody")
