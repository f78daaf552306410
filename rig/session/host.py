"""What the host may do: choose options, rule by word, act for a seat, go on without a device."""

import unicodedata
from collections.abc import Sequence
from dataclasses import replace

from rig.config import Timers
from rig.errors import NotPossible
from rig.games.interface import BadOption, Data
from rig.session.devices import BOTH, DevicesChanged
from rig.session.events import OptionsChosen, Past, Ruled, TimersSet, Undone
from rig.session.live import Live
from rig.session.playing import AnyContext
from rig.session.request import Ask, machine_of
from rig.session.seats import clean_name
from rig.session.state import Player, Table

LONGER_S = 30.0

LIMITS_S = (10.0, 600.0)

WAYS = ("off", "soft", "hard")


def set_options(session: AnyContext, ask: Ask) -> Sequence[Data]:
    """Read an open point of the rules in another way, before the game."""
    if not session.table.in_lobby:
        raise NotPossible("running", "The game is running: its rules stay as they are.")
    given, rules = ask.data.get("options"), session.play.rules
    if not isinstance(given, dict) or not given:
        raise NotPossible("bad_command", "options has to be an object of options by name.")
    try:
        game = rules.new({**rules.options(session.table.game), **given})
    except BadOption as error:
        raise NotPossible("bad_command", str(error)) from None
    return (OptionsChosen(rules.options(game)),)


def set_timers(session: AnyContext, ask: Ask) -> Sequence[Data]:
    """Set, change or switch off the limits; what the command leaves out stays."""
    now = session.timers
    timers = Timers(
        ballot=ask.text("ballot", WAYS) if "ballot" in ask.data else now.ballot,
        turn=ask.text("turn", WAYS) if "turn" in ask.data else now.turn,
        ballot_s=_limit_s(ask, "ballot_s", now.ballot_s),
        turn_s=_limit_s(ask, "turn_s", now.turn_s),
        no_hurry=ask.flag("no_hurry") if "no_hurry" in ask.data else now.no_hurry,
    )
    if session.play.rules.asked(session.table.game):
        session.after_commit(session.resumed)
    return (TimersSet(timers),)


def _limit_s(ask: Ask, name: str, now_s: float) -> float:
    if name not in ask.data:
        return now_s
    low, high = LIMITS_S
    limit_s = ask.number(name)
    if not low <= limit_s <= high:
        raise NotPossible("bad_command", f"{name} has to be {low:.0f} to {high:.0f} seconds.")
    return limit_s


def longer(session: AnyContext, ask: Ask) -> Sequence[Data]:
    """Give thirty seconds more to whatever runs out now."""
    if session.limit() is None:
        raise NotPossible("no_timer", "Nothing runs out now.")
    extra_s = session.live.extra_s + LONGER_S
    session.after_commit(lambda: session.given_longer(extra_s))
    return ()


def is_away(live: Live, player: Player) -> bool:
    """Whether nobody can act for this seat but the host: it has no phone that is here."""
    return not player.bot and not live.connected.get(player.device or "", False)


def in_whose_name(session: AnyContext, ask: Ask, kind: str, *, acted: bool) -> Ask:
    """Give the command as that of the seat it is meant for.

    Raises:
        NotPossible: not asked by the host, nothing to do for another, or their phone is here.
    """
    seat = ask.data.get("for")
    if seat is None:
        return ask
    if not ask.host:
        raise NotPossible("not_allowed", "Only the host can do this.")
    player = session.table.player(seat if isinstance(seat, str) else None)
    if player is None:
        raise NotPossible("no_seat", "Nobody sits there.")
    if not acted:
        raise NotPossible("bad_command", "This cannot be done for somebody else.")
    if not is_away(session.live, player):
        raise NotPossible("has_phone", f"{player.name} is here: they do it themselves.")
    return replace(ask, player=player, hand=ask.actor)


_LONGEST_REASON = 120


def reason(ask: Ask) -> str:
    """Why, in one line: a word the page has a sentence for, or the host's own.

    Raises:
        NotPossible: none was given.
    """
    text = " ".join(str(ask.data.get("reason") or "").split())
    shown = "".join(c for c in text if unicodedata.category(c)[0] != "C")
    if not shown:
        raise NotPossible("no_reason", "Say why in a word or two: it stays with the game.")
    return shown[:_LONGEST_REASON]


def undo(session: AnyContext, ask: Ask) -> Sequence[Data]:
    """Take the last step back that nothing has followed."""
    table, why = session.table, reason(ask)
    past = undoable(table)
    if past is None:
        raise NotPossible("nothing_to_undo", "Nothing can be undone now; a round can be void.")
    if past.what == "renamed":
        clean_name(past.name, table, past.seat)
    return Undone(past.what), Ruled("undone", ask.actor, why)


def undoable(table: Table) -> Past | None:
    """The step that an undo would take back."""
    seats = {p.seat for p in table.players}
    past = table.pasts[-1] if table.pasts else None
    if past is None or (past.what == "renamed" and past.seat not in seats):
        return None
    return past


def skip(session: AnyContext, ask: Ask) -> Sequence[Data]:
    """Pass over the turn, or close the ballot, of a player who is away."""
    table, play, seat = session.table, session.play, ask.text("seat")
    player = table.player(seat)
    if player is None:
        raise NotPossible("no_seat", "Nobody sits there.")
    if not is_away(session.live, player):
        raise NotPossible("has_phone", f"{player.name} is here: they do it themselves.")
    if play.waited_for(table, seat) is None:
        raise NotPossible("not_waiting", f"Nobody waits for {player.name} now.")
    events, kind = play.skip(session, seat)
    return *events, Ruled(kind, ask.actor, seat=seat)


def without(session: AnyContext, ask: Ask) -> Sequence[Data]:
    """Leave a device out, whether it answers or not; nothing moves by it."""
    device, on, table = ask.text("which", BOTH), ask.flag("on"), session.table
    if not table.devices.has(device):
        raise NotPossible("no_device", f"This table has no {device}; see [{device}] kind.")
    if not session.play.may_change_devices(table):
        raise NotPossible("pushed", "The push has been asked for already.")
    after = table.devices.going_without(device, on)
    if after == table.devices:
        return ()
    session.after_commit(machine_of(session).wake)
    return (DevicesChanged(after),)
