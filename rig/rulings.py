"""What the host settles by word, each with a reason that is kept: undo, verdict, void, absence.

Names, seats and the last placement come back; the verdict of a push can be turned round. What has
shown hidden information or moved the machine cannot be undone: such a round is only made void.
"""

import unicodedata
from collections.abc import Sequence
from typing import TYPE_CHECKING

from rig.acting import is_away
from rig.asking import Ask
from rig.changes import Past, Ruled, Undone
from rig.games.estimation import commands as rules
from rig.games.estimation.decide import decide
from rig.games.estimation.words import HOST, Phase, Refused
from rig.seats import NotPossible, clean_name
from rig.table import Event, Table

if TYPE_CHECKING:
    from rig.session import Session

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
