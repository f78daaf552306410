"""The tile as it was read: a proposal to its placer, which counts by itself after a while.

A tile that is moved again, a hand over the table and a pause each let the time begin anew. It
stands still while the placer is about to put the reading right on the phone.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from rig.games.estimation.table.estimation_table import RowContext, RowPresent, waits_for_word
from rig.games.estimation.terms import Phase, Reason, Refused
from rig.games.interface import Data
from rig.row.row_live import Proposal, Reading, RowLive
from rig.session.request import Ask
from vision.look.matching import on_the_spot

A_BLINK_S = 0.05
"""So long after calls have had their time, lest it be a hair too early."""


@dataclass(frozen=True, slots=True)
class Wait:
    """When a proposal counts by itself.

    Attributes:
        from_s: since when it waits, on the clock's monotonic time.
        long_s: how long it does.
    """

    from_s: float
    long_s: float


def heard(live: RowLive, reading: Reading, now_s: float) -> Proposal | None:
    """What is proposed by what is read now: another tile, or another place, is another proposal."""
    known = live.proposal
    if reading.state != "proposal" or reading.tile is None:
        return None
    if known is None or live.reading.state != "proposal" or not _is_same(known.reading, reading):
        return Proposal(reading, now_s)
    return known


def _is_same(one: Reading, other: Reading) -> bool:
    """Whether the same tile stands at the same place, for all that can be measured.

    It is compared with what was read first, lest what creeps seem still.
    """
    if one.tile is None or other.tile is None or one.position != other.position:
        return False
    return one.tile.value == other.tile.value and on_the_spot(one.tile, other.tile)


def waits(session: RowPresent) -> Wait | None:
    """Say since when and how long a proposal waits; None where nothing happens by itself."""
    table, live, long_s = session.table, session.live, session.config.timing.proposal
    known = live.proposal
    if known is None or _is_held(session, known) or table.game.phase is not Phase.TURN:
        return None
    if waits_for_word(table):
        return None  # it stands when a person says that it does
    if long_s == 0 or session.timers.no_hurry or table.paused_by is not None:
        return None
    left_s = live.left_s.get(known.held or "", known.since_s)
    from_s = max(known.since_s, live.since_s, left_s)
    return Wait(from_s, max(long_s, _closed_s(session, from_s)))


def _is_held(session: RowPresent, known: Proposal) -> bool:
    """Whether somebody is about to put it right; a phone that is gone holds nothing up."""
    return known.held is not None and session.live.connected.get(known.held, True)


def _closed_s(session: RowPresent, from_s: float) -> float:
    """How long from then on the next placement has to leave calls their time."""
    game = session.table.game
    if game.placed_at_s is None:
        return 0.0
    since_s = session.ago_s(game.placed_at_s)
    left_s = game.options.call_window + A_BLINK_S - since_s
    return left_s + session.clock.monotonic_s() - from_s if left_s > 0 else 0.0


def hold(session: RowContext, ask: Ask) -> Sequence[Data]:
    """Let the proposal wait for its placer's word, or count by itself once more."""
    on, known = ask.flag("on"), session.live.proposal
    if session.table.game.phase is not Phase.TURN:
        raise Refused(Reason.WRONG_PHASE)
    if session.table.game.active != ask.seat:
        raise Refused(Reason.NOT_YOUR_TURN)
    if known is None:
        return ()
    held = ask.device if on else None
    again = Proposal(known.reading, session.clock.monotonic_s(), held)

    def keep() -> None:
        if session.live.proposal is known:
            session.proposed(again)

    session.after_commit(keep)
    return ()
