"""The virtual camera of whole rigs in tests: it hangs where it hangs, with 720 lines, not 1080.

What is read in its pictures is the same, and every one of them costs half.
"""

import sys
from functools import cache

import numpy as np

from vision.geometry.lens import Intrinsics
from vision.render.render import default_view


@cache
def small_view():
    """The lens and the place of the usual virtual camera; the same objects every time."""
    lens, pose = default_view()
    matrix = np.diag([2 / 3, 2 / 3, 1.0]) @ lens.matrix
    return Intrinsics(matrix, lens.dist, 1280, 720), pose


_PROGRAM = """
import rig.machine.build
from rig.cli.main import main
from tests.support.small_view import small_view
rig.machine.build.default_view = small_view
main()
"""
COMMAND = (sys.executable, "-c", _PROGRAM)
"""`domino-rig`, looking through such a camera."""
