"""Who sits where: the commands of the lobby, decided without clock or chance."""

import unicodedata
from collections.abc import Mapping
from typing import Any

from rig.errors import NotPossible
from rig.games.interface import Data, Rules
from rig.session.events import Readied, Renamed, Seated, SeatEmptied, SeatMoved
from rig.session.state import Player, Table, marks

BOT_NAMES = (
    *("Ada", "Bruno", "Cleo", "Dario", "Edda", "Falk", "Greta", "Hugo"),
    *("Ida", "Jonas", "Karla"),
)
_COUNTED = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def clean_name(name: object, table: Table, seat: str | None = None) -> str:
    """Give a name as it may be shown.

    Raises:
        NotPossible: empty, longer than 20 characters, with marks that nobody sees, or a name that
            somebody has or that looks like it.

    >>> clean_name("  Mira ", Table())
    'Mira'
    """
    if not isinstance(name, str):
        raise NotPossible("name_bad", "A name is a text of 1 to 20 characters.")
    text = " ".join(unicodedata.normalize("NFC", name).split())
    if not 1 <= letters(text) <= LONGEST_NAME or len(text) > 2 * LONGEST_NAME:
        raise NotPossible("name_bad", "A name has 1 to 20 characters.")
    if not all(is_shown(c) or c == JOINER for c in text):
        raise NotPossible("name_bad", "A name has letters, digits and signs, nothing invisible.")
    for other in (p.name for p in table.players if p.seat != seat):
        if other.casefold() == text.casefold():
            raise NotPossible("name_taken", f"Somebody at the table is already called {text}.")
        if look_alike(other, text):
            raise NotPossible("name_alike", f"{text} looks like {other}, who sits here already.")
    return text


def sit(
    table: Table, rules: Rules[Any, Any, Any], device: str | None, command: Mapping[str, Any]
) -> tuple[Data, ...]:
    """Take a free seat, before the game or after it; `device` is None for one without a phone."""
    if table.by_device(device):
        raise NotPossible("seated", "You already have a seat.")
    name = clean_name(command.get("name"), table)
    mark = command.get("mark")
    if mark not in marks(rules.most):
        raise NotPossible("mark_bad", f"A mark is one of {', '.join(marks(rules.most))}.")
    if mark not in table.free_marks(rules.most):
        raise NotPossible("mark_taken", "Somebody took this mark a moment ago; choose another.")
    return (Seated(_free_seat(table, rules.most), name, mark, device),)


def add_bot(table: Table, rules: Rules[Any, Any, Any]) -> tuple[Data, ...]:
    """Fill a seat with a bot."""
    seat = _free_seat(table, rules.most)
    taken = {p.name.casefold() for p in table.players}
    name = next(n for n in BOT_NAMES if n.casefold() not in taken)
    return (Seated(seat, name, table.free_marks(rules.most)[0], None, bot=True),)


def rename(table: Table, player: Player, command: Mapping[str, Any]) -> tuple[Data, ...]:
    """Call oneself something else."""
    return (Renamed(player.seat, clean_name(command.get("name"), table, player.seat)),)


def ready(player: Player, command: Mapping[str, Any]) -> tuple[Data, ...]:
    """Say that one is ready, or not yet."""
    on = command.get("on", True)
    if not isinstance(on, bool):
        raise NotPossible("bad_command", "ready takes on: true or false.")
    return (Readied(player.seat, on),)


def leave(table: Table, seat: str) -> tuple[Data, ...]:
    """Empty a seat before the game, or after it."""
    if table.player(seat) is None:
        raise NotPossible("no_seat", "Nobody sits there.")
    return (SeatEmptied(seat),)


def move(table: Table, command: Mapping[str, Any]) -> tuple[Data, ...]:
    """Put a seat elsewhere in the order round the table, before the game."""
    _lobby(table)
    seat, to = command.get("seat"), command.get("to")
    if table.player(seat if isinstance(seat, str) else None) is None:
        raise NotPossible("no_seat", "Nobody sits there.")
    if type(to) is not int or not 0 <= to < len(table.players):
        raise NotPossible("bad_command", "move_seat takes to: a place in the order, from 0.")
    return (SeatMoved(str(seat), to),)


def _lobby(table: Table) -> None:
    if not table.in_lobby:
        raise NotPossible("running", "The game is running: join the next one.")


def _free_seat(table: Table, most: int) -> str:
    if not table.is_over:
        _lobby(table)
    if not table.has_room(most):
        raise NotPossible(
            "full", f"The table is full: {_COUNTED[most - 2]} can play. You can watch."
        )
    taken = {p.seat for p in table.players}
    if table.is_over and table.started is not None:
        # A seat of the game that is over keeps its name there, whoever has left it.
        taken |= {p.seat for p in table.started.players}
    return next(f"s{n}" for n in range(1, 2 * most + 1) if f"s{n}" not in taken)


_SHAPES = {
    **dict(zip("АВЕКМНОРСТУХІЈЅаеорсухіјѕԁһԛԝ", "abekmhopctyxijsaeopcyxijsdhqw", strict=True)),
    **dict(zip("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧαονριυχ", "abezhlkmnoptyxaovpiux", strict=True)),
    **dict(zip("ıɩɪȷɑɡᴀʙᴄᴅᴇɢʜᴊᴋʟᴍɴᴏᴘʀꜱᴛᴜᴠᴡʏᴢ", "iiijagabcdeghjklmnoprstuvwyz", strict=True)),
    **dict(zip("ꓐꓑꓓꓔꓖꓗꓙꓚꓜꓝꓟꓠꓡꓢꓣꓦꓧꓪꓫꓬꓮꓰꓲꓳꓴ", "bpdtgkjczfmnlsrvhwxyaelou", strict=True)),
    **dict(zip("0O1I|ǀ", "oollll", strict=True)),
    "І": "l",
}
"""What a letter looks like, as a lower-case Latin one; capitals as they look beside capitals."""

JOINER = "\u200d"
"""Holds the parts of some emoji together."""

LONGEST_NAME = 20
"""Letters of the longest name, as people count them; it has at most twice as many characters."""

_SKINS = range(0x1F3FB, 0x1F400)
"""Skin colours: each one colours the emoji before it."""

_SHAPELESS = frozenset({"Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp"})
"""What Unicode calls controls, formats, surrogates, and what is nobody's or not assigned."""

_BLANK = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0\U00016fe4\U0001d159")
"""Characters that count as letters, marks or signs and show nothing."""

_UNSEEN = frozenset(map(chr, (*range(0x180B, 0x1810), *range(0xFE00, 0xFE10))))

_UNSEEN_TAGS = range(0xE0100, 0xE01F0)
"""Variation selectors: they choose how the sign before them is drawn."""


_EMOJI_TO_COME = (range(0x1F680, 0x1F700), range(0x1F7E0, 0x1F800), range(0x1FA70, 0x1FB00))
"""Where Unicode puts new emoji."""

_BESIDE_LATIN = frozenset({"CJK", "HIRAGANA", "KATAKANA", "HANGUL", "BOPOMOFO"})
"""Scripts that honest names mix with others, and whose letters look like none of them."""


def is_shown(char: str) -> bool:
    r"""Whether fonts and files can show a character; emoji newer than this Python count as shown.

    >>> is_shown("a"), is_shown("\u3164"), is_shown("\u202e"), is_shown("\uffff")
    (True, False, False, False)
    """
    if any(ord(char) in block for block in _EMOJI_TO_COME):
        return True
    return char not in _BLANK and unicodedata.category(char) not in _SHAPELESS


def letters(name: str) -> int:
    r"""Count the letters of a name as people do: an emoji is one, whatever is joined into it.

    >>> letters("Ми\u0301ра"), letters("👩\u200d👩\u200d👧"), letters("a\u200db")
    (4, 1, 2)
    """
    count, before = 0, ""
    for char in name:
        part = char == JOINER or unicodedata.category(char) in ("Mn", "Me")
        joined = before == JOINER and _is_emoji(char)
        coloured = ord(char) in _SKINS and _is_emoji(before) and ord(before) not in _SKINS
        count += not (part or joined or coloured)
        before = char
    return count


def _is_emoji(char: str) -> bool:
    return char != "" and (ord(char) >= 0x1F000 or unicodedata.category(char) == "So")


def look_alike(one: str, other: str) -> bool:
    """Whether two names look the same on a screen.

    Names are compared without case and without invisible characters, character by character: two
    look the same if they are equal or `_SHAPES` gives them one shape.

    `_SHAPES` does not know every letter, so there is a second rule. If two names share a script and
    one also has letters of a script that the other lacks, each such letter counts as looking like
    any letter at its place in the other name. In the last example both names have Latin letters and
    one has a Cherokee letter, which counts as looking like the A.

    >>> look_alike("Ana", "Аnа"), look_alike("Ana", "Anna"), look_alike("Ana", "Ꭺna")
    (True, False, True)
    """
    if one.casefold() == other.casefold():
        return True
    seen, others = _seen(one), _seen(other)
    scripts, theirs = set(map(_script, seen)) - {""}, set(map(_script, others)) - {""}
    foreign = scripts ^ theirs if scripts & theirs else set()

    def alike(char: str, its: str) -> bool:
        both = {_script(char), _script(its)}
        return _shape(char) == _shape(its) or ("" not in both and bool(both & foreign))

    return len(seen) == len(others) and all(map(alike, seen, others))


def _seen(name: str) -> list[str]:
    return [char for char in unicodedata.normalize("NFKC", name) if not _is_unseen(char)]


def _shape(char: str) -> str:
    return _SHAPES.get(char, char.casefold())


def _script(char: str) -> str:
    """The script of a letter, by the first word of its name; "" for what may stand in any."""
    is_letter = unicodedata.category(char) in ("Lu", "Ll", "Lt", "Lo")
    script = unicodedata.name(char, "").partition(" ")[0] if is_letter else ""
    return "" if script in _BESIDE_LATIN else script


def _is_unseen(char: str) -> bool:
    return char in _UNSEEN or ord(char) in _UNSEEN_TAGS or not is_shown(char) or char.isspace()
