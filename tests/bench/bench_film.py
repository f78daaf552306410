"""Films of pushes: what one of 8 s costs, how large it is, and whether phones notice.

    python -m tests.bench.bench_film [--changes N]

CPU seconds are those of the process that makes the film, its start and the loading of what it needs
included. Ten phones hear of changes, forty in a second, in blocks by turns: at rest, and while the
table's studio makes one film after the other, so that a busy machine slows both alike. Milliseconds
are those of the wall, from the moment a change is written until a phone has all of it.
"""

import tests.bench.one_core  # noqa: F401  # isort: skip
import argparse
import os
import resource
import time
from pathlib import Path

from rig.backroom import Backroom
from rig.films.film_script import FilmScript
from rig.films.reel import timeline
from rig.films.studio import NICE, film_of
from tests.bench.bench_web import PAUSE_S, delays_ms, gather, one_change, quantile
from tests.support.film_scripts import longest, words

PHONES = 10
PAIRS = 9
"""So often phones are listened to at rest and then while films are made."""
_NO_CLIP = Path("no-clip")


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


def noticed(changes: int) -> tuple[list[list[float]], list[list[float]], float]:
    """Milliseconds until phones know of a change, by block: at rest, and while films are made.

    Also the part of a core that the films had in the latter time.
    """
    each = gather("ours", PHONES)
    delays: tuple[list[list[float]], list[list[float]]] = ([], [])
    parts = []
    for block in range(2 * PAIRS):
        if block % 2:
            each.stack.say("films")
            time.sleep(2.0)  # the process has begun to draw
        for n in range(changes):
            one_change(each, block * changes + n)
            time.sleep(PAUSE_S)
        heard = delays_ms(each.room.ears, each.stack.marks(), changes)
        delays[block % 2].append([delay for change in heard for delay in change])
        if block % 2:
            parts.append(each.stack.say("rest")["part"])
    each.room.close()
    each.stack.close()
    return *delays, sum(parts) / len(parts)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--changes", type=int, default=50, help="in each block")
    args = parser.parse_args()
    told = longest()
    spent_s, size_mb = cost(told)
    print(f"\nA film of {timeline(told).whole_s:.1f} s at 720p30, nice {NICE}, load {load()}\n")
    print("| figure | here | must |\n|---|---|---|")
    print(f"| CPU of one film, its process and its start included | {spent_s:.1f} s | 10 s |")
    print(f"| size with its still | {size_mb:.2f} MB | 3 MB |")
    rest, beside, part = noticed(args.changes)
    print("\n| phones hear of a change, ms | p50 | p99 |\n|---|---|---|")
    for name, blocks in (("at rest", rest), ("while films are made", beside)):
        ms = [delay for block in blocks for delay in block]
        print(f"| {name} | {quantile(ms, 0.5):.1f} | {quantile(ms, 0.99):.1f} |")
    times = sorted(quantile(b, 0.99) / quantile(a, 0.99) for a, b in zip(rest, beside, strict=True))
    print(
        f"\np99 beside over at rest: {times[PAIRS // 2]:.2f} in the middle one of {PAIRS} pairs of "
        f"blocks ({times[0]:.2f} to {times[-1]:.2f}; must: 1.3)"
    )
    print(f"The films' process had {part:.2f} of a core meanwhile.")


def load() -> str:
    """How many processes wanted a core in the last minute."""
    return f"{os.getloadavg()[0]:.1f} on {os.cpu_count()} cores"


if __name__ == "__main__":
    main()
