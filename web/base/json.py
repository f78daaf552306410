"""Encodes every answer as JSON bytes."""

import json


def encode(value: object) -> bytes:
    """JSON in one line of UTF-8.

    >>> encode({"name": "Ołena"}).decode()
    '{"name":"Ołena"}'
    """
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode()
