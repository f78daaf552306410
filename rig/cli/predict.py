"""domino-rig predict: the chance that the rows of a file fall."""

import json
import sys
from argparse import Namespace
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext
from itertools import tee
from pathlib import Path
from shutil import copyfileobj
from tempfile import TemporaryDirectory
from typing import Any, BinaryIO, TextIO, TypeAlias

from physics.errors import PhysicsError
from physics.fall.limits import require_push
from physics.predict.batch import predict_many
from physics.predict.learned_table import read_table
from physics.predict.predict import Prediction
from physics.predict.wording import SURE, percent, row_name, tile_name
from physics.rows.row_file import STDIN, STDIN_NAME, read_each
from physics.rows.scenario import Scenario
from rig.cli.output import print_json, progress, unwritten
from rig.cli.pictures import Pictures
from rig.cli.row_sources import named, row_lines
from vision.errors import VisionError

Source: TypeAlias = tuple[str, str]
"""A file of rows: its path, and what it is called in messages."""
_HEAD = b'{"format": "domino-rig-prediction"'
"""What every answer begins with: where a line does not, nobody's file is cut or added to."""
_NAMES = {
    "friction.tile_tile": "friction between tiles",
    "friction.tile_table": "friction with the table",
    "push.speed": "push speed",
}


def run(args: Namespace) -> int:
    """Predict every row; print nothing unless all can be predicted, or bad ones may be left out.

    Rows are read twice, to look at all of them first, and never held: there may be many.
    """
    table = None if args.table is None else read_table(args.table)
    with ExitStack() as files:
        sources, unread = list[Source](), list[PhysicsError]()
        for path in named(args.rows):
            try:
                sources.append(files.enter_context(_again(path)))
            except VisionError as unseen:
                if not args.keep_going:
                    raise
                unread.append(PhysicsError(str(unseen)))
        total, bad = _looked_at(sources, args.keep_going)
        bad = [*unread, *bad]
        good = _good(sources)
        pictures = Pictures(args.plot, args.report, args.film, total)
        out, done = _opened(args, good)
        if out is not None:
            files.enter_context(out)
        files.enter_context(pictures)
        rows, asked = tee(good)
        answers = predict_many(
            asked,
            seed=args.seed,
            runs=args.runs,
            detail=args.detail,
            jobs=args.jobs,
            table=table,
        )
        tell = progress(args.progress)
        tell(done, total)
        for at, (row, answer) in enumerate(zip(rows, answers, strict=True), start=done + 1):
            if isinstance(answer, PhysicsError):
                bad.append(answer)
            if out is not None:
                print_json("prediction", as_json(row, answer), file=out)
            elif isinstance(answer, Prediction) and args.json:
                print_json("prediction", as_json(row, answer))
            elif isinstance(answer, Prediction):
                print(as_text(row, answer), flush=True)
            pictures.show(at, row, answer)
            tell(at, total)
    for error in bad:
        print(f"domino-rig predict: {error}", file=sys.stderr)
    return 2 if bad else 0


@contextmanager
def _again(path: str) -> Iterator[Source]:
    """A file that can be read more than once: what comes through a pipe is kept in one meanwhile.

    So are the rows of a photo or a game.

    Raises:
        PhysicsError: the standard input is closed, or a game has no row.
        VisionError: a photo shows no row.
        RigError: a game cannot be read.
    """
    if path != STDIN and not Path(path).is_fifo():
        lines = row_lines(path)
        if lines is None:
            yield path, path
            return
        with TemporaryDirectory(prefix="domino-rig-") as folder:
            kept = Path(folder) / "rows.jsonl"
            kept.write_text("\n".join(lines), encoding="utf-8")
            yield str(kept), path
        return
    if path == STDIN and sys.stdin is None:
        raise PhysicsError(f"{STDIN_NAME} is closed; give a file")
    with TemporaryDirectory(prefix="domino-rig-") as folder:
        kept = Path(folder) / f"rows{Path(path).suffix}"
        with kept.open("wb") as file, _piped(path) as pipe:
            copyfileobj(pipe, file)
        yield str(kept), STDIN_NAME if path == STDIN else path


def _piped(path: str) -> AbstractContextManager[BinaryIO]:
    return nullcontext(sys.stdin.buffer) if path == STDIN else Path(path).open("rb")


def _each(sources: Sequence[Source]) -> Iterator[Scenario | PhysicsError]:
    """Every row of all files, or what is wrong with it."""
    for row in (row for path, name in sources for row in read_each(path, name)):
        refused = None if isinstance(row, PhysicsError) else _refused(row)
        yield row if refused is None else refused


def _good(sources: Sequence[Source]) -> Iterator[Scenario]:
    return (row for row in _each(sources) if isinstance(row, Scenario))


def _looked_at(sources: Sequence[Source], keep_going: bool) -> tuple[int, list[PhysicsError]]:
    """How many rows are good, and what is wrong with the others.

    Raises:
        PhysicsError: one is bad, and the others are not to be predicted without it.
    """
    good, bad = 0, list[PhysicsError]()
    for row in _each(sources):
        if isinstance(row, Scenario):
            good += 1
        elif keep_going:
            bad.append(row)
        else:
            raise row
    return good, bad


def _opened(args: Namespace, rows: Iterator[Scenario]) -> tuple[TextIO | None, int]:
    """Where answers are written, None for the standard output, and how many stand there.

    Args:
        args: of the command.
        rows: all that are asked for; those that are answered there are taken from it.

    Raises:
        PhysicsError: the file cannot be written, or has answers to other rows.
    """
    if args.out is None and args.resume:
        raise PhysicsError("--resume goes on with a file; name it with --out")
    if args.report is not None and args.resume:
        raise PhysicsError("--report begins with the first row; leave out --report or --resume")
    if args.out is None:
        return None, 0
    out = Path(args.out)
    if out.exists() and not out.is_dir() and not args.resume:
        raise PhysicsError(
            f"{out} is there already; --resume goes on with it, otherwise name another file"
        )
    try:
        done = _kept(out, rows) if out.exists() else 0
        return out.open("a", encoding="utf-8"), done
    except OSError as error:
        raise unwritten(out, error) from None


def _kept(out: Path, rows: Iterator[Scenario]) -> int:
    """Count the answers of an interrupted run; a last one that was cut short is taken away."""
    count = whole = 0
    with out.open("rb+") as file:
        for line in file:
            count += 1
            if not _HEAD.startswith(line[: len(_HEAD)]):
                raise PhysicsError(f"line {count} of {out} is no prediction; name another file")
            if not line.endswith(b"\n"):
                file.truncate(whole)
                return count - 1
            whole += len(line)
            row, id_ = next(rows, None), _id_of(line)
            if row is None or row.id != id_:
                raise PhysicsError(
                    f"{out}, line {count}: answers row {id_!r}, expected "
                    f"{'no more' if row is None else repr(row.id)}; use the rows that it was "
                    "started with, or name another file"
                )
    return count


def _id_of(line: bytes) -> Any:
    try:
        said = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return said.get("id") if isinstance(said, dict) else None


def as_json(row: Scenario, answer: Prediction | PhysicsError) -> dict[str, Any]:
    """Give a prediction in the form that other programs read; longer if it is detailed."""
    if isinstance(answer, PhysicsError):
        return {"id": row.id, "refused": str(answer)}
    told = {
        "id": row.id,
        "p_fall": round(answer.p_fall, 4),
        "low": round(answer.low, 4),
        "high": round(answer.high, 4),
        "all_fall": answer.all_fall,
        "joints": [{"from": j.start, "to": j.end, "p": round(j.p, 4)} for j in answer.joints],
        "weakest": list(answer.weakest),
        "runs": answer.runs,
        **({"extrapolated": list(answer.extrapolated)} if answer.extrapolated else {}),
    }
    if answer.sensitivity:
        told["push"] = round(answer.push, 4)
        told["error"] = round(answer.error, 4)
        told["sensitivity"] = {
            s.name: {
                "per_10_percent": round(s.per_tenth, 4),
                "factor": list(s.factors),
                "p_fall": [round(p, 4) for p in s.p_fall],
            }
            for s in answer.sensitivity
        }
    return told


def as_text(row: Scenario, answer: Prediction) -> str:
    """Describe a prediction for people in one line, or in a few if it is detailed."""
    weak = min(answer.joints, key=lambda joint: joint.p)
    text = (
        f"{row_name(row.id)}: falls with {percent(answer.p_fall)} "
        f"({percent(answer.low)} to {percent(answer.high)}); "
        f"weakest joint {tile_name(weak.start)} → {tile_name(weak.end)}: {percent(weak.p)}"
    )
    if answer.extrapolated:
        text += f"; a guess, outside the fitted range: {', '.join(answer.extrapolated)}"
    return "\n".join([text, *_details(row, answer)]) if answer.sensitivity else text


def _refused(row: Scenario) -> PhysicsError | None:
    try:
        require_push(row.chain, row.push, row.friction, row.spread)
    except PhysicsError as error:
        return type(error)(f"{row.where}: {error}")
    return None


def _details(row: Scenario, answer: Prediction) -> list[str]:
    """Describe the push, every joint that may fail, and what p depends on, a line each."""
    doubtful = [j for j in answer.joints if j.p <= SURE]
    crossed = [f"{tile_name(j.start)} → {tile_name(j.end)} {percent(j.p)}" for j in doubtful]
    if len(doubtful) < len(answer.joints):
        crossed.append(f"{'the others' if doubtful else 'all'} {percent(1.0)}")
    first = tile_name(row.chain.tiles[0].value)
    lines = [
        f"  {len(answer.joints) + 1} tiles, {answer.runs} falls",
        f"  the push topples tile {first}: {percent(answer.push)}",
        f"  joints: {', '.join(crossed)}",
    ]
    for s in answer.sensitivity:
        less, more = round(100 * (1.0 - s.factors[0])), round(100 * (s.factors[-1] - 1.0))
        lines.append(
            f"  {_NAMES[s.name]}: {percent(s.p_fall[0])} if it were {less} % less, "
            f"{percent(s.p_fall[-1])} if {more} % more ({_points(s.per_tenth)})"
        )
    return lines


def _points(change: float) -> str:
    points = round(100 * change)
    if points == 0:
        return "hardly any change"
    count = f"{abs(points)} point{'s' if abs(points) > 1 else ''}"
    return f"{count} {'more' if points > 0 else 'less'} for each 10 %"
