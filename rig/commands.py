"""What phones may ask of the table: one short function a command.

Each takes the session and who asks, and returns the events that follow and what to add to the
answer. Whatever the rules or the table do not allow is an exception, and nothing has happened.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from physics.tile import Orientation
from rig import seats
from rig.games.estimation import commands as rules
from rig.games.estimation.game import Game
from rig.games.estimation.words import (
    HOST,
    REFEREE,
    End,
    Extent,
    Phase,
    Reason,
    Refused,
    Result,
    Side,
)
from rig.live import Hold, MachinePort
from rig.seats import NotPossible
from rig.table import (
    Event,
    Paused,
    Player,
    PushRequested,
    PushStep,
    RowRead,
    Standing,
    Stopped,
    Table,
)

if TYPE_CHECKING:
    from rig.session import Session

NONCE_LIFE_S = 5.0


@dataclass(frozen=True, slots=True)
class Ask:
    """A command with who sent it.

    Attributes:
        device: hash of the device's token.
        player: who sits behind it, None for somebody without a seat.
        host: whether they have the host's rights.
        data: the command as it came.
    """

    device: str
    player: Player | None
    host: bool
    data: Mapping[str, Any]

    @property
    def seat(self) -> str:
        """The seat that asks."""
        if self.player is None:
            raise NotPossible("no_seat", "Take a seat first: watchers only watch.")
        return self.player.seat

    @property
    def actor(self) -> str:
        """What the rules call whoever asks."""
        return self.player.seat if self.player else HOST

    def text(self, name: str, choices: Sequence[str] | None = None) -> str:
        """A word of the command."""
        value = self.data.get(name)
        if not isinstance(value, str) or (choices is not None and value not in choices):
            expected = "one of " + ", ".join(choices) if choices else "a text"
            raise NotPossible("bad_command", f"{name} has to be {expected}.")
        return value

    def number(self, name: str) -> float:
        """A finite number of the command."""
        value = self.data.get(name)
        if (
            isinstance(value, bool)
            or not isinstance(value, int | float)
            or not math.isfinite(value)
        ):
            raise NotPossible("bad_command", f"{name} has to be a number.")
        return float(value)

    def whole(self, name: str) -> int:
        """A whole number of the command."""
        value = self.number(name)
        if value != int(value):
            raise NotPossible("bad_command", f"{name} has to be a whole number.")
        return int(value)

    def flag(self, name: str) -> bool:
        """A yes or no of the command."""
        value = self.data.get(name)
        if not isinstance(value, bool):
            raise NotPossible("bad_command", f"{name} has to be true or false.")
        return value


@dataclass(frozen=True, slots=True)
class Told:
    """Events, and what the answer carries besides."""

    events: Sequence[Event]
    extra: Mapping[str, Any]


Handler = Callable[["Session", Ask], Told | Sequence[Event]]


def carry_out(
    session: "Session", device: str, kind: str, cmd_id: str, data: Mapping[str, Any]
) -> dict[str, Any]:
    """Find the command's function, call it, write what follows and answer.

    Raises:
        Refused: the rules say no.
        NotPossible: the table says no.
    """
    if kind not in HANDLERS:
        raise NotPossible("bad_command", f"There is no command {kind[:30]}.")
    command = HANDLERS[kind]
    ask = Ask(device, session.player(device), session.is_host(device), data)
    if command.host and not ask.host:
        raise NotPossible("not_allowed", "Only the host can do this.")
    if command.guarded:
        if session.table.paused_by is not None:
            raise NotPossible("paused", "The game is paused.")
        if data.get("phase_id") != session.table.phase_id and not _late_call(session, kind):
            raise NotPossible("stale", "The table has moved on; look at it again.")
    result = command.run(session, ask)
    told = result if isinstance(result, Told) else Told(result, {})
    reply = {"ok": True, **told.extra}
    v = session.commit(told.events, ask.actor, done=(device, cmd_id, reply))
    return {**reply, "v": v}


def _late_call(session: "Session", kind: str) -> bool:
    """A call that lost the race by a blink is no mistake: it is absorbed in silence."""
    return kind == "call" and session.table.phase in (Phase.BALLOT, Phase.COUNTDOWN)


def _machine(session: "Session") -> MachinePort:
    if session.machine is None:
        raise NotPossible("no_machine", "There is no machine at this table.")
    return session.machine


def _sit(session: "Session", ask: Ask) -> Sequence[Event]:
    return seats.sit(session.table, ask.device, ask.data)


def _leave(session: "Session", ask: Ask) -> Sequence[Event]:
    return _out(session, ask.seat, ask.seat)


def _remove_seat(session: "Session", ask: Ask) -> Sequence[Event]:
    return _out(session, HOST, ask.text("seat"))


def _out(session: "Session", actor: str, seat: str) -> Sequence[Event]:
    events = seats.leave(session.table, seat)
    if session.table.phase in (Phase.LOBBY, Phase.GAME_OVER) or seat not in session.game.chips:
        return events
    return (*session.decide(actor, rules.Leave(seat)), *events)


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
    return session.decide(HOST, rules.Start(order, str(first) if first else None, draw))


def _pause(session: "Session", ask: Ask) -> Sequence[Event]:
    on = ask.flag("on")
    if not on:
        session.live.since_s = session.clock.monotonic_s()
    return (Paused(ask.actor if on else None),)


def _stand(session: "Session", ask: Ask) -> Sequence[Event]:
    """Stand a tile on the virtual table; the referee only knows of it what the camera sees."""
    machine, game = _machine(session), session.game
    if not machine.virtual:
        raise NotPossible("not_virtual", "Stand the tile on the table with your hand.")
    if game.phase is not Phase.TURN:
        raise Refused(Reason.WRONG_PHASE)
    if game.active != ask.seat:
        raise Refused(Reason.NOT_YOUR_TURN)
    value = ask.whole("value")
    choosable = game.supply or game.row[1:-1]
    if value not in choosable:
        raise Refused(Reason.NO_SUCH_TILE if game.supply else Reason.END_TILE)
    if not session.table.row:
        raise NotPossible("looking", "One moment: the camera is looking at the row.")
    orientation = ask.text("orientation", [o.value for o in Orientation])
    heading_rad = math.radians(ask.number("heading_deg"))
    return machine.stand(value, ask.number("x_mm"), ask.number("y_mm"), heading_rad, orientation)


def _take_back(session: "Session", ask: Ask) -> Sequence[Event]:
    """Take back the tile just stood; or, once confirmed and found illegal, the placement."""
    game, tile = session.game, session.live.reading.tile
    if game.phase is Phase.TURN and game.active == ask.seat and tile is not None:
        return _machine(session).take_back(tile.value or 0)
    raise Refused(Reason.NOTHING_TO_TAKE_BACK)


def _confirm(session: "Session", ask: Ask) -> Sequence[Event]:
    """The placer says that the row is as it was read."""
    reading = session.live.reading
    if reading.state != "proposal" or reading.tile is None or reading.position is None:
        raise NotPossible("no_proposal", "The camera has not read your tile yet.")
    return _placed(session, ask, reading.tile.value or 0, reading.position)


def _correct(session: "Session", ask: Ask) -> Sequence[Event]:
    """The placer puts right which tile it is, or where it stands."""
    if session.live.reading.tile is None:
        raise NotPossible("no_proposal", "The camera has not seen your tile yet.")
    return _placed(session, ask, ask.whole("value"), ask.whole("position"))


def _placed(session: "Session", ask: Ask, value: int, position: int) -> Sequence[Event]:
    game, reading = session.game, session.live.reading
    at_s = session.clock.now_s()
    command: rules.Place | rules.Move
    if game.supply:
        command = rules.Place(value, position, at_s)
    else:
        if value not in game.row:
            raise Refused(Reason.NO_SUCH_TILE)
        end = End.LEFT if position == 0 else End.RIGHT
        command = rules.Move(game.row.index(value), end, at_s)
    events = session.decide(ask.seat, command)
    row = [(tile, value if tile is reading.tile else tile.value or 0) for tile in reading.row]
    if reading.position is not None and position != reading.position:
        row.insert(position, row.pop(reading.position))
    tiles = tuple(standing(tile, name) for tile, name in row)
    session.after_commit(_machine(session).confirmed)
    return (*events, RowRead(tiles, value))


def _look(session: "Session", ask: Ask) -> Sequence[Event]:
    _machine(session).wake()
    return ()


def _call(session: "Session", ask: Ask) -> Sequence[Event]:
    at_s = session.clock.now_s()
    events = session.decide(ask.seat, rules.Call(at_s))
    if not events and session.game.called_at_s is not None and ask.seat != session.game.caller:
        late_ms = round((at_s - session.game.called_at_s) * 1000)
        session.live.shouts = [*session.live.shouts, (ask.seat, late_ms)]
    return events


def _vote(session: "Session", ask: Ask) -> Sequence[Event]:
    return session.decide(ask.seat, rules.Vote(Side(ask.text("side", [s.value for s in Side]))))


def _toppler(session: "Session", ask: Ask) -> Table:
    table = session.table
    if table.phase is not Phase.TOPPLE:
        raise Refused(Reason.WRONG_PHASE)
    if table.game.toppler != ask.seat:
        raise Refused(Reason.NOT_TOPPLER)
    return table


def _switch(session: "Session", ask: Ask) -> Sequence[Event]:
    """Turn the virtual arm switch: the hand at the table that every arming needs."""
    on = ask.flag("on")
    if on:
        _toppler(session, ask)
    _machine(session).set_switch(on)
    return ()


def _hold(session: "Session", ask: Ask) -> Told:
    table = _toppler(session, ask)
    _may_push(session, table)
    hold = Hold(session.nonce(), ask.seat, session.clock.monotonic_s())
    session.live.hold = hold
    return Told((), {"nonce": hold.nonce})


def _release(session: "Session", ask: Ask) -> Sequence[Event]:
    session.live.hold = None
    return ()


def _push(session: "Session", ask: Ask) -> Sequence[Event]:
    """Ask the machine for the stroke; written down first, and never asked twice."""
    table, hold = _toppler(session, ask), session.live.hold
    session.live.hold = None
    if hold is None or hold.seat != ask.seat or ask.text("nonce") != hold.nonce:
        raise NotPossible("no_hold", "Hold the button until the ring is full.")
    held_s = session.clock.monotonic_s() - hold.at_s
    # Half a second less than asked: the phone's ring starts when the answer to `hold` is back.
    if not session.config.timing.hold - 0.5 <= held_s <= session.config.timing.hold + NONCE_LIFE_S:
        raise NotPossible("no_hold", "Hold the button until the ring is full.")
    _may_push(session, table)
    end = table.game.end
    if end is None:
        raise Refused(Reason.END_NOT_CHOSEN)
    number = table.pushes + 1
    value = table.game.row[0 if end is End.LEFT else -1]
    session.live.push_due = number
    session.after_commit(_machine(session).wake)
    return (PushRequested(number, end.value, value, session.live.forecast),)


def _may_push(session: "Session", table: Table) -> None:
    status = _machine(session).pusher_status()
    if table.paused_by is not None:
        raise NotPossible("paused", "The game is paused.")
    if table.attempt is not None and table.attempt.step in (PushStep.REQUESTED, PushStep.UNKNOWN):
        raise NotPossible("pushed", "The push has been asked for already.")
    if table.stopped_by is not None:
        raise NotPossible("stopped", "Somebody pressed STOP; the host sets the pusher free again.")
    if status is None:
        raise NotPossible("no_pusher", "The pusher does not answer; look at its cable.")
    if not status.ready:
        raise NotPossible("switch", "Turn the arm switch on: off first, if it is on already.")
    if not session.live.clear:
        raise NotPossible("not_clear", "Something is in the way: take your hands off the table.")


def _stop(session: "Session", ask: Ask) -> Sequence[Event]:
    """Written after the fact: the pusher was stopped before anything else was looked at."""
    session.live.hold = None
    if session.table.phase is not Phase.TOPPLE or session.table.stopped_by is not None:
        return ()
    return (Stopped(ask.seat),)


def _clear_stop(session: "Session", ask: Ask) -> Sequence[Event]:
    _machine(session).clear_stop()
    return (Stopped(None),)


def _resolve(session: "Session", ask: Ask) -> Sequence[Event]:
    """A person says what became of a push that nobody saw the end of."""
    attempt = session.table.attempt
    if attempt is None or attempt.step is not PushStep.UNKNOWN:
        raise NotPossible("wrong_phase", "Nothing is in doubt.")
    outcome = ask.text("outcome", ["fell", "stood", "void"])
    if outcome == "void":
        return session.decide(HOST, rules.VoidRound("push unknown"))
    return session.decide(HOST, rules.Report(Result(outcome)))


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
    if culprit is not None and culprit not in session.game.chips:
        raise NotPossible("no_seat", "Nobody sits there.")
    return session.decide(ask.seat, rules.ClaimAccident(culprit, Extent.SOME))


def _object(session: "Session", ask: Ask) -> Sequence[Event]:
    """Say no to what is shown: a camera's verdict, or another player's claim."""
    game: Game = session.game
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
    if not isinstance(order, list) or not all(isinstance(v, int) for v in order):
        raise NotPossible("bad_command", "order has to be the values from left to right.")
    return session.decide(ask.seat, rules.FixRow(tuple(order)))


def _choose_end(session: "Session", ask: Ask) -> Sequence[Event]:
    return session.decide(ask.seat, rules.ChooseEnd(End(ask.text("end", [e.value for e in End]))))


def _void(session: "Session", ask: Ask) -> Sequence[Event]:
    return session.decide(HOST, rules.VoidRound(str(ask.data.get("reason", ""))[:200]))


def standing(tile: Any, value: int) -> Standing:
    """Write down a tile as it was read."""
    return Standing(
        value=value,
        orientation=(tile.orientation or Orientation.VERTICAL).value,
        x_mm=round(tile.pose.x_mm, 2),
        y_mm=round(tile.pose.y_mm, 2),
        heading_deg=round(math.degrees(tile.pose.heading_rad), 2),
        sigma_mm=round(tile.sigma_mm, 3),
        sigma_deg=round(math.degrees(tile.sigma_rad), 3),
    )


@dataclass(frozen=True, slots=True)
class Command:
    """How a command is carried out, and what is checked before."""

    run: Handler
    guarded: bool = True
    host: bool = False


HANDLERS: dict[str, Command] = {
    "sit": Command(_sit, guarded=False),
    "rename": Command(lambda s, a: seats.rename(s.table, _seated(a), a.data), guarded=False),
    "ready": Command(lambda s, a: seats.ready(_seated(a), a.data), guarded=False),
    "leave": Command(_leave, guarded=False),
    "move_seat": Command(lambda s, a: seats.move(s.table, a.data), guarded=False, host=True),
    "add_bot": Command(lambda s, a: seats.add_bot(s.table), guarded=False, host=True),
    "remove_seat": Command(_remove_seat, guarded=False, host=True),
    "start": Command(_start, guarded=False, host=True),
    "rematch": Command(lambda s, a: s.decide(HOST, rules.Rematch()), guarded=False),
    "pause": Command(_pause, guarded=False, host=True),
    "stand": Command(_stand),
    "take_back": Command(_take_back),
    "confirm": Command(_confirm),
    "correct": Command(_correct),
    "look": Command(_look),
    "call": Command(_call),
    "vote": Command(_vote),
    "switch": Command(_switch),
    "hold": Command(_hold),
    "release": Command(_release, guarded=False),
    "push": Command(_push),
    "stop": Command(_stop, guarded=False),
    "clear_stop": Command(_clear_stop, guarded=False, host=True),
    "resolve": Command(_resolve, host=True),
    "report": Command(_outcome(rules.Report)),
    "table_vote": Command(_outcome(rules.TableVote)),
    "agree": Command(_rule(rules.Confirm)),
    "object": Command(_object),
    "next": Command(_next),
    "accident": Command(_accident),
    "accident_confirm": Command(_accident_answer(rules.ConfirmAccident)),
    "accident_reject": Command(_accident_answer(rules.RejectAccident)),
    "void": Command(_void, host=True),
    "fix_row": Command(_fix_row),
    "consent_row": Command(_rule(rules.ConsentRow)),
    "decline_row": Command(_rule(rules.DeclineRow)),
    "illegal": Command(_rule(rules.TakeBack)),
    "choose_end": Command(_choose_end),
    "wrong_end": Command(_rule(rules.WrongEnd)),
    "lone_tile_fell": Command(_rule(rules.LoneTileFell)),
}


def _seated(ask: Ask) -> Player:
    if ask.player is None:
        raise NotPossible("no_seat", "Take a seat first: watchers only watch.")
    return ask.player
