"""The drawing of the printed parts, parts.svg, from the same sizes.

    python3 firmware/hardware/drawing.py

From above and from the right side, three pixels to the millimetre; a section through the servo's
axis, six.
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
  .servo { fill: #f6f8fa; stroke: #57606a; stroke-width: 1.2 }
  .horn { fill: #ffffff; stroke: #24292f; stroke-width: 1.2 }
  .screw { fill: #8c959f; stroke: #24292f; stroke-width: 0.8 }
  .felt { fill: #bf8700; stroke: none }
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
    .servo { fill: #161b22; stroke: #9198a1 } .horn { fill: #0d1117; stroke: #e6edf3 }
    .screw { fill: #6e7681; stroke: #e6edf3 } .felt { fill: #d29922 }
    .tile { stroke: #3fb950 }
    text.tile { fill: #3fb950 } text.tag { fill: #e6edf3 }
    .dim { stroke: #9198a1 } text.dim { fill: #9198a1 }
  }
"""


class View:
    """One view: where millimetres go on the page."""

    def __init__(self, left: float, top: float, scale: float = SCALE) -> None:
        self.left, self.top, self.scale = left, top, scale
        self.drawn: list[str] = []

    def at(self, x: float, y: float) -> str:
        """Give a point on the page; y goes up."""
        return f"{self.left + self.scale * x:.1f},{self.top - self.scale * y:.1f}"

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


def section() -> View:
    """Draw how the horn holds the arm: cut through the axis, seen along the push.

    Across runs the way from the axis to the tip, here along the row's side; up is up.
    """
    view = View(200, 800, 6.0)
    _, axis_y = parts.AXIS
    solid, _ = parts.base_boxes()
    right = min(box[2] for box in solid) - axis_y
    servo = parts.SERVO
    end = servo["axis_from_end"]
    start, near = end - servo["length"], end + 6.0
    top, under = parts.SHELF_MM, parts.SHELF_MM - parts.BEAM_MM
    low, high = parts.TIP_HEIGHT_MM - parts.BAR_MM / 2, parts.TIP_HEIGHT_MM + parts.BAR_MM / 2
    view.box(right, -4.0, 0, parts.FOOT_MM, "part")
    view.box(4.0, near, 0, parts.FOOT_MM, "part")
    view.box(right, right + parts.WALL_MM, parts.FOOT_MM, top, "part")
    view.box(right, start, under, top, "part high")
    view.box(end, near, under, top, "part high")
    view.box(start - 4.7, end + 4.7, top, top + 2.5, "servo")
    view.box(start, end, top - 4.5, top + 16.0, "servo")
    view.box(-5.9, 5.9, top - 7.0, top - 4.5, "servo")
    for hole in ((start + end - servo["holes"]) / 2, (start + end + servo["holes"]) / 2):
        view.box(hole - 1.0, hole + 1.0, top - 3.5, top + 3.2, "screw")
        view.box(hole - 2.0, hole + 2.0, top + 2.5, top + 4.0, "screw")
    view.box(4.0, parts.ARM_MM - 12.0, low, high, "arm")
    view.box(-8.0, 4.0, low, high, "ghost")
    view.box(-3.5, 15.0, high, high + 1.6, "horn")
    view.box(-3.5, 3.5, high, top - 7.0, "horn")
    view.box(-2.4, 2.4, high + 1.2, top - 7.0, "servo")
    for screw in (6.0, 10.5):
        view.box(screw - 1.0, screw + 1.0, high - 5.0, high + 1.6, "screw")
        view.box(screw - 1.8, screw + 1.8, high + 1.6, high + 2.8, "screw")
    view.box(-1.0, 1.0, high - 1.4, high + 3.0, "screw")
    view.box(-2.2, 2.2, high - 1.4, high, "screw")
    view.line(-32, 0, 36, 0, "table")
    view.line(0, -2, 0, low + 3)
    notes = (
        (40.0, "servo, upside down, its ears on two beams"),
        (36.5, "ears' screws"),
        (29.5, "spline: the horn's teeth sit on the shaft's"),
        (25.8, "two screws 2 × 6 through the horn into the slit"),
        (22.4, "cheeks left and right of the horn take the push"),
        (19.0, "the horn's own screw, from below, through slot and foot"),
    )
    for height, text in notes:
        view.word(38, height, text, "small", "start")
    for (height, _), (x, z) in zip(
        notes,
        ((end, 40.4), (end + 4.4, 36.9), (2.6, 27.0), (11.8, 25.4), (15.0, 23.6), (2.2, 21.8)),
        strict=True,
    ):
        view.line(x, z, 37, height + 0.6)
    view.word(22, low + 1.2, "arm", "small")
    view.word(start / 2 - 1, top + 8, "servo", "small")
    view.word(-16, 1, "foot", "small")
    view.word(-32, 54, "how the horn holds the arm", "title", "start")
    view.word(-32, 51.5, "cut through the axis; the tip is to the right", "small", "start")
    view.word(0, -4.5, "screwdriver", "small")
    return view


def drawing() -> str:
    """Give the whole drawing."""
    drawn = "\n".join(
        line for view in (above(), aside(), lying(), section()) for line in view.drawn
    )
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 860 840" role="img">\n'
        "<title>The pusher's base and arm, sizes in mm</title>"
        f'<style>{STYLE}</style>\n<rect class="page" width="860" height="840" rx="6"/>\n'
        f"{drawn}\n</svg>\n"
    )


if __name__ == "__main__":
    (Path(__file__).parent / "parts.svg").write_text(drawing(), "utf-8")
