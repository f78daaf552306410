"""How tests open a table: with a real journal, a clock of theirs and nothing left to chance."""

from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import Any

from rig.clock import Clock, ManualClock
from rig.config import Config, load_config
from rig.journal import Journal
from rig.row.row_session import RowSession
from rig.session.playing import Play
from rig.session.session import Session


def counted() -> Callable[[], str]:
    """A nonce that nobody would want outside a test: 1, 2, 3 and so on."""
    numbers = count(1)
    return lambda: f"{next(numbers):032x}"


def session_on(
    journal: Journal | Path,
    clock: Clock | None = None,
    *,
    config: Config | None = None,
    nonce: Callable[[], str] | None = None,
    play: Play[Any, Any, Any] | None = None,
    of: type[Session[Any, Any, Any]] = RowSession,
) -> Any:
    """Open the table of a journal, which may be named by its path.

    Unless the settings say otherwise the last ballot locks all of them at once.
    """
    opened = journal if isinstance(journal, Journal) else Journal(journal)
    config = config or load_config(timing={"last_ballot": 0.0})
    return of(opened, clock or ManualClock(), config, nonce or counted(), play)
