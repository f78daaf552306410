"""The vectors of the shuffle, which the page is held to as well, and a count of how even it is."""

import hashlib
import json
from pathlib import Path
from statistics import NormalDist

import numpy as np

from rig.games.shuffle import Shuffle, order_of


def _value(words):
    return hashlib.sha256(words.encode()).hexdigest()


def _vector(given):
    return Shuffle(
        game=_value(given["game"]),
        round=given["round"],
        count=given["count"],
        commitment=given["commitment"],
        secret=_value(given["secret"]),
        seats=tuple(given["shares"]),
        hashes=given["hashes"],
        shares={seat: _value(words) for seat, words in given["shares"].items()},
        order=tuple(given["order"]),
    )


_TEXT = (Path(__file__).parents[1] / "data" / "shuffles.json").read_text("ascii")
VECTORS = tuple(_vector(given) for given in json.loads(_TEXT))


def evenness(count, shuffles):
    """Chi-square of place x item over shuffles, its degrees of freedom, and how likely more is.

    Rows and columns of the table each add up, so chi-square is taken (count - 1) / count times. Its
    distribution is Wilson and Hilferty's: with hundreds of degrees they are right to four digits.
    """
    seen, places = np.zeros((count, count)), np.arange(count)
    for number in range(shuffles):
        secret = _value(f"secret {number}")
        shares = {seat: _value(f"{seat} {number}") for seat in ("s1", "s2")}
        order = order_of(_value("evenness"), number, count, secret, tuple(shares), shares)
        seen[places, order] += 1
    due = shuffles / count
    degrees = (count - 1) ** 2
    chi_square = float(((seen - due) ** 2 / due).sum()) * (count - 1) / count
    spread = 2 / (9 * degrees)
    p = 1 - NormalDist(1 - spread, spread**0.5).cdf((chi_square / degrees) ** (1 / 3))
    return chi_square, degrees, p
