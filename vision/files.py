"""JSON files that people may have edited: read with a fault named by file and field."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vision.errors import VisionError

Floats = NDArray[np.float64]


def read_json(path: Path, error: type[VisionError]) -> dict[str, Any]:
    """Read a file that holds one JSON object; faults are raised as `error`."""
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except OSError as fault:
        raise error(f"{path}: cannot be read ({fault.strerror})") from fault
    except (ValueError, RecursionError) as fault:
        raise error(f"{path}: is not JSON ({fault})") from fault
    if not isinstance(data, dict):
        raise error(f"{path}: must hold one JSON object")
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
        raise error(f"{path}: field {field} is missing") from None
    except (TypeError, ValueError, OverflowError):
        array = np.array(np.nan)
    if array.shape != shape or not np.isfinite(array).all():
        sides = " x ".join(map(str, shape))
        raise error(f"{path}: field {field} must hold {sides} numbers")
    return array
