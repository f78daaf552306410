"""Spoil every step of the disk in a short game, and cut the power thousands of times.

    nice .venv/bin/python -m tests.soak.disk_faults [--cuts 3000] [--seed N]

Every write, sync, truncation and deletion that SQLite makes fails once, is cut short once and hangs
once; the game is played on, asked again where it was refused, opened anew and recounted. Then the
power is cut at moments of chance, with some of what was not synced lost or torn. Exit code 1 and a
line for everything that was promised and is not there.
"""

import argparse
import logging
import sys
import tempfile
import threading
import time
from pathlib import Path

from tests.support.disk_game import chance, cut_short, played, recorded, spoiled, wrong
from tests.support.faulty_disk import faulty_disk


def hung(folder, n):
    """Have the nth step of the disk hang until somebody lets it go on."""
    with faulty_disk() as disk:
        disk.fault = (n, "hang")
        over = []
        thread = threading.Thread(target=lambda: over.append(played(folder, disk)))
        thread.start()
        if not disk.hanging.wait(60.0):
            return "nothing hung"
        disk.go_on.set()
        thread.join()
    if not over:
        return "the game broke off"
    ((game, table),) = over
    if game.troubles:
        return "a command was refused"
    return wrong(folder / "table.sqlite3", game, table)


def tried(name, numbers, attempt):
    """Do something in an empty folder for each number; tell, and count, what is wrong."""
    bad, began_s = 0, time.process_time()
    for n in numbers:
        with tempfile.TemporaryDirectory() as folder:
            try:
                said = attempt(Path(folder), n)
            except Exception as error:
                said = f"{type(error).__name__}: {error}"
        if said:
            bad += 1
            print(f"{name} {n}: {said}", flush=True)
    spent_s = time.process_time() - began_s
    print(f"{name}: {len(numbers)} tried, {bad} wrong, {spent_s:.0f} s of CPU", flush=True)
    return bad


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--cuts", type=int, default=3000)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    logging.disable(logging.CRITICAL)
    with tempfile.TemporaryDirectory() as folder:
        done = recorded(Path(folder))
    steps = range(1, 1 + sum(step.what != "mark" for step in done))
    print(f"the game takes {len(steps)} steps of the disk")
    bad = tried("fail", steps, lambda folder, n: spoiled(folder, n, "fail"))
    bad += tried("short", steps, lambda folder, n: spoiled(folder, n, "short"))
    bad += tried("hang", steps, hung)
    cuts = range(args.cuts)
    bad += tried("cut", cuts, lambda folder, n: cut_short(folder, done, chance(args.seed, n)))
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
