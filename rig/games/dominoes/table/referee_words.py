"""The words in which a program plays dominoes with the referee: plain JSON, seats by number.

Section 13 of the rules names every field. Sides (`account`, `memory`, `winners`, `losers`) are
players, or pairs: 0 is seats 0 and 2.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import reduce
from typing import Any

from rig.errors import RigError
from rig.games.dominoes import commands as cmd
from rig.games.dominoes import events as ev
from rig.games.dominoes.bones import HALVES, Bone, Laid, NoBone, bone
from rig.games.dominoes.decide import decide, led
from rig.games.dominoes.evolve import evolve
from rig.games.dominoes.game import Game, Known, Phase, changed
from rig.games.dominoes.options import FEWEST, MOST, Options
from rig.games.dominoes.terms import quoted
from rig.games.interface import HOST, REFEREE, BadOption, Seat

_PHASES = {
    Phase.DEAL: "deal",
    Phase.ROUND_END: "deal",
    Phase.LEAD: "lead",
    Phase.TURN: "turn",
    Phase.GAME_OVER: "over",
}
_POSITION = (
    *("hands", "boneyard", "line", "active", "account", "memory", "carry", "round", "opener"),
)
_MOST = 1_000_000
"""No account and no round of a position is greater: far beyond any limit that can be played to."""


class BadWords(RigError):
    """Some words name no command, no match or no position that can be.

    Attributes:
        reason: a key for programs.
    """

    def __init__(self, reason: str, message: str) -> None:
        super().__init__(message)
        self.reason = reason


def begun(given: object) -> tuple[Game, list[dict[str, Any]]]:
    """A match as `new` describes it, with what follows from its position.

    Raises:
        BadWords: a field, an option or the position cannot be.
    """
    fields = _fields(given, "new", ("preset", "options", "seats", "position"))
    options = fields.get("options", {})
    if not isinstance(options, dict):
        raise BadWords("bad_option", f"options: expected an object, not {quoted(options)}")
    if "preset" in options:
        raise BadWords("bad_option", "options: the preset stands beside the options, not in them")
    preset = {"preset": fields["preset"]} if "preset" in fields else {}
    seats = _number(fields.get("seats"), "seats", FEWEST, MOST)
    try:
        rules = Options.parse({**preset, **options})
        rules.for_players(seats)
    except BadOption as error:
        raise BadWords("bad_option", str(error)) from None
    start = cmd.Start(tuple(f"s{n + 1}" for n in range(seats)))
    game = _after(Game(rules), decide(Game(rules), HOST, start))
    position = fields.get("position")
    return (game, []) if position is None else _placed(game, position)


def command(game: Game, given: object) -> tuple[str, cmd.Command]:
    """Who asks for what.

    Raises:
        BadWords: there is no such command or seat, or a field cannot be.
    """
    kind = given.get("type") if isinstance(given, dict) else None
    if not isinstance(kind, str) or kind not in _FIELDS:
        raise BadWords(
            "bad_command", f"type: expected one of {', '.join(_FIELDS)}, not {quoted(kind)}"
        )
    fields = _fields(given, kind, ("actor", "type", *_FIELDS[kind]))
    actor = fields.get("actor")
    if kind in ("deal", "timeout"):
        if actor != REFEREE:
            raise BadWords("bad_command", f"actor: {kind} is for the referee, not {quoted(actor)}")
        if kind == "deal":
            return REFEREE, cmd.Deal(_numbers(fields.get("order"), "order"))
        return REFEREE, cmd.Timeout(_seat(game, fields.get("seat"), "seat"))
    seat = _seat(game, actor, "actor")
    match kind:
        case "place":
            end = fields.get("end")
            if end not in (None, "left", "right"):
                raise BadWords("bad_end", f'end: expected "left" or "right", not {quoted(end)}')
            return seat, cmd.Place(_bone(fields.get("tile"), "tile"), end)
        case "place2":
            tiles = _list(fields.get("tiles"), "tiles")
            ends = _list(fields.get("ends"), "ends")
            if not all(isinstance(end, str) for end in ends):
                raise BadWords("bad_end", 'ends: expected ["left", "right"] or the reverse')
            return seat, cmd.PlaceTwo(
                tuple(_bone(tile, f"tiles[{n}]") for n, tile in enumerate(tiles)), tuple(ends)
            )
        case "draw":
            return seat, cmd.DrawBone()
        case "pass":
            return seat, cmd.Pass()
        case _:
            return seat, cmd.Stake()


def done(game: Game, actor: str, asked: cmd.Command) -> tuple[Game, list[dict[str, Any]]]:
    """The match after a command, with all that happened; the next round is gone on to at once.

    Raises:
        Refused: the rules do not allow it.
    """
    events = decide(game, actor, asked)
    after = _after(game, events)
    if after.phase is Phase.ROUND_END:
        more = decide(after, REFEREE, cmd.NextRound())
        events, after = (*events, *more), _after(after, more)
    return after, [told for event in events if (told := event_words(game, event))]


def command_words(game: Game, seat: Seat, asked: cmd.Command) -> dict[str, Any]:
    """A seat's command as `command` reads it."""
    actor = game.seats.index(seat)
    match asked:
        case cmd.Place(tile, end):
            return {"actor": actor, "type": "place", "tile": tile} | ({"end": end} if end else {})
        case cmd.PlaceTwo(tiles, ends):
            return {"actor": actor, "type": "place2", "tiles": [*tiles], "ends": [*ends]}
        case cmd.DrawBone():
            return {"actor": actor, "type": "draw"}
        case cmd.Pass():
            return {"actor": actor, "type": "pass"}
        case cmd.Stake():
            return {"actor": actor, "type": "stake"}
        case _:
            raise ValueError(f"{asked!r} is no command of a seat")


def event_words(game: Game, event: ev.Event) -> dict[str, Any]:
    """What happened, JSON-ready; empty for what nobody has to be told."""
    number = game.seats.index
    match event:
        case ev.HandDealt(seat, bones):
            return {"type": "hand", "seat": number(seat), "tiles": list(bones)}
        case ev.BoneyardLaid(count):
            return {"type": "boneyard", "count": count}
        case ev.RedealOrdered():
            return {"type": "redeal"}
        case ev.LeadGiven(seat, _, forced):
            return {"type": "lead", "seat": number(seat), "tile": forced}
        case ev.StakeClaimed(seat):
            return {"type": "stake", "seat": number(seat)}
        case ev.BonePlaced(seat, one, end):
            return {"type": "place", "seat": number(seat), "tile": one, "end": end or None}
        case ev.BoneDrawn(seat, one):
            return {"type": "draw", "seat": number(seat), "tile": one}
        case ev.Knocked(seat):
            return {"type": "pass", "seat": number(seat)}
        case ev.TurnBegan(seat):
            return {"type": "turn", "seat": number(seat)}
        case ev.RoundEnded(result):
            return {
                "type": "round",
                "how": result.how.value,
                "seat": number(result.seat),
                "pips": [result.pips[seat] for seat in game.seats],
                "credited": list(result.credited),
                "account": list(event.account),
                "memory": list(event.memory),
                "carry": event.carry,
            }
        case ev.RoundBegan(coming):
            return {"type": "next", "round": coming}
        case ev.TimedOut(seat):
            return {"type": "timeout", "seat": number(seat)}
        case ev.GameEnded(winners, losers, rating):
            return {
                "type": "game",
                "winners": list(winners),
                "losers": list(losers),
                "rating": list(rating),
            }
        case _:
            return {}


def seen(game: Game, viewer: object) -> dict[str, Any]:
    """What a seat sees, or with None the table.

    Raises:
        BadWords: there is no such seat.
    """
    seat = None if viewer is None else _seat(game, viewer, "view")
    return {
        "phase": _PHASES[game.phase],
        "active": None if game.active is None else game.seats.index(game.active),
        "hand": list(game.hands.get(seat, ())) if seat else [],
        "sizes": [len(game.hands.get(each, ())) for each in game.seats],
        "boneyard": len(game.boneyard),
        "line": list(game.line),
        "ends": list(game.ends),
        "account": list(game.account),
        "memory": list(game.memory),
        "carry": game.carry,
        "round": game.round,
    }


_FIELDS: Mapping[str, tuple[str, ...]] = {
    "deal": ("order",),
    "place": ("tile", "end"),
    "place2": ("tiles", "ends"),
    "draw": (),
    "pass": (),
    "stake": (),
    "timeout": ("seat",),
}


def _placed(game: Game, given: object) -> tuple[Game, list[dict[str, Any]]]:
    """A match in the middle, as a puzzle or a test wants it."""
    fields = _fields(given, "position", _POSITION)
    sides = len(game.sides)
    line = tuple(_line(fields.get("line", [])))
    hands = {
        seat: tuple(_bone(one, f"position.hands[{n}]") for one in hand)
        for n, (seat, hand) in enumerate(
            zip(game.seats, _hands(fields, len(game.seats)), strict=True)
        )
    }
    boneyard = tuple(
        _bone(one, "position.boneyard")
        for one in _list(fields.get("boneyard", []), "position.boneyard")
    )
    lying = [one if one in HALVES else one[::-1] for one in line]
    _once([*lying, *boneyard, *(one for hand in hands.values() for one in hand)])
    active = None
    if fields.get("active") is not None:
        active = _seat(game, fields["active"], "position.active")
    account = _scores(fields.get("account", list(game.account)), "account", sides, may_be_none=True)
    opened = [side for side, score in enumerate(account) if score is not None]
    opener = opened[0] if len(opened) == 1 else None
    if fields.get("opener") is not None:
        opener = _number(fields["opener"], "position.opener", 0, sides - 1)
    game = changed(
        game,
        account=account,
        memory=tuple(
            score or 0
            for score in _scores(fields.get("memory", list(game.memory)), "memory", sides)
        ),
        carry=_number(fields.get("carry", 0), "position.carry", 0),
        round=_number(fields.get("round", 1), "position.round", 1),
        opener=opener,
        leader=active,
    )
    if "hands" in fields and not all(hands.values()):
        empty = next(n for n, seat in enumerate(game.seats) if not hands[seat])
        raise BadWords(
            "bad_position",
            f"position.hands[{empty}]: expected a tile or more, a seat without one has gone out",
        )
    if "hands" not in fields:
        if line or boneyard:
            raise BadWords("bad_position", "position.hands: expected a list of tiles for each seat")
        return game, []
    game = changed(
        game,
        hands=hands,
        boneyard=boneyard,
        line=line,
        held={seat: (Known(len(hand)),) for seat, hand in hands.items()},
    )
    if line:
        if active is None:
            raise BadWords("bad_position", "position.active: expected the seat whose turn it is")
        return changed(game, phase=Phase.TURN, active=active, placer=game.before(active)), []
    events = led(game)
    return _after(game, events), [event_words(game, event) for event in events]


def _hands(fields: Mapping[str, Any], seats: int) -> Sequence[Sequence[object]]:
    given = fields.get("hands", [[]] * seats)
    if not isinstance(given, list) or len(given) != seats:
        raise BadWords("bad_position", f"position.hands: expected a list for each of {seats} seats")
    return [_list(hand, f"position.hands[{n}]") for n, hand in enumerate(given)]


def _line(given: object) -> Iterable[Laid]:
    before = ""
    for n, one in enumerate(_list(given, "position.line")):
        _bone(one, f"position.line[{n}]")
        if before and before[2] != one[0]:
            raise BadWords(
                "bad_position",
                f"position.line: expected touching halves to be equal, not {before} beside {one}",
            )
        before = one
        yield one


def _once(bones: Sequence[Bone]) -> None:
    twice = sorted({one for one in bones if bones.count(one) > 1})
    if twice:
        raise BadWords(
            "bad_position", f"position: expected each tile once, {twice[0]} is there twice"
        )


def _scores(
    given: object, name: str, sides: int, may_be_none: bool = False
) -> tuple[int | None, ...]:
    if not isinstance(given, list) or len(given) != sides:
        raise BadWords("bad_position", f"position.{name}: expected a list of {sides} numbers")
    return tuple(
        None if score is None and may_be_none else _number(score, f"position.{name}[{n}]", 0)
        for n, score in enumerate(given)
    )


def _after(game: Game, events: Iterable[ev.Event]) -> Game:
    return reduce(evolve, events, game)


def _fields(given: object, where: str, known: Sequence[str]) -> dict[str, Any]:
    if not isinstance(given, dict):
        raise BadWords("bad_command", f"{where}: expected an object, not {quoted(given)}")
    for name in given:
        if name not in known:
            raise BadWords(
                "bad_command", f"{where}: there is no field {quoted(name)}, only {', '.join(known)}"
            )
    return given


def _number(given: object, name: str, least: int, most: int = _MOST) -> int:
    if type(given) is not int or not least <= given <= most:
        raise BadWords(
            "bad_number",
            f"{name}: expected a whole number of {least} to {most}, not {quoted(given)}",
        )
    return given


def _numbers(given: object, name: str) -> tuple[int, ...]:
    return tuple(_number(one, f"{name}[{n}]", 0) for n, one in enumerate(_list(given, name)))


def _list(given: object, name: str) -> list[Any]:
    if not isinstance(given, list):
        raise BadWords("bad_command", f"{name}: expected a list, not {quoted(given)}")
    return given


def _seat(game: Game, given: object, name: str) -> Seat:
    if type(given) is not int or not 0 <= given < len(game.seats):
        raise BadWords(
            "bad_seat",
            f"{name}: expected a seat of 0 to {len(game.seats) - 1}, not {quoted(given)}",
        )
    return game.seats[given]


def _bone(given: object, name: str) -> Bone:
    try:
        return bone(given)
    except NoBone as error:
        raise BadWords("bad_tile", f"{name}: {error}") from None
