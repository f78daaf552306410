"""Whose seat is on which phone: players without one, phones taken off, seats and rights moved."""

from collections.abc import Sequence
from typing import Any

from rig.errors import NotPossible
from rig.games.interface import Data
from rig.session import seats
from rig.session.events import HostHanded, Readied, RightsTaken, SeatHanded, TableOpened
from rig.session.host import is_away
from rig.session.playing import AnyContext, AnyPresent
from rig.session.request import Ask, Told
from rig.session.state import Player, Table

HOST_AWAY_S = 60.0
"""So long has the host's phone to be gone before somebody else may take the drawer."""


def add_player(session: AnyContext, ask: Ask) -> Sequence[Data]:
    """Seat somebody who has no phone; the host acts for them."""
    return seats.sit(session.table, session.play.rules, None, ask.data)


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


def hand_over(session: AnyContext, seat: str, device: str) -> Sequence[Data]:
    """Give a seat to another phone; the one before is out with the same event.

    Raises:
        NotPossible: nobody sits there, or the phone has a seat of its own.
    """
    player = _player(session.table, seat)
    if session.table.by_device(device) is not None:
        raise NotPossible("seated", "You have a seat already.")
    session.play.lost_phone(session, player.seat)
    return (SeatHanded(player.seat, device),)


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
