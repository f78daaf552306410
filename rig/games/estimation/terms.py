"""The words of Estimation Domino: phases, sides, reasons, and what a refusal says."""

from enum import StrEnum

from rig.games import interface
from rig.games.interface import CAMERA as CAMERA
from rig.games.interface import HOST as HOST
from rig.games.interface import REFEREE as REFEREE
from rig.games.interface import BadOption as BadOption

FIRST_TILE = 6
TILE_COUNT = 11
SCORED_ROUNDS = 3
EXTRA_ROUND = 4
BANK_CHIPS = 20
FEWEST_PLAYERS = 2
MOST_PLAYERS = 5


class Phase(StrEnum):
    """Where the game stands; the order is that of one round."""

    LOBBY = "LOBBY"
    TURN = "TURN"
    BALLOT = "BALLOT"
    COUNTDOWN = "COUNTDOWN"
    REVEAL = "REVEAL"
    TOPPLE = "TOPPLE"
    JUDGE = "JUDGE"
    ROUND_END = "ROUND_END"
    ACCIDENT = "ACCIDENT"
    GAME_OVER = "GAME_OVER"


class Side(StrEnum):
    """The two sides of a ballot: the row will fall, or at least one tile stays up."""

    SUCCESS = "success"
    FAILURE = "failure"

    @property
    def other(self) -> "Side":
        return Side.FAILURE if self is Side.SUCCESS else Side.SUCCESS


class Result(StrEnum):
    """What the push did to the row: every tile down, or at least one still up."""

    FELL = "fell"
    STOOD = "stood"

    @property
    def other(self) -> "Result":
        return Result.STOOD if self is Result.FELL else Result.FELL

    @property
    def winning_side(self) -> Side:
        return Side.SUCCESS if self is Result.FELL else Side.FAILURE


class End(StrEnum):
    """An end of the row as it is drawn on the shared screen."""

    LEFT = "left"
    RIGHT = "right"


class Step(StrEnum):
    """How far the judging has come."""

    SHOWN = "shown"
    CONFIRM = "confirm"
    VOTE = "vote"
    SETTLED = "settled"


class Mishap(StrEnum):
    """What kind of accident is claimed."""

    KNOCK = "knock"
    WRONG_END = "wrong_end"


class Extent(StrEnum):
    """How much fell by accident."""

    PLACED = "placed"
    SOME = "some"
    WHOLE = "whole"


class PlacementFault(StrEnum):
    """What makes a confirmed placement illegal."""

    BRANCH = "branch"
    LOOP = "loop"
    FLAT = "flat"
    SHIFTED = "shifted"
    GAP = "gap"


class Rest(StrEnum):
    """How one tile came to rest after the push."""

    UPRIGHT = "upright"
    LEANING = "leaning"
    DOWN = "down"


class Reason(StrEnum):
    """Why a command was refused; the value is the key that screens translate."""

    ACCIDENT_ORDER = "accident_order"
    ACCIDENT_TOO_SMALL = "accident_too_small"
    ALREADY_AGREED = "already_agreed"
    BAD_ORDER = "bad_order"
    BALLOT_LOCKED = "ballot_locked"
    BALLOT_TIME = "ballot_time"
    CALL_WINDOW = "call_window"
    CALLER_IS_BOUND = "caller_is_bound"
    END_IS_GIVEN = "end_is_given"
    END_NOT_CHOSEN = "end_not_chosen"
    END_TILE = "end_tile"
    ESTIMATED = "estimated"
    FIRST_BY_CHANCE = "first_by_chance"
    GAP_IS_FREE = "gap_is_free"
    HOST_IS_JUDGE = "host_is_judge"
    LONE_TILE = "lone_tile"
    NOT_CLAIMANT = "not_claimant"
    NOT_CULPRIT = "not_culprit"
    NOT_FOR_YOU = "not_for_you"
    NOT_OTHER_SIDE = "not_other_side"
    NOT_PLACER = "not_placer"
    NOT_PLAYING = "not_playing"
    NOT_TOPPLER = "not_toppler"
    NOT_YOUR_TURN = "not_your_turn"
    NO_ACCIDENT = "no_accident"
    NO_BALLOT = "no_ballot"
    NO_FIRST = "no_first"
    NO_ROW_FIX = "no_row_fix"
    NO_PLACER = "no_placer"
    NO_SUCH_POSITION = "no_such_position"
    NO_SUCH_TILE = "no_such_tile"
    NO_TIMEOUT = "no_timeout"
    NO_VERDICT = "no_verdict"
    NOT_LONE = "not_lone"
    NOTHING_TO_TAKE_BACK = "nothing_to_take_back"
    PEOPLE_ARE_JUDGE = "people_are_judge"
    PLACER = "placer"
    PLACER_IS_BOUND = "placer_is_bound"
    PLAYER_COUNT = "player_count"
    ROW_STANDS = "row_stands"
    SEAT_NAMES = "seat_names"
    SUPPLY_EMPTY = "supply_empty"
    SUPPLY_LEFT = "supply_left"
    TOPPLER_IS_PUSHING = "toppler_is_pushing"
    WRONG_PHASE = "wrong_phase"
    WRONG_STEP = "wrong_step"


SENTENCES: dict[Reason, str] = {
    Reason.ACCIDENT_ORDER: "The player who is named answers first; then the host may reject this.",
    Reason.ACCIDENT_TOO_SMALL: "At this table that is not an accident: stand the tile up again.",
    Reason.ALREADY_AGREED: "You have already said so.",
    Reason.BAD_ORDER: "The corrected row must have exactly the tiles of the row, each once.",
    Reason.BALLOT_LOCKED: "Your ballot is locked.",
    Reason.BALLOT_TIME: "The time for the ballots is not up yet.",
    Reason.CALL_WINDOW: "The others may still call: wait a moment before you place.",
    Reason.CALLER_IS_BOUND: "At this table the caller's ballot is always Failure.",
    Reason.END_IS_GIVEN: "The row is pushed from the end with the lower value.",
    Reason.END_NOT_CHOSEN: "Both ends have the same value: the toppler chooses one first.",
    Reason.END_TILE: "Only a tile in the middle may be moved, never an end of the row.",
    Reason.ESTIMATED: "This row has already been voted on: wait for the next tile.",
    Reason.FIRST_BY_CHANCE: "At this table the first player is drawn by lot.",
    Reason.GAP_IS_FREE: "At this table a gap may be of any width.",
    Reason.HOST_IS_JUDGE: "At this table only the host says what fell.",
    Reason.LONE_TILE: "One tile is not a row yet: stand it up again.",
    Reason.NOT_CLAIMANT: "Only the player who claimed it may take this back.",
    Reason.NOT_CULPRIT: "Only the player who is named, or the host, may reject this.",
    Reason.NOT_FOR_YOU: "You cannot do this.",
    Reason.NOT_OTHER_SIDE: "A player who voted the other way has to confirm this.",
    Reason.NOT_PLACER: "Only the player who placed the last tile may do this.",
    Reason.NOT_PLAYING: "Only players in this round can take part.",
    Reason.NOT_TOPPLER: "Only the player who pushes may do this.",
    Reason.NOT_YOUR_TURN: "It is not your turn to place a tile.",
    Reason.NO_ACCIDENT: "No accident has been paid for in this round.",
    Reason.NO_BALLOT: "Choose a side first.",
    Reason.NO_FIRST: "Say which player starts.",
    Reason.NO_ROW_FIX: "Nobody has asked to correct the row.",
    Reason.NO_PLACER: "There is nothing to vote on yet: no tile has been placed.",
    Reason.NO_SUCH_POSITION: "There is no such place in the row.",
    Reason.NO_SUCH_TILE: "There is no such tile in the supply.",
    Reason.NO_TIMEOUT: "At this table the ballots have no time limit.",
    Reason.NO_VERDICT: "No push has been judged in this game yet.",
    Reason.NOT_LONE: "The row has more than one tile: claim an accident instead.",
    Reason.NOTHING_TO_TAKE_BACK: "There is no placement to take back.",
    Reason.PEOPLE_ARE_JUDGE: "At this table the players themselves say what fell.",
    Reason.PLACER: "You placed the last tile: only the others may call.",
    Reason.PLACER_IS_BOUND: "The placer's ballot is always Success.",
    Reason.PLAYER_COUNT: "The game is for two to five players.",
    Reason.ROW_STANDS: "At this table a placement stands once it is confirmed.",
    Reason.SEAT_NAMES: "Every seat needs a name of its own.",
    Reason.SUPPLY_EMPTY: "The supply is empty: move a middle tile to an end.",
    Reason.SUPPLY_LEFT: "There are tiles in the supply: place one of them.",
    Reason.TOPPLER_IS_PUSHING: (
        "If the pushing player touches the row, that is the push: say what fell."
    ),
    Reason.WRONG_PHASE: "This cannot be done now",
    Reason.WRONG_STEP: "The judging has moved on: look at what it asks for now.",
}

MOMENTS: dict[Phase, str] = {
    Phase.LOBBY: "the game has not begun",
    Phase.TURN: "tiles are being placed",
    Phase.BALLOT: "the ballots are open",
    Phase.COUNTDOWN: "the ballots are about to be revealed",
    Phase.REVEAL: "the ballots are being shown",
    Phase.TOPPLE: "the row is about to be pushed",
    Phase.JUDGE: "the push is being judged",
    Phase.ROUND_END: "the round is over",
    Phase.ACCIDENT: "an accident has to be settled first",
    Phase.GAME_OVER: "the game is over",
}


class Refused(interface.RulesRefused):
    """The rules do not allow a command; nothing has changed."""

    def __init__(self, reason: Reason, phase: Phase | None = None) -> None:
        sentence = SENTENCES[reason]
        super().__init__(reason, sentence if phase is None else f"{sentence}: {MOMENTS[phase]}.")
        self.phase = phase
