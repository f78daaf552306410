"""What happens by itself, and when: the count, the next step, and what runs out."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rig.games.estimation import commands as rules
from rig.games.estimation.decide import decide
from rig.games.estimation.evolve import evolve
from rig.games.estimation.physical import photo_finish, placing, proposal
from rig.games.estimation.terms import REFEREE, Phase, Step
from rig.session.live import Limit
from rig.session.state import Event

if TYPE_CHECKING:
    from rig.session.request import Present
    from rig.session.session import Session

_CALM = 2.0
"""With no hurry, what lies open lies open so many times as long, and the count is as slow."""


@dataclass(frozen=True, slots=True)
class Due:
    """What the referee does next by itself.

    Attributes:
        after_s: when, from the beginning of the step.
        act: gives what follows; nothing where it cannot be done.
        actor: whose doing that is.
    """

    after_s: float
    act: Callable[[], Sequence[Event]]
    actor: str = REFEREE


def countdown_step_s(session: "Present") -> float:
    """How long each of "three, two, one" lasts."""
    return session.config.timing.countdown_step * _calm(session)


def limit(session: "Present") -> Limit | None:
    """What runs out in this step of the game, if anything does."""
    timers, game, extra_s = session.timers, session.game, session.live.extra_s
    if timers.no_hurry:
        return None
    match game.phase:
        case Phase.BALLOT if timers.ballot != "off":
            return Limit("ballot", timers.ballot_s + extra_s, timers.ballot == "hard")
        case Phase.BALLOT if game.options.ballot_timeout:
            return Limit("ballot", game.options.ballot_timeout + extra_s, True)
        case Phase.TURN if timers.turn != "off":
            hard = timers.turn == "hard" and session.table.skips < len(game.playing)
            return Limit("turn", timers.turn_s + extra_s, hard)
        case Phase.JUDGE if game.step is Step.SHOWN:
            return Limit("verdict", session.config.timing.verdict + extra_s, True)
        case _:
            return None


def due(session: "Session") -> Due | None:
    """What the referee does next by itself, if anything."""
    soon = [each for each in (_of_step(session), _of_proposal(session)) if each is not None]
    return min(soon, key=lambda each: each.after_s, default=None)


def _of_proposal(session: "Session") -> Due | None:
    """The tile that was read counts, if nobody has said anything about a call first."""
    waits = proposal.waits(session)
    if waits is None or photo_finish.pending(session.table):
        return None
    after_s = waits.from_s - session.live.since_s + waits.long_s
    return Due(after_s, lambda: proposal.counts(session), f"{REFEREE} for {session.game.active}")


def _of_step(session: "Session") -> Due | None:
    timing, phase = session.config.timing, session.table.phase
    if heard := photo_finish.pending(session.table):
        in_step_s = session.clock.monotonic_s() - session.live.since_s
        after_s = in_step_s - session.ago_s(heard[0].at_s) + photo_finish.window_s(session)
        return Due(after_s, lambda: photo_finish.settle(session))

    def say(command: rules.Command) -> Callable[[], Sequence[Event]]:
        return lambda: session.decide(REFEREE, command)

    if phase is Phase.COUNTDOWN:
        return Due(3 * countdown_step_s(session), say(rules.Reveal()))
    if phase is Phase.REVEAL:
        return Due(timing.reveal * _calm(session), say(rules.Continue()))
    if phase is Phase.ROUND_END and not session.timers.no_hurry:
        return Due(timing.round_end, say(rules.NextRound()))
    runs_out = limit(session)
    if runs_out is None or not runs_out.hard:
        return None
    acts = {"ballot": _close_ballots, "turn": _end_turn}
    if runs_out.kind == "verdict":
        return Due(runs_out.after_s, say(rules.Stand()))
    return Due(runs_out.after_s, lambda: acts[runs_out.kind](session))


def _close_ballots(session: "Session") -> Sequence[Event]:
    """Every ballot that is missing says Success."""
    game = session.game
    events: list[Event] = []
    for seat in game.playing:
        if game.phase is Phase.BALLOT and seat not in game.ballots:
            for event in decide(game, REFEREE, rules.SkipBallot(seat)):
                game = evolve(game, event)
                events.append(event)
    return events


def _end_turn(session: "Session") -> Sequence[Event]:
    """The tile that stands counts as it was read; where none does, the turn passes."""
    return placing.as_read(session) or session.decide(REFEREE, rules.SkipTurn())


def _calm(session: "Present") -> float:
    return _CALM if session.timers.no_hurry else 1.0
