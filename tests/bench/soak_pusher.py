"""200 000 steps of resets, losses of power, stops, hands and noise at the very image.

    nice .venv/bin/python -m tests.bench.soak_pusher [--steps 200000] [--first 1] [--core]

An evening is 2000 steps. A line for each that goes wrong, with the seed that does it again; then
how often everything was done. Needs gcc-avr, avr-libc, libsimavr-dev and libelf-dev.
"""

import argparse
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from tests.support import chip
from tests.support.hands import CoreWorld, ImageWorld, Lost, play
from tests.support.hostcore import build_core

EVENING = 2000


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--steps", type=int, default=200_000)
    parser.add_argument("--first", type=int, default=1, help="seed of the first evening")
    parser.add_argument("--core", action="store_true", help="the core on this computer instead")
    args = parser.parse_args()
    if not (args.core or chip.TOOLS):
        sys.exit("soak_pusher.py needs gcc-avr, avr-libc, libsimavr-dev and libelf-dev.")
    did, wrong, start_s = Counter(), 0, time.process_time()
    with tempfile.TemporaryDirectory() as kept:
        folder = Path(kept)
        built = build_core(folder) if args.core else chip.build(folder)
        evenings = -(-args.steps // EVENING)
        for seed in range(args.first, args.first + evenings):
            world = CoreWorld(built) if args.core else ImageWorld(built)
            try:
                did += play(world, seed, EVENING)
            except Lost as error:
                wrong += 1
                print(error, flush=True)
            finally:
                world.close()
    print(f"{evenings * EVENING} steps, {wrong} evenings went wrong; ", end="")
    print(f"{time.process_time() - start_s:.0f} s of CPU")
    print(", ".join(f"{name} {count}" for name, count in did.most_common()))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
