"""A fair shuffle from unguessable bytes, so that what is dealt can be proved afterwards."""

import hashlib


def shuffled(count: int, seed: str) -> tuple[int, ...]:
    """The numbers 0..count-1 in an order that follows from `seed` alone (Fisher-Yates).

    Each step draws from SHA-256 in counter mode and throws away what would favour low numbers.

    >>> sorted(shuffled(5, "a")) == list(range(5)), shuffled(5, "a") == shuffled(5, "a")
    (True, True)
    """
    order, blocks = list(range(count)), 0
    for left in range(count, 1, -1):
        bound = (1 << 64) // left * left
        while True:
            digest = hashlib.sha256(f"{seed} {blocks}".encode()).digest()
            number, blocks = int.from_bytes(digest[:8]), blocks + 1
            if number < bound:
                break
        at = number % left
        order[left - 1], order[at] = order[at], order[left - 1]
    return tuple(order)
