"""The pusher's own program on a pretend board: the C core, compiled to WebAssembly.

It runs exactly what the chip runs, frame by frame and millisecond by millisecond. What hands do to
it (arm switch, red button, light beams, cable) are methods.
"""

import logging
import threading
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from typing import Any, Final

from wasmtime import Config, Engine, Instance, Memory, Module, Store, Trap

from rig.pusher.link import Line, LineLost

log = logging.getLogger(__name__)

REST_US: Final = 1200
"""The pulse at which the arm sits against its stop."""

_SWITCH_ON, _ESTOP_CLOSED = 1, 2
_POWER_ON, _RESET = 0, 1
_STATES: Final = ("SAFE", "ARMED", "OUT", "HOLD", "BACK", "ESTOP", "FAULT", "AWAY")


_FUEL: Final = 10_000_000
_FUEL_MS: Final = 10_000
"""Most instructions of a call (`_FUEL`), and for each millisecond of its time (`_FUEL_MS`); thirty
times what the longest call takes."""

STUCK: Final = "the program of the virtual pusher hangs: restart that pusher"


@cache
def _program() -> tuple[Engine, Module]:
    config = Config()
    config.consume_fuel = True
    engine = Engine(config)
    return engine, Module(engine, files("rig.pusher").joinpath("pusher.wasm").read_bytes())


class Board:
    """A board with the pusher's program in it; safe from any thread.

    Args:
        boot_ids: a number below 2**16 for every start.

    Attributes:
        time_s: how long it has run, over all starts.
        switch_on: the arm switch.
        estop_closed: the red button is not pressed.
        plugged: the cable to the computer is in.
        stuck: its program did not return from a call; it is silent until a restart.
    """

    def __init__(self, boot_ids: Iterator[int]) -> None:
        # Python's own lock does not hold in there, and two threads at once wreck the process.
        self._lock = threading.RLock()
        self._boot_ids = boot_ids
        self.stuck = False
        self._load()
        self._beams = [False, False]
        self._speaks = True
        self._ms = 0
        self._since_ms = 0
        self.switch_on = False
        self.estop_closed = True
        self.plugged = True
        self._start(_POWER_ON, away=False)

    @property
    def time_s(self) -> float:
        return self._ms / 1000

    @property
    def state(self) -> str:
        """What the program is doing."""
        return _STATES[self._call("board_state")]

    @property
    def strokes(self) -> int:
        """How many strokes it has begun since it was started."""
        return int(self._call("board_strokes"))

    @property
    def beams(self) -> tuple[bool, bool]:
        """Whether each light beam is broken."""
        return self._beams[0], self._beams[1]

    def run(self, ms: int) -> float:
        """Let time pass.

        Returns:
            How far the pulse got from rest, in us; below 0 without power.
        """
        with self._lock:
            self._ms += ms
            inputs = _SWITCH_ON * self.switch_on | _ESTOP_CLOSED * self.estop_closed
            inputs |= sum(1 << (4 + i) for i, broken in enumerate(self._beams) if broken)
            told: int = self._call("board_run", ms, inputs, fuel=_FUEL + ms * _FUEL_MS)
            told &= 0xFFFFFFFF
            self._speaks |= bool(told >> 31)
            return (told & 0xFFFF) / 2 - REST_US

    def take(self, data: bytes) -> None:
        """Take bytes from the computer."""
        with self._lock:
            for start in range(0, len(data), self._most):
                part = data[start : start + self._most]
                self._memory.write(self._store, part, self._window)
                self._call("board_receive", len(part))
            self._speaks = True

    def give(self) -> bytes:
        """Return the bytes that it sends to the computer."""
        with self._lock:
            if not self._speaks:
                return b""
            self._speaks = False
            length = self._call("board_send")
            return bytes(self._memory.read(self._store, self._window, self._window + length))

    def set_beam(self, beam: int, broken: bool) -> None:
        """Break a light beam, or free it."""
        with self._lock:
            if self._beams[beam] is not broken:
                self._beams[beam] = broken
                us = (self._ms - self._since_ms) * 1000 % (1 << 32)
                self._call("board_beam", beam, broken, us)
                self._speaks = True

    def restart(self) -> None:
        """Reset it, as its button does: it forgets its work, but not that its arm is away."""
        with self._lock:
            away = self.stuck or bool(self._call("board_away"))
            if self.stuck:
                self._load()
            self._start(_RESET, away=away)

    def _load(self) -> None:
        engine, module = _program()
        self._store = Store(engine)
        self._store.set_fuel(_FUEL)
        self._exports = Instance(self._store, module, []).exports(self._store)
        memory = self._exports["memory"]
        assert isinstance(memory, Memory)
        self._memory = memory
        self.stuck = False
        self._window: int = self._call("board_window")
        self._most: int = self._call("board_window_size")

    def _start(self, cause: int, *, away: bool) -> None:
        self._since_ms = self._ms
        self._call("board_reset", cause, away, next(self._boot_ids))
        self._speaks = True

    def _call(self, name: str, *args: int, fuel: int = _FUEL) -> Any:
        """Call the program; 0 if it does not return, now or earlier."""
        with self._lock:
            if self.stuck:
                return 0
            self._store.set_fuel(fuel)
            try:
                return self._exports[name](self._store, *args)  # type: ignore[operator]
            except Trap:
                log.exception("the virtual pusher's program did not come back from %s", name)
                self.stuck = True
                return 0


class BoardLine(Line):
    """The cable between this computer and a pretend board.

    Args:
        board: at its other end.
    """

    def __init__(self, board: Board) -> None:
        self._board = board

    def read(self) -> bytes:
        self._require_cable()
        return self._board.give()

    def write(self, data: bytes) -> None:
        self._require_cable()
        self._board.take(data)

    def close(self) -> None:
        """Leave the board as it is; it keeps running without this computer."""

    def _require_cable(self) -> None:
        if not self._board.plugged:
            raise LineLost("the cable of the pusher has been pulled", "unplugged")
        if self._board.stuck:
            raise LineLost(STUCK, "silence")
