"""Drawings as SVG text: elements, a table from above in pixels, and SVG as a bitmap."""

import math
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import Final
from xml.sax.saxutils import escape, quoteattr

from physics.errors import PhysicsError
from physics.row.pose import Point

FONTS: Final = (
    "system-ui, 'Segoe UI', Roboto, 'Noto Sans', 'DejaVu Sans', 'Liberation Sans', Helvetica, "
    "Arial, sans-serif"
)
LETTER: Final = 0.62
"""Width of a letter over the size of its type, in the wide faces among `FONTS`."""
_NOT_XML = re.compile(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_LETTER_SVG = (
    f'<svg xmlns="http://www.w3.org/2000/svg" width="24" height="24">'
    f'<text y="20" font-size="20" font-family="{FONTS}">{{}}</text></svg>'
)


def element(tag: str, inner: str = "", **attributes: object) -> str:
    """Write one element; `inner` is markup, names lose a last `_` and get `-` for each other one.

    >>> element("text", "5 &lt; 6", class_="small", x=1.25, text_anchor="end")
    '<text class="small" x="1.2" text-anchor="end">5 &lt; 6</text>'
    """
    said = "".join(
        f" {name.rstrip('_').replace('_', '-')}="
        + (f'"{value:.1f}"' if isinstance(value, float) else quoteattr(str(value)))
        for name, value in attributes.items()
    )
    return f"<{tag}{said}>{inner}</{tag}>" if inner else f"<{tag}{said}/>"


def text(words: str, at: Point, **attributes: object) -> str:
    """Write words at a point in pixels; what no XML may hold is shown as a letter that is lost."""
    return element("text", escape(_NOT_XML.sub("\ufffd", words)), x=at[0], y=at[1], **attributes)


def polygon(corners: Iterable[Point], inner: str = "", **attributes: object) -> str:
    """Write a filled outline with corners in pixels."""
    points = " ".join(f"{x:.1f},{y:.1f}" for x, y in corners)
    return element("polygon", inner, points=points, **attributes)


@dataclass(frozen=True, slots=True)
class Above:
    """A part of the table seen from above, in a picture.

    Attributes:
        left_px: where table x = 0 lies in the picture.
        top_px: where table y = 0 lies.
        px_per_mm: the scale.
    """

    left_px: float
    top_px: float
    px_per_mm: float

    def to_px(self, point: Point) -> Point:
        """Give the place in the picture, y down, of a point on the table in mm, y up.

        >>> Above(100.0, 50.0, 2.0).to_px((10.0, 20.0))
        (120.0, 10.0)
        """
        return (
            self.left_px + point[0] * self.px_per_mm,
            self.top_px - point[1] * self.px_per_mm,
        )


def above(points: Sequence[Point], box: tuple[float, float, float, float], most: float) -> Above:
    """Fit points of the table into the middle of a part of the picture.

    Args:
        points: in mm.
        box: left, top, width and height of that part, in pixels.
        most: largest scale in pixels a mm.
    """
    (x0, x1), (y0, y1) = ((min(side), max(side)) for side in zip(*points, strict=True))
    left, top, wide, high = box
    scale = min(most, wide / max(x1 - x0, 1.0), high / max(y1 - y0, 1.0))
    return Above(
        left + wide / 2 - scale * (x0 + x1) / 2, top + high / 2 + scale * (y0 + y1) / 2, scale
    )


def bar_mm(px_per_mm: float, most_px: float) -> float:
    """Give the longest scale bar of 1, 2 or 5 times a power of ten mm that fits.

    >>> bar_mm(3.5, 200.0), bar_mm(0.3, 200.0)
    (50.0, 500.0)
    """
    most = most_px / px_per_mm
    power = 10.0 ** math.floor(math.log10(most))
    return power * max(step for step in (1.0, 2.0, 5.0) if step * power <= most)


def scale_bar(seen: Above, at: Point, most_px: float) -> str:
    """Draw a scale bar that begins at a point in pixels."""
    length = bar_mm(seen.px_per_mm, most_px)
    (x, y), end = at, at[0] + length * seen.px_per_mm
    way = (
        f"M{x:.1f},{y - 5:.1f} V{y + 5:.1f} M{x:.1f},{y:.1f} H{end:.1f} M{end:.1f},{y - 5:.1f} v10"
    )
    bar = element("path", d=way, class_="rule", fill="none", stroke_width=1.5)
    return bar + text(f"{length:g} mm", (end + 8.0, y + 5.0), class_="quiet", font_size=14)


def bitmap(svg: str) -> bytes:
    """Turn SVG into a PNG picture of its own size.

    Raises:
        PhysicsError: the extra `film` is missing, or this machine has no font.
    """
    if "<text" in svg and not _has_font():
        raise PhysicsError(
            "no font of this machine can be used for a picture: install DejaVu Sans, or name an "
            ".svg file"
        )
    # Without text it need not look for the fonts of this machine.
    return bytes(renderer()(svg_string=svg, skip_system_fonts="<text" not in svg))


def renderer() -> Callable[..., bytes]:
    """Return the function of resvg that draws SVG.

    Raises:
        PhysicsError: it is not installed.
    """
    try:
        return import_module("resvg_py").svg_to_bytes  # type: ignore[no-any-return]
    except ImportError:
        raise PhysicsError(
            "PNG pictures and films need resvg_py from the extra film; 'domino-rig doctor' prints "
            "the command that installs it"
        ) from None


@cache
def _has_font() -> bool:
    drawn, empty = (renderer()(svg_string=_LETTER_SVG.format(words)) for words in ("x", ""))
    return drawn != empty
