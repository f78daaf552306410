"""Which game a table is opened for, as the command line says it."""

from argparse import Namespace
from collections.abc import Mapping, Sequence

from rig.games.interface import BadOption
from rig.games.registry import GAMES, not_among, play_of

Chosen = tuple[str, Mapping[str, object]]
"""A game by name, "" where nothing was said, and its options by name."""


def chosen(args: Namespace) -> Chosen:
    """Read `--game`, `--preset` and `--option`, and ask the game whether it can be played so.

    Raises:
        UnknownGame: no game has this name.
        BadOption: an option has no value, stands there twice, or the game does not have it so.
    """
    given = _options(args.option or ())
    if args.game and args.game not in GAMES:
        raise not_among(GAMES, args.game)
    rules = play_of(args.game or "").rules
    if args.preset is not None:
        if not rules.presets:
            raise BadOption(
                "--preset: this game has none; choose one that has, such as --game dominoes"
            )
        given["preset"] = args.preset
    rules.new(given)
    return args.game or "", given


def _options(words: Sequence[str]) -> dict[str, object]:
    """Read options given as NAME=VALUE.

    >>> _options(["limit=125", "pairs=true", "draw=none"])
    {'limit': 125, 'pairs': True, 'draw': 'none'}
    """
    given: dict[str, object] = {}
    for word in words:
        name, sign, value = word.partition("=")
        if not sign or not name:
            raise BadOption(f"--option: expected NAME=VALUE, not {word!r}")
        if name in given:
            raise BadOption(f"--option {name}: expected once")
        given[name] = _value(value)
    return given


def _value(text: str) -> object:
    if text in ("true", "false"):
        return text == "true"
    return int(text) if text.removeprefix("-").isdecimal() and text.isascii() else text
