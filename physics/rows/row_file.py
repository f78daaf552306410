"""Rows in files: JSON, a line each (JSON or row notation), TOML, CSV; "-" is the standard input."""

import csv
import json
import sys
import tomllib
from collections.abc import Callable, Iterable, Iterator
from itertools import chain, groupby
from pathlib import Path as File
from typing import IO, Any

from physics.errors import PhysicsError, ScenarioError
from physics.row.tile import STANDARD
from physics.rows import notation
from physics.rows.row_fields import Fields, read_scenario, read_tile
from physics.rows.scenario import Scenario

STDIN = "-"
STDIN_NAME = "standard input"
_COLUMNS = ("id", "value", "x_mm", "y_mm", "heading_deg", "orientation")
_EXPECTED = "expected a JSON row, or one row a line as JSON or in row notation"


def read_scenarios(path: File | str) -> list[Scenario]:
    """Read the rows of a file.

    Raises:
        ScenarioError: names the file, the line, the field and what was expected there.
        ChainError: the tiles of a row cannot stand like this.
    """
    return [read_scenario(row, where) for where, row in read_objects(path)]


def read_each(path: File | str, name: str = "") -> Iterator[Scenario | PhysicsError]:
    """Read the rows of a file one after another, with its error in the place of a bad one.

    A file of one row a line is read as it is asked for.

    Args:
        path: of the file.
        name: what it is called in messages; its path unless given.

    Raises:
        ScenarioError: the file as a whole cannot be read.
    """
    for where, value in _values(path, name):
        read: Scenario | PhysicsError
        try:
            read = read_scenario(_row(value, where), where)
        except PhysicsError as error:
            read = error
        yield read


def read_objects(path: File | str) -> Iterator[tuple[str, Fields]]:
    """Read the fields of the rows of a file, each with the place it came from, for messages.

    Raises:
        ScenarioError: the file cannot be read, or has something else than rows.
    """
    for where, value in _values(path):
        yield where, _row(value, where)


def _values(path: File | str, name: str = "") -> Iterator[tuple[str, Any]]:
    """Give the fields of every row; a bad line gives its error instead."""
    name = name or (STDIN_NAME if str(path) == STDIN else str(path))
    try:
        with _opened(path) as file:
            yield from _KINDS.get(File(path).suffix.lower(), _lines)(file, name)
    except OSError as error:
        raise ScenarioError(f"{name}: cannot be read ({error.strerror}); give a file") from None
    except UnicodeDecodeError:
        raise ScenarioError(
            f"{name}: is not UTF-8 text; save it as UTF-8 (in Excel: CSV UTF-8)"
        ) from None
    except csv.Error as error:
        raise ScenarioError(f"{name}: is not CSV ({error})") from None


def _opened(path: File | str) -> Any:
    """A file as text; some programs, spreadsheets above all, begin UTF-8 with a mark."""
    if str(path) != STDIN:
        return File(path).open(encoding="utf-8-sig", newline="")
    return open(sys.stdin.fileno(), encoding="utf-8-sig", newline="", closefd=False)


def _lines(file: IO[str], name: str) -> Iterator[tuple[str, Any]]:
    """One row a line, or one JSON object over many lines."""
    first = next((line for line in enumerate(file, 1) if line[1].strip()), None)
    if first is None:
        raise ScenarioError(f"{name}: is empty; {_EXPECTED}")
    number, text = first
    if text.lstrip().startswith("{") and not _is_json(text):
        whole = text + file.read()
        try:
            row = json.loads(whole)
        except (ValueError, RecursionError):
            rest: Iterable[str] = whole.splitlines()[1:]
        else:
            yield f"{name}, line 1", row
            return
    else:
        rest = file
    for at, line in chain([first], enumerate(rest, number + 1)):
        if line.strip():
            where = f"{name}, line {at}"
            yield where, _line(line, where)


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True


def _line(line: str, where: str) -> Any:
    try:
        if "@" in line and not line.lstrip().startswith(("{", "[", '"')):
            return notation.fields(line, where)
        return json.loads(line)
    except ScenarioError as error:
        return error
    except (ValueError, RecursionError) as error:
        return ScenarioError(
            f"{where}: is not JSON ({error}); expected one row a line; "
            "TOML and CSV are told by the name of a file, which ends in .toml, .csv or .tsv"
        )


def _toml(file: IO[str], name: str) -> Iterator[tuple[str, Any]]:
    """One row, or several as `[[row]]`; what stands before those is for all of them."""
    text = file.read()
    try:
        said = tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # of a number, or of brackets, without end
        raise ScenarioError(f"{name}: is not TOML ({error})") from None
    rows = said.pop("row", None)
    if rows is None:
        yield name, said
        return
    if not isinstance(rows, list) or not rows:
        raise ScenarioError(f"{name}: row: expected one or more [[row]]")
    for number, row in enumerate(rows, 1):
        where = f"{name}, row {number}"
        yield where, {**said, **row} if isinstance(row, dict) else row


def _csv(file: IO[str], name: str) -> Iterator[tuple[str, Any]]:
    """A tile a line under a header; lines of the same `id` that follow one another are one row.

    Spreadsheets write semicolons where the language has decimal commas, and lines of nothing but
    separators where somebody has emptied cells.
    """
    head = file.readline()
    by = next((each for each in ";\t" if each in head), ",")
    told = (line if line.strip(f'{by}" \t\r\n') else "\n" for line in chain([head], file))
    reader = csv.DictReader(told, delimiter=by, skipinitialspace=True)
    columns = [each.strip() for each in reader.fieldnames or ()]
    unknown = [each for each in columns if each not in _COLUMNS]
    missing = [each for each in ("x_mm", "y_mm") if each not in columns]
    if unknown or missing or len(set(columns)) < len(columns):
        what = (
            f"{unknown[0][:40]!r} is not known"
            if unknown
            else "x_mm and y_mm are needed, each once"
        )
        raise ScenarioError(f"{name}, line 1: {what}; expected a header of {', '.join(_COLUMNS)}")
    reader.fieldnames = columns
    start = next(reader, None)
    if start is None:
        raise ScenarioError(f"{name}: has no tile under its header; expected one per line")
    lines = ((reader.line_num, line) for line in chain([start], reader))
    for id_, tiles in groupby(lines, key=lambda each: each[1].get("id")):
        first, *more = tiles
        where = f"{name}, line {first[0]}"
        try:
            fields = [
                _tile(line, f"tiles[{i}]", f"{name}, line {at}", "." if by == "," else ",")
                for i, (at, line) in enumerate((first, *more))
            ]
            yield where, {**({"id": id_} if id_ else {}), "tiles": fields}
        except PhysicsError as error:
            yield where, error


def _tile(line: dict[str, Any], tile: str, where: str, point: str) -> Fields:
    """A tile from its cells; `point` is their decimal sign. An empty cell is left out."""
    if None in line or None in line.values():
        raise ScenarioError(f"{where}: expected as many cells as the header has")
    cells = {name: text.strip() for name, text in line.items() if name != "id" and text.strip()}
    numbers: dict[str, float] = {}
    for name, text in cells.items():
        try:
            if name == "value":
                numbers[name] = int(text)
            elif name != "orientation":
                numbers[name] = float(text.replace(point, "."))
        except ValueError:
            wanted = "a whole number or no text" if name == "value" else "a number"
            raise ScenarioError(
                f"{where}: {name}: expected {wanted}, got {json.dumps(text[:40])}"
            ) from None
    fields = {**cells, **numbers}
    read_tile(fields, tile, STANDARD, where)  # what is wrong with it is told with its own line
    return fields


_KINDS: dict[str, Callable[[IO[str], str], Iterator[tuple[str, Any]]]] = {
    ".toml": _toml,
    ".csv": _csv,
    ".tsv": _csv,
}
"""The kinds of file that are told by their name; every other has JSON or row notation."""


def _row(value: Any, where: str) -> Fields:
    if isinstance(value, PhysicsError):
        raise value
    if not isinstance(value, dict):
        raise ScenarioError(
            f"{where}: row: expected an object, got {json.dumps(value, default=str)[:40]}"
        )
    return value
