"""Files that nobody but their owner may read, from the first byte on.

A journal holds ballots before they are shown, and exports hold what people did and said. Windows
knows no such modes; there the folder of the user keeps others out.
"""

import contextlib
import os
from pathlib import Path

_FILE, _FOLDER = 0o600, 0o700


def make_folder(path: Path) -> None:
    """Make a folder, and those above it that are missing; one that is there stays as it is.

    Raises:
        OSError: it cannot be made.
    """
    if not path.is_dir():
        make_folder(path.parent)
        path.mkdir(mode=_FOLDER, exist_ok=True)
        sync_folder(path.parent)


def make_file(path: Path) -> None:
    """Make an empty file if it is not there; take other people's rights to one that is.

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
    """Write a whole file or none, and its folder where it is missing.

    Raises:
        OSError: it cannot be written; what stood there before stands there still.
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
    """Have the names in a folder survive a power cut, where the system can promise it."""
    with contextlib.suppress(OSError):
        folder = os.open(path, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
