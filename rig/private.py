"""Files that only their owner can read, from the first byte on.

A journal contains ballots before they are shown, and exports contain what people did and said.
Windows has no such modes; there the user's folder keeps others out.
"""

import contextlib
import os
from pathlib import Path

_FILE, _FOLDER = 0o600, 0o700


def make_folder(path: Path) -> None:
    """Make a folder and its missing parents; an existing one stays as it is.

    Raises:
        OSError: it cannot be made.
    """
    if not path.is_dir():
        make_folder(path.parent)
        path.mkdir(mode=_FOLDER, exist_ok=True)
        sync_folder(path.parent)


def make_file(path: Path) -> None:
    """Make an empty file if there is none; remove other people's permissions from one that exists.

    Raises:
        OSError: it cannot be made, or opened for writing.
    """
    file = os.open(path, os.O_RDWR | os.O_CREAT, _FILE)
    try:
        if os.name == "posix" and os.fstat(file).st_mode & 0o077:
            with contextlib.suppress(PermissionError):  # somebody else's, lent to us
                os.fchmod(file, _FILE)
    finally:
        os.close(file)


def write(path: Path, data: bytes) -> None:
    """Write the whole file or nothing, and make its folder if it is missing.

    Raises:
        OSError: it cannot be written; the old contents are still there.
    """
    if path.exists() and not path.is_file():  # a pipe or a terminal, which keeps nothing
        path.write_bytes(data)
        return
    make_folder(path.parent)
    part = path.with_name(f"{path.name}.part")
    part.unlink(missing_ok=True)
    try:
        with open(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, _FILE), "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(part, path)
    except BaseException:
        with contextlib.suppress(OSError):
            part.unlink(missing_ok=True)
        raise


def sync_folder(path: Path) -> None:
    """Make the names in a folder survive a power cut, if the system can promise that."""
    with contextlib.suppress(OSError):
        folder = os.open(path, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
