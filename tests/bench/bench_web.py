"""The referee under load: how soon phones know, what many of them cost, what it survives.

    python -m tests.bench.bench_web [broadcast] [venue] [shouts] [kills] [hostile] [stop] [past]
        [--quick]

All on one machine over loopback: phones are raw sockets in this process, the server is a process of
its own, and both share the same cores. Times are those of the wall, from the moment a change is
written until a phone has all of it. Beside the referee's own server run the same application on a
threaded server (Werkzeug), where every stream holds a thread, and Flask-SocketIO on that server
with a plain broadcast of one snapshot; they take turns in blocks, so that a busy machine slows all
alike; a stall of the machine in one change of a hundred makes the 99th percentile of all, so that
of the middle change stands beside it. `--quick` does a tenth of everything.
"""

import tests.bench.one_core  # noqa: F401  # isort: skip
import argparse
import importlib.util
import os
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from tests.bench import web_hostile, web_kills, web_past, web_shouts, web_stop, web_venue
from tests.bench.web_phones import Ear, Phone, Room, raise_files, seat
from tests.bench.web_process import Stack

PHONES = {10: 200, 200: 100, 1000: 60}
"""How many phones listen, and how many changes they hear."""
BARS = {10: (5, 3), 200: (25, 15), 1000: (150, 90)}
"""Milliseconds at the 99th percentile: what is asked for, and what is hoped for."""
BLOCKS, PAUSE_S = 2, 0.02
"""Servers take turns in blocks of changes; a server that waits would still beat and ping."""
PLAYERS = 4
STACKS = {
    "ours": "this server",
    "socketio": "Flask-SocketIO, threaded (Werkzeug)",
}


@dataclass(slots=True)
class Tally:
    """What was measured of one server: milliseconds by change and phone, and what it cost."""

    changes: list[list[float]] = field(default_factory=list)
    spent_s: float = 0.0
    memory_mb: float = 0.0
    threads: int = 0


@dataclass(slots=True)
class Contestant:
    """One server with its phones."""

    name: str
    stack: Stack
    idle_mb: float
    players: list[Phone]
    room: Room


def quantile(values: Iterable[float], part: float) -> float:
    """Return the value that this part of all does not exceed."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * part))]


def gather(name: str, phones: int) -> Contestant:
    """Start a server and open the streams of all phones."""
    stack = Stack(name)
    idle_mb, _, _ = stack.weigh()
    players = seat(stack.port, PLAYERS)
    room = Room()
    everybody = players + [Phone(stack.port).join() for _ in range(phones - PLAYERS)]
    for phone in everybody:
        if name == "socketio":
            room.listen_socket(stack.port)
        else:
            room.listen(phone)
    version = stack.say("play")["v"]
    players[0].do("rename", name="Ana 0")
    missing = room.wait_for(version + 1, room.ears)
    assert not missing, f"{name}: {missing} of {phones} streams did not open"
    return Contestant(name, stack, idle_mb, players, room)


def one_change(each: Contestant, n: int) -> float:
    """Let the table change once and everybody hear of it; gives the CPU seconds it took."""
    before_s = each.stack.weigh()[2]
    version = each.players[0].do("rename", name=f"Ana {n}")["v"]
    missing = each.room.wait_for(version, each.room.ears)
    assert not missing, f"{each.name}: {missing} phones did not hear of version {version}"
    return each.stack.weigh()[2] - before_s


def delays_ms(ears: Sequence[Ear], marks: dict[int, int], last: int) -> list[list[float]]:
    """Give how long each phone waited, for each of the last changes."""
    counted = sorted(v for v in marks if v > max(marks) - last)
    return [[(ear.heard[v] - marks[v]) / 1e6 for ear in ears if v in ear.heard] for v in counted]


def broadcast(part: float) -> None:
    """Print how soon all phones know, and what they cost."""
    missing = () if importlib.util.find_spec("flask_socketio") else ("socketio",)
    if missing:
        print("\nFlask-SocketIO is not installed and left out: pip install -e .[bench]")
    print(
        "\nA change until the phones have it, ms; memory above idle, MB; threads; CPU ms a change"
    )
    print("| phones | server | p50 | p99 | middle change p99 | must, aim | MB | threads | CPU |")
    print("|---|---|---|---|---|---|---|---|---|")
    for phones, rounds in PHONES.items():
        tallies = {name: Tally() for name in STACKS if name not in missing}
        for _ in range(BLOCKS):
            for name, tally in tallies.items():
                play(name, phones, max(5, round(rounds * part / BLOCKS)), tally)
        for name, tally in tallies.items():
            delays = [delay for change in tally.changes for delay in change]
            middle = quantile((quantile(change, 0.99) for change in tally.changes), 0.5)
            bar = "{}, {}".format(*BARS[phones]) if name == "ours" else ""
            print(
                f"| {phones} | {STACKS[name]} | {quantile(delays, 0.5):.1f} "
                f"| {quantile(delays, 0.99):.1f} | {middle:.1f} | {bar} | {tally.memory_mb:.0f} "
                f"| {tally.threads} | {1e3 * tally.spent_s / len(tally.changes):.1f} |",
                flush=True,
            )


def play(name: str, phones: int, rounds: int, tally: Tally) -> None:
    """Let one server tell its phones of so many changes."""
    each = gather(name, phones)
    for n in range(rounds):
        tally.spent_s += one_change(each, n + 1)
        time.sleep(PAUSE_S)
    tally.changes += delays_ms(each.room.ears, each.stack.marks(), rounds)
    memory_mb, threads, _ = each.stack.weigh()
    tally.memory_mb = max(tally.memory_mb, memory_mb - each.idle_mb)
    tally.threads = max(tally.threads, threads)
    each.room.close()
    each.stack.close()


PARTS: dict[str, Callable[[float], None]] = {
    "broadcast": broadcast,
    "venue": web_venue.measure,
    "shouts": web_shouts.measure,
    "kills": web_kills.measure,
    "hostile": web_hostile.measure,
    "stop": web_stop.measure,
    "past": web_past.measure,
}


def main() -> None:
    """Run what is asked for."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("parts", nargs="*", metavar="PART", help=", ".join(PARTS))
    parser.add_argument("--quick", action="store_true", help="a tenth of everything")
    args = parser.parse_args()
    unknown = set(args.parts) - set(PARTS)
    if unknown:
        parser.error(f"no such part: {', '.join(sorted(unknown))}; there are {', '.join(PARTS)}")
    raise_files()
    load = os.getloadavg()
    print(f"{os.cpu_count()} cores, load before: {load[0]:.1f} (1 min), {load[1]:.1f} (5 min)")
    for name in args.parts or PARTS:
        PARTS[name](0.1 if args.quick else 1.0)


if __name__ == "__main__":
    main()
