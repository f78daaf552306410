"""The `domino-rig` command: finds the subcommand, turns errors into one sentence."""

import argparse
import errno
import os
import sys
from collections.abc import Sequence
from importlib import import_module, metadata
from typing import NoReturn

# Every matrix here is small: threads for them cost more than they save, and on a busy computer they
# wait for each other. numpy looks at this when it is first imported, which is after this module.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

COMMANDS = {
    "play": "open a table: phones round it, the table screen, camera and pusher",
    "demo": "a whole game by bots, through every layer",
    "replay": "tell a game from its file, or prove that nothing in it was changed",
    "pushes": "what journals remember of every push, for `learn`",
    "see": "read camera frames: tiles, row, new tile",
    "camera": "list cameras, show what one sees, hold its settings",
    "doctor": "what is set up, what is still to do, and why a phone cannot get in",
    "print": "sheets to print: mat, marks, calibration board, pusher tag",
    "pusher": "find the pusher, watch it, try it, flash it",
    "calibrate": "find the lens, survey the mat, place the pusher",
    "predict": "predict whether rows fall",
    "learn": "fit the prediction again on reference rows",
    "reference": "let rows fall in three dimensions (extra: reference)",
}


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        print(f"{self.prog}: {message}; see {self.prog} --help", file=sys.stderr)
        raise SystemExit(2)


def build(commands: Sequence[str] = tuple(COMMANDS)) -> argparse.ArgumentParser:
    """Make the parser with these subcommands loaded."""
    parser = _Parser(prog="domino-rig", description="The machine for the game Estimation Domino.")
    parser.add_argument("--version", action="version", version=metadata.version("domino-rig"))
    subparsers = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for name in commands:
        import_module(f"rig.cli.{name}").add(subparsers)
    return parser


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; 2 is the exit code of everything that a person can mend."""
    words = list(sys.argv[1:] if argv is None else argv)
    # Only the command that was asked for is loaded: `predict` needs no web server.
    wanted = [words[0]] if words and words[0] in COMMANDS else tuple(COMMANDS)
    args = build(wanted).parse_args(words)
    from physics.errors import PhysicsError
    from rig.errors import RigError
    from vision.errors import VisionError
    from web.errors import WebError

    try:
        code = int(args.run(args))
        sys.stdout.flush()
        return code
    except (PhysicsError, VisionError, RigError, WebError) as error:
        print(f"domino-rig {args.command}: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        sys.stderr.close()
        return 1
    except OSError as error:
        if error.errno != errno.ENOSPC:
            raise
        _drop_output()
        print(
            f"domino-rig {args.command}: {error.filename or 'the output'} cannot be written "
            "(the disk is full): make room, then try again",
            file=sys.stderr,
        )
        return 2


def _drop_output() -> None:
    """Have what cannot be written go nowhere, so that leaving does not try it again."""
    sink = os.open(os.devnull, os.O_WRONLY)
    os.dup2(sink, sys.stdout.fileno())
    os.close(sink)


if __name__ == "__main__":
    sys.exit(main())
