"""What the host may do, and who has which seat, phone and rights.

The host chooses options, rules by word, acts for a seat, goes on without a device, seats players
without a phone and puts phones out. Seats go to other phones, and the host's rights to other seats.
"""

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from rig.config import Timers
from rig.errors import NotPossible
from rig.games.interface import BadOption, Data
from rig.session.devices import BOTH, DevicesChanged
from rig.session.events import (
    GameChosen,
    HostHanded,
    OptionsChosen,
    Past,
    Readied,
    RightsTaken,
    Ruled,
    SeatHanded,
    TableOpened,
    TimersSet,
    Undone,
)
from rig.session.live import Live, SeatClaim
from rig.session.playing import AnyContext, AnyPresent
from rig.session.request import Ask, Told, machine_of
from rig.session.seats import clean_name, sit
from rig.session.state import Player, Table

LONGER_S = 30.0
"""How much the host gives at a time to what runs out."""
LIMITS_S = (10.0, 600.0)
"""The shortest and the longest limit that the host can set."""
WAYS = ("off", "soft", "hard")
"""What a limit can be: none, one that is only shown, or one after which the referee acts."""


def set_options(session: AnyContext, ask: Ask) -> Sequence[Data]:
    """Read an open point of the rules in another way, before the game; a preset brings its own."""
    if not session.table.in_lobby:
        raise NotPossible("running", "Rules cannot change during a game.")
    given, rules = ask.data.get("options"), session.play.rules
    if not isinstance(given, dict) or not given:
        raise NotPossible("bad_command", "options has to be an object of options by name.")
    try:
        kept = {} if "preset" in given else rules.options(session.table.game)
        game = rules.new({**kept, **given})
    except BadOption as error:
        raise NotPossible("bad_option", str(error)) from None
    return (OptionsChosen(rules.options(game)),)


def choose_game(session: AnyContext, ask: Ask) -> Sequence[Data]:
    """Go on with another game: everybody keeps their seat, and says anew that they are ready."""
    if not session.table.in_lobby:
        raise NotPossible("running", "The game is running: choose another one after it.")
    game = ask.text("game", session.games)
    return () if game == session.play.name else (GameChosen(game),)


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
        raise NotPossible("no_timer", "No timer is running.")
    extra_s = session.live.extra_s + LONGER_S
    session.after_commit(lambda: session.given_longer(extra_s))
    return ()


def let_phones_sound(session: AnyContext, ask: Ask) -> Sequence[Data]:
    """Have phones sound although a table screen says that it does: anybody may open one."""
    on = ask.flag("on")
    session.after_commit(lambda: session.let_phones_sound(on))
    return ()


def is_away(live: Live, player: Player) -> bool:
    """Whether nobody can act for this seat but the host: it has no phone that is here."""
    return not player.bot and not live.connected.get(player.device or "", False)


def in_whose_name(session: AnyContext, ask: Ask, *, acted: bool) -> Ask:
    """Give a command with `for` as that of the seat it is meant for.

    Raises:
        NotPossible: not asked by the host, nothing to do for another, or their phone is here.
    """
    seat = ask.data.get("for")
    if not ask.host:
        raise NotPossible("not_allowed", "Only the host can do this.")
    player = session.table.player(seat if isinstance(seat, str) else None)
    if player is None:
        raise NotPossible("no_seat", "Nobody sits there.")
    if not acted:
        raise NotPossible("bad_command", "You cannot do this for somebody else.")
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
        raise NotPossible(
            "nothing_to_undo", "Nothing can be undone now, but the round can be declared void."
        )
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
    """Play or pass over the turn, or close the ballot, of a player who is away."""
    table, play, seat = session.table, session.play, ask.text("seat")
    player = table.player(seat)
    if player is None:
        raise NotPossible("no_seat", "Nobody sits there.")
    if not is_away(session.live, player):
        raise NotPossible("has_phone", f"{player.name} is here: they do it themselves.")
    if play.waited_for(table, seat) is None:
        raise NotPossible("not_waiting", f"Nobody is waiting for {player.name} now.")
    events, kind = play.skip(session, seat)
    return *events, Ruled(kind, ask.actor, seat=seat)


def without(session: AnyContext, ask: Ask) -> Sequence[Data]:
    """Leave a device out, whether it answers or not; nothing moves by it."""
    device, on, table = ask.text("which", BOTH), ask.flag("on"), session.table
    if not table.devices.has(device):
        raise NotPossible(
            "no_device", f"This table has no {device}; see kind under [{device}] in rig.toml."
        )
    if not session.play.may_change_devices(table):
        raise NotPossible("pushed", "The push has already been requested.")
    after = table.devices.going_without(device, on)
    if after == table.devices:
        return ()
    session.after_commit(machine_of(session).wake)
    return (DevicesChanged(after),)


HOST_AWAY_S = 60.0
"""So long has the host's phone to be gone before somebody else may take the drawer."""


def add_player(session: AnyContext, ask: Ask) -> Sequence[Data]:
    """Seat somebody who has no phone; the host acts for them."""
    return sit(session.table, session.play.rules, None, ask.data)


def put_out(session: AnyContext, ask: Ask, player: Player | None, events: Sequence[Data]) -> Told:
    """Change the code with the same events, so that a phone only comes back if told the new one."""
    phone = player.device if player is not None else None
    if not ask.code or phone is None or phone == ask.device:
        return Told(events, {})
    opened = TableOpened(ask.code, session.table.host_secret)
    return Told((*events, opened), {"put_out": True})


def take_phone(session: AnyContext, ask: Ask) -> Told:
    """Put a phone out and keep its seat, for another phone or for the host's hand."""
    player = _player(session.table, ask.text("seat"))
    if player.device is None:
        raise NotPossible("no_phone", f"{player.name} has no phone at this table.")
    if player.device == ask.device:
        raise NotPossible("own_phone", "This is your own phone: hand your seat over instead.")
    session.play.lost_phone(session, player.seat)
    # Without a phone nobody can say that they are ready.
    ready = () if player.ready else (Readied(player.seat, True),)
    events = SeatHanded(player.seat, None), *ready, *rights_taken(session.table, player.device)
    return put_out(session, ask, player, events)


def give_host(session: AnyContext, ask: Ask) -> Sequence[Data]:
    """Hand the drawer over to another player, and keep no key to it."""
    player = _player(session.table, ask.text("seat"))
    if player.device is None:
        raise NotPossible("no_phone", f"{player.name} has no phone at this table.")
    return (HostHanded(player.seat), *rights_taken(session.table, ask.device))


def take_host(session: AnyContext, ask: Ask) -> Sequence[Data]:
    """Take the drawer of a host whose phone has been gone for a while."""
    if not may_take_host(session, ask.seat):
        raise NotPossible("host_here", "The host's phone was here a moment ago: wait a little.")
    return (HostHanded(ask.seat),)


def may_take_host(session: AnyPresent, seat: str | None) -> bool:
    """Whether a seat could take the drawer now."""
    player = session.table.player(seat)
    phone = player is not None and player.device is not None
    return phone and session.table.host != seat and drawer_is_free(session)


def only_bots(table: Table) -> bool:
    """Whether nobody but bots sits at a table."""
    return bool(table.players) and all(player.bot for player in table.players)


def drawer_is_free(session: AnyPresent) -> bool:
    """Whether the host has been gone for long, and no console is open in their place."""
    table, live = session.table, session.live
    host = table.player(table.host)
    if any(live.connected.get(device) for device in table.host_devices):
        return False
    if host is None:
        return True
    gone_s = session.clock.monotonic_s() - live.left_s.get(host.device or "", live.opened_s)
    return is_away(live, host) and gone_s >= HOST_AWAY_S


@dataclass(frozen=True, slots=True)
class SeatTicket:
    """The right to a seat, as somebody drew it for another phone.

    Attributes:
        seat: the key of the seat; whoever sits there next gets the same key.
        phone: the device that sat there, None if the seat had no phone.
        by: the device that drew it.
    """

    seat: str
    phone: str | None
    by: str


def is_good(table: Table, ticket: SeatTicket) -> bool:
    """Whether the seat has the same phone, and whoever drew the ticket still may draw it."""
    player = table.player(ticket.seat)
    if player is None or player.device != ticket.phone:
        return False
    return ticket.by == ticket.phone or table.is_host(ticket.by)


def hand_over(session: AnyContext, seat: str, device: str) -> Sequence[Data]:
    """Give a seat to another phone; the one before is out with the same event.

    Raises:
        NotPossible: nobody sits there, or the phone has a seat of its own.
    """
    player = _player(session.table, seat)
    if session.table.by_device(device) is not None:
        raise NotPossible("seated", "You already have a seat.")
    session.play.lost_phone(session, player.seat)
    return (SeatHanded(player.seat, device),)


def claim_seat(session: AnyContext, ask: Ask) -> Sequence[Data]:
    """Say which seat one had: whoever comes with another phone is asked, and the host answers."""
    player = _player(session.table, ask.text("seat"))
    if ask.player is not None:
        raise NotPossible("seated", "You already have a seat.")
    if not is_away(session.live, player):
        raise NotPossible("not_away", f"{player.name} plays with a phone that is here.")
    first = session.live.claims.get(player.seat)
    if first and first.device != ask.device and session.live.connected.get(first.device):
        raise NotPossible(
            "claimed", "Another phone asks for this seat: wait for the host's answer."
        )
    others = {s: c for s, c in session.live.claims.items() if c.device != ask.device}
    claims = {**others, player.seat: SeatClaim(ask.device, session.nonce())}
    session.after_commit(lambda: session.claimed(claims))
    return ()


def grant_seat(session: AnyContext, ask: Ask) -> Sequence[Data]:
    """Give the phone that asks for a seat what it asks for, or say no to it."""
    seat, claims = ask.text("seat"), session.live.claims
    claim = claims.get(seat)
    if claim is None or claim.nonce != ask.text("claim"):
        raise NotPossible("stale", "Another phone asks by now: look again.")
    session.after_commit(lambda: session.claimed({s: c for s, c in claims.items() if s != seat}))
    return hand_over(session, seat, claim.device) if ask.flag("on") else ()


def claims(session: AnyPresent, is_host: bool) -> list[dict[str, str | None]]:
    """The seats that phones ask for; what names such a claim is the host's alone."""
    live, table = session.live, session.table
    asked = ((table.player(seat), claim) for seat, claim in live.claims.items())
    return [
        {"seat": player.seat, "claim": claim.nonce if is_host else None}
        for player, claim in asked
        if player is not None and is_away(live, player) and table.by_device(claim.device) is None
    ]


def rights_taken(table: Table, device: str | None) -> tuple[Data, ...]:
    """What takes the host's rights from a device that has them by the secret."""
    return (RightsTaken(device),) if device in table.host_devices and device else ()


def _player(table: Table, seat: Any) -> Player:
    """A person at the table."""
    player = table.player(seat)
    if player is None:
        raise NotPossible("no_seat", "Nobody sits there.")
    if player.bot:
        raise NotPossible("is_bot", f"{player.name} is a bot.")
    return player
