"""A table opened in this process for browsers, which ask it as often as they like."""

import numpy as np

from rig.cli.opening import open_table
from rig.clock import SystemClock
from tests.support.clients import PLENTY
from web.base.rate_limits import Limits

OFTEN = Limits(device=PLENTY, address=PLENTY, page=PLENTY)
"""One browser on one address is all the phones, and loads page after page."""


def opened_table(config, folder, seed, **how):
    """Open the table in a folder, to be entered with `with`; `how` as for `open_table`."""
    return open_table(
        config,
        folder / "table.sqlite3",
        SystemClock(),
        np.random.SeedSequence(seed),
        bind="127.0.0.1",
        limits=OFTEN,
        **how,
    )
