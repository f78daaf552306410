"""Speed of the front in straight rows beside the published model, 3D and measured rows.

    python -m tests.bench.bench_front [--plot physics/pictures/front.svg]

Standard tile; tiles 11 to 20 of 25, friction 0.2 between tiles and 0.5 with the table unless it is
said otherwise. The published model is `physics/learn/leaning_train.py`, over the same tiles.
"""

import argparse
from collections.abc import Sequence
from pathlib import Path

from physics.fall.joint import copies_of, joints_of
from physics.fall.side_view import side_view
from physics.fall.simulate import STEP_S, Run, simulate
from physics.learn.leaning_train import speed_m_s as train_m_s
from physics.row.chain import Chain
from physics.row.pose import Pose
from physics.row.push import Friction, Push
from physics.row.tile import STANDARD, Orientation, Tile
from tests.bench.chart import Chart

UP, FLAT = Orientation.VERTICAL, Orientation.HORIZONTAL
RUB = Friction(0.2, 0.5)
USUAL_RUB = Friction()
FINE_S = 0.001
TRIAL = f"{1e3 * STEP_S:g} ms"
FIRST, LAST = 10, 20
THICK = STANDARD.thickness_mm
# The same rows in MuJoCo, m/s.
SPATIAL = {
    UP: {3: 0.76, 6: 0.94, 10: 0.98, 15: 0.953, 20: 0.917, 30: 0.848, 40: 0.74, 46: 0.44},
    FLAT: {3: 0.27, 6: 0.47, 10: 0.49, 15: 0.47, 20: 0.39},
}
# At a gap of 15 mm, by friction between tiles and by friction with the table.
BY_TILE = {0.05: 1.17, 0.2: 0.95, 0.35: 0.80, 0.5: 0.69}
BY_TABLE = {0.2: 0.99, 0.4: 0.96, 0.6: 0.95, 0.9: 0.95}
# A university laboratory's rows of 48 mm by 7.5 mm tiles: gap and its error in thicknesses, speed
# and its error in m/s (github.com/JWang1414/winter2026code, advlab/dominos/nopaper.csv, 2026).
MEASURED = {1: (0.877, 0.0101), 2: (0.867, 0.0048), 3: (0.859, 0.0045)}
GAP_ERROR = 0.13
# The same rows at two thicknesses, tile by tile (acceleration.csv there): first and last tile
# counted from 1, speed between them and its error in m/s.
BUILD_UP = (
    (5, 9, 0.764, 0.007),
    (6, 10, 0.833, 0.009),
    (8, 12, 0.876, 0.004),
    (9, 13, 0.890, 0.018),
    (11, 15, 0.900, 0.014),
    (14, 18, 0.822, 0.003),
    (16, 20, 0.878, 0.007),
    (21, 25, 0.859, 0.025),
)


def speed_m_s(
    gap_mm: float, stands: Orientation = UP, friction: Friction = RUB, step_s: float = FINE_S
) -> float | None:
    """Return the front's speed; None if the fall does not get so far."""
    return between(arrivals(gap_mm, stands, friction, step_s), FIRST, LAST, gap_mm)


def arrivals(
    gap_mm: float, stands: Orientation, friction: Friction, step_s: float
) -> Sequence[float | None]:
    """Let a straight row fall, as a trial if the step is theirs; return when each tile began to."""
    row = Chain(tuple(Tile(i, Pose(i * (THICK + gap_mm), 0, 0), stands) for i in range(25)))
    if step_s != STEP_S:
        return simulate(row, Push(), friction, step_s=step_s).outcome.arrival_s
    copies = copies_of(row)
    trial = Run(
        side_view(copies, joints_of(copies), joints_of(copies, skip=2)), 0, Push(), friction
    )
    trial.go()
    return trial.result().outcome.arrival_s


def between(arrival: Sequence[float | None], first: int, last: int, gap_mm: float) -> float | None:
    """Return the speed in m/s from one tile to another, counted from 0."""
    start, end = arrival[first], arrival[last]
    if start is None or end is None:
        return None
    return (last - first) * (THICK + gap_mm) / 1000 / (end - start)


def published(gap_mm: float, stands: Orientation = UP, friction: Friction = RUB) -> float | None:
    """Return the speed of the leaning train over the same tiles."""
    height = STANDARD.height_mm(stands)
    if gap_mm >= height:
        return None
    return train_m_s(height, THICK, gap_mm, friction.tile_tile, (FIRST, LAST))


def told(speed: float | None) -> str:
    """Write a speed, or that there is none."""
    return "-" if speed is None else f"{speed:.3f}"


def beside(speed: float | None, other: float | None) -> str:
    """Write by how much a speed differs from another."""
    return "-" if speed is None or other is None else f"{100 * (speed / other - 1):+.1f} %"


def table() -> None:
    """Print the tables."""
    by_gap()
    by_friction()
    by_measurement()


def by_gap() -> None:
    """Print the speeds over the gap."""
    print(
        f"| tiles | gap mm | leaning train | 3D | here, 1 ms | here, {TRIAL} | beside the train |"
    )
    print("|---|---|---|---|---|---|---|")
    for stands, spatial in SPATIAL.items():
        for gap in (*spatial, 48 if stands is UP else 24):
            train, fine = published(gap, stands), speed_m_s(gap, stands)
            quick = speed_m_s(gap, stands, step_s=STEP_S)
            print(
                f"| {stands} | {gap} | {told(train)} | {told(spatial.get(gap))} | {told(fine)} "
                f"| {told(quick)} | {beside(fine, train)}, {beside(quick, train)} |"
            )


def by_friction() -> None:
    """Print the speeds over both frictions."""
    print(f"\n| friction, gap 15 mm | leaning train | 3D | here, 1 ms | here, {TRIAL} |")
    print("|---|---|---|---|---|")
    for word, spatial_m_s in (("tile", BY_TILE), ("table", BY_TABLE)):
        for mu, speed in spatial_m_s.items():
            rub = Friction(mu, RUB.tile_table) if word == "tile" else Friction(RUB.tile_tile, mu)
            fine, quick = speed_m_s(15, UP, rub), speed_m_s(15, UP, rub, STEP_S)
            train = published(15, UP, rub)
            print(f"| {word} {mu} | {told(train)} | {speed} | {told(fine)} | {told(quick)} |")


def by_measurement() -> None:
    """Print measured speeds beside those of tiles with the usual friction."""
    print(f"\n| gap mm | measured | here, 1 ms | here, {TRIAL} | leaning train |")
    print("|---|---|---|---|---|")
    for share, (speed, error) in MEASURED.items():
        gap = share * THICK
        fine = speed_m_s(gap, UP, USUAL_RUB)
        quick, train = speed_m_s(gap, UP, USUAL_RUB, STEP_S), published(gap, UP, USUAL_RUB)
        print(
            f"| {gap:g} ± {GAP_ERROR * THICK:.1f} | {speed:.3f} ± {error:.3f} | {told(fine)}",
            end="",
        )
        print(f" | {told(quick)} | {told(train)} |")
    gap = 2 * THICK
    fine, quick = (arrivals(gap, UP, USUAL_RUB, step_s) for step_s in (FINE_S, STEP_S))
    print(f"\n| tiles, gap {gap:g} mm | measured | here, 1 ms | here, {TRIAL} |\n|---|---|---|---|")
    for first, last, speed, error in BUILD_UP:
        ours = [told(between(a, first - 1, last - 1, gap)) for a in (fine, quick)]
        print(f"| {first} to {last} | {speed:.3f} ± {error:.3f} | {ours[0]} | {ours[1]} |")


def plot() -> str:
    """Draw speed over gap."""
    chart = Chart(
        title="Front of a straight row of standard tiles, tiles 11 to 20",
        across=range(0, 51, 10),
        up=[v / 10 for v in range(0, 13, 2)],
        across_label="clear gap between tiles, mm",
        up_label="front speed, m/s",
    )
    for stands, colour in ((UP, "blue"), (FLAT, "orange")):
        gaps = range(2, 49) if stands is UP else range(2, 25)
        for step_s, dash in ((FINE_S, "solid"), (STEP_S, "dashed")):
            here = [(float(g), speed_m_s(g, stands, step_s=step_s)) for g in gaps]
            chart.line([(g, v) for g, v in here if v is not None], colour, dash)
        train = [(float(g), published(g, stands)) for g in gaps]
        chart.line([(g, v) for g, v in train if v is not None], "ink", "dotted")
        chart.rings([(float(g), v) for g, v in SPATIAL[stands].items()], colour)
    usual = [(float(g), speed_m_s(g, UP, USUAL_RUB)) for g in range(4, 31)]
    chart.line([(g, v) for g, v in usual if v is not None], "green")
    chart.measured(
        [(share * THICK, speed) for share, (speed, _) in MEASURED.items()],
        [(GAP_ERROR * THICK, error) for _, error in MEASURED.values()],
        "green",
    )
    chart.note((33.5, 0.86), "standing upright", "blue")
    chart.note((18.5, 0.49), "on the long edge", "orange")
    chart.explain("solid", "blue", "here, upright, 1 ms")
    chart.explain("solid", "orange", "here, long edge, 1 ms")
    chart.explain("dashed", "ink", f"here, {1e3 * STEP_S:g} ms, the step of trials")
    chart.explain("dotted", "ink", "leaning train, no slip")
    chart.explain("ring", "ink", "MuJoCo, 3D")
    chart.explain("solid", "green", f"here, tile friction {USUAL_RUB.tile_tile:g}")
    chart.explain("measured", "green", "measured, friction unknown")
    return chart.svg()


def main() -> None:
    """Print the tables; write the plot if asked for."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--plot", type=Path, help="SVG file to write")
    args = parser.parse_args()
    table()
    if args.plot:
        args.plot.write_text(plot(), encoding="utf-8")


if __name__ == "__main__":
    main()
