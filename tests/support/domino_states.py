"""Dominoes in its states as pages are sent them, made by the rules from positions.

`python -m tests.support.domino_states` writes them beside the other saved snapshots.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import reduce
from pathlib import Path
from tempfile import TemporaryDirectory
from types import SimpleNamespace
from typing import Any

from rig.games.dominoes import commands as cmd
from rig.games.dominoes.bones import HALVES, SET, laid, line_ends
from rig.games.dominoes.game import Game, Move, changed
from rig.games.dominoes.options import Options
from rig.games.dominoes.rules import Dominoes
from rig.games.dominoes.table.dominoes_play import PLAY
from rig.games.dominoes.table.referee_words import begun
from rig.session.playing import Audience
from rig.session.session import Session
from tests.support.many_seats import QR
from tests.support.sessions import session_on

SNAPSHOTS = Path(__file__).parents[1] / "data" / "snapshots"
PEOPLE = (("Mira", "triangle"), ("Petro", "star"), ("Olena", "circle"), ("Borys", "square"))
NET = {"code": "PINE", "url": "http://192.168.1.20:8000/j/PINE", "qr": QR, "others": []}
NOW_MS = 1795000000000
LINE = ("5-6", "6-6", "6-3", "3-3", "3-1", "1-4", "4-4", "4-2")
"""Eight bones that lie on the table, the fifth of which was the first."""
HANDS = (
    ("0-1", "0-5", "1-1", "2-6", "3-5", "4-6", "5-5"),
    ("0-2", "2-3"),
    ("0-0", "1-2", "2-5"),
    ("0-4", "4-5", "0-6"),
)
LONG = (
    *("6-1", "1-2", "2-4", "4-4", "4-6", "6-6", "6-3", "3-3", "3-5", "5-1", "1-4", "4-0"),
    *("0-0", "0-1", "1-1", "1-3", "3-2", "2-2", "2-6", "6-5"),
)
"""Twenty, which turn at both edges."""


def written(bone: str) -> str:
    """A bone as hands name it, smaller half first."""
    return bone if bone in HALVES else bone[::-1]


def rest(*taken: str) -> list[str]:
    """What is neither in these hands nor in this line, heaviest first."""
    gone = {written(bone) for bone in taken}
    return [bone for bone in reversed(SET) if bone not in gone]


def closed_trail() -> Sequence[str]:
    """All 28 bones in one line."""

    def on(line: tuple[str, ...], left: list[str]) -> Iterator[tuple[str, ...]]:
        if not left:
            yield line
        for bone in left:
            if line_ends(line)[1] in HALVES[bone]:
                yield from on(laid(bone, line, "right"), [one for one in left if one != bone])

    return next(on((SET[-1],), list(SET[:-1])))


def position(
    preset: str, seats: int, options: dict[str, object] | None = None, first: int = 0, **fields: Any
) -> Game:
    """A match with this position; `first` is the place of the bone that was led."""
    game, _ = begun(
        {"preset": preset, "options": options or {}, "seats": seats, "position": fields}
    )
    return changed(game, first=first)


def told(game: Game, *moves: Move) -> Game:
    """The match, with what was done since the last bone was laid."""
    return changed(game, recent=moves)


def after(game: Game, *asked: tuple[str, object]) -> Game:
    """The match after some commands."""
    rules = Dominoes()
    for actor, command in asked:
        game = reduce(rules.evolve, rules.decide(game, actor, command), game)
    return game


def _audience(who: int | None) -> Audience:
    return (
        Audience("table", None, False) if who is None else Audience("seat", f"s{who + 1}", who == 0)
    )


class Tables:
    """Tables of two to four people, and what anybody there is shown of a match."""

    def __init__(self, folder: Path) -> None:
        self._bases: dict[tuple[int, str | None], tuple[Any, dict[str, Any]]] = {}
        self._folder = folder

    def _base(self, seats: int, who: int | None) -> tuple[Any, dict[str, Any]]:
        session = session_on(self._folder / f"{seats}-{who}.sqlite3", play=PLAY, of=Session)
        for n, (name, mark) in enumerate(PEOPLE[:seats]):
            asked = {"id": f"c{n}", "type": "sit", "name": name, "mark": mark}
            assert session.submit(f"p{n}", {**asked, "phase_id": session.view(None)["phase_id"]})[
                "ok"
            ]
        for n in range(seats):
            session.submit(f"p{n}", {"id": f"r{n}", "type": "ready", "on": True})
            session.connected(f"p{n}", True)
        device, role = (None, "table") if who is None else (f"p{who}", "phone")
        base = session.view(device, role)
        table = session.table
        session.close()
        return table, base

    def lobby(
        self, seats: int, who: int | None, preset: str, pairs: bool | None = None, **more: Any
    ) -> dict[str, Any]:
        """What somebody is sent before a match of a preset begins."""
        table, base = self._base(seats, who)
        game = Game(Options.parse({"preset": preset, "pairs": pairs}))
        asked = SimpleNamespace(table=replace(table, game=game))
        audience = _audience(who)
        return {**PLAY.view(asked, audience, base), "net": NET, "now_ms": NOW_MS, "v": 1, **more}

    def show(self, game: Game, who: int | None, **more: Any) -> dict[str, Any]:
        """What the phone of a seat is sent, by its number; None is the table screen."""
        table, base = self._base(len(game.seats), who)
        audience = _audience(who)
        shown = PLAY.view(SimpleNamespace(table=replace(table, game=game)), audience, dict(base))
        may = {**shown["may"], "start": False, "add_bot": False, "move_seat": False, "sit": False}
        may["rematch"] = game.phase.value == "GAME_OVER" and who == 0
        named = {**shown, "may": may, "net": NET, "now_ms": NOW_MS, "v": 1, **more}
        return {**named, "phase_id": f"1.{game.round}.{game.phase}"}


def site(hands: Sequence[Sequence[str]] = HANDS, line: Sequence[str] = LINE, **fields: Any) -> Game:
    """A turn in the third round of the goat as played on the site, four players."""
    given = {
        "hands": [list(hand) for hand in hands],
        "line": list(line),
        "boneyard": rest(*line, *(one for hand in hands for one in hand)),
        "active": 0,
        "account": [None, 23, 40, None],
        "memory": [7, 0, 0, 11],
        "round": 3,
        **fields,
    }
    return told(position("goat-online", 4, first=4, **given), Move("s4", "place", "2-4", "right"))


def two(hand: Sequence[str], line: Sequence[str], others: int, **fields: Any) -> Game:
    """A turn of two players with this hand, and so many bones in the other's."""
    free = rest(*hand, *line)
    given = {
        "hands": [list(hand), free[:others]],
        "line": list(line),
        "boneyard": free[others:],
        "active": 0,
        "round": 3,
        "account": [None, 31],
        **fields,
    }
    game = position("goat-125", 2, first=len(line) // 2, **given)
    return told(game, Move("s2", "place", written(line[-1]), "right"))


def drawn() -> Game:
    """Eighteen bones after a long draw, one of which fits both ends."""
    line = ("4-1", "1-0", "0-4")
    hand = [
        one
        for one in SET
        if one not in ("0-1", "1-4", "0-4", "0-0", "6-6", "5-6", "1-6", "0-6", "3-6", "4-4")
    ]
    return two(hand, line, 5)


def fished() -> Game:
    """A round of the site goat that a bone has just closed."""
    line = ["2-3", "3-6", "6-2", "2-0", "0-5", "5-2", "2-1", "1-4"]
    hands = [["2-4", "0-0"], ["2-2", "5-6"], ["6-6", "5-5", "4-6"], ["1-3"]]
    taken = [*line, *(one for hand in hands for one in hand)]
    game = position(
        "goat-online",
        4,
        hands=hands,
        line=line,
        boneyard=rest(*taken),
        active=0,
        account=[None, 23, 40, None],
        memory=[7, 0, 0, 11],
        round=3,
        first=3,
    )
    return after(game, ("s1", cmd.Place("2-4", "right")))


def gone_out() -> Game:
    """A round in pairs of the yard goat: somebody went out."""
    line = ["5-6", "6-3", "3-1"]
    hands = [["1-5"], ["0-6", "6-6", "3-4"], ["2-2", "4-4"], ["0-3", "1-2"]]
    game = position(
        "goat-yard",
        4,
        {"pairs": True},
        hands=hands,
        line=line,
        boneyard=[],
        active=0,
        account=[17, 84],
        round=5,
        first=1,
    )
    return after(game, ("s1", cmd.Place("1-5", "right")))


def over() -> Game:
    """The end of the site goat, with its rating."""
    line = ["5-6", "6-3", "3-1"]
    hands = [["1-5"], ["0-6", "6-6", "3-4"], ["2-2", "4-4"], ["0-3", "1-2"]]
    game = position(
        "goat-online",
        4,
        hands=hands,
        line=line,
        boneyard=rest(*line, *(one for hand in hands for one in hand)),
        active=0,
        account=[17, 84, 40, None],
        memory=[0, 0, 0, 9],
        round=9,
        first=1,
    )
    return after(game, ("s1", cmd.Place("1-5", "right")))


def sea(**fields: Any) -> Game:
    """A turn of the Sea Goat for two, in which two doubles fit."""
    line = ("4-3", "3-1")
    hand = ["1-1", "4-4", "0-2", "2-5", "3-6"]
    free = rest(*hand, *line)
    given = {
        "hands": [hand, free[1:6]],
        "line": list(line),
        "boneyard": [free[0], *free[6:]],
        "active": 0,
        "account": [33, None],
        "round": 4,
        **fields,
    }
    return told(position("sea-goat", 2, **given), Move("s2", "place", "1-3", "right"))


def staked() -> Game:
    """The Sea Goat before the first bone, with 6-6 in the hand of who opened first."""
    hand = ["0-1", "0-3", "1-4", "2-2", "3-5", "4-5", "6-6"]
    free = rest(*hand)
    return position(
        "sea-goat",
        2,
        hands=[hand, free[:7]],
        boneyard=free[7:],
        active=0,
        account=[33, None],
        round=4,
    )


def evening(shown: dict[str, Any], *won: int) -> dict[str, Any]:
    """The same after three games of the evening, of which each seat won so many."""
    seats = [
        {**seat, "played": 3, "won": games} for seat, games in zip(shown["seats"], won, strict=True)
    ]
    return {**shown, "seats": seats}


def away(shown: dict[str, Any], seat: int) -> dict[str, Any]:
    """The same while the phone of a seat, by its number, is not there."""
    seats = [{**each, "connected": n != seat} for n, each in enumerate(shown["seats"])]
    return {**shown, "seats": seats}


def choosing(shown: dict[str, Any]) -> dict[str, Any]:
    """The same for a host who may choose among games."""
    return {**shown, "games": ["estimation", "dominoes"]}


def crowded(shown: dict[str, Any]) -> dict[str, Any]:
    """The host's lobby with one person more than can play dominoes, after another game."""
    fifth = {**shown["seats"][1], "seat": "s5", "name": "Ivana", "mark": "diamond"}
    may = {**shown["may"], "start": False, "choose_game": True}
    more = {**shown, "seats": [*shown["seats"], fifth], "may": may}
    return evening(choosing(more), 2, 0, 1, 0, 0)


def locked(tables: Tables, who: int | None) -> dict[str, Any]:
    """A table that was started again in the middle of a round, and waits for a phone's key."""
    shown = tables.show(position("goat-online", 4), who, key_missing="f3a1", shuffle=None)
    return {**shown, "may": dict.fromkeys(shown["may"], False)}


def phones(tables: Tables) -> dict[str, dict[str, Any]]:
    """The states of phones, by name."""
    turn, both = site(), drawn()
    chosen = {"ui": {"drafts": {"bone": "3-5"}}}
    others = told(
        site(active=1), *(Move("s1", "place", "0-1", "left"), *(2 * [Move("s4", "draw")]))
    )
    hands = [
        ["0-1", "0-3", "0-4", "1-1", "4-6"],
        ["0-2", "2-3"],
        ["0-0", "1-2", "2-5"],
        ["5-5", "4-5", "0-6"],
    ]
    stuck = site(hands=hands, boneyard=["3-5", "2-6", "3-4"])
    knock = site(hands=hands, boneyard=[])
    first = position(
        "goat-online",
        4,
        hands=[list(SET[n:28:4]) for n in range(4)],
        round=1,
    )
    leads = int(first.active[1:]) - 1 if first.active else 0
    twenty_one = two(
        rest("4-1", "1-1", "1-0", "0-4", "0-0", "4-4", "4-6"), ("4-1", "1-1", "1-0"), 2
    )
    return {
        "turn": tables.show(turn, 0),
        "turn-chosen": tables.show(turn, 0, **chosen),
        "turn-first": tables.show(first, leads),
        "turn-both": tables.show(both, 0, ui={"drafts": {"bone": "4-5"}}),
        "turn-many": tables.show(twenty_one, 0),
        "turn-draw": tables.show(stuck, 0),
        "turn-knock": tables.show(knock, 0),
        "turn-two": tables.show(sea(), 0),
        "turn-stake": tables.show(staked(), 0),
        "others": tables.show(others, 0),
        "others-away": away(tables.show(others, 0), 1),
        "others-paused": tables.show(others, 0, paused_by="s1"),
        "fish": tables.show(fished(), 1),
        "out": tables.show(gone_out(), 0),
        "lost": tables.show(gone_out(), 1),
        "over": tables.show(over(), 0),
        "deal": tables.show(position("goat-online", 4), 0),
        "locked": locked(tables, 1),
        "over-evening": choosing(evening(tables.show(over(), 0), 2, 0, 1, 0)),
        "lobby": tables.lobby(4, 0, "goat-yard"),
        "lobby-five": crowded(tables.lobby(4, 0, "goat-yard")),
        "lobby-pairs": evening(tables.lobby(4, 1, "goat-yard", pairs=True), 2, 0, 1, 0),
        "rules-host": tables.lobby(4, 0, "goat-yard", ui={"local": {"sheet": "rules"}}),
        "rules": tables.show(turn, 1, ui={"local": {"sheet": "rules"}}),
        "how": tables.show(turn, 0, ui={"local": {"sheet": "how"}}),
    }


def _hosted(shown: dict[str, Any]) -> dict[str, Any]:
    return {**shown, "you": {**shown["you"], "host": True}}


def screens(tables: Tables) -> dict[str, dict[str, Any]]:
    """The states of table screens, by name."""
    one = site([["1-1", "2-2"], ["0-2"], ["3-4"], ["2-5", "5-5"]], ["3-1"])
    hands = [["2-5", "0-5"], ["0-2"], ["3-4"], ["5-5"]]
    twenty = site(hands, LONG)
    begun_game = position("goat-online", 4, hands=[list(SET[n::4]) for n in range(4)])
    shown = {
        "deal": position("goat-online", 4),
        "begin": begun_game,
        "one": told(changed(one, first=0), Move("s4", "place", "1-3")),
        "eight": site(),
        "twenty": told(changed(twenty, first=9), Move("s4", "place", "5-6", "right")),
        "two": drawn(),
        "fish": fished(),
        "whole": changed(fished(), line=tuple(closed_trail()), first=14),
        "out": gone_out(),
        "over": over(),
    }
    return {
        **{name: tables.show(game, None) for name, game in shown.items()},
        "locked": locked(tables, None),
        "paused": tables.show(site(), None, paused_by="s1"),
        "away": away(tables.show(site(active=1), None), 1),
        "over-evening": _hosted(choosing(evening(tables.show(over(), None), 2, 0, 1, 0))),
        "lobby": tables.lobby(4, None, "goat-yard"),
        "lobby-five": _hosted(crowded(tables.lobby(4, None, "goat-yard"))),
        "lobby-pairs": evening(tables.lobby(4, None, "goat-yard", pairs=True), 2, 0, 1, 0),
    }


def states() -> dict[str, dict[str, Any]]:
    """Every state, by the name of its file."""
    with TemporaryDirectory() as folder:
        tables = Tables(Path(folder))
        kinds = {"phone": phones(tables), "table": screens(tables)}
        return {
            f"{kind}-dominoes-{name}": shown
            for kind, named in kinds.items()
            for name, shown in named.items()
        }


if __name__ == "__main__":
    for name, shown in states().items():
        text = json.dumps(shown, indent=1, ensure_ascii=False) + "\n"
        (SNAPSHOTS / f"{name}.json").write_text(text, encoding="utf-8")
