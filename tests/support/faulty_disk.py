"""A disk between SQLite and the files that fails, hangs, writes half, or loses what was not synced.

SQLite lets programs put file systems of their own under it. This one is the usual one of the
system, with every write, truncation, sync and deletion counted, written down and perhaps spoiled.
Nothing is really synced: what a power cut leaves is worked out from what was written down.
"""

import _sqlite3
import ctypes
import os
import threading
from collections import namedtuple
from contextlib import contextmanager
from ctypes import CFUNCTYPE, POINTER, byref, c_char_p, c_int, c_int64, c_void_p, string_at

FULL, IOERR_WRITE, IOERR_FSYNC, IOERR_TRUNCATE, IOERR_DELETE = 13, 778, 1034, 1546, 2570
FAILS = {"write": IOERR_WRITE, "sync": IOERR_FSYNC, "cut": IOERR_TRUNCATE, "delete": IOERR_DELETE}
SECTOR_BYTES = 512

Done = namedtuple("Done", "what path at data")
"""One thing that was done to a file: write (at, data), cut (at), sync, delete, or a mark (data)."""

_OPEN = CFUNCTYPE(c_int, c_void_p, c_void_p, c_void_p, c_int, POINTER(c_int))
_DELETE = CFUNCTYPE(c_int, c_void_p, c_void_p, c_int)
_WRITE = CFUNCTYPE(c_int, c_void_p, c_void_p, c_int, c_int64)
_CUT = CFUNCTYPE(c_int, c_void_p, c_int64)
_SYNC = CFUNCTYPE(c_int, c_void_p, c_int)


class _Methods(ctypes.Structure):
    """`sqlite3_io_methods`, as far as it has to be known; the rest is copied as it is."""

    _fields_ = (
        ("version", c_int),
        ("close", c_void_p),
        ("read", c_void_p),
        ("write", _WRITE),
        ("cut", _CUT),
        ("sync", _SYNC),
        ("rest", c_void_p * 13),
    )


class _FileSystem(ctypes.Structure):
    """`sqlite3_vfs`, as far as it has to be known; the rest is copied as it is."""

    _fields_ = (
        ("version", c_int),
        ("file_bytes", c_int),
        ("longest_path", c_int),
        ("next", c_void_p),
        ("name", c_char_p),
        ("data", c_void_p),
        ("open", _OPEN),
        ("delete", _DELETE),
        ("rest", c_void_p * 14),
    )


class FaultyDisk:
    """What happens to files, and at which step something goes wrong, once.

    Attributes:
        done: everything in its order, marks of the test among it.
        fault: the step that goes wrong, from 1, and how: fail, short or hang; None for none.
        hanging: set while a step hangs, until `go_on` is set.
        spoiled: what went wrong where, once it has.
    """

    def __init__(self):
        self.done, self.fault, self.spoiled = [], None, None
        self.steps = 0
        self.hanging, self.go_on = threading.Event(), threading.Event()

    def mark(self, what):
        """Remember when something was promised."""
        self.done.append(Done("mark", "", 0, what))

    def step(self, what, path, at=0, data=b""):
        """Count a step; give how it goes wrong, "" if it does not."""
        self.steps += 1
        how = ""
        if self.fault is not None and self.steps == self.fault[0]:
            how, self.spoiled = self.fault[1], (what, os.path.basename(path))
        if how == "hang":
            self.hanging.set()
            self.go_on.wait(120.0)
            self.hanging.clear()
            how = ""
        if how == "short" and what == "write":
            data = data[: len(data) // 2]
        if how != "fail" and (how != "short" or what == "write"):
            self.done.append(Done(what, path, at, data))
        return how


def after_a_cut(done, chance):
    """What a power cut leaves of files: all that was synced, and of the rest some sectors.

    Args:
        done: what was done to them up to then.
        chance: which writes since the last sync had reached the disk, and how far.

    Returns:
        Content by path.
    """
    safe, waiting = {}, {}
    for step in done:
        if step.what == "sync":
            for each in waiting.pop(step.path, ()):
                _apply(safe, each)
            safe.setdefault(step.path, bytearray())
        elif step.what == "delete":
            waiting.pop(step.path, None)
            safe.pop(step.path, None)  # SQLite syncs the folder too
        elif step.what != "mark":
            waiting.setdefault(step.path, []).append(step)
    mood = chance.choice(["nothing", "all", "some", "in order"])
    for steps in waiting.values():
        some = chance.randrange(len(steps) + 1)
        for n, step in enumerate(steps):
            reached = {"nothing": False, "all": True, "in order": n < some}.get(mood)
            if reached is None:
                reached = chance.random() < 0.5
            if reached:
                _apply(safe, step)
            elif mood != "nothing" and step.what == "write" and chance.random() < 0.3:
                _apply(safe, _torn(step, chance))
    return {path: bytes(content) for path, content in safe.items()}


def _torn(step, chance):
    """A write of which only a few sectors at its head or at its end were written."""
    sectors = max(1, len(step.data) // SECTOR_BYTES)
    part = chance.randrange(sectors) * SECTOR_BYTES
    if chance.random() < 0.5:
        return step._replace(data=step.data[:part])
    return step._replace(at=step.at + part, data=step.data[part:])


def _apply(files, step):
    content = files.setdefault(step.path, bytearray())
    if step.what == "cut":
        del content[step.at :]
        return
    content.extend(bytes(max(0, step.at + len(step.data) - len(content))))
    content[step.at : step.at + len(step.data)] = step.data


@contextmanager
def faulty_disk():
    """Have everything that SQLite does in this process go through a disk that may be spoiled."""
    sqlite = ctypes.CDLL(_sqlite3.__file__)
    sqlite.sqlite3_vfs_find.restype = c_void_p
    sqlite.sqlite3_vfs_register.argtypes = sqlite.sqlite3_vfs_unregister.argtypes = [c_void_p]
    usual = _FileSystem.from_address(sqlite.sqlite3_vfs_find(None))
    ours = _FileSystem.from_buffer_copy(usual)
    disk, paths, methods = FaultyDisk(), {}, {}

    def opened(_, name, file, flags, told):
        code = usual.open(byref(ours), name, file, flags, told)
        before = c_void_p.from_address(file).value
        if code == 0 and before and name:
            paths[file] = os.fsdecode(string_at(name))
            if before not in methods:
                methods[before] = _spoiled(_Methods.from_address(before), disk, paths)
            c_void_p.from_address(file).value = ctypes.addressof(methods[before])
        return code

    def deleted(_, name, sync):
        path = os.fsdecode(string_at(name))
        if os.path.exists(path) and disk.step("delete", path):
            return IOERR_DELETE
        return usual.delete(byref(ours), name, 0)

    ours.name, ours.open, ours.delete = b"faulty", _OPEN(opened), _DELETE(deleted)
    sqlite.sqlite3_vfs_register(byref(ours), 1)
    try:
        yield disk
    finally:
        sqlite.sqlite3_vfs_register(byref(usual), 1)
        sqlite.sqlite3_vfs_unregister(byref(ours))


def _spoiled(usual, disk, paths):
    """The usual ways to write to a file, with the disk in between."""
    ours = _Methods.from_buffer_copy(usual)

    def write(file, data, size, at):
        content = string_at(data, size)
        how = disk.step("write", paths[file], at, content)
        if how == "fail":
            return IOERR_WRITE
        if how == "short":
            usual.write(file, data, size // 2, at)
            return FULL
        return usual.write(file, data, size, at)

    def cut(file, size):
        return FAILS["cut"] if disk.step("cut", paths[file], size) else usual.cut(file, size)

    def sync(file, flags):
        return FAILS["sync"] if disk.step("sync", paths[file]) else 0

    ours.write, ours.cut, ours.sync = _WRITE(write), _CUT(cut), _SYNC(sync)
    return ours
