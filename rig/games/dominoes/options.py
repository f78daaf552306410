"""The parameters of the family, and the presets: each description of a game is a bundle."""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from types import MappingProxyType
from typing import Any

from rig.games.dominoes.bones import SET
from rig.games.dominoes.terms import quoted
from rig.games.interface import BadOption

FEWEST, MOST = 2, 4
DEFAULT = "goat-online"
"""The preset of a table that chose none: the only complete description of the Goat."""
ALWAYS_IN_PAIRS = ("sea-goat",)
"""Presets that are for pairs whenever four play."""
WITH_STAKE = ("sea-goat",)
"""Presets with the stake on 6-6 and the bald goat."""
_SECONDS_MOST = 3600
_POINTS_MOST = 1000


def _choice(*values: str, presets: tuple[str, ...] = ()) -> Any:
    """Declare an option with these values, the default first, for all presets or for these."""
    return field(default=values[0], metadata={"choices": values, "presets": presets})


def _number(value: int, least: int, most: int) -> Any:
    """Declare an option that is a whole number of a range."""
    return field(default=value, metadata={"least": least, "most": most})


@dataclass(frozen=True, slots=True)
class Options:
    """The parameters of one table; a preset gives them all, and each may be set apart.

    `pairs` and `hand` are None where the preset and the number of players decide.

    Raises:
        BadOption: one has a value it cannot have, or two contradict each other.

    >>> Options.parse({"preset": "ru-classic", "limit": 150}).limit
    150
    """

    preset: str = DEFAULT
    pairs: bool | None = None
    hand: int | None = field(default=None, metadata={"least": 1, "most": len(SET) // FEWEST})
    redeal: str = _choice("none", "doubles", "doubles_or_six")
    lead_first: str = _choice("down", "up")
    no_double: str = _choice("highest", "lowest", "redeal")
    lead_next: str = _choice("search", "winner")
    draw: str = _choice("until", "one", "none")
    boneyard_floor: int = _number(0, 0, len(SET))
    multi_double: bool = False
    fish_test: str = _choice("no_moves", "six_out")
    dead_ends: str = _choice("draw", "immediate")
    who_scores: str = _choice("winner", "losers")
    double_weight: int = _number(1, 1, 2)
    blank_value: int = _number(0, 0, _POINTS_MOST)
    blank_when: str = _choice("any", "alone")
    six_value: int = _number(12, 0, _POINTS_MOST)
    six_when: str = _choice("any", "alone")
    blank_six_pair: int = _number(0, 0, _POINTS_MOST)
    fish_score: str = _choice("lowest", "sum_of_differences", "all", "one", "eggs", "difference")
    fish_tie: str = _choice("void", "carry")
    pair_fish: str = _choice("lowest", "sums")
    open_at: int = _number(0, 0, _POINTS_MOST)
    below_open: str = _choice("burnt", "remembered")
    limit: int = _number(100, 1, 100 * _POINTS_MOST)
    limit_means: str = _choice("win", "lose")
    rating: bool = False
    move_clock: int = _number(0, 0, _SECONDS_MOST)
    bald: str = _choice("game", "round", presets=WITH_STAKE)

    def __post_init__(self) -> None:
        for option in fields(self):
            _check(option.name, getattr(self, option.name), option.type, option.metadata)
        if self.preset not in BUNDLES:
            raise BadOption(
                f"preset: expected one of {', '.join(BUNDLES)}, not {quoted(self.preset)}"
            )
        scores = _FISH_SCORES[self.who_scores]
        if self.fish_score not in scores:
            raise BadOption(
                f"option fish_score: with who_scores={self.who_scores} expected one of "
                f"{', '.join(scores)}, not {self.fish_score!r}"
            )
        if self.pairs and 4 not in PLAYERS[self.preset]:
            raise BadOption(f"option pairs: {self.preset} is for two players, expected false")
        if self.pairs and self.fish_score in _FOR_SINGLES:
            raise BadOption(
                f"option fish_score: {self.fish_score} is for single players, "
                "expected another one or pairs=false"
            )
        if self.fish_tie == "carry" and self.who_scores == "losers":
            raise BadOption(
                "option fish_tie: carry is for who_scores=winner, expected void; where losers "
                "score, fish_score=one and fish_score=eggs carry a tie"
            )

    @classmethod
    def parse(cls, given: Mapping[str, object]) -> "Options":
        """Read options by name: `preset` first, then what is set apart from it.

        Raises:
            BadOption: a name is unknown, a value cannot be, or two contradict each other.
        """
        preset = given.get("preset", DEFAULT)
        if not isinstance(preset, str) or preset not in BUNDLES:
            raise BadOption(f"preset: expected one of {', '.join(BUNDLES)}, not {quoted(preset)}")
        known = [option.name for option in fields(cls)]
        for name in given:
            if name not in known:
                raise BadOption(
                    f"option {quoted(name)} is not known, expected one of {', '.join(known)}"
                )
        values = {**BUNDLES[preset], **given}
        if values.get("lead_first") == "up0last":  # the site's own name of the same order
            values["lead_first"] = "up"
        values.pop("preset", None)
        return cls(preset=preset, **values)  # type: ignore[arg-type]

    def for_players(self, players: int) -> None:
        """Check that so many can play by these options.

        Raises:
            BadOption: they cannot.
        """
        allowed = PLAYERS[self.preset]
        if players not in allowed:
            words = " or ".join(map(str, allowed))
            raise BadOption(f"seats: {self.preset} is for {words} players, not {players}")
        if self.pairs and players != 4:
            raise BadOption(
                f"option pairs: expected false, pairs are for four players and not for {players}"
            )
        if self.pairs is False and players == 4 and self.preset in ALWAYS_IN_PAIRS:
            raise BadOption(f"option pairs: four players of {self.preset} are pairs, expected true")
        if self.fish_score == "difference" and players != 2:
            raise BadOption(
                f"option fish_score: difference is for two players, not {players}; expected "
                f"one of {', '.join(_FISH_SCORES[self.who_scores][:-1])}"
            )
        if self.in_pairs(players) and self.fish_score in _FOR_SINGLES:
            raise BadOption(
                f"option fish_score: {self.fish_score} is for single players and these are pairs, "
                f"expected {' or '.join(_for_pairs(self.who_scores))}"
            )
        if self.hand_of(players) * players > len(SET):
            raise BadOption(
                f"option hand: expected at most {len(SET) // players} for {players} players, "
                f"not {self.hand}"
            )

    def in_pairs(self, players: int) -> bool:
        """Whether so many play in pairs."""
        always = self.pairs is None and self.preset in ALWAYS_IN_PAIRS
        return players == 4 and (bool(self.pairs) or always)

    def hand_of(self, players: int) -> int:
        """How many bones each of so many players is dealt."""
        return HANDS[self.preset][players] if self.hand is None else self.hand

    @property
    def has_stake(self) -> bool:
        """Whether 6-6 can be staked, and going out with it or with 0-0 decides the game."""
        return self.preset in WITH_STAKE


def _check(name: str, value: object, kind: object, said: Mapping[str, Any]) -> None:
    if choices := said.get("choices"):
        if value not in choices or not isinstance(value, str):
            raise BadOption(
                f"option {name}: expected one of {', '.join(choices)}, not {quoted(value)}"
            )
    elif "least" in said:
        if value is None and kind == (int | None):
            return
        if type(value) is not int or not said["least"] <= value <= said["most"]:
            raise BadOption(
                f"option {name}: expected a whole number of {said['least']} to {said['most']}, "
                f"not {quoted(value)}"
            )
    elif (
        name != "preset" and not isinstance(value, bool) and not (name == "pairs" and value is None)
    ):
        raise BadOption(f"option {name}: expected true or false, not {quoted(value)}")


def _can_be(kind: object, said: Mapping[str, Any]) -> Mapping[str, object]:
    if choices := said.get("choices"):
        presets = said["presets"]
        return {"values": choices, **({"presets": presets} if presets else {})}
    if "least" in said:
        return dict(said)
    return {"values": (None, False, True) if kind == (bool | None) else (False, True)}


CHOICES: Mapping[str, Mapping[str, object]] = MappingProxyType(
    {o.name: _can_be(o.type, o.metadata) for o in fields(Options) if o.name != "preset"}
)
"""What each option can be; None leaves it to preset and number of players.

One that means something in some presets only names them.
"""

_FISH_SCORES: Mapping[str, tuple[str, ...]] = {
    "winner": ("lowest", "sum_of_differences"),
    "losers": ("all", "one", "eggs", "difference"),
}
_FOR_SINGLES = ("sum_of_differences", "one", "difference")


def _for_pairs(who_scores: str) -> tuple[str, ...]:
    return tuple(score for score in _FISH_SCORES[who_scores] if score not in _FOR_SINGLES)


_SEVEN = {2: 7, 3: 7, 4: 7}
HANDS: dict[str, Mapping[int, int]] = {
    "bg-standard": {2: 7, 3: 6, 4: 5},
    "ru-classic": {2: 7, 3: 5, 4: 5},
    "doubles-2p": {2: 7},
    "goat-yard": _SEVEN,
    "goat-online": _SEVEN,
    "goat-online/all": _SEVEN,
    "goat-online/one": _SEVEN,
    "goat-125": {2: 7, 3: 5, 4: 5},
    "goat-2p": {2: 7},
    "sea-goat": {2: 7, 4: 7},
}
"""Bones that each player is dealt, by preset and number of players."""
PLAYERS: Mapping[str, tuple[int, ...]] = {name: tuple(hands) for name, hands in HANDS.items()}
"""How many can play, by preset."""

_WINNER: dict[str, object] = {
    "who_scores": "winner",
    "fish_score": "lowest",
    "limit": 100,
    "limit_means": "win",
}
_FOR_TWO: dict[str, object] = {
    "who_scores": "losers",
    "blank_value": 25,
    "blank_when": "alone",
    "six_value": 50,
    "fish_score": "difference",
    "limit": 101,
    "limit_means": "lose",
}
_GOAT: dict[str, object] = {
    "lead_first": "up",
    "lead_next": "winner",
    "who_scores": "losers",
    "fish_score": "all",
    "open_at": 13,
    "limit": 101,
    "limit_means": "lose",
}
_ONLINE: dict[str, object] = {
    **_GOAT,
    "redeal": "doubles_or_six",
    "fish_test": "six_out",
    "blank_value": 10,
    "blank_when": "alone",
    "below_open": "remembered",
    "rating": True,
}
BUNDLES: Mapping[str, Mapping[str, object]] = MappingProxyType(
    {
        "bg-standard": {**_WINNER, "double_weight": 2},
        "ru-classic": {**_WINNER, "blank_value": 25},
        "doubles-2p": {**_FOR_TWO, "draw": "one"},
        "goat-yard": {**_GOAT, "redeal": "doubles"},
        "goat-online": _ONLINE,
        "goat-online/all": _ONLINE,
        "goat-online/one": {**_ONLINE, "fish_score": "one"},
        "goat-125": {
            **_GOAT,
            "lead_first": "down",
            "boneyard_floor": 1,
            "blank_value": 25,
            "fish_score": "eggs",
            "open_at": 25,
            "limit": 125,
        },
        "goat-2p": {**_FOR_TWO, "lead_first": "up", "no_double": "lowest"},
        "sea-goat": {
            **_WINNER,
            "lead_first": "up",
            "lead_next": "winner",
            "multi_double": True,
            "blank_value": 25,
            "blank_when": "alone",
            "six_value": 50,
            "six_when": "alone",
            "blank_six_pair": 75,
            "fish_tie": "carry",
            "open_at": 25,
            "limit": 125,
        },
    }
)
"""Every preset, with what it sets apart from the defaults."""
_SECOND_NAMES = ("goat-online/all",)
OFFERED: Mapping[str, Mapping[str, object]] = MappingProxyType(
    {name: BUNDLES[name] for name in BUNDLES if name not in _SECOND_NAMES}
)
"""Those that a table chooses from: each game once, under its first name."""
