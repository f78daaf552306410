"""The results of a survey as they come: a Parquet file a chunk, made into one at the end.

A Parquet file cannot be read without its end, so each chunk is a whole one, in a folder beside the
file that is to be. A chunk gets its name when it is complete: whatever ends the program, what
stands there is good. The end result depends on nothing but the rows.
"""

import json
import os
import shutil
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from io import BytesIO
from pathlib import Path
from typing import Any, Final

import pyarrow as pa
import pyarrow.parquet as pq

from physics.survey.parameters import PARAMETERS, SurveyError

FORMAT: Final = b"domino-rig-survey"
"""The key under which a file says which survey it is."""
_GROUP: Final = 8192
"""Rows of a row group of the finished file: some 100 kB."""
_SUFFIX: Final = ".parts"
_COLUMNS: Final = pa.schema(
    [
        ("row", pa.int32()),
        *(
            (each.column, pa.int32() if each.whole else pa.float64())
            for each in PARAMETERS.values()
        ),
        *((name, pa.float64()) for name in ("p_fall", "low", "high", "error", "push")),
        ("weakest_joint", pa.int32()),
        ("runs", pa.int32()),
        ("extrapolated", pa.string()),
        ("refused", pa.string()),
    ]
)


class Chunks:
    """The finished chunks of one survey; see `opened`."""

    def __init__(self, out: Path, about: Mapping[str, Any], sizes: list[int]) -> None:
        self.out = out
        self.folder = folder_of(out)
        self._schema = _COLUMNS.with_metadata({FORMAT: json.dumps(about).encode()})
        self._sizes = sizes
        self.done = {n for n, size in enumerate(sizes) if self._rows(n) == size}

    @property
    def rows_done(self) -> int:
        """How many rows are kept."""
        return sum(self._sizes[n] for n in self.done)

    def keep(self, number: int, columns: Mapping[str, list[Any]]) -> None:
        """Keep a chunk; it is there as a whole or not at all.

        Raises:
            OSError: it cannot be written; names the file.
        """
        written = BytesIO()
        pq.write_table(pa.table(dict(columns), schema=self._schema), written)
        _replace(self._path(number), written.getvalue())
        self.done.add(number)

    def finish(self) -> None:
        """Make all chunks into the one file, and clear them away.

        Raises:
            OSError: it cannot be written; the chunks are kept.
        """
        fresh = self.folder / "whole.new"
        with _named(fresh), fresh.open("wb") as file:
            with pq.ParquetWriter(file, self._schema, compression="zstd") as writer:
                for table in self._groups():
                    writer.write_table(table, row_group_size=_GROUP)
            file.flush()
            os.fsync(file.fileno())
        os.replace(fresh, self.out)

    def _groups(self) -> Iterator[pa.Table]:
        waiting: list[pa.Table] = []
        for number in range(len(self._sizes)):
            waiting.append(_read(self._path(number)))
            if sum(map(len, waiting)) >= _GROUP:
                yield pa.concat_tables(waiting)
                waiting = []
        if waiting:
            yield pa.concat_tables(waiting)

    def _path(self, number: int) -> Path:
        return self.folder / f"{number:06}.parquet"

    def _rows(self, number: int) -> int:
        """How many rows of this survey a chunk has; a damaged one has none."""
        path = self._path(number)
        if not path.exists():
            return 0
        try:
            found = pq.read_metadata(path)
        except (OSError, pa.ArrowInvalid):
            return 0
        return int(found.num_rows)


@contextmanager
def opened(
    out: Path, about: Mapping[str, Any], sizes: list[int], resume: bool
) -> Iterator[Chunks | None]:
    """Hold the results of a survey, alone.

    Args:
        out: the file that is to be.
        about: which survey it is; only the same one may be gone on with.
        sizes: how many rows each chunk has.
        resume: whether to go on with what is there.

    Returns:
        Its chunks; None if it is finished already.

    Raises:
        SurveyError: something is there already, or belongs to another survey or program.
    """
    folder, about = folder_of(out), json.loads(json.dumps(about))
    if not out.parent.is_dir():
        raise SurveyError(f"{out}: there is no folder {out.parent}; make it or name another")
    if not resume and (out.exists() or folder.exists()):
        there = out if out.exists() else folder
        raise SurveyError(
            f"{there} is there already; --resume goes on with it, otherwise name another file"
        )
    if out.exists():
        _require_same(out, about_of(out), about)
        shutil.rmtree(folder, ignore_errors=True)
        yield None
        return
    folder.mkdir(exist_ok=True)
    with _alone(folder):
        said = folder / "survey.json"
        if said.exists():
            _require_same(folder, _from_json(said.read_bytes()), about)
        else:
            _replace(said, json.dumps(about).encode())
        chunks = Chunks(out, about, sizes)
        yield chunks
    if out.exists():
        shutil.rmtree(folder, ignore_errors=True)


def folder_of(out: Path) -> Path:
    """Where the chunks of a survey are kept until it is finished."""
    return out.with_name(out.name + _SUFFIX)


def read(out: Path) -> tuple[pa.Table, Mapping[str, Any]]:
    """Read a survey, finished or not: its rows so far, and which survey it is.

    Raises:
        SurveyError: there is none, or this is something else.
    """
    folder = folder_of(out)
    if not out.exists() and folder.is_dir():
        about = _from_json((folder / "survey.json").read_bytes())
        tables = [_read(path) for path in sorted(folder.glob("*.parquet"))]
        return pa.concat_tables(tables) if tables else _COLUMNS.empty_table(), about or {}
    about = about_of(out)
    if about is None:
        raise SurveyError(f"{out} is no survey; give a file that survey --out has written")
    return _read(out), about


def about_of(path: Path) -> Mapping[str, Any] | None:
    """Which survey a file says it is; None if it is something else.

    Raises:
        SurveyError: it cannot be read.
    """
    try:
        found = pq.read_schema(path).metadata or {}
    except pa.ArrowInvalid:
        return None
    except OSError as error:
        why = os.strerror(error.errno) if error.errno else str(error)  # Arrow has words of its own
        raise SurveyError(f"{path}: cannot be read ({why})") from None
    return _from_json(found.get(FORMAT, b""))


def _read(path: Path) -> pa.Table:
    # Thousands of small files: what looks for datasets or starts threads takes longer than reading.
    with path.open("rb") as file, pq.ParquetFile(file) as found:
        return found.read(use_threads=False)


def _from_json(data: bytes) -> Mapping[str, Any] | None:
    try:
        said = json.loads(data)
    except ValueError:
        return None
    return said if isinstance(said, dict) else None


def _require_same(where: Path, there: Mapping[str, Any] | None, asked: Mapping[str, Any]) -> None:
    if there is None:
        raise SurveyError(f"{where}: is no survey; name another file")
    differ = [name for name in asked if there.get(name) != asked[name]]
    if differ:
        name = differ[0]
        raise SurveyError(
            f"{where}: was begun with {name} {there.get(name)!r}, not {asked[name]!r}; "
            "go on with the options that it was started with, or name another file"
        )


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """Keep other programs out; SQLite's lock ends with the program, however that ends."""
    lock = sqlite3.connect(folder / "lock", timeout=0.0, isolation_level=None)
    try:
        lock.execute("BEGIN EXCLUSIVE")
    except sqlite3.OperationalError:
        lock.close()
        raise SurveyError(
            f"{folder}: another domino-rig works on it; wait for it or name another file"
        ) from None
    try:
        yield
    finally:
        lock.close()


def _replace(path: Path, data: bytes) -> None:
    fresh = path.with_suffix(".new")
    with _named(fresh):
        fresh.write_bytes(data)
        os.replace(fresh, path)


@contextmanager
def _named(path: Path) -> Iterator[None]:
    """Give an error of a file its name, which those of writing lack."""
    try:
        yield
    except OSError as error:
        with suppress(AttributeError):
            error.filename = error.filename or str(path)
        raise
