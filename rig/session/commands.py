"""What phones may ask of any table: every command by its name, and how it is carried out.

Each takes the table's context and who asks, and returns the events that follow. Whatever the rules
or the table do not allow is an exception, and nothing has happened.
"""

from collections.abc import Mapping, Sequence
from functools import reduce
from typing import Any

from rig.errors import NotPossible
from rig.games.interface import HOST, REFEREE, Data, Guard
from rig.session import host, seats
from rig.session.events import Paused, Readied
from rig.session.playing import AnyContext, AnyPresent, Command
from rig.session.request import Ask, Told
from rig.session.state import Player, Table


def carry_out(
    session: AnyContext,
    device: str,
    kind: str,
    data: Mapping[str, Any],
    code: str,
    known: Mapping[str, Command],
) -> tuple[Told, str]:
    """Find the command's function and call it; gives what follows, and whose doing it is.

    Raises:
        RulesRefused: the rules say no.
        NotPossible: the table says no.
    """
    _must_not_be_late(session, data)
    table = session.table
    own = Ask(device, table.speaker(device), table.is_host(device), data, code=code)
    command = _check(known.get(kind), own, kind)
    for_another = data.get("for") is not None
    ask = host.in_whose_name(session, own, acted=command.acted) if for_another else own
    if command.guard is not Guard.NONE:
        _must_be_now(session, kind, command.guard, data)
    result = command.run(session, ask)
    actor = ask.actor if ask.hand is None else f"{ask.hand} for {ask.seat}"
    told = result if isinstance(result, Told) else Told(result, {})
    return told, told.actor or actor


def may(now: AnyPresent, commands: Mapping[str, Command], device: str, kind: str) -> None:
    """Look whether a device may ask for such a thing at all, before anything of it is read.

    Raises:
        NotPossible: it may not.
    """
    ask = Ask(device, now.table.speaker(device), now.table.is_host(device), {})
    _check(commands.get(kind), ask, kind)


def _check(command: Command | None, ask: Ask, kind: str) -> Command:
    if command is None:
        raise NotPossible("bad_command", f"There is no command {kind[:30]}.")
    if command.host and not ask.host:
        raise NotPossible("not_allowed", "Only the host can do this.")
    if not command.anybody and ask.player is None and not ask.host:
        raise NotPossible("no_seat", "Take a seat first: watchers only watch.")
    return command


def _must_not_be_late(session: AnyContext, data: Mapping[str, Any]) -> None:
    """Refuse what whoever sent it has given up: a dead net may bring it once it is back."""
    until_ms = data.get("until_ms")
    if isinstance(until_ms, int | float) and session.clock.now_s() * 1000 > until_ms:
        raise NotPossible("too_slow", "That took too long to arrive.")


def _must_be_now(session: AnyContext, kind: str, guard: Guard, data: Mapping[str, Any]) -> None:
    table, play = session.table, session.play
    if table.paused_by is not None:
        raise NotPossible("paused", "The game is paused.")
    if guard is Guard.TRICK:
        late = data.get("trick_id") != play.trick_id(table)
    else:
        late = data.get("phase_id") != table.phase_id
    if late and not play.forgives(table, kind):
        raise NotPossible("stale", "The table has moved on; look at it again.")
    if why := play.interrupted(session, kind):
        raise NotPossible("stale", why)


def _sit(session: AnyContext, ask: Ask) -> Sequence[Data]:
    return seats.sit(session.table, session.play.rules, ask.device, ask.data)


def _rename(session: AnyContext, ask: Ask) -> Sequence[Data]:
    """Call oneself something else; the host may find a better name for anybody."""
    player = _seated(ask) if "seat" not in ask.data else session.table.player(ask.text("seat"))
    if player is None:
        raise NotPossible("no_seat", "Nobody sits there.")
    if not ask.host and player != ask.player:
        raise NotPossible("not_allowed", "Only the host can do this.")
    return seats.rename(session.table, player, ask.data)


def _leave(session: AnyContext, ask: Ask) -> Sequence[Data]:
    return _out(session, ask.seat, ask.seat)


def _remove_seat(session: AnyContext, ask: Ask) -> Told:
    seat = ask.text("seat")
    player = session.table.player(seat)
    taken = host.rights_taken(session.table, player.device) if player else ()
    return host.put_out(session, ask, player, (*_out(session, HOST, seat), *taken))


def _out(session: AnyContext, actor: str, seat: str) -> Sequence[Data]:
    table, play = session.table, session.play
    events = list(seats.leave(table, seat))
    if seat in play.rules.seats(table.game) and not table.in_lobby and not table.is_over:
        events = [*play.leave(table.game, actor, seat), *events]
    return (*events, *_lights_out(session, reduce(play.apply, events, table)))


def _lights_out(session: AnyContext, table: Table) -> Sequence[Data]:
    """Once the last person has gone, clear the game away, so that whoever comes may sit down."""
    play, rules = session.play, session.play.rules
    hosts = any(session.live.connected.get(device) for device in table.host_devices)
    if hosts or any(p.device for p in table.players) or table.in_lobby:
        return ()
    events: list[Data] = []
    while not table.is_over:
        more = play.leave(table.game, REFEREE, rules.seats(table.game)[0])
        events, table = [*events, *more], reduce(play.apply, more, table)
    return (*events, *play.decide(table.game, HOST, rules.rematch()))


def _start(session: AnyContext, ask: Ask) -> Sequence[Data]:
    """Begin the game: the host does, and where only bots sit whoever has come to watch them."""
    if not ask.host and not host.only_bots(session.table):
        raise NotPossible("not_allowed", "Only the host can do this.")
    waiting = [p.name for p in session.table.players if not p.ready]
    if waiting:
        raise NotPossible("not_ready", f"Not everybody is ready yet: {', '.join(waiting)}.")
    first = ask.data.get("first")
    return session.play.start(session, str(first) if first else None)


def _rematch(session: AnyContext, ask: Ask) -> Sequence[Data]:
    """Go back to the lobby: a player does, and where only bots sit whoever has come.

    The player has said with it that they are ready.
    """
    if ask.player is None and not ask.host and not host.only_bots(session.table):
        raise NotPossible("no_seat", "Take a seat first: watchers only watch.")
    ready = () if ask.player is None else (Readied(ask.seat, True),)
    return (*session.play.rematch(session), *ready)


def _pause(session: AnyContext, ask: Ask) -> Sequence[Data]:
    on = ask.flag("on")
    session.play.paused(session)
    if not on:
        session.after_commit(session.resumed)
    return (Paused(ask.actor if on else None),)


def _unlock(session: AnyContext, ask: Ask) -> Sequence[Data]:
    """Take the missing key from whoever has it: they may have lost their seat since."""
    if not session.locked:
        _seated(ask)
    return session.unlock(ask.text("key"))


def _seated(ask: Ask) -> Player:
    if ask.player is None:
        raise NotPossible("no_seat", "Take a seat first: watchers only watch.")
    return ask.player


_ANY_TIME = Guard.NONE

TABLE_COMMANDS: dict[str, Command] = {
    "sit": Command(_sit, _ANY_TIME, anybody=True),
    "rename": Command(_rename, _ANY_TIME),
    "ready": Command(lambda s, a: seats.ready(_seated(a), a.data), _ANY_TIME, acted=True),
    "leave": Command(_leave, _ANY_TIME),
    "move_seat": Command(lambda s, a: seats.move(s.table, a.data), _ANY_TIME, host=True),
    "add_bot": Command(lambda s, a: seats.add_bot(s.table, s.play.rules), _ANY_TIME, host=True),
    "remove_seat": Command(_remove_seat, _ANY_TIME, host=True),
    "add_player": Command(host.add_player, _ANY_TIME, host=True),
    "take_phone": Command(host.take_phone, _ANY_TIME, host=True),
    "give_host": Command(host.give_host, _ANY_TIME, host=True),
    "claim_seat": Command(host.claim_seat, _ANY_TIME, anybody=True),
    "grant_seat": Command(host.grant_seat, _ANY_TIME, host=True),
    "take_host": Command(host.take_host, _ANY_TIME),
    "set_options": Command(host.set_options, _ANY_TIME, host=True),
    "choose_game": Command(host.choose_game, _ANY_TIME, host=True),
    "set_timers": Command(host.set_timers, _ANY_TIME, host=True),
    "longer": Command(host.longer, host=True),
    "phones_sound": Command(host.let_phones_sound, _ANY_TIME, host=True),
    "undo": Command(host.undo, host=True),
    "skip": Command(host.skip, host=True),
    "start": Command(_start, _ANY_TIME, anybody=True),
    "rematch": Command(_rematch, _ANY_TIME, anybody=True),
    "pause": Command(_pause, _ANY_TIME, host=True),
    "without": Command(host.without, _ANY_TIME, host=True),
    "unlock": Command(_unlock, _ANY_TIME, anybody=True),
}
"""What phones may ask of a table, whatever is played there."""


def all_commands(of_game: Mapping[str, Command]) -> Mapping[str, Command]:
    """Those of every table with those of its game."""
    return {**TABLE_COMMANDS, **of_game}
