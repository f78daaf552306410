"""A table with many games behind it, a pusher that notes every STOP, and a disk that can hang.

    python -m tests.bench.web_evening JOURNAL [--games N]

As a process of its own for `web_stop.py` and `web_past.py`: it prints its port as JSON, then
answers each line it reads. "seat COOKIE" seats a phone, "hang" lets the disk hang but for a third
of a second in every three, "free" lets it go, "stops" tells at what nanosecond each was written.
"""

import tests.bench.one_core  # noqa: F401  # isort: skip
import argparse
import json
import os
import secrets
import sys
import threading
import time
from itertools import count
from pathlib import Path
from typing import Any

from rig.clock import SystemClock
from rig.config import load_config
from rig.games.estimation.terms import Phase
from rig.journal import Journal
from rig.machine.build import open_by_hand
from rig.machine.ticker import Ticker
from rig.pusher.link import Line
from rig.pusher.serial import SerialPusher
from rig.pusher.wasm_board import Board, BoardLine
from rig.pusher.wire import STOP_BYTE
from rig.row.row_session import RowSession
from rig.session.events import Seated
from tests.support.evenings import Evening
from web.access.auth import device_of
from web.factory import create_app
from web.server.server import Server, settle

CODE, SECRET = "PINE", "the-secret-of-the-host"
HUNG_S, FREE_S = 2.7, 0.3
READ_S = 0.02


def play(path: Path, games: int) -> None:
    """Write a journal of so many games, unless it is there."""
    if path.exists():
        return
    evening = Evening(8).play()
    for _ in range(games - 1):
        evening.again()
        while evening.table.phase is not Phase.GAME_OVER:
            evening.step()
    journal = Journal(path)
    journal.append(evening.records)
    journal.close()


class Hanging(Journal):
    """A disk that takes nothing while it hangs."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.free = threading.Event()
        self.free.set()

    def append(self, *given: Any, **named: Any) -> int:
        self.free.wait()
        return super().append(*given, **named)


class Noting(Line):
    """The line to a board that lives by the day's time, and when STOP was written to it."""

    def __init__(self) -> None:
        self.stops: list[int] = []
        self._board = Board(count(1))
        self._line = BoardLine(self._board)
        self._lived_s = time.monotonic()

    def read(self) -> bytes:
        data = self._more()
        if not data:
            time.sleep(READ_S)
            data = self._more()
        return data

    def _more(self) -> bytes:
        ms = min(50, int((time.monotonic() - self._lived_s) * 1000))
        self._lived_s += ms / 1000
        self._board.run(ms)
        return self._line.read()

    def write(self, data: bytes) -> None:
        if STOP_BYTE in data:
            self.stops.append(time.monotonic_ns())
        self._line.write(data)

    def close(self) -> None:
        """Leave the board as it is."""


def tell(value: Any) -> None:
    """Answer in one line."""
    os.write(1, (json.dumps(value) + "\n").encode())


def hang(journal: Hanging, over: threading.Event) -> None:
    """Let the disk hang, and go for a moment, until it is over."""
    while not over.is_set():
        journal.free.clear()
        over.wait(HUNG_S)
        journal.free.set()
        over.wait(FREE_S)


def main() -> None:
    """Serve until the input ends."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("journal", type=Path)
    parser.add_argument("--games", type=int, default=100)
    args = parser.parse_args()
    play(args.journal, args.games)
    clock, line = SystemClock(), Noting()
    journal = Hanging(args.journal)
    session = RowSession(journal, clock, load_config(), secrets.token_hex)
    machine = open_by_hand(session)
    pusher = SerialPusher(lambda: line, clock, count(1))
    pusher.link.start()
    machine.rig.pusher = pusher
    ticker = Ticker(clock)
    ticker.add(session)
    ticker.start()
    server = Server(create_app(session, code=CODE, host_secret=SECRET), bind="127.0.0.1", port=0)
    server.start()
    settle()
    over = threading.Event()
    tell({"port": server.port, "codes": [CODE]})
    for words in map(str.split, sys.stdin):
        match words:
            case ["seat", cookie]:
                token = cookie.partition("=")[2].partition(".")[0]
                seat = f"s{len(session.table.players) + 1}"
                session.commit([Seated(seat, seat, "cross", device_of(token))], seat)
                tell({"seat": seat})
            case ["hang"]:
                threading.Thread(target=hang, args=(journal, over), daemon=True).start()
                tell({})
            case ["free"]:
                over.set()
                journal.free.set()
                tell({})
            case ["stops"]:
                tell({"stops": line.stops})
    journal.free.set()


if __name__ == "__main__":
    main()
