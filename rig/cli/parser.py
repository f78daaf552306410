"""Every command, option and example of `domino-rig`. Loads nothing slow.

Help, typing errors and completion need only this file. Each command names the module that does its
work; `main` loads it when the command runs.
"""

import argparse
import sys
from collections.abc import Callable, Iterable, Sequence
from itertools import chain
from pathlib import Path
from textwrap import fill
from typing import Any, Final, NoReturn

PAPERS: Final = ("A4", "A3", "letter")
SHEETS: Final = ("mat", "marks", "charuco", "pusher-tag")
STRENGTHS: Final = ("weak", "medium", "strong")
SHELLS: Final = ("bash", "zsh", "fish")
PORTS: Final = (0, 65535)
TABLES: Final = (1, 300)
BOTS: Final = (0, 5)
FALLS: Final = 12
"""Most copies of a row that `predict` and `reference` let fall."""
EPOCHS: Final = 20
SHAPES: Final = ("line", "arc", "spiral", "zigzag", "wave", "player")
SAMPLES: Final = ("grid", "latin", "sobol")
MOST_ROWS: Final = 1_000_000
PARAMETERS: Final = (
    *("gap", "turn", "offset", "count", "friction", "table-friction", "stroke", "speed"),
    *("push-height", "length", "width", "thickness", "noise"),
)
STANDARD_SHARE: Final = 0.4
DRAWN_TILES: Final = (1, 11)
DRAWN_WIDTHS: Final = (0.42, 0.58)
PICTURE_PX: Final = (1920, 1080)
RULER_MM: Final = 100.0
STANDOFF_MM: Final = 2.0
# These constants belong to modules too slow to load for --help; a test checks that they are equal.

_WIDTH: Final = 80


class Parser(argparse.ArgumentParser):
    """Reports a wrong argument in one line, with the nearest known word."""

    def __init__(
        self,
        prog: str | None = None,
        *,
        description: str,
        examples: Iterable[str],
        add_help: bool = True,
    ) -> None:
        lines = "\n".join(f"  domino-rig {example}" for example in examples)
        super().__init__(
            prog,
            description=fill(description, _WIDTH),
            epilog=f"examples:\n{lines}",
            formatter_class=argparse.RawDescriptionHelpFormatter,
            add_help=add_help,
        )

    def error(self, message: str) -> NoReturn:
        print(f"{self.prog}: {message}; see {self.prog} --help", file=sys.stderr)
        raise SystemExit(2)

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Refuse an unknown option first: it may be why something else is missing."""
        words = list(sys.argv[1:] if args is None else args)
        has_commands = any(action.nargs == argparse.PARSER for action in self._actions)
        for word in words[: words.index("--")] if "--" in words else words:
            name = word.partition("=")[0]
            if has_commands and not word.startswith("-"):
                break
            if not name.startswith("--") or name == "--" or " " in word:
                continue
            if not any(known.startswith(name) for known in self._option_string_actions):
                self.error(f"there is no option {name}{nearest(name, self._option_string_actions)}")
        found, rest = super().parse_known_args(words, namespace)
        if rest and not has_commands:  # else the first parser says so, whose help does not help
            self.error(f"unrecognized arguments: {' '.join(rest)}")
        return found, rest

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        if action.choices is None or value in action.choices:
            return
        names = [str(choice) for choice in action.choices]
        what = action.option_strings[0] if action.option_strings else action.metavar or action.dest
        meant = nearest(str(value), names) or f", only {', '.join(names)}"
        self.error(f"{what}: there is no {value}{meant}")


def nearest(word: str, known: Iterable[str]) -> str:
    """Suggest the known word that looks most like this one, if any does.

    >>> nearest("dmeo", ["demo", "doctor"]), nearest("fly", ["demo", "doctor"])
    (', do you mean demo?', '')
    """
    from difflib import get_close_matches

    found = get_close_matches(word, list(known), n=1)
    return f", do you mean {found[0]}?" if found else ""


class _Version(argparse.Action):
    """Prints the version, read from the name of the installed distribution's folder.

    `importlib.metadata` would load a whole mail parser, which takes longer than the rest of --help.
    """

    def __init__(self, option_strings: Sequence[str], dest: str) -> None:
        super().__init__(option_strings, argparse.SUPPRESS, nargs=0, help="print the version")

    def __call__(self, parser: argparse.ArgumentParser, *_: Any) -> None:
        installed = (Path(place).glob("domino_rig-*.dist-info") for place in sys.path)
        folder = next(chain.from_iterable(installed), None)
        print(folder.stem.partition("-")[2] if folder else "not installed")
        parser.exit()


def build() -> Parser:
    """Make the parser of all commands; `run` in the parsed arguments names MODULE:FUNCTION."""
    parser = Parser(
        prog="domino-rig",
        description="The machine for the game Estimation Domino: camera, prediction, pusher, and a "
        "referee on everybody's phone.",
        examples=["play", "demo --seed 1", "doctor"],
    )
    parser.add_argument("--version", action=_Version)
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", parser_class=Parser)
    for name, add in COMMANDS.items():
        add(commands, name)
    return parser


def _command(commands: Any, name: str, run: str, about: str, **named: Any) -> Parser:
    """Add a command; `run` names the function that does it as MODULE:FUNCTION."""
    parser: Parser = commands.add_parser(name, help=about, **named)
    parser.set_defaults(run=run)
    return parser


def _group(commands: Any, name: str, about: str, **named: Any) -> Any:
    """Add a command that has subcommands; return what adds those."""
    parser: Parser = commands.add_parser(name, help=about, **named)
    return parser.add_subparsers(dest="what", metavar="WHAT", required=True, parser_class=Parser)


def _language_option(parser: Parser) -> None:
    """Add what chooses the language; which there are, the folders of words say."""
    parser.add_argument(
        "--language",
        metavar="CODE",
        help="speak this language (such as uk) instead of this machine's",
    )


def game_options(parser: Parser, games: str = "estimation (usual) or dominoes") -> None:
    """Add what says which game is meant, and how it is played."""
    parser.add_argument("--game", metavar="NAME", help=f"the game: {games}")
    parser.add_argument("--preset", metavar="P", help="a set of the game's options by its name")
    parser.add_argument(
        "--option",
        action="append",
        metavar="NAME=VALUE",
        help="one option of the game, on top of the preset; may be given several times",
    )


def _play(commands: Any, name: str) -> None:
    parser = _command(
        commands,
        name,
        "play:run",
        "open a table for phones, with table screen, camera and pusher",
        description="Open a table with the camera and the pusher that the settings name (virtual "
        "ones by default), or one of a game without devices. Phones join with the QR code; the "
        "table screen opens in this machine's browser. Ctrl+C closes the table and saves it.",
        examples=[
            "play",
            "play --bots 2",
            "play --port 8080 --no-browser --journal evening.sqlite3",
            "play --game dominoes --preset goat-yard --option pairs=true",
        ],
    )
    game_options(parser)
    parser.add_argument(
        "--config",
        type=Path,
        metavar="FILE",
        help="read settings from this TOML file instead of the rig.toml that /setup has saved",
    )
    _port_option(parser)
    parser.add_argument(
        "--bots", type=number(int, *BOTS), metavar="N", help="fill N seats with bots"
    )
    parser.add_argument(
        "--strength",
        choices=STRENGTHS,
        metavar="S",
        help="how well bots play a game of hidden hands: weak, medium (usual) or strong",
    )
    parser.add_argument(
        "--tables",
        type=number(int, *TABLES),
        metavar="N",
        help="open N tables; the first has the rig, at the others people push and judge",
    )
    parser.add_argument(
        "--https",
        action=argparse.BooleanOptionalAction,
        help="also serve HTTPS, with this machine's own certificates (extra: https)",
    )
    parser.add_argument(
        "--mdns",
        action=argparse.BooleanOptionalAction,
        help="also announce the name domino.local (extra: mdns)",
    )
    parser.add_argument(
        "--table",
        metavar="KIND",
        help="virtual table top (not a file): wood, dark, white, grey or felt",
    )
    parser.add_argument("--journal", type=Path, metavar="FILE", help="the table's journal")
    parser.add_argument("--new", action="store_true", help="begin a new table, keep the old file")
    parser.add_argument(
        "--recover",
        action="store_true",
        help="continue from the good part of a damaged journal; the damaged file is kept",
    )
    parser.add_argument("--no-browser", action="store_true", help="do not open the table screen")
    parser.add_argument("--dev", action="store_true", help="also serve /dev/gallery, every screen")
    _language_option(parser)


def _demo(commands: Any, name: str) -> None:
    parser = _command(
        commands,
        name,
        "demo:run",
        "let bots play a whole game through every layer",
        description="Let bots play a whole game on the virtual rig: rendered camera frames, "
        "vision, prediction, ballots over HTTP, pusher, verdict and chips. With --game dominoes: "
        "a whole match of dominoes, which needs no rig.",
        examples=[
            "demo",
            "demo --seed 5 --players 3 --json",
            "demo --game dominoes --preset sea-goat --players 4",
        ],
    )
    game_options(parser)
    parser.add_argument("--seed", type=number(int, 0), default=0, help="random seed (0)")
    parser.add_argument(
        "--players", type=number(int, 2, 5), default=4, metavar="2-5", help="how many bots (4)"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object per line")
    _language_option(parser)


def _referee(commands: Any, name: str) -> None:
    parser = _command(
        commands,
        name,
        "referee:run",
        "referee a game for a program: JSON lines in, one line out for each",
        description="Referee a game without a table: each line of standard input is a JSON object "
        "(a new match, a command, a view), and each gets one line back. "
        "rig/games/dominoes/README.md has the words.",
        examples=["referee --game dominoes"],
    )
    parser.add_argument("--game", required=True, metavar="NAME", help="which game: dominoes")


def _arena(commands: Any, name: str) -> None:
    parser = _command(
        commands,
        name,
        "arena:run",
        "let two bots play rounds against each other",
        description="Let two bots play rounds of a game against each other. Every deal is played "
        "twice, the second time with the bots on exchanged seats: opposite pairs, or every other "
        "seat. Bots: random, greedy, weak, medium, strong; seeing knows all hands.",
        examples=[
            "arena --game dominoes --bots strong,greedy --rounds 20",
            "arena --game dominoes --preset goat-yard --option pairs=true --players 4 --json",
        ],
    )
    game_options(parser, "dominoes (the only one)")
    parser.set_defaults(game="dominoes")
    parser.add_argument(
        "--players", type=number(int, 2), default=2, metavar="N", help="how many seats (2)"
    )
    parser.add_argument(
        "--bots", default="strong,greedy", metavar="A,B", help="which two (strong,greedy)"
    )
    parser.add_argument(
        "--rounds", type=number(int, 1), default=100, metavar="R", help="how many rounds (100)"
    )
    parser.add_argument("--seed", type=number(int, 0), default=0, help="random seed (0)")
    parser.add_argument(
        "--jobs", type=number(int, 1, 1024), default=1, metavar="N", help="processes at a time (1)"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object per line")


def _replay(commands: Any, name: str) -> None:
    parser = _command(
        commands,
        name,
        "replay:run",
        "retell a game from its file, or prove that nothing in it was changed",
        description="Retell a game event by event. FILE is a game file exported by the host's "
        "phone, or the journal of a table. Nothing is played and nothing moves. With --verify or "
        "--fingerprint the exit code is 0 if everything is right, 1 if something is not, 2 if "
        "FILE cannot be read.",
        examples=[
            "replay game.json",
            "replay game.json --verify",
            "replay match.json --hints",
            "replay game.json --fingerprint '3f9a 12bc 77de 0a41'",
            "replay table.sqlite3 --game 1 --export game.json --no-names",
        ],
    )
    parser.add_argument("file", type=Path, metavar="FILE")
    parser.add_argument("--verify", action="store_true", help="prove ballots, chips and rules")
    parser.add_argument(
        "--hints",
        action="store_true",
        help="dominoes: also what the strong bot would have laid, and how likely each knock was; "
        "not with --verify, --fingerprint or --export",
    )
    parser.add_argument(
        "--fingerprint",
        metavar="HEX",
        help="like --verify, and compare with the final screen's fingerprint (16 digits or more)",
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object per line")
    parser.add_argument(
        "--game", type=number(int, 1), metavar="N", help="take only game N from a journal"
    )
    parser.add_argument(
        "--export",
        type=Path,
        metavar="OUT",
        help="only write the game file to OUT; not with --verify, --fingerprint, --hints or --json",
    )
    parser.add_argument(
        "--no-names", action="store_true", help="replace names from a journal by letters"
    )
    _language_option(parser)


def _pushes(commands: Any, name: str) -> None:
    parser = _command(
        commands,
        name,
        "pushes:run",
        "export every push of some journals, for `learn`",
        description="Write one line for every push of these journals: the row as it stood, the "
        "stroke, the prediction and the outcome, without anybody's name. `domino-rig learn` reads "
        "the file. A journal that a table has open cannot be read.",
        examples=["pushes table.sqlite3 --out pushes.jsonl"],
    )
    parser.add_argument("journals", nargs="+", type=Path, metavar="JOURNAL")
    parser.add_argument("--out", required=True, type=Path, metavar="FILE", help="file to write")
    parser.add_argument(
        "--pictures", type=Path, metavar="FOLDER", help="also write each push's two pictures"
    )
    parser.add_argument(
        "--all",
        action="store_true",
        help="include pushes from which nothing can be learned; `learn` refuses those lines",
    )


def _see(commands: Any, name: str) -> None:
    parser = _command(
        commands,
        name,
        "see:run",
        "read camera frames: tiles, row, new tile",
        description="Find the tiles in frames of one table, given in the order they were taken. "
        "A single frame is read much worse without a picture of its empty table: tiles without a "
        "mark and hands are missed, and patterns of the cloth are taken for tiles. Give that "
        "picture with --empty, or as the first frame.",
        examples=[
            "see frame.jpg",
            "see frame.jpg --empty empty.jpg",
            "see frame.jpg --camera camera.json --json",
            "see --phone photo.jpg",
            "see --phone photo.jpg --row | domino-rig predict -",
            "see frame.jpg --tile 56x28x9",
            "see --score frames --only 'practice_s0[0-7]*' --width 1280",
        ],
    )
    parser.add_argument("frames", nargs="*", metavar="FRAME", help="image file, JPEG or PNG")
    parser.add_argument(
        "--camera", type=Path, help="camera file with K and dist (guessed if not given)"
    )
    parser.add_argument("--mat", type=Path, help="mat file (the mat as printed if not given)")
    parser.add_argument(
        "--tile", type=_tile, metavar="LxWxT", help="tiles of another size, mm (48x24x7.5)"
    )
    parser.add_argument(
        "--marks",
        metavar="FILE",
        default="",
        help="the tiles' marks: a marks file, or `standard` for those of the standard tile (those "
        "that `print marks --tile` makes for their size if not given)",
    )
    parser.add_argument(
        "--empty",
        nargs="+",
        metavar="FRAME",
        help="pictures of the same table without tiles or hands, taken from the same place; list "
        "them after the frames",
    )
    parser.add_argument(
        "--phone",
        action="store_true",
        help="the frames are photos taken by hand, each from another place: tilt the phone and get "
        "the whole mat into each photo, from which the lens is worked out; not with --camera or "
        "--empty",
    )
    told = parser.add_mutually_exclusive_group()
    told.add_argument("--json", action="store_true", help="print one JSON object per frame")
    told.add_argument(
        "--row",
        action="store_true",
        help="print the row of each frame in one line, for predict; not with --json",
    )
    score = parser.add_argument_group(
        "scores",
        "Compare what is read with the known truth. The other options of this group need --score.",
    )
    score.add_argument(
        "--score",
        type=Path,
        metavar="FOLDER",
        help="frames, with a truth file beside each; not with FRAME, --camera, --empty, --phone or "
        "--row",
    )
    score.add_argument(
        "--only",
        metavar="PATTERN",
        help="only frames whose names match; separate patterns by commas",
    )
    score.add_argument(
        "--width", type=number(int, 1, 10_000), metavar="PX", help="shrink the frames to this width"
    )
    score.add_argument(
        "--alone", action="store_true", help="read every frame without those before it"
    )
    score.add_argument(
        "--learn-empty",
        action="store_true",
        help="learn the empty table from its first frame where the truth file says it is empty",
    )


def _camera(commands: Any, name: str) -> None:
    words = _group(
        commands,
        name,
        "list cameras, show what one sees, lock its settings, collect frames of an evening",
        description="Find the camera that looks at the table. `list` names all attached cameras, "
        "`preview` writes one picture, `check` locks exposure, white balance and focus as a game "
        "does and says which of them worked, `shoot` takes pictures with these settings locked, "
        "`collect` makes a folder of an evening's frames that can be handed on.",
        examples=["camera list", "camera check /dev/video0"],
    )
    every = _command(
        words,
        "list",
        "camera:list_all",
        "name all cameras",
        description="Name every camera, with its picture sizes or what is wrong with it.",
        examples=["camera list", "camera list --json", "camera list --previews pictures"],
    )
    every.add_argument("--json", action="store_true", help="print one JSON object per camera")
    every.add_argument("--previews", type=Path, metavar="FOLDER", help="write a picture of each")
    one = _command(
        words,
        "preview",
        "camera:preview_one",
        "write one picture",
        description="Write one picture from a camera.",
        examples=["camera preview /dev/video0 table.jpg"],
    )
    check = _command(
        words,
        "check",
        "camera:check",
        "lock the settings, and say which of them worked",
        description="Lock exposure, white balance and focus as a game does, and say which of them "
        "worked. Exit code 0: all of them; 1: not all.",
        examples=["camera check /dev/video0", "camera check /dev/video0 --power-line 60"],
    )
    shoot = _command(
        words,
        "shoot",
        "camera:shoot",
        "take pictures for `calibrate` with the settings locked",
        description="Take a picture for `calibrate` every few seconds, with the settings locked.",
        examples=["camera shoot /dev/video0 board --count 20 --every 2"],
    )
    collected = _command(
        words,
        "collect",
        "collect:run",
        "make a folder of an evening's frames, to look through and hand on",
        description="Make a folder of the frames that [camera] collect has kept beside a journal, "
        "each with the lens and place of the camera, what was read, and people's corrections. "
        "Everything outside the mat is blurred, and so is what was taken for a hand; no name is in "
        "it. Look through its index.html and delete the pictures that nobody else should see. "
        "`see --score FOLDER` reads what is left.",
        examples=["camera collect our-table", "camera collect our-table evening.sqlite3"],
    )
    collected.add_argument("folder", type=Path, metavar="FOLDER", help="the new folder")
    collected.add_argument(
        "journal",
        type=Path,
        nargs="?",
        metavar="JOURNAL",
        help="the table's journal (that of `play` if not given); close the table first",
    )
    collected.add_argument(
        "--unblurred", action="store_true", help="leave the pictures as the camera took them"
    )
    for command in (every, one, check, shoot, collected):
        _language_option(command)
    for command in (one, check, shoot):
        command.add_argument("id", metavar="ID", help="a camera's id from `camera list`")
    one.add_argument("file", type=Path, metavar="FILE", help="the picture, .jpg or .png")
    shoot.add_argument("folder", type=Path, metavar="FOLDER", help="where they go, numbered")
    shoot.add_argument(
        "--count", type=number(int, 1, 999), default=16, metavar="N", help="how many (16)"
    )
    shoot.add_argument(
        "--every", type=number(float, 0, 60), default=3.0, metavar="S", help="seconds apart (3)"
    )
    for command in (one, check, shoot):
        for option, usual in zip(("--width", "--height"), PICTURE_PX, strict=True):
            command.add_argument(
                option,
                type=number(int, 1, 10_000),
                default=usual,
                metavar="PX",
                help=f"size of the picture ({usual})",
            )
    for command in (check, shoot):
        command.add_argument(
            "--power-line",
            type=number(float),
            choices=(0.0, 50.0, 60.0),
            default=50.0,
            metavar="0|50|60",
            help="mains frequency of the lamps, Hz; 0 = they do not flicker (50)",
        )


def _doctor(commands: Any, name: str) -> None:
    parser = _command(
        commands,
        name,
        "doctor:run",
        "what is set up, what is still to do, and why a phone cannot get in",
        description="Check settings, network, camera, lens, mat, tiles, pusher, disk and extras. "
        "Nothing moves. Exit code 0: all is right; 1: there is something to do. With --wait, also "
        "serve a test page, show its QR code and wait until the first phone gets through.",
        examples=["doctor", "doctor --json", "doctor --wait 60"],
    )
    parser.add_argument("--config", type=Path, metavar="FILE", help="a TOML file of settings")
    _port_option(parser)
    parser.add_argument("--journal", type=Path, metavar="FILE", help="the table's journal")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument(
        "--wait",
        type=number(float, 0, 86_400),
        metavar="S",
        help="wait S seconds for a phone to get through",
    )
    _language_option(parser)


def _print(commands: Any, name: str) -> None:
    parser = _command(
        commands,
        name,
        "print:run",
        "sheets to print: mat, marks, calibration board, pusher tag",
        description="Write sheets as PDF, exact to the millimetre. mat: the strips of markers "
        "around the work area, and a plan of where they go. marks: the stickers for the tiles' "
        "narrow edges. charuco: the board for calibrating a lens. pusher-tag: the tag for the top "
        "of the pusher.",
        examples=["print mat", "print marks --tile 48x24x7.5 --paper letter --out marks.pdf"],
    )
    parser.add_argument("what", metavar="WHAT", choices=SHEETS, help=", ".join(SHEETS))
    parser.add_argument("--paper", default="A4", metavar="SIZE", help=f"{', '.join(PAPERS)} (A4)")
    parser.add_argument(
        "--out", type=Path, metavar="FILE", help="PDF to write (domino-WHAT-SIZE.pdf)"
    )
    parser.add_argument("--mat", type=Path, metavar="FILE", help="your own mat file")
    tiles = parser.add_mutually_exclusive_group()
    tiles.add_argument("--marks", type=Path, metavar="FILE", help="your own marks file")
    tiles.add_argument(
        "--tile", type=_tile, metavar="LxWxT", help="tiles of another size, mm (48x24x7.5)"
    )
    _language_option(parser)


def _pusher(commands: Any, name: str) -> None:
    words = _group(
        commands,
        name,
        "find the pusher, watch it, try it, flash it",
        description="Find and try the pusher. Nothing moves until a hand turns the arm switch.",
        examples=["pusher find", "pusher try --port virtual"],
    )
    find = _command(
        words,
        "find",
        "pusher:find",
        "ask on every serial port who is there",
        description="Ask on every serial port who is there.",
        examples=["pusher find"],
    )
    watch = _command(
        words,
        "watch",
        "pusher:watch",
        "show states, inputs and beams as they change",
        description="Show states, inputs and beams as they change, until Ctrl+C.",
        examples=["pusher watch", "pusher watch --port /dev/ttyUSB0"],
    )
    trial = _command(
        words,
        "try",
        "pusher:trial",
        "make one stroke with the arm in the air",
        description="Make one stroke with the arm in the air, once a hand has turned the switch.",
        examples=["pusher try", "pusher try --port virtual"],
    )
    for command in (watch, trial):
        command.add_argument(
            "--port", help='serial port, socket://HOST:PORT, or "virtual" (found if not given)'
        )
    flash = _command(
        words,
        "flash",
        "pusher:put_program",
        "put the program on the board",
        description="Put the pusher's program on an Uno or Nano through the board's own "
        "bootloader, and read it back. Turn the arm switch off first. Nothing else on the board "
        "is changed.",
        examples=["pusher flash", "pusher flash /dev/ttyUSB0"],
    )
    flash.add_argument(
        "port", metavar="PORT", nargs="?", help="serial port (found if one board is plugged in)"
    )
    for command in (find, watch, trial, flash):
        _language_option(command)


def _calibrate(commands: Any, name: str) -> None:
    words = _group(
        commands,
        name,
        "find the lens, survey the mat, place the pusher",
        description="Measure the rig from pictures. `lens` measures the lens, once for each "
        "camera, picture size and focus. `survey` measures where the hand-laid strips of the mat "
        "lie. `pusher` says how to move the pusher behind the row.",
        examples=["calibrate lens board", "calibrate survey strips --camera camera.json"],
    )
    lens = _command(
        words,
        "lens",
        "calibrate:lens",
        "measure the lens from pictures of the board or the mat",
        description="Measure the lens from pictures of the board or of the mat.",
        examples=["calibrate lens board", "calibrate lens strips --of mat --device /dev/video0"],
    )
    lens.add_argument(
        "--of", choices=("board", "mat"), default="board", help="what the pictures show (board)"
    )
    lens.add_argument("--device", default="camera", help="the camera's id from `camera list`")
    lens.add_argument(
        "--focus", type=number(float, 0, 1e6), help="the locked focus, in the camera's own units"
    )
    lens.add_argument("--folder", type=Path, help="folder where lenses are stored")
    strips = _command(
        words,
        "survey",
        "calibrate:strips",
        "measure where the strips of the mat lie",
        description="Measure where the hand-laid strips of the mat really lie.",
        examples=["calibrate survey strips --camera camera.json --ruler 99.5 --out mat.json"],
    )
    strips.add_argument("--camera", type=Path, required=True, help="camera file of the pictures")
    strips.add_argument(
        "--ruler",
        type=number(float, 90, 110, "mm"),
        default=RULER_MM,
        metavar="MM",
        help="measured length of the printed 100 mm ruler (100)",
    )
    strips.add_argument("--out", type=Path, metavar="FILE", help="mat file to write, for --mat")
    for command in (lens, strips):
        command.add_argument(
            "pictures", nargs="+", type=Path, metavar="PICTURE", help="image files, or a folder"
        )
        _progress(command)
    pusher = _command(
        words,
        "pusher",
        "calibrate:pusher",
        "say how to move the pusher behind the row",
        description="Say how to move the pusher behind the row, from the tag on its lid.",
        examples=["calibrate pusher frame.jpg --camera camera.json --far-end"],
    )
    pusher.add_argument("frame", type=Path, metavar="FRAME", help="the row with the pusher")
    pusher.add_argument("--camera", type=Path, required=True, help="camera file")
    pusher.add_argument("--config", type=Path, metavar="FILE", help="settings with [pusher]")
    pusher.add_argument(
        "--standoff",
        type=number(float, 0, 1e6),
        default=STANDOFF_MM,
        metavar="MM",
        help=f"distance from the tip at rest to the tile ({STANDOFF_MM:g})",
    )
    pusher.add_argument("--far-end", action="store_true", help="push from the row's other end")
    for command in (lens, strips, pusher):
        command.add_argument("--mat", type=Path, help="mat file (the mat as printed if not given)")
        command.add_argument("--json", action="store_true", help="print one JSON object")


def _predict(commands: Any, name: str) -> None:
    parser = _command(
        commands,
        name,
        "predict:run",
        "predict how likely rows are to fall",
        description="Predict how likely each row in the files is to fall as a whole: the chance, "
        "its 95 % interval, and the joint that is least likely to be crossed. Rows come as "
        "JSON, one per line as JSON or in row notation, as TOML or as CSV; physics/ROWS.md "
        "describes them, and what is left out takes its default. Each photo of the printed mat "
        "gives one row, too, alone or in a folder; an exported game or a table's journal gives one "
        "for each push. If a row is bad, the error names file, line, field and number, nothing is "
        "printed (unless --keep-going), and the exit code is 2.",
        examples=[
            "predict rows.jsonl",
            "predict rows.jsonl --json --jobs 2 > predictions.jsonl",
            "predict rows.jsonl --out predictions.jsonl --resume",
            "predict row.toml --detail",
            "predict row.json --plot row.svg",
            "predict rows.jsonl --report rows.html",
            "predict row.toml --film row.mp4",
            "predict photo.jpg",
            "predict game.json",
            "predict row.toml --table table.json",
            "predict - < rows.txt",
        ],
    )
    parser.add_argument(
        "rows",
        nargs="+",
        metavar="ROWS",
        help="file with rows, photo, folder of photos, or game; - is the standard input",
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object per row")
    parser.add_argument(
        "--detail",
        action="store_true",
        help="also print the push, every joint, and p for other frictions and pushes",
    )
    parser.add_argument("--seed", type=number(int, 0), default=0, help="random seed (0)")
    parser.add_argument(
        "--runs",
        type=number(int, 1),
        default=FALLS,
        help=f"how many disturbed copies of a row fall at most; clear rows take fewer ({FALLS})",
    )
    parser.add_argument(
        "--jobs", type=number(int, 1, 1024), default=1, help="processes that share the rows (1)"
    )
    parser.add_argument(
        "--table", metavar="FILE", help="predict for one table: a file that `learn` wrote"
    )
    parser.add_argument(
        "--keep-going",
        action="store_true",
        help="predict the good rows even if others are bad, and list the bad ones at the end",
    )
    parser.add_argument("--out", metavar="FILE", help="write the answers there, as JSON lines")
    parser.add_argument(
        "--resume", action="store_true", help="go on with what an interrupted run wrote to --out"
    )
    parser.add_argument(
        "--plot",
        type=Path,
        metavar="FILE",
        help="draw the row from above with the chance of each joint, as .svg or .png (.png with "
        "the extra film); of several rows each gets a file, FILE-1 and so on",
    )
    parser.add_argument(
        "--report",
        type=Path,
        metavar="FILE",
        help="write all rows with pictures as one .html page that needs nothing else",
    )
    parser.add_argument(
        "--film",
        type=Path,
        metavar="FILE",
        help="film one fall of the row from the side and from above, as .mp4 (with the extra "
        "film); of several rows each gets a file, FILE-1 and so on",
    )
    _progress(parser)


def _rows(commands: Any, name: str) -> None:
    parser = _command(
        commands,
        name,
        "rows:run",
        "write rows of a shape, or those of files, in one line each",
        description="Print rows in row notation (physics/ROWS.md), which predict reads: rows of a "
        "shape with --draw, or those of files as JSON, TOML or CSV.",
        examples=[
            "rows --draw arc --count 9 --turn 8",
            "rows --draw player --times 100 --seed 3 | domino-rig predict -",
            "rows row.toml",
        ],
    )
    parser.add_argument("rows", nargs="*", metavar="ROWS", help="files with rows")
    parser.add_argument("--draw", choices=SHAPES, metavar="SHAPE", help=f"{', '.join(SHAPES)}")
    parser.add_argument("--count", type=number(int, 1, 1000), help="tiles of a row (11)")
    parser.add_argument(
        "--gap",
        type=number(float, 0.1, 1000),
        metavar="MM",
        help="clear table between two tiles (14)",
    )
    parser.add_argument(
        "--turn",
        type=number(float, -180, 180),
        metavar="DEG",
        help="turn of each tile against the one before (6); for zigzag of each leg, for wave how "
        "far it swings, for player a sigma",
    )
    parser.add_argument(
        "--offset",
        type=number(float, -100, 100),
        metavar="MM",
        help="how far every other tile stands to the left (0)",
    )
    parser.add_argument("--horizontal", action="store_true", help="tiles stand on the long edge")
    parser.add_argument("--times", type=number(int, 1), help="how many rows (1)")
    parser.add_argument("--seed", type=number(int, 0), help="seed of --draw player (0)")


def _bench(commands: Any, name: str) -> None:
    parser = _command(
        commands,
        name,
        "bench:run",
        "move the tiles of a row in this machine's browser, and see how likely it is to fall",
        description="Open the row bench: a page on which tiles are dragged, turned and flipped "
        "while the model says how likely the row is to fall and where it would stop. At a table "
        "it is also in the menu of every phone.",
        examples=["bench", 'bench --row "0v@0,0,0;1v@22,0,0;2v@44,6,10"'],
    )
    parser.add_argument("--row", metavar="LINE", help="begin with this row, in row notation")
    parser.add_argument(
        "--port",
        type=number(int, *PORTS),
        default=0,
        help="where the page is served (any free port)",
    )
    parser.add_argument(
        "--no-browser", action="store_true", help="only print the address of the page"
    )


def _survey(commands: Any, name: str) -> None:
    parser = _command(
        commands,
        name,
        "survey:run",
        "predict many rows over ranges of gap, friction, push and tiles; draw the answers "
        "(extra: survey)",
        description="Predict rows of a shape that differ in what --vary names, write them as "
        "Parquet and draw what they say. A range is LOW..HIGH, LOW..HIGH/STEPS, MEAN~SIGMA or "
        f"values like 8,12,16. Parameters: {', '.join(PARAMETERS)}. Results are kept as they come "
        "in FILE.parts; rig/COMMAND_LINE.md says more.",
        examples=[
            "survey --vary gap=5..60 --set count=4 --rows 80 --out gaps.parquet --plot gaps.svg",
            "survey --vary gap=20..60 --vary length=40,60 --set count=3 --rows 100 --out f.parquet",
            "survey --from f.parquet --ask apart,length --plot far.svg",
            "survey --draw arc --vary gap=5..40 --vary turn=0..30 --jobs 2 --out arcs.parquet",
            "survey --vary speed=10..90/9 --sample grid --set count=9 --out speed.parquet --resume",
            "survey --vary gap=5..40 --rows 5000 --out big.parquet --scheduler tcp://10.0.0.7:8786",
        ],
    )
    parser.add_argument(
        "--vary", action="append", metavar="NAME=RANGE", help="what differs between the rows"
    )
    parser.add_argument(
        "--set",
        action="append",
        dest="vary",
        metavar="NAME=VALUE",
        help="what is the same in all rows",
    )
    parser.add_argument(
        "--draw",
        choices=SHAPES,
        default=SHAPES[0],
        metavar="SHAPE",
        help=f"shape of the rows: {', '.join(SHAPES)} ({SHAPES[0]})",
    )
    parser.add_argument("--horizontal", action="store_true", help="tiles stand on the long edge")
    parser.add_argument(
        "--sample",
        choices=SAMPLES,
        default=SAMPLES[-1],
        metavar="HOW",
        help="how points are chosen: grid (all combinations), latin (hypercube) "
        "or sobol (the default)",
    )
    parser.add_argument(
        "--rows", type=number(int, 1, MOST_ROWS), metavar="N", help="how many rows (1000)"
    )
    parser.add_argument("--seed", type=number(int, 0), default=0, help="random seed (0)")
    parser.add_argument(
        "--runs",
        type=number(int, 1, 10_000),
        default=FALLS,
        help=f"how many disturbed copies of a row fall at most; clear rows take fewer ({FALLS})",
    )
    parser.add_argument(
        "--table", metavar="FILE", help="survey one table: a file that `learn` wrote"
    )
    parser.add_argument("--out", metavar="FILE", help="Parquet file to write")
    parser.add_argument(
        "--resume", action="store_true", help="go on with what an interrupted survey left"
    )
    parser.add_argument(
        "--jobs", type=number(int, 1, 1024), default=1, help="processes that share the rows (1)"
    )
    parser.add_argument(
        "--scheduler", metavar="ADDRESS", help="use the workers of this Dask cluster instead"
    )
    parser.add_argument("--plot", metavar="FILE", help="draw into this SVG, PNG or PDF file")
    parser.add_argument(
        "--ask",
        metavar="WHAT",
        help="what to draw: gap (a curve), gap,friction (a map), or apart,friction (the gap at "
        "which the chance falls under 90 %% and 50 %%); by default what varies first",
    )
    parser.add_argument(
        "--from", dest="source", metavar="FILE", help="draw a survey that is done or under way"
    )
    _progress(parser)


def _learn(commands: Any, name: str) -> None:
    parser = _command(
        commands,
        name,
        "learn:run",
        "learn one table from the pushes recorded there",
        description="Learn frictions, stroke, placement error and contact of one table from its "
        "recorded pushes (`domino-rig pushes`): what is expected of any table, updated by where "
        "each fall stopped. Writes a file for `--table` of `predict` and `survey` and for "
        "`[physics] table` of `play`, unless the pushes strongly favour the defaults; then it "
        "says so, and the exit code is 2.",
        examples=[
            "learn pushes.jsonl --out table.json",
            "learn pushes.jsonl --out table.json --plot table.png",
        ],
    )
    parser.add_argument("pushes", nargs="+", metavar="PUSHES", help="file of `domino-rig pushes`")
    parser.add_argument("--out", required=True, metavar="FILE", help="the table's file to write")
    parser.add_argument(
        "--plot",
        metavar="FILE",
        help="draw what was learned: .png, .svg or .pdf (extra: survey)",
    )
    parser.add_argument("--seed", type=number(int, 0), default=0, help="random seed (0)")
    _progress(parser)


def _fit(commands: Any, name: str) -> None:
    parser = _command(
        commands,
        name,
        "fit_hazard:run",
        "fit the whole prediction to reference rows again",
        description="Fit the chance of the push and of every joint to rows with known outcomes, of "
        "which it takes a thousand or more. The few pushes of one table are for `learn`.",
        examples=[
            "fit reference.jsonl --out hazard.json",
            "fit a.jsonl b.jsonl --start hazard.json --out further.json",
        ],
    )
    parser.add_argument("rows", nargs="+", metavar="ROWS", help="reference rows, one per line")
    parser.add_argument("--out", required=True, metavar="FILE", help="coefficients file to write")
    parser.add_argument(
        "--start", metavar="FILE", help="train this earlier fit further instead of fitting anew"
    )
    parser.add_argument("--seed", type=number(int, 0), default=0, help="random seed (0)")
    parser.add_argument(
        "--epochs",
        type=number(int, 1),
        default=EPOCHS,
        help=f"rounds of training ({EPOCHS})",
    )
    _progress(parser)


def _reference(commands: Any, name: str) -> None:
    parser = _command(
        commands,
        name,
        "reference:run",
        "let rows fall in three dimensions (extra: reference)",
        description="Let rows fall in MuJoCo. An interrupted run continues where it stopped.",
        examples=[
            "reference rows.jsonl --out reference.jsonl",
            "reference rows.jsonl --draw 500 --seed 3 --jobs 2 --out drawn.jsonl",
            "reference rows.jsonl --draw 300 --tiles 15 28 --out long.jsonl",
        ],
    )
    parser.add_argument("rows", nargs="+", metavar="ROWS", help="rows, one per line")
    parser.add_argument("--out", required=True, metavar="FILE", help="reference rows to write")
    parser.add_argument(
        "--draw", type=number(int, 1), metavar="N", help="use N new random rows like these instead"
    )
    parser.add_argument("--seed", type=number(int, 0), default=0, help="seed of the new rows (0)")
    parser.add_argument(
        "--runs", type=number(int, 0), default=FALLS, help=f"noisy runs per row ({FALLS})"
    )
    parser.add_argument(
        "--standard",
        type=number(float, 0, 1),
        default=STANDARD_SHARE,
        metavar="SHARE",
        help=f"share of new rows made of the standard tile ({STANDARD_SHARE})",
    )
    for name, kind, usual, words in (
        ("--tiles", number(int, 1, 60), DRAWN_TILES, "fewest and most tiles of a new row"),
        (
            "--widths",
            number(float, 0.1, 2),
            DRAWN_WIDTHS,
            "least and most width of its tiles, as a share of their length",
        ),
    ):
        parser.add_argument(
            name,
            type=kind,
            nargs=2,
            default=usual,
            metavar=("LEAST", "MOST"),
            help=f"{words} ({usual[0]} to {usual[1]})",
        )
    parser.add_argument("--unsure", action="store_true", help="prefer rows where the fit is unsure")
    parser.add_argument(
        "--quick", action="store_true", help="a third faster; 1 nominal label in 30 differs"
    )
    parser.add_argument(
        "--jobs", type=number(int, 1, 1024), default=1, help="processes that share the rows (1)"
    )
    _progress(parser)


def _completion(commands: Any, name: str) -> None:
    parser = _command(
        commands,
        name,
        "completion:run",
        "let the shell complete commands and options",
        description="Print a script that lets the shell complete commands, options and files with "
        "the Tab key. bash: a line in ~/.bashrc; zsh: a line in ~/.zshrc after compinit; fish: a "
        "file in ~/.config/fish/completions.",
        examples=[
            'completion bash  # in ~/.bashrc: eval "$(domino-rig completion bash)"',
            'completion zsh   # in ~/.zshrc: eval "$(domino-rig completion zsh)"',
            "completion fish > ~/.config/fish/completions/domino-rig.fish",
        ],
    )
    parser.add_argument("shell", metavar="SHELL", choices=SHELLS, help=", ".join(SHELLS))


COMMANDS: Final[dict[str, Callable[[Any, str], None]]] = {
    "play": _play,
    "demo": _demo,
    "referee": _referee,
    "arena": _arena,
    "replay": _replay,
    "pushes": _pushes,
    "see": _see,
    "camera": _camera,
    "doctor": _doctor,
    "print": _print,
    "pusher": _pusher,
    "calibrate": _calibrate,
    "rows": _rows,
    "bench": _bench,
    "predict": _predict,
    "survey": _survey,
    "learn": _learn,
    "fit": _fit,
    "reference": _reference,
    "completion": _completion,
}


def _port_option(parser: Parser) -> None:
    parser.add_argument(
        "--port",
        type=number(int, *PORTS),
        help="where phones reach the referee (8000); 0 takes any that is free",
    )


def _progress(parser: Parser) -> None:
    parser.add_argument(
        "--progress",
        action=argparse.BooleanOptionalAction,
        help="show progress on stderr (the default if stderr is a terminal)",
    )


def number(
    kind: type[int] | type[float],
    least: float | None = None,
    most: float | None = None,
    unit: str = "",
) -> Callable[[str], Any]:
    """Make an argument type: a number within bounds, with an error that says what was expected."""
    what = "a whole number" if kind is int else "a number"
    if most is not None:
        what += f" from {least:g} to {most:g}"
    elif least is not None:
        what += f" from {least:g} on"
    what += f" {unit}" if unit else ""

    def read(text: str) -> int | float:
        try:
            value = kind(text)
        except ValueError:
            value = None
        if value is None or not (
            (least is None or value >= least) and (most is None or value <= most)
        ):
            raise argparse.ArgumentTypeError(f"expected {what}, got {text!r}")
        return value

    return read


def _tile(text: str) -> tuple[float, float, float]:
    """Length, width and thickness of a tile, in mm."""
    try:
        length, width, thickness = (float(side) for side in text.lower().split("x"))
    except ValueError:
        length = width = thickness = 0.0
    if not 200.0 >= length >= width >= thickness > 0.0:
        raise argparse.ArgumentTypeError(
            "expected length x width x thickness in mm such as 48x24x7.5, the longest side first, "
            f"at most 200 mm and none of them 0, got {text}"
        )
    return length, width, thickness
