"""Speed of the front in straight rows beside published figures: a table and a plot.

    python tests/bench/bench_front.py [--plot physics/front.svg]

Tiles 11 to 20 of 25, standard tile, friction 0.2 between tiles and 0.5 with the table.
"""

import argparse
from pathlib import Path

from physics.chain import Chain
from physics.fall import simulate
from physics.pose import Pose
from physics.push import Friction, Push
from physics.tile import Orientation, Tile

UP, FLAT = Orientation.VERTICAL, Orientation.HORIZONTAL
RUB = Friction(0.2, 0.5)
# The open program of Chapman for the leaning train without slip (van Leeuwen's model), m/s.
PUBLISHED = {6: 0.93, 10: 0.97, 15: 0.949, 20: 0.916, 30: 0.845}
# The same rows in MuJoCo, m/s.
SPATIAL = {
    UP: {3: 0.76, 6: 0.94, 10: 0.98, 15: 0.953, 20: 0.917, 30: 0.848, 40: 0.74, 46: 0.44},
    FLAT: {3: 0.27, 6: 0.47, 10: 0.49, 15: 0.47, 20: 0.39},
}
# At a gap of 15 mm, by friction between tiles and by friction with the table.
BY_TILE = {0.05: 1.17, 0.2: 0.95, 0.35: 0.80, 0.5: 0.69}
BY_TABLE = {0.2: 0.99, 0.4: 0.96, 0.6: 0.95, 0.9: 0.95}


def speed_m_s(gap_mm: float, stands: Orientation = UP, friction: Friction = RUB) -> float | None:
    """Return the front's speed; None if the fall does not get so far."""
    tiles = tuple(Tile(i, Pose(i * (7.5 + gap_mm), 0, 0), stands) for i in range(25))
    arrival = simulate(Chain(tiles), Push(), friction).outcome.arrival_s
    first, last = arrival[10], arrival[20]
    if first is None or last is None:
        return None
    return 10 * (7.5 + gap_mm) / 1000 / (last - first)


def told(speed: float | None) -> str:
    """Write a speed, or that there is none."""
    return "-" if speed is None else f"{speed:.3f}"


def table() -> None:
    """Print the table."""
    print("| tiles | gap mm | published | 3D | here |\n|---|---|---|---|---|")
    for stands, spatial in SPATIAL.items():
        for gap in (*spatial, 48 if stands is UP else 24):
            known = told(PUBLISHED.get(gap) if stands is UP else None)
            print(f"| {stands} | {gap} | {known} | {told(spatial.get(gap))}", end="")
            print(f" | {told(speed_m_s(gap, stands))} |")
    print("\n| friction, gap 15 mm | 3D | here |\n|---|---|---|")
    for mu, spatial_m_s in BY_TILE.items():
        print(f"| tile {mu} | {spatial_m_s} | {told(speed_m_s(15, UP, Friction(mu, 0.5)))} |")
    for mu, spatial_m_s in BY_TABLE.items():
        print(f"| table {mu} | {spatial_m_s} | {told(speed_m_s(15, UP, Friction(0.2, mu)))} |")


def plot() -> str:
    """Draw speed over gap: lines are this model, rings 3D, crosses the published model."""
    left, top, per_mm, per_m_s = 50.0, 20.0, 10.0, 260.0

    def at(gap: float, speed: float) -> tuple[float, float]:
        return left + per_mm * gap, top + per_m_s * (1.1 - speed)

    parts = [
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 580 350" '
        'font-family="sans-serif" font-size="12" fill="#333">',
        '<rect width="580" height="350" fill="#fff"/>',
    ]
    for tenth in range(0, 12, 2):
        y = at(0, tenth / 10)[1]
        parts.append(f'<path d="M{left} {y:.0f}H550" stroke="#ddd"/>')
        parts.append(f'<text x="42" y="{y + 4:.0f}" text-anchor="end">{tenth / 10:.1f}</text>')
    for gap in range(0, 51, 10):
        x = at(gap, 0)[0]
        parts.append(f'<text x="{x:.0f}" y="324" text-anchor="middle">{gap}</text>')
    parts.append('<text x="550" y="342" text-anchor="end">gap in mm</text>')
    parts.append('<text x="8" y="14">front speed in m/s</text>')
    for stands, colour in ((UP, "#1b6ca8"), (FLAT, "#b3541e")):
        found = [(g, speed_m_s(g, stands)) for g in range(2, 49, 2)]
        line = " ".join("{:.1f},{:.1f}".format(*at(g, v)) for g, v in found if v is not None)
        parts.append(f'<polyline points="{line}" fill="none" stroke="{colour}" stroke-width="2"/>')
        for gap, speed in SPATIAL[stands].items():
            x, y = at(gap, speed)
            parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="5" fill="none" stroke="{colour}"/>')
    for gap, speed in PUBLISHED.items():
        x, y = at(gap, speed)
        parts.append(f'<path d="M{x - 5:.1f} {y:.1f}h10M{x:.1f} {y - 5:.1f}v10" stroke="#000"/>')
    parts.append('<text x="330" y="60" fill="#1b6ca8">vertical tiles</text>')
    parts.append('<text x="270" y="215" fill="#b3541e">horizontal tiles</text>')
    parts.append('<text x="330" y="300">line: here, ring: 3D, cross: published</text>')
    return "\n".join([*parts, "</svg>"]) + "\n"


def main() -> None:
    """Print the table; write the plot if asked for."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--plot", type=Path, help="SVG file to write")
    args = parser.parse_args()
    table()
    if args.plot:
        args.plot.write_text(plot(), encoding="utf-8")


if __name__ == "__main__":
    main()
