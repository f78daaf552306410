"""Eyes that have seen the bare table: the first look costs more than the rig that is tested.

Every rig, and every test, gets its own copy of what one look has learned.
"""

import copy
from functools import cache

from rig.machine.build import bare_table_eye

_look = cache(bare_table_eye)


def practised_eye(*how):
    """What `bare_table_eye` gives, of a look that was taken once."""
    return copied(_look(*how))


def copied(eye):
    """A copy of an eye that learns by itself; what no look changes is shared."""
    shared = (eye.intrinsics, eye.mat, eye.tile_set, eye.marks, eye.tuning)
    return copy.deepcopy(eye, {id(each): each for each in shared})
