"""What the host may do: choose options, rule by word, act for a seat, go on without a device."""

import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from rig.config import Timers
from rig.errors import NotPossible
from rig.games.estimation import commands as rules
from rig.games.estimation.decide import decide
from rig.games.estimation.options import Options
from rig.games.estimation.physical import photo_finish
from rig.games.estimation.terms import HOST, BadOption, Phase, Refused
from rig.games.estimation.view import view as game_view
from rig.serialise import to_plain
from rig.session.devices import BOTH, DevicesChanged
from rig.session.events import OptionsChosen, Past, Ruled, TimersSet, Undone
from rig.session.live import Live
from rig.session.request import Ask, machine_of
from rig.session.seats import clean_name
from rig.session.state import Event, Player, PushStep, Table

if TYPE_CHECKING:
    from rig.session.request import Present
    from rig.session.session import Session

LONGER_S = 30.0

LIMITS_S = (10.0, 600.0)

WAYS = ("off", "soft", "hard")


def set_options(session: "Session", ask: Ask) -> Sequence[Event]:
    """Read an open point of the rules in another way, before the game."""
    if session.table.phase is not Phase.LOBBY:
        raise NotPossible("running", "The game is running: its rules stay as they are.")
    given = ask.data.get("options")
    if not isinstance(given, dict) or not given:
        raise NotPossible("bad_command", "options has to be an object of options by name.")
    try:
        options = Options.parse({**_named(session.game.options), **given})
    except BadOption as error:
        raise NotPossible("bad_command", str(error)) from None
    return (OptionsChosen(options),)


def _named(options: Options) -> dict[str, Any]:
    return dict(to_plain(options))


def set_timers(session: "Session", ask: Ask) -> Sequence[Event]:
    """Set, change or switch off the limits; what the command leaves out stays."""
    now = session.timers
    timers = Timers(
        ballot=ask.text("ballot", WAYS) if "ballot" in ask.data else now.ballot,
        turn=ask.text("turn", WAYS) if "turn" in ask.data else now.turn,
        ballot_s=_limit_s(ask, "ballot_s", now.ballot_s),
        turn_s=_limit_s(ask, "turn_s", now.turn_s),
        no_hurry=ask.flag("no_hurry") if "no_hurry" in ask.data else now.no_hurry,
    )
    begin_anew = {"since_s": session.clock.monotonic_s(), "since_epoch_s": session.clock.now_s()}
    if session.table.phase in (Phase.TURN, Phase.BALLOT):
        session.after_commit(lambda: session.update(**begin_anew, extra_s=0.0))
    return (TimersSet(timers),)


def _limit_s(ask: Ask, name: str, now_s: float) -> float:
    if name not in ask.data:
        return now_s
    low, high = LIMITS_S
    limit_s = ask.number(name)
    if not low <= limit_s <= high:
        raise NotPossible("bad_command", f"{name} has to be {low:.0f} to {high:.0f} seconds.")
    return limit_s


def set_photo_finish(session: "Session", ask: Ask) -> Sequence[Event]:
    """Let the presses on the phones tell who was first, or the call that arrives first."""
    if not ask.flag("on"):
        return (photo_finish.PhotoFinishSet(0.0),)
    return (
        photo_finish.PhotoFinishSet(session.config.timing.photo_finish or photo_finish.USUAL_S),
    )


def longer(session: "Session", ask: Ask) -> Sequence[Event]:
    """Give thirty seconds more to whatever runs out now."""
    if session.limit() is None:
        raise NotPossible("no_timer", "Nothing runs out now.")
    extra_s = session.live.extra_s + LONGER_S
    session.after_commit(lambda: session.update(extra_s=extra_s))
    return ()


ACTED = frozenset(
    {
        *("ready", "stand", "take_back", "confirm", "correct", "wait", "look", "call", "vote"),
        "row_is_right",
        *("switch", "aim", "touch", "hold", "release", "push", "choose_end", "wrong_end"),
        *("report", "agree", "object", "table_vote", "next"),
        *("accident", "accident_confirm", "accident_reject", "lone_tile_fell"),
        *("illegal", "fix_row", "consent_row", "decline_row"),
    }
)
"""What the host may do for a seat: all of a player's part in the game, and nothing else."""


def is_away(live: Live, player: Player) -> bool:
    """Whether nobody can act for this seat but the host: it has no phone that is here."""
    return not player.bot and not live.connected.get(player.device or "", False)


def in_whose_name(session: "Session", ask: Ask, kind: str) -> Ask:
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
    if kind not in ACTED:
        raise NotPossible("bad_command", "This cannot be done for somebody else.")
    if not is_away(session.live, player):
        raise NotPossible("has_phone", f"{player.name} is here: they do it themselves.")
    return replace(ask, player=player, hand=ask.actor)


def powers(
    session: "Present", may_of: Callable[[str, dict[str, Any]], dict[str, bool]]
) -> dict[str, dict[str, Any]]:
    """What the host may do for each seat that is away; never which side its ballot is on.

    Args:
        session: the table.
        may_of: gives what a seat may do, by its view of the rules.
    """
    told = {}
    for player in session.table.players:
        if not is_away(session.live, player):
            continue
        rules = game_view(session.game, player.seat)
        may = may_of(player.seat, rules)
        ballot = rules["ballot"]
        told[player.seat] = {
            "may": [name for name, allowed in may.items() if allowed],
            "why": rules["why"],
            "in": player.seat in rules["in"],
            "forced": ballot is not None and ballot["forced"],
        }
    return told


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


def undo(session: "Session", ask: Ask) -> Sequence[Event]:
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


def correct_verdict(session: "Session", ask: Ask) -> Sequence[Event]:
    """Turn the last verdict round, up to the next push."""
    why = reason(ask)
    if session.table.phase is Phase.TOPPLE and session.table.attempt is not None:
        raise NotPossible("pushed", "The next push has been asked for already.")
    events = session.decide(HOST, rules.CorrectVerdict(why))
    return *events, Ruled("verdict", ask.actor, why)


def may_correct(table: Table) -> bool:
    """Whether the last verdict could be turned round now."""
    if table.phase is Phase.TOPPLE and table.attempt is not None:
        return False
    try:
        return bool(decide(table.game, HOST, rules.CorrectVerdict()))
    except Refused:
        return False


def void(session: "Session", ask: Ask) -> Sequence[Event]:
    """Play the round anew."""
    why = reason(ask)
    return *session.decide(HOST, rules.VoidRound(why)), Ruled("void", ask.actor, why)


def skip(session: "Session", ask: Ask) -> Sequence[Event]:
    """Pass over the turn, or close the ballot, of a player who is away."""
    table, seat = session.table, ask.text("seat")
    player = table.player(seat)
    if player is None:
        raise NotPossible("no_seat", "Nobody sits there.")
    if not is_away(session.live, player):
        raise NotPossible("has_phone", f"{player.name} is here: they do it themselves.")
    if not waited_for(table, seat):
        raise NotPossible("not_waiting", f"Nobody waits for {player.name} now.")
    ballot = table.phase is Phase.BALLOT
    command = rules.SkipBallot(seat) if ballot else rules.SkipTurn()
    ruled = Ruled("ballot" if ballot else "turn", ask.actor, seat=seat)
    return *session.decide(HOST, command), ruled


def waited_for(table: Table, seat: str) -> bool:
    """Whether the game waits for this seat's turn or ballot."""
    game = table.game
    if table.phase is Phase.TURN:
        return game.active == seat
    return table.phase is Phase.BALLOT and seat in game.playing and seat not in game.ballots


def without(session: "Session", ask: Ask) -> Sequence[Event]:
    """Leave a device out, whether it answers or not; nothing moves by it."""
    device, on, table = ask.text("which", BOTH), ask.flag("on"), session.table
    if not table.devices.has(device):
        raise NotPossible("no_device", f"This table has no {device}; see [{device}] kind.")
    if _in_stroke(table):
        raise NotPossible("pushed", "The push has been asked for already.")
    after = table.devices.going_without(device, on)
    if after == table.devices:
        return ()
    session.after_commit(machine_of(session).wake)
    return (DevicesChanged(after),)


def is_possible(table: Table) -> bool:
    """Whether there is a device that can be left out now."""
    return any(map(table.devices.has, BOTH)) and not _in_stroke(table)


def _in_stroke(table: Table) -> bool:
    """Whether a push was asked for whose end is not known yet."""
    return table.attempt is not None and table.attempt.step is PushStep.REQUESTED
