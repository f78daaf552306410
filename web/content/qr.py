"""The join address as a QR code, for the screen and for the terminal."""

import io
from functools import lru_cache

import segno

_DARK = "#1b1006"
_LIGHT = "#fffdf4"
_RUN = ("\x1b[107m  ", "\x1b[40m  ")
BLOCKS = "▀▄█"
"""What `terminal` draws with."""


@lru_cache(maxsize=8)
def svg(url: str) -> bytes:
    """A QR code as an SVG picture, dark on light in every theme so that all cameras read it."""
    out = io.BytesIO()
    segno.make_qr(url, error="m").save(
        out, kind="svg", border=2, dark=_DARK, light=_LIGHT, xmldecl=False, omitsize=True
    )
    return out.getvalue()


def terminal(url: str, blocks: bool = True) -> str:
    """A QR code for a terminal, black on white by colour codes.

    Args:
        url: the address it holds.
        blocks: draw half blocks, two rows of modules in a line; otherwise coloured spaces, which
            take twice the room but only ASCII.
    """
    if not blocks:
        return "\n".join(
            "".join(_RUN[int(bool(dark))] for dark in row) + "\x1b[0m"
            for row in segno.make_qr(url, error="l").matrix_iter(border=2)
        )
    matrix = [list(row) for row in segno.make_qr(url, error="l").matrix_iter(border=2)]
    if len(matrix) % 2:
        matrix.append([0] * len(matrix[0]))
    signs = {(0, 0): " ", (1, 0): "▀", (0, 1): "▄", (1, 1): "█"}
    lines = (
        "".join(signs[int(bool(a)), int(bool(b))] for a, b in zip(upper, lower, strict=True))
        for upper, lower in zip(matrix[::2], matrix[1::2], strict=True)
    )
    return "\n".join(f"\x1b[30;107m{line}\x1b[0m" for line in lines)
