"""Films of pushes: what one of 8 s costs, how large it is, and whether phones notice.

    python -m tests.bench.bench_film [--changes N]

CPU seconds are those of the process that makes the film, its start and the loading of what it needs
included. Ten phones hear of changes in blocks by turns, at rest and while a film is being made
beside, so that a busy machine slows both alike; milliseconds are those of the wall, from the moment
a change is written until a phone has all of it.
"""

import tests.bench.one_core  # noqa: F401  # isort: skip
import argparse
import os
import resource
import threading
import time
from dataclasses import replace
from pathlib import Path

from rig.backroom import Backroom
from rig.films.film_script import FilmScript
from rig.films.reel import timeline
from rig.films.studio import NICE, film_of
from rig.row.fall_shown import tips
from rig.row.push_events import FELL
from tests.bench.bench_web import PAUSE_S, delays_ms, gather, one_change, quantile
from tests.support.film_scripts import script, words

PHONES = 10
BLOCKS = 6
_NO_CLIP = Path("no-clip")


def longest() -> FilmScript:
    """A row of ten tiles whose film takes 8 s: it falls slowly to the last tile."""
    told = script(tiles=10, step_ms=160)
    order = [(tile.value, 160 * i) for i, tile in enumerate(told.row)]
    values = [tile.value for tile in told.row]
    return replace(told, outcome=FELL, tips=tips(values, values, order))


def cost(told: FilmScript) -> tuple[float, float]:
    """CPU seconds and megabytes of a film, made in a process of its own as at the table."""
    room = Backroom(NICE)
    room.open()
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    film, still = room.do_apart(film_of, told, dict(words()), _NO_CLIP)
    room.close()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    spent_s = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return spent_s, (len(film) + len(still)) / 1e6


def noticed(told: FilmScript, changes: int) -> tuple[list[float], list[float]]:
    """Milliseconds until phones know of a change: at rest, and while films are made."""
    each = gather("ours", PHONES)
    delays: tuple[list[float], list[float]] = ([], [])
    counted = 0
    for block in range(BLOCKS):
        stop, room = threading.Event(), Backroom(NICE)
        beside = threading.Thread(target=_film_on, args=(room, told, stop))
        if block % 2:
            room.open()
            beside.start()
            time.sleep(1.0)  # the process has begun to draw
        for _ in range(changes):
            counted += 1
            one_change(each, counted)
            time.sleep(PAUSE_S)
        marks = each.stack.marks()
        delays[block % 2].extend(
            delay for change in delays_ms(each.room.ears, marks, changes) for delay in change
        )
        stop.set()
        if block % 2:
            room.kill()
            beside.join()
    each.room.close()
    each.stack.close()
    return delays


def _film_on(room: Backroom, told: FilmScript, stop: threading.Event) -> None:
    """Make one film after the other."""
    while not stop.is_set():
        try:
            room.do_apart(film_of, told, dict(words()), _NO_CLIP)
        except Exception:
            return  # killed: the block is over


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--changes", type=int, default=80, help="in each block of six")
    args = parser.parse_args()
    told = longest()
    spent_s, size_mb = cost(told)
    print(f"\nA film of {timeline(told).whole_s:.1f} s at 720p30, nice {NICE}, load {load()}\n")
    print("| figure | here | must |\n|---|---|---|")
    print(f"| CPU of one film, its process and its start included | {spent_s:.1f} s | 10 s |")
    print(f"| size with its still | {size_mb:.2f} MB | 3 MB |")
    rest, beside = noticed(told, args.changes)
    print("\n| phones hear of a change, ms | p50 | p99 |\n|---|---|---|")
    for name, ms in (("at rest", rest), ("while films are made", beside)):
        print(f"| {name} | {quantile(ms, 0.5):.1f} | {quantile(ms, 0.99):.1f} |")
    times = quantile(beside, 0.99) / quantile(rest, 0.99)
    print(f"\np99 beside over at rest: {times:.2f} (must: 1.3)")


def load() -> str:
    """How many processes wanted a core in the last minute."""
    return f"{os.getloadavg()[0]:.1f} on {os.cpu_count()} cores"


if __name__ == "__main__":
    main()
