"""Checks that a journal's place is safe: a disk of this machine that is writable and has room.

SQLite keeps a second program out by file locks, which do not work reliably on network drives and on
folders shared with a virtual machine: two tables would write into one journal.
"""

import os
import shutil
from collections.abc import Callable
from pathlib import Path

from rig.journal import JournalUnusable

MOUNTS = Path("/proc/self/mountinfo")
"""Linux: what is mounted where."""
LEAST_BYTES = 20_000_000
"""Bytes that the pictures and events of an evening need."""

NETWORK = frozenset(
    {
        *("nfs", "nfs4", "cifs", "smb3", "smbfs", "ncpfs", "afs", "9p", "ceph", "glusterfs"),
        *("lustre", "beegfs", "davfs", "vboxsf", "vmhgfs", "prl_fs"),
    }
)
OVER_FUSE = frozenset(
    {
        *("sshfs", "davfs2", "rclone", "gvfsd-fuse", "curlftpfs", "s3fs", "glusterfs", "ceph-fuse"),
        *("vmhgfs-fuse", "smbnetfs"),
    }
)


def require_safe(
    journal: Path,
    mounts: Path = MOUNTS,
    free_bytes: Callable[[Path], int] = lambda folder: shutil.disk_usage(folder).free,
) -> None:
    """Look at the place of a journal before anything is written there.

    Args:
        journal: its file, which need not be there yet.
        mounts: the table of mounts, as Linux writes it; ignored if it does not exist.
        free_bytes: gives how much room there is.

    Raises:
        JournalUnusable: the place is not safe; the text says why and what to do.
    """
    folder = _nearest(journal)
    kind = network_drive(folder, mounts)
    if kind:
        raise JournalUnusable(
            f"{journal}: lies on a network drive ({kind}), where two programs may open one journal "
            "without noticing; name a file on a disk of this machine",
            "journal.remote",
            folder=folder,
            kind=kind,
        )
    if not os.access(folder, os.W_OK | os.X_OK) or (
        journal.exists() and not os.access(journal, os.W_OK)
    ):
        raise JournalUnusable(
            f"{journal}: cannot be written; change the permissions of {folder}, or name a file "
            "elsewhere",
            "journal.shut",
            folder=folder,
        )
    try:
        left = free_bytes(folder)
    except OSError:
        return  # opening the journal will say more
    if left < LEAST_BYTES:
        raise JournalUnusable(
            f"{journal}: its disk is full, {left / 1e6:.0f} MB are left and an evening needs "
            f"{LEAST_BYTES / 1e6:.0f}; make room, or name a file elsewhere",
            "journal.full",
            file=journal,
        )


def network_drive(folder: Path, mounts: Path = MOUNTS) -> str:
    """Give the kind of network drive that a folder is on; "" for a disk of this machine.

    Args:
        folder: one that is there.
        mounts: the table of mounts.
    """
    if str(folder).startswith("\\\\"):
        return "SMB"
    try:
        lines = mounts.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return ""
    best, kind = -1, ""
    for line in lines:
        before, _, after = line.partition(" - ")
        fields, types = before.split(), after.split()
        if len(fields) < 5 or not types:
            continue
        point = Path(_unescaped(fields[4]))
        # What was mounted later lies over what was mounted there before.
        if len(point.parts) >= best and folder.is_relative_to(point):
            best, kind = len(point.parts), types[0]
    over = kind.removeprefix("fuse.")
    return kind if kind in NETWORK or (over != kind and over in OVER_FUSE) else ""


def _nearest(journal: Path) -> Path:
    """The folder of a file, or the one above in which it would be made."""
    folder = Path(os.path.abspath(journal)).parent
    while not folder.exists() and folder != folder.parent:
        folder = folder.parent
    return folder.resolve()


def _unescaped(name: str) -> str:
    r"""A path as the kernel writes it, with \040 for a space.

    >>> _unescaped(r"/media/two\040words")
    '/media/two words'
    """
    for code, char in (("\\040", " "), ("\\011", "\t"), ("\\012", "\n"), ("\\134", "\\")):
        name = name.replace(code, char)
    return name
