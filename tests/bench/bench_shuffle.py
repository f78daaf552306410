"""How even the shuffle is, and what it costs: `python -m tests.bench.bench_shuffle [SHUFFLES]`."""

import sys
import time

from tests.support.shuffles import evenness

COUNTS = (28, 56)
"""A double-six set and a Tichu deck."""


def main(shuffles=20_000):
    for count in COUNTS:
        begun_s = time.process_time()
        chi_square, degrees, p = evenness(count, shuffles)
        each_us = (time.process_time() - begun_s) / shuffles * 1e6
        print(
            f"{count} items, {shuffles} shuffles: chi-square {chi_square:.0f} of {degrees} degrees "
            f"of freedom, p {p:.3f}; {each_us:.0f} us of CPU a shuffle"
        )


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
