"""How many examples a property is tried with: few in the suite, as many as are wished by hand."""

import os

from hypothesis import settings

TIMES = int(os.environ.get("DOMINO_EXAMPLES", "1"))
"""So many times as many, for a campaign: `DOMINO_EXAMPLES=50 pytest tests/rig/history`."""


def examples(count, **more):
    """Try a property with so many examples, or with many times as many."""
    return settings(max_examples=count * TIMES, **more)
