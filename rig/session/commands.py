"""What phones may ask of the table: every command by its name, and how it is carried out.

Each takes the session and who asks, and returns the events that follow. Whatever the rules or the
table do not allow is an exception, and nothing has happened.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import TYPE_CHECKING, Any

from rig.errors import NotPossible
from rig.games.estimation import commands as rules
from rig.games.estimation.decide import decide
from rig.games.estimation.physical import dispute, photo_finish, placing, proposal, push_commands
from rig.games.estimation.terms import HOST, REFEREE, End, Phase, Reason, Refused, Result
from rig.session import handover, seats
from rig.session import host as acting
from rig.session import host as house
from rig.session import host as rulings
from rig.session import host as without
from rig.session.request import Ask, Handler, Told
from rig.session.state import Event, Paused, Player, Table, apply

if TYPE_CHECKING:
    from rig.session.request import Present
    from rig.session.session import Session


def carry_out(
    session: "Session",
    device: str,
    kind: str,
    cmd_id: str,
    data: Mapping[str, Any],
    code: str = "",
) -> dict[str, Any]:
    """Find the command's function, call it, write what follows and answer.

    Raises:
        Refused: the rules say no.
        NotPossible: the table says no.
    """
    own = Ask(device, session.player(device), session.is_host(device), data, code=code)
    command = _allowed(own, kind)
    ask = acting.in_whose_name(session, own, kind)
    if command.guarded:
        if session.table.paused_by is not None:
            raise NotPossible("paused", "The game is paused.")
        if data.get("phase_id") != session.table.phase_id and not _late_call(session, kind):
            raise NotPossible("stale", "The table has moved on; look at it again.")
        if kind != "call" and photo_finish.pending(session.table):
            raise NotPossible("stale", "Somebody has called; look at the table again.")
    result = command.run(session, ask)
    told = result if isinstance(result, Told) else Told(result, {})
    reply = {"ok": True, **told.extra}
    actor = ask.actor if ask.hand is None else f"{ask.hand} for {ask.seat}"
    v = session.commit(told.events, actor, done=(device, cmd_id, reply))
    return {**reply, "v": v}


def may(now: "Present", device: str, kind: str) -> None:
    """Look whether a device may ask for such a thing at all, before anything of it is read.

    Raises:
        NotPossible: it may not.
    """
    _allowed(Ask(device, now.player(device), now.is_host(device), {}), kind)


def _allowed(ask: Ask, kind: str) -> "Command":
    if kind not in HANDLERS:
        raise NotPossible("bad_command", f"There is no command {kind[:30]}.")
    command = HANDLERS[kind]
    if command.host and not ask.host:
        raise NotPossible("not_allowed", "Only the host can do this.")
    if not command.anybody and ask.player is None and not ask.host:
        raise NotPossible("no_seat", "Take a seat first: watchers only watch.")
    return command


def _late_call(session: "Session", kind: str) -> bool:
    """A call that lost the race by a blink is no mistake: it is absorbed in silence."""
    return kind == "call" and session.table.phase in (Phase.BALLOT, Phase.COUNTDOWN)


def _sit(session: "Session", ask: Ask) -> Sequence[Event]:
    return seats.sit(session.table, ask.device, ask.data)


def _rename(session: "Session", ask: Ask) -> Sequence[Event]:
    """Call oneself something else; the host may find a better name for anybody."""
    player = _seated(ask) if "seat" not in ask.data else session.table.player(ask.text("seat"))
    if player is None:
        raise NotPossible("no_seat", "Nobody sits there.")
    if not ask.host and player != ask.player:
        raise NotPossible("not_allowed", "Only the host can do this.")
    return seats.rename(session.table, player, ask.data)


def _leave(session: "Session", ask: Ask) -> Sequence[Event]:
    return _out(session, ask.seat, ask.seat)


def _remove_seat(session: "Session", ask: Ask) -> Told:
    seat = ask.text("seat")
    player = session.table.player(seat)
    taken = handover.rights_taken(session.table, player.device) if player else ()
    return handover.put_out(session, ask, player, (*_out(session, HOST, seat), *taken))


def _out(session: "Session", actor: str, seat: str) -> Sequence[Event]:
    table, events = session.table, list(seats.leave(session.table, seat))
    if seat in table.game.chips and table.phase not in (Phase.LOBBY, Phase.GAME_OVER):
        events = [*session.decide(actor, rules.Leave(seat)), *events]
    return (*events, *_lights_out(session, reduce(apply, events, table)))


def _lights_out(session: "Session", table: Table) -> Sequence[Event]:
    """Once the last person has gone, clear the game away, so that whoever comes may sit down."""
    hosts = any(session.live.connected.get(device) for device in table.host_devices)
    if hosts or any(p.device for p in table.players) or table.phase is Phase.LOBBY:
        return ()
    events: list[Event] = []
    while table.phase is not Phase.GAME_OVER:
        more = decide(table.game, REFEREE, rules.Leave(table.game.present[0]))
        events, table = [*events, *more], reduce(apply, more, table)
    return (*events, *decide(table.game, HOST, rules.Rematch()))


def _start(session: "Session", ask: Ask) -> Sequence[Event]:
    players = session.table.players
    waiting = [p.name for p in players if not p.ready]
    if waiting:
        raise NotPossible("not_ready", f"Not everybody is ready yet: {', '.join(waiting)}.")
    first = ask.data.get("first")
    if first is None and session.game.options.first_player == "pick":
        first = players[0].seat if players else None
    draw = int(session.nonce()[:8], 16)
    order = tuple(p.seat for p in players)
    start = rules.Start(order, str(first) if first else None, draw, session.nonce())
    return session.decide(HOST, start)


def _pause(session: "Session", ask: Ask) -> Sequence[Event]:
    on = ask.flag("on")
    session.update(hold=None)
    if not on:
        clock = session.clock
        now = {"since_s": clock.monotonic_s(), "since_epoch_s": clock.now_s(), "extra_s": 0.0}
        session.after_commit(lambda: session.update(**now))
    return (Paused(ask.actor if on else None),)


def _outcome(kind: type[rules.Report] | type[rules.TableVote]) -> Handler:
    def handle(session: "Session", ask: Ask) -> Sequence[Event]:
        outcome = Result(ask.text("outcome", [r.value for r in Result]))
        return session.decide(ask.seat, kind(outcome))

    return handle


def _rule(command: Callable[[], rules.Command]) -> Handler:
    """A command that is a rule's and carries nothing."""
    return lambda session, ask: session.decide(ask.seat, command())


def _next(session: "Session", ask: Ask) -> Sequence[Event]:
    """Any player may say "go on"; it is the referee who does."""
    if ask.seat not in session.game.chips:
        raise Refused(Reason.NOT_PLAYING)
    return session.decide(REFEREE, rules.NextRound())


def _accident(session: "Session", ask: Ask) -> Sequence[Event]:
    culprit = ask.data.get("culprit")
    if culprit is not None and culprit not in tuple(session.game.chips):
        raise NotPossible("no_seat", "Nobody sits there.")
    return session.decide(ask.seat, rules.ClaimAccident(culprit, None))


def _object(session: "Session", ask: Ask) -> Sequence[Event]:
    """Say no to what is shown: a camera's verdict, or another player's claim."""
    game = session.game
    by_people = game.claim is not None and game.claim.by in game.chips
    command: rules.Command = rules.Dispute() if by_people else rules.Object()
    return session.decide(ask.seat, command)


def _accident_answer(command: Callable[[], rules.Command]) -> Handler:
    def handle(session: "Session", ask: Ask) -> Sequence[Event]:
        try:
            return session.decide(ask.seat, command())
        except Refused:
            if not ask.host:
                raise
            return session.decide(HOST, command())

    return handle


def _fix_row(session: "Session", ask: Ask) -> Sequence[Event]:
    order = ask.data.get("order")
    if not isinstance(order, list) or not all(type(v) is int for v in order):
        raise NotPossible("bad_command", "order has to be the values from left to right.")
    return session.decide(ask.seat, rules.FixRow(tuple(order)))


def _choose_end(session: "Session", ask: Ask) -> Sequence[Event]:
    return session.decide(ask.seat, rules.ChooseEnd(End(ask.text("end", [e.value for e in End]))))


@dataclass(frozen=True, slots=True)
class Command:
    """How a command is carried out, and what is checked before.

    Attributes:
        run: carries it out.
        guarded: only in the phase that it names, and not while the game is paused.
        host: only for the host.
        anybody: for watchers too.
    """

    run: Handler
    guarded: bool = True
    host: bool = False
    anybody: bool = False


HANDLERS: dict[str, Command] = {
    "sit": Command(_sit, guarded=False, anybody=True),
    "rename": Command(_rename, guarded=False),
    "ready": Command(lambda s, a: seats.ready(_seated(a), a.data), guarded=False),
    "leave": Command(_leave, guarded=False),
    "move_seat": Command(lambda s, a: seats.move(s.table, a.data), guarded=False, host=True),
    "add_bot": Command(lambda s, a: seats.add_bot(s.table), guarded=False, host=True),
    "remove_seat": Command(_remove_seat, guarded=False, host=True),
    "add_player": Command(handover.add_player, guarded=False, host=True),
    "take_phone": Command(handover.take_phone, guarded=False, host=True),
    "give_host": Command(handover.give_host, guarded=False, host=True),
    "take_host": Command(handover.take_host, guarded=False),
    "set_options": Command(house.set_options, guarded=False, host=True),
    "set_timers": Command(house.set_timers, guarded=False, host=True),
    "set_photo_finish": Command(house.set_photo_finish, guarded=False, host=True),
    "longer": Command(house.longer, host=True),
    "undo": Command(rulings.undo, host=True),
    "correct_verdict": Command(rulings.correct_verdict, host=True),
    "skip": Command(rulings.skip, host=True),
    "start": Command(_start, guarded=False, host=True),
    "rematch": Command(lambda s, a: s.decide(HOST, rules.Rematch()), guarded=False),
    "pause": Command(_pause, guarded=False, host=True),
    "without": Command(without.without, guarded=False, host=True),
    "stand": Command(placing.stand),
    "take_back": Command(placing.take_back),
    "confirm": Command(placing.confirm),
    "correct": Command(placing.correct),
    "wait": Command(proposal.hold),
    "row_is_right": Command(dispute.row_is_right),
    "look": Command(placing.look),
    "call": Command(placing.call),
    "vote": Command(placing.vote),
    "switch": Command(push_commands.switch),
    "estop": Command(push_commands.estop, guarded=False),
    "beam": Command(push_commands.beam, guarded=False),
    "aim": Command(push_commands.aim),
    "touch": Command(push_commands.touch),
    "hold": Command(push_commands.hold),
    "release": Command(push_commands.release, guarded=False),
    "push": Command(push_commands.push),
    "stop": Command(push_commands.stop, guarded=False),
    "clear_stop": Command(push_commands.clear_stop, guarded=False, host=True),
    "homed": Command(push_commands.homed, guarded=False, host=True),
    "resolve": Command(push_commands.resolve, host=True),
    "report": Command(_outcome(rules.Report)),
    "table_vote": Command(_outcome(rules.TableVote)),
    "agree": Command(_rule(rules.Confirm)),
    "object": Command(_object),
    "next": Command(_next),
    "accident": Command(_accident),
    "accident_confirm": Command(_accident_answer(rules.ConfirmAccident)),
    "accident_reject": Command(_accident_answer(rules.RejectAccident)),
    "void": Command(rulings.void, host=True),
    "fix_row": Command(_fix_row),
    "consent_row": Command(_rule(rules.ConsentRow)),
    "decline_row": Command(_rule(rules.DeclineRow)),
    "illegal": Command(_rule(rules.TakeBack)),
    "choose_end": Command(_choose_end),
    "wrong_end": Command(_rule(rules.WrongEnd)),
    "lone_tile_fell": Command(placing.lone_tile_fell),
}


def _seated(ask: Ask) -> Player:
    if ask.player is None:
        raise NotPossible("no_seat", "Take a seat first: watchers only watch.")
    return ask.player
