"""A shuffle that everybody can check: hashes of what is drawn, and the order that follows. Pure.

The table draws a secret and every seat a share. All publish hashes of them first; then the shares
are sent, and the order follows from the secret and all shares. Whoever honestly drew one of them
knows that nobody chose the order. What is hashed is fixed to the last character: phones compute it
by themselves (`web/static/core/shuffle.js`), and both sides are held to the same vectors.
"""

import hashlib
import hmac
import struct
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeVar

from rig.games.interface import Draw, Seat

T = TypeVar("T")

HEX_DIGITS = 64
"""Digits of every value: 32 bytes, lower-case hexadecimal, the length of a SHA-256."""

_WORDS = 1 << 32
"""How many values a word has from which a number is drawn."""

Fault = Literal["secret", "share", "length", "withheld", "late", "deck"]
"""What can be wrong with an opened shuffle; pages have words for each."""


@dataclass(frozen=True, slots=True)
class Wrong:
    """What is wrong with an opened shuffle.

    Attributes:
        fault: which kind.
        seat: whose share it is about, "" if nobody's.
        length: of a share that has another than it should, in characters.
    """

    fault: Fault
    seat: Seat = ""
    length: int = 0


@dataclass(frozen=True, slots=True)
class Shuffle:
    """A shuffle as it lies open after its round.

    Attributes:
        game: the game's name, 64 digits.
        round: its number, from 1.
        count: how many items there are.
        commitment: what the table published for its secret.
        secret: the table's secret.
        seats: who plays, in their order round the table.
        hashes: what each seat published for its share, as they were shown.
        shares: the shares, by seat.
        order: the items as they were dealt, from place 0.
        late: the seats whose hash came after others were shown.
        drawn: the seats whose shares the table drew: bots, and whoever has no phone.
    """

    game: str
    round: int
    count: int
    commitment: str
    secret: str
    seats: tuple[Seat, ...]
    hashes: Mapping[Seat, str]
    shares: Mapping[Seat, str]
    order: tuple[int, ...]
    late: frozenset[Seat] = field(default_factory=frozenset)
    drawn: tuple[Seat, ...] = ()


def is_value(text: object) -> bool:
    """Whether this is 32 bytes in lower-case hexadecimal.

    >>> is_value("0f" * 32), is_value("0F" * 32), is_value("0f" * 31)
    (True, False, False)
    """
    return isinstance(text, str) and len(text) == HEX_DIGITS and not set(text) - _DIGITS


_DIGITS = frozenset("0123456789abcdef")


def committed(game: str, number: int, secret: str) -> str:
    """What the table publishes for its secret in a round."""
    return _sha256(f"domino-rig-deck-secret/1 {game} {number} {secret}")


def share_hash(game: str, number: int, seat: Seat, share: str) -> str:
    """What a seat publishes for its share in a round."""
    return _sha256(f"domino-rig-deck-share/1 {game} {number} {seat} {share}")


def _sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def order_of(
    game: str,
    number: int,
    count: int,
    secret: str,
    seats: Sequence[Seat],
    shares: Mapping[Seat, str],
) -> tuple[int, ...]:
    """The items 0..count-1 in the order that follows from a secret and all shares.

    Args:
        game: the game's name, 64 digits.
        number: of the round.
        count: how many items there are.
        secret: the table's secret, 64 digits.
        seats: who plays, in their order round the table; those without a share are passed over.
        shares: the shares, by seat.

    >>> order_of("0" * 64, 1, 5, "1" * 64, ("s1", "s2"), {"s2": "2" * 64})
    (1, 4, 2, 3, 0)
    """
    given = "".join(f" {seat} {shares[seat]}" for seat in seats if seat in shares)
    words = _words(bytes.fromhex(secret), f"domino-rig-deck/1 {game} {number} {count}{given}")
    return tuple(shuffled(range(count), lambda below: _drawn(below, words)))


def shuffled(items: Iterable[T], draw: Draw) -> list[T]:
    """Items in an order that chance gives, each as likely (Fisher-Yates)."""
    order = list(items)
    for last in range(len(order) - 1, 0, -1):
        at = draw(last + 1)
        order[last], order[at] = order[at], order[last]
    return order


def _words(key: bytes, message: str) -> Iterator[int]:
    """Endless words of 32 bits: HMAC-SHA256 in counter mode, big-endian."""
    block = 0
    while True:
        digest = hmac.digest(key, f"{message} {block}".encode(), "sha256")
        yield from struct.unpack(">8I", digest)
        block += 1


def _drawn(below: int, words: Iterator[int]) -> int:
    """A number of 0..below-1, each as likely: words that would favour low ones are passed over."""
    fair = _WORDS - _WORDS % below
    return next(word for word in words if word < fair) % below


def faults(shuffle: Shuffle) -> tuple[Wrong, ...]:
    """Check an opened shuffle: everything that is wrong with it."""
    return tuple(_faults(shuffle))


def _faults(opened: Shuffle) -> Iterator[Wrong]:
    game, number = opened.game, opened.round
    sound = is_value(opened.secret)
    if not sound or committed(game, number, opened.secret) != opened.commitment:
        yield Wrong("secret")
    for seat in sorted(opened.hashes.keys() | opened.shares.keys()):
        share = opened.shares.get(seat)
        if share is None:
            yield Wrong("withheld", seat)
        elif not is_value(share):
            sound = False
            yield Wrong("length", seat, len(str(share)))
        elif seat not in opened.hashes or seat in opened.late:
            yield Wrong("late", seat)
        elif share_hash(game, number, seat, share) != opened.hashes[seat]:
            yield Wrong("share", seat)
    if sound and opened.order != order_of(
        game, number, opened.count, opened.secret, opened.seats, opened.shares
    ):
        yield Wrong("deck")
