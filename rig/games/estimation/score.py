"""What a push and an accident are worth, and who has won."""

from collections import Counter
from collections.abc import Iterable, Mapping

from rig.games.estimation.game import Game, count
from rig.games.estimation.words import BANK_CHIPS, Rest, Result, Side


def judged(tiles: Iterable[Rest]) -> Result:
    """What the push did, tile by tile: a leaning tile counts as down.

    >>> judged([Rest.DOWN, Rest.LEANING])
    <Result.FELL: 'fell'>
    """
    return Result.STOOD if Rest.UPRIGHT in tiles else Result.FELL


def round_pay(game: Game, outcome: Result) -> dict[str, int]:
    """The chips each seat gets for this outcome: one for every ballot on the other side.

    A seat that has left gets nothing; its revealed ballot still counts for the others.
    """
    winning = outcome.winning_side
    winners = [seat for seat in game.playing if game.ballots[seat] is winning]
    return _from_bank(game, winners, count(game, winning.other))


def accident_pay(game: Game, culprit: str | None) -> dict[str, int]:
    """One chip to everybody but the culprit; none where it was nobody's fault."""
    if culprit is None:
        return {}
    return _from_bank(game, [seat for seat in game.playing if seat != culprit], 1)


def stakes(game: Game) -> dict[Side, int]:
    """What one seat on each side would win."""
    return {side: count(game, side.other) for side in Side}


def leaders(game: Game) -> tuple[str, ...]:
    """All seats that share the most chips, clockwise."""
    most = max(game.chips.values())
    return tuple(seat for seat in game.present if game.chips[seat] == most)


def ranking(game: Game) -> tuple[str, ...]:
    """The seats still in the game, most chips first, equals clockwise."""
    return tuple(sorted(game.present, key=lambda seat: -game.chips[seat]))


def added(chips: Mapping[str, int], won: Mapping[str, int], sign: int = 1) -> dict[str, int]:
    """The chips of each seat after these were paid, or given back with sign -1."""
    return {seat: n + sign * won.get(seat, 0) for seat, n in chips.items()}


def _from_bank(game: Game, seats: list[str], each: int) -> dict[str, int]:
    """Pay every seat this many chips, or under strict20 as far as the bank goes.

    Then they are paid clockwise from the round's first player, one chip at a time.
    """
    if game.options.chips == "counter" or game.first is None:
        return dict.fromkeys(seats, each)
    bank = BANK_CHIPS - sum(game.chips.values())
    at = game.seats.index(game.first)
    clockwise = [s for s in game.seats[at:] + game.seats[:at] if s in seats]
    return dict(Counter((clockwise * each)[:bank]))
