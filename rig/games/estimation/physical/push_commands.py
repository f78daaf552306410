"""The commands of the push: the virtual hands, hold, push, stop, and a word on what nobody saw.

A stroke needs the phone of whoever pushes, a switch turned by hand, a clear table, a button held
to the end, and a fresh nonce; it is written down before it is asked for, and asked for once. Only a
person's phone starts a real arm: for a bot that pushes, the next person's.
"""

from collections.abc import Sequence

from rig.errors import NotPossible
from rig.games.estimation import commands as cmd
from rig.games.estimation.physical import dispute
from rig.games.estimation.table.estimation_table import (
    EstimationTable,
    RowContext,
    pushing_hand,
)
from rig.games.estimation.terms import HOST, End, Phase, Reason, Refused, Result
from rig.games.interface import Data
from rig.pusher.port import Pretend
from rig.row.push_events import ARM, FINGER, PushRequested, PushStep
from rig.row.row_live import Guide, Hold
from rig.session.events import Stopped
from rig.session.request import Ask, Told, machine_of

NONCE_LIFE_S = 5.0


def _table_to_push(session: RowContext, ask: Ask) -> EstimationTable:
    """The table, where the phone that asks is the one that pushes now."""
    table = session.table
    if table.game.phase is not Phase.TOPPLE:
        raise Refused(Reason.WRONG_PHASE)
    if pushing_hand(session) != ask.actor:
        raise Refused(Reason.NOT_TOPPLER)
    return table


def switch(session: RowContext, ask: Ask) -> Sequence[Data]:
    """Turn the virtual arm switch: the hand at the table that every arming needs."""
    on, machine = ask.flag("on"), machine_of(session)
    if on:
        _table_to_push(session, ask)
        session.after_commit(lambda: machine.set_switch(True))
    elif ask.seat:  # any player may turn it off, and it is off before anything is written
        machine.set_switch(False)
    return ()


def estop(session: RowContext, ask: Ask) -> Sequence[Data]:
    """Press the virtual pusher's red button, or pull it out: any player's hand may."""
    pressed, hands = ask.flag("pressed"), _hands(session, ask)
    if pressed:  # before anything is written
        hands.set_estop(True)
    else:
        session.after_commit(lambda: hands.set_estop(False))
    return ()


def beam(session: RowContext, ask: Ask) -> Sequence[Data]:
    """Hold something into a light beam of the virtual pusher, or take it away."""
    number, broken, hands = ask.whole("beam"), ask.flag("broken"), _hands(session, ask)
    if number not in (0, 1):
        raise NotPossible("bad_command", "beam has to be 0 or 1.")
    session.after_commit(lambda: hands.set_beam(number, broken))
    return ()


def bench(session: RowContext, ask: Ask) -> Sequence[Data]:
    """Pull the cable of a pretend device, empty the folder of pictures, or put either back."""
    what, on = ask.text("what", ["camera", "folder", "pusher"]), ask.flag("on")
    at_hand = machine_of(session).bench
    if at_hand is None or not at_hand.put(what, on):
        raise NotPossible("real_device", "This table has no such device to pull out by a tap.")
    return ()


def _hands(session: RowContext, ask: Ask) -> Pretend:
    """Hands at a pusher that has no button to touch; asked for by a player or the host."""
    pretend = machine_of(session).pretend if ask.host or ask.seat else None
    if pretend is None:
        raise NotPossible("real_pusher", "This pusher is real: use the red button on it.")
    return pretend


def hold(session: RowContext, ask: Ask) -> Told:
    """Press the button: a push may follow with this nonce, once the ring is full."""
    table = _table_to_push(session, ask)
    by_eye = ask.data.get("by_eye") is True
    _may_push(session, table, by_eye)
    held = Hold(session.nonce(), ask.actor, session.clock.monotonic_s(), by_eye)
    session.after_commit(lambda: session.held(held))
    return Told((), {"nonce": held.nonce})


def release(session: RowContext, ask: Ask) -> Sequence[Data]:
    """Let go of the button too early."""
    held = session.live.hold
    if held is not None and held.who == ask.actor:
        session.let_go()
    return ()


def push(session: RowContext, ask: Ask) -> Sequence[Data]:
    """Ask the machine for the stroke; written down first, and never asked twice."""
    table, held = _table_to_push(session, ask), session.live.hold
    now_s = session.clock.monotonic_s()  # before it is written: a disk may take its time
    session.let_go()
    if held is None or held.who != ask.actor or ask.text("nonce") != held.nonce:
        raise NotPossible("no_hold", "Hold the button until the ring is full.")
    held_s = now_s - held.at_s
    # Half a second less than asked: the phone's ring starts when the answer to `hold` is back.
    if not session.config.timing.hold - 0.5 <= held_s <= session.config.timing.hold + NONCE_LIFE_S:
        raise NotPossible("no_hold", "Hold the button until the ring is full.")
    _may_push(session, table, held.by_eye)
    end = table.game.end
    if end is None:
        raise Refused(Reason.END_NOT_CHOSEN)
    number = table.pushes + 1
    value = table.game.row[0 if end is End.LEFT else -1]
    machine = machine_of(session)

    def ask_for_it() -> None:
        session.push_asked(number, now_s)
        machine.wake()

    session.after_commit(ask_for_it)
    kind = ARM if table.devices.pushes else FINGER
    return (PushRequested(number, end.value, value, session.live.forecast, kind),)


def aim(session: RowContext, ask: Ask) -> Sequence[Data]:
    """Put the virtual pusher behind the row, with a hand that misses a little."""
    _table_to_push(session, ask)
    _hands(session, ask)
    if session.live.guide is None:
        raise NotPossible("no_machine", "This pusher has no place on the table.")
    session.after_commit(machine_of(session).aim)
    return ()


def touch(session: RowContext, ask: Ask) -> Sequence[Data]:
    """Push with a finger where the table is virtual, once the time has come."""
    table, machine = _table_to_push(session, ask), machine_of(session)
    now_ms = session.live.now_ms
    if not (machine.virtual and table.devices.sees):
        raise NotPossible("not_virtual", "Push the tile on the table with your finger.")
    if now_ms is None or session.now_ms() < now_ms:
        raise NotPossible("too_early", "Wait until it says now.")
    session.after_commit(machine.touch)
    return ()


def _may_push(session: RowContext, table: EstimationTable, by_eye: bool) -> None:
    attempt, devices = table.attempt, table.devices
    if not (devices.sees or devices.pushes):
        raise NotPossible("by_hand", "Push with one finger, then say what the row did.")
    if table.paused_by is not None:
        raise NotPossible("paused", "The game is paused.")
    if attempt is not None and not attempt.again:
        raise NotPossible("pushed", "The push has already been requested.")
    if table.stopped_by is not None:
        raise NotPossible("stopped", "Somebody pressed STOP; the host sets the pusher free again.")
    if dispute.differs(session):
        raise NotPossible("differs", "The row does not stand as it did: put it right first.")
    if devices.pushes:
        _must_be_ready(session)
        _must_be_behind(session.live.guide, by_eye)
    if not session.live.clear:
        raise NotPossible("not_clear", "Something is in the way: take your hands off the table.")


def _must_be_behind(guide: Guide | None, by_eye: bool) -> None:
    """The camera has the last word on where the pusher stands; where it sees none, people have."""
    if guide is not None and guide.seen and not guide.right:
        raise NotPossible("not_behind", "First put the pusher right behind the end of the row.")
    if guide is not None and not guide.seen and not by_eye:
        raise NotPossible(
            "no_tag", "The camera does not see the pusher's tag: check by eye where it stands."
        )


def _must_be_ready(session: RowContext) -> None:
    status = machine_of(session).pusher_status()
    if status is None:
        raise NotPossible("no_pusher", "The pusher does not answer; look at its cable.")
    if status.away:
        raise NotPossible("away", "The arm may be out: put it home by hand first, then confirm it.")
    if not status.ready:
        raise NotPossible("switch", "Turn the arm switch on: off first, if it is on already.")


def stop(session: RowContext, ask: Ask) -> Sequence[Data]:
    """Written after the fact: the pusher was stopped before anything else was looked at."""
    by = ask.actor if ask.host else ask.seat
    session.let_go()
    if session.table.stopped_by is not None:
        return ()
    return (Stopped(by),)


def clear_stop(session: RowContext, ask: Ask) -> Sequence[Data]:
    """Free the pusher again; a hand has to turn the switch anew."""
    machine_of(session).clear_stop()
    return (Stopped(None),)


def homed(session: RowContext, ask: Ask) -> Sequence[Data]:
    """A person has put the arm home by hand and says so; only this very time that it was out.

    Nothing else ever says it: no log, replay or restart, and no phone that says it again later.
    """
    if not session.live.away or ask.text("away") != session.live.away:
        raise NotPossible("stale", "Look at the arm again: things have changed since.")
    if ask.device.startswith("bot:"):
        raise NotPossible("not_allowed", "A bot has no hands.")
    machine_of(session).homed()
    session.arm_home()
    return ()


def resolve(session: RowContext, ask: Ask) -> Sequence[Data]:
    """A person says what became of a push that nobody saw the end of."""
    attempt = session.table.attempt
    if attempt is None or attempt.step is not PushStep.UNKNOWN:
        raise NotPossible("not_unknown", "Nothing is in doubt.")
    outcome = ask.text("outcome", ["fell", "stood", "void"])
    if outcome == "void":
        return session.decide(HOST, cmd.VoidRound("push unknown"))
    # Where people judge, the host speaks as one of them; somebody of the other side confirms.
    actor = ask.actor if session.table.game.options.judge == "people" else HOST
    return session.decide(actor, cmd.Report(Result(outcome)))
