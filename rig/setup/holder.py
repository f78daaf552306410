"""Finds which program of this computer listens on a port, if the system tells."""

from contextlib import suppress
from pathlib import Path

PROC = Path("/proc")
"""Linux: what runs, and what it has open."""
_LISTENS = "0A"


def holder(port: int, proc: Path = PROC) -> str:
    """Give the name and number of the process that listens on a TCP port; "" if unknown.

    Another user's processes are unknown, and so is everything on systems without `/proc`.

    Args:
        port: the port.
        proc: where the system tells it.
    """
    sockets = {f"socket:[{inode}]" for inode in _listening(port, proc)}
    for process in proc.glob("[0-9]*") if sockets else ():
        with suppress(OSError):
            for file in (process / "fd").iterdir():
                if str(file.readlink()) in sockets:
                    name = (process / "comm").read_text(encoding="utf-8", errors="replace")
                    return f"{name.strip()} (PID {process.name})"
    return ""


def _listening(port: int, proc: Path) -> set[str]:
    found = set()
    for table in ("tcp", "tcp6"):
        with suppress(OSError):
            for line in (proc / "net" / table).read_text(encoding="ascii").splitlines()[1:]:
                _, local, _, state, *rest = line.split()
                if state == _LISTENS and int(local.rpartition(":")[2], 16) == port:
                    found.add(rest[5])
    return found
