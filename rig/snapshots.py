"""A table as text, to save replaying the games before this one.

A snapshot follows from the events and is never the only copy of anything. One that is damaged, or
that other code made, is ignored, and everything is replayed.
"""

import hashlib
import json
import logging
from functools import cache
from pathlib import Path
from typing import cast

from rig.errors import RigError
from rig.games.estimation.game import Game
from rig.games.estimation.options import Options
from rig.journal import Journal, Snapshot
from rig.salvage import Damage, replace_file
from rig.serialise import from_plain, to_plain
from rig.session.state import Table, apply, from_record

log = logging.getLogger(__name__)

LONG = 2000
"""Events after which a new snapshot is worth it: replaying them takes about a tenth of a second."""


def taken(table: Table, made_by: str) -> Snapshot:
    """Write a table down, secrets included."""
    text = json.dumps(to_plain(table), ensure_ascii=False, separators=(",", ":"))
    return Snapshot(made_by, text)


def restored(snapshot: Snapshot) -> Table:
    """Read a table.

    Raises:
        NotPlain: it has another shape.
        ValueError: it is no JSON.
    """
    return cast(Table, from_plain(Table, json.loads(snapshot.text), "Table"))


def replayed(journal: Journal, options: Options, made_by: str) -> Table:
    """The table of a journal: the last snapshot of it, and what came after.

    If an event makes no sense, the journal is stopped before it.

    Args:
        journal: it is only read, except that a snapshot is added if much had to be replayed.
        options: those of a new table.
        made_by: what `maker()` says.
    """
    table, v = Table(game=Game(options=options)), 0
    kept = journal.snapshot(made_by)
    if kept is not None:
        try:
            table, v = restored(kept), kept.v
        except (RigError, ValueError) as error:
            log.info("snapshot %d cannot be read: %s", kept.v, error)
    since, kind = v, ""
    try:
        for record in journal.events(since):
            kind = record.type
            table, v = apply(table, from_record(record)), record.v
    except Exception as error:  # a game's functions are not made for what cannot be
        # The error's own words might tell what is secret.
        log.info("event %d cannot follow", v + 1, exc_info=error)
        journal.stop_before(v + 1, f"({kind}) cannot follow what stands before it")
    if v - since > LONG:
        journal.keep(taken(table, made_by))
    return table


def recover(path: Path, options: Options) -> Damage | None:
    """Make a damaged journal usable again from its good part; the damaged file is kept aside.

    Returns:
        What was wrong with it; None if nothing was, and nothing was done.

    Raises:
        JournalUnusable: it cannot be read, or its place cannot be written.
        DiskTrouble: there is no room for it.
    """
    journal = Journal(path)
    try:
        table = replayed(journal, options, maker(options))
        if journal.damage is None:
            return None
        numbers = range(1, table.pictures + 1)
        pictures = {n: jpeg for n in numbers if (jpeg := journal.picture(n)) is not None}
        new = path.with_name(f"{path.name}.new")
        new.unlink(missing_ok=True)
        fresh = Journal(new)
        try:
            fresh.append(list(journal.events()), pictures=pictures)
        finally:
            fresh.close()
        replace_file(new, path)
        return journal.damage
    finally:
        journal.close()


def maker(options: Options) -> str:
    """Name the code that folds events into a table, and the options that a new table has.

    A change in that code may make different tables, so older snapshots are then ignored.
    """
    given = json.dumps(to_plain(options), sort_keys=True)
    return hashlib.sha256(_code() + given.encode()).hexdigest()[:16]


@cache
def _code() -> bytes:
    here = Path(__file__).parent
    digest = hashlib.sha256()
    folds = ("*.py", "session/*.py", "games/**/*.py")
    for path in sorted(path for fold in folds for path in here.glob(fold)):
        digest.update(path.read_bytes())
    return digest.digest()
