"""The photo finish: who pressed "Domino!" first, by their own phones' clocks.

Off unless the settings or the host say otherwise: then the first call to arrive is the first. With
it, calls are heard for a moment before one of them counts. A phone tells when it was pressed, on
the table's clock as it knows it; it is believed within that moment alone. Presses too close to be
told apart are a tie, which goes to the call that arrived first.
"""

from collections.abc import Sequence
from functools import partial

from rig.games.estimation import commands as cmd
from rig.games.estimation.table.estimation_table import (
    EstimationTable,
    RowContext,
    RowPresent,
    Shouted,
    ShoutsForgotten,
)
from rig.games.estimation.terms import Phase, Refused
from rig.games.interface import Data

TIE_S = 0.015
"""Phones' clocks agree no better: about three standard deviations of what a round trip tells."""

USUAL_S = 0.15
"""How long calls are heard where the host switches it on: longer than a Wi-Fi keeps one back."""


def pending(table: EstimationTable) -> tuple[Shouted, ...]:
    """The calls of this step that wait to be told apart, in the order they arrived."""
    if table.game.phase is not Phase.TURN:
        return ()
    return tuple(shout for shout in table.shouts if shout.step == table.step)


def window_s(session: RowPresent) -> float:
    """How long calls are heard, as the host or else the settings say; 0 = no photo finish."""
    chosen_s = session.table.photo_finish_s
    return session.config.timing.photo_finish if chosen_s is None else chosen_s


def hear(session: RowContext, seat: str, at_s: float, pressed_ms: object) -> Sequence[Data]:
    """Note a call that the rules would take."""
    waiting = pending(session.table)
    if any(shout.seat == seat for shout in waiting):
        return ()
    told_s = at_s
    if isinstance(pressed_ms, int | float) and not isinstance(pressed_ms, bool):
        told_s = min(max(pressed_ms, 0), 1000 * at_s) / 1000  # an int may be too big for a float
    pressed_s = min(max(told_s, at_s - window_s(session)), at_s)
    if session.machine is not None:
        session.after_commit(session.machine.wake)
    return (Shouted(seat, at_s, pressed_s, session.table.step),)


def in_order(shouts: Sequence[Shouted]) -> tuple[Shouted, tuple[tuple[str, int], ...]]:
    """Tell calls apart: the first, and by how many milliseconds the others came later.

    >>> one, other = Shouted("s1", 10.00, 9.99, 4), Shouted("s2", 10.08, 9.93, 4)
    >>> first, late = in_order([one, other])
    >>> first.seat, late
    ('s2', (('s1', 60),))
    """
    soonest_s = min(shout.pressed_s for shout in shouts)
    tied = [shout for shout in shouts if shout.pressed_s - soonest_s < TIE_S]
    first = min(tied, key=lambda shout: shout.at_s)
    others = sorted((s for s in shouts if s is not first), key=lambda shout: shout.pressed_s)
    return first, tuple(
        (shout.seat, max(0, round((shout.pressed_s - first.pressed_s) * 1000))) for shout in others
    )


def settle(session: RowContext) -> Sequence[Data]:
    """Let the first of the calls count, and tell the others by how much they came later."""
    waiting = list(pending(session.table))
    while waiting:
        first, late = in_order(waiting)
        salts = {seat: session.nonce() for seat in session.table.game.playing}
        try:
            events = session.decide(first.seat, cmd.Call(first.at_s, salts))
        except Refused:  # they have left the game since
            waiting.remove(first)
            continue
        session.after_commit(partial(session.came_late, late))
        return events
    return (ShoutsForgotten(),)
