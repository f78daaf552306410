"""What the row bench asks of the model: a row in one line goes in, plain data comes out."""

from pathlib import Path
from typing import Any

import numpy as np

from physics.errors import ScenarioError
from physics.fall.limits import require_push
from physics.predict.drawn_falls import drawn_falls
from physics.predict.learned_table import predict_row
from physics.predict.predict import RUNS
from physics.rows import notation
from physics.rows.scenario import Scenario
from rig.learned.known_table import kept
from rig.row.fall_shown import tips

MOST_TILES = 60
"""Tiles of a row: more is not drawn on a phone, and one answer would take too long."""
GHOSTS = 6
"""Falls that are shown at once: enough to see where they part, few enough to tell apart."""
MOST_BYTES = 4000
"""Length of a row's line, far above what so many tiles need."""
MOST_WAY_MM = 200.0
"""The pusher's way, there and back at a creep: one of 10 m took half a minute, and kept everybody
else from the bench."""


def judged(line: str, runs: int = RUNS, table: str | None = None) -> dict[str, Any]:
    """The chance of a row, and of every joint.

    The same random numbers are used for every row, so that a chance that moves under a finger moves
    because of the finger.

    Args:
        line: the row in row notation.
        runs: how many copies fall at most: few while somebody drags. At a learned table
            as many more fall at its draws.
        table: the file in which a table keeps what its pushes have shown; there need not be one.

    Raises:
        PhysicsError: it is no row; says why.
    """
    row, known = _read(line), kept(Path(table)) if table else None
    runs = max(1, min(runs, RUNS))
    told = predict_row(row, known, rng=np.random.default_rng(0), runs=runs)
    joints = [round(joint.p, 4) for joint in told.joints]
    return {
        "p_fall": round(told.p_fall, 4),
        "low": round(told.low, 4),
        "high": round(told.high, 4),
        "push": round(told.push, 4),
        "joints": joints,
        "weakest": joints.index(min(joints)) if joints else None,
        "extrapolated": list(told.extrapolated),
    }


def pushed(line: str, seed: int, table: str | None = None) -> dict[str, Any]:
    """Some falls of a row, each as when which of its tiles tips, counted from the pushed one.

    Raises:
        PhysicsError: it is no row; says why.
    """
    row = _read(line)
    rng = np.random.default_rng([seed])
    falls = drawn_falls(row, kept(Path(table)) if table else None, rng=rng, count=GHOSTS)
    return {"falls": [_shown(fall.fallen, fall.arrival_s) for fall in falls]}


def tidied(line: str) -> str:
    """A row's line as it is written by us, which may stand in an address.

    Raises:
        PhysicsError: it is no row; says why.
    """
    return notation.written(_read(line))


def checked(line: str) -> str:
    """The same, of a row that a push can run through.

    Raises:
        PhysicsError: it is none; says why.
    """
    row = _read(line)
    require_push(row.chain, row.push, row.friction, row.spread)
    return notation.written(row)


def _shown(fallen: tuple[bool, ...], arrival_s: tuple[float | None, ...]) -> dict[str, Any]:
    down = {i for i, is_down in enumerate(fallen) if is_down}
    first_s = next((time_s for time_s in arrival_s if time_s is not None), 0.0)
    order = [
        (i, round(1000 * (time_s - first_s)))
        for i, time_s in enumerate(arrival_s)
        if time_s is not None and i in down
    ]
    falls = tips(range(len(fallen)), down, order)
    return {
        "fallen": len(down),
        "tips": [[tip.value, tip.start_ms, tip.length_ms, tip.rest_deg] for tip in falls],
    }


def _read(line: str) -> Scenario:
    if len(line) > MOST_BYTES:
        raise ScenarioError(f"row: expected at most {MOST_BYTES} characters")
    row = notation.read(line)
    if len(row.chain.tiles) > MOST_TILES:
        raise ScenarioError(f"row: expected at most {MOST_TILES} tiles")
    if row.push.standoff_mm + row.push.stroke_mm > MOST_WAY_MM:
        raise ScenarioError(
            f"row: push: expected a standoff and a stroke of at most {MOST_WAY_MM:.0f} mm together"
        )
    return row
