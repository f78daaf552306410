"""Why a command is refused, in the words that players read."""

import reprlib
from enum import StrEnum

from rig.games import interface

_QUOTED_MOST = 60
"""Characters of what somebody sent that a sentence quotes."""


def quoted(value: object) -> str:
    """What somebody sent, short enough for a sentence.

    >>> quoted("3-7")
    "'3-7'"
    """
    text = reprlib.repr(value)
    return text if len(text) <= _QUOTED_MOST else f"{text[:_QUOTED_MOST]}…"


class Reason(StrEnum):
    """A key for the page."""

    ALREADY_DRAWN = "already_drawn"
    BAD_BONE = "bad_bone"
    BAD_DEAL = "bad_deal"
    BAD_END = "bad_end"
    BONEYARD_CLOSED = "boneyard_closed"
    CAN_DRAW = "can_draw"
    CAN_PLACE = "can_place"
    DOES_NOT_FIT = "does_not_fit"
    LEAD_NEEDS_NO_END = "lead_needs_no_end"
    MUST_LEAD = "must_lead"
    NO_CLOCK = "no_clock"
    NO_STAKE = "no_stake"
    NOT_FOR_YOU = "not_for_you"
    NOT_IN_HAND = "not_in_hand"
    NOT_YOUR_TURN = "not_your_turn"
    ONE_BONE = "one_bone"
    PLAYER_COUNT = "player_count"
    TWO_DOUBLES = "two_doubles"
    WRONG_PHASE = "wrong_phase"


SENTENCES: dict[Reason, str] = {
    Reason.ALREADY_DRAWN: "Only one draw per turn here: knock.",
    Reason.BAD_BONE: "A bone is named by its halves, like 3-5.",
    Reason.BAD_DEAL: "A deal names each of the 28 bones once, 0 to 27.",
    Reason.BAD_END: 'Say at which end: "left" or "right".',
    Reason.BONEYARD_CLOSED: "There is nothing to draw: knock.",
    Reason.CAN_DRAW: "Draw first: the boneyard still has bones for you.",
    Reason.CAN_PLACE: "You have a bone that fits: lay it.",
    Reason.DOES_NOT_FIT: "This bone does not fit that end.",
    Reason.LEAD_NEEDS_NO_END: "The first bone has no end to lie at: name none.",
    Reason.MUST_LEAD: "This round begins with another bone, which you have.",
    Reason.NO_CLOCK: "At this table no clock runs.",
    Reason.NO_STAKE: "The stake needs 6-6 in your hand and the first open account.",
    Reason.NOT_FOR_YOU: "You cannot do this.",
    Reason.NOT_IN_HAND: "You do not have this bone.",
    Reason.NOT_YOUR_TURN: "It is not your turn.",
    Reason.ONE_BONE: "In this game one bone is laid a turn.",
    Reason.PLAYER_COUNT: "These rules are for another number of players.",
    Reason.TWO_DOUBLES: "Two at once are two doubles at two different ends.",
    Reason.WRONG_PHASE: "This cannot be done now.",
}


class Refused(interface.RulesRefused):
    """The rules do not allow a command; nothing has changed."""

    def __init__(self, reason: Reason, sentence: str = "") -> None:
        super().__init__(reason, sentence or SENTENCES[reason])
