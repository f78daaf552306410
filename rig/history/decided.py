"""The proof of a game whose file has its commands: each is decided again, and compared."""

from collections.abc import Callable, Sequence
from typing import Any

from rig.errors import RigError
from rig.games.interface import STARTED, Data
from rig.serialise import from_plain
from rig.session.events import CommandTaken
from rig.session.fingerprint import AnyPlay
from rig.session.state import Table


def decided_again(
    table: Table,
    events: Sequence[Data | None],
    play: AnyPlay,
    find: Callable[[int, str], None],
) -> Table:
    """Go through the events of a file, asking the rules for every command.

    Args:
        table: the table before the first of them.
        events: what happened; None for what is withheld.
        play: the game.
        find: is told the place and a sentence for everything that is not as the rules have it.

    Returns:
        The table after the last event that could follow.
    """
    due: tuple[Data, ...] = ()
    for at, event in enumerate(events):
        if event is None:
            continue
        name = type(event).__name__
        if isinstance(event, CommandTaken):
            if due:
                find(at, f"{type(due[0]).__name__} should have followed the command before")
            due = _decided(table, event, play)
            if not due:
                find(at, f"the rules do not allow {event.command} to {event.actor} at that moment")
        elif name in play.rules.events and not (at == 0 and name == STARTED):
            if not due or due[0] != event:
                find(at, f"{name} is not what the rules make of the command before it")
                return table
            due = due[1:]
        try:
            table = play.apply(table, event)
        except Exception:  # a game's functions are not made for what cannot be
            find(at, f"{name} cannot follow here")
            return table
    if due:
        find(len(events) - 1, "part of what was written together with it is missing")
    return table


def _decided(table: Table, taken: CommandTaken, play: AnyPlay) -> tuple[Data, ...]:
    """What follows from a command; nothing where it is not allowed, or is none."""
    kind: Any = play.commands_by_class.get(taken.command)
    try:
        command = from_plain(kind, dict(taken.data), taken.command)
        return tuple(play.rules.decide(table.game, taken.actor, command))
    except (RigError, TypeError):
        return ()
