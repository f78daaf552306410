"""The tables of a journal's file: what stands in them, and how it is seen that it still does.

Each row of `event` has a link, the SHA-256 of the link before it and of its own columns, and `head`
has their number and the last link.
"""

import hashlib
import json
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rig.errors import KeyedError
from rig.links import following, row_link
from rig.private import UNDER_KEY, RoundKey, WrongKey, key_name

SCHEMA = 3
"""The newest version of the file that this program reads."""
_PLAIN = 2
"""That of a journal in which no round was kept under a key; an older program reads it, too."""
APPLICATION = int.from_bytes(b"DOMI", "big")
"""Application id in the header of the file; the first version had none."""
ANSWERS = 4096
"""Answers kept. A phone asks again within seconds, and all phones together send at most ten
commands a second, so these cover at least some minutes."""
FIRST_LINK = following("", b"domino-rig-journal")
_TABLES = """
CREATE TABLE event (
    v INTEGER PRIMARY KEY, at REAL NOT NULL, actor TEXT NOT NULL, cmd_id TEXT,
    type TEXT NOT NULL, public_json TEXT NOT NULL, secret_json TEXT, link TEXT NOT NULL
);
CREATE TABLE head (one INTEGER PRIMARY KEY CHECK (one = 1), v INTEGER NOT NULL, link TEXT NOT NULL);
CREATE TABLE snapshot (
    v INTEGER PRIMARY KEY, made_by TEXT NOT NULL, secret_json TEXT NOT NULL, link TEXT NOT NULL
);
CREATE TABLE done (
    n INTEGER PRIMARY KEY, device TEXT NOT NULL, cmd_id TEXT NOT NULL, v INTEGER NOT NULL,
    reply TEXT NOT NULL, UNIQUE (device, cmd_id)
);
CREATE TABLE picture (n INTEGER PRIMARY KEY, jpeg BLOB NOT NULL, hash TEXT NOT NULL)
"""
COLUMNS = "v, at, actor, cmd_id, type, public_json, secret_json"
_NOT_DAMAGE = frozenset(
    {
        sqlite3.SQLITE_AUTH,
        sqlite3.SQLITE_BUSY,
        sqlite3.SQLITE_CANTOPEN,
        sqlite3.SQLITE_FULL,
        sqlite3.SQLITE_LOCKED,
        sqlite3.SQLITE_NOMEM,
        sqlite3.SQLITE_PERM,
        sqlite3.SQLITE_READONLY,
    }
)
_READ_ERRORS = frozenset({sqlite3.SQLITE_IOERR_READ, sqlite3.SQLITE_IOERR_SHORT_READ})
SQL_ERRORS = (sqlite3.Error, UnicodeDecodeError)
"""Errors from reading SQLite; its messages about damage can be damaged too and not be text."""


class Broken(KeyedError):
    """A row, or the table that holds it, is not as it was written."""


class LostKey(Broken):
    """The key of an older round is not there: from event `v` on nothing can be told."""

    def __init__(self, v: int) -> None:
        super().__init__(f"the key of event {v} is not as it was written", "damage.key", event=v)
        self.v = v


def is_picture(jpeg: Any, digest: Any) -> bool:
    """Whether a picture is as it was taken."""
    return isinstance(jpeg, bytes) and hashlib.sha256(jpeg).hexdigest() == digest


def insert_picture(db: sqlite3.Connection, n: int, jpeg: bytes) -> None:
    """Write a picture, with what tells later whether it is still the same."""
    digest = hashlib.sha256(jpeg).hexdigest()
    db.execute("INSERT INTO picture VALUES (?, ?, ?)", (n, jpeg, digest))


def make_tables(db: sqlite3.Connection) -> None:
    """Make the tables of a new journal; all are empty, `head` too."""
    for statement in _TABLES.split(";"):
        db.execute(statement)
    db.execute(f"PRAGMA user_version={_PLAIN}")
    db.execute(f"PRAGMA application_id={APPLICATION}")


def make_room_for_keys(db: sqlite3.Connection) -> None:
    """Make the table of keys, if there is none: from now on there are rounds under a key."""
    db.execute("CREATE TABLE IF NOT EXISTS round_key (name TEXT PRIMARY KEY, value TEXT NOT NULL)")
    db.execute(f"PRAGMA user_version={SCHEMA}")


def put_key(db: sqlite3.Connection, key: RoundKey) -> None:
    """Write down the key of a round that is over."""
    db.execute("INSERT OR REPLACE INTO round_key VALUES (?, ?)", (key.name, key.value))


def keys_of(db: sqlite3.Connection) -> dict[str, RoundKey]:
    """The keys of rounds that are over, by name; one that is not as it was written is none."""
    if not db.execute("SELECT 1 FROM sqlite_master WHERE name = 'round_key'").fetchone():
        return {}
    rows = db.execute("SELECT name, value FROM round_key").fetchall()
    return {name: key for name, value in rows if (key := RoundKey(str(value))).name == name}


def runs_under_key(db: sqlite3.Connection) -> dict[str, tuple[int, str, str]]:
    """The first event under each key, by its name, oldest first: its version, type and secrets."""
    query = "SELECT v, type, secret_json FROM event WHERE secret_json LIKE ? ORDER BY v DESC"
    rows = db.execute(query, (UNDER_KEY + "%",)).fetchall()
    first = {name: (v, kind, text) for v, kind, text in rows if (name := key_name(text))}
    return dict(sorted(first.items(), key=lambda run: run[1]))


def lost_key(runs: Mapping[str, tuple[int, str, str]], keys: Mapping[str, RoundKey]) -> int:
    """The first event under a key that has to be there and does not open it; 0 where all do.

    Only that of the newest run may be missing: phones have it.

    Args:
        runs: as `runs_under_key` gives them.
        keys: those that are at hand, by name.
    """
    for name, (v, kind, text) in runs.items():
        if name not in keys:
            if name != list(runs)[-1]:
                return v
            continue
        try:
            keys[name].opened(v, kind, text)
        except WrongKey:
            return v
    return 0


def bring_along(db: sqlite3.Connection) -> None:
    """Give a journal of the first version its links, within the present transaction.

    Raises:
        Broken: something in it is not as any version wrote it.
    """
    old = ("event", "done", "picture")
    for name in old:
        db.execute(f"ALTER TABLE {name} RENAME TO old_{name}")
    make_tables(db)
    v, link = 0, FIRST_LINK
    for row in sound_rows(db, "old_event", linked=False):
        v, link = row[0], row[7]
        db.execute("INSERT INTO event VALUES (?, ?, ?, ?, ?, ?, ?, ?)", row)
    db.execute("INSERT INTO head VALUES (1, ?, ?)", (v, link))
    for n, jpeg in db.execute("SELECT n, jpeg FROM old_picture").fetchall():
        insert_picture(db, n, jpeg)
    db.execute(
        "INSERT INTO done (device, cmd_id, v, reply) SELECT device, cmd_id, v, reply FROM old_done"
        " ORDER BY v DESC LIMIT ?",
        (ANSWERS,),
    )
    for name in old:
        db.execute(f"DROP TABLE old_{name}")


def sound_rows(db: sqlite3.Connection, table: str, linked: bool) -> Iterator[tuple[Any, ...]]:
    """All events in their order, each with its link, as long as they are as they were written.

    Args:
        db: where they stand.
        table: the name of their table.
        linked: whether they have links; those of the first version are looked at for what they
            have to be instead, and get links here.

    Raises:
        Broken: the next one is not; the words say which.
    """
    v, link = 0, FIRST_LINK
    columns = f"{COLUMNS}, link" if linked else COLUMNS
    try:
        for row in db.execute(f"SELECT {columns} FROM {table} ORDER BY v"):
            if row[0] != v + 1:
                raise Broken(f"event {v + 1} is missing", "damage.missing", event=v + 1)
            link = row_link(link, row[:7])
            if linked and link != row[7]:
                raise changed(v + 1)
            if not linked:
                _look_at(row)
            v += 1
            yield (*row[:7], link)
    except (sqlite3.Error, TypeError, ValueError) as error:
        if not is_damage(error):
            raise
        words = f"event {v + 1} cannot be read ({error})"
        raise Broken(words, "damage.unread", event=v + 1) from None


def changed(v: int) -> Broken:
    """An event is not as it was written."""
    return Broken(f"event {v} is not as it was written", "damage.changed", event=v)


def not_last(v: int) -> Broken:
    """Events are missing at the end: this one is not the last that was written."""
    return Broken(f"event {v} is not the last that was written", "damage.cut", event=v)


def _look_at(row: Sequence[Any]) -> None:
    """Check that the columns of an event have the right types."""
    v, at, actor, cmd_id, kind, public, secret = row
    words = (actor, kind, cmd_id or "", public, secret or "{}")
    if type(at) is not float or not all(isinstance(word, str) for word in words):
        raise changed(v)
    try:
        fields = (json.loads(public), json.loads(secret or "{}"))
    except (ValueError, RecursionError):
        fields = (None, None)
    if not all(isinstance(each, dict) for each in fields):
        raise changed(v)


def verified(db: sqlite3.Connection) -> tuple[int, str]:
    """Check every link; give the number of events and the last link.

    Raises:
        Broken: something is not as it was written.
    """
    v, link = 0, FIRST_LINK
    for row in sound_rows(db, "event", linked=True):
        v, link = row[0], row[7]
    if head_of(db) != (v, link):
        raise not_last(v)
    return v, link


def head_of(db: sqlite3.Connection) -> tuple[Any, ...] | None:
    """How many events were written, and the last link; None where that is gone."""
    row: tuple[Any, ...] | None = db.execute("SELECT v, link FROM head").fetchone()
    return row


def end_of(db: sqlite3.Connection) -> tuple[int, str]:
    """The version of the last event that stands there, and its link."""
    row = db.execute("SELECT v, link FROM event ORDER BY v DESC LIMIT 1").fetchone()
    return row or (0, FIRST_LINK)


def is_damage(error: Exception) -> bool:
    """Whether an error comes from the file's contents, not from the disk or another process."""
    code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT)
    if code & 0xFF == sqlite3.SQLITE_IOERR:
        return code in _READ_ERRORS
    return code & 0xFF not in _NOT_DAMAGE
