"""The host goes on without a camera or a pusher at once, or counts on it again."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rig.asking import Ask, machine_of
from rig.devices import BOTH, DevicesChanged
from rig.seats import NotPossible
from rig.table import Event, PushStep, Table

if TYPE_CHECKING:
    from rig.session import Session


def without(session: "Session", ask: Ask) -> Sequence[Event]:
    """Leave a device out, whether it answers or not; nothing moves by it."""
    device, on, table = ask.text("which", BOTH), ask.flag("on"), session.table
    if not table.devices.has(device):
        raise NotPossible("no_device", f"This table has no {device}; see [{device}] kind.")
    if _in_stroke(table):
        raise NotPossible("pushed", "The push has been asked for already.")
    after = table.devices.going_without(device, on)
    if after == table.devices:
        return ()
    session.after_commit(machine_of(session).wake)
    return (DevicesChanged(after),)


def is_possible(table: Table) -> bool:
    """Whether there is a device that can be left out now."""
    return any(map(table.devices.has, BOTH)) and not _in_stroke(table)


def _in_stroke(table: Table) -> bool:
    """Whether a push was asked for whose end is not known yet."""
    return table.attempt is not None and table.attempt.step is PushStep.REQUESTED
