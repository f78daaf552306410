"""The `domino-rig` command: finds the subcommand, turns errors into one sentence.

It loads only what it needs, so that --help appears at once.
"""

import errno
import gc
import os
import sys
from collections.abc import Callable, Sequence
from importlib import import_module

from rig.cli.signals import STOPPED, Signals, last_word

# Every matrix here is small: threads for them cost more than they save, and on a busy computer they
# wait for each other. numpy looks at this when it is first imported, which is after this module.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
# As many as the largest camera in the settings has: a file of 1 MB can hold ten times as many,
# which would take 8 GB. OpenCV looks at this when it is first imported.
os.environ.setdefault("OPENCV_IO_MAX_IMAGE_PIXELS", str(10_000 * 10_000))

_OURS = ("physics", "vision", "rig", "web")
_EXTRAS = dict.fromkeys(("distributed", "matplotlib", "pyarrow", "scipy"), "survey")
"""Packages that only some commands need, and what to install for them."""
BROKEN_PIPE = 141
"""Exit code of a command whose reader went away, as with `| head`."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; exit code 2 means that a person can fix the error.

    Args:
        argv: its arguments. None means those of this process; the command then also handles Ctrl+C,
            replaces characters that the terminal cannot show, and ends the process.
    """
    if argv is not None:
        return _run(list(argv), Signals())
    signals = Signals()
    signals.listen()
    gc.disable()  # all that is loaded stays: to look for garbage in it takes a tenth of the start
    from rig.cli.output import write_anything

    write_anything()
    code = _run(sys.argv[1:], signals)
    signals.busy = False
    if signals.heard:
        os._exit(code)  # a thread that is left must not keep who wants to go
    return code


def _run(words: list[str], signals: Signals) -> int:
    """Run one command and flush its output; report errors that a person can fix in a sentence."""
    name, say = "domino-rig", None
    try:
        try:
            from rig.cli.parser import build

            parser = build()
            if "_ARGCOMPLETE" in os.environ:
                from argcomplete import autocomplete

                autocomplete(parser)
            args = parser.parse_args(words)
            if args.command is None:
                parser.print_help()
                return 0
            name = f"domino-rig {args.command}"
            say = _speech(args)
            run = _loaded(args.run)
            _look_for_garbage()
            signals.busy = True
            return int(run(args))
        finally:
            sys.stdout.flush()
    except KeyboardInterrupt as end:
        last_word(str(end) or (STOPPED if say is None else say("stopped")))
        return signals.code
    except BrokenPipeError:
        _drop_output()
        return BROKEN_PIPE
    except Exception as error:
        sentence = _sentence(error, say)
        if sentence is None:
            raise
        for note in getattr(error, "__notes__", ()):  # what a command adds of its own
            sentence = f"{sentence.rstrip('.')}. {note}"
        from rig.cli.teller import shown

        print(f"{name}: {shown(sentence)}", file=sys.stderr)
        return 2


def _speech(args: object) -> Callable[..., str] | None:
    """What says the texts of a command's language; None for one that speaks only English."""
    asked = vars(args)
    if "language" not in asked:
        return None
    from rig.cli.speech import speech

    return speech(asked["language"])


def _loaded(run: str) -> Callable[[object], int]:
    """Load the function of a command, named as MODULE:FUNCTION."""
    module, _, function = run.partition(":")
    loaded: Callable[[object], int] = getattr(import_module(f"rig.cli.{module}"), function)
    return loaded


def _look_for_garbage() -> None:
    """Look for garbage from now on, but not in what is loaded."""
    if not gc.isenabled():
        gc.freeze()
        gc.enable()


def _sentence(error: Exception, say: Callable[..., str] | None) -> str | None:
    """Say what happened and what to do; None for an error that only a programmer can fix."""
    from physics.errors import PhysicsError
    from rig.errors import RigError
    from vision.errors import VisionError
    from vision.opencv import trouble_of
    from web.base.errors import WebError

    match error:
        case PhysicsError() | VisionError() | RigError() | WebError():
            if say is None:
                return str(error)
            from rig.cli.speech import explained

            return explained(error, say)
        case ModuleNotFoundError(name=str(name)) if name.partition(".")[0] in _EXTRAS:
            package, _, _ = name.partition(".")
            return (
                f"this needs {package} from the extra {_EXTRAS[package]}; 'domino-rig doctor' "
                "prints the command that installs it"
            )
        case ModuleNotFoundError(name=str(name)) if name.partition(".")[0] not in _OURS:
            return trouble_of(error) or (
                f"the package {name} is missing from this Python: install domino-rig again"
            )
        case ImportError():
            return trouble_of(error)
        case OSError(errno=errno.ENOSPC):
            _drop_output()
            return (
                f"{error.filename or 'the output'} cannot be written (the disk is full): make "
                "room, then try again"
            )
        case OSError(filename=str(path), strerror=str(why)):
            return f"{path}: cannot be used ({why}); name another one"
    return None


def _drop_output() -> None:
    """Discard output that cannot be written, so that Python does not try again at exit."""
    sink = os.open(os.devnull, os.O_WRONLY)
    os.dup2(sink, sys.stdout.fileno())
    os.close(sink)


if __name__ == "__main__":
    sys.exit(main())
