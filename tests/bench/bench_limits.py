"""How far tiles may stand apart, and how much larger each may be than the one before.

    python -m tests.bench.bench_limits [--plot physics/pictures/growth.svg]

The published limits are those of the leaning train (`physics/learn/leaning_train.py`); rows
"without slip" here stand on a table of friction 5, "real frictions" are 0.2 and 0.5. With MuJoCo
(the extra `reference`) the rows fall in three dimensions too. Tiles of a growing row are larger in
every direction, and so are the gaps, given as a share of the height of the tile that falls.
"""

import tests.bench.one_core  # noqa: F401  # isort: skip
import argparse
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np

from physics.errors import PhysicsError
from physics.fall.joint import copies_of, joints_of
from physics.fall.side_view import GRAVITY_MM_S2, side_view
from physics.fall.simulate import Run, simulate
from physics.learn.leaning_train import Row, hit_times, largest_gap, largest_growth, slow_start
from physics.learn.reference import engine, simulate_3d
from physics.row.chain import Chain
from physics.row.pose import Pose
from physics.row.push import Friction, Push
from physics.row.tile import STANDARD, Orientation, Tile, TileSpec
from tests.bench.chart import Chart

UP, FLAT = Orientation.VERTICAL, Orientation.HORIZONTAL
THIN = STANDARD.thickness_mm / STANDARD.length_mm
GAPS = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)
REAL, NO_SLIP, IDEAL = Friction(0.2, 0.5), Friction(0.2, 5.0), Friction(0.001, 5.0)
TILES = 6
STEP_S = 0.0005
HALVINGS = 10
FIRM = 1.1
WHITEHEAD = 1.5


def spatial() -> bool:
    """Say whether rows can fall in three dimensions too."""
    try:
        engine()
    except PhysicsError:
        print("MuJoCo is not installed and left out: pip install -e .[reference]\n")
        return False
    return True


def limit(goes: Callable[[float], bool], low: float, high: float) -> float:
    """Halve the way to the last value at which a row goes on."""
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        low, high = (middle, high) if goes(middle) else (low, middle)
    return low


def spaced(gap_mm: float, stands: Orientation) -> Chain:
    """Return a row of 25 standard tiles."""
    pitch = STANDARD.thickness_mm + gap_mm
    return Chain(tuple(Tile(i, Pose(i * pitch, 0, 0), stands) for i in range(25)))


def growing(growth: float, gap: float, tiles: int) -> Chain:
    """Return a row of tiles, each so many times larger than the one before."""
    row, end = [], 0.0
    for i in range(tiles):
        k = growth**i
        spec = TileSpec(
            k * STANDARD.length_mm,
            k * STANDARD.width_mm,
            k * STANDARD.thickness_mm,
            k**3 * STANDARD.mass_g,
        )
        row.append(Tile(i, Pose(end + spec.thickness_mm / 2, 0, 0), UP, spec=spec))
        end += spec.thickness_mm + gap * spec.length_mm
    return Chain(tuple(row))


def grows(growth: float, gap: float, friction: Friction, push: Push, tiles: int) -> bool:
    """Say whether a growing row falls here."""
    copies = copies_of(growing(growth, gap, tiles))
    view = side_view(copies, joints_of(copies), joints_of(copies, skip=2))
    # The side view takes all tiles of a row for equally heavy; these are not.
    view = replace(view, load=np.full_like(view.load, growth**3))
    run = Run(view, 0, push, friction, step_s=STEP_S, to_rest=True)
    run.go()
    return all(run.fallen)


def firm(gap: float) -> Push:
    """Return a fast push that ends before the first tile hits the second."""
    height = STANDARD.length_mm
    speed = FIRM * (GRAVITY_MM_S2 * height) ** 0.5
    return Push(0.95, 0.95 * speed, max(4.0, 0.9 * 0.95 * gap * height), 0.0)


SLOW = Push(0.85, 20.0, 7.0, 0.0)


def falls_3d(chain: Chain, push: Push) -> bool:
    """Say whether a row falls in three dimensions, with real frictions."""
    return simulate_3d(chain, push, REAL, to_rest=False).outcome.all_fell


def gap_table(in_3d: bool) -> None:
    """Print the largest gaps."""
    print("| tiles | leaning train | here, no slip | here | 3D |\n|---|---|---|---|---|")
    for stands in (UP, FLAT):
        height = STANDARD.height_mm(stands)

        def here(gap_mm: float, friction: Friction, stands: Orientation = stands) -> bool:
            return simulate(spaced(gap_mm, stands), Push(), friction).outcome.all_fell

        def there(gap_mm: float, stands: Orientation = stands) -> bool:
            return falls_3d(spaced(gap_mm, stands), Push())

        train = height * largest_gap(STANDARD.thickness_mm / height, REAL.tile_tile)
        goes = [partial(here, friction=NO_SLIP), partial(here, friction=REAL)]
        ours = [limit(g, 0.5 * height, height) for g in [*goes, *([there] if in_3d else [])]]
        told = " | ".join([f"{gap:.1f}" for gap in ours] + ([] if in_3d else ["-"]))
        print(f"| {stands} | {train:.1f} | {told} |")


def train_limit(gap: float, hits: int, start: float | None) -> float:
    """Return the growth at which so many tiles of the leaning train still fall."""

    def goes(growth: float) -> bool:
        row = Row(THIN, gap, growth=growth)
        return len(hit_times(row, hits, slow_start(row) if start is None else start)) == hits

    return limit(goes, 1.0, 3.0)


def growth_lines(in_3d: bool) -> dict[str, list[float]]:
    """Return limits of growth for all gaps, by what they are limits of."""

    def here(push: Push | None, friction: Friction, tiles: int) -> list[float]:
        return [
            limit(lambda r, g=g: grows(r, g, friction, push or firm(g), tiles), 1.0, 3.0)
            for g in GAPS
        ]

    found = {
        "endless train": [largest_growth(THIN, g) for g in GAPS],
        "train, 6 tiles": [train_limit(g, TILES, FIRM) for g in GAPS],
        "here, 6 tiles": here(None, IDEAL, TILES),
        "train, 2, slow push": [train_limit(g, 2, None) for g in GAPS],
        "here, 2, slow push": here(SLOW, IDEAL, 2),
        "here, 6, real frictions": here(None, REAL, TILES),
    }
    if in_3d:
        found["3D, 6, real frictions"] = [
            limit(lambda r, g=g: falls_3d(growing(r, g, TILES), firm(g)), 1.0, 3.0) for g in GAPS
        ]
    return found


def growth_table(lines: dict[str, list[float]]) -> None:
    """Print the limits of growth."""
    print("\n| gap / height | " + " | ".join(lines) + " |")
    print("|---" * (len(lines) + 1) + "|")
    for i, gap in enumerate(GAPS):
        print(f"| {gap:g} | " + " | ".join(f"{line[i]:.2f}" for line in lines.values()) + " |")


def plot(lines: dict[str, list[float]]) -> str:
    """Draw growth over gap."""
    chart = Chart(
        title="Largest growth from tile to tile that keeps a row falling",
        across=[v / 10 for v in range(0, 11, 2)],
        up=[v / 10 for v in range(10, 19, 2)],
        across_label="gap, in heights of the tile that falls",
        up_label="size of a tile, in sizes of the one before",
    )
    dense = [v / 50 for v in range(2, 47)]
    chart.line([(0.0, WHITEHEAD), (1.0, WHITEHEAD)], "faint", "dashed")
    chart.note((0.015, WHITEHEAD + 0.012), "Whitehead 1983: about 1.5", "faint")
    chart.line([(g, largest_growth(THIN, g)) for g in dense], "ink", "dotted")
    pair = [(g, train_limit(g, 2, None)) for g in dense]
    chart.line([p for p in pair if p[1] > 1.001], "ink", "dashed")

    def grown(name: str) -> list[tuple[float, float]]:
        return [p for p in zip(GAPS, lines.get(name, ()), strict=False) if p[1] > 1.001]

    chart.line(grown("here, 6, real frictions"), "green")
    chart.rings(grown("here, 6 tiles"), "blue")
    chart.rings(grown("here, 2, slow push"), "orange")
    chart.rings(grown("3D, 6, real frictions"), "green")
    chart.explain("dotted", "ink", "endless leaning train")
    chart.explain("ring", "blue", "here, 6 tiles, no friction, no slip")
    chart.explain("dashed", "ink", "leaning train, 2 tiles, slow push")
    chart.explain("ring", "orange", "here, 2 tiles, slow push")
    chart.explain("solid", "green", "here, 6 tiles, friction 0.2 and 0.5")
    chart.explain("ring", "green", "the same in 3D")
    return chart.svg()


def main() -> None:
    """Print the tables; write the plot if asked for."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--plot", type=Path, help="SVG file to write")
    args = parser.parse_args()
    in_3d = spatial()
    gap_table(in_3d)
    lines = growth_lines(in_3d)
    growth_table(lines)
    if args.plot:
        args.plot.write_text(plot(lines), encoding="utf-8")


if __name__ == "__main__":
    main()
