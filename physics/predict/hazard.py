"""The fitted chance of every joint, given the plan geometry and the result of the side view.

Small networks judge each copy of a row: some judge the push on the first tile, the others every
joint after it. `hazard.json` has their coefficients and says what they were fitted on.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, Final

import numpy as np

from physics.errors import PhysicsError
from physics.fall.joint import Bools, Joints, Reals
from physics.fall.side_view import GRAVITY_MM_S2
from physics.fall.trials import Marks, Trials
from physics.predict.features import ODD, tables

LEAK: Final = 0.1
_NEVER: Final = 0.001
_MARGIN: Final = 0.2
_ANY_WIDTH: Final = {"width/length": [0.5], "log_odds": [0.0]}


def expit(log_odds: Reals) -> Reals:
    """Turn log-odds into chances."""
    chances: Reals = 1.0 / (1.0 + np.exp(-np.clip(log_odds, -40.0, 40.0)))
    return chances


@dataclass(frozen=True, slots=True)
class Ensemble:
    """A few small networks that turn the same numbers into log-odds; their mean counts.

    Attributes:
        mean: subtracted from the numbers.
        scale: then divides them.
        weights: one matrix a layer of each network, shape (networks, in, out).
        bias: one vector a layer of each network, shape (networks, out).
    """

    mean: Reals
    scale: Reals
    weights: tuple[Reals, ...]
    bias: tuple[Reals, ...]

    def log_odds(self, lines: Reals) -> Reals:
        """Judge every line of numbers, the same for a row and its mirror image."""
        flat = ((lines - self.mean) / self.scale).reshape(-1, lines.shape[-1])
        mirrored = flat.copy()
        mirrored[:, -ODD:] *= -1.0
        layer = np.concatenate([flat, mirrored])
        last = len(self.weights) - 1
        for i, (weights, bias) in enumerate(zip(self.weights, self.bias, strict=True)):
            layer = layer @ weights + bias[:, None, :]
            if i < last:
                layer = np.maximum(layer, LEAK * layer)
        judged: Reals = layer[..., 0].reshape(-1, 2, *lines.shape[:-1]).mean(axis=(0, 1))
        return judged


@dataclass(frozen=True, slots=True)
class Hazard:
    """The fitted correction.

    Attributes:
        push: judges whether the push topples the first tile.
        joint: judges whether a fall gets across a joint.
        sigma: standard deviation of the model's own error, in log-odds.
        seen: the fitted range: lowest and highest value of each trait, by name.
        widths: what is added to the log-odds of the push and of every joint, over the width of a
            tile by its length: widths in rising order, and what each adds.
    """

    push: Ensemble
    joint: Ensemble
    sigma: float
    seen: Mapping[str, tuple[float, float]]
    widths: tuple[tuple[float, ...], tuple[float, ...]] = ((0.5,), (0.0,))

    def chances(self, trials: Trials, marks: Marks) -> Reals:
        """Return the chance of the push and of every joint, shape (copies, tiles)."""
        push, joints = tables(trials, marks)
        first = self.push.log_odds(push)[:, None]
        rest = self.joint.log_odds(joints) + trials.contact[:, None]
        chances = expit(np.concatenate([first, rest], 1) + self._of_width(trials))
        chances[:, 0] *= np.where(_too_weak(trials), _NEVER, 1.0)
        chances[:, 1:] *= np.where(_out_of_reach(trials), _NEVER, 1.0)
        return chances

    def _of_width(self, trials: Trials) -> float:
        """Return what the width of the tiles adds to all log-odds; 0 for widths of the fit.

        The networks stay too near to what they know: narrower tiles fall less often than they say,
        wider ones more often.
        """
        height = float(np.ravel(trials.copies.height_mm)[0])
        face = float(np.ravel(trials.copies.face_mm)[0])
        return float(np.interp(min(height, face) / max(height, face), *self.widths))


def _out_of_reach(trials: Trials) -> Bools:
    """Say which joints no fall can cross, whatever the fit says.

    Neither the tile before nor the one before that can reach the next tile: it stands farther
    away than they are high, or well off to the side.
    """
    height, face = (
        np.broadcast_to(a, trials.copies.x_mm.shape)
        for a in (trials.copies.height_mm, trials.copies.face_mm)
    )

    def clear(joints: Joints) -> Bools:
        n = joints.gap_mm.shape[1]
        far_off = joints.gap_mm > (1.0 + _MARGIN) * height[:, :n]
        beside = joints.aside_mm > _MARGIN * face[:, :n]
        return np.where(joints.missed, beside, far_off)

    out = clear(trials.near)
    out[:, 1:] &= clear(trials.far)
    return out


def _too_weak(trials: Trials) -> Bools:
    """Say which pushes cannot topple the first tile.

    When the tip turns back, the tile has not passed its balance angle and has less than half of the
    energy it needs to get there.
    """
    height, thickness = trials.copies.height_mm[..., 0], trials.copies.thickness_mm[..., 0]
    lever = trials.height_frac * height
    missing = np.arctan2(thickness, height) - np.arctan2(trials.stroke_mm, lever)
    square = height**2 + thickness**2
    barrier = GRAVITY_MM_S2 * np.sqrt(square) / 2 * (1.0 - np.cos(missing))
    motion = square / 6 * (trials.speed_mm_s / lever) ** 2
    weak: Bools = (missing > 0.0) & (motion < barrier / 2)
    return weak


@cache
def usual() -> Hazard:
    """Return the hazard that comes with this package."""
    text = files(__package__).joinpath("hazard.json").read_text("utf-8")
    return hazard_from(json.loads(text))


def hazard_from(stored: Mapping[str, Any]) -> Hazard:
    """Make a hazard from a coefficients file.

    Raises:
        PhysicsError: this is not a coefficients file.
    """
    try:
        widths = stored.get("widths", _ANY_WIDTH)
        return Hazard(
            _network(stored["push"]),
            _network(stored["joint"]),
            float(stored["interval"]["sigma"]),
            {name: (float(low), float(high)) for name, (low, high) in stored["seen"].items()},
            (tuple(widths["width/length"]), tuple(widths["log_odds"])),
        )
    except (KeyError, TypeError, ValueError) as error:
        raise PhysicsError(
            f"these are not coefficients of the hazard ({error}); make them with domino-rig fit"
        ) from None


def _network(stored: Mapping[str, Any]) -> Ensemble:
    layers = list(zip(*stored["networks"], strict=True))
    return Ensemble(
        np.array(stored["mean"], dtype=float),
        np.array(stored["scale"], dtype=float),
        tuple(np.array([own["weights"] for own in layer], dtype=float) for layer in layers),
        tuple(np.array([own["bias"] for own in layer], dtype=float) for layer in layers),
    )
