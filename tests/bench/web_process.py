"""The server process of a benchmark, seen from outside: talk to it, weigh it, end it."""

import json
import re
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Self


class Stack:
    """One `web_stacks` that runs, or another program of its kind."""

    def __init__(self, *words: str, program: str = "web_stacks") -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", f"tests.bench.{program}", *words],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self.said: list[str] = []
        told = self.answer()
        self.port: int = told["port"]
        self.codes: Sequence[str] = told["codes"]

    def say(self, word: str) -> Any:
        """Ask for something; gives the answer."""
        assert self.process.stdin
        self.process.stdin.write(word + "\n")
        self.process.stdin.flush()
        return self.answer()

    def answer(self) -> Any:
        """Give the next line of JSON; what was said between is kept in `said`."""
        assert self.process.stdout
        while line := self.process.stdout.readline():
            if line.startswith("{"):
                return json.loads(line)
            self.said.append(line)
        raise RuntimeError("the server process ended")

    def marks(self, table: str = "") -> dict[int, int]:
        """Tell when each version of a table came to be, in nanoseconds."""
        return {int(v): ns for v, ns in self.say("marks")[table].items()}

    def weigh(self) -> tuple[float, int, float]:
        """Give memory in MB, threads, and CPU seconds so far."""
        folder = Path(f"/proc/{self.process.pid}")
        status = (folder / "status").read_text()
        memory, threads = (
            int(re.search(rf"{name}:\s+(\d+)", status)[1])  # type: ignore[index]
            for name in ("VmRSS", "Threads")
        )
        ticks = (folder / "stat").read_text().rpartition(")")[2].split()[11:13]
        return memory / 1024, threads, sum(map(int, ticks)) / 100

    def kill(self) -> list[str]:
        """End it as a power cut would; gives what it had said."""
        self.process.send_signal(signal.SIGKILL)
        assert self.process.stdout and self.process.stdin
        self.said += self.process.stdout.readlines()
        self.process.wait()
        self.process.stdin.close()
        self.process.stdout.close()
        return self.said

    def close(self) -> None:
        """End it well."""
        assert self.process.stdin and self.process.stdout
        self.process.stdin.close()
        self.process.stdout.read()
        self.process.wait(30)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.wait()
