"""domino-rig survey: what the model says of many rows, over ranges of what they are like."""

import math
from argparse import Namespace
from collections.abc import Callable, Generator, Iterator, Mapping, Set
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from physics.fall.joint import Reals
from physics.predict.learned_table import LearnedTable, read_table
from physics.row.tile import Orientation
from physics.rows.generators import Shape
from physics.survey.design import Design, points, size
from physics.survey.parameters import PARAMETERS, Axis, SurveyError, read_axes
from physics.survey.study import Chunk, Columns, Study, about, answered
from rig.cli.output import progress, write_whole
from rig.cli.signals import STOPPED
from rig.studies.workers import on_cluster, on_processes

_CHUNKS = 128
"""Chunks of a survey: so many that at its end few processes wait long for the last of them."""
_ROWS = (8, 64)
"""Rows of a chunk, the fewest and the most: some tenths of a second to some seconds of work."""
_USUAL = 1000
_OF_A_TABLE = ("friction", "table-friction")
_DRAWINGS = (".svg", ".png", ".pdf")


def run(args: Namespace) -> int:
    """Predict the rows that are not there yet, then draw."""
    if (args.source is None) is (args.out is None):
        raise SurveyError("expected either --out FILE for a new survey, or --from FILE to draw one")
    if args.plot is None and (args.ask is not None or args.source is not None):
        raise SurveyError("there is nothing to draw into; name a file with --plot")
    if args.plot is not None:
        _require_drawing(Path(args.plot))
    if args.source is not None:
        if args.vary:
            raise SurveyError("--from draws a survey that is there; leave --vary and --set out")
        source = Path(args.source)
    else:
        source = Path(args.out)
        _surveyed(args, source)
    if args.plot is not None:
        _drawn(source, Path(args.plot), _words(args))
    return 0


def _surveyed(args: Namespace, out: Path) -> None:
    """Make the survey, or what of it is wanting."""
    axes, shape = read_axes(args.vary or ()), Shape(args.draw)
    varied = tuple(axis.parameter.name for axis in axes if axis.varies)
    if not varied:
        raise SurveyError("expected what differs between the rows, like --vary gap=5..40")
    if shape is Shape.LINE and any(axis.parameter.name == "turn" for axis in axes):
        raise SurveyError("a line does not turn; use --draw arc, or leave turn out")
    sample = Design(args.sample)
    wanted = _USUAL if args.rows is None and sample is not Design.GRID else args.rows
    total = size(axes, sample, wanted)
    study = Study(
        tuple(axis.parameter.name for axis in axes),
        shape,
        Orientation.HORIZONTAL if args.horizontal else Orientation.VERTICAL,
        args.seed,
        args.runs,
        table=None if args.table is None else _table(args.table, axes),
    )
    told = {**about(study), **_ranges(axes), "sample": sample.value, "rows": total}
    step = min(max(total // _CHUNKS, _ROWS[0]), _ROWS[1])
    sizes = [min(step, total - first) for first in range(0, total, step)]
    if args.plot is not None:
        _require_asked(_words(args), varied)
    from rig.studies.chunks import opened  # asks for the extra, so it comes after what is asked

    tell = progress(args.progress)
    with opened(out, told, sizes, args.resume) as chunks:
        if chunks is not None:
            wanting = _wanting(chunks.done, step, partial(points, axes, sample, total, args.seed))
            try:
                tell(chunks.rows_done, total)
                with closing(_worked(args, study, wanting)) as results:
                    for number, columns in results:
                        chunks.keep(number, columns)
                        tell(chunks.rows_done, total)
            except KeyboardInterrupt:
                raise KeyboardInterrupt(
                    f"{STOPPED} {chunks.rows_done} of {total} rows are kept in {chunks.folder}; "
                    "--resume goes on with them."
                ) from None
            chunks.finish()
    print(f"{out}: {total} rows")


def _worked(
    args: Namespace, study: Study, wanting: Iterator[Chunk]
) -> Generator[tuple[int, Columns], None, None]:
    """Predict all chunks that are wanting."""
    work = partial(answered, study)
    if args.scheduler is None:
        return on_processes(work, wanting, args.jobs)
    return on_cluster(work, wanting, args.scheduler)


def _wanting(done: Set[int], step: int, choose: Callable[[], Reals]) -> Iterator[Chunk]:
    """Give the chunks that are not there yet; points are chosen when the first is asked for."""
    places = choose()
    for number, first in enumerate(range(0, len(places), step)):
        if number not in done:
            yield Chunk(number, first, places[first : first + step])


def _table(file: str, axes: tuple[Axis, ...]) -> LearnedTable:
    """Read the table that all rows stand on; its frictions are theirs."""
    own = [axis.parameter.name for axis in axes if axis.parameter.name in _OF_A_TABLE]
    if own:
        raise SurveyError(f"rows on a table have its frictions; leave out {own[0]} or --table")
    return read_table(file)


def _ranges(axes: tuple[Axis, ...]) -> dict[str, Any]:
    return {"axes": {axis.parameter.name: axis.text for axis in axes}}


def _words(args: Namespace) -> tuple[str, ...] | None:
    return None if args.ask is None else tuple(args.ask.split(","))


def _require_drawing(plot: Path) -> None:
    if plot.suffix.lower() not in _DRAWINGS:
        raise SurveyError(
            f"--plot {plot}: expected a name that ends in one of {', '.join(_DRAWINGS)}"
        )
    if not plot.parent.is_dir():
        raise SurveyError(f"{plot}: there is no folder {plot.parent}; make it or name another")


def _require_asked(words: tuple[str, ...] | None, varied: tuple[str, ...]) -> None:
    from physics.survey.drawings import require_question, usual_question

    require_question(words or usual_question(varied), varied)


def _drawn(source: Path, plot: Path, words: tuple[str, ...] | None) -> None:
    """Draw the answer to a question about a survey."""
    # Only who draws waits for matplotlib, and the extra is asked for after what is asked.
    from physics.survey.drawings import drawn, require_question, usual_question
    from physics.survey.summary import Answers
    from rig.studies.chunks import read

    table, told = read(source)
    columns = {name: table[parameter.column].to_numpy() for name, parameter in PARAMETERS.items()}
    p, low, high = (table[name].to_numpy() for name in ("p_fall", "low", "high"))
    stands = ~np.isnan(p)
    answers = Answers(p[stands], low[stands], high[stands])
    varied = tuple(name for name in told.get("axes", {}) if len(np.unique(columns[name])) > 1)
    words = words or usual_question(varied)
    require_question(words, varied)
    strange = int(np.count_nonzero(table["extrapolated"].to_numpy() != ""))
    drawing = drawn(
        words,
        {name: values[stands] for name, values in columns.items()},
        answers,
        _notes(told, columns, words, (len(p), int(np.count_nonzero(~stands)), strange)),
        plot.suffix[1:].lower(),
    )
    write_whole(plot, drawing)
    print(f"{plot}: {', '.join(words)}")


def _notes(
    told: Mapping[str, Any],
    columns: Mapping[str, Reals],
    words: tuple[str, ...],
    counts: tuple[int, int, int],
) -> tuple[str, ...]:
    """What a reader of a drawing has to know: the rows, what else varied, what is a guess."""
    total, refused, strange = counts
    asked = {"gap" if word == "apart" else word for word in words}
    others = [
        name for name in told["axes"] if name not in asked and len(np.unique(columns[name])) > 1
    ]
    count = columns["count"]
    tiles = f"{count.min()}" if count.min() == count.max() else f"{count.min()} to {count.max()}"
    first = f"{total} of {told['rows']} rows, " if total < told["rows"] else f"{total} rows, "
    first += f"{told['shape']}, {tiles} {told['orientation']} tiles"
    if others:
        first += f"; also varied: {', '.join(others)}"
    second = []
    if strange:
        second.append(f"{math.ceil(100 * strange / total)} % are guesses, outside the fitted range")
    if refused:
        second.append(f"{refused} cannot stand and are left out")
    return (first, *(["; ".join(second)] if second else ()))
