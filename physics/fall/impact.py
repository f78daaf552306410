"""What a hit does to the struck tile, seen from above: closed forms that add to the side view.

A force that does not pass through the middle of the struck tile turns it as well as tipping it, and
the table resists turning and sliding only as far as its friction goes. Each form describes the tile
at the moment of first touch. The limit of friction is the usual ellipse of force and moment (Howe
and Cutkosky 1996), with the whole weight on the line of the front edge, as just before a tile tips.
"""

import math
from dataclasses import dataclass
from typing import Final

import numpy as np

from physics.fall.joint import Joints, Reals
from physics.fall.side_view import GRAVITY_MM_S2
from physics.fall.trials import Marks, Trials

_FARTHEST: Final = 0.995
_EDGE_RAD: Final = math.radians(6.0)
_LEAST_RATE: Final = 1e-3
_LEAST_FRICTION: Final = 0.01
_LEAST_COS: Final = 0.2


@dataclass(frozen=True, slots=True)
class Blows:
    """The hit at every joint, shape (copies, tiles - 1); all dimensionless.

    Attributes:
        slide: force that tips the struck tile over the force that slides it.
        margin: force that tips it over the force that turns and slides it; above 1 it gives way
            before it tips.
        tipping: share of the compliance at the contact that comes from the struck tile's tipping.
        turning: share that comes from its turning; the rest comes from the falling tile.
        energy: tipping energy after the hit, over what it takes to pass the balance.
        energy_centred: the same if the hit passed through the tile's middle.
        turned_rad: how far it turns until it has tipped or friction has stopped it.
        stop_rad: how far it would turn until friction stopped it, if it did not tip.
        geared_rad: how far it would turn until it has tipped, if there were no friction.
        arm: lever of the force about its middle, seen from above, over half its width.
    """

    slide: Reals
    margin: Reals
    tipping: Reals
    turning: Reals
    energy: Reals
    energy_centred: Reals
    turned_rad: Reals
    stop_rad: Reals
    geared_rad: Reals
    arm: Reals


def blows_of(trials: Trials, marks: Marks) -> Blows:
    """Work out the hit of every joint.

    The falling tile arrives with the speed it has in the side view: its speed past the balance
    angle and what it gained from there. All forces of a hit act along one normal: that of the
    falling face where a corner meets it, otherwise that of the struck face. The two bodies meet
    without rebound; their inverse masses at the contact, times the mass of a tile, add up.

    Args:
        trials: the falls.
        marks: what happened in the side view.
    """
    copies, near = trials.copies, trials.near
    h, w, t = (
        np.broadcast_to(a, copies.x_mm.shape)
        for a in (copies.height_mm, copies.face_mm, copies.thickness_mm)
    )
    h_a, h_b, t_a, t_b, w_b = h[:, :-1], h[:, 1:], t[:, :-1], t[:, 1:], w[:, 1:]
    table = np.maximum(trials.tile_table[:, None], _LEAST_FRICTION)
    along, arm = _force(near, t_b)
    reach = _reach(trials)
    lever = np.minimum(np.sqrt(1.0 - reach**2) * h_a, h_b)
    square_a, square_b, square_w = h_a**2 + t_a**2, h_b**2 + t_b**2, w_b**2 + t_b**2
    give_a = 3.0 * lever**2 / square_a
    give_tip = 3.0 * (lever * along) ** 2 / square_b
    give_turn = 12.0 * arm**2 / square_w
    give = give_a + give_tip + give_turn
    balance_a, balance_b = np.arctan2(t_a, h_a), np.arctan2(t_b, h_b)
    way = np.maximum(np.arcsin(reach) - balance_a, 0.0)
    gained = 3.0 * GRAVITY_MM_S2 * (1.0 - np.cos(way)) / np.sqrt(square_a)
    speed = lever * np.sqrt(marks.crossing[:, :-1] ** 2 * GRAVITY_MM_S2 / h_a + gained)
    barrier = 3.0 * GRAVITY_MM_S2 * (np.sqrt(square_b) - h_b) / square_b
    tip_rate = 3.0 * lever * along * speed / give / square_b
    centred_rate = 3.0 * lever * speed / (give_a + 3.0 * lever**2 / square_b) / square_b
    turn_rate = 12.0 * arm * speed / give / square_w
    hold = 3.0 * table * GRAVITY_MM_S2 * w_b / square_w
    lasts = np.minimum(balance_b / np.maximum(tip_rate, _LEAST_RATE), np.abs(turn_rate) / hold)
    upright = np.maximum(along, _LEAST_COS) * lever
    slide = t_b / (2.0 * upright * table)
    return Blows(
        slide=slide,
        margin=slide * np.hypot(1.0, 4.0 * arm / w_b),
        tipping=give_tip / give,
        turning=give_turn / give,
        energy=tip_rate**2 / barrier,
        energy_centred=centred_rate**2 / barrier,
        turned_rad=turn_rate * lasts - np.sign(turn_rate) * hold * lasts**2 / 2.0,
        stop_rad=turn_rate**2 / (2.0 * hold),
        geared_rad=4.0 * arm * square_b * balance_b / (square_w * upright),
        arm=arm * 2.0 / w_b,
    )


def blow_numbers(trials: Trials, marks: Marks) -> tuple[list[Reals], list[Reals]]:
    """Return the even and the odd numbers of every hit; 0 where a joint misses."""
    b, missed = blows_of(trials, marks), trials.near.missed
    even = [
        _log(b.margin),
        _log(b.slide),
        np.minimum(b.margin, 4.0),
        b.tipping,
        b.turning,
        _log(b.energy) / 2.0,
        _log(b.energy_centred) / 2.0,
        np.minimum(np.abs(b.turned_rad), 1.5),
        np.minimum(b.stop_rad, 1.5),
        np.minimum(np.abs(b.geared_rad), 1.5),
    ]
    odd = [
        np.clip(b.turned_rad, -1.5, 1.5),
        np.clip(b.geared_rad, -1.5, 1.5),
        np.clip(b.arm, -1.0, 1.0),
    ]
    return [np.where(missed, 0.0, n) for n in even], [np.where(missed, 0.0, n) for n in odd]


def _force(near: Joints, thickness_mm: Reals) -> tuple[Reals, Reals]:
    """Return how much of the force goes along the struck tile's normal, and its lever in plan.

    Nearly parallel faces meet along a line: there the middle of the covered width counts.
    """
    edge = np.clip(np.abs(near.turn_rad) / _EDGE_RAD, 0.0, 1.0)
    struck = near.struck_middle_mm + edge * (near.struck_mm - near.struck_middle_mm)
    aslant = np.where(near.by_corner, -near.turn_rad, 0.0) * edge
    return np.cos(aslant), struck * np.cos(aslant) + thickness_mm / 2.0 * np.sin(aslant)


def _reach(trials: Trials) -> Reals:
    """Return the gap over the height of the falling tile, as the side view has it."""
    copies, near = trials.copies, trials.near
    h, t = (np.broadcast_to(a, copies.x_mm.shape) for a in (copies.height_mm, copies.thickness_mm))
    aside = near.ahead_mm - (t[:, :-1] + t[:, 1:]) / 2.0
    gap = np.where(near.missed, aside, near.gap_mm)
    reach: Reals = np.clip(gap / h[:, :-1], 0.0, _FARTHEST)
    return reach


def _log(values: Reals) -> Reals:
    return np.clip(np.log(np.maximum(values, 1e-4)), -6.0, 4.0)
