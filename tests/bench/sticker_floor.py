"""What misplaced stickers alone make of places and headings, by truth files.

    python -m tests.bench.sticker_floor FOLDER [--only 'practice_s0[0-7]*']

Reads the truth files beside the frames, no frame. The figures are those that would remain of
marked standing tiles in frames without a hand if their marks were placed exactly, and nothing but
the mark on top told where a tile stands.
"""

import argparse
import fnmatch
import json
import math
from pathlib import Path

import numpy as np


def offsets(folder: Path, only: str) -> list[tuple[float, float]]:
    """How far each sticker is off, mm and degrees."""
    found = []
    for path in sorted(folder.glob("*.json")):
        if not any(fnmatch.fnmatch(path.stem, pattern) for pattern in only.split(",")):
            continue
        truth = json.loads(path.read_text(encoding="utf-8"))
        if truth["hand_in_view"]:
            continue
        found += [
            (math.hypot(tile["sticker_dx"], tile["sticker_dy"]), abs(tile["sticker_rot"]))
            for tile in truth["tiles"]
            if tile["state"] == "standing" and tile["value"] is not None
        ]
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--only", default="*", metavar="PATTERN")
    options = parser.parse_args()
    off = offsets(options.folder, options.only)
    if not off:
        parser.exit(
            2, f"{options.folder}: no truth file named {options.only!r} has a marked tile\n"
        )
    for name, values in zip(("place, mm", "heading, degrees"), zip(*off, strict=True), strict=True):
        median, late = np.percentile(values, [50, 95])
        print(f"{name:18} median {median:.2f}  p95 {late:.2f}  of {len(values)} tiles")


if __name__ == "__main__":
    main()
