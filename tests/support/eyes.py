"""Colours as people see them: contrast, colour blindness of three kinds, how far two are apart."""

import numpy as np

EYES = {
    "usual": np.eye(3),
    "no red": np.array(
        [
            [0.152286, 1.052583, -0.204868],
            [0.114503, 0.786281, 0.099216],
            [-0.003882, -0.048116, 1.051998],
        ]
    ),
    "no green": np.array(
        [
            [0.367322, 0.860646, -0.227968],
            [0.280085, 0.672501, 0.047413],
            [-0.011820, 0.042940, 0.968881],
        ]
    ),
    "no blue": np.array(
        [
            [1.255528, -0.076749, -0.178779],
            [-0.078411, 0.930809, 0.147602],
            [0.004733, 0.691367, 0.303900],
        ]
    ),
}
"""What becomes of linear sRGB without one kind of cone: Machado, Oliveira and Fernandes (2009)."""

_XYZ = np.array(
    [
        [0.4124564, 0.3575761, 0.1804375],
        [0.2126729, 0.7151522, 0.072175],
        [0.0193339, 0.119192, 0.9503041],
    ]
)
_WHITE = np.array([0.95047, 1.0, 1.08883])


def linear(colour):
    """Linear sRGB of "#rrggbb", shape (3,)."""
    coded = np.array([int(colour[i : i + 2], 16) for i in (1, 3, 5)]) / 255
    return np.where(coded <= 0.04045, coded / 12.92, ((coded + 0.055) / 1.055) ** 2.4)


def contrast(one, other):
    """The contrast of two colours by WCAG 2, from 1 to 21.

    >>> round(contrast("#000000", "#ffffff"))
    21
    """
    dark, light = sorted(float(linear(colour) @ _XYZ[1]) for colour in (one, other))
    return (light + 0.05) / (dark + 0.05)


def lab(colour, eyes="usual"):
    """CIE L*a*b* of a colour as these eyes see it, shape (3,)."""
    seen = _XYZ @ np.clip(EYES[eyes] @ linear(colour), 0, 1) / _WHITE
    f = np.where(seen > 216 / 24389, np.cbrt(seen), (24389 / 27 * seen + 16) / 116)
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


def apart(one, other, eyes="usual"):
    """How far two colours are apart for these eyes, by CIEDE2000; about 1 can just be seen.

    >>> round(apart("#000000", "#ffffff"))
    100
    """
    (light, a, b), (light2, a2, b2) = lab(one, eyes), lab(other, eyes)
    mean = (np.hypot(a, b) + np.hypot(a2, b2)) / 2
    more = 1.5 - 0.5 * np.sqrt(mean**7 / (mean**7 + 25**7))
    chroma, chroma2 = np.hypot(a * more, b), np.hypot(a2 * more, b2)
    hue, hue2 = np.degrees(np.arctan2(b, a * more)), np.degrees(np.arctan2(b2, a2 * more))
    turn = (hue2 - hue + 180) % 360 - 180
    middle = np.radians((hue + turn / 2) % 360)
    d_hue = 2 * np.sqrt(chroma * chroma2) * np.sin(np.radians(turn / 2))
    l_mean, c_mean = (light + light2) / 2 - 50, (chroma + chroma2) / 2
    waves = (
        1
        - 0.17 * np.cos(middle - np.radians(30))
        + 0.24 * np.cos(2 * middle)
        + 0.32 * np.cos(3 * middle + np.radians(6))
        - 0.2 * np.cos(4 * middle - np.radians(63))
    )
    d_light = (light2 - light) / (1 + 0.015 * l_mean**2 / np.sqrt(20 + l_mean**2))
    d_chroma = (chroma2 - chroma) / (1 + 0.045 * c_mean)
    d_hue /= 1 + 0.015 * c_mean * waves
    blue = np.radians(60 * np.exp(-(((np.degrees(middle) - 275) / 25) ** 2)))
    cross = -2 * np.sqrt(c_mean**7 / (c_mean**7 + 25**7)) * np.sin(blue)
    return float(np.sqrt(d_light**2 + d_chroma**2 + d_hue**2 + cross * d_chroma * d_hue))
