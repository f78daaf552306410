"""A board with an STK500v1 bootloader at one end of a pseudo-terminal, as strict as the real ones.

Written from the protocol, not from the flasher: whatever a real bootloader would choke on, or what
would change more than program memory, is kept as a complaint.
"""

import os
import select
import termios
import threading
from itertools import count

from rig.pusher.find_port import SerialLine, open_port
from rig.pusher.wasm_board import Board

PAGE = 128
MEMORY = 32 * 1024
BOOT_AT = {115200: 0x7E00, 57600: 0x7800}
LENGTHS = {0x30: 0, 0x50: 0, 0x51: 0, 0x75: 0, 0x55: 2, 0x64: 3 + PAGE, 0x74: 3}
"""Bytes between each command that a flasher needs and the space that ends it."""
CODES = {115200: termios.B115200, 57600: termios.B57600}


class Cut(Exception):
    """The board has been reset, or its cable pulled, in the middle of something."""


class FakeBoard:
    """The board. Faults are set before flashing.

    Attributes:
        speed: at which its bootloader speaks.
        signature: of its chip.
        memory: its program memory.
        dead_after: no answer ever again after so many commands.
        unplugged_after: its cable is pulled after so many commands.
        silent: numbers of commands that it does not answer, nor any other until the next reset.
        garbled: numbers of commands whose reply begins wrong.
        flipped: numbers of pages whose last byte arrives wrong.
        worn: addresses of bytes that hold nothing but 0.
        slow: seconds by which the first replies after a reset are late.
        complaints: what a real bootloader would not have borne.
        written: addresses of pages in the order in which they were written.
        resets: how often DTR fell.
    """

    def __init__(self, speed=115200, signature=b"\x1e\x95\x0f", memory=b""):
        self.speed = speed
        self.signature = signature
        self.memory = bytearray(memory.ljust(MEMORY, b"\xff"))
        self.dead_after = self.unplugged_after = None
        self.silent, self.garbled, self.flipped, self.worn = set(), set(), set(), set()
        self.slow = []
        self.complaints, self.written = [], []
        self.resets = self.commands = 0
        self.state = "program"
        self.program = Board(count(1))
        self._ends = self.master, slave = os.openpty()
        self.name = os.ttyname(slave)
        SerialLine(self.name).close()  # leaves the terminal without echo
        self._waiting = bytearray()
        self._dtr = True
        self._reset_asked = threading.Event()
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._live)
        self._thread.start()

    def close(self):
        self._over.set()
        self._thread.join()
        self._unplug()

    def opened(self, name, baud, *, timeout_s, write_timeout_s):
        """Open the port, with its DTR wire led to this board."""
        return _Wired(
            open_port(name, baud, timeout_s=timeout_s, write_timeout_s=write_timeout_s), self
        )

    def set_dtr(self, on):
        if on and not self._dtr:
            self._reset_asked.set()
            while self._reset_asked.is_set() and self._thread.is_alive():
                self._over.wait(0.001)
        self._dtr = on

    # ---- the chip's side ----

    def _unplug(self):
        ends, self._ends = self._ends, ()
        for end in ends:
            os.close(end)

    def _live(self):
        while not self._over.is_set():
            try:
                if self._reset_asked.is_set():
                    self._restart()
                if self.state == "bootloader":
                    self._obey()
                else:
                    self._run_program()
            except Cut:
                continue
            except OSError:
                return

    def _restart(self):
        self._waiting.clear()
        while self._readable(0):
            os.read(self.master, 4096)
        self.resets += 1
        self.state = "dead" if self._dead() else "bootloader"
        self._address = None
        self._late = list(self.slow)
        self._programming = self._knows_chip = self._met = False
        self._reset_asked.clear()

    def _dead(self):
        return self.dead_after is not None and self.commands >= self.dead_after

    def _readable(self, wait_s):
        return bool(select.select([self.master], [], [], wait_s)[0])

    def _byte(self):
        while not self._waiting:
            if self._over.is_set() or self._reset_asked.is_set():
                raise Cut
            if self._readable(0.005):
                data = os.read(self.master, 4096)
                if termios.tcgetattr(self.master)[5] == CODES[self.speed]:
                    self._waiting += data
        return self._waiting.pop(0)

    def _run_program(self):
        if self._readable(0.002):
            self.program.take(os.read(self.master, 4096))
        if self.state == "program":
            self.program.run(2)
            os.write(self.master, self.program.give())

    def _obey(self):
        code = self._byte()
        if code not in LENGTHS:
            self.complaints.append(f"command {code:#04x}")
            self.state = "program"
            return
        data = bytearray(self._byte() for _ in range(LENGTHS[code]))
        if self._byte() != 0x20:
            self.complaints.append(f"no space after {code:#04x}")
            self.state = "program"
            return
        number = self.commands
        self.commands += 1
        if code == 0x30:
            self._met = True
        elif not self._met:
            self.complaints.append(f"{code:#04x} before a greeting")
        elif self._waiting or self._readable(0):
            self.complaints.append(f"did not wait for the reply to {code:#04x}")
        if self.commands == self.unplugged_after:
            self._unplug()
        reply = b"\x14" + self._answer(code, bytes(data)) + b"\x10"
        if self._late:
            self._over.wait(self._late.pop(0))
        if self._dead() or number in self.silent:
            self.state = "dead"
            return
        if number in self.garbled:
            reply = b"\x15" + reply[1:]
        os.write(self.master, reply)

    def _answer(self, code, data):
        if code == 0x75:
            self._knows_chip = True
            return self.signature
        if code == 0x50:
            self._programming = True
        if code == 0x51:
            self.state = "program"
        if code == 0x55:
            self._address = 2 * int.from_bytes(data, "little")
        if code in (0x64, 0x74):
            return self._page(code, data)
        return b""

    def _page(self, code, data):
        length, kind, page = int.from_bytes(data[:2], "big"), data[2:3], data[3:]
        at, self._address = self._address, None
        wrong = [
            (at is None, "a page without its address"),
            (length != PAGE, f"a page of {length} bytes"),
            (kind != b"F", f"memory {kind!r}"),
            (at is not None and at % PAGE, f"a page at {at}"),
            (at is not None and at + PAGE > BOOT_AT[self.speed], "the bootloader's own place"),
            (code == 0x64 and not self._programming, "writing without having entered programming"),
            (code == 0x64 and not self._knows_chip, "writing to a chip that was not asked for"),
        ]
        self.complaints += [words for is_wrong, words in wrong if is_wrong]
        if code == 0x74:
            return bytes(self.memory[at : at + PAGE])
        if len(self.written) in self.flipped:
            page = page[:-1] + bytes([page[-1] ^ 1])
        self.memory[at : at + PAGE] = page
        for spot in self.worn:
            self.memory[spot] = 0
        self.written.append(at)
        return b""


class _Wired:
    """An open port whose DTR goes to a board, since a pseudo-terminal has none."""

    def __init__(self, port, board):
        self.__dict__.update(_port=port, _board=board)

    def __getattr__(self, name):
        return getattr(self._port, name)

    def __setattr__(self, name, value):
        if name == "dtr":
            self._board.set_dtr(value)
        elif name != "rts":
            setattr(self._port, name, value)
