"""A table as text, to save replaying the games before this one.

A snapshot follows from the events and is never the only copy of anything. One that is damaged, or
that other code made, is ignored, and everything is replayed.
"""

import hashlib
import json
import logging
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache, reduce
from pathlib import Path
from typing import Any, TypeVar

from rig.errors import RigError
from rig.games.registry import ESTIMATION, play_of
from rig.journal import Journal, Record, Snapshot
from rig.salvage import Damage, replace_file
from rig.serialise import from_plain, to_plain
from rig.session.events import ALONE, GameChosen, Past
from rig.session.playing import Play, followed_by
from rig.session.state import Table

log = logging.getLogger(__name__)

T = TypeVar("T", bound=Table)
Rules = Mapping[str, object]
"""The options of a game by name, as `[rules]` in the settings has them."""

LONG = 2000
"""Events after which a new snapshot is worth it: replaying them takes about a tenth of a second."""


def taken(table: Table, made_by: str) -> Snapshot:
    """Write a table down, secrets included."""
    text = json.dumps(to_plain(table), ensure_ascii=False, separators=(",", ":"))
    return Snapshot(made_by, text)


def restored(snapshot: Snapshot, play: Play[T, Any, Any]) -> T:
    """Read a table.

    Args:
        snapshot: what was taken.
        play: its game.

    Raises:
        NotPlain: it has another shape.
        ValueError: it is no JSON.
    """
    data, blank = json.loads(snapshot.text), play.table()
    table: T = from_plain(type(blank), data, "Table")
    if not isinstance(table.game, type(blank.game)):
        table = replace(table, game=from_plain(type(blank.game), data["game"], "game"))
    started = table.started and replace(table.started, pasts=_pasts(table.started.pasts, play))
    return replace(table, pasts=_pasts(table.pasts, play), started=started)


def _pasts(pasts: Sequence[Past], play: Play[T, Any, Any]) -> tuple[Past, ...]:
    """The steps that can be undone, those of the game in its own words."""
    return tuple(
        past
        if past.before is None
        else replace(past, before=from_plain(play.step, past.before, "step"))
        for past in pasts
    )


def game_of(journal: Journal) -> str:
    """The name of the game that a journal is of, "" where it does not say."""
    v = journal.newest(GameChosen.__name__)
    named = list(journal.events(v - 1, 1)) if v else []
    return str(named[0].public.get("game", "")) if named else ""


def first_game_of(journal: Journal) -> str:
    """The name of the game that a journal begins with, "" where it does not say."""
    named = [each for each in journal.events(0, 1) if each.type == GameChosen.__name__]
    return str(named[0].public.get("game", "")) if named else ""


def replayed(journal: Journal, play: Play[T, Any, Any], options: Rules, made_by: str) -> T:
    """The table of a journal: the last snapshot of it, and what came after.

    If an event makes no sense, the journal is stopped before it. If the journal is locked, the
    table is the one before the round whose key is missing, with the people who sit there now.

    Args:
        journal: it is only read; where much had to be replayed, a snapshot is added.
        play: the game that is played at its end.
        options: those of a new table.
        made_by: what `maker()` says.
    """
    table, v, now = play.table(options), 0, play
    kept = journal.snapshot(made_by)
    if kept is not None and kept.v >= journal.newest(GameChosen.__name__):
        try:
            table, v = restored(kept, play), kept.v
        except (RigError, ValueError) as error:
            log.info("snapshot %d cannot be read: %s", kept.v, error)
    first = (first_game_of(journal) or ESTIMATION) if v == 0 and journal.version else play.name
    if first != play.name:
        now = play_of(first)
        table = now.table()
    since, kind = v, ""
    try:
        for record in journal.events(since):
            kind = record.type
            now, table = followed_by(now, table, record, now.read(record))
            v = record.v
    except Exception as error:  # a game's functions are not made for what cannot be
        # The error's own words might tell what is secret.
        log.info("event %d cannot follow", v + 1, exc_info=error)
        journal.stop_before(v + 1, kind)
    if now is not play:  # another game was chosen only after that
        return play.takes_over(table)
    if journal.locked:
        return reduce(play.apply, map(play.read, _of_table(journal, v)), table)
    if v - since > LONG:
        journal.keep(taken(table, made_by))
    return table


def _of_table(journal: Journal, since: int) -> Iterator[Record]:
    """What has happened to the table after a version, whatever was played meanwhile."""
    names = {kind.__name__ for kind in ALONE}
    return (each for each in journal.events(since, locked=True) if each.type in names)


def recover(path: Path, options: Rules) -> Damage | None:
    """Have a damaged journal begin again with what is good of it; the damaged file is kept aside.

    Returns:
        What was wrong with it; None if nothing was, and nothing was done.

    Raises:
        JournalUnusable: it cannot be read, or its place cannot be written.
        DiskTrouble: there is no room for it.
    """
    journal = Journal(path)
    try:
        play = play_of(game_of(journal))
        table = replayed(journal, play, options, maker(play, options))
        if journal.damage is None:
            return None
        new = path.with_name(f"{path.name}.new")
        new.unlink(missing_ok=True)
        journal.save_good(new, table.pictures)
        replace_file(new, path)
        return journal.damage
    finally:
        journal.close()


def maker(play: Play[Any, Any, Any], options: Rules) -> str:
    """Name the code that folds events into a table, and the options that a new table has.

    A change in that code may make different tables, so older snapshots are then ignored.
    """
    given = json.dumps(dict(play.rules.options(play.table(options).game)), sort_keys=True)
    return hashlib.sha256(_code() + given.encode()).hexdigest()[:16]


@cache
def _code() -> bytes:
    here = Path(__file__).parent
    digest = hashlib.sha256()
    folds = ("*.py", "session/*.py", "games/**/*.py")
    for path in sorted(path for fold in folds for path in here.glob(fold)):
        digest.update(path.read_bytes())
    return digest.digest()
