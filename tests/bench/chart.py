"""Plots as SVG that a README can show on light and on dark pages."""

from collections.abc import Sequence
from dataclasses import dataclass, field

Point = tuple[float, float]

STYLE = """
  text { font: 13px system-ui, sans-serif; fill: #24292f }
  .page { fill: #ffffff } .grid { stroke: #d8dee4 } .axis { stroke: #57606a }
  .blue { --c: #0969da } .orange { --c: #bc4c00 } .green { --c: #1a7f37 } .ink { --c: #24292f }
  .faint { --c: #8c959f }
  .line { fill: none; stroke: var(--c); stroke-width: 2 }
  .mark { fill: none; stroke: var(--c); stroke-width: 1.6 } .dot { fill: var(--c) }
  text.tint { fill: var(--c) } .title { font-weight: 600 } .small { font-size: 12px }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3 }
    .page { fill: #0d1117 } .grid { stroke: #30363d } .axis { stroke: #9198a1 }
    .blue { --c: #58a6ff } .orange { --c: #f0883e } .green { --c: #3fb950 } .ink { --c: #e6edf3 }
    .faint { --c: #8b949e }
  }
"""
DASHES = {"solid": "", "dashed": "7 4", "dotted": "1.5 4"}


@dataclass
class Chart:
    """A plot of y over x with a legend beside it; `across` and `up` are the ticks of the axes."""

    title: str
    across: Sequence[float]
    up: Sequence[float]
    across_label: str
    up_label: str
    width: float = 500.0
    height: float = 340.0
    left: float = 62.0
    top: float = 58.0
    legend_width: float = 278.0
    parts: list[str] = field(default_factory=list)
    legend: list[str] = field(default_factory=list)

    def place(self, point: Point) -> Point:
        """Return where a point lies on the page."""
        x = (point[0] - self.across[0]) / (self.across[-1] - self.across[0])
        y = (point[1] - self.up[0]) / (self.up[-1] - self.up[0])
        return self.left + x * self.width, self.top + (1.0 - y) * self.height

    def line(self, points: Sequence[Point], colour: str, dash: str = "solid") -> None:
        """Draw a line through points."""
        way = " ".join("{:.1f},{:.1f}".format(*self.place(p)) for p in points)
        self.parts.append(
            f'<polyline class="line {colour}" points="{way}" stroke-dasharray="{DASHES[dash]}"/>'
        )

    def rings(self, points: Sequence[Point], colour: str) -> None:
        """Draw a ring at each point."""
        self.parts += [_ring(*self.place(p), colour) for p in points]

    def measured(self, points: Sequence[Point], errors: Sequence[Point], colour: str) -> None:
        """Draw dots with bars of one error to either side, both ways."""
        for (x, y), (dx, dy) in zip(points, errors, strict=True):
            (left, low), (right, high) = self.place((x - dx, y - dy)), self.place((x + dx, y + dy))
            at_x, at_y = self.place((x, y))
            self.parts.append(
                f'<path class="mark {colour}" d="M{left:.1f} {at_y:.1f}H{right:.1f}'
                f'M{at_x:.1f} {low:.1f}V{high:.1f}"/>' + _dot(at_x, at_y, colour)
            )

    def note(self, point: Point, words: str, colour: str, anchor: str = "start") -> None:
        """Write words at a point."""
        x, y = self.place(point)
        self.parts.append(
            f'<text class="{colour} tint" x="{x:.1f}" y="{y:.1f}" '
            f'text-anchor="{anchor}">{words}</text>'
        )

    def explain(self, kind: str, colour: str, words: str) -> None:
        """Add a line to the legend; the kind is a dash, "ring" or "measured"."""
        x, y = self.left + self.width + 24.0, self.top + 8.0 + 24.0 * len(self.legend)
        if kind == "ring":
            sign = _ring(x + 13, y, colour)
        elif kind == "measured":
            sign = (
                f'<path class="mark {colour}" d="M{x + 4:.1f} {y:.1f}h18M{x + 13:.1f} {y - 8}v16"/>'
            )
            sign += _dot(x + 13, y, colour)
        else:
            sign = (
                f'<path class="line {colour}" d="M{x:.1f} {y:.1f}h26" '
                f'stroke-dasharray="{DASHES[kind]}"/>'
            )
        self.legend.append(
            f'{sign}<text class="small" x="{x + 36:.1f}" y="{y + 4:.1f}">{words}</text>'
        )

    def svg(self) -> str:
        """Return the whole drawing."""
        wide = self.left + self.width + self.legend_width
        tall = self.top + self.height + 52.0
        right, foot = self.left + self.width, self.top + self.height
        frame = [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide:g} {tall:g}" role="img">',
            f"<title>{self.title}</title><style>{STYLE}</style>",
            f'<rect class="page" width="{wide:g}" height="{tall:g}" rx="6"/>',
            f'<text class="title" x="14" y="24">{self.title}</text>',
            f'<text class="small" x="14" y="{self.top - 14:g}">{self.up_label}</text>',
            f'<text class="small" x="{right:g}" y="{foot + 42:g}" text-anchor="end">'
            f"{self.across_label}</text>",
        ]
        for value in self.up:
            y = self.place((self.across[0], value))[1]
            frame.append(f'<path class="grid" d="M{self.left:g} {y:.1f}H{right:g}"/>')
            frame.append(
                f'<text class="small" x="{self.left - 9:g}" y="{y + 4:.1f}" text-anchor="end">'
                f"{value:.1f}</text>"
            )
        for value in self.across:
            x = self.place((value, self.up[0]))[0]
            frame.append(f'<path class="axis" d="M{x:.1f} {foot:g}v5"/>')
            frame.append(
                f'<text class="small" x="{x:.1f}" y="{foot + 20:g}" text-anchor="middle">'
                f"{value:g}</text>"
            )
        frame.append(f'<path class="axis" d="M{self.left:g} {foot:g}H{right:g}"/>')
        return "\n".join([*frame, *self.parts, *self.legend, "</svg>"]) + "\n"


def _ring(x: float, y: float, colour: str) -> str:
    return f'<circle class="mark {colour}" cx="{x:.1f}" cy="{y:.1f}" r="5"/>'


def _dot(x: float, y: float, colour: str) -> str:
    return f'<circle class="dot {colour}" cx="{x:.1f}" cy="{y:.1f}" r="3.6"/>'
