"""Acting for a seat: the host's hand for whoever has no phone here.

Only for players without a phone, or whose phone is away: nobody whose phone is at the table finds
something done in their name. What is done is written down with whose hand it was.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from rig.asking import Ask
from rig.games.estimation.view import view as game_view
from rig.live import Live
from rig.seats import NotPossible
from rig.table import Player

if TYPE_CHECKING:
    from rig.moment import Present
    from rig.session import Session

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
