"""Output of commands: JSON with its format and version, any character on any terminal, progress."""

import codecs
import errno
import json
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, TextIO

from physics.errors import PhysicsError

VERSION: Final = 1
_BAR: Final = 40
_PLAIN: Final = {
    **{"→": "->", "–": "-", "—": "-", "±": "+-", "×": "x", "…": "...", "°": " degrees"},
    **{"“": '"', "”": '"', "’": "'", "‘": "'"},
}


def write_anything() -> None:
    """Make output replace characters that its encoding lacks, and drop what has nowhere to go."""
    codecs.register_error("domino-rig", _replaced)
    sys.stdout = sys.stdout or _nowhere()  # the command was started with it closed
    sys.stderr = sys.stderr or _nowhere()
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="domino-rig")


def _nowhere() -> TextIO:
    return os.fdopen(os.open(os.devnull, os.O_WRONLY), "w")


def _replaced(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    bad = error.object[error.start : error.end]
    plain = "".join(_PLAIN.get(sign, "?") for sign in bad)
    try:
        plain.encode(error.encoding)
    except UnicodeEncodeError:
        plain = "?" * len(bad)
    return plain, error.end


def can_show(text: str, stream: TextIO | None = None) -> bool:
    """Whether the encoding of a stream (by default stdout) has all of these characters."""
    try:
        text.encode((stream or sys.stdout).encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def print_json(kind: str, facts: dict[str, Any], file: TextIO | None = None) -> None:
    """Print one JSON object on a line, beginning with its format and version.

    Only ASCII is written, so that it reads the same in any encoding.

    Args:
        kind: the format, "prediction" for `domino-rig-prediction`.
        facts: the other fields.
        file: where to; the standard output unless given.
    """
    head = {"format": f"domino-rig-{kind}", "version": VERSION}
    print(json.dumps({**head, **facts}), file=file, flush=True)


def write_whole(path: Path, data: bytes) -> None:
    """Write a file whole or not at all; what is no file, as a pipe, just gets it.

    Raises:
        PhysicsError: it cannot be written; what was there before still is.
    """
    from vision.files import put_whole  # only who writes a file waits for NumPy

    try:
        put_whole(path, data)
    except OSError as error:
        raise unwritten(path, error) from None


def require_writable(path: Path) -> None:
    """Check that a file can be written, before there is anything to write.

    Raises:
        PhysicsError: it is a folder, or nothing can be written there.
    """
    try:
        if path.is_dir():
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
        try:
            path.stat()
            may = os.access(path, os.W_OK)
        except FileNotFoundError:
            path.parent.stat()  # raises if the folder does not exist
            may = os.access(path.parent, os.W_OK | os.X_OK)
        if not may:
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    except OSError as error:
        raise unwritten(path, error) from None


def unwritten(path: Path, error: OSError) -> PhysicsError:
    """Say that a file cannot be written, and what to do."""
    return PhysicsError(
        f"{path}: cannot be written ({error.strerror}); name a file in a folder that exists, "
        "where you may write and there is room"
    )


def progress(asked: bool | None) -> Callable[[int, int], None]:
    """Make a function that shows a command's progress on stderr.

    Args:
        asked: whether to show it; None for only on a terminal.

    Returns:
        Takes how much is done and how much there is: a bar on a terminal, lines elsewhere.
    """
    on_terminal = sys.stderr.isatty()
    if not (on_terminal if asked is None else asked):
        return lambda done, total: None

    def tell(done: int, total: int) -> None:
        if on_terminal:
            bar = "#" * (_BAR * done // max(total, 1))
            end = "\n" if done == total else ""
            print(f"\r[{bar:{_BAR}}] {done} of {total}", end=end, file=sys.stderr, flush=True)
        else:
            print(f"{done} of {total}", file=sys.stderr, flush=True)

    return tell
