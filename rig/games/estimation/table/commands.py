"""What phones may ask of a table of Estimation Domino, beside what every table has."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from rig.errors import NotPossible
from rig.games.estimation import commands as cmd
from rig.games.estimation.decide import decide
from rig.games.estimation.events import AccidentDenied
from rig.games.estimation.evolve import evolve
from rig.games.estimation.game import goes_on
from rig.games.estimation.physical import (
    dispute,
    photo_finish,
    placing,
    proposal,
    push_commands,
)
from rig.games.estimation.table.estimation_table import (
    PhotoFinishSet,
    RowContext,
    cast_itself,
)
from rig.games.estimation.terms import HOST, REFEREE, End, Phase, Reason, Refused, Result, Side
from rig.games.interface import Data, Guard
from rig.row.row_table import FilmsSet
from rig.session.events import Ruled
from rig.session.host import reason
from rig.session.playing import Command, Handler
from rig.session.request import Ask


def _call(session: RowContext, ask: Ask) -> Sequence[Data]:
    """Call "Domino!"; a call that comes a blink late is noted, not refused."""
    at_s = session.clock.now_s()
    salts = {seat: session.nonce() for seat in session.table.game.playing}
    events = session.decide(ask.seat, cmd.Call(at_s, salts))
    if events and photo_finish.window_s(session):
        return photo_finish.hear(session, ask.seat, at_s, ask.data.get("pressed_ms"))
    if (
        not events
        and session.table.game.called_at_s is not None
        and ask.seat != session.table.game.caller
    ):
        late_ms = round(session.ago_s(session.table.game.called_at_s) * 1000)
        session.after_commit(lambda: session.shouted(ask.seat, late_ms))
    return events


def _vote(session: RowContext, ask: Ask) -> Sequence[Data]:
    """Choose a side, or change it; a person's last ballot does not lock them all at once.

    The host gives a ballot that is missing, and may change what the host gave.
    """
    if ask.hand is not None and cast_itself(session, ask.seat):
        raise NotPossible("has_phone", "They have voted: nobody else can change that ballot.")
    side = ask.one_of("side", Side)
    player = session.table.player(ask.seat)
    closes = session.config.timing.last_ballot == 0 or (player is not None and player.bot)
    return session.decide(ask.seat, cmd.Vote(side, closes))


def _outcome(kind: type[cmd.Report] | type[cmd.TableVote]) -> Handler:
    def handle(session: RowContext, ask: Ask) -> Sequence[Data]:
        outcome = ask.one_of("outcome", Result)
        return session.decide(ask.seat, kind(outcome))

    return handle


def _rule(command: Callable[[], cmd.Command]) -> Handler:
    """A command that is a rule's and carries nothing."""
    return lambda session, ask: session.decide(ask.seat, command())


def _next(session: RowContext, ask: Ask) -> Sequence[Data]:
    """Any player may say "go on"; it is the referee who does."""
    if ask.seat not in session.table.game.chips:
        raise Refused(Reason.NOT_PLAYING)
    return session.decide(REFEREE, cmd.NextRound())


def _go_on(session: RowContext, ask: Ask) -> Sequence[Data]:
    """Whoever pushes has seen the ballots; it is the referee who goes on."""
    game = session.table.game
    if game.phase is Phase.REVEAL and not goes_on(game, ask.seat):
        raise Refused(Reason.NOT_TOPPLER)
    return session.decide(REFEREE, cmd.Continue())


def _accident(session: RowContext, ask: Ask) -> Sequence[Data]:
    culprit = ask.data.get("culprit")
    if culprit is not None and culprit not in tuple(session.table.game.chips):
        raise NotPossible("no_seat", "Nobody sits there.")
    return session.decide(ask.seat, cmd.ClaimAccident(culprit, None))


def _object(session: RowContext, ask: Ask) -> Sequence[Data]:
    """Say no to what is shown: a camera's verdict, or another player's claim."""
    game = session.table.game
    by_people = game.claim is not None and game.claim.by in game.chips
    command: cmd.Command = cmd.Dispute() if by_people else cmd.Object()
    return session.decide(ask.seat, command)


def _accident_answer(session: RowContext, ask: Ask, answer: cmd.Command) -> Sequence[Data]:
    """Answer as a player if that is allowed, else as the host."""
    try:
        return session.decide(ask.seat, answer)
    except Refused:
        if not ask.host:
            raise
        return session.decide(HOST, answer)


def _accident_confirm(session: RowContext, ask: Ask) -> Sequence[Data]:
    return _accident_answer(session, ask, cmd.ConfirmAccident())


def _accident_reject(session: RowContext, ask: Ask) -> Sequence[Data]:
    """Say no; a host who is accused says it once, as the one who is named and as the host."""
    no, denied = cmd.RejectAccident(), AccidentDenied(ask.seat)
    events = _accident_answer(session, ask, no)
    if denied not in events or not ask.host or ask.hand is not None:
        return events
    return *events, *decide(evolve(session.table.game, denied), HOST, no)


def _withdraw(session: RowContext, ask: Ask) -> Sequence[Data]:
    """Take one's own claim back; what the camera saw fall is nobody's claim."""
    if dispute.is_noticed(session):
        raise NotPossible("seen_down", "The camera saw tiles fall: say whether it was an accident.")
    return session.decide(ask.seat, cmd.WithdrawAccident())


def undo_accident(session: RowContext, ask: Ask) -> Sequence[Data]:
    """Give back what this round's accident paid, with a reason."""
    why = reason(ask)
    events = session.decide(HOST, cmd.TakeBackAccident(why))
    return *events, Ruled("accident", ask.actor, why)


def _fix_row(session: RowContext, ask: Ask) -> Sequence[Data]:
    order = ask.data.get("order")
    if not isinstance(order, list) or not all(type(v) is int for v in order):
        raise NotPossible("bad_command", "order has to be the values from left to right.")
    return session.decide(ask.seat, cmd.FixRow(tuple(order)))


def _choose_end(session: RowContext, ask: Ask) -> Sequence[Data]:
    return session.decide(ask.seat, cmd.ChooseEnd(ask.one_of("end", End)))


def set_photo_finish(session: RowContext, ask: Ask) -> Sequence[Data]:
    """Let the presses on the phones tell who was first, or the call that arrives first."""
    if not ask.flag("on"):
        return (PhotoFinishSet(0.0),)
    return (PhotoFinishSet(session.config.timing.photo_finish or photo_finish.USUAL_S),)


def set_films(session: RowContext, ask: Ask) -> Sequence[Data]:
    """Say what is wanted of films from the next reveal on; what is not said stays as it is."""
    films = session.live.films
    if films is None:
        raise NotPossible("bad_command", "This table makes no films.")
    wishes = session.table.film_wishes(session.config.film)
    if "on" in ask.data:
        wishes = replace(wishes, on=ask.flag("on"))
    if "names" in ask.data:
        wishes = replace(wishes, names=ask.flag("names"))
    if "language" in ask.data:
        wishes = replace(wishes, language=ask.text("language", films.languages))
    return (FilmsSet(wishes),)


def correct_verdict(session: RowContext, ask: Ask) -> Sequence[Data]:
    """Turn the last verdict round, up to the next push."""
    why = reason(ask)
    if session.table.game.phase is Phase.TOPPLE and session.table.attempt is not None:
        raise NotPossible("pushed", "The next push has already been requested.")
    events = session.decide(HOST, cmd.CorrectVerdict(why))
    return *events, Ruled("verdict", ask.actor, why)


def void(session: RowContext, ask: Ask) -> Sequence[Data]:
    """Play the round anew."""
    why = reason(ask)
    return *session.decide(HOST, cmd.VoidRound(why)), Ruled("void", ask.actor, why)


COMMANDS: dict[str, Command] = {
    "stand": Command(placing.stand, acted=True),
    "photographed": Command(placing.photographed, acted=True),
    "take_back": Command(placing.take_back, acted=True),
    "confirm": Command(placing.confirm, acted=True),
    "stood": Command(placing.stood),
    "correct": Command(placing.correct, acted=True),
    "wait": Command(proposal.hold, acted=True),
    "row_is_right": Command(dispute.row_is_right, acted=True),
    "look": Command(placing.look, acted=True),
    "learn_table": Command(placing.learn_table, Guard.NONE, host=True),
    "call": Command(_call, acted=True),
    "vote": Command(_vote, acted=True),
    "switch": Command(push_commands.switch, acted=True),
    "estop": Command(push_commands.estop, Guard.NONE),
    "beam": Command(push_commands.beam, Guard.NONE),
    "bench": Command(push_commands.bench, Guard.NONE, host=True),
    "aim": Command(push_commands.aim, acted=True),
    "touch": Command(push_commands.touch, acted=True),
    "hold": Command(push_commands.hold, acted=True),
    "release": Command(push_commands.release, Guard.NONE, acted=True),
    "push": Command(push_commands.push, acted=True),
    "stop": Command(push_commands.stop, Guard.NONE),
    "clear_stop": Command(push_commands.clear_stop, Guard.NONE, host=True),
    "homed": Command(push_commands.homed, Guard.NONE, host=True),
    "resolve": Command(push_commands.resolve, host=True),
    "fall_photographed": Command(placing.fall_photographed, Guard.NONE),
    "report": Command(_outcome(cmd.Report), acted=True),
    "table_vote": Command(_outcome(cmd.TableVote), acted=True),
    "agree": Command(_rule(cmd.Confirm), acted=True),
    "object": Command(_object, acted=True),
    "next": Command(_next, acted=True),
    "go_on": Command(_go_on, acted=True),
    "accident": Command(_accident, acted=True),
    "accident_confirm": Command(_accident_confirm, acted=True),
    "accident_reject": Command(_accident_reject, acted=True),
    "accident_withdraw": Command(_withdraw, acted=True),
    "accident_undo": Command(undo_accident, host=True),
    "void": Command(void, host=True),
    "fix_row": Command(_fix_row, acted=True),
    "consent_row": Command(_rule(cmd.ConsentRow), acted=True),
    "decline_row": Command(_rule(cmd.DeclineRow), acted=True),
    "illegal": Command(_rule(cmd.TakeBack), acted=True),
    "choose_end": Command(_choose_end, acted=True),
    "wrong_end": Command(_rule(cmd.WrongEnd), acted=True),
    "lone_tile_fell": Command(placing.lone_tile_fell, acted=True),
    "correct_verdict": Command(correct_verdict, host=True),
    "set_films": Command(set_films, Guard.NONE, host=True),
    "set_photo_finish": Command(set_photo_finish, Guard.NONE, host=True),
}
