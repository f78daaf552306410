"""What the pusher's firmware and its line can do: budgets, latencies, noise, agreement, pace.

    nice .venv/bin/python -m tests.bench.bench_pusher [--runs 2000] [--scripts 200] [--beats 300]

Needs gcc-avr, avr-libc, libsimavr-dev and libelf-dev. Latencies are those of the simulated chip, in
its own time; the heartbeat's way there and back is wall time, on whatever else the machine does.
"""

import argparse
import itertools
import subprocess
import sys
import tempfile
import time
from collections import Counter, defaultdict
from pathlib import Path

import numpy as np

from rig.clock import ManualClock, SystemClock
from rig.pusher.find_port import SerialLine
from rig.pusher.serial import SerialPusher
from rig.pusher.virtual import VirtualPusher
from tests.support import chip
from tests.support.hostcore import build_core
from tests.support.hosted import Image
from tests.support.noise import PUSH, RATES, spread, wrong
from tests.support.scripts import ChipWorld, CoreWorld, ModuleWorld, play, script, tick_us
from tests.support.terminal import Terminal, greeted

SIM_BYTE_US = 11 / 117_647 * 1e6
"""A byte lasts eleven bits in simavr 1.6."""


def row(name, value):
    print(f"| {name} | {value} |", flush=True)


def moving(built):
    """Give a chip in the middle of a stroke."""
    one = Image(built)
    one.push()
    one.live(300)
    return one


def budgets(built, folder):
    told = subprocess.run(
        ["make", "-s", "-C", str(chip.FIRMWARE), "size", f"BUILD={folder}"],
        capture_output=True,
        text=True,
        check=True,
    )
    one = moving(built)
    one.put(b"$C1\x00" * 100)
    one.run(300_000)
    row("size", f"{told.stdout.strip()}, {one.stack_left} B of stack never touched")
    one.close()


def latencies(built):
    for name, flood in (("an idle wire", b""), ("300 bytes of flood", b"$C1" * 100)):
        one = moving(built)
        since = one.cycle
        one.put(flood + b"!")
        one.run(60_000)
        took_us = one.off_after_us(since)
        beyond_us = took_us - (len(flood) + 1) * SIM_BYTE_US
        row(
            f"stop byte behind {name}",
            f"{took_us / 1000:.3f} ms, {beyond_us:.0f} us beyond the wire",
        )
        one.close()
    waits = []
    for phase_us in range(0, 1000, 10):
        one = moving(built)
        one.run(phase_us)
        since = one.cycle
        one.high(chip.ESTOP)
        one.run(10_000)
        waits.append(one.off_after_us(since))
        one.close()
    row("stop button to power off", f"{min(waits) / 1000:.2f} to {max(waits) / 1000:.2f} ms")


def noise(runs):
    counts = defaultdict(Counter)
    for rate, tries in spread(runs):
        for one in tries:
            counts[rate]["armed"] += 1
            counts[rate][one.said] += 1
            counts[rate]["moved"] += one.strokes
            counts[rate]["wrong"] += bool(wrong(one))
    print(f"\n{runs} evenings on bad lines:\n")
    words = ("armed", "moved", "done", "short", "unknown", "not", "wrong")
    print("| faults a byte |", " | ".join(words), "|")
    print("|---" * (len(words) + 1) + "|")
    for rate in RATES:
        print(f"| {rate} |", " | ".join(str(counts[rate][word]) for word in words), "|")
    print()


def agreement(scripts, built, folder):
    library, first_us = build_core(folder), tick_us(built)
    same = pulses = said = 0
    for seed in range(scripts):
        told = []
        for world in (CoreWorld(library), ModuleWorld(), ChipWorld(built, first_us)):
            told.append(play(script(seed), world))
            world.close()
        same += told[0] == told[1] == told[2]
        said += len(told[0][0])
        pulses += len(told[0][1])
    row("same on host, module and chip", f"{same} of {scripts} scripts ({said} B, {pulses} pulses)")


def heartbeats(beats, built):
    terminal = Terminal(built)
    pusher = SerialPusher(lambda: SerialLine(terminal.name), SystemClock(), itertools.count(1))
    pusher.link.start()
    greeted(pusher)
    took_ms = []
    for _ in range(beats):
        start_s = time.perf_counter()
        pusher.link.ask("HB")
        took_ms.append(1000 * (time.perf_counter() - start_s))
    pusher.link.close()
    terminal.close()
    median, p95, worst = np.percentile(took_ms, [50, 95, 100])
    row("heartbeat over a terminal", f"median {median:.1f}, p95 {p95:.1f}, worst {worst:.1f} ms")


def pace():
    clock = ManualClock()
    pusher = VirtualPusher(clock, np.random.default_rng(1))
    start_s = time.process_time()
    for _ in range(20):
        pusher.set_switch(False)
        pusher.set_switch(True)
        token = pusher.arm().token
        clock.sleep(0.6)
        pusher.push(token, PUSH)
    spent_s = time.process_time() - start_s
    row("virtual pusher, strokes", f"{clock.monotonic_s() / spent_s:.0f} times real time")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=2000, help="evenings on bad lines")
    parser.add_argument("--scripts", type=int, default=200, help="to play three ways")
    parser.add_argument("--beats", type=int, default=300, help="heartbeats over the terminal")
    args = parser.parse_args()
    if not chip.TOOLS:
        sys.exit("bench_pusher.py needs gcc-avr, avr-libc, libsimavr-dev and libelf-dev.")
    with tempfile.TemporaryDirectory() as kept:
        folder = Path(kept)
        built = chip.build(folder)
        print("\n| | |\n|---|---|")
        budgets(built, folder)
        latencies(built)
        pace()
        heartbeats(args.beats, built)
        agreement(args.scripts, built, folder)
    noise(args.runs)


if __name__ == "__main__":
    main()
