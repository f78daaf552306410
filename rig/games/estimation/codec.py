"""encode() and decode(): events as JSON-ready data for the journal, and back."""

from dataclasses import fields
from typing import Any, cast, get_args

from rig.games.estimation.events import Event
from rig.games.plain import NotPlain, from_plain, to_plain

KINDS: dict[str, type[Event]] = {kind.__name__: kind for kind in get_args(Event)}


def encode(event: Event) -> dict[str, Any]:
    """The event as JSON-ready data, its name under "type".

    >>> from rig.games.estimation.events import BallotLocked
    >>> encode(BallotLocked("ana"))
    {'type': 'BallotLocked', 'seat': 'ana'}
    """
    return {"type": type(event).__name__, **to_plain(event)}


def decode(data: dict[str, Any]) -> Event:
    """The event that was written as this data.

    Raises:
        NotPlain: there is no such event, or a field is missing, unknown or of another type.
        BadOption: an option of the game has a value it cannot have.
    """
    name = data.get("type")
    if not isinstance(name, str) or name not in KINDS:
        raise NotPlain(f"event type {name!r} is not known, expected one of {', '.join(KINDS)}")
    rest = {key: value for key, value in data.items() if key != "type"}
    return cast(Event, from_plain(KINDS[name], rest, name))


def secret(event: Any) -> frozenset[str]:
    """The fields that nobody but their seat may see before the ballots are revealed."""
    return frozenset(f.name for f in fields(event) if f.metadata.get("secret"))
