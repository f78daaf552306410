"""The proof of a game whose file has its commands: each is decided again, and compared.

While a match goes on, its file withholds what was asked for: then events are only followed.
"""

from collections.abc import Callable, Sequence
from dataclasses import fields
from typing import Any

from rig.errors import RigError
from rig.games.interface import STARTED, Data
from rig.games.phrase import Phrase
from rig.serialise import from_plain
from rig.session.events import CommandTaken
from rig.session.fingerprint import AnyPlay
from rig.session.state import Table


def decided_again(
    table: Table,
    events: Sequence[Data | None],
    play: AnyPlay,
    find: Callable[..., None],
    hidden: Sequence[frozenset[str]],
) -> Table:
    """Go through the events of a file, asking the rules for every command.

    Args:
        table: the table before the first of them.
        events: what happened; None for what is withheld.
        play: the game.
        find: is told the place and the way of everything that is not as the rules have it, with
            facts by name.
        hidden: the fields of each event that are withheld, too.

    Returns:
        The table after the last event that could follow.
    """
    due: tuple[Data, ...] | None = ()
    for at, (event, withheld) in enumerate(zip(events, hidden, strict=True)):
        if event is None:
            continue
        name = type(event).__name__
        if isinstance(event, CommandTaken):
            if due:
                find(at, "due", event=type(due[0]).__name__)
            due = None if withheld else _decided(table, event, play)
            if due == ():
                actor = Phrase(f"proof.by.{event.actor}", otherwise=event.actor)
                find(at, "forbidden", command=event.command, actor=actor)
        elif name in play.rules.events and due is not None and not (at == 0 and name == STARTED):
            if not due or not _alike(due[0], event, withheld):
                find(at, "other", event=name)
                return table
            event, due = due[0], due[1:]  # what is withheld follows from the command
        try:
            table = play.apply(table, event)
        except Exception:  # a game's functions are not made for what cannot be
            find(at, "impossible", event=name)
            return table
    if due:
        find(len(events) - 1, "half")
    return table


def _alike(due: Data, event: Data, withheld: frozenset[str]) -> bool:
    """Whether an event is the one that was due, as far as it is told."""
    if type(due) is not type(event):
        return False
    told = (field.name for field in fields(due) if field.name not in withheld)
    return all(getattr(due, name) == getattr(event, name) for name in told)


def _decided(table: Table, taken: CommandTaken, play: AnyPlay) -> tuple[Data, ...]:
    """What follows from a command; nothing where it is not allowed, or is none."""
    kind: Any = play.commands_by_class.get(taken.command)
    try:
        command = from_plain(kind, dict(taken.data), taken.command)
        return tuple(play.rules.decide(table.game, taken.actor, command))
    except (RigError, TypeError):
        return ()
