"""Finds what is wrong with a damaged journal, and recovers what can be read of it.

Nothing here writes to the damaged file itself: it is copied aside, and copies are opened.
"""

import contextlib
import filecmp
import os
import shutil
import sqlite3
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from rig import private
from rig.journal_tables import (
    FIRST_LINK,
    SQL_ERRORS,
    Broken,
    end_of,
    head_of,
    insert_picture,
    is_picture,
    keys_of,
    make_room_for_keys,
    make_tables,
    not_last,
    put_key,
    runs_under_key,
    sound_rows,
)

MAGIC = b"SQLite format 3\0"
PAGE_BYTES = 4096
"""SQLite's default page size in bytes, which no journal changes."""
_WAL = "-wal"


@dataclass(frozen=True, slots=True)
class Damage:
    """What is wrong with a journal.

    Attributes:
        path: its file.
        found: what was found.
        good: how many events, from the first on, are as they were written.
        lost: how many came after them, as far as that can still be told.
        copy: where the damaged file was copied to.
    """

    path: Path
    found: Broken
    good: int
    lost: int
    copy: Path

    @property
    def why(self) -> str:
        """What was found, in words."""
        return str(self.found)

    @property
    def brief(self) -> str:
        """What a phone is told when it sends a command."""
        return (
            "The journal of this table is damaged: you see what is left of it, but nobody "
            "can play on. The terminal of domino-rig says what to do."
        )

    def __str__(self) -> str:
        lost = f"{self.lost} after them are not" if self.lost else "no others are known"
        return (
            f"{self.path} is damaged: {self.why}. Its first {self.good} events are as they were "
            f"written; {lost}. The table shows these, and nobody can play on. The file was "
            f"copied to {self.copy}. To play on from event {self.good}: domino-rig play --recover; "
            "to begin a new table: domino-rig play --new"
        )


def copied_aside(path: Path) -> Path:
    """Copy a journal, with SQLite's files beside it, under a new name.

    Returns:
        The copy; the one from an earlier start if the file is still the same.

    Raises:
        OSError: it cannot be copied.
    """
    n = 1
    while (aside := path.with_name(f"{path.name}.damaged-{n}")).exists():
        if _same(path, aside):
            return aside
        n += 1
    for each, to in _parts(path, aside):
        private.make_file(to)
        shutil.copyfile(each, to)
    private.sync_folder(aside.parent)
    return aside


def replace_file(new: Path, path: Path) -> None:
    """Replace a journal, of which there is a copy, by another closed one."""
    _beside(path).unlink(missing_ok=True)
    os.replace(new, path)
    private.sync_folder(path.parent)


def _parts(path: Path, other: Path) -> list[tuple[Path, Path]]:
    """The existing files of a journal, and the names they would have for another."""
    both = [(path, other), (_beside(path), _beside(other))]
    return [(here, there) for here, there in both if _says_something(here)]


def _says_something(path: Path) -> bool:
    return path.exists() and path.stat().st_size > 0


def _beside(path: Path) -> Path:
    return path.with_name(path.name + _WAL)


def _same(path: Path, other: Path) -> bool:
    parts = _parts(path, other)
    return len(parts) == len(_parts(other, path)) and all(
        there.exists() and filecmp.cmp(here, there, shallow=False) for here, there in parts
    )


@contextlib.contextmanager
def opened_copy(path: Path, first: bytes = b"") -> Iterator[sqlite3.Connection]:
    """Open a writable copy; its header is repaired if only that is damaged.

    Args:
        path: the journal.
        first: a first page to use instead of its own; it says where the tables are.
    """
    with TemporaryDirectory(prefix="domino-rig-") as folder:
        place = Path(folder) / "journal"
        for each, to in _parts(path, place):
            shutil.copyfile(each, to)
        _put_header_right(place, first)
        db = sqlite3.connect(place, isolation_level=None)
        try:
            # What one table is made of may be damaged, and the others not.
            db.execute("PRAGMA writable_schema=ON")
            yield db
        finally:
            db.close()


def torn_log() -> Broken:
    """What is said of a journal whose log is damaged."""
    return Broken("what was written last, its log, is not as it was written", "damage.log")


def log_is_damaged(path: Path) -> bool:
    """Whether the log that SQLite keeps beside a journal was damaged after it was written.

    If a frame does not fit, SQLite ignores all that follows, because a power cut may have torn the
    last transaction; damage to that one cannot be told from a power cut. But if there are frames
    after its end, or the head does not fit (which is written first and in one sector), something is
    lost that had been safely on the disk.
    """
    try:
        log = _beside(path).read_bytes()
    except FileNotFoundError:
        return False
    head = struct.unpack(">8I", log[:32]) if len(log) >= 32 and any(log[:32]) else None
    if head is None:
        return False
    magic, _, page_bytes, _, *salts, first, second = head
    order = ">" if magic & 1 else "<"
    sums = _summed(log[:24], order, (0, 0))
    if magic & ~1 != 0x377F0682 or sums != (first, second) or page_bytes != PAGE_BYTES:
        return True
    torn = over = False
    for at in range(32, len(log) - PAGE_BYTES - 23, PAGE_BYTES + 24):
        _, pages, *given = struct.unpack(">6I", log[at : at + 24])
        if given[:2] != salts:  # of an older log, or torn
            torn = True
            continue
        if over:
            return True
        if not torn:
            sums = _summed(log[at : at + 8], order, sums)
            sums = _summed(log[at + 24 : at + 24 + PAGE_BYTES], order, sums)
            torn = tuple(given[2:]) != sums
        over = torn and pages > 0
    return False


def _summed(data: bytes, order: str, sums: tuple[int, int]) -> tuple[int, int]:
    """The running checksum of SQLite's log."""
    first, second = sums
    for one, other in struct.iter_unpack(f"{order}2I", data):
        first = (first + one + second) & 0xFFFFFFFF
        second = (second + other + first) & 0xFFFFFFFF
    return first, second


def _put_header_right(path: Path, first: bytes) -> None:
    """Write the header that every journal has; sizes come from the file itself."""
    with path.open("r+b") as file:
        file.write(first)
        file.seek(0)
        head = bytearray(file.read(100).ljust(100, b"\0"))
        pages = os.fstat(file.fileno()).st_size // PAGE_BYTES
        head[0:16] = MAGIC
        head[16:18] = PAGE_BYTES.to_bytes(2, "big")
        head[18:24] = bytes((2, 2, 0, 64, 32, 32))
        head[28:32] = pages.to_bytes(4, "big")
        head[44:48] = (4).to_bytes(4, "big")
        head[52:60] = bytes(4) + (1).to_bytes(4, "big")
        head[64:68] = bytes(4)
        head[92:96] = head[24:28]
        file.seek(0)
        file.write(head)


def examined(path: Path) -> Broken | None:
    """Check everything in a journal that nobody has open, pictures too, without changing the file.

    Returns:
        What is wrong; None if nothing is.
    """
    try:
        with opened_copy(path) as db:
            linked = _has_links(db)
            end = (0, FIRST_LINK)
            for row in sound_rows(db, "event", linked):
                end = (row[0], row[7])
            if linked and head_of(db) != end:
                return not_last(end[0])
            if log_is_damaged(path):
                return torn_log()
            pictures = db.execute("SELECT * FROM picture ORDER BY n") if linked else ()
            bad = [n for n, jpeg, digest in pictures if not is_picture(jpeg, digest)]
            (sound,) = db.execute("PRAGMA quick_check(1)").fetchone()
    except Broken as broken:
        return broken
    except (OSError, *SQL_ERRORS) as error:
        return Broken(str(error), "damage.end")
    if bad:
        words = f"picture {bad[0]} is not as it was taken ({len(bad)} in all)"
        return Broken(words, "damage.picture", picture=bad[0], all=len(bad))
    return None if sound == "ok" else Broken(str(sound), "damage.end")


def salvaged(
    path: Path, copy: Path, why: Broken, most: int | None = None
) -> tuple[sqlite3.Connection, Damage]:
    """Read what is good of a damaged journal into memory.

    Args:
        path: where it lies.
        copy: what `copied_aside` made of it.
        why: what was found so far.
        most: trust no more events than so many.

    Raises:
        OSError: the copy cannot be read.
    """
    good = _in_memory()
    page = good.serialize()[:PAGE_BYTES]
    with opened_copy(copy) as db:
        found, lost = _copied_good(db, good, most)
    if end_of(good)[0] == 0:  # perhaps it is the page that tells where the tables are
        other = _in_memory()
        with opened_copy(copy, page) as db:
            _, missing = _copied_good(db, other, most)
        if end_of(other)[0] > 0:
            good, found, lost = other, why, missing
    return good, Damage(path, found or why, end_of(good)[0], lost, copy)


def _copied_good(
    db: sqlite3.Connection, good: sqlite3.Connection, most: int | None
) -> tuple[Broken | None, int]:
    """Copy the good part of a damaged journal into another.

    Args:
        db: a copy of the damaged one.
        good: an empty one.
        most: no more events than so many.

    Returns:
        What is wrong with it, None if nothing of the events is, and how many events are lost.
    """
    why: Broken | None = None
    v, link = 0, FIRST_LINK
    try:
        linked = _has_links(db)
        for row in sound_rows(db, "event", linked):
            if most is not None and row[0] > most:
                break
            v, link = row[0], row[7]
            good.execute("INSERT INTO event VALUES (?, ?, ?, ?, ?, ?, ?, ?)", row)
        if most is None and linked and head_of(db) != (v, link):
            why = not_last(v)
    except Broken as broken:
        why = broken
    except SQL_ERRORS as error:
        why = Broken(f"it cannot be read ({error})", "damage.end")
    good.execute("INSERT INTO head VALUES (1, ?, ?)", (v, link))
    _salvage_beside(db, good, v)
    return why, max(0, _told_of(db) - v)


def _has_links(db: sqlite3.Connection) -> bool:
    return any(name == "link" for _, name, *_ in db.execute("PRAGMA table_info(event)"))


def _salvage_beside(db: sqlite3.Connection, good: sqlite3.Connection, v: int) -> None:
    """Take the keys, pictures and snapshots that can be read; their worth is seen in use."""
    with contextlib.suppress(*SQL_ERRORS):
        snapshots = db.execute("SELECT * FROM snapshot WHERE v <= ?", (v,))
        for row in snapshots:
            good.execute("INSERT INTO snapshot VALUES (?, ?, ?, ?)", row)
    with contextlib.suppress(*SQL_ERRORS):
        if runs_under_key(good):
            make_room_for_keys(good)
            for key in keys_of(db).values():
                put_key(good, key)
    with contextlib.suppress(*SQL_ERRORS):
        for (n,) in db.execute("SELECT n FROM picture ORDER BY n").fetchall():
            with contextlib.suppress(*SQL_ERRORS):
                row = db.execute("SELECT * FROM picture WHERE n = ?", (n,)).fetchone()
                if row is not None and (len(row) == 2 or is_picture(*row[1:])):
                    insert_picture(good, n, row[1])


def _told_of(db: sqlite3.Connection) -> int:
    """How many events there were, as far as a damaged journal still tells."""
    told = [0]
    for query in ("SELECT v FROM head", "SELECT max(v) FROM event", "SELECT max(v) FROM done"):
        with contextlib.suppress(*SQL_ERRORS):
            told += [v for (v,) in db.execute(query) if type(v) is int and v < 1 << 40]
    return max(told)


def _in_memory() -> sqlite3.Connection:
    db = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
    make_tables(db)
    return db
