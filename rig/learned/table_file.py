"""Where a table keeps what its own pushes have shown of it, and how much that is worth. Pure JSON.

`physics/predict/learned_table.py` reads the rest; this much can be told without the model.
"""

import json
from pathlib import Path
from typing import Any, Final

AUTO: Final = "auto"
LEARNED: Final = ".table.json"


def table_file(setting: str, journal: Path) -> Path | None:
    """The file of a table, None where it has none.

    Args:
        setting: `[physics] table`.
        journal: of the table.

    >>> table_file("auto", Path("evening.sqlite3")).name
    'evening.table.json'
    """
    if setting == AUTO:
        return journal.with_suffix(LEARNED)
    return Path(setting) if setting else None


def trust(file: Path | None) -> dict[str, Any] | None:
    """How many pushes a file was learned from, and what it gains; None where there is none.

    Returns:
        `pushes`, and the Brier scores of pushes left out, `before` and `after`.
    """
    try:
        said = json.loads(file.read_text(encoding="utf-8"))["trust"] if file is not None else None
        return said and {
            "pushes": int(said["pushes"]),
            "before": round(float(said["brier_before"]), 4),
            "after": round(float(said["brier_after"]), 4),
        }
    except (OSError, ValueError, TypeError, KeyError, RecursionError):
        return None
