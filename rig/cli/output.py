"""How commands write: JSON that says what it is, any character on any terminal, progress."""

import codecs
import json
import sys
from collections.abc import Callable
from typing import Any, Final, TextIO

VERSION: Final = 1
_BAR: Final = 40
_PLAIN: Final = {
    **{"→": "->", "–": "-", "—": "-", "±": "+-", "×": "x", "…": "...", "°": " degrees"},
    **{"“": '"', "”": '"', "’": "'", "‘": "'"},
}


def write_anything() -> None:
    """Have output replace what its encoding has no sign for, instead of failing."""
    codecs.register_error("domino-rig", _replaced)
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="domino-rig")


def _replaced(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    bad = error.object[error.start : error.end]
    plain = "".join(_PLAIN.get(sign, "?") for sign in bad)
    try:
        plain.encode(error.encoding)
    except UnicodeEncodeError:
        plain = "?" * len(bad)
    return plain, error.end


def can_show(text: str, stream: TextIO | None = None) -> bool:
    """Whether the encoding of a stream, stdout by itself, has all of these characters."""
    try:
        text.encode((stream or sys.stdout).encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def print_json(kind: str, facts: dict[str, Any]) -> None:
    """Print one JSON object on a line, beginning with its format and the version of that.

    Nothing but ASCII is written: it reads the same through any encoding.

    Args:
        kind: what it is, "prediction" for `domino-rig-prediction`.
        facts: what it tells.
    """
    head = {"format": f"domino-rig-{kind}", "version": VERSION}
    print(json.dumps({**head, **facts}), flush=True)


def progress(asked: bool | None) -> Callable[[int, int], None]:
    """Give what tells how far a command is, on stderr.

    Args:
        asked: whether somebody wants it; None for only where a terminal shows it.

    Returns:
        Takes how much is done and how much there is: a bar on a terminal, lines elsewhere.
    """
    on_terminal = sys.stderr.isatty()
    if not (on_terminal if asked is None else asked):
        return lambda done, total: None

    def tell(done: int, total: int) -> None:
        if on_terminal:
            bar = "#" * (_BAR * done // max(total, 1))
            end = "\n" if done == total else ""
            print(f"\r[{bar:{_BAR}}] {done} of {total}", end=end, file=sys.stderr, flush=True)
        else:
            print(f"{done} of {total}", file=sys.stderr, flush=True)

    return tell
