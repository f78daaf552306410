"""Files are written whole or not at all."""

import os
from pathlib import Path

from vision.errors import VisionError


def write_whole(path: Path, data: bytes, error: type[VisionError]) -> None:
    """Write a file so that whoever opens it finds the old one or all of the new one.

    Args:
        path: where it goes; its folder must exist.
        data: all of it.
        error: raised, in words, when it cannot be written; then nothing of it is left.
    """
    aside = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        if path.is_dir():
            raise IsADirectoryError(0, "it is a folder")
        try:
            aside.write_bytes(data)
            aside.replace(path)
        finally:
            aside.unlink(missing_ok=True)
    except OSError as fault:
        raise error(
            f"{path}: cannot be written ({fault.strerror}); name a file in a folder that exists "
            "and has room"
        ) from fault
