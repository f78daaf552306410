"""The chips of a game counted once more, from ballots and outcomes alone.

Nothing here asks the rules that paid them (`games/estimation/judging.py`), as the proof of a game
does: the sums are done again, after sections 5 to 7 of the rules, and compared.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from rig.games.estimation import events as ev
from rig.games.estimation.table.estimation_play import from_record
from rig.games.estimation.terms import BANK_CHIPS, Result, Side
from rig.journal import Record

Chips = Mapping[str, int]


@dataclass(frozen=True, slots=True)
class PushPayout:
    """What a push did, what it paid, and what it would have paid had it gone the other way."""

    outcome: Result
    paid: Chips
    otherwise: Chips


@dataclass(frozen=True, slots=True)
class Count:
    """What has to be known to count on.

    Attributes:
        seats: all that sat down, clockwise.
        chips: what each seat that is still in the game has.
        playing: who takes part in the round.
        first: who began it.
        strict: whether there are no more than twenty chips.
        ballots: those on the table.
        open: whether the round has been paid and can still be given back as a whole.
        pushes: those that count, the last of which may still be corrected.
        accident: what the last accident that was somebody's paid.
    """

    seats: tuple[str, ...] = ()
    chips: Chips = field(default_factory=dict)
    playing: tuple[str, ...] = ()
    first: str = ""
    strict: bool = False
    ballots: Mapping[str, Side] = field(default_factory=dict)
    open: bool = False
    pushes: tuple[PushPayout, ...] = ()
    accident: Chips = field(default_factory=dict)


def counted(count: Count, event: ev.Event) -> tuple[Count, str]:
    """The count after an event, and in words what is wrong with what the event says; "" if nothing.

    What is wrong does not spread: the count goes on from the event's own chips.
    """
    match event:
        case ev.GameStarted(seats, options):
            chips = dict.fromkeys(seats, 0)
            return Count(seats, chips, seats, strict=options.chips == "strict20"), ""
        case ev.RoundDealt(_, first, playing):
            return replace(count, first=first, playing=playing, ballots={}, open=False), ""
        case ev.BallotsRevealed(ballots):
            return replace(count, ballots=dict(ballots)), ""
        case ev.SeatLeft(seat):
            left = {s: n for s, n in count.chips.items() if s != seat}
            playing = tuple(s for s in count.playing if s != seat)
            return replace(count, chips=left, playing=playing), ""
        case ev.OutcomeJudged(outcome, won):
            due, other = _push(count, outcome), _push(count, outcome.other)
            after = replace(
                count, pushes=(*count.pushes, PushPayout(outcome, won, other)), open=True
            )
            return _paid(after, won), _differs("the push", won, due)
        case ev.AccidentConfirmed(culprit, won):
            others = [s for s in count.playing if s != culprit] if culprit else []
            paid = _paid(count, won)
            if culprit:
                paid = replace(paid, accident=dict(won))
            return paid, _differs("the accident", won, _bank(count, others, 1))
        case ev.AccidentTakenBack(_, returned):
            due = _still_here(count, count.accident)
            return _paid(count, returned, -1), _differs("the accident taken back", returned, due)
        case ev.RoundVoided(_, returned):
            due = _still_here(count, count.pushes[-1].paid) if count.open else {}
            pushes = count.pushes[:-1] if count.open else count.pushes
            after = replace(count, pushes=pushes)
            return _paid(after, returned, -1), _differs("the void round", returned, due)
        case ev.VerdictCorrected(outcome, won, returned):
            return _corrected(count, outcome, won, returned)
        case ev.GameEnded(ranking, winners):
            return count, _winners(count, ranking, winners)
    return count, ""


def _push(count: Count, outcome: Result) -> dict[str, int]:
    """One chip for every ballot on the other side, to each who was right and is still here."""
    right = Side.SUCCESS if outcome is Result.FELL else Side.FAILURE
    each = len([side for side in count.ballots.values() if side is not right])
    return _bank(count, [s for s in count.playing if count.ballots.get(s) is right], each)


def _bank(count: Count, seats: list[str], each: int) -> dict[str, int]:
    if not count.strict:
        return dict.fromkeys(seats, each)
    left = BANK_CHIPS - sum(count.chips.values())
    start = count.seats.index(count.first) if count.first in count.seats else 0
    round_table = [s for s in (*count.seats[start:], *count.seats[:start]) if s in seats]
    won = dict.fromkeys(seats, 0)
    for _ in range(each):
        for seat in round_table:
            if left > 0:
                won[seat] += 1
                left -= 1
    return won


def _corrected(count: Count, outcome: Result, won: Chips, returned: Chips) -> tuple[Count, str]:
    if not count.pushes:
        return count, "nothing had been paid yet that could be corrected"
    *before, last = count.pushes
    wrong = [] if outcome is not last.outcome else ["the correction changes nothing"]
    wrong.append(_differs("the correction", won, _still_here(count, last.otherwise)))
    wrong.append(_differs("the return", returned, _still_here(count, last.paid)))
    after = replace(count, pushes=(*before, PushPayout(outcome, won, last.paid)))
    return _paid(_paid(after, returned, -1), won), "; ".join(filter(None, wrong))


def _winners(count: Count, ranking: tuple[str, ...], winners: tuple[str, ...]) -> str:
    most = max(count.chips.values(), default=0)
    due = {seat for seat, n in count.chips.items() if n == most}
    if set(winners) != due:
        return f"the winners are {_listed(due)}, and it says {_listed(set(winners))}"
    held = [count.chips.get(seat, -1) for seat in ranking]
    if set(ranking) != set(count.chips) or held != sorted(held, reverse=True):
        return "the ranking is not that of the chips"
    return ""


def _paid(count: Count, won: Chips, sign: int = 1) -> Count:
    return replace(count, chips={s: n + sign * won.get(s, 0) for s, n in count.chips.items()})


def _still_here(count: Count, chips: Chips) -> dict[str, int]:
    return {seat: n for seat, n in chips.items() if seat in count.chips}


def _differs(what: str, said: Chips, due: Chips) -> str:
    if _some(said) == _some(due):
        return ""
    return f"{what} is worth {_sum(due)}, and it says {_sum(said)}"


def _some(chips: Chips) -> dict[str, int]:
    return {seat: n for seat, n in chips.items() if n}


def _sum(chips: Chips) -> str:
    return ", ".join(f"{seat} {n}" for seat, n in sorted(_some(chips).items())) or "nothing"


def _listed(seats: set[str]) -> str:
    return ", ".join(sorted(seats)) or "nobody"


def miscounted(records: Iterable[Record]) -> list[str]:
    """What is wrong with the chips of a journal's games; nothing if all are right."""
    count, wrong = Count(), []
    for record in records:
        if record.type in ev.KINDS:
            count, what = counted(count, from_record(record))
            wrong += [f"event {record.v}: {what}"] if what else []
    return wrong
