"""Rows that fall in three dimensions, by MuJoCo: the optional extra `reference`.

The hazard is fitted on these falls: boxes on a plane without rebound, as exact as a rigid-body
engine allows. Nothing else in this package needs MuJoCo.
"""

import math
import zlib
from dataclasses import replace
from importlib import import_module
from typing import Any, Final

import numpy as np

from physics.errors import PhysicsError
from physics.fall.simulate import ARRIVED_RAD, FALLEN_RAD, Fall
from physics.fall.trials import disturb
from physics.row.chain import Chain
from physics.row.outcome import Outcome
from physics.row.pose import Pose
from physics.row.push import Friction, Push
from physics.rows.scenario import Scenario, along

STEP_S: Final = 0.0005
RUNS: Final = 12
_LOOK_STEPS: Final = 8
_MOST_S: Final = 5.0
_SURE_RAD: Final = math.radians(45.0)
_REST_M_S: Final = 0.002
_REST_RAD_S: Final = 0.05
_QUIET_LOOKS: Final = 10
_CONTACT: Final = 'condim="3" solref="0.002 1" solimp="0.95 0.99 0.0002"'


def simulate_3d(
    chain: Chain,
    push: Push,
    friction: Friction,
    *,
    step_s: float = STEP_S,
    to_rest: bool = True,
    quick: bool = False,
) -> Fall:
    """Let one row fall in three dimensions.

    Args:
        chain: the row; its first tile is pushed.
        push: how; the tip is a ball on a rail that nothing holds up.
        friction: between tiles and with the table; the tip has 0.2.
        step_s: time step.
        to_rest: go on until all is at rest; otherwise stop once every tile is past 45 degrees, so
            that larger tilts are not rest angles.
        quick: let tiles sleep until they are touched: a third faster, but one label in thirty
            differs, all of them of rows that could go either way.

    Raises:
        PhysicsError: MuJoCo is not installed.
    """
    mujoco = engine()
    chain = along(chain)
    model = mujoco.MjModel.from_xml_string(model_of(chain, push, friction, step_s, quick))
    data = mujoco.MjData(model)
    n = len(chain.tiles)
    end_s = push.back_s + push.out_s
    rail_m_s = _rail(push, end_s, step_s)
    arrival: list[float | None] = [None] * n
    normals = np.array([t.pose.normal for t in chain.tiles])
    tilt, quiet, step = np.zeros(n), 0, 0
    while data.time < _MOST_S + end_s and quiet < _QUIET_LOOKS:
        if not to_rest and (tilt > _SURE_RAD).all():
            break
        for _ in range(_LOOK_STEPS):
            data.qvel[-1] = rail_m_s[step] if step < len(rail_m_s) else 0.0
            mujoco.mj_step(model, data)
            step += 1
        tilt = np.arccos(np.clip(data.xmat[1 : n + 1, 8], -1.0, 1.0))
        for i in np.flatnonzero(tilt > ARRIVED_RAD):
            if arrival[i] is None:
                arrival[i] = round(float(data.time), 4)
        motion = np.abs(data.qvel[:-1].reshape(n, 6)).max(axis=0)
        still = motion[:3].max() < _REST_M_S and motion[3:].max() < _REST_RAD_S
        quiet = quiet + 1 if still and data.time > end_s else 0
    up = data.xmat[1 : n + 1].reshape(n, 3, 3)[:, :2, 2]
    ahead = np.where((up * normals).sum(axis=1) < 0, -1.0, 1.0)
    fallen = tuple((tilt > FALLEN_RAD).tolist())
    outcome = Outcome(fallen, tuple(arrival))
    first = outcome.first_standing
    signed = tuple(np.clip(tilt * ahead, -math.pi / 2, math.pi / 2).tolist())
    return Fall(outcome, signed, None if first is None else first - 1, "")


def reference_row(scenario: Scenario, runs: int = RUNS, *, quick: bool = False) -> dict[str, Any]:
    """Let a row fall as written and in noisy runs; returns the outcome part of a reference row.

    The noise is seeded by the row's id, so rows can be made in any order.
    """
    s = scenario
    written = simulate_3d(s.chain, s.push, s.friction, to_rest=False, quick=quick)
    told: dict[str, Any] = {
        "nominal_all_fall": written.outcome.all_fell,
        "nominal_fall": [int(f) for f in written.outcome.fallen],
        "nominal_tilt_deg": [round(abs(math.degrees(t)), 1) for t in written.tilt_rad],
        "nominal_arrival_s": list(written.outcome.arrival_s),
    }
    if not runs:
        return told
    rng = np.random.default_rng(zlib.crc32(s.id.encode()))
    fell = np.array([_noisy(s, rng, quick).outcome.fallen for _ in range(runs)], dtype=float)
    return {
        "p_fall": round(float(fell.all(axis=1).mean()), 4),
        "k": runs,
        "tile_p": [round(float(p), 4) for p in fell.mean(axis=0)],
        **told,
    }


def model_of(
    chain: Chain, push: Push, friction: Friction, step_s: float, sleepy: bool = False
) -> str:
    """Describe a row to MuJoCo, in metres and kilograms.

    The table and the tip have a higher priority than the tiles, so that their own friction counts
    where they touch a tile. Sleeping tiles are not simulated until they are touched.
    """
    flag, sleep = ('<flag sleep="enable"/>', ' sleep="init"') if sleepy else ("", "")
    parts = [
        f'<mujoco><option timestep="{step_s}" cone="elliptic" impratio="10" '
        'integrator="implicitfast" gravity="0 0 -9.81" sleep_tolerance="1e-6">'
        f"{flag}</option><worldbody>"
        f'<geom type="plane" size="5 5 0.1" friction="{friction.tile_table:.6f} 0 0" '
        f'priority="1" contype="1" conaffinity="2" {_CONTACT}/>'
    ]
    for tile in chain.tiles:
        x, y, turn = tile.pose.x_mm / 1000, tile.pose.y_mm / 1000, tile.pose.heading_rad / 2
        half = tile.height_mm / 2000
        size = f"{tile.spec.thickness_mm / 2000} {tile.footprint.width_mm / 2000} {half}"
        parts.append(
            f'<body pos="{x:.9f} {y:.9f} {half}"{sleep} '
            f'quat="{math.cos(turn):.12f} 0 0 {math.sin(turn):.12f}"><freejoint/>'
            f'<geom type="box" size="{size}" mass="{tile.spec.mass_g / 1000}" contype="2" '
            f'conaffinity="3" friction="{friction.tile_tile:.6f} 0 0" {_CONTACT}/></body>'
        )
    first = chain.tiles[0]
    back = first.spec.thickness_mm / 2 + push.tip_radius_mm + push.standoff_mm
    x, y = first.pose.to_table(-back, 0.0)
    height = push.height_frac * first.height_mm
    c, s = first.pose.normal
    parts.append(
        f'<body pos="{x / 1000:.9f} {y / 1000:.9f} {height / 1000:.9f}">'
        f'<joint type="slide" axis="{c:.12f} {s:.12f} 0"/>'
        f'<geom type="sphere" size="{push.tip_radius_mm / 1000}" mass="1000" priority="2" '
        f'friction="0.2 0 0" contype="2" conaffinity="2" {_CONTACT}/></body>'
        "</worldbody></mujoco>"
    )
    return "".join(parts)


def _rail(push: Push, end_s: float, step_s: float) -> list[float]:
    """Return the speed of the tip in each step, in m/s, until it is back."""
    times = np.arange(math.ceil(end_s / step_s) + 1) * step_s
    way = np.array([push.tip_mm(t) for t in times.tolist()])
    speeds: list[float] = (np.diff(way) / step_s / 1000).tolist()
    return speeds


def _noisy(scenario: Scenario, rng: np.random.Generator, quick: bool) -> Fall:
    s = scenario
    drawn = disturb(s.chain, s.push, s.friction, s.spread, 1, rng)
    poses = np.stack([drawn.copies.x_mm[0], drawn.copies.y_mm[0], drawn.copies.heading_rad[0]])
    tiles = tuple(
        replace(tile, pose=Pose(*pose))
        for tile, pose in zip(s.chain.tiles, poses.T.tolist(), strict=True)
    )
    push = replace(s.push, speed_mm_s=float(drawn.speed_mm_s[0]))
    friction = Friction(float(drawn.tile_tile[0]), float(drawn.tile_table[0]))
    return simulate_3d(Chain(tiles), push, friction, to_rest=False, quick=quick)


def engine() -> Any:
    """Return MuJoCo's module.

    Raises:
        PhysicsError: it is not installed.
    """
    try:
        return import_module("mujoco")
    except ImportError:
        raise PhysicsError(
            "rows in three dimensions need MuJoCo from the extra reference; 'domino-rig doctor' "
            "prints the command that installs it"
        ) from None
