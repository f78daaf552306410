"""What came of a push, from what the camera saw of it and what the pusher says. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from physics.row.outcome import SURE
from rig.pusher.port import Reach
from rig.row.push_events import FINGER, Cause, PushStep
from vision.look.observe import Doubt, Observation

APART_S = 0.05
"""Waves are told apart by so much more than the frames leave open."""
UNHEARD = "not known how far the arm went: look at the row"


@dataclass(frozen=True, slots=True)
class CameOf:
    """How a push ended.

    Attributes:
        step: how far it came.
        cause: why, where it is not simply done.
        why: the same in a sentence for the log.
        seen: what was seen, as sure as it may be for this kind of push.
    """

    step: PushStep
    cause: Cause
    why: str
    seen: Observation


def came_of(seen: Observation, kind: str, reach: Reach) -> CameOf:
    """Say how a push ended that was made, or waited for.

    Args:
        seen: what the camera made of it, tile by tile from the pushed end.
        kind: `arm` or `finger`.
        reach: how far the arm went; a finger goes all the way.
    """
    if kind == FINGER:
        seen = _by_finger(seen)
    fallen = seen.outcome.fallen
    if not any(fallen):
        if reach is Reach.PART:
            return CameOf(PushStep.STOPPED, Cause.CHANGED, "stopped before it touched", seen)
        if reach is Reach.UNKNOWN:
            return CameOf(PushStep.UNKNOWN, Cause.UNHEARD, UNHEARD, seen)
        if not seen.doubts and kind == FINGER:
            return CameOf(PushStep.MISSED, Cause.NOBODY, "no finger touched the row in time", seen)
        if not seen.doubts and not seen.touched:
            return CameOf(PushStep.MISSED, Cause.PASSED, "the arm went past the tile", seen)
    elif from_other_end(seen):
        why = "the wave came from the other end"
        return CameOf(PushStep.DONE, Cause.WRONG_END, why, _unsure(seen))
    elif not fallen[0]:
        seen = _unsure(seen)  # something in the middle fell: whatever that was, no push of the end
    return CameOf(PushStep.DONE, Cause.NONE, "", seen)


def from_other_end(seen: Observation) -> bool:
    """Whether the tile at the far end was the first to fall."""
    fallen = seen.outcome.fallen
    if len(fallen) < 2 or not fallen[-1]:
        return False
    if not fallen[0]:
        return True
    first, last = seen.begun_s[:1], seen.begun_s[-1:]
    if first in ((), (None,)) or last in ((), (None,)):
        return False
    open_s = sum(seen.timing_s[i] or 0.0 for i in (0, -1))
    return (last[0] or 0.0) + open_s + APART_S < (first[0] or 0.0)


def _by_finger(seen: Observation) -> Observation:
    """Judge by what is seen at the end: a hand belongs beside the row that a finger pushes.

    If tiles did not go down one after another from the pushed end, the hand may have done more than
    it should, and people judge.
    """
    doubts = tuple(doubt for doubt in seen.doubts if doubt is not Doubt.HAND)
    sure = seen.outcome.confidence if doubts else _by_end(seen)
    if any(seen.outcome.fallen) and not _one_by_one(seen.begun_s, seen.timing_s):
        sure = min(sure, SURE / 2)
    return replace(seen, doubts=doubts, outcome=replace(seen.outcome, confidence=sure))


def _by_end(seen: Observation) -> float:
    """How sure the tiles alone make the verdict: one that surely stands, or all that are down."""
    states = list(zip(seen.outcome.fallen, seen.confidence, strict=True))
    standing = [sure for down, sure in states if not down]
    return max(standing) if standing else min((sure for _, sure in states), default=0.0)


def _one_by_one(begun_s: Sequence[float | None], open_s: Sequence[float | None]) -> bool:
    known = [
        (time_s, wide_s or 0.0)
        for time_s, wide_s in zip(begun_s, open_s, strict=True)
        if time_s is not None
    ]
    return all(b + wa + wb + APART_S >= a for (a, wa), (b, wb) in pairwise(known))


def _unsure(seen: Observation) -> Observation:
    sure = min(seen.outcome.confidence, SURE / 2)
    return replace(seen, outcome=replace(seen.outcome, confidence=sure))
