"""A match of dominoes retold, event by event: which sentence tells it, and with which facts."""

from collections.abc import Mapping, Sequence

from rig.games.dominoes import events as ev
from rig.games.dominoes.game import Game, How
from rig.games.interface import Data, Seat
from rig.games.phrase import NOTHING, Fact, Phrase, listed
from rig.history.story import PlainStory
from rig.session.state import Table


class DominoStory(PlainStory):
    """Retells a match; its commands are decided again for a proof."""

    def sentence(self, table: Table, event: Data) -> Phrase:
        """Tell an event; those that no player would speak of have no text in the catalogues."""
        names = {player.seat: player.name for player in table.players}
        return self.retold(table.game, event, names)

    def retold(self, game: Game, event: Data, names: Mapping[Seat, str]) -> Phrase:
        """The same without a table; a seat that has no name is called by its own."""
        how, of = _sentence(game, event, names)
        key = f"told.{type(event).__name__}"
        told = Phrase(f"{key}.{how}" if how else key, of)
        match event:
            case ev.RoundEnded(carry=carry) if carry:
                return Phrase("told.carry", {"told": told, "count": carry})
        return told if type(event) in ev.KINDS.values() else NOTHING


def _sentence(game: Game, event: Data, names: Mapping[Seat, str]) -> tuple[str, dict[str, Fact]]:
    """Which of several sentences tells an event, "" if it has one alone; and its facts."""
    seat = getattr(event, "seat", "")
    of: dict[str, Fact] = {"seat": names.get(seat, seat)}
    match event:
        case ev.GameStarted(seats):
            return "", {"seats": _listed(seats, names)}
        case ev.HandDealt(bones=bones):
            return "" if bones else "hidden", {**of, "bones": " ".join(bones)}
        case ev.LeadGiven(forced=forced):
            return "forced" if forced else "", {**of, "forced": forced or ""}
        case ev.BonePlaced(_, bone, end):
            return end, {**of, "bone": bone}
        case ev.BoneDrawn(bone=bone):
            return "" if bone else "hidden", {**of, "bone": bone}
        case ev.RoundEnded(result):
            of["seat"] = names.get(result.seat, result.seat)
            of["left"] = [
                f"{names.get(each, each)} {pips}"
                for each, pips in result.pips.items()
                if result.hands[each]
            ]
            of["accounts"] = _accounts(game, event, names)
            return "out" if result.how is How.OUT else "fish", of
        case ev.RoundBegan(number):
            return "", {"round": number}
        case ev.GameEnded(winners, losers):
            won, lost = (
                _listed([seat for side in sides for seat in game.sides[side]], names)
                for sides in (winners, losers)
            )
            how = {(True, True): "both", (True, False): "won", (False, True): "lost"}
            return how.get((bool(winners), bool(losers)), ""), {"won": won, "lost": lost}
    return "", of


def _accounts(game: Game, event: ev.RoundEnded, names: Mapping[Seat, str]) -> Fact:
    """Every side's account; a memory is marked "+", as on the screens."""
    return [
        Phrase(
            "told.account",
            {"side": _listed(side, names), "points": f"+{kept}" if score is None else score},
        )
        for side, score, kept in zip(game.sides, event.account, event.memory, strict=True)
    ]


def _listed(seats: Sequence[Seat], names: Mapping[Seat, str]) -> Fact:
    return listed([names.get(seat, seat) for seat in seats])
