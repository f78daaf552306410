"""The fold of a journal: each event with the table before and after it."""

from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

from rig.errors import RigError
from rig.games.interface import Data
from rig.journal import Record
from rig.serialise import NotPlain
from rig.session.fingerprint import AnyPlay
from rig.session.playing import followed_by


class FoldStep(NamedTuple):
    """What one record did.

    Attributes:
        record: as it stands in the journal, or in a file.
        event: what happened; None where that is withheld.
        before: the table before it.
        after: the table after it.
        play: what is played after it.
    """

    record: Record
    event: Any
    before: Any
    after: Any
    play: AnyPlay


def steps(
    records: Iterable[Record],
    play: AnyPlay,
    table: Any = None,
    read: Callable[[Record], Data | None] | None = None,
) -> Iterator[FoldStep]:
    """Fold records one by one.

    Args:
        records: as they follow one another.
        play: the game before the first; a record can choose another one.
        table: the table before the first, None for one at which nothing has happened.
        read: gives the event of a record, None as journals have them.

    Raises:
        NotPlain: a record is no event, or cannot follow those before it.
    """
    after = play.table() if table is None else table
    for record in records:
        event, before = (read or play.read)(record), after
        try:
            play, after = followed_by(play, before, record, event)
        except RigError:
            raise
        except Exception as error:  # a game's functions are not made for what cannot be
            raise NotPlain(cannot_follow(record)) from error
        yield FoldStep(record, event, before, after, play)


def cannot_follow(record: Record) -> str:
    """Say that an event is in no game that was played."""
    return f"event {record.v} cannot follow what stands before it: the file was changed"
