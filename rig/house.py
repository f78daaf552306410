"""How this table plays: the options of the rules by name, and how long things may take."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from rig import finish
from rig.asking import Ask
from rig.changes import OptionsChosen, Timers, TimersSet
from rig.games.estimation.options import Options
from rig.games.estimation.words import BadOption, Phase
from rig.games.plain import to_plain
from rig.seats import NotPossible
from rig.table import Event

if TYPE_CHECKING:
    from rig.session import Session

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
        return (finish.PhotoFinishSet(0.0),)
    return (finish.PhotoFinishSet(session.config.timing.photo_finish or finish.USUAL_S),)


def longer(session: "Session", ask: Ask) -> Sequence[Event]:
    """Give thirty seconds more to whatever runs out now."""
    if session.limit() is None:
        raise NotPossible("no_timer", "Nothing runs out now.")
    extra_s = session.live.extra_s + LONGER_S
    session.after_commit(lambda: session.update(extra_s=extra_s))
    return ()
