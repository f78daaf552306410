"""The grammar of `domino-rig`: every command, option and example. Loads nothing that is slow.

Help, a typo and completion need no more than this file: the module that does the work is named
here and loaded by `main` once it is known that it will be used.
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
SHELLS: Final = ("bash", "zsh", "fish")
FALLS: Final = 12
"""Copies of a row that fall, at most, before its chance is told; of `predict` and `reference`."""
EPOCHS: Final = 20
STANDARD_SHARE: Final = 0.4
PICTURE_PX: Final = (1920, 1080)
RULER_MM: Final = 100.0
STANDOFF_MM: Final = 2.0
# What stands above belongs to modules too slow to load for a help; a test holds them together.

_WIDTH: Final = 80


class Parser(argparse.ArgumentParser):
    """Says what is wrong in one line, with the nearest word there is."""

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
        """Refuse an unknown option before anything else is missed because of it."""
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
        return super().parse_known_args(words, namespace)

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        if action.choices is None or value in action.choices:
            return
        names = [str(choice) for choice in action.choices]
        what = action.option_strings[0] if action.option_strings else action.metavar or action.dest
        meant = nearest(str(value), names) or f", only {', '.join(names)}"
        self.error(f"{what}: there is no {value}{meant}")


def nearest(word: str, known: Iterable[str]) -> str:
    """Ask for the known word that looks most like this one, if any does.

    >>> nearest("dmeo", ["demo", "doctor"]), nearest("fly", ["demo", "doctor"])
    (', do you mean demo?', '')
    """
    from difflib import get_close_matches

    found = get_close_matches(word, list(known), n=1)
    return f", do you mean {found[0]}?" if found else ""


class _Version(argparse.Action):
    """Prints the version, as the name of the installed distribution's folder tells it.

    `importlib.metadata` reads a whole mail parser in for it, longer than all the rest of a help.
    """

    def __init__(self, option_strings: Sequence[str], dest: str) -> None:
        super().__init__(option_strings, argparse.SUPPRESS, nargs=0, help="print the version")

    def __call__(self, parser: argparse.ArgumentParser, *_: Any) -> None:
        installed = (Path(place).glob("domino_rig-*.dist-info") for place in sys.path)
        folder = next(chain.from_iterable(installed), None)
        print(folder.stem.partition("-")[2] if folder else "not installed")
        parser.exit()


def build() -> Parser:
    """Make the parser of all commands; `run` of what it gives names MODULE:FUNCTION."""
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
    """Add a command that the function `run` does, told as MODULE:FUNCTION."""
    parser: Parser = commands.add_parser(name, help=about, **named)
    parser.set_defaults(run=run)
    return parser


def _group(commands: Any, name: str, about: str, **named: Any) -> Any:
    """Add a command of several; give what adds them."""
    parser: Parser = commands.add_parser(name, help=about, **named)
    return parser.add_subparsers(dest="what", metavar="WHAT", required=True, parser_class=Parser)


def _play(commands: Any, name: str) -> None:
    parser = _command(
        commands,
        name,
        "play:run",
        "open a table: phones round it, the table screen, camera and pusher",
        description="Opens a table with the camera and the pusher that the settings name, pretend "
        "ones unless they say otherwise. Phones join with the QR code; the table screen opens in "
        "this machine's browser. Ctrl+C closes the table and keeps it.",
        examples=[
            "play",
            "play --bots 2",
            "play --port 8080 --no-browser --journal evening.sqlite3",
        ],
    )
    parser.add_argument(
        "--config",
        type=Path,
        metavar="FILE",
        help="a TOML file of settings, instead of the rig.toml that /setup has kept here",
    )
    parser.add_argument("--port", type=number(int), help="where phones reach the referee (8000)")
    parser.add_argument("--bots", type=number(int), metavar="N", help="fill N seats with bots")
    parser.add_argument(
        "--tables",
        type=number(int),
        metavar="N",
        help="how many tables; the first has the rig, at the others people push and look",
    )
    parser.add_argument(
        "--https",
        action=argparse.BooleanOptionalAction,
        help="also over HTTPS, with this machine's own certificates (extra: https)",
    )
    parser.add_argument(
        "--mdns",
        action=argparse.BooleanOptionalAction,
        help="also under the name domino.local (extra: mdns)",
    )
    parser.add_argument("--table", metavar="KIND", help="wood, dark, white, grey or felt")
    parser.add_argument("--journal", type=Path, metavar="FILE", help="the table's journal")
    parser.add_argument("--new", action="store_true", help="begin a new table, keep the old file")
    parser.add_argument(
        "--recover",
        action="store_true",
        help="go on from the good part of a damaged journal; the damaged file is kept",
    )
    parser.add_argument("--no-browser", action="store_true", help="do not open the table screen")
    parser.add_argument("--dev", action="store_true", help="show /dev/gallery")


def _demo(commands: Any, name: str) -> None:
    parser = _command(
        commands,
        name,
        "demo:run",
        "a whole game by bots, through every layer",
        description="Plays a full game by bots on the virtual rig: rendered camera frames, "
        "vision, prediction, ballots over HTTP, pusher, verdict and chips.",
        examples=["demo", "demo --seed 5 --players 3 --json"],
    )
    parser.add_argument("--seed", type=number(int, 0), default=0, help="seed of all chance (0)")
    parser.add_argument(
        "--players", type=number(int, 2, 5), default=4, metavar="2-5", help="how many bots (4)"
    )
    parser.add_argument("--json", action="store_true", help="one JSON object a line")


def _replay(commands: Any, name: str) -> None:
    parser = _command(
        commands,
        name,
        "replay:run",
        "tell a game from its file, or prove that nothing in it was changed",
        description="Tells a game event by event. FILE is a game file, as the host's phone "
        "exports it, or the journal of a table. No game goes on and nothing moves. With "
        "--verify or --fingerprint: exit code 0 if everything is right, 1 if something is not, 2 "
        "if FILE cannot be read.",
        examples=[
            "replay game.json",
            "replay game.json --verify",
            "replay game.json --fingerprint '3f9a 12bc 77de 0a41'",
            "replay table.sqlite3 --game 1 --export game.json --no-names",
        ],
    )
    parser.add_argument("file", type=Path, metavar="FILE")
    parser.add_argument("--verify", action="store_true", help="prove ballots, chips and rules")
    parser.add_argument(
        "--fingerprint",
        metavar="HEX",
        help="as --verify, and compare the fingerprint of the final screen: 16 digits or more",
    )
    parser.add_argument("--json", action="store_true", help="one JSON object a line")
    parser.add_argument(
        "--game", type=number(int, 1), metavar="N", help="from a journal, game N alone"
    )
    parser.add_argument("--export", type=Path, metavar="OUT", help="write the game file to OUT")
    parser.add_argument("--no-names", action="store_true", help="from a journal, letters for names")


def _pushes(commands: Any, name: str) -> None:
    parser = _command(
        commands,
        name,
        "pushes:run",
        "what journals remember of every push, for `learn`",
        description="Writes one line for every push of these journals: the row as it stood, the "
        "stroke, what was predicted and what became of it, without anybody's name. `domino-rig "
        "learn` reads the file. Journals that a table has open cannot be read.",
        examples=["pushes table.sqlite3 --out pushes.jsonl"],
    )
    parser.add_argument("journals", nargs="+", type=Path, metavar="JOURNAL")
    parser.add_argument("--out", required=True, type=Path, metavar="FILE", help="file to write")
    parser.add_argument(
        "--pictures", type=Path, metavar="FOLDER", help="also the pictures before and after each"
    )
    parser.add_argument(
        "--all",
        action="store_true",
        help="also pushes that nothing can be learned from; `learn` refuses such lines",
    )


def _see(commands: Any, name: str) -> None:
    parser = _command(
        commands,
        name,
        "see:run",
        "read camera frames: tiles, row, new tile",
        description="Find the tiles in frames of one table, given in the order they were taken. "
        "The first one best shows the empty table.",
        examples=[
            "see frame.jpg",
            "see frame.jpg --camera camera.json --json",
            "see --score frames --only 'practice_s0[0-7]*' --width 1280",
        ],
    )
    parser.add_argument("frames", nargs="*", metavar="FRAME", help="image file, JPEG or PNG")
    parser.add_argument(
        "--camera", type=Path, help="camera file with K and dist; without it they are guessed"
    )
    parser.add_argument("--mat", type=Path, help="mat file; without it the printed mat's own")
    parser.add_argument("--json", action="store_true", help="print one JSON object a frame")
    score = parser.add_argument_group("figures", "How well frames are read whose truth is known.")
    score.add_argument(
        "--score", type=Path, metavar="FOLDER", help="frames, with a truth file beside each"
    )
    score.add_argument(
        "--only",
        default="*",
        metavar="PATTERN",
        help="only frames whose names match; several with commas",
    )
    score.add_argument(
        "--width", type=number(int, 1, 10_000), metavar="PX", help="shrink the frames to this first"
    )
    score.add_argument("--alone", action="store_true", help="every frame by itself")


def _camera(commands: Any, name: str) -> None:
    words = _group(
        commands,
        name,
        "list cameras, show what one sees, hold its settings",
        description="Find the camera that looks at the table. `list` names all that are attached, "
        "`preview` writes one picture, `check` holds exposure, white balance and focus as a game "
        "does and says which of them took, `shoot` takes pictures with them held.",
        examples=["camera list", "camera check /dev/video0"],
    )
    every = _command(
        words,
        "list",
        "camera:list_all",
        "name all cameras",
        description="Names every camera with the sizes it has, or what is wrong with it.",
        examples=["camera list", "camera list --json", "camera list --previews pictures"],
    )
    every.add_argument("--json", action="store_true", help="print one JSON object a camera")
    every.add_argument("--previews", type=Path, metavar="FOLDER", help="write a picture of each")
    one = _command(
        words,
        "preview",
        "camera:preview_one",
        "write one picture",
        description="Writes one picture of a camera.",
        examples=["camera preview /dev/video0 table.jpg"],
    )
    check = _command(
        words,
        "check",
        "camera:check",
        "hold the settings, and say which took",
        description="Holds exposure, white balance and focus as a game does, and says which of "
        "them took. Exit code 0: all of them; 1: not all.",
        examples=["camera check /dev/video0", "camera check /dev/video0 --power-line 60"],
    )
    shoot = _command(
        words,
        "shoot",
        "camera:shoot",
        "take pictures for `calibrate` with the settings held",
        description="Takes a picture for `calibrate` every few seconds, with the settings held.",
        examples=["camera shoot /dev/video0 board --count 20 --every 2"],
    )
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
        description="Looks at settings, network, camera, lens, mat, tiles, pusher, disk, extras. "
        "Nothing moves. Exit code 0: all is right; 1: there is something to do. With --wait it "
        "serves a test page, shows its QR code and tells when the first phone got through.",
        examples=["doctor", "doctor --json", "doctor --wait 60"],
    )
    parser.add_argument("--config", type=Path, metavar="FILE", help="a TOML file of settings")
    parser.add_argument("--port", type=number(int), help="where phones reach the referee (8000)")
    parser.add_argument("--journal", type=Path, metavar="FILE", help="the table's journal")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument(
        "--wait",
        type=number(float, 0, 86_400),
        metavar="S",
        help="wait S seconds for a phone to get through",
    )


def _print(commands: Any, name: str) -> None:
    parser = _command(
        commands,
        name,
        "print:run",
        "sheets to print: mat, marks, calibration board, pusher tag",
        description="Write sheets as PDF, exact to the millimetre. mat: the strips of markers "
        "round the work area, and how they lie. marks: the stickers on the tiles' narrow edges. "
        "charuco: the board that a lens is calibrated with. pusher-tag: the tag on top of the "
        "pusher.",
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


def _pusher(commands: Any, name: str) -> None:
    words = _group(
        commands,
        name,
        "find the pusher, watch it, try it, flash it",
        description="The machine that pushes. Nothing moves until a hand turns the arm switch.",
        examples=["pusher find", "pusher try --port virtual"],
    )
    _command(
        words,
        "find",
        "pusher:find",
        "ask on every serial port who is there",
        description="Asks on every serial port who is there.",
        examples=["pusher find"],
    )
    watch = _command(
        words,
        "watch",
        "pusher:watch",
        "show states, inputs and beams as they change",
        description="Shows states, inputs and beams as they change, until Ctrl+C.",
        examples=["pusher watch", "pusher watch --port /dev/ttyUSB0"],
    )
    trial = _command(
        words,
        "try",
        "pusher:trial",
        "make one stroke with the arm in the air",
        description="Makes one stroke with the arm in the air, once a hand has turned the switch.",
        examples=["pusher try", "pusher try --port virtual"],
    )
    for command in (watch, trial):
        command.add_argument(
            "--port", help='serial port, socket://HOST:PORT, or "virtual"; searched unless given'
        )
    flash = _command(
        words,
        "flash",
        "pusher:put_program",
        "put the program on the board",
        description="Puts the pusher's program on an Uno or Nano through its own bootloader, and "
        "reads it back. Turn the arm switch off first. Nothing else on the board is changed.",
        examples=["pusher flash", "pusher flash /dev/ttyUSB0"],
    )
    flash.add_argument(
        "port", metavar="PORT", nargs="?", help="serial port; searched if one board is plugged in"
    )


def _calibrate(commands: Any, name: str) -> None:
    words = _group(
        commands,
        name,
        "find the lens, survey the mat, place the pusher",
        description="Measure the rig from pictures that were taken before. `lens` finds what the "
        "lens does, once for each camera, picture size and focus. `survey` finds where the hand-"
        "laid strips of the mat really lie. `pusher` says how to move the pusher behind the row.",
        examples=["calibrate lens board", "calibrate survey strips --camera camera.json"],
    )
    lens = _command(
        words,
        "lens",
        "calibrate:lens",
        "find the lens from pictures of the board or the mat",
        description="Finds what the lens does from pictures of the board, or of the mat.",
        examples=["calibrate lens board", "calibrate lens strips --of mat --device /dev/video0"],
    )
    lens.add_argument("--of", choices=("board", "mat"), default="board", help="what they show")
    lens.add_argument("--device", default="camera", help="the camera's id from `camera list`")
    lens.add_argument(
        "--focus", type=number(float, 0, 1e6), help="the focus it is held at, in its own units"
    )
    lens.add_argument("--folder", type=Path, help="where lenses are kept")
    strips = _command(
        words,
        "survey",
        "calibrate:strips",
        "find where the strips of the mat lie",
        description="Finds where the hand-laid strips of the mat really lie.",
        examples=["calibrate survey strips --camera camera.json --ruler 99.5 --out mat.json"],
    )
    strips.add_argument("--camera", type=Path, required=True, help="camera file of the pictures")
    strips.add_argument(
        "--ruler",
        type=number(float, 90, 110, "mm"),
        default=RULER_MM,
        metavar="MM",
        help="what the printed 100 mm ruler measures",
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
        description="Says how to move the pusher behind the row, by the tag on its lid.",
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
        help=f"from the tip at rest to the tile ({STANDOFF_MM:g})",
    )
    pusher.add_argument("--far-end", action="store_true", help="push from the row's other end")
    for command in (lens, strips, pusher):
        command.add_argument("--mat", type=Path, help="mat file; without it the printed mat's own")
        command.add_argument("--json", action="store_true", help="print one JSON object")


def _predict(commands: Any, name: str) -> None:
    parser = _command(
        commands,
        name,
        "predict:run",
        "say how likely rows are to fall",
        description="Predict how likely every row of the files is to fall as a whole: the chance, "
        "its 95 % interval, and the joint that is least likely to be crossed. A file holds one "
        "row as a JSON object, or one object a line; its fields are described in "
        "physics/ROWS.md. If a row is bad, the error names file, line, field and number, nothing "
        "is printed (unless --keep-going), and the exit code is 2.",
        examples=[
            "predict rows.jsonl",
            "predict rows.jsonl --json --jobs 2 > predictions.jsonl",
            "predict row.json --detail",
        ],
    )
    parser.add_argument("rows", nargs="+", metavar="ROWS", help="one JSON row, or one row a line")
    parser.add_argument("--json", action="store_true", help="print one JSON object a row")
    parser.add_argument(
        "--detail",
        action="store_true",
        help="also tell the push, every joint, and p for other frictions and pushes",
    )
    parser.add_argument("--seed", type=number(int, 0), default=0, help="seed of all chance (0)")
    parser.add_argument(
        "--runs",
        type=number(int, 1),
        default=FALLS,
        help=f"disturbed copies of a row to let fall, at most; clear rows take fewer ({FALLS})",
    )
    parser.add_argument(
        "--jobs", type=number(int, 1), default=1, help="processes that share the rows (1)"
    )
    parser.add_argument(
        "--keep-going",
        action="store_true",
        help="answer the good rows even if others are bad, and list the bad ones at the end",
    )
    _progress(parser)


def _learn(commands: Any, name: str) -> None:
    parser = _command(
        commands,
        name,
        "learn:run",
        "fit the prediction again on reference rows",
        description="Fit the chance of every joint on rows whose outcome is known.",
        examples=["learn reference.jsonl --out hazard.json", "learn a.jsonl b.jsonl --out h.json"],
    )
    parser.add_argument("rows", nargs="+", metavar="ROWS", help="reference rows, one a line")
    parser.add_argument("--out", required=True, metavar="FILE", help="coefficients file to write")
    parser.add_argument("--seed", type=number(int, 0), default=0, help="seed of all chance (0)")
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
        description="Let rows fall in MuJoCo; a run that was cut off goes on where it stopped.",
        examples=[
            "reference rows.jsonl --out reference.jsonl",
            "reference rows.jsonl --draw 500 --seed 3 --jobs 2 --out drawn.jsonl",
        ],
    )
    parser.add_argument("rows", nargs="+", metavar="ROWS", help="rows, one a line")
    parser.add_argument("--out", required=True, metavar="FILE", help="reference rows to write")
    parser.add_argument(
        "--draw", type=number(int, 1), metavar="N", help="draw N new rows like these instead"
    )
    parser.add_argument("--seed", type=number(int, 0), default=0, help="seed of the new rows (0)")
    parser.add_argument(
        "--runs", type=number(int, 0), default=FALLS, help=f"noisy runs a row ({FALLS})"
    )
    parser.add_argument(
        "--standard",
        type=number(float, 0, 1),
        default=STANDARD_SHARE,
        metavar="SHARE",
        help=f"share of new rows of the standard tile ({STANDARD_SHARE})",
    )
    parser.add_argument(
        "--unsure", action="store_true", help="prefer rows that the fit is unsure of"
    )
    parser.add_argument(
        "--quick", action="store_true", help="a third quicker, 1 nominal label in 30 differs"
    )
    parser.add_argument(
        "--jobs", type=number(int, 1), default=1, help="processes that share the rows (1)"
    )
    _progress(parser)


def _completion(commands: Any, name: str) -> None:
    parser = _command(
        commands,
        name,
        "completion:run",
        "have the shell complete commands and options",
        description="Prints what makes the shell complete commands, options and files with the Tab "
        "key. bash: a line in ~/.bashrc; zsh: one in ~/.zshrc after compinit; fish: a file in "
        "~/.config/fish/completions.",
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
    "replay": _replay,
    "pushes": _pushes,
    "see": _see,
    "camera": _camera,
    "doctor": _doctor,
    "print": _print,
    "pusher": _pusher,
    "calibrate": _calibrate,
    "predict": _predict,
    "learn": _learn,
    "reference": _reference,
    "completion": _completion,
}


def _progress(parser: Parser) -> None:
    parser.add_argument(
        "--progress",
        action=argparse.BooleanOptionalAction,
        help="show progress on stderr; without this option only if that is a terminal",
    )


def number(
    kind: type[int] | type[float],
    least: float | None = None,
    most: float | None = None,
    unit: str = "",
) -> Callable[[str], Any]:
    """Make what reads a number within bounds, and says what it expected otherwise."""
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
            f"expected length x width x thickness in mm such as 48x24x7.5, got {text}"
        )
    return length, width, thickness
