"""The pusher's program at one end of a pseudo-terminal, its time passing with the day's."""

import os
import threading
import time
from contextlib import suppress
from itertools import count

from rig.pusher.find_port import SerialLine
from rig.pusher.wasm_board import Board

STEP_S = 0.002
MOST_MS = 50


class TerminalBoard:
    """A board that serial ports lead to.

    Attributes:
        name: of its port.
        board: its hands are there.
    """

    def __init__(self):
        self.board = Board(count(1))
        self.master, self.slave = os.openpty()
        self.name = os.ttyname(self.slave)
        os.set_blocking(self.master, False)
        SerialLine(self.name).close()  # leaves the terminal without echo
        self._over = threading.Event()
        self._lock = threading.Lock()
        self._thread = threading.Thread(target=self._live, daemon=True)
        self._thread.start()

    def _live(self):
        lived_s = time.monotonic()
        while not self._over.wait(STEP_S):
            # On a busy computer it lives more slowly than the day rather than in leaps.
            ms = min(MOST_MS, int((time.monotonic() - lived_s) * 1000))
            lived_s += ms / 1000
            with self._lock:
                with suppress(OSError):
                    self.board.take(os.read(self.master, 4096))
                self.board.run(ms)
                sent = self.board.give()
            if sent:
                with suppress(OSError):
                    os.write(self.master, sent)

    def turn_switch(self, on):
        with self._lock:
            self.board.switch_on = on

    def close(self):
        self._over.set()
        self._thread.join()
        os.close(self.master)
        os.close(self.slave)
