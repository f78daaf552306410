"""Files: JSON that people may have edited, and files that are written whole or not at all."""

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from vision.arrays import Floats
from vision.errors import VisionError


def read_json(path: Path, error: type[VisionError]) -> dict[str, Any]:
    """Read a file that holds one JSON object; faults are raised as `error`."""
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except OSError as fault:
        raise error(f"{path}: cannot be read ({fault.strerror}); name {error.expected}") from fault
    except (ValueError, RecursionError) as fault:
        raise error(f"{path}: is not JSON ({fault}); expected {error.expected}") from fault
    if not isinstance(data, dict):
        raise error(f"{path}: must hold one JSON object; expected {error.expected}")
    return data


def numbers(
    data: Mapping[str, Any],
    field: str,
    path: Path,
    shape: tuple[int, ...],
    error: type[VisionError],
) -> Floats:
    """Read a field of numbers of a given shape; faults are raised as `error`."""
    try:
        array = np.array(data[field], dtype=np.float64)
    except KeyError:
        raise error(f"{path}: field {field} is missing; expected {error.expected}") from None
    except (TypeError, ValueError, OverflowError):
        array = np.array(np.nan)
    if array.shape != shape or not np.isfinite(array).all():
        sides = " x ".join(map(str, shape))
        raise error(f"{path}: field {field} must hold {sides} numbers")
    return array


def write_whole(path: Path, data: bytes, error: type[VisionError]) -> None:
    """Write a file so that whoever opens it finds the old one or all of the new one.

    Args:
        path: where it goes; its folder must exist.
        data: all of it.
        error: raised, in words, when it cannot be written; then nothing of it is left.
    """
    try:
        if path.is_dir():
            raise IsADirectoryError(0, "it is a folder")
        put_whole(path, data)
    except OSError as fault:
        raise error(
            f"{path}: cannot be written ({fault.strerror}); name a file in a folder that exists, "
            "where you may write and there is room",
            "unwritten",
            file=str(path),
        ) from fault


def put_whole(path: Path, data: bytes) -> None:
    """Write a file whole or not at all; what is no file, as a pipe, just gets it.

    Raises:
        OSError: it cannot be written; what was there before still is.
    """
    if path.exists() and not path.is_file():
        path.write_bytes(data)
        return
    aside = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        aside.write_bytes(data)
        with aside.open("r+b") as file:  # without this a power cut could leave an empty file
            os.fsync(file.fileno())
        aside.replace(path)
    finally:
        aside.unlink(missing_ok=True)
