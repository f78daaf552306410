"""The one event log of a table: an SQLite file to which things are only ever added.

Every change of the table is a row of `event`. What must stay secret for now (a sealed ballot, the
hidden draws of the virtual table) stands in a column of its own, so that no listing or export has
to know which word of an event is secret. `done` keeps the answer to every command, so that a
phone which asks twice is answered twice and acts once. Rows are never changed.
"""

import json
import sqlite3
import threading
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rig.errors import RigError

SCHEMA = 1

_TABLES = """
CREATE TABLE event (
    v INTEGER PRIMARY KEY, at REAL NOT NULL, actor TEXT NOT NULL, cmd_id TEXT,
    type TEXT NOT NULL, public_json TEXT NOT NULL, secret_json TEXT
);
CREATE TABLE done (
    device TEXT NOT NULL, cmd_id TEXT NOT NULL, v INTEGER NOT NULL, reply TEXT NOT NULL,
    PRIMARY KEY (device, cmd_id)
) WITHOUT ROWID;
CREATE TABLE picture (n INTEGER PRIMARY KEY, jpeg BLOB NOT NULL);
"""


class JournalUnusable(RigError):
    """The journal file cannot be used; it was left as it is."""


class JournalHeld(JournalUnusable):
    """Another process has the journal open."""


class DiskTrouble(RigError):
    """The disk does not take what has to be written; nothing was, and nothing has changed."""


@dataclass(frozen=True, slots=True)
class Record:
    """One event as it is kept.

    Attributes:
        at: seconds since 1970.
        actor: a seat, or who else made it happen.
        type: name of the event.
        public: its fields that anybody may see.
        secret: its other fields.
        cmd_id: the command it came from, if it came from one.
        v: version of the table after it, from 1; 0 until it is written.
    """

    at: float
    actor: str
    type: str
    public: Mapping[str, Any]
    secret: Mapping[str, Any] | None = None
    cmd_id: str | None = None
    v: int = 0


class Journal:
    """An open journal; one process at a time holds it.

    Args:
        path: the file, made if it is not there.

    Raises:
        JournalUnusable: no journal, one of a newer version, or held by another process. The
            file is left as it is.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock = threading.Lock()
        try:
            new = not path.exists() or (path.is_file() and path.stat().st_size == 0)
        except OSError as error:
            raise JournalUnusable(
                f"{path}: cannot be read ({error.strerror}); name another place with --journal"
            ) from None
        if not new:
            _refuse_unreadable(path)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._db = sqlite3.connect(
                path, timeout=0.5, isolation_level=None, check_same_thread=False
            )
        except (OSError, sqlite3.Error) as error:
            raise JournalUnusable(
                f"{path}: cannot be opened for writing ({error}); name another place with --journal"
            ) from None
        try:
            # Exclusive locking makes SQLite itself keep a second process out, crash-safe.
            self._db.execute("PRAGMA locking_mode=EXCLUSIVE")
            self._db.execute("PRAGMA synchronous=FULL")
            self._db.execute("BEGIN IMMEDIATE")
            if new:
                for statement in _TABLES.split(";"):
                    self._db.execute(statement)
                self._db.execute(f"PRAGMA user_version={SCHEMA}")
            self._db.execute("COMMIT")
            self._db.execute("PRAGMA journal_mode=WAL")
            (last,) = self._db.execute("SELECT coalesce(max(v), 0) FROM event").fetchone()
        except sqlite3.Error as error:
            self._db.close()
            raise _unusable(path, error) from None
        self._version = int(last)

    @property
    def path(self) -> Path:
        """The file it is in; what belongs to the same game is kept beside it."""
        return self._path

    @property
    def version(self) -> int:
        """How many events there are: the version of the table."""
        return self._version

    def append(
        self,
        records: Sequence[Record],
        done: tuple[str, str, Mapping[str, Any]] | None = None,
        pictures: Mapping[int, bytes] | None = None,
    ) -> int:
        """Write events, pictures and the answer to their command in one transaction.

        Args:
            records: the events, in order.
            done: device, command id and answer; `v` is added to the answer as it is kept.
            pictures: JPEG files by number.

        Returns:
            The version after the last of them, once it is safely on the disk.

        Raises:
            DiskTrouble: the disk is full or gone; nothing was written.
        """
        with self._lock:
            v = self._version
            try:
                self._db.execute("BEGIN IMMEDIATE")
                for record in records:
                    v += 1
                    self._db.execute(
                        "INSERT INTO event VALUES (?, ?, ?, ?, ?, ?, ?)",
                        (
                            v,
                            record.at,
                            record.actor,
                            record.cmd_id,
                            record.type,
                            _json(record.public),
                            _json(record.secret) if record.secret else None,
                        ),
                    )
                for n, jpeg in (pictures or {}).items():
                    self._db.execute("INSERT OR REPLACE INTO picture VALUES (?, ?)", (n, jpeg))
                if done is not None:
                    device, cmd_id, reply = done
                    self._db.execute(
                        "INSERT INTO done VALUES (?, ?, ?, ?)",
                        (device, cmd_id, v, _json({**reply, "v": v})),
                    )
                self._db.execute("COMMIT")
            except BaseException as error:
                self._take_back()
                if isinstance(error, sqlite3.OperationalError):
                    raise self._trouble(error) from error
                raise
            self._version = v
            return v

    def events(self, since: int = 0) -> Iterator[Record]:
        """Give the events after version `since`, oldest first."""
        with self._lock:
            rows = self._db.execute(
                "SELECT v, at, actor, cmd_id, type, public_json, secret_json FROM event"
                " WHERE v > ? ORDER BY v",
                (since,),
            ).fetchall()
        for v, at, actor, cmd_id, kind, public, secret in rows:
            yield Record(
                at=at,
                actor=actor,
                type=kind,
                public=json.loads(public),
                secret=json.loads(secret) if secret else None,
                cmd_id=cmd_id,
                v=v,
            )

    def reply(self, device: str, cmd_id: str) -> dict[str, Any] | None:
        """Give the answer that this command was given before, None if it is new."""
        with self._lock:
            try:
                row = self._db.execute(
                    "SELECT reply FROM done WHERE device = ? AND cmd_id = ?", (device, cmd_id)
                ).fetchone()
            except sqlite3.Error as error:
                raise self._trouble(error) from error
        return None if row is None else dict(json.loads(row[0]))

    def picture(self, n: int) -> bytes | None:
        """Give a picture as JPEG, None if there is none of that number."""
        with self._lock:
            row = self._db.execute("SELECT jpeg FROM picture WHERE n = ?", (n,)).fetchone()
        return None if row is None else bytes(row[0])

    def close(self) -> None:
        """Close the file; the journal cannot be used after."""
        with self._lock:
            self._db.close()

    def _take_back(self) -> None:
        """Undo the transaction at hand, where SQLite has not done so itself."""
        if self._db.in_transaction:
            self._db.execute("ROLLBACK")

    def _trouble(self, error: sqlite3.Error) -> DiskTrouble:
        return DiskTrouble(
            f"{self._path.name} cannot be written ({error}): make room on the disk, then try "
            "again; nothing has changed."
        )


def _unusable(path: Path, error: sqlite3.Error) -> JournalUnusable:
    """Say why a journal could not be opened, and what to do."""
    if getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_FULL:
        return JournalUnusable(
            f"{path}: the disk is full; make room, or name a file elsewhere with --journal"
        )
    if getattr(error, "sqlite_errorcode", None) in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return JournalHeld(
            f"{path}: another domino-rig has this table open ({error}); stop it first, or name "
            "another file with --journal"
        )
    return JournalUnusable(
        f"{path}: cannot be used as a journal ({error}); look at its disk and its rights, or name "
        "another file with --journal"
    )


def _json(value: Mapping[str, Any]) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _refuse_unreadable(path: Path) -> None:
    """Look at a file that is there already, without touching it."""
    try:
        with path.open("rb") as file:
            head = file.read(100)
    except OSError as error:
        raise JournalUnusable(f"{path}: cannot be read ({error.strerror})") from None
    if not head.startswith(b"SQLite format 3\0"):
        raise JournalUnusable(
            f"{path}: this is not a domino-rig journal; name another file with --journal"
        )
    schema = int.from_bytes(head[60:64], "big")
    if schema > SCHEMA:
        raise JournalUnusable(
            f"{path}: written by a newer domino-rig (journal version {schema}, this one reads up "
            f"to {SCHEMA}); update domino-rig, or name another file with --journal"
        )
    if schema != SCHEMA:
        raise JournalUnusable(
            f"{path}: an SQLite file, but no domino-rig journal; name another file with --journal"
        )
