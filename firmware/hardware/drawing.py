"""The drawing of the printed parts, parts.svg, from the same sizes.

    python3 firmware/hardware/drawing.py

From above and from the right side, three pixels to the millimetre.
"""

import math
from pathlib import Path

import parts

SCALE = 3.0
STYLE = """
  text { font: 12px system-ui, sans-serif; fill: #24292f }
  .title { font-size: 15px; font-weight: 600 } .small { font-size: 11px }
  .page { fill: #ffffff } .part { fill: #dde6f0; stroke: #3b5b7d; stroke-width: 1.2 }
  .high { fill: #c3d4e6 } .arm { fill: #f6c9a5; stroke: #bc4c00 }
  .ghost { fill: none; stroke: #bc4c00; stroke-dasharray: 4 3 }
  .tag { fill: #ffffff; stroke: #24292f } .ink { fill: #24292f }
  .tile { fill: none; stroke: #1a7f37; stroke-dasharray: 5 3 }
  text.tile { fill: #1a7f37; stroke: none } text.tag { fill: #ffffff; stroke: none }
  .dim { stroke: #57606a; fill: none } text.dim { fill: #57606a; stroke: none }
  .table { stroke: #8c959f; stroke-width: 2 }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3 } .page { fill: #0d1117 }
    .part { fill: #1f2d3d; stroke: #79a7d8 } .high { fill: #2b4059 }
    .arm { fill: #5a3116; stroke: #f0883e } .ghost { stroke: #f0883e }
    .tag { fill: #e6edf3; stroke: #e6edf3 } .ink { fill: #0d1117 }
    .tile { stroke: #3fb950 }
    text.tile { fill: #3fb950 } text.tag { fill: #e6edf3 }
    .dim { stroke: #9198a1 } text.dim { fill: #9198a1 }
  }
"""


class View:
    """One view: where millimetres go on the page."""

    def __init__(self, left: float, top: float) -> None:
        self.left, self.top = left, top
        self.drawn: list[str] = []

    def at(self, x: float, y: float) -> str:
        """Give a point on the page; y goes up."""
        return f"{self.left + SCALE * x:.1f},{self.top - SCALE * y:.1f}"

    def area(self, outline: list[tuple[float, float]], kind: str) -> None:
        """Draw a closed outline."""
        points = " ".join(self.at(x, y) for x, y in outline)
        self.drawn.append(f'<polygon class="{kind}" points="{points}"/>')

    def box(self, x0: float, x1: float, y0: float, y1: float, kind: str) -> None:
        """Draw a rectangle."""
        self.area([(x0, y0), (x1, y0), (x1, y1), (x0, y1)], kind)

    def line(self, x0: float, y0: float, x1: float, y1: float, kind: str = "dim") -> None:
        """Draw a straight line."""
        self.drawn.append(f'<path class="{kind}" d="M{self.at(x0, y0)}L{self.at(x1, y1)}"/>')

    def word(
        self, x: float, y: float, text: str, kind: str = "small", anchor: str = "middle"
    ) -> None:
        """Write at a point."""
        px, py = self.at(x, y).split(",")
        self.drawn.append(
            f'<text class="{kind}" x="{px}" y="{py}" text-anchor="{anchor}">{text}</text>'
        )

    def size(self, x0: float, y0: float, x1: float, y1: float, text: str) -> None:
        """Give the distance of two points, with its number beside the line."""
        self.line(x0, y0, x1, y1)
        across = (0.0, 1.6) if abs(x1 - x0) > abs(y1 - y0) else (1.6, 0.0)
        for x, y in ((x0, y0), (x1, y1)):
            self.line(x - across[0], y - across[1], x + across[0], y + across[1])
        mid_x, mid_y = (x0 + x1) / 2, (y0 + y1) / 2
        if across[1]:
            self.word(mid_x, mid_y + 1.5, text, "small dim")
        else:
            self.word(mid_x + 1.5, mid_y - 1.2, text, "small dim", "start")


def turned(outline: list[tuple[float, float]], angle: float) -> list[tuple[float, float]]:
    """Give the arm's outline in the table's coordinates, the arm turned by so much."""
    return [
        (
            parts.AXIS[0] + y * math.sin(angle) + x * math.cos(angle),
            parts.AXIS[1] + y * math.cos(angle) - x * math.sin(angle),
        )
        for x, y in outline
    ]


def above() -> View:
    """Draw it from above: the push goes to the right, left of the push is up."""
    view = View(150, 190)
    solid, cut = parts.base_boxes()
    for box in sorted(solid, key=lambda box: box[5]):
        view.box(*box[:4], "part high" if box[5] > 30 else "part")
    for box in cut:
        view.box(*box[:4], "part page")
    half = parts.TAG_SIDE_MM / 2
    view.box(-half, half, -half, half, "tag")
    view.box(-17.5, 17.5, -17.5, 17.5, "ink")
    view.word(0, -1, "tag", "small tag")
    outline, _ = parts.arm_outlines()
    view.area(turned(outline, -parts.REST), "ghost")
    view.area(turned(outline, parts.REST), "arm")
    view.box(50, 57.5, -24, 24, "tile")
    view.word(60, 21, "first tile", "small tile", "start")
    x, y = parts.AXIS
    view.line(x - 3, y, x + 3, y, "dim")
    view.line(x, y - 3, x, y + 3, "dim")
    view.word(x + 13, y + 1.5, "axis", "small", "start")
    view.size(0, 34, parts.TAG_FORWARD_MM, 34, f"{parts.TAG_FORWARD_MM:.0f}")
    view.line(0, 24, 0, 35)
    view.line(parts.TAG_FORWARD_MM, 2, parts.TAG_FORWARD_MM, 35)
    view.size(parts.TAG_FORWARD_MM, 29, 50, 29, "10")
    view.size(72, y, 72, 0, f"{-y:.1f}")
    view.line(x + 3, y, 73, y)
    view.line(36, 0, 73, 0)
    view.size(0, -82, x, -82, f"{x:.1f}")
    view.line(x, y - 3, x, -83)
    view.line(0, -23, 0, -83)
    view.size(-half, 43, half, 43, f"{parts.TAG_SIDE_MM:.0f}")
    view.word(-45, 57, "from above", "title", "start")
    view.word(60, 8, "push →", "small", "start")
    return view


def aside() -> View:
    """Draw it from its right-hand side: the push goes to the right, up is up."""
    view = View(555, 420)
    solid, _ = parts.base_boxes()
    for box in sorted(solid, key=lambda box: -box[2]):
        view.box(box[0], box[1], box[4], box[5], "part high" if box[5] > 30 else "part")
    low = parts.TIP_HEIGHT_MM - parts.BAR_MM / 2
    view.box(parts.TAG_FORWARD_MM - 14, parts.TAG_FORWARD_MM, low, low + parts.BAR_MM, "arm")
    view.box(50, 57.5, 0, 48, "tile")
    view.line(-45, 0, 88, 0, "table")
    view.size(66, 0, 66, parts.TIP_HEIGHT_MM, f"{parts.TIP_HEIGHT_MM:.0f}")
    view.line(parts.TAG_FORWARD_MM, parts.TIP_HEIGHT_MM, 67, parts.TIP_HEIGHT_MM)
    view.size(-34, 0, -34, parts.TAG_HEIGHT_MM, f"{parts.TAG_HEIGHT_MM:.0f}")
    view.line(-35, parts.TAG_HEIGHT_MM, -23, parts.TAG_HEIGHT_MM)
    view.size(76, 0, 76, parts.SHELF_MM, f"{parts.SHELF_MM:.0f}")
    view.line(parts.AXIS[0] + 12, parts.SHELF_MM, 77, parts.SHELF_MM)
    view.word(0, parts.TAG_HEIGHT_MM + 3, "tag, level", "small")
    view.word(-45, 92, "from its right", "title", "start")
    return view


def lying() -> View:
    """Draw the arm as it lies on the printer."""
    view = View(560, 60)
    outline, cheeks = parts.arm_outlines()
    swapped = [(y, -x) for x, y in outline]
    view.area([(x, y) for x, y in swapped], "arm")
    for cheek in cheeks:
        view.area([(y, -x) for x, y in cheek], "part")
    view.line(-3, 0, 3, 0)
    view.line(0, -3, 0, 3)
    view.size(0, -9, parts.ARM_MM, -9, f"{parts.ARM_MM:.0f}")
    view.word(53, -1, f"r {parts.TIP_RADIUS_MM:.0f}, soft sleeve", "small", "start")
    view.word(
        53, 6, f"{parts.BAR_MM:.0f} thick, cheeks {parts.HORN['height']:.0f} more", "small", "start"
    )
    view.word(-45, 11, "arm", "title", "start")
    return view


def drawing() -> str:
    """Give the whole drawing."""
    drawn = "\n".join(line for view in (above(), aside(), lying()) for line in view.drawn)
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 860 470" role="img">\n'
        "<title>The pusher's base and arm, sizes in mm</title>"
        f'<style>{STYLE}</style>\n<rect class="page" width="860" height="470" rx="6"/>\n'
        f"{drawn}\n</svg>\n"
    )


if __name__ == "__main__":
    (Path(__file__).parent / "parts.svg").write_text(drawing(), "utf-8")
