"""A hash chain: each link depends on everything before it, so that every change is noticed.

Journals and game files link their events this way: the link of an event is the SHA-256 of the link
before it and of the event's own text.
"""

import hashlib
import json
from collections.abc import Sequence
from typing import Any


def following(before: str, text: bytes) -> str:
    """The link of an event with this text that follows the link `before`.

    >>> following("", b"one")[:8] == hashlib.sha256(b"one").hexdigest()[:8]
    True
    """
    return hashlib.sha256(before.encode() + text).hexdigest()


def row_link(before: str, row: Sequence[Any]) -> str:
    """The link of an event's row in a journal: each text of it with its length before it."""
    v, at, actor, cmd_id, kind, public, secret = row
    named = "-" if cmd_id is None else f"{len(cmd_id)}:{cmd_id}"
    hidden = "-" if secret is None else f"{len(secret)}:{secret}"
    text = f"{v},{at!r},{len(actor)}:{actor},{named},{len(kind)}:{kind},{len(public)}:{public}"
    return following(before, f"{text},{hidden}".encode())


def canonical(value: Any) -> bytes:
    """The unique text of a value: sorted keys, no spaces, whole numbers without a point, UTF-8.

    >>> canonical({"b": 2.0, "a": "Іра"}).decode()
    '{"a":"Іра","b":2}'
    """
    plain = _whole_numbers(value)
    return json.dumps(plain, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode()


def _whole_numbers(value: Any) -> Any:
    """The same value with 2.0 as 2, which is how other programs rewrite it."""
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, dict):
        return {key: _whole_numbers(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_whole_numbers(item) for item in value]
    return value
