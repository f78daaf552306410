"""How exactly a film tells when each tile began to fall, and how often it tells wrongly what fell.

    python -m tests.bench.bench_fall [--films 6] [--seed 1] [--open MS] [--readout MS]

Films of the project's own renderer: rows of six, a wave of 0.45 to 1.1 m/s that dies somewhere in
two of three, each tile struck at 4 to 12 rad/s; frames at any phase of the wave. Given how long
each row of the sensor is open, frames are smeared, and sheared by how long all rows take.
"""

import argparse
import math
from dataclasses import dataclass

import numpy as np

from physics.row.chain import Chain
from physics.row.pose import Pose
from physics.row.tile import Orientation, Tile
from tests.support.motion import Shutter, render_motion
from vision.capture.camera import Frame
from vision.geometry.camera_pose import CameraPose
from vision.geometry.mat import load_mat
from vision.look.eye import Eye
from vision.look.observe import Watch
from vision.render.render import render, view_from
from vision.render.scene import TABLES, Scene, Solid

RATES_HZ = (15, 30, 60)
LEAN_RAD = math.radians(68)
GRAVITY_RAD_S2 = 90.0


@dataclass(frozen=True)
class Fall:
    """A row, when its tiles are struck, and how hard."""

    chain: Chain
    begin_s: tuple[float | None, ...]
    struck_rad_s: tuple[float, ...]
    table: str

    def scene(self, time_s: float, bare: bool = False) -> Scene:
        solids = tuple(
            Solid(tile, self._tilt(i, time_s)) for i, tile in enumerate(self.chain.tiles)
        )
        return Scene(() if bare else solids, table=self.table)

    def _tilt(self, i: int, time_s: float) -> float:
        begin_s = self.begin_s[i]
        if begin_s is None or time_s <= begin_s:
            return 0.0
        spent_s = time_s - begin_s
        end_rad = math.pi / 2 if i + 1 == len(self.chain.tiles) else LEAN_RAD
        tilt = self.struck_rad_s[i] * spent_s + GRAVITY_RAD_S2 * spent_s**2 / 2
        return min(end_rad, tilt)


def any_fall(rng: np.random.Generator) -> Fall:
    x, y, way = rng.uniform(150, 220), rng.uniform(150, 270), rng.uniform(-0.3, 0.3)
    bend, speed_mm_s = rng.uniform(-0.12, 0.12), rng.uniform(450, 1100)
    values = rng.choice(np.arange(1, 12), 6, replace=False)
    tiles, begin_s, now_s = [], [], 0.0
    for value in values:
        how = Orientation.HORIZONTAL if rng.random() < 0.25 else Orientation.VERTICAL
        tiles.append(Tile(int(value), Pose(x, y, way), how))
        begin_s.append(now_s)
        pitch = rng.uniform(24, 34)
        way += bend
        x, y = x + pitch * math.cos(way), y + pitch * math.sin(way)
        now_s += pitch / speed_mm_s
    falls = 6 if rng.random() < 1 / 3 else int(rng.integers(2, 6))
    times = tuple(t if i < falls else None for i, t in enumerate(begin_s))
    struck = tuple(float(w) for w in rng.uniform(4, 12, 6))
    return Fall(Chain(tuple(tiles)), times, struck, str(rng.choice(TABLES)))


def observed(fall: Fall, rate_hz: int, phase: float, pose: CameraPose, lens, eye: Eye, shutter):  # type: ignore[no-untyped-def]
    watch = Watch(fall.chain, lens)
    time_s = (phase - 2) / rate_hz
    while not watch.at_rest:
        if shutter is None:
            image = render(fall.scene(time_s), lens, pose)
        else:
            early_s = time_s - (shutter.open_s + shutter.readout_s) / 2
            image = render_motion(fall.scene, early_s, shutter, lens, pose)
        watch.add(Frame(image, time_s))
        time_s += 1 / rate_hz
    return watch.outcome(eye.look)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--films", type=int, default=6)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--open", type=float, metavar="MS", help="how long each row is open")
    parser.add_argument("--readout", type=float, default=0.0, metavar="MS")
    args = parser.parse_args()
    shutter = Shutter(args.open / 1000, args.readout / 1000, 5) if args.open else None
    print(
        f"{'frames/s':>9} {'times':>6} {'median ms':>10} {'p95 ms':>7} {'within told':>12} "
        f"{'tiles wrong':>12} {'verdicts unsure':>16}"
    )
    for rate_hz in RATES_HZ:
        rng = np.random.default_rng(args.seed)
        off_ms, within, wrong, unsure, tiles = [], 0, 0, 0, 0
        for _ in range(args.films):
            fall = any_fall(rng)
            tilt_rad, side_rad = math.radians(rng.uniform(2, 15)), rng.uniform(-3, 3)
            lens, pose = view_from(tilt_rad, side_rad)
            eye = Eye(lens, load_mat())
            eye.look(Frame(render(fall.scene(0.0, bare=True), lens, pose), -9.0))
            seen = observed(fall, rate_hz, float(rng.random()), pose, lens, eye, shutter)
            down = tuple(t is not None for t in fall.begin_s)
            wrong += sum(a != b for a, b in zip(down, seen.outcome.fallen, strict=True))
            tiles += len(down)
            unsure += not seen.sure
            told = zip(fall.begin_s, seen.outcome.arrival_s, seen.timing_s, strict=True)
            for true_s, found_s, off_s in list(told)[1:]:
                if true_s is not None and found_s is not None and off_s is not None:
                    off_ms.append(1000 * abs(found_s - true_s))
                    within += off_ms[-1] <= 1000 * (off_s + seen.timing_s[0])
        print(
            f"{rate_hz:9} {len(off_ms):6} {np.median(off_ms):10.1f} "
            f"{np.quantile(off_ms, 0.95):7.1f} {within / len(off_ms):12.0%} "
            f"{f'{wrong}/{tiles}':>12} {f'{unsure}/{args.films}':>16}"
        )


if __name__ == "__main__":
    main()
