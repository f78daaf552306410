"""A match of dominoes retold, one line an event."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from rig.games.dominoes import events as ev
from rig.games.dominoes.game import Game, How
from rig.games.interface import Data, Seat
from rig.history.story import PlainStory
from rig.session.state import Table

_Tell = Callable[[Game, Any, Mapping[Seat, str]], str]


class DominoStory(PlainStory):
    """Retells a match; its commands are decided again for a proof."""

    def sentence(self, table: Table, event: Data) -> str:
        """An event in a sentence, "" for what no player would speak of."""
        names = {player.seat: player.name for player in table.players}
        return self.retold(table.game, event, names)

    def retold(self, game: Game, event: Data, names: Mapping[Seat, str]) -> str:
        """The same without a table; a seat that has no name is called by its own."""
        tell = _SENTENCES.get(type(event))
        return "" if tell is None else tell(game, event, names)


def _dealt(game: Game, event: ev.HandDealt, names: Mapping[Seat, str]) -> str:
    """A hand; its bones are withheld while the round goes on."""
    bones = " ".join(event.bones) or "a hand"
    return f"{_named(event.seat, names)} is dealt {bones}."


def _led(game: Game, event: ev.LeadGiven, names: Mapping[Seat, str]) -> str:
    forced = f" and has to lay {event.forced}" if event.forced else ""
    return f"{_named(event.seat, names)} leads{forced}."


def _placed(game: Game, event: ev.BonePlaced, names: Mapping[Seat, str]) -> str:
    where = f" at the {event.end} end" if event.end else ""
    return f"{_named(event.seat, names)} lays {event.bone}{where}."


def _drawn(game: Game, event: ev.BoneDrawn, names: Mapping[Seat, str]) -> str:
    return f"{_named(event.seat, names)} draws {event.bone or 'a bone'}."


def _round_ended(game: Game, event: ev.RoundEnded, names: Mapping[Seat, str]) -> str:
    result = event.result
    who = _named(result.seat, names)
    how = f"{who} goes out" if result.how is How.OUT else f"Fish, {who} laid the last bone"
    left = ", ".join(
        f"{_named(seat, names)} {pips}" for seat, pips in result.pips.items() if result.hands[seat]
    )
    told = [f"{how}.", f"Left in hand: {left}.", f"Accounts: {_accounts(game, event, names)}."]
    if event.carry:
        told.append(f"{event.carry} points wait.")
    return " ".join(told)


def _accounts(game: Game, event: ev.RoundEnded, names: Mapping[Seat, str]) -> str:
    """Every side's account; a memory is marked "+", as on the screens."""
    return ", ".join(
        f"{_listed(side, names)} {f'+{kept}' if score is None else score}"
        for side, score, kept in zip(game.sides, event.account, event.memory, strict=True)
    )


def _ended(game: Game, event: ev.GameEnded, names: Mapping[Seat, str]) -> str:
    won = [seat for side in event.winners for seat in game.sides[side]]
    lost = [seat for side in event.losers for seat in game.sides[side]]
    told = ["The match is over."]
    if won:
        told.append(f"Won: {_listed(won, names)}.")
    if lost:
        told.append(f"Lost: {_listed(lost, names)}.")
    return " ".join(told)


def _named(seat: Seat, names: Mapping[Seat, str]) -> str:
    return names.get(seat, seat)


def _listed(seats: Sequence[Seat], names: Mapping[Seat, str]) -> str:
    words = [_named(seat, names) for seat in seats]
    return " and ".join(filter(None, (", ".join(words[:-1]), *words[-1:])))


_SENTENCES: Mapping[type[Data], _Tell] = {
    ev.GameStarted: lambda game, event, names: f"A match begins: {_listed(event.seats, names)}.",
    ev.HandDealt: _dealt,
    ev.RedealOrdered: lambda game, event, names: "These hands do not count: dealt again.",
    ev.LeadGiven: _led,
    ev.StakeClaimed: lambda game, event, names: (
        f"{_named(event.seat, names)} leads with 6-6 and stakes the match on it."
    ),
    ev.BonePlaced: _placed,
    ev.BoneDrawn: _drawn,
    ev.Knocked: lambda game, event, names: f"{_named(event.seat, names)} knocks.",
    ev.RoundEnded: _round_ended,
    ev.RoundBegan: lambda game, event, names: f"Round {event.round}.",
    ev.TimedOut: lambda game, event, names: f"{_named(event.seat, names)} runs out of time.",
    ev.SeatLeft: lambda game, event, names: f"{_named(event.seat, names)} leaves the match.",
    ev.GameEnded: _ended,
    ev.LobbyReopened: lambda game, event, names: "Back to the lobby.",
}
"""How each event is told; turns follow from the moves, and the boneyard lies face down."""
