"""What happens by itself at a table of Estimation Domino, and when."""

from collections.abc import Callable, Sequence

from rig.games.estimation import commands as cmd
from rig.games.estimation.ballots import all_in
from rig.games.estimation.game import count, who_pushes
from rig.games.estimation.physical import fall_view, photo_finish, placing, proposal
from rig.games.estimation.table.estimation_table import RowContext, RowPresent
from rig.games.estimation.terms import REFEREE, Phase, Side, Step
from rig.games.interface import Data
from rig.session.live import Limit
from rig.session.playing import Next, calm, countdown_step_s

GLANCE_S = 2.5
"""So long the ballots lie open where nobody has to go on: time to read five of them."""


def limit(session: RowPresent) -> Limit | None:
    """What runs out in this step of the game, if anything does."""
    timers, game, extra_s = session.timers, session.table.game, session.live.extra_s
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
            return _objecting(session)
        case _:
            return None


def _objecting(session: RowPresent) -> Limit | None:
    """The time to object begins when the evidence is up; until then it does not run."""
    live, told = session.live, session.live.telling
    if told is not None and told.waits:
        return None
    up_s = fall_view.evidence_s(live)
    held_s = 0.0 if up_s is None else max(0.0, up_s - live.since_s)
    return Limit("verdict", held_s + session.config.timing.verdict + live.extra_s, True)


def due(session: RowContext) -> Next | None:
    """What the referee does next by itself, if anything."""
    soon = [each for each in (_of_step(session), _of_proposal(session)) if each is not None]
    return min(soon, key=lambda each: each.after_s, default=None)


def _of_proposal(session: RowContext) -> Next | None:
    """The tile that was read counts, if nobody has said anything about a call first."""
    waits = proposal.waits(session)
    if waits is None or photo_finish.pending(session.table):
        return None
    after_s = waits.from_s - session.live.since_s + waits.long_s
    actor = f"{REFEREE} for {session.table.game.active}"
    return Next(after_s, lambda: placing.as_read(session), actor)


def _of_step(session: RowContext) -> Next | None:
    timing, phase = session.config.timing, session.table.game.phase
    if heard := photo_finish.pending(session.table):
        in_step_s = session.clock.monotonic_s() - session.live.since_s
        after_s = in_step_s - session.ago_s(heard[0].at_s) + photo_finish.window_s(session)
        return Next(after_s, lambda: photo_finish.settle(session))

    def say(command: cmd.Command) -> Callable[[], Sequence[Data]]:
        return lambda: session.decide(REFEREE, command)

    if phase is Phase.BALLOT and all_in(session.table.game):
        return Next(closing_s(session), say(cmd.CloseBallots()))
    if phase is Phase.COUNTDOWN:
        return Next(3 * countdown_step_s(session), say(cmd.Reveal()))
    if phase is Phase.REVEAL:
        return Next(_reveal_s(session) * calm(session.timers), say(cmd.Continue()))
    if phase is Phase.ROUND_END and not session.timers.no_hurry:
        return Next(timing.round_end, say(cmd.NextRound()))
    runs_out = limit(session)
    if runs_out is None or not runs_out.hard:
        return None
    acts: dict[str, Callable[[], Sequence[Data]]] = {
        "ballot": lambda: session.play.otherwise(session.table.game),
        "turn": lambda: _end_turn(session),
        "verdict": say(cmd.Stand()),
    }
    return Next(runs_out.after_s, acts[runs_out.kind])


MOST_CALM = 3
"""However often a ballot is changed, all lock after so many calm times at the latest."""


def closing_s(session: RowPresent) -> float:
    """When all ballots lock, in seconds since the step began: some time after the last was cast."""
    cast, live = session.live.cast, session.live
    calm_s = session.config.timing.last_ballot * calm(session.timers)
    if cast is None:
        return calm_s
    last_s, all_s = (max(0.0, at_s - live.since_s) for at_s in cast[1:])
    return min(last_s + calm_s, all_s + MOST_CALM * calm_s)


def _reveal_s(session: RowContext) -> float:
    """How long the ballots lie open: until a person who pushes goes on, or for a good look."""
    game, longest_s = session.table.game, session.config.timing.reveal
    pushes = count(game, Side.FAILURE) > 0
    player = session.table.player(who_pushes(game)) if pushes else None
    if player is None or player.bot:
        return min(GLANCE_S, longest_s)
    return longest_s


def _end_turn(session: RowContext) -> Sequence[Data]:
    """The tile that stands counts as it was read; where none does, the turn passes."""
    return placing.as_read(session) or session.decide(REFEREE, cmd.SkipTurn())
