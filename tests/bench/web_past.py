"""What others notice while one phone reads past games, of a journal of a hundred of them.

    python -m tests.bench.web_past [--seconds S] [--journal FILE]

Five players ask for the view and change their names by turns, each over an open line; one more
reads one past game after the other as fast as it is let, first none of which is known. At rest and
under reading take turns, so that a busy machine slows both alike.
"""

import tests.bench.one_core  # noqa: F401  # isort: skip
import argparse
import os
import tempfile
import threading
from collections import Counter
from pathlib import Path

from tests.bench.web_hostile import honest
from tests.bench.web_phones import Phone
from tests.bench.web_process import Stack
from tests.bench.web_stop import GAMES, look_back

SECONDS, TURNS = 5.0, 3
BAR = 2.0


def measure(part: float = 1.0, journal: Path | None = None) -> None:
    """Print what others' requests took at rest and meanwhile."""
    seconds = max(1.0, SECONDS * part)
    took: dict[str, list[float]] = {"at rest": [], "while one reads": []}
    seen: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as folder:
        path = journal or Path(folder) / "table.sqlite3"
        with Stack(str(path), f"--games={GAMES}", program="web_evening") as stack:
            phones = [Phone(stack.port).join() for _ in range(6)]
            for phone in phones:
                phone.seat = stack.say(f"seat {phone.cookie}")["seat"]
            paths = [f"/api/games/{n}" for n in range(1, GAMES + 1)]
            honest(phones[:5], 1.0)
            for _ in range(TURNS):
                took["at rest"] += honest(phones[:5], seconds)
                over = threading.Event()
                words = (phones[5], paths, over, seen)
                reader = threading.Thread(target=look_back, args=words)
                reader.start()
                took["while one reads"] += honest(phones[:5], seconds)
                over.set()
                reader.join()
    print(f"\nOthers' requests, ms, while one phone reads past games of {GAMES}")
    print("| | requests | p50 | p99 | longest |\n|---|---|---|---|---|")
    for name, each in took.items():
        each.sort()
        p50, p99 = each[len(each) // 2], each[int(len(each) * 0.99)]
        print(f"| {name} | {len(each)} | {p50:.1f} | {p99:.1f} | {each[-1]:.1f} |")
    rest, read = (each[len(each) // 2] for each in took.values())
    print(
        f"p50 {read / rest:.2f} times that at rest (must <= {BAR:.0f}); the reader got {dict(seen)}"
    )


def main() -> None:
    """Run it by itself."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--seconds", type=float, default=SECONDS)
    parser.add_argument(
        "--journal", type=Path, help="kept from run to run, as it takes long to make"
    )
    args = parser.parse_args()
    load = os.getloadavg()
    print(f"{os.cpu_count()} cores, load before: {load[0]:.1f} (1 min), {load[1]:.1f} (5 min)")
    measure(args.seconds / SECONDS, args.journal)


if __name__ == "__main__":
    main()
