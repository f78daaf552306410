"""The stage of a film: felt and rail, words that fit their places, frames, SVG as pictures.

Places are on the table screen's stage of 1920 x 1080 px; pictures have two thirds of that.
"""

import math
from collections.abc import Sequence
from functools import cache
from io import BytesIO
from typing import Final

from PIL import Image

from physics.pictures.svg import FONTS, LETTER, bitmap, element, text
from physics.row.pose import Point
from rig.films.film_script import Voter
from rig.films.objects import mark, plaque

SIZE: Final = (1280, 720)
WIDE: Final = 1920
HIGH: Final = 1080
Region = tuple[int, int, int, int]
"""Left, top, width and height on the stage, multiples of `_STEP`."""
ALL: Final[Region] = (0, 0, WIDE, HIGH)
_STEP: Final = 3
"""So many px of the stage are two pixels of a picture."""
BALLOTS: Final[Region] = (0, 300, WIDE, 432)
"""Where ballots lie and turn."""
RAIL_TOP: Final = 908
"""Where the felt ends and the wooden rail begins."""
_MARGIN: Final = 72.0
_SERIF: Final = "'Noto Serif', 'New York', 'Iowan Old Style', Georgia, 'DejaVu Serif', serif"
_INK: Final = "#fdf0d8"
_QUIET: Final = "#cfe0cf"
_CARD: Final = "#2a1d12"
_FRAME: Final = (452.0, 232.0, 1016.0, 644.0)
"""Left, top, width and height of the walnut frame round the camera's picture."""
_FRAME_PX: Final = 26.0


def picture_of(*parts: str, region: Region = ALL) -> Image.Image:
    """Draw SVG on a region of the stage as a picture, clear where nothing is drawn."""
    left, top, wide, high = region
    svg = element(
        "svg",
        "".join(parts),
        xmlns="http://www.w3.org/2000/svg",
        width=wide * SIZE[0] // WIDE,
        height=high * SIZE[0] // WIDE,
        viewBox=f"{left} {top} {wide} {high}",
        font_family=FONTS,
    )
    return Image.open(BytesIO(bitmap(svg))).convert("RGBA")


def over(back: Image.Image, *parts: str, region: Region = ALL) -> Image.Image:
    """Draw SVG over a picture of the stage; what lies outside the region stays as it is."""
    drawn, whole = picture_of(*parts, region=region), back.copy()
    whole.paste(drawn, (region[0] * SIZE[0] // WIDE, region[1] * SIZE[0] // WIDE), drawn)
    return whole


def round_about(left: float, top: float, right: float, bottom: float) -> Region:
    """The smallest region with these bounds in it that begins and ends between two pixels."""
    x, y = (max(0, math.floor(v / _STEP) * _STEP) for v in (left, top))
    u, v = math.ceil(right / _STEP) * _STEP, math.ceil(bottom / _STEP) * _STEP
    return x, y, min(u, WIDE) - x, min(v, HIGH) - y


@cache
def felt() -> Image.Image:
    """The table under its lamp."""
    return picture_of(
        _gradient("radial", "felt", ("#326850", "#1d3f31", "#10261d"), _LAMPLIGHT),
        element("rect", width=WIDE, height=HIGH, fill="url(#felt)"),
    )


_LAMPLIGHT: Final = (
    ("gradientUnits", "userSpaceOnUse"),
    ("cx", "0"),
    ("cy", "0"),
    ("r", "1"),
    ("gradientTransform", "translate(806 432) scale(1250 820)"),
)


def _gradient(
    kind: str, name: str, colours: Sequence[str], where: Sequence[tuple[str, str]]
) -> str:
    stops = "".join(
        element("stop", offset=f"{i / (len(colours) - 1):.2f}", stop_color=colour)
        for i, colour in enumerate(colours)
    )
    return element("defs", element(f"{kind}Gradient", stops, id=name, **dict(where)))


def title(words: str) -> str:
    """The words that are read first."""
    return written(words, (_MARGIN, 122.0), 92.0, WIDE - 2 * _MARGIN, serif=True)


def line(words: str) -> str:
    """The one line under the title."""
    return written(words, (_MARGIN, 196.0), 46.0, WIDE - 2 * _MARGIN, colour=_QUIET)


def written(
    words: str,
    at: Point,
    size: float,
    most: float,
    *,
    serif: bool = False,
    middle: bool = False,
    colour: str = _INK,
) -> str:
    """Write words that get smaller where they would be wider than `most`."""
    size = min(size, most / max(LETTER * len(words), 1.0))
    return text(
        words,
        at,
        font_size=size,
        fill=colour,
        font_family=_SERIF if serif else FONTS,
        font_weight=800 if serif else 600,
        text_anchor="middle" if middle else "start",
    )


def tag(words: str, at: Point) -> str:
    """A word on a dark pill, its middle at a point; it stays on the stage."""
    wide = LETTER * 36.0 * len(words) + 40.0
    x = min(max(at[0], wide / 2 + 24.0), WIDE - wide / 2 - 24.0)
    pill = element(
        "rect",
        x=x - wide / 2,
        y=at[1] - 29.0,
        width=wide,
        height=58,
        rx=29,
        fill=_CARD,
        stroke="#ffdf9e",
        stroke_width=3,
    )
    return pill + written(words, (x, at[1] + 13.0), 36.0, wide - 30.0, middle=True)


def rail(voters: Sequence[Voter]) -> str:
    """The wooden rail with the marks and names of all who voted."""
    parts = [
        _gradient("linear", "rail", ("#4a2f1a", "#2c1c10"), (("x2", "0"), ("y2", "1"))),
        element("rect", y=RAIL_TOP, width=WIDE, height=HIGH - RAIL_TOP, fill="url(#rail)"),
    ]
    each = WIDE / max(len(voters), 1)
    size = 44.0 if len(voters) < 5 else 40.0
    for n, voter in enumerate(voters):
        left = n * each
        parts.append(mark(voter.mark, (left + 92.0, 994.0), 76.0))
        parts.append(written(voter.name, (left + 150.0, 1009.0), size, each - 168.0))
        if n:
            way = f"M{left:.0f} 932V1056"
            parts.append(element("path", d=way, stroke="#000000", stroke_opacity=".3"))
    return "".join(parts)


def ballot(voter: Voter, n: int, of: int, turned: float) -> str:
    """A ballot above its seat, turned so far: 0 its back, 1 its face."""
    wide = min(250.0, 1500.0 / of - 60.0)
    side = voter.side if turned > 0.5 else "back"
    return plaque(side, (column(n, of), 520.0), wide, max(abs(1.0 - 2.0 * turned), 0.02))


def column(n: int, of: int) -> float:
    """The middle of a seat's place."""
    return WIDE * (n + 0.5) / of


def framed(jpeg: bytes, back: Image.Image) -> Image.Image:
    """A picture of the camera in its walnut frame, on a picture of the stage."""
    left, top, wide, high = (round(v * SIZE[0] / WIDE) for v in _FRAME)
    edge = round(_FRAME_PX * SIZE[0] / WIDE)
    shown = Image.open(BytesIO(jpeg)).convert("RGB")
    shown.thumbnail((wide - 2 * edge, high - 2 * edge))
    frame = Image.new("RGB", (shown.width + 2 * edge, shown.height + 2 * edge), "#6d4424")
    frame.paste(shown, (edge, edge))
    out = back.copy()
    out.paste(frame, (left + (wide - frame.width) // 2, top + (high - frame.height) // 2))
    return out
