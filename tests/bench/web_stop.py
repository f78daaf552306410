"""How soon STOP is on the line while everything else has its worst day.

    python -m tests.bench.web_stop [--seconds S] [--phones N] [--journal FILE]

The disk hangs but for a moment every three seconds; 1000 phones listen, tap about three seconds
after each answer and knock anew after four without one; two players read one past game after the
other, and a third has statistics reckoned. Measured from the moment before STOP is sent to the byte
on the line, both by the clock of this machine. Server, presser and phones are a process each; the
phones stand back where others want the processor, as they would have their own. How late the
presser itself was woken tells what the machine adds.

    python -m tests.bench.web_stop press PORT COOKIES SECONDS

is that process: it presses again a little after each answer, and prints when it pressed.
"""

import tests.bench.one_core  # noqa: F401  # isort: skip
import argparse
import bisect
import json
import os
import random
import selectors
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from contextlib import suppress
from pathlib import Path

from tests.bench.web_phones import (
    Phone,
    Room,
    ask,
    connect,
    raise_files,
    read_answer,
    request_bytes,
)
from tests.bench.web_process import Stack

SECONDS, PHONES = 60.0, 1000
NICE = 10
TAP_S, PATIENCE_S = 3.0, 4.0
"""Between an answer and the next tap, and until the page gives up."""
BAR_MS = 20.0
GAMES = 100


def press(port: int, cookies: str, seconds: float) -> None:
    """Press STOP again and again, on one phone after the other; print when, and what came back."""
    chance, phones = random.Random(1), [(connect(port), each) for each in cookies.split(",")]
    pressed: list[int] = []
    late_ms: list[float] = []
    told: Counter[str] = Counter()
    until_s = time.monotonic() + seconds
    while time.monotonic() < until_s:
        line, cookie = phones[len(pressed) % len(phones)]
        request = request_bytes("POST", "/api/stop", port, cookie, b"{}")
        pressed.append(time.monotonic_ns())
        answer = ask(line, request)
        told[answer.json.get("stopped", answer.json.get("reason"))] += 1
        due_s = time.monotonic() + chance.uniform(0.08, 0.16)
        time.sleep(due_s - time.monotonic())
        late_ms.append((time.monotonic() - due_s) * 1000)
    print(json.dumps({"pressed": pressed, "told": told, "late_ms": sorted(late_ms)}))


class Tappers:
    """Phones that tap "Domino!" about every three seconds, whatever becomes of it."""

    def __init__(self, phones: list[Phone]) -> None:
        self.phones = phones
        self.seen: Counter[str] = Counter()
        self.rate = 0.0
        self._selector = selectors.DefaultSelector()
        self._chance = random.Random(2)
        now_s = time.monotonic()
        self._next_s = [now_s + self._chance.uniform(0, TAP_S) for _ in phones]
        self._lines: dict[int, socket.socket] = {}

    def tap(self, over: threading.Event) -> None:
        """Tap until it is over."""
        os.nice(NICE)
        begun_s = time.monotonic()
        while not over.is_set():
            now_s = time.monotonic()
            for n, due_s in enumerate(self._next_s):
                if due_s <= now_s:
                    self._tap(n, now_s)
            for key, _ in self._selector.select(0.005):
                self._read(key.data)
        self.rate = self.seen["taps"] / (time.monotonic() - begun_s)

    def _tap(self, n: int, now_s: float) -> None:
        phone, line = self.phones[n], self._lines.pop(n, None)
        if line is not None:
            self.seen["no answer in time"] += 1
            self._selector.unregister(line)
            line.close()
            phone.line = None
        with suppress(OSError):
            phone.line = line = phone.line or connect(phone.port)
            line.sendall(phone.request("call", phase_id="1.1.TURN"))
            self._selector.register(line, selectors.EVENT_READ, n)
            self._lines[n] = line
            self.seen["taps"] += 1
        self._next_s[n] = now_s + PATIENCE_S * self._chance.uniform(0.9, 1.1)

    def _read(self, n: int) -> None:
        line = self._lines.pop(n)
        self._selector.unregister(line)
        try:
            answer = read_answer(line)
        except OSError:
            self.seen["hung up on"] += 1
            line.close()
            self.phones[n].line = None
        else:
            self.seen[str(answer.status)] += 1
        self._next_s[n] = time.monotonic() + TAP_S * self._chance.uniform(0.5, 1.5)


def look_back(phone: Phone, paths: list[str], over: threading.Event, seen: Counter[str]) -> None:
    """Read one past game, or the statistics, after the other, as fast as it is let."""
    os.nice(NICE)
    chance = random.Random(3)
    while not over.is_set():
        path = chance.choice(paths)
        with suppress(OSError, ConnectionError):
            answer = phone.ask(request_bytes("GET", path, phone.port, phone.cookie))
            seen[f"{path.rstrip('0123456789')} {answer.status}"] += 1
            if answer.status == 429:
                time.sleep(0.1)


def hear(room: Room, over: threading.Event) -> None:
    """Listen to all streams until it is over."""
    os.nice(NICE)
    room.hear(over.is_set, float("inf"))


def waits_ms(pressed: list[int], stops: list[int]) -> list[float]:
    """How long each press took to the next byte on the line, sorted."""
    return sorted((stops[bisect.bisect_left(stops, at)] - at) / 1e6 for at in pressed)


def measure(part: float = 1.0, phones: int = PHONES, journal: Path | None = None) -> None:
    """Print how soon STOP was on the line, at rest and on the worst day."""
    seconds = max(5.0, SECONDS * part)
    raise_files()
    with tempfile.TemporaryDirectory() as folder:
        path = journal or Path(folder) / "table.sqlite3"
        with Stack(str(path), f"--games={GAMES}", program="web_evening") as stack:
            seated = [Phone(stack.port).join() for _ in range(6)]
            for phone in seated:
                stack.say(f"seat {phone.cookie}")
            print("\nSTOP, from before it is sent to the byte on the line, ms")
            print("| | presses | p50 | p99 | longest | woken late, p99 | answered |")
            print("|---|---|---|---|---|---|---|")
            row(stack, "at rest", seated[:3], min(seconds, 10.0))
            watchers = [Phone(stack.port).join() for _ in range(phones)]
            room = Room()
            for phone in watchers:
                room.listen(phone)
            over, seen = threading.Event(), Counter[str]()
            games = [f"/api/games/{n}" for n in range(1, GAMES + 1)]
            ways = (games, games, ["/api/statistics"])
            readers = [
                threading.Thread(target=look_back, args=(phone, paths, over, seen))
                for phone, paths in zip(seated[3:], ways, strict=True)
            ]
            tappers = Tappers(watchers)
            hearing = threading.Thread(target=hear, args=(room, over))
            tapping = threading.Thread(target=tappers.tap, args=(over,))
            for thread in (*readers, hearing, tapping):
                thread.start()
            stack.say("hang")
            time.sleep(2.0)
            row(stack, "worst day", seated[:3], seconds)
            stack.say("free")
            over.set()
            for thread in (*readers, hearing, tapping):
                thread.join()
            room.close()
            print(
                f"must p99 <= {BAR_MS:.0f}; looked back: {dict(seen)}; "
                f"{tappers.rate:.0f} taps a second: {dict(tappers.seen)}"
            )


def row(stack: Stack, name: str, phones: list[Phone], seconds: float) -> None:
    """Press for so long, and print a row of the table."""
    cookies = ",".join(phone.cookie for phone in phones)
    program = [sys.executable, "-m", "tests.bench.web_stop", "press"]
    words = [str(stack.port), cookies, str(seconds)]
    done = json.loads(subprocess.run([*program, *words], stdout=subprocess.PIPE, check=True).stdout)
    took = waits_ms(done["pressed"], stack.say("stops")["stops"])
    told = ", ".join(f"{n} {what}" for what, n in done["told"].items())
    late_ms = done["late_ms"]
    figures = (took[len(took) // 2], p99(took), took[-1], p99(late_ms))
    cells = " | ".join(f"{each:.1f}" for each in figures)
    print(f"| {name} | {len(took)} | {cells} | {told} |", flush=True)


def p99(sorted_ms: list[float]) -> float:
    """What all but one in a hundred stay below."""
    return sorted_ms[int(len(sorted_ms) * 0.99)]


def main() -> None:
    """Run it by itself."""
    if sys.argv[1:2] == ["press"]:
        press(int(sys.argv[2]), sys.argv[3], float(sys.argv[4]))
        return
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--seconds", type=float, default=SECONDS)
    parser.add_argument("--phones", type=int, default=PHONES)
    parser.add_argument(
        "--journal", type=Path, help="kept from run to run, as making it takes long"
    )
    args = parser.parse_args()
    load = os.getloadavg()
    print(f"{os.cpu_count()} cores, load before: {load[0]:.1f} (1 min), {load[1]:.1f} (5 min)")
    measure(args.seconds / SECONDS, args.phones, args.journal)


if __name__ == "__main__":
    main()
