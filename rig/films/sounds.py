"""The table's own sounds, made in NumPy from the numbers that `web/static/core/sound.js` has.

Each moment is a list of notes; a note is what the page's instrument of that name is given. How loud
a moment is beside the others, `MIX` says, as on the page. A test holds all of it against the page.
"""

import math
from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

Samples = NDArray[np.float32]

RATE: Final = 48_000
_GAIN: Final = 1.8
"""Gain of everything: films come to -24 to -20 LUFS. It is more than the page's, as nobody turns up
the volume for one film among others."""
_MOST: Final = 0.89
"""What no sample goes beyond, whatever sounds together, as on the page; AAC overshoots a little."""
_SILENT: Final = 0.0008
"""Every note fades to this, as on the page."""

_TOCK: Final = (0.0, 0.5)
"""When a tock sounds and how loud, where nobody says otherwise."""

Note = tuple[str | float, ...]
MIX: Final[Mapping[str, float]] = {
    "accepted": 1.26,
    "reveal": 1.95,
    "tile": 1.26,
    "fell": 0.66,
    "stood": 0.89,
    "chip": 0.81,
}
"""The level of each moment, a factor for all of its notes."""
NOTES: Final[Mapping[str, tuple[Note, ...]]] = {
    "accepted": (("tock", 520),),
    "reveal": (("noise", 1200, 1200, 1, 0.03, 0.9),),
    "fell": (
        ("tone", "triangle", 392, 392, 0.4, 0.4, 0.0),
        ("tone", "triangle", 494, 494, 0.4, 0.4, 0.12),
        ("tone", "triangle", 587, 587, 0.4, 0.4, 0.24),
    ),
    "stood": (("tock", 294, 0.7), ("tock", 247, 0.95)),
    "chip": (("tone", "sine", 2300, 2300, 0.06, 0.2), ("tone", "sine", 3450, 3450, 0.06, 0.12)),
}
UPRIGHT_HZ: Final = 480.0
LOW_HZ: Final = 640.0
HIGHER: Final = 1.02
"""Each tile of a falling row sounds so much higher than the one before."""


class Sound(NamedTuple):
    """What sounds at once.

    Attributes:
        level: how loud it is beside the others.
        notes: what it is made of.
    """

    level: float
    notes: tuple[Note, ...]


def moment(name: str) -> Sound:
    """How a moment of the page sounds."""
    return Sound(MIX[name], NOTES[name])


def tile(n: int, low: bool) -> Sound:
    """How the n-th tile of a falling row sounds."""
    return Sound(MIX["tile"], (("tock", (LOW_HZ if low else UPRIGHT_HZ) * HIGHER**n),))


def mixed(score: Iterable[tuple[float, Sound]], length_s: float) -> Samples:
    """Mix moments at their times in seconds; shape (n,) at `RATE`.

    Nearly straight where it is quiet, and bent as on the page so that nothing clips.
    """
    out = np.zeros(math.ceil(length_s * RATE), np.float32)
    noise = np.random.default_rng(1).uniform(-1.0, 1.0, round(0.3 * RATE))
    for at_s, sounding in score:
        for note in sounding.notes:
            for later_s, samples in _sounded(note, noise):
                _add(out, at_s + later_s, samples * sounding.level)
    return np.asarray(_MOST * np.tanh(out * (_GAIN / _MOST)), np.float32)


def _add(out: Samples, at_s: float, samples: Samples) -> None:
    start = round(at_s * RATE)
    end = min(len(out), start + len(samples))
    if 0 <= start < end:
        out[start:end] += samples[: end - start]


def _sounded(note: Note, noise: NDArray[np.float64]) -> list[tuple[float, Samples]]:
    kind, *given = note
    if kind == "tock":
        f, at_s, volume = (float(v) for v in (*given, *_TOCK[len(given) - 1 :]))
        return [
            (at_s, _tone("sine", f, f, 0.07, volume)),
            (at_s, _tone("sine", 2.4 * f, 2.4 * f, 0.035, volume * 0.5)),
            (at_s, _noise(noise, 3 * f, 6.0, 0.012, volume)),
        ]
    if kind == "noise":
        f, _, q, seconds, volume = (float(v) for v in given)
        return [(0.0, _noise(noise, f, q, seconds, volume))]
    shape, *numbers = given
    low, high, seconds, volume, *at = (float(v) for v in numbers)
    return [(at[0] if at else 0.0, _tone(str(shape), low, high, seconds, volume))]


def _faded(seconds: float, volume: float) -> NDArray[np.float64]:
    """From a volume down to silence, exponentially: shape (n,)."""
    share = np.arange(round(seconds * RATE)) / (seconds * RATE)
    return np.asarray(volume * (_SILENT / volume) ** share)


def _tone(shape: str, low_hz: float, high_hz: float, seconds: float, volume: float) -> Samples:
    fade = _faded(seconds, volume)
    share = np.arange(len(fade)) / len(fade)
    turns = np.cumsum(low_hz * (high_hz / low_hz) ** share) / RATE
    wave = np.sin(2 * np.pi * turns)
    if shape == "triangle":
        wave = 2 / np.pi * np.arcsin(wave)
    return (wave * fade).astype(np.float32)


def _noise(
    noise: NDArray[np.float64], f_hz: float, q: float, seconds: float, volume: float
) -> Samples:
    """Noise through the band-pass of Web Audio: the constant-peak biquad of its specification."""
    turn = 2 * math.pi * f_hz / RATE
    alpha = math.sin(turn) / (2 * q)
    b, a1, a2 = (v / (1 + alpha) for v in (alpha, -2 * math.cos(turn), 1 - alpha))
    fade = _faded(seconds, volume)
    out = np.zeros(len(fade))
    x1 = x2 = y1 = y2 = 0.0
    for i, x in enumerate(noise[: len(fade)]):
        y = b * (x - x2) - a1 * y1 - a2 * y2
        x1, x2, y1, y2 = x, x1, y, y1
        out[i] = y
    return (out * fade).astype(np.float32)
