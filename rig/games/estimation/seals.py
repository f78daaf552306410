"""The seal of a ballot: what is published when it is locked, and proved when it is revealed."""

import hashlib
from collections.abc import Mapping

from rig.games.estimation.words import Side

PREIMAGE = "domino-rig-ballot/1"


def seal(game: str, round_: int, seat: str, side: Side, salt: str) -> str:
    """The SHA-256 of one ballot, as 64 hexadecimal digits.

    Without the salt (at least 128 random bits) nobody can try out the two sides; with it, anybody
    can: it is the hash of the six words joined by single spaces, in UTF-8.

    Args:
        game: the name drawn for the game.
        round_: the round's number, from 1.
        seat: whose ballot it is.
        side: what it says.
        salt: what was drawn for this ballot.

    >>> seal("4f1c", 2, "s3", Side.SUCCESS, "9a0b")[:16]
    '6d6fefcbd5587c99'
    """
    words = (PREIMAGE, game, str(round_), seat, side.value, salt)
    return hashlib.sha256(" ".join(words).encode()).hexdigest()


def seals(
    game: str, round_: int, ballots: Mapping[str, Side], salts: Mapping[str, str]
) -> dict[str, str]:
    """The seals of all ballots that have a salt, in the order of the salts, never of the votes."""
    return {
        seat: seal(game, round_, seat, ballots[seat], salt)
        for seat, salt in salts.items()
        if seat in ballots
    }
