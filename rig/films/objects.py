"""The table's objects as SVG, with the numbers of the page's: numerals, seat marks, ballots.

Numerals are strokes on a 10 x 16 grid, as `core/objects/numerals.js` has them, marks fill one of
48 x 48 (`marks.js`), a ballot is a plaque of 110 x 137.5 (`games/estimation/objects/ballot.js`).
"""

from typing import Final

from physics.pictures.svg import element
from physics.row.pose import Point

_GAP: Final = 0.8
_BAR: Final = "M2.2 18.4H7.8"
"""Under a 6 and a 9, which could be taken for each other."""
_DIGITS: Final = (
    (
        "M5 1.5C7.6 1.5 8.7 4.4 8.7 8C8.7 11.6 7.6 14.5 5 14.5"
        "C2.4 14.5 1.3 11.6 1.3 8C1.3 4.4 2.4 1.5 5 1.5Z",
        10.0,
    ),
    ("M1.4 4.4L4.4 1.5V14.5", 6.2),
    (
        "M1.5 4.9C1.7 2.8 3.1 1.5 5 1.5C7 1.5 8.4 2.9 8.4 4.8C8.4 6.5 7.4 7.8 5.8 9.5L1.5 14.5H8.7",
        10.0,
    ),
    (
        "M1.7 3.1C2.5 2.1 3.6 1.5 5 1.5C7 1.5 8.2 2.8 8.2 4.5"
        "C8.2 6.3 6.9 7.5 4.4 7.5C7.2 7.5 8.6 8.9 8.6 10.9C8.6 13.1 7 14.5 4.9 14.5"
        "C3.2 14.5 1.9 13.8 1.2 12.5",
        10.0,
    ),
    ("M6.6 14.5V1.5L1.2 10.7H8.9", 10.0),
    (
        "M8 1.5H2.6L2 7.5C2.8 6.7 3.8 6.3 5 6.3C7.3 6.3 8.7 8 8.7 10.3"
        "C8.7 12.8 7.1 14.5 4.8 14.5C3.2 14.5 2 13.8 1.3 12.6",
        10.0,
    ),
    (
        "M7.7 2.2C4 3 1.3 6.3 1.3 10.4C1.3 12.8 2.9 14.5 5.05 14.5"
        "C7.2 14.5 8.7 12.9 8.7 10.7C8.7 8.5 7.2 7 5.2 7C3.3 7 1.7 8.3 1.3 10.4",
        10.0,
    ),
    ("M1.4 1.5H8.6L3.9 14.5M3.2 8.1H8.2", 10.0),
    (
        "M5 7.4C3.2 7.4 1.9 6.2 1.9 4.5C1.9 2.7 3.2 1.5 5 1.5"
        "C6.8 1.5 8.1 2.7 8.1 4.5C8.1 6.2 6.8 7.4 5 7.4C2.9 7.4 1.3 8.9 1.3 11"
        "C1.3 13.1 2.9 14.5 5 14.5C7.1 14.5 8.7 13.1 8.7 11C8.7 8.9 7.1 7.4 5 7.4Z",
        10.0,
    ),
    (
        "M2.3 13.8C6 13 8.7 9.7 8.7 5.6C8.7 3.2 7.1 1.5 4.95 1.5"
        "C2.8 1.5 1.3 3.1 1.3 5.3C1.3 7.5 2.8 9 4.8 9C6.7 9 8.3 7.7 8.7 5.6",
        10.0,
    ),
)
"""Path and advance of every digit."""

_MARKS: Final = {
    "circle": ("#e9785a", "M0 -20A20 20 0 1 1 0 20A20 20 0 1 1 0 -20Z"),
    "triangle": ("#96bf8c", "M0 -22L22 17Q23 19 20 19H-20Q-23 19 -22 17Z"),
    "square": ("#5fa8dc", "M-18 -18H18V18H-18Z"),
    "star": (
        "#f2c230",
        "M0 -22L6.2 -8.5L21 -6.8L10 3.2L13 17.8L0 10.4L-13 17.8L-10 3.2L-21 -6.8L-6.2 -8.5Z",
    ),
    "diamond": ("#8f72f2", "M0 -24L20 0L0 24L-20 0Z"),
    "cross": ("#f6efe4", "M-8 -21H8V-8H21V8H8V21H-8V8H-21V-8H-8Z"),
    "moon": ("#a2def6", "M8 -22A23 23 0 1 0 21 12A19 19 0 0 1 8 -22Z"),
    "bolt": ("#dcf5ab", "M6 -24L-17 4H-3L-8 24L17 -5H2Z"),
    "bow": ("#997c9d", "M-22 -18L0 -5L22 -18V18L0 5L-22 18Z"),
    "chevron": ("#858c83", "M-21 2L0 -20L21 2V20L0 -2L-21 20Z"),
}
"""Fill and outline."""
_RIM: Final = "#2a170a"

_FALLING: Final = (
    (29.5, 79.5, 14, 33),
    (38.5, 80.0, 33, 34),
    (45.0, 81.0, 51, 37),
    (52.5, 81.0, 69, 35),
)
"""Foot, turn in degrees and length of the four leaning tiles on a ballot."""
_LOZENGES: Final = (
    "M55 20L94.5 68.75L55 117.5L15.5 68.75ZM55 35.5L82 68.75L55 102L28 68.75Z"
    "M55 51.5L69 68.75L55 86L41 68.75Z"
)
_SIDES: Final = {
    "back": ("#593319", "#e9c58d", "#e9c58d"),
    "success": ("#f2b653", "#6b3f0c", "#ffdf9e"),
    "failure": ("#3d5fb4", "#dfe8ff", "#b9cbff"),
}
"""Fill, inner line and rim."""


def numeral(value: int, at: Point, height: float, ink: str) -> str:
    """Draw a number with its middle at a point, as SVG."""
    said = str(value)
    barred = said in ("6", "9")
    wide = sum(_DIGITS[int(digit)][1] for digit in said) + _GAP * (len(said) - 1)
    left, strokes = -wide / 2, ""
    for digit in said:
        path, advance = _DIGITS[int(digit)]
        strokes += element("path", d=path, transform=f"translate({left:.2f} 0)")
        left += advance + _GAP
    if barred:
        strokes += element("path", d=_BAR, transform="translate(-5 0)", stroke_width="1.8")
    top = -9.2 if barred else -8.0
    return element(
        "g",
        strokes,
        transform=f"translate({at[0]:.1f} {at[1]:.1f}) scale({height / 16:.3f}) translate(0 {top})",
        fill="none",
        stroke=ink,
        stroke_width="2.5",
        stroke_linecap="round",
        stroke_linejoin="round",
    )


def mark(kind: str, at: Point, size: float) -> str:
    """Draw a seat's mark with its middle at a point."""
    fill, path = _MARKS.get(kind, _MARKS["circle"])
    return element(
        "g",
        element("path", d=path, transform="translate(2 2.6)", fill="#000000", fill_opacity=".38")
        + element("path", d=path, fill=fill, stroke=_RIM, stroke_width="2.4"),
        transform=f"translate({at[0]:.1f} {at[1]:.1f}) scale({size / 48:.3f})",
        stroke_linejoin="round",
    )


def plaque(side: str, at: Point, wide: float, squeeze: float) -> str:
    """Draw a ballot with its middle at a point.

    Args:
        side: `back`, `success` or `failure`.
        at: its middle.
        wide: how wide it is where it is not turned.
        squeeze: its apparent width over that, while it turns about its upright axis.
    """
    fill, inner, rim = _SIDES[side]
    lines = {"fill": "none", "stroke": inner, "stroke_opacity": ".5", "stroke_width": "1.8"}
    if side == "back":
        emblem = element("path", d=_LOZENGES, **lines)
    elif side == "success":
        emblem = element("circle", cx=55, cy=58, r=40, fill="#fff3d0", fill_opacity=".62")
        for foot_x, foot_y, turn, long in _FALLING:
            way = f"translate({foot_x} {foot_y}) rotate({turn})"
            emblem += element("rect", x=-4, y=-long, width=8, height=long, rx=2, transform=way)
        emblem += element("rect", x=25, y=83, width=61, height="4.4", rx="2.2")
    else:
        emblem = element(
            "rect", x=17, y=20, width=76, height=76, rx=8, fill="#0b1a4a", fill_opacity=".5"
        )
        bars = (("65", "38", "13.5", "44"), ("27", "73.6", "34", "8.6"), ("26", "84", "61", "4.4"))
        for x, y, w, h in bars:
            emblem += element("rect", x=x, y=y, width=w, height=h, rx=2, fill="#ffffff")
        way = "rotate(8 46 68)"
        emblem += element(
            "rect", x=31, y=64, width=31, height="8.6", rx=2, fill="#ffffff", transform=way
        )
    lift = 0 if side == "back" else 10.75
    return element(
        "g",
        element("rect", x=3, y=5, width=110, height="137.5", rx="16.5", fill_opacity=".38")
        + element(
            "rect",
            x="1.5",
            y="1.5",
            width=107,
            height="134.5",
            rx="15.5",
            fill=fill,
            stroke=rim,
            stroke_width=3,
        )
        + element("rect", x=6, y=6, width=98, height="125.5", rx="11.5", **lines)
        + element("g", emblem, transform=f"translate(0 {lift})", fill="#2a1705"),
        transform=f"translate({at[0]:.1f} {at[1]:.1f}) scale({wide / 110 * squeeze:.4f} "
        f"{wide / 110:.4f}) translate(-55 -68.75)",
    )
