"""The append-only event log of a table: one SQLite file.

Every change of the table is a row of `event`. What must stay secret for now (a sealed ballot, the
hidden draws of the virtual table) is in a column of its own, so that no listing or export has to
know which field of an event is secret. While a round runs that has a key (`rig.private`), its
secrets are written under it; the key is written down when the round is over. A journal that is
opened in between is `locked`: it gives no event from that round's first secret on until it is
given the key. Rows are never changed: each has a link, the SHA-256 of the
link before it and of its own columns, and `head` has their number and the last link. A link would
give a secret away to anybody who knows the rest of its row, so links never leave the file.

All links are checked whenever a journal is opened. If one does not fit, or the file cannot be read
to its end, it is copied aside, the events before the damage are shown, and nothing is written.

`done` keeps the answers to the last commands, so that a phone which asks twice gets the same answer
and acts once. `snapshot` saves replaying earlier games, and may be empty: everything in it follows
from the events. The tables are described in `rig/FORMATS.md`.
"""

import contextlib
import json
import logging
import sqlite3
import threading
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NoReturn

from rig import private
from rig.errors import KeyedError
from rig.journal_tables import (
    ANSWERS,
    APPLICATION,
    COLUMNS,
    FIRST_LINK,
    SCHEMA,
    SQL_ERRORS,
    Broken,
    LostKey,
    bring_along,
    end_of,
    insert_picture,
    is_damage,
    is_picture,
    keys_of,
    lost_key,
    make_room_for_keys,
    make_tables,
    put_key,
    runs_under_key,
    verified,
)
from rig.links import following, row_link
from rig.private import RoundKey, WrongKey, has_cipher, key_name
from rig.salvage import MAGIC, Damage, copied_aside, log_is_damaged, salvaged, torn_log

log = logging.getLogger(__name__)
_text = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode

ELSEWHERE = frozenset(
    f"journal.{why}"
    for why in ("held", "folder", "newer", "broken", "shut", "remote", "full", "cipher", "unmoved")
)
"""Keys of the errors that naming another file avoids; the command adds how to name it."""


class JournalUnusable(KeyedError):
    """The journal file cannot be used; it is unchanged."""


class JournalHeld(JournalUnusable):
    """Another process has the journal open."""


class DiskTrouble(KeyedError):
    """The disk refused a write; nothing was written and nothing has changed."""


class JournalDamaged(DiskTrouble):
    """The journal is damaged: it is shown, but accepts nothing more."""


@dataclass(frozen=True, slots=True)
class Record:
    """One event as it is kept.

    Attributes:
        at: seconds since 1970.
        actor: a seat, or who else caused it.
        type: name of the event.
        public: its fields that anybody may see.
        secret: its other fields.
        cmd_id: the command that caused it, if one did.
        v: version of the table after it, from 1; 0 until it is written.
        of_round: whether what is secret belongs to the round, and is written under its key.
    """

    at: float
    actor: str
    type: str
    public: Mapping[str, Any]
    secret: Mapping[str, Any] | None = None
    cmd_id: str | None = None
    v: int = 0
    of_round: bool = field(default=False, compare=False)


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The table at one version, as text, to save replaying what came before.

    Attributes:
        made_by: names the code that made it; no other can read it.
        text: everything the table remembers, secrets included.
        v: the version; 0 until it is written.
    """

    made_by: str
    text: str
    v: int = 0


class Journal:
    """An open journal; one process at a time holds it.

    Args:
        path: the file, made if it does not exist; only its owner can read it.

    Attributes:
        damage: what is wrong with the file; None if nothing is. If something is, only good events
            and pictures are given, and nothing is written.
        key: what is written secret now is written under it; None between rounds with a key.
        locked: the name of the key without which the newest events are not given, "" if none is.

    Raises:
        JournalUnusable: not a journal, a newer version, or held by another process. The file is
            unchanged.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock = threading.Lock()
        self.damage: Damage | None = None
        self.key: RoundKey | None = None
        self.locked = ""
        self._keys: dict[str, RoundKey] = {}
        try:
            there = path.exists() and not (path.is_file() and path.stat().st_size == 0)
            # Half of a change lies there, which SQLite takes back before anything can be read.
            half = path.with_name(path.name + "-journal").exists()
        except OSError as error:
            words = f"{path}: cannot be read ({error.strerror}); name another file"
            raise JournalUnusable(words, "journal.broken", file=path) from None
        if there and not half:
            _refuse_foreign(path)
        try:
            private.make_folder(path.parent)
            private.make_file(path)  # what SQLite makes beside it has the rights of this file
            self._db = sqlite3.connect(
                path, timeout=0.5, isolation_level=None, check_same_thread=False
            )
        except (OSError, sqlite3.Error) as error:
            raise JournalUnusable(
                f"{path}: cannot be opened for writing ({error}); name another file",
                "journal.shut",
                folder=path.parent,
            ) from None
        try:
            self._prepare()
            self._version, self._link = verified(self._db)
            self._look_for_keys()
        except SQL_ERRORS as error:
            if not is_damage(error):
                self._db.close()
                raise _unusable(path, error) from None
            self._fall_back(Broken(f"it cannot be read to its end ({error})", "damage.end"))
        except Broken as broken:
            self._fall_back(broken)
        except JournalUnusable:
            self._db.close()
            raise

    def _look_for_keys(self) -> None:
        """Find out which events are under keys, and whether that of the newest is missing.

        Raises:
            LostKey: one of an older round is missing, or does not open it.
        """
        self.locked, runs = "", runs_under_key(self._db)
        if not runs:
            return
        if not has_cipher():
            self._db.close()
            raise JournalUnusable(
                f"{self._path}: hands in it are kept under keys, which needs the package "
                "cryptography: install domino-rig with its extra https, or name another file",
                "journal.cipher",
                file=self._path,
            )
        self._keys = keys_of(self._db)
        if self.key is not None:
            self._keys[self.key.name] = self.key
        if v := lost_key(runs, self._keys):
            raise LostKey(v)
        newest = list(runs)[-1]
        self.locked = "" if newest in self._keys else newest

    def unlock(self, value: str) -> bool:
        """Take the key that is missing; say whether it was this one, or none is missing."""
        with self._lock:
            if not self.locked:
                return True
            key = RoundKey(value)
            if key.name != self.locked:
                return False
            try:
                key.opened(*runs_under_key(self._db)[key.name])
            except (ValueError, WrongKey):
                return False
            self._keys[key.name] = self.key = key
            self.locked = ""
            return True

    def _prepare(self) -> None:
        """Lock the file, and make its tables or convert those of an older version."""
        db = self._db
        # Exclusive locking makes SQLite itself keep a second process out, crash-safe.
        db.execute("PRAGMA locking_mode=EXCLUSIVE")
        db.execute("PRAGMA synchronous=FULL")
        db.execute("BEGIN IMMEDIATE")
        (schema,) = db.execute("PRAGMA user_version").fetchone()
        new = schema == 0 and not db.execute("SELECT 1 FROM sqlite_master").fetchall()
        if not new:
            _refuse_strange(self._path, db)
        if log_is_damaged(self._path):
            raise torn_log()
        if new:
            make_tables(db)
            db.execute("INSERT INTO head VALUES (1, 0, ?)", (FIRST_LINK,))
        elif schema == 1:
            try:
                bring_along(db)
            except (Broken, *SQL_ERRORS):
                with contextlib.suppress(*SQL_ERRORS):
                    db.execute("ROLLBACK")
                raise
        db.execute("COMMIT")
        db.execute("PRAGMA journal_mode=WAL")
        if new:
            private.sync_folder(self._path.parent)

    def _fall_back(self, why: Broken, most: int | None = None) -> None:
        """Copy the damaged file aside, and go on with its good part in memory."""
        try:
            copy = copied_aside(self._path)  # before closing, which lets SQLite tidy up
            self._db.close()
            good, damage = salvaged(self._path, copy, why, most)
        except OSError as error:
            self._db.close()
            raise JournalUnusable(
                f"{self._path}: is damaged ({why}) and cannot be copied aside ({error.strerror}); "
                "make room on its disk, then try again",
                "journal.uncopied",
                file=self._path,
            ) from None
        self._db, self.damage = good, damage
        self._version, self._link = end_of(good)
        try:
            self._look_for_keys()
        except LostKey as lost:
            self._fall_back(lost, lost.v - 1)
        log.info("%s", self.damage)

    def stop_before(self, v: int, kind: str) -> None:
        """Distrust all events from this one on: it was written like this but makes no sense.

        Args:
            v: its version.
            kind: its type.
        """
        words = f"event {v} ({kind}) cannot follow what stands before it"
        with self._lock:
            self._fall_back(Broken(words, "damage.odd", event=v, type=kind), v - 1)

    def save_good(self, path: Path, pictures: int) -> None:
        """Write what is good of a damaged journal to another file, under a missing key or not.

        Args:
            path: where there is no file yet.
            pictures: so many belong to the good events.

        Raises:
            JournalUnusable: the file cannot be made.
            DiskTrouble: there is no room for it.
        """
        try:
            private.make_file(path)
        except OSError as error:
            words = f"{path}: cannot be written ({error.strerror})"
            raise JournalUnusable(words, "journal.shut", folder=path.parent) from None
        with self._lock, contextlib.closing(sqlite3.connect(path, isolation_level=None)) as db:
            try:
                self._db.backup(db)
                db.execute("DELETE FROM picture WHERE n > ?", (pictures,))
            except sqlite3.OperationalError as error:
                raise self._unwritten(error) from error

    @property
    def path(self) -> Path:
        """The journal's file; other files of the same table lie beside it."""
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
        snapshot: Snapshot | None = None,
        key: RoundKey | None = None,
        opens: bool = False,
    ) -> int:
        """Write events, pictures and the answer to their command in one transaction.

        Args:
            records: the events, in order.
            done: device, command id and answer; `v` is added to the stored answer.
            pictures: JPEG files by number; these numbers must be new.
            snapshot: the table after the last event.
            key: that of the round which runs, under which its secrets are written.
            opens: the round is over with them: its key is written down, and they are in the clear.

        Returns:
            The version after the last of them, once it is safely on the disk.

        Raises:
            DiskTrouble: the disk is full or gone; nothing was written.
            JournalDamaged: the file is damaged; nothing was written.
        """
        if self.damage is not None:
            raise JournalDamaged(self.damage.brief)
        with self._lock:
            db, v, link = self._db, self._version, self._link
            try:
                db.execute("BEGIN IMMEDIATE")
                if key is not None and (opens or key.name not in self._keys):
                    make_room_for_keys(db)
                if key is not None and opens:  # in place of one that is not as it was written
                    put_key(db, key)
                for record in records:
                    v += 1
                    secret = _text(record.secret) if record.secret else None
                    if secret and record.of_round and key is not None and not opens:
                        secret = key.sealed(v, record.type, secret)
                    row = (
                        v,
                        float(record.at),
                        record.actor,
                        record.cmd_id,
                        record.type,
                        _text(record.public),
                        secret,
                    )
                    link = row_link(link, row)
                    db.execute("INSERT INTO event VALUES (?, ?, ?, ?, ?, ?, ?, ?)", (*row, link))
                if records:
                    db.execute("UPDATE head SET v = ?, link = ?", (v, link))
                for n, jpeg in (pictures or {}).items():
                    insert_picture(db, n, jpeg)
                if snapshot is not None:
                    _insert_snapshot(db, v, link, snapshot)
                if done is not None:
                    _insert_answer(db, v, *done)
                db.execute("COMMIT")
            except BaseException as error:
                self._take_back()
                trouble = self._trouble(error)
                if trouble is not None:
                    raise trouble from error
                raise
            self._version, self._link = v, link
            self.key = None if opens else key
            if key is not None:
                self._keys[key.name] = key
            return v

    def keep(self, snapshot: Snapshot) -> None:
        """Store a snapshot of the present version; it does not matter if that fails.

        None is stored while a round is under a key: it would show what is in the hands.
        """
        if self.damage is None and self.key is None and not self.locked:
            with self._lock, contextlib.suppress(*SQL_ERRORS):
                _insert_snapshot(self._db, self._version, self._link, snapshot)

    def snapshot(self, made_by: str) -> Snapshot | None:
        """Give the newest undamaged snapshot made by this code."""
        with self._lock:
            try:
                rows = self._db.execute(
                    "SELECT s.v, s.secret_json, s.link, e.link FROM snapshot s JOIN event e"
                    " ON e.v = s.v WHERE s.made_by = ? ORDER BY s.v DESC LIMIT 3",
                    (made_by,),
                ).fetchall()
            except SQL_ERRORS as error:
                log.info("no snapshot out of %s: %s", self._path, error)
                return None
        for v, text, link, event_link in rows:
            if isinstance(text, str) and link == _snapshot_link(event_link, made_by, text):
                return Snapshot(made_by, text, v)
        return None

    def events(self, since: int = 0, most: int = -1, locked: bool = False) -> Iterator[Record]:
        """Give the events after version `since`, oldest first; at most `most` unless negative.

        Args:
            since: a version.
            most: how many.
            locked: whether to go on where a key is missing, without what is secret there.

        Raises:
            DiskTrouble: the disk does not give them.
        """
        with self._lock:
            try:
                rows = self._db.execute(
                    f"SELECT {COLUMNS} FROM event WHERE v > ? ORDER BY v LIMIT ?", (since, most)
                ).fetchall()
            except SQL_ERRORS as error:
                raise self._unread(error) from error
        for v, at, actor, cmd_id, kind, public, secret in rows:
            try:
                if name := key_name(secret):
                    key = self._keys.get(name)
                    if key is None and not locked:
                        return
                    secret = None if key is None else key.opened(v, kind, secret)
                yield Record(
                    at=at,
                    actor=actor,
                    type=kind,
                    public=json.loads(public),
                    secret=json.loads(secret) if secret else None,
                    cmd_id=cmd_id,
                    v=v,
                )
            except (TypeError, ValueError, WrongKey) as error:
                raise self._unread(error) from error

    def newest(self, kind: str) -> int:
        """Give the version of the newest event of a type, 0 if there is none.

        Raises:
            DiskTrouble: the disk does not tell.
        """
        query = "SELECT coalesce(max(v), 0) FROM event WHERE type = ?"
        with self._lock:
            try:
                return int(self._db.execute(query, (kind,)).fetchone()[0])
            except SQL_ERRORS as error:
                raise self._unread(error) from error

    def reply(self, device: str, cmd_id: str) -> dict[str, Any] | None:
        """Give the earlier answer to this command; None if the command is new.

        Raises:
            DiskTrouble: the disk does not tell.
        """
        with self._lock:
            try:
                row = self._db.execute(
                    "SELECT reply FROM done WHERE device = ? AND cmd_id = ?", (device, cmd_id)
                ).fetchone()
                return None if row is None else dict(json.loads(row[0]))
            except sqlite3.OperationalError as error:
                raise self._unwritten(error) from error
            except (sqlite3.Error, TypeError, ValueError) as error:
                raise self._unread(error) from error

    def picture(self, n: int) -> bytes | None:
        """Give a picture as JPEG; None if there is no undamaged one with that number."""
        with self._lock:
            try:
                row = self._db.execute(
                    "SELECT jpeg, hash FROM picture WHERE n = ?", (n,)
                ).fetchone()
            except OverflowError:
                return None  # typed by hand: SQLite's integers have 64 bits
            except SQL_ERRORS as error:
                log.warning("picture %d of %s cannot be read: %s", n, self._path, error)
                return None
        if row is None or not is_picture(*row):
            return None
        return bytes(row[0])

    def bad_pictures(self) -> tuple[int, ...]:
        """The numbers of the damaged pictures; reads all of them."""
        try:
            with self._lock:
                numbers = [n for (n,) in self._db.execute("SELECT n FROM picture ORDER BY n")]
        except SQL_ERRORS as error:
            raise self._unread(error) from error
        return tuple(n for n in numbers if self.picture(n) is None)

    def close(self) -> None:
        """Close the file; the journal cannot be used after."""
        with self._lock:
            self._db.close()

    def _take_back(self) -> None:
        """Undo the transaction at hand, where SQLite has not done so itself."""
        if self._db.in_transaction:
            self._db.execute("ROLLBACK")

    def _trouble(self, error: BaseException) -> DiskTrouble | None:
        """What an error means to whoever asked; None for one that is not of the disk."""
        if isinstance(error, sqlite3.OperationalError):
            return self._unwritten(error)
        if type(error) in (sqlite3.DatabaseError, UnicodeDecodeError):
            return self._unread(error)
        return None

    def _unwritten(self, error: sqlite3.OperationalError) -> DiskTrouble:
        return DiskTrouble(
            f"{self._path.name} cannot be written ({error}): make room on the disk, then try "
            "again; nothing has changed.",
            "journal.full",
            file=self._path,
        )

    def _unread(self, error: BaseException) -> JournalDamaged:
        return JournalDamaged(
            f"{self._path.name} cannot be read any more ({error}): end domino-rig and start it "
            "again; it then says what is left. Nothing has changed.",
            "journal.damaged",
            file=self._path,
        )


def _snapshot_link(before: str, made_by: str, text: str) -> str:
    return following(before, f"{made_by}:{text}".encode())


def _insert_snapshot(db: sqlite3.Connection, v: int, link: str, snapshot: Snapshot) -> None:
    proof = _snapshot_link(link, snapshot.made_by, snapshot.text)
    db.execute(
        "INSERT OR REPLACE INTO snapshot VALUES (?, ?, ?, ?)",
        (v, snapshot.made_by, snapshot.text, proof),
    )


def _insert_answer(
    db: sqlite3.Connection, v: int, device: str, cmd_id: str, reply: Mapping[str, Any]
) -> None:
    """Keep an answer, and forget the oldest where there are enough."""
    added = db.execute(
        "INSERT INTO done (device, cmd_id, v, reply) VALUES (?, ?, ?, ?)",
        (device, cmd_id, v, _text({**reply, "v": v})),
    )
    db.execute("DELETE FROM done WHERE n <= ?", ((added.lastrowid or 0) - ANSWERS,))


def _unusable(path: Path, error: Exception) -> JournalUnusable:
    """Say why a journal could not be opened, and what to do."""
    code = getattr(error, "sqlite_errorcode", None)
    if code == sqlite3.SQLITE_FULL:
        return JournalUnusable(
            f"{path}: the disk is full; make room, or name a file on another disk",
            "journal.full",
            file=path,
        )
    if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return JournalHeld(
            f"{path}: another domino-rig has this table open ({error}); stop it first, or name "
            "another file",
            "journal.held",
            file=path,
        )
    return JournalUnusable(
        f"{path}: cannot be used as a journal ({error}); look at its disk and its rights, or "
        "name another file",
        "journal.shut",
        folder=path.parent,
    )


def _refuse_foreign(path: Path) -> None:
    """Refuse an existing file that is not a journal, without changing it."""
    try:
        with path.open("rb") as file:
            head = file.read(100)
    except OSError as error:
        key = "journal.folder" if path.is_dir() else "journal.broken"
        raise JournalUnusable(
            f"{path}: cannot be read ({error.strerror}); name another file", key, file=path
        ) from None
    alike = sum(a == b for a, b in zip(head, MAGIC, strict=False))
    if alike < len(MAGIC) - 2:  # a byte or two may be damaged
        _refuse(path, "this is not a domino-rig journal")
    if len(head) == 100:
        schema, owner = (int.from_bytes(head[at : at + 4], "big") for at in (60, 68))
        _refuse_other(path, schema, owner)


def _refuse_strange(path: Path, db: sqlite3.Connection) -> None:
    """Look at what SQLite makes of a file; its log may know better than its header."""
    (schema,) = db.execute("PRAGMA user_version").fetchone()
    (owner,) = db.execute("PRAGMA application_id").fetchone()
    _refuse_other(path, schema, owner)
    names = {name for (name,) in db.execute("SELECT name FROM sqlite_master")}
    if owner != APPLICATION and not names & {"event", "done", "picture"}:
        _refuse(path, "an SQLite file, but not a domino-rig journal")


def _refuse_other(path: Path, schema: int, owner: int) -> None:
    """Refuse a file that is not a journal, or that a newer program wrote."""
    if schema in range(1, SCHEMA + 1) or (owner == APPLICATION and not 0 < schema < 256):
        return  # no program will have so many versions: the number is damaged
    if schema == 0:
        _refuse(path, "an SQLite file, but not a domino-rig journal")
    raise JournalUnusable(
        f"{path}: written by a newer domino-rig (journal version {schema}, this one reads up "
        f"to {SCHEMA}); update domino-rig, or name another file",
        "journal.newer",
        file=path,
    )


def _refuse(path: Path, what: str) -> NoReturn:
    words = f"{path}: {what}; name another file"
    raise JournalUnusable(words, "journal.broken", file=path)
